//! NEON (aarch64): four lanes; an 8 entry table lies in two registers, and a lookup takes bytes (`tbl`).

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

// SAFETY of every block below: the caller has NEON (contract of the trait), and pointers are good for the lanes named.
#[rustfmt::skip]
impl F32s for Neon {
    const LANES: usize = 4;
    type Mask = uint32x4_t;
    type Index = uint8x16_t;

    #[inline(always)] unsafe fn splat(value: f32) -> Self { unsafe { Self(vdupq_n_f32(value)) } }
    // Byte vectors, since element loads may assume the alignment of an element.
    #[inline(always)] unsafe fn load(from: *const f32) -> Self { unsafe { Self(vreinterpretq_f32_u8(vld1q_u8(from.cast()))) } }
    #[inline(always)] unsafe fn store(self, to: *mut f32) { unsafe { vst1q_u8(to.cast(), vreinterpretq_u8_f32(self.0)) } }
    #[inline(always)] unsafe fn load_first(from: *const f32, count: usize) -> Self {
        let mut lanes = [0.0_f32; 4];
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
    #[inline(always)] unsafe fn div(self, other: Self) -> Self { unsafe { Self(vdivq_f32(self.0, other.0)) } }
    #[inline(always)] unsafe fn mul_add(self, b: Self, c: Self) -> Self { unsafe { Self(vfmaq_f32(c.0, self.0, b.0)) } }
    #[inline(always)] unsafe fn neg_mul_add(self, b: Self, c: Self) -> Self { unsafe { Self(vfmsq_f32(c.0, self.0, b.0)) } }
    #[inline(always)] unsafe fn mul_sub(self, b: Self, c: Self) -> Self { unsafe { Self(vfmaq_f32(vnegq_f32(c.0), self.0, b.0)) } }
    #[inline(always)] unsafe fn max_or(self, other: Self) -> Self { unsafe { Self(vbslq_f32(vcgtq_f32(self.0, other.0), self.0, other.0)) } }
    #[inline(always)] unsafe fn min_or(self, other: Self) -> Self { unsafe { Self(vbslq_f32(vcltq_f32(self.0, other.0), self.0, other.0)) } }

    #[inline(always)] unsafe fn and_bits(self, other: Self) -> Self { unsafe { float(vandq_s32(int(self.0), int(other.0))) } }
    #[inline(always)] unsafe fn or_bits(self, other: Self) -> Self { unsafe { float(vorrq_s32(int(self.0), int(other.0))) } }
    #[inline(always)] unsafe fn flip_sign_unless(self, by: Self) -> Self { unsafe { float(veorq_s32(int(self.0), vbicq_s32(vdupq_n_s32(i32::MIN), int(by.0)))) } }
    #[inline(always)] unsafe fn add_bits(self, other: Self) -> Self { unsafe { float(vaddq_s32(int(self.0), int(other.0))) } }
    #[inline(always)] unsafe fn sub_bits(self, other: Self) -> Self { unsafe { float(vsubq_s32(int(self.0), int(other.0))) } }
    #[inline(always)] unsafe fn max_bits(self, other: Self) -> Self { unsafe { float(vmaxq_s32(int(self.0), int(other.0))) } }
    #[inline(always)] unsafe fn round_to_int_bits(self) -> Self { unsafe { float(vcvtnq_s32_f32(self.0)) } }
    #[inline(always)] unsafe fn shl_bits<const N: i32>(self) -> Self { unsafe { float(vshlq_n_s32::<N>(int(self.0))) } }
    #[inline(always)] unsafe fn sar_bits<const N: i32>(self) -> Self { unsafe { float(vshrq_n_s32::<N>(int(self.0))) } }

    #[inline(always)] unsafe fn lt(self, other: Self) -> uint32x4_t { unsafe { vcltq_f32(self.0, other.0) } }
    #[inline(always)] unsafe fn is_nonzero(self) -> uint32x4_t { unsafe { vcgtq_f32(vabsq_f32(self.0), vdupq_n_f32(0.0)) } }
    #[inline(always)] unsafe fn lt_bits(self, other: Self) -> uint32x4_t { unsafe { vcltq_s32(int(self.0), int(other.0)) } }
    #[inline(always)] unsafe fn select(mask: uint32x4_t, yes: Self, no: Self) -> Self { unsafe { Self(vbslq_f32(mask, yes.0, no.0)) } }
    #[inline(always)] unsafe fn select_by_sign(self, minus: Self, plus: Self) -> Self { unsafe { Self(vbslq_f32(vreinterpretq_u32_s32(vshrq_n_s32::<31>(int(self.0))), minus.0, plus.0)) } }
    #[inline(always)] unsafe fn both(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t { unsafe { vandq_u32(a, b) } }
    #[inline(always)] unsafe fn all(mask: uint32x4_t) -> bool { unsafe { vminvq_u32(mask) != 0 } }

    // Byte numbers of the entries: 4 i + (0, 1, 2, 3).
    #[inline(always)] unsafe fn index(self) -> uint8x16_t {
        unsafe {
            let i = vandq_u32(vreinterpretq_u32_f32(self.0), vdupq_n_u32(7));
            vreinterpretq_u8_u32(vmlaq_u32(vdupq_n_u32(0x0302_0100), i, vdupq_n_u32(0x0404_0404)))
        }
    }
    #[inline(always)] unsafe fn lookup(index: uint8x16_t, table: &[f32; 8]) -> Self {
        unsafe {
            let bytes = table.as_ptr().cast::<u8>();
            Self(vreinterpretq_f32_u8(vqtbl2q_u8(uint8x16x2_t(vld1q_u8(bytes), vld1q_u8(bytes.add(16))), index)))
        }
    }
}
