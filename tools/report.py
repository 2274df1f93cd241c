#!/usr/bin/env python3
"""Checks libgelu's accuracy and speed on this machine and writes what it finds as one HTML page.

    python3 tools/report.py [--venv FOLDER] [--quick] target/report/index.html

Needs Python's standard library and a C compiler. With MPFR (libmpfr-dev) the double functions are checked at fresh
points, without it at those of tests/data. A virtual environment with what benches/peers_requirements.txt names adds
PyTorch, onnxruntime and MKL. Ends with 1 where an error is above its bound; the page is written then too.
"""
import argparse
import concurrent.futures
import ctypes
import datetime
import json
import math
import os
import pathlib
import platform
import re
import shlex
import struct
import subprocess
import sys
import time

sys.dont_write_bytecode = True

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benches"))

import bench_peers  # noqa: E402
import report_page  # noqa: E402

FUNCTIONS = ["forward_none", "backward_none", "forward_tanh", "backward_tanh"]
GRADIENTS = ["gradient_none", "gradient_tanh"]
BOUND, BOUND_ANY_DY = 1.0, 1.5
CC = os.environ.get("CC", "cc")
# every how manieth float of libgelu and of libm is taken, MPFR's points, seconds for each size and for each row
USUAL = argparse.Namespace(step=1, libm_step=101, points=400_000, sizes=0.3, rows=0.5)
QUICK = argparse.Namespace(step=1009, libm_step=1009, points=4_000, sizes=0.02, rows=0.05)


def say(text):
    print(text, file=sys.stderr, flush=True)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("page", type=pathlib.Path, nargs="?", default=ROOT / "target/report/index.html")
    parser.add_argument("--library", type=pathlib.Path, default=ROOT / "target/release/libgelu.so")
    parser.add_argument("--venv", type=pathlib.Path, help="a virtual environment with PyTorch, onnxruntime, MKL")
    parser.add_argument("--quick", action="store_true", help="a sample of the floats, a few seconds in all")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "target/report/work", help="for programs made here")
    options = parser.parse_args()
    for name in ("page", "library", "work"):
        setattr(options, name, getattr(options, name).absolute())
    if not options.library.exists():
        sys.exit(f"{options.library} is missing: run make first")
    if options.venv and not has_numpy(options.venv / "bin/python"):
        sys.exit(f"{options.venv} is no virtual environment with numpy. To make it:\n"
                 f"{report_page.PEERS.format(options.venv)}")
    return options


def has_numpy(python):
    return python.exists() and subprocess.run([python, "-c", "import numpy"], stderr=subprocess.DEVNULL).returncode == 0


class Commands:
    """Runs commands in the project's folder, and keeps them for the page."""

    def __init__(self):
        self.texts = []

    def text(self, command, variables):
        """What to type in the project's folder for the same."""
        def quoted(word):
            before, root, after = str(word).partition(f"{ROOT}/")
            if root and before:
                return f'{shlex.quote(before)}"$PWD"/{shlex.quote(after)}'
            return "python3" if word == sys.executable else shlex.quote(after if root else before)

        return " ".join([f"{name}={value}" for name, value in variables.items()] + [quoted(word) for word in command])

    def run(self, *command, pinned=False, may_fail=False, **variables):
        """What the command prints."""
        def pin():
            if pinned and hasattr(os, "sched_setaffinity"):
                os.sched_setaffinity(0, [max(os.sched_getaffinity(0))])

        text = self.text(command, variables)
        self.texts.append(text)
        try:
            done = subprocess.run([str(word) for word in command], cwd=ROOT, env={**os.environ, **variables},
                                  stdout=subprocess.PIPE, text=True, preexec_fn=pin)
        except FileNotFoundError as error:
            hint = ": a C compiler is needed (apt-get install gcc)" if command[0] == CC else ""
            sys.exit(f"{error}{hint}\nfailed: {text}")
        if done.returncode != 0 and not may_fail:
            sys.exit(f"failed: {text}")
        return done.stdout


class Library:
    """The library under test, for its names and for the committed values."""

    def __init__(self, path):
        self.library = ctypes.CDLL(str(path))
        for name in ("gelu_version", "gelu_isa"):
            getattr(self.library, name).restype = ctypes.c_char_p
        self.version = self.library.gelu_version().decode()
        self.isa = self.library.gelu_isa().decode()

    def double(self, function, x):
        """One of FUNCTIONS of a list of doubles, dy = 1."""
        direction, form = function.split("_")
        array = ctypes.c_double * len(x)
        inputs, out = [array(*x)], array()
        if direction == "backward":
            inputs.insert(0, array(*[1.0] * len(x)))
        status = getattr(self.library, f"gelu_{direction}_f64")(*inputs, out, ctypes.c_size_t(len(x)), form == "tanh")
        if status != 0:
            sys.exit(f"gelu_{direction}_f64 failed")
        return list(out)


def ulps(got, rounded, rest):
    """|got - exact| / ulp(exact), where exact is rounded + rest ulp: see tests/support/reference.rs."""
    if not math.isfinite(got):
        return math.inf
    mantissa, exponent = math.frexp(rounded)
    towards_zero = math.copysign(1, rest) != math.copysign(1, rounded)
    if towards_zero and abs(mantissa) == 0.5:
        exponent -= 1
    ulp = math.ldexp(1, max(exponent - 53, -1074)) if rounded else math.ldexp(1, -1074)
    return abs((got - rounded) / ulp - rest)


def at_committed_values(library):
    """The worst double errors at the multi-precision values of tests/data."""
    rows = []
    for function in FUNCTIONS:
        data = (ROOT / f"tests/data/{function}_f64.bin").read_bytes()
        records = list(struct.iter_unpack("<ddf", data))
        results = library.double(function, [x for x, _, _ in records])
        errors = [ulps(got, rounded, rest) for got, (_, rounded, rest) in zip(results, records)]
        worst = max(range(len(errors)), key=errors.__getitem__)
        rows.append({"function": f"{function}_f64", "error": errors[worst], "x": records[worst][0], "dy": None,
                     "checked": f"{len(records):,} values of tests/data", "bound": BOUND})
    return rows


def has_mpfr(work):
    probe = work / "probe.c"
    probe.write_text("#include <mpfr.h>\nint main(void) { return mpfr_buildopt_tls_p() == 2; }\n")
    command = [CC, probe, "-lmpfr", "-lgmp", "-o", work / "probe"]
    return subprocess.run(command, stderr=subprocess.DEVNULL).returncode == 0


def at_fresh_points(commands, options, mode):
    """The worst errors that a hunt with multi-precision values finds: double with dy = 1, and all types with any dy."""
    program, folder = options.work / "fresh_points", options.library.parent
    sources = sorted((ROOT / "c_tests/fresh_points").glob("*.c"))
    commands.run(CC, "-std=c11", "-O2", "-Iinclude", *sources, options.library, "-lmpfr", "-lgmp", "-lm",
                 f"-Wl,-rpath,{folder}", "-o", program)
    seed, names = int(time.time()), FUNCTIONS + GRADIENTS + [f"{name}_f32" for name in GRADIENTS]

    def hunt(name):
        # It fails where the error is above the bound, which the page says; it then printed its line too.
        line = commands.run(program, name, mode.points, seed, may_fail=True)
        found = re.search(r"(\d+) points.* at most (\S+) ULP, at x = (\S+)(?:.* dy = (\S+))?", line)
        if not found:
            sys.exit(f"fresh_points {name} failed")
        points, error, x, dy = found.groups()
        say(f"  {name}: at most {error} ULP")
        type_name = "" if name.endswith("_f32") else "_f64"
        return {"function": name + type_name, "error": float(error), "x": float.fromhex(x),
                "dy": dy and float.fromhex(dy), "checked": f"{int(points):,} points, MPFR",
                "bound": BOUND_ANY_DY if dy else BOUND}

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(hunt, names))


def float_errors(commands, options, mode):
    """What float_errors.c finds, for libgelu and for the libm loop."""
    program, libm = options.work / "float_errors", options.work / "libm_loop.so"
    commands.run(CC, "-std=c11", "-O3", "-Iinclude", "benches/float_errors.c", "-ldl", "-lm", "-lpthread",
                 "-o", program)
    commands.run(CC, "-std=c11", "-O2", "-shared", "-fPIC", "-fno-math-errno", "benches/peers/libm_loop.c", "-lm",
                 "-o", libm)
    say("  libgelu")
    of_libgelu = json.loads(commands.run(program, options.library, mode.step))
    say("  the libm loop, which loses digits in the negative tail")
    return of_libgelu, json.loads(commands.run(program, options.library, mode.libm_step, libm))


def float_rows(found):
    rows = []
    for name in FUNCTIONS:
        worst = found["functions"][name]
        count = f"{worst['count']:,}"
        checked = f"all {count} finite floats" if found["step"] == 1 else f"{count} floats, a sample"
        rows.append({"function": f"{name}_f32", "error": worst["error"], "x": float.fromhex(worst["x"]), "dy": None,
                     "checked": checked, "bound": BOUND})
    return rows


def curves(of_libgelu, of_libm, peers):
    """Function to contestant to points of error over x; libgelu, drawn last, lies on top."""
    low, high = of_libgelu["low"], of_libgelu["high"]
    all_curves = {}
    for name in FUNCTIONS:
        bins = of_libgelu["functions"][name]["bins"]
        x = [low + (i + 0.5) * (high - low) / len(bins) for i in range(len(bins))]
        errors = {"libm loop": of_libm["functions"][name]["bins"]}
        for peer, worst in peers.get("functions", {}).get(name.replace("_", " "), {}).items():
            errors[peer] = worst
        all_curves[name] = (x, {**errors, "libgelu": bins})
    return all_curves


def isa_at(library, level):
    """The instruction set that GELU_MAX_ISA=level leads to."""
    code = "import ctypes, sys; f = ctypes.CDLL(sys.argv[1]).gelu_isa; f.restype = ctypes.c_char_p; print(f().decode())"
    done = subprocess.run([sys.executable, "-c", code, library], stdout=subprocess.PIPE, text=True, check=True,
                          env={**os.environ, "GELU_MAX_ISA": level})
    return done.stdout.strip()


def speed_alone(commands, options, mode, isa):
    """The sizes at every instruction set from the one in use down, and the table beside the libm loop."""
    driver = options.work / "call_overhead"
    commands.run(CC, "-std=c11", "-O2", "-Iinclude", "benches/call_overhead.c", "-ldl", "-lm", "-o", driver)
    levels = {}
    for level in bench_peers.LEVELS[bench_peers.LEVELS.index(isa):]:
        if isa_at(options.library, level) == level:
            say(f"  sizes, {level}")
            printed = commands.run(driver, options.library, "sizes", mode.sizes, pinned=True, GELU_MAX_ISA=level)
            levels[level] = json.loads(printed)["points"]
    say("  table")
    table = commands.run(sys.executable, "benches/libm_table.py", options.library, options.work / "libm_loop.so",
                         mode.rows)
    return json.loads(table), {"levels": levels, "torch": []}


def speed_beside_peers(commands, options, mode):
    """The same with the peers of a virtual environment, by bench_peers.py, and the course of their errors."""
    path, errors = options.work / "peers.json", options.work / "peers_accuracy.json"
    python = options.venv.absolute() / "bin/python"
    commands.run(sys.executable, "benches/bench_peers.py", "--venv", options.venv.absolute(), "--library",
                 options.library, "--only", "speed,picture", "--seconds", mode.rows / 2, "--json", path)
    numbers = json.loads(path.read_text())
    say("  the peers' errors")
    commands.run(python, "-B", "benches/accuracy_picture.py", options.library, errors)
    return numbers["passes"][0]["speed"], numbers["sizes"], json.loads(errors.read_text())


def system():
    try:
        name = platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError, AttributeError):
        name = platform.system()
    return ", ".join(filter(None, [name, " ".join(platform.libc_ver()), platform.machine()]))


def main():
    options = arguments()
    mode = QUICK if options.quick else USUAL
    options.work.mkdir(parents=True, exist_ok=True)
    commands, library, started = Commands(), Library(options.library), time.monotonic()
    say(f"libgelu {library.version} on {library.isa}\n[1/4] errors of the float functions")
    of_libgelu, of_libm = float_errors(commands, options, mode)
    rows, notes = float_rows(of_libgelu), []
    if options.quick:
        notes.append(f"The errors of float are of a sample: every {mode.step}th of the floats, "
                     f"{of_libgelu['functions'][FUNCTIONS[0]]['count']:,} for each function. All of them: make report "
                     "without REPORT_FLAGS=--quick.")
    say("[2/4] errors of the double functions")
    if not has_mpfr(options.work):
        rows += at_committed_values(library)
        notes.append("The errors of double are those at the values of tests/data alone. Fresh points need MPFR: "
                     "apt-get install libmpfr-dev.")
    else:
        rows += at_fresh_points(commands, options, mode)
    say("[3/4] speed")
    peers = {}
    if options.venv:
        table, sizes, peers = speed_beside_peers(commands, options, mode)
    else:
        table, sizes = speed_alone(commands, options, mode, library.isa)
    waited = bench_peers.waited()
    if waited > bench_peers.BUSY:
        notes.append("The machine was busy with something else: processes waited for a processor in "
                     f"{100 * waited:.0f} % of the time, so the times are too long.")
    notes += [f"Skipped: {text}." for text in table["skipped"]]
    say("[4/4] page")
    beyond = [row for row in rows if not row["error"] <= row["bound"]]
    page = report_page.page(
        version=library.version, isa=library.isa, rows=rows, curves=curves(of_libgelu, of_libm, peers), table=table,
        sizes=sizes, notes=notes, commands=commands.texts, has_peers=bool(options.venv),
        facts={"Processor": bench_peers.describe_machine("")[0].removeprefix(": "), "System": system(),
               "Date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")})
    options.page.parent.mkdir(parents=True, exist_ok=True)
    options.page.write_text(page, encoding="utf-8")
    for row in beyond:
        say(f"{row['function']}: {row['error']:.4f} ULP at x = {row['x']!r}, above {row['bound']}")
    say(f"{options.page}, after {time.monotonic() - started:.0f} s: open it in a browser")
    sys.exit(1 if beyond else 0)


if __name__ == "__main__":
    main()
