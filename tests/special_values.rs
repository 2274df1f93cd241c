//! Infinities, NaN, zeros, huge and tiny values, and the sign of the derivative, on every backend.

mod support;

use gelu::dispatch;
use support::{FUNCTIONS, Function, Random, Real, name};

const FORWARD: [Function; 2] = [FUNCTIONS[0], FUNCTIONS[2]];
const BACKWARD: [Function; 2] = [FUNCTIONS[1], FUNCTIONS[3]];

/// Runs `test` for each backend with its name.
fn on_every_backend(test: impl Fn(&'static gelu::kernel::Backend, &str)) {
    for backend in dispatch::available() {
        test(backend, name(backend));
    }
}

fn one<T: Real>(function: Function, backend: &'static gelu::kernel::Backend, dy: f64, x: T) -> T {
    function.run(backend, &[T::from_f64(dy)], &[x])[0]
}

fn the_table_holds<T: Real>() {
    let bits = |value: f64| T::from_f64(value).bits();
    on_every_backend(|backend, isa| {
        for (x, y, slope) in [
            (f64::INFINITY, f64::INFINITY, 1.0),
            (f64::NEG_INFINITY, -0.0, -0.0),
            (0.0, 0.0, 0.5),
            (-0.0, -0.0, 0.5),
            (T::LARGEST.to_f64(), T::LARGEST.to_f64(), 1.0),
            (-T::LARGEST.to_f64(), -0.0, -0.0),
        ] {
            let x = T::from_f64(x);
            for function in FORWARD {
                assert_eq!(one(function, backend, 1.0, x).bits(), bits(y), "{isa} {} {x}", function.name());
            }
            for function in BACKWARD {
                assert_eq!(
                    one(function, backend, 1.0, x).bits(),
                    bits(slope),
                    "{isa} {} {x}",
                    function.name()
                );
            }
        }
    });
}

#[test]
fn infinities_and_zeros_give_the_table() {
    the_table_holds::<f32>();
    the_table_holds::<f64>();
}

fn huge<T: Real>() {
    on_every_backend(|backend, isa| {
        for magnitude in [50.0, 1e6, 7e12, 2e19, 1e38, T::LARGEST.to_f64()] {
            for function in FORWARD {
                let got = [magnitude, -magnitude].map(|x| one(function, backend, 1.0, T::from_f64(x)).bits());
                let right = [T::from_f64(magnitude), T::from_f64(-0.0)].map(Real::bits);
                assert_eq!(got, right, "{isa} {} of ±{magnitude}", function.name());
            }
            for function in BACKWARD {
                for dy in [1.0, -3.0, 1e30, 1e-30] {
                    let got =
                        [magnitude, -magnitude].map(|x| one(function, backend, dy, T::from_f64(x)).bits());
                    let right = [T::from_f64(dy), T::from_f64(dy * -0.0)].map(Real::bits);
                    assert_eq!(got, right, "{isa} {} of ±{magnitude}, dy = {dy}", function.name());
                }
            }
        }
    });
}

#[test]
fn huge_finite_values_neither_overflow_nor_become_nan() {
    huge::<f32>();
    huge::<f64>();
}

fn quiet_nan<T: Real>(nans: &[u64], quiet_bit: u64) {
    let one_t = T::from_f64(1.0);
    on_every_backend(|backend, isa| {
        for &bits in nans {
            let nan = T::from_bits(bits);
            for function in FUNCTIONS {
                for n in 1..=40 {
                    let x: Vec<T> = (0..n).map(|i| T::from_f64(f64::from(i as i32 - 20) * 0.4)).collect();
                    let clean = function.run(backend, &vec![one_t; n], &x);
                    for i in 0..n {
                        let mut with_nan = x.clone();
                        with_nan[i] = nan;
                        let got = function.run(backend, &vec![one_t; n], &with_nan);
                        for (j, (got, clean)) in got.iter().zip(&clean).enumerate() {
                            if j == i {
                                let is_quiet = got.to_f64().is_nan() && got.bits() & quiet_bit != 0;
                                assert!(is_quiet, "{isa} {} n = {n}, {i}: {:x}", function.name(), got.bits());
                            } else {
                                assert_eq!(got.bits(), clean.bits(), "{isa} {} beside NaN", function.name());
                            }
                        }
                    }
                }
            }
            for function in BACKWARD {
                for x in [-60.0, -1.0, 0.0, 1.0, 60.0] {
                    let got = function.run(backend, &[nan], &[T::from_f64(x)])[0];
                    assert!(got.to_f64().is_nan() && got.bits() & quiet_bit != 0, "{isa} dy = NaN at {x}");
                }
            }
        }
    });
}

#[test]
fn nan_of_either_sign_and_signalling_gives_a_quiet_nan_and_leaves_its_neighbours() {
    quiet_nan::<f32>(&[0x7fc0_0000, 0xffc0_0000, 0x7f80_0001, 0xff80_0001], 1 << 22);
    let wide = [0x7ff8 << 48, 0xfff8 << 48, 0x7ff0_0000_0000_0001, 0xfff0_0000_0000_0001];
    quiet_nan::<f64>(&wide, 1 << 51);
}

fn infinity_beside_others<T: Real>() {
    on_every_backend(|backend, isa| {
        for function in FUNCTIONS {
            for special in [T::INFINITY, T::from_f64(f64::NEG_INFINITY)] {
                let dy = [T::from_f64(1.0); 40];
                let alone = function.run(backend, &dy[..1], &[special])[0].bits();
                for n in 1..=40 {
                    let x: Vec<T> = (0..n).map(|i| T::from_f64(f64::from(i as i32 - 20) * 0.37)).collect();
                    let clean = function.run(backend, &dy[..n], &x);
                    for i in 0..n {
                        let mut mixed = x.clone();
                        mixed[i] = special;
                        let got = function.run(backend, &dy[..n], &mixed);
                        for (j, got) in got.iter().enumerate() {
                            let right = if j == i { alone } else { clean[j].bits() };
                            assert_eq!(got.bits(), right, "{isa} {} n = {n}, {i}, {j}", function.name());
                        }
                    }
                }
            }
        }
    });
}

#[test]
fn an_infinity_is_the_same_at_every_index_and_leaves_its_neighbours() {
    infinity_beside_others::<f32>();
    infinity_beside_others::<f64>();
}

/// dx = dy g' where dy is infinite or zero.
fn special_dy<T: Real>() {
    on_every_backend(|backend, isa| {
        for function in BACKWARD {
            for (x, sign) in [(-8.0, -1.0), (-1.0, -1.0), (-0.5, 1.0), (0.0, 1.0), (2.0, 1.0), (100.0, 1.0)] {
                for dy in [f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0] {
                    let got = one(function, backend, dy, T::from_f64(x));
                    let right = T::from_f64(dy * sign);
                    assert_eq!(got.bits(), right.bits(), "{isa} {} dy = {dy}, x = {x}", function.name());
                }
            }
            // The derivative is −0 there.
            for x in [-100.0, f64::NEG_INFINITY] {
                let got = one(function, backend, f64::INFINITY, T::from_f64(x));
                assert!(got.to_f64().is_nan(), "{isa} {} inf times −0", function.name());
            }
        }
    });
}

#[test]
fn infinite_and_zero_dy_multiply_as_ieee_754_does() {
    special_dy::<f32>();
    special_dy::<f64>();
}

/// From the header's |x| on the derivative counts as -0, and an infinite dy gives NaN; before it, infinity.
fn from_there_on<T: Real>(ends: [f64; 2]) {
    on_every_backend(|backend, isa| {
        for (function, end) in BACKWARD.into_iter().zip(ends) {
            let end = T::from_f64(-end).bits();
            for dy in [f64::INFINITY, f64::NEG_INFINITY] {
                let at = |bits| one(function, backend, dy, T::from_bits(bits)).to_f64();
                assert!(at(end).is_nan() && at(end + 1).is_nan(), "{isa} {} {dy}", function.name());
                assert_eq!(at(end - 1), -dy, "{isa} {}", function.name());
            }
        }
    });
}

#[test]
fn the_derivative_counts_as_minus_zero_from_where_the_header_says() {
    from_there_on::<f32>([19.75, 13.5625]);
    from_there_on::<f64>([54.0, 27.125]);
}

/// Half of a tiny x, in its own type: x/2 is exact or a tie, which both neighbours answer within 1 ULP.
/// Beside its zero the sign of the derivative is that of dx for dy = 1, which is right relatively.
fn sign_beside_the_zero<T: Real>() {
    on_every_backend(|backend, isa| {
        for (function, zero) in BACKWARD.into_iter().zip([-0.751_791_524_693_564_5, -0.752_461_422_071_016_3])
        {
            for step in 0..9 {
                let x = T::from_bits(T::from_f64(zero).bits() - 4 + step);
                let sign = one(function, backend, 1.0, x).to_f64().signum();
                for dy in [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY] {
                    let got = one(function, backend, dy, x).bits();
                    assert_eq!(got, T::from_f64(dy * sign).bits(), "{isa} {} {dy} {x:?}", function.name());
                }
            }
        }
    });
}

#[test]
fn zero_and_infinite_dy_take_the_sign_of_the_derivative_beside_its_zero() {
    sign_beside_the_zero::<f32>();
    sign_beside_the_zero::<f64>();
}

fn tiny<T: Real>(smallest_normal: f64) {
    let mut random = Random(7);
    let mut x: Vec<T> = (0..200).map(T::from_bits).collect();
    x.extend((0..4000).map(|_| T::from_f64(random.signed() * smallest_normal * 2.0)));
    x.extend((0..4000).map(|_| T::from_f64(random.signed() * smallest_normal * 1e6)));
    x.extend(x.clone().iter().map(|x| T::from_f64(-x.to_f64())));
    on_every_backend(|backend, isa| {
        for function in FORWARD {
            for (x, y) in x.iter().zip(function.run(backend, &[], &x)) {
                let half = x.bits() & 1 == 0 || x.to_f64().abs() >= 2.0 * smallest_normal;
                let right = T::from_f64(x.to_f64() / 2.0).bits();
                assert!(
                    y.bits() == right || !half && y.bits().abs_diff(right) == 1,
                    "{isa} {} of {x:?} is {y:?}",
                    function.name()
                );
            }
        }
        for function in BACKWARD {
            for (x, slope) in x.iter().zip(function.run(backend, &vec![T::from_f64(1.0); x.len()], &x)) {
                assert_eq!(slope.to_f64(), 0.5, "{isa} {} at {x:?}", function.name());
            }
        }
    });
}

#[test]
fn tiny_values_are_halved_with_their_sign_and_have_slope_one_half() {
    tiny::<f32>(f64::from(f32::MIN_POSITIVE));
    tiny::<f64>(f64::MIN_POSITIVE);
}

fn signs<T: Real>() {
    let mut random = Random(11);
    let x: Vec<T> = (0..20_000).map(|_| T::from_f64(random.signed() * 40.0)).collect();
    on_every_backend(|backend, isa| {
        for function in FUNCTIONS {
            // The zero of the derivative is between these.
            let (below, above) =
                if function.approximation == 0 { (-0.752, -0.7517) } else { (-0.753, -0.7524) };
            for (x, got) in x.iter().zip(function.run(backend, &vec![T::from_f64(1.0); x.len()], &x)) {
                let (x, got) = (x.to_f64(), got.to_f64());
                let negative = if function.backward { x < below } else { x < 0.0 };
                let positive = if function.backward { x > above } else { x > 0.0 };
                assert!(!negative || got.is_sign_negative(), "{isa} {}({x}) = {got}", function.name());
                assert!(!positive || got.is_sign_positive(), "{isa} {}({x}) = {got}", function.name());
            }
        }
    });
}

#[test]
fn no_result_has_the_wrong_sign() {
    signs::<f32>();
    signs::<f64>();
}

fn tail<T: Real>(ends: [f64; 4]) {
    on_every_backend(|backend, isa| {
        for (function, end) in FUNCTIONS.into_iter().zip(ends) {
            let x: Vec<T> =
                (0..=4000).map(|i| T::from_f64(-4.0 - (end - 4.0) * f64::from(i) / 4000.0)).collect();
            let got = function.run(backend, &vec![T::from_f64(1.0); x.len()], &x);
            for pair in got.windows(2) {
                assert!(
                    pair[0].to_f64() < 0.0 && pair[1].to_f64() < 0.0,
                    "{isa} {} lost its tail",
                    function.name()
                );
                assert!(pair[0].to_f64() <= pair[1].to_f64(), "{isa} {} is not monotonic", function.name());
            }
        }
    });
}

#[test]
fn the_negative_tail_is_there_until_it_underflows() {
    // |x| just before each function's last nonzero result: forward none, backward none, forward tanh, ...
    tail::<f32>([14.35, 14.54, 10.77, 10.89]);
    tail::<f64>([38.57, 38.67, 21.54, 21.59]);
}
