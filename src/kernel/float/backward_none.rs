//! dx = dy · g'(x), g'(x) = Φ(x) + x φ(x).

use super::driver::{Backward, Function};
use super::rows::Table;
use super::tables::BACKWARD_NONE;

/// The exact form.
pub(crate) struct None;

impl Function for None {
    type Direction = Backward<0xbf407568>;
    const TABLE: &'static Table = &BACKWARD_NONE;
}
