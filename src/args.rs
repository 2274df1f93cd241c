//! Raw arguments become checked ones: the one place where a caller's pointer starts to be trusted.
//!
//! The order of checks is part of the contract: approximation, then n == 0 (which is success whatever the
//! pointers are), then size, NULL, overlap.

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

/// The arguments of a forward call with n > 0, checked.
pub(crate) struct Forward<T> {
    pub(crate) x: *const T,
    pub(crate) y: *mut T,
    pub(crate) n: usize,
    pub(crate) approximation: usize,
}

/// The arguments of a backward call with n > 0, checked.
pub(crate) struct Backward<T> {
    pub(crate) dy: *const T,
    pub(crate) x: *const T,
    pub(crate) dx: *mut T,
    pub(crate) n: usize,
    pub(crate) approximation: usize,
}

/// Checks the arguments of a forward call. `Err` holds the status to return, which is GELU_OK for n == 0.
pub(crate) fn forward<T>(
    x: *const T,
    y: *mut T,
    n: usize,
    approximation: gelu_approximation,
) -> Result<Forward<T>, gelu_status> {
    let approximation = check([x], y, n, approximation)?;
    Ok(Forward { x, y, n, approximation })
}

/// Checks the arguments of a backward call. `Err` holds the status to return, which is GELU_OK for n == 0.
pub(crate) fn backward<T>(
    dy: *const T,
    x: *const T,
    dx: *mut T,
    n: usize,
    approximation: gelu_approximation,
) -> Result<Backward<T>, gelu_status> {
    let approximation = check([dy, x], dx, n, approximation)?;
    Ok(Backward { dy, x, dx, n, approximation })
}

/// The checks in their order; the approximation comes back as an index.
fn check<T, const INPUTS: usize>(
    inputs: [*const T; INPUTS],
    output: *mut T,
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
    let bytes = match n.checked_mul(size_of::<T>()) {
        Some(bytes) if bytes <= isize::MAX as usize => bytes,
        _ => return Err(GELU_ERROR_SIZE),
    };
    let output = output as usize;
    let inputs = inputs.map(|input| input as usize);
    let ends_inside = |start: usize| start.checked_add(bytes).is_some();
    if !ends_inside(output) || !inputs.into_iter().all(ends_inside) {
        return Err(GELU_ERROR_SIZE);
    }
    if output == 0 || inputs.contains(&0) {
        return Err(GELU_ERROR_NULL_POINTER);
    }
    // Buffers of one length overlap when their starts are closer than that length.
    if inputs.iter().any(|&input| input != output && input.abs_diff(output) < bytes) {
        return Err(GELU_ERROR_OVERLAP);
    }
    Ok(approximation)
}
