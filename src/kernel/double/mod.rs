//! The kernels, one file per formula and type, and the loop that runs them over a buffer.

use crate::simd::double::F64s;
use crate::simd::double::pair::Pair;
use core::mem::MaybeUninit;

pub(crate) mod exp;
pub(crate) mod none;
pub(crate) mod none_table;
pub(crate) mod tanh;
pub(crate) mod tanh_table;

/// The vectors of a block.
///
/// The chain of dependent operations of one vector is longer than what a core looks ahead, so a kernel is cut into
/// stages, each a loop over the block with a short chain; what passes between them stays in the first-level cache.
pub(crate) const BLOCK: usize = 16;

/// What `K` values of each vector of a block pass from stage to stage.
pub(crate) struct Scratch<V, const K: usize>([[MaybeUninit<V>; BLOCK]; K]);

impl<V: Copy, const K: usize> Scratch<V, K> {
    /// Nothing yet.
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self([const { [const { MaybeUninit::uninit() }; BLOCK] }; K])
    }
    /// Keeps the values of vector `i`.
    ///
    /// # Safety
    /// `i < BLOCK`.
    #[inline(always)]
    pub(crate) unsafe fn put<const N: usize>(&mut self, i: usize, first: usize, values: [V; N]) {
        let mut k = 0;
        while k < N {
            // SAFETY: the caller's promise.
            unsafe { self.0[first + k].get_unchecked_mut(i).write(values[k]) };
            k += 1;
        }
    }
    /// Value `k` of vector `i`.
    ///
    /// # Safety
    /// It was put.
    #[inline(always)]
    pub(crate) unsafe fn get(&self, i: usize, k: usize) -> V {
        // SAFETY: the caller's promise.
        unsafe { self.0[k].get_unchecked(i).assume_init_read() }
    }
}

/// The vectors of a block that have a lane beyond the common path, copied, as the output may replace the input. They
/// are computed after the others, in stages too, and only those lanes replaced.
pub(crate) struct Rare<V> {
    count: usize,
    index: [MaybeUninit<usize>; BLOCK],
    x: Scratch<V, 2>,
}

impl<V: F64s> Rare<V> {
    /// None yet.
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self { count: 0, index: [const { MaybeUninit::uninit() }; BLOCK], x: Scratch::new() }
    }
    /// Keeps vector `i` if a lane is outside.
    ///
    /// # Safety
    /// Called at most once for each vector of a block.
    #[inline(always)]
    pub(crate) unsafe fn keep<const N: usize>(&mut self, i: usize, outside: V::Mask, inputs: [V; N]) {
        if V::any(outside) {
            cold();
            // SAFETY: the count stays below the length of a block.
            unsafe {
                self.index.get_unchecked_mut(self.count).write(i);
                self.x.put(self.count, 0, inputs);
            }
            self.count += 1;
        }
    }
    /// How many were kept.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.count
    }
    /// Input `k` of the one kept as number `r`.
    ///
    /// # Safety
    /// `r < self.count()`.
    #[inline(always)]
    pub(crate) unsafe fn input(&self, r: usize, k: usize) -> V {
        // SAFETY: the caller's promise.
        unsafe { self.x.get(r, k) }
    }
    /// Replaces the lanes `mask` of the result of the one kept as number `r`.
    ///
    /// # Safety
    /// `r < self.count()`, and `out` is the output of the block.
    #[inline(always)]
    pub(crate) unsafe fn replace(&self, r: usize, out: *mut f64, mask: V::Mask, value: V) {
        // SAFETY: the caller's promise.
        unsafe {
            let p = out.add(self.index.get_unchecked(r).assume_init_read() * V::LANES);
            V::select(mask, value, V::load(p)).store(p);
        }
    }
}

/// One formula: the function and its derivative, for up to `BLOCK` whole vectors.
pub(crate) trait Formula {
    /// `y = g(x)` for `m` vectors.
    ///
    /// # Safety
    /// `m <= BLOCK`; `x` and `y` are valid for `m` vectors, and equal or apart.
    unsafe fn forward<V: F64s>(x: *const f64, y: *mut f64, m: usize);
    /// `dx = dy · g'(x)` for `m` vectors.
    ///
    /// # Safety
    /// `m <= BLOCK`; the pointers are valid for `m` vectors, and `dx` is equal to or apart from each.
    unsafe fn backward<V: F64s>(dy: *const f64, x: *const f64, dx: *mut f64, m: usize);
}

/// The lanes of the widest vector.
const WIDEST: usize = 8;

/// `y[i] = g(x[i])` for `i < n`.
///
/// # Safety
/// `x` is valid for reading and `y` for writing `n` elements, and they are equal or apart.
#[inline(always)]
pub(crate) unsafe fn forward<V: F64s, K: Formula>(x: *const f64, y: *mut f64, n: usize) {
    let mut i = 0;
    // SAFETY: every access is below `n`.
    unsafe {
        loop {
            let m = ((n - i) / V::LANES).min(BLOCK);
            if m == 0 {
                break;
            }
            // An odd vector at the end of a block would cost as much as a pair; blocks are whole pairs but for the last.
            let pairs = m / 2;
            if pairs > 0 {
                K::forward::<Pair<V>>(x.add(i), y.add(i), pairs);
                i += 2 * pairs * V::LANES;
            }
            if m % 2 == 1 {
                K::forward::<V>(x.add(i), y.add(i), 1);
                i += V::LANES;
            }
        }
        if i < n {
            let mut part = [0.0; WIDEST];
            let p = part.as_mut_ptr();
            V::load_partial(x.add(i), n - i).store(p);
            K::forward::<V>(p, p, 1);
            V::load(p).store_partial(y.add(i), n - i);
        }
    }
}

/// `dx[i] = dy[i] · g'(x[i])` for `i < n`.
///
/// # Safety
/// `dy` and `x` are valid for reading and `dx` for writing `n` elements, and `dx` is equal to or apart from each.
#[inline(always)]
pub(crate) unsafe fn backward<V: F64s, K: Formula>(dy: *const f64, x: *const f64, dx: *mut f64, n: usize) {
    let mut i = 0;
    // SAFETY: every access is below `n`.
    unsafe {
        loop {
            let m = ((n - i) / V::LANES).min(BLOCK);
            if m == 0 {
                break;
            }
            // An odd vector at the end of a block would cost as much as a pair; blocks are whole pairs but for the last.
            let pairs = m / 2;
            if pairs > 0 {
                K::backward::<Pair<V>>(dy.add(i), x.add(i), dx.add(i), pairs);
                i += 2 * pairs * V::LANES;
            }
            if m % 2 == 1 {
                K::backward::<V>(dy.add(i), x.add(i), dx.add(i), 1);
                i += V::LANES;
            }
        }
        if i < n {
            let mut part = [[0.0; WIDEST]; 2];
            let (d, p) = (part[0].as_ptr(), part[1].as_ptr());
            let (dm, pm) = (part[0].as_mut_ptr(), part[1].as_mut_ptr());
            V::load_partial(dy.add(i), n - i).store(dm);
            V::load_partial(x.add(i), n - i).store(pm);
            K::backward::<V>(d, p, dm, 1);
            V::load(d).store_partial(dx.add(i), n - i);
        }
    }
}

/// Marks the branch it stands in as unlikely.
#[cold]
pub(crate) fn cold() {}

/// The part of a polynomial with the coefficients `i .. i + 4`, as far as there are any.
#[inline(always)]
fn group<V: F64s, const N: usize>(z: V, z2: V, c: &[f64; N], i: usize) -> V {
    // Not closures: those do not inherit the target features, and would stay calls.
    let mut sum = V::splat(c[i]);
    if i + 1 < N {
        sum = V::splat(c[i + 1]).mul_add(z, sum);
    }
    if i + 2 < N {
        let mut upper = V::splat(c[i + 2]);
        if i + 3 < N {
            upper = V::splat(c[i + 3]).mul_add(z, upper);
        }
        sum = upper.mul_add(z2, sum);
    }
    sum
}

/// A polynomial, in groups of four coefficients: short chains, two extra multiplications.
#[inline(always)]
pub(crate) fn polynomial<V: F64s, const N: usize>(z: V, c: &[f64; N]) -> V {
    let z2 = z.mul(z);
    let z4 = z2.mul(z2);
    let mut i = (N - 1) / 4 * 4;
    let mut sum = group(z, z2, c, i);
    while i > 0 {
        i -= 4;
        sum = sum.mul_add(z4, group(z, z2, c, i));
    }
    sum
}
