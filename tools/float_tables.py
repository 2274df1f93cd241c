#!/usr/bin/env python3
"""Prints src/kernel/float/tables.rs: the interval tables of the f32 kernels (8 intervals, degree 7)."""
import sys
from float_fit import *

N = 8
ZERO = {'backward_none': '0.75179152469356445745790646382', 'backward_tanh': '0.75246142207101625848'}
# name: f, end of the first interval (a multiple of 1/16; the others are 1/2 long), end of the last one (earlier, since there
# the function falls fastest)
SPEC = {
    'forward_none': (forward_none, .1875, 3.5625),
    'backward_none': (backward_none, .5, 3.8125),
    'forward_tanh': (forward_tanh, .1875, 3.5625),
    'backward_tanh': (backward_tanh, .5, 3.8125),
}

def climb(trial, v):
    """Moves coefficients by units in the last place as long as the largest error falls: (rank, largest error, v)."""
    cost, c, c6, fx, parts, err = v
    best = trial.worst(c, fx, parts)
    moved = best > .7
    while moved:
        moved = False
        for k in (1, 2, 3, 4, 5, 0):
            if k == 0 and parts: continue
            for step in (-4, -2, -1, 1, 2, 4):
                new = dict(fx)
                new[k] = from_bits(bits(fx[k]) + step * (1 << 13 if k == 5 else 1))
                ulp = trial.worst(c, new, parts)
                if ulp < best: best, fx, moved = ulp, new, True
    return best + trial.bound(c, fx), best, (cost, c, c6, fx, parts, err)

def table(name):
    f, first, bound = SPEC[name]
    backward = name.startswith('backward')
    shift = 4.5 - first
    bs = [0.0] + [first + .5 * i for i in range(N)]
    bs[N] = bound
    host = 'c0_c6' if backward else 'centre_c6'
    fields = {k: [0] * N for k in [host, 'centre' if backward else 'c0'] + ['c0_low'] * backward + ['c1', 'c2', 'c3', 'c4', 'c5_c7']}
    worst = largest = 0
    for i in range(N):
        lo, hi = bs[i], bs[i + 1]
        zero = backward and lo < float(ZERO[name]) < hi
        it = Interval(f, lo, hi, 7)
        trials = []
        mid = (lo + hi) / 2
        if not backward and i == 0: mid = 0.0
        if zero: mid = f32(mp.mpf(ZERO[name]))
        fixed = {0: float(f(mp.mpf(mid)))} if zero else {0: 0.0, 1: 0.5} if mid == 0.0 else {}
        # Candidates for the centre: near the upper end the curve is a smaller part of the result.
        if mid == 0.0: cs = [0.0]
        elif zero: cs = [from_bits(bits(mid) + k) for k in (-1, 0, 1)]      # c0 must not be large beside f at the next floats
        elif backward and i == 0: cs = [.0625, .09375, .125]      # d = t - c has its last bit low enough here
        else: cs = [f32(lo + (hi - lo) * k / 48) for k in range(16, 42)]
        seen = set()
        for c in cs:
            fx0 = {0: float(f(mp.mpf(c)))} if zero else fixed
            c6n = 0 if mid == 0.0 else short(it.solve(c, fx0)[0][6], 16)
            for dc6 in ([0] if mid == 0.0 else range(-3, 4) if zero else range(-20, 21) if i == N - 1 else range(-4, 5)):
                c6 = (c6n + dc6) & 0xffff
                if not backward and mid: c = long(c, c6, 16)[0]
                if (c, c6) in seen: continue
                seen.add((c, c6))
                for fx, err, parts in it.rounded(c, c6, fx0, backward):
                    if zero: parts = (from_bits(0x01000000 | c6), f32(fx[0]))    # normal, and nothing beside the low part
                    d = it.x - c
                    cost = err * 2 ** 24 + np.abs((it.y - fx[0] - fx[1] * d) / it.y).max()
                    trials.append((cost, c, c6, fx, parts, err))
        trials.sort(key=lambda v: v[0])
        trial = Trial(f, lo, hi, float(ZERO[name]) if zero else None)
        # Ranked by the bound and the trial together.
        ranked = sorted(((trial.bound(v[1], v[3]) + trial.worst(v[1], v[3], v[4]), v) for v in trials[:1500]), key=lambda v: v[0])[:8]
        trial = Trial(f, lo, hi, float(ZERO[name]) if zero else None, 10000)
        ranked = [climb(trial, v) for _, v in ranked]
        _, ulp, (_, c, c6, fx, parts, err) = min(ranked, key=lambda v: v[0])
        largest = max(largest, ulp)
        worst = max(worst, err)
        d = it.x - c
        print(f'{name} {i} [{lo:.3f}, {hi:.3f}] centre {c:.4f} error 2^{math.log2(err):.1f}, beyond linear '
              f'{np.abs((it.y - fx[0] - fx[1] * d) / it.y).max():.2f}, {ulp:.3f} ULP, bound {trial.bound(c, fx):.2f}', file=sys.stderr)
        if backward:
            fields['centre'][i] = bits(c); fields['c0_low'][i] = bits(parts[1])
            fields[host][i] = bits(parts[0])
        else:
            fields['c0'][i] = bits(fx[0])
            fields[host][i] = bits(c)
        for k in (1, 2, 3, 4): fields[f'c{k}'][i] = bits(fx[k])
        fields['c5_c7'][i] = bits(fx[5])
        assert from_bits(fields[host][i] << 16) == fx[6] and from_bits(fields['c5_c7'][i] << 19) == fx[7]
    kind = 'Backward' if backward else 'Forward'
    out = f'/// |x| < {bound}; largest relative error of the fit 2^{math.log2(worst):.1f}, {largest:.3f} ULP in a trial.\n'
    out += f'pub(super) const {name.upper()}: {kind}Table = {kind}Table {{\n    bound: {bound},\n    shift: {shift},\n'
    for key, w in fields.items():
        out += f'    {key}: words([\n'
        for i in range(0, N, 4): out += '        ' + ', '.join(f'0x{v:08x}' for v in w[i:i + 4]) + ',\n'
        out += '    ]),\n'
    return out + '};\n'

print('''//! Interval tables of the f32 kernels. Printed by tools/float_tables.py; do not edit.

use super::interval::{words, BackwardTable, ForwardTable};
''')
print('\n'.join(table(n) for n in sys.argv[1:] or SPEC), end='')
