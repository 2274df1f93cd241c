"""What examples/python/gelu.py promises of arrays. It is run with GELU_LIBRARY set and gelu.py on PYTHONPATH."""

import os
import pathlib
import random
import tempfile
import unittest

import numpy as np

import gelu

TYPES = (np.float32, np.float64)
FORMS = ("none", "tanh")
DATA = pathlib.Path(__file__).parents[1] / "data"


def values(shape, dtype, seed=1):
    """Values from the far tail on, where a wrong form, type or element shows."""
    return np.random.default_rng(seed).uniform(-12, 4, shape).astype(dtype)


def bits(array):
    """What two arrays with the same bits have in common: -0 is not 0 here."""
    return array.shape, array.dtype, array.tobytes()


def random_view(draw, lengths, counts=(0, 1, 2, 3, 4)):
    """A shape, and a function that makes some view of that shape of a larger array, of its own or of the one given."""
    shape = [draw.choice(lengths) for _ in range(draw.choice(counts))]

    def some_view():
        order = draw.sample(range(len(shape)), len(shape))
        steps = [draw.choice((1, 1, 1, 2, 3, -1, -2)) for _ in shape]
        whole = [shape[axis] * abs(steps[axis]) + draw.choice((0, 0, 1)) for axis in order]

        def of(base):
            array = base.transpose(np.argsort(order))[tuple(slice(None, None, step) for step in steps)]
            return array[(..., *(slice(length) for length in shape))]

        return whole, of

    return shape, some_view


class Values(unittest.TestCase):
    def assert_within(self, steps, got, rounded):
        """Within so many steps, from one number to the next, of the exact value rounded to nearest."""
        self.assertEqual(got.dtype, rounded.dtype)
        integer = np.int32 if got.dtype == np.float32 else np.int64
        got, rounded = got.view(integer), rounded.view(integer)
        self.assertTrue(np.all((got < 0) == (rounded < 0)), "the sign")
        self.assertLessEqual(np.abs(got - rounded).max(), steps)

    def test_results_are_the_reference_values_within_the_bounds(self):
        # 1.0 ULP of the exact value is at most one step from its nearest number, 1.5 ULP at most two.
        functions = {"forward": 1, "backward": 1, "gradient": 2}
        for form in FORMS:
            for (function, steps), dtype in ((f, t) for f in functions.items() for t in TYPES):
                name, kind, rest = ("f32", "<f4", []) if dtype == np.float32 else ("f64", "<f8", [("rest", "<f4")])
                dy = [("dy", kind)] if function == "gradient" else []
                fields = dy + [("x", kind), ("exact", "<f8")] + rest
                records = np.fromfile(DATA / f"{function}_{form}_{name}.bin", fields)
                with self.subTest(form=form, function=function, dtype=dtype):
                    x = records["x"]
                    if function == "forward":
                        got = gelu.forward(x.astype(dtype), form)
                    else:
                        dy = records["dy"] if function == "gradient" else np.ones_like(x)
                        got = gelu.backward(dy.astype(dtype), x.astype(dtype), form)
                    with np.errstate(all="ignore"):
                        self.assert_within(steps, got, records["exact"].astype(dtype))

    def test_the_exact_form_is_the_default(self):
        x = values(100, np.float64)
        self.assertEqual(bits(gelu.forward(x)), bits(gelu.forward(x, approximation="none")))
        self.assertEqual(bits(gelu.backward(x, x)), bits(gelu.backward(x, x, approximation="none")))
        self.assertNotEqual(bits(gelu.forward(x)), bits(gelu.forward(x, approximation="tanh")))


class Views(unittest.TestCase):
    def test_any_view_as_input_and_as_output_gives_the_bits_of_its_copy_and_only_its_elements_are_written(self):
        draw = random.Random(20)
        for case in range(600):
            _, some_view = random_view(draw, (0, 1, 2, 3, 3, 5, 5, 7, 30))
            dtype, form = draw.choice(TYPES), draw.choice(FORMS)
            bases, views = zip(*(some_view() for _ in range(3)))
            bases = [values(shape, dtype, case + i) for i, shape in enumerate(bases)]
            dy, x, out = (view(base) for view, base in zip(views, bases))
            forward, backward = gelu.forward(x.copy("C"), form), gelu.backward(dy.copy("C"), x.copy("C"), form)
            others = np.ones(bases[2].shape, bool)
            views[2](others)[...] = False
            before = bits(bases[0]), bits(bases[1]), bits(bases[2][others])
            with self.subTest(case=case, shape=x.shape, strides=(dy.strides, x.strides, out.strides)):
                self.assertEqual(bits(gelu.forward(x, form)), bits(forward))
                self.assertEqual(bits(gelu.backward(dy, x, form)), bits(backward))
                self.assertIs(gelu.forward(x, form, out=out), out)
                self.assertEqual(bits(out), bits(forward))
                self.assertIs(gelu.backward(dy, x, form, out), out)
                self.assertEqual(bits(out), bits(backward))
                self.assertEqual((bits(bases[0]), bits(bases[1]), bits(bases[2][others])), before)

    def test_in_place_gives_the_same_bits_for_any_view(self):
        draw = random.Random(21)
        for case in range(200):
            _, some_view = random_view(draw, (1, 2, 3, 5, 30))
            dtype, form = draw.choice(TYPES), draw.choice(FORMS)
            whole, of = some_view()
            start, other = values(whole, dtype, case), of(values(whole, dtype, case + 1))

            def fresh():
                return of(start.copy())

            forward, backward = gelu.forward(fresh(), form), gelu.backward(other, fresh(), form)
            turned, same = gelu.backward(fresh(), other, form), gelu.backward(fresh(), fresh(), form)
            with self.subTest(case=case, shape=other.shape, strides=other.strides):
                x = fresh()
                self.assertEqual(bits(gelu.forward(x, form, out=x[...])), bits(forward))
                x = fresh()
                self.assertEqual(bits(gelu.backward(other, x, form, out=x)), bits(backward))
                x = fresh()
                self.assertEqual(bits(gelu.backward(x, other, form, out=x)), bits(turned))
                x = fresh()
                self.assertEqual(bits(gelu.backward(x, x, form, out=x)), bits(same))

    def test_an_output_may_lie_between_the_elements_of_an_input(self):
        base = values((6, 10), np.float32)
        for x, out in ((base[:, ::2], base[:, 1::2]), (base[::2], base[1::2]), (base[:3, ::-2], base[:3, -2::-2])):
            expected = gelu.forward(x.copy())
            kept = x.copy()
            self.assertEqual(bits(gelu.forward(x, out=out)), bits(expected))
            self.assertEqual(bits(x), bits(kept))

    def test_a_broadcast_view_counts_as_its_copy(self):
        row, one = values(5, np.float64), values((), np.float64)
        for x in (np.broadcast_to(row, (4, 5)), np.broadcast_to(row[:, None], (5, 3)), np.broadcast_to(one, (2, 3))):
            dy = values(x.shape, np.float64, 2)
            self.assertEqual(bits(gelu.forward(x)), bits(gelu.forward(x.copy())))
            self.assertEqual(bits(gelu.backward(dy, x)), bits(gelu.backward(dy, x.copy())))
            self.assertEqual(bits(gelu.backward(x, dy)), bits(gelu.backward(x.copy(), dy)))

    def test_empty_and_zero_dimensional_arrays_give_arrays_of_their_shape(self):
        for shape in ((0,), (3, 0, 2), (), (1, 1)):
            for dtype in TYPES:
                x = values(shape, dtype)
                for result in (gelu.forward(x), gelu.backward(x, x), gelu.forward(x, out=x.copy())):
                    self.assertIs(type(result), np.ndarray)
                    self.assertEqual((result.shape, result.dtype), (shape, dtype))
        self.assertEqual(gelu.forward(np.array(-0.0)).tobytes(), np.array(-0.0).tobytes())

    def test_unaligned_arrays_and_fields_of_packed_records_work_as_input_and_output(self):
        for dtype in TYPES:
            x = values((7, 3), dtype)
            expected = bits(gelu.forward(x))
            unaligned = np.zeros(x.nbytes + 1, np.uint8)[1:].view(dtype).reshape(x.shape)
            records = np.zeros(x.shape, [("before", "u1"), ("x", dtype), ("after", "u1")])
            records["before"] = records["after"] = 77
            for array in (unaligned, records["x"], records[::-1]["x"]):
                array[...] = x
                self.assertFalse(array.flags.aligned)
                self.assertEqual(bits(gelu.forward(array)), expected)
                self.assertEqual(bits(gelu.forward(x, out=array)), expected)
                array[...] = x
                self.assertEqual(bits(gelu.forward(array, out=array)), expected)
                array[...] = x
                self.assertEqual(bits(gelu.backward(array, array, out=array)), bits(gelu.backward(x, x)))
            self.assertTrue(np.all(records["before"] == 77) and np.all(records["after"] == 77))

    def test_subclasses_count_as_plain_arrays(self):
        x = values((2, 3), np.float32)
        with tempfile.TemporaryDirectory() as folder:
            mapped = np.memmap(os.path.join(folder, "x"), np.float32, "w+", shape=x.shape)
            mapped[...] = x
            for array in (mapped, np.asarray(x).view(np.recarray), x.view(type("Own", (np.ndarray,), {}))):
                result = gelu.forward(array)
                self.assertIs(type(result), np.ndarray)
                self.assertEqual(bits(result), bits(gelu.forward(x)))
            self.assertIs(gelu.forward(x, out=mapped), mapped)
            self.assertEqual(bits(np.asarray(mapped)), bits(gelu.forward(x)))
            del mapped, array


class Errors(unittest.TestCase):
    def test_what_is_wrong_is_named_and_nothing_is_written(self):
        x, wide, packed = np.ones(6, np.float32), np.ones(6), np.ones(8, np.float32)
        pairs, rows = x.reshape(3, 2), packed.reshape(2, 4)
        read_only = x.copy()
        read_only.flags.writeable = False
        repeated = np.lib.stride_tricks.as_strided(packed, (3, 2), (0, 4))
        windows = np.lib.stride_tricks.as_strided(packed, (3, 2), (4, 4))
        masked, one = np.ma.masked_array(x, x > 0), np.ones((), np.float32)
        for error, message, call in (
            (TypeError, "x is of type list; it must be a numpy array", lambda: gelu.forward([1.0, 2.0])),
            (TypeError, "x is of type float;", lambda: gelu.forward(1.0)),
            (TypeError, "x is of type float32;", lambda: gelu.forward(x[0])),
            (TypeError, "dy is of type list;", lambda: gelu.backward([1.0] * 6, x)),
            (TypeError, "out is of type list;", lambda: gelu.forward(x, out=[0.0] * 6)),
            (TypeError, r"x is of dtype\('float16'\)", lambda: gelu.forward(x.astype(np.float16))),
            (TypeError, r"x is of dtype\('int64'\)", lambda: gelu.forward(np.arange(3, dtype=np.int64))),
            (TypeError, r"x is of dtype\('complex64'\)", lambda: gelu.forward(x.astype(np.complex64))),
            (TypeError, "native byte order", lambda: gelu.forward(x.astype(x.dtype.newbyteorder()))),
            (TypeError, r"x is of dtype\('O'\)", lambda: gelu.forward(x.astype(object))),
            (TypeError, "x is a masked array", lambda: gelu.forward(masked)),
            (TypeError, "out is a masked array", lambda: gelu.forward(x, out=masked)),
            (TypeError, "dy is float64 and x is float32", lambda: gelu.backward(wide, x)),
            (TypeError, "out is float64 and x is float32", lambda: gelu.forward(x, out=wide)),
            (ValueError, r"dy has the shape \(5,\) and x \(6,\)", lambda: gelu.backward(x[:5], x)),
            (ValueError, r"dy has the shape \(\) and x \(6,\)", lambda: gelu.backward(one, x)),
            (ValueError, r"out has the shape \(8,\) and x \(6,\)", lambda: gelu.forward(x, out=packed)),
            (ValueError, r"out has the shape \(3, 2\) and x \(2, 3\)", lambda: gelu.forward(pairs.T, out=pairs)),
            (ValueError, r"dy has the shape \(1, 6\) and x \(6,\)", lambda: gelu.backward(x[None], x)),
            (ValueError, "out is read-only", lambda: gelu.forward(x, out=read_only)),
            (ValueError, "out is read-only", lambda: gelu.forward(x, out=np.broadcast_to(x[:1], 6))),
            (ValueError, "elements that share memory", lambda: gelu.forward(pairs, out=repeated)),
            (ValueError, "elements that share memory", lambda: gelu.forward(pairs, out=windows)),
            (ValueError, "elements that share memory", lambda: gelu.forward(windows, out=windows)),
            (ValueError, "out overlaps x", lambda: gelu.forward(packed[:6], out=packed[1:7])),
            (ValueError, "out overlaps x", lambda: gelu.forward(x, out=x[::-1])),
            (ValueError, "out overlaps x", lambda: gelu.forward(rows[:, :2], out=packed.reshape(4, 2)[:2])),
            (ValueError, "out overlaps x", lambda: gelu.backward(packed[:6], packed[1:7], out=packed[:6])),
            (ValueError, "out overlaps dy", lambda: gelu.backward(packed[1:7], x, out=packed[:6])),
            (ValueError, "approximation is 'erf'; it must be 'none' or 'tanh'", lambda: gelu.forward(x, "erf")),
            (ValueError, "approximation is 'None'", lambda: gelu.backward(x, x, "None")),
            (TypeError, "approximation is of type NoneType", lambda: gelu.forward(x, None)),
            (TypeError, "approximation is of type int", lambda: gelu.forward(x, 0)),
            (TypeError, "approximation is of type ndarray", lambda: gelu.backward(x, x, x)),
        ):
            with self.subTest(message=message), self.assertRaisesRegex(error, message):
                call()
            for array in (x, wide, packed, read_only, masked.data):
                self.assertTrue(np.all(array == 1), message)

    def test_a_status_of_the_library_is_an_error_with_its_text(self):
        class Refusing:
            gelu_status_string = gelu._library.gelu_status_string

            @staticmethod
            def gelu_forward_f64_strided(*arguments):
                return 5

        library, gelu._library = gelu._library, Refusing()
        try:
            with self.assertRaisesRegex(RuntimeError, "gelu.forward: the host's parallel loop left pieces"):
                gelu.forward(np.ones(3))
        finally:
            gelu._library = library


if __name__ == "__main__":
    unittest.main()
