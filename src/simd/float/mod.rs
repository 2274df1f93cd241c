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
pub(crate) mod pair;

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
    /// Table indices, made by `index`.
    type Index: Copy;

    unsafe fn splat(value: f32) -> Self;
    /// All lanes from `from`, which need not be aligned.
    unsafe fn load(from: *const f32) -> Self;
    /// All lanes to `to`, which need not be aligned.
    unsafe fn store(self, to: *mut f32);
    /// The first `count` lanes from `from` (1 <= count <= LANES); the others are 0. Touches `count` elements only.
    unsafe fn load_first(from: *const f32, count: usize) -> Self;
    /// The first `count` lanes to `to` (1 <= count <= LANES). Touches `count` elements only.
    unsafe fn store_first(self, to: *mut f32, count: usize);

    unsafe fn add(self, other: Self) -> Self;
    unsafe fn sub(self, other: Self) -> Self;
    unsafe fn mul(self, other: Self) -> Self;
    unsafe fn div(self, other: Self) -> Self;
    /// self * b + c, rounded once.
    unsafe fn mul_add(self, b: Self, c: Self) -> Self;
    /// c - self * b, rounded once.
    unsafe fn neg_mul_add(self, b: Self, c: Self) -> Self;
    /// self * b - c, rounded once.
    unsafe fn mul_sub(self, b: Self, c: Self) -> Self;
    /// self where self > other, else other: `other` where either is NaN or where both are zeros.
    unsafe fn max_or(self, other: Self) -> Self;
    /// self where self < other, else other: `other` where either is NaN or where both are zeros.
    unsafe fn min_or(self, other: Self) -> Self;

    unsafe fn and_bits(self, other: Self) -> Self;
    unsafe fn or_bits(self, other: Self) -> Self;
    /// self with its sign changed where the sign of `by` is clear.
    unsafe fn flip_sign_unless(self, by: Self) -> Self;
    /// Wrapping integer sum of the patterns.
    unsafe fn add_bits(self, other: Self) -> Self;
    /// Wrapping integer difference of the patterns.
    unsafe fn sub_bits(self, other: Self) -> Self;
    /// The larger of the patterns as signed integers.
    unsafe fn max_bits(self, other: Self) -> Self;
    /// The nearest integer as a pattern (ties to even), for |self| < 2³¹; otherwise any pattern.
    unsafe fn round_to_int_bits(self) -> Self;
    /// The pattern shifted left by N (1 <= N <= 31).
    unsafe fn shl_bits<const N: i32>(self) -> Self;
    /// The pattern shifted right by N with copies of the sign (1 <= N <= 31).
    unsafe fn sar_bits<const N: i32>(self) -> Self;

    /// self < other; false where either is NaN.
    unsafe fn lt(self, other: Self) -> Self::Mask;
    /// Neither zero nor NaN.
    unsafe fn is_nonzero(self) -> Self::Mask;
    /// self < other as signed integers.
    unsafe fn lt_bits(self, other: Self) -> Self::Mask;
    /// `yes` where the mask is set, else `no`.
    unsafe fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// `minus` where the sign of self is set (-0 and such NaN included), else `plus`.
    unsafe fn select_by_sign(self, minus: Self, plus: Self) -> Self;
    /// Set where both are.
    unsafe fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Whether every lane of the mask is set.
    unsafe fn all(mask: Self::Mask) -> bool;

    /// Indices from the low three bits of the patterns; higher bits are ignored.
    unsafe fn index(self) -> Self::Index;
    /// The entries of an 8 entry table.
    unsafe fn lookup(index: Self::Index, table: &[f32; 8]) -> Self;
}
