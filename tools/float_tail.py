#!/usr/bin/env python3
"""Prints the polynomials of src/kernel/float/tail.rs and forward_none.rs, by least squares on Chebyshev nodes."""
import struct
import numpy as np
import mpmath as mp

mp.mp.prec = 120


def nodes(lo, hi): return np.cos((np.arange(60) + .5) / 60 * np.pi) * (hi - lo) / 2 + (lo + hi) / 2
def single(c): return '0x%08x' % struct.unpack('<I', struct.pack('<f', c))[0]
def double(c): return '0x%016x' % struct.unpack('<Q', struct.pack('<d', c))[0]


def fit(f, lo, hi, degree, relative, printed):
    x = nodes(lo, hi)
    y = np.array([float(f(mp.mpf(float(v)))) for v in x])
    m = np.array([x ** k for k in range(degree + 1)]).T
    w = relative(x, y)
    c = np.linalg.lstsq(m * w[:, None], y * w, rcond=None)[0]
    print(f'degree {degree}, error 2^{np.log2(np.abs((m @ c - y) * w).max()):.1f}:', ', '.join(printed(v) for v in c))


print('e^f, |f| <= ln 2/2')
for degree in (5, 6, 7):
    fit(mp.exp, -float(mp.log(2)) / 2, float(mp.log(2)) / 2, degree, lambda x, y: 1 / y, double)


def deficit(v):
    """D of t R(t) = 1 - v D(v), v = 1/t^2, R the Mills ratio."""
    t = 1 / mp.sqrt(v)
    return (1 - t * mp.sqrt(mp.pi / 2) * mp.exp(t * t / 2) * mp.erfc(t / mp.sqrt(2))) / v


print('D, t from 4.4 to 16; error of v D')
for degree in (3, 4, 5):
    fit(deficit, 1 / 256, 1 / 4.4 ** 2, degree, lambda x, y: x, single)
