//! One call's pieces, taken in turn by the calling thread and by helpers.
//!
//! The caller waits for helpers that are at work, never for one that has not begun: that may stand behind
//! another call's whole work. A helper that comes late finds the job closed and touches nothing of the caller's.

use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// In `helpers`: no further helper may begin. The other bits count those at work.
const CLOSED: usize = 1 << (usize::BITS - 1);

/// Looks at the helpers before the caller sleeps: a piece takes about as long as waking up does.
const SPINS: u32 = 2000;

pub(crate) struct Job {
    task: Task,
    count: usize,
    /// The next piece to take.
    next: AtomicUsize,
    helpers: AtomicUsize,
    sleeping: Mutex<()>,
    last_left: Condvar,
}

/// The caller's closure, which lives until `Job::run` returns.
struct Task(*const (dyn Fn(usize) + Sync));

// SAFETY: the closure may be called from any thread (Sync), and `Job` calls it only while the caller waits.
unsafe impl Send for Task {}
// SAFETY: as above.
unsafe impl Sync for Task {}

/// Closes the job when the caller leaves it.
struct Closing<'a>(&'a Job);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Job {
    /// Calls `task(i)` once for every i below `count`, on this thread and on those that `call_helpers` makes
    /// call `help`.
    pub(crate) fn run(count: usize, task: &(dyn Fn(usize) + Sync), call_helpers: impl FnOnce(&Arc<Self>)) {
        let task: *const (dyn Fn(usize) + Sync + '_) = task;
        // SAFETY: only the lifetime changes; see Task.
        let task = Task(unsafe {
            core::mem::transmute::<*const (dyn Fn(usize) + Sync + '_), *const (dyn Fn(usize) + Sync + 'static)>(
                task,
            )
        });
        let job = Arc::new(Self {
            task,
            count,
            next: AtomicUsize::new(0),
            helpers: AtomicUsize::new(0),
            sleeping: Mutex::new(()),
            last_left: Condvar::new(),
        });
        let closing = Closing(&job);
        call_helpers(&job);
        job.take_pieces();
        drop(closing);
    }

    /// Takes pieces as long as there are any, unless the caller has left.
    pub(crate) fn help(&self) {
        let begin = |helpers| (helpers & CLOSED == 0).then_some(helpers + 1);
        if self.helpers.fetch_update(Ordering::Acquire, Ordering::Relaxed, begin).is_err() {
            return;
        }
        self.take_pieces();
        if self.helpers.fetch_sub(1, Ordering::Release) == CLOSED + 1 {
            // The caller holds the lock from its last look at the count until it sleeps.
            drop(self.sleeping.lock().unwrap_or_else(PoisonError::into_inner));
            self.last_left.notify_all();
        }
    }

    fn take_pieces(&self) {
        // SAFETY: the caller is in `run`: this is the caller, or a helper that began before it closed the job.
        let task = unsafe { &*self.task.0 };
        loop {
            let i = self.next.fetch_add(1, Ordering::Relaxed);
            if i >= self.count {
                break;
            }
            task(i);
        }
    }

    /// Lets no further helper begin and waits for those at work.
    fn close(&self) {
        self.helpers.fetch_or(CLOSED, Ordering::Relaxed);
        let is_busy = || self.helpers.load(Ordering::Acquire) != CLOSED;
        for _ in 0..SPINS {
            if !is_busy() {
                return;
            }
            core::hint::spin_loop();
        }
        let mut sleeping = self.sleeping.lock().unwrap_or_else(PoisonError::into_inner);
        while is_busy() {
            sleeping = self.last_left.wait(sleeping).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
