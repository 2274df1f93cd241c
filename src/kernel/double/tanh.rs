//! The tanh form in double precision.
//!
//! `v = 2u = A·t + B·t³`, `t = |x|`, `e = e^-v`. `g(-t) = -t·e/(1 + e)`, `g'(-t) = e/(1 + e)² · S`,
//! `S = 1 + e - t·(A + 3B·t²)`; `g(x) = x + g(-x)` and `g'(x) = 1 - g'(-x)` for `x > 0`.
//!
//! An absolute error of `v` is a relative one of `e`, so `v`, then `e`, `1 + e` and every product are carried in two
//! parts; only the last addition rounds at full size. Within 2^-8 of its zero, `g'` is a polynomial times the distance.
//!
//! Common path: `2^-400 <= t <= 20` forward, `t <= 20` backward. Beyond, the vectors concerned are gathered and go
//! through stages for the tails, where `1 + e` is 1.

use crate::kernel::double::exp::{Reduced, expm1, reduce};
use crate::kernel::double::none::{QUIET, divide_by_two600, product, split_eighths, tail};
use crate::kernel::double::tanh_table::*;
use crate::kernel::double::{Formula, Rare, Scratch, cold, polynomial};
use crate::simd::double::F64s;

/// The tanh form.
pub(crate) struct Tanh;

/// 2^-400: below, the low parts of products would underflow, and `g(x) = x/2` to 2^-400.
const TINY: u64 = (1023 - 400) << 52;
/// Where the common path ends: `1 + e` is 1, and `e` is 2^-870.
const LIMIT: u64 = 20.0f64.to_bits();

/// `c·t² + A_HIGH` in two parts; `a_low` is what `A_HIGH` and `c` lack, times their powers of `t`.
#[inline(always)]
fn quadratic<V: F64s>(s: V, s_low: V, c: f64, c_low: f64) -> (V, V) {
    let (c, c_low, a) = (V::splat(c), V::splat(c_low), V::splat(A_HIGH));
    let high = s.mul_add(c, a);
    // `high - a` is exact, as A_HIGH is short.
    let low = s.mul_sub(c, high.sub(a));
    let low = s_low.mul_add(c, low).add(s.mul_add(c_low, V::splat(A_LOW)));
    (high, low)
}

/// `-v - ln K`, reduced.
#[inline(always)]
fn exponent<V: F64s>(t: V, s: V, s_low: V) -> Reduced<V> {
    let (high, low) = quadratic(s, s_low, B_HIGH, B_LOW);
    // A_LOW is far above an ulp of A_HIGH: carry.
    let w = high.add(low);
    let w_low = high.sub(w).add(low);
    let v = t.mul(w);
    let v_low = t.mul_add(w_low, t.mul_sub(w, v));
    // The table holds K·2^(j/8), so 1/K belongs to f.
    reduce(v, v_low, Some(LN_K))
}

/// `scale · e^f` in two parts, good to 2^-63 of it.
#[inline(always)]
fn exp_precise<V: F64s>(f: V, f_low: V, scale: V) -> (V, V) {
    let f2 = f.mul(f);
    let c = EXP_PRECISE;
    let q01 = V::splat(c[1]).mul_add(f, V::splat(c[0]));
    let q23 = V::splat(c[3]).mul_add(f, V::splat(c[2]));
    let q45 = V::splat(c[5]).mul_add(f, V::splat(c[4]));
    let q = V::splat(c[6]).mul_add(f2, q45).mul_add(f2, q23).mul_add(f2, q01);
    let small = q.mul_add(f2, f_low);
    let high = scale.mul_add(f.add(small), scale);
    let low = scale.mul_add(small, scale.mul_add(f, scale.sub(high)));
    (high, low)
}

/// `1 + e` in two parts.
#[inline(always)]
fn one_plus<V: F64s>(e: V, e_low: V) -> (V, V) {
    let one = V::splat(1.0);
    let d = one.add(e);
    (d, one.sub(d).add(e).add(e_low))
}

impl Formula for Tanh {
    /// Worst found: 0.778 ULP at -0x1.52d51c01e443cp+4 (a subnormal result).
    #[inline(always)]
    unsafe fn forward<V: F64s>(x: *const f64, y: *mut f64, m: usize) {
        let mut scratch = Scratch::<V, 4>::new();
        let mut rare = Rare::<V>::new();
        // SAFETY: the caller's promise; each stage gets what an earlier one put.
        unsafe {
            for i in 0..m {
                let t = V::load(x.add(i * V::LANES)).abs().max(V::splat(f64::from_bits(TINY)));
                let s = t.mul(t);
                let r = exponent(t, s, t.mul_sub(t, s));
                scratch.put(i, 0, [r.f, r.n.exp2_eighths(&EXP2)]);
            }
            for i in 0..m {
                let p = expm1(scratch.get(i, 0));
                let scale = scratch.get(i, 1);
                let e = scale.mul_add(p, scale);
                let e_low = scale.mul_add(p, scale.sub(e));
                let inverse = V::splat(1.0).div(V::splat(1.0).add(e));
                scratch.put(i, 1, [e, e_low, inverse]);
            }
            for i in 0..m {
                let x = V::load(x.add(i * V::LANES));
                let t = x.abs();
                let (e, e_low, inverse) = (scratch.get(i, 1), scratch.get(i, 2), scratch.get(i, 3));
                let (d, d_low) = one_plus(e, e_low);
                // Subnormal numbers stall some cores, even where the result is not used.
                let no_less = t.max(V::splat(f64::from_bits(TINY)));
                let n = no_less.mul(e);
                let n_low = no_less.mul_add(e_low, no_less.mul_sub(e, n));
                let m = n.mul(inverse);
                let rest = m.neg_mul_add(d_low, m.neg_mul_add(d, n)).add(n_low);
                let low = rest.mul(inverse);

                let base = no_less.zero_where_negative(x);
                let high = base.sub(m);
                high.add(base.sub(high).sub(m).sub(low)).store(y.add(i * V::LANES));
                rare.keep(i, t.abs_outside(TINY, LIMIT), [x]);
            }
            for r in 0..rare.count() {
                let t = tail_argument(rare.input(r, 0));
                let s = t.mul(t);
                let e = exponent(t, s, t.mul_sub(t, s));
                // With 2^600 in the scale nothing before the last step underflows.
                scratch.put(r, 0, [e.f, e.f_low, e.n.add(V::splat(4800.0)).exp2_eighths(&EXP2)]);
            }
            for r in 0..rare.count() {
                let x = rare.input(r, 0);
                let (e, e_low) = exp_precise(scratch.get(r, 0), scratch.get(r, 1), scratch.get(r, 2));
                rare.replace(r, y, x.abs().abs_outside(TINY, LIMIT), forward_rare(x, e, e_low));
            }
        }
    }

    /// Worst found: 0.773 ULP at -0x1.539d47e076fa2p+4 with dy = 1; 1.369 with any dy, at the double next to the zero.
    #[inline(always)]
    unsafe fn backward<V: F64s>(dy: *const f64, x: *const f64, dx: *mut f64, m: usize) {
        let mut scratch = Scratch::<V, 5>::new();
        let mut rare = Rare::<V>::new();
        // SAFETY: the caller's promise; each stage gets what an earlier one put.
        unsafe {
            for i in 0..m {
                let t = V::load(x.add(i * V::LANES)).abs();
                let s = t.mul(t);
                let s_low = t.mul_sub(t, s);
                let r = exponent(t, s, s_low);
                // u = -t·(A + 3B·t²).
                let (w, w_low) = quadratic(s, s_low, B3_HIGH, B3_LOW);
                let u = t.mul(w);
                let u_low = t.mul_add(w_low, t.mul_sub(w, u));
                scratch.put(i, 0, [r.f, r.f_low, r.n.exp2_eighths(&EXP2), u, u_low]);
            }
            for i in 0..m {
                let (e, e_low) = exp_precise(scratch.get(i, 0), scratch.get(i, 1), scratch.get(i, 2));
                let inverse = V::splat(1.0).div(V::splat(1.0).add(e));
                scratch.put(i, 0, [e, e_low, inverse]);
            }
            for i in 0..m {
                let x = V::load(x.add(i * V::LANES));
                let dy = V::load(dy.add(i * V::LANES));
                let t = x.abs();
                let (e, e_low, inverse) = (scratch.get(i, 0), scratch.get(i, 1), scratch.get(i, 2));
                let (u, u_low) = (scratch.get(i, 3), scratch.get(i, 4));
                let (d, d_low) = one_plus(e, e_low);
                // S = d + u.
                let g = d.add(u);
                let back = g.sub(d);
                let g_low = d.sub(g.sub(back)).add(u.sub(back)).add(d_low.add(u_low));

                let (e, e_low) = (e.flip_where_positive(x), e_low.flip_where_positive(x));
                let n = e.mul(g);
                let n_low = e_low.mul_add(g, e.mul_add(g_low, e.mul_sub(g, n)));
                let m1 = n.mul(inverse);
                let rest1 = m1.neg_mul_add(d_low, m1.neg_mul_add(d, n)).add(n_low);
                let m = m1.mul(inverse);
                let rest = m.neg_mul_add(d_low, m.neg_mul_add(d, m1));
                let low = rest1.mul_add(inverse, rest).mul(inverse);

                let base = V::splat(1.0).zero_where_negative(x);
                let high = base.add(m);
                let mut result = product(dy, high, base.sub(high).add(m).add(low));
                let near = x.bits_within(NEAR_FIRST, NEAR_LAST);
                if V::any(near) {
                    cold();
                    result = V::select(near, backward_near_zero(dy, t), result);
                }
                result.store(dx.add(i * V::LANES));
                rare.keep(i, t.abs_outside(0, LIMIT), [x, dy]);
            }
            for r in 0..rare.count() {
                let t = rare.input(r, 0).abs().min(V::splat(BACKWARD_END));
                let s = t.mul(t);
                let s_low = t.mul_sub(t, s);
                let e = exponent(t, s, s_low);
                let (k, j) = split_eighths(e.n_value);
                scratch.put(r, 0, [e.f, e.f_low, j.exp2_eighths(&EXP2), k]);
            }
            for r in 0..rare.count() {
                let t = rare.input(r, 0).abs().min(V::splat(BACKWARD_END));
                let (e, e_low) = exp_precise(scratch.get(r, 0), scratch.get(r, 1), scratch.get(r, 2));
                let (m, low) = backward_tail(t, e, e_low);
                scratch.put(r, 0, [m, low]);
            }
            for r in 0..rare.count() {
                let (x, dy) = (rare.input(r, 0), rare.input(r, 1));
                let t = x.abs();
                let value =
                    tail(dy, x, scratch.get(r, 0), scratch.get(r, 1), scratch.get(r, 3), t.lt(V::splat(CUT)));
                rare.replace(r, dx, t.abs_outside(0, LIMIT), value);
            }
        }
    }
}

/// The bits of `-(ZERO - 2^-8)` and `-(ZERO + 2^-8)`.
const NEAR_FIRST: u64 = (-(ZERO - 0.00390625)).to_bits();
const NEAR_LAST: u64 = (-(ZERO + 0.00390625)).to_bits();

/// `x` within 2^-8 of `-t0`.
#[inline(always)]
fn backward_near_zero<V: F64s>(dy: V, t: V) -> V {
    // Exact, then t0 in two parts.
    let d = t.sub(V::splat(ZERO));
    let p = polynomial(d, &NEAR_ZERO);
    let low = V::splat(-ZERO_LOW);
    let sum = d.add(low);
    let sum_low = d.sub(sum).add(low);
    let slope = V::splat(SLOPE);
    let m = sum.mul(slope);
    product(dy, m, sum.mul_add(p, sum_low.mul_add(slope, sum.mul_sub(slope, m))))
}

/// At this all has underflowed.
const FORWARD_END: f64 = 22.0;

/// `|x|`, held where it is neither subnormal nor beyond everything.
#[inline(always)]
fn tail_argument<V: F64s>(x: V) -> V {
    x.abs().min(V::splat(FORWARD_END)).max(V::splat(1.0))
}

/// `x` tiny, beyond the limit, or NaN; `e` is `2^600·e^-v` for `v` of the tail's argument.
#[inline(always)]
fn forward_rare<V: F64s>(x: V, e: V, e_low: V) -> V {
    let t = x.abs();
    let bounded = tail_argument(x);
    let n = bounded.mul(e);
    let v = divide_by_two600(n.add(bounded.mul_add(e_low, bounded.mul_sub(e, n))));
    let y = V::select(x.lt(V::splat(0.0)), v.neg(), x);
    let small = t.lt(V::splat(f64::from_bits(TINY)));
    V::select(small, x.mul(V::splat(0.5)), V::select(x.is_nan(), x.or_bits(QUIET), y))
}

/// Where the argument of the tail is held.
const BACKWARD_END: f64 = 28.0;
/// Beyond this `dy · g'(x)` is below half the least subnormal for every finite `dy`.
const CUT: f64 = 27.5;

/// `e·(1 - t·(A + 3B·t²))`, as `m + low`.
#[inline(always)]
fn backward_tail<V: F64s>(t: V, e: V, e_low: V) -> (V, V) {
    let s = t.mul(t);
    let (w, w_low) = quadratic(s, t.mul_sub(t, s), B3_HIGH, B3_LOW);
    let u = t.mul(w);
    let u_low = t.mul_add(w_low, t.mul_sub(w, u));
    let g = u.add(V::splat(1.0));
    let g_low = u.sub(g).add(V::splat(1.0)).add(u_low);
    let m = e.mul(g);
    (m, e_low.mul_add(g, e.mul_add(g_low, e.mul_sub(g, m))))
}
