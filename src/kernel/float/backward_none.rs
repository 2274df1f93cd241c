//! dx = dy · g'(x), g' = Φ(x) + x φ(x).
//!
//! Identity: with w(t) = Φ(-t) - t φ(t), t = |x|: g'(-t) = w, g'(t) = 1 - w.
//! Intervals: t < 3.8125 from the table of w, one of them centred at its zero; beyond, w = -t φ(t) (1 - R(t)/t), R the Mills
//! ratio.

use super::driver::{Backward, Tail};
use super::exp_tail::{POWERS_BY_ROOT, exp, mills_deficit, square};
use super::interval::BackwardTable;
use super::tables::BACKWARD_NONE;
use crate::simd::float::F32s;

/// The exact form.
pub(crate) struct None;

impl Backward for None {
    const TABLE: &'static BackwardTable = &BACKWARD_NONE;
    const ZERO: f32 = f32::from_bits(0x3f407569);
    const CUT: f32 = 19.8;

    #[inline(always)]
    unsafe fn tail<V: F32s>(t: V) -> Tail<V> {
        // SAFETY: the caller has the features of V.
        unsafe {
            let (s, s_low) = square(t);
            let half = V::splat(0.5);
            let e = exp(s.mul(half), s_low.mul(half), &POWERS_BY_ROOT);
            let v = V::splat(1.0).div(s);
            // R(t)/t = v (1 - v D)
            let w = v.neg_mul_add(mills_deficit(v), v);
            let c = w.neg_mul_add(e.p, e.p.sub(w));
            let high = t.mul(e.power);
            let low = t.mul_add(e.power_low, t.mul_sub(e.power, high));
            Tail { high, low: high.mul_add(c, low), k: e.k }
        }
    }
}
