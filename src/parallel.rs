//! How a buffer is split: into pieces that several threads take in turn.

use crate::{host, pool, threads};

/// Pieces for each thread, so that a thread that is held up leaves its share to the others.
const PIECES_PER_THREAD: usize = 4;

/// Pieces start at multiples of this many elements: the threads do not share a cache line of an output
/// that is aligned to one.
const PIECE_UNIT: usize = 64;

/// Calls `work(start, length)` for pieces that cover 0 .. n once, on this thread and, where there are
/// `grain` elements for each of several threads, on others too: the host's, if it has given a loop of its own, or those of
/// the library's pool. Whether all pieces were done; only the host's loop leaves any out.
pub(crate) fn for_each_piece(n: usize, grain: usize, work: &(impl Fn(usize, usize) + Sync)) -> bool {
    // The number of threads is asked for only by a call that could use them: it may read files.
    let threads = if n / grain < 2 { 1 } else { threads::get().min(n / grain) };
    if threads < 2 {
        work(0, n);
        return true;
    }
    let host = host::current();
    let most = if host.is_some() { host::MOST_PIECES } else { usize::MAX };
    let pieces = (threads * PIECES_PER_THREAD).min(most);
    let size = n.div_ceil(pieces).next_multiple_of(PIECE_UNIT);
    let count = n.div_ceil(size);
    let piece = |i: usize| {
        let start = i * size;
        work(start, size.min(n - start));
    };
    match host {
        Some(host) => host.run(count, &piece),
        None => {
            pool::run(threads, count, &piece);
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use super::for_each_piece;
    use crate::threads;
    use core::sync::atomic::{AtomicU8, Ordering};

    // Miri knows no signal masks, which the workers' start changes.
    #[cfg(not(miri))]
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
