"""Prints src/kernel/double/tanh_table.rs: python3 tools/double_tanh.py > src/kernel/double/tanh_table.rs"""
from mpmath import mpf, sqrt, log, pi
from double_common import *

# 2u = A·x + B·x³, so that g(x) = x/(1 + e^(-2u)).
A = 2 * sqrt(2 / pi)
B = A * mpf("0.044715")

print("//! Made by tools/double_tanh.py.\n\nuse crate::simd::double::Exp2Table;\n")
k, d = lucky_scale(mpf(1))
exp2_table("EXP2", k, f"K·2^(j/8), each within {d:.3f} ulp of a double; K is just above 1.")
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
