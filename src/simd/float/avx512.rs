//! AVX-512F and DQ: sixteen lanes. An 8 entry table is held twice in a register, so that its index needs no mask.

use super::F32s;
use core::arch::x86_64::*;

/// Sixteen `f32`.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Avx512(__m512);

#[inline(always)]
fn partial(count: usize) -> __mmask16 {
    (0xffff_u32 >> (16 - count)) as __mmask16
}

#[inline(always)]
unsafe fn int(v: __m512) -> __m512i {
    // SAFETY: a cast without an instruction; the caller has AVX-512F.
    unsafe { _mm512_castps_si512(v) }
}

#[inline(always)]
unsafe fn float(v: __m512i) -> Avx512 {
    // SAFETY: a cast without an instruction; the caller has AVX-512F.
    unsafe { Avx512(_mm512_castsi512_ps(v)) }
}

// SAFETY of every block below: the caller has AVX-512F and DQ (contract of the trait), and pointers are good for the
// lanes named.
#[rustfmt::skip]
impl F32s for Avx512 {
    const LANES: usize = 16;
    type Mask = __mmask16;
    type Index = __m512i;

    #[inline(always)] unsafe fn splat(value: f32) -> Self { unsafe { Self(_mm512_set1_ps(value)) } }
    #[inline(always)] unsafe fn load(from: *const f32) -> Self { unsafe { Self(_mm512_loadu_ps(from)) } }
    #[inline(always)] unsafe fn store(self, to: *mut f32) { unsafe { _mm512_storeu_ps(to, self.0) } }
    #[inline(always)] unsafe fn load_first(from: *const f32, count: usize) -> Self { unsafe { Self(_mm512_maskz_loadu_ps(partial(count), from)) } }
    #[inline(always)] unsafe fn store_first(self, to: *mut f32, count: usize) { unsafe { _mm512_mask_storeu_ps(to, partial(count), self.0) } }

    #[inline(always)] unsafe fn add(self, other: Self) -> Self { unsafe { Self(_mm512_add_ps(self.0, other.0)) } }
    #[inline(always)] unsafe fn sub(self, other: Self) -> Self { unsafe { Self(_mm512_sub_ps(self.0, other.0)) } }
    #[inline(always)] unsafe fn mul(self, other: Self) -> Self { unsafe { Self(_mm512_mul_ps(self.0, other.0)) } }
    #[inline(always)] unsafe fn div(self, other: Self) -> Self { unsafe { Self(_mm512_div_ps(self.0, other.0)) } }
    #[inline(always)] unsafe fn mul_add(self, b: Self, c: Self) -> Self { unsafe { Self(_mm512_fmadd_ps(self.0, b.0, c.0)) } }
    #[inline(always)] unsafe fn neg_mul_add(self, b: Self, c: Self) -> Self { unsafe { Self(_mm512_fnmadd_ps(self.0, b.0, c.0)) } }
    #[inline(always)] unsafe fn mul_sub(self, b: Self, c: Self) -> Self { unsafe { Self(_mm512_fmsub_ps(self.0, b.0, c.0)) } }
    #[inline(always)] unsafe fn max_or(self, other: Self) -> Self { unsafe { Self(_mm512_max_ps(self.0, other.0)) } }
    #[inline(always)] unsafe fn min_or(self, other: Self) -> Self { unsafe { Self(_mm512_min_ps(self.0, other.0)) } }

    #[inline(always)] unsafe fn and_bits(self, other: Self) -> Self { unsafe { float(_mm512_and_si512(int(self.0), int(other.0))) } }
    #[inline(always)] unsafe fn or_bits(self, other: Self) -> Self { unsafe { float(_mm512_or_si512(int(self.0), int(other.0))) } }
    // self ^ (sign & !by)
    #[inline(always)] unsafe fn flip_sign_unless(self, by: Self) -> Self { unsafe { float(_mm512_ternarylogic_epi32::<0xb4>(int(self.0), int(_mm512_set1_ps(-0.0)), int(by.0))) } }
    #[inline(always)] unsafe fn add_bits(self, other: Self) -> Self { unsafe { float(_mm512_add_epi32(int(self.0), int(other.0))) } }
    #[inline(always)] unsafe fn sub_bits(self, other: Self) -> Self { unsafe { float(_mm512_sub_epi32(int(self.0), int(other.0))) } }
    #[inline(always)] unsafe fn max_bits(self, other: Self) -> Self { unsafe { float(_mm512_max_epi32(int(self.0), int(other.0))) } }
    #[inline(always)] unsafe fn round_to_int_bits(self) -> Self { unsafe { float(_mm512_cvtps_epi32(self.0)) } }
    #[inline(always)] unsafe fn is_nonzero(self) -> __mmask16 { unsafe { _mm512_cmp_ps_mask::<_CMP_NEQ_OQ>(self.0, _mm512_setzero_ps()) } }
    #[inline(always)] unsafe fn lt_bits(self, other: Self) -> __mmask16 { unsafe { _mm512_cmplt_epi32_mask(int(self.0), int(other.0)) } }
    #[inline(always)] unsafe fn shl_bits<const N: i32>(self) -> Self { unsafe { float(_mm512_sll_epi32(int(self.0), _mm_cvtsi32_si128(N))) } }
    #[inline(always)] unsafe fn sar_bits<const N: i32>(self) -> Self { unsafe { float(_mm512_sra_epi32(int(self.0), _mm_cvtsi32_si128(N))) } }

    #[inline(always)] unsafe fn lt(self, other: Self) -> __mmask16 { unsafe { _mm512_cmp_ps_mask::<_CMP_LT_OQ>(self.0, other.0) } }
    #[inline(always)] unsafe fn select(mask: __mmask16, yes: Self, no: Self) -> Self { unsafe { Self(_mm512_mask_blend_ps(mask, no.0, yes.0)) } }
    #[inline(always)] unsafe fn select_by_sign(self, minus: Self, plus: Self) -> Self { unsafe { Self(_mm512_mask_blend_ps(_mm512_movepi32_mask(int(self.0)), plus.0, minus.0)) } }
    #[inline(always)] unsafe fn both(a: __mmask16, b: __mmask16) -> __mmask16 { a & b }
    #[inline(always)] unsafe fn all(mask: __mmask16) -> bool { mask == 0xffff }

    #[inline(always)] unsafe fn index(self) -> __m512i { unsafe { int(self.0) } }
    #[inline(always)] unsafe fn lookup(index: __m512i, table: &[f32; 8]) -> Self {
        unsafe { Self(_mm512_permutexvar_ps(index, _mm512_broadcast_f32x8(_mm256_loadu_ps(table.as_ptr())))) }
    }
}
