"""Python that costs time, by name, and the clock that says how much of it was spent while the profiler recorded."""

from __future__ import annotations

import collections
import contextlib
import gc
import io
import json
import logging
import os
import pickle
import re
import tempfile
import threading
import time
from collections.abc import Callable, Iterator

from tests.truth.declared import Case, Plant

_WORD = re.compile(r"\w+|[^\w\s]")
_TEXT = "The quick brown fox, as ever, jumps over 13 lazy dogs; nobody counts them. " * 4
_VOCABULARY: dict[str, int] = collections.defaultdict(lambda: len(_VOCABULARY))
_NUMBERS = [float(number % 97) for number in range(2000)]
_LOG = logging.getLogger("tests.truth")
_LOG.propagate = False


class Meter:
    """How long each planted cost took, by its name, and how long the loop waited for batches; in ns while `on`."""

    def __init__(self) -> None:
        self.on = False
        self.ns: collections.Counter[str] = collections.Counter()
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def clock(self, name: str) -> Iterator[None]:
        began, on = time.perf_counter_ns(), self.on
        yield
        if on and self.on:
            with self._lock:
                self.ns[name] += time.perf_counter_ns() - began


def spend(meter: Meter, plant: Plant, seconds: float) -> None:
    """The plant's Python, so long, by the clock."""
    if seconds > 0:
        with meter.clock(plant.name):
            WORK[plant.what](seconds)


def spend_at(meter: Meter, case: Case, where: str, step: int) -> None:
    """What is planted at a place of the loop."""
    for plant in case.plants:
        if plant.where == where:
            spend(meter, plant, plant.seconds_at(step))


def until(seconds: float, once: Callable[[], object]) -> None:
    """Again and again for so long: on a busy machine as long as on an idle one."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        once()


def log_lines(seconds: float) -> None:
    with tempfile.TemporaryFile("w") as file:
        handler = logging.StreamHandler(file)
        _LOG.addHandler(handler)
        until(seconds, lambda: _LOG.warning("loss %s after %d steps", 0.25, 12))
        _LOG.removeHandler(handler)


def print_lines(seconds: float) -> None:
    with tempfile.TemporaryFile("w") as file:
        until(seconds, lambda: print("loss", 0.25, "accuracy", 0.5, file=file, flush=True))


def pickle_state(seconds: float) -> None:
    """A checkpoint by hand: state as bytes, to a file, to the disk."""
    state = {f"layer {number}": _NUMBERS for number in range(20)}
    with tempfile.TemporaryFile() as file:

        def write() -> None:
            file.seek(0)
            file.write(pickle.dumps(state))
            os.fsync(file.fileno())

        until(seconds, write)


def metrics_as_json(seconds: float) -> None:
    until(seconds, lambda: io.StringIO().write(json.dumps({"loss": _NUMBERS})))


def tokenize(seconds: float) -> None:
    until(seconds, lambda: [_VOCABULARY[word.lower()] for word in _WORD.findall(_TEXT)])


def sums(seconds: float) -> None:
    """A loss, or a metric, in plain Python."""
    until(seconds, lambda: sum(number * number for number in _NUMBERS))


def collect_garbage(seconds: float) -> None:
    def litter() -> None:
        cycles: list[list[object]] = [[] for _ in range(2000)]
        for cycle in cycles:
            cycle.append(cycle)
        del cycles
        gc.collect()

    until(seconds, litter)


def convert(seconds: float) -> None:
    """Lists of numbers → arrays."""
    import numpy

    until(seconds, lambda: numpy.array([_NUMBERS] * 8, numpy.float32))


def augment(seconds: float) -> None:
    """Images by numpy, on this thread."""
    import numpy

    image = numpy.ones((64, 64, 3), numpy.float32)
    until(seconds, lambda: numpy.ascontiguousarray(numpy.clip(image[::-1] * 1.5 - 0.2, 0, 1)))


def read_files(seconds: float) -> None:
    """Many small files, each opened and read by a byte."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"x" * 64)
        file.flush()

        def read() -> None:
            with open(file.name, "rb", buffering=0) as again:
                while again.read(1):
                    pass

        until(seconds, read)


def write_arrays(seconds: float) -> None:
    """Arrays to a file, of which neither framework records anything."""
    import numpy

    one, other = numpy.ones((256, 128)), numpy.ones((128, 256))
    with tempfile.TemporaryFile() as file:

        def write() -> None:
            file.seek(0)
            numpy.savez(file, one=one, other=other)

        until(seconds, write)


def wait_for_thread(seconds: float) -> None:
    """A lock that another thread holds."""
    done = threading.Event()
    threading.Timer(seconds, done.set).start()
    done.wait()


#: What a plant's `what` names.
WORK: dict[str, Callable[[float], None]] = {
    "sleep": time.sleep,
    "log": log_lines,
    "print": print_lines,
    "pickle": pickle_state,
    "json": metrics_as_json,
    "tokenize": tokenize,
    "sums": sums,
    "gc": collect_garbage,
    "convert": convert,
    "augment": augment,
    "read_files": read_files,
    "lock": wait_for_thread,
    "savez": write_arrays,
}
