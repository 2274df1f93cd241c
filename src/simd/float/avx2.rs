//! AVX2 and FMA: eight lanes.

use super::F32s;
use core::arch::x86_64::*;

/// Eight `f32`.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(crate) struct Avx2(__m256);

/// Lanes 0.. of the window that starts 8 - n entries in are n ones, then zeros.
static PARTIAL: [i32; 16] = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];

#[inline(always)]
unsafe fn partial(count: usize) -> __m256i {
    debug_assert!((1..=8).contains(&count));
    // SAFETY: the window of eight entries that starts at 8 - count (0..=7) lies within the sixteen.
    unsafe { _mm256_loadu_si256(PARTIAL.as_ptr().add(8 - count).cast()) }
}

#[inline(always)]
unsafe fn int(v: __m256) -> __m256i {
    // SAFETY: a cast without an instruction; the caller has AVX2.
    unsafe { _mm256_castps_si256(v) }
}

#[inline(always)]
unsafe fn float(v: __m256i) -> Avx2 {
    // SAFETY: a cast without an instruction; the caller has AVX2.
    unsafe { Avx2(_mm256_castsi256_ps(v)) }
}

/// The row at the first of the offsets, and in the upper half that at the fifth.
#[inline(always)]
unsafe fn two_rows(base: *const [u32; 4], offsets: *const u32) -> __m256 {
    // SAFETY: the caller has AVX2; the rows are the table's.
    unsafe {
        let low = base.byte_add(offsets.read() as usize);
        let high = base.byte_add(offsets.add(4).read() as usize);
        _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(_mm_load_ps(low.cast())), _mm_load_ps(high.cast()))
    }
}

// SAFETY of every block below: the caller has AVX2 and FMA (contract of the trait), and pointers are good for the lanes
// named.
#[rustfmt::skip]
impl F32s for Avx2 {
    const LANES: usize = 8;
    type Mask = __m256;

    #[inline(always)] unsafe fn splat(value: f32) -> Self { unsafe { Self(_mm256_set1_ps(value)) } }
    #[inline(always)] unsafe fn load(from: *const f32) -> Self { unsafe { Self(_mm256_loadu_ps(from)) } }
    #[inline(always)] unsafe fn store(self, to: *mut f32) { unsafe { _mm256_storeu_ps(to, self.0) } }
    #[inline(always)] unsafe fn load_first(from: *const f32, count: usize) -> Self { unsafe { let lanes = partial(count); Self(_mm256_blendv_ps(_mm256_set1_ps(1.0), _mm256_maskload_ps(from, lanes), _mm256_castsi256_ps(lanes))) } }
    // In pieces: a masked store takes Zen processors some 20 ns.
    #[inline(always)] unsafe fn store_first(self, to: *mut f32, count: usize) {
        debug_assert!((1..=8).contains(&count));
        unsafe {
            if count == 8 {
                return self.store(to);
            }
            let (mut to, mut rest) = (to, _mm_castps_si128(_mm256_castps256_ps128(self.0)));
            if count & 4 != 0 {
                _mm_storeu_si128(to.cast(), rest);
                (to, rest) = (to.add(4), _mm256_extracti128_si256::<1>(int(self.0)));
            }
            if count & 2 != 0 {
                _mm_storeu_si64(to.cast(), rest);
                (to, rest) = (to.add(2), _mm_unpackhi_epi64(rest, rest));
            }
            if count & 1 != 0 {
                _mm_storeu_si32(to.cast(), rest);
            }
        }
    }

    #[inline(always)] unsafe fn add(self, other: Self) -> Self { unsafe { Self(_mm256_add_ps(self.0, other.0)) } }
    #[inline(always)] unsafe fn sub(self, other: Self) -> Self { unsafe { Self(_mm256_sub_ps(self.0, other.0)) } }
    #[inline(always)] unsafe fn mul(self, other: Self) -> Self { unsafe { Self(_mm256_mul_ps(self.0, other.0)) } }
    #[inline(always)] unsafe fn mul_add(self, b: Self, c: Self) -> Self { unsafe { Self(_mm256_fmadd_ps(self.0, b.0, c.0)) } }
    #[inline(always)] unsafe fn max(self, other: Self) -> Self { unsafe { Self(_mm256_max_ps(self.0, other.0)) } }
    #[inline(always)] unsafe fn min(self, other: Self) -> Self { unsafe { Self(_mm256_min_ps(self.0, other.0)) } }

    #[inline(always)] unsafe fn and_bits(self, other: Self) -> Self { unsafe { Self(_mm256_and_ps(self.0, other.0)) } }
    #[inline(always)] unsafe fn or_bits(self, other: Self) -> Self { unsafe { Self(_mm256_or_ps(self.0, other.0)) } }
    // Not _CMP_NEQ_OQ, which valgrind 3.19 takes to be true for NaN.
    #[inline(always)] unsafe fn is_nonzero(self) -> __m256 { unsafe { _mm256_cmp_ps::<_CMP_GT_OQ>(_mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0), _mm256_setzero_ps()) } }
    #[inline(always)] unsafe fn sub_bits(self, other: Self) -> Self { unsafe { float(_mm256_sub_epi32(int(self.0), int(other.0))) } }
    #[inline(always)] unsafe fn shl_bits<const N: i32>(self) -> Self { unsafe { float(_mm256_slli_epi32::<N>(int(self.0))) } }

    #[inline(always)] unsafe fn lt(self, other: Self) -> __m256 { unsafe { _mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0) } }
    #[inline(always)] unsafe fn select(mask: __m256, yes: Self, no: Self) -> Self { unsafe { Self(_mm256_blendv_ps(no.0, yes.0, mask)) } }
    #[inline(always)] unsafe fn is_number(self) -> __m256 { unsafe { _mm256_cmp_ps::<_CMP_ORD_Q>(self.0, self.0) } }
    #[inline(always)] unsafe fn both(a: __m256, b: __m256) -> __m256 { unsafe { _mm256_and_ps(a, b) } }
    #[inline(always)] unsafe fn any(mask: __m256) -> bool { unsafe { _mm256_movemask_ps(mask) != 0 } }
    #[inline(always)] unsafe fn all(mask: __m256) -> bool { unsafe { _mm256_movemask_ps(mask) == 255 } }

    // Lanes i and i + 4 side by side, then the transpose of each half.
    #[inline(always)] unsafe fn rows(base: *const [u32; 4], offsets: *const u32) -> [Self; 4] {
        unsafe {
            let r0 = two_rows(base, offsets);
            let r1 = two_rows(base, offsets.add(1));
            let r2 = two_rows(base, offsets.add(2));
            let r3 = two_rows(base, offsets.add(3));
            let low = (_mm256_unpacklo_ps(r0, r1), _mm256_unpacklo_ps(r2, r3));
            let high = (_mm256_unpackhi_ps(r0, r1), _mm256_unpackhi_ps(r2, r3));
            let (low, high) = (
                (_mm256_castps_pd(low.0), _mm256_castps_pd(low.1)),
                (_mm256_castps_pd(high.0), _mm256_castps_pd(high.1)),
            );
            [
                Self(_mm256_castpd_ps(_mm256_unpacklo_pd(low.0, low.1))),
                Self(_mm256_castpd_ps(_mm256_unpackhi_pd(low.0, low.1))),
                Self(_mm256_castpd_ps(_mm256_unpacklo_pd(high.0, high.1))),
                Self(_mm256_castpd_ps(_mm256_unpackhi_pd(high.0, high.1))),
            ]
        }
    }
    // vmaxps gives its second operand for a NaN in the first: none comes through.
    #[inline(always)] unsafe fn offset_within(self, _last: u32) -> Self { self }
    #[inline(always)] unsafe fn to_int_bits(self) -> Self { unsafe { float(_mm256_cvtps_epi32(self.0)) } }
}
