//! y = x/2 · (1 + tanh u), u = √(2/π) (x + 0.044715 x³).
//!
//! Identity: y = x · σ(2u), so y = max(x, 0) - t q, t = |x|, q = 1/(1 + exp 2u(t)).
//! Intervals: t < 3.5625 from the table of t q; beyond, q = E (1 - E + E²) with E = exp(-2u), 2u in two parts (E³ < 2^-38).

use super::driver::Forward;
use super::exp_tail::{CUBIC, POWERS, exp, odd_cubic, scale_negative, scale_or_tiny, square};
use super::interval::ForwardTable;
use super::tables::FORWARD_TANH;
use crate::simd::float::F32s;

/// The tanh form.
pub(crate) struct Tanh;

impl Forward for Tanh {
    const TABLE: &'static ForwardTable = &FORWARD_TANH;

    #[inline(always)]
    unsafe fn tail<V: F32s>(x: V, t: V) -> V {
        // SAFETY: the caller has the features of V.
        unsafe {
            // The result is 0 long before 12; NaN stays.
            let t = V::splat(12.0).min_or(t);
            let (a, a_low) = odd_cubic(t, square(t), CUBIC);
            let e = exp(a, a_low, &POWERS);
            let small = scale_or_tiny(e.power.mul_add(e.p, e.power), e.k);
            let small = small.neg_mul_add(small, small);
            let c = small.neg_mul_add(e.p, e.p.sub(small));
            let high = t.mul(e.power);
            let low = t.mul_add(e.power_low, t.mul_sub(e.power, high));
            let m = high.add(high.mul_add(c, low));
            V::select(x.lt(V::splat(0.0)), scale_negative(m, e.k), x.sub(scale_or_tiny(m, e.k)))
        }
    }
}
