//! The common path of the f32 kernels: out = m · T(x), T = Φ or g', from a table of cubics.
//!
//! The x axis is cut into equal cells, and each has a row of four words for the cubic around its centre, d = x - centre:
//!     T(x) = head + c1 d + curve, curve = rest + d² (c2 + c3 d).
//! The head is short. For Φ all else is small beside it: with low = c1 d + curve, m · T = fma(m, head, m · low) is rounded
//! once at full size. Near the zero of g' it is not, and low is what the float nearest to head + c1 d lacks. In the row of
//! the zero the head is 0, the centre is within half a float of the zero, and c1 is nearly exact.
//!
//! The row of every x below the first cell has NaN for its head, which makes the result NaN and so leads to the rare path;
//! the row above the last cell is T = 1.

use crate::simd::float::F32s;

/// Rows at a multiple of their size.
#[repr(C, align(64))]
pub(super) struct Aligned<const N: usize>(pub(super) [[u32; 4]; N]);

/// The size of a row is 1 << ROW_BITS bytes.
const ROW_BITS: u32 = 4;
/// Rows for a unit of x.
const DENSITY: f32 = 128.0;
/// A sum with it is rounded to a multiple of 1/DENSITY and holds this multiple in its low bits.
const MAGIC: f32 = 12_582_912.0 / DENSITY;

/// Row i, from `first` on, is for the cell with the centre i/DENSITY + shift.
pub(crate) struct Table {
    pub(super) first: i32,
    pub(super) shift: f32,
    /// In a row: c3, with the head in its lower half; rest; c1; c2.
    pub(super) rows: &'static [[u32; 4]],
}

impl Table {
    const fn lowest(&self) -> f32 {
        self.first as f32 / DENSITY + self.shift
    }

    const fn highest(&self) -> f32 {
        (self.first + self.rows.len() as i32 - 1) as f32 / DENSITY + self.shift
    }

    /// The least float that is not of the first row: below it the rare path begins.
    pub(super) const fn edge(&self) -> f32 {
        let second = (self.first + 1) as f32 / DENSITY;
        let mut x = second + self.shift;
        while (x - self.shift) + MAGIC - MAGIC >= second {
            x = x.next_down();
        }
        x.next_up()
    }

    /// d, and how many bytes into the rows that of x is, as a pattern.
    #[inline(always)]
    pub(super) unsafe fn locate<V: F32s>(&self, x: V) -> (V, V) {
        // SAFETY: the caller has the features of V.
        unsafe {
            let (magic, shift) = (V::splat(MAGIC), V::splat(self.shift));
            let x = V::splat(self.highest()).min(x.max(V::splat(self.lowest())));
            let from_shift = if self.shift == 0.0 { x } else { x.sub(shift) };
            let sum = from_shift.add(magic);
            let d = x.sub(sum.sub(magic));
            let last = ((self.rows.len() - 1) << ROW_BITS) as u32;
            let first = f32::from_bits((MAGIC.to_bits().wrapping_add_signed(self.first)) << ROW_BITS);
            (
                if self.shift == 0.0 { d } else { d.sub(shift) },
                sum.shl_bits::<{ ROW_BITS as i32 }>().sub_bits(V::splat(first)).offset_within(last),
            )
        }
    }

    /// T = high + low for the LANES rows located at `rows`.
    #[inline(always)]
    pub(super) unsafe fn at<V: F32s>(&self, rows: *const u32, d: V) -> (V, V) {
        // SAFETY: the caller has the features of V; `locate` stays within the rows.
        unsafe {
            let [c3, rest, c1, c2] = V::rows(self.rows.as_ptr(), rows);
            let (head, bend) = (c3.shl_bits::<16>(), c3.mul_add(d, c2));
            // Tables without a zero are not shifted.
            if self.shift == 0.0 {
                // No square of d, which is tiny for tiny x: some processors stall where a result underflows.
                (head, bend.mul_add(d, c1).mul_add(d, rest))
            } else {
                let curve = d.mul(d).mul_add(bend, rest);
                let high = d.mul_add(c1, head);
                // The difference is exact wherever low counts.
                (high, d.mul_add(c1, head.sub(high)).add(curve))
            }
        }
    }
}
