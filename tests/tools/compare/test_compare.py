"""Two built programs → what changed, by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.compare.changes import Change
from tensorboard_perfplugin.analysis.compare.quantities import Part
from tensorboard_perfplugin.messages import Message
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.compare import kept_rows
from tests.build_capture import Space
from tests.timeline.timelines import timeline
from tests.tools.answered import rows_of
from tests.tools.compare.sides import compared, program

EVEN, SLOWER = (100, 102, 98, 101, 99, 100), (140, 142, 138, 141, 139, 140)
SAMPLES = sorted((Path(__file__).parents[2] / "samples").rglob("*.xplane.pb"))


def codes(answer: Answer) -> list[str]:
    return [finding.code for finding in answer.result.findings]


def test_an_op_that_takes_longer() -> None:
    """Each step is 130 µs, then 170 µs, all of it the op's."""
    answer = compared([program(*EVEN)], [program(*SLOWER)])
    summary = answer.result.summary
    assert summary["step_time_base_ms"] == pytest.approx(0.130)
    assert summary["step_time_new_ms"] == pytest.approx(0.170)
    assert summary["step_time_change_ms"] == pytest.approx(0.040)
    assert summary["step_time_change_share"] == pytest.approx(40 / 130)
    assert summary["verdict"] == "slower"
    assert (summary["steps_base"], summary["left_out_base"]) == (6, 1)
    first = rows_of(answer, "ops", "name", "type", "category", "match", digits=6)[0]
    assert first == ("dense/MatMul", "MatMul", "op_compute", "same")
    numbers = rows_of(answer, "ops", "base_ms", "new_ms", "change_ms", "base_times", "new_times", digits=6)[0]
    assert numbers == (0.1, 0.14, 0.04, 1, 1)
    assert codes(answer) == ["compare.slower", "compare.one_capture"]
    parts = answer.result.findings[0].params["parts"]
    assert isinstance(parts, tuple)
    (part,) = parts
    assert isinstance(part, Message)
    assert (part.code, part.params["name"], part.params["more"]) == ("compare.part.op", "dense/MatMul", True)


def test_swapped_sides_flip_signs() -> None:
    one, other = (compared([program(*a)], [program(*b)]) for a, b in ((EVEN, SLOWER), (SLOWER, EVEN)))
    assert codes(other)[0] == "compare.faster"
    for table, key in (("categories", "category"), ("ops", "name")):
        changes = dict(rows_of(one, table, key, "change_ms"))
        assert changes == pytest.approx({name: -ms for name, ms in rows_of(other, table, key, "change_ms")})


def test_a_side_against_itself_is_zero_everywhere() -> None:
    answer = compared([program(*EVEN)], [program(*EVEN)])
    assert answer.result.summary["step_time_change_ms"] == 0
    for table in ("categories", "ops", "kernels", "tree", "scopes"):
        assert not np.any([ms for (ms,) in rows_of(answer, table, "change_ms")])
    assert codes(answer) == ["compare.noise"]
    assert not any(differs for (differs,) in rows_of(answer, "conditions", "differs"))


def test_a_renamed_op_is_no_change() -> None:
    answer = compared([program(*EVEN, op="model/dense/MatMul:MatMul")], [program(*EVEN, op="net/fc/MatMul:MatMul")])
    renamed = [row for row in rows_of(answer, "ops", "match", "was", "name", "change_ms") if row[0] == "renamed"]
    assert renamed == [("renamed", "model/dense/MatMul", "net/fc/MatMul", pytest.approx(0, abs=1e-9))]
    assert codes(answer) == ["compare.noise"]


def test_a_new_op() -> None:
    answer = compared([program(*EVEN, others_us=0)], [program(*EVEN, others_us=30)])
    row = rows_of(answer, "ops", "name", "match", "base_ms", "new_ms", "base_times", "new_times", digits=6)[0]
    assert row == ("head/Add", "new", 0, 0.03, 0, 1)


def test_a_tree_of_scopes() -> None:
    answer = compared([program(*EVEN, others_us=0)], [program(*SLOWER, op="dense/MatMul:MatMul", others_us=30)])
    tree = rows_of(answer, "tree", "name", "parent", "change_ms", "larger_ms", "match", "op", digits=6)
    assert tree[:5] == [
        ("Op compute", -1, 0.07, 0.17, "same", ""),
        ("dense", 0, 0.04, 0.14, "same", ""),
        ("MatMul", 1, 0.04, 0.14, "same", "dense/MatMul"),
        ("head", 0, 0.03, 0.03, "new", ""),
        ("Add", 3, 0.03, 0.03, "new", "head/Add"),
    ]


def test_steps_say_where_they_begin() -> None:
    answer = compared([program(*EVEN)], [program(*SLOWER)])
    steps = rows_of(answer, "steps", "side", "step", "number", "start_ms", "duration_ms", digits=6)
    assert steps[:2] == [("base", 0, 0, 0, 0.13), ("base", 1, 1, 0.13, 0.132)]
    assert steps[6] == ("new", 0, 0, 0, 0.17)


def test_repeats_tell_small_changes() -> None:
    """Runs of one program differ by a µs, the sides by three of 130."""
    base = [program(*(us + shift for us in EVEN)) for shift in (0, 1, 0, -1, 0)]
    new = [program(*(us + shift for us in EVEN)) for shift in (3, 4, 3, 2, 3)]
    answer = compared(base, new)
    assert answer.result.summary["captures_base"] == 5
    assert answer.result.summary["step_time_change_ms"] == pytest.approx(0.003)
    assert codes(answer) == ["compare.slower"]
    assert codes(compared(base[:1], new[:1])) == ["compare.noise"]


def test_hosts_of_one_capture_are_one_run() -> None:
    """A step of a run is the mean of its hosts'."""
    pair = [program(*EVEN, host="a"), program(*EVEN, host="b")]
    slower = [program(*EVEN, host="a"), program(*SLOWER, host="b")]
    summary = compared(pair, slower, together=True).result.summary
    assert summary["captures_base"] == 1
    assert summary["step_time_change_ms"] == pytest.approx(0.020)


def test_a_side_without_steps() -> None:
    space = Space()
    space.plane("/host:CPU").line(2, "tf_Compute/1").event("b/Add:Add", 200, 300)
    answer = compared([program(*EVEN)], [timeline(space)])
    assert codes(answer)[0] == "compare.no_steps"
    assert answer.result.summary["verdict"] == "unknown"
    assert answer.result.unknown["step_time_change_ms"] == "no steps were found on one of the sides"


def test_one_step_a_side_shows_no_noise() -> None:
    answer = compared([program(100)], [program(140)])
    assert codes(answer)[0] == "compare.one_step"
    assert answer.result.summary["change_low_ms"] is None


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: "/".join(path.parts[-5:-4]) + path.name)
def test_rows_add_up_to_the_change(sample: Path) -> None:
    """Of categories and of ops, to 1 µs, against a program of another kind."""
    answer = compared([Timeline(decode.read(str(sample)), "h")], [program(*EVEN)])
    summary = answer.result.summary
    if summary["verdict"] == "unknown":
        assert not (summary["steps_base"] and int(str(summary["steps_base"])) > 1)
        return
    for table in ("categories", "ops"):
        for side in ("base", "new"):
            whole = sum(ms for (ms,) in rows_of(answer, table, f"{side}_ms"))
            assert whole == pytest.approx(summary[f"step_time_{side}_ms"], abs=1e-3)
    assert_tree_adds_up(answer)


def assert_tree_adds_up(answer: Answer) -> None:
    """Categories, and marks, to the step; no node is less than what lies in it, and the rest of a category is in no
    op."""
    summary = answer.result.summary
    for table in ("tree", "scopes"):
        tree = rows_of(answer, table, "parent", "base_ms", "new_ms", "larger_ms")
        for side in (1, 2):
            whole = sum(row[side] for row in tree if row[0] < 0)
            assert whole == pytest.approx(summary[f"step_time_{('base', 'new')[side - 1]}_ms"], abs=1e-3)
        inside = np.zeros((len(tree), 3))
        for parent, *amounts in tree:
            if parent >= 0:
                inside[parent] += amounts
        assert (np.array([row[1:] for row in tree]) - inside > -1e-9).all()


def test_ops_beyond_the_rows_are_one_row_a_category() -> None:
    """2,000 rows, and what is left of two categories: together they are the change."""
    ops = [Change(f"op{i}", "", "", i % 2, "same", Part(float(i), 1), Part(3.0 * i, 2)) for i in range(2_003)]
    rows = kept_rows(ops)
    assert [(row.name, row.match, row.category) for row in rows[1999:]] == [
        ("op1999", "same", 1),
        ("", "more", 0),
        ("", "more", 1),
    ]
    assert [(row.a, row.b) for row in rows[2000:]] == [
        (Part(2000.0 + 2002.0, 2), Part(3 * (2000.0 + 2002.0), 4)),
        (Part(2001.0, 1), Part(6003.0, 2)),
    ]
    assert sum(row.ps for row in rows) == sum(row.ps for row in ops)
    assert kept_rows(ops[:2000]) == ops[:2000]
