//! The exact form in double precision: its rows, and the tails.
//!
//! For `t > 5`, `t·Φ(-t) = e^(-t²/2) · F` and `g'(-t) = e^(-t²/2) · t · G`, where `F` and `G` are within 2 % of
//! constants, which the tables of the exponential hold; so both are a table's entry times `1 + u` with `|u| < 0.07`.
//! Before that rounds, `t²` and the product with `t` are carried in two parts.

use crate::kernel::cut;
use crate::kernel::double::exp::{Reduced, expm1, reduce};
use crate::kernel::double::none_table::*;
use crate::kernel::double::rows_table::{BACKWARD_NONE, FORWARD_NONE, SHIFT_NONE};
use crate::kernel::double::tail::{backward_stages, forward_end, split_eighths};
use crate::kernel::double::{Formula, Rare, Scratch, polynomial};
use crate::simd::double::{F64s, Row};

/// The exact form.
pub(crate) struct Exact;

/// At these all has underflowed, the second for every finite `dy`.
const FORWARD_END: f64 = 40.0;
const BACKWARD_END: f64 = 56.0;

/// The exponential `e^(-t²/2)`, and `z = 1/(t²/2 + 2.25) - 1/32`.
#[inline(always)]
fn gauss<V: F64s>(t: V) -> (Reduced<V>, V) {
    let half = t.mul(V::splat(-0.5));
    let a = half.mul(t);
    let z = V::splat(1.0).div(V::splat(2.25).sub(a)).sub(V::splat(0.03125));
    (reduce(a, half.mul_sub(t, a), 0.0), z)
}

/// `(1 + p)(1 + delta) - 1`.
#[inline(always)]
fn excess<V: F64s>(p: V, delta: V) -> V {
    p.add(delta.mul_add(p, delta))
}

impl Formula for Exact {
    const LIMIT: f64 = 5.0;
    const FORWARD: &'static [Row] = &FORWARD_NONE;
    const BACKWARD: &'static [Row] = &BACKWARD_NONE;
    const SHIFT: f64 = SHIFT_NONE;

    #[inline(always)]
    fn forward_tail<V: F64s>(rare: &mut Rare) {
        let vectors = rare.vectors::<V>();
        let mut scratch = Scratch::<V, 3>::new();
        // SAFETY: each stage gets what an earlier one put.
        unsafe {
            for r in 0..vectors {
                let (e, z) = gauss(rare.input::<V>(r, 0).abs().min(V::splat(FORWARD_END)));
                scratch.put(r, 0, [expm1(e.f), e.n.exp2_eighths(&FORWARD_EXP2), z]);
            }
            for r in 0..vectors {
                let (p, scale) = (scratch.get(r, 0), scratch.get(r, 1));
                let u = excess(p, polynomial(scratch.get(r, 2), &FORWARD_POLY));
                let x: V = rare.input(r, 0);
                rare.put(r, forward_end(x, scale.mul_add(u, scale)));
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
                let (e, z) = gauss(rare.input::<V>(r, 0).abs().min(V::splat(BACKWARD_END)));
                let (k, j) = split_eighths(e.n_value);
                scratch.put(r, 0, [expm1(e.f), j.exp2_eighths(&BACKWARD_EXP2), k, z]);
            }
            for r in 0..vectors {
                let (p, scale) = (scratch.get(r, 0), scratch.get(r, 1));
                let u = excess(p, polynomial(scratch.get(r, 3), &BACKWARD_POLY));
                let t = rare.input::<V>(r, 0).abs().min(V::splat(BACKWARD_END));
                let high = t.mul(scale);
                scratch.put(r, 0, [high, high.mul_add(u, t.mul_sub(scale, high))]);
            }
            backward_stages(rare, &mut scratch, cut::NONE_F64);
        }
    }
}
