//! Two vectors side by side: their instructions alternate, so that one computes while the other waits, and a constant
//! is loaded once for both.

use super::{Exp2Table, F64s};

/// Twice the lanes of `V`.
#[derive(Clone, Copy)]
pub(crate) struct Pair<V>(pub(crate) V, pub(crate) V);

impl<V: F64s> F64s for Pair<V> {
    const LANES: usize = 2 * V::LANES;
    type Mask = (V::Mask, V::Mask);

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self(V::splat(value), V::splat(value))
    }
    // SAFETY of the loads and stores: the caller's promise.
    #[inline(always)]
    unsafe fn load(p: *const f64) -> Self {
        unsafe { Self(V::load(p), V::load(p.add(V::LANES))) }
    }
    #[inline(always)]
    unsafe fn load_partial(p: *const f64, n: usize) -> Self {
        unsafe {
            if n < V::LANES {
                Self(V::load_partial(p, n), V::splat(1.0))
            } else {
                Self(V::load(p), V::load_partial(p.add(V::LANES), n - V::LANES))
            }
        }
    }
    #[inline(always)]
    unsafe fn store(self, p: *mut f64) {
        unsafe {
            self.0.store(p);
            self.1.store(p.add(V::LANES));
        }
    }
    #[inline(always)]
    unsafe fn store_partial(self, p: *mut f64, n: usize) {
        unsafe {
            if n < V::LANES {
                self.0.store_partial(p, n);
            } else {
                self.0.store(p);
                self.1.store_partial(p.add(V::LANES), n - V::LANES);
            }
        }
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.abs(), self.1.abs())
    }
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.neg(), self.1.neg())
    }
    #[inline(always)]
    fn exponent_field(self) -> Self {
        Self(self.0.exponent_field(), self.1.exponent_field())
    }
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self(self.0.add(o.0), self.1.add(o.1))
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self(self.0.sub(o.0), self.1.sub(o.1))
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self(self.0.mul(o.0), self.1.mul(o.1))
    }
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        Self(self.0.div(o.0), self.1.div(o.1))
    }
    #[inline(always)]
    fn min(self, o: Self) -> Self {
        Self(self.0.min(o.0), self.1.min(o.1))
    }
    #[inline(always)]
    fn max(self, o: Self) -> Self {
        Self(self.0.max(o.0), self.1.max(o.1))
    }
    #[inline(always)]
    fn sub_bits(self, o: Self) -> Self {
        Self(self.0.sub_bits(o.0), self.1.sub_bits(o.1))
    }
    #[inline(always)]
    fn or_sign(self, sign: Self) -> Self {
        Self(self.0.or_sign(sign.0), self.1.or_sign(sign.1))
    }
    #[inline(always)]
    fn zero_where_negative(self, o: Self) -> Self {
        Self(self.0.zero_where_negative(o.0), self.1.zero_where_negative(o.1))
    }
    #[inline(always)]
    fn flip_where_positive(self, o: Self) -> Self {
        Self(self.0.flip_where_positive(o.0), self.1.flip_where_positive(o.1))
    }
    #[inline(always)]
    fn add_exponent(self, o: Self) -> Self {
        Self(self.0.add_exponent(o.0), self.1.add_exponent(o.1))
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        Self(self.0.mul_add(a.0, b.0), self.1.mul_add(a.1, b.1))
    }
    #[inline(always)]
    fn mul_sub(self, a: Self, b: Self) -> Self {
        Self(self.0.mul_sub(a.0, b.0), self.1.mul_sub(a.1, b.1))
    }
    #[inline(always)]
    fn neg_mul_add(self, a: Self, b: Self) -> Self {
        Self(self.0.neg_mul_add(a.0, b.0), self.1.neg_mul_add(a.1, b.1))
    }
    #[inline(always)]
    fn and_bits(self, bits: u64) -> Self {
        Self(self.0.and_bits(bits), self.1.and_bits(bits))
    }
    #[inline(always)]
    fn or_bits(self, bits: u64) -> Self {
        Self(self.0.or_bits(bits), self.1.or_bits(bits))
    }
    #[inline(always)]
    fn exp2_eighths(self, table: &'static Exp2Table) -> Self {
        Self(self.0.exp2_eighths(table), self.1.exp2_eighths(table))
    }

    #[inline(always)]
    fn lt(self, o: Self) -> Self::Mask {
        (self.0.lt(o.0), self.1.lt(o.1))
    }
    #[inline(always)]
    fn is_nan(self) -> Self::Mask {
        (self.0.is_nan(), self.1.is_nan())
    }
    #[inline(always)]
    fn abs_outside(self, first: u64, last: u64) -> Self::Mask {
        (self.0.abs_outside(first, last), self.1.abs_outside(first, last))
    }
    #[inline(always)]
    fn bits_within(self, first: u64, last: u64) -> Self::Mask {
        (self.0.bits_within(first, last), self.1.bits_within(first, last))
    }
    #[inline(always)]
    fn or(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        (V::or(a.0, b.0), V::or(a.1, b.1))
    }
    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        Self(V::select(mask.0, yes.0, no.0), V::select(mask.1, yes.1, no.1))
    }
    #[inline(always)]
    fn any(mask: Self::Mask) -> bool {
        V::any(V::or(mask.0, mask.1))
    }
}
