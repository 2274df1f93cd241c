//! One lane, in plain Rust: for tests and for Miri.

use super::{Exp2Table, F64s, ROW, Row};

/// One `f64`.
#[derive(Clone, Copy)]
pub(crate) struct One(pub(crate) f64);

impl F64s for One {
    const LANES: usize = 1;
    type Mask = bool;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self(value)
    }
    #[inline(always)]
    unsafe fn load(p: *const f64) -> Self {
        // SAFETY: the caller's promise.
        Self(unsafe { p.read_unaligned() })
    }
    #[inline(always)]
    unsafe fn load_partial(_: *const f64, _: usize) -> Self {
        Self(1.0)
    }
    #[inline(always)]
    unsafe fn store(self, p: *mut f64) {
        // SAFETY: the caller's promise.
        unsafe { p.write_unaligned(self.0) }
    }
    #[inline(always)]
    unsafe fn store_partial(self, _: *mut f64, _: usize) {}

    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self(self.0 + o.0)
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self(self.0 - o.0)
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self(self.0 * o.0)
    }
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        Self(self.0 / o.0)
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        Self(self.0.mul_add(a.0, b.0))
    }
    #[inline(always)]
    fn mul_sub(self, a: Self, b: Self) -> Self {
        Self(self.0.mul_add(a.0, -b.0))
    }
    #[inline(always)]
    fn neg_mul_add(self, a: Self, b: Self) -> Self {
        Self((-self.0).mul_add(a.0, b.0))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.abs())
    }
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
    #[inline(always)]
    fn min(self, o: Self) -> Self {
        if self.0 < o.0 { self } else { o }
    }
    #[inline(always)]
    fn max(self, o: Self) -> Self {
        if self.0 > o.0 { self } else { o }
    }
    #[inline(always)]
    fn and_bits(self, bits: u64) -> Self {
        Self(f64::from_bits(self.0.to_bits() & bits))
    }
    #[inline(always)]
    fn or_bits(self, bits: u64) -> Self {
        Self(f64::from_bits(self.0.to_bits() | bits))
    }
    #[inline(always)]
    fn sub_bits(self, o: Self) -> Self {
        Self(f64::from_bits(self.0.to_bits().wrapping_sub(o.0.to_bits())))
    }
    #[inline(always)]
    fn or_sign(self, sign: Self) -> Self {
        Self(f64::from_bits(self.0.to_bits() | (sign.0.to_bits() & (1 << 63))))
    }
    #[inline(always)]
    fn zero_where_negative(self, sign: Self) -> Self {
        if sign.0.is_sign_negative() { Self(0.0) } else { self }
    }
    #[inline(always)]
    fn flip_where_negative(self, sign: Self) -> Self {
        Self(f64::from_bits(self.0.to_bits() ^ (sign.0.to_bits() & (1 << 63))))
    }

    #[inline(always)]
    fn lt(self, o: Self) -> bool {
        self.0 < o.0
    }
    #[inline(always)]
    fn abs_outside(self, first: u64, last: u64) -> bool {
        self.0.to_bits().wrapping_sub(first) > last - first
    }
    #[inline(always)]
    fn bits_within(self, first: u64, last: u64) -> bool {
        self.0.to_bits().wrapping_sub(first) <= last - first
    }
    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
    #[inline(always)]
    fn any(mask: bool) -> bool {
        mask
    }
    #[inline(always)]
    fn all(mask: bool) -> bool {
        mask
    }
    #[inline(always)]
    fn count(mask: bool) -> usize {
        mask.into()
    }
    #[inline(always)]
    fn pack(self, _: bool) -> Self {
        self
    }

    #[inline(always)]
    unsafe fn store_offsets(self, last: u32, p: *mut u64) {
        // SAFETY: the caller's promise.
        unsafe { *p = (self.0.to_bits() & 0xffff_ffff).min(last.into()) * (8 * ROW as u64) }
    }
    #[inline(always)]
    unsafe fn entries(rows: *const Row, offsets: *const u64, k: usize) -> (Self, Self) {
        // SAFETY: the caller's promise.
        unsafe {
            let p = rows.byte_add(*offsets as usize).cast::<f64>().add(k);
            (Self(*p), Self(*p.add(1)))
        }
    }

    #[inline(always)]
    fn exp2_eighths(self, table: &'static Exp2Table) -> Self {
        let n = self.0.to_bits();
        Self(f64::from_bits(table.whole[(n & 7) as usize].wrapping_add(n << 49)))
    }
    #[inline(always)]
    fn add_exponent(self, n: Self) -> Self {
        Self(f64::from_bits(self.0.to_bits().wrapping_add(n.0.to_bits() << 52)))
    }
    #[inline(always)]
    fn exponent_field(self) -> Self {
        Self((self.0.to_bits() >> 52) as f64)
    }
}
