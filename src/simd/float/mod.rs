//! The few vector operations that the f32 kernels use, and their implementations.
//!
//! The methods carry no target feature: they are inlined into the annotated entries in `kernel`, and only there do
//! the intrinsics become instructions.

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
#[cfg(target_arch = "aarch64")]
pub(crate) mod neon;
#[cfg(test)]
pub(crate) mod one;

/// A vector of `f32`. Every operation works lane by lane; arithmetic rounds to nearest, ties to even.
///
/// A vector is also a vector of 32 bit patterns: the operations named `..bits` treat it so and never look at the value.
///
/// # Safety
/// Each method may execute instructions of its implementation's set: call them only from a function that has those
/// features enabled, on a machine that has them. `load*` and `store*` access exactly the elements named.
pub(crate) trait F32s: Copy {
    /// Number of lanes.
    const LANES: usize;
    /// One truth value per lane.
    type Mask: Copy;

    unsafe fn splat(value: f32) -> Self;
    /// All lanes from `from`, which need not be aligned.
    unsafe fn load(from: *const f32) -> Self;
    /// All lanes to `to`, which need not be aligned.
    unsafe fn store(self, to: *mut f32);
    /// The first `count` lanes from `from` (1 <= count <= LANES); the others are 1. Touches `count` elements only.
    unsafe fn load_first(from: *const f32, count: usize) -> Self;
    /// The first `count` lanes to `to` (1 <= count <= LANES). Touches `count` elements only.
    unsafe fn store_first(self, to: *mut f32, count: usize);

    unsafe fn add(self, other: Self) -> Self;
    unsafe fn sub(self, other: Self) -> Self;
    unsafe fn mul(self, other: Self) -> Self;
    /// self * b + c, rounded once.
    unsafe fn mul_add(self, b: Self, c: Self) -> Self;
    /// The larger one: of zeros either, and where self is NaN either NaN or `other`.
    unsafe fn max(self, other: Self) -> Self;
    /// The smaller one: of zeros either, and where `other` is NaN, NaN.
    unsafe fn min(self, other: Self) -> Self;

    unsafe fn and_bits(self, other: Self) -> Self;
    unsafe fn or_bits(self, other: Self) -> Self;
    /// Wrapping integer difference of the patterns.
    unsafe fn sub_bits(self, other: Self) -> Self;
    /// The pattern shifted left by N (1 <= N <= 31).
    unsafe fn shl_bits<const N: i32>(self) -> Self;

    /// self < other; false where either is NaN.
    unsafe fn lt(self, other: Self) -> Self::Mask;
    /// Neither zero nor NaN.
    unsafe fn is_nonzero(self) -> Self::Mask;
    /// `yes` where the mask is set, else `no`.
    unsafe fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Set where both are.
    unsafe fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Not NaN.
    unsafe fn is_number(self) -> Self::Mask;
    /// Whether any lane of the mask is set.
    unsafe fn any(mask: Self::Mask) -> bool;
    /// Whether every lane of the mask is set.
    unsafe fn all(mask: Self::Mask) -> bool;

    /// The patterns, as offsets in bytes from the maximum and the minimum of a NaN or a number, brought to at most `last`,
    /// if a NaN can come through these.
    unsafe fn offset_within(self, last: u32) -> Self;
    /// Column k of the rows that begin at `base` plus the LANES offsets, in bytes: [word 0 of each, word 1 of each, ...].
    /// The rows are aligned to their size.
    unsafe fn rows(base: *const [u32; 4], offsets: *const u32) -> [Self; 4];
    /// The nearest integer as a pattern (ties to even), for -2³¹ <= value < 2³¹; otherwise any pattern.
    unsafe fn to_int_bits(self) -> Self;
}
