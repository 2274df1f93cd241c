#!/usr/bin/env python3
"""Measures libgelu beside PyTorch, onnxruntime, MKL and a loop over libm.

    python3 benches/bench_peers.py [--markdown FILE] [--picture FILE] [--cold-picture FILE] [--xnnpack FILE.so]

The first run makes a virtual environment in target/peers with what peers_requirements.txt names (PyTorch is large);
later runs use it again, and --venv names another one. Each part is measured in a process of its own with one
thread, pinned to a core, on the machine's best instruction set and, where that is AVX-512, with both sides limited
to AVX2 as well. A part whose peer is missing is skipped with a word; XNNPACK is one that --xnnpack names, see
peers/contestants.py. Takes about six minutes on a machine that does nothing else; on a busy one the figures are
wrong, two threads and memory first, and the report says so.
"""

import argparse
import csv
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
REQUIREMENTS = HERE / "peers_requirements.txt"
BUSY = 0.1  # a share of time above which the figures mislead
LEVELS = ("avx512", "avx2", "neon", "portable")
PARTS = ("speed", "spread", "cold", "memory", "threads", "calls")

ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS")}
COMMON = {"MKL_THREADING_LAYER": "SEQUENTIAL", "MKL_INTERFACE_LAYER": "LP64", "PYTHONPATH": str(HERE),
          "PYTHONDONTWRITEBYTECODE": "1"}
AVX2 = {"GELU_MAX_ISA": "avx2", "ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2",
        "MKL_ENABLE_INSTRUCTIONS": "AVX2"}


def say(text):
    print(text, file=sys.stderr, flush=True)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--venv", type=pathlib.Path, help="a virtual environment that is there (target/peers is made)")
    parser.add_argument("--library", type=pathlib.Path, help="libgelu.so (without it cargo builds the release library)")
    parser.add_argument("--markdown", type=pathlib.Path, help="write the tables there, between the markers it has")
    parser.add_argument("--picture", type=pathlib.Path, help="draw ns per element over size there (.svg or .png)")
    parser.add_argument("--cold-picture", type=pathlib.Path, help="draw µs of cold calls over size there")
    parser.add_argument("--xnnpack", type=pathlib.Path, help="a shared object with XNNPACK's f32-vgelu micro-kernels")
    parser.add_argument("--xnnpack-version", default="", help="its version in the tables")
    parser.add_argument("--json", type=pathlib.Path, help="write every number there")
    parser.add_argument("--machine", default=platform.node(), help="the machine's name in the tables")
    parser.add_argument("--seconds", type=float, default=0.8, help="for each row of a table; 0.05 to try it out")
    parser.add_argument("--only", default="speed,spread,cold,memory,threads,calls,picture", help="the parts, by comma")
    parser.add_argument("--check", action="store_true", help="fail where a figure misses what is asked of it")
    return parser.parse_args()


def enter_environment(venv):
    """Goes on inside the virtual environment, which is made where it is the default one and not complete."""
    own = venv is None
    venv = ROOT / "target/peers" if own else venv.absolute()
    if pathlib.Path(sys.prefix).resolve() == venv.resolve():
        return
    python = venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    complete = venv / "complete.txt"
    wanted = REQUIREMENTS.read_text()
    if own and not (complete.exists() and complete.read_text() == wanted):
        say(f"setting up {venv}")
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        install = [python, "-m", "pip", "install", "--quiet"]
        if subprocess.run([*install, "-r", REQUIREMENTS]).returncode == 0:
            complete.write_text(wanted)
        else:  # one that cannot be had must not cost the others
            for line in wanted.splitlines():
                if line and not line.startswith("#"):
                    subprocess.run([*install, line])
    if not python.exists():
        sys.exit(f"{venv} is not a virtual environment: python3 -m venv {venv} && "
                 f"{python} -m pip install -r {REQUIREMENTS}")
    os.execv(python, [str(python), *sys.argv])


def build_library():
    target = ROOT / "target"
    cargo = os.environ.get("CARGO", "cargo")
    subprocess.run([cargo, "build", "--release", "--target-dir", target], cwd=ROOT, check=True)
    return target / "release" / ("libgelu.dylib" if sys.platform == "darwin" else "libgelu.so")


def compile_c(source, name, *flags):
    """Compiles a C file into target/peers-c; None where there is no compiler."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        return None
    out = ROOT / "target/peers-c" / name
    out.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([compiler, "-O2", "-std=c11", *flags[:-1], source, *flags[-1], "-o", out], check=True)
    return out


def measure(part, options, extra, *flags):
    """One part in a worker process with this environment."""
    command = [sys.executable, "-m", "peers.worker", part, "--library", options.library, "--seconds",
               str(options.seconds), *flags]
    done = subprocess.run(command, env={**os.environ, **COMMON, **extra}, stdout=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"measuring {part} failed: {' '.join(map(str, command))}")
    return json.loads(done.stdout)


def run_pinned(extra, *command):
    def pin():
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, [max(os.sched_getaffinity(0))])

    done = subprocess.run(command, env={**os.environ, **extra}, stdout=subprocess.PIPE, preexec_fn=pin, check=True)
    return done.stdout.decode()


def run_driver(driver, options, mode, extra):
    return json.loads(run_pinned(extra, driver, options.library, mode))


def run_cold(program, options, symbol, extra):
    """The rows of cold_calls.c, with few repetitions where a short run is wished."""
    peer = ["--peer", f"XNNPACK={options.xnnpack}:{symbol}"] if options.xnnpack else []
    repeat = "101" if options.seconds >= 0.2 else "5"
    printed = run_pinned(extra, program, options.library, "--repeat", repeat, *peer)
    table = csv.DictReader(printed.split("\n\n", 1)[1].splitlines())
    return [{**row, "walk_mib": int(row["walk_mib"]), "n": int(row["n"]), "us": float(row["us"])} for row in table]


def waited():
    """The share of the last ten seconds in which a process of this machine waited for a processor, if known."""
    try:
        with open("/proc/pressure/cpu") as file:
            return float(file.readline().split("avg10=")[1].split()[0]) / 100
    except (OSError, IndexError, ValueError):
        return 0.0


def describe_machine(name):
    model, caches = platform.machine(), []
    try:
        for line in open("/proc/cpuinfo"):
            if line.lower().startswith(("model name", "cpu model")):
                model = " ".join(line.split(":", 1)[1].split())
                break
        pairs = (line.split(":", 1) for line in open("/proc/cpuinfo") if ":" in line)
        family = {name.strip(): value.strip() for name, value in pairs}
        if "cpu family" in family:
            model += f" (family {family['cpu family']}, model {family['model']})"
        for index in sorted(pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
            if (index / "type").read_text().strip() != "Instruction":
                caches.append(f"L{(index / 'level').read_text().strip()} {(index / 'size').read_text().strip()}")
    except OSError:
        pass
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    system = f"{platform.system()} {platform.machine()}"
    return ", ".join([f"{name}: {model}", f"{cores} CPUs", *caches, system]), model


def picture(options, driver, model):
    """The sizes at every level that this machine has, and PyTorch's."""
    levels = {}
    for level in LEVELS:
        if measure("isa", options, {"GELU_MAX_ISA": level})["isa"] == level:
            say(f"sizes, {level}")
            levels[level] = run_driver(driver, options, "sizes", {"GELU_MAX_ISA": level})["points"]
    torch = measure("sizes", options, ONE_THREAD)
    for text in torch.get("skipped", []):
        say(f"skipped in the picture: {text}")
    return levels, torch.get("points", []), torch.get("version", "")


def main():
    options = arguments()
    enter_environment(options.venv)
    from peers import report as reporting
    from peers.contestants import Missing, Xnnpack
    from peers.picture import draw, draw_cold

    options.library = (options.library or build_library()).absolute()
    parts = options.only.split(",")
    libm = compile_c(HERE / "peers/libm_loop.c", "libm_loop.so", "-shared", "-fPIC", "-fno-math-errno", ["-lm"])
    driver = compile_c(HERE / "call_overhead.c", "call_overhead", f"-I{ROOT / 'include'}", ["-ldl", "-lm"])
    cold = compile_c(HERE / "cold_calls.c", "cold_calls", f"-I{ROOT / 'include'}", ["-ldl", "-lm"])
    clock = compile_c(HERE / "peers/timed_calls.c", "timed_calls.so", "-shared", "-fPIC", [])
    reals = sorted((ROOT / "examples/data").glob("*.npy"))
    clock_flags = ["--clock", clock] if clock else []
    if options.xnnpack:
        options.xnnpack = options.xnnpack.absolute()
        clock_flags += ["--xnnpack", options.xnnpack, f"--xnnpack-version={options.xnnpack_version}"]
    table_flags = [*clock_flags, *(["--libm", libm] if libm else []), *(["--real", reals[0]] if reals else [])]
    machine, model = describe_machine(options.machine)

    best = measure("isa", options, {})
    passes = [(best["isa"], {}, [])]
    if best["isa"] == "avx512":
        passes.append(("both sides limited to avx2", AVX2, ["--limited"]))
    numbers = {"machine": machine, "version": best["version"], "passes": []}
    for heading, limit, flags in passes:
        single = {**ONE_THREAD, **limit}
        measurements = {
            "speed": lambda: measure("table", options, single, *table_flags, *flags),
            "spread": lambda: measure("spread", options, single, *table_flags),
            "cold": lambda: run_cold(cold, options, Xnnpack.symbol("avx2" if limit else best["isa"]), limit),
            "memory": lambda: measure("memory", options, single, *clock_flags),
            "threads": lambda: measure("threads", options, limit, *clock_flags),
            "calls": lambda: run_driver(driver, options, "calls", limit),
        }
        found = {"heading": heading, "busy": []}
        for part, run in measurements.items():
            if part not in parts:
                continue
            if part in ("cold", "calls") and driver is None:
                say(f"skipped: {part}: it needs a C compiler: apt-get install gcc")
                continue
            say(f"{part}, {heading}")
            found[part] = run()
            if waited() > BUSY:
                found["busy"].append(part)
                say(f"the machine is busy with something else: {part} is not worth much")
        numbers["passes"].append(found)

    report = reporting.Report()
    report.machine(machine, best["version"], numbers["passes"][0].get("speed", {}))
    for found in numbers["passes"]:
        if found["busy"]:
            report.text(f"The machine was busy with something else during: {', '.join(found['busy'])}.")
        for part in PARTS:
            if part in found:
                getattr(report, part)(found["heading"], found[part])
    print(report.markdown())
    if options.markdown:
        reporting.write(options.markdown, report.markdown())
    if (options.picture or options.json) and "picture" in parts:
        if driver is None:
            say("skipped: the picture needs a C compiler: apt-get install gcc")
        else:
            levels, torch, version = picture(options, driver, model)
            numbers["sizes"] = {"levels": levels, "torch": torch, "torch_version": version}
            try:
                if options.picture:
                    draw(options.picture, model, levels, torch, version)
            except Missing as why:
                say(f"skipped: the picture: {why}")
    if options.cold_picture and "cold" in numbers["passes"][0]:
        try:
            draw_cold(options.cold_picture, model, best["isa"], numbers["passes"][0]["cold"])
        except Missing as why:
            say(f"skipped: the picture: {why}")
    if options.json:
        options.json.write_text(json.dumps(numbers, indent=1, ensure_ascii=False) + "\n")
    for text in report.misses:
        say(f"missed: {text}")
    if options.check and report.misses:
        sys.exit(1)


if __name__ == "__main__":
    main()
