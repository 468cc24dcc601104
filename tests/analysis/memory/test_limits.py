"""Memory just below and just above each number that decides."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tensorboard_perfplugin.analysis.memory import driver, memory_events
from tensorboard_perfplugin.analysis.memory.events import Events, SystemName
from tensorboard_perfplugin.analysis.memory.growth import StepUse, growth
from tensorboard_perfplugin.analysis.memory.recorded import recorded
from tensorboard_perfplugin.analysis.memory.series import series
from tensorboard_perfplugin.tables import RECORDED_PEAK
from tests.advice.rules.memory.facts import system
from tests.build_capture import Space, StatValue
from tests.decode.pprofs import Pprof
from tests.timeline.timelines import timeline
from tests.tools.answered import rows_of
from tests.tools.host_steps import steps
from tests.tools.memory import answer_of, memory
from tests.tools.memory_profile.test_stacks import ask


def use(lowest: Sequence[int], kept: Sequence[int] = ()) -> StepUse:
    """Least in use in each whole step, and what it keeps: by default 10 bytes; one more step does not count."""
    n = len(lowest)
    none = np.zeros(n + 1, np.int64)
    columns = np.array([*lowest, 0], np.int64), np.array([*(kept or [10] * n), 0], np.int64)
    of = steps(range(n + 1), n + 1)
    return StepUse(of, none, none, columns[0], none, none, none, none, none, columns[1])


@pytest.mark.parametrize(
    ("lowest", "kept", "confidence"),
    [
        ([0, 10, 20, 30, 40], [], "medium"),
        ([0, 10, 20, 30, 40, 50], [], "high"),
        ([0, 10, 20, 30, 40, 50], [90, 10, 10, 10, 90, 90], "high"),
        ([0, 10, 9, 19, 18, 28, 38, 48, 58, 68, 78], [], "high"),
        ([0, 10, 9, 19, 18, 28, 27, 37, 47, 57, 67], [], "medium"),
        ([0, 10, 9, 19, 18, 28, 27, 37, 36, 46, 45], [], "none"),
        ([0, 10, 20, 30, 20, 22], [], "none"),
        ([0, -20, -20, -20, -10, -10, -10, -10, -10, -5], [1] * 10, "high"),
        ([0, 0, 10, 10, -10, -10, -10, 10, 10, 50], [1] * 10, "none"),
        ([0, 100, 200, 300, 400, 500, 600, 625, 650], [100] * 9, "high"),
        ([0, 100, 200, 300, 400, 500, 600, 624, 648], [100] * 9, "none"),
        ([0, 10, 20, 30, 40, 50], [20] * 6, "high"),
        ([0, 10, 20, 30, 40, 50], [21] * 6, "low"),
        ([0, 10, 20, 30, 40, 50], [5] * 6, "high"),
        ([0, 10, 20, 30, 40, 50], [4] * 6, "low"),
    ],
    ids=[
        "5 steps",
        "6 steps",
        "the last two may free later",
        "80 % rise",
        "70 % rise",
        "50 % rise",
        "not in the last three",
        "3.6 times the noise",
        "1.6 times the noise",
        "a quarter of the pace at last",
        "24 % of the pace at last",
        "twice is kept",
        "more than twice is kept",
        "half is kept",
        "less than half is kept",
    ],
)
def test_growth_is_sure(lowest: list[int], kept: list[int], confidence: str) -> None:
    assert growth(use(lowest, kept)).confidence == confidence


@pytest.mark.parametrize(("count", "all_"), [(200, True), (201, False)])
def test_growth_compares_200_steps(count: int, all_: bool) -> None:
    lowest = np.random.default_rng(7).integers(0, 10**6, count)
    a, b = np.triu_indices(count, 1)
    slope = float(np.median((lowest[b] - lowest[a]) / (b - a)))
    assert (growth(use(lowest.tolist())).slope == slope) is all_


def test_events_of_one_instant_change_places_eight_times() -> None:
    """What reaches a level of 10 bytes comes before what leaves it as it is."""
    n = 30
    heap, size, none = np.full(n, 10), np.append(np.zeros(n - 1, np.int64), 10), np.zeros(n, np.int64)
    yes, number, op = np.ones(n, bool), np.arange(n), np.zeros(n, np.int32)
    events = Events(
        number, none, yes, number, yes, size, size, heap, none, none, heap, np.zeros(n), op, none, none, none
    )
    assert series(SystemName("a", "gpu"), events).size.argmax() == n - 1 - 8


@pytest.mark.parametrize(("length", "size"), [(200, 12), (201, 1)])
def test_200_characters_of_what_a_driver_says_are_read(length: int, size: int) -> None:
    space = Space()
    line = space.plane("/device:GPU:0").line(1, "calls")
    line.event("cuMemAlloc", 0, 10, {"memalloc_details": "kind:device num_bytes:12".rjust(length)})
    [(_, _, events)] = driver.events(timeline(space))
    assert events.size.tolist() == [size]


@pytest.mark.parametrize(("size", "known"), [(1 << 60, 1 << 60), ((1 << 60) + 1, -1)])
def test_sizes_up_to_an_exbibyte_are_believed(size: int, known: int) -> None:
    space, gpu = memory()
    gpu.allocate(1, 0x10, size)
    [(_, events)] = memory_events(timeline(space)).systems
    assert events.size.tolist() == [known]
    space = at_peak(size)
    [live] = recorded(timeline(space).capture)["a"]
    assert live.total == max(known, 0)


def at_peak(size: int) -> Space:
    """A row that TensorFlow recorded at the peak."""
    told: dict[str, StatValue] = {RECORDED_PEAK: 1, "allocator_name": "a", "tf_op": "op", "allocation_bytes": size}
    space = Space()
    space.plane("/host:CPU").line(1, "memory").event("live", None, 0, told, occurrences=1)
    return space


@pytest.mark.slow
def test_100_000_rows_that_were_recorded_at_a_peak_are_read() -> None:
    space = at_peak(7)
    space.planes[0].lines[0].events *= 100_001
    assert len(recorded(timeline(space).capture)["a"]) == 100_000


@pytest.mark.parametrize(("peak", "interest"), [(4999, 0.0), (5000, 0.5)])
def test_how_near_the_capacity_is_counts_from_its_half_on(peak: int, interest: float) -> None:
    assert system(peak_bytes=peak).interest == (True, interest, peak)


def test_each_range_of_lifetimes_begins_with_its_bound() -> None:
    """Two allocations to each bound: one lives as long, the other a picosecond less."""
    space, gpu = memory()
    for i in range(8):
        for j, lived_us in enumerate((10**i, 10**i - 1e-6)):
            gpu.allocate(0, 2 * i + j, 8)
            gpu.free_(lived_us, 2 * i + j, 8)
    found = rows_of(answer_of(space), "lifetimes", "shortest_us", "longest_us", "allocations")
    bounds = [0, 1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, None]
    assert found[:9] == list(zip(bounds, bounds[1:], [1, 2, 2, 2, 2, 2, 2, 2, 1], strict=False))


@pytest.mark.parametrize(("frames", "cut"), [(1998, None), (1999, 1)])
def test_2000_calls_within_each_other_are_kept(frames: int, cut: int | None) -> None:
    """The outermost two are the device and the kind."""
    profile = Pprof()
    profile.sample(1, [f"f a.py:{i}" for i in range(frames)], kind="buffer", device="cuda:0")
    assert ask(profile).result.findings[0].params["cut"] == cut
