"""One event's links, the stack around it, and why it started only then: whole tables of small captures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin.decode import read_bytes
from tensorboard_perfplugin.timeline.causes import launches_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.trace.area import MOST_OF_A_GAP
from tensorboard_perfplugin.trace.links import EventContext
from tests.build_capture import Space, StatValue
from tests.decode.step_stats import node, run_metadata
from tests.timeline.ops.test_calls import event, pytorch
from tests.timeline.timelines import row
from tests.trace.test_viewer import ask, opened, rows

US = 1_000_000


def linked(answer: Answer) -> list[tuple[str, int, str]]:
    return rows(answer, "links", "kind", "row", "text")


def why(timeline: Timeline, row: int) -> str:
    found = [f.title for f in ask(timeline, event=row).result.findings]
    return found[0] if found else ""


def facts(answer: Answer) -> dict[str, str]:
    return {key: value for group, key, value in rows(answer, "event") if group == "event"}


def gpu() -> Timeline:
    """Rows 0 to 5 on the host, 6 and 7 on stream 7, 8 on stream 8."""
    space = Space()
    cpu = space.plane("/host:CPU").line(5, "python")
    cpu.event("outer", 0, 200 * US).event("dense/MatMul:MatMul", 5 * US, 55 * US)
    cpu.event("cuLaunchKernel", 10 * US, 10 * US, stats={"correlation_id": 1})
    cpu.event("cuLaunchKernel", 30 * US, 5 * US, stats={"correlation_id": 2})
    cpu.event("cuMemcpyDtoHAsync", 70 * US, 5 * US, stats={"correlation_id": 3})
    cpu.event("cuStreamSynchronize", 80 * US, 60 * US)
    plane = space.plane("/device:GPU:0")
    details: StatValue = "regs:32 static_shared:0 dynamic_shared:16 grid:4,1,1 block:128,1,1 occ_pct:50"
    stream = plane.line(7, "Stream #7(Compute)")
    stream.event("first", 25 * US, 35 * US, stats={"correlation_id": 1, "kernel_details": details})
    stream.event("second", 62 * US, 40 * US, stats={"correlation_id": 2})
    copy: dict[str, StatValue] = {
        "correlation_id": 3,
        "memcpy_details": "kind_src:device kind_dst:pinned size:40000 dest:0 async:1",
    }
    plane.line(8, "Stream #8(MemcpyD2H)").event("MemcpyD2H", 104 * US, 20 * US, stats=copy)
    return opened(space)


def test_all_links_of_a_kernel() -> None:
    assert ask(gpu(), event=7).to_dict()["tables"]["links"] == {
        "columns": {
            "kind": ["launch", "previous"],
            "host": ["h", "h"],
            "row": [3, 6],
            "track": [0, 1],
            "depth": [2, 0],
            "start_ps": [30 * US, 25 * US],
            "duration_ps": [5 * US, 35 * US],
            "name": ["cuLaunchKernel", "first"],
            "text": ["Launched from python, 32 µs before.", "Before it on its stream; it ended 2 µs before."],
        }
    }


def test_why_a_kernel_started_only_then() -> None:
    timeline = gpu()
    assert why(timeline, 7) == "Launch latency 32 µs: queued behind `first`, which ended 2 µs before it started."
    assert why(timeline, 6) == "Launch latency 15 µs: its stream was idle."
    assert why(timeline, 8) == (
        "Launch latency 34 µs: its stream was idle. It may have waited for `second` on Stream #7(Compute), which ended "
        "2 µs before it started."
    )
    assert [kind for kind, row, _ in linked(ask(timeline, event=8)) if row == 7] == ["waits_for"]


def test_a_kernel_that_the_host_launched_late() -> None:
    space = Space()
    cpu = space.plane("/host:CPU").line(5, "python")
    cpu.event("cuLaunchKernel", 0, US, stats={"correlation_id": 1}).event("next_batch", 10 * US, 40 * US)
    cpu.event("cuLaunchKernel", 55 * US, US, stats={"correlation_id": 2})
    stream = space.plane("/device:GPU:0").line(7, "Stream #7")
    stream.event("a", 5 * US, 3 * US, stats={"correlation_id": 1})
    stream.event("b", 60 * US, 3 * US, stats={"correlation_id": 2})
    assert why(opened(space), 4) == (
        "Launch latency 5 µs: its stream was idle for 52 µs. The host launched it 47 µs after the stream "
        "became idle: python ran `next_batch` for 40 µs of that."
    )


def test_a_kernel_without_a_launch_and_one_before_its_launch() -> None:
    space = Space()
    space.plane("/host:CPU").line(5, "python").event("cuLaunchKernel", 90 * US, US, stats={"correlation_id": 2})
    stream = space.plane("/device:GPU:0").line(7, "Stream #7")
    stream.event("a", 5 * US, 3 * US).event("b", 60 * US, 3 * US)
    stream.event("c", 80 * US, 3 * US, stats={"correlation_id": 2})
    timeline = opened(space)
    assert why(timeline, 1) == "It is the first on its stream; the capture does not hold its launch."
    assert why(timeline, 2) == "It started 52 µs after `a` ended on its stream; the capture does not hold its launch."
    assert why(timeline, 3) == "It started 10 µs before its launch: the clocks of host and device differ."


def test_what_a_host_event_waited_for() -> None:
    timeline = gpu()
    assert why(timeline, 5) == (
        "It waited 44 µs for `MemcpyD2H` on Stream #8(MemcpyD2H), which ended 16 µs before it returned."
    )
    assert why(timeline, 1) == "It started 5 µs after `outer`, which it lies in."
    assert why(timeline, 3) == "It started 10 µs after `cuLaunchKernel` ended on its thread."
    assert why(timeline, 0) == "Nothing ran before it on its thread."


def test_the_kernel_of_a_launch() -> None:
    """The stream's name was written in small letters."""
    assert linked(ask(gpu(), event=2))[0] == (
        "kernel",
        6,
        "Started 15 µs after the call, on Stream #7(Compute).",
    )


def test_kernels_of_an_op_are_those_launched_within_it() -> None:
    assert linked(ask(gpu(), event=1)) == [
        (
            "kernel",
            6,
            "Launched by `cuLaunchKernel` within it; started 15 µs after the call, on Stream #7(Compute).",
        ),
        (
            "kernel",
            7,
            "Launched by `cuLaunchKernel` within it; started 32 µs after the call, on Stream #7(Compute).",
        ),
        ("parent", 0, "It encloses this one; it started 5 µs before."),
        ("next", 4, "After it on its thread; it started 10 µs later."),
    ]


def test_the_stack_around_a_launch_with_python_frames_of_another_line() -> None:
    space = Space()
    cpu = space.plane("/host:CPU").line(5, "python")
    cpu.event("op", 10, 50).event("cuLaunchKernel", 20, 10, stats={"correlation_id": 1})
    tracer = space.plane("/host:python-tracer")
    tracer.line(5, "python").event("$train.py:3 main", 0, 100).event("$model.py:9 call", 5, 60).event(
        "$x.py:1 f", 70, 5
    )
    tracer.line(6, "other").event("$other.py:1 g", 0, 100)
    space.plane("/device:GPU:0").line(7, "Stream #7").event("k", 40, 10, stats={"correlation_id": 1})
    timeline = opened(space)
    kernel = int(np.flatnonzero(launches_of(timeline).rows >= 0)[0])
    assert rows(ask(timeline, event=kernel), "stack", "name", "start_ps", "duration_ps", "kind") == [
        ("$train.py:3 main", 0, 100, "python"),
        ("$model.py:9 call", 5, 60, "python"),
        ("op", 10, 50, "event"),
        ("cuLaunchKernel", 20, 10, "event"),
    ]


def test_facts_of_a_kernel_and_of_a_copy() -> None:
    timeline = gpu()
    kernel = facts(ask(timeline, event=6))
    assert {key: kernel[key] for key in list(kernel)[9:]} == {
        "self_ps": str(35 * US),
        "category": "compute_other",
        "op": "dense/MatMul",
        "op_type": "MatMul",
        "launch_delay_ps": str(15 * US),
        "grid": "4,1,1",
        "block": "128,1,1",
        "registers": "32",
        "shared_bytes": "16",
        "occupancy_percent": "50.0",
        "launch": "2 cuLaunchKernel",
    }
    copy = facts(ask(timeline, event=8))
    keys = ("category", "source", "destination", "bytes", "gb_s")
    assert [copy[key] for key in keys] == ["copy_out", "device", "pinned", "40000", "2"]


def test_the_same_collective_on_another_device() -> None:
    space = Space()
    name = "ncclDevKernel_AllReduce_Sum_f32"
    space.plane("/device:GPU:0").line(7, "Stream #7").event(name, 10 * US, 40 * US).event(name, 60 * US, 10 * US)
    other = space.plane("/device:GPU:1").line(7, "Stream #7")
    other.event(name, 30 * US, 20 * US).event("gemm", 50 * US, 5 * US)
    assert linked(ask(opened(space), event=0)) == [
        ("next", 1, "After it on its stream; it started 10 µs later."),
        ("peer", 2, "The same collective on /device:GPU:1; it started 20 µs later and ended with it."),
    ]


def test_producers_and_consumers_in_a_circle() -> None:
    """Each says that the other caused it: both are told, and nobody follows them round and round."""
    space = Space()
    plane = space.plane("/host:CPU")
    plane.line(1, "a").event("one", 0, 10 * US, stats={"_pt": 1, "_p": 7, "_ct": 1, "_c": 8})
    plane.line(2, "b").event("two", 5 * US, 10 * US, stats={"_pt": 1, "_p": 8, "_ct": 1, "_c": 7})
    timeline = opened(space)
    assert linked(ask(timeline, event=1)) == [
        ("producer", 0, "It caused this one; it started 5 µs before."),
        ("consumer", 0, "Caused by this one; it started 5 µs earlier."),
    ]
    assert why(timeline, 1) == "It started 5 µs after `one` on a, which it is caused by."


def test_why_an_op_of_a_tpu_began_only_then() -> None:
    space = Space()
    space.plane("/host:CPU").line(1, "main").event(
        "DoEnqueueProgram", 5 * US, US, {"device_ordinal": 0, "queue_id": 0, "run_id": 4}
    )
    tpu = space.plane("/device:TPU:0")
    tpu.line(1, "XLA Modules").event("jit_f(1)", 20 * US, 60 * US, {"queue_id": 0, "run_id": 4})
    done = "%copy-done.9 = f32[8]{0:T(8)} copy-done((f32[8]{0:T(8)}, f32[8]{0:T(8)S(5)}, u32[]) %copy-start.2)"
    ops = tpu.line(2, "XLA Ops").event("%copy-start.2 = (f32[8], u32[]) copy-start(%p)", 22 * US, US)
    ops.event("%fusion.1 = f32[8] fusion(%p)", 25 * US, 10 * US).event(done, 36 * US, 20 * US)
    timeline = opened(space)
    assert [why(timeline, row) for row in (2, 3, 4)] == [
        "It is the first op of `jit_f(1)`, which started 2 µs before; main enqueued it 17 µs before.",
        "It started 2 µs after `%copy-start.2 = (f32[8], u32[]) copy-start(%p)` ended on its core.",
        "It waits for what `%copy-start.2 = (f32[8], u32[]) copy-start(%p)` started 14 µs before.",
    ]
    assert [row for kind, row, _ in linked(ask(timeline, event=4)) if kind == "waits_for"] == [2]


def test_events_that_overlap_without_lying_in_each_other() -> None:
    """What is drawn on another lane ran before, too."""
    space = Space()
    line = space.plane("/host:CPU").line(5, "python")
    line.event("a", 0, 10 * US).event("b", 5 * US, 10 * US).event("c", 16 * US, US)
    stream = space.plane("/device:GPU:0").line(7, "Stream #7")
    stream.event("k", 0, 10 * US).event("l", 5 * US, 10 * US)
    timeline = opened(space)
    assert [why(timeline, row) for row in (0, 1, 2, 4)] == [
        "Nothing ran before it on its thread.",
        "It started while `a` ran.",
        "It started 1 µs after `b` ended on its thread.",
        "It started while `k` ran on its stream; the capture does not hold its launch.",
    ]


def test_a_kernel_within_another_event_of_its_stream() -> None:
    space = Space()
    space.plane("/host:CPU").line(5, "python").event("cuLaunchKernel", 0, US, stats={"correlation_id": 1})
    stream = space.plane("/device:GPU:0").line(7, "Stream #7").event("outer", 2 * US, 50 * US)
    stream.event("k", 40 * US, 5 * US, stats={"correlation_id": 1})
    assert why(opened(space), 2) == "Launch latency 40 µs: its stream was still running `outer`."


def test_the_first_op_within_a_loop_is_not_the_programs_first() -> None:
    space = Space()
    tpu = space.plane("/device:TPU:0")
    tpu.line(1, "XLA Modules").event("jit_f(1)", 20 * US, 60 * US)
    tpu.line(2, "XLA Ops").event("while.1", 22 * US, 40 * US).event("fusion.1", 23 * US, 5 * US)
    assert [why(opened(space), row) for row in (1, 2)] == [
        "It is the first op of `jit_f(1)`, which started 2 µs before.",
        "It started 1 µs after `while.1`, which it lies in.",
    ]


def test_which_of_several_devices_a_call_waited_for_is_not_known() -> None:
    space = Space()
    space.plane("/host:CPU").line(5, "python").event("cuStreamSynchronize", 10 * US, 30 * US)
    space.plane("/device:GPU:0").line(7, "Stream #7").event("mine", 0, 20 * US)
    space.plane("/device:GPU:1").line(7, "Stream #7").event("other", 0, 38 * US)
    assert why(opened(space), 0) == (
        "It waited 28 µs, maybe for `other` on Stream #7 of /device:GPU:1, which ended 2 µs before it returned."
    )


def test_a_host_that_ran_thousands_of_short_events() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(5, "python").event("cuLaunchKernel", 0, US, stats={"correlation_id": 1})
    line.event("outer", 5 * US, 9000 * US)
    for i in range(8900):
        line.event("tiny", (6 + i) * US, US)
    line.event("cuLaunchKernel", 9100 * US, US, stats={"correlation_id": 2})
    stream = space.plane("/device:GPU:0").line(7, "Stream #7")
    stream.event("a", 2 * US, 2 * US, stats={"correlation_id": 1})
    stream.event("b", 9105 * US, US, stats={"correlation_id": 2})
    assert why(opened(space), 8904).endswith(": python ran `tiny` for 8.9 ms of that.")


@pytest.mark.parametrize(("between", "is_found"), [(4999, True), (5000, False)])
def test_the_start_of_an_op_is_looked_for_5000_events_back(between: int, is_found: bool) -> None:
    space = Space()
    line = space.plane("/device:TPU:0").line(2, "XLA Ops")
    line.event("%all-reduce-start.3 = f32[8] all-reduce-start(%p)", 0, 5)
    for i in range(between):
        line.event("%add.1 = f32[8] add(%p)", 10 + i, 1)
    line.event("%all-reduce-done.3 = f32[8] all-reduce-done(%all-reduce-start.3)", 10_000, 5)
    [finding] = ask(opened(space), event=between + 1).result.findings
    assert (finding.code == "why.asynchronous") is is_found


def test_20_frames_of_a_stack_are_told() -> None:
    frames = [event("python_function", f"a.py({i}): f{i}", i, 200 - 2 * i) for i in range(30)]
    timeline = pytorch([*frames, event("cpu_op", "aten::mm", 90, 1)])
    told = {key: value for _, key, value in rows(ask(timeline, event=row(timeline, "aten::mm")), "event")}
    assert told["python_stack"] == " ← ".join(f"a.py({i}): f{i}" for i in range(29, 9, -1))


def test_of_very_many_events_of_a_window_the_outermost_are_looked_at() -> None:
    """In which the others lie."""
    found = []
    for count in (19_999, 20_000):
        space = Space()
        line = space.plane("/host:CPU").line(1, "t").event("outer", 0, 1_000_000)
        for i in range(count):
            line.event("inner", 50 * i, 49)
        found.append(len(EventContext(opened(space)).within(0, 0, 1_000_000)))
    assert found == [20_000, 1]


def test_the_same_collective_is_looked_for_on_100_devices() -> None:
    """Its own is one."""
    space = Space()
    for i in range(120):
        space.plane(f"/device:GPU:{i}", id=i).line(7, "Stream #7").event("ncclDevKernel_AllReduce", 0, 10)
    assert [kind for kind, *_ in linked(ask(opened(space), event=0))].count("peer") == 99


def test_times_near_the_end_of_64_bits() -> None:
    far = (1 << 61) - 1
    space = Space()
    space.plane("/host:CPU").line(1, "t").event("whole", 0, far).event("cuStreamSynchronize", 1, far - 1)
    space.plane("/device:GPU:0").line(1, "Stream #1").event("k", 0, far).event("l", far - 1, 1)
    for place in range(4):
        found: Any = ask(opened(space), event=place).result
        assert len(found.tables["links"]["row"]) < 5


US = 1_000_000


def waited(wait_us: int, left_us: float) -> str:
    """Of a kernel that waited so long for another stream's, which ended so long before."""
    space = Space()
    space.plane("/host:CPU").line(5, "python").event("cuLaunchKernel", 0, 10 * US, stats={"correlation_id": 1})
    plane, start = space.plane("/device:GPU:0"), (10 + wait_us) * US
    other = int(start - left_us * US)
    plane.line(7, "Stream #7").event("k", start, 5 * US, stats={"correlation_id": 1})
    plane.line(8, "Stream #8").event("gemm", 11 * US, other - 11 * US)
    [finding] = ask(opened(space), event=1).result.findings
    return finding.code


@pytest.mark.parametrize(
    ("wait_us", "left_us", "code"),
    [
        # Right after: in the last quarter of a wait.
        (100, 24, "why.other_stream"),
        (100, 26, "why.stream_idle"),
        # Shortly: 3 µs, though that is more than a quarter of the wait.
        (8, 3, "why.other_stream"),
        (8, 3.1, "why.stream_idle"),
        # Not what ended as long before as it waited.
        (4, 2.9, "why.other_stream"),
        (3, 1.9, "why.stream_idle"),
    ],
)
def test_what_ended_before_it_started(wait_us: int, left_us: float, code: str) -> None:
    assert waited(wait_us, left_us) == code


@pytest.mark.parametrize(("share", "cause"), [(0.49, "launch latency"), (0.51, "launched late")])
def test_a_launch_in_a_gap(share: float, cause: str) -> None:
    assert share != MOST_OF_A_GAP.value
    space = Space()
    cpu = space.plane("/host:CPU").line(5, "python")
    cpu.event("cuLaunchKernel", 0, US, stats={"correlation_id": 1})
    cpu.event("cuLaunchKernel", int((10 + 100 * share) * US), US, stats={"correlation_id": 2})
    stream = space.plane("/device:GPU:0").line(7, "Stream #7")
    stream.event("a", 5 * US, 5 * US, stats={"correlation_id": 1})
    stream.event("b", 110 * US, 5 * US, stats={"correlation_id": 2})
    answer = ask(opened(space), area=True, start_ps=5 * US, end_ps=115 * US, tracks="1")
    assert rows(answer, "area_gaps", "cause") == [(cause,)]


@pytest.mark.parametrize(
    ("busy_us", "events", "code"),
    [
        (51, 1, "gap.other_stream"),
        (51, 3, "gap.other_stream.many"),
        (49, 1, "gap.launch_latency"),
    ],
)
def test_another_stream_in_a_gap(busy_us: int, events: int, code: str) -> None:
    space = Space()
    space.plane("/host:CPU").line(5, "python").event("cuLaunchKernel", 0, US, stats={"correlation_id": 2})
    plane = space.plane("/device:GPU:0")
    stream = plane.line(7, "Stream #7").event("a", 5 * US, 5 * US)
    stream.event("b", 110 * US, 5 * US, stats={"correlation_id": 2})
    other, each = plane.line(8, "Stream #8"), busy_us // events
    for i in range(events):
        other.event("gemm", (20 + i * (each + 1)) * US, each * US)
    answer = ask(opened(space), area=True, start_ps=5 * US, end_ps=115 * US, tracks="1").result
    [text] = answer.tables["area_gaps"]["text"]
    assert getattr(text, "code", "") == code


def test_a_node_is_linked_to_those_that_made_its_inputs() -> None:
    """Of several runs of one, to the last that had begun."""
    cpu = "/device:CPU:0"
    nodes = [node("x", at, 1, "x = Const()") for at in (0, 5)] + [node("net/Relu", 3, 4, "net/Relu = Relu(x)")]
    nodes += [node("net/LRN", 8, 5, "net/LRN = LRN(net/Relu, ^x, ghost:1)"), node("x", 20, 1, "x = Const()")]
    timeline = Timeline(read_bytes(run_metadata({cpu: nodes}), "run_metadata.pb"), "h")
    [lrn] = [i for i in range(len(timeline.capture.events)) if timeline.capture.event_name(i) == "net/LRN:LRN"]
    found = [(kind, timeline.capture.event_name(to), text) for kind, to, text in linked(ask(timeline, event=lrn))]
    assert [each for each in found if each[0] == "producer"] == [
        ("producer", "net/Relu:Relu", "It made an input of this one; it started 5 µs before."),
        ("producer", "x:Const", "It made an input of this one; it started 3 µs before."),
    ]
