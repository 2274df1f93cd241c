//! y = x · Φ(x).
//!
//! Identity: y = max(x, 0) - t q, t = |x|, q = Φ(-t): no cancellation for negative x.
//! Intervals: t < 3.5625 from the table of t q; beyond, t q = φ(t) · t R(t), R the Mills ratio.

use super::driver::Forward;
use super::exp_tail::{POWERS_BY_ROOT, exp, mills_deficit, scale_negative, scale_or_tiny, square};
use super::interval::ForwardTable;
use super::tables::FORWARD_NONE;
use crate::simd::float::F32s;

/// The exact form.
pub(crate) struct None;

impl Forward for None {
    const TABLE: &'static ForwardTable = &FORWARD_NONE;

    #[inline(always)]
    unsafe fn tail<V: F32s>(x: V, t: V) -> V {
        // SAFETY: the caller has the features of V.
        unsafe {
            // The result is 0 long before 16; NaN stays.
            let t = V::splat(16.0).min_or(t);
            let (s, s_low) = square(t);
            let half = V::splat(0.5);
            let e = exp(s.mul(half), s_low.mul(half), &POWERS_BY_ROOT);
            let w = mills_deficit(V::splat(1.0).div(s));
            // (1 + p)(1 - w) - 1
            let c = w.neg_mul_add(e.p, e.p.sub(w));
            let m = e.power.add(e.power.mul_add(c, e.power_low));
            V::select(x.lt(V::splat(0.0)), scale_negative(m, e.k), x.sub(scale_or_tiny(m, e.k)))
        }
    }
}
