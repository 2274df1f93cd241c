"""Prints src/kernel/double/rows_table.rs: python3 tools/double_rows.py > src/kernel/double/rows_table.rs

Row k belongs to t in (k ± 1/2)/32; its polynomial is one of d = t - k/32 - shift."""
import sys
from multiprocessing import Pool
from mpmath import mpf, sqrt, erfc, exp, cos, pi, nint, log, frexp, findroot
from double_common import double, rounded

W = mpf(1) / 32
DEGREE = 8

A = 2 * sqrt(2 / pi)
B = A * mpf("0.044715")
C = 1 / sqrt(2 * pi)


def v(t):
    return A * t + B * t**3


def forward_none(t):
    return t * erfc(t / sqrt(mpf(2))) / 2


def backward_none(t):
    return erfc(t / sqrt(mpf(2))) / 2 - t * C * exp(-t * t / 2)


def forward_tanh(t):
    return t / (1 + exp(v(t)))


def backward_tanh(t):
    e = exp(-v(t))
    return e / (1 + e) ** 2 * (1 + e - t * (A + 3 * B * t * t))


def slope(f, t):
    """The derivative, to 2^-130."""
    h = mpf(2) ** -60
    return (8 * (f(t + h) - f(t - h)) - (f(t + 2 * h) - f(t - 2 * h))) / (12 * h)


def ulp(t):
    return mpf(2) ** (int(frexp(t)[1]) - 53)


def to_multiple(value, unit):
    return nint(value / unit) * unit


def zero_centre(f, near):
    """A multiple of 2^-58 next to the zero of f at which f and its slope are nearly doubles and f is small, and a
    measure of that, in ulp (of the least value that f has at a double). So short a centre leaves d exact."""
    zero = findroot(f, mpf(near))
    least = abs(f(mpf(double(zero))))
    grid = mpf(2) ** -58
    best = None
    for j in range(-64, 65):
        t = to_multiple(zero, grid) + j * grid
        s, v = slope(f, t), f(t)
        off = abs(s - mpf(double(s))) / ulp(abs(s)) + abs(v - mpf(double(v))) / ulp(least)
        # Where the value is larger than the least, its rounding counts for more.
        off += abs(v) / least / 16
        if best is None or off < best[1]:
            best = (t, off)
    return best


def polynomial(c, d):
    p = mpf(0)
    for x in reversed(c):
        p = p * d + mpf(x)
    return p


def row(job):
    name, k, shift = job
    f = globals()[name]
    forward = name.startswith("forward")
    centre = k * W + shift
    lo, hi = max(-W / 2 - shift, -centre), W / 2 - shift
    low = mpf(0)
    if forward and k == 0:
        # t times a polynomial, so that it is right relatively.
        q = lambda d: (f(d) / d - mpf(1) / 2) / d
        c = [0.0, 0.5] + rounded(q, lo, hi, interpolate(q, lo, hi, DEGREE - 1))
    elif not forward and lo < ZERO - centre < hi:
        value, c1 = f(centre), slope(f, centre)
        q = lambda d: (f(centre + d) - value - c1 * d) / d**2
        c = [0.0, double(c1)] + rounded(q, lo, hi, interpolate(q, lo, hi, DEGREE - 1))
        low = value
    else:
        g = lambda d: f(centre + d)
        full = interpolate(g, lo, hi, DEGREE + 1)
        if forward:
            unit = ulp(centre + hi)
        else:
            unit = mpf(2) ** (-53 if full[0] > 0 else -52)
        c0 = to_multiple(full[0], unit)
        low = full[0] - c0
        # The rounding of the slope is made up for by the others as far as it can.
        moved = [full[1]] + full[2:]
        r = lambda d: polynomial(moved, d)
        c = [float(c0)] + rounded(r, lo, hi, moved)
    entries = [c[0], double(low)] + c[1:]
    error = mpf(0)
    for i in range(41):
        d = lo + (hi - lo) * i / 40
        want = f(centre + d)
        if abs(want) < mpf(10) ** -12:
            continue
        p = polynomial([mpf(c[0]) + mpf(entries[1])] + c[1:], d)
        error = max(error, abs(p / want - 1))
    return entries, float(log(error, 2))


def interpolate(f, lo, hi, n):
    """n coefficients of the polynomial through f at Chebyshev's nodes, in powers of d."""
    xs = [(lo + hi) / 2 + (hi - lo) / 2 * cos(pi * (i + mpf(1) / 2) / n) for i in range(n)]
    a = [f(x) for x in xs]
    for j in range(1, n):
        for i in range(n - 1, j - 1, -1):
            a[i] = (a[i] - a[i - 1]) / (xs[i] - xs[i - j])
    c = [mpf(0)] * n
    c[0] = a[n - 1]
    size = 1
    for i in range(n - 2, -1, -1):
        for k in range(size, 0, -1):
            c[k] = c[k - 1] - xs[i] * c[k]
        c[0] = a[i] - xs[i] * c[0]
        size += 1
    return c


FORMS = {"none": ("0.7517915246935645", 5), "tanh": ("0.7524614220710163", 4)}
ZERO = None


def set_zero(z):
    global ZERO
    ZERO = z


def main():
    print("//! Made by tools/double_rows.py: the coefficients of f(t) around (k + shift)/32, c0 in two parts.\n")
    print("use crate::simd::double::Row;\n")
    for form, (near, limit) in FORMS.items():
        for direction in "forward", "backward":
            name = f"{direction}_{form}"
            f = globals()[name]
            shift, zero = mpf(0), None
            if direction == "backward":
                zero = findroot(f, mpf(near))
                centre, off = zero_centre(f, near)
                shift = centre - nint(centre / W) * W
                print(f"{name}: value and slope off by {float(off):.4f} ulp at {float((centre - zero) / ulp(zero)):.1f} ulp", file=sys.stderr)
            count = int(limit / W) + 1
            with Pool(2, set_zero, (zero,)) as pool:
                rows = pool.map(row, [(name, k, shift) for k in range(count)], 4)
            error = max(e for _, e in rows)
            print(name, f"2^{error:.2f}", [round(e, 1) for _, e in rows[::8]], file=sys.stderr)
            if direction == "backward":
                print("/// How far the centres are from k/32: one is next to the zero of g'(-t).")
                print(f"pub(crate) const SHIFT_{form.upper()}: f64 = {float(shift)!r};\n")
            print(f"/// Error 2^{error:.1f} for t <= {limit}.")
            print(f"#[rustfmt::skip]\npub(crate) static {name.upper()}: [Row; {count}] = [")
            for entries, _ in rows:
                print("    Row([" + ", ".join(repr(x) for x in entries) + "]),")
            print("];\n")


if __name__ == "__main__":
    main()
