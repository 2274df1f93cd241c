//! The far negative side of the f32 kernels: |T| from rows of its own, eight of them for every factor e.
//!
//! A row holds |T| times 2^SCALE, and one below the zone, where |T| < 2^-205, times 2^(SCALE + ZONE); so that no product
//! with an |m| below LARGE is subnormal unless the result is far below the least float. A larger |m| is scaled down. With
//! d = x - centre and w = d · bend(x), where bend is near the ratio of the cubic to the square term,
//!     |T(x)| = head + rest + c1 d + c2 d² (1 + w + 3/4 w² + 9/20 w³) + c3 d³,
//! the series being that of an exponential; c3 is only what it lacks, for which half a word is enough. With w = 0 it is the
//! cubic of the common path.

use super::driver::{ABS, Direction};
use super::rows::Table;
use crate::simd::float::F32s;

const SCALE: u32 = 86;
const ZONE: u32 = 96;
/// How far a larger |m| is scaled down, as an exponent of 2.
const DOWN: u32 = 64;
const LARGE: f32 = (1_u64 << 40) as f32;
/// The sum of the biased exponents of two floats with a product of 2^-67, as an exponent: 2^-SCALE of it is rounded to 0.
/// Minus the pattern of one float it is nearly that of the other (their product is below 2^-66), or of no positive number.
const DEAD: u32 = (2 * 127 - 67) << 23;
/// The same where 2^(DOWN - SCALE) of it is rounded to 0.
const DEAD_DOWN: u32 = DEAD - (DOWN << 23);

impl Table {
    /// m · T(x), where the LANES rows are located at `rows` by `locate_anywhere`: the bits of the common path, but |m · T(x)| for
    /// `is_left`, or any value if m is not finite there.
    #[inline(always)]
    pub(super) unsafe fn product_anywhere<V: F32s, D: Direction>(
        &self,
        m: V,
        x: V,
        is_left: V::Mask,
        rows: *const u32,
        d: V,
    ) -> V {
        // SAFETY: the caller has the features of V; `locate_anywhere` stays within the rows.
        unsafe {
            let (zero, one) = (V::splat(0.0), V::splat(1.0));
            let (head, [rest, c1, c2, c3]) = self.columns::<V>(rows);
            let left_x = V::splat(self.centre(self.first)).min(x.max(V::splat(self.centre(self.tail))));
            let bend = self.bend.map(|b| V::splat(b));
            // A product with a tiny d would be subnormal.
            let w =
                V::select(is_left, d, zero).mul(bend[2].mul_add(left_x, bend[1]).mul_add(left_x, bend[0]));
            let series = w.mul_add(V::splat(0.45), V::splat(0.75)).mul_add(w, one).mul_add(w, one);
            let (high, low) = self.cubic(d, head, [rest, c1, c2.mul(series), c3]);

            let size = m.and_bits(V::splat(ABS));
            if D::M_IS_X {
                let m = V::select(is_left, size, m);
                let p = m.mul_add(high, m.mul(low));
                return V::select(is_left, unscale::<V, SCALE>(V::select(is_left, p, zero)), p);
            }
            let is_small = V::select(is_left, size, zero).lt(V::splat(LARGE));
            if V::all(is_small) {
                // Products with subnormal results take some processors ten times as long.
                let is_dead = size.lt(V::splat(f32::from_bits(DEAD)).sub_bits(head));
                let size = V::select(is_dead, zero, size);
                let m = V::select(is_left, self.in_zone(x.sub(d), zero, size), m);
                let p = m.mul_add(high, m.mul(low));
                return V::select(is_left, unscale::<V, SCALE>(V::select(is_left, p, zero)), p);
            }
            // The maximum is for lanes that do not count, whose products would be subnormal. (The compiler drops a selection.)
            let down = size.max(V::splat(LARGE)).mul(V::splat(1.0 / (1_u128 << DOWN) as f32));
            let tiny = down.mul(V::splat(1.0 / (1_u128 << ZONE) as f32));
            let size =
                self.in_zone(x.sub(d), V::select(is_small, zero, tiny), V::select(is_small, size, down));
            let dead =
                V::select(is_small, V::splat(f32::from_bits(DEAD)), V::splat(f32::from_bits(DEAD_DOWN)));
            let size = V::select(size.lt(dead.sub_bits(head)), zero, size);
            let m = V::select(is_left, size, m);
            let p = m.mul_add(high, m.mul(low));
            let left = V::select(is_small, unscale::<V, SCALE>(p), unscale::<V, { SCALE - DOWN }>(p));
            V::select(is_left, left, p)
        }
    }

    /// `below` where the row with this centre is below the zone, else `above`.
    #[inline(always)]
    unsafe fn in_zone<V: F32s>(&self, centre: V, below: V, above: V) -> V {
        if self.zone == self.tail {
            return above;
        }
        let between = (self.centre(self.zone - 1) + self.centre(self.zone)) / 2.0;
        // SAFETY: the caller has the features of V.
        unsafe { V::select(centre.lt(V::splat(between)), below, above) }
    }
}

/// p 2^-S for p >= 0, rounded once.
///
/// Where it is subnormal it is made as an integer, the number of 2^-149 in it, which is its pattern.
#[inline(always)]
unsafe fn unscale<V: F32s, const S: u32>(p: V) -> V {
    const LEAST: u32 = f32::MIN_POSITIVE.to_bits();
    let least = f32::from_bits(LEAST + (S << 23));
    // SAFETY: the caller has the features of V.
    unsafe {
        // One of the two is that of the least normal number.
        let normal = p.max(V::splat(least)).sub_bits(V::splat(f32::from_bits(LEAST + (S << 23))));
        let minus_count = p.min(V::splat(least)).mul(V::splat(LEAST as f32 / -least)).to_int_bits();
        normal.sub_bits(minus_count)
    }
}
