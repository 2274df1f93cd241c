#!/usr/bin/env python3
"""Draws docs/accuracy.png: the error in ULP of float GELU and its derivative over x, libgelu beside its peers.

    target/peers/bin/python benches/accuracy_picture.py target/release/libgelu.so docs/accuracy.png

The environment is the one that bench_peers.py makes. The reference is libgelu's double function, which is within a ULP of
double. Each point is the largest error among the floats of a 400th of the range.
"""
import pathlib
import sys

import matplotlib
import numpy as np

from peers.contestants import Libgelu, Missing, Onnxruntime, Torch

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

LOW, HIGH, BINS, SAMPLES = -15.0, 6.0, 400, 2000
COLOURS = {"libgelu": "#1f77b4", "PyTorch": "#d9541e", "onnxruntime": "#2ca02c"}


def ulps(got, exact):
    """|got - exact| in units of float at exact, with the subnormal spacing at the bottom; NaN counts as endless."""
    with np.errstate(all="ignore"):
        exponent = np.maximum(np.frexp(exact)[1] - 1, -126)
        error = np.abs(got.astype(np.float64) - exact) / np.ldexp(1.0, exponent - 23)
    return np.where(np.isnan(error), np.inf, error)


def main():
    library, path = map(pathlib.Path, sys.argv[1:])
    peers = [Libgelu(library)]
    for peer in (Torch, Onnxruntime):
        try:
            peers.append(peer())
        except Missing as missing:
            print(missing, file=sys.stderr)
    x = np.random.default_rng(1).uniform(LOW, HIGH, BINS * SAMPLES).astype(np.float32)
    x.sort()
    ones, wide = np.ones_like(x), x.astype(np.float64)
    centres = wide.reshape(BINS, SAMPLES).mean(axis=1)
    figure, all_axes = pyplot.subplots(2, 2, figsize=(11, 7), dpi=110, sharex=True, sharey=True)
    for axes, (direction, form) in zip(all_axes.flat, [(d, f) for d in ("forward", "backward") for f in ("none", "tanh")]):
        exact = np.empty_like(wide)
        peers[0].call(direction, "f64", form, np.ones_like(wide), wide, exact)()
        for peer in peers:
            out = np.empty_like(x)
            call = peer.call(direction, "f32", form, ones, x, out)
            if call is None:
                continue
            call()
            worst = ulps(out, exact).reshape(BINS, SAMPLES).max(axis=1)
            axes.plot(centres, np.clip(worst, 1e-2, 1e9), color=COLOURS[peer.name], linewidth=1.2, label=peer.name)
        axes.axhline(1.0, color="black", linewidth=0.6, linestyle=":")
        axes.set_yscale("log")
        axes.set_title(f"{direction} {form}", fontsize=10)
        axes.grid(color="#dddddd", linewidth=0.5)
    all_axes[0, 0].legend(fontsize=9)
    for axes in all_axes[1]:
        axes.set_xlabel("x")
    for axes in all_axes[:, 0]:
        axes.set_ylabel("largest error, ULP (dotted: 1)")
    figure.tight_layout()
    figure.savefig(path, metadata={"Software": None})


main()
