//! Arguments of every kind through the C functions: the status is that of the header, and on an error nothing is written.
//! Buffers are allocations of their exact size, so that Miri, for which this test is small enough, sees every access.

mod support;

use gelu::args::{GELU_APPROXIMATION_NONE, GELU_APPROXIMATION_TANH};
use gelu::capi::*;
use gelu::status::*;

const FORMS: [i32; 2] = [GELU_APPROXIMATION_NONE, GELU_APPROXIMATION_TANH];

type Forward<T> = unsafe extern "C" fn(*const T, isize, *mut T, isize, usize, i32) -> i32;
type Backward<T> = unsafe extern "C" fn(*const T, isize, *const T, isize, *mut T, isize, usize, i32) -> i32;

/// How far from the start of an exact buffer the first of n elements lies that are a stride apart.
fn first(n: usize, stride: isize) -> usize {
    if stride < 0 { length(n, stride) - 1 } else { 0 }
}

fn length(n: usize, stride: isize) -> usize {
    if n == 0 { 1 } else { (n - 1) * stride.unsigned_abs() + 1 }
}

fn every_stride<T: support::Real>(forward: Forward<T>, backward: Backward<T>) {
    let value = |i: usize| T::from_f64(0.37 * i as f64 - 3.0);
    let untouched = T::from_f64(77.0);
    for form in FORMS {
        for n in [0, 1, 2, 5] {
            for (x_stride, out_stride) in [(1, 1), (2, 1), (1, -3), (-1, 2), (0, 1), (-2, -2)] {
                let x: Vec<T> = (0..length(n, x_stride)).map(value).collect();
                let mut out = vec![untouched; length(n, out_stride)];
                let x_at = x.as_ptr().wrapping_add(first(n, x_stride));
                let out_at = out.as_mut_ptr().wrapping_add(first(n, out_stride));
                // SAFETY: the buffers hold n elements at these strides.
                let status = unsafe { forward(x_at, x_stride, out_at, out_stride, n, form) };
                assert_eq!(status, GELU_OK);
                let written = out.iter().filter(|value| value.bits() != untouched.bits()).count();
                assert_eq!(written, n, "n = {n}, strides {x_stride} and {out_stride}");
                // SAFETY: as above.
                let status = unsafe { backward(x_at, x_stride, x_at, x_stride, out_at, out_stride, n, form) };
                assert_eq!(status, GELU_OK);
            }
        }
    }
}

fn every_error<T: support::Real>(forward: Forward<T>, backward: Backward<T>) {
    let mut buffer: Vec<T> = (0..12).map(|i| T::from_f64(f64::from(i))).collect();
    let before = buffer.clone();
    let (null, at) = (core::ptr::null_mut::<T>(), buffer.as_mut_ptr());
    let huge = isize::MAX as usize / size_of::<T>() + 1;
    let check =
        |expected: i32, x: *mut T, x_stride: isize, out: *mut T, out_stride: isize, n: usize, form: i32| {
            // SAFETY: each of these is an error that comes before any access.
            let statuses = unsafe {
                [
                    forward(x, x_stride, out, out_stride, n, form),
                    backward(x, x_stride, x, x_stride, out, out_stride, n, form),
                ]
            };
            assert_eq!(statuses, [expected; 2], "strides {x_stride} and {out_stride}, n = {n}, form {form}");
            // SAFETY: the buffer that `at` points to the start of.
            let now = unsafe { core::slice::from_raw_parts(at, before.len()) };
            assert!(now.iter().zip(&before).all(|(now, before)| now.bits() == before.bits()));
        };
    for form in [-1, 2, i32::MIN, i32::MAX] {
        check(GELU_ERROR_APPROXIMATION, null, 1, null, 1, huge, form);
        check(GELU_ERROR_APPROXIMATION, at, 1, at, 1, 0, form);
    }
    check(GELU_OK, null, 1, null, 1, 0, 0);
    check(GELU_ERROR_SIZE, null, 1, null, 1, huge, 0);
    check(GELU_ERROR_SIZE, at, isize::MIN, at, 1, 2, 0);
    check(GELU_ERROR_SIZE, at, 1, at, isize::MAX, 3, 1);
    check(GELU_ERROR_NULL_POINTER, null, 1, at, 1, 4, 0);
    check(GELU_ERROR_NULL_POINTER, at, 1, null, -1, 4, 0);
    check(GELU_ERROR_OVERLAP, at, 1, at.wrapping_add(1), 1, 4, 0);
    check(GELU_ERROR_OVERLAP, at.wrapping_add(1), 1, at, 1, 4, 1);
    check(GELU_ERROR_OVERLAP, at, 2, at, 1, 4, 0);
    check(GELU_ERROR_OVERLAP, at, 1, at.wrapping_add(6), 0, 4, 0);
    check(GELU_ERROR_OVERLAP, at, 3, at.wrapping_add(9), -3, 4, 0);
    check(GELU_ERROR_OVERLAP, at, 1, at.cast::<u8>().wrapping_add(1).cast(), 1, 1, 0);
}

#[test]
fn every_stride_reads_and_writes_its_elements_and_nothing_else() {
    every_stride::<f32>(gelu_forward_f32_strided, gelu_backward_f32_strided);
    every_stride::<f64>(gelu_forward_f64_strided, gelu_backward_f64_strided);
}

#[test]
fn every_error_comes_in_order_and_writes_nothing() {
    every_error::<f32>(gelu_forward_f32_strided, gelu_backward_f32_strided);
    every_error::<f64>(gelu_forward_f64_strided, gelu_backward_f64_strided);
}
