"""Prints src/kernel/double/tanh_table.rs: python3 tools/double_tanh.py > src/kernel/double/tanh_table.rs"""
from mpmath import mpf, sqrt, exp, log, pi, taylor
from double_common import *

# 2u = A·x + B·x³, so that g(x) = x/(1 + e^(-2u)).
A = 2 * sqrt(2 / pi)
B = A * mpf("0.044715")


def s_of(t):
    """1 + e - t·(A + 3B·t²), e = e^(-2u): g'(-t) = e/(1 + e)² times this."""
    return 1 + exp(-(A * t + B * t**3)) - t * (A + 3 * B * t * t)


def g1(t):
    e = exp(-(A * t + B * t**3))
    return e / (1 + e) ** 2 * s_of(t)


t0 = mpf("0.75246142207101625849")
for _ in range(8):
    e = exp(-(A * t0 + B * t0**3))
    t0 -= s_of(t0) / (-(A + 3 * B * t0 * t0) * e - A - 9 * B * t0 * t0)

print("//! Made by tools/double_tanh.py.\n\nuse crate::simd::double::Exp2Table;\n")
# Entry 2 is the one in use near the zero of the derivative, where its error is magnified.
k, d = lucky_scale(mpf(1), 1 << 31, {2: 48})
exp2_table("EXP2", k, f"K·2^(j/8), each within {d:.3f} ulp of a double, that of j = 2 within a 48th of it; K is just above 1.")
constant("LN_K", double(log(mpf(k))), "ln K.")
a = short(A, 24)
constant("A_HIGH", -a, "-A = -2·√(2/π), 24 bits.")
constant("A_LOW", -double(A - mpf(a)), "-A - `A_HIGH`.")
b = double(B)
constant("B_HIGH", -b, "-B = -0.044715·A, the nearest double.")
constant("B_LOW", -double(B - mpf(b)), "-B - `B_HIGH`.")
b = double(3 * B)
constant("B3_HIGH", -b, "-3B, the nearest double.")
constant("B3_LOW", -double(3 * B - mpf(b)), "-3B - `B3_HIGH`.")
z = double(t0)
constant("ZERO", z, "The zero t0 of g'(-t), the nearest double.")
constant("ZERO_LOW", double(t0 - mpf(z)), "t0 - `ZERO`.")

half = log(2) / 16 * mpf("1.0001")
q = lambda f: (exp(f) - 1 - f) / f**2 if abs(f) > mpf(10) ** -20 else mpf(1) / 2
c = [double(v) for v in minimax(q, -half, half, 6, lambda f: f * f)]
err = worst(lambda f: f * f * q(f), [0, 0] + c, -half, half)
array("EXP_PRECISE", c, f"`e^f = 1 + f + f²·EXP_PRECISE(f)`, |f| <= ln 2/16; error 2^{err:.1f}.")

w = mpf(2) ** -8
h = lambda d: g1(t0 + d) / d
slope = (h(mpf(2) ** -60) + h(-mpf(2) ** -60)) / 2
s0 = double(slope)
constant("SLOPE", s0, "The derivative of g'(-t) at t0, the nearest double.")
# As a function of the distance from ZERO, which the kernel has exactly.
p = lambda d: h(mpf(z) + d - t0) - mpf(s0)
c = [double(v) for v in minimax(p, -w * mpf("1.001"), w * mpf("1.001"), 7)]
err = worst(p, c, -w, w)
array("NEAR_ZERO", c, f"g'(-ZERO - d) = (d - ZERO_LOW)·(SLOPE + NEAR_ZERO(d)), |d| <= 2^-8; error 2^{err:.1f}.")
