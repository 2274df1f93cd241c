//! The four functions in double, in two-term arithmetic: within 0.51 ULP where the result is normal, within
//! 0.76 ULP where it is subnormal (docs/ACCURACY.md has the measured worst cases).
//!
//! With t = |x|:
//! - exact form: q(t) = Φ(−t) = exp(−t²/2) R(t); y = max(x, 0) − t q(t);
//!   g'(−t) = exp(−t²/2) (R(t) − t/√(2π)) and g'(t) = 1 − g'(−t).
//! - tanh form, v = 2u = t (a + b t²), e = exp(−v): σ(−v) = e/(1 + e); y = max(x, 0) − t σ(−v);
//!   g'(−t) = e/(1 + e)² (1 + e − t (a + 3 b t²)) and g'(t) = 1 − g'(−t).
//!
//! Both second factors of g'(−t) vanish near t = 0.752; around it they are expanded in t − t₀.

use super::tables::{
    INV_SQRT_2PI, TANH_3B, TANH_A, TANH_B, ZERO_NONE_AT, ZERO_NONE_H, ZERO_NONE_H0, ZERO_TANH_AT,
    ZERO_TANH_H, ZERO_TANH_H0,
};
use super::two::{self, Two};
use super::{exp, mills};
use crate::kernel::cut;

/// Beyond this |x| forward has reached x and −0, as the tail is less than half the last place of either.
const FORWARD_NONE_END: f64 = 39.0;
const FORWARD_TANH_END: f64 = 22.0;
/// Half the width of the interval around the derivative's zero that has its own expansion.
const NEAR_ZERO: f64 = 0.03125;

/// A value m 2^k whose scaling is still to be done.
type Scaled = (Two, i32);

pub(super) fn forward_none(x: f64) -> f64 {
    forward(x, FORWARD_NONE_END, |t| {
        let (power, k) = exp::two_parts(-(two::product(t, t) * 0.5));
        (power * mills::two_parts(t), k)
    })
}

pub(super) fn forward_tanh(x: f64) -> f64 {
    forward(x, FORWARD_TANH_END, |t| {
        let (power, k) = exp::two_parts(-tanh_exponent(t));
        (power * (Two::from(1.0) + power.shifted(k)).reciprocal(), k)
    })
}

pub(super) fn backward_none(dy: f64, x: f64) -> f64 {
    backward(dy, x, cut::NONE_F64, |t| {
        let (power, k) = exp::two_parts(-(two::product(t, t) * 0.5));
        let factor = if (t - ZERO_NONE_AT[0]).abs() < NEAR_ZERO {
            mills::around_zero(t, ZERO_NONE_AT, ZERO_NONE_H0, &ZERO_NONE_H)
        } else {
            mills::two_parts(t) - INV_SQRT_2PI * t
        };
        (power * factor, k)
    })
}

pub(super) fn backward_tanh(dy: f64, x: f64) -> f64 {
    backward(dy, x, cut::TANH_F64, |t| {
        let (power, k) = exp::two_parts(-tanh_exponent(t));
        let one_plus_e = Two::from(1.0) + power.shifted(k);
        let factor = if (t - ZERO_TANH_AT[0]).abs() < NEAR_ZERO {
            mills::around_zero(t, ZERO_TANH_AT, ZERO_TANH_H0, &ZERO_TANH_H)
        } else {
            one_plus_e - (TANH_A + TANH_3B * two::product(t, t)) * t
        };
        let inverse = one_plus_e.reciprocal();
        (power * inverse * inverse * factor, k)
    })
}

/// v = 2u = t (a + b t²) for t >= 0.
fn tanh_exponent(t: f64) -> Two {
    (TANH_A + TANH_B * two::product(t, t)) * t
}

/// max(x, 0) − t q(t), where q gives the positive tail.
fn forward(x: f64, end: f64, q: impl Fn(f64) -> Scaled) -> f64 {
    if x.is_nan() {
        return x + x;
    }
    let t = x.abs();
    if t >= end {
        return if x > 0.0 { x } else { -0.0 };
    }
    let (m, k) = q(t);
    if x <= 0.0 {
        // The sign of zero is that of x.
        return scaled_product(-t, m, k).copysign(x);
    }
    scaled_product(x, Two::from(1.0) - m.shifted(k), 0)
}

/// dy g'(x), where tail gives g'(−t).
fn backward(dy: f64, x: f64, cut: f64, tail: impl Fn(f64) -> Scaled) -> f64 {
    if x.is_nan() {
        return dy + x;
    }
    let t = x.abs();
    if t >= cut {
        return dy * if x > 0.0 { 1.0 } else { -0.0 };
    }
    let (m, k) = tail(t);
    if x <= 0.0 { scaled_product(dy, m, k) } else { scaled_product(dy, Two::from(1.0) - m.shifted(k), 0) }
}

/// factor m 2^k for any factor, rounded as `Two::scaled` does.
fn scaled_product(factor: f64, m: Two, k: i32) -> f64 {
    if factor == 0.0 || !factor.is_finite() {
        return factor * m.hi;
    }
    let (fraction, exponent) = split(factor);
    (m * fraction).scaled(k + exponent)
}

/// A finite nonzero v as fraction 2^exponent with |fraction| in [1, 2).
fn split(v: f64) -> (f64, i32) {
    const FRACTION: u64 = (1 << 52) - 1;
    let (v, bias) = if v.abs() < f64::MIN_POSITIVE { (v * 2f64.powi(64), 1023 + 64) } else { (v, 1023) };
    let bits = v.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32 - bias;
    (f64::from_bits(bits & (FRACTION | 1 << 63) | 1023 << 52), exponent)
}
