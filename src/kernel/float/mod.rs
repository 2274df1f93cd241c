//! The kernels for float: one file for each function, with the parts they share.

pub(crate) mod backward_none;
pub(crate) mod backward_tanh;
pub(crate) mod driver;
pub(crate) mod forward_none;
pub(crate) mod forward_tanh;
mod rows;
#[rustfmt::skip]
mod tables;
mod tail;
