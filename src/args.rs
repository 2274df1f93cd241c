//! Raw arguments become checked ones: the one place where a caller's pointer starts to be trusted.
//!
//! The order of checks is part of the contract: approximation, then n == 0 (which is success whatever the
//! pointers are), then size, NULL, overlap.

use crate::elements::Elements;
use crate::status::{
    GELU_ERROR_APPROXIMATION, GELU_ERROR_NULL_POINTER, GELU_ERROR_OVERLAP, GELU_ERROR_SIZE, GELU_OK,
    gelu_status,
};

/// Which of the two formulas: GELU_APPROXIMATION_NONE or GELU_APPROXIMATION_TANH.
#[allow(non_camel_case_types)]
pub type gelu_approximation = i32;

/// The exact form, x Phi(x).
pub const GELU_APPROXIMATION_NONE: gelu_approximation = 0;
/// The tanh form, x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))).
pub const GELU_APPROXIMATION_TANH: gelu_approximation = 1;

/// A buffer as a caller gives it: element i stands i * stride elements after the first.
#[derive(Clone, Copy)]
pub(crate) struct Buffer<P> {
    pub(crate) start: P,
    pub(crate) stride: isize,
}

impl<P> Buffer<P> {
    pub(crate) fn strided(start: P, stride: isize) -> Self {
        Self { start, stride }
    }

    pub(crate) fn contiguous(start: P) -> Self {
        Self { start, stride: 1 }
    }

    pub(crate) fn is_contiguous(&self) -> bool {
        self.stride == 1
    }
}

impl<T> Buffer<*const T> {
    /// The buffer from element i on.
    pub(crate) fn from(self, i: usize) -> Self {
        Self { start: self.start.wrapping_offset(i as isize * self.stride), ..self }
    }
}

impl<T> Buffer<*mut T> {
    /// The buffer from element i on.
    pub(crate) fn from(self, i: usize) -> Self {
        Self { start: self.start.wrapping_offset(i as isize * self.stride), ..self }
    }
}

/// The arguments of a forward call with n > 0, checked.
pub(crate) struct Forward<T> {
    pub(crate) x: Buffer<*const T>,
    pub(crate) y: Buffer<*mut T>,
    pub(crate) n: usize,
    pub(crate) approximation: usize,
}

/// The arguments of a backward call with n > 0, checked.
pub(crate) struct Backward<T> {
    pub(crate) dy: Buffer<*const T>,
    pub(crate) x: Buffer<*const T>,
    pub(crate) dx: Buffer<*mut T>,
    pub(crate) n: usize,
    pub(crate) approximation: usize,
}

/// Checks the arguments of a forward call. `Err` holds the status to return, which is GELU_OK for n == 0.
#[inline]
pub(crate) fn forward<T>(
    x: Buffer<*const T>,
    y: Buffer<*mut T>,
    n: usize,
    approximation: gelu_approximation,
) -> Result<Forward<T>, gelu_status> {
    let approximation = check([x], y, n, approximation)?;
    Ok(Forward { x, y, n, approximation })
}

/// Checks the arguments of a backward call. `Err` holds the status to return, which is GELU_OK for n == 0.
#[inline]
pub(crate) fn backward<T>(
    dy: Buffer<*const T>,
    x: Buffer<*const T>,
    dx: Buffer<*mut T>,
    n: usize,
    approximation: gelu_approximation,
) -> Result<Backward<T>, gelu_status> {
    let approximation = check([dy, x], dx, n, approximation)?;
    Ok(Backward { dy, x, dx, n, approximation })
}

/// The checks in their order; the approximation comes back as an index.
#[inline]
fn check<T, const INPUTS: usize>(
    inputs: [Buffer<*const T>; INPUTS],
    output: Buffer<*mut T>,
    n: usize,
    approximation: gelu_approximation,
) -> Result<usize, gelu_status> {
    let approximation = match approximation {
        GELU_APPROXIMATION_NONE => 0,
        GELU_APPROXIMATION_TANH => 1,
        _ => return Err(GELU_ERROR_APPROXIMATION),
    };
    if n == 0 {
        return Err(GELU_OK);
    }
    let place = |start: usize, stride| Elements::new(start, stride, size_of::<T>(), n).ok_or(GELU_ERROR_SIZE);
    let output = place(output.start as usize, output.stride)?;
    let mut is_null = output.start == 0;
    let mut overlap = output.overlap_themselves();
    for input in inputs {
        let input = place(input.start as usize, input.stride)?;
        is_null |= input.start == 0;
        overlap |= !input.is_in_place(&output) && input.overlap(&output);
    }
    match (is_null, overlap) {
        (true, _) => Err(GELU_ERROR_NULL_POINTER),
        (false, true) => Err(GELU_ERROR_OVERLAP),
        (false, false) => Ok(approximation),
    }
}
