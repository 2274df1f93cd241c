"""Fit, packing and exact rounding of the interval tables of the f32 kernels; shared by the scripts that print them.

One interval of t = |x| holds a centre c and a polynomial in d = t - c,
    f(t) ~ c0 + c1 d + d^2 (c2 + c3 d + ... + c7 d^5),
the least squares of the relative error on Chebyshev nodes. Coefficients are rounded one after the other, the short ones
first, then from c0 up, and the rest is fitted again each time, so that the last roundings are those that matter least.
Two short coefficients share a word with a long one: the long one is the whole word read as a float (its low bits are
noise that is known here and fitted around), the short one is the low bits moved up: c6 has 16 bits (in the word of c,
or of c0 for derivatives) and c7 has 13 (in the word of c5). Many centres are tried, and the best is kept.
"""
import math, struct
import numpy as np
import mpmath as mp

mp.mp.prec = 160
A_TANH = 2 * mp.sqrt(2 / mp.pi)
B_TANH = A_TANH * mp.mpf('0.044715')

def forward_none(t): return t * mp.erfc(t / mp.sqrt(2)) / 2
def backward_none(t): return mp.erfc(t / mp.sqrt(2)) / 2 - t * mp.exp(-t * t / 2) / mp.sqrt(2 * mp.pi)
def forward_tanh(t): return t / (1 + mp.exp(t * (A_TANH + B_TANH * t * t)))
def backward_tanh(t):
    s = 1 / (1 + mp.exp(t * (A_TANH + B_TANH * t * t)))
    return s - t * (A_TANH + 3 * B_TANH * t * t) * s * (1 - s)

def bits(x): return struct.unpack('<I', struct.pack('<f', x))[0]
def from_bits(u): return struct.unpack('<f', struct.pack('<I', u & 0xffffffff))[0]
def f32(x): return float(np.float32(float(x)))
def short(x, size):
    """The nearest value that is the upper `size` bits of a float, as those bits."""
    return ((bits(f32(x)) + (1 << (31 - size))) >> (32 - size)) & ((1 << size) - 1)
def long(x, low, size):
    """The floats nearest to x below and above whose lowest `size` bits are `low`."""
    step = 1 << size
    u = bits(f32(x)) & ~(step - 1)
    cand = [from_bits(u + k * step + low) for k in (-1, 0, 1)]
    return sorted(cand, key=lambda v: abs(v - float(x)))[:2]

class Interval:
    def __init__(self, f, lo, hi, deg, nodes=40):
        self.f, self.lo, self.hi, self.deg = f, lo, hi, deg
        self.x = np.cos((np.arange(nodes) + .5) / nodes * np.pi) * (hi - lo) / 2 + (lo + hi) / 2
        self.y = np.array([float(f(mp.mpf(float(v)))) for v in self.x])

    def solve(self, c, fixed):
        d = self.x - c
        free = [k for k in range(self.deg + 1) if k not in fixed]
        rhs = (self.y - sum(v * d ** k for k, v in fixed.items())) / self.y
        out = dict(fixed)
        if free:
            m = np.array([d ** k for k in free]).T / self.y[:, None]
            sol, *_ = np.linalg.lstsq(m, rhs, rcond=None)
            rhs = rhs - m @ sol
            out.update(zip(free, map(float, sol)))
        return out, float(np.abs(rhs).max())

    def rounded(self, c, c6bits, fixed, split):
        """Every way tried to round all coefficients: (coefficients, error, parts of c0). `split`: c0 hosts c6."""
        base = dict(fixed)
        base[6] = from_bits(c6bits << 16)
        c7 = short(self.solve(c, base)[0][7], 13)
        for c7bits in (c7 - 1, c7, c7 + 1):
            fx7 = dict(base); fx7[7] = from_bits(c7bits << 19)
            for c5 in long(self.solve(c, fx7)[0][5], c7bits, 13):
                fx = dict(fx7); fx[5] = c5
                parts = None
                if 0 not in fx:
                    want = self.solve(c, fx)[0][0]
                    if split:
                        hi = long(want, c6bits, 16)[0]; parts = (hi, f32(want - hi)); fx[0] = parts[0] + parts[1]
                    else: fx[0] = f32(want)
                for c1 in self.neighbours(c, fx):
                    fx1 = dict(fx); fx1[1] = c1
                    for k in (2, 3, 4): fx1[k] = f32(self.solve(c, fx1)[0][k])
                    yield fx1, self.solve(c, fx1)[1], parts

    def neighbours(self, c, fx):
        """The floats next to the best c1."""
        if 1 in fx: return [fx[1]]
        want = self.solve(c, fx)[0][1]
        u = bits(f32(want))
        return sorted((from_bits(u + k) for k in (-1, 0, 1)), key=lambda v: abs(v - want))[:2]

def fma(a, b, c): return (a.astype(np.float64) * b + c).astype(np.float32)     # the product is exact

class Trial:
    """Runs the kernel's arithmetic on points of an interval: what an assignment of coefficients really gives."""
    def __init__(self, f, lo, hi, zero=None, points=1500):
        x = np.random.default_rng(1).uniform(lo, hi, points)
        # Where a power of two begins, a last place is worth most: half of the points just below powers of two of f.
        fine = np.linspace(max(lo, 1e-3), hi, 4000)
        v = np.abs([float(f(mp.mpf(float(t)))) for t in fine])
        top = fine[np.frexp(v)[0] > .9]
        if len(top): x = np.concatenate([x, np.random.default_rng(2).choice(top, points) + np.random.default_rng(3).uniform(0, (hi - lo) / 4000, points)])
        x = np.concatenate([x, lo + 1e-5 * np.arange(64), hi - 1e-5 * np.arange(64)])
        if zero: x = np.concatenate([x, zero + (hi - lo) / 2 * np.exp2(-np.random.default_rng(4).uniform(0, 23, points)) * np.random.default_rng(5).choice([-1, 1], points)])
        self.t = np.clip(x, max(lo, 1e-3), hi).astype(np.float32)
        if zero: self.t = np.append(self.t, [from_bits(bits(f32(zero)) + k) for k in range(-64, 65)]).astype(np.float32)
        self.y = np.array([float(f(mp.mpf(float(t)))) for t in self.t])
        self.ulp = np.exp2(np.frexp(np.abs(self.y))[1] - 24.0)

    def bound(self, c, fx):
        """Nearly the most that roundings can add up to: a trial meets few of the worst cases."""
        d = self.t.astype(np.float64) - c
        curve = self.y - (fx[0] + fx[1] * d)
        fit = np.abs(curve - sum(fx[k] * d ** k for k in range(2, 8)))
        roundings = 1.25 * 2.0 ** -24 * np.abs(curve) + np.exp2(np.frexp(np.abs(curve) + 1e-30)[1] - 25.0)
        return float(np.max(.5 + (fit + roundings) / self.ulp))

    def worst(self, c, fx, parts):
        t = self.t
        k = {i: np.float32(fx[i]) for i in range(1, 8)}
        c0, low = parts if parts else (fx[0], 0.0)
        c0, low = np.float32(c0), np.float32(low)
        d = t - np.float32(c)
        head = (fma(d, k[1], c0).view(np.uint32) & np.uint32(0xfffe0000)).view(np.float32)
        rest = fma(d, k[1], c0 - head) + low
        square = d * d
        high = fma(square, k[7], fma(d, k[6], k[5]))
        curve = fma(fma(high, square, fma(d, k[4], k[3])), d, k[2])
        rest = fma(square, curve, rest)
        return float(np.max(np.abs((head.astype(np.float64) + rest).astype(np.float32) - self.y) / self.ulp))
