//! Every function on every backend is within its bound of the multi-precision values in tests/data.

mod support;

use gelu::dispatch;
use support::reference::{ulp_error_f32, ulp_error_f64};
use support::{FUNCTIONS, Function, data, name, reference};

/// In units in the last place of the exact value.
const BOUND: f64 = 1.0;
const BOUND_ANY_DY: f64 = 1.5;
/// The portable backend rounds once, and once more where the result is subnormal.
const BOUND_PORTABLE: f64 = 0.77;

/// The largest error and where it is.
#[derive(Default)]
struct Worst {
    error: f64,
    at: String,
}

impl Worst {
    fn take(&mut self, error: f64, at: impl FnOnce() -> String) {
        if error > self.error || error.is_nan() {
            (self.error, self.at) = (error, at());
        }
    }

    fn report(&self, what: &str, bound: f64) {
        println!("{what}: at most {:.4} ULP, at {}", self.error, self.at);
        assert!(self.error <= bound, "{what}: {} ULP at {}", self.error, self.at);
    }
}

fn bound(backend: &'static str) -> f64 {
    if backend == "portable" { BOUND_PORTABLE } else { BOUND }
}

fn title(backend: &'static str, function: Function, kind: &str) -> String {
    format!("{backend} {} {kind}", function.name())
}

#[test]
fn f64_is_within_1_ulp_of_multi_precision_values() {
    for function in FUNCTIONS {
        let records = reference::parse_f64(&data(&format!("{}_f64.bin", function.name())));
        assert!(records.len() >= 20_000);
        let x: Vec<f64> = records.iter().map(|record| record.x).collect();
        for backend in dispatch::available() {
            let got = function.run(backend, &vec![1.0; x.len()], &x);
            let mut worst = Worst::default();
            for (record, got) in records.iter().zip(got) {
                let error = ulp_error_f64(got, record.rounded, record.rest);
                worst.take(error, || format!("x = {:e}", record.x));
                if record.rounded == 0.0 && got == 0.0 {
                    assert_eq!(got.to_bits(), record.rounded.to_bits(), "sign of zero at {:e}", record.x);
                }
            }
            worst.report(&title(name(backend), function, "f64"), bound(name(backend)));
        }
    }
}

#[test]
fn f32_is_within_1_ulp_of_multi_precision_values() {
    for function in FUNCTIONS {
        let records = reference::parse_f32(&data(&format!("{}_f32.bin", function.name())));
        assert!(records.len() >= 20_000);
        let x: Vec<f32> = records.iter().map(|record| record.x).collect();
        for backend in dispatch::available() {
            let got = function.run(backend, &vec![1.0; x.len()], &x);
            let mut worst = Worst::default();
            for (record, got) in records.iter().zip(got) {
                worst.take(ulp_error_f32(got, record.exact), || format!("x = {:e}", record.x));
                if record.exact.abs() < 1e-46 {
                    let zero = record.exact as f32;
                    assert_eq!(got.to_bits(), zero.to_bits(), "sign of zero at {:e}", record.x);
                }
            }
            worst.report(&title(name(backend), function, "f32"), bound(name(backend)));
        }
    }
}

#[test]
fn f64_gradient_is_within_one_and_a_half_ulp_for_any_dy() {
    for function in FUNCTIONS.into_iter().filter(|function| function.backward) {
        let form = ["none", "tanh"][function.approximation as usize];
        let records = reference::parse_f64_gradient(&data(&format!("gradient_{form}_f64.bin")));
        assert!(records.len() >= 5_000);
        let dy: Vec<f64> = records.iter().map(|(dy, _)| *dy).collect();
        let x: Vec<f64> = records.iter().map(|(_, record)| record.x).collect();
        for backend in dispatch::available() {
            let mut worst = Worst::default();
            for ((dy, record), got) in records.iter().zip(function.run(backend, &dy, &x)) {
                let error = ulp_error_f64(got, record.rounded, record.rest);
                worst.take(error, || format!("dy = {dy:e}, x = {:e}", record.x));
            }
            worst.report(&title(name(backend), function, "f64, any dy"), BOUND_ANY_DY);
        }
    }
}

#[test]
fn f32_gradient_is_within_one_and_a_half_ulp_for_any_dy() {
    for function in FUNCTIONS.into_iter().filter(|function| function.backward) {
        let form = ["none", "tanh"][function.approximation as usize];
        let records = reference::parse_f32_gradient(&data(&format!("gradient_{form}_f32.bin")));
        assert!(records.len() >= 5_000);
        let dy: Vec<f32> = records.iter().map(|(dy, _)| *dy).collect();
        let x: Vec<f32> = records.iter().map(|(_, record)| record.x).collect();
        for backend in dispatch::available() {
            let mut worst = Worst::default();
            for ((dy, record), got) in records.iter().zip(function.run(backend, &dy, &x)) {
                let error = ulp_error_f32(got, record.exact);
                worst.take(error, || format!("dy = {dy:e}, x = {:e}", record.x));
            }
            worst.report(&title(name(backend), function, "f32, any dy"), BOUND_ANY_DY);
        }
    }
}

/// Two analytic ways to one number: the central difference of forward, and backward. Its own error is about
/// h² g‴/6 + ε/h, which is why this one test is not in ULP.
#[test]
fn backward_is_the_central_difference_of_forward() {
    const H: f64 = 1e-5;
    for approximation in [0, 1] {
        let [forward, backward] = [false, true].map(|backward| Function { backward, approximation });
        let x: Vec<f64> = (-800..=800).map(|i| f64::from(i) * 0.01 + 0.0012).collect();
        for backend in dispatch::available() {
            let at = |shift: f64| {
                let moved: Vec<f64> = x.iter().map(|x| x + shift).collect();
                forward.run(backend, &moved, &moved)
            };
            let slope = backward.run(backend, &vec![1.0; x.len()], &x);
            for (((above, below), slope), x) in at(H).iter().zip(at(-H)).zip(slope).zip(&x) {
                let difference = (above - below) / (2.0 * H);
                assert!(
                    approx::abs_diff_eq!(difference, slope, epsilon = 2e-10),
                    "{} at {x}: {difference} and {slope}",
                    name(backend)
                );
            }
        }
    }
}
