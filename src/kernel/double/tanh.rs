//! The tanh form in double precision: its rows, and the tails.
//!
//! `v = 2u = A·t + B·t³`, `t = |x|`, `e = e^-v`, `h = e/(1 + e)`. For `t > 4`, where `e < 10^-4`, `-g(-t) = t·e·(1 - h)`
//! and `g'(-t) = e·(1 - h)²·S`, `S = 1 + e - t·(A + 3B·t²)`.
//!
//! An absolute error of `v` is a relative one of `e`, so `v`, `S` and the products of a table's entry are carried in two
//! parts; all else is a relative correction below a twentieth.

use crate::kernel::cut;
use crate::kernel::double::exp::{MAGIC, expm1, reduce};
use crate::kernel::double::rows_table::{BACKWARD_TANH, FORWARD_TANH, SHIFT_TANH};
use crate::kernel::double::tail::{backward_stages, forward_end, split_eighths};
use crate::kernel::double::tanh_table::*;
use crate::kernel::double::{Formula, Rare, Scratch};
use crate::simd::double::{F64s, Row};

/// The tanh form.
pub(crate) struct Tanh;

/// At these all has underflowed, the second for every finite `dy`.
const FORWARD_END: f64 = 22.0;
const BACKWARD_END: f64 = 28.0;

/// 2^300.
const TWO300: f64 = f64::from_bits((1023 + 300) << 52);

/// `c·t² + A_HIGH` in two parts; `s` is `t²`, the low parts are what `t²`, `c` and `A_HIGH` lack.
#[inline(always)]
fn quadratic<V: F64s>(s: V, s_low: V, c: f64, c_low: f64) -> (V, V) {
    let (c, c_low, a) = (V::splat(c), V::splat(c_low), V::splat(A_HIGH));
    let high = s.mul_add(c, a);
    // `high - a` is exact, as A_HIGH is short.
    let low = s.mul_sub(c, high.sub(a));
    let low = s_low.mul_add(c, low).add(s.mul_add(c_low, V::splat(A_LOW)));
    (high, low)
}

/// `-v` in two parts.
#[inline(always)]
fn exponent<V: F64s>(t: V) -> [V; 2] {
    let s = t.mul(t);
    let s_low = t.mul_sub(t, s);
    let (high, low) = quadratic(s, s_low, B_HIGH, B_LOW);
    // A_LOW is far above an ulp of A_HIGH: carry.
    let w = high.add(low);
    let w_low = high.sub(w).add(low);
    let v = t.mul(w);
    [v, t.mul_add(w_low, t.mul_sub(w, v))]
}

/// `e/(1 + e)` to `e⁵`.
#[inline(always)]
fn fraction<V: F64s>(e: V) -> V {
    let two = e.neg_mul_add(e, e);
    two.mul_add(e.mul(e), two)
}

/// `(1 + u)(1 - h) - 1`.
#[inline(always)]
fn lessen<V: F64s>(u: V, h: V) -> V {
    u.sub(h.mul_add(u, h))
}

impl Formula for Tanh {
    const LIMIT: f64 = 4.0;
    const FORWARD: &'static [Row] = &FORWARD_TANH;
    const BACKWARD: &'static [Row] = &BACKWARD_TANH;
    const SHIFT: f64 = SHIFT_TANH;

    #[inline(always)]
    fn forward_tail<V: F64s>(rare: &mut Rare) {
        let vectors = rare.vectors::<V>();
        let mut scratch = Scratch::<V, 2>::new();
        // SAFETY: each stage gets what an earlier one put.
        unsafe {
            for r in 0..vectors {
                let t = rare.input::<V>(r, 0).abs().min(V::splat(FORWARD_END));
                scratch.put(r, 0, exponent(t));
            }
            for r in 0..vectors {
                let e = reduce(scratch.get(r, 0), scratch.get(r, 1), LN_K);
                // With 2^600 in the scale nothing before the last step underflows.
                scratch.put(r, 0, [e.f, e.n.add(V::splat(4800.0)).exp2_eighths(&EXP2)]);
            }
            for r in 0..vectors {
                let (p, scale) = (expm1(scratch.get(r, 0)), scratch.get(r, 1));
                // Not below 2^-300, so that no power of it underflows.
                let e = scale.mul_add(p, scale).max(V::splat(TWO300)).mul(V::splat(1.0 / TWO300 / TWO300));
                scratch.put(r, 0, [lessen(p, fraction(e))]);
            }
            for r in 0..vectors {
                let x: V = rare.input(r, 0);
                let t = x.abs().min(V::splat(FORWARD_END));
                let (u, scale) = (scratch.get(r, 0), scratch.get(r, 1));
                let high = t.mul(scale);
                let lifted = high.add(high.mul_add(u, t.mul_sub(scale, high)));
                rare.put(r, forward_end(x, lifted));
            }
        }
    }

    #[inline(always)]
    fn backward_tail<V: F64s>(rare: &mut Rare) {
        let vectors = rare.vectors::<V>();
        let mut scratch = Scratch::<V, 5>::new();
        // SAFETY: each stage gets what an earlier one put.
        unsafe {
            for r in 0..vectors {
                let t = rare.input::<V>(r, 0).abs().min(V::splat(BACKWARD_END));
                scratch.put(r, 0, exponent(t));
            }
            for r in 0..vectors {
                let e = reduce(scratch.get(r, 0), scratch.get(r, 1), LN_K);
                let (k, j) = split_eighths(e.n_value);
                scratch.put(r, 0, [e.f, j.exp2_eighths(&EXP2), k]);
            }
            for r in 0..vectors {
                let t = rare.input::<V>(r, 0).abs().min(V::splat(BACKWARD_END));
                // S - e, in two parts.
                let s = t.mul(t);
                let (w, w_low) = quadratic(s, t.mul_sub(t, s), B3_HIGH, B3_LOW);
                let u = t.mul(w);
                let u_low = t.mul_add(w_low, t.mul_sub(w, u));
                let g = u.add(V::splat(1.0));
                scratch.put(r, 3, [g, u.sub(g).add(V::splat(1.0)).add(u_low)]);
            }
            for r in 0..vectors {
                let (p, scale, k) = (expm1(scratch.get(r, 0)), scratch.get(r, 1), scratch.get(r, 2));
                // Not below 2^-300, so that no power of it underflows.
                let e = scale.mul_add(p, scale).add_exponent(k.max(V::splat(-300.0)).add(V::splat(MAGIC)));
                let h = fraction(e);
                let u = lessen(lessen(p, h), h);
                let (g, g_low) = (scratch.get(r, 3), scratch.get(r, 4));
                let high = g.mul(scale);
                let rest = g_low.add(e).mul_add(scale, g.mul_sub(scale, high));
                let low = high.add(rest).mul_add(u, rest);
                scratch.put(r, 0, [high, low]);
            }
            backward_stages(rare, &mut scratch, cut::TANH_F64);
        }
    }
}
