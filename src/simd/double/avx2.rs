//! Four lanes with AVX2 and FMA.

use super::{Exp2Table, F64s, ROW, Row};
use core::arch::x86_64::*;

/// Four `f64`.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(pub(crate) __m256d);

/// Lanes `0 .. n` set.
#[inline(always)]
fn first_lanes(n: usize) -> __m256i {
    // SAFETY: these kernels run only where AVX2 was detected.
    unsafe { _mm256_cmpgt_epi64(_mm256_set1_epi64x(n as i64), _mm256_setr_epi64x(0, 1, 2, 3)) }
}

/// For every mask of four lanes the places of the 32-bit halves of those that are set, then anything.
#[repr(C, align(32))]
struct Packed([[u32; 8]; 16]);

static PACKED: Packed = {
    let mut table = [[0; 8]; 16];
    let mut mask = 0;
    while mask < 16 {
        let (mut lane, mut to) = (0, 0);
        while lane < 4 {
            if mask >> lane & 1 != 0 {
                table[mask][to] = 2 * lane;
                table[mask][to + 1] = 2 * lane + 1;
                to += 2;
            }
            lane += 1;
        }
        mask += 1;
    }
    Packed(table)
};

// SAFETY of every block below: values of this type exist only inside the entries with `#[target_feature]`, which run
// only where AVX2 and FMA were detected; pointers are the caller's promise.
impl F64s for Avx2 {
    const LANES: usize = 4;
    type Mask = __m256d;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self(unsafe { _mm256_set1_pd(value) })
    }
    #[inline(always)]
    unsafe fn load(p: *const f64) -> Self {
        Self(unsafe { _mm256_loadu_pd(p) })
    }
    #[inline(always)]
    unsafe fn load_partial(p: *const f64, n: usize) -> Self {
        let lanes = first_lanes(n);
        let padding = Self::splat(1.0);
        Self::select(
            unsafe { _mm256_castsi256_pd(lanes) },
            Self(unsafe { _mm256_maskload_pd(p, lanes) }),
            padding,
        )
    }
    #[inline(always)]
    unsafe fn store(self, p: *mut f64) {
        unsafe { _mm256_storeu_pd(p, self.0) }
    }
    // In pieces: a masked store takes Zen processors some 20 ns.
    #[inline(always)]
    unsafe fn store_partial(self, p: *mut f64, n: usize) {
        debug_assert!(n < 4);
        unsafe {
            let (low, high) = (_mm256_castpd256_pd128(self.0), _mm256_extractf128_pd::<1>(self.0));
            let (mut p, mut rest) = (p, _mm_castpd_si128(low));
            if n & 2 != 0 {
                _mm_storeu_si128(p.cast(), rest);
                (p, rest) = (p.add(2), _mm_castpd_si128(high));
            }
            if n & 1 != 0 {
                _mm_storeu_si64(p.cast(), rest);
            }
        }
    }

    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self(unsafe { _mm256_add_pd(self.0, o.0) })
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self(unsafe { _mm256_sub_pd(self.0, o.0) })
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self(unsafe { _mm256_mul_pd(self.0, o.0) })
    }
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        Self(unsafe { _mm256_div_pd(self.0, o.0) })
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        Self(unsafe { _mm256_fmadd_pd(self.0, a.0, b.0) })
    }
    #[inline(always)]
    fn mul_sub(self, a: Self, b: Self) -> Self {
        Self(unsafe { _mm256_fmsub_pd(self.0, a.0, b.0) })
    }
    #[inline(always)]
    fn neg_mul_add(self, a: Self, b: Self) -> Self {
        Self(unsafe { _mm256_fnmadd_pd(self.0, a.0, b.0) })
    }
    #[inline(always)]
    fn abs(self) -> Self {
        self.and_bits(!(1 << 63))
    }
    #[inline(always)]
    fn neg(self) -> Self {
        Self(unsafe { _mm256_xor_pd(self.0, _mm256_set1_pd(-0.0)) })
    }
    #[inline(always)]
    fn min(self, o: Self) -> Self {
        Self(unsafe { _mm256_min_pd(self.0, o.0) })
    }
    #[inline(always)]
    fn max(self, o: Self) -> Self {
        Self(unsafe { _mm256_max_pd(self.0, o.0) })
    }
    #[inline(always)]
    fn and_bits(self, bits: u64) -> Self {
        Self(unsafe { _mm256_and_pd(self.0, _mm256_set1_pd(f64::from_bits(bits))) })
    }
    #[inline(always)]
    fn or_bits(self, bits: u64) -> Self {
        Self(unsafe { _mm256_or_pd(self.0, _mm256_set1_pd(f64::from_bits(bits))) })
    }
    #[inline(always)]
    fn sub_bits(self, o: Self) -> Self {
        unsafe {
            Self(_mm256_castsi256_pd(_mm256_sub_epi64(_mm256_castpd_si256(self.0), _mm256_castpd_si256(o.0))))
        }
    }
    #[inline(always)]
    fn or_sign(self, sign: Self) -> Self {
        unsafe { Self(_mm256_or_pd(self.0, _mm256_and_pd(sign.0, _mm256_set1_pd(-0.0)))) }
    }
    #[inline(always)]
    fn zero_where_negative(self, sign: Self) -> Self {
        Self(unsafe { _mm256_blendv_pd(self.0, _mm256_setzero_pd(), sign.0) })
    }
    #[inline(always)]
    fn flip_where_negative(self, sign: Self) -> Self {
        unsafe { Self(_mm256_xor_pd(self.0, _mm256_and_pd(sign.0, _mm256_set1_pd(-0.0)))) }
    }

    #[inline(always)]
    fn lt(self, o: Self) -> __m256d {
        unsafe { _mm256_cmp_pd::<_CMP_LT_OQ>(self.0, o.0) }
    }
    #[inline(always)]
    fn abs_outside(self, first: u64, last: u64) -> __m256d {
        // Signed comparison is all there is: `first` goes to the smallest integer.
        let offset = (1u64 << 63).wrapping_sub(first) as i64;
        let limit = last.wrapping_add(offset as u64) as i64;
        unsafe {
            let shifted = _mm256_add_epi64(_mm256_castpd_si256(self.0), _mm256_set1_epi64x(offset));
            _mm256_castsi256_pd(_mm256_cmpgt_epi64(shifted, _mm256_set1_epi64x(limit)))
        }
    }
    #[inline(always)]
    fn bits_within(self, first: u64, last: u64) -> __m256d {
        let offset = (1u64 << 63).wrapping_sub(first);
        let limit = last.wrapping_add(offset).wrapping_add(1);
        unsafe {
            let shifted = _mm256_add_epi64(_mm256_castpd_si256(self.0), _mm256_set1_epi64x(offset as i64));
            _mm256_castsi256_pd(_mm256_cmpgt_epi64(_mm256_set1_epi64x(limit as i64), shifted))
        }
    }
    #[inline(always)]
    fn select(mask: __m256d, yes: Self, no: Self) -> Self {
        Self(unsafe { _mm256_blendv_pd(no.0, yes.0, mask) })
    }
    #[inline(always)]
    fn any(mask: __m256d) -> bool {
        unsafe { _mm256_movemask_pd(mask) != 0 }
    }
    #[inline(always)]
    fn all(mask: __m256d) -> bool {
        unsafe { _mm256_movemask_pd(mask) == 0b1111 }
    }
    #[inline(always)]
    fn count(mask: __m256d) -> usize {
        unsafe { _mm256_movemask_pd(mask).count_ones() as usize }
    }
    #[inline(always)]
    fn pack(self, mask: __m256d) -> Self {
        unsafe {
            let halves = _mm256_load_si256(PACKED.0[_mm256_movemask_pd(mask) as usize].as_ptr().cast());
            Self(_mm256_castsi256_pd(_mm256_permutevar8x32_epi32(_mm256_castpd_si256(self.0), halves)))
        }
    }

    // The minimum that the number comes of lets no NaN through.
    #[inline(always)]
    unsafe fn store_offsets(self, _last: u32, p: *mut u64) {
        unsafe {
            let offsets = _mm256_mul_epu32(_mm256_castpd_si256(self.0), _mm256_set1_epi64x(8 * ROW as i64));
            _mm256_storeu_si256(p.cast(), offsets);
        }
    }
    #[inline(always)]
    unsafe fn entries(rows: *const Row, offsets: *const u64, k: usize) -> (Self, Self) {
        unsafe {
            let at = |lane: usize| rows.byte_add(*offsets.add(lane) as usize).cast::<f64>().add(k);
            let even = _mm256_loadu2_m128d(at(2), at(0));
            let odd = _mm256_loadu2_m128d(at(3), at(1));
            (Self(_mm256_unpacklo_pd(even, odd)), Self(_mm256_unpackhi_pd(even, odd)))
        }
    }

    #[inline(always)]
    fn exp2_eighths(self, table: &'static Exp2Table) -> Self {
        // Each half of the entry comes from its own lookup of 32 bits; the index uses three bits only.
        unsafe {
            let n = _mm256_castpd_ps(self.0);
            let index = _mm256_castps_si256(_mm256_moveldup_ps(n));
            let low = _mm256_permutevar8x32_ps(_mm256_load_ps(table.low.as_ptr().cast()), index);
            let high = _mm256_permutevar8x32_ps(_mm256_load_ps(table.high.as_ptr().cast()), index);
            let entry = _mm256_castps_si256(_mm256_blend_ps::<0b1010_1010>(low, high));
            let shifted = _mm256_slli_epi64::<49>(_mm256_castps_si256(n));
            Self(_mm256_castsi256_pd(_mm256_add_epi64(entry, shifted)))
        }
    }
    #[inline(always)]
    fn add_exponent(self, n: Self) -> Self {
        unsafe {
            let shifted = _mm256_slli_epi64::<52>(_mm256_castpd_si256(n.0));
            Self(_mm256_castsi256_pd(_mm256_add_epi64(_mm256_castpd_si256(self.0), shifted)))
        }
    }
    #[inline(always)]
    fn exponent_field(self) -> Self {
        unsafe {
            let field = _mm256_srli_epi64::<52>(_mm256_castpd_si256(self.0));
            let two52 = _mm256_set1_pd(4503599627370496.0);
            Self(_mm256_sub_pd(_mm256_or_pd(_mm256_castsi256_pd(field), two52), two52))
        }
    }
}
