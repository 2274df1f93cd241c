//! y = x/2 · (1 + tanh u), u = √(2/π) (x + 0.044715 x³).
//!
//! Identity: y = x · σ(2u), σ the logistic function.

use super::driver::{Forward, Function};
use super::rows::Table;
use super::tables::FORWARD_TANH;
use super::tail::logistic;
use crate::simd::double::F64s;
use crate::simd::float::F32s;

/// The tanh form.
pub(crate) struct Tanh;

impl Function for Tanh {
    type Direction = Forward;
    const TABLE: &'static Table = &FORWARD_TANH;
    const LAST: f32 = 12.0;

    #[inline(always)]
    unsafe fn tail<V: F32s>(_: V, t: V) -> V::Wide {
        // SAFETY: the caller has the features of V.
        unsafe {
            let wide = t.widen();
            logistic(wide).0.mul(wide)
        }
    }
}
