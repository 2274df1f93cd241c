//! The loops of the f32 kernels.
//!
//! A buffer is walked in blocks, a block in passes, so that none waits for a chain of dependent operations: the first
//! finds the row of every element, the second computes every vector by the common path. If it was wrong in some lane of
//! the block, a third looks for the vectors concerned and repairs them. After a block that was nearly all far left
//! the next one begins with the path for that. No branch of a block without rare lanes depends on its data. The remainder is one partial
//! vector through the same arithmetic.

use super::rows::Table;
use super::tail::round;
use crate::simd::double::F64s;
use crate::simd::float::F32s;
use core::mem::MaybeUninit;

/// Clears the sign.
const ABS: f32 = f32::from_bits(0x7fff_ffff);
const MINUS_ZERO: f32 = -0.0;

/// Vectors of a block: one for each bit of a mask.
const VECTORS: usize = u32::BITS as usize;
/// The lanes of the widest vector.
const WIDEST: usize = 16;
/// Elements of a block, at most.
const BLOCK: usize = WIDEST * VECTORS;

/// out = m · T(x): T = Φ and m = x, or T = g' and m = dy.
pub(crate) trait Function {
    type Direction: Direction;
    const TABLE: &'static Table;
    /// Where the table begins.
    const EDGE: f32 = Self::TABLE.edge();
    /// From here on, to the left, T counts as -0: it rounds the product with the largest m to 0.
    const LAST: f32;
    /// -T(-t) |m| for t from the table's end to `LAST`; T(-t) t for the forward functions. It is positive up to `LAST`.
    fn far<W: F64s>(m: W, t: W, correction: W) -> W;
    /// The part of it that need not be computed in double precision.
    ///
    /// # Safety
    /// The features of V.
    unsafe fn correction<V: F32s>(t: V) -> V;
}

/// Forward or backward: what they do where m, or the result, is no ordinary number.
pub(crate) trait Direction {
    /// Lanes in which the common path is right.
    ///
    /// # Safety
    /// The features of V.
    unsafe fn is_right<V: F32s>(out: V) -> V::Mask;
    /// The result of the common path, and what is right in the lanes where it is not, but for the far left.
    ///
    /// # Safety
    /// The features of V.
    unsafe fn near<V: F32s>(m: V, x: V, out: V) -> V;
    /// The result on the far left from its size.
    ///
    /// # Safety
    /// The features of V.
    unsafe fn left<V: F32s>(m: V, size: V, dead: V::Mask) -> V;
}

/// y = x · Φ(x).
pub(crate) struct Forward;

impl Direction for Forward {
    #[inline(always)]
    unsafe fn is_right<V: F32s>(out: V) -> V::Mask {
        // SAFETY: the caller has the features of V.
        unsafe { out.is_number() }
    }
    #[inline(always)]
    unsafe fn near<V: F32s>(_: V, x: V, out: V) -> V {
        // Infinity and NaN, which the sum makes quiet.
        // SAFETY: the caller has the features of V.
        unsafe { V::select(out.is_number(), out, x.add(x)) }
    }
    #[inline(always)]
    unsafe fn left<V: F32s>(_: V, size: V, _: V::Mask) -> V {
        // SAFETY: the caller has the features of V.
        unsafe { size.or_bits(V::splat(MINUS_ZERO)) }
    }
}

/// dx = dy · g'(x), where `ZERO`, given by its bits, is the least float at which g' is positive.
pub(crate) struct Backward<const ZERO: u32>;

impl<const ZERO: u32> Direction for Backward<ZERO> {
    #[inline(always)]
    unsafe fn is_right<V: F32s>(out: V) -> V::Mask {
        // SAFETY: the caller has the features of V.
        unsafe { out.is_nonzero() }
    }
    #[inline(always)]
    unsafe fn near<V: F32s>(dy: V, x: V, out: V) -> V {
        // SAFETY: the caller has the features of V.
        unsafe {
            let falling = x.lt(V::splat(f32::from_bits(ZERO)));
            // Only the sign of g' counts. (A sum with itself makes a signalling NaN quiet, which a product with 1 need not:
            // compilers drop it.)
            let twice = dy.add(dy);
            let signed = V::select(falling, V::splat(MINUS_ZERO).sub(twice), twice);
            let special = V::select(is_finite(dy), signed.and_bits(V::splat(MINUS_ZERO)), signed);
            let near = V::select(out.is_nonzero(), out, special);
            V::select(x.is_number(), near, x.add(x))
        }
    }
    #[inline(always)]
    unsafe fn left<V: F32s>(dy: V, size: V, dead: V::Mask) -> V {
        // SAFETY: the caller has the features of V.
        unsafe {
            let minus_zero = V::splat(MINUS_ZERO);
            let left = size.or_bits(minus_zero.sub(dy).and_bits(minus_zero));
            if V::all(is_finite(dy)) {
                return left;
            }
            let special = dy.add(dy).mul(V::select(dead, minus_zero, V::splat(-1.0)));
            V::select(is_finite(dy), left, special)
        }
    }
}

#[inline(always)]
unsafe fn is_finite<V: F32s>(v: V) -> V::Mask {
    // SAFETY: the caller has the features of V.
    unsafe { v.and_bits(V::splat(ABS)).lt(V::splat(f32::INFINITY)) }
}

/// The common path, from what `locate` found.
#[inline(always)]
unsafe fn common<V: F32s, F: Function>(m: V, rows: *const u32, d: V) -> V {
    // SAFETY: the caller has the features of V.
    unsafe {
        let (high, low) = F::TABLE.at(rows, d);
        m.mul_add(high, m.mul(low))
    }
}

/// Lanes that the table does not reach.
#[inline(always)]
unsafe fn is_left<V: F32s, F: Function>(x: V) -> V::Mask {
    // SAFETY: the caller has the features of V.
    unsafe { x.lt(V::splat(F::EDGE)) }
}

/// Whether so many vectors of a block, all lanes far left, make it likely that the next one begins so too.
#[inline(always)]
fn are_nearly_all<V: F32s>(vectors: usize, size: usize) -> bool {
    8 * vectors * V::LANES > 7 * size
}

/// The result on the far left.
#[inline(always)]
unsafe fn tail<V: F32s, F: Function>(m: V, x: V) -> V {
    // SAFETY: the caller has the features of V.
    unsafe {
        let (abs, last) = (V::splat(ABS), V::splat(F::LAST));
        let t = x.and_bits(abs);
        // Not below the table, where the squares of lanes that do not count would underflow.
        let bounded = last.min(t.max(V::splat(4.0)));
        let (m0, t0, c0) = (m.and_bits(abs).widen(), bounded.widen(), F::correction(bounded).widen());
        let size = round::<V>([F::far(m0[0], t0[0], c0[0]), F::far(m0[1], t0[1], c0[1])]);
        F::Direction::left(m, size, last.lt(t))
    }
}

/// The result, of which `out` is right in some lanes.
#[inline(always)]
unsafe fn repair<V: F32s, F: Function>(m: V, x: V, out: V) -> V {
    // SAFETY: the caller has the features of V.
    unsafe {
        let near = F::Direction::near(m, x, out);
        let is_left = is_left::<V, F>(x);
        if V::any(is_left) { V::select(is_left, tail::<V, F>(m, x), near) } else { near }
    }
}

/// The result for a single vector.
#[inline(always)]
unsafe fn single<V: F32s, F: Function>(m: V, x: V) -> V {
    // SAFETY: the caller has the features of V; `rows` holds the LANES offsets.
    unsafe {
        let mut rows = [MaybeUninit::<u32>::uninit(); WIDEST];
        let (d, located) = F::TABLE.locate(x);
        located.store(rows.as_mut_ptr().cast());
        let out = common::<V, F>(m, rows.as_ptr().cast(), d);
        if V::all(F::Direction::is_right(out)) { out } else { repair::<V, F>(m, x, out) }
    }
}

/// Aligned, so that no vector of it lies in two cache lines.
#[repr(C, align(64))]
struct Block<T>([MaybeUninit<T>; BLOCK]);

impl<T> Block<T> {
    #[inline(always)]
    fn new() -> Self {
        Self([const { MaybeUninit::uninit() }; BLOCK])
    }
    #[inline(always)]
    fn as_mut_ptr(&mut self) -> *mut T {
        self.0.as_mut_ptr().cast()
    }
}

/// `from`, or a copy of its n elements if `to` is the same place.
#[inline(always)]
unsafe fn kept(from: *const f32, to: *const f32, n: usize, saved: &mut Block<f32>) -> *const f32 {
    if from != to {
        return from;
    }
    let copy = saved.as_mut_ptr();
    // SAFETY: n <= BLOCK elements, of the caller's buffer and of the copy. As bytes, since `from` may be misaligned.
    unsafe { from.cast::<u8>().copy_to_nonoverlapping(copy.cast(), n * size_of::<f32>()) };
    copy
}

/// out[i] = m[i] · T(x[i]) for i < n.
///
/// # Safety
/// The features of V; `m` and `x` good for reads and `out` for writes of n elements; `out` may be one of the others or
/// both, or is disjoint from them.
#[inline(always)]
pub(crate) unsafe fn run<V: F32s, F: Function>(m: *const f32, x: *const f32, out: *mut f32, n: usize) {
    // SAFETY: every access is to whole vectors below n, or to the n % LANES elements after them; the scratch arrays are read
    // where they were written.
    unsafe {
        let whole = n - n % V::LANES;
        if whole != 0 {
            let (mut d, mut rows) = (Block::<f32>::new(), Block::<u32>::new());
            let (d, rows) = (d.as_mut_ptr(), rows.as_mut_ptr());
            let (mut saved_m, mut saved_x) = (Block::new(), Block::new());
            let (mut begin, mut nearly_left) = (0, false);
            while begin < whole {
                let size = (whole - begin).min(VECTORS * V::LANES);
                let (m, x, out) = (m.add(begin), x.add(begin), out.add(begin));
                begin += size;
                if nearly_left {
                    nearly_left = left_block::<V, F>(m, x, out, size);
                    continue;
                }
                let x = kept(x, out, size, &mut saved_x);
                let m = kept(m, out, size, &mut saved_m);
                let mut i = 0;
                while i < size {
                    let located = F::TABLE.locate(V::load(x.add(i)));
                    located.0.store(d.add(i));
                    located.1.store(rows.add(i).cast());
                    i += V::LANES;
                }
                let (mut i, mut right) = (0, V::splat(0.0).is_number());
                while i < size {
                    let result = common::<V, F>(V::load(m.add(i)), rows.add(i), V::load(d.add(i)));
                    result.store(out.add(i));
                    right = V::both(right, F::Direction::is_right(result));
                    i += V::LANES;
                }
                if !V::all(right) {
                    nearly_left = repair_block::<V, F>(m, x, out, size);
                }
            }
        }
        let rest = n - whole;
        if rest != 0 {
            let (m, x) = (V::load_first(m.add(whole), rest), V::load_first(x.add(whole), rest));
            single::<V, F>(m, x).store_first(out.add(whole), rest);
        }
    }
}

/// Repairs the vectors of a block that have a wrong lane; whether nearly all were far left alone.
///
/// # Safety
/// As for `run`, and `size` whole vectors.
#[inline(always)]
unsafe fn repair_block<V: F32s, F: Function>(
    m: *const f32,
    x: *const f32,
    out: *mut f32,
    size: usize,
) -> bool {
    // SAFETY: the caller's.
    unsafe {
        let (mut i, mut wrong, mut left) = (0, 0_u32, 0);
        while i < size / V::LANES {
            let at = i * V::LANES;
            let right = F::Direction::is_right(V::load(out.add(at)));
            wrong |= (!V::all(right) as u32) << i;
            left += V::all(is_left::<V, F>(V::load(x.add(at)))) as usize;
            i += 1;
        }
        while wrong != 0 {
            let at = wrong.trailing_zeros() as usize * V::LANES;
            wrong &= wrong - 1;
            repair::<V, F>(V::load(m.add(at)), V::load(x.add(at)), V::load(out.add(at))).store(out.add(at));
        }
        are_nearly_all::<V>(left, size)
    }
}

/// A block that is expected to be nearly all far left: such vectors are spared the common path. Each is read before it is
/// written, so `out` may be an input.
///
/// # Safety
/// As for `repair_block`.
#[inline(always)]
unsafe fn left_block<V: F32s, F: Function>(m: *const f32, x: *const f32, out: *mut f32, size: usize) -> bool {
    // SAFETY: the caller's.
    unsafe {
        let (mut i, mut left) = (0, 0);
        while i < size {
            let (m, x) = (V::load(m.add(i)), V::load(x.add(i)));
            let is_left = V::all(is_left::<V, F>(x));
            let result = if is_left { tail::<V, F>(m, x) } else { single::<V, F>(m, x) };
            result.store(out.add(i));
            left += is_left as usize;
            i += V::LANES;
        }
        are_nearly_all::<V>(left, size)
    }
}
