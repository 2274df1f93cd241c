//! y = x · Φ(x).

use super::driver::{Forward, Function};
use super::rows::Table;
use super::tables::FORWARD_NONE;

/// The exact form.
pub(crate) struct None;

impl Function for None {
    type Direction = Forward;
    const TABLE: &'static Table = &FORWARD_NONE;
}
