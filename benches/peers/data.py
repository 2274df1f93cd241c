"""The buffers and the data that speed is measured on."""

import numpy as np

ELEMENTS = 131072
TYPES = {"f32": np.float32, "f64": np.float64}

# Where forward underflows to -0, and where g' is 0.
UNDERFLOW = {("f32", "none"): -14.356, ("f64", "none"): -38.58, ("f32", "tanh"): -10.771, ("f64", "tanh"): -21.547}
ZERO = {"none": -0.75179152469356445746, "tanh": -0.75246142207101625849}

NORMAL, WIDE, REAL, TAIL = "N(0, 1)", "N(0, 2²)", "real activations", "negative tail"
MAIN = (NORMAL, WIDE, REAL, TAIL)


def buffers(dtype, n, count):
    """`count` arrays that start on a cache line, each on another place of its page.

    Allocators give large blocks the same place in their page; stores then look like the loads of the other
    array that follow (4 KiB aliasing), which slows every contestant by chance.
    """
    bytes_each = n * np.dtype(dtype).itemsize
    out = []
    for i in range(count):
        block = np.zeros(bytes_each + 8192, np.uint8)
        start = -block.ctypes.data % 4096 + 1088 * i % 4096
        out.append(block[start:start + bytes_each].view(dtype))
    return out


def main_sets(type_name, n, real_file):
    """The four data sets of the tables."""
    rng = np.random.default_rng(1)
    normal = rng.standard_normal(n)
    tail = (-14, 0) if type_name == "f32" else (-38, -4)
    sets = {NORMAL: normal, WIDE: 2 * normal, TAIL: rng.uniform(*tail, n)}
    if real_file is not None:
        sets[REAL] = np.resize(np.load(real_file), n)
    return {name: sets[name].astype(TYPES[type_name]) for name in MAIN if name in sets}


def hard_sets(type_name, form, backward, n):
    """Data that could meet a slow path: name to (x, dy)."""
    dtype = TYPES[type_name]
    info = np.finfo(dtype)
    rng = np.random.default_rng(2)
    normal, dy = rng.standard_normal(n), rng.standard_normal(n)
    edge = UNDERFLOW[type_name, form]
    subnormal = rng.uniform(-1, 1, n) * float(info.smallest_normal)
    bits = rng.integers(0, 256, n * info.bits // 8, np.uint8).view(dtype)
    x = {
        "subnormal results": rng.uniform(edge, 0.93 * edge, n),
        "beyond the underflow": rng.uniform(10 * edge, edge, n),
        "large": rng.uniform(5, 1e4, n),
        "around the zero of g'": ZERO[form] + rng.uniform(-1e-3, 1e-3, n),
        "subnormal inputs": subnormal,
        "zeros": np.copysign(np.zeros(n), normal),
        "infinities": np.copysign(np.full(n, np.inf), normal),
        "NaN": np.full(n, np.nan),
        "every bit pattern": bits,
    }
    for period in (2, 4, 8, 16, 32):
        mixed = normal.copy()
        mixed[::period] = rng.uniform(0.98 * edge, -5, len(mixed[::period]))
        x[f"one in {period} in the tail"] = mixed
    with np.errstate(all="ignore"):
        sets = {name: (values.astype(dtype), dy.astype(dtype)) for name, values in x.items()}
        if backward:
            tail = rng.uniform(0.98 * edge, -5, n).astype(dtype)
            sets["subnormal dy"] = (normal.astype(dtype), subnormal.astype(dtype))
            sets["subnormal dy in the tail"] = (tail, subnormal.astype(dtype))
            sets["huge dy in the tail"] = (tail, (dy * float(info.max) / 8).astype(dtype))
            sets["subnormal dx"] = (normal.astype(dtype), (dy * float(info.smallest_normal)).astype(dtype))
    return sets
