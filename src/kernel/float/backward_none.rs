//! dx = dy · g'(x), g'(x) = Φ(x) + x φ(x).
//!
//! Far left, t = -x: -g' = t φ(t) - Φ(-t) = t φ(t) · (1 - R(t)/t), R the Mills ratio.

use super::driver::{Backward, Function};
use super::rows::Table;
use super::tables::BACKWARD_NONE;
use super::tail::{ROOT, exp, mills_deficit};
use crate::simd::double::F64s;
use crate::simd::float::F32s;

/// The exact form.
pub(crate) struct None;

impl Function for None {
    type Direction = Backward<0xbf407568>;
    const TABLE: &'static Table = &BACKWARD_NONE;
    const LAST: f32 = 19.8;

    #[inline(always)]
    fn far<W: F64s>(m: W, t: W, ratio: W) -> W {
        let te = exp(t.mul(t).mul(W::splat(-0.5)), ROOT).mul(t);
        te.neg_mul_add(ratio, te).mul(m)
    }

    /// R/t = v (1 - deficit).
    #[inline(always)]
    unsafe fn correction<V: F32s>(t: V) -> V {
        // SAFETY: the caller has the features of V.
        unsafe {
            let (v, deficit) = mills_deficit(t);
            v.neg_mul_add(deficit, v)
        }
    }
}
