#!/usr/bin/env python3
"""Prints src/kernel/float/tables.rs: the rows of the f32 kernels (see src/kernel/float/rows.rs).

A row is a cubic in d = x - centre for T = Phi (forward) or g' (backward) on one cell:
    T = head + (rest + c1 d + c2 d^2 + c3 d^3).
head has 8 bits and shares a word with c3: c3 is the whole word read as a float, head its lower half moved up. The
coefficients are rounded in turn, c3 first, and the others fitted again each time, by least squares of the relative error on
Chebyshev nodes, so that the last roundings are those that matter least.

A row of the tail is the same for |T| times a power of two, with c2 d^2 (1 + w + A w^2 + B w^3) in place of c2 d^2, where
w = d bend(x) and bend is a quadratic, for the whole tail, near the ratio of the cubic to the square term. What c3 has to
add is small.
"""
import math, struct, sys
import numpy as np
import mpmath as mp

mp.mp.prec = 120
A = 2 * mp.sqrt(2 / mp.pi)
B = A * mp.mpf('0.044715')


def cdf(x): return mp.erfc(-x / mp.sqrt(2)) / 2
def density(x): return mp.exp(-x * x / 2) / mp.sqrt(2 * mp.pi)
def logistic(x): return 1 / (1 + mp.exp(-x * (A + B * x * x)))


# name: T, its zero and how far the centre of that row is from the float nearest to the zero, in units of 2^-29 (tried: c1 has to be
# nearly a float, and the value at the centre no larger than those at the floats around), the first and the last row
SPEC = {
    'FORWARD_NONE': (cdf, None, -704, 704),
    'BACKWARD_NONE': (lambda x: cdf(x) + x * density(x), ('-0.75179152469356445745790646382', 9), -768, 832),
    'FORWARD_TANH': (logistic, None, -640, 672),
    'BACKWARD_TANH': (lambda x: logistic(x) + x * (A + 3 * B * x * x) * logistic(x) * logistic(-x),
                      ('-0.75246142207101625848', 8), -704, 736),
}
# name: where |T| times the largest float is below half the least float (and, forward, |T x|).
TAIL = {'FORWARD_NONE': -14.4375, 'BACKWARD_NONE': -19.75, 'FORWARD_TANH': -10.8125, 'BACKWARD_TANH': -13.5625}
SCALE, ZONE = 86, 96       # |T| is stored times 2^SCALE, and where it is tiny times 2^(SCALE + ZONE)
SERIES = 0.75, 0.45        # A, B: those of an exponential
DENSITY = 128      # rows for a unit of x
NODES = np.cos((np.arange(20) + .5) / 20 * np.pi) / (2 * DENSITY)


def bits(x): return struct.unpack('<I', struct.pack('<f', x))[0]
def from_bits(u): return struct.unpack('<f', struct.pack('<I', u))[0]
def single(x): return float(np.float32(float(x)))
def upper(x): return ((bits(single(x)) + 0x8000) >> 16) & 0xffff


def solve(basis, y, fixed):
    """All four coefficients, with some of them given; the largest relative error."""
    free = [k for k in range(4) if k not in fixed]
    left = (y - sum(c * basis[k] for k, c in fixed.items())) / y
    out = dict(fixed)
    if free:
        m = np.array([basis[k] for k in free]).T / y[:, None]
        found = np.linalg.lstsq(m, left, rcond=None)[0]
        left = left - m @ found
        out.update(zip(free, map(float, found)))
    return out, float(np.abs(left).max())


def row(T, centre, zero, bend=lambda x: 0 * x):
    """The four words and the error of one row; `zero`: T changes its sign in it."""
    w = NODES * bend(centre + NODES)
    basis = [NODES ** 0, NODES, NODES ** 2 * (1 + w + SERIES[0] * w ** 2 + SERIES[1] * w ** 3), NODES ** 3]
    y = np.array([float(T(mp.mpf(centre) + mp.mpf(float(v)))) for v in NODES])
    at = float(T(mp.mpf(centre)))
    fixed = {0: at} if zero else {}
    # At 0, rest is not small: products of it and a tiny x are not subnormal.
    head = 0 if zero else upper(at - 2.0 ** -4 if centre == 0 else at)
    c = solve(basis, y, fixed)[0]
    word = bits(single(c[3])) >> 16 << 16 | head
    best = min((solve(basis, y, {**fixed, 3: from_bits(w)})[1], w) for w in (word, word + 0x10000, word - 0x10000))
    fixed[3] = from_bits(best[1])
    fixed[2] = single(solve(basis, y, fixed)[0][2])
    fixed[1] = single(solve(basis, y, fixed)[0][1])
    high = from_bits(head << 16)
    rest = single(solve(basis, y, fixed)[0][0] - high)
    fixed[0] = high + rest
    if zero: fixed[0] = at      # rest is at, to within 2^-25 of itself
    return [best[1], bits(rest), bits(fixed[1]), bits(fixed[2])], solve(basis, y, fixed)[1]


def tail(T, first, last, shift):
    """The rows from first to last in the form of the tail, the bend, the first row above the zone, the largest error."""
    with mp.workprec(900):
        x = np.linspace(first, last, 41) / DENSITY
        c = [mp.taylor(T, mp.mpf(float(v)), 3) for v in x]
        fit = np.polyfit(x, [float(v[3] / v[2]) for v in c], 2, w=[float(v[2] / v[3]) for v in c])
    bend = [single(v) for v in fit[::-1]]
    rows, worst, zone = [], (0, 0), first
    for i in range(first, last + 1):
        tiny = abs(T(mp.mpf(i) / DENSITY)) < 2.0 ** -205
        if tiny: zone = i + 1
        words, error = row(lambda x: abs(T(x)) * mp.mpf(2) ** (SCALE + ZONE * tiny), i / DENSITY + shift, False,
                           lambda x: np.polyval(bend[::-1], x))
        worst = max(worst, (error, i / DENSITY))
        rows.append(words)
    return rows, bend, zone, worst


def table(name):
    T, zero, first, last = SPEC[name]
    shift = 0.0
    if zero:
        k = round(float(zero[0]) * DENSITY)
        shift = single(mp.mpf(zero[0])) + zero[1] * 2.0 ** -29 - k / DENSITY
    tail_first = round(TAIL[name] * DENSITY)
    rows, bend, zone, tail_worst = tail(T, tail_first, first, shift)
    worst = (0, 0)
    for i in range(first, last + 1):
        if i == first:
            rows.append([0x00807fc0, 0, 0, 0])          # NaN: for the rare path; c3 is no subnormal, which would be slow
        elif i == last:
            # T = 1; forward with a rest of 2^-100, the product of which and infinity is not NaN.
            rows.append([0x00803f80, 0 if zero else bits(2.0 ** -100), 0, 0])
        else:
            words, error = row(T, i / DENSITY + shift, zero and i == k)
            worst = max(worst, (error, i / DENSITY))
            rows.append(words)
    print(name, 'error 2^%.2f at %g, T at its end 1 - 2^%.1f' % (math.log2(worst[0]), worst[1], mp.log(abs(1 - T(mp.mpf(last) / DENSITY + shift)), 2)), file=sys.stderr)
    print('    tail 2^%.2f at %g, 2^%.1f in the first row' % (math.log2(tail_worst[0]), tail_worst[1], mp.log(abs(T(mp.mpf(tail_first) / DENSITY)), 2)), file=sys.stderr)
    print(f'\n/// Relative error of the cubics at most 2^{math.log2(worst[0]):.1f}, in the tail 2^{math.log2(tail_worst[0]):.1f}.')
    print(f'pub(super) const {name}: Table = Table {{')
    print(f'    tail: {tail_first}, zone: {zone}, first: {first}, shift: f32::from_bits(0x{bits(shift):08x}), rows: &{name}_ROWS.0,')
    print('    bend: [' + ', '.join(f'f32::from_bits(0x{bits(v):08x})' for v in bend) + '],\n};')
    print(f'static {name}_ROWS: Aligned<{len(rows)}> = Aligned([')
    for words in rows: print('    [' + ', '.join(f'0x{w:08x}' for w in words) + '],')
    print(']);')


print('//! Rows of the f32 kernels. Printed by tools/float_tables.py; do not edit.\n')
print('use super::rows::{Aligned, Table};')
for name in SPEC: table(name)
