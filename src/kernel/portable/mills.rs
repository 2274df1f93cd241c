//! R(t) = exp(t²/2) Φ(−t) = exp(t²/2) erfc(t/√2)/2, half of Mills' ratio times √(2/π), for 0 <= t < 63.
//!
//! R is smooth and falls slowly from 1/2 like 1/(t √(2π)), so 16 intervals an octave of t + 1 leave a Taylor
//! series that shrinks by 2^-5 a term. Its first two coefficients have two parts. The error of the two-part
//! form is below 2^-62 of the value, of the other below 2^-51.

use super::tables::MILLS;
use super::two::{self, Two};

fn interval(t: f64) -> &'static [f64; 17] {
    let place = ((t + 1.0).to_bits() >> 48).wrapping_sub(0x3ff0) as usize;
    // The callers' t is in range; the bound keeps a wrong one from a panic.
    &MILLS[place.min(MILLS.len() - 1)]
}

fn horner(coefficients: &[f64], d: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, &c| sum * d + c)
}

/// R(t) in two parts.
pub(super) fn two_parts(t: f64) -> Two {
    let [c, value_hi, value_lo, slope_hi, slope_lo, rest @ ..] = interval(t);
    let d = t - c;
    let value = Two { hi: *value_hi, lo: *value_lo };
    let slope = Two { hi: *slope_hi, lo: *slope_lo };
    value + (slope * d + Two::from(d * d * horner(rest, d)))
}

/// R(t) in one part.
pub(super) fn one_part(t: f64) -> f64 {
    let [c, value, _, slope, _, rest @ ..] = interval(t);
    let d = t - c;
    value + d * (slope + d * horner(&rest[..6], d))
}

/// (t − t₀) H(t − t₀): a function around its zero t₀, with the relative accuracy kept; in one part.
pub(super) fn around_zero_one_part(t: f64, t0: [f64; 3], slope: Two, rest: &[f64]) -> f64 {
    let d = (t - t0[0]) - t0[1];
    d * (slope.hi + d * horner(&rest[..7], d))
}

/// The same in two parts.
pub(super) fn around_zero(t: f64, t0: [f64; 3], slope: Two, rest: &[f64]) -> Two {
    let d = two::sum(t - t0[0], -t0[1]);
    let d = Two { hi: d.hi, lo: d.lo - t0[2] };
    d * (slope + Two::from(d.hi * horner(rest, d.hi)))
}
