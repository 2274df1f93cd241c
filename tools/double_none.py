"""Prints src/kernel/double/none_table.rs: python3 tools/double_none.py > src/kernel/double/none_table.rs"""
import sys
from mpmath import mpf, sqrt, erfc, findroot, exp, pi
from double_common import *

C = 1 / sqrt(2 * pi)
R = lambda t: exp(t * t / 2) * erfc(t / sqrt(mpf(2))) / 2
T0 = mpf("0.75179152469356445746")
for _ in range(6):
    T0 -= (R(T0) - T0 * C) / (T0 * R(T0) - 2 * C)


def h(t):
    """(R(t) - t/√2π)/(t0 - t), by its series where it cancels."""
    return (R(t) - t * C) / (T0 - t)


B_COMMON, B_RARE = mpf(6), mpf(2)
TAIL_SHAPE = (8, 0)
LIMIT, CUT = mpf("4.5"), mpf(56)


def poly(name, f, lo, hi, b, shape, degree, what):
    """z = (t - pivot)/(t + b) - center, shape = (pivot, center)."""
    pivot, center = map(mpf, shape)
    z = lambda t: (t - pivot) / (t + b) - center
    t_of = lambda z: (pivot + (z + center) * b) / (1 - center - z)
    text = f"(t - {float(pivot)})/(t + {float(b)}) - {float(center)}"
    g = lambda z: f(t_of(z))
    co = rounded(g, z(lo), z(hi), minimax(g, z(lo), z(hi), degree))
    if name == "BACKWARD_COMMON_POLY":
        # All the small arguments share what is computed at 0: it should not be an unlucky number.
        co = settle(co, float(z(lo)), f(mpf(0)))
    array(name, co, f"{what} for t in {float(lo)} ..= {float(hi)}, z = {text}; error 2^{worst(g, co, z(lo), z(hi), 200):.1f}.")


print("//! Made by tools/double_none.py.\n\nuse crate::simd::double::Exp2Table;\n")
exp_constants()

b1 = mpf("1.09375")
v = [R(mpf(k) / 50) * (mpf(k) / 50 + b1) for k in range(226)]
k, d = lucky_scale((max(v) + min(v)) / 2)
exp2_table("FORWARD", k, f"K·2^(j/8), each within {d:.3f} ulp of a double, and K in the middle of R(t)·(t + {float(b1)}).")
f = lambda t: R(t) * (t + b1) / mpf(k) - 1
poly("FORWARD_COMMON_POLY", f, mpf(0), LIMIT, B_COMMON, (1.375, 0.015625), 16, f"R(t)·(t + {float(b1)})/K - 1")
k, d = lucky_scale((f(LIMIT) + f(mpf(40)) + 2) / 2 * mpf(k))
exp2_table("FORWARD_RARE", k, f"2^600·K·2^(j/8), each within {d:.3f} ulp, for another K.", 600)
f = lambda t: R(t) * (t + b1) / mpf(k) - 1
poly("FORWARD_RARE_POLY", f, LIMIT, mpf(41), B_RARE, TAIL_SHAPE, 16, f"R(t)·(t + {float(b1)})/K - 1")

for name, lo, hi, b, shape, kappa, degree in (
    ("COMMON", mpf(0), LIMIT, B_COMMON, (0, 0.23), 10, 15),
    ("RARE", LIMIT, CUT, B_RARE, TAIL_SHAPE, 1, 15),
):
    head = lambda t: 1 + kappa / (t + b)
    v = [h(t) / head(t) for t in (lo + (hi - lo) * k / 100 + mpf("0.00001") for k in range(101))]
    k, d = lucky_scale((max(v) + min(v)) / 2)
    what = f"H(t)/K - (1 + {kappa}/(t + {float(b)}))"
    exp2_table(f"BACKWARD_{name}", k, f"K·2^(j/8), each within {d:.3f} ulp of a double, and K such that |{what}| is small.")
    poly(f"BACKWARD_{name}_POLY", lambda t: h(t) / mpf(k) - head(t), lo, hi, b, shape, degree, what)
rest = T0 - mpf("0.75")
middle = double(rest)
constant("ZERO_MIDDLE", middle, "t0 - 3/4, where t0 is the zero of g'(-t).")
constant("ZERO_LOW", double(rest - mpf(middle)), "What `ZERO_MIDDLE` lacks.")
