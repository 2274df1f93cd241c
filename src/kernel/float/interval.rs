//! The common path of the f32 kernels: f(t), t = |x|, from eight intervals whose coefficients lie in registers.
//!
//! In the interval with centre c, d = t - c (exact, or its rounding does not matter), and
//!     f(t) = c0 + c1 d + d² (c2 + c3 d + ... + c7 d⁵).
//! The linear part would lose the result's last bit if it were simply rounded. So it is split into a head h of seven
//! significant bits and a rest: the rest is exact, and so is every later sum of h with x, 0 or 1, because h is a multiple
//! of the last bit of x (down to |f| of 2^-15 and up to the bounds of the tables, below 4). What is left is one full rounding at the very end, and
//! the roundings of the rest, which is 1/64 of h and the small curvature.

use crate::simd::float::F32s;

/// Coefficients for x · Φ(x) and the like: c0 needs no second part, since each centre is chosen among the floats
/// such that f(centre) is nearly a float.
pub(crate) struct ForwardTable {
    pub(super) bound: f32,
    pub(super) shift: f32,
    pub(super) centre_c6: [f32; 8],
    pub(super) c0: [f32; 8],
    pub(super) c1: [f32; 8],
    pub(super) c2: [f32; 8],
    pub(super) c3: [f32; 8],
    pub(super) c4: [f32; 8],
    pub(super) c5_c7: [f32; 8],
}

/// Coefficients for derivatives: c0 is in two parts. In the interval of the zero the centre is the float next to it, the
/// upper part is next to nothing and the lower part is the value there, so that the result is right relative to itself.
pub(crate) struct BackwardTable {
    pub(super) bound: f32,
    pub(super) shift: f32,
    pub(super) centre: [f32; 8],
    pub(super) c0_c6: [f32; 8],
    pub(super) c0_low: [f32; 8],
    pub(super) c1: [f32; 8],
    pub(super) c2: [f32; 8],
    pub(super) c3: [f32; 8],
    pub(super) c4: [f32; 8],
    pub(super) c5_c7: [f32; 8],
}

/// A table entry per pattern.
pub(super) const fn words(patterns: [u32; 8]) -> [f32; 8] {
    let mut out = [0.0; 8];
    let mut i = 0;
    while i < 8 {
        out[i] = f32::from_bits(patterns[i]);
        i += 1;
    }
    out
}

/// 1.5 · 2²³: a sum with it holds the nearest integer in its low bits.
pub(super) const ROUND: f32 = 12582912.0;
/// Keeps the sign, the exponent and six stored bits.
pub(super) const HEAD: f32 = f32::from_bits(0xfffe_0000);
/// Clears the sign.
pub(super) const ABS: f32 = f32::from_bits(0x7fff_ffff);

/// The interval of t: the third to fifth bit of t + shift, which lies in [4, 8), count halves.
#[inline(always)]
unsafe fn index<V: F32s>(t: V, shift: f32) -> V::Index {
    // SAFETY: the caller has the features of V.
    unsafe { t.add(V::splat(shift)).sar_bits::<20>().index() }
}

/// The evaluation of a table.
///
/// # Safety
/// The features of V.
pub(super) trait Evaluate {
    /// f(t) as head + rest for 0 <= t < bound. Outside, and for NaN, the result means nothing.
    unsafe fn at<V: F32s>(&self, t: V) -> (V, V);
}

impl Evaluate for ForwardTable {
    #[inline(always)]
    unsafe fn at<V: F32s>(&self, t: V) -> (V, V) {
        // SAFETY: the caller has the features of V.
        unsafe {
            let index = index(t, self.shift);
            let centre_c6 = V::lookup(index, &self.centre_c6);
            let d = t.sub(centre_c6);
            let c0 = V::lookup(index, &self.c0);
            let c1 = V::lookup(index, &self.c1);
            let head = d.mul_add(c1, c0).and_bits(V::splat(HEAD));
            let rest = d.mul_add(c1, c0.sub(head));
            let curve = upper(index, d, centre_c6, &self.c3, &self.c4, &self.c5_c7);
            let curve = curve.mul_add(d, V::lookup(index, &self.c2));
            (head, d.mul(d).mul_add(curve, rest))
        }
    }
}

impl Evaluate for BackwardTable {
    #[inline(always)]
    unsafe fn at<V: F32s>(&self, t: V) -> (V, V) {
        // SAFETY: the caller has the features of V.
        unsafe {
            let index = index(t, self.shift);
            let d = t.sub(V::lookup(index, &self.centre));
            let c0_c6 = V::lookup(index, &self.c0_c6);
            let c1 = V::lookup(index, &self.c1);
            let head = d.mul_add(c1, c0_c6).and_bits(V::splat(HEAD));
            let rest = d.mul_add(c1, c0_c6.sub(head)).add(V::lookup(index, &self.c0_low));
            let curve = upper(index, d, c0_c6, &self.c3, &self.c4, &self.c5_c7);
            let curve = curve.mul_add(d, V::lookup(index, &self.c2));
            (head, d.mul(d).mul_add(curve, rest))
        }
    }
}

/// c3 + c4 d + ... + c7 d⁴. (c2 comes after it, in a sum of its own, for a single rounding of full size.)
#[inline(always)]
unsafe fn upper<V: F32s>(
    index: V::Index,
    d: V,
    host: V,
    c3: &[f32; 8],
    c4: &[f32; 8],
    c5_c7: &[f32; 8],
) -> V {
    // SAFETY: the caller has the features of V.
    unsafe {
        let square = d.mul(d);
        let c5_c7 = V::lookup(index, c5_c7);
        let high = host.shl_bits::<16>().mul_add(d, c5_c7);
        let high = c5_c7.shl_bits::<19>().mul_add(square, high);
        let low = V::lookup(index, c4).mul_add(d, V::lookup(index, c3));
        high.mul_add(square, low)
    }
}
