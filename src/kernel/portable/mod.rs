//! The portable backend: plain Rust without FMA and without any instruction-set feature.
//!
//! It serves processors without FMA, is what Miri runs, and checks the vector kernels independently: it
//! shares no constant and no formula for the polynomials with them.

mod double;
mod exp;
mod float;
mod mills;
#[rustfmt::skip]
mod tables;
mod two;

use super::{Backend, Kernels};

/// The backend's entry in the dispatch table.
pub(crate) static BACKEND: Backend = Backend {
    name: c"portable",
    f32: Kernels {
        forward: [forward_none_f32, forward_tanh_f32],
        backward: [backward_none_f32, backward_tanh_f32],
        grain: 4096,
    },
    f64: Kernels {
        forward: [forward_none_f64, forward_tanh_f64],
        backward: [backward_none_f64, backward_tanh_f64],
        grain: 1024,
    },
};

/// Applies `f` to each of the `n` elements at `x`.
///
/// # Safety
/// `x` is valid for reads and `y` for writes of `n` elements; they are equal or do not overlap.
#[inline(always)]
unsafe fn forward<T>(x: *const T, y: *mut T, n: usize, f: impl Fn(T) -> T) {
    for i in 0..n {
        // SAFETY: i < n, and an element is read before its place is written.
        unsafe { y.add(i).write_unaligned(f(x.add(i).read_unaligned())) };
    }
}

/// Applies `f` to each of the `n` pairs at `dy` and `x`.
///
/// # Safety
/// `dy` and `x` are valid for reads and `dx` for writes of `n` elements; `dx` equals an input or does not
/// overlap it.
#[inline(always)]
unsafe fn backward<T>(dy: *const T, x: *const T, dx: *mut T, n: usize, f: impl Fn(T, T) -> T) {
    for i in 0..n {
        // SAFETY: i < n, and both elements are read before the place is written.
        unsafe { dx.add(i).write_unaligned(f(dy.add(i).read_unaligned(), x.add(i).read_unaligned())) };
    }
}

unsafe fn forward_none_f32(x: *const f32, y: *mut f32, n: usize) {
    // SAFETY: the caller's contract is the same.
    unsafe { forward(x, y, n, float::forward_none) }
}

unsafe fn forward_tanh_f32(x: *const f32, y: *mut f32, n: usize) {
    // SAFETY: the caller's contract is the same.
    unsafe { forward(x, y, n, float::forward_tanh) }
}

unsafe fn backward_none_f32(dy: *const f32, x: *const f32, dx: *mut f32, n: usize) {
    // SAFETY: the caller's contract is the same.
    unsafe { backward(dy, x, dx, n, float::backward_none) }
}

unsafe fn backward_tanh_f32(dy: *const f32, x: *const f32, dx: *mut f32, n: usize) {
    // SAFETY: the caller's contract is the same.
    unsafe { backward(dy, x, dx, n, float::backward_tanh) }
}

unsafe fn forward_none_f64(x: *const f64, y: *mut f64, n: usize) {
    // SAFETY: the caller's contract is the same.
    unsafe { forward(x, y, n, double::forward_none) }
}

unsafe fn forward_tanh_f64(x: *const f64, y: *mut f64, n: usize) {
    // SAFETY: the caller's contract is the same.
    unsafe { forward(x, y, n, double::forward_tanh) }
}

unsafe fn backward_none_f64(dy: *const f64, x: *const f64, dx: *mut f64, n: usize) {
    // SAFETY: the caller's contract is the same.
    unsafe { backward(dy, x, dx, n, double::backward_none) }
}

unsafe fn backward_tanh_f64(dy: *const f64, x: *const f64, dx: *mut f64, n: usize) {
    // SAFETY: the caller's contract is the same.
    unsafe { backward(dy, x, dx, n, double::backward_tanh) }
}
