//! The worker threads: made by the first call that gains from them, shared by all calls, joined by
//! gelu_shutdown.
//!
//! The calling thread always takes part (job.rs), so a pool has one worker less than a call uses threads. Where
//! there is no pool to be had, the calling thread does all the work. No call waits for a thread that does not
//! exist: a child after fork gets a state of its own (process.rs). And no call waits on a latch of rayon's:
//! on a worker of a host that uses rayon as well, that would run the host's next job on this stack.

use core::time::Duration;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Instant;

use rayon::{ThreadBuilder, ThreadPool, ThreadPoolBuilder};

use crate::job::Job;
use crate::{process, threads};

/// What a kernel and the pool's bookkeeping need is far less; in debug builds every temporary has a place there.
const STACK_BYTES: usize = if cfg!(debug_assertions) { 4 << 20 } else { 256 << 10 };

/// After the system refused threads, calls do with those they have for this long.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// The workers of one process.
#[derive(Default)]
pub(crate) struct State {
    slot: Mutex<Slot>,
    pool_ended: Condvar,
}

#[derive(Default)]
struct Slot {
    /// None before the first large call and after gelu_shutdown.
    pool: Option<Arc<Pool>>,
    /// The numbers of the pools whose workers are not joined yet: that in use, and those it replaced.
    alive: Vec<u64>,
    /// The number of the next pool.
    next: u64,
    /// When the system last gave fewer threads than wanted.
    refused: Option<Instant>,
}

struct Pool {
    /// Taken when the pool is dropped, which tells the workers to end.
    workers: Option<ThreadPool>,
    size: usize,
    handles: Mutex<Vec<JoinHandle<()>>>,
    /// Where the pool is listed as alive, and its number there.
    state: &'static State,
    number: u64,
}

impl Drop for Pool {
    fn drop(&mut self) {
        drop(self.workers.take());
        for handle in lock(&self.handles).drain(..) {
            // A worker does not panic; if one did, it is gone all the same.
            let _ = handle.join();
        }
        lock(&self.state.slot).alive.retain(|&number| number != self.number);
        self.state.pool_ended.notify_all();
    }
}

/// Calls `task(i)` once for every i below `count`, on at most `threads` threads, this one among them.
pub(crate) fn run(threads: usize, count: usize, task: &(dyn Fn(usize) + Sync)) {
    let pool = process::state().and_then(|state| state.pool_for(threads - 1));
    let Some(workers) = pool.as_deref().and_then(|pool| pool.workers.as_ref()) else {
        return (0..count).for_each(task);
    };
    Job::run(count, task, |job| {
        for _ in 1..threads.min(count) {
            let job = Arc::clone(job);
            workers.spawn(move || job.help());
        }
    });
}

/// Ends and joins the workers, after the calls that use them.
pub(crate) fn shutdown() {
    let Some(state) = process::state() else { return };
    let mut slot = lock(&state.slot);
    slot.refused = None;
    let before = slot.next;
    let pool = slot.pool.take();
    drop(slot);
    // The last owner joins the workers: this thread, or a running call. Dropped without the lock, which that
    // takes.
    drop(pool);
    let mut slot = lock(&state.slot);
    while slot.alive.iter().any(|&number| number < before) {
        slot = state.pool_ended.wait(slot).unwrap_or_else(PoisonError::into_inner);
    }
}

impl State {
    /// The pool, made or made larger where it has fewer than `wanted` workers; None where the system
    /// gives no thread at all.
    fn pool_for(&'static self, wanted: usize) -> Option<Arc<Pool>> {
        let mut slot = lock(&self.slot);
        let size = slot.pool.as_ref().map_or(0, |pool| pool.size);
        if size >= wanted || slot.refused.is_some_and(|at| at.elapsed() < RETRY_AFTER) {
            return slot.pool.clone();
        }
        // Room for larger calls, so that a pool does not grow step by step; not for the largest there may be,
        // as idle workers cost the busy ones time.
        let room = wanted.next_power_of_two().min(threads::get() - 1).max(wanted);
        let number = slot.next;
        slot.next += 1;
        slot.alive.push(number);
        let made = process::building(|| Pool::new(room, self, number));
        slot.refused = (made.size < wanted).then(Instant::now);
        let unused = if made.size > size { slot.pool.replace(Arc::new(made)) } else { Some(Arc::new(made)) };
        let pool = slot.pool.clone();
        // Joins workers, for which it takes the lock.
        drop(slot);
        drop(unused);
        pool
    }
}

impl Pool {
    /// A pool of `size` workers, or of fewer, even none, where the system refuses that many.
    fn new(mut size: usize, state: &'static State, number: u64) -> Self {
        let handles = Mutex::new(Vec::new());
        let mut workers = None;
        while size > 0 && workers.is_none() {
            let built = ThreadPoolBuilder::new()
                .num_threads(size)
                .spawn_handler(|worker| start(worker).map(|handle| lock(&handles).push(handle)))
                .build();
            match built {
                Ok(pool) => workers = Some(pool),
                Err(_) => {
                    // Those that did start have been told to end.
                    for handle in lock(&handles).drain(..) {
                        let _ = handle.join();
                    }
                    size /= 2;
                }
            }
        }
        if let Some(workers) = &workers {
            // Each worker runs once before a fork may happen: what the libraries make at first use is made,
            // and no child finds it half done.
            let started = Arc::new((Mutex::new(0), Condvar::new()));
            let count = Arc::clone(&started);
            workers.spawn_broadcast(move |_| {
                *lock(&count.0) += 1;
                count.1.notify_all();
            });
            let all = started.1.wait_while(lock(&started.0), |started| *started < size);
            drop(all);
        }
        Self { workers, size, handles, state, number }
    }
}

/// Starts a worker that takes no signal meant for the host.
fn start(worker: ThreadBuilder) -> std::io::Result<JoinHandle<()>> {
    let name = format!("gelu-{}", worker.index());
    let _blocked = process::BlockedSignals::new();
    Builder::new().name(name).stack_size(STACK_BYTES).spawn(|| worker.run())
}

/// The lock of a mutex that no panic can have left half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
