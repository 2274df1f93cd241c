//! One lane without any instruction set: for tests and Miri. Slow where the target has no FMA.

use super::F32s;

/// One `f32`.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct One(f32);

#[inline(always)]
fn float(bits: u32) -> One {
    One(f32::from_bits(bits))
}

// SAFETY of the pointer accesses: the contract of the trait.
#[rustfmt::skip]
impl F32s for One {
    const LANES: usize = 1;
    type Mask = bool;

    #[inline(always)] unsafe fn splat(value: f32) -> Self { Self(value) }
    #[inline(always)] unsafe fn load(from: *const f32) -> Self { unsafe { Self(from.read_unaligned()) } }
    #[inline(always)] unsafe fn store(self, to: *mut f32) { unsafe { to.write_unaligned(self.0) } }
    #[inline(always)] unsafe fn load_first(from: *const f32, _count: usize) -> Self { unsafe { Self::load(from) } }
    #[inline(always)] unsafe fn store_first(self, to: *mut f32, _count: usize) { unsafe { self.store(to) } }

    #[inline(always)] unsafe fn add(self, other: Self) -> Self { Self(self.0 + other.0) }
    #[inline(always)] unsafe fn sub(self, other: Self) -> Self { Self(self.0 - other.0) }
    #[inline(always)] unsafe fn mul(self, other: Self) -> Self { Self(self.0 * other.0) }
    #[inline(always)] unsafe fn mul_add(self, b: Self, c: Self) -> Self { Self(self.0.mul_add(b.0, c.0)) }
    #[inline(always)] unsafe fn max(self, other: Self) -> Self { if self.0.is_nan() || self.0 > other.0 { self } else { other } }
    #[inline(always)] unsafe fn min(self, other: Self) -> Self { if other.0.is_nan() || other.0 < self.0 { other } else { self } }

    #[inline(always)] unsafe fn and_bits(self, other: Self) -> Self { float(self.0.to_bits() & other.0.to_bits()) }
    #[inline(always)] unsafe fn or_bits(self, other: Self) -> Self { float(self.0.to_bits() | other.0.to_bits()) }
    #[inline(always)] unsafe fn is_nonzero(self) -> bool { self.0 != 0.0 && !self.0.is_nan() }
    #[inline(always)] unsafe fn sub_bits(self, other: Self) -> Self { float(self.0.to_bits().wrapping_sub(other.0.to_bits())) }
    #[inline(always)] unsafe fn shl_bits<const N: i32>(self) -> Self { float(self.0.to_bits() << N) }

    #[inline(always)] unsafe fn lt(self, other: Self) -> bool { self.0 < other.0 }
    #[inline(always)] unsafe fn select(mask: bool, yes: Self, no: Self) -> Self { if mask { yes } else { no } }
    #[inline(always)] unsafe fn is_number(self) -> bool { !self.0.is_nan() }
    #[inline(always)] unsafe fn both(a: bool, b: bool) -> bool { a & b }
    #[inline(always)] unsafe fn any(mask: bool) -> bool { mask }
    #[inline(always)] unsafe fn all(mask: bool) -> bool { mask }

    #[inline(always)] unsafe fn rows(base: *const [u32; 4], offsets: *const u32) -> [Self; 4] {
        unsafe { base.byte_add(offsets.read() as usize).read().map(float) }
    }
    #[inline(always)] unsafe fn offset_within(self, last: u32) -> Self { float(self.0.to_bits().min(last)) }
    #[inline(always)] unsafe fn to_int_bits(self) -> Self { float(self.0.round_ties_even() as i32 as u32) }
}
