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
    fn far<W: F64s>(_: W, t: W, deficit: W) -> W {
        let e = exp(t.mul(t).mul(W::splat(-0.5)), ROOT);
        e.neg_mul_add(deficit, e)
    }

    #[inline(always)]
    unsafe fn correction<V: F32s>(t: V) -> V {
        // SAFETY: the caller has the features of V.
        unsafe { mills_deficit(t).1 }
    }
}
