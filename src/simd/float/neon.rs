//! NEON (aarch64): four lanes.

use super::F32s;
use core::arch::aarch64::*;

/// Four `f32`.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Neon(float32x4_t);

#[inline(always)]
unsafe fn int(v: float32x4_t) -> int32x4_t {
    // SAFETY: a cast without an instruction; the caller has NEON.
    unsafe { vreinterpretq_s32_f32(v) }
}

#[inline(always)]
unsafe fn float(v: int32x4_t) -> Neon {
    // SAFETY: a cast without an instruction; the caller has NEON.
    unsafe { Neon(vreinterpretq_f32_s32(v)) }
}

/// The row at the first of the offsets.
#[inline(always)]
unsafe fn row(base: *const [u32; 4], offsets: *const u32) -> float32x4_t {
    // SAFETY: the caller has NEON; the row is the table's.
    unsafe { vld1q_f32(base.byte_add(offsets.read() as usize).cast()) }
}

// SAFETY of every block below: the caller has NEON (contract of the trait), and pointers are good for the lanes named.
#[rustfmt::skip]
impl F32s for Neon {
    const LANES: usize = 4;
    type Mask = uint32x4_t;

    #[inline(always)] unsafe fn splat(value: f32) -> Self { unsafe { Self(vdupq_n_f32(value)) } }
    // Byte vectors, since element loads may assume the alignment of an element.
    #[inline(always)] unsafe fn load(from: *const f32) -> Self { unsafe { Self(vreinterpretq_f32_u8(vld1q_u8(from.cast()))) } }
    #[inline(always)] unsafe fn store(self, to: *mut f32) { unsafe { vst1q_u8(to.cast(), vreinterpretq_u8_f32(self.0)) } }
    #[inline(always)] unsafe fn load_first(from: *const f32, count: usize) -> Self {
        let mut lanes = [1.0_f32; 4];
        unsafe {
            from.cast::<u8>().copy_to_nonoverlapping(lanes.as_mut_ptr().cast(), 4 * count);
            Self::load(lanes.as_ptr())
        }
    }
    #[inline(always)] unsafe fn store_first(self, to: *mut f32, count: usize) {
        let mut lanes = [0.0_f32; 4];
        unsafe {
            self.store(lanes.as_mut_ptr());
            lanes.as_ptr().cast::<u8>().copy_to_nonoverlapping(to.cast(), 4 * count);
        }
    }

    #[inline(always)] unsafe fn add(self, other: Self) -> Self { unsafe { Self(vaddq_f32(self.0, other.0)) } }
    #[inline(always)] unsafe fn sub(self, other: Self) -> Self { unsafe { Self(vsubq_f32(self.0, other.0)) } }
    #[inline(always)] unsafe fn mul(self, other: Self) -> Self { unsafe { Self(vmulq_f32(self.0, other.0)) } }
    #[inline(always)] unsafe fn mul_add(self, b: Self, c: Self) -> Self { unsafe { Self(vfmaq_f32(c.0, self.0, b.0)) } }
    #[inline(always)] unsafe fn max(self, other: Self) -> Self { unsafe { Self(vmaxq_f32(self.0, other.0)) } }
    #[inline(always)] unsafe fn min(self, other: Self) -> Self { unsafe { Self(vminq_f32(self.0, other.0)) } }

    #[inline(always)] unsafe fn and_bits(self, other: Self) -> Self { unsafe { float(vandq_s32(int(self.0), int(other.0))) } }
    #[inline(always)] unsafe fn or_bits(self, other: Self) -> Self { unsafe { float(vorrq_s32(int(self.0), int(other.0))) } }
    #[inline(always)] unsafe fn sub_bits(self, other: Self) -> Self { unsafe { float(vsubq_s32(int(self.0), int(other.0))) } }
    #[inline(always)] unsafe fn shl_bits<const N: i32>(self) -> Self { unsafe { float(vshlq_n_s32::<N>(int(self.0))) } }

    #[inline(always)] unsafe fn lt(self, other: Self) -> uint32x4_t { unsafe { vcltq_f32(self.0, other.0) } }
    #[inline(always)] unsafe fn is_nonzero(self) -> uint32x4_t { unsafe { vcgtq_f32(vabsq_f32(self.0), vdupq_n_f32(0.0)) } }
    #[inline(always)] unsafe fn select(mask: uint32x4_t, yes: Self, no: Self) -> Self { unsafe { Self(vbslq_f32(mask, yes.0, no.0)) } }
    #[inline(always)] unsafe fn is_number(self) -> uint32x4_t { unsafe { vceqq_f32(self.0, self.0) } }
    #[inline(always)] unsafe fn both(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t { unsafe { vandq_u32(a, b) } }
    #[inline(always)] unsafe fn any(mask: uint32x4_t) -> bool { unsafe { vmaxvq_u32(mask) != 0 } }
    #[inline(always)] unsafe fn all(mask: uint32x4_t) -> bool { unsafe { vminvq_u32(mask) != 0 } }


    #[inline(always)] unsafe fn rows(base: *const [u32; 4], offsets: *const u32) -> [Self; 4] {
        unsafe {
            let (r0, r1, r2, r3) = (row(base, offsets), row(base, offsets.add(1)), row(base, offsets.add(2)), row(base, offsets.add(3)));
            let low = (vreinterpretq_f64_f32(vzip1q_f32(r0, r1)), vreinterpretq_f64_f32(vzip1q_f32(r2, r3)));
            let high = (vreinterpretq_f64_f32(vzip2q_f32(r0, r1)), vreinterpretq_f64_f32(vzip2q_f32(r2, r3)));
            [
                Self(vreinterpretq_f32_f64(vzip1q_f64(low.0, low.1))),
                Self(vreinterpretq_f32_f64(vzip2q_f64(low.0, low.1))),
                Self(vreinterpretq_f32_f64(vzip1q_f64(high.0, high.1))),
                Self(vreinterpretq_f32_f64(vzip2q_f64(high.0, high.1))),
            ]
        }
    }
    #[inline(always)] unsafe fn offset_within(self, last: u32) -> Self { unsafe { Self(vreinterpretq_f32_u32(vminq_u32(vreinterpretq_u32_f32(self.0), vdupq_n_u32(last)))) } }
    #[inline(always)] unsafe fn to_int_bits(self) -> Self { unsafe { float(vcvtnq_s32_f32(self.0)) } }
}
