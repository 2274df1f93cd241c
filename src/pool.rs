//! The worker threads: made by the first call that gains from them, shared by all calls, joined by
//! gelu_shutdown.
//!
//! The calling thread always takes part, so a pool has one worker less than the calls use threads. Where
//! there is no pool to be had, the calling thread does all the work. No call waits for a thread that does
//! not exist: a child after fork gets a state of its own (process.rs).

use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};

use rayon::{ThreadBuilder, ThreadPool, ThreadPoolBuilder};

use crate::fp_env::DefaultEnvironment;
use crate::{process, threads};

/// What a kernel and the pool's bookkeeping need is far less.
const STACK_BYTES: usize = 256 * 1024;

/// The pool of one process; none before the first large call and after gelu_shutdown.
#[derive(Default)]
pub(crate) struct State {
    pool: Mutex<Option<Arc<Pool>>>,
}

struct Pool {
    /// Taken when the pool is dropped, which tells the workers to end.
    workers: Option<ThreadPool>,
    size: usize,
    handles: Mutex<Vec<JoinHandle<()>>>,
}

impl Drop for Pool {
    fn drop(&mut self) {
        drop(self.workers.take());
        for handle in lock(&self.handles).drain(..) {
            // A worker does not panic; if one did, it is gone all the same.
            let _ = handle.join();
        }
    }
}

/// Calls `task(i)` once for every i below `count`, on at most `threads` threads, this one among them.
pub(crate) fn run(threads: usize, count: usize, task: &(impl Fn(usize) + Sync)) {
    let next = AtomicUsize::new(0);
    let take_tasks = || {
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= count {
                break;
            }
            task(i);
        }
    };
    let pool = process::state().and_then(|state| state.pool_for(threads - 1));
    match pool.as_deref().and_then(|pool| pool.workers.as_ref()) {
        Some(workers) => workers.in_place_scope(|scope| {
            for _ in 1..threads.min(count) {
                scope.spawn(|_| {
                    let _environment = DefaultEnvironment::enter();
                    take_tasks();
                });
            }
            take_tasks();
        }),
        None => take_tasks(),
    }
}

/// Ends and joins the workers, after the calls that use them.
pub(crate) fn shutdown() {
    let Some(state) = process::state() else { return };
    let Some(mut pool) = lock(&state.pool).take() else { return };
    // Running calls hold the pool as well. The last owner drops it, and that is to be this thread.
    loop {
        match Arc::try_unwrap(pool) {
            Ok(unused) => return drop(unused),
            Err(used) => pool = used,
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}

impl State {
    /// The pool, made or made larger where it has fewer than `wanted` workers; None where the system
    /// gives no thread at all.
    fn pool_for(&self, wanted: usize) -> Option<Arc<Pool>> {
        let mut slot = lock(&self.pool);
        if slot.as_ref().is_none_or(|pool| pool.size < wanted) {
            // Room for larger calls, so that a pool does not grow step by step; not for the largest there
            // may be, as idle workers cost the busy ones time.
            let size = wanted.next_power_of_two().min(threads::get() - 1).max(wanted);
            if let Some(larger) = process::building(|| Pool::new(size)) {
                *slot = Some(Arc::new(larger));
            }
        }
        slot.clone()
    }
}

impl Pool {
    /// A pool of `size` workers, or of fewer where the system refuses that many.
    fn new(mut size: usize) -> Option<Self> {
        while size > 0 {
            let handles = Mutex::new(Vec::new());
            let built = ThreadPoolBuilder::new()
                .num_threads(size)
                .spawn_handler(|worker| start(worker).map(|handle| lock(&handles).push(handle)))
                .build();
            let workers = built.ok();
            if let Some(workers) = &workers {
                // Each worker has run once: what the libraries make at first use is made, so that a fork
                // after this point finds none of it half done.
                workers.broadcast(|_| ());
            }
            let complete = workers.is_some();
            let pool = Self { workers, size, handles };
            if complete {
                return Some(pool);
            }
            // Dropping it joins the workers that did start.
            drop(pool);
            size /= 2;
        }
        None
    }
}

/// Starts a worker that takes no signal of the host's.
fn start(worker: ThreadBuilder) -> std::io::Result<JoinHandle<()>> {
    let name = format!("gelu-{}", worker.index());
    let _blocked = process::BlockedSignals::new();
    Builder::new().name(name).stack_size(STACK_BYTES).spawn(|| worker.run())
}

/// The lock of a mutex that no panic can have left half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
