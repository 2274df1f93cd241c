//! What the tails of both forms end in: scaling by powers of two, with one rounding at full size.

use crate::kernel::double::exp::MAGIC;
use crate::kernel::double::{Rare, Scratch};
use crate::simd::double::F64s;

/// 2^-422, which 2^-600 takes to the least normal number.
const LEAST: f64 = f64::from_bits((1023 - 422) << 52);
/// 2^-600.
const DOWN: f64 = f64::from_bits((1023 - 600) << 52);

/// `v · 2^-600`, rounded once, for `|v| < 2^423`, without an instruction that has a subnormal number to make: that is
/// what some cores are slow at.
#[inline(always)]
pub(crate) fn divide_by_two600<V: F64s>(v: V) -> V {
    // Below `least` the result is subnormal: the sum's last place is 2^-1074 · 2^600, so its low bits are the result.
    let least = V::splat(LEAST);
    let size = v.abs();
    let bits = size.add(least).sub_bits(least);
    V::select(size.lt(least), bits, divide_normal_by_two600(size)).or_sign(v)
}

/// `v · 2^-600`, or the least normal number where that is larger; `v > 0`.
#[inline(always)]
pub(crate) fn divide_normal_by_two600<V: F64s>(v: V) -> V {
    // Not a selection: the compiler would take it back where its result is not used.
    v.max(V::splat(LEAST)).mul(V::splat(DOWN))
}

/// `y` of `2^600·f(t)`, for `x` beyond the rows.
#[inline(always)]
pub(crate) fn forward_end<V: F64s>(x: V, lifted: V) -> V {
    // Above, where f would be subnormal, any tiny number in its place leaves x.
    let above = x.sub(divide_normal_by_two600(lifted));
    V::select(x.lt(V::splat(0.0)), divide_by_two600(lifted).neg(), above)
}

/// `n = 8k + j`, `0 <= j < 8`: `k` as a value, `j` as the low bits.
#[inline(always)]
pub(crate) fn split_eighths<V: F64s>(n: V) -> (V, V) {
    let magic = V::splat(MAGIC);
    let k = n.mul_add(V::splat(0.125), V::splat(-0.4375)).add(magic).sub(magic);
    (k, k.neg_mul_add(V::splat(8.0), n).add(magic))
}

/// `dy·(m + low)·2^k` as a number within 2^-10 … 2^21 and a power of two, for a finite nonzero `dy`.
#[inline(always)]
fn backward_product<V: F64s>(dy: V, m: V, low: V, k: V) -> (V, V) {
    // dy as a number near 1 and a power of two.
    let subnormal = dy.abs().lt(V::splat(f64::MIN_POSITIVE));
    let lifted = V::select(subnormal, dy.mul(V::splat(18446744073709551616.0)), dy);
    let bias = V::select(subnormal, V::splat(1023.0 + 64.0), V::splat(1023.0));
    let unit = lifted.and_bits(!(2047 << 52)).or_bits(1023 << 52);
    (unit.mul_add(m, unit.mul(low)), lifted.abs().exponent_field().sub(bias).add(k))
}

/// `dx` of `g'(-t) = (m + low)·2^k` for `x` beyond the rows; `m` is negative, within 2^-10 … 2^20, and `v·2^exponent` is
/// the product. From `-cut` down `dy · g'(x)` is below half the least subnormal for every finite `dy`, so `g'` is -0.
#[inline(always)]
fn backward_end<V: F64s>(dy: V, x: V, [m, low, k, v, exponent]: [V; 5], cut: f64) -> V {
    let magic = V::splat(MAGIC);

    // x > 0: 1 - (m + low)·2^k in one rounding. The scale need not be exact where that is 1.
    let bounded_k = k.max(V::splat(-900.0)).add(magic);
    let positive = dy.neg_mul_add(m.add(low).add_exponent(bounded_k), dy);

    // Where the result may be subnormal, 2^600 times it comes first. Two steps, as 2^1023 is not all there may be.
    let lifted = exponent.lt(V::splat(-900.0));
    let exponent = V::select(lifted, exponent.add(V::splat(600.0)).max(V::splat(-900.0)), exponent);
    let first = exponent.min(V::splat(960.0));
    let second = exponent.sub(first);
    let one = V::splat(1.0);
    let v = v.mul(one.add_exponent(first.add(magic))).mul(one.add_exponent(second.add(magic)));
    let v = V::select(lifted, divide_by_two600(v), v);
    // Zero, infinity and NaN have no such form; the sign and being nonzero are all that matters of g'.
    let v = V::select(dy.abs().bits_within(1, f64::MAX.to_bits()), v, dy.mul(m));
    let v = V::select(V::splat(-cut).lt(x), v, dy.mul(V::splat(-0.0)));
    V::select(x.lt(V::splat(0.0)), v, positive)
}

/// The last stages of the tails of `g'`: the product with `dy` of `g'(-t) = (m + low)·2^k`.
///
/// # Safety
/// `m`, `low` and `k` of each vector of `rare` are values 0 to 2 of `scratch`.
#[inline(always)]
pub(crate) unsafe fn backward_stages<V: F64s>(rare: &mut Rare, scratch: &mut Scratch<V, 5>, cut: f64) {
    let vectors = rare.vectors::<V>();
    // SAFETY: the caller's promise; the second stage gets what the first put.
    unsafe {
        for r in 0..vectors {
            let (m, low, k) = (scratch.get(r, 0), scratch.get(r, 1), scratch.get(r, 2));
            let (v, exponent) = backward_product(rare.input(r, 1), m, low, k);
            scratch.put(r, 3, [v, exponent]);
        }
        for r in 0..vectors {
            let (x, dy) = (rare.input(r, 0), rare.input(r, 1));
            let (m, low, k) = (scratch.get(r, 0), scratch.get(r, 1), scratch.get(r, 2));
            let (v, exponent) = (scratch.get(r, 3), scratch.get(r, 4));
            rare.put(r, backward_end(dy, x, [m, low, k, v, exponent], cut));
        }
    }
}
