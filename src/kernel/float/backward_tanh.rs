//! dx = dy · g'(x) for the tanh form.
//!
//! Identity: with 2u(t) = a t + b t³, B = t · (2u)' = a t + 3 b t³, t = |x|, σ = 1/(1 + exp 2u): w = σ (1 - B (1 - σ)),
//! g'(-t) = w, g'(t) = 1 - w.
//! Intervals: t < 3.8125 from the table of w, one of them centred at its zero; beyond, with E = exp(-2u),
//! -w = E (B - 1 - E (2B - 1)) up to terms in E³, where B - 1 and 2u need two parts.

use super::driver::{Backward, Tail};
use super::exp_tail::{CUBIC, CUBIC_THRICE, POWERS, exp, odd_cubic, scale_or_tiny, square};
use super::interval::BackwardTable;
use super::tables::BACKWARD_TANH;
use crate::simd::float::F32s;

/// The tanh form.
pub(crate) struct Tanh;

impl Backward for Tanh {
    const TABLE: &'static BackwardTable = &BACKWARD_TANH;
    const ZERO: f32 = f32::from_bits(0x3f40a150);
    const CUT: f32 = 13.6;

    #[inline(always)]
    unsafe fn tail<V: F32s>(t: V) -> Tail<V> {
        // SAFETY: the caller has the features of V.
        unsafe {
            let s = square(t);
            let (a, a_low) = odd_cubic(t, s, CUBIC);
            let (b, b_low) = odd_cubic(t, s, CUBIC_THRICE);
            let e = exp(a, a_low, &POWERS);
            let one = V::splat(1.0);
            let q = b.sub(one);
            let q_low = b.sub(q).sub(one).add(b_low);
            let small = scale_or_tiny(e.power.mul_add(e.p, e.power), e.k);
            let high = q.mul(e.power);
            let mut low = q.mul_add(e.power_low, q.mul_sub(e.power, high));
            low = q_low.mul_add(e.power, low);
            // E (2B - 1) = E (2 (B - 1) + 1), not divided by B - 1: it joins the low part.
            let bend = q.add(q).add(one).mul(small).mul(e.power);
            low = low.sub(bend);
            Tail { high, low: high.add(low).mul_add(e.p, low), k: e.k }
        }
    }
}
