//! Two lanes with NEON (aarch64).

use super::{Exp2Table, F64s, ROW, Row};
use core::arch::aarch64::*;

/// Two `f64`.
#[derive(Clone, Copy)]
pub(crate) struct Neon(pub(crate) float64x2_t);

#[inline(always)]
fn bits(v: float64x2_t) -> uint64x2_t {
    // SAFETY: a cast without an instruction.
    unsafe { vreinterpretq_u64_f64(v) }
}

#[inline(always)]
fn value(v: uint64x2_t) -> Neon {
    // SAFETY: a cast without an instruction.
    Neon(unsafe { vreinterpretq_f64_u64(v) })
}

// SAFETY of every block below: every aarch64 processor that the library serves has NEON, as dispatch checks; pointers
// are the caller's promise.
impl F64s for Neon {
    const LANES: usize = 2;
    type Mask = uint64x2_t;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self(unsafe { vdupq_n_f64(value) })
    }
    // Byte vectors, since element loads may assume the alignment of an element.
    #[inline(always)]
    unsafe fn load(p: *const f64) -> Self {
        Self(unsafe { vreinterpretq_f64_u8(vld1q_u8(p.cast())) })
    }
    #[inline(always)]
    unsafe fn load_partial(p: *const f64, n: usize) -> Self {
        let mut lanes = [1.0f64; 2];
        unsafe {
            p.cast::<u8>().copy_to_nonoverlapping(lanes.as_mut_ptr().cast(), 8 * n);
            Self::load(lanes.as_ptr())
        }
    }
    #[inline(always)]
    unsafe fn store(self, p: *mut f64) {
        unsafe { vst1q_u8(p.cast(), vreinterpretq_u8_f64(self.0)) }
    }
    #[inline(always)]
    unsafe fn store_partial(self, p: *mut f64, n: usize) {
        let mut lanes = [0.0f64; 2];
        unsafe {
            self.store(lanes.as_mut_ptr());
            lanes.as_ptr().cast::<u8>().copy_to_nonoverlapping(p.cast(), 8 * n);
        }
    }

    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self(unsafe { vaddq_f64(self.0, o.0) })
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self(unsafe { vsubq_f64(self.0, o.0) })
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self(unsafe { vmulq_f64(self.0, o.0) })
    }
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        Self(unsafe { vdivq_f64(self.0, o.0) })
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        Self(unsafe { vfmaq_f64(b.0, self.0, a.0) })
    }
    #[inline(always)]
    fn mul_sub(self, a: Self, b: Self) -> Self {
        Self(unsafe { vfmaq_f64(vnegq_f64(b.0), self.0, a.0) })
    }
    #[inline(always)]
    fn neg_mul_add(self, a: Self, b: Self) -> Self {
        Self(unsafe { vfmsq_f64(b.0, self.0, a.0) })
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(unsafe { vabsq_f64(self.0) })
    }
    #[inline(always)]
    fn neg(self) -> Self {
        Self(unsafe { vnegq_f64(self.0) })
    }
    #[inline(always)]
    fn min(self, o: Self) -> Self {
        Self(unsafe { vbslq_f64(vcltq_f64(self.0, o.0), self.0, o.0) })
    }
    #[inline(always)]
    fn max(self, o: Self) -> Self {
        Self(unsafe { vbslq_f64(vcgtq_f64(self.0, o.0), self.0, o.0) })
    }
    #[inline(always)]
    fn and_bits(self, mask: u64) -> Self {
        value(unsafe { vandq_u64(bits(self.0), vdupq_n_u64(mask)) })
    }
    #[inline(always)]
    fn or_bits(self, mask: u64) -> Self {
        value(unsafe { vorrq_u64(bits(self.0), vdupq_n_u64(mask)) })
    }
    #[inline(always)]
    fn sub_bits(self, o: Self) -> Self {
        value(unsafe { vsubq_u64(bits(self.0), bits(o.0)) })
    }
    #[inline(always)]
    fn or_sign(self, sign: Self) -> Self {
        value(unsafe { vorrq_u64(bits(self.0), vandq_u64(bits(sign.0), vdupq_n_u64(1 << 63))) })
    }
    #[inline(always)]
    fn zero_where_negative(self, sign: Self) -> Self {
        unsafe {
            let negative = vreinterpretq_u64_s64(vshrq_n_s64::<63>(vreinterpretq_s64_f64(sign.0)));
            value(vbicq_u64(bits(self.0), negative))
        }
    }
    #[inline(always)]
    fn flip_where_negative(self, sign: Self) -> Self {
        value(unsafe { veorq_u64(bits(self.0), vandq_u64(bits(sign.0), vdupq_n_u64(1 << 63))) })
    }

    #[inline(always)]
    fn lt(self, o: Self) -> uint64x2_t {
        unsafe { vcltq_f64(self.0, o.0) }
    }
    #[inline(always)]
    fn abs_outside(self, first: u64, last: u64) -> uint64x2_t {
        unsafe { vcgtq_u64(vsubq_u64(bits(self.0), vdupq_n_u64(first)), vdupq_n_u64(last - first)) }
    }
    #[inline(always)]
    fn bits_within(self, first: u64, last: u64) -> uint64x2_t {
        unsafe { vcleq_u64(vsubq_u64(bits(self.0), vdupq_n_u64(first)), vdupq_n_u64(last - first)) }
    }
    #[inline(always)]
    fn select(mask: uint64x2_t, yes: Self, no: Self) -> Self {
        Self(unsafe { vbslq_f64(mask, yes.0, no.0) })
    }
    #[inline(always)]
    fn any(mask: uint64x2_t) -> bool {
        unsafe { vmaxvq_u32(vreinterpretq_u32_u64(mask)) != 0 }
    }
    #[inline(always)]
    fn all(mask: uint64x2_t) -> bool {
        unsafe { vminvq_u32(vreinterpretq_u32_u64(mask)) != 0 }
    }
    #[inline(always)]
    fn count(mask: uint64x2_t) -> usize {
        unsafe { vaddvq_u64(vshrq_n_u64::<63>(mask)) as usize }
    }
    #[inline(always)]
    fn pack(self, mask: uint64x2_t) -> Self {
        // Both lanes are the upper one where the lower one is not set.
        unsafe { Self(vbslq_f64(vdupq_laneq_u64::<0>(mask), self.0, vdupq_laneq_f64::<1>(self.0))) }
    }

    #[inline(always)]
    unsafe fn store_offsets(self, last: u32, p: *mut u64) {
        unsafe {
            let numbers = vmin_u32(vmovn_u64(bits(self.0)), vdup_n_u32(last));
            vst1q_u64(p, vmull_u32(numbers, vdup_n_u32(8 * ROW as u32)));
        }
    }
    #[inline(always)]
    unsafe fn entries(rows: *const Row, offsets: *const u64, k: usize) -> (Self, Self) {
        unsafe {
            let even = vld1q_f64(rows.byte_add(*offsets as usize).cast::<f64>().add(k));
            let odd = vld1q_f64(rows.byte_add(*offsets.add(1) as usize).cast::<f64>().add(k));
            (Self(vzip1q_f64(even, odd)), Self(vzip2q_f64(even, odd)))
        }
    }

    #[inline(always)]
    fn exp2_eighths(self, table: &'static Exp2Table) -> Self {
        // Two lanes: two loads are as good as any lookup.
        unsafe {
            let n = bits(self.0);
            let first = vld1_u64(table.whole.as_ptr().add((vgetq_lane_u64::<0>(n) & 7) as usize));
            let second = vld1_u64(table.whole.as_ptr().add((vgetq_lane_u64::<1>(n) & 7) as usize));
            value(vaddq_u64(vcombine_u64(first, second), vshlq_n_u64::<49>(n)))
        }
    }
    #[inline(always)]
    fn add_exponent(self, n: Self) -> Self {
        value(unsafe { vaddq_u64(bits(self.0), vshlq_n_u64::<52>(bits(n.0))) })
    }
    #[inline(always)]
    fn exponent_field(self) -> Self {
        Self(unsafe { vcvtq_f64_u64(vshrq_n_u64::<52>(bits(self.0))) })
    }
}
