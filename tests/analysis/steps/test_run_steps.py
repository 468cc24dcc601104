"""Steps of several hosts side by side: which are the same, how far clocks differ, and means that add up."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec import structs
from msgspec.structs import replace

from tensorboard_perfplugin.analysis.steps.alignment import offsets
from tensorboard_perfplugin.analysis.steps.means import (
    HostSteps,
    RunSteps,
    Statistics,
    host_steps,
    run_steps,
    statistics,
    step_means,
)
from tensorboard_perfplugin.messages import Message, Param
from tests.build_capture import Space
from tests.timeline.timelines import timeline
from tests.tools.host_steps import MS, host, steps


def side_by_side(*parts: HostSteps) -> RunSteps:
    run = run_steps(list(parts))
    run.check()
    return run


def aligned(run: RunSteps) -> tuple[str, Param, Param]:
    """By what the hosts were put side by side, and how many of the run's steps are on all of them."""
    assert run.aligned is not None
    how = run.aligned.params["how"]
    assert isinstance(how, Message)
    return how.code, run.aligned.params.get("common"), run.aligned.params.get("steps")


def test_two_hosts_of_different_speed_keep_their_steps() -> None:
    """Others lost steps of hosts with 500 and 800 µs: every step has its number, and both hosts have it."""
    fast = host("fast", steps([0, 0.5, 1.0], 1.5, [7, 8, 9]))
    slow = host("slow", steps([0, 0.8, 1.6], 2.4, [7, 8, 9]), 0.1)
    run = side_by_side(fast, slow)
    assert run.number.tolist() == [7, 8, 9]
    assert run.name == ("train 7", "train 8", "train 9")
    assert run.row.tolist() == [[0, 1, 2], [0, 1, 2]]
    assert run.start_ps.tolist() == [0, 500_000_000, 1_000_000_000]
    assert run.offset_ps == (0, 100_000_000)
    assert aligned(run) == ("aligned_by.numbers", 3, 3)


def test_a_host_without_steps_is_named_and_empties_nothing() -> None:
    run = side_by_side(host("coordinator", steps([], 0)), host("worker", steps([5, 6], 7, [3, 4]), 2))
    assert (run.hosts, run.left_out) == (("worker",), ("coordinator",))
    assert run.row.tolist() == [[0, 1]]
    assert run.offset_ps == (2 * MS,)  # the trace begins with the coordinator
    assert aligned(run) == ("aligned_by.one_host", None, None)
    assert run.aligned is not None
    assert run.aligned.params["left_out"] == ("coordinator",)


def test_no_host_has_steps() -> None:
    run = side_by_side(host("a", steps([], 0)), host("b", steps([], 0)))
    assert (len(run.number), run.hosts, run.left_out, run.aligned) == (0, (), ("a", "b"), None)
    assert len(step_means([host("a", steps([], 0))])) == 0


def test_hosts_that_share_only_a_part_keep_all() -> None:
    run = side_by_side(
        host("a", steps([0, 1, 2], 3, [10, 11, 12])),
        host("b", steps([0, 1, 2], 3, [12, 13, 14]), 2),
        host("c", steps([0], 1, [20]), 10),
    )
    assert run.number.tolist() == [10, 11, 12, 13, 14, 20]
    assert run.row.tolist() == [[0, 1, 2, -1, -1, -1], [-1, -1, 0, 1, 2, -1], [-1, -1, -1, -1, -1, 0]]
    assert run.common.tolist() == [False] * 6
    assert aligned(run) == ("aligned_by.numbers", 0, 6)
    assert run.clocks.offset_ps == (0, 0, None)
    assert run.clocks.reason == Message("clocks_unknown.no_common_step")


def test_without_common_numbers_time_decides() -> None:
    """The second host's first step is at 11 ms, most of it in the first one's second."""
    run = side_by_side(
        host("a", steps([0, 10, 20, 30], 40), numbered=False), host("b", steps([6, 16, 26], 36), 5, numbered=False)
    )
    assert run.row.tolist() == [[0, 1, 2, 3], [-1, 0, 1, 2]]
    assert aligned(run) == ("aligned_by.time", 3, 4)
    assert run.aligned is not None
    assert run.aligned.params["how"] == Message(
        "aligned_by.time", {"share": 0.9, "why": Message("step_numbers.missing")}
    )


def test_a_host_without_numbers_joins_those_that_have_them() -> None:
    """The two workers' clocks are an hour apart: by time alone nothing would fit."""
    run = side_by_side(
        host("a", steps([0, 10, 20], 30, [7, 8, 9])),
        host("b", steps([0, 10, 20], 30, [7, 8, 9]), 3.6e6),
        host("chief", steps([9, 19, 29], 39), 0, numbered=False),
    )
    assert run.number.tolist() == [7, 8, 9, 10]
    assert run.row.tolist() == [[0, 1, 2, -1], [0, 1, 2, -1], [-1, 0, 1, 2]]
    assert aligned(run) == ("aligned_by.numbers_and_time", 2, 4)


@pytest.mark.parametrize(("late_ms", "row"), [(None, [[0, 1], [0, 1]]), (1000, [[0, 1], [0, 1]])])
def test_without_numbers_and_overlap_order_decides(late_ms: float | None, row: list[list[int]]) -> None:
    one, other = steps([0, 10], 20, [1, 2]), steps([0, 10], 20, [8, 9])
    run = side_by_side(host("a", one), host("b", other, late_ms))
    assert run.row.tolist() == row
    assert aligned(run)[0] == ("aligned_by.order.no_clock" if late_ms is None else "aligned_by.order.no_overlap")


def test_numbers_that_repeat_are_told_apart_by_name() -> None:
    both = [steps([0, 10], 20, [0, 1]), steps([20, 30], 40, [0, 1], "test")]
    joined = steps([0, 10, 20, 30], 40, [0, 1, 0, 1])
    structs.force_setattr(joined, "name", both[0].name + both[1].name)
    later = steps([0, 10, 20], 30, [1, 0, 1])
    structs.force_setattr(later, "name", joined.name[1:])
    run = side_by_side(host("a", joined), host("b", later, 1e9))
    assert run.row.tolist() == [[0, 1, 2, 3], [-1, 0, 1, 2]]
    assert aligned(run) == ("aligned_by.names", 3, 4)


def test_a_clock_that_is_37_ms_late_is_found_from_begins() -> None:
    rng = np.random.default_rng(1)
    begins = np.cumsum(rng.uniform(15, 20, 20))
    noise = rng.normal(0, 0.02, 20)
    run = side_by_side(
        host("a", steps(begins.tolist(), 500, range(20))),
        host("b", steps((begins + noise + 3).tolist(), 503, range(20)), 34),
    )
    off, error = run.clocks.offset_ps[1], run.clocks.error_ps[1]
    assert off == pytest.approx(37 * MS, abs=0.05 * MS)
    assert error == pytest.approx(0.04 * MS, abs=0.02 * MS)
    assert (run.clocks.farthest, run.clocks.by, run.clocks.samples) == (1, ("", "step_begins"), (0, 20))
    assert run.start_ps[0] == round(begins[0] * MS)  # what is shown is not corrected


def test_ends_of_collectives_tell_more_than_begins() -> None:
    """The second host begins its steps up to 4 ms late; both leave each all-reduce at once. Its capture lacks one."""
    rng = np.random.default_rng(2)
    ends = np.cumsum(rng.uniform(15, 20, 20))
    run = side_by_side(
        host("a", steps((ends - 14).tolist(), 500, range(20)), ends_ms=ends.tolist()),
        host("b", steps((ends - 14 + rng.uniform(0, 4, 20)).tolist(), 503, range(20)), 37, ends_ms=ends[1:].tolist()),
    )
    assert run.clocks.offset_ps == (0, 37 * MS)
    assert run.clocks.error_ps == (None, 0)
    assert (run.clocks.by[1], run.clocks.samples[1]) == ("collective_ends", 19)


def test_collectives_that_end_apart_do_not_shift_the_steps() -> None:
    """Of a ring over TCP: the ends are up to 2 ms apart, and by one step they would fit a little better."""
    one = [4.05, 19.38, 35.49, 48.86, 63.9, 76.79, 91.69, 105.93, 119.97, 134.58]
    other = [5.7, 21.5, 35.11, 48.8, 63.59, 77.66, 91.59, 106.37, 119.77, 133.67]
    run = side_by_side(
        host("a", steps([ms - 3.6 for ms in one], 150), ends_ms=one),
        host("b", steps([ms - 5 for ms in other], 150), ends_ms=other),
    )
    assert run.clocks.offset_ps[1] == pytest.approx(0, abs=0.1 * MS)
    assert (run.clocks.by[1], run.clocks.samples[1]) == ("collective_ends", 10)
    assert (run.clocks.error_ps[1] or 0) > abs(run.clocks.offset_ps[1] or 0)


def test_collectives_set_right_what_wrong_clocks_would_put_side_by_side() -> None:
    """Steps without numbers, 15 to 20 ms long, on clocks that are 37 ms apart: time alone is wrong by two steps."""
    rng = np.random.default_rng(3)
    begins = np.cumsum(rng.uniform(15, 20, 30))
    ends = np.sort(np.concatenate((begins + 5, begins + 12)))
    run = side_by_side(
        host("a", steps(begins.tolist(), 600), numbered=False, ends_ms=ends.tolist()),
        host("b", steps(begins[2:].tolist(), 600), 37, numbered=False, ends_ms=ends[4:].tolist()),
    )
    assert run.row[1].tolist() == [-1, -1, *range(28)]
    assert (run.clocks.offset_ps, run.clocks.error_ps, run.clocks.samples) == ((0, 37 * MS), (None, 0), (0, 56))
    assert aligned(run) == ("aligned_by.time", 28, 30)
    assert run.aligned is not None
    assert run.aligned.params["corrected"] is True


def test_hosts_that_do_not_wait_for_each_other_tell_nothing_of_clocks() -> None:
    run = side_by_side(host("a", steps([0, 10, 20, 30], 40, range(4))), host("b", steps([0, 17, 34, 51], 68, range(4))))
    assert run.clocks.offset_ps == (0, None)
    apart: dict[str, Param] = {
        "offset": 10.5 * MS,
        "error": 10.5 * MS,
        "step": 10 * MS,
        "by": Message("clock_by.step_begins"),
    }
    assert run.clocks.reason == Message("clocks_unknown.unsteady", apart)
    assert run.clocks.farthest is None


def test_a_day_apart_is_no_common_clock() -> None:
    assert offsets([0, 86_400 * 10**9]) == [0, 86_400 * 10**12]
    assert offsets([0, 86_400 * 10**9 + 1]) is None
    assert offsets([5, None]) is None
    assert offsets([-(1 << 62), 1 << 62]) is None


def test_too_many_hosts_and_steps_are_cut_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tensorboard_perfplugin.analysis.steps.means.MAX_CELLS", 6)
    run = side_by_side(*(host(name, steps([0, 1, 2, 3], 4)) for name in "ab"))
    assert (run.row.shape, run.cut_off) == ((2, 3), 1)
    assert run.aligned is not None
    assert run.aligned.params["cut_off"] == 1


def test_many_steps_without_numbers() -> None:
    n = 200_000
    run = side_by_side(*(host(h, steps(range(n), n, range(n)), 400, numbered=False) for h in "ab"))
    assert run.row.shape == (2, n)
    assert aligned(run)[0] == "aligned_by.time"


@pytest.mark.parametrize(
    ("name", "stats", "numbered"),
    [("train", {"step_num": 40, "_r": 1}, True), ("ProfilerStep#{}", {}, True), ("PjitFunction(f)", {}, False)],
)
def test_numbers_count_where_the_events_carry_them(name: str, stats: dict[str, int], numbered: bool) -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "python")
    for i in range(4):
        given = {**stats, "step_num": 40 + i} if stats else {}
        line.event(name.format(40 + i), i * 2 * MS, MS, stats=given)
    found = host_steps(timeline(space), {"steps_from": "auto"})
    assert (len(found.split.steps), found.numbered) == (4, numbered)


def test_means_over_devices_then_hosts_add_up() -> None:
    one = host(
        "a",
        steps([0, 10, 20], 30, range(3)),
        parts_ms={"GPU:0": {"compute_16bit": [4, 4, 4]}, "GPU:1": {"compute_16bit": [8, 8, 8]}},
    )
    other = host("b", steps([0, 12, 24], 36, range(3)), parts_ms={"GPU:0": {"compute_16bit": [6, 6, 9]}})
    means = step_means([one, other])
    means.check()
    assert means.wall_ps.tolist() == [11 * MS, 11 * MS, 11 * MS]
    assert means.exposed_ps[:, 1].tolist() == [6 * MS, 6 * MS, 7.5 * MS]
    assert means.whole.tolist() == [True, True, False]
    assert means.mean_ps(means.exposed_ps)[1] == 6 * MS


def test_statistics() -> None:
    assert statistics(np.array([1, 2, 3]) * MS) == Statistics(3, 2.0, 2.0, 3.0, 1.0, 1.0, 3.0)
    assert statistics(np.array([2 * MS])) == Statistics(1, 2.0, 2.0, 2.0, None, 2.0, 2.0)
    assert statistics(np.empty(0)) is None


def test_why_a_step_counts_in_no_mean() -> None:
    means = replace(
        step_means([]),
        cut=np.array([0, 1, 2, 3, 0]),
        last=np.array([False, False, True, False, False]),
        whole=np.array([True, False, False, False, False]),
    )
    assert means.why_cut(0, 5) == ["", "begin", "end, last", "begin, end", "host"]
