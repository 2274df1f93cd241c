//! The four functions in float, computed in double and rounded once: within 0.51 ULP (docs/ACCURACY.md).
//!
//! The formulas are those of double.rs. One-term double arithmetic is enough: what rounding t² costs in exp is
//! t² 2^-53, and a float's tail ends at t = 14.4 (backward with a large dy: 19.8).

use super::tables::{
    INV_SQRT_2PI, TANH_3B, TANH_A, TANH_B, ZERO_NONE_AT, ZERO_NONE_H, ZERO_NONE_H0, ZERO_TANH_AT,
    ZERO_TANH_H, ZERO_TANH_H0,
};
use super::{exp, mills};
use crate::kernel::cut;

/// Half the width of the interval around the derivative's zero that has its own expansion.
const NEAR_ZERO: f64 = 0.03125;

pub(super) fn forward_none(x: f32) -> f32 {
    forward(x, f64::from(cut::NONE_F32), |t| exp::one_part(-0.5 * t * t) * mills::one_part(t))
}

pub(super) fn forward_tanh(x: f32) -> f32 {
    forward(x, f64::from(cut::TANH_F32), |t| {
        let e = exp::one_part(-t * (TANH_A.hi + TANH_B.hi * t * t));
        e / (1.0 + e)
    })
}

pub(super) fn backward_none(dy: f32, x: f32) -> f32 {
    backward(dy, x, f64::from(cut::NONE_F32), |t| {
        let factor = if (t - ZERO_NONE_AT[0]).abs() < NEAR_ZERO {
            mills::around_zero_one_part(t, ZERO_NONE_AT, ZERO_NONE_H0, &ZERO_NONE_H)
        } else {
            mills::one_part(t) - INV_SQRT_2PI.hi * t
        };
        exp::one_part(-0.5 * t * t) * factor
    })
}

pub(super) fn backward_tanh(dy: f32, x: f32) -> f32 {
    backward(dy, x, f64::from(cut::TANH_F32), |t| {
        let e = exp::one_part(-t * (TANH_A.hi + TANH_B.hi * t * t));
        let factor = if (t - ZERO_TANH_AT[0]).abs() < NEAR_ZERO {
            mills::around_zero_one_part(t, ZERO_TANH_AT, ZERO_TANH_H0, &ZERO_TANH_H)
        } else {
            1.0 + e - t * (TANH_A.hi + TANH_3B.hi * t * t)
        };
        e * factor / ((1.0 + e) * (1.0 + e))
    })
}

/// max(x, 0) − t q(t), where q gives the positive tail.
fn forward(x: f32, cut: f64, q: impl Fn(f64) -> f64) -> f32 {
    if x.is_nan() {
        return x + x;
    }
    let x = f64::from(x);
    let t = x.abs();
    if t >= cut {
        return if x > 0.0 { x as f32 } else { -0.0 };
    }
    let tail = q(t);
    (x * if x > 0.0 { 1.0 - tail } else { tail }) as f32
}

/// dy g'(x), where tail gives g'(−t).
fn backward(dy: f32, x: f32, cut: f64, tail: impl Fn(f64) -> f64) -> f32 {
    if x.is_nan() {
        return dy + x;
    }
    let (dy, x) = (f64::from(dy), f64::from(x));
    let t = x.abs();
    let slope = if t >= cut {
        if x > 0.0 { 1.0 } else { -0.0 }
    } else if x > 0.0 {
        1.0 - tail(t)
    } else {
        tail(t)
    };
    (dy * slope) as f32
}
