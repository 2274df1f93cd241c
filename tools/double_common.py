"""What the generators of the f64 tables share: approximation, exact rounding, printing."""
import struct
import numpy as np
from mpmath import mp, mpf, cos, pi, exp, log, floor, matrix, lu_solve, nint, frexp, ldexp

mp.prec = 220


def double(v):
    """The double nearest to v (v within the normal range)."""
    v = mpf(v)
    if v == 0:
        return 0.0
    m, e = frexp(v)
    return float(ldexp(nint(ldexp(m, 53)), int(e) - 53))


def short(v, bits):
    """v rounded to so many significant bits."""
    m, e = frexp(mpf(v))
    return float(ldexp(nint(ldexp(m, bits)), int(e) - bits))


def bits(d):
    return struct.unpack("<Q", struct.pack("<d", float(d)))[0]


def minimax(f, lo, hi, degree, weight=lambda z: 1, grid=400, rounds=6):
    """Coefficients in powers of z of the polynomial with the least largest |weight·(polynomial - f)| on [lo, hi]."""
    n = degree + 2
    at = lambda k, m: (lo + hi) / 2 - (hi - lo) / 2 * cos(pi * k / m)
    zs = [at(mpf(k), grid) for k in range(grid + 1)]
    fs = [f(z) for z in zs]
    ws = [mpf(weight(z)) for z in zs]
    ref = sorted({int(round(k * grid / (n - 1))) for k in range(n)})
    best = None
    for _ in range(rounds):
        a, b = matrix(n, n), matrix(n, 1)
        for i, k in enumerate(ref):
            for j in range(degree + 1):
                a[i, j] = ws[k] * zs[k] ** j
            a[i, degree + 1] = (-1) ** i
            b[i] = ws[k] * fs[k]
        x = lu_solve(a, b)
        c = [x[j] for j in range(degree + 1)]
        e = []
        for z, v, w in zip(zs, fs, ws):
            p = mpf(0)
            for t in reversed(c):
                p = p * z + t
            e.append(w * (p - v))
        top = max(abs(v) for v in e)
        if best is None or top < best[0]:
            best = (top, c)
        # One extreme per run of equal sign; drop from the ends while there are too many.
        new, i = [], 0
        while i <= grid:
            j = i
            while j + 1 <= grid and (e[j + 1] >= 0) == (e[i] >= 0):
                j += 1
            new.append(max(range(i, j + 1), key=lambda k: abs(e[k])))
            i = j + 1
        while len(new) > n:
            new.pop(0 if abs(e[new[0]]) < abs(e[new[-1]]) else -1)
        if len(new) < n or new == ref:
            break
        ref = new
    return best[1]


def worst(f, coefficients, lo, hi, points=600):
    """The largest |polynomial - f|, as a power of two."""
    e = mpf(0)
    for k in range(points + 1):
        z = (lo + hi) / 2 + (hi - lo) / 2 * cos(pi * k / points)
        p = mpf(0)
        for c in reversed(coefficients):
            p = p * z + c
        e = max(e, abs(p - f(z)))
    return float(log(e, 2)) if e else -999.0


def rounded(f, lo, hi, c):
    """The coefficients c as doubles. Each is rounded in turn and the others moved to make up for it (least squares at
    Chebyshev nodes), which leaves much less than rounding all at once."""
    n = len(c)
    m = 4 * n
    zs = [(lo + hi) / 2 + (hi - lo) / 2 * cos(pi * (k + mpf(1) / 2) / m) for k in range(m)]
    # Least squares of a polynomial through the same deviation as c has keeps the minimax shape.
    want = []
    for z in zs:
        p = mpf(0)
        for t in reversed(c):
            p = p * z + t
        want.append(p)
    done = []
    for k in range(n):
        left = n - k
        rest = [w - sum(mpf(d) * z**j for j, d in enumerate(done)) for w, z in zip(want, zs)]
        a, b = matrix(left, left), matrix(left, 1)
        powers = [[z ** (k + j) for j in range(left)] for z in zs]
        for i in range(left):
            for j in range(i, left):
                a[i, j] = a[j, i] = sum(p[i] * p[j] for p in powers)
            b[i] = sum(p[i] * r for p, r in zip(powers, rest))
        done.append(double(lu_solve(a, b)[0]))
    return done


def lucky_scale(near, count=1 << 28):
    """A double K near `near` such that K·2^(j/8) is close to a double for every j, and the distance in ulp.

    Eight scaled powers that are all nearly exact need no low parts."""
    start = bits(double(near))
    m0 = (start & (2**52 - 1)) | 2**52
    best = (1.0, None)
    step = 1 << 22
    fractions = []
    for j in range(1, 8):
        r = mpf(2) ** (mpf(j) / 8)
        # The significand of K·2^(j/8) in units of its last place: m·r, or half of it once it reaches 2^53.
        scale = 1 if m0 * r < 2**53 else mpf(1) / 2
        c = r * scale
        base = m0 * c
        fractions.append((int(floor((base - floor(base)) * 2**64)), int(floor((c - floor(c)) * 2**64))))
    for first in range(0, count, step):
        i = np.arange(first, first + step, dtype=np.uint64)
        dist = np.zeros(len(i))
        for base, c in fractions:
            d = (np.uint64(base) + i * np.uint64(c)).view(np.int64).astype(np.float64)
            dist = np.maximum(dist, np.abs(d) / 2.0**64)
            keep = dist < best[0]
            i, dist = i[keep], dist[keep]
            if not len(i):
                break
        if len(i):
            k = int(np.argmin(dist))
            best = (float(dist[k]), start + int(i[k]))
    return struct.unpack("<d", struct.pack("<Q", best[1]))[0], best[0]


def rust(d):
    """A Rust expression for exactly this double."""
    return f"f64::from_bits(0x{bits(d):016x})"


def constant(name, value, doc):
    print(f"/// {doc}\npub(crate) const {name}: f64 = {rust(value)}; // {float(value)!r}")


def array(name, values, doc):
    print(f"/// {doc}\npub(crate) const {name}: [f64; {len(values)}] = [")
    for v in values:
        print(f"    {rust(v)}, // {float(v)!r}")
    print("];")


def exp2_table(name, scale, doc, exponent=0):
    print(f"/// {doc}\npub(crate) static {name}: Exp2Table = Exp2Table::new([")
    for j in range(8):
        v = double(mpf(scale) * mpf(2) ** (mpf(j) / 8))
        print(f"    0x{bits(v) + (exponent << 52):016x}, // {v!r}")
    print("]);")


def exp_constants():
    """Reduction by ln2/8 and e^f = 1 + f + f²·Q(f) for |f| <= ln2/16."""
    step = log(2) / 8
    constant("EIGHTHS_PER_UNIT", double(1 / step), "8/ln 2.")
    high = double(step)
    constant("STEP_HIGH", high, "ln 2/8, the nearest double.")
    constant("STEP_LOW", double(step - mpf(high)), "ln 2/8 - `STEP_HIGH`.")
    half = step / 2 * mpf("1.0001")
    q = lambda f: (exp(f) - 1 - f) / f**2 if abs(f) > mpf(10) ** -20 else mpf(1) / 2
    c = [double(v) for v in minimax(q, -half, half, 5, lambda f: f * f)]
    e = worst(lambda f: f * f * q(f), [0, 0] + c, -half, half)
    array("EXP", c, f"`e^f = 1 + f + f²·EXP(f)`, |f| <= ln 2/16; error 2^{e:.1f}.")
