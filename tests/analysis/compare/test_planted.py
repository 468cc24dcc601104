"""Built programs with a change of known cost, each captured twice → how much longer a step takes, and what did it."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tests.build_capture import Plane, Space, StatValue
from tests.timeline.timelines import timeline
from tests.tools.answered import rows_of
from tests.tools.compare.sides import US, compared

STEPS = 12


@dataclasses.dataclass(frozen=True)
class Program:
    """A step: input, a copy in, kernels, an all-reduce, Python; all in µs, one after another, each a little longer or
    shorter every time. grows: bytes of memory that a step keeps."""

    input: float = 40.0
    copy: float = 20.0
    copies: int = 1
    kernel: float = 30.0
    kernels: int = 6
    name: str = "volta_sgemm_128x64_nn"
    reduce: float = 25.0
    compile: float = 0.0
    python: float = 15.0
    grows: int = 0

    @property
    def us(self) -> float:
        device = self.copy * self.copies + self.kernel * self.kernels + self.reduce
        return self.input + device + self.compile + self.python

    def with_(self, **changes: Any) -> Program:
        return dataclasses.replace(self, **changes)


class _Writer:
    """One after another, with noise."""

    def __init__(self, seed: int) -> None:
        self.random, self.at = np.random.default_rng(seed), 0

    def event(self, line: Any, name: str, us: float, stats: dict[str, Any] | None = None) -> None:
        ps = round(us * US * (1 + 0.01 * self.random.standard_normal()))
        if ps > 0:
            line.event(name, self.at, ps, stats or {})
            self.at += ps


def ran(program: Program, seed: int, host: str = "h", waits: float = 0.0) -> Timeline:
    """waits: how much longer its all-reduces take since another host comes later."""
    space, writer = Space(), _Writer(seed)
    cpu, gpu = space.plane("/host:CPU"), space.plane("/device:GPU:0")
    python, stream = cpu.line(1, "python"), gpu.line(7, "Stream #7(Compute)")
    for number in range(STEPS + 1):
        begin = writer.at
        writer.event(python, "IteratorGetNext:IteratorGetNext", program.input)
        writer.event(python, "backend_compile", program.compile)
        for _ in range(program.copies):
            writer.event(stream, "MemcpyH2D", program.copy)
        for _ in range(program.kernels):
            writer.event(stream, program.name, program.kernel)
        writer.event(stream, "ncclDevKernel_AllReduce_Sum_f32", program.reduce + waits)
        writer.at += round(program.python * US)
        python.event("train", begin, writer.at - begin - US, {"step_num": number, "_r": 1})
        _memory(cpu, number, begin, program.grows)
    return timeline(space, host)


def _memory(cpu: Plane, number: int, at: int, grows: int) -> None:
    """An allocation a step, of which nothing is freed."""
    if grows:
        live = 1_000_000 + grows * number
        stats: dict[str, StatValue] = {
            "allocator_name": "GPU_0_bfc",
            "bytes_allocated": live,
            "peak_bytes_in_use": live,
            "bytes_reserved": 0,
        }
        stats |= {"allocation_bytes": grows, "requested_bytes": grows, "bytes_available": 10**9, "address": number + 1}
        cpu.lines[0].event("MemoryAllocation", at, 0, stats)


BASE = Program()
#: Name → what is changed, and the category that is to be first.
PLANTED: dict[str, tuple[Program, str]] = {
    "slower input": (BASE.with_(input=90.0), "input_wait"),
    "one more op": (BASE.with_(kernels=7), "compute_32bit"),
    "a bigger batch": (BASE.with_(kernel=60.0, copy=40.0, input=80.0), "compute_32bit"),
    "another precision": (BASE.with_(kernel=15.0, name="ampere_h16816gemm_256x128"), "compute_32bit"),
    "a new copy": (BASE.with_(copies=3), "copy_in"),
    "a recompilation": (BASE.with_(compile=500.0), "compilation"),
    "a slower link": (BASE.with_(reduce=60.0), "collective"),
    "slower Python": (BASE.with_(python=55.0), "python"),
}
#: Of a program against itself: what is called otherwise, and what only fills memory, takes no longer.
UNCHANGED = {
    "nothing": BASE,
    "another name": BASE.with_(name="volta_sgemm_64x64_nn"),
    "a leak": BASE.with_(grows=100_000),
}


def pair(planted: Program, seed: int, swapped: bool = False) -> Answer:
    """Two captures of each."""
    base, new = ([ran(program, seed + i + 10 * side) for i in range(2)] for side, program in enumerate((BASE, planted)))
    return compared(new, base) if swapped else compared(base, new)


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("name", PLANTED)
@pytest.mark.parametrize("seed", [1, 2])
def test_what_was_planted_is_found(name: str, seed: int, swapped: bool) -> None:
    planted, category = PLANTED[name]
    answer = pair(planted, 100 * seed, swapped)
    cost_ms = (planted.us - BASE.us) / 1000 * (-1 if swapped else 1)
    summary = answer.result.summary
    assert summary["step_time_change_ms"] == pytest.approx(cost_ms, rel=0.1)
    assert summary["verdict"] == ("slower" if cost_ms > 0 else "faster")
    categories = rows_of(answer, "categories", "category", "change_ms")
    assert max(categories, key=lambda row: row[1] / cost_ms)[0] == category
    if name != "another precision":
        assert rows_of(answer, "ops", "category")[0] == (category,)


@pytest.mark.parametrize("name", UNCHANGED)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_costs_nothing_is_no_change(name: str, seed: int) -> None:
    answer = pair(UNCHANGED[name], 100 * seed)
    assert answer.result.findings[0].code == "compare.noise"


def test_a_leak_is_memory_s_first_row() -> None:
    answer = compared([ran(BASE.with_(grows=1), 1)], [ran(BASE.with_(grows=100_000), 1)])
    [(system, change)] = rows_of(answer, "memory", "name", "change_bytes")
    assert (system, change) == ("GPU_0_bfc", STEPS * 99_999)


@pytest.mark.parametrize("late", ["a", "b"])
def test_a_slower_rank_is_the_host_of_the_change(late: str) -> None:
    """One computes 60 µs longer, the other waits as long for it."""
    base = [ran(BASE, seed, host) for seed, host in ((1, "a"), (2, "b"))]
    slow = BASE.with_(kernel=40.0)
    new = [ran(slow, 3, h) if h == late else ran(BASE, 4, h, waits=60.0) for h in ("a", "b")]
    answer = compared(base, new, together=True)
    assert answer.result.summary["step_time_change_ms"] == pytest.approx(0.06, rel=0.1)
    first, other = rows_of(answer, "hosts", "name", "own_change_ms")
    assert first == (late, pytest.approx(0.06, rel=0.1))
    assert abs(other[1]) < 0.005
