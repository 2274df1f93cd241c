//! libgelu: the GELU activation and its derivative, in float and double, in the exact and the tanh form,
//! behind a C ABI.
//!
//! The interface is [`include/gelu.h`](capi), and [`capi`] is its source. The modules stand in the order
//! in which a call passes them.

pub mod capi;
pub mod status;

pub mod args;
mod elements;

mod call;
mod fp_env;

#[doc(hidden)]
pub mod host;
mod job;
mod parallel;
mod pool;
mod process;
mod threads;

mod stream;
mod strided;

#[doc(hidden)]
pub mod dispatch;

#[doc(hidden)]
pub mod kernel;

mod simd;
