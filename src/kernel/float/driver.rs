//! The loops of the f32 kernels.
//!
//! A buffer is walked in blocks. The first pass over a block computes every vector by the common path and notes, without
//! a branch, which vectors have lanes outside of it; the second pass repairs those lanes. So no branch depends on the
//! data of a single vector, and data that is half in the tail costs no mispredictions. The remainder is one partial
//! vector through the same arithmetic.

use super::exp_tail::{integer, scale_negative, scale_or_tiny};
use super::interval::{ABS, BackwardTable, Evaluate, ForwardTable};
use crate::simd::float::{F32s, pair::Pair};
use core::mem::MaybeUninit;

pub(super) const MINUS_ZERO: f32 = -0.0;

/// Elements of a block: a multiple of the lanes of every implementation, small enough that it stays in the L1 cache.
const BLOCK: usize = 1024;

/// y = max(x, 0) - f(|x|).
pub(crate) trait Forward {
    /// f below the bound.
    const TABLE: &'static ForwardTable;
    /// y for t = |x| from the bound on; with NaN and infinities.
    ///
    /// # Safety
    /// The features of V.
    unsafe fn tail<V: F32s>(x: V, t: V) -> V;
}

/// -w = (high + low) 2^k for the w of `Backward`.
pub(crate) struct Tail<V> {
    pub(super) high: V,
    pub(super) low: V,
    /// Integer patterns, not values.
    pub(super) k: V,
}

/// dx = dy · g'(x), g'(-t) = w(t), g'(t) = 1 - w(t).
pub(crate) trait Backward {
    /// w below the bound.
    const TABLE: &'static BackwardTable;
    /// The largest float at which w is positive.
    const ZERO: f32;
    /// From here on w counts as -0: even the largest dy times w rounds to 0.
    const CUT: f32;
    /// w for t from the bound to the cut; NaN for NaN.
    ///
    /// # Safety
    /// The features of V.
    unsafe fn tail<V: F32s>(t: V) -> Tail<V>;
}

/// The common path, and the lanes where it holds.
#[inline(always)]
unsafe fn forward_common<V: F32s, F: Forward>(x: V) -> (V, V::Mask) {
    // SAFETY: the caller has the features of V.
    unsafe {
        let t = x.and_bits(V::splat(ABS));
        let (head, rest) = F::TABLE.at(t);
        // Both differences but the last are exact.
        let y = V::splat(MINUS_ZERO).max_or(x).sub(head).sub(rest);
        (y, t.lt(V::splat(F::TABLE.bound)))
    }
}

/// y where the common path holds, and the tail elsewhere.
#[inline(always)]
unsafe fn forward_repair<V: F32s, F: Forward>(x: V, y: V) -> V {
    // SAFETY: the caller has the features of V.
    unsafe {
        let t = x.and_bits(V::splat(ABS));
        V::select(t.lt(V::splat(F::TABLE.bound)), y, F::tail(x, t))
    }
}

/// Where the vectors of a block begin that need repair. The number of them is a variable of the loop, and so a register.
type Marked = [MaybeUninit<u32>; BLOCK];

/// Notes `at` as entry `count` if `marked`, and gives the new count.
#[inline(always)]
unsafe fn note(list: &mut Marked, count: usize, at: usize, marked: bool) -> usize {
    debug_assert!(count < BLOCK);
    // SAFETY: at most one entry for each vector of a block.
    unsafe { list.get_unchecked_mut(count).write(at as u32) };
    count + marked as usize
}

/// Entry `i`, one of those below the count.
#[inline(always)]
unsafe fn noted(list: &Marked, i: usize) -> usize {
    debug_assert!(i < BLOCK);
    // SAFETY: written by `note`.
    unsafe { list.get_unchecked(i).assume_init() as usize }
}

/// A copy of a block that the results overwrite.
type Saved = MaybeUninit<[f32; BLOCK]>;

/// `from`, or a copy of its n elements if `to` is the same place.
#[inline(always)]
unsafe fn kept(from: *const f32, to: *const f32, n: usize, saved: &mut Saved) -> *const f32 {
    if from != to {
        return from;
    }
    let copy = saved.as_mut_ptr().cast::<f32>();
    // SAFETY: n <= BLOCK elements, of the caller's buffer and of the copy.
    unsafe { from.cast::<u8>().copy_to_nonoverlapping(copy.cast(), n * size_of::<f32>()) };
    copy
}

/// y[i] = g(x[i]) for i < n.
///
/// # Safety
/// The features of V; `x` good for reads and `y` for writes of n elements, either the same buffer or disjoint.
#[inline(always)]
pub(crate) unsafe fn forward<V: F32s, F: Forward>(x: *const f32, y: *mut f32, n: usize) {
    // SAFETY: every access is to whole vectors below n, or to the n % LANES elements after them.
    unsafe {
        let whole = n - n % V::LANES;
        if whole != 0 {
            let mut saved = Saved::uninit();
            let mut marked: Marked = [const { MaybeUninit::uninit() }; BLOCK];
            let mut begin = 0;
            while begin < whole {
                let size = (whole - begin).min(BLOCK);
                let y = y.add(begin);
                let x = kept(x.add(begin), y, size, &mut saved);
                let mut count = 0;
                let mut i = 0;
                while i + 2 * V::LANES <= size {
                    let (result, inside) = forward_common::<Pair<V>, F>(Pair::load(x.add(i)));
                    result.store(y.add(i));
                    count = note(&mut marked, count, i, !V::all(inside.0));
                    count = note(&mut marked, count, i + V::LANES, !V::all(inside.1));
                    i += 2 * V::LANES;
                }
                while i < size {
                    let (result, inside) = forward_common::<V, F>(V::load(x.add(i)));
                    result.store(y.add(i));
                    count = note(&mut marked, count, i, !V::all(inside));
                    i += V::LANES;
                }
                let mut j = 0;
                while j + 2 <= count {
                    let (a, b) = (noted(&marked, j), noted(&marked, j + 1));
                    let x = Pair(V::load(x.add(a)), V::load(x.add(b)));
                    let Pair(first, second) =
                        forward_repair::<_, F>(x, Pair(V::load(y.add(a)), V::load(y.add(b))));
                    first.store(y.add(a));
                    second.store(y.add(b));
                    j += 2;
                }
                if j < count {
                    let i = noted(&marked, j);
                    forward_repair::<V, F>(V::load(x.add(i)), V::load(y.add(i))).store(y.add(i));
                }
                begin += size;
            }
        }
        let rest = n - whole;
        if rest != 0 {
            let x = V::load_first(x.add(whole), rest);
            let (mut result, inside) = forward_common::<V, F>(x);
            if !V::all(inside) {
                result = forward_repair::<V, F>(x, result);
            }
            result.store_first(y.add(whole), rest);
        }
    }
}

/// The common path, and the lanes where it holds.
#[inline(always)]
unsafe fn backward_common<V: F32s, F: Backward>(dy: V, x: V) -> (V, V::Mask) {
    // SAFETY: the caller has the features of V.
    unsafe {
        let t = x.and_bits(V::splat(ABS));
        let (head, rest) = F::TABLE.at(t);
        let signed = dy.flip_sign_unless(x);
        let one = x.select_by_sign(V::splat(0.0), V::splat(1.0));
        // g' as a rounded value and what that lacks: next to the zero of g' the rest is larger than g' itself, and
        // dy times it may not be rounded alone.
        let exact = head.sub(one);
        let value = exact.add(rest);
        let lacks = rest.sub(value.sub(exact));
        let dx = signed.mul_add(value, signed.mul(lacks));
        // An infinite dy may have made ∞ - ∞ of it, and a zero dy 0 - 0.
        (dx, V::both(t.lt(V::splat(F::TABLE.bound)), dx.is_nonzero()))
    }
}

/// Power of two that keeps dy · high finite for the largest dy (high stays below 2¹¹).
const ROOM: i32 = 11;

/// dx where the common path holds, and the tail elsewhere.
#[inline(always)]
unsafe fn backward_repair<V: F32s, F: Backward>(dy: V, x: V, dx: V) -> V {
    // SAFETY: the caller has the features of V.
    unsafe {
        let (zero, one) = (V::splat(0.0), V::splat(1.0));
        let t = x.and_bits(V::splat(ABS));
        let inside = t.lt(V::splat(F::TABLE.bound));
        // Zeros, infinities and NaN act through the sign of g' alone. The sum makes a signalling NaN quiet, which a
        // product with 1 need not: compilers drop it.
        let twice = dy.add(dy);
        let is_finite = dy.and_bits(V::splat(ABS)).lt(V::splat(f32::INFINITY));
        let falling = V::select(V::splat(F::ZERO).lt(t), V::splat(-1.0), one);
        let near =
            V::select(V::both(is_finite, dy.is_nonzero()), dx, twice.mul(x.select_by_sign(falling, one)));
        if V::all(inside) {
            return near;
        }

        let finite = V::select(is_finite, dy, zero);
        let cut = V::splat(F::CUT);
        let w = F::tail(cut.min_or(t));
        let dead = cut.lt(t);
        let room = V::splat(1.0 / (1 << ROOM) as f32);
        let high = V::select(dead, zero, w.high.mul(room));
        let low = V::select(dead, zero, w.low.mul(room));
        let k = w.k.add_bits(integer(ROOM));
        let product = dy.mul_add(high, finite.mul(low));
        let left = V::select(
            V::both(is_finite, dy.is_nonzero()),
            scale_negative(product, k),
            dy.mul(V::splat(MINUS_ZERO).sub(high)),
        );
        // 2^k from 2^-64 on is nothing beside 1.
        let right = finite.mul_add(scale_or_tiny(high.add(low), k), dy);
        // (A NaN x goes right, where it stays one.)
        V::select(inside, near, V::select(x.lt(zero), left, right))
    }
}

/// dx[i] = dy[i] · g'(x[i]) for i < n.
///
/// # Safety
/// The features of V; `dy` and `x` good for reads and `dx` for writes of n elements; `dx` may be one of the others or
/// both, or is disjoint from them.
#[inline(always)]
pub(crate) unsafe fn backward<V: F32s, F: Backward>(dy: *const f32, x: *const f32, dx: *mut f32, n: usize) {
    // SAFETY: every access is to whole vectors below n, or to the n % LANES elements after them.
    unsafe {
        let whole = n - n % V::LANES;
        if whole != 0 {
            let (mut saved_dy, mut saved_x) = (Saved::uninit(), Saved::uninit());
            let mut marked: Marked = [const { MaybeUninit::uninit() }; BLOCK];
            let mut begin = 0;
            while begin < whole {
                let size = (whole - begin).min(BLOCK);
                let dx = dx.add(begin);
                let dy = kept(dy.add(begin), dx, size, &mut saved_dy);
                let x = kept(x.add(begin), dx, size, &mut saved_x);
                let mut count = 0;
                let mut i = 0;
                while i + 2 * V::LANES <= size {
                    let (result, inside) =
                        backward_common::<Pair<V>, F>(Pair::load(dy.add(i)), Pair::load(x.add(i)));
                    result.store(dx.add(i));
                    count = note(&mut marked, count, i, !V::all(inside.0));
                    count = note(&mut marked, count, i + V::LANES, !V::all(inside.1));
                    i += 2 * V::LANES;
                }
                while i < size {
                    let (result, inside) = backward_common::<V, F>(V::load(dy.add(i)), V::load(x.add(i)));
                    result.store(dx.add(i));
                    count = note(&mut marked, count, i, !V::all(inside));
                    i += V::LANES;
                }
                let mut j = 0;
                while j + 2 <= count {
                    let (a, b) = (noted(&marked, j), noted(&marked, j + 1));
                    let dy = Pair(V::load(dy.add(a)), V::load(dy.add(b)));
                    let x = Pair(V::load(x.add(a)), V::load(x.add(b)));
                    let Pair(first, second) =
                        backward_repair::<_, F>(dy, x, Pair(V::load(dx.add(a)), V::load(dx.add(b))));
                    first.store(dx.add(a));
                    second.store(dx.add(b));
                    j += 2;
                }
                if j < count {
                    let i = noted(&marked, j);
                    backward_repair::<V, F>(V::load(dy.add(i)), V::load(x.add(i)), V::load(dx.add(i)))
                        .store(dx.add(i));
                }
                begin += size;
            }
        }
        let rest = n - whole;
        if rest != 0 {
            let (dy, x) = (V::load_first(dy.add(whole), rest), V::load_first(x.add(whole), rest));
            let (mut result, inside) = backward_common::<V, F>(dy, x);
            if !V::all(inside) {
                result = backward_repair::<V, F>(dy, x, result);
            }
            result.store_first(dx.add(whole), rest);
        }
    }
}
