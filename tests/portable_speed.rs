//! The portable backend costs at most a few times a loop over libm. Meaningful in release builds only.

#![cfg(not(debug_assertions))]

mod support;

use core::hint::black_box;
use std::time::Instant;

use gelu::dispatch;
use support::{FUNCTIONS, Random, Real, name};

unsafe extern "C" {
    safe fn erff(x: f32) -> f32;
    safe fn erf(x: f64) -> f64;
}

const N: usize = 8192;

/// Seconds of the fastest of many runs: the one that nothing disturbed.
fn fastest(mut run: impl FnMut()) -> f64 {
    (0..100)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}

fn ratio<T: Real>(libm: impl Fn(T) -> T, most: f64) {
    let mut random = Random(1);
    // Nearly standard normal: half the sum of 12 uniform values, whose variance is 4.
    let x: Vec<T> =
        (0..N).map(|_| T::from_f64((0..12).map(|_| random.signed()).sum::<f64>() / 2.0)).collect();
    let dy = vec![T::from_f64(1.5); N];
    let portable =
        dispatch::available().find(|backend| name(backend) == "portable").expect("it is always there");
    let base = fastest(|| {
        black_box(x.iter().map(|&x| libm(black_box(x))).collect::<Vec<T>>());
    });
    for function in FUNCTIONS {
        let taken = fastest(|| {
            black_box(function.run(portable, &dy, black_box(&x)));
        });
        let ratio = taken / base;
        println!("{} {}: {ratio:.1} times a libm loop", T::NAME, function.name());
        assert!(ratio <= most, "{} {} takes {ratio} times a libm loop", T::NAME, function.name());
    }
}

#[test]
fn f32_takes_at_most_5_times_a_libm_loop() {
    ratio(|x: f32| 0.5 * x * (1.0 + erff(x * core::f32::consts::FRAC_1_SQRT_2)), 5.0);
}

#[test]
fn f64_takes_at_most_25_times_a_libm_loop() {
    ratio(|x: f64| 0.5 * x * (1.0 + erf(x * core::f64::consts::FRAC_1_SQRT_2)), 25.0);
}
