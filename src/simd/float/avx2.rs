//! AVX2 and FMA: eight lanes, tables in one register each (`vpermps`).

use super::F32s;
use core::arch::asm;
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

/// The entries of `table` at `index`. As an intrinsic it would get the table as a memory operand, and takes Zen 2 and 3
/// two cycles then instead of one.
#[inline]
#[target_feature(enable = "avx2")]
fn permute(table: __m256, index: __m256i) -> __m256 {
    let entries;
    // SAFETY: one instruction between registers.
    unsafe {
        asm!(
            "vpermps {entries}, {index}, {table}",
            entries = lateout(ymm_reg) entries,
            index = in(ymm_reg) index,
            table = in(ymm_reg) table,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    entries
}

// SAFETY of every block below: the caller has AVX2 and FMA (contract of the trait), and pointers are good for the lanes
// named.
#[rustfmt::skip]
impl F32s for Avx2 {
    const LANES: usize = 8;
    type Mask = __m256;
    type Index = __m256i;

    #[inline(always)] unsafe fn splat(value: f32) -> Self { unsafe { Self(_mm256_set1_ps(value)) } }
    #[inline(always)] unsafe fn load(from: *const f32) -> Self { unsafe { Self(_mm256_loadu_ps(from)) } }
    #[inline(always)] unsafe fn store(self, to: *mut f32) { unsafe { _mm256_storeu_ps(to, self.0) } }
    #[inline(always)] unsafe fn load_first(from: *const f32, count: usize) -> Self { unsafe { Self(_mm256_maskload_ps(from, partial(count))) } }
    #[inline(always)] unsafe fn store_first(self, to: *mut f32, count: usize) { unsafe { _mm256_maskstore_ps(to, partial(count), self.0) } }

    #[inline(always)] unsafe fn add(self, other: Self) -> Self { unsafe { Self(_mm256_add_ps(self.0, other.0)) } }
    #[inline(always)] unsafe fn sub(self, other: Self) -> Self { unsafe { Self(_mm256_sub_ps(self.0, other.0)) } }
    #[inline(always)] unsafe fn mul(self, other: Self) -> Self { unsafe { Self(_mm256_mul_ps(self.0, other.0)) } }
    #[inline(always)] unsafe fn div(self, other: Self) -> Self { unsafe { Self(_mm256_div_ps(self.0, other.0)) } }
    #[inline(always)] unsafe fn mul_add(self, b: Self, c: Self) -> Self { unsafe { Self(_mm256_fmadd_ps(self.0, b.0, c.0)) } }
    #[inline(always)] unsafe fn neg_mul_add(self, b: Self, c: Self) -> Self { unsafe { Self(_mm256_fnmadd_ps(self.0, b.0, c.0)) } }
    #[inline(always)] unsafe fn mul_sub(self, b: Self, c: Self) -> Self { unsafe { Self(_mm256_fmsub_ps(self.0, b.0, c.0)) } }
    #[inline(always)] unsafe fn max_or(self, other: Self) -> Self { unsafe { Self(_mm256_max_ps(self.0, other.0)) } }
    #[inline(always)] unsafe fn min_or(self, other: Self) -> Self { unsafe { Self(_mm256_min_ps(self.0, other.0)) } }

    #[inline(always)] unsafe fn and_bits(self, other: Self) -> Self { unsafe { Self(_mm256_and_ps(self.0, other.0)) } }
    #[inline(always)] unsafe fn or_bits(self, other: Self) -> Self { unsafe { Self(_mm256_or_ps(self.0, other.0)) } }
    #[inline(always)] unsafe fn flip_sign_unless(self, by: Self) -> Self { unsafe { Self(_mm256_xor_ps(self.0, _mm256_andnot_ps(by.0, _mm256_set1_ps(-0.0)))) } }
    #[inline(always)] unsafe fn add_bits(self, other: Self) -> Self { unsafe { float(_mm256_add_epi32(int(self.0), int(other.0))) } }
    #[inline(always)] unsafe fn sub_bits(self, other: Self) -> Self { unsafe { float(_mm256_sub_epi32(int(self.0), int(other.0))) } }
    #[inline(always)] unsafe fn max_bits(self, other: Self) -> Self { unsafe { float(_mm256_max_epi32(int(self.0), int(other.0))) } }
    #[inline(always)] unsafe fn round_to_int_bits(self) -> Self { unsafe { float(_mm256_cvtps_epi32(self.0)) } }
    #[inline(always)] unsafe fn is_nonzero(self) -> __m256 { unsafe { _mm256_cmp_ps::<_CMP_NEQ_OQ>(self.0, _mm256_setzero_ps()) } }
    #[inline(always)] unsafe fn lt_bits(self, other: Self) -> __m256 { unsafe { float(_mm256_cmpgt_epi32(int(other.0), int(self.0))).0 } }
    #[inline(always)] unsafe fn shl_bits<const N: i32>(self) -> Self { unsafe { float(_mm256_slli_epi32::<N>(int(self.0))) } }
    #[inline(always)] unsafe fn sar_bits<const N: i32>(self) -> Self { unsafe { float(_mm256_srai_epi32::<N>(int(self.0))) } }

    #[inline(always)] unsafe fn lt(self, other: Self) -> __m256 { unsafe { _mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0) } }
    #[inline(always)] unsafe fn select(mask: __m256, yes: Self, no: Self) -> Self { unsafe { Self(_mm256_blendv_ps(no.0, yes.0, mask)) } }
    #[inline(always)] unsafe fn select_by_sign(self, minus: Self, plus: Self) -> Self { unsafe { Self(_mm256_blendv_ps(plus.0, minus.0, self.0)) } }
    #[inline(always)] unsafe fn both(a: __m256, b: __m256) -> __m256 { unsafe { _mm256_and_ps(a, b) } }
    #[inline(always)] unsafe fn all(mask: __m256) -> bool { unsafe { _mm256_movemask_epi8(int(mask)) == -1 } }

    #[inline(always)] unsafe fn index(self) -> __m256i { unsafe { int(self.0) } }
    #[inline(always)] unsafe fn lookup(index: __m256i, table: &[f32; 8]) -> Self { unsafe { Self(permute(_mm256_loadu_ps(table.as_ptr()), index)) } }
}
