//! The loops of the f32 kernels.
//!
//! A buffer is walked in blocks, a block in passes, so that none waits for a chain of dependent operations: the first
//! finds the row of every element, the second computes every vector by the common path. If it was wrong in some lane of
//! the block, the vectors concerned are looked for. Those with a lane in the far left are computed again, in two more
//! passes of the same kind; after a block with many of them the next one begins with these. No branch of a block without rare lanes depends on its data. The
//! remainder is one partial vector through the same arithmetic.

use super::rows::Table;
use crate::simd::float::F32s;
use core::mem::MaybeUninit;

/// Clears the sign.
pub(super) const ABS: f32 = f32::from_bits(0x7fff_ffff);
const MINUS_ZERO: f32 = -0.0;

/// Vectors of a step of the loops, a divisor of VECTORS: unrolling spares instructions.
const STEP: usize = 4;
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
    /// Below it the common path ends.
    const EDGE: f32 = Self::TABLE.lower_bound(Self::TABLE.first + 1);
    /// From here on, to the left, T counts as -0.
    const END: f32 = Self::TABLE.end();
}

/// Forward or backward: what they do where m, or the result, is no ordinary number.
pub(crate) trait Direction {
    /// m is x: of ordinary size in the tail, and in the common path the product is right for infinity and NaN too.
    const M_IS_X: bool;
    /// Lanes in which the common path is right.
    ///
    /// # Safety
    /// The features of V.
    unsafe fn is_right<V: F32s>(out: V) -> V::Mask;
    /// The result from the product m · T(x), for x that is not far left; m or the product may be no ordinary number.
    ///
    /// # Safety
    /// The features of V.
    unsafe fn near<V: F32s>(m: V, x: V, product: V) -> V;
    /// The result for any x, where `product` is its size for `is_left`, and T counts as -0 for `is_dead`.
    ///
    /// # Safety
    /// The features of V.
    unsafe fn anywhere<V: F32s>(m: V, x: V, product: V, is_left: V::Mask, is_dead: V::Mask) -> V;
}

/// y = x · Φ(x).
pub(crate) struct Forward;

impl Direction for Forward {
    const M_IS_X: bool = true;
    #[inline(always)]
    unsafe fn is_right<V: F32s>(out: V) -> V::Mask {
        // SAFETY: the caller has the features of V.
        unsafe { out.is_number() }
    }
    #[inline(always)]
    unsafe fn near<V: F32s>(_: V, _: V, product: V) -> V {
        // x is NaN, and so is its product, a quiet one.
        product
    }
    #[inline(always)]
    unsafe fn anywhere<V: F32s>(_: V, _: V, product: V, is_left: V::Mask, _: V::Mask) -> V {
        // SAFETY: the caller has the features of V.
        unsafe { V::select(is_left, product.or_bits(V::splat(MINUS_ZERO)), product) }
    }
}

/// dx = dy · g'(x), where `ZERO`, given by its bits, is the least float at which g' is positive.
pub(crate) struct Backward<const ZERO: u32>;

impl<const ZERO: u32> Direction for Backward<ZERO> {
    const M_IS_X: bool = false;
    #[inline(always)]
    unsafe fn is_right<V: F32s>(out: V) -> V::Mask {
        // SAFETY: the caller has the features of V.
        unsafe { out.is_nonzero() }
    }
    #[inline(always)]
    unsafe fn near<V: F32s>(dy: V, x: V, product: V) -> V {
        // SAFETY: the caller has the features of V.
        unsafe {
            let falling = x.lt(V::splat(f32::from_bits(ZERO)));
            // Of a dy that is 0 or not finite only the sign changes. (A sum with itself makes a signalling NaN quiet, which a
            // product with 1 need not: compilers drop it.)
            let twice = dy.add(dy);
            let special = V::select(falling, V::splat(MINUS_ZERO).sub(twice), twice);
            let near = V::select(V::both(product.is_number(), dy.is_nonzero()), product, special);
            V::select(x.is_number(), near, x.add(x))
        }
    }
    #[inline(always)]
    unsafe fn anywhere<V: F32s>(dy: V, x: V, product: V, is_left: V::Mask, is_dead: V::Mask) -> V {
        // SAFETY: the caller has the features of V.
        unsafe {
            let minus_zero = V::splat(MINUS_ZERO);
            let left = product.or_bits(minus_zero.sub(dy).and_bits(minus_zero));
            let result = V::select(is_left, left, product);
            let is_ordinary = V::both(dy.is_nonzero(), V::both(x.is_number(), is_finite(dy)));
            if V::all(is_ordinary) {
                return result;
            }
            let special = dy.add(dy).mul(V::select(is_dead, minus_zero, V::splat(-1.0)));
            V::select(is_left, V::select(is_finite(dy), left, special), Self::near(dy, x, product))
        }
    }
}

#[inline(always)]
unsafe fn is_finite<V: F32s>(v: V) -> V::Mask {
    // SAFETY: the caller has the features of V.
    unsafe { v.and_bits(V::splat(ABS)).lt(V::splat(f32::INFINITY)) }
}

/// Lanes that the common path does not reach.
#[inline(always)]
unsafe fn is_left<V: F32s, F: Function>(x: V) -> V::Mask {
    // SAFETY: the caller has the features of V.
    unsafe { x.lt(V::splat(F::EDGE)) }
}

/// The result for any x, from what `locate_anywhere` found.
#[inline(always)]
unsafe fn anywhere<V: F32s, F: Function>(m: V, x: V, rows: *const u32, d: V) -> V {
    // SAFETY: the caller has the features of V.
    unsafe {
        let (is_left, is_dead) = (is_left::<V, F>(x), x.lt(V::splat(F::END.next_up())));
        let product = F::TABLE.product_anywhere::<V, F::Direction>(
            V::select(is_dead, V::splat(0.0), m),
            x,
            is_left,
            rows,
            d,
        );
        F::Direction::anywhere(m, x, product, is_left, is_dead)
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
        let out = F::TABLE.product(m, d, F::TABLE.columns(rows.as_ptr().cast()));
        if V::all(F::Direction::is_right(out)) {
            return out;
        }
        let (d, located) = F::TABLE.locate_anywhere(x, is_left::<V, F>(x));
        located.store(rows.as_mut_ptr().cast());
        anywhere::<V, F>(m, x, rows.as_ptr().cast(), d)
    }
}

/// Aligned, so that no vector of it lies in two cache lines.
#[repr(C, align(64))]
struct Block<T>([MaybeUninit<T>; BLOCK + WIDEST]);

impl<T> Block<T> {
    #[inline(always)]
    fn new() -> Self {
        Self([const { MaybeUninit::uninit() }; BLOCK + WIDEST])
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

/// What the first loop over a block found, for the second: in each row d, and where the row is.
struct Located {
    d: Block<f32>,
    rows: Block<u32>,
}

impl Located {
    /// # Safety
    /// The features of V; `i` a multiple of the lanes, at most BLOCK.
    #[inline(always)]
    unsafe fn put<V: F32s>(&mut self, i: usize, (d, rows): (V, V)) {
        // SAFETY: the caller's.
        unsafe {
            d.store(self.d.as_mut_ptr().add(i));
            rows.store(self.rows.as_mut_ptr().add(i).cast());
        }
    }

    /// # Safety
    /// As for `put`, which was called for this i.
    #[inline(always)]
    unsafe fn get<V: F32s>(&mut self, i: usize) -> (*const u32, V) {
        // SAFETY: the caller's.
        unsafe { (self.rows.as_mut_ptr().add(i), V::load(self.d.as_mut_ptr().add(i))) }
    }
}

/// The two passes of the common path over a block; lanes in which it was right. STEP vectors at a time, which divide `size`.
///
/// # Safety
/// As for `run`, and `size` whole vectors, at least one.
#[inline(always)]
unsafe fn common_passes<V: F32s, F: Function, const STEP: usize>(
    m: *const f32,
    x: *const f32,
    out: *mut f32,
    size: usize,
    located: &mut Located,
) -> V::Mask {
    // SAFETY: the caller's.
    unsafe {
        let (mut i, mut least) = (0, V::splat(0.0));
        while i < size {
            for _ in 0..STEP {
                let x = V::load(x.add(i));
                if F::Direction::M_IS_X {
                    least = x.min(least);
                }
                located.put(i, F::TABLE.locate(x));
                i += V::LANES;
            }
        }
        // One vector ahead, so that there is less to wait for in what the core looks at; behind the last one any row.
        located.put(size, F::TABLE.locate(V::splat(0.0)));
        let (mut i, mut right) = (0, V::splat(0.0).is_number());
        let mut next = F::TABLE.columns::<V>(located.get::<V>(0).0);
        while i < size {
            for _ in 0..STEP {
                let columns = next;
                next = F::TABLE.columns(located.get::<V>(i + V::LANES).0);
                let result = F::TABLE.product(V::load(m.add(i)), located.get(i).1, columns);
                result.store(out.add(i));
                if !F::Direction::M_IS_X {
                    right = V::both(right, F::Direction::is_right(result));
                }
                i += V::LANES;
            }
        }
        if F::Direction::M_IS_X { V::splat(F::EDGE.next_down()).lt(least) } else { right }
    }
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
            let mut located = Located { d: Block::new(), rows: Block::new() };
            let (mut saved_m, mut saved_x) = (Block::new(), Block::new());
            let (mut begin, mut is_rare) = (0, false);
            while begin < whole {
                let size = (whole - begin).min(VECTORS * V::LANES);
                let (m, x, out) = (m.add(begin), x.add(begin), out.add(begin));
                begin += size;
                if is_rare {
                    is_rare = are_many(left_vectors::<V, F>(x, size));
                    anywhere_in_block::<V, F>(
                        m,
                        x,
                        out,
                        u32::MAX >> (VECTORS - size / V::LANES),
                        &mut located,
                    );
                    continue;
                }
                let x = kept(x, out, size, &mut saved_x);
                let m = kept(m, out, size, &mut saved_m);
                let right = if size == VECTORS * V::LANES {
                    common_passes::<V, F, STEP>(m, x, out, VECTORS * V::LANES, &mut located)
                } else {
                    common_passes::<V, F, 1>(m, x, out, size, &mut located)
                };
                if !V::all(right) {
                    let left = left_vectors::<V, F>(x, size);
                    if !F::Direction::M_IS_X {
                        near_in_block::<V, F>(m, x, out, !left & wrong_vectors::<V, F>(out, size));
                    }
                    anywhere_in_block::<V, F>(m, x, out, left, &mut located);
                    is_rare = are_many(left);
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

/// Whether so many vectors of a block make it likely that the next one is like it.
#[inline(always)]
fn are_many(mask: u32) -> bool {
    2 * mask.count_ones() > u32::BITS
}

/// The vectors of a block that have a lane far left, as a mask.
///
/// # Safety
/// As for `run`, and `size` whole vectors.
#[inline(always)]
unsafe fn left_vectors<V: F32s, F: Function>(x: *const f32, size: usize) -> u32 {
    let mut left = 0;
    for i in 0..size / V::LANES {
        // SAFETY: the caller's.
        left |= unsafe { (V::any(is_left::<V, F>(V::load(x.add(i * V::LANES)))) as u32) << i };
    }
    left
}

/// The vectors of a block in which the common path was wrong in some lane.
///
/// # Safety
/// As for `left_vectors`.
#[inline(always)]
unsafe fn wrong_vectors<V: F32s, F: Function>(out: *const f32, size: usize) -> u32 {
    let mut wrong = 0;
    for i in 0..size / V::LANES {
        // SAFETY: the caller's.
        wrong |= unsafe { (!V::all(F::Direction::is_right(V::load(out.add(i * V::LANES)))) as u32) << i };
    }
    wrong
}

/// The first element of the next vector of a mask, which is taken out of it.
#[inline(always)]
fn next<V: F32s>(mask: &mut u32) -> Option<usize> {
    let i = mask.trailing_zeros() as usize;
    *mask &= mask.wrapping_sub(1);
    (i < VECTORS).then_some(i * V::LANES)
}

/// Mends the products in the vectors of the mask, where no lane is far left.
///
/// # Safety
/// As for `run`; the vectors of the mask are the caller's.
#[inline(always)]
unsafe fn near_in_block<V: F32s, F: Function>(m: *const f32, x: *const f32, out: *mut f32, mut mask: u32) {
    while let Some(i) = next::<V>(&mut mask) {
        // SAFETY: the caller's.
        unsafe {
            let product = V::load(out.add(i));
            F::Direction::near(V::load(m.add(i)), V::load(x.add(i)), product).store(out.add(i));
        }
    }
}

/// Computes the vectors of the mask for any x. Each is read before it is written, so `out` may be an input.
///
/// # Safety
/// As for `near_in_block`.
#[inline(always)]
unsafe fn anywhere_in_block<V: F32s, F: Function>(
    m: *const f32,
    x: *const f32,
    out: *mut f32,
    mask: u32,
    located: &mut Located,
) {
    // SAFETY: the caller's.
    unsafe {
        let mut rest = mask;
        while let Some(i) = next::<V>(&mut rest) {
            let x = V::load(x.add(i));
            located.put(i, F::TABLE.locate_anywhere(x, is_left::<V, F>(x)));
        }
        let mut rest = mask;
        while let Some(i) = next::<V>(&mut rest) {
            let (rows, d) = located.get(i);
            anywhere::<V, F>(V::load(m.add(i)), V::load(x.add(i)), rows, d).store(out.add(i));
        }
    }
}
