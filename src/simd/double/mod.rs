//! The vector operations the `f64` kernels are written in, one implementation per instruction set.

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
#[cfg(target_arch = "aarch64")]
pub(crate) mod neon;
#[cfg(test)]
pub(crate) mod one;

/// Eight values `c · 2^(j/8)`, stored so that [`F64s::exp2_eighths`] needs one lookup and one addition.
///
/// Entry `j` holds the bits of the value minus `j << 49`: adding `n << 49` for an integer `n` with `n mod 8 = j`
/// then gives `c · 2^(n/8)`, because the part of `n` above the low three bits lands in the exponent field.
#[repr(C, align(64))]
pub(crate) struct Exp2Table {
    /// All 64 bits of each entry.
    pub(crate) whole: [u64; 8],
    /// The low halves, for lookups of 32 bits.
    pub(crate) low: [u32; 8],
    /// The high halves.
    pub(crate) high: [u32; 8],
}

impl Exp2Table {
    /// The table of the values given by their bits.
    pub(crate) const fn new(bits: [u64; 8]) -> Self {
        let mut table = Self { whole: [0; 8], low: [0; 8], high: [0; 8] };
        let mut j = 0;
        while j < 8 {
            let whole = bits[j].wrapping_sub((j as u64) << 49);
            table.whole[j] = whole;
            table.low[j] = whole as u32;
            table.high[j] = (whole >> 32) as u32;
            j += 1;
        }
        table
    }
}

/// The entries of a row of coefficients. A row is 80 bytes, so that its pairs are aligned if it is.
pub(crate) const ROW: usize = 10;

/// One row of coefficients.
#[repr(C, align(16))]
pub(crate) struct Row(pub(crate) [f64; ROW]);

/// A vector of `f64`. All arithmetic is IEEE 754 in the default environment, so an operation gives the same bits in
/// every implementation, but for the sign and payload of a NaN.
pub(crate) trait F64s: Copy {
    /// The number of lanes.
    const LANES: usize;
    /// One truth value per lane.
    type Mask: Copy;

    /// `value` in every lane.
    fn splat(value: f64) -> Self;
    /// The `LANES` elements at `p`, which need no alignment.
    ///
    /// # Safety
    /// `p` is valid for reading `LANES` elements.
    unsafe fn load(p: *const f64) -> Self;
    /// The first `n < LANES` lanes from `p`, the others 1 (an argument of the common path); nothing beyond is read.
    ///
    /// # Safety
    /// `p` is valid for reading `n` elements.
    unsafe fn load_partial(p: *const f64, n: usize) -> Self;
    /// Stores every lane.
    ///
    /// # Safety
    /// `p` is valid for writing `LANES` elements.
    unsafe fn store(self, p: *mut f64);
    /// Stores the first `n < LANES` lanes; nothing beyond is written.
    ///
    /// # Safety
    /// `p` is valid for writing `n` elements.
    unsafe fn store_partial(self, p: *mut f64, n: usize);

    /// `self + o`, rounded to nearest.
    fn add(self, o: Self) -> Self;
    /// `self - o`, rounded to nearest.
    fn sub(self, o: Self) -> Self;
    /// `self · o`, rounded to nearest.
    fn mul(self, o: Self) -> Self;
    /// `self / o`, rounded to nearest.
    fn div(self, o: Self) -> Self;
    /// `self · a + b`, rounded once.
    fn mul_add(self, a: Self, b: Self) -> Self;
    /// `self · a - b`, rounded once.
    fn mul_sub(self, a: Self, b: Self) -> Self;
    /// `b - self · a`, rounded once.
    fn neg_mul_add(self, a: Self, b: Self) -> Self;
    /// The sign bit cleared; NaN stays NaN.
    fn abs(self) -> Self;
    /// The sign bit flipped.
    fn neg(self) -> Self;
    /// The smaller one; `o` where either is NaN.
    fn min(self, o: Self) -> Self;
    /// The larger one; `o` where either is NaN. For zeros of unlike sign, either.
    fn max(self, o: Self) -> Self;
    /// The bits of both, and-ed.
    fn and_bits(self, bits: u64) -> Self;
    /// The bits of both, or-ed.
    fn or_bits(self, bits: u64) -> Self;
    /// The bits of `self` as an integer, minus those of `o`.
    fn sub_bits(self, o: Self) -> Self;
    /// `self` with the sign bit of `sign` or-ed in.
    fn or_sign(self, sign: Self) -> Self;
    /// `self` where the sign bit of `sign` is clear, else `+0`.
    fn zero_where_negative(self, sign: Self) -> Self;

    /// `self` with its sign flipped where the sign bit of `sign` is set.
    fn flip_where_negative(self, sign: Self) -> Self;

    /// Lanes with `self < o`; false for NaN.
    fn lt(self, o: Self) -> Self::Mask;
    /// Lanes whose sign bit is clear and whose value is not within `first ..= last` in the order of bit patterns (so
    /// NaN and infinity are outside).
    fn abs_outside(self, first: u64, last: u64) -> Self::Mask;
    /// Lanes whose bit pattern, as an unsigned number, is within `first ..= last`.
    fn bits_within(self, first: u64, last: u64) -> Self::Mask;
    /// `yes` where `mask`, else `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Whether any lane is true.
    fn any(mask: Self::Mask) -> bool;
    /// Whether every lane is true.
    fn all(mask: Self::Mask) -> bool;
    /// How many lanes are true.
    fn count(mask: Self::Mask) -> usize;
    /// The lanes of the mask, in their order, in the first lanes; anything in the others.
    fn pack(self, mask: Self::Mask) -> Self;

    /// For the row number in the low 32 bits of each lane, at most `last` unless it comes of a NaN, stores how many bytes
    /// that row is from the first one; of a NaN, where any row is.
    ///
    /// # Safety
    /// `p` is valid for writing `LANES` elements.
    unsafe fn store_offsets(self, last: u32, p: *mut u64);
    /// Entries `k` and `k + 1` of each lane's row.
    ///
    /// # Safety
    /// `offsets` holds, for each lane, the offset of a row of `rows`; `k` is even and below `ROW`.
    unsafe fn entries(rows: *const Row, offsets: *const u64, k: usize) -> (Self, Self);

    /// `c · 2^(n/8)` for the integer `n` in the low bits of `self` (two's complement, as adding `1.5 · 2^52` leaves
    /// it). Correct as long as the result is a normal number.
    fn exp2_eighths(self, table: &'static Exp2Table) -> Self;
    /// `self · 2^n` for the integer `n` in the low bits of `n`, by adding to the exponent field: `self` and the
    /// result are normal numbers.
    fn add_exponent(self, n: Self) -> Self;
    /// The exponent field of a positive number as a value, biased: `0 ..= 2047`.
    fn exponent_field(self) -> Self;
}
