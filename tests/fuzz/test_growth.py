"""Captures with many of a thing: each more takes as much work to decode, and to answer every tool, as one before.

Work is counted by line of the package, how often it is executed, which no other program on the machine changes: in a
sum over all lines one loop within a loop is lost. What numpy and compiled loops do in one line counts once.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from types import CodeType, FrameType
from typing import Any

import pytest

import tensorboard_perfplugin
from tensorboard_perfplugin import decode
from tensorboard_perfplugin.tables import Capture
from tensorboard_perfplugin.timeline import timeline
from tests.build_capture import Space, StatValue
from tests.decode.perfetto_traces import event, number, packet, part, track
from tests.fuzz.checks import checked

NONE, FEW, MANY = 2, 14, 40
#: How much more often each of the later ones may have a line executed than each of the first; of n² times that is 3.5.
MOST_TIMES = 2
#: Of a line that only many reach each may have it executed so often; of n² / 2 times that is 27.
MOST_OF_NEW = 10
_PACKAGE = os.path.dirname(tensorboard_perfplugin.__file__) + os.sep
#: More than what all tools derive of one timeline.
DERIVED = 200

Built = Callable[[int], bytes]


def _host_planes(count: int) -> bytes:
    space = Space()
    for i in range(count):
        space.plane(f"/host:{i}").line(1, "python").event("op", i, 5)
    return space.bytes()


def _empty_gpus(count: int) -> bytes:
    space = Space()
    for i in range(count):
        space.plane(f"/device:GPU:{i}")
    return space.bytes()


def _gpus_that_copy(count: int) -> bytes:
    space = Space()
    space.plane("/host:CPU").line(1, "python").event("train", 0, 9_000, {"_r": 1, "step_num": 0})
    for i in range(count):
        space.plane(f"/device:GPU:{i}").line(1, "Stream #1").event("kernel", 3_000, 500).event("MemcpyH2D", 2_000, 900)
    return space.bytes()


def _tpus(count: int) -> bytes:
    space = Space()
    for i in range(count):
        plane = space.plane(f"/device:TPU:{i}")
        plane.line(1, "Steps").event("0", 0, 5_000, {"group_id": 0})
        plane.line(2, "XLA Ops").event("%fusion.1 = f32[] fusion()", 1_000, 500)
    return space.bytes()


def _streams_and_threads(count: int) -> bytes:
    space = Space()
    host, device = space.plane("/host:CPU"), space.plane("/device:GPU:0")
    for i in range(count):
        host.line(i, f"thread {i}").event("op", 10 * i, 50)
        device.line(i, f"Stream #{i}").event("kernel", 10 * i, 50)
    return space.bytes()


def _names_steps_and_stats(count: int) -> bytes:
    space = Space()
    thread, device = space.plane("/host:CPU").line(1, "python"), space.plane("/device:GPU:0")
    stream = device.line(1, "Stream #1")
    for i in range(count):
        thread.event("train", 1_000 * i, 900, {"_r": 1, "step_num": i})
        thread.event("cudaLaunchKernel", 1_000 * i + 10, 20, {"correlation_id": i + 1})
        facts: dict[str, StatValue] = {
            "correlation_id": i + 1,
            f"key {i}": i,
            "program_id": i + 1,
            "hlo_op": f"fusion.{i}",
        }
        stream.event(f"kernel_{i}", 1_000 * i + 100, 500, facts)
    return space.bytes()


def _programs(count: int) -> bytes:
    space = Space()
    plane = space.plane("/device:TPU:0")
    modules, ops, listed = plane.line(1, "XLA Modules"), plane.line(2, "XLA Ops"), space.plane("/host:metadata")
    for i in range(1, count):
        listed.kind(f"jit_f{i}({i})")
        modules.event(f"jit_f{i}({i})", 1_000 * i, 900, {"run_id": i})
        ops.event(f"%fusion.{i} = f32[] fusion()", 1_000 * i, 400, {"program_id": i})
    return space.bytes()


def _collectives(count: int) -> bytes:
    space = Space()
    for device in range(2):
        stream = space.plane(f"/device:GPU:{device}").line(1, "Stream #1")
        for i in range(count):
            stream.event("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 1_000 * i, 500, {"correlation_id": i})
    return space.bytes()


def _allocators(count: int) -> bytes:
    space = Space()
    thread = space.plane("/host:CPU").line(1, "python")
    sizes = dict.fromkeys(("bytes_allocated", "allocation_bytes", "requested_bytes", "peak_bytes_in_use"), 100)
    for i in range(count):
        facts: dict[str, StatValue] = {"allocator_name": f"GPU_{i}_bfc", "address": i, "tf_op": f"op{i}", **sizes}
        facts["bytes_available"] = 10**6
        thread.event("MemoryAllocation", 100 * i, 0, facts)
    return space.bytes()


def _trace(events: list[dict[str, Any]]) -> bytes:
    return json.dumps({"schemaVersion": 1, "traceEvents": events}).encode()


def _slice(**facts: Any) -> dict[str, Any]:
    return {"ph": "X", "pid": 1, "tid": 1, "name": "op", "ts": 1, "dur": 1, **facts}


def _processes(count: int) -> bytes:
    named = [{"ph": "M", "name": "process_name", "pid": i, "args": {"name": f"rank {i}"}} for i in range(count)]
    return _trace([*named, *(_slice(pid=i, ts=i) for i in range(count))])


def _kineto_gpus(count: int) -> bytes:
    kernels = (_slice(cat="kernel", pid=i, args={"device": i, "stream": 7, "correlation": i}) for i in range(count))
    return _trace([_slice(cat="cpu_op", name="aten::mm"), *kernels])


def _flows_and_counters(count: int) -> bytes:
    events = [_slice(ts=2 * i, args={f"key {i}": i}) for i in range(count)]
    for i in range(count):
        events.append({"ph": "s", "id": i, "pid": 1, "tid": 1, "ts": 2 * i, "name": "f", "cat": "c"})
        events.append({"ph": "f", "id": i, "pid": 1, "tid": 2, "ts": 2 * i + 1, "name": "f", "cat": "c", "bp": "e"})
        events.append({"ph": "C", "pid": 1, "name": f"counter {i}", "ts": i, "args": {"v": i}})
    return _trace(events)


def _strings_interned_anew(count: int) -> bytes:
    parts = [track(1, process=(7, "app")) + track(2, 1, thread=(7, 7, "main"))]
    for i in range(count):
        interned = part(12, part(2, number(1, 1) + part(2, f"name{i}")))
        parts.append(packet(event(1, 2, "", None, number(10, 1)) + interned, at=10 * i, flags=1))
        parts.append(packet(event(2, 2, ""), at=10 * i + 5))
    return b"".join(parts)


KINDS: Mapping[str, tuple[str, Built]] = {
    "planes": ("h.xplane.pb", _host_planes),
    "empty GPUs": ("h.xplane.pb", _empty_gpus),
    "GPUs that copy": ("h.xplane.pb", _gpus_that_copy),
    "TPUs": ("h.xplane.pb", _tpus),
    "streams and threads": ("h.xplane.pb", _streams_and_threads),
    "names, steps and stats": ("h.xplane.pb", _names_steps_and_stats),
    "programs": ("h.xplane.pb", _programs),
    "collectives": ("h.xplane.pb", _collectives),
    "allocators": ("h.xplane.pb", _allocators),
    "processes": ("h.json", _processes),
    "GPUs of PyTorch": ("h.pt.trace.json", _kineto_gpus),
    "flows and counters": ("h.json", _flows_and_counters),
    "strings interned anew": ("h.pftrace", _strings_interned_anew),
}


@pytest.mark.parametrize("kind", list(KINDS))
def test_work_grows_as_the_file_does(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With room for as many derived facts as there are, so that what is kept of each of many shows already at few."""
    monkeypatch.setattr(timeline, "_DERIVED", DERIVED)
    assert _growing(*KINDS[kind]) == {}


Line = tuple[str, int]


def _growing(name: str, built: Built) -> dict[Line, tuple[int, int, int]]:
    """The lines that are executed more often for each of many, and how often of none, few and many."""
    checked(decode.read_bytes(built(NONE), name))
    none, few, many = (_executed(name, built(count)) for count in (NONE, FEW, MANY))
    return {
        line: (none[line], few[line], count)
        for line, count in many.items()
        # Of what an answer takes without any of them, the cells of its tables, twice as much is no growth.
        if count - few[line] > 2 * none[line]
        and (count - few[line]) / (MANY - FEW)
        > MOST_OF_NEW + MOST_TIMES * max(few[line] - none[line], 0) / (FEW - NONE)
    }


def _executed(name: str, data: bytes) -> Counter[Line]:
    """How often each line of the package is executed to decode a file and answer every tool."""
    # By id: the hash of code goes through its constants. It is kept, so that no other has its id.
    tracers: dict[int, tuple[CodeType, Callable[..., Any] | None]] = {}
    executed: dict[str, Counter[int]] = {}

    def tracer_of(file: str) -> Callable[..., Any]:
        lines = executed.setdefault(file, Counter())

        def trace(frame: FrameType, event: str, _: object) -> Callable[..., Any]:
            if event == "line":
                lines[frame.f_lineno] += 1
            return trace

        return trace

    def called(frame: FrameType, _: str, __: object) -> Callable[..., Any] | None:
        code = frame.f_code
        known = tracers.get(id(code))
        if known is None:
            file = code.co_filename
            known = tracers[id(code)] = code, tracer_of(file) if file.startswith(_PACKAGE) else None
        return known[1]

    before = sys.gettrace()
    sys.settrace(called)
    try:
        checked(decode.read_bytes(data, name))
    finally:
        sys.settrace(before)
    places = {file: file.removeprefix(_PACKAGE) for file in executed}
    return Counter({(places[file], line): n for file, lines in executed.items() for line, n in lines.items()})


#: All planes for each plane, with a call inside, without one, with half as many turns, and on one line.
PLANTED = {
    "calls": "for i in range(n):\n    for j in range(n):\n        abs(j)",
    "no calls": "for i in range(n):\n    for j in range(n):\n        i = j",
    "pairs": "for i in range(n):\n    for j in range(i):\n        i = j",
    "on one line": "[i for i in range(n) for j in range(n)]",
}


@pytest.mark.parametrize("loop", PLANTED.values(), ids=PLANTED)
def test_a_loop_within_a_loop_is_growth(loop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read, code = decode.read_bytes, compile(loop, f"{_PACKAGE}planted.py", "exec")

    def planted(data: bytes, name: str) -> Capture:
        capture = read(data, name)
        exec(code, {"n": len(capture.planes)})
        return capture

    monkeypatch.setattr(decode, "read_bytes", planted)
    monkeypatch.setattr(timeline, "_DERIVED", DERIVED)
    assert {file for file, _ in _growing(*KINDS["empty GPUs"])} == {"planted.py"}
