//! The kernels, one file per formula and type, and the loop that runs them over a buffer.

use crate::simd::double::{F64s, Row};
use core::mem::MaybeUninit;

pub(crate) mod exp;
pub(crate) mod none;
pub(crate) mod none_table;
pub(crate) mod rows;
pub(crate) mod rows_table;
pub(crate) mod tail;
pub(crate) mod tanh;
pub(crate) mod tanh_table;

/// The most vectors of a block.
///
/// The chain of dependent operations of one vector is longer than what a core looks ahead, so the work is cut into
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

/// The numbers 0, 1, … as bit patterns.
static NUMBERS: [u64; BLOCK * WIDEST] = {
    let mut numbers = [0; BLOCK * WIDEST];
    let mut i = 0;
    while i < numbers.len() {
        numbers[i] = i as u64;
        i += 1;
    }
    numbers
};

/// The elements of a block that are beyond the common path, packed, so that a vector of them has no idle lanes. They
/// are copied, as the output may replace the input.
pub(crate) struct Rare {
    count: usize,
    index: [MaybeUninit<u64>; BLOCK * WIDEST],
    inputs: [[MaybeUninit<f64>; BLOCK * WIDEST]; 2],
}

impl Rare {
    /// None yet.
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self {
            count: 0,
            index: [const { MaybeUninit::uninit() }; BLOCK * WIDEST],
            inputs: [const { [const { MaybeUninit::uninit() }; BLOCK * WIDEST] }; 2],
        }
    }
    /// Keeps some lanes of the inputs of vector `i` of the block.
    ///
    /// # Safety
    /// Each vector of a block is kept at most once.
    #[inline(always)]
    pub(crate) unsafe fn keep<V: F64s, const N: usize>(&mut self, i: usize, lanes: V::Mask, inputs: [V; N]) {
        // SAFETY: the count stays at most as large as the number of elements before this vector.
        unsafe {
            let numbers = V::load(NUMBERS.as_ptr().add(i * V::LANES).cast());
            numbers.pack(lanes).store(self.index.as_mut_ptr().add(self.count).cast());
            let mut k = 0;
            while k < N {
                inputs[k].pack(lanes).store(self.inputs[k].as_mut_ptr().add(self.count).cast());
                k += 1;
            }
        }
        self.count += V::count(lanes);
    }
    /// Fills the last vector up; how many vectors there are.
    #[inline(always)]
    pub(crate) fn vectors<V: F64s>(&mut self) -> usize {
        let vectors = self.count.div_ceil(V::LANES);
        for i in self.count..vectors * V::LANES {
            for kept in &mut self.inputs {
                kept[i].write(8.0);
            }
        }
        vectors
    }
    /// Input `k` of vector `r`.
    ///
    /// # Safety
    /// `r < self.vectors()`, and that many inputs were kept.
    #[inline(always)]
    pub(crate) unsafe fn input<V: F64s>(&self, r: usize, k: usize) -> V {
        // SAFETY: the caller's promise.
        unsafe { V::load(self.inputs[k].as_ptr().add(r * V::LANES).cast()) }
    }
    /// Takes the results of vector `r`, in place of its inputs.
    ///
    /// # Safety
    /// `r < self.vectors()`.
    #[inline(always)]
    pub(crate) unsafe fn put<V: F64s>(&mut self, r: usize, value: V) {
        // SAFETY: the caller's promise.
        unsafe { value.store(self.inputs[0].as_mut_ptr().add(r * V::LANES).cast()) }
    }
    /// Writes the results to the output of the block.
    ///
    /// # Safety
    /// All vectors were put, and `out` is valid for the block.
    #[inline(always)]
    pub(crate) unsafe fn write(&self, out: *mut f64) {
        for i in 0..self.count {
            // SAFETY: the caller's promise.
            unsafe {
                let at = self.index.get_unchecked(i).assume_init_read() as usize;
                out.add(at).write_unaligned(self.inputs[0].get_unchecked(i).assume_init_read());
                // Keeps the compiler from vscatterqpd, which is slower than stores one by one.
                #[cfg(not(miri))]
                core::arch::asm!("", options(nomem, nostack, preserves_flags));
            }
        }
    }
}

/// One formula: the rows of the function and its derivative, and the tails beyond them.
pub(crate) trait Formula {
    /// The last argument of the common path.
    const LIMIT: f64;
    /// The rows of `g`, in `t = |x|`.
    const FORWARD: &'static [Row];
    /// The rows of `g'`, and how far their centres are shifted.
    const BACKWARD: &'static [Row];
    const SHIFT: f64;

    /// `y = g(x)` for the elements beyond the limit; the input is `x`.
    fn forward_tail<V: F64s>(rare: &mut Rare);
    /// `dx = dy · g'(x)` for the elements beyond the limit; the inputs are `x` and `dy`.
    fn backward_tail<V: F64s>(rare: &mut Rare);
}

/// The lanes of the widest vector.
pub(crate) const WIDEST: usize = 8;

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
            rows::forward::<V, K>(x.add(i), y.add(i), m);
            i += m * V::LANES;
        }
        if i < n {
            let mut part = [0.0; WIDEST];
            let p = part.as_mut_ptr();
            V::load_partial(x.add(i), n - i).store(p);
            rows::forward::<V, K>(p, p, 1);
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
            rows::backward::<V, K>(dy.add(i), x.add(i), dx.add(i), m);
            i += m * V::LANES;
        }
        if i < n {
            let mut part = [[0.0; WIDEST]; 2];
            let (d, p) = (part[0].as_ptr(), part[1].as_ptr());
            let (dm, pm) = (part[0].as_mut_ptr(), part[1].as_mut_ptr());
            V::load_partial(dy.add(i), n - i).store(dm);
            V::load_partial(x.add(i), n - i).store(pm);
            rows::backward::<V, K>(d, p, dm, 1);
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
