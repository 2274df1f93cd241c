//! How a buffer is split: into pieces that several threads take in turn.

use crate::{pool, threads};

/// Pieces for each thread, so that a thread that is held up leaves its share to the others.
const PIECES_PER_THREAD: usize = 4;

/// Pieces start at multiples of this many elements: the threads do not share a cache line of an output
/// that is aligned to one.
const PIECE_UNIT: usize = 64;

/// Calls `work(start, length)` for pieces that cover 0 .. n once, on this thread and, where there are
/// `grain` elements for each of several threads, on others too.
pub(crate) fn for_each_piece(n: usize, grain: usize, work: &(impl Fn(usize, usize) + Sync)) {
    // The number of threads is asked for only by a call that could use them: it may read files.
    if n / grain < 2 {
        return work(0, n);
    }
    let threads = threads::get().min(n / grain);
    if threads < 2 {
        return work(0, n);
    }
    let size = n.div_ceil(threads * PIECES_PER_THREAD).next_multiple_of(PIECE_UNIT);
    pool::run(threads, n.div_ceil(size), &|piece| {
        let start = piece * size;
        work(start, size.min(n - start));
    });
}

#[cfg(test)]
mod tests {
    use super::for_each_piece;
    use crate::threads;
    use core::sync::atomic::{AtomicU8, Ordering};

    #[test]
    fn the_pieces_cover_every_element_once() {
        for wish in [1, 2, 3, 7] {
            threads::set(wish);
            for n in [1, 2, 63, 64, 65, 1000, 4097, 10_000] {
                let seen: Vec<AtomicU8> = (0..n).map(|_| AtomicU8::new(0)).collect();
                for_each_piece(n, 100, &|start, length| {
                    for place in &seen[start..start + length] {
                        place.fetch_add(1, Ordering::Relaxed);
                    }
                });
                assert!(
                    seen.iter().all(|count| count.load(Ordering::Relaxed) == 1),
                    "n = {n}, {wish} threads"
                );
            }
        }
    }
}
