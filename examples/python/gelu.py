"""GELU, the Gaussian Error Linear Unit, and its derivative, of numpy arrays, computed by libgelu.

    y = gelu.forward(x)                          the exact form
    y = gelu.forward(x, approximation="tanh")    the tanh form
    dx = gelu.backward(dy, x)                    dy times the derivative at x
    gelu.forward(x, out=x)                       in place

This one file is the whole module: put it beside the program that imports it, or on PYTHONPATH. It takes the library
that the environment variable GELU_LIBRARY names (a path), else one beside this file, else the one that the system
finds.

Arrays are float32 or float64 in native byte order, of any shape, strides and alignment. What is not a numpy array is a
TypeError: for a list, say numpy.asarray(x, dtype) with the type that you mean. A subclass counts as the plain array
that it is, and so does the result; a masked array, whose mask would be lost, is a TypeError. Shapes must be equal; a
view made by numpy.broadcast_to may be an input.

The result is a new array of the shape of x, for zero dimensions too, or out, which must have the type and shape of x.
out may be exactly an input, or else share no element with one. On an error nothing is written. Other threads run
during a call; they must not change its arrays.
"""

import ctypes
import ctypes.util
import itertools
import os
import sys

import numpy

__all__ = ["forward", "backward"]

_APPROXIMATIONS = {"none": 0, "tanh": 1}
_SUFFIXES = {numpy.dtype(numpy.float32): "f32", numpy.dtype(numpy.float64): "f64"}

# How hard numpy looks for a shared element before two arrays count as sharing one. Slices need little.
_OVERLAP_WORK = 100_000


def forward(x, approximation="none", out=None):
    """Returns GELU of every element of x."""
    return _call("forward", {"x": x}, approximation, out)


def backward(dy, x, approximation="none", out=None):
    """Returns dy times the derivative of GELU at x, for every element: the gradient with respect to x."""
    return _call("backward", {"dy": dy, "x": x}, approximation, out)


def _call(function, inputs, approximation, out):
    if not isinstance(approximation, str):
        raise TypeError(f"approximation is of type {type(approximation).__name__}; it must be a str")
    if approximation not in _APPROXIMATIONS:
        raise ValueError(f"approximation is {approximation!r}; it must be 'none' or 'tanh'")
    _check_arrays(inputs if out is None else {**inputs, "out": out})
    result = numpy.empty_like(inputs["x"], subok=False) if out is None else out
    # Plain arrays of the same memory, so that no subclass changes what indexing or strides mean.
    target = numpy.asarray(result)
    inputs = {name: numpy.asarray(array) for name, array in inputs.items()}
    if target.size == 0:
        return result
    if out is not None:
        _check_memory(inputs, target)

    # The library's strides count elements. Fields of packed records have others: they are copied.
    arrays = [array if _has_whole_strides(array) else array.copy() for array in inputs.values()]
    buffer = target if _has_whole_strides(target) else numpy.empty(target.shape, target.dtype)
    run = getattr(_library, f"gelu_{function}_{_SUFFIXES[target.dtype]}_strided")
    for length, places in _pieces([*arrays, buffer]):
        status = run(*places, length, _APPROXIMATIONS[approximation])
        if status != 0:
            raise RuntimeError(f"gelu.{function}: {_library.gelu_status_string(status).decode()}")
    if buffer is not target:
        target[...] = buffer
    return result


def _check_arrays(named):
    for name, array in named.items():
        if not isinstance(array, numpy.ndarray):
            raise TypeError(f"{name} is of type {type(array).__name__}; it must be a numpy array")
        if isinstance(array, numpy.ma.MaskedArray):
            raise TypeError(f"{name} is a masked array, whose mask would be lost; pass its data or filled()")
        if array.dtype not in _SUFFIXES:
            raise TypeError(f"{name} is of {array.dtype!r}; it must be float32 or float64, in native byte order")
    x = named["x"]
    for name, array in named.items():
        if array.dtype != x.dtype:
            raise TypeError(f"{name} is {array.dtype} and x is {x.dtype}; they must be the same")
        if array.shape != x.shape:
            raise ValueError(f"{name} has the shape {array.shape} and x {x.shape}; they must be the same")


def _check_memory(inputs, out):
    if not out.flags.writeable:
        raise ValueError("out is read-only")
    # Axes from the narrowest: each must step over all that those before it reach.
    reach = out.itemsize
    for stride, length in sorted((abs(stride), length) for length, stride in _long_axes(out)):
        if stride < reach:
            raise ValueError("out has elements that share memory")
        reach += stride * (length - 1)
    for name, array in inputs.items():
        same = array.ctypes.data == out.ctypes.data and _long_axes(array) == _long_axes(out)
        if not same and numpy.may_share_memory(array, out, max_work=_OVERLAP_WORK):
            raise ValueError(f"out overlaps {name} without being exactly that array")


def _long_axes(array):
    """The length and stride of the axes along which there is a second element; no other stride means anything."""
    return [axis for axis in zip(array.shape, array.strides) if axis[0] > 1]


def _has_whole_strides(array):
    return all(stride % array.itemsize == 0 for _, stride in _long_axes(array))


def _pieces(arrays):
    """Splits arrays of one shape, the output last, into pieces that one stride walks: as few as there can be.

    Yields the length of a piece, and the address and the stride in elements of each array in turn.
    """
    size = arrays[0].itemsize
    axes = []
    # From the widest axis of the output, so that an array in Fortran's order is one piece too.
    for axis in sorted(range(arrays[-1].ndim), key=lambda axis: -abs(arrays[-1].strides[axis])):
        length = arrays[-1].shape[axis]
        strides = [array.strides[axis] // size for array in arrays]
        if length == 1:
            continue
        if axes and all(wide == length * narrow for wide, narrow in zip(axes[-1][1], strides)):
            length *= axes.pop()[0]
        axes.append((length, strides))
    # The longest axis goes to the library, the others are walked here.
    axes.sort()
    length, strides = axes.pop() if axes else (1, [1] * len(arrays))
    starts = [array.ctypes.data for array in arrays]
    for index in itertools.product(*(range(length) for length, _ in axes)):
        places = []
        for k, start in enumerate(starts):
            offset = sum(i * outer[k] for i, (_, outer) in zip(index, axes))
            places += [start + offset * size, strides[k]]
        yield length, places


def _load():
    names = {"darwin": ["libgelu.dylib"], "win32": ["gelu.dll"]}.get(sys.platform, ["libgelu.so.0.1", "libgelu.so"])
    folder = os.path.dirname(os.path.abspath(__file__))
    beside = [path for path in (os.path.join(folder, name) for name in names) if os.path.exists(path)]
    path = os.environ.get("GELU_LIBRARY") or (beside or [ctypes.util.find_library("gelu") or names[0]])[0]
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"libgelu is needed ({error}); GELU_LIBRARY may name its path") from error

    buffer = [ctypes.c_void_p, ctypes.c_ssize_t]
    for function, buffers in (("forward", 2), ("backward", 3)):
        for suffix in _SUFFIXES.values():
            run = getattr(library, f"gelu_{function}_{suffix}_strided")
            run.argtypes = buffer * buffers + [ctypes.c_size_t, ctypes.c_int32]
            run.restype = ctypes.c_int32
    library.gelu_status_string.argtypes = [ctypes.c_int32]
    library.gelu_status_string.restype = ctypes.c_char_p
    return library


_library = _load()
