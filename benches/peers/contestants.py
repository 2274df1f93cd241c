"""libgelu and its peers, each as a call without arguments on given buffers.

A contestant's `call(direction, type_name, form, dy, x, out)` is None where it has no such function. Making one
raises Missing where its package is not there.
"""

import ctypes
import functools
import pathlib
import platform
import re
import sys

FORMS = {"none": 0, "tanh": 1}


class Missing(Exception):
    """The peer is not there; the text says what installs it."""


def need(module):
    try:
        return __import__(module)
    except ImportError as error:
        raise Missing(f"{module} ({error}): pip install {module}") from None


def pointer(array):
    """To the first element of an array of ctypes or numpy."""
    return ctypes.c_void_p(ctypes.addressof(array) if isinstance(array, ctypes.Array) else array.ctypes.data)


def timed(clock, name, function, *arguments):
    """A call of `function` that returns its ns by the clock in C; without that library the function's own call."""
    if clock is None:
        return functools.partial(function, *arguments)
    timer = getattr(ctypes.CDLL(str(clock)), name)
    timer.restype = ctypes.c_double
    return functools.partial(timer, ctypes.cast(function, ctypes.c_void_p), *arguments)


class Libgelu:
    name = "libgelu"

    def __init__(self, library, clock=None):
        self.library, self.clock = ctypes.CDLL(str(library)), clock
        for text in ("gelu_version", "gelu_isa"):
            getattr(self.library, text).restype = ctypes.c_char_p
        self.isa = self.library.gelu_isa().decode()
        self.version = self.library.gelu_version().decode()

    def threads(self, n):
        self.library.gelu_set_num_threads(ctypes.c_size_t(n))

    def call(self, direction, type_name, form, dy, x, out):
        function = getattr(self.library, f"gelu_{direction}_{type_name}")
        function.restype = ctypes.c_int32
        inputs = [pointer(x)] if direction == "forward" else [pointer(dy), pointer(x)]
        arguments = [*inputs, pointer(out), ctypes.c_size_t(len(x)), ctypes.c_int32(FORMS[form])]
        if function(*arguments) != 0:
            raise RuntimeError(f"gelu_{direction}_{type_name} failed")
        return timed(self.clock, f"{direction}_ns", function, *arguments)


class Xnnpack:
    """A shared object with XNNPACK's micro-kernels f32-vgelu, compiled from src/f32-vgelu/gen of its repository.

    With clang -O2, -mavx2 -mfma (fma3) and -march=sapphirerapids (avx512f); of pthreadpool.h an empty file with
    the type pthreadpool_t is enough.
    """

    name = "XNNPACK"
    KERNELS = {"avx512": "avx512f_rational_12_10_div_u64", "avx2": "fma3_rational_12_10_div_u32",
               "neon": "neon_rational_12_10_div_u16"}

    def __init__(self, library, version, isa, clock):
        self.isa, self.version, self.clock = self.KERNELS.get(isa, "none"), version, clock
        try:
            self.function = getattr(ctypes.CDLL(str(library)), self.symbol(isa))
        except (OSError, AttributeError) as error:
            raise Missing(f"XNNPACK ({error})") from None
        self.function.restype = None

    @classmethod
    def symbol(cls, isa):
        return f"xnn_f32_vgelu_ukernel__{cls.KERNELS.get(isa, 'none')}"

    def call(self, direction, type_name, form, dy, x, out):
        if (direction, type_name, form) != ("forward", "f32", "none"):
            return None
        function, arguments = self.function, [ctypes.c_size_t(x.nbytes), pointer(x), pointer(out)]
        if self.clock is None:
            arguments.append(None)
        return timed(self.clock, "kernel_ns", function, *arguments)


class Torch:
    name = "PyTorch"

    def __init__(self):
        self.torch = need("torch")
        self.torch.set_num_threads(1)
        self.torch.set_grad_enabled(False)
        self.isa = self.torch.backends.cpu.get_cpu_capability()
        self.version = self.torch.__version__

    def call(self, direction, type_name, form, dy, x, out):
        dy, x, out = (self.torch.from_numpy(array) for array in (dy, x, out))
        if direction == "forward":
            return functools.partial(self.torch.nn.functional.gelu, x, approximate=form, out=out)
        backward = self.torch.ops.aten.gelu_backward.grad_input
        return functools.partial(backward, dy, x, approximate=form, grad_input=out)


class Onnxruntime:
    name = "onnxruntime"
    isa = "chosen by itself"

    def __init__(self):
        self.ort = need("onnxruntime")
        self.onnx = need("onnx")
        import onnx.helper
        self.version = self.ort.__version__
        self.sessions = {form: self.session(form) for form in FORMS}

    def session(self, form):
        helper, kind = self.onnx.helper, self.onnx.TensorProto.FLOAT
        node = helper.make_node("Gelu", ["x"], ["y"], approximate=form)
        x, y = (helper.make_tensor_value_info(name, kind, ["n"]) for name in "xy")
        model = helper.make_model(helper.make_graph([node], "gelu", [x], [y]),
                                  opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
        options = self.ort.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        return self.ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])

    def call(self, direction, type_name, form, dy, x, out):
        if (direction, type_name) != ("forward", "f32"):
            return None
        session = self.sessions[form]
        binding = session.io_binding()
        binding.bind_input("x", "cpu", 0, x.dtype.type, x.shape, x.ctypes.data)
        binding.bind_output("y", "cpu", 0, out.dtype.type, out.shape, out.ctypes.data)
        return functools.partial(session.run_with_iobinding, binding)


class Mkl:
    """CdfNorm is Φ alone: the product with x is missing."""

    name = "MKL Φ"
    HA_MODE, ERRORS_IGNORED = 0x2, 0x100

    def __init__(self):
        # Not dist-packages: a virtual environment keeps the pip package's libraries in its own lib folder.
        found = sorted(pathlib.Path(sys.prefix, "lib").glob("libmkl_rt.so*"))
        if not found:
            raise Missing("mkl: pip install mkl (x86-64 only)")
        try:
            self.mkl = ctypes.CDLL(str(found[-1]))
        except OSError as error:
            raise Missing(f"mkl ({error}): pip install mkl") from None
        text = ctypes.create_string_buffer(256)
        self.mkl.mkl_get_version_string(text, 256)
        words = re.search(r"Version ([\d.]+)", text.value.decode())
        self.version = words[1] if words else text.value.decode().strip()
        self.mkl.vmlSetMode(ctypes.c_uint(self.HA_MODE | self.ERRORS_IGNORED))

    @property
    def isa(self):
        """The kernel library that MKL has loaded, known after the first call."""
        with open("/proc/self/maps") as maps:
            names = {pathlib.Path(line.split()[-1]).name for line in maps if "libmkl_vml_" in line}
        return ", ".join(sorted(name.split(".")[0].removeprefix("libmkl_vml_") for name in names)) or "unknown"

    def call(self, direction, type_name, form, dy, x, out):
        if (direction, form) != ("forward", "none"):
            return None
        function = self.mkl.vsCdfNorm if type_name == "f32" else self.mkl.vdCdfNorm
        return functools.partial(function, ctypes.c_int(len(x)), pointer(x), pointer(out))


class Libm:
    name = "libm loop"
    isa = "baseline of the compiler"

    def __init__(self, library):
        if library is None:
            raise Missing("the libm loop: it needs a C compiler (cc)")
        self.library = ctypes.CDLL(str(library))
        self.version = " ".join(platform.libc_ver()).strip() or platform.system()

    def call(self, direction, type_name, form, dy, x, out):
        function = getattr(self.library, f"{direction}_{form}_{type_name}")
        function.restype = None
        inputs = [pointer(x)] if direction == "forward" else [pointer(dy), pointer(x)]
        return functools.partial(function, *inputs, pointer(out), ctypes.c_size_t(len(x)))


def peers(options, isa):
    """The peers that are there, and what is to be said of those that are not.

    `options.limited`: the processor has more than the AVX2 that this run is limited to.
    """
    found, skipped = [], []
    makers = [Torch, lambda: Xnnpack(options.xnnpack, options.xnnpack_version, isa, options.clock),
              Onnxruntime, Mkl, lambda: Libm(options.libm)]
    if options.xnnpack is None:
        del makers[1]
    for make in makers:
        if make is Onnxruntime and options.limited:
            skipped.append("onnxruntime: it cannot be limited to AVX2")
            continue
        try:
            found.append(make())
        except Missing as why:
            skipped.append(str(why))
    return found, skipped
