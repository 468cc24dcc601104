"""Conditions: what can be written, and what becomes of them."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.tables import Cells, Quality, Scalar
from tensorboard_perfplugin.tools import Answer, Condition, Quantity, Result, judged, quantities
from tensorboard_perfplugin.tools.compare import COMPARE
from tensorboard_perfplugin.tools.gate import check_code

STEP = Quantity(103.0, "ms", 100.0)
MEMORY = Quantity(500.0 * 2**20, "bytes", 300.0 * 2**20)


def state(text: str, quantity: Quantity = STEP, strict: bool = False) -> str:
    return judged(Condition.parse(text), {"step_time": quantity}, (), strict).state


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("step_time > +2.9 %", "failed"),
        ("step_time > +3.1 %", "passed"),
        ("step_time > +2 ms", "failed"),
        ("step_time>+3500us", "passed"),
        ("step_time >= +3 ms", "failed"),
        ("step_time > +3 ms", "passed"),
        ("step_time < -1 ms", "passed"),
        ("step_time < +4 ms", "failed"),
        ("step_time > 0.1 s", "failed"),
        ("step_time > 103 ms", "passed"),
        ("step_time <= 103 ms", "failed"),
    ],
)
def test_a_time(text: str, expected: str) -> None:
    assert state(text) == expected


@pytest.mark.parametrize(("text", "expected"), [("+199 MiB", "failed"), ("+200 MiB", "passed"), ("+210 MB", "passed")])
def test_memory(text: str, expected: str) -> None:
    assert state(f"step_time > {text}", MEMORY) == expected


def test_a_share_changes_by_points() -> None:
    idle = Quantity(0.31, "share", 0.25)
    assert state("step_time > +5 %", idle) == "failed"
    assert state("step_time > +7 %", idle) == "passed"
    assert state("step_time > 30 %", idle) == "failed"


def test_what_may_be_noise_fails_only_strictly() -> None:
    noisy = Quantity(103.0, "ms", 100.0, noisy=True)
    assert state("step_time > +2 %", noisy) == "noise"
    assert state("step_time > +2 %", noisy, strict=True) == "failed"
    assert state("step_time > 102 ms", noisy) == "failed"


def test_from_nothing_to_something_is_any_change() -> None:
    assert state("step_time > +1000 %", Quantity(1.0, "ms", 0.0)) == "failed"
    assert state("step_time > +0 %", Quantity(0.0, "ms", 0.0)) == "passed"


def test_what_is_not_known_fails_a_build() -> None:
    outcome = judged(Condition.parse("m > 1 B"), {"m": Quantity(None, "bytes", why="no memory events")}, ())
    assert (outcome.state, outcome.detail, outcome.fails) == ("unknown", "no memory events", True)


@pytest.mark.parametrize(
    ("code", "expected"), [("input_bound", "failed"), ("input_bound.stage", "failed"), ("input", "passed")]
)
def test_a_finding_by_its_code_or_the_beginning_of_it(code: str, expected: str) -> None:
    assert judged(Condition.parse(f"finding:{code}"), {}, {"input_bound.stage"}).state == expected


@pytest.mark.parametrize(
    "text",
    ["", "step_time", "step_time > ", "step_time > 3 parsecs", "> 3 ms", "step_time > +", "finding:", "a" * 5000],
)
def test_what_is_no_condition(text: str) -> None:
    with pytest.raises(ArgumentError, match="no condition"):
        Condition.parse(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("step > 3 ms", "no quantity 'step' among 1: use one of step_time"),
        ("step_time > 3 MiB", "step_time is in ms, not in MiB"),
        ("step_time > 3", "step_time is in ms, not in a number"),
        ("step_time > 3 %", r"step_time is in ms, not in %; .*: `step_time > \+3 %`"),
        ("step_time <= 3 %", r"with its sign: `step_time <= -3 %`"),
    ],
)
def test_a_condition_that_does_not_fit(text: str, said: str) -> None:
    with pytest.raises(ArgumentError, match=said):
        state(text)


def test_a_change_of_one_run_is_none() -> None:
    with pytest.raises(ArgumentError, match="compare it with another"):
        state("step_time > +3 %", Quantity(103.0, "ms"))


def test_what_several_rows_of_one_name_take_is_one() -> None:
    rows: dict[str, Cells] = {"name": ["", "mm", "mm"], "base_ms": [1.0, 2.0, 3.0], "new_ms": [1.0, 4.0, 4.0]}
    categories: dict[str, Cells] = {"category": ["op_compute"], "base_ms": [6.0], "new_ms": [9.0]}
    summary: dict[str, Scalar] = {column.name: 6.0 for column in COMPARE.summary}
    tables: dict[str, dict[str, Cells]] = {t.name: {c.name: [] for c in t.columns} for t in COMPARE.tables}
    tables |= {"categories": categories, "ops": rows, "kernels": rows}
    result = Result({**summary, "verdict": "slower"}, tables)
    found = quantities(Answer(COMPARE, "", (), result, Quality(), ""))
    assert found["op:mm"] == found["kernel:mm"] == Quantity(8.0, "ms", 5.0)
    assert found["input_wait"] == Quantity(0.0, "ms", 0.0)


def test_of_names_that_are_alike_eight_are_offered() -> None:
    known = {f"step_time_{i}": STEP for i in range(9)}
    with pytest.raises(ArgumentError) as of_quantity:
        judged(Condition.parse("step_tim > 3 ms"), known, ())
    with pytest.raises(ArgumentError) as of_finding:
        check_code(Condition.parse("finding:input_bond"), ())
    for error in (of_quantity, of_finding):
        assert str(error.value).partition("use one of ")[2].count(", ") == 7


@pytest.mark.parametrize(("limit", "expected"), [(6, "failed"), (7, "passed")])
def test_a_number_without_a_unit(limit: int, expected: str) -> None:
    assert state(f"step_time > {limit}", Quantity(7.0, "")) == expected
