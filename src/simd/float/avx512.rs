//! AVX-512F and DQ: sixteen lanes.

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

/// The rows at the first, fifth, ninth and thirteenth of the offsets.
#[inline(always)]
unsafe fn four_rows(base: *const [u32; 4], offsets: *const u32) -> __m512 {
    // SAFETY: the caller has AVX-512F and DQ; the rows are the table's.
    unsafe {
        let at = base.byte_add(offsets.read() as usize);
        let rows = _mm512_castps128_ps512(_mm_load_ps(at.cast()));
        let at = base.byte_add(offsets.add(4).read() as usize);
        let rows = _mm512_insertf32x4::<1>(rows, _mm_load_ps(at.cast()));
        let at = base.byte_add(offsets.add(8).read() as usize);
        let rows = _mm512_insertf32x4::<2>(rows, _mm_load_ps(at.cast()));
        let at = base.byte_add(offsets.add(12).read() as usize);
        _mm512_insertf32x4::<3>(rows, _mm_load_ps(at.cast()))
    }
}

// SAFETY of every block below: the caller has AVX-512F and DQ (contract of the trait), and pointers are good for the
// lanes named.
#[rustfmt::skip]
impl F32s for Avx512 {
    const LANES: usize = 16;
    type Mask = __mmask16;

    #[inline(always)] unsafe fn splat(value: f32) -> Self { unsafe { Self(_mm512_set1_ps(value)) } }
    #[inline(always)] unsafe fn load(from: *const f32) -> Self { unsafe { Self(_mm512_loadu_ps(from)) } }
    #[inline(always)] unsafe fn store(self, to: *mut f32) { unsafe { _mm512_storeu_ps(to, self.0) } }
    #[inline(always)] unsafe fn load_first(from: *const f32, count: usize) -> Self { unsafe { Self(_mm512_mask_loadu_ps(_mm512_set1_ps(1.0), partial(count), from)) } }
    #[inline(always)] unsafe fn store_first(self, to: *mut f32, count: usize) { unsafe { _mm512_mask_storeu_ps(to, partial(count), self.0) } }

    #[inline(always)] unsafe fn add(self, other: Self) -> Self { unsafe { Self(_mm512_add_ps(self.0, other.0)) } }
    #[inline(always)] unsafe fn sub(self, other: Self) -> Self { unsafe { Self(_mm512_sub_ps(self.0, other.0)) } }
    #[inline(always)] unsafe fn mul(self, other: Self) -> Self { unsafe { Self(_mm512_mul_ps(self.0, other.0)) } }
    #[inline(always)] unsafe fn mul_add(self, b: Self, c: Self) -> Self { unsafe { Self(_mm512_fmadd_ps(self.0, b.0, c.0)) } }
    #[inline(always)] unsafe fn max(self, other: Self) -> Self { unsafe { Self(_mm512_max_ps(self.0, other.0)) } }
    #[inline(always)] unsafe fn min(self, other: Self) -> Self { unsafe { Self(_mm512_min_ps(self.0, other.0)) } }

    #[inline(always)] unsafe fn and_bits(self, other: Self) -> Self { unsafe { float(_mm512_and_si512(int(self.0), int(other.0))) } }
    #[inline(always)] unsafe fn or_bits(self, other: Self) -> Self { unsafe { float(_mm512_or_si512(int(self.0), int(other.0))) } }
    // self ^ (sign & !by)
    #[inline(always)] unsafe fn is_nonzero(self) -> __mmask16 { unsafe { _mm512_cmp_ps_mask::<_CMP_NEQ_OQ>(self.0, _mm512_setzero_ps()) } }
    #[inline(always)] unsafe fn sub_bits(self, other: Self) -> Self { unsafe { float(_mm512_sub_epi32(int(self.0), int(other.0))) } }
    #[inline(always)] unsafe fn shl_bits<const N: i32>(self) -> Self { unsafe { float(_mm512_sll_epi32(int(self.0), _mm_cvtsi32_si128(N))) } }

    #[inline(always)] unsafe fn lt(self, other: Self) -> __mmask16 { unsafe { _mm512_cmp_ps_mask::<_CMP_LT_OQ>(self.0, other.0) } }
    #[inline(always)] unsafe fn select(mask: __mmask16, yes: Self, no: Self) -> Self { unsafe { Self(_mm512_mask_blend_ps(mask, no.0, yes.0)) } }
    #[inline(always)] unsafe fn is_number(self) -> __mmask16 { unsafe { _mm512_cmp_ps_mask::<_CMP_ORD_Q>(self.0, self.0) } }
    #[inline(always)] unsafe fn both(a: __mmask16, b: __mmask16) -> __mmask16 { a & b }
    #[inline(always)] unsafe fn any(mask: __mmask16) -> bool { mask != 0 }
    #[inline(always)] unsafe fn all(mask: __mmask16) -> bool { mask == 0xffff }

    // Lanes i, i + 4, i + 8 and i + 12 side by side, then the transpose of each quarter.
    #[inline(always)] unsafe fn rows(base: *const [u32; 4], offsets: *const u32) -> [Self; 4] {
        unsafe {
            let r0 = four_rows(base, offsets);
            let r1 = four_rows(base, offsets.add(1));
            let r2 = four_rows(base, offsets.add(2));
            let r3 = four_rows(base, offsets.add(3));
            let low = (_mm512_unpacklo_ps(r0, r1), _mm512_unpacklo_ps(r2, r3));
            let high = (_mm512_unpackhi_ps(r0, r1), _mm512_unpackhi_ps(r2, r3));
            let (low, high) = (
                (_mm512_castps_pd(low.0), _mm512_castps_pd(low.1)),
                (_mm512_castps_pd(high.0), _mm512_castps_pd(high.1)),
            );
            [
                Self(_mm512_castpd_ps(_mm512_unpacklo_pd(low.0, low.1))),
                Self(_mm512_castpd_ps(_mm512_unpackhi_pd(low.0, low.1))),
                Self(_mm512_castpd_ps(_mm512_unpacklo_pd(high.0, high.1))),
                Self(_mm512_castpd_ps(_mm512_unpackhi_pd(high.0, high.1))),
            ]
        }
    }
    // vmaxps gives its second operand for a NaN in the first: none comes through.
    #[inline(always)] unsafe fn offset_within(self, _last: u32) -> Self { self }
    #[inline(always)] unsafe fn to_int_bits(self) -> Self { unsafe { float(_mm512_cvtps_epi32(self.0)) } }
}
