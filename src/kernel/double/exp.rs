//! `e^a` for `a <= 0` given in two parts, as a table entry and a small relative correction.

use crate::kernel::double::none_table::{EIGHTHS_PER_UNIT, EXP, STEP_HIGH, STEP_LOW};
use crate::simd::double::F64s;

/// Adding this leaves the nearest integer in the low bits of the sum.
pub(crate) const MAGIC: f64 = 6755399441055744.0;

/// `a + a_low = ln K + n · ln 2/8 + f`, `|f| <= ln 2/16`.
pub(crate) struct Reduced<V> {
    /// `n`, as the low bits of `n + MAGIC`.
    pub(crate) n: V,
    /// `n` as a value.
    pub(crate) n_value: V,
    /// The remainder, rounded.
    pub(crate) f: V,
}

/// Splits off the multiple of `ln 2/8`, and `ln_k`, which is tiny.
#[inline(always)]
pub(crate) fn reduce<V: F64s>(a: V, a_low: V, ln_k: f64) -> Reduced<V> {
    let n = a.mul_add(V::splat(EIGHTHS_PER_UNIT), V::splat(MAGIC));
    let n_value = n.sub(V::splat(MAGIC));
    // Exact: a multiple of 2^-57 below 2^-4.
    let f0 = n_value.neg_mul_add(V::splat(STEP_HIGH), a);
    // In the tails this is hundreds of ulp of 1, so it has to be part of f.
    let low = n_value.neg_mul_add(V::splat(STEP_LOW), a_low).sub(V::splat(ln_k));
    let f = f0.add(low);
    Reduced { n, n_value, f }
}

/// `p` with `e^f = 1 + p`, `|p| < 0.045`, within 2^-57.
#[inline(always)]
pub(crate) fn expm1<V: F64s>(f: V) -> V {
    let f2 = f.mul(f);
    let q01 = V::splat(EXP[1]).mul_add(f, V::splat(EXP[0]));
    let q23 = V::splat(EXP[3]).mul_add(f, V::splat(EXP[2]));
    let q45 = V::splat(EXP[5]).mul_add(f, V::splat(EXP[4]));
    q45.mul_add(f2, q23).mul_add(f2, q01).mul_add(f2, f)
}
