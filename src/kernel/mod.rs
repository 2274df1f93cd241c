//! What a backend is: the four functions for both types, each over a whole contiguous buffer.

use core::ffi::CStr;

pub(crate) mod double;
pub(crate) mod float;
pub(crate) mod portable;
pub(crate) mod vector;

/// y[i] = g(x[i]) for i < n.
///
/// `x` is valid for reads and `y` for writes of `n` elements, at any alignment; they are equal or do not
/// overlap. The machine has the backend's instruction set, and the floating-point environment is the
/// default one.
pub type Forward<T> = unsafe fn(x: *const T, y: *mut T, n: usize);

/// dx[i] = dy[i] g'(x[i]) for i < n. The same holds as for [`Forward`]; `dx` may equal either input.
pub type Backward<T> = unsafe fn(dy: *const T, x: *const T, dx: *mut T, n: usize);

/// The kernels of one element type.
pub struct Kernels<T: 'static> {
    /// By the number of the approximation.
    pub forward: [Forward<T>; 2],
    /// By the number of the approximation.
    pub backward: [Backward<T>; 2],
    /// The fewest elements that are worth another thread: about 20 microseconds of work.
    pub grain: usize,
}

/// An instruction set's kernels.
pub struct Backend {
    /// What `gelu_isa` returns and `GELU_MAX_ISA` takes.
    pub name: &'static CStr,
    /// For float.
    pub f32: Kernels<f32>,
    /// For double.
    pub f64: Kernels<f64>,
}

/// An element type, and where a backend keeps its kernels.
pub trait Element: Copy + Send + Sync + 'static {
    /// The kernels of this type.
    fn kernels(backend: &'static Backend) -> &'static Kernels<Self>;
}

impl Element for f32 {
    fn kernels(backend: &'static Backend) -> &'static Kernels<f32> {
        &backend.f32
    }
}

impl Element for f64 {
    fn kernels(backend: &'static Backend) -> &'static Kernels<f64> {
        &backend.f64
    }
}

/// From this |x| on, the product of the largest finite dy and g'(−|x|) underflows to 0: g' is 1 or −0.
pub(crate) mod cut {
    /// Exact form: 19.7361 rounded up.
    pub(crate) const NONE_F32: f32 = 19.75;
    /// Tanh form: 13.5469 rounded up.
    pub(crate) const TANH_F32: f32 = 13.5625;
    /// Exact form: 53.9998 rounded up.
    pub(crate) const NONE_F64: f64 = 54.0;
    /// Tanh form: 27.0994 rounded up.
    pub(crate) const TANH_F64: f64 = 27.125;
}
