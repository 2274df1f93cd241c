//! Eight lanes with AVX-512 F.

use super::{Exp2Table, F64s, ROW, Row};
use core::arch::x86_64::*;

/// Eight `f64`.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(pub(crate) __m512d);

/// Lanes `0 .. n` set, `n < 8`.
#[inline(always)]
fn first_lanes(n: usize) -> __mmask8 {
    ((1u32 << n) - 1) as __mmask8
}

#[inline(always)]
fn int(v: Avx512) -> __m512i {
    // SAFETY: as below.
    unsafe { _mm512_castpd_si512(v.0) }
}

#[inline(always)]
fn float(v: __m512i) -> Avx512 {
    // SAFETY: as below.
    Avx512(unsafe { _mm512_castsi512_pd(v) })
}

// SAFETY of every block below: values of this type exist only inside the entries with `#[target_feature]`, which run
// only where AVX-512 F was detected; pointers are the caller's promise.
impl F64s for Avx512 {
    const LANES: usize = 8;
    type Mask = __mmask8;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self(unsafe { _mm512_set1_pd(value) })
    }
    #[inline(always)]
    unsafe fn load(p: *const f64) -> Self {
        Self(unsafe { _mm512_loadu_pd(p) })
    }
    #[inline(always)]
    unsafe fn load_partial(p: *const f64, n: usize) -> Self {
        Self(unsafe { _mm512_mask_loadu_pd(_mm512_set1_pd(1.0), first_lanes(n), p) })
    }
    #[inline(always)]
    unsafe fn store(self, p: *mut f64) {
        unsafe { _mm512_storeu_pd(p, self.0) }
    }
    #[inline(always)]
    unsafe fn store_partial(self, p: *mut f64, n: usize) {
        unsafe { _mm512_mask_storeu_pd(p, first_lanes(n), self.0) }
    }

    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self(unsafe { _mm512_add_pd(self.0, o.0) })
    }
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self(unsafe { _mm512_sub_pd(self.0, o.0) })
    }
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self(unsafe { _mm512_mul_pd(self.0, o.0) })
    }
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        Self(unsafe { _mm512_div_pd(self.0, o.0) })
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        Self(unsafe { _mm512_fmadd_pd(self.0, a.0, b.0) })
    }
    #[inline(always)]
    fn mul_sub(self, a: Self, b: Self) -> Self {
        Self(unsafe { _mm512_fmsub_pd(self.0, a.0, b.0) })
    }
    #[inline(always)]
    fn neg_mul_add(self, a: Self, b: Self) -> Self {
        Self(unsafe { _mm512_fnmadd_pd(self.0, a.0, b.0) })
    }
    #[inline(always)]
    fn abs(self) -> Self {
        self.and_bits(!(1 << 63))
    }
    #[inline(always)]
    fn neg(self) -> Self {
        float(unsafe { _mm512_xor_si512(int(self), _mm512_set1_epi64(i64::MIN)) })
    }
    #[inline(always)]
    fn min(self, o: Self) -> Self {
        Self(unsafe { _mm512_min_pd(self.0, o.0) })
    }
    #[inline(always)]
    fn max(self, o: Self) -> Self {
        Self(unsafe { _mm512_max_pd(self.0, o.0) })
    }
    #[inline(always)]
    fn and_bits(self, bits: u64) -> Self {
        float(unsafe { _mm512_and_si512(int(self), _mm512_set1_epi64(bits as i64)) })
    }
    #[inline(always)]
    fn or_bits(self, bits: u64) -> Self {
        float(unsafe { _mm512_or_si512(int(self), _mm512_set1_epi64(bits as i64)) })
    }
    #[inline(always)]
    fn sub_bits(self, o: Self) -> Self {
        float(unsafe { _mm512_sub_epi64(int(self), int(o)) })
    }
    #[inline(always)]
    fn or_sign(self, sign: Self) -> Self {
        let bit = unsafe { _mm512_and_si512(int(sign), _mm512_set1_epi64(i64::MIN)) };
        float(unsafe { _mm512_or_si512(int(self), bit) })
    }
    #[inline(always)]
    fn zero_where_negative(self, sign: Self) -> Self {
        unsafe {
            let keep = _mm512_cmpgt_epi64_mask(int(sign), _mm512_set1_epi64(-1));
            Self(_mm512_maskz_mov_pd(keep, self.0))
        }
    }
    #[inline(always)]
    fn flip_where_negative(self, sign: Self) -> Self {
        // One ternary operation: self ^ (sign & 2^63).
        let bit = unsafe { _mm512_set1_epi64(i64::MIN) };
        float(unsafe { _mm512_ternarylogic_epi64::<0b0111_1000>(int(self), int(sign), bit) })
    }

    #[inline(always)]
    fn lt(self, o: Self) -> __mmask8 {
        unsafe { _mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, o.0) }
    }
    #[inline(always)]
    fn abs_outside(self, first: u64, last: u64) -> __mmask8 {
        unsafe {
            let shifted = _mm512_sub_epi64(int(self), _mm512_set1_epi64(first as i64));
            _mm512_cmpgt_epu64_mask(shifted, _mm512_set1_epi64((last - first) as i64))
        }
    }
    #[inline(always)]
    fn bits_within(self, first: u64, last: u64) -> __mmask8 {
        unsafe {
            let shifted = _mm512_sub_epi64(int(self), _mm512_set1_epi64(first as i64));
            _mm512_cmple_epu64_mask(shifted, _mm512_set1_epi64((last - first) as i64))
        }
    }
    #[inline(always)]
    fn select(mask: __mmask8, yes: Self, no: Self) -> Self {
        Self(unsafe { _mm512_mask_blend_pd(mask, no.0, yes.0) })
    }
    #[inline(always)]
    fn any(mask: __mmask8) -> bool {
        mask != 0
    }
    #[inline(always)]
    fn all(mask: __mmask8) -> bool {
        mask == !0
    }
    #[inline(always)]
    fn count(mask: __mmask8) -> usize {
        mask.count_ones() as usize
    }
    #[inline(always)]
    fn pack(self, mask: __mmask8) -> Self {
        Self(unsafe { _mm512_maskz_compress_pd(mask, self.0) })
    }

    // The minimum that the number comes of lets no NaN through.
    #[inline(always)]
    unsafe fn store_offsets(self, _last: u32, p: *mut u64) {
        unsafe {
            _mm512_storeu_si512(p.cast(), _mm512_mul_epu32(int(self), _mm512_set1_epi64(8 * ROW as i64)))
        }
    }
    #[inline(always)]
    unsafe fn entries(rows: *const Row, offsets: *const u64, k: usize) -> (Self, Self) {
        unsafe {
            let at =
                |lane: usize| _mm_loadu_pd(rows.byte_add(*offsets.add(lane) as usize).cast::<f64>().add(k));
            let even = _mm512_castpd128_pd512(at(0));
            let even = _mm512_insertf64x2::<1>(even, at(2));
            let even = _mm512_insertf64x2::<2>(even, at(4));
            let even = _mm512_insertf64x2::<3>(even, at(6));
            let odd = _mm512_castpd128_pd512(at(1));
            let odd = _mm512_insertf64x2::<1>(odd, at(3));
            let odd = _mm512_insertf64x2::<2>(odd, at(5));
            let odd = _mm512_insertf64x2::<3>(odd, at(7));
            (Self(_mm512_unpacklo_pd(even, odd)), Self(_mm512_unpackhi_pd(even, odd)))
        }
    }

    #[inline(always)]
    fn exp2_eighths(self, table: &'static Exp2Table) -> Self {
        unsafe {
            let entry = _mm512_permutexvar_epi64(int(self), _mm512_load_si512(table.whole.as_ptr().cast()));
            float(_mm512_add_epi64(entry, _mm512_slli_epi64::<49>(int(self))))
        }
    }
    #[inline(always)]
    fn add_exponent(self, n: Self) -> Self {
        float(unsafe { _mm512_add_epi64(int(self), _mm512_slli_epi64::<52>(int(n))) })
    }
    #[inline(always)]
    fn exponent_field(self) -> Self {
        unsafe {
            let field = _mm512_srli_epi64::<52>(int(self));
            let two52 = _mm512_set1_epi64(0x4330_0000_0000_0000);
            Self(_mm512_sub_pd(float(_mm512_or_si512(field, two52)).0, _mm512_castsi512_pd(two52)))
        }
    }
}
