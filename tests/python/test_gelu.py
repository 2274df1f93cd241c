"""What examples/python/gelu.py promises. Run it with GELU_LIBRARY set and gelu.py on PYTHONPATH."""

import itertools
import multiprocessing
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

import numpy as np

import gelu

TYPES = (np.float32, np.float64)
FORMS = ("none", "tanh")
DATA = pathlib.Path(__file__).parents[1] / "data"

# Elements of a call that the library splits over threads.
LARGE = 1_000_000


def values(shape, dtype, seed=1):
    """Values from the far tail on, where a wrong form, type or element shows."""
    generator = np.random.default_rng(seed)
    return generator.uniform(-12, 4, shape).astype(dtype)


def bits(array):
    """The shape and the bits, in which -0 and 0 differ and a NaN is itself."""
    return array.shape, array.dtype, array.tobytes()


def view(draw, shape, dtype):
    """An array of the shape, filled with values, that is some view of a larger one, and that larger one."""
    order = draw.sample(range(len(shape)), len(shape))
    steps = [draw.choice((1, 1, 1, 2, 3, -1, -2)) for _ in shape]
    base = values([shape[axis] * abs(steps[axis]) + draw.choice((0, 0, 1)) for axis in order], dtype, draw.random() * 1e9)
    array = base.transpose(np.argsort(order))
    array = array[tuple(slice(None, None, step) for step in steps)][tuple(slice(n) for n in shape)]
    assert array.shape == tuple(shape) and np.shares_memory(array, base) == (array.size > 0)
    return array, base


class Values(unittest.TestCase):
    def records(self, name, fields):
        return np.fromfile(DATA / name, np.dtype(fields))

    def assert_near(self, got, exact, ulps):
        """Within so many steps, from one number to the next, of the exact value rounded."""
        self.assertEqual(got.dtype, exact.dtype)
        kind = np.int32 if got.dtype == np.float32 else np.int64
        one, other = got.view(kind), exact.view(kind)
        # -0, to which results round from below, is one step from the first negative number.
        self.assertTrue(np.all((one < 0) == (other < 0)))
        self.assertLessEqual(int(np.abs(one - other).max()), ulps)

    def test_results_are_those_of_the_reference_in_both_forms_and_types(self):
        for form in FORMS:
            for function in ("forward", "backward", "gradient"):
                dy = [("dy", "<f8")] if function == "gradient" else []
                doubles = self.records(
                    f"{function}_{form}_f64.bin", dy + [("x", "<f8"), ("exact", "<f8"), ("rest", "<f4")]
                )
                dy = [("dy", "<f4")] if function == "gradient" else []
                floats = self.records(f"{function}_{form}_f32.bin", dy + [("x", "<f4"), ("exact", "<f8")])
                for records, dtype in ((doubles, np.float64), (floats, np.float32)):
                    with self.subTest(form=form, function=function, dtype=dtype), np.errstate(all="ignore"):
                        x = records["x"].astype(dtype)
                        if function == "forward":
                            got = gelu.forward(x, form)
                        else:
                            dy = records["dy"].astype(dtype) if function == "gradient" else np.ones_like(x)
                            got = gelu.backward(dy, x, form)
                        self.assert_near(got, records["exact"].astype(dtype), 2 if function == "gradient" else 1)

    def test_the_exact_form_is_the_default(self):
        x = values(100, np.float64)
        self.assertEqual(bits(gelu.forward(x)), bits(gelu.forward(x, approximation="none")))
        self.assertEqual(bits(gelu.backward(x, x)), bits(gelu.backward(x, x, approximation="none")))
        self.assertNotEqual(bits(gelu.forward(x)), bits(gelu.forward(x, approximation="tanh")))

    def test_a_float32_of_minus_six_is_exact_to_the_bit(self):
        y = gelu.forward(np.array([-6], np.float32))
        self.assertEqual(y[0], np.float32(float.fromhex("-0x1.96c966p-28")))


class Views(unittest.TestCase):
    def test_any_view_as_input_and_output_gives_the_bits_of_its_copy_and_nothing_else_is_written(self):
        draw = random.Random(20)
        for case in range(1500):
            shape = [draw.choice((1, 2, 3, 5, 0, 7)) if draw.random() < 0.9 else 40 for _ in range(draw.randrange(5))]
            dtype, form = draw.choice(TYPES), draw.choice(FORMS)
            (dy, _), (x, _), (out, base) = (view(draw, shape, dtype) for _ in range(3))
            dy_copy, x_copy = dy.copy(), x.copy()
            forward, backward = gelu.forward(x_copy, form), gelu.backward(dy_copy, x_copy, form)
            outside = base.copy()
            with self.subTest(case=case, shape=shape, strides=(dy.strides, x.strides, out.strides)):
                self.assertEqual(bits(gelu.forward(x, form)), bits(forward))
                self.assertEqual(bits(gelu.backward(dy, x, form)), bits(backward))
                self.assertIs(gelu.forward(x, form, out=out), out)
                self.assertEqual(bits(out), bits(forward))
                self.assertIs(gelu.backward(dy, x, form, out=out), out)
                self.assertEqual(bits(out), bits(backward))
                self.assertEqual((bits(dy), bits(x)), (bits(dy_copy), bits(x_copy)))
                gap = np.zeros(base.shape, bool)
                mask = np.lib.stride_tricks.as_strided(
                    gap.reshape(-1)[(out.__array_interface__["data"][0] - base.__array_interface__["data"][0]) // base.itemsize :],
                    out.shape,
                    [stride // base.itemsize for stride in out.strides],
                ) if out.size else gap[:0]
                mask[...] = True
                self.assertEqual(base[~gap].tobytes(), outside[~gap].tobytes())

    def test_in_place_gives_the_same_bits_for_any_view(self):
        draw = random.Random(21)
        for case in range(500):
            shape = [draw.choice((1, 2, 3, 5, 30)) for _ in range(draw.randrange(4))]
            dtype, form = draw.choice(TYPES), draw.choice(FORMS)
            (dy, _), (x, _) = (view(draw, shape, dtype) for _ in range(2))
            forward, backward = gelu.forward(x, form), gelu.backward(dy, x, form)
            squared = gelu.backward(x, x, form)
            with self.subTest(case=case, shape=shape, strides=(dy.strides, x.strides)):
                one, other, both, again = (np.lib.stride_tricks.as_strided(a, a.shape, a.strides) for a in (x, dy, x, x))
                keep = x.copy()
                self.assertEqual(bits(gelu.forward(x, form, out=one)), bits(forward))
                x[...] = keep
                self.assertEqual(bits(gelu.backward(dy, x, form, out=other)), bits(backward))
                self.assertEqual(bits(gelu.backward(x, x, form, out=both)), bits(squared))
                x[...] = keep
                self.assertEqual(bits(gelu.backward(x, again, form, out=x)), bits(squared))
