"""For whom others wait in collectives, counted from arrivals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tensorboard_perfplugin.analysis.collectives import Arrivals, collective_sums, late_rank
from tensorboard_perfplugin.analysis.collectives.calls import What
from tensorboard_perfplugin.analysis.collectives.names import Group
from tensorboard_perfplugin.analysis.collectives.together import Together
from tensorboard_perfplugin.analysis.collectives.waited import WaitedFor
from tensorboard_perfplugin.tools import pod_viewer
from tensorboard_perfplugin.tools.pod_viewer import POD_VIEWER
from tests.build_capture import Space, Uint
from tests.timeline.timelines import timeline

US = 10**6


def rank(number: int, begins_us: int) -> Space:
    """One step that ends after 100 µs, of which 20 compute; its collective ends when all others' do, at 95 µs."""
    space = Space(hostnames=[f"w{number}"])
    line = space.plane("/host:CPU").line(1, "python")
    line.event("train", begins_us * US, (100 - begins_us) * US, stats={"step_num": 1, "_r": 1})
    stream = space.plane("/device:GPU:0", id=1).line(7, "Stream #7(Compute)")
    stream.event("gemm", (begins_us + 5) * US, 20 * US)
    stream.event("ncclDevKernel_AllReduce_Sum_f32_RING_LL", (begins_us + 25) * US, (70 - begins_us) * US)
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
        assert findings[0].params["wait_ps"] == late_us * US


@pytest.mark.parametrize(("last", "said"), [(50, True), (49, False)])
def test_who_comes_last_to_half_of_the_collectives_is_told(
    last: int, said: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pod_viewer, "waited_for", lambda together: WaitedFor(2, last, 100, 100 * US))
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


def all_reduces(spans_ps: Sequence[Sequence[int]]) -> Together:
    """spans_ps: how long each takes, worker by worker."""
    spans = np.array(spans_ps, np.int64)
    ones, workers = spans.shape
    one, worker = np.arange(spans.size) // workers, np.arange(spans.size) % workers
    span, none = spans.ravel(), np.zeros(spans.size, np.int64)
    shortest = np.repeat(spans.min(axis=1), workers)
    labels = tuple(f"w{i}" for i in range(workers))
    times = span, span, none, none > 0, none, none, none, none
    whats = (What("all-reduce", Group("0", "", workers)),)
    return Together(whats, one // ones, worker, none, *times, one, shortest, labels, (0,))


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
