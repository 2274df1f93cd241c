//! The vectors that the kernels are written in: a small trait for each element type, and one file for each instruction
//! set. Nothing outside of this folder and dispatch.rs knows an instruction set.

// The head of each implementation says why all of its blocks are sound.
#![allow(clippy::undocumented_unsafe_blocks)]

pub(crate) mod double;
pub(crate) mod float;
