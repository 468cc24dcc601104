"""TensorFlow and JAX in this process → XPlane files, through their public profilers.

Both write `<folder>/plugins/profile/<time>/<host>.xplane.pb` when they stop. Their levels are the wire's; JAX's options
have no device level in all of its releases, TensorFlow's no advanced ones.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from ..request.options import Options
from .recorder import MANY

#: What steps are called, as in the documents of both.
MARK = "train"
#: A file that is larger holds events: one of none takes 3 kB, and the programs in one of JAX up to some 100 kB.
LARGE_BYTES = 1 << 20


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
        return "TensorFlow has no advanced options; they are ignored" if options.advanced else ""

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
    return {path: _events(path) for path in sorted(every) if path.endswith(".xplane.pb")}


def _events(path: str) -> int:
    if os.path.getsize(path) > LARGE_BYTES:
        return MANY
    from ... import decode

    return decode.read(path).quality.events_in_file
