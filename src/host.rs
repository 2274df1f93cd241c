//! The host's own pool: pieces of a call handed to the function of gelu_set_parallel_for.
//!
//! What the host gets as the context of a task is not a pointer but the number of a slot and of the call that has it.
//! So a task that is called twice, with a wrong index, or after its call has returned finds that there is nothing to
//! do, and touches nothing.

use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};

/// Runs one piece of a call: what a gelu_parallel_for calls for every index.
///
/// @param context what the loop was given.
/// @param index which piece: a number below the loop's count.
#[allow(non_camel_case_types)]
pub type gelu_task = unsafe extern "C" fn(context: *mut c_void, index: usize);

/// A host's loop: it calls task(context, i) once for every i below count, in any order, on any threads, and returns when
/// all of these calls have returned.
///
/// @param user what gelu_set_parallel_for() was given.
/// @param count the number of calls to make.
/// @param task what to call.
/// @param context the first argument of each call.
#[allow(non_camel_case_types)]
pub type gelu_parallel_for =
    Option<unsafe extern "C" fn(user: *mut c_void, count: usize, task: gelu_task, context: *mut c_void)>;

type Run = unsafe extern "C" fn(*mut c_void, usize, gelu_task, *mut c_void);

/// A function of the host's. Never freed, as a call may be about to use it; a pair that comes again is used again.
pub(crate) struct Host {
    run: Run,
    user: *mut c_void,
    /// The one that was new before it.
    before: *const Host,
}

/// All there were, the newest first.
static ALL: AtomicPtr<Host> = AtomicPtr::new(ptr::null_mut());
/// That in use, or null.
static CURRENT: AtomicPtr<Host> = AtomicPtr::new(ptr::null_mut());

pub(crate) fn set(run: gelu_parallel_for, user: *mut c_void) {
    let host = run.map_or(ptr::null_mut(), |run| find_or_add(run, user));
    CURRENT.store(host, Ordering::Release);
}

pub(crate) fn current() -> Option<&'static Host> {
    // SAFETY: null, or leaked by find_or_add.
    unsafe { CURRENT.load(Ordering::Acquire).as_ref() }
}

fn find_or_add(run: Run, user: *mut c_void) -> *mut Host {
    let mut new: *mut Host = ptr::null_mut();
    loop {
        let newest = ALL.load(Ordering::Acquire);
        let mut host = newest;
        // SAFETY: the list holds what was leaked here, each complete before it is published.
        while let Some(known) = unsafe { host.as_ref() } {
            if ptr::fn_addr_eq(known.run, run) && known.user == user {
                if !new.is_null() {
                    // SAFETY: made below and not published.
                    drop(unsafe { Box::from_raw(new) });
                }
                return host;
            }
            host = known.before.cast_mut();
        }
        if new.is_null() {
            new = Box::into_raw(Box::new(Host { run, user, before: newest }));
        }
        // SAFETY: not published yet.
        unsafe { (*new).before = newest };
        if ALL.compare_exchange(newest, new, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
            return new;
        }
    }
}

/// Calls at the same time that a host's pool serves; one more runs on its own thread.
const SLOTS: usize = 64;
/// Pieces of a call, at most.
pub(crate) const MOST_PIECES: usize = 1024;

/// In `Slot::state`: the call takes tasks. Below it is the number of tasks at work, above it that of the call.
const OPEN: u64 = 1 << 32;
const NEXT_CALL: u64 = 1 << 33;
/// Then the numbers of the calls begin again.
const CALLS: u64 = u64::MAX / NEXT_CALL;

struct Slot {
    state: AtomicU64,
    /// The pieces that were begun.
    begun: [AtomicU64; MOST_PIECES / u64::BITS as usize],
    finished: AtomicUsize,
    count: AtomicUsize,
    /// The caller's closure, by a pointer to its fat pointer, while the slot is open.
    task: AtomicPtr<&'static (dyn Fn(usize) + Sync)>,
    is_taken: AtomicUsize,
}

static SLOT: [Slot; SLOTS] = [const {
    Slot {
        state: AtomicU64::new(0),
        begun: [const { AtomicU64::new(0) }; MOST_PIECES / u64::BITS as usize],
        finished: AtomicUsize::new(0),
        count: AtomicUsize::new(0),
        task: AtomicPtr::new(ptr::null_mut()),
        is_taken: AtomicUsize::new(0),
    }
}; SLOTS];

impl Host {
    /// Calls `task(i)` once for every i below `count`, at most MOST_PIECES, as far as the host does; whether for all.
    pub(crate) fn run(&self, count: usize, task: &(dyn Fn(usize) + Sync)) -> bool {
        let free = |slot: &&Slot| slot.is_taken.swap(1, Ordering::Acquire) == 0;
        let Some((number, slot)) = SLOT.iter().enumerate().find(|(_, slot)| free(slot)) else {
            (0..count).for_each(task);
            return true;
        };
        // SAFETY: only the lifetime changes. The slot is closed, and no task is at work, before this function returns.
        let task: &'static (dyn Fn(usize) + Sync) = unsafe { core::mem::transmute(task) };
        for word in &slot.begun {
            word.store(0, Ordering::Relaxed);
        }
        slot.finished.store(0, Ordering::Relaxed);
        slot.count.store(count, Ordering::Relaxed);
        slot.task.store((&raw const task).cast_mut(), Ordering::Relaxed);
        let call = (slot.state.load(Ordering::Relaxed) / NEXT_CALL + 1) % CALLS;
        slot.state.store(call * NEXT_CALL + OPEN, Ordering::Release);

        let context = ptr::without_provenance_mut(call as usize * SLOTS + number);
        // SAFETY: the caller of gelu_set_parallel_for vouches for the function.
        unsafe { (self.run)(self.user, count, run_piece, context) };

        slot.state.fetch_and(!OPEN, Ordering::AcqRel);
        while slot.state.load(Ordering::Acquire) % OPEN != 0 {
            // The host returned before its tasks did.
            std::thread::yield_now();
        }
        let all = slot.finished.load(Ordering::Relaxed) == count;
        slot.is_taken.store(0, Ordering::Release);
        all
    }
}

/// The task that the host is given.
unsafe extern "C" fn run_piece(context: *mut c_void, index: usize) {
    let (call, slot) = ((context.addr() / SLOTS) as u64, &SLOT[context.addr() % SLOTS]);
    if call >= CALLS {
        return;
    }
    let is_open = |state: u64| (state & !(OPEN - 1) == call * NEXT_CALL + OPEN).then_some(state + 1);
    if slot.state.fetch_update(Ordering::Acquire, Ordering::Relaxed, is_open).is_err() {
        return;
    }
    if index < slot.count.load(Ordering::Relaxed) {
        let bit = 1 << (index % u64::BITS as usize);
        if slot.begun[index / u64::BITS as usize].fetch_or(bit, Ordering::Relaxed) & bit == 0 {
            // SAFETY: the call does not return while this task is counted.
            unsafe { (*slot.task.load(Ordering::Relaxed))(index) };
            slot.finished.fetch_add(1, Ordering::Relaxed);
        }
    }
    slot.state.fetch_sub(1, Ordering::Release);
}
