//! What belongs to one process: the state of the pool, which a fork must not hand to the child, and the
//! signals that workers must not take.
//!
//! After a fork the child has the memory of the parent but none of its other threads: its locks may be
//! taken forever and its workers do not exist. So the state hangs on a mark that the child does not share:
//! the process id, in a page that the kernel clears on fork (MADV_WIPEONFORK). Either alone would nearly
//! do; ids can come again in other namespaces, and old kernels and emulators ignore the advice.

use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use crate::pool::State;

/// A thread is making the state of this process.
const CLAIMED: i32 = -1;

/// The state of this process, valid once the mark holds its id; null if there can be none.
static STATE: AtomicPtr<State> = AtomicPtr::new(ptr::null_mut());
/// How many threads are making a pool now.
static BUILDING: AtomicUsize = AtomicUsize::new(0);

/// The state of this process. None while another thread makes it, and in a child whose parent forked
/// while it was making a pool: then a lock inside the pool's libraries may be lost.
pub(crate) fn state() -> Option<&'static State> {
    let mark = imp::mark();
    let id = imp::id();
    match mark.load(Ordering::Acquire) {
        seen if seen == id => {}
        CLAIMED => return None,
        seen => {
            mark.compare_exchange(seen, CLAIMED, Ordering::Acquire, Ordering::Relaxed).ok()?;
            let usable = BUILDING.load(Ordering::Relaxed) == 0;
            // A state inherited from the parent is left as it is: its threads are not here to be joined.
            let state = if usable { Box::into_raw(Box::default()) } else { ptr::null_mut() };
            STATE.store(state, Ordering::Relaxed);
            mark.store(id, Ordering::Release);
        }
    }
    // SAFETY: null, or leaked by this process above.
    unsafe { STATE.load(Ordering::Relaxed).as_ref() }
}

/// Runs `build`, and lets a child know that was forked meanwhile.
pub(crate) fn building<T>(build: impl FnOnce() -> T) -> T {
    BUILDING.fetch_add(1, Ordering::SeqCst);
    let built = build();
    BUILDING.fetch_sub(1, Ordering::SeqCst);
    built
}

pub(crate) use imp::BlockedSignals;

#[cfg(unix)]
mod imp {
    use core::mem::MaybeUninit;
    use core::ptr;
    use core::sync::atomic::{AtomicI32, AtomicPtr, Ordering};

    /// The page of the mark, once it is mapped.
    static PAGE: AtomicPtr<AtomicI32> = AtomicPtr::new(ptr::null_mut());
    /// The mark where no page is to be had.
    static PLAIN: AtomicI32 = AtomicI32::new(0);

    pub(super) fn id() -> i32 {
        // SAFETY: getpid has no preconditions.
        unsafe { libc::getpid() }
    }

    /// The mark of this process.
    pub(super) fn mark() -> &'static AtomicI32 {
        let mut page = PAGE.load(Ordering::Acquire);
        if page.is_null() {
            page = wiped_page();
            if page.is_null() {
                page = ptr::from_ref(&PLAIN).cast_mut();
            }
            // Of several first calls one decides; the page of another is left unused.
            if let Err(first) =
                PAGE.compare_exchange(ptr::null_mut(), page, Ordering::AcqRel, Ordering::Acquire)
            {
                page = first;
            }
        }
        // SAFETY: a static, or a page that is never unmapped and starts with zeros.
        unsafe { &*page }
    }

    /// A page that reads as zeros in a child after fork, or null.
    fn wiped_page() -> *mut AtomicI32 {
        #[cfg(all(target_os = "linux", not(miri)))]
        {
            let length = size_of::<AtomicI32>();
            let (protection, flags) =
                (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
            // SAFETY: a new private mapping; the kernel rounds the length up to a page.
            let page = unsafe { libc::mmap(ptr::null_mut(), length, protection, flags, -1, 0) };
            if page == libc::MAP_FAILED {
                return ptr::null_mut();
            }
            // SAFETY: the page was just mapped. A kernel that refuses leaves the process id as the mark.
            unsafe { libc::madvise(page, length, libc::MADV_WIPEONFORK) };
            page.cast()
        }
        #[cfg(not(all(target_os = "linux", not(miri))))]
        ptr::null_mut()
    }

    /// Signals that a thread's own instruction causes. Blocked, they would end the process past the host's
    /// handler, which may be what maps the page that a buffer lies in.
    const OWN: [libc::c_int; 6] =
        [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGTRAP, libc::SIGSYS];

    /// While it lives, this thread takes no signal from outside; a thread started meanwhile never does.
    pub(crate) struct BlockedSignals(libc::sigset_t);

    impl BlockedSignals {
        pub(crate) fn new() -> Self {
            let mut all = MaybeUninit::uninit();
            let mut before = MaybeUninit::zeroed();
            // SAFETY: sigfillset fills the set it is given; pthread_sigmask reads it and writes the other.
            unsafe {
                libc::sigfillset(all.as_mut_ptr());
                for signal in OWN {
                    libc::sigdelset(all.as_mut_ptr(), signal);
                }
                libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
                Self(before.assume_init())
            }
        }
    }

    impl Drop for BlockedSignals {
        fn drop(&mut self) {
            // SAFETY: the set is what pthread_sigmask gave.
            unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.0, ptr::null_mut()) };
        }
    }
}

#[cfg(not(unix))]
mod imp {
    use core::sync::atomic::AtomicI32;

    static MARK: AtomicI32 = AtomicI32::new(0);

    pub(super) fn id() -> i32 {
        // There is no fork here: any constant does.
        1
    }

    pub(super) fn mark() -> &'static AtomicI32 {
        &MARK
    }

    /// There are no signals to block.
    pub(crate) struct BlockedSignals;

    impl BlockedSignals {
        pub(crate) fn new() -> Self {
            Self
        }
    }
}
