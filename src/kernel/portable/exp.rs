//! exp(a) = m 2^k, with m in two parts (for f64 results) or in one (for f32 results).
//!
//! a = (64 k + j) ln 2/64 + r with |r| <= ln 2/128, and exp(a) = 2^k 2^(j/64) exp(r), the middle factor from
//! a table, the last from its Taylor series. The error of the two-part form is below 2^-66 of the value, of
//! the other below 2^-50.

use super::tables::{EXP2, STEP_HEAD, STEP_TAIL, STEPS_PER_UNIT};
use super::two::{self, Two};

/// The index 64 k + j of the step nearest to a, and r less the part of a that is not in a.hi.
fn reduce(a: f64) -> (i32, f64, f64) {
    let steps = (a * STEPS_PER_UNIT + if a < 0.0 { -0.5 } else { 0.5 }) as i32;
    let n = f64::from(steps);
    (steps, a - n * STEP_HEAD, n * STEP_TAIL)
}

/// exp(a) as (m, k), m in [0.99, 2.01), for |a| < 2000.
pub(super) fn two_parts(a: Two) -> (Two, i32) {
    let (steps, head, tail) = reduce(a.hi);
    let r = two::sum(head, a.lo - tail);
    let (x, x2) = (r.hi, r.hi * r.hi);
    let series = 0.5 + x * (1.0 / 6.0 + x * (1.0 / 24.0 + x * (1.0 / 120.0 + x * (1.0 / 720.0))));
    let growth = two::sum(x, r.lo + (r.lo * x + x2 * series));
    let power = EXP2[(steps & 63) as usize];
    (power + power * growth, steps >> 6)
}

/// exp(a) for -700 < a < 700.
pub(super) fn one_part(a: f64) -> f64 {
    let (steps, head, tail) = reduce(a);
    let x = head - tail;
    let growth = x + x * x * (0.5 + x * (1.0 / 6.0 + x * (1.0 / 24.0 + x * (1.0 / 120.0))));
    let power = EXP2[(steps & 63) as usize].hi;
    let bits = (power + power * growth).to_bits() as i64;
    f64::from_bits(bits.wrapping_add(i64::from(steps >> 6) << 52) as u64)
}
