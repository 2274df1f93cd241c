//! GELU, the Gaussian Error Linear Unit, and its derivative, of every element of a buffer: the functions of gelu.h. For
//! C++17 and later, gelu.hpp puts them into overloads, ranges and exceptions.
//!
//! # Forms
//! - none (exact): y = g(x) = x Phi(x) = x/2 (1 + erf(x/sqrt 2)),
//!   g'(x) = Phi(x) + x phi(x), phi(x) = exp(-x^2/2)/sqrt(2 pi)
//! - tanh: y = g(x) = x/2 (1 + tanh(u)), u = sqrt(2/pi) (x + 0.044715 x^3),
//!   g'(x) is the derivative of that formula
//!
//! The tanh form is a function of its own, which BERT and GPT-2 were trained with, not a faster way to
//! the exact one. Both are from D. Hendrycks and K. Gimpel, "Gaussian Error Linear Units", 2016.
//!
//! # Accuracy
//! At every finite x the result is within 1.0 ULP (unit in the last place) of the real value of the
//! formula; backward with a dy other than 1 is within 1.5 ULP of dy g'(x), and never overflows or
//! underflows where the product does not.
//!
//! # Special values
//! | x         | forward   | g'(x) |
//! |-----------|-----------|-------|
//! | +infinity | +infinity | 1     |
//! | -infinity | -0        | -0    |
//! | +0, -0    | +0, -0    | 0.5   |
//! | NaN       | NaN       | NaN   |
//!
//! Large positive x gives x and 1, large negative x gives -0 and -0. Backward multiplies g'(x) by dy as
//! IEEE 754 does; from |x| = 19.75 (float, none), 13.5625 (float, tanh), 54 (double, none), 27.125
//! (double, tanh) on, where no finite dy gives a result, g' counts as 1 or -0. A NaN that comes out is quiet;
//! its sign and payload are not specified.
//!
//! # Buffers
//! A length n is a number of elements, at most PTRDIFF_MAX bytes. Buffers may have any alignment.
//! An output may be exactly an input (the same pointer); another overlap of an output and an input is an
//! error. Inputs are only read. Nothing outside the n elements is read or written. A call allocates nothing
//! of the size of its buffers and keeps no pointer. The functions whose names end in _strided take buffers whose
//! elements do not stand side by side.
//!
//! # Errors
//! Arguments are checked in this order: approximation, then n == 0 (success, the pointers are not looked
//! at), then size, NULL, overlap. On an error nothing is written. The library prints nothing, and no input
//! ends the process.
//!
//! # Same bits
//! What an element becomes depends on its value, the form and the instruction set (gelu_isa()) alone: not on
//! its position, n, the alignment, the stride, the neighbours, in place or not, or the number of threads.
//!
//! # Threads and environment
//! Every function may be called from any number of threads at once. Large calls are split over worker
//! threads of the library's own, or over the host's (gelu_set_parallel_for()); small calls stay on the calling
//! thread. After fork() the child may go on calling. Making workers and handing them work takes a little
//! memory; where malloc has none left, Rust's runtime ends the process. Calls from a signal handler are safe
//! where they use one thread (gelu_set_num_threads() with 1, or small calls) and gelu_isa() and
//! gelu_get_num_threads() have been called before; others are not. The floating-point environment of the caller
//! (rounding mode, flush-to-zero, denormals-are-zero, unmasked exceptions, on x86-64 and aarch64) changes no result
//! and is the same after the call, status flags included.
//!
//! Two environment variables are read once, when they are first needed:
//! - GELU_NUM_THREADS: the default of the number of threads, a positive decimal number
//! - GELU_MAX_ISA: the highest instruction set to use: portable, avx2, avx512, neon; it only lowers
//!   what the machine has, and another value changes nothing

use core::ffi::{CStr, c_char, c_void};

use crate::args::{self, Buffer, gelu_approximation};
use crate::host::{self, gelu_parallel_for};
use crate::status::gelu_status;
use crate::{call, dispatch, pool, status, threads};

/// Computes y[i] = g(x[i]) for 0 <= i < n, in float.
///
/// @param x n elements, read.
/// @param y n elements, written; y == x is allowed, another overlap is not.
/// @param n the number of elements.
/// @param approximation GELU_APPROXIMATION_NONE or GELU_APPROXIMATION_TANH.
/// @return GELU_OK, or GELU_ERROR_APPROXIMATION, GELU_ERROR_SIZE, GELU_ERROR_NULL_POINTER or
/// GELU_ERROR_OVERLAP with y untouched.
///
/// Accuracy: within 1.0 ULP at every finite x. Special values, errors, threads: see the introduction.
///
/// # Safety
/// x must be readable and y writable for n elements; meanwhile no other thread may write to x, or read or
/// write y.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gelu_forward_f32(
    x: *const f32,
    y: *mut f32,
    n: usize,
    approximation: gelu_approximation,
) -> gelu_status {
    args::forward(Buffer::contiguous(x), Buffer::contiguous(y), n, approximation)
        // SAFETY: the caller vouches for the buffers.
        .map_or_else(|status| status, |args| unsafe { call::forward(&args) })
}

/// Computes y[i] = g(x[i]) for 0 <= i < n, in double.
///
/// @param x n elements, read.
/// @param y n elements, written; y == x is allowed, another overlap is not.
/// @param n the number of elements.
/// @param approximation GELU_APPROXIMATION_NONE or GELU_APPROXIMATION_TANH.
/// @return GELU_OK, or GELU_ERROR_APPROXIMATION, GELU_ERROR_SIZE, GELU_ERROR_NULL_POINTER or
/// GELU_ERROR_OVERLAP with y untouched.
///
/// Accuracy: within 1.0 ULP at every finite x. Special values, errors, threads: see the introduction.
///
/// # Safety
/// x must be readable and y writable for n elements; meanwhile no other thread may write to x, or read or
/// write y.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gelu_forward_f64(
    x: *const f64,
    y: *mut f64,
    n: usize,
    approximation: gelu_approximation,
) -> gelu_status {
    args::forward(Buffer::contiguous(x), Buffer::contiguous(y), n, approximation)
        // SAFETY: the caller vouches for the buffers.
        .map_or_else(|status| status, |args| unsafe { call::forward(&args) })
}

/// Computes dx[i] = dy[i] g'(x[i]) for 0 <= i < n, in float: the gradient with respect to x, from the
/// gradient dy with respect to y and the x that forward was given.
///
/// @param dy n elements, read.
/// @param x n elements, read; it may be dy.
/// @param dx n elements, written; dx == dy and dx == x are allowed, another overlap with either is not.
/// @param n the number of elements.
/// @param approximation GELU_APPROXIMATION_NONE or GELU_APPROXIMATION_TANH.
/// @return GELU_OK, or GELU_ERROR_APPROXIMATION, GELU_ERROR_SIZE, GELU_ERROR_NULL_POINTER or
/// GELU_ERROR_OVERLAP with dx untouched.
///
/// Accuracy: within 1.5 ULP of dy g'(x), with dy = 1 within 1.0 ULP. Special values, errors, threads: see
/// the introduction.
///
/// # Safety
/// dy and x must be readable and dx writable for n elements; meanwhile no other thread may write to dy or x,
/// or read or write dx.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gelu_backward_f32(
    dy: *const f32,
    x: *const f32,
    dx: *mut f32,
    n: usize,
    approximation: gelu_approximation,
) -> gelu_status {
    args::backward(Buffer::contiguous(dy), Buffer::contiguous(x), Buffer::contiguous(dx), n, approximation)
        // SAFETY: the caller vouches for the buffers.
        .map_or_else(|status| status, |args| unsafe { call::backward(&args) })
}

/// Computes dx[i] = dy[i] g'(x[i]) for 0 <= i < n, in double: the gradient with respect to x, from the
/// gradient dy with respect to y and the x that forward was given.
///
/// @param dy n elements, read.
/// @param x n elements, read; it may be dy.
/// @param dx n elements, written; dx == dy and dx == x are allowed, another overlap with either is not.
/// @param n the number of elements.
/// @param approximation GELU_APPROXIMATION_NONE or GELU_APPROXIMATION_TANH.
/// @return GELU_OK, or GELU_ERROR_APPROXIMATION, GELU_ERROR_SIZE, GELU_ERROR_NULL_POINTER or
/// GELU_ERROR_OVERLAP with dx untouched.
///
/// Accuracy: within 1.5 ULP of dy g'(x), with dy = 1 within 1.0 ULP. Special values, errors, threads: see
/// the introduction.
///
/// # Safety
/// dy and x must be readable and dx writable for n elements; meanwhile no other thread may write to dy or x,
/// or read or write dx.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gelu_backward_f64(
    dy: *const f64,
    x: *const f64,
    dx: *mut f64,
    n: usize,
    approximation: gelu_approximation,
) -> gelu_status {
    args::backward(Buffer::contiguous(dy), Buffer::contiguous(x), Buffer::contiguous(dx), n, approximation)
        // SAFETY: the caller vouches for the buffers.
        .map_or_else(|status| status, |args| unsafe { call::backward(&args) })
}

/// Computes y[i * y_stride] = g(x[i * x_stride]) for 0 <= i < n, in float: the form of gelu_forward_f32() for
/// elements that do not stand side by side, with the same bits.
///
/// @param x n elements, read.
/// @param x_stride elements from one of x to the next, any number. A negative one walks backwards from the pointer,
/// which is that of the first element; 0 takes one element n times.
/// @param y n elements, written; what lies between them is neither read nor written. y == x with y_stride == x_stride
/// is in place. Otherwise the two may interleave, but no element of y may share memory with one of x.
/// @param y_stride elements from one of y to the next, any number but 0, which is GELU_ERROR_OVERLAP.
/// @param n the number of elements.
/// @param approximation GELU_APPROXIMATION_NONE or GELU_APPROXIMATION_TANH.
/// @return GELU_OK, or GELU_ERROR_APPROXIMATION, GELU_ERROR_SIZE (a buffer spans, from its first element to
/// its last, over PTRDIFF_MAX bytes or past an end of the address space), GELU_ERROR_NULL_POINTER or
/// GELU_ERROR_OVERLAP with y untouched.
///
/// # Safety
/// The elements of x must be readable and those of y writable; meanwhile no other thread may write to those of x,
/// or read or write those of y.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gelu_forward_f32_strided(
    x: *const f32,
    x_stride: isize,
    y: *mut f32,
    y_stride: isize,
    n: usize,
    approximation: gelu_approximation,
) -> gelu_status {
    args::forward(Buffer::strided(x, x_stride), Buffer::strided(y, y_stride), n, approximation)
        // SAFETY: the caller vouches for the buffers.
        .map_or_else(|status| status, |args| unsafe { call::forward(&args) })
}

/// Computes y[i * y_stride] = g(x[i * x_stride]) for 0 <= i < n, in double: the form of gelu_forward_f64() for
/// elements that do not stand side by side, with the same bits.
///
/// @param x n elements, read.
/// @param x_stride elements from one of x to the next, any number. A negative one walks backwards from the pointer,
/// which is that of the first element; 0 takes one element n times.
/// @param y n elements, written; what lies between them is neither read nor written. y == x with y_stride == x_stride
/// is in place. Otherwise the two may interleave, but no element of y may share memory with one of x.
/// @param y_stride elements from one of y to the next, any number but 0, which is GELU_ERROR_OVERLAP.
/// @param n the number of elements.
/// @param approximation GELU_APPROXIMATION_NONE or GELU_APPROXIMATION_TANH.
/// @return GELU_OK, or GELU_ERROR_APPROXIMATION, GELU_ERROR_SIZE (a buffer spans, from its first element to
/// its last, over PTRDIFF_MAX bytes or past an end of the address space), GELU_ERROR_NULL_POINTER or
/// GELU_ERROR_OVERLAP with y untouched.
///
/// # Safety
/// The elements of x must be readable and those of y writable; meanwhile no other thread may write to those of x,
/// or read or write those of y.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gelu_forward_f64_strided(
    x: *const f64,
    x_stride: isize,
    y: *mut f64,
    y_stride: isize,
    n: usize,
    approximation: gelu_approximation,
) -> gelu_status {
    args::forward(Buffer::strided(x, x_stride), Buffer::strided(y, y_stride), n, approximation)
        // SAFETY: the caller vouches for the buffers.
        .map_or_else(|status| status, |args| unsafe { call::forward(&args) })
}

/// Computes dx[i * dx_stride] = dy[i * dy_stride] g'(x[i * x_stride]) for 0 <= i < n, in float: the form of
/// gelu_backward_f32() for elements that do not stand side by side, with the same bits.
///
/// @param dy n elements, read.
/// @param dy_stride elements from one of dy to the next, any number. A negative one walks backwards from the pointer,
/// which is that of the first element; 0 takes one element n times.
/// @param x n elements, read; they may overlap those of dy.
/// @param x_stride elements from one of x to the next, any number, like dy_stride.
/// @param dx n elements, written; what lies between them is neither read nor written. dx == dy with dx_stride ==
/// dy_stride is in place, and so is dx == x with dx_stride == x_stride. Otherwise the buffers may interleave, but no
/// element of dx may share memory with one of dy or x.
/// @param dx_stride elements from one of dx to the next, any number but 0, which is GELU_ERROR_OVERLAP.
/// @param n the number of elements.
/// @param approximation GELU_APPROXIMATION_NONE or GELU_APPROXIMATION_TANH.
/// @return GELU_OK, or GELU_ERROR_APPROXIMATION, GELU_ERROR_SIZE (a buffer spans, from its first element to
/// its last, over PTRDIFF_MAX bytes or past an end of the address space), GELU_ERROR_NULL_POINTER or
/// GELU_ERROR_OVERLAP with dx untouched.
///
/// # Safety
/// The elements of dy and x must be readable and those of dx writable; meanwhile no other thread may write to
/// those of dy or x, or read or write those of dx.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gelu_backward_f32_strided(
    dy: *const f32,
    dy_stride: isize,
    x: *const f32,
    x_stride: isize,
    dx: *mut f32,
    dx_stride: isize,
    n: usize,
    approximation: gelu_approximation,
) -> gelu_status {
    let (dy, x) = (Buffer::strided(dy, dy_stride), Buffer::strided(x, x_stride));
    args::backward(dy, x, Buffer::strided(dx, dx_stride), n, approximation)
        // SAFETY: the caller vouches for the buffers.
        .map_or_else(|status| status, |args| unsafe { call::backward(&args) })
}

/// Computes dx[i * dx_stride] = dy[i * dy_stride] g'(x[i * x_stride]) for 0 <= i < n, in double: the form of
/// gelu_backward_f64() for elements that do not stand side by side, with the same bits.
///
/// @param dy n elements, read.
/// @param dy_stride elements from one of dy to the next, any number. A negative one walks backwards from the pointer,
/// which is that of the first element; 0 takes one element n times.
/// @param x n elements, read; they may overlap those of dy.
/// @param x_stride elements from one of x to the next, any number, like dy_stride.
/// @param dx n elements, written; what lies between them is neither read nor written. dx == dy with dx_stride ==
/// dy_stride is in place, and so is dx == x with dx_stride == x_stride. Otherwise the buffers may interleave, but no
/// element of dx may share memory with one of dy or x.
/// @param dx_stride elements from one of dx to the next, any number but 0, which is GELU_ERROR_OVERLAP.
/// @param n the number of elements.
/// @param approximation GELU_APPROXIMATION_NONE or GELU_APPROXIMATION_TANH.
/// @return GELU_OK, or GELU_ERROR_APPROXIMATION, GELU_ERROR_SIZE (a buffer spans, from its first element to
/// its last, over PTRDIFF_MAX bytes or past an end of the address space), GELU_ERROR_NULL_POINTER or
/// GELU_ERROR_OVERLAP with dx untouched.
///
/// # Safety
/// The elements of dy and x must be readable and those of dx writable; meanwhile no other thread may write to
/// those of dy or x, or read or write those of dx.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gelu_backward_f64_strided(
    dy: *const f64,
    dy_stride: isize,
    x: *const f64,
    x_stride: isize,
    dx: *mut f64,
    dx_stride: isize,
    n: usize,
    approximation: gelu_approximation,
) -> gelu_status {
    let (dy, x) = (Buffer::strided(dy, dy_stride), Buffer::strided(x, x_stride));
    args::backward(dy, x, Buffer::strided(dx, dx_stride), n, approximation)
        // SAFETY: the caller vouches for the buffers.
        .map_or_else(|status| status, |args| unsafe { call::backward(&args) })
}

/// The text of a status, in English, also for a code that does not exist ("unknown status").
///
/// @param status any number.
/// @return a static string that ends with NUL. It is never NULL and must not be freed.
#[unsafe(no_mangle)]
pub extern "C" fn gelu_status_string(status: gelu_status) -> *const c_char {
    status::text(status).as_ptr()
}

/// The version of the library that runs, "MAJOR.MINOR.PATCH". The version of the header is in
/// GELU_VERSION_MAJOR, GELU_VERSION_MINOR and GELU_VERSION_PATCH.
///
/// @return a static string that ends with NUL. It is never NULL and must not be freed.
#[unsafe(no_mangle)]
pub extern "C" fn gelu_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => panic!("Cargo's version holds a NUL"),
        };
    VERSION.as_ptr()
}

/// The instruction set in use: "avx512", "avx2", "neon" or "portable". It is chosen at the first call
/// from what the processor and the operating system support, at most GELU_MAX_ISA, and stays.
///
/// @return a static string that ends with NUL. It is never NULL and must not be freed.
#[unsafe(no_mangle)]
pub extern "C" fn gelu_isa() -> *const c_char {
    dispatch::current().name.as_ptr()
}

/// Sets the most threads that a call may use, the calling one included. It changes no result.
///
/// @param n 0 goes back to the default: GELU_NUM_THREADS, else the number of cores this process might use (its
/// affinity and cgroup quota) when it was first needed. 1 means that no call uses any other thread. Over 1024
/// counts as 1024.
///
/// It affects calls that start later. Workers are made by the first call that is large enough to gain from
/// them; where the system refuses them, calls run with fewer or on the calling thread alone.
#[unsafe(no_mangle)]
pub extern "C" fn gelu_set_num_threads(n: usize) {
    threads::set(n);
}

/// The most threads that a call may use now, the calling one included.
///
/// @return the number of threads, at least 1.
#[unsafe(no_mangle)]
pub extern "C" fn gelu_get_num_threads() -> usize {
    threads::get()
}

/// Ends the worker threads and waits until they are gone; calls that are running in other threads are
/// finished first. The next large call makes new ones. It need not be called: idle workers take no
/// processor time and do not keep a process from ending (but one whose main thread left by pthread_exit ends
/// with its last thread, and workers count). Without workers it does nothing.
#[unsafe(no_mangle)]
pub extern "C" fn gelu_shutdown() {
    pool::shutdown();
}

/// Lets large calls run on the host's own threads (OpenMP, TBB, a dispatch queue) instead of the library's. It
/// changes no result.
///
/// @param run called by a call that is large enough to gain from several threads, on the thread of that call and in its
/// floating-point environment, as run(user, count, task, context). It must call task(context, i) once for every
/// i below count, in any order, on any threads, and return when all of these calls have returned. count is a few for
/// each of gelu_get_num_threads() threads, at most 1024. It must not throw, and not leave by longjmp.
/// NULL goes back to the library's own threads.
/// @param user handed to run as it is; it must stay good for as long as calls may use it.
///
/// It affects calls that start later. A call returns GELU_ERROR_INCOMPLETE, with its output written in part, where
/// run left a task out. A task that is called again, with another index, or after run has returned does nothing.
/// Over 64 calls at once, a further one runs on its own thread.
///
/// # Safety
/// run must be as described.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gelu_set_parallel_for(run: gelu_parallel_for, user: *mut c_void) {
    host::set(run, user);
}
