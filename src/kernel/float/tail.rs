//! The far negative side of the f32 kernels, in double precision, where nothing needs a second part.

use crate::kernel::double::exp::MAGIC;
use crate::simd::double::F64s;
use crate::simd::float::F32s;

/// exp(f), |f| <= ln 2/2, within 2^-29. Printed by tools/float_tail.py.
const EXP: [u64; 7] = [
    0x3ff000000028aeef,
    0x3ff0000009b28d8c,
    0x3fdfffffa4a83d27,
    0x3fc55540b6139c45,
    0x3fa5558e160f084d,
    0x3f8126cace5354f8,
    0x3f56a87abaf3a344,
];
/// 1/√(2π).
pub(super) const ROOT: f64 = 0.398_942_280_401_432_7;
/// 2u(t) = A t + B t³, A = 2√(2/π), B = 0.044715 A.
pub(super) const A: f64 = 1.595_769_121_605_730_8;
pub(super) const B: f64 = 0.071_354_816_272_600_25;

/// factor · exp(a), -700 < a <= 0.
#[inline(always)]
pub(super) fn exp<W: F64s>(a: W, factor: f64) -> W {
    let round = W::splat(MAGIC);
    let sum = a.mul_add(W::splat(core::f64::consts::LOG2_E), round);
    let f = sum.sub(round).neg_mul_add(W::splat(core::f64::consts::LN_2), a);
    let c = EXP.map(|c| W::splat(f64::from_bits(c) * factor));
    let square = f.mul(f);
    let high = c[6].mul_add(square, c[5].mul_add(f, c[4]));
    let middle = c[3].mul_add(f, c[2]);
    let p = high.mul_add(square, middle).mul_add(square, c[1].mul_add(f, c[0]));
    p.add_exponent(sum)
}

/// v = 1/t² and 1 - t R(t) for t > 4.4, R the Mills ratio Φ(-t)/φ(t): v times a polynomial in v. Printed by
/// tools/float_tail.py.
#[inline(always)]
pub(super) unsafe fn mills_deficit<V: F32s>(t: V) -> (V, V) {
    const D: [u32; 6] = [0x3f7fffc4, 0xc03fea9e, 0x416d4c8c, 0xc2bc89db, 0x440c5c98, 0xc4eee62d];
    // SAFETY: the caller has the features of V.
    unsafe {
        let v = V::splat(1.0).div(t.mul(t));
        let d = D.map(|d| V::splat(f32::from_bits(d)));
        let square = v.mul(v);
        let high = d[5].mul_add(v, d[4]).mul_add(square, d[3].mul_add(v, d[2]));
        let d = high.mul_add(square, d[1].mul_add(v, d[0]));
        (v, d.mul(v))
    }
}

/// σ(-2u(t)) = E/(1 + E), E = exp(-2u(t)) < 2^-17, and t · (2u)'.
#[inline(always)]
pub(super) fn logistic<W: F64s>(t: W) -> (W, W) {
    let square = t.mul(t);
    let e = exp(square.mul_add(W::splat(-B), W::splat(-A)).mul(t), 1.0);
    (e.neg_mul_add(e, e), square.mul_add(W::splat(3.0 * B), W::splat(A)).mul(t))
}

/// A positive value, rounded once.
///
/// Where it is subnormal it is made as an integer, the number of 2^-149 in it, which is its pattern: conversions with
/// subnormal results take some processors ten times as long.
#[inline(always)]
pub(super) unsafe fn round<V: F32s>([low, high]: [V::Half; 2]) -> V {
    const LEAST: f64 = f32::MIN_POSITIVE as f64;
    // SAFETY: the caller has the features of V.
    unsafe {
        let least = V::Half::splat(LEAST);
        let normal = V::narrow([low.max(least), high.max(least)]);
        let is_normal = V::splat(f32::MIN_POSITIVE).lt(normal);
        if V::all(is_normal) {
            return normal;
        }
        let scale = V::Half::splat((1_u64 << 23) as f64 / LEAST);
        let count = V::narrow_to_int_bits([low.min(least).mul(scale), high.min(least).mul(scale)]);
        V::select(is_normal, normal, count)
    }
}
