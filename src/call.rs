//! A checked call: the caller's environment set aside, the buffer split, each piece given to the kernel.

use crate::args::{Backward, Forward};
use crate::fp_env::DefaultEnvironment;
use crate::kernel::Element;
use crate::status::{GELU_OK, gelu_status};
use crate::{dispatch, parallel};

/// A pointer that pieces on other threads may use: the pieces are disjoint.
#[derive(Clone, Copy)]
struct Shared<P>(P);

// SAFETY: the caller's buffers may be used from any thread, and pieces of an output do not overlap.
unsafe impl<P> Send for Shared<P> {}
// SAFETY: as above.
unsafe impl<P> Sync for Shared<P> {}

impl<P: Copy> Shared<P> {
    /// A method, so that a closure captures the wrapper and not the pointer in it.
    fn get(&self) -> P {
        self.0
    }
}

/// Runs a forward call.
///
/// # Safety
/// The buffers are as the checked arguments say: readable and writable for n elements.
pub(crate) unsafe fn forward<T: Element>(args: &Forward<T>) -> gelu_status {
    let kernels = T::kernels(dispatch::current());
    let kernel = kernels.forward[args.approximation];
    let (x, y) = (Shared(args.x), Shared(args.y));
    let _environment = DefaultEnvironment::enter();
    parallel::for_each_piece(args.n, kernels.grain, &|start, n| {
        // SAFETY: the piece lies inside the buffers, which are equal or do not overlap; dispatch chose a
        // kernel that this machine runs.
        unsafe { kernel(x.get().add(start), y.get().add(start), n) }
    });
    GELU_OK
}

/// Runs a backward call.
///
/// # Safety
/// The buffers are as the checked arguments say: readable and writable for n elements.
pub(crate) unsafe fn backward<T: Element>(args: &Backward<T>) -> gelu_status {
    let kernels = T::kernels(dispatch::current());
    let kernel = kernels.backward[args.approximation];
    let (dy, x, dx) = (Shared(args.dy), Shared(args.x), Shared(args.dx));
    let _environment = DefaultEnvironment::enter();
    parallel::for_each_piece(args.n, kernels.grain, &|start, n| {
        // SAFETY: as in forward.
        unsafe { kernel(dy.get().add(start), x.get().add(start), dx.get().add(start), n) }
    });
    GELU_OK
}
