"""The clock: minimum of many repetitions, the contestants in turn."""

import gc
import os
import statistics
from time import perf_counter_ns


def took(call):
    """ns of one call: what it returns, if it is one that has a clock of its own."""
    start = perf_counter_ns()
    own = call()
    around = perf_counter_ns() - start
    return own if isinstance(own, float) else around


def in_turn(calls, seconds, least=15, warm=False):
    """Runs every call in turn for about `seconds`; the samples of each in ns.

    With `warm` each is called twice and the second call counts, for calls that do not share their data.
    """
    samples = {name: [] for name in calls}
    for call in calls.values():
        call()
    gc.collect()
    gc.disable()
    try:
        end = perf_counter_ns() + int(1e9 * seconds)
        rounds = 0
        while rounds < least or perf_counter_ns() < end:
            for name, call in calls.items():
                if warm:
                    call()
                samples[name].append(took(call))
            rounds += 1
    finally:
        gc.enable()
    return samples


def minima(calls, seconds, **options):
    return {name: min(times) for name, times in in_turn(calls, seconds, **options).items()}


def repeated(call, target_ns=100_000):
    """`call` as often in a row as takes about `target_ns`, and that number."""
    own_clock = isinstance(call(), float)
    start = perf_counter_ns()
    for _ in range(10):
        call()
    count = max(1, round(10 * target_ns / max(1, perf_counter_ns() - start)))

    def many():
        if own_clock:
            return sum(call() for _ in range(count))
        for _ in range(count):
            call()

    return many, count


def median(times):
    return statistics.median(times)


def _number(path):
    try:
        with open(path) as file:
            return int(file.read())
    except (OSError, ValueError):
        return 0


def _siblings(cpu):
    try:
        with open(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list") as file:
            return file.read().strip()
    except OSError:
        return str(cpu)


def pin(count):
    """Binds this process to `count` cores, the fastest ones, one hardware thread of each; the number found."""
    if not hasattr(os, "sched_setaffinity"):
        return min(count, os.cpu_count() or 1)
    base = "/sys/devices/system/cpu/cpu{}/"
    speed = {cpu: (_number(base.format(cpu) + "cpu_capacity"),
                   _number(base.format(cpu) + "cpufreq/cpuinfo_max_freq"), cpu)
             for cpu in os.sched_getaffinity(0)}
    cores = {}
    for cpu in sorted(speed, key=speed.get, reverse=True):
        cores.setdefault(_siblings(cpu), cpu)
    chosen = list(cores.values())[:count]
    os.sched_setaffinity(0, chosen)
    return len(chosen)
