"""One part of the measurement in a process of its own: python3 -m peers.worker PART ... > a line of JSON.

bench_peers.py sets the environment (instruction set, threads) and starts it.
"""

import argparse
import ctypes
import json
import sys

import numpy as np

from . import data, timing
from .contestants import Libgelu, Missing, Mkl, Torch, Xnnpack, peers

FUNCTIONS = [(type_name, direction, form) for type_name in ("f32", "f64") for form in ("none", "tanh")
             for direction in ("forward", "backward")]


def normal(dtype, n, count):
    arrays = data.buffers(dtype, n, count)
    rng = np.random.default_rng(1)
    for array in arrays:
        array[:] = rng.standard_normal(n)
    return arrays


def check(name, out, expected, x):
    """A contestant that computes something else than its row says would make the table worthless."""
    middle = np.abs(x) < 3
    if name == Mkl.name:
        out = out * x
    if not np.allclose(out[middle], expected[middle], rtol=1e-3, atol=1e-3):
        raise RuntimeError(f"{name} computes something else")


def one_element_us(peer):
    dy, x, out = normal(np.float32, 1, 3)
    call, count = timing.repeated(peer.call("forward", "f32", "none", dy, x, out))
    return min(timing.in_turn({"": call}, 0.05)[""]) / count / 1000


def table(options):
    """ns per element of every function, data set and contestant."""
    timing.pin(1)
    gelu = Libgelu(options.library, options.clock)
    gelu.threads(1)
    others, skipped = peers(options, gelu.isa)
    if np.float32(1e-38) * np.float32(0.5) * np.float32(1.0) == 0:
        skipped.append("subnormals: a peer's library has switched flush-to-zero on in this process")
    rows = []
    for type_name, direction, form in FUNCTIONS:
        dy, x, out = normal(data.TYPES[type_name], data.ELEMENTS, 3)
        for set_name, values in data.main_sets(type_name, data.ELEMENTS, options.real).items():
            x[:] = values
            calls = {peer.name: peer.call(direction, type_name, form, dy, x, out) for peer in [gelu, *others]}
            calls = {name: call for name, call in calls.items() if call is not None}
            calls["libgelu"]()
            expected = out.copy()
            for name, call in calls.items():
                call()
                check(name, out, expected, x)
            times = timing.minima(calls, options.seconds)
            rows.append({"type": type_name, "direction": direction, "form": form, "data": set_name,
                         "ns": {name: ns / data.ELEMENTS for name, ns in times.items()}})
    return {"isa": gelu.isa, "rows": rows, "skipped": skipped,
            "contestants": [{"name": peer.name, "version": peer.version, "isa": peer.isa,
                             "call_us": one_element_us(peer)} for peer in [gelu, *others]]}


def spread(options):
    """How libgelu's time depends on the data: the ratio to N(0, 1), each measured beside it."""
    timing.pin(1)
    gelu = Libgelu(options.library, options.clock)
    gelu.threads(1)
    rows = []
    for type_name, direction, form in FUNCTIONS:
        n, dtype = data.ELEMENTS, data.TYPES[type_name]
        base_dy, base_x, other_dy, other_x, out = normal(dtype, n, 5)
        base = gelu.call(direction, type_name, form, base_dy, base_x, out)
        other = gelu.call(direction, type_name, form, other_dy, other_x, out)
        sets = {name: (x, base_dy) for name, x in data.main_sets(type_name, n, options.real).items()}
        base_x[:] = sets.pop(data.NORMAL)[0]
        sets.update(data.hard_sets(type_name, form, direction == "backward", n))
        ratios = {}
        for name, (x, dy) in sets.items():
            other_x[:], other_dy[:] = x, dy
            times = timing.minima({"base": base, "other": other}, options.seconds / 4, warm=True)
            ratios[name] = times["other"] / times["base"]
        rows.append({"type": type_name, "direction": direction, "form": form, "ratios": ratios})
    return {"isa": gelu.isa, "rows": rows}


def memory(options):
    """128 MiB in, 128 MiB out, one thread: bytes in and out per ns."""
    timing.pin(1)
    n = 1 << 25
    gelu = Libgelu(options.library)
    gelu.threads(1)
    x, out = normal(np.float32, n, 2)
    dy = x
    copy = ctypes.CDLL(None).memcpy
    arguments = ctypes.c_void_p(out.ctypes.data), ctypes.c_void_p(x.ctypes.data), ctypes.c_size_t(x.nbytes)
    calls = {"memcpy": lambda: copy(*arguments)}
    for form in ("none", "tanh"):
        calls[f"libgelu {form}"] = gelu.call("forward", "f32", form, dy, x, out)
    skipped = []
    if options.xnnpack:
        try:
            xnnpack = Xnnpack(options.xnnpack, options.xnnpack_version, gelu.isa, options.clock)
            calls["XNNPACK none"] = xnnpack.call("forward", "f32", "none", dy, x, out)
        except Missing as why:
            skipped.append(str(why))
    try:
        torch = Torch()
        for form in ("none", "tanh"):
            calls[f"PyTorch {form}"] = torch.call("forward", "f32", form, dy, x, out)
    except Missing as why:
        skipped.append(str(why))
    times = timing.minima(calls, 10 * options.seconds, least=7)
    return {"isa": gelu.isa, "skipped": skipped,
            "rate": {name: 2 * x.nbytes / ns for name, ns in times.items()}}


def threads(options):
    """Two threads beside one."""
    gelu = Libgelu(options.library, options.clock)
    if timing.pin(2) < 2:
        return {"isa": gelu.isa, "skipped": ["two threads: this process may use one core only"], "rows": []}
    rows = []
    for type_name, direction, form in FUNCTIONS:
        for n in (1024, 4096, 8192, 16384, 1 << 20):
            dy, x, out = normal(data.TYPES[type_name], n, 3)
            many, count = timing.repeated(gelu.call(direction, type_name, form, dy, x, out))

            def run(wish):
                gelu.threads(wish)
                return many()

            samples = timing.in_turn({1: lambda: run(1), 2: lambda: run(2)}, options.seconds / 2)
            rows.append({"type": type_name, "direction": direction, "form": form, "n": n,
                         "least": min(samples[1]) / min(samples[2]),
                         "median": timing.median(samples[1]) / timing.median(samples[2])})
    return {"isa": gelu.isa, "skipped": [], "rows": rows}


def sizes(options):
    """PyTorch's ns per element over the buffer size, f32 forward none."""
    timing.pin(1)
    torch = Torch()
    points = []
    for log in range(4, 26):
        n = 1 << log
        x, out = normal(np.float32, n, 2)
        call, count = timing.repeated(torch.call("forward", "f32", "none", x, x, out))
        points.append([n, min(timing.in_turn({"": call}, options.seconds / 3, least=5)[""]) / count / n])
    return {"points": points, "version": torch.version}


def isa(options):
    """The instruction set that libgelu runs on in this environment."""
    gelu = Libgelu(options.library)
    return {"isa": gelu.isa, "version": gelu.version}


def main():
    parts = {part.__name__: part for part in (table, spread, memory, threads, sizes, isa)}
    parser = argparse.ArgumentParser(prog="peers.worker")
    parser.add_argument("part", choices=parts)
    parser.add_argument("--library", required=True)
    parser.add_argument("--libm")
    parser.add_argument("--clock")
    parser.add_argument("--xnnpack")
    parser.add_argument("--xnnpack-version", default="")
    parser.add_argument("--real")
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--limited", action="store_true")
    options = parser.parse_args()
    try:
        result = parts[options.part](options)
    except Missing as why:
        result = {"skipped": [str(why)]}
    json.dump(result, sys.stdout)


main()
