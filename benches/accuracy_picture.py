#!/usr/bin/env python3
"""Draws docs/accuracy.png: the error in ULP of float GELU and its derivative over x, libgelu beside its peers.

    target/peers/bin/python benches/accuracy_picture.py target/release/libgelu.so docs/accuracy.png

A path that ends in .json gets the numbers in place of the picture. The environment is the one that bench_peers.py
makes. The reference is libgelu's double function, which is within a ULP of double. Each point is the largest error
among the floats of a 400th of the range.
"""
import json
import pathlib
import sys

import numpy as np

from peers.contestants import Libgelu, Missing, Onnxruntime, Torch

LOW, HIGH, BINS, SAMPLES = -15.0, 6.0, 400, 2000
COLOURS = {"libgelu": "#1f77b4", "PyTorch": "#d9541e", "onnxruntime": "#2ca02c"}


def ulps(got, exact):
    """|got - exact| in units of float at exact, with the subnormal spacing at the bottom; NaN counts as endless."""
    with np.errstate(all="ignore"):
        exponent = np.maximum(np.frexp(exact)[1] - 1, -126)
        error = np.abs(got.astype(np.float64) - exact) / np.ldexp(1.0, exponent - 23)
    return np.where(np.isnan(error), np.inf, error)


def curves(library):
    """Where the bins are, and the largest error in each: function to peer to errors."""
    peers = [Libgelu(library)]
    for peer in (Torch, Onnxruntime):
        try:
            peers.append(peer())
        except Missing as missing:
            print(missing, file=sys.stderr)
    x = np.random.default_rng(1).uniform(LOW, HIGH, BINS * SAMPLES).astype(np.float32)
    x.sort()
    ones, wide = np.ones_like(x), x.astype(np.float64)
    found = {}
    for direction, form in [(d, f) for d in ("forward", "backward") for f in ("none", "tanh")]:
        exact = np.empty_like(wide)
        peers[0].call(direction, "f64", form, np.ones_like(wide), wide, exact)()
        errors = found[f"{direction} {form}"] = {}
        for peer in peers:
            out = np.empty_like(x)
            call = peer.call(direction, "f32", form, ones, x, out)
            if call is None:
                continue
            call()
            errors[peer.name] = ulps(out, exact).reshape(BINS, SAMPLES).max(axis=1)
    return wide.reshape(BINS, SAMPLES).mean(axis=1), found


def draw(centres, found, path):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, all_axes = pyplot.subplots(2, 2, figsize=(11, 7), dpi=110, sharex=True, sharey=True)
    for axes, (function, errors) in zip(all_axes.flat, found.items()):
        for name, worst in errors.items():
            axes.plot(centres, np.clip(worst, 1e-2, 1e9), color=COLOURS[name], linewidth=1.2, label=name)
        axes.axhline(1.0, color="black", linewidth=0.6, linestyle=":")
        axes.set_yscale("log")
        axes.set_title(function, fontsize=10)
        axes.grid(color="#dddddd", linewidth=0.5)
    all_axes[0, 0].legend(fontsize=9)
    for axes in all_axes[1]:
        axes.set_xlabel("x")
    for axes in all_axes[:, 0]:
        axes.set_ylabel("largest error, ULP (dotted: 1)")
    figure.tight_layout()
    figure.savefig(path, metadata={"Software": None})


def main():
    library, path = map(pathlib.Path, sys.argv[1:])
    centres, found = curves(library)
    if path.suffix == ".json":
        lists = {function: {name: worst.tolist() for name, worst in errors.items()}
                 for function, errors in found.items()}
        path.write_text(json.dumps({"x": centres.tolist(), "functions": lists}) + "\n")
    else:
        draw(centres, found, path)


main()
