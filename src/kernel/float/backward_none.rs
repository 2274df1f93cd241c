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
    unsafe fn tail<V: F32s>(m: V, t: V) -> V::Wide {
        // SAFETY: the caller has the features of V.
        unsafe {
            let wide = t.widen();
            let square = wide.mul(wide);
            let te = exp(square.mul(V::Wide::splat(-0.5)), ROOT).mul(wide);
            let (v, deficit) = mills_deficit(t);
            // R/t = v (1 - deficit)
            te.neg_mul_add(v.neg_mul_add(deficit, v).widen(), te).mul(m.widen())
        }
    }
}
