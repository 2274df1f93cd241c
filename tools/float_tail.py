#!/usr/bin/env python3
"""Prints the constants of src/kernel/float/exp_tail.rs and the polynomial of the Mills ratio (backward/forward none)."""
from float_fit import *
def h(x, name, doc=''):
    print(f'const {name}: f32 = f32::from_bits(0x{bits(x):08x});  // {x!r}')
C = mp.log(2) / 8
chi = math.floor(C * 2 ** 15 + .5) / 2 ** 15
h(f32(8 / mp.log(2)), 'PER_EIGHTH'); h(chi, 'EIGHTH_HIGH'); h(f32(C - chi), 'EIGHTH_LOW')
for nm, s in (('POWERS', mp.mpf(1)), ('POWERS_BY_ROOT', 1 / mp.sqrt(2 * mp.pi))):
    hi = [f32(s * mp.mpf(2) ** (mp.mpf(j) / 8)) for j in range(8)]
    lo = [f32(s * mp.mpf(2) ** (mp.mpf(j) / 8) - v) for j, v in enumerate(hi)]
    print(nm, ', '.join(f'0x{bits(v):08x}' for v in hi)); print(nm + '_LOW', ', '.join(f'0x{bits(v):08x}' for v in lo))
# exp(r) - 1 = r + r^2 (e2 + e3 r + e4 r^2), |r| <= ln2/16
r = np.cos((np.arange(40) + .5) / 40 * np.pi) * float(C) / 2 * 1.01
m = np.array([r ** k for k in (2, 3, 4)]).T
sol, *_ = np.linalg.lstsq(m, np.expm1(r) - r, rcond=None)
print('exp', [f'0x{bits(f32(s)):08x}' for s in sol], np.abs(m @ np.array([f32(s) for s in sol]) - np.expm1(r) + r).max())
# t M(t) = 1 - v D(v), v = 1/t^2, M the Mills ratio
def D(v):
    t = 1 / mp.sqrt(v)
    mills = mp.sqrt(mp.pi / 2) * mp.exp(t * t / 2) * mp.erfc(t / mp.sqrt(2))
    return (1 - t * mills) / v
for lo_t, hi_t in ((3.6, 20.),):
    lo, hi = 1 / hi_t ** 2, 1 / lo_t ** 2
    v = np.cos((np.arange(40) + .5) / 40 * np.pi) * (hi - lo) / 2 + (lo + hi) / 2
    y = np.array([float(D(mp.mpf(float(x)))) for x in v])
    for deg in (4, 5, 6):
        m = np.array([v ** k for k in range(deg + 1)]).T * v[:, None]
        sol, *_ = np.linalg.lstsq(m, y * v, rcond=None)
        print('mills', lo_t, deg, [f'0x{bits(f32(s)):08x}' for s in sol], 'abs err', np.abs(m @ np.array([f32(s) for s in sol]) - y * v).max())
for nm, val, keep in (('A', A_TANH, 17), ('B', B_TANH, 24), ('B3', 3 * B_TANH, 24)):
    hi = f32(val) if keep == 24 else math.floor(float(val) * 2 ** keep + .5) / 2 ** keep
    h(hi, nm + '_HIGH'); h(f32(val - hi), nm + '_LOW')
