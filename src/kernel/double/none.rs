//! The exact form in double precision.
//!
//! With `t = |x|`, `Φ(-t) = e^(-t²/2) · R(t)` and `g'(-t) = e^(-t²/2) · (t0 - t) · H(t)`: `R` and `H` are smooth, and
//! `t0` is the zero of `g'(-t)`. `g(x) = max(x, 0) - t·Φ(-t)`, `g'(x) = 1 - g'(-t)` for `x > 0`.
//!
//! Every factor is a leading part whose product is carried exactly (its rounding error comes from an FMA), times
//! `1 + u` with `|u| < 0.16`; so only the last addition rounds at full size.
//!
//! Common path: `2^-8 <= t <= 4.5` forward, `t <= 4.5` backward. Beyond, the vectors concerned are
//! gathered and go through stages for the tails.

use crate::kernel::double::exp::{MAGIC, Reduced, reduce};
use crate::kernel::double::none_table::*;
use crate::kernel::double::{Formula, Rare, Scratch, polynomial};
use crate::simd::double::F64s;

/// The exact form.
pub(crate) struct Exact;

/// 2^-400: below, the low parts of products would underflow.
const TINY: u64 = (1023 - 400) << 52;
/// 2^-8: below, three terms of a series are exact enough, and more exact than the common path.
const SMALL: u64 = (1023 - 8) << 52;
/// `g(x) = x/2 + x² (S0 - S1 x² + S2 x⁴ - …)`: 1/√(2π), a sixth of it, a fortieth of it.
const SERIES: [f64; 3] = [
    f64::from_bits(0x3fd9884533d43651),
    f64::from_bits(0x3fb1058377e2cee0),
    f64::from_bits(0x3f846d04297691da),
];
/// `b` on the common path.
const COMMON_B: f64 = 6.0;
/// `z = (t - FORWARD_PIVOT)/(t + b) - FORWARD_CENTER` on the common path.
const FORWARD_PIVOT: f64 = 1.375;
const FORWARD_CENTER: f64 = 0.015625;
/// `z = t/(t + b) - BACKWARD_CENTER` on the common path.
const BACKWARD_CENTER: f64 = 0.23;
/// The same in the tails.
const TAIL_B: f64 = 2.0;
const TAIL_CENTER: f64 = 8.0;
/// Where the common path ends.
const LIMIT: u64 = 4.5f64.to_bits();

/// `p` and the table entry with `e^(-t²/2)·K = entry·(1 + p)`.
#[inline(always)]
fn gauss<V: F64s>(t: V) -> Reduced<V> {
    let half = t.mul(V::splat(-0.5));
    let a = half.mul(t);
    reduce(a, half.mul_sub(t, a), None)
}

/// The form of `R(t) = K/(t + B1)·(1 + delta(z))`. `B1` and `b` are short, so that what
/// `t + b` loses is exact.
const B1: f64 = 1.09375;

/// `1/(t + b)`.
#[inline(always)]
fn reciprocal<V: F64s>(t: V, b: f64) -> V {
    V::splat(1.0).div(t.add(V::splat(b)))
}

/// `z = (t - center)/(t + b)` of `w = 1/(t + b)`.
#[inline(always)]
fn centered<V: F64s>(t: V, w: V, center: f64) -> V {
    w.mul(t.sub(V::splat(center)))
}

/// `t·Φ(-t)`, or what the table scales it to, as `m + low` with `|low| < 0.2 m`.
#[inline(always)]
fn forward_parts<V: F64s>(t: V, p: V, scale: V, w: V, delta: V) -> (V, V) {
    let d = t.add(V::splat(B1));
    let d_low = t.sub(d.sub(V::splat(B1)));
    let u = p.add(delta.mul_add(p, delta));
    let s = t.mul(scale);
    let s_low = t.mul_sub(scale, s);
    let m = s.mul(w);
    // What s/(t + B1) is beyond m, times (t + B1).
    let rest = m.neg_mul_add(d_low, m.neg_mul_add(d, s)).add(s_low);
    // rest·w is some ulp of m, and u is large enough to count there.
    (m, m.mul_add(u, rest.mul(w.mul_add(u, w))))
}

/// `g'(-t)`, or what the table scales it to, as `m + low`, with `H(t) = K·(1 + kappa·w + delta(z))`, `w = 1/(t + b)`.
#[inline(always)]
fn backward_parts<V: F64s>(t: V, p: V, scale: V, w: V, delta: V, b: f64, kappa: f64) -> (V, V) {
    let d = t.add(V::splat(b));
    let d_low = t.sub(d.sub(V::splat(b)));
    // Seven bits fewer make 1 + kappa·w exact; what w lacks is in `rest`.
    let w = w.and_bits(!127);
    let rest = w.neg_mul_add(d_low, w.neg_mul_add(d, V::splat(1.0)));
    let kw = w.mul(V::splat(kappa));
    let head = kw.add(V::splat(1.0));
    let delta = kw.mul_add(rest, delta);
    let u = head.mul_add(p, delta.mul_add(p, delta));

    // t0 - t = 3/4 - t + ZERO_MIDDLE + ZERO_LOW, in two parts. As 3/4 is short, what the first difference loses is
    // exact; near t0, where it would matter, it loses nothing, and neither does the second.
    let near = V::splat(0.75);
    let first = near.sub(t);
    let first_low = near.sub(first).sub(t);
    let middle = V::splat(ZERO_MIDDLE);
    let g = first.add(middle);
    let g_low = first.sub(g).add(middle).add(first_low.add(V::splat(ZERO_LOW)));

    let s = g.mul(scale);
    let s_low = g_low.mul_add(scale, g.mul_sub(scale, s));
    let m = s.mul(head);
    let m_low = s_low.mul_add(head, s.mul_sub(head, m));
    // Next to t0, g_low counts in full.
    (m, s.add(s_low).mul_add(u, m_low))
}

impl Formula for Exact {
    /// Worst found: 0.993 ULP at -0x1.fa14b5723f121p+4.
    #[inline(always)]
    unsafe fn forward<V: F64s>(x: *const f64, y: *mut f64, m: usize) {
        let mut scratch = Scratch::<V, 4>::new();
        let mut rare = Rare::<V>::new();
        // SAFETY: the caller's promise; each stage gets what an earlier one put.
        unsafe {
            for i in 0..m {
                let t = V::load(x.add(i * V::LANES)).abs().max(V::splat(f64::from_bits(TINY)));
                let r = gauss(t);
                scratch.put(i, 0, [r.expm1(), r.n.exp2_eighths(&FORWARD), reciprocal(t, B1)]);
            }
            for i in 0..m {
                let t = V::load(x.add(i * V::LANES)).abs();
                let v = reciprocal(t, COMMON_B);
                // Zero near 1.6, which is best for the polynomial; the errors of v do not count near 5/8.
                let z = t.sub(V::splat(FORWARD_PIVOT)).mul_add(v, V::splat(-FORWARD_CENTER));
                let delta = polynomial(z, &FORWARD_COMMON_POLY);
                scratch.put(i, 3, [delta]);
            }
            for i in 0..m {
                let x = V::load(x.add(i * V::LANES));
                let t = x.abs();
                let g = |k| scratch.get(i, k);
                // Subnormal numbers stall some cores, even where the result is not used.
                let no_less = t.max(V::splat(f64::from_bits(TINY)));
                let (m, low) = forward_parts(no_less, g(0), g(1), g(2), g(3));
                let base = no_less.zero_where_negative(x);
                let high = base.sub(m);
                high.add(base.sub(high).sub(m).sub(low)).store(y.add(i * V::LANES));
                rare.keep(i, t.abs_outside(SMALL, LIMIT), [x]);
            }
            for r in 0..rare.count() {
                let t = tail_argument(rare.input(r, 0));
                let e = gauss(t);
                let z = centered(t, reciprocal(t, TAIL_B), TAIL_CENTER);
                let delta = polynomial(z, &FORWARD_RARE_POLY);
                scratch.put(r, 0, [e.expm1(), e.n.exp2_eighths(&FORWARD_RARE), reciprocal(t, B1), delta]);
            }
            for r in 0..rare.count() {
                let x = rare.input(r, 0);
                let g = |k| scratch.get(r, k);
                let value = forward_rare(x, g(0), g(1), g(2), g(3));
                rare.replace(r, y, x.abs().abs_outside(SMALL, LIMIT), value);
            }
        }
    }

    /// Worst found: 0.940 ULP at -0x1.622b4ca2ee6aep-14 with dy = 1; 1.179 with any dy.
    #[inline(always)]
    unsafe fn backward<V: F64s>(dy: *const f64, x: *const f64, dx: *mut f64, m: usize) {
        let mut scratch = Scratch::<V, 4>::new();
        let mut rare = Rare::<V>::new();
        // SAFETY: the caller's promise; each stage gets what an earlier one put.
        unsafe {
            for i in 0..m {
                let t = V::load(x.add(i * V::LANES)).abs();
                let r = gauss(t);
                scratch.put(i, 0, [r.expm1(), r.n.exp2_eighths(&BACKWARD_COMMON)]);
            }
            for i in 0..m {
                let t = V::load(x.add(i * V::LANES)).abs();
                let w = reciprocal(t, COMMON_B);
                // z = t/(t + b) - BACKWARD_CENTER: next to 0, the errors of w do not count.
                let z = t.mul_add(w, V::splat(-BACKWARD_CENTER));
                scratch.put(i, 2, [w, polynomial(z, &BACKWARD_COMMON_POLY)]);
            }
            for i in 0..m {
                let x = V::load(x.add(i * V::LANES));
                let dy = V::load(dy.add(i * V::LANES));
                let t = x.abs();
                let g = |k| scratch.get(i, k);
                // g'(x) = base ± g'(-t), with the sign of -x.
                let (m, low) =
                    backward_parts(t, g(0), g(1).flip_where_positive(x), g(2), g(3), COMMON_B, 10.0);
                let base = V::splat(1.0).zero_where_negative(x);
                let high = base.add(m);
                product(dy, high, base.sub(high).add(m).add(low)).store(dx.add(i * V::LANES));
                rare.keep(i, t.abs_outside(0, LIMIT), [x, dy]);
            }
            for r in 0..rare.count() {
                let t = rare.input(r, 0).abs().min(V::splat(BACKWARD_END));
                let e = gauss(t);
                let (k, j) = split_eighths(e.n_value);
                scratch.put(r, 0, [e.expm1(), j.exp2_eighths(&BACKWARD_RARE), k]);
            }
            for r in 0..rare.count() {
                let t = rare.input(r, 0).abs().min(V::splat(BACKWARD_END));
                let w = reciprocal(t, TAIL_B);
                let delta = polynomial(centered(t, w, TAIL_CENTER), &BACKWARD_RARE_POLY);
                let g = |k| scratch.get(r, k);
                let (m, low) = backward_parts(t, g(0), g(1), w, delta, TAIL_B, 1.0);
                scratch.put(r, 0, [m, low]);
            }
            for r in 0..rare.count() {
                let (x, dy) = (rare.input(r, 0), rare.input(r, 1));
                let t = x.abs();
                let g = |k| scratch.get(r, k);
                let value = tail(dy, x, g(0), g(1), g(2), t.lt(V::splat(CUT)));
                rare.replace(r, dx, t.abs_outside(0, LIMIT), value);
            }
        }
    }
}

/// `dy · (high + low)`. The low part does not see an infinite or a zero `dy`: opposite infinities would make a NaN of
/// it, and opposite zeros a +0.
#[inline(always)]
pub(crate) fn product<V: F64s>(dy: V, high: V, low: V) -> V {
    let regular = dy.abs().bits_within(1, f64::MAX.to_bits());
    let first = dy.mul(high);
    V::select(regular, dy.mul_add(high, dy.mul(low)), first)
}

/// `v · 2^-600`, rounded once, for `|v| < 2^423`, without an instruction that has a subnormal number to make: that is
/// what some cores are slow at.
#[inline(always)]
pub(crate) fn divide_by_two600<V: F64s>(v: V) -> V {
    // Below `least` the result is subnormal: the sum's last place is 2^-1074 · 2^600, so its low bits are the result.
    let least = V::splat(f64::from_bits((1023 - 422) << 52));
    let size = v.abs();
    let subnormal = size.lt(least);
    let bits = size.add(least).sub_bits(least);
    // Not a selection: the compiler would take it back, as its result is not used there.
    let normal = size.max(least).mul(V::splat(f64::from_bits((1023 - 600) << 52)));
    V::select(subnormal, bits, normal).or_sign(v)
}

/// At this all has underflowed.
const FORWARD_END: f64 = 40.0;

/// `|x|`, held where it is neither subnormal nor beyond everything.
#[inline(always)]
fn tail_argument<V: F64s>(x: V) -> V {
    x.abs().min(V::splat(FORWARD_END)).max(V::splat(1.0))
}

/// `x` tiny, beyond the limit, or NaN, after the stages for the tail's argument. The table is scaled by 2^600, so
/// nothing before the last step underflows.
#[inline(always)]
fn forward_rare<V: F64s>(x: V, p: V, scale: V, w: V, delta: V) -> V {
    let t = x.abs();
    let (m, low) = forward_parts(tail_argument(x), p, scale, w, delta);
    let v = divide_by_two600(m.add(low));
    // For x > 0 the base is x, and v is far below it; from 10 on it does not count. No instruction sees a subnormal
    // number but the one that has to make one.
    let above = V::select(t.lt(V::splat(10.0)), tail_argument(x).sub(v), x);
    let y = V::select(x.lt(V::splat(0.0)), v.neg(), above);
    let small = t.lt(V::splat(f64::from_bits(SMALL)));
    V::select(small, forward_small(x), V::select(x.is_nan(), x.or_bits(QUIET), y))
}

/// `g(x)` for `|x| < 2^-8`.
#[inline(always)]
fn forward_small<V: F64s>(x: V) -> V {
    let square = x.mul(x);
    let inner = square.mul_add(V::splat(SERIES[2]), V::splat(-SERIES[1]));
    let factor = square.mul_add(inner, V::splat(SERIES[0]));
    // The sum makes +0 of -0.
    square.mul_add(factor, x.mul(V::splat(0.5))).or_sign(x)
}

/// `n = 8k + j`, `0 <= j < 8`: `k` as a value, `j` as the low bits.
#[inline(always)]
pub(crate) fn split_eighths<V: F64s>(n: V) -> (V, V) {
    let magic = V::splat(MAGIC);
    let k = n.mul_add(V::splat(0.125), V::splat(-0.4375)).add(magic).sub(magic);
    (k, k.neg_mul_add(V::splat(8.0), n).add(magic))
}

/// Where the argument of the tail is held.
const BACKWARD_END: f64 = 56.0;

/// What makes a NaN quiet.
pub(crate) const QUIET: u64 = 1 << 51;

/// Beyond this `dy · g'(x)` is below half the least subnormal for every finite `dy`.
const CUT: f64 = 54.5;

/// Backward in the tails: `g'(-t) = (m + low)·2^k`, and `-0` where not `near`. `|m|` is within 2^-10 … 2^20.
#[inline(always)]
pub(crate) fn tail<V: F64s>(dy: V, x: V, m: V, low: V, k: V, near: V::Mask) -> V {
    let magic = V::splat(MAGIC);
    let zero = V::splat(0.0);

    // x > 0: 1 - (m + low)·2^k in one rounding. The scale need not be exact where that is 1.
    let bounded_k = k.max(V::splat(-900.0)).add(magic);
    let positive = dy.neg_mul_add(m.add(low).add_exponent(bounded_k), dy);

    // x < 0: dy as a number near 1 and a power of two.
    let size = dy.abs();
    let subnormal = size.lt(V::splat(f64::MIN_POSITIVE));
    let lifted = V::select(subnormal, dy.mul(V::splat(18446744073709551616.0)), dy);
    let lift = V::select(subnormal, V::splat(64.0), zero);
    let unit = lifted.and_bits(!(2047 << 52)).or_bits(1023 << 52);
    let exponent = lifted.abs().exponent_field().sub(V::splat(1023.0)).sub(lift).add(k);
    let v = unit.mul_add(m, unit.mul(low));
    // Where the result may be subnormal, 2^600 times it comes first. Two steps, as 2^1023 is not all there may be.
    let lifted = exponent.lt(V::splat(-900.0));
    let exponent = V::select(lifted, exponent.add(V::splat(600.0)).max(V::splat(-900.0)), exponent);
    let first = exponent.min(V::splat(960.0));
    let second = exponent.sub(first);
    let one = V::splat(1.0);
    let v = v.mul(one.add_exponent(first.add(magic))).mul(one.add_exponent(second.add(magic)));
    let v = V::select(lifted, divide_by_two600(v), v);
    // Zero, infinity and NaN have no such form; the sign and being nonzero are all that matters of g'.
    let regular = size.lt(V::splat(f64::INFINITY));
    let v = V::select(regular, V::select(zero.lt(size), v, dy.mul(m)), dy.mul(m));
    let negative = V::select(near, v, dy.mul(V::splat(-0.0)));
    let result = V::select(x.lt(zero), negative, positive);
    V::select(x.is_nan(), x.or_bits(QUIET), result)
}
