//! A checked call: the buffer split, each piece given to the kernel in the default floating-point environment.

use crate::args::{Backward, Forward};
use crate::fp_env::DefaultEnvironment;
use crate::kernel::Element;
use crate::status::{GELU_ERROR_INCOMPLETE, GELU_OK, gelu_status};
use crate::{dispatch, parallel, stream, strided};

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
    let is_contiguous = args.x.is_contiguous() && args.y.is_contiguous();
    let streamed = is_contiguous
        && stream::is_worth_it(size_of::<T>() * args.n, args.x.start == args.y.start.cast_const());
    let is_complete = parallel::for_each_piece(args.n, kernels.grain, &|start, n| {
        let _environment = DefaultEnvironment::enter();
        let (x, y) = (x.get().from(start), y.get().from(start));
        // SAFETY of all: the piece lies inside the buffers, which are equal or do not overlap; dispatch chose a
        // kernel that this machine runs.
        if !is_contiguous {
            // SAFETY: as above.
            unsafe { strided::forward(kernel, x, y, n) }
        } else if streamed {
            let (x, y) = (x.start, y.start);
            // SAFETY: the output has n elements here, and the kernel writes its block.
            unsafe { stream::through_blocks(y, n, |at, block, n| kernel(x.add(at), block, n)) }
        } else {
            // SAFETY: as above.
            unsafe { kernel(x.start, y.start, n) }
        }
    });
    status(is_complete)
}

/// Runs a backward call.
///
/// # Safety
/// The buffers are as the checked arguments say: readable and writable for n elements.
pub(crate) unsafe fn backward<T: Element>(args: &Backward<T>) -> gelu_status {
    let kernels = T::kernels(dispatch::current());
    let kernel = kernels.backward[args.approximation];
    let (dy, x, dx) = (Shared(args.dy), Shared(args.x), Shared(args.dx));
    let is_contiguous = args.dy.is_contiguous() && args.x.is_contiguous() && args.dx.is_contiguous();
    let in_place = [args.dy.start, args.x.start].contains(&args.dx.start.cast_const());
    let streamed = is_contiguous && stream::is_worth_it(size_of::<T>() * args.n, in_place);
    let is_complete = parallel::for_each_piece(args.n, kernels.grain, &|start, n| {
        let _environment = DefaultEnvironment::enter();
        let (dy, x, dx) = (dy.get().from(start), x.get().from(start), dx.get().from(start));
        if !is_contiguous {
            // SAFETY: as in forward.
            unsafe { strided::backward(kernel, dy, x, dx, n) }
        } else if streamed {
            let (dy, x, dx) = (dy.start, x.start, dx.start);
            // SAFETY: as in forward.
            unsafe { stream::through_blocks(dx, n, |at, block, n| kernel(dy.add(at), x.add(at), block, n)) }
        } else {
            // SAFETY: as in forward.
            unsafe { kernel(dy.start, x.start, dx.start, n) }
        }
    });
    status(is_complete)
}

fn status(is_complete: bool) -> gelu_status {
    if is_complete { GELU_OK } else { GELU_ERROR_INCOMPLETE }
}
