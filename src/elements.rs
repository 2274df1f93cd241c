//! Where the elements of a buffer stand in memory, by address, and whether two buffers share a byte.

/// n elements of `size` bytes, `stride` elements apart; all bytes lie in the address space.
pub(crate) struct Elements {
    pub(crate) start: usize,
    stride: isize,
    size: usize,
    /// The number of elements after the first.
    last: usize,
    /// The first byte, and the bytes from there to the last one.
    low: usize,
    span: usize,
}

impl Elements {
    /// None where the elements span over PTRDIFF_MAX bytes or pass an end of the address space. (NULL has no other error
    /// than being NULL.)
    #[inline]
    pub(crate) fn new(start: usize, stride: isize, size: usize, n: usize) -> Option<Self> {
        let last = n - 1;
        let way = last.checked_mul(stride.unsigned_abs())?.checked_mul(size)?;
        let span = way.checked_add(size).filter(|&span| span <= isize::MAX as usize)?;
        let low = match start {
            0 => 0,
            _ if stride < 0 => start.checked_sub(way)?,
            _ => start,
        };
        low.checked_add(span)?;
        Some(Self { start, stride, size, last, low, span })
    }

    /// Whether two elements of this buffer share a byte.
    #[inline]
    pub(crate) fn overlap_themselves(&self) -> bool {
        self.stride == 0
    }

    /// Whether every element is the other's of the same index.
    #[inline]
    pub(crate) fn is_in_place(&self, other: &Self) -> bool {
        self.start == other.start && (self.stride == other.stride || self.last == 0)
    }

    /// Whether an element of this buffer shares a byte with one of the other, of the same number and size.
    #[inline]
    pub(crate) fn overlap(&self, other: &Self) -> bool {
        let apart = if self.low <= other.low {
            other.low - self.low >= self.span
        } else {
            self.low - other.low >= other.span
        };
        !apart && ((self.stride == 1 && other.stride == 1) || self.meet(other))
    }

    /// The same by the addresses of single elements: start + i stride of one is less than a size from that of the other.
    #[cold]
    fn meet(&self, other: &Self) -> bool {
        let distance = other.start as i128 - self.start as i128;
        let size = self.size as i128;
        let whole = distance.div_euclid(size);
        let (s, t) = (self.stride as i128, other.stride as i128);
        let is_between = distance.rem_euclid(size) != 0;
        is_reached(s, t, whole, self.last as i128)
            || (is_between && is_reached(s, t, whole + 1, self.last as i128))
    }
}

/// Whether i s - j t = q for some i and j from 0 to `last`, where |s|, |t|, |q| and `last` are below 2^64.
fn is_reached(s: i128, t: i128, q: i128, last: i128) -> bool {
    // With t and then s positive: j and i are counted from the other end.
    if t < 0 {
        return is_reached(s, -t, q + last * t, last);
    }
    if s < 0 {
        return is_reached(-s, t, q - last * s, last);
    }
    if t == 0 {
        return if s == 0 { q == 0 } else { q % s == 0 && (0..=last).contains(&(q / s)) };
    }
    let (divisor, inverse) = divisor_and_inverse(s, t);
    if q % divisor != 0 {
        return false;
    }
    let (s, t, q) = (s / divisor, t / divisor, q / divisor);
    // All solutions: i = first + k t, j = (first s - q) / t + k s.
    let first = (q.rem_euclid(t) * inverse).rem_euclid(t);
    let j = (first * s - q) / t;
    let from = if j >= 0 || s == 0 { 0 } else { (-j + s - 1) / s };
    first + from * t <= last && (0..=last).contains(&(j + from * s))
}

/// The greatest common divisor d of a and b > 0, and the inverse of a / d modulo b / d.
fn divisor_and_inverse(a: i128, b: i128) -> (i128, i128) {
    // remainder = factor a modulo b, in both.
    let (mut remainder, mut factor) = (a, 1);
    let (mut before, mut factor_before) = (b, 0);
    while remainder != 0 {
        let quotient = before / remainder;
        (before, remainder) = (remainder, before - quotient * remainder);
        (factor_before, factor) = (factor, factor_before - quotient * factor);
    }
    (before, factor_before.rem_euclid(b / before))
}

#[cfg(test)]
mod tests {
    use super::Elements;

    #[test]
    fn two_buffers_overlap_exactly_where_they_share_a_byte() {
        let (size, middle) = (3, 1000);
        // Miri takes minutes for all of them.
        let (lengths, step) = if cfg!(miri) { (&[1, 3][..], 7) } else { (&[1, 2, 3, 5, 8][..], 1) };
        for &n in lengths {
            for s in (-4..=4isize).step_by(step.min(3)) {
                for t in -4..=4isize {
                    for distance in (-50..=50isize).step_by(step) {
                        let there = (middle as isize + distance) as usize;
                        let a = Elements::new(middle, s, size, n).expect("inside");
                        let b = Elements::new(there, t, size, n).expect("inside");
                        let at =
                            |start: usize, stride: isize, i: usize| start as isize + i as isize * stride * 3;
                        let shared =
                            (0..n).any(|i| (0..n).any(|j| at(middle, s, i).abs_diff(at(there, t, j)) < 3));
                        assert_eq!(
                            a.overlap(&b),
                            shared,
                            "n = {n}, strides {s} and {t}, {distance} bytes apart"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn buffers_of_any_size_interleave() {
        let (n, stride) = (1usize << 31, 1isize << 29);
        let a = Elements::new(1 << 4, stride, 4, n).expect("2^62 bytes");
        for (start, expected) in [(20, false), (19, true), (16 + 4 * stride as usize, true), (12, false)] {
            let b = Elements::new(start, stride, 4, n).expect("2^62 bytes");
            assert_eq!(a.overlap(&b), expected, "{start}");
            assert_eq!(b.overlap(&a), expected, "{start}");
        }
        let reverse = Elements::new(20 + 4 * (n - 1) * stride as usize, -stride, 4, n).expect("2^62 bytes");
        assert!(!a.overlap(&reverse));
        let odd = Elements::new(20, stride - 1, 4, n).expect("2^62 bytes");
        assert!(a.overlap(&odd));
    }

    #[test]
    fn elements_that_pass_an_end_of_the_address_space_are_refused() {
        let most = isize::MAX as usize;
        assert!(Elements::new(8, 1, 8, most / 8).is_some());
        assert!(Elements::new(8, 1, 8, most / 8 + 1).is_none());
        assert!(Elements::new(8, 2, 8, most / 16 + 1).is_some());
        assert!(Elements::new(8, 2, 8, most / 16 + 2).is_none());
        assert!(Elements::new(8, 0, 8, usize::MAX).is_some());
        assert!(Elements::new(8, isize::MIN, 8, 1).is_some());
        assert!(Elements::new(8, isize::MIN, 8, 2).is_none());
        assert!(Elements::new(16, -1, 8, 3).is_some());
        assert!(Elements::new(15, -1, 8, 3).is_none());
        assert!(Elements::new(0, -1, 8, 3).is_some(), "NULL is another error");
        assert!(Elements::new(usize::MAX - 24, 3, 8, 2).is_none());
    }
}
