"""What grows from step to step, sizes and lifetimes, just below and just above each number that decides."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tensorboard_perfplugin.analysis.memory.events import memory_events
from tensorboard_perfplugin.analysis.memory.series import recorded
from tensorboard_perfplugin.analysis.memory.systems import StepUse, growth
from tensorboard_perfplugin.tables import RECORDED_PEAK
from tests.advice.rules.memory.facts import system
from tests.build_capture import Space, StatValue
from tests.timeline.timelines import timeline
from tests.tools.answered import rows_of
from tests.tools.host_steps import steps
from tests.tools.memory import answer_of, memory


def use(lowest: Sequence[int], kept: Sequence[int] = ()) -> StepUse:
    """Least in use in each whole step, and what it keeps: by default 10 bytes; one more step does not count."""
    n = len(lowest)
    none = np.zeros(n + 1, np.int64)
    columns = np.array([*lowest, 0], np.int64), np.array([*(kept or [10] * n), 0], np.int64)
    of = steps(range(n + 1), n + 1)
    return StepUse(of, none, none, columns[0], none, none, none, none, none, columns[1])


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


#: Least in use in each step, what each keeps (by default 10 bytes), and how sure it is that it grows.
GROWTH: dict[str, tuple[list[int], list[int], str]] = {
    "5 steps": ([0, 10, 20, 30, 40], [], "medium"),
    "6 steps": ([0, 10, 20, 30, 40, 50], [], "high"),
    "the last two may free later": ([0, 10, 20, 30, 40, 50], [90, 10, 10, 10, 90, 90], "high"),
    "80 % rise": ([0, 10, 9, 19, 18, 28, 38, 48, 58, 68, 78], [], "high"),
    "70 % rise": ([0, 10, 9, 19, 18, 28, 27, 37, 47, 57, 67], [], "medium"),
    "50 % rise": ([0, 10, 9, 19, 18, 28, 27, 37, 36, 46, 45], [], "none"),
    "not in the last three": ([0, 10, 20, 30, 20, 22], [], "none"),
    "3.6 times the noise": ([0, -20, -20, -20, -10, -10, -10, -10, -10, -5], [1] * 10, "high"),
    "1.6 times the noise": ([0, 0, 10, 10, -10, -10, -10, 10, 10, 50], [1] * 10, "none"),
    "a quarter of the pace at last": ([0, 100, 200, 300, 400, 500, 600, 625, 650], [100] * 9, "high"),
    "24 % of the pace at last": ([0, 100, 200, 300, 400, 500, 600, 624, 648], [100] * 9, "none"),
    "twice is kept": ([0, 10, 20, 30, 40, 50], [20] * 6, "high"),
    "more than twice is kept": ([0, 10, 20, 30, 40, 50], [21] * 6, "low"),
    "half is kept": ([0, 10, 20, 30, 40, 50], [5] * 6, "high"),
    "less than half is kept": ([0, 10, 20, 30, 40, 50], [4] * 6, "low"),
}


def test_growth_is_sure() -> None:
    assert {name: growth(use(lowest, kept)).confidence for name, (lowest, kept, _) in GROWTH.items()} == {
        name: confidence for name, (*_, confidence) in GROWTH.items()
    }


def test_growth_is_the_median_of_the_slopes_between_all_steps() -> None:
    lowest = [0, 7, 1, 30, 22, 51]
    slopes = [(lowest[b] - lowest[a]) / (b - a) for a in range(6) for b in range(a + 1, 6)]
    assert growth(use(lowest)).slope == pytest.approx(np.median(slopes))


def test_how_near_the_capacity_is_counts_from_its_half_on() -> None:
    assert [system(peak_bytes=peak).interest for peak in (4999, 5000)] == [(True, 0.0, 4999), (True, 0.5, 5000)]


def test_sizes_up_to_an_exbibyte_are_believed() -> None:
    """Of allocations, and of a row that TensorFlow recorded at the peak."""
    for size, known in ((1 << 60, 1 << 60), ((1 << 60) + 1, -1)):
        space, gpu = memory()
        gpu.allocate(1, 0x10, size)
        [(_, events)] = memory_events(timeline(space)).systems
        assert events.size.tolist() == [known]
        told: dict[str, StatValue] = {RECORDED_PEAK: 1, "allocator_name": "a", "tf_op": "op", "allocation_bytes": size}
        space = Space()
        space.plane("/host:CPU").line(1, "memory").event("live", None, 0, told, occurrences=1)
        [live] = recorded(timeline(space).capture)["a"]
        assert live.total == max(known, 0)
