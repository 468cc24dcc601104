"""Captures put together at random of what the trace viewer reads: threads, streams, launches, producers, counters."""

from __future__ import annotations

from hypothesis import strategies as st

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.build_capture import Ref, Space, StatsGiven, StatValue, Uint
from tests.trace.test_viewer import NS

NAMES = (
    "step",
    "cuLaunchKernel",
    "kernel",
    "ncclDevKernel_AllReduce_Sum",
    "MemcpyH2D",
    "model/dense/MatMul:MatMul",
    "IteratorGetNext",
    "MemoryAllocation",
    "MemoryDeallocation",
    "$a.py:3 f",
    "<img src=x onerror=alert(1)>",
    "سلام 👩‍💻",
    "",
    "\x00\n",
    "x" * 400,
)
PLANES = ("/host:CPU", "/device:GPU:0", "/device:GPU:1", "/host:python-tracer", "/device:TPU:0", "/device:CUSTOM:x")
LINES = ("python", "Stream #7(Compute)", "Stream #8(MemcpyH2D)", "XLA Ops", "XLA Modules", "Steps", "counters_p", "")
KEYS = (
    "correlation_id",
    "tf_op",
    "step_num",
    "_r",
    "_pt",
    "_p",
    "_ct",
    "_c",
    "group_id",
    "kernel_details",
    "memcpy_details",
    "bytes_allocated",
    "allocation_bytes",
    "allocator_name",
    "counters_p",
    "addr",
)
VALUES: st.SearchStrategy[StatValue] = st.one_of(
    st.integers(-1, 3),
    st.sampled_from([1 << 62, -(1 << 63), Uint((1 << 64) - 1), Uint(2), 0.5, float("nan"), float("inf"), b"\xff", ""]),
    st.sampled_from(["size:4096 kind_src:pageable", Ref("model/dense/MatMul:MatMul"), Ref("grid:1,1,1 block:9,9,9")]),
)
#: Name, begin, length, stats.
Event = tuple[str, int, int, StatsGiven]
Line = tuple[str, int, list[Event]]
Planes = list[tuple[str, list[Line]]]

SHORT = st.integers(0, 60)
FAR = st.sampled_from([0, 1, 1 << 40, (1 << 61) - 1, 1 << 61])


def planes(times: st.SearchStrategy[int] = SHORT) -> st.SearchStrategy[Planes]:
    event = st.tuples(st.sampled_from(NAMES), times, times, st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=4))
    line = st.tuples(st.sampled_from(LINES), st.sampled_from([NS, NS, NS + 1]), st.lists(event, max_size=12))
    return st.lists(st.tuples(st.sampled_from(PLANES), st.lists(line, max_size=3)), max_size=4)


def timeline_of(given: Planes, host: str = "h") -> Timeline:
    space = Space(hostnames=[host])
    for number, (plane_name, lines) in enumerate(given):
        plane = space.plane(plane_name, number)
        for i, (line_name, start_ns, events) in enumerate(lines):
            line = plane.line(i, line_name, timestamp_ns=start_ns)
            for name, at, long, stats in events:
                line.event(name, at, long, stats)
    capture = decode.read_bytes(space.bytes(), f"{host}.xplane.pb")
    capture.check()
    return Timeline(capture, host)
