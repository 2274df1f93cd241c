//! The error measure that the accuracy tests rest on is right, at the edges above all.

mod support;

use support::reference::{F32Record, F64Record, parse_f32, parse_f64, ulp_error_f32, ulp_error_f64};

const TINY_F64: f64 = f64::from_bits(1);
const TINY_F32: f32 = f32::from_bits(1);

#[test]
fn parsing_reads_each_field() {
    let mut bytes = Vec::new();
    for (x, rounded, rest) in [(-1.5_f64, -0.25_f64, 0.125_f32), (3.0, 2.5, -0.5)] {
        bytes.extend(x.to_le_bytes());
        bytes.extend(rounded.to_le_bytes());
        bytes.extend(rest.to_le_bytes());
    }
    let expected =
        [F64Record { x: -1.5, rounded: -0.25, rest: 0.125 }, F64Record { x: 3.0, rounded: 2.5, rest: -0.5 }];
    assert_eq!(parse_f64(&bytes), expected);

    let mut bytes = Vec::new();
    bytes.extend((-0.0_f32).to_le_bytes());
    bytes.extend(1e-60_f64.to_le_bytes());
    let records = parse_f32(&bytes);
    assert_eq!(records, [F32Record { x: 0.0, exact: 1e-60 }]);
    assert!(records[0].x.is_sign_negative());
}

#[test]
#[should_panic(expected = "7 bytes after the last record")]
fn a_torn_f64_file_is_refused() {
    parse_f64(&[0; 27]);
}

#[test]
#[should_panic(expected = "1 bytes after the last record")]
fn a_torn_f32_file_is_refused() {
    parse_f32(&[0; 13]);
}

#[test]
fn f64_error_within_a_binade() {
    for (rounded, sign) in [(1.5_f64, 1.0_f32), (-1.5, -1.0)] {
        assert_eq!(ulp_error_f64(rounded, rounded, 0.0), 0.0);
        assert_eq!(ulp_error_f64(rounded, rounded, 0.25), 0.25);
        let further = f64::from_bits(rounded.to_bits() + 1);
        assert_eq!(ulp_error_f64(further, rounded, 0.25 * sign), 0.75);
        assert_eq!(ulp_error_f64(further, rounded, -0.25 * sign), 1.25);
    }
}

#[test]
fn f64_ulp_is_of_the_binade_of_the_exact_value() {
    for power in [1.0, 8.0, f64::MIN_POSITIVE * 2.0] {
        let below = f64::from_bits(power.to_bits() - 1);
        let above = f64::from_bits(power.to_bits() + 1);
        // Exact above the power (or equal to it): the spacing above is one ulp, the one below half.
        assert_eq!(ulp_error_f64(above, power, 0.25), 0.75);
        assert_eq!(ulp_error_f64(below, power, 0.25), 0.75);
        assert_eq!(ulp_error_f64(below, power, 0.0), 0.5);
        // Exact below it, by as little as a rest that only keeps its sign.
        assert_eq!(ulp_error_f64(below, power, -0.25), 0.75);
        assert_eq!(ulp_error_f64(above, power, -0.25), 2.25);
        assert_eq!(ulp_error_f64(below, power, -0.0), 1.0);
        // The same mirrored.
        assert_eq!(ulp_error_f64(-below, -power, 0.25), 0.75);
        assert_eq!(ulp_error_f64(-above, -power, 0.25), 2.25);
        assert_eq!(ulp_error_f64(-below, -power, 0.0), 1.0);
        assert_eq!(ulp_error_f64(-below, -power, -0.0), 0.5);
    }
}

#[test]
fn f64_ulp_ends_at_the_subnormal_spacing() {
    assert_eq!(ulp_error_f64(3.0 * TINY_F64, 2.0 * TINY_F64, 0.25), 0.75);
    // The smallest normal has subnormals of the same spacing below it.
    let below = f64::from_bits(f64::MIN_POSITIVE.to_bits() - 1);
    assert_eq!(ulp_error_f64(below, f64::MIN_POSITIVE, -0.25), 0.75);
    assert_eq!(ulp_error_f64(f64::MIN_POSITIVE, below, 0.25), 0.75);
}

#[test]
fn f64_zero_stands_for_a_tiny_exact_value() {
    assert_eq!(ulp_error_f64(-0.0, -0.0, -0.25), 0.25);
    assert_eq!(ulp_error_f64(-TINY_F64, -0.0, -0.25), 0.75);
    assert_eq!(ulp_error_f64(TINY_F64, -0.0, -0.25), 1.25);
    assert_eq!(ulp_error_f64(0.0, -0.0, -0.0), 0.0);
}

#[test]
fn f64_error_at_the_largest_values() {
    let below = f64::from_bits(f64::MAX.to_bits() - 1);
    assert_eq!(ulp_error_f64(below, f64::MAX, -0.0), 1.0);
    assert_eq!(ulp_error_f64(f64::MAX, 1.0, 0.0), f64::INFINITY);
}

#[test]
fn infinite_and_nan_results_have_infinite_error() {
    for got in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
        assert_eq!(ulp_error_f64(got, f64::MAX, 0.0), f64::INFINITY);
        assert_eq!(ulp_error_f64(got, -0.0, -0.25), f64::INFINITY);
        assert_eq!(ulp_error_f32(got as f32, f64::from(f32::MAX)), f64::INFINITY);
        assert_eq!(ulp_error_f32(got as f32, 0.0), f64::INFINITY);
    }
}

#[test]
fn f32_ulp_is_of_the_binade_of_the_exact_value() {
    let ulp = f64::from(f32::EPSILON);
    let above = f32::from_bits(1.0_f32.to_bits() + 1);
    let below = f32::from_bits(1.0_f32.to_bits() - 1);
    for sign in [1.0_f32, -1.0] {
        let exact = |x: f64| f64::from(sign) * x;
        assert_eq!(ulp_error_f32(sign, exact(1.0)), 0.0);
        assert_eq!(ulp_error_f32(sign * above, exact(1.0 + ulp / 4.0)), 0.75);
        assert_eq!(ulp_error_f32(sign * below, exact(1.0)), 0.5);
        assert_eq!(ulp_error_f32(sign * below, exact(1.0 - ulp / 8.0)), 0.75);
        assert_eq!(ulp_error_f32(sign, exact(1.0 - ulp / 8.0)), 0.25);
    }
    assert_eq!(ulp_error_f32(f32::from_bits(f32::MAX.to_bits() - 1), f64::from(f32::MAX)), 1.0);
}

#[test]
fn f32_ulp_ends_at_the_subnormal_spacing() {
    let spacing = f64::from(TINY_F32);
    assert_eq!(ulp_error_f32(TINY_F32, 1.25 * spacing), 0.25);
    assert_eq!(ulp_error_f32(0.0, 1.25 * spacing), 1.25);
    assert_eq!(ulp_error_f32(-0.0, -0.25 * spacing), 0.25);
    assert_eq!(ulp_error_f32(TINY_F32, -0.25 * spacing), 1.25);
    assert_eq!(ulp_error_f32(TINY_F32, 0.0), 1.0);
    let below = f32::from_bits(f32::MIN_POSITIVE.to_bits() - 1);
    assert_eq!(ulp_error_f32(below, f64::from(f32::MIN_POSITIVE) - 0.25 * spacing), 0.75);
    // Doubles far below the floats, subnormal ones too.
    assert!(ulp_error_f32(-0.0, -1e-200) < 1e-100);
    assert!(ulp_error_f32(-0.0, -TINY_F64) < 1e-200);
}
