//! The correctly rounded results in tests/data/cases.csv, where other libraries lose the tail, the sign or
//! the value.

mod support;

use gelu::dispatch;
use support::{Function, Real, data, name};

/// How far apart two results are in units in the last place; infinite where the signs differ.
fn distance<T: Real>(a: T, b: T) -> u64 {
    if a.bits() == b.bits() {
        0
    } else if a.to_f64().is_sign_negative() != b.to_f64().is_sign_negative() {
        u64::MAX
    } else {
        a.bits().abs_diff(b.bits())
    }
}

fn check<T: Real>(function: Function, x: u64, result: u64) -> (usize, usize) {
    let (mut equal, mut all) = (0, 0);
    let x = T::from_bits(x);
    let right = T::from_bits(result);
    for backend in dispatch::available() {
        let got = function.run(backend, &[T::from_f64(1.0)], &[x])[0];
        let ulps = distance(got, right);
        assert!(ulps <= 1, "{} {} {}({x}) = {got}, not {right}", name(backend), T::NAME, function.name());
        all += 1;
        equal += usize::from(ulps == 0);
    }
    (equal, all)
}

#[test]
fn every_case_is_within_one_unit_in_the_last_place_and_most_are_equal() {
    let text = String::from_utf8(data("cases.csv")).expect("a text file");
    let (mut equal, mut all, mut rows) = (0, 0, 0);
    for line in text.lines().filter(|line| line.contains(",0x")) {
        let fields: Vec<&str> = line.split(',').collect();
        let [function, kind, _, x, _, result] = fields[..] else { panic!("{line}") };
        let bits = |text: &str| u64::from_str_radix(&text[2..], 16).expect("bits");
        let function = Function::of_name(function);
        let (e, a) = match kind {
            "f32" => check::<f32>(function, bits(x), bits(result)),
            "f64" => check::<f64>(function, bits(x), bits(result)),
            other => panic!("type {other}"),
        };
        (equal, all, rows) = (equal + e, all + a, rows + 1);
    }
    println!("{equal} of {all} results are correctly rounded");
    assert_eq!(rows, 284);
    assert!(10 * equal >= 8 * all, "{equal} of {all}");
}
