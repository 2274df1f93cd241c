#!/usr/bin/env python3
"""Writes src/kernel/portable/tables.rs, the constants of the portable kernels.

    pip install mpmath
    python3 tools/portable_tables.py > src/kernel/portable/tables.rs

Everything is a Taylor coefficient or a power of two at 80 digits, split into doubles; nothing is fitted.
"""
import struct

from mpmath import mp, mpf, erfc, exp, findroot, log, pi, sqrt, taylor

mp.dps = 80

STEPS = 64            # entries of 2^(j/64)
DEGREE = 13           # of the expansions of R: |d| <= (t + 1)/32 leaves less than 2^-65 of the value
OCTAVES = 6           # t + 1 in [1, 64)
PER_OCTAVE = 16


def literal(value):
    """A double as a Rust expression that keeps every bit, with the decimal beside it."""
    bits = struct.unpack("<Q", struct.pack("<d", float(value)))[0]
    return f"f64::from_bits(0x{bits:016x})"


def parts(value, count):
    """`value` as a sum of `count` doubles, the largest first."""
    out = []
    for _ in range(count):
        out.append(float(value))
        value -= mpf(out[-1])
    return out


def truncated(value, bits):
    """`value` cut to a double of at most `bits` significant bits."""
    man, e = mp.frexp(value)
    return float(mp.ldexp(mp.floor(man * 2 ** bits), e - bits))


def mills_taylor(c, degree):
    """Taylor coefficients at c of R(t) = exp(t^2/2) erfc(t/sqrt 2)/2, by R' = t R - 1/sqrt(2 pi)."""
    a = [exp(c * c / 2) * erfc(c / sqrt(2)) / 2]
    a.append(c * a[0] - 1 / sqrt(2 * pi))
    for n in range(1, degree):
        a.append((c * a[n] + a[n - 1]) / (n + 1))
    return a


def const(name, doc, value):
    print(f"/// {doc}")
    print(f"pub(super) const {name}: f64 = {literal(value)}; // {float(value)!r}")


def two(name, doc, value):
    hi, lo = parts(value, 2)
    print(f"/// {doc}")
    print(f"pub(super) const {name}: Two = Two {{ hi: {literal(hi)}, lo: {literal(lo)} }}; // {hi!r}")


def row(values):
    return "[" + ", ".join(literal(v) for v in values) + "]"


def zero(name, doc, t0, coefficients):
    """The expansion H of a factor (t - t0) H(t - t0) around its zero."""
    print(f"/// The zero of {doc}, in three parts: the distance of the nearest double from it is small too.")
    at = parts(t0, 3)
    print(f"pub(super) const {name}_AT: [f64; 3] = {row(at)}; // {at[0]!r}")
    two(f"{name}_H0", f"Slope of {doc} at its zero.", coefficients[0])
    print(f"/// The coefficients of (t - t0)^2 ... in {doc}.")
    print(f"pub(super) const {name}_H: [f64; {len(coefficients) - 1}] = {row(coefficients[1:])};")


def main():
    print("//! Constants of the portable kernels, made by tools/portable_tables.py.")
    print()
    print("use super::two::Two;")
    print()
    step = log(2) / STEPS
    const("STEPS_PER_UNIT", "64/ln 2.", 1 / step)
    head = truncated(step, 34)
    const("STEP_HEAD", "ln 2/64 cut to 34 bits: a multiple below 2^18 of it is exact.", head)
    const("STEP_TAIL", "ln 2/64 less STEP_HEAD.", step - mpf(head))
    two("INV_SQRT_2PI", "1/sqrt(2 pi).", 1 / sqrt(2 * pi))
    a = 2 * sqrt(2 / pi)
    two("TANH_A", "2 sqrt(2/pi): the linear coefficient of 2u.", a)
    two("TANH_B", "2 sqrt(2/pi) 0.044715: the cubic coefficient of 2u.", a * mpf("0.044715"))
    two("TANH_3B", "Three times TANH_B.", 3 * a * mpf("0.044715"))

    print(f"/// 2^(j/{STEPS}) in two parts.")
    print(f"pub(super) static EXP2: [Two; {STEPS}] = [")
    for j in range(STEPS):
        hi, lo = parts(mpf(2) ** (mpf(j) / STEPS), 2)
        print(f"    Two {{ hi: {literal(hi)}, lo: {literal(lo)} }},")
    print("];")

    print("/// R around the middle c of each interval of t: c, R(c) and R'(c) in two parts each, then the")
    print(f"/// coefficients of (t - c)^2 ... (t - c)^{DEGREE}. Interval i is where the exponent and the first four")
    print("/// bits of the fraction of t + 1 count i.")
    count = OCTAVES * PER_OCTAVE
    print(f"pub(super) static MILLS: [[f64; {DEGREE + 4}]; {count}] = [")
    for i in range(count):
        scale = mpf(2) ** (i // PER_OCTAVE)
        c = scale * (1 + (i % PER_OCTAVE + mpf(1) / 2) / PER_OCTAVE) - 1
        t = mills_taylor(c, DEGREE)
        print("    " + row([c] + parts(t[0], 2) + parts(t[1], 2) + t[2:]) + ",")
    print("];")

    # The second factor of the exact derivative, S(t) = R(t) - t/sqrt(2 pi).
    s = lambda t: exp(t * t / 2) * erfc(t / sqrt(2)) / 2 - t / sqrt(2 * pi)
    t0 = findroot(s, mpf("0.7517915246935644"))
    t = mills_taylor(t0, 12)
    t[1] -= 1 / sqrt(2 * pi)
    zero("ZERO_NONE", "R(t) - t/sqrt(2 pi)", t0, t[1:])

    # The second factor of the derivative of the tanh form, G(t) = 1 + exp(-2u) - t (2u)'.
    b = a * mpf("0.044715")
    g = lambda t: 1 + exp(-t * (a + b * t * t)) - t * (a + 3 * b * t * t)
    t0 = findroot(g, mpf("0.7524614220710162"))
    zero("ZERO_TANH", "1 + exp(-2u) - t (2u)'", t0, taylor(g, t0, 13)[1:])


main()
