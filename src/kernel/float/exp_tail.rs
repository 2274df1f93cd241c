//! Parts of the rare path, |x| from 3.5 or more on: exp(-a) for a in two parts, and what the formulas share.
//!
//! a = n · ln 2/8 + r with |r| <= ln 2/16, so exp(-a) = 2^k · T[j] · (1 + p): k and j are the upper and the lower part of
//! -n, T is a table in two parts, and p = exp(-r) - 1 is small. Nothing is scaled by 2^k before the end, so that a
//! subnormal result is rounded once. Constants from tools/float_tail.py.

use super::interval::{ABS, ROUND, words};
use crate::simd::float::F32s;

const PER_EIGHTH: f32 = f32::from_bits(0x4138aa3b); // 8/ln 2
const EIGHTH_HIGH: f32 = f32::from_bits(0x3db17000); // ln 2/8 to 2^-15: a product with n <= 2300 is exact
const EIGHTH_LOW: f32 = f32::from_bits(0x3685fdf4);

/// s · 2^(j/8) in two parts.
pub(super) struct Powers {
    high: [f32; 8],
    low: [f32; 8],
}

/// s = 1.
pub(super) const POWERS: Powers = Powers {
    high: words([
        0x3f800000, 0x3f8b95c2, 0x3f9837f0, 0x3fa5fed7, 0x3fb504f3, 0x3fc5672a, 0x3fd744fd, 0x3feac0c7,
    ]),
    low: words([
        0x00000000, 0xb260aba1, 0x33231b71, 0xb32c9d5e, 0x32cfe77a, 0x320aa837, 0xb2d4a58a, 0xb24116de,
    ]),
};

/// s = 1/√(2π).
pub(super) const POWERS_BY_ROOT: Powers = Powers {
    high: words([
        0x3ecc422a, 0x3edebed4, 0x3ef2e7d5, 0x3f0471fa, 0x3f106ebb, 0x3f1d813a, 0x3f2bc29c, 0x3f3b4e4a,
    ]),
    low: words([
        0xb242bc9b, 0xb243a6c2, 0x3230e87a, 0xb28184e2, 0xb2fbd649, 0x325a0147, 0x32690167, 0x32bcc639,
    ]),
};

/// s · exp(-a) = 2^k (power + power_low) (1 + p).
pub(super) struct Exp<V> {
    pub(super) power: V,
    pub(super) power_low: V,
    pub(super) p: V,
    /// Integer patterns, not values.
    pub(super) k: V,
}

/// s · exp(-(a + a_low)) for 0 <= a < 200 and a_low below an ulp or two of a.
#[inline(always)]
pub(super) unsafe fn exp<V: F32s>(a: V, a_low: V, powers: &Powers) -> Exp<V> {
    // SAFETY: the caller has the features of V.
    unsafe {
        let round = V::splat(ROUND);
        let shifted = a.neg_mul_add(V::splat(PER_EIGHTH), round);
        let n = shifted.sub(round);
        // r = -a - n ln2/8 (n is negative).
        let mut r = n.neg_mul_add(V::splat(-EIGHTH_HIGH), a);
        r = n.mul_add(V::splat(EIGHTH_LOW), r.add(a_low));
        r = V::splat(-0.0).sub(r);
        let mut p = r.mul_add(V::splat(f32::from_bits(0x3d2aae92)), V::splat(f32::from_bits(0x3e2aae54)));
        p = p.mul_add(r, V::splat(0.5));
        p = r.mul(r).mul_add(p, r);
        let index = shifted.index();
        Exp {
            power: V::lookup(index, &powers.high),
            power_low: V::lookup(index, &powers.low),
            p,
            k: shifted.sub_bits(round).sar_bits::<3>(),
        }
    }
}

/// -value · 2^k for -300 < k <= 0, rounded once where it is subnormal; not for NaN.
///
/// Below 2^-125 the result is made as an integer, the number of 2^-149 in it, which is its pattern: arithmetic with
/// subnormal results takes some processors ten times as long.
#[inline(always)]
pub(super) unsafe fn scale_negative<V: F32s>(value: V, k: V) -> V {
    // SAFETY: the caller has the features of V.
    unsafe {
        let one = V::splat(1.0);
        let size = value.and_bits(V::splat(ABS));
        let sign = V::splat(-0.0).sub(value).and_bits(V::splat(-0.0));
        // Exponent of the result, as stored.
        let exponent = size.sar_bits::<23>().add_bits(k);
        let small = exponent.lt_bits(integer(2));
        let k = V::select(small, k.add_bits(integer(149)), k);
        // In halves: k may lie below -126. What the first rounds is then far below the last place.
        let half = k.sar_bits::<1>();
        let scaled = size
            .mul(half.shl_bits::<23>().add_bits(one))
            .mul(k.sub_bits(half).shl_bits::<23>().add_bits(one));
        V::select(small, scaled.round_to_int_bits(), scaled).or_bits(sign)
    }
}

/// The pattern of an integer in all lanes.
#[inline(always)]
pub(super) unsafe fn integer<V: F32s>(n: i32) -> V {
    // SAFETY: the caller has the features of V.
    unsafe { V::splat(f32::from_bits(n as u32)) }
}

/// value · 2^k for k <= 0, with k taken as -64 below that.
#[inline(always)]
pub(super) unsafe fn scale_or_tiny<V: F32s>(value: V, k: V) -> V {
    // SAFETY: the caller has the features of V.
    unsafe { value.mul(k.max_bits(integer(-64)).shl_bits::<23>().add_bits(V::splat(1.0))) }
}

/// v · D with t · R(t) = 1 - v · D, where v = 1/t² and R is the Mills ratio Φ(-t)/φ(t), 3.6 <= t <= 20.
#[inline(always)]
pub(super) unsafe fn mills_deficit<V: F32s>(v: V) -> V {
    // SAFETY: the caller has the features of V.
    unsafe {
        let mut d = v.mul_add(V::splat(f32::from_bits(0x45f01b68)), V::splat(f32::from_bits(0xc5445653)));
        d = d.mul_add(v, V::splat(f32::from_bits(0x441ef9b2)));
        d = d.mul_add(v, V::splat(f32::from_bits(0xc2c0c623)));
        d = d.mul_add(v, V::splat(f32::from_bits(0x416dc285)));
        d = d.mul_add(v, V::splat(f32::from_bits(0xc03fed7b)));
        d.mul_add(v, V::splat(f32::from_bits(0x3f7fffcb))).mul(v)
    }
}

/// 2√(2/π) in two parts, the first with so few bits that sums with it lose nothing.
const A_HIGH: f32 = f32::from_bits(0x3fcc4240);
const A_LOW: f32 = f32::from_bits(0xb6330af2);
/// 0.044715 · 2√(2/π), and three times that, in two parts.
pub(super) const CUBIC: [f32; 2] = [f32::from_bits(0x3d922279), f32::from_bits(0x3124d8b5)];
pub(super) const CUBIC_THRICE: [f32; 2] = [f32::from_bits(0x3e5b33b6), f32::from_bits(0xaf8baf10)];

/// t (2√(2/π) + b t²) in two parts: 2u for b = CUBIC, 2 t u' for b = CUBIC_THRICE. `square` is t² in two parts.
#[inline(always)]
pub(super) unsafe fn odd_cubic<V: F32s>(t: V, square: (V, V), b: [f32; 2]) -> (V, V) {
    // SAFETY: the caller has the features of V.
    unsafe {
        let (a, b_high) = (V::splat(A_HIGH), V::splat(b[0]));
        let product = square.0.mul(b_high);
        let mut low = square.0.mul_sub(b_high, product);
        low = square.0.mul_add(V::splat(b[1]), low);
        low = square.1.mul_add(b_high, low);
        let sum = product.add(a);
        low = product.sub(sum.sub(a)).add(low.add(V::splat(A_LOW)));
        let high = t.mul(sum);
        (high, t.mul_add(low, t.mul_sub(sum, high)))
    }
}

/// t² in two parts.
#[inline(always)]
pub(super) unsafe fn square<V: F32s>(t: V) -> (V, V) {
    // SAFETY: the caller has the features of V.
    unsafe {
        let high = t.mul(t);
        (high, t.mul_sub(t, high))
    }
}
