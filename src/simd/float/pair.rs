//! Two vectors as one: each operation on the first and then on the second, so that two chains of dependent instructions
//! are interleaved and neither waits for itself alone.

use super::F32s;

/// Two vectors.
#[derive(Clone, Copy)]
pub(crate) struct Pair<V>(pub V, pub V);

// SAFETY of every block below: the contract of the same method of V.
#[rustfmt::skip]
impl<V: F32s> F32s for Pair<V> {
    const LANES: usize = 2 * V::LANES;
    type Mask = (V::Mask, V::Mask);
    type Index = (V::Index, V::Index);

    #[inline(always)] unsafe fn splat(value: f32) -> Self { unsafe { let v = V::splat(value); Self(v, v) } }
    #[inline(always)] unsafe fn load(from: *const f32) -> Self { unsafe { Self(V::load(from), V::load(from.add(V::LANES))) } }
    #[inline(always)] unsafe fn store(self, to: *mut f32) { unsafe { self.0.store(to); self.1.store(to.add(V::LANES)) } }
    #[inline(always)] unsafe fn load_first(from: *const f32, count: usize) -> Self {
        unsafe {
            if count > V::LANES { Self(V::load(from), V::load_first(from.add(V::LANES), count - V::LANES)) } else { Self(V::load_first(from, count), V::splat(0.0)) }
        }
    }
    #[inline(always)] unsafe fn store_first(self, to: *mut f32, count: usize) {
        unsafe {
            if count > V::LANES { self.0.store(to); self.1.store_first(to.add(V::LANES), count - V::LANES) } else { self.0.store_first(to, count) }
        }
    }

    #[inline(always)] unsafe fn add(self, o: Self) -> Self { unsafe { Self(self.0.add(o.0), self.1.add(o.1)) } }
    #[inline(always)] unsafe fn sub(self, o: Self) -> Self { unsafe { Self(self.0.sub(o.0), self.1.sub(o.1)) } }
    #[inline(always)] unsafe fn mul(self, o: Self) -> Self { unsafe { Self(self.0.mul(o.0), self.1.mul(o.1)) } }
    #[inline(always)] unsafe fn div(self, o: Self) -> Self { unsafe { Self(self.0.div(o.0), self.1.div(o.1)) } }
    #[inline(always)] unsafe fn mul_add(self, b: Self, c: Self) -> Self { unsafe { Self(self.0.mul_add(b.0, c.0), self.1.mul_add(b.1, c.1)) } }
    #[inline(always)] unsafe fn neg_mul_add(self, b: Self, c: Self) -> Self { unsafe { Self(self.0.neg_mul_add(b.0, c.0), self.1.neg_mul_add(b.1, c.1)) } }
    #[inline(always)] unsafe fn mul_sub(self, b: Self, c: Self) -> Self { unsafe { Self(self.0.mul_sub(b.0, c.0), self.1.mul_sub(b.1, c.1)) } }
    #[inline(always)] unsafe fn max_or(self, o: Self) -> Self { unsafe { Self(self.0.max_or(o.0), self.1.max_or(o.1)) } }
    #[inline(always)] unsafe fn min_or(self, o: Self) -> Self { unsafe { Self(self.0.min_or(o.0), self.1.min_or(o.1)) } }

    #[inline(always)] unsafe fn and_bits(self, o: Self) -> Self { unsafe { Self(self.0.and_bits(o.0), self.1.and_bits(o.1)) } }
    #[inline(always)] unsafe fn or_bits(self, o: Self) -> Self { unsafe { Self(self.0.or_bits(o.0), self.1.or_bits(o.1)) } }
    #[inline(always)] unsafe fn flip_sign_unless(self, o: Self) -> Self { unsafe { Self(self.0.flip_sign_unless(o.0), self.1.flip_sign_unless(o.1)) } }
    #[inline(always)] unsafe fn add_bits(self, o: Self) -> Self { unsafe { Self(self.0.add_bits(o.0), self.1.add_bits(o.1)) } }
    #[inline(always)] unsafe fn sub_bits(self, o: Self) -> Self { unsafe { Self(self.0.sub_bits(o.0), self.1.sub_bits(o.1)) } }
    #[inline(always)] unsafe fn max_bits(self, o: Self) -> Self { unsafe { Self(self.0.max_bits(o.0), self.1.max_bits(o.1)) } }
    #[inline(always)] unsafe fn round_to_int_bits(self) -> Self { unsafe { Self(self.0.round_to_int_bits(), self.1.round_to_int_bits()) } }
    #[inline(always)] unsafe fn shl_bits<const N: i32>(self) -> Self { unsafe { Self(self.0.shl_bits::<N>(), self.1.shl_bits::<N>()) } }
    #[inline(always)] unsafe fn sar_bits<const N: i32>(self) -> Self { unsafe { Self(self.0.sar_bits::<N>(), self.1.sar_bits::<N>()) } }

    #[inline(always)] unsafe fn lt(self, o: Self) -> Self::Mask { unsafe { (self.0.lt(o.0), self.1.lt(o.1)) } }
    #[inline(always)] unsafe fn is_nonzero(self) -> Self::Mask { unsafe { (self.0.is_nonzero(), self.1.is_nonzero()) } }
    #[inline(always)] unsafe fn lt_bits(self, o: Self) -> Self::Mask { unsafe { (self.0.lt_bits(o.0), self.1.lt_bits(o.1)) } }
    #[inline(always)] unsafe fn select(mask: Self::Mask, yes: Self, no: Self) -> Self { unsafe { Self(V::select(mask.0, yes.0, no.0), V::select(mask.1, yes.1, no.1)) } }
    #[inline(always)] unsafe fn select_by_sign(self, minus: Self, plus: Self) -> Self { unsafe { Self(self.0.select_by_sign(minus.0, plus.0), self.1.select_by_sign(minus.1, plus.1)) } }
    #[inline(always)] unsafe fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask { unsafe { (V::both(a.0, b.0), V::both(a.1, b.1)) } }
    #[inline(always)] unsafe fn all(mask: Self::Mask) -> bool { unsafe { V::all(V::both(mask.0, mask.1)) } }

    #[inline(always)] unsafe fn index(self) -> Self::Index { unsafe { (self.0.index(), self.1.index()) } }
    #[inline(always)] unsafe fn lookup(index: Self::Index, table: &[f32; 8]) -> Self { unsafe { Self(V::lookup(index.0, table), V::lookup(index.1, table)) } }
}
