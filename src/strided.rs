//! Buffers whose elements do not stand side by side: blocks of them are gathered, computed by the kernel for contiguous
//! ones, so that the bits are the same, and scattered. What lies between the elements is neither read nor written.

use core::mem::MaybeUninit;

use crate::args::Buffer;
use crate::kernel;

/// Elements of a block: its buffers stay in the first-level cache, and starting the kernel costs little beside it.
const BLOCK: usize = 512;

type Block<T> = [MaybeUninit<T>; BLOCK];

/// Runs a forward kernel.
///
/// # Safety
/// As for the kernel, with the buffers' strides.
pub(crate) unsafe fn forward<T: Copy>(
    kernel: kernel::Forward<T>,
    x: Buffer<*const T>,
    y: Buffer<*mut T>,
    n: usize,
) {
    let mut block: Block<T> = [MaybeUninit::uninit(); BLOCK];
    let block: *mut T = block.as_mut_ptr().cast();
    for start in (0..n).step_by(BLOCK) {
        let length = BLOCK.min(n - start);
        let (x, y) = (x.from(start), y.from(start));
        // SAFETY: the caller's contract, for these elements; a block has room for them.
        unsafe {
            kernel(gather(x, block, length), place(y, block), length);
            scatter(block, y, length);
        }
    }
}

/// Runs a backward kernel.
///
/// # Safety
/// As for the kernel, with the buffers' strides.
pub(crate) unsafe fn backward<T: Copy>(
    kernel: kernel::Backward<T>,
    dy: Buffer<*const T>,
    x: Buffer<*const T>,
    dx: Buffer<*mut T>,
    n: usize,
) {
    let mut blocks: [Block<T>; 2] = [[MaybeUninit::uninit(); BLOCK]; 2];
    let [dy_block, x_block] = blocks.each_mut().map(|block| block.as_mut_ptr().cast());
    for start in (0..n).step_by(BLOCK) {
        let length = BLOCK.min(n - start);
        let (dy, x, dx) = (dy.from(start), x.from(start), dx.from(start));
        // SAFETY: the caller's contract, for these elements; a block has room for them.
        unsafe {
            let (dy, x) = (gather(dy, dy_block, length), gather(x, x_block, length));
            kernel(dy, x, place(dx, x_block), length);
            scatter(x_block, dx, length);
        }
    }
}

/// The n elements side by side: where they are, or copied to the block. (Not inlined, so that its loop has all registers: 9 % of a
/// backward call at stride 2.)
///
/// # Safety
/// The buffer is readable and the block writable for n elements.
#[inline(never)]
unsafe fn gather<T: Copy>(from: Buffer<*const T>, block: *mut T, n: usize) -> *const T {
    if from.is_contiguous() {
        return from.start;
    }
    // SAFETY: the caller's contract.
    unsafe { copy(from.start, from.stride, block, 1, n) };
    block
}

/// Where a kernel writes what is to come to the buffer.
fn place<T>(to: Buffer<*mut T>, block: *mut T) -> *mut T {
    if to.is_contiguous() { to.start } else { block }
}

/// Brings what a kernel wrote to the block to its places.
///
/// # Safety
/// The block is readable and the buffer writable for n elements.
#[inline(never)]
unsafe fn scatter<T: Copy>(block: *const T, to: Buffer<*mut T>, n: usize) {
    if !to.is_contiguous() {
        // SAFETY: the caller's contract.
        unsafe { copy(block, 1, to.start, to.stride, n) };
    }
}

/// Copies n elements, by their patterns.
///
/// # Safety
/// They are readable and writable, at any alignment; the two buffers do not overlap.
#[inline(always)]
unsafe fn copy<T: Copy>(from: *const T, from_stride: isize, to: *mut T, to_stride: isize, n: usize) {
    // SAFETY: the caller's contract; the elements are as long.
    unsafe {
        match (size_of::<T>(), to_stride) {
            (4, 1) => gather_pairs(from.cast(), from_stride, to.cast(), n),
            (4, _) => copy_one_by_one::<u32>(from.cast(), from_stride, to.cast(), to_stride, n),
            _ => copy_one_by_one::<u64>(from.cast(), from_stride, to.cast(), to_stride, n),
        }
    }
}

/// Stores two elements at once: 4 % of a call at stride 2.
#[inline(always)]
unsafe fn gather_pairs(from: *const u32, stride: isize, to: *mut u32, n: usize) {
    let element = |i: usize| from.wrapping_offset(i as isize * stride);
    let whole = n - n % 2;
    for i in (0..whole).step_by(2) {
        // SAFETY: the caller's contract, for i and i + 1 < n.
        unsafe {
            let pair = [element(i).read_unaligned(), element(i + 1).read_unaligned()].map(u64::from);
            let pattern = if cfg!(target_endian = "little") {
                pair[0] | pair[1] << 32
            } else {
                pair[0] << 32 | pair[1]
            };
            to.add(i).cast::<u64>().write_unaligned(pattern);
        }
    }
    if whole < n {
        // SAFETY: the caller's contract, for the last element.
        unsafe { to.add(whole).write_unaligned(element(whole).read_unaligned()) };
    }
}

#[inline(always)]
unsafe fn copy_one_by_one<T: Copy>(
    from: *const T,
    from_stride: isize,
    to: *mut T,
    to_stride: isize,
    n: usize,
) {
    for i in 0..n as isize {
        // SAFETY: the caller's contract.
        unsafe {
            let element = from.wrapping_offset(i * from_stride).read_unaligned();
            to.wrapping_offset(i * to_stride).write_unaligned(element);
        }
    }
}
