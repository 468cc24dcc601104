"""What every framework's recorder can do, and those of plain Python, PyTorch, TensorFlow and JAX."""

from __future__ import annotations

import gzip
import json
import os
import sys
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol

from ..request import Options

# What every framework's recorder can do, and that of plain Python → a `.prof` of cProfile: which function took how
# long, of the thread that records.

#: More events than steps are marked.
MANY = 1 << 62


class Recorder(Protocol):
    """One framework's profiler, in this process. Every method may raise what the framework raises.

    name: as a person asks for it. end: what its files' names end in.
    """

    @property
    def name(self) -> str: ...

    @property
    def end(self) -> str: ...

    def start(self, folder: str, options: Options, device: bool) -> str:
        """Begin to record; what of the options it does not take, or nothing.

        device: also kernels, which only one profiler of a process can.
        """

    def mark(self, number: int) -> AbstractContextManager[Any] | None:
        """What marks a step while it is entered."""

    def settle(self) -> None:
        """Wait for what was launched: the last steps would lack what still runs."""

    def stop(self) -> Mapping[str, int]:
        """End; the files written below the folder, each with how many events it holds, MANY where not counted."""


class PythonRecorder:
    name = "python"
    end = ".prof"

    def start(self, folder: str, options: Options, device: bool) -> str:
        self._folder = folder
        # Before Python 3.12 cProfile would silently take the place of a debugger's or coverage's hook.
        if sys.getprofile() is not None:
            raise RuntimeError("another profiler is already running: it has set sys.setprofile")
        import cProfile

        self._profile = cProfile.Profile()
        self._profile.enable()
        return ""

    def mark(self, number: int) -> None:
        """cProfile knows sums alone, no time line to mark."""

    def settle(self) -> None:
        """Calls have ended when they return."""

    def stop(self) -> Mapping[str, int]:
        self._profile.disable()
        path = os.path.join(self._folder, "calls.prof")
        self._profile.dump_stats(path)
        # The entry that every file has is that of `disable` itself.
        return {path: MANY if len(self._profile.getstats()) > 1 else 0}


# PyTorch in this process → `*.pt.trace.json.gz`, named as PyTorch's own handler for TensorBoard names it.

#: A trace that is larger holds events; one of none takes 1 kB.
PYTORCH_LARGE_BYTES = 64 << 10


class TorchRecorder:
    name = "pytorch"

    @property
    def end(self) -> str:
        return f".{time.time_ns()}.pt.trace.json.gz"

    def start(self, folder: str, options: Options, device: bool) -> str:
        self._folder = folder
        profiler = _torch().profiler
        activities = [profiler.ProfilerActivity.CPU]
        there = profiler.supported_activities() if hasattr(profiler, "supported_activities") else ()
        if device and options.device_tracer_level:
            activities += [each for each in there if each not in activities]
        self._profile = profiler.profile(activities=activities, with_stack=bool(options.python_tracer_level))
        self._profile.start()
        return ""

    def mark(self, number: int) -> AbstractContextManager[Any]:
        # The name by which readers of these traces know a step.
        marks: AbstractContextManager[Any] = _torch().profiler.record_function(f"ProfilerStep#{number}")
        return marks

    def settle(self) -> None:
        """PyTorch's profiler waits for the GPU when it stops."""

    def stop(self) -> Mapping[str, int]:
        self._profile.stop()
        path = os.path.join(self._folder, "trace.json.gz")
        self._profile.export_chrome_trace(path)
        return {path: _events(path)}


def _torch() -> Any:
    return sys.modules["torch"]


def _events(path: str) -> int:
    """How many events of a trace lasted; the others say what the file is."""
    if os.path.getsize(path) > PYTORCH_LARGE_BYTES:
        return MANY
    with gzip.open(path) as file:
        trace = json.loads(file.read(PYTORCH_LARGE_BYTES << 10))
    return sum(event.get("ph") == "X" and event.get("cat") != "Trace" for event in trace["traceEvents"])


# TensorFlow and JAX in this process → XPlane files, through their public profilers.
#
# Both write `<folder>/plugins/profile/<time>/<host>.xplane.pb` when they stop. Their levels are the wire's; JAX's
# options
# have no device level in all of its releases, TensorFlow's no advanced ones.

#: What steps are called, as in the documents of both.
MARK = "train"
#: A file that is larger holds events: one of none takes 3 kB, and the programs in one of JAX up to some 100 kB.
XLA_LARGE_BYTES = 1 << 20


class JaxRecorder:
    name = "jax"
    end = ".xplane.pb"

    def start(self, folder: str, options: Options, device: bool) -> str:
        self._folder = folder
        profiler = _module("jax").profiler
        if not hasattr(profiler, "ProfileOptions"):
            profiler.start_trace(folder)
            return "this release of JAX has no tracer levels; its defaults are used"
        asked = profiler.ProfileOptions()
        given = {
            "host_tracer_level": options.host_tracer_level,
            "python_tracer_level": options.python_tracer_level,
            "device_tracer_level": options.device_tracer_level if device else 0,
        }
        for name, value in given.items():
            if hasattr(asked, name):
                setattr(asked, name, value)
        if options.advanced:
            asked.advanced_configuration = dict(options.advanced)
        profiler.start_trace(folder, profiler_options=asked)
        left_out = given["device_tracer_level"] == 0 and not hasattr(asked, "device_tracer_level")
        return "this release of JAX has no device tracer level; devices are recorded anyway" if left_out else ""

    def mark(self, number: int) -> AbstractContextManager[Any]:
        marks: AbstractContextManager[Any] = _module("jax").profiler.StepTraceAnnotation(MARK, step_num=number)
        return marks

    def settle(self) -> None:
        jax = _module("jax")
        jax.block_until_ready(jax.live_arrays())

    def stop(self) -> Mapping[str, int]:
        _stop_jax(_module("jax"))
        return counted(self._folder)


#: It heeds the option only where its server is asked.
_NO_FRAMES = (
    "TensorFlow records no functions of Python from within the program; for these start its server "
    "(`tf.profiler.experimental.server.start(6009)`) and run `perfplugin capture localhost:6009 --preset python`"
)


class TensorFlowRecorder:
    name = "tensorflow"
    end = ".xplane.pb"

    def start(self, folder: str, options: Options, device: bool) -> str:
        self._folder = folder
        profiler = _module("tensorflow").profiler.experimental
        asked = profiler.ProfilerOptions(
            host_tracer_level=options.host_tracer_level,
            python_tracer_level=options.python_tracer_level,
            device_tracer_level=options.device_tracer_level if device else 0,
        )
        idle = _is_idle()
        try:
            profiler.start(folder, asked)
        except BaseException:
            # Where a capture from outside has the profiler, TensorFlow raises and yet notes a session of its own, which
            # would keep every later one from starting.
            if idle and not _is_idle():
                profiler.stop(save=False)
            raise
        notes = ("TensorFlow has no advanced options; they are ignored",) if options.advanced else ()
        return "; ".join((*notes, *((_NO_FRAMES,) if options.python_tracer_level else ())))

    def mark(self, number: int) -> AbstractContextManager[Any]:
        profiler = _module("tensorflow").profiler.experimental
        marks: AbstractContextManager[Any] = profiler.Trace(MARK, step_num=number, _r=1)
        return marks

    def settle(self) -> None:
        tensorflow = _module("tensorflow")
        # It is an op of its own among those recorded, and has nothing to wait for on a CPU.
        if tensorflow.config.list_logical_devices("GPU"):
            tensorflow.test.experimental.sync_devices()

    def stop(self) -> Mapping[str, int]:
        _module("tensorflow").profiler.experimental.stop()
        return counted(self._folder)


def _module(name: str) -> Any:
    return sys.modules[name]


def _stop_jax(jax: Any) -> None:
    try:
        jax.profiler.stop_trace()
    except BaseException:
        # JAX keeps a session that did not end well, and would refuse every later one.
        state = getattr(sys.modules.get("jax._src.profiler"), "_profile_state", None)
        if state is not None and hasattr(state, "reset"):
            state.reset()
        raise


def _is_idle() -> bool:
    """Whether TensorFlow notes no session; its inside is only looked at."""
    return getattr(sys.modules.get("tensorflow.python.profiler.profiler_v2"), "_profiler", None) is None


def counted(folder: str) -> dict[str, int]:
    """The XPlane files below a folder, and how many events each holds."""
    every = (os.path.join(at, name) for at, _, names in os.walk(folder) for name in names)
    return {path: _xla_events(path) for path in sorted(every) if path.endswith(".xplane.pb")}


def _xla_events(path: str) -> int:
    if os.path.getsize(path) > XLA_LARGE_BYTES:
        return MANY
    from ... import decode

    return decode.read(path).quality.events_in_file
