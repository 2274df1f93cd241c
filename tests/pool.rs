//! Calls share the workers without waiting for each other, whoever the callers are.

#![cfg(all(target_os = "linux", not(miri)))]

mod support;

use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use gelu::capi::{gelu_set_num_threads, gelu_shutdown};
use rayon::prelude::*;
use support::{FUNCTIONS, Function, Random, Real};

/// The number of threads belongs to the process: one test at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

const FORWARD: Function = FUNCTIONS[0];

fn alone(threads: usize) -> impl Drop {
    let guard = ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    gelu_set_num_threads(threads);
    guard
}

fn arguments<T: Real>(n: usize) -> Vec<T> {
    let mut random = Random(17);
    (0..n).map(|_| T::from_f64(random.signed() * 5.0)).collect()
}

/// The names of this process's threads.
fn threads() -> Vec<String> {
    let tasks = std::fs::read_dir("/proc/self/task").expect("procfs");
    tasks.flatten().filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok()).collect()
}

fn workers() -> usize {
    threads().iter().filter(|name| name.starts_with("gelu-")).count()
}

/// Fails loudly where a hang would only be waited for.
fn within(limit: Duration, work: impl FnOnce() + Send + 'static) {
    let worker = thread::spawn(work);
    let start = Instant::now();
    while !worker.is_finished() {
        assert!(start.elapsed() < limit, "still running after {limit:?}");
        thread::sleep(Duration::from_millis(5));
    }
    worker.join().expect("the work succeeds");
}

#[test]
fn calls_from_the_workers_of_a_host_that_uses_rayon_do_not_hang() {
    let _alone = alone(3);
    gelu_shutdown();
    within(Duration::from_secs(120), || {
        let x = arguments::<f32>(300_000);
        let right = FORWARD.call(&x);
        gelu_shutdown();
        let host = rayon::ThreadPoolBuilder::new().num_threads(4).build().expect("a host's pool");
        host.install(|| {
            (0..64).into_par_iter().for_each(|i| {
                let same = FORWARD.call(&x).iter().zip(&right).all(|(a, b)| a.to_bits() == b.to_bits());
                assert!(same);
                if i % 16 == 0 {
                    gelu_shutdown();
                }
            });
        });
    });
}

#[test]
fn a_call_does_not_wait_for_the_whole_of_another_one() {
    let _alone = alone(2);
    let small = arguments::<f32>(300_000);
    let fastest = |n: usize| {
        let times = (0..n).map(|_| {
            let start = Instant::now();
            FORWARD.call(&small);
            start.elapsed()
        });
        times.min().expect("at least one")
    };
    fastest(3);
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        let long = scope.spawn(|| {
            let x = arguments::<f64>(if cfg!(debug_assertions) { 3_000_000 } else { 30_000_000 });
            let start = Instant::now();
            FORWARD.call(&x);
            is_done.store(true, Ordering::SeqCst);
            start.elapsed()
        });
        // Small calls begun while the long one runs end while it runs.
        let mut ended_before = 0;
        while !is_done.load(Ordering::SeqCst) {
            fastest(1);
            ended_before += usize::from(!is_done.load(Ordering::SeqCst));
        }
        let long = long.join().expect("the long call");
        println!("{ended_before} small calls while one of {long:?} ran");
        assert!(ended_before >= 3, "{ended_before} in {long:?}");
    });
}

#[test]
fn shutdown_waits_for_every_worker_that_was_there() {
    let _alone = alone(3);
    let x = arguments::<f64>(3_000_000);
    FORWARD.call(&x[..200_000]);
    assert!(workers() >= 2, "{:?}", threads());
    thread::scope(|scope| {
        // A running call keeps a pool that a larger one replaces.
        scope.spawn(|| FORWARD.call(&x));
        thread::sleep(Duration::from_millis(2));
        gelu_set_num_threads(7);
        FORWARD.call(&x[..200_000]);
        let others: Vec<_> = (0..3).map(|_| scope.spawn(|| gelu_shutdown())).collect();
        gelu_shutdown();
        others.into_iter().for_each(|other| other.join().expect("shutdown returns"));
    });
    gelu_shutdown();
    assert_eq!(workers(), 0, "{:?}", threads());
    FORWARD.call(&x);
    assert!(workers() > 0);
}

#[test]
fn a_smaller_wish_does_not_make_the_pool_smaller() {
    let _alone = alone(7);
    gelu_shutdown();
    let x = arguments::<f64>(2_000_000);
    FORWARD.call(&x);
    let most = workers();
    gelu_set_num_threads(2);
    FORWARD.call(&x);
    assert_eq!(workers(), most);
    gelu_shutdown();
}

static LAZY: AtomicPtr<libc::c_void> = AtomicPtr::new(core::ptr::null_mut());
static FAULTS: AtomicUsize = AtomicUsize::new(0);
const LAZY_BYTES: usize = 8 << 20;

/// Makes the page accessible that the fault was on.
extern "C" fn page_in(_: libc::c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: the kernel gives the address; the buffer is mapped in whole pages of 4096 bytes.
    unsafe {
        let at = (*info).si_addr() as usize;
        let start = LAZY.load(Ordering::SeqCst) as usize;
        if at < start || at >= start + LAZY_BYTES {
            libc::abort();
        }
        FAULTS.fetch_add(1, Ordering::SeqCst);
        libc::mprotect((at & !4095) as *mut libc::c_void, 4096, libc::PROT_READ | libc::PROT_WRITE);
    }
}

#[test]
fn a_buffer_that_the_hosts_fault_handler_pages_in_works_on_workers_too() {
    let _alone = alone(2);
    let n = LAZY_BYTES / 4;
    // SAFETY: a new mapping without access, and a handler that gives it page by page; both are taken back.
    unsafe {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let buffer = libc::mmap(core::ptr::null_mut(), LAZY_BYTES, libc::PROT_NONE, flags, -1, 0);
        assert_ne!(buffer, libc::MAP_FAILED);
        LAZY.store(buffer, Ordering::SeqCst);
        let mut action: libc::sigaction = core::mem::zeroed();
        let mut before: libc::sigaction = core::mem::zeroed();
        action.sa_sigaction = page_in as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO;
        assert_eq!(libc::sigaction(libc::SIGSEGV, &action, &mut before), 0);
        let at = buffer.cast::<f32>();
        assert_eq!(gelu::capi::gelu_forward_f32(at, at, n, 0), 0);
        assert_eq!(libc::sigaction(libc::SIGSEGV, &before, core::ptr::null_mut()), 0);
        assert_eq!(FAULTS.load(Ordering::SeqCst), LAZY_BYTES / 4096);
        assert!((0..n).all(|i| at.add(i).read() == 0.0));
        libc::munmap(buffer, LAZY_BYTES);
    }
}
