//! Outputs larger than the cache: results go past it.
//!
//! An ordinary store first reads the line it writes to. Where the output is larger than the cache, that line comes
//! from memory and goes back there: a third of the traffic of a call from memory to memory is for nothing. So the
//! kernel writes a block to the stack, and the block goes out by non-temporal stores, which read nothing.

use core::mem::MaybeUninit;

/// Outputs of at least this many bytes are streamed; see docs/PERFORMANCE.md.
pub(crate) const THRESHOLD: usize = 32 << 20;

/// Bytes of a block: so few that its stores drain while the next one is computed.
const BLOCK: usize = 2048;

/// A cache line.
const LINE: usize = 64;

#[repr(C, align(64))]
struct Block([MaybeUninit<u8>; BLOCK]);

/// Whether an output is to be streamed; one that is an input is not, as its lines have been read anyway.
pub(crate) fn is_worth_it(bytes: usize, is_in_place: bool) -> bool {
    cfg!(all(target_arch = "x86_64", not(miri))) && bytes >= THRESHOLD && !is_in_place
}

/// Runs `kernel(start, block, n)` for blocks that cover 0 .. n, and streams each to `out`.
///
/// # Safety
/// `out` is valid for writes of `n` elements; `kernel` writes the n elements of its block.
pub(crate) unsafe fn through_blocks<T>(out: *mut T, n: usize, kernel: impl Fn(usize, *mut T, usize)) {
    let mut block = Block([MaybeUninit::uninit(); BLOCK]);
    let most = BLOCK / size_of::<T>();
    let place: *mut T = block.0.as_mut_ptr().cast();
    // A first block that ends where a line of the output does, if elements can end there at all.
    let to_line = out.cast::<u8>().align_offset(LINE);
    let first = if to_line.is_multiple_of(size_of::<T>()) { (to_line / size_of::<T>()).min(n) } else { n };
    let mut start = 0;
    while start < n {
        let length = if start < first { first - start } else { n - start }.min(most);
        kernel(start, place, length);
        // SAFETY: the block holds `length` elements, and so does the output from `start` on.
        unsafe {
            if start < first {
                out.add(start).cast::<u8>().copy_from_nonoverlapping(place.cast(), length * size_of::<T>());
            } else {
                stream(out.add(start).cast(), place.cast(), length * size_of::<T>());
            }
        }
        start += length;
    }
    fence();
}

/// Copies bytes by non-temporal stores, `to` and `from` at the start of a line.
///
/// # Safety
/// `from` is valid for reads and `to` for writes of `bytes` bytes, and both are aligned to a line.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline]
unsafe fn stream(to: *mut u8, from: *const u8, bytes: usize) {
    use core::arch::x86_64::{__m128i, _mm_load_si128, _mm_stream_si128};
    let whole = bytes - bytes % LINE;
    // SAFETY: whole lines below `bytes`, then the bytes after them; x86-64 always has SSE2.
    unsafe {
        let mut at = 0;
        while at < whole {
            let (to, from) = (to.add(at).cast::<__m128i>(), from.add(at).cast::<__m128i>());
            // All four parts of a line, so that it leaves in one piece.
            for part in 0..4 {
                _mm_stream_si128(to.add(part), _mm_load_si128(from.add(part)));
            }
            at += LINE;
        }
        to.add(whole).copy_from_nonoverlapping(from.add(whole), bytes - whole);
    }
}

/// Makes streamed bytes visible before what this thread writes next.
#[cfg(all(target_arch = "x86_64", not(miri)))]
fn fence() {
    // SAFETY: x86-64 always has SSE.
    unsafe { core::arch::x86_64::_mm_sfence() };
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
unsafe fn stream(to: *mut u8, from: *const u8, bytes: usize) {
    // SAFETY: the contract is the same.
    unsafe { to.copy_from_nonoverlapping(from, bytes) }
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn fence() {}

#[cfg(test)]
mod tests {
    use super::through_blocks;

    #[test]
    fn every_element_comes_through_at_every_alignment() {
        for n in [1usize, 7, 16, 2047, 2048, 2049, 10_000] {
            for offset in (0..70).step_by(if cfg!(miri) { 69 } else { 1 }) {
                let mut out = vec![0xeeu8; 4 * n + 140];
                // SAFETY: n elements from the offset on lie inside the buffer.
                unsafe {
                    let start = out.as_mut_ptr().add(offset).cast::<u32>();
                    through_blocks(start, n, |start, block: *mut u32, length| {
                        for i in 0..length {
                            block.add(i).write((start + i) as u32);
                        }
                    });
                    for i in 0..n {
                        assert_eq!(start.add(i).read_unaligned(), i as u32, "n = {n}, offset {offset}");
                    }
                }
                assert!(out[..offset].iter().all(|&byte| byte == 0xee));
                assert!(out[offset + 4 * n..].iter().all(|&byte| byte == 0xee));
            }
        }
    }
}
