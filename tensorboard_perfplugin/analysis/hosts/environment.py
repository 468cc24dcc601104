"""A capture → what it says about the program and the profiler: versions, tracer levels, framework, with evidence."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import NamedTuple

import numpy as np

from ...messages import Message, message
from ...patterns import regex
from ...tables import Capture, PlaneKind, among, intervals
from ...threshold import Threshold
from ...timeline.causes import launches_of
from ...timeline.devices import devices_of
from ...timeline.names.kernels import SYNCHRONIZES
from ...timeline.names.ops import is_tensorflow
from ...timeline.nesting import nesting_of
from ...timeline.ops.ops import ops_of
from ...timeline.split.sets import union
from ...timeline.timeline import Timeline, windows_of
from ...timeline.tracks import rows_of, threads_of

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
#: What TensorFlow's overview page says of a run: percentages, and texts.
_RECORDED = (
    "device_idle_time_percent",
    "host_idle_time_percent",
    "flop_rate_utilization_relative_to_roofline",
    "memory_bw_utilization_relative_to_hw_limit",
    "batch_size",
    "top_device_ops",
)
_MAX_FIELDS = 1000
_KERAS = {
    "Profiled batch": "framework_seen.keras_callback",
    "one_step_on_iterator": "framework_seen.keras_step",
    "multi_step_on_iterator": "framework_seen.keras_step",
}
#: `cluster_3__XlaCompiledKernel_true__…(7)`, `a_inference_train_step_123__XlaMustCompile_true_…`.
_XLA_WAYS = {
    "auto-clustering": regex(r"cluster_\d+_+Xla"),
    "jit_compile": regex(r"(?:a_)?_*inference_\w*XlaMustCompile"),
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
    if xla := _compiled_by_xla(timeline):
        found["xla"] = xla
    # Of several processes the first is the one that has most events.
    for key, value in _attributes(capture):
        found.setdefault(key, value)
    return found


def _compiled_by_xla(timeline: Timeline) -> str:
    """How TensorFlow came to compile programs with XLA, by their names, and how many; empty where none are its."""
    modules = {op.module for op in ops_of(timeline).ops if op.module}
    counts = {way: sum(bool(pattern.match(module)) for module in modules) for way, pattern in _XLA_WAYS.items()}
    return ", ".join(f"{way}: {count}" for way, count in counts.items() if count)


def framework(timeline: Timeline) -> tuple[str, Message | None]:
    """The framework that ran, and what gives it away; empty and None where nothing does."""
    names = set(timeline.capture.strings.texts(_used_names(timeline.capture)))
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
        recorded = ((key, values[key]) for key in _RECORDED if key in values)
        yield from ((key, f"{value:.1f} %" if isinstance(value, float) else str(value)) for key, value in recorded)
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


# Hosts' captures → what is missing from them, so that what is shown is not taken for all.

_WARNINGS = 3


class Loss(NamedTuple):
    """Of one host. dropped: how many events of its file are not shown, by code. errors: what its profiler reported.
    warnings: the first of its file.
    """

    host: str
    events_in_file: int
    dropped: dict[str, int]
    errors: tuple[str, ...]
    warnings: tuple[Message, ...]


def loss(timeline: Timeline) -> Loss:
    quality = timeline.capture.quality
    kept = quality.warnings[:_WARNINGS]
    return Loss(timeline.host, quality.events_in_file, dict(quality.dropped), timeline.capture.errors, kept)


# A timeline → how long the driver of its devices took to start: calls that last so long happen once.

LONG = Threshold(
    "a call that starts the driver",
    10**11,
    "ps",
    "calls of the driver take µs, and to load a kernel some ms; one that goes on so long makes a context or loads a "
    "program's kernels",
)
LONG_PART = Threshold("part of a short capture", 0.1, "share", "of a short capture; such a call has more")
LOADS = Threshold("a call that loads kernels", 10**9, "ps", "to launch a kernel takes µs, to load it first some ms")
_DEVICES = (PlaneKind.GPU, PlaneKind.TPU)
DRIVER_CALL = regex(rf"(?!{SYNCHRONIZES})(?:cu|cuda|hip)[A-Z]\w*")


class DriverStart(NamedTuple):
    """ps: of such calls, while no device worked; of_ps: the host's span of events. call: name of the longest, which
    takes call_ps; when: its begin, end and track. calls: how many there are."""

    ps: int = 0
    of_ps: int = 0
    call: str = ""
    call_ps: int = 0
    calls: int = 0
    when: tuple[int, int, int] = (0, 0, -1)


def driver_start(timeline: Timeline) -> DriverStart:
    capture = timeline.capture
    events, rows = capture.events, capture.events_named(DRIVER_CALL)
    first, last = capture.span_ps
    rows = rows[events.duration_ps[rows] >= min(LONG.value, max(LONG_PART.value * (last - first), LOADS.value))]
    rows = rows[~among(capture.planes.kind[capture.tracks.plane[events.track[rows]]], _DEVICES)]
    if not len(rows):
        return DriverStart()
    begin, end = events.start_ps[rows], events.start_ps[rows] + events.duration_ps[rows]
    busy = [device.busy for device in devices_of(timeline) if device.events]
    calls = intervals.union(begin, end)
    calls = intervals.subtraction(calls, union(busy))
    row = int(rows[np.argmax(end - begin)])
    start, length = int(events.start_ps[row]), int(events.duration_ps[row])
    when = (start, start + length, int(events.track[row]))
    return DriverStart(calls.total, last - first, capture.event_name(row), length, len(rows), when)


# A timeline → what its host did before devices first worked, and after they last did.


class Edge(NamedTuple):
    """ps: of the capture. call: what threads that launch work spent most of that in, call_ps of self time in so many
    calls; when: from the first to the last of these. Empty where none has a third of it."""

    ps: int = 0
    call: str = ""
    call_ps: int = 0
    calls: int = 0
    when: tuple[int, int] = (0, 0)


class Edges(NamedTuple):
    """of_ps: the capture's length. before, after: the devices' work."""

    of_ps: int = 0
    before: Edge = Edge()
    after: Edge = Edge()


CALLED = Threshold("what a host did most", 1 / 3, "share", "of a time; what has less is one thing of several")


def edges(timeline: Timeline) -> Edges:
    """Nothing of a window in parts, or of one without work."""
    window, busy = windows_of(timeline).device, union([device.busy for device in devices_of(timeline)])
    if len(window.begin) != 1 or not len(busy.begin):
        return Edges()
    first, last = int(busy.begin[0]), int(busy.end[-1])
    begin, end = int(window.begin[0]), int(window.end[0])
    return Edges(end - begin, _edge(timeline, begin, first), _edge(timeline, last, end))


def _edge(timeline: Timeline, begin: int, end: int) -> Edge:
    capture, events = timeline.capture, timeline.capture.events
    launches = launches_of(timeline).rows
    launching = np.unique(events.track[launches[launches >= 0]]).astype(np.int64)
    rows = rows_of(capture, launching if len(launching) else threads_of(timeline))
    rows = rows[(events.start_ps[rows] >= begin) & (events.start_ps[rows] + events.duration_ps[rows] <= end)]
    if end <= begin or not len(rows):
        return Edge(max(end - begin, 0))
    spent = np.bincount(events.name[rows], nesting_of(timeline).self_ps[rows])
    top = int(spent.argmax())
    if spent[top] < CALLED.value * (end - begin):
        return Edge(end - begin)
    calls = rows[events.name[rows] == top]
    when = int(events.start_ps[calls].min()), int((events.start_ps[calls] + events.duration_ps[calls]).max())
    return Edge(end - begin, capture.strings[top], int(spent[top]), len(calls), when)


# A timeline without ops → what its threads recorded, by name: which slice has the most self time.

#: What samplers call a thread that does nothing, and what all frames lie in.
_NOTHING = ("(idle)", "(root)", "")


class TopSlice(NamedTuple):
    """The name with the most self time on threads of a host, in ps, of all slices' self time there."""

    name: str
    self_ps: float
    slices: int
    of_ps: float

    @property
    def share(self) -> float:
        return self.self_ps / self.of_ps


def top_slice(timeline: Timeline) -> TopSlice | None:
    """None where no thread recorded anything that took time."""
    capture = timeline.capture
    plane = capture.planes.kind[capture.tracks.plane[capture.events.track]]
    rows = np.flatnonzero(~among(plane, (PlaneKind.GPU, PlaneKind.TPU)))
    names, spent = capture.events.name[rows], nesting_of(timeline).self_ps[rows]
    # Doubles: slices of days, which lie over each other, add up to more than 63 bits of ps.
    of_name = np.bincount(names, spent, len(capture.strings))
    for text in _NOTHING:
        if (nothing := capture.strings.find(text)) >= 0:
            of_name[nothing] = 0
    total = float(of_name.sum())
    if not total:
        return None
    top = int(of_name.argmax())
    return TopSlice(capture.strings[top], float(of_name[top]), int(np.count_nonzero(names == top)), total)
