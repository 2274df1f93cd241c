//! dx = dy · g'(x) for the tanh form.
//!
//! Identity: with σ = σ(2u(x)): g' = σ + x (2u)' σ (1 - σ). Far left, t = -x: -g' = σ (b (1 - σ) - 1), b = t (2u)'.

use super::driver::{Backward, Function};
use super::rows::Table;
use super::tables::BACKWARD_TANH;
use super::tail::logistic;
use crate::simd::double::F64s;
use crate::simd::float::F32s;

/// The tanh form.
pub(crate) struct Tanh;

impl Function for Tanh {
    type Direction = Backward<0xbf40a14f>;
    const TABLE: &'static Table = &BACKWARD_TANH;
    const LAST: f32 = 13.6;

    #[inline(always)]
    fn far<W: F64s>(m: W, t: W, _: W) -> W {
        let (s, b) = logistic(t);
        s.mul(b.neg_mul_add(s, b).sub(W::splat(1.0))).mul(m)
    }

    #[inline(always)]
    unsafe fn correction<V: F32s>(t: V) -> V {
        t
    }
}
