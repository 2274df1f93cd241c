"""What examples/python/gelu.py promises of threads, processes and finding the library. It is run as test_gelu.py is."""

import ctypes.util
import multiprocessing
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

import numpy as np

import gelu

# Elements of a call that the library splits over threads.
LARGE = 1_000_000


def values(seed, length=LARGE):
    return np.random.default_rng(seed).uniform(-12, 4, length)


def bits_of_both(seed):
    """Of large calls, forward and backward, made from the seed alone."""
    x = values(seed)
    return gelu.forward(x).tobytes(), gelu.backward(values(seed + 1), x, "tanh").tobytes()


class Threads(unittest.TestCase):
    def test_another_thread_runs_while_a_call_does(self):
        x = np.zeros(LARGE)
        ready, ran = threading.Lock(), threading.Event()
        ready.acquire()

        def other():
            ready.acquire()
            ran.set()

        interval = sys.getswitchinterval()
        thread = threading.Thread(target=other, daemon=True)
        thread.start()
        # From here on a thread keeps the interpreter until it gives it up itself: in what follows only the calls do.
        sys.setswitchinterval(1000)
        try:
            end = time.monotonic() + 10
            ready.release()
            while not ran.is_set() and time.monotonic() < end:
                gelu.forward(x, out=x)
            self.assertTrue(ran.is_set())
        finally:
            sys.setswitchinterval(interval)
        thread.join()

    def test_threads_that_call_at_once_get_the_bits_of_one_that_calls_alone(self):
        seeds = [1, 2, 3, 1, 2, 3]
        expected = [bits_of_both(seed) for seed in seeds]
        start, results = threading.Barrier(len(seeds)), [None] * len(seeds)

        def run(i):
            start.wait()
            results[i] = bits_of_both(seeds[i])

        threads = [threading.Thread(target=run, args=(i,)) for i in range(len(seeds))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertTrue(results == expected)


@unittest.skipUnless("fork" in multiprocessing.get_all_start_methods(), "this system has no fork")
class Fork(unittest.TestCase):
    def test_forked_workers_compute_the_bits_of_their_parent_which_called_before(self):
        expected = [bits_of_both(seed) for seed in (1, 2, 3, 4)]
        with warnings.catch_warnings():
            # From 3.12 on Python warns of a fork while other threads live, as the library's workers do here.
            warnings.simplefilter("ignore", DeprecationWarning)
            with multiprocessing.get_context("fork").Pool(2) as pool:
                results = pool.map_async(bits_of_both, (1, 2, 3, 4)).get(timeout=60)
        self.assertTrue(results == expected)
        self.assertTrue(bits_of_both(1) == expected[0], "the parent goes on")


class Library(unittest.TestCase):
    """Each imports a copy of gelu.py in a folder of its own, in a new process that has nothing else to find."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        shutil.copy(gelu.__file__, self.folder)
        self.library = os.path.abspath(os.environ["GELU_LIBRARY"])

    def run_in_folder(self, **environment):
        kept = {key: value for key, value in os.environ.items() if key not in ("GELU_LIBRARY", "LD_LIBRARY_PATH")}
        program = "import numpy, gelu; print(gelu.forward(numpy.array([-6], 'f4'))[0], gelu._library._name)"
        return subprocess.run(
            [sys.executable, "-c", program],
            cwd=self.folder,
            env={**kept, "PYTHONPATH": "", **environment},
            capture_output=True,
            text=True,
        )

    def assert_found(self, run, name):
        self.assertEqual((run.stdout, run.stderr), (f"-5.9195258e-09 {name}\n", ""))

    def test_the_library_is_found_beside_the_module_by_either_name(self):
        for name in ("libgelu.so", "libgelu.so.0.1"):
            beside = self.folder.resolve() / name
            beside.symlink_to(self.library)
            self.assert_found(self.run_in_folder(), beside)

    def test_the_environment_variable_goes_before_the_library_beside_the_module(self):
        (self.folder / "libgelu.so").write_text("not a library")
        self.assert_found(self.run_in_folder(GELU_LIBRARY=self.library), self.library)

    def test_the_library_is_found_by_the_system_under_its_soname(self):
        system = self.folder / "system"
        system.mkdir()
        (system / "libgelu.so.0.1").symlink_to(self.library)
        self.assert_found(self.run_in_folder(LD_LIBRARY_PATH=str(system)), "libgelu.so.0.1")

    def test_a_library_that_is_not_there_is_an_import_error_that_says_what_to_do(self):
        cases = [({"GELU_LIBRARY": "/nowhere/libgelu.so"}, "/nowhere/libgelu.so")]
        # Where libgelu is installed, the system finds that one.
        if ctypes.util.find_library("gelu") is None:
            cases.append(({}, "libgelu.so.0.1"))
        for environment, name in cases:
            run = self.run_in_folder(**environment)
            self.assertEqual((run.returncode, run.stdout), (1, ""))
            error = run.stderr.strip().splitlines()[-1]
            self.assertRegex(error, f"^ImportError: libgelu is needed \\({name}: .*\\); GELU_LIBRARY may name its path$")


if __name__ == "__main__":
    unittest.main()
