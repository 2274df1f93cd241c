//! The status every function with buffers returns, and its text.

use core::ffi::CStr;

/// Result of a call: GELU_OK or one of the GELU_ERROR_ values.
#[allow(non_camel_case_types)]
pub type gelu_status = i32;

/// The output was written.
pub const GELU_OK: gelu_status = 0;
/// A buffer pointer is NULL and the length is not 0.
pub const GELU_ERROR_NULL_POINTER: gelu_status = 1;
/// The approximation is neither GELU_APPROXIMATION_NONE nor GELU_APPROXIMATION_TANH.
pub const GELU_ERROR_APPROXIMATION: gelu_status = 2;
/// The output overlaps an input without being exactly that input, or has stride 0.
pub const GELU_ERROR_OVERLAP: gelu_status = 3;
/// A buffer is longer than PTRDIFF_MAX bytes, from its first element to its last, or would pass an end of the address
/// space. Where a language's buffers know their lengths (gelu.hpp), also: they differ.
pub const GELU_ERROR_SIZE: gelu_status = 4;
/// The function of gelu_set_parallel_for() left pieces of the call undone: the output is written in part.
pub const GELU_ERROR_INCOMPLETE: gelu_status = 5;

/// The text of a status, also of one that does not exist.
pub(crate) fn text(status: gelu_status) -> &'static CStr {
    match status {
        GELU_OK => c"success",
        GELU_ERROR_NULL_POINTER => c"a buffer pointer is NULL and the length is not 0",
        GELU_ERROR_APPROXIMATION => c"the approximation is neither none (0) nor tanh (1)",
        GELU_ERROR_OVERLAP => {
            c"the output overlaps an input without being exactly that input, or has stride 0"
        }
        GELU_ERROR_SIZE => c"a buffer is larger than the address space allows, or buffers differ in length",
        GELU_ERROR_INCOMPLETE => c"the host's parallel loop left pieces of the call undone",
        _ => c"unknown status",
    }
}
