//! Two-term ("double-double") arithmetic without FMA.
//!
//! A [`Two`] is the unevaluated sum of two doubles, |lo| at most half a unit in the last place of hi: about
//! 106 bits. The operations are Dekker's and Knuth's (T. J. Dekker, "A floating-point technique for extending
//! the available precision", 1971); each is good to a few units in 2^-102. No operand here comes near the
//! exponents where the splitting overflows.

use core::ops::{Add, Mul, Neg, Sub};

#[derive(Clone, Copy)]
pub(super) struct Two {
    pub(super) hi: f64,
    pub(super) lo: f64,
}

/// a + b without error, for any a and b.
pub(super) fn sum(a: f64, b: f64) -> Two {
    let hi = a + b;
    let from_b = hi - a;
    Two { hi, lo: (a - (hi - from_b)) + (b - from_b) }
}

/// a + b without error where |a| >= |b| or a is 0.
fn ordered_sum(a: f64, b: f64) -> Two {
    let hi = a + b;
    Two { hi, lo: b - (hi - a) }
}

/// The upper 26 bits of a; the rest fits in 26 bits as well.
fn upper(a: f64) -> f64 {
    let spread = a * 134_217_729.0;
    spread - (spread - a)
}

/// a * b without error.
pub(super) fn product(a: f64, b: f64) -> Two {
    let hi = a * b;
    let (a1, b1) = (upper(a), upper(b));
    let (a2, b2) = (a - a1, b - b1);
    Two { hi, lo: ((a1 * b1 - hi) + a1 * b2 + a2 * b1) + a2 * b2 }
}

impl From<f64> for Two {
    fn from(hi: f64) -> Self {
        Self { hi, lo: 0.0 }
    }
}

impl Neg for Two {
    type Output = Self;
    fn neg(self) -> Self {
        Self { hi: -self.hi, lo: -self.lo }
    }
}

impl Add for Two {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let head = sum(self.hi, other.hi);
        let tail = sum(self.lo, other.lo);
        let s = ordered_sum(head.hi, head.lo + tail.hi);
        ordered_sum(s.hi, s.lo + tail.lo)
    }
}

impl Sub for Two {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Two {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let head = product(self.hi, other.hi);
        ordered_sum(head.hi, head.lo + (self.hi * other.lo + self.lo * other.hi))
    }
}

impl Mul<f64> for Two {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        let head = product(self.hi, factor);
        ordered_sum(head.hi, head.lo + self.lo * factor)
    }
}

impl Two {
    /// 1 / self.
    pub(super) fn reciprocal(self) -> Self {
        let first = 1.0 / self.hi;
        let rest = Self::from(1.0) - self * first;
        ordered_sum(first, rest.hi * first)
    }

    /// self * 2^k without error where the result is normal; less than 2^-1000 where it is not.
    pub(super) fn shifted(self, k: i32) -> Self {
        let power = power_of_two(k);
        Self { hi: self.hi * power, lo: self.lo * power }
    }

    /// self * 2^k rounded to 53 bits, and once more where the result is subnormal, for |self| in 2^-60 .. 2^60.
    pub(super) fn scaled(self, k: i32) -> f64 {
        let k = k.clamp(-2400, 2000);
        (self.hi + self.lo) * power_of_two(k / 2) * power_of_two(k - k / 2)
    }
}

/// 2^k. Two factors of half the exponent reach every result, and only the last product rounds; below
/// 2^-1022 the factor would not be exact, and what it scales is 0 in the end: it is cut there.
fn power_of_two(k: i32) -> f64 {
    f64::from_bits(((k.clamp(-1022, 1023) + 1023) as u64) << 52)
}
