#!/usr/bin/env python3
"""ns per element of libgelu and of a loop over libm, on N(0, 1), with Python's standard library alone.

    python3 benches/libm_table.py target/release/libgelu.so libm_loop.so [SECONDS]

libm_loop.so is benches/peers/libm_loop.c, compiled as a shared library. SECONDS, 0.8 without it, is the time for each
function. Prints a line of JSON like the speed part of bench_peers.py, which measures other libraries too.
"""
import ctypes
import json
import pathlib
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from peers import timing  # noqa: E402
from peers.contestants import Libgelu, Libm  # noqa: E402

ELEMENTS = 131072
FUNCTIONS = [(type_name, direction, form) for type_name in ("f32", "f64") for form in ("none", "tanh")
             for direction in ("forward", "backward")]
TYPES = {"f32": ctypes.c_float, "f64": ctypes.c_double}


def buffers(type_name, values):
    """Three arrays of the values, each on another place of its page: see peers/data.py."""
    array = TYPES[type_name] * len(values)
    out = []
    for i in range(3):
        block = bytearray(ctypes.sizeof(array) + 8192)
        start = -ctypes.addressof(ctypes.c_char.from_buffer(block)) % 4096 + 1088 * i
        out.append(array.from_buffer(block, start))
        out[-1][:] = values
    return out


def main():
    library, libm, *rest = sys.argv[1:]
    seconds = float(rest[0]) if rest else 0.8
    timing.pin(1)
    contestants = [Libgelu(library), Libm(libm)]
    contestants[0].threads(1)
    generator = random.Random(1)
    values = [generator.gauss(0, 1) for _ in range(ELEMENTS)]
    rows = []
    for type_name, direction, form in FUNCTIONS:
        dy, x, out = buffers(type_name, values)
        calls = {peer.name: peer.call(direction, type_name, form, dy, x, out) for peer in contestants}
        results = []
        for name, call in calls.items():
            call()
            results.append(out[::97])
        if any(abs(a - b) > 1e-3 for a, b in zip(*results)):
            sys.exit(f"libgelu and libm differ: {direction} {form} {type_name}")
        times = timing.minima(calls, seconds)
        rows.append({"type": type_name, "direction": direction, "form": form, "data": "N(0, 1)",
                     "ns": {name: ns / ELEMENTS for name, ns in times.items()}})
    print(json.dumps({"isa": contestants[0].isa, "rows": rows, "skipped": [],
                      "contestants": [{"name": peer.name, "version": peer.version} for peer in contestants]}))


main()
