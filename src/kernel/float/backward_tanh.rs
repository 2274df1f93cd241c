//! dx = dy · g'(x) for the tanh form.
//!
//! Identity: with σ = σ(2u(x)): g' = σ + x (2u)' σ (1 - σ).

use super::driver::{Backward, Function};
use super::rows::Table;
use super::tables::BACKWARD_TANH;

/// The tanh form.
pub(crate) struct Tanh;

impl Function for Tanh {
    type Direction = Backward<0xbf40a14f>;
    const TABLE: &'static Table = &BACKWARD_TANH;
}
