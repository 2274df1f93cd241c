//! All 2³² floats, each function on each backend, against the double kernels.
//!
//! A double result is good to 1 ULP of double, 2⁻²⁹ ULP of float: it serves as the exact value. Without
//! GELU_ALL_FLOATS the test takes every 1009th float (in debug builds every 16411th); with it all of them, which needs
//! a release build. Its value `vectors` leaves it at every 8th on the portable backend, which takes most of the time.

mod support;

use core::sync::atomic::{AtomicU32, Ordering};
use std::io::Write;
use std::time::Instant;

use gelu::dispatch;
use gelu::kernel::Backend;
use support::reference::ulp_error_f32;
use support::{FUNCTIONS, Function, name};

const BOUND: f64 = 1.0;
/// Floats in one call of a kernel.
const BLOCK: u32 = 1 << 16;

/// The largest error so far, above 0.5, and the bits of its argument.
#[derive(Clone, Copy)]
struct Worst {
    error: f64,
    x: u32,
}

/// The buffers of one thread.
struct Buffers {
    dy: Vec<f32>,
    wide_dy: Vec<f64>,
    x: Vec<f32>,
    wide: Vec<f64>,
    got: Vec<f32>,
    exact: Vec<f64>,
}

impl Buffers {
    fn new() -> Self {
        let n = BLOCK as usize;
        let [x, got] = [(); 2].map(|()| Vec::new());
        let [wide, exact] = [(); 2].map(|()| Vec::new());
        Self { dy: vec![1.0; n], wide_dy: vec![1.0; n], x, wide, got, exact }
    }
}

/// One block of arguments: the multiples of `step` among the bits from `first` on.
fn check_block(
    function: Function,
    backend: &'static Backend,
    first: u32,
    step: u32,
    buffers: &mut Buffers,
    worst: &mut Worst,
) {
    let oracle = dispatch::available().next().expect("there is a backend");
    let Buffers { dy, wide_dy, x, wide, got, exact } = buffers;
    x.clear();
    x.extend((first.next_multiple_of(step)..=first | (BLOCK - 1)).step_by(step as usize).map(f32::from_bits));
    wide.clear();
    wide.extend(x.iter().map(|&x| f64::from(x)));
    function.run_into(backend, &dy[..x.len()], x, got);
    function.run_into(oracle, &wide_dy[..x.len()], wide, exact);
    for ((&x, &got), &exact) in x.iter().zip(&*got).zip(&*exact) {
        // Correctly rounded, its sign of zero too: at most 0.5 ULP off.
        if got.to_bits() == (exact as f32).to_bits() {
            continue;
        }
        if exact.is_finite() {
            let error = ulp_error_f32(got, exact);
            if error > worst.error {
                *worst = Worst { error, x: x.to_bits() };
            }
            if got == 0.0 {
                assert_eq!(got.is_sign_negative(), x.is_sign_negative(), "the sign of zero at {x:e}");
            }
        } else {
            assert!(got.is_nan() && exact.is_nan(), "{} of {x} is {got}", function.name());
        }
    }
}

/// The worst case of one function on one backend, by several threads.
fn worst(function: Function, backend: &'static Backend, step: u32) -> Worst {
    let blocks = u32::MAX / BLOCK + 1;
    let next = AtomicU32::new(0);
    let started = Instant::now();
    let work = |is_first: bool| {
        let mut worst = Worst { error: 0.5, x: 0 };
        let mut buffers = Buffers::new();
        loop {
            let block = next.fetch_add(1, Ordering::Relaxed);
            if block >= blocks {
                return worst;
            }
            check_block(function, backend, block * BLOCK, step, &mut buffers, &mut worst);
            if step < 1009 && is_first && block % 2048 < 2 {
                let percent = 100 * u64::from(block) / u64::from(blocks);
                print!("\r{} {}: {percent} %  ", name(backend), function.name());
                let _ = std::io::stdout().flush();
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let found = std::thread::scope(|scope| {
        let work = &work;
        let others: Vec<_> = (0..threads).map(|i| scope.spawn(move || work(i == 0))).collect();
        others.into_iter().map(|other| other.join().expect("no thread panics")).collect::<Vec<_>>()
    });
    let worst = found.into_iter().max_by(|a, b| a.error.total_cmp(&b.error)).expect("there is a thread");
    let x = f32::from_bits(worst.x);
    println!(
        "\r{} {}: at most {:.4} ULP, at {x:e} (0x{:08x}), of every {step}th float, {:.1} s",
        name(backend),
        function.name(),
        worst.error,
        worst.x,
        started.elapsed().as_secs_f64()
    );
    worst
}

#[test]
fn every_float_is_within_1_ulp_on_every_instruction_set() {
    let all = std::env::var_os("GELU_ALL_FLOATS");
    for backend in dispatch::available() {
        let step = match &all {
            Some(which) if which == "vectors" && name(backend) == "portable" => 8,
            Some(_) => 1,
            None if cfg!(debug_assertions) => 16_411,
            None => 1009,
        };
        for function in FUNCTIONS {
            let worst = worst(function, backend, step);
            assert!(worst.error <= BOUND, "{} ULP at bits {:08x}", worst.error, worst.x);
        }
    }
}
