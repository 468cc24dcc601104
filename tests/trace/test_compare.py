"""Two steps of the trace side by side: what is more in one of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.build_capture import Space
from tests.trace.test_viewer import ask, opened, rows

SAMPLE = Path(__file__).parents[1] / "samples" / "two_hosts"


def two_steps() -> Timeline:
    space = Space()
    line = space.plane("/host:CPU").line(1, "python")
    line.event("step", 0, 100).event("MatMul:MatMul", 10, 40).event("IteratorGetNext:IteratorGetNext", 60, 10)
    line.event("step", 100, 170).event("MatMul:MatMul", 110, 40).event("IteratorGetNext:IteratorGetNext", 160, 90)
    return opened(space)


def test_what_is_more_in_one_of_two_steps() -> None:
    answer = ask(two_steps(), area=True, start_ps=0, end_ps=100, compare="100-270")
    columns = (
        "name",
        "category",
        "count_a",
        "count_b",
        "total_a_ps",
        "total_b_ps",
        "self_a_ps",
        "self_b_ps",
        "more_ps",
    )
    assert rows(answer, "compare_names", *columns) == [
        ("IteratorGetNext:IteratorGetNext", "input_wait", 1, 1, 10, 90, 10, 90, 80),
        ("step", "", 1, 1, 100, 170, 50, 40, -10),
        ("MatMul:MatMul", "op_compute", 1, 1, 40, 40, 40, 40, 0),
    ]
    assert rows(answer, "compare_categories", "category", "self_a_ps", "self_b_ps", "more_ps") == [
        ("input_wait", 10, 90, 80),
        ("", 50, 40, -10),
        ("op_compute", 40, 40, 0),
    ]
    assert answer.result.summary["compare_names_rows"] == 3
    assert rows(answer, "area_names", "name", "self_ps")[0] == ("step", 50)


def test_each_side_is_what_its_area_sums_up() -> None:
    hosts = [Timeline(decode.read(str(path)), path.stem) for path in sorted(SAMPLE.rglob("*.xplane.pb"))]
    origin = min(t.capture.start_ns or 0 for t in hosts)
    first, second = (20 * 10**9, 30 * 10**9), (40 * 10**9, 47 * 10**9)
    both = ask(
        *hosts, area=True, origin_ns=origin, start_ps=first[0], end_ps=first[1], compare=f"{second[0]}-{second[1]}"
    )
    for side, (start, end) in zip("ab", (first, second), strict=True):
        alone = ask(*hosts, area=True, origin_ns=origin, start_ps=start, end_ps=end)
        columns = (f"count_{side}", f"total_{side}_ps", f"self_{side}_ps")
        names = [row for row in rows(both, "compare_names", "name", "category", *columns) if row[2]]
        assert sorted(names) == sorted(rows(alone, "area_names", "name", "category", "count", "total_ps", "self_ps"))
        assert len(names) > 3
        assert sum(row[-1] for row in names) == alone.result.summary["area_busy_ps"]


@pytest.mark.parametrize("text", ["5", "9-9", "a-b", "-", "9" * 30 + "-1", f"0-{1 << 63}"])
def test_a_stretch_that_is_none(text: str) -> None:
    with pytest.raises(ArgumentError, match="compare="):
        ask(two_steps(), area=True, compare=text)
