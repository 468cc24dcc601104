"""A capture → what it says about the program and the profiler: versions, tracer levels, framework, with evidence."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone

import numpy as np

from ...messages import Message, message
from ...tables import Capture
from ...timeline import Timeline, is_tensorflow, ops_of

_VERSIONS = (
    "cuda_version",
    "cuda_runtime_version",
    "cuda_driver_version",
    "libtpu_version",
    "jax_version",
    "jaxlib_version",
    "process_id",
)
#: Fields of ProfileOptions (tsl/profiler/protobuf/profiler_options.proto) that are varints and worth showing.
_OPTIONS = {
    1: "include_dataset_ops",
    2: "host_tracer_level",
    3: "device_tracer_level",
    4: "python_tracer_level",
    7: "enable_hlo_proto",
    9: "duration_ms",
}
_MAX_FIELDS = 1000
_KERAS = {
    "Profiled batch": "framework_seen.keras_callback",
    "one_step_on_iterator": "framework_seen.keras_step",
    "multi_step_on_iterator": "framework_seen.keras_step",
}
_TENSORFLOW = ("EagerExecute", "FunctionRun", "ExecutorState::Process", "SessionRun")


def environment(timeline: Timeline) -> dict[str, str | Message]:
    """Key → value, in the order to show them; what the capture does not say is left out."""
    capture = timeline.capture
    found: dict[str, str | Message] = {"hostname": capture.hostname} if capture.hostname else {}
    name, evidence = framework(timeline)
    if evidence:
        found |= {"framework": name, "framework_evidence": evidence}
    if capture.start_ns is not None:
        found["start_utc"] = _utc(capture.start_ns)
    return found | dict(_attributes(capture))


def framework(timeline: Timeline) -> tuple[str, Message | None]:
    """The framework that ran, and what gives it away; empty and None where nothing does."""
    names = set(timeline.capture.strings.of(_used_names(timeline.capture)))
    can = timeline.capture.capabilities
    if can.has_operators:
        return "PyTorch", Message("framework_seen.emit_nvtx" if can.has_ranges else "framework_seen.kineto")
    keras = [message(code, name=name) for name, code in _KERAS.items() if name in names]
    if keras:
        return "TensorFlow with Keras", keras[0]
    for key, value in _attributes(timeline.capture):
        if key == "jax_version":
            return "JAX", message("framework_seen.jax_version", version=value)
    if any(name.startswith("PjitFunction(") for name in names):
        return "JAX", Message("framework_seen.pjit")
    mark = next((name for name in _TENSORFLOW if name in names), None)
    if mark:
        return "TensorFlow", message("framework_seen.event", name=mark)
    op = next((op for op in ops_of(timeline).ops if is_tensorflow(op)), None)
    if op:
        return "TensorFlow", message("framework_seen.op", name=op.name[:80], type=op.type[:80])
    module = next((op.module for op in ops_of(timeline).ops if op.module.startswith("jit_")), None)
    if module:
        return "JAX", message("framework_seen.module", name=module[:80])
    return ("TensorFlow", Message("framework_seen.results")) if timeline.capture.capabilities.sums_only else ("", None)


def _used_names(capture: Capture) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    used = np.zeros(len(capture.strings), bool)
    used[capture.kinds.name] = True
    used[capture.names_used] = True
    return np.flatnonzero(used).astype(np.int32)


def _attributes(capture: Capture) -> Iterator[tuple[str, str]]:
    for plane in range(len(capture.planes)):
        values = capture.plane_values(plane)
        for key in _VERSIONS:
            if key in values and not isinstance(values[key], bytes):
                yield key, str(values[key])
        start, stop = values.get("profile_start_time"), values.get("profile_stop_time")
        if isinstance(start, int) and isinstance(stop, int) and 0 < start < stop:
            yield "session_ms", f"{(stop - start) / 1e6:.3f}"
        options = values.get("profile_options")
        if isinstance(options, bytes):
            for number, value in _varints(options):
                if number in _OPTIONS:
                    yield _OPTIONS[number], str(value)


def _varints(data: bytes) -> Iterator[tuple[int, int]]:
    """(field number, value) of the varint fields of a serialized message, up to the first damage."""
    at = 0
    for _ in range(_MAX_FIELDS):
        tag, at = _varint(data, at)
        wire = tag & 7
        if tag < 8 or at >= len(data):
            return
        if wire == 0:
            value, at = _varint(data, at)
            if value < 0:
                return
            yield tag >> 3, value
        elif wire == 2:
            length, at = _varint(data, at)
            at = at + length if 0 <= length <= len(data) - at else len(data)
        elif wire in (1, 5):
            at += 8 if wire == 1 else 4
        else:
            return


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A varint and where it ends; -1 where the data ends first or it is longer than 64 bits."""
    value = 0
    for i, byte in enumerate(data[at : at + 10]):
        value |= (byte & 0x7F) << 7 * i
        if byte < 0x80:
            return value, at + i + 1
    return -1, len(data)


def _utc(start_ns: int) -> str:
    """Time as text; as the number itself where no calendar reaches."""
    if not 0 <= start_ns < 1 << 62:
        return f"{start_ns} ns"
    return (datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=start_ns // 1000)).isoformat(" ")
