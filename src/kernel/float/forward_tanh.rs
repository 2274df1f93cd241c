//! y = x/2 · (1 + tanh u), u = √(2/π) (x + 0.044715 x³).
//!
//! Identity: y = x · σ(2u), σ the logistic function.

use super::driver::{Forward, Function};
use super::rows::Table;
use super::tables::FORWARD_TANH;

/// The tanh form.
pub(crate) struct Tanh;

impl Function for Tanh {
    type Direction = Forward;
    const TABLE: &'static Table = &FORWARD_TANH;
}
