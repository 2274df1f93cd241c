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
    fn far<W: F64s>(_: W, t: W, _: W) -> W {
        logistic(t).0.mul(t)
    }

    #[inline(always)]
    unsafe fn correction<V: F32s>(t: V) -> V {
        t
    }
}
