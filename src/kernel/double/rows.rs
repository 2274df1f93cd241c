//! The common path of both forms: a polynomial around the nearest of a grid of centres, its coefficients in a row of
//! their own for each centre.
//!
//! With `t = |x|`, `g(x) = max(x, 0) - f(t)` and `g'(x) = (x > 0) - w(t)` up to the sign, where `f(t) = -g(-t)` and
//! `w(t) = g'(-t)`. Around a centre, `c0 + c0_low + c1·d + c2·d² + … + c8·d⁸`, `d = t - centre`. `c0` is so short that
//! the difference from `max(x, 0)` or from 0 or 1 is exact; then the rounding of `c1·d` is the only one that counts, and
//! an FMA gives what it lost. So the result is a rounded sum of a leading part and one below an eighth of it: 0.5 ULP
//! and some hundredths.
//!
//! In the row of the zero of `w`, `c0` is 0 and the centre is next to the zero, so `w` is right relatively there too;
//! so is `f` in the row of 0.

use crate::kernel::double::tail::divide_by_two600;
use crate::kernel::double::{BLOCK, Formula, Rare, WIDEST, cold};
use crate::simd::double::{F64s, Row};
use core::mem::MaybeUninit;

/// Adding this to `t` leaves the nearest multiple of 1/32, and its number in the low bits.
const MAGIC: f64 = 6755399441055744.0 / 32.0;

/// Above it `g(x)` is rounded to `x`: `f` is less than a tenth of half its spacing.
const IDENTITY: f64 = 8.5;

/// Where each lane's row of a block is.
struct Offsets([MaybeUninit<u64>; BLOCK * WIDEST]);

impl Offsets {
    #[inline(always)]
    fn new() -> Self {
        Self([const { MaybeUninit::uninit() }; BLOCK * WIDEST])
    }
    /// Finds the rows of the `m` vectors at `x`; the result has bit `i` where vector `i` has a lane beyond `limit`.
    ///
    /// # Safety
    /// `m <= BLOCK`, and `x` is valid for `m` vectors.
    #[inline(always)]
    unsafe fn find<V: F64s>(&mut self, x: *const f64, m: usize, rows: &[Row], limit: f64) -> u32 {
        let mut beyond = 0;
        for i in 0..m {
            // SAFETY: the caller's promise.
            unsafe {
                let t = V::load(x.add(i * V::LANES)).abs();
                beyond |= u32::from(V::any(V::splat(limit).lt(t))) << i;
                let number = t.min(V::splat(limit)).add(V::splat(MAGIC));
                number.store_offsets(rows.len() as u32 - 1, self.0.as_mut_ptr().add(i * V::LANES).cast());
            }
        }
        beyond
    }
    /// Those of vector `i`.
    #[inline(always)]
    fn of<V: F64s>(&self, i: usize) -> *const u64 {
        self.0.as_ptr().wrapping_add(i * V::LANES).cast()
    }
}

/// `base` minus the polynomial, as a leading part minus a low one.
///
/// # Safety
/// `offsets` holds the offsets of rows of `rows`.
#[inline(always)]
unsafe fn difference<V: F64s>(rows: &'static [Row], offsets: *const u64, d: V, square: V, base: V) -> (V, V) {
    let rows = rows.as_ptr();
    // From the last coefficients to the first, as they are needed: few registers hold them.
    // SAFETY: the caller's promise.
    unsafe {
        let (c7, c8) = V::entries(rows, offsets, 8);
        let q = c8.mul_add(d, c7);
        let (c5, c6) = V::entries(rows, offsets, 6);
        let q = q.mul_add(square, c6.mul_add(d, c5));
        let (c3, c4) = V::entries(rows, offsets, 4);
        let q = q.mul_add(square, c4.mul_add(d, c3));
        let (c1, c2) = V::entries(rows, offsets, 2);
        let q = q.mul_add(d, c2);
        let (c0, c0_low) = V::entries(rows, offsets, 0);
        let first = base.sub(c0);
        let high = d.neg_mul_add(c1, first);
        // What the rounding of `high` lost.
        let lost = d.mul_add(c1, high.sub(first));
        (high, square.mul_add(q, lost.add(c0_low)))
    }
}

/// `y = g(x)` for `m` vectors. The worst errors found are in docs/ACCURACY.md.
///
/// # Safety
/// `m <= BLOCK`; `all_x` and `y` are valid for `m` vectors, and equal or apart.
#[inline(always)]
pub(crate) unsafe fn forward<V: F64s, K: Formula>(all_x: *const f64, y: *mut f64, m: usize) {
    let mut offsets = Offsets::new();
    let mut rare = Rare::new();
    // SAFETY: the caller's promise, and the offsets are of clamped row numbers.
    unsafe {
        let beyond = offsets.find::<V>(all_x, m, K::FORWARD, K::LIMIT);
        for i in 0..m {
            let x = V::load(all_x.add(i * V::LANES));
            let t = x.abs();
            let is_beyond = beyond >> i & 1 != 0;
            if is_beyond {
                cold();
                let limit = V::splat(K::LIMIT);
                let rest = V::select(V::splat(IDENTITY).lt(x), V::splat(0.0), t);
                rare.keep(i, limit.lt(rest), [x]);
                if V::all(limit.lt(t)) {
                    x.store(y.add(i * V::LANES));
                    continue;
                }
            }
            // So d is a number for NaN too: what comes out has the bits of x.
            let t = t.min(V::splat(K::LIMIT));
            let centre = t.add(V::splat(MAGIC)).sub(V::splat(MAGIC));
            // With -0 for negative x, the sum has the sign of x, that of a zero too.
            let base = V::splat(-0.0).max(x);
            let d = t.sub(centre);
            // Next to 0, d is rounded to 0 or above 2^-493: a square that underflows stalls some cores.
            let rounder = V::splat(f64::from_bits((1023 - 440) << 52));
            let coarse = d.add(rounder).sub(rounder);
            let (high, low) = difference(K::FORWARD, offsets.of::<V>(i), d, coarse.mul(coarse), base);
            let mut result = high.sub(low);
            if is_beyond {
                result = V::select(V::splat(IDENTITY).lt(x), x, result);
            }
            result.store(y.add(i * V::LANES));
        }
        if beyond != 0 {
            cold();
            K::forward_tail::<V>(&mut rare);
            rare.write(y);
        }
    }
}

/// What makes a NaN quiet.
const QUIET: u64 = 1 << 51;
/// 2^-900: a product that is not below is right to the last place.
const LEAST: u64 = (1023 - 900) << 52;

/// `dx = dy · g'(x)` for `m` vectors. The worst errors found are in docs/ACCURACY.md.
///
/// # Safety
/// `m <= BLOCK`; the pointers are valid for `m` vectors, and `dx` is equal to or apart from each.
#[inline(always)]
pub(crate) unsafe fn backward<V: F64s, K: Formula>(
    all_dy: *const f64,
    all_x: *const f64,
    dx: *mut f64,
    m: usize,
) {
    let mut offsets = Offsets::new();
    let mut rare = Rare::new();
    // SAFETY: the caller's promise, and the offsets are of clamped row numbers.
    unsafe {
        let beyond = offsets.find::<V>(all_x, m, K::BACKWARD, K::LIMIT);
        for i in 0..m {
            let x = V::load(all_x.add(i * V::LANES));
            let dy = V::load(all_dy.add(i * V::LANES));
            let t = x.abs();
            if beyond >> i & 1 != 0 {
                cold();
                let is_beyond = V::splat(K::LIMIT).lt(t);
                rare.keep(i, is_beyond, [x, dy]);
                if V::all(is_beyond) {
                    continue;
                }
            }
            let nearest = t.add(V::splat(MAGIC)).sub(V::splat(MAGIC));
            let d = t.sub(nearest).sub(V::splat(K::SHIFT));
            // For negative x this is -g', and so is dy.
            let base = V::splat(1.0).zero_where_negative(x);
            let dy = dy.flip_where_negative(x);
            let (high, low) = difference(K::BACKWARD, offsets.of::<V>(i), d, d.mul(d), base);
            // The rounded derivative and what it lacks: next to the zero the parts cancel.
            let slope = high.sub(low);
            let rest = high.sub(slope).sub(low);
            let mut result = dy.mul_add(slope, dy.mul(rest));
            let odd = result.abs().abs_outside(LEAST, f64::INFINITY.to_bits());
            if V::any(odd) {
                cold();
                result = V::select(odd, odd_product(dy, x, slope, rest), result);
            }
            result.store(dx.add(i * V::LANES));
        }
        if beyond != 0 {
            cold();
            K::backward_tail::<V>(&mut rare);
            rare.write(dx);
        }
    }
}

/// `dy · (slope + rest)` where it is below 2^-900, or `dy` is zero, infinite or NaN, or `x` is NaN.
#[inline(always)]
fn odd_product<V: F64s>(dy: V, x: V, slope: V, rest: V) -> V {
    let lifted = dy.mul(V::splat(f64::from_bits((1023 + 600) << 52)));
    let tiny = divide_by_two600(lifted.mul_add(slope, lifted.mul(rest)));
    let size = dy.abs();
    let regular = size.bits_within(1, (1023 - 300) << 52);
    let value = V::select(regular, tiny, dy.mul(slope));
    // Of two NaN, that of x.
    V::select(x.abs().abs_outside(0, f64::INFINITY.to_bits()), x.or_bits(QUIET), value)
}
