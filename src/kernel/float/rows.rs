//! The common path of the f32 kernels: out = m · T(x), T = Φ or g', from a table of cubics.
//!
//! The x axis is cut into equal cells, and each has a row of four words for the cubic around its centre, d = x - centre:
//!     T(x) = head + c1 d + curve, curve = rest + d² (c2 + c3 d).
//! The head is short. For Φ all else is small beside it: with low = c1 d + curve, m · T = fma(m, head, m · low) is rounded
//! once at full size. Near the zero of g' it is not, and low is what the float nearest to head + c1 d lacks. In the row of
//! the zero the head is 0, the centre is within half a float of the zero, and c1 is nearly exact.
//!
//! Below the first cell there is a row with NaN for its head, which makes the result NaN and so leads to the rare path; above
//! the last one there is a row for T = 1. In front of them are the rows of the far left, see tail.rs.

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

/// The centre of row i is i/DENSITY + shift.
pub(crate) struct Table {
    /// The first row of the tail. It goes on to row `first`, which is there twice.
    pub(super) tail: i32,
    /// The first row that is not below the zone of tail.rs.
    pub(super) zone: i32,
    /// The row of NaN, below the first cell.
    pub(super) first: i32,
    pub(super) shift: f32,
    /// In a row: c3, with the head in its lower half; rest; c1; c2.
    pub(super) rows: &'static [[u32; 4]],
    /// See tail.rs.
    pub(super) bend: [f32; 3],
}

impl Table {
    /// The centre of a row.
    pub(super) const fn centre(&self, row: i32) -> f32 {
        row as f32 / DENSITY + self.shift
    }

    /// From here on, to the left, T counts as -0: it rounds the product with the largest m to 0.
    pub(super) const fn end(&self) -> f32 {
        self.tail as f32 / DENSITY
    }

    /// The last row.
    const fn last(&self) -> i32 {
        self.tail + self.rows.len() as i32 - 2
    }

    /// The least float that is of this row, or of one above it.
    pub(super) const fn lower_bound(&self, row: i32) -> f32 {
        let mut x = self.centre(row);
        while (x - self.shift) + MAGIC - MAGIC >= row as f32 / DENSITY {
            x = x.next_down();
        }
        x.next_up()
    }

    /// d, and how many bytes into the rows that of x is, as a pattern, for the common path.
    #[inline(always)]
    pub(super) unsafe fn locate<V: F32s>(&self, x: V) -> (V, V) {
        // SAFETY: the caller has the features of V.
        unsafe { self.locate_from(self.first, x) }
    }

    /// The same, where the rows begin with the tail for `is_left`: for `product_anywhere`.
    #[inline(always)]
    pub(super) unsafe fn locate_anywhere<V: F32s>(&self, x: V, is_left: V::Mask) -> (V, V) {
        // SAFETY: the caller has the features of V.
        unsafe {
            let (d, row) = self.locate_from(self.tail, x);
            (d, V::select(is_left, row.sub_bits(V::splat(f32::from_bits(1 << ROW_BITS))), row))
        }
    }

    #[inline(always)]
    unsafe fn locate_from<V: F32s>(&self, first: i32, x: V) -> (V, V) {
        // SAFETY: the caller has the features of V.
        unsafe {
            let (magic, shift) = (V::splat(MAGIC), V::splat(self.shift));
            let x = V::splat(self.centre(self.last())).min(x.max(V::splat(self.centre(first))));
            let from_shift = if self.shift == 0.0 { x } else { x.sub(shift) };
            let sum = from_shift.add(magic);
            let d = x.sub(sum.sub(magic));
            let last = ((self.rows.len() - 1) << ROW_BITS) as u32;
            // Of the common rows: those of the tail are one place further left.
            let begin = f32::from_bits((MAGIC.to_bits().wrapping_add_signed(self.tail - 1)) << ROW_BITS);
            (
                if self.shift == 0.0 { d } else { d.sub(shift) },
                sum.shl_bits::<{ ROW_BITS as i32 }>().sub_bits(V::splat(begin)).offset_within(last),
            )
        }
    }

    /// The words of the LANES rows located at `rows`: the head, and rest, c1, c2 and c3.
    #[inline(always)]
    pub(super) unsafe fn columns<V: F32s>(&self, rows: *const u32) -> (V, [V; 4]) {
        // SAFETY: the caller has the features of V; `locate` stays within the rows.
        unsafe {
            let [c3, rest, c1, c2] = V::rows(self.rows.as_ptr(), rows);
            (c3.shl_bits::<16>(), [rest, c1, c2, c3])
        }
    }

    /// head + rest + c1 d + c2 d² + c3 d³ as high + low.
    #[inline(always)]
    pub(super) unsafe fn cubic<V: F32s>(&self, d: V, head: V, [rest, c1, c2, c3]: [V; 4]) -> (V, V) {
        // SAFETY: the caller has the features of V.
        unsafe {
            let bend = c3.mul_add(d, c2);
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

    /// m · T by the common path, from the row that `locate` found.
    #[inline(always)]
    pub(super) unsafe fn product<V: F32s>(&self, m: V, d: V, (head, others): (V, [V; 4])) -> V {
        // SAFETY: the caller has the features of V.
        unsafe {
            let (high, low) = self.cubic(d, head, others);
            m.mul_add(high, m.mul(low))
        }
    }
}
