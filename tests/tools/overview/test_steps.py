"""The overview's step times, its table of steps and its split, of captures of a few steps."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.timeline.timeline import CATEGORIES
from tensorboard_perfplugin.tools import Answer
from tests.build_capture import Space
from tests.timeline.timelines import timeline
from tests.tools.overview.test_overview import MS, ask, rows


def marked(begins_ms: list[float], spans_ms: list[float], op_ms: float = 4) -> Space:
    """Steps that the program marks, each with one op from its begin on."""
    space = Space()
    line = space.plane("/host:CPU").line(1, "python")
    for number, (begin, span) in enumerate(zip(begins_ms, spans_ms, strict=True)):
        start = int(begin * MS)
        line.event("train", start, int(span * MS), stats={"step_num": 7 + number, "_r": 1})
        line.event("a/MatMul:MatMul", start, int(op_ms * MS))
    return space


def summary(answer: Answer, *names: str) -> list[object]:
    return [answer.result.summary[name] for name in names]


def columns(answer: Answer, *names: str) -> list[tuple[object, ...]]:
    table = answer.to_dict()["tables"]["steps"]["columns"]
    return list(zip(*(table[name] for name in names), strict=True))


def test_two_times_a_step_and_the_last_one_counts_in_no_mean() -> None:
    answer = ask(timeline(marked([0, 10, 30], [8, 8, 8])))
    assert columns(answer, "step", "name", "start_ms", "duration_ms", "span_ms", "cut", "op_compute_ms") == [
        (7, "train 7", 0.0, 10.0, 8.0, "", 4.0),
        (8, "train 8", 10.0, 20.0, 8.0, "", 4.0),
        (9, "train 9", 30.0, 8.0, 8.0, "last", 4.0),
    ]
    assert summary(answer, "step_count", "steps_not_counted", "step_time_ms", "step_span_ms") == [3, 1, 15.0, 8.0]
    assert summary(answer, "step_time_median_ms", "step_time_p95_ms", "step_time_min_ms") == [15.0, 20.0, 10.0]
    assert summary(answer, "step_time_max_ms", "step_time_sd_ms") == [20.0, pytest.approx(50**0.5)]
    assert answer.result.summary["steps_per_second"] == pytest.approx(1000 / 15)
    assert summary(answer, "step_rule", "step_confidence") == ["markers", "certain"]


def test_the_split_adds_up_to_the_step_and_names_every_category() -> None:
    table = ask(timeline(marked([0, 10, 20], [8, 8, 8]))).to_dict()["tables"]["split"]["columns"]
    assert table["category"] == [c.key for c in CATEGORIES]
    assert sum(table["step_ms"]) == pytest.approx(10)
    assert sum(table["share"]) == pytest.approx(1)
    at = table["category"].index("op_compute")
    assert [table[name][at] for name in ("step_ms", "share", "overlapped_ms", "total_ms")] == [4.0, 0.4, 0.0, 4.0]


def test_one_step_has_parts_and_no_mean() -> None:
    answer = ask(timeline(marked([0], [8])))
    assert columns(answer, "duration_ms", "cut", "op_compute_ms") == [(8.0, "last", 4.0)]
    assert summary(answer, "step_count", "step_time_ms", "step_time_sd_ms") == [1, None, None]
    assert answer.result.unknown["step_time_ms"].startswith("no step is whole")
    assert sum(answer.to_dict()["tables"]["split"]["columns"]["step_ms"]) == pytest.approx(8)


def test_two_steps_have_a_mean_and_no_deviation() -> None:
    answer = ask(timeline(marked([0, 10], [8, 8])))
    assert summary(answer, "step_time_ms", "step_time_sd_ms") == [10.0, None]
    assert answer.result.unknown["step_time_sd_ms"] == "only one step is whole"


def test_steps_of_two_hosts_are_averaged() -> None:
    a, b = timeline(marked([0, 10, 20], [8, 8, 8]), "a"), timeline(marked([0, 14, 28], [8, 8, 8], op_ms=2), "b")
    answer = ask(a, b)
    assert columns(answer, "step", "duration_ms", "op_compute_ms", "cut") == [
        (7, 12.0, 3.0, ""),
        (8, 12.0, 3.0, ""),
        (9, 8.0, 3.0, "last"),
    ]
    assert answer.result.summary["step_time_ms"] == 12.0


def test_the_first_finding_divides_the_step() -> None:
    first = ask(timeline(marked([0, 10, 20], [8, 8, 8], op_ms=8))).result.findings[0]
    assert (
        first.title == "Steps take 10 ms; 8 ms (80 %) of that computes; `a/MatMul` is 80 % of the critical path (8 ms)"
    )
    assert [(e.host, e.start_ps, e.end_ps, e.track) for e in first.evidence] == [
        ("h", 0, 10 * MS, 0),
        ("h", 10 * MS, 20 * MS, 0),
    ]


def test_without_steps_the_tables_are_empty_and_say_so() -> None:
    space = Space()
    space.plane("/host:CPU").line(1, "python").event("a/MatMul:MatMul", 0, MS)
    answer = ask(timeline(space))
    assert (rows(answer, "steps"), rows(answer, "split")) == ([], [])
    assert answer.result.unknown["step_span_ms"] == "no steps were found"


def test_launches_without_kernels_are_told_before_what_the_host_shows() -> None:
    space = marked([0, 10, 20], [8, 8, 8])
    line = space.planes[0].lines[0]
    for step in range(3):
        line.event("cuLaunchKernel", step * 10 * MS + 5 * MS, MS, stats={"correlation_id": step + 1})
    space.plane("/device:GPU:0")
    found = ask(timeline(space)).result.findings
    assert found[0].title == "No device events, although 3 kernels and copies were launched"
    assert found[1].title.startswith("Steps take 10 ms; ")


def test_a_long_run_has_figures_of_all_steps_and_a_table_of_the_first() -> None:
    n = 10_050
    answer = ask(timeline(marked([float(i) for i in range(n)], [0.5] * n, op_ms=0.4)))
    assert (answer.result.summary["step_count"], len(rows(answer, "steps"))) == (n, 10_000)
    assert "The table of steps holds the first 10,000 of 10,050; the figures are of all" in [
        f.title for f in answer.result.findings
    ]


def test_threads_that_run_steps_beside_each_other_run_more_of_them() -> None:
    """Four batches of 10 ms on each of two threads: 200 a second, though each takes 10 ms."""
    space = Space()
    plane = space.plane("/host:CPU")
    for thread in (1, 2):
        line = plane.line(thread, "worker")
        for number in range(4):
            line.event("batch", number * 10 * MS + thread, 8 * MS, stats={"step_num": 2 * number + thread, "_r": 1})
    assert summary(ask(timeline(space)), "step_count", "step_time_ms", "steps_per_second") == [
        8,
        10.0,
        pytest.approx(200),
    ]


def test_steps_a_second_are_those_of_the_steps_that_all_hosts_have() -> None:
    """Steps of 10 and 30 ms, of which the first host has more: one each 20 ms."""
    fast, slow = marked([0, 10, 20, 30, 31, 32, 33], [1] * 7), marked([0, 30, 60, 90], [1] * 4)
    answer = ask(timeline(fast), timeline(slow))
    assert summary(answer, "step_time_ms", "steps_per_second") == [20.0, pytest.approx(50)]


def warmed_up(choice: str) -> Answer:
    """Ten steps of 10 ms that compute for 4 ms, after one of 100 ms; the last one counts in no mean."""
    space = marked([0, *range(100, 210, 10)], [98, *[8] * 11])
    return ask(timeline(space), split_of=choice)


@pytest.mark.parametrize(
    ("choice", "step_ms", "which"),
    [
        ("all", (100 + 10 * 10) / 11, "all 11 whole steps"),
        ("typical", 10.0, "the 10 of 11 whole steps that take no more than 2 × the median of 10 ms"),
        ("slow", 100.0, "the 1 of 11 whole steps that takes more than 2 × the median of 10 ms"),
    ],
)
def test_the_split_is_of_the_chosen_steps_and_adds_up_to_their_time(choice: str, step_ms: float, which: str) -> None:
    """The page told a mean that one slow step made, beside a finding that judged the others."""
    answer = warmed_up(choice)
    split = answer.to_dict()["tables"]["split"]["columns"]
    assert sum(split["step_ms"]) == pytest.approx(step_ms, rel=1e-12)
    assert split["step_ms"][split["category"].index("op_compute")] == 4.0
    assert summary(answer, "split_steps", "slow_step_count") == [which, 1]
    assert summary(answer, "step_time_ms", "step_time_typical_ms") == [pytest.approx(200 / 11), 10.0]
    assert [pace for (pace,) in columns(answer, "pace")] == ["slow", *[""] * 11]


def test_the_finding_of_the_usual_steps_leads_to_the_split_of_those() -> None:
    found = warmed_up("all").result.findings
    assert found[0].title.startswith("Step 7 took 100 ms, 10 × the median of 10 ms")
    assert found[1].title.startswith("The other 10 steps take 10 ms; 6 ms (60 %) of that is Python")
    assert found[1].search == "overview.split.step_ms?category=python&split_of=typical"
    assert [e.start_ps >= 100 * MS for e in found[1].evidence] == [True] * len(found[1].evidence)


def test_where_no_step_is_slow_there_is_no_split_of_slow_ones() -> None:
    answer = ask(timeline(marked([0, 10, 20, 30], [8] * 4)), split_of="slow")
    assert rows(answer, "split") == []
    assert answer.result.summary["split_steps"] == "none of 3 whole steps that takes more than 2 × the median of 10 ms"
