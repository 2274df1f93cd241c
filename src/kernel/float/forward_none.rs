//! y = x · Φ(x).
//!
//! Far left, t = -x: -y = t Φ(-t) = φ(t) · t R(t), R the Mills ratio.

use super::driver::{Forward, Function};
use super::rows::Table;
use super::tables::FORWARD_NONE;
use super::tail::{ROOT, exp, mills_deficit};
use crate::simd::double::F64s;
use crate::simd::float::F32s;

/// The exact form.
pub(crate) struct None;

impl Function for None {
    type Direction = Forward;
    const TABLE: &'static Table = &FORWARD_NONE;
    const LAST: f32 = 16.0;

    #[inline(always)]
    unsafe fn tail<V: F32s>(_: V, t: V) -> V::Wide {
        // SAFETY: the caller has the features of V.
        unsafe {
            let wide = t.widen();
            let e = exp(wide.mul(wide).mul(V::Wide::splat(-0.5)), ROOT);
            e.neg_mul_add(mills_deficit(t).1.widen(), e)
        }
    }
}
