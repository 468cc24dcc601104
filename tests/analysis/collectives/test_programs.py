"""Collectives of XLA programs: what the instruction in the capture says of kind, devices and bytes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tensorboard_perfplugin.analysis.collectives.calls import Group, What, calls
from tensorboard_perfplugin.analysis.collectives.matching import MatchedCalls, WaitedFor, collective_sums
from tensorboard_perfplugin.analysis.collectives.negotiations import Arrivals, late_rank
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import pod_viewer
from tensorboard_perfplugin.tools.pod_viewer import POD_VIEWER
from tests.build_capture import Space, StatValue, Uint, chunk, number
from tests.build_program import computation, instruction, packed, program, shape, tuple_of
from tests.timeline.timelines import timeline
from tests.tools.collectors import H100, Cuda, details, xla
from tests.tools.devices.test_devices import trained

US = 1000
#: A kernel's name that tells nothing, as RCCL has them.
GENERIC = "ncclDevKernel_Generic_4(ncclDevKernelArgsStorage<4096ul>)"
PART, WHOLE = shape("f32", 256, 8), shape("f32", 1024, 8)
TWO_BY_TWO = packed(1, (0, 1)), packed(1, (2, 3))
#: CollectiveDeviceListProto: `{{0,1},{2,3}}`, and `[4,2]<=[2,4]T(1,0)`.
LISTED = chunk(87, b"".join(chunk(1, one) for one in TWO_BY_TWO))
COUNTED = chunk(87, chunk(2, number(1, 4) + number(2, 2) + packed(3, (2, 4)) + packed(4, (1, 0))))
OLD = b"".join(chunk(49, one) for one in TWO_BY_TWO)


def ran(*instructions: bytes, name: str) -> Timeline:
    """A kernel of NCCL that runs one instruction of a program."""
    cuda = Cuda(H100, 1)
    few = details("24,1,1", "512,1,1", 25, 96)
    run = xla("jit_f", 7, name, "jit(f)/shard_map")
    cuda.launch(0, 20, GENERIC, (10 * US, 12 * US), (20 * US, 40 * US), few, run, 25.0)
    body = computation(
        9, [instruction(1, "x", "parameter", PART), instruction(2, "y", "parameter", WHOLE), *instructions]
    )
    told: dict[str, StatValue] = {"Hlo Proto": program(body, entry=9, name="jit_f"), "program_id": 7}
    cuda.space.plane("/host:metadata").kind("jit_f(7)", stats=told)
    return timeline(cuda.space)


@pytest.mark.parametrize(
    ("one", "kind", "ranks", "size", "carried"),
    [
        (instruction(5, "c.1", "all-reduce", PART, (1,)) + LISTED, "all-reduce", "{{0,1},{2,3}}", 2, 8192),
        (instruction(5, "c.1", "all-reduce-start", PART, (1,)) + OLD, "all-reduce", "{{0,1},{2,3}}", 2, 8192),
        (
            instruction(5, "c.1", "all-gather-start", tuple_of(PART, WHOLE), (1,)) + COUNTED,
            *("all-gather", "[4,2]<=[2,4]T(1,0)", 2, 32768),
        ),
        (instruction(5, "c.1", "reduce-scatter", PART, (2,)) + LISTED, "reduce-scatter", "{{0,1},{2,3}}", 2, 32768),
        (instruction(5, "c.1", "all-to-all", tuple_of(PART, PART), (1, 1)), "all-to-all", "", 0, 16384),
        (
            instruction(5, "c.1", "collective-permute-start", tuple_of(PART, PART), (1,)),
            "collective-permute",
            "",
            0,
            8192,
        ),
    ],
)
def test_an_instruction_tells_what_its_kernel_exchanges(
    one: bytes, kind: str, ranks: str, size: int, carried: int
) -> None:
    found = calls(ran(one, name="c.1"))
    assert [(what.kind, *what.group) for what in found.whats] == [(kind, "", ranks, size)]
    assert found.bytes.tolist() == [carried]


def test_an_instruction_that_no_program_holds_leaves_the_name() -> None:
    found = calls(ran(name="c.1"))
    assert ([what.kind for what in found.whats], found.bytes.tolist()) == (["other"], [-1])


def test_eight_gpus_of_one_host() -> None:
    """GPU g's part of the four all-reduces of 32 MiB takes 1182 − 20·g µs, so that the last GPU comes last."""
    options = POD_VIEWER.parse({})
    found = POD_VIEWER.combine([POD_VIEWER.per_host(trained(), options)], options)
    names = ("kind", "workers", "count", "bytes", "collective_count", "skew_us", "last_worker", "algorithm_gb_s")
    row = [found.tables["collectives"][name][0] for name in names]
    assert row == ["all-reduce", 8, 32, 32 * 2**25, 4, 140.0, "h/GPU:7", pytest.approx(2**25 / 1042e3)]


MICRO = 10**6


def rank(number: int, begins_us: int) -> Space:
    """One step that ends after 100 µs, of which 20 compute; its collective ends when all others' do, at 95 µs."""
    space = Space(hostnames=[f"w{number}"])
    line = space.plane("/host:CPU").line(1, "python")
    line.event("train", begins_us * MICRO, (100 - begins_us) * MICRO, stats={"step_num": 1, "_r": 1})
    stream = space.plane("/device:GPU:0", id=1).line(7, "Stream #7(Compute)")
    stream.event("gemm", (begins_us + 5) * MICRO, 20 * MICRO)
    stream.event("ncclDevKernel_AllReduce_Sum_f32_RING_LL", (begins_us + 25) * MICRO, (70 - begins_us) * MICRO)
    space.plane("Task Environment", stats={"profile_start_time": Uint(1_800_000_000_000_000_000)})
    return space


@pytest.mark.parametrize(("late_us", "said"), [(16, True), (9, False)])
def test_a_worker_that_begins_late_is_told_although_it_works_no_longer(late_us: int, said: bool) -> None:
    """The others waited five milliseconds for a rank that began late, and another was called the straggler."""
    options = POD_VIEWER.parse({})
    parts = [POD_VIEWER.per_host(timeline(rank(i, late_us * (i == 2)), f"w{i}"), options) for i in range(3)]
    findings = POD_VIEWER.combine(parts, options).findings
    assert [f.params["worker"] for f in findings if f.code == "last_comer"] == (["w2/GPU:0"] if said else [])
    if said:
        assert findings[0].code == "last_comer"
        assert findings[0].params["wait_ps"] == late_us * MICRO


@pytest.mark.parametrize(("last", "said"), [(50, True), (49, False)])
def test_who_comes_last_to_half_of_the_collectives_is_told(
    last: int, said: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pod_viewer, "waited_for", lambda together: WaitedFor(2, last, 100, 100 * MICRO))
    options = POD_VIEWER.parse({})
    parts = [POD_VIEWER.per_host(timeline(rank(i, 0), f"w{i}"), options) for i in range(3)]
    findings = POD_VIEWER.combine(parts, options).findings
    assert [f.params["last"] for f in findings if f.code == "last_comer"] == ([last] if said else [])


def test_a_rank_is_late_by_more_than_a_cycle_to_half_of_all() -> None:
    """Late, seldom, and within a cycle."""
    found = []
    for last, late_ps in ((5, 10**9 + 1), (4, 10**9 + 1), (5, 10**9)):
        columns = ([0, 0], [0, 1], [10, 10], [0, last], [0, 10 * late_ps])
        rank = late_rank(Arrivals(*(np.array(column, np.int64) for column in columns)), 10)
        found.append(rank and rank.rank)
    assert found == [1, None, None]


def all_reduces(spans_ps: Sequence[Sequence[int]]) -> MatchedCalls:
    """spans_ps: how long each takes, worker by worker."""
    spans = np.array(spans_ps, np.int64)
    ones, workers = spans.shape
    one, worker = np.arange(spans.size) // workers, np.arange(spans.size) % workers
    span, none = spans.ravel(), np.zeros(spans.size, np.int64)
    shortest = np.repeat(spans.min(axis=1), workers)
    labels = tuple(f"w{i}" for i in range(workers))
    times = span, span, none, none > 0, none, none, none, none
    whats = (What("all-reduce", Group("0", "", workers)),)
    return MatchedCalls(whats, one // ones, worker, none, *times, one, shortest, labels, (0,))


@pytest.mark.parametrize(
    ("spans", "late"),
    [
        ([[1000, 979]] * 4, "w1"),
        ([[1000, 981]] * 4, None),
        ([[9, 1, 9], [9, 1, 9], [1, 9, 9], [9, 9, 1]], "w1"),
        ([[9, 1, 9], [9, 1, 9], [1, 9, 9], [1, 9, 9], [9, 9, 1]], None),
    ],
)
def test_a_worker_is_late_to_half_of_a_rows_calls_by_two_percent_of_them(
    spans: list[list[int]], late: str | None
) -> None:
    [row] = collective_sums(all_reduces(spans))
    assert row.arrival is not None
    assert row.arrival.last == late
