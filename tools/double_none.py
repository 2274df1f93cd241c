"""Prints src/kernel/double/none_table.rs: python3 tools/double_none.py > src/kernel/double/none_table.rs"""
from mpmath import mpf, sqrt, erfc, exp, pi
from double_common import *

C = 1 / sqrt(2 * pi)
R = lambda t: exp(t * t / 2) * erfc(t / sqrt(mpf(2))) / 2
LIMIT = mpf(5)
B, CENTRE = mpf("2.25"), mpf(1) / 32
DEGREE = 13

print("//! Made by tools/double_none.py.\n\nuse crate::simd::double::Exp2Table;\n")
exp_constants()
for name, f, end, exponent, what in (
    ("FORWARD", lambda t: t * R(t), mpf(41), 600, "t·R(t)"),
    ("BACKWARD", lambda t: R(t) - t * C, mpf(57), 0, "(R(t) - t/√2π)/t"),
):
    g = f if name == "FORWARD" else (lambda t: (R(t) - t * C) / t)
    middle = (g(LIMIT) + g(end)) / 2
    k, d = lucky_scale(abs(middle))
    k = k if middle > 0 else -k
    scaled = "2^600·" if exponent else ""
    exp2_table(f"{name}_EXP2", k, f"{scaled}K·2^(j/8), each within {d:.3f} ulp of a double, and K in the middle of {what}.", exponent)
    z = lambda t: 1 / (t * t / 2 + B) - CENTRE
    t_of = lambda z: sqrt(2 * (1 / (z + CENTRE) - B))
    h = lambda z: g(t_of(z)) / mpf(k) - 1
    c = rounded(h, z(end), z(LIMIT), minimax(h, z(end), z(LIMIT), DEGREE, grid=200, rounds=4))
    e = worst(h, c, z(end), z(LIMIT), 300)
    array(f"{name}_POLY", c, f"{what} = K·(1 + polynomial) for t in 5 ..= {float(end)}, z = 1/(t²/2 + {float(B)}) - 1/32; error 2^{e:.1f}.")
