#!/usr/bin/env python3
"""Writes the multi-precision reference values that the accuracy tests compare with.

    python3 tools/reference_values.py [FOLDER] [--bits N] [--seed N]

FOLDER (tests/data without it) receives {forward,backward,gradient}_{none,tanh}_{f32,f64}.bin; its README.md describes
the records. The output depends on the seed alone. `--bits 800` into another folder must give the same bytes: that is the
proof that 400 bits are enough. Needs gmpy2 (MPFR); takes about half a minute.
"""

import argparse
import itertools
import math
import pathlib
import random
import struct

import gmpy2
from gmpy2 import mpfr, mpq

POINTS = 20480
GRADIENTS = 5120


class Format:
    """An IEEE 754 format: its values by rank, an integer that grows with the value (-1 is -0, 0 is +0)."""

    def __init__(self, name, value_code, bits_code, precision, smallest_exponent, span):
        self.name = name
        self.value_code, self.bits_code = "<" + value_code, "<" + bits_code
        self.width = 8 * struct.calcsize(bits_code)
        self.precision = precision
        self.smallest = 2.0**smallest_exponent
        self.smallest_normal = 2.0 ** (smallest_exponent + precision - 1)
        self.smallest_exponent = smallest_exponent
        self.largest_exponent = 1 << (self.width - precision - 1)
        self.largest = math.ldexp(2.0 - 2.0 ** (1 - precision), self.largest_exponent - 1)
        self.span = span  # where uniform points end: a little beyond the last finite nonzero result

    def round(self, x):
        return struct.unpack(self.value_code, struct.pack(self.value_code, x))[0]

    def rank(self, x):
        bits = struct.unpack(self.bits_code, struct.pack(self.value_code, x))[0]
        sign = 1 << (self.width - 1)
        return bits if bits < sign else sign - 1 - bits

    def value(self, rank):
        bits = rank if rank >= 0 else (1 << (self.width - 1)) - 1 - rank
        return struct.unpack(self.value_code, struct.pack(self.bits_code, bits))[0]

    def neighbours(self, x, count):
        """x rounded, and the `count` values on each side of it."""
        rank = self.rank(x)
        last = self.rank(self.largest)
        for r in range(rank - count, rank + count + 1):
            if -1 - last <= r <= last:
                yield self.value(r)


F32 = Format("f32", "f", "I", 24, -149, 20.0)
F64 = Format("f64", "d", "Q", 53, -1074, 45.0)


# The exact values: each function takes a float and returns (g(x), g'(x)) to nearly all bits of the context.


def none(x):
    x = mpfr(x)
    cdf = gmpy2.erfc(-x / gmpy2.sqrt(mpfr(2))) / 2
    pdf = gmpy2.exp(-x * x / 2) / gmpy2.sqrt(2 * gmpy2.const_pi())
    return strict_sides(x, x * cdf, cdf + x * pdf)


def tanh(x):
    x = mpfr(x)
    # (1 + tanh(u)) / 2 = sigmoid(2u) has no cancellation. 0.044715 is the decimal, not the double next to it.
    scale = 2 * gmpy2.sqrt(2 / gmpy2.const_pi())
    cubic = mpq(44715, 1000000)
    v = scale * (x + cubic * x**3)
    slope = scale * (1 + 3 * cubic * x**2)
    sigmoid = 1 / (1 + gmpy2.exp(-v))
    complement = 1 / (1 + gmpy2.exp(v))
    return strict_sides(x, x * sigmoid, sigmoid + x * sigmoid * complement * slope)


def strict_sides(x, y, derivative):
    """Keeps the exact value off the simple numbers it only approaches: x/2 < g(x) < max(x, 0), g'(x) != 1/2.

    For tiny and for large x the difference is beyond any working precision. Which side it is on still decides ties
    (half an odd subnormal is one) and, at powers of two, the binade and so the ulp of the exact value. A step in the
    last working bit is far below what a record holds.
    """
    if x == 0:
        return y, derivative
    half = mpfr(0.5)
    if y <= x / 2:
        y = gmpy2.next_above(x / 2)
    if x > 0:
        y = min(y, gmpy2.next_below(x))
        derivative = max(derivative, gmpy2.next_above(half))
    elif derivative == 0:  # underflow even here: the limit is reached from below
        derivative = mpfr("-0")
    else:
        derivative = min(derivative, gmpy2.next_below(half))
    return y, derivative


def bisect(is_left, left, right):
    """The border between the points where is_left holds and those where it does not, to 200 bits."""
    left, right = mpfr(left), mpfr(right)
    for _ in range(200):
        middle = (left + right) / 2
        left, right = (middle, right) if is_left(middle) else (left, middle)
    return left


# The points: each group is an iterator over numbers, which the caller rounds to the format.


class Points:
    """The groups of points for one form and format. The landmarks are found, not typed."""

    def __init__(self, form, fmt, seed):
        self.fmt = fmt
        self.random = random.Random(f"{seed} {form.__name__} {fmt.name}")
        magnitude = [lambda x, i=i: abs(form(x)[i]) for i in (0, 1)]
        self.zero = bisect(lambda x: form(x)[1] < 0, -1, -0.5)
        # Where each function rounds to zero (below half the smallest subnormal), and where to a subnormal.
        self.underflows = [bisect(lambda x: m(x) < fmt.smallest / mpfr(2), -fmt.span, -4) for m in magnitude]
        self.subnormals = [bisect(lambda x: m(x) < fmt.smallest_normal, -fmt.span, -4) for m in magnitude]
        self.edge = float(-min(self.underflows))

    def uniform_in_bits(self, low, high):
        low, high = self.fmt.rank(low), self.fmt.rank(high)
        while True:
            yield self.random.choice((1, -1)) * self.fmt.value(self.random.randint(low, high))

    def uniform(self, low, high):
        low, high = float(low), float(high)
        while True:
            yield self.random.uniform(low, high)

    def broad(self):
        """Endless: the whole range, by bits and by value, and the N(0, 1) core."""
        by_bits = self.uniform_in_bits(1e-10, self.edge + 1)
        by_value = self.uniform(-self.fmt.span, self.fmt.span)
        while True:
            yield next(by_bits)
            yield next(by_value)
            yield self.random.gauss(0, 1)

    def negative_tail(self):
        """Full random mantissas: a short x has an exact square, which hides the error of rounding it."""
        yield from itertools.islice(self.uniform(-self.edge - 0.1, -3), 2000)
        yield from itertools.islice(self.uniform(min(self.underflows), max(self.subnormals)), 1200)
        for border in self.underflows + self.subnormals:
            yield from self.fmt.neighbours(float(border), 50)
            yield from itertools.islice(self.uniform(border - 0.01, border + 0.01), 100)

    def derivative_zero(self):
        for _ in range(1200):
            distance = mpfr(10) ** self.random.uniform(-17, -1)
            yield self.zero - distance
            yield self.zero + distance
        yield from self.fmt.neighbours(float(self.zero), 200)

    def tiny(self):
        smallest, smallest_normal = self.fmt.smallest, self.fmt.smallest_normal
        yield from self.fmt.neighbours(0.0, 50)
        yield from itertools.islice(self.uniform_in_bits(smallest, smallest_normal), 300)
        yield from itertools.islice(self.uniform(-smallest_normal, smallest_normal), 100)
        yield from itertools.islice(self.uniform_in_bits(smallest_normal, 1e-10), 400)

    def powers_of_two(self):
        dense = range(-64, 65)
        sparse = range(self.fmt.smallest_exponent, self.fmt.largest_exponent, self.fmt.width // 4)
        for exponent in {*dense, *sparse}:
            for sign in (1, -1):
                yield from self.fmt.neighbours(sign * 2.0**exponent, 1)

    def interval_borders(self):
        """k/16, and so k/8 and k/4: where piecewise approximations meet."""
        for k in range(-16 * 16, 16 * 16 + 1):
            yield from self.fmt.neighbours(k / 16, 2)

    def becomes_identity(self):
        """Where g(x) rounds to x for the first time, and g'(x) to 1."""
        yield from itertools.islice(self.uniform(4, 10), 800)

    def huge(self):
        largest = self.fmt.largest
        yield from itertools.islice(self.uniform_in_bits(self.edge, largest), 300)
        yield from self.fmt.neighbours(largest, 2)
        yield from self.fmt.neighbours(-largest, 2)

    def all(self):
        """POINTS distinct values in ascending order, -0 before +0."""
        groups = (self.negative_tail, self.derivative_zero, self.tiny, self.powers_of_two, self.interval_borders,
                  self.becomes_identity, self.huge)
        # float() of a working-precision number, then the format: twice rounded, which moves a point and no result.
        ranks = {self.fmt.rank(float(x)) for group in groups for x in group()}
        for x in self.broad():
            if len(ranks) >= POINTS:
                break
            ranks.add(self.fmt.rank(x))
        return [self.fmt.value(rank) for rank in sorted(ranks)]


def gradients(form, fmt, seed):
    """Pairs (dy, x, dy g'(x)) whose product is representable, though dy or g'(x) may be far outside of that."""
    source = random.Random(f"{seed} gradients {form.__name__} {fmt.name}")
    low, high = fmt.smallest_exponent, fmt.largest_exponent - 1
    cut = {"none": 20, "tanh": 14}[form.__name__] if fmt is F32 else {"none": 54, "tanh": 27.5}[form.__name__]
    zero = float(bisect(lambda x: form(x)[1] < 0, -1, -0.5))
    count = 0
    while count < GRADIENTS:
        x = fmt.round(
            source.choice(
                (
                    source.gauss(0, 1.5),
                    -source.uniform(4, cut),
                    source.uniform(-fmt.span, fmt.span),
                    zero + source.choice((1, -1)) * 10.0 ** source.uniform(-12, -1),
                )
            )
        )
        derivative = form(x)[1]
        if source.random() < 0.5:
            wanted = mpfr(2) ** source.uniform(low, high)
            dy = float(wanted / abs(derivative))
        else:
            dy = 2.0 ** source.uniform(low, high)
        if not 0 < dy <= fmt.largest or not (dy := fmt.round(dy)):
            continue
        dy *= source.choice((1, -1))
        exact = mpfr(dy) * derivative
        if fmt.smallest / 4 < abs(exact) < fmt.largest:
            yield dy, x, exact
            count += 1


def record_f32(x, exact):
    return struct.pack("<fd", x, float(exact))


def record_f64(x, exact):
    # float() rounds once, to nearest even and to the subnormal spacing where that is the coarser one; the difference
    # is exact, because both numbers lie on a grid of working precision. A rest too small for a float keeps its sign.
    rounded = float(exact)
    exponent = gmpy2.get_exp(exact) if exact != 0 else F64.smallest_exponent
    ulp_exponent = max(exponent - F64.precision, F64.smallest_exponent)
    rest = gmpy2.mul_2exp(exact - rounded, -ulp_exponent)
    return struct.pack("<ddf", x, rounded, float(rest))


def set_working_precision(bits):
    # With the widest exponents MPFR has, what still underflows is zero in any format.
    context = gmpy2.context(precision=bits, emin=gmpy2.get_emin_min(), emax=gmpy2.get_emax_max())
    gmpy2.set_context(context)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=pathlib.Path("tests/data"))
    parser.add_argument("--bits", type=int, default=400, help="working precision")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    set_working_precision(arguments.bits)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for form, (fmt, record) in itertools.product((none, tanh), ((F32, record_f32), (F64, record_f64))):
        points = Points(form, fmt, arguments.seed).all()
        values = [form(x) for x in points]
        for index, function in enumerate(("forward", "backward")):
            path = arguments.folder / f"{function}_{form.__name__}_{fmt.name}.bin"
            path.write_bytes(b"".join(record(x, value[index]) for x, value in zip(points, values)))
            print(f"{path}: {len(points)} points, {path.stat().st_size} bytes")
        path = arguments.folder / f"gradient_{form.__name__}_{fmt.name}.bin"
        pairs = gradients(form, fmt, arguments.seed)
        path.write_bytes(b"".join(struct.pack(fmt.value_code, dy) + record(x, exact) for dy, x, exact in pairs))
        print(f"{path}: {GRADIENTS} points, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
