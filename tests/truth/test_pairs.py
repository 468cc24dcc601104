"""The judge of pairs, on built captures of two programs whose difference is known."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.truth.__main__ import main
from tests.truth.cases import CASES, chosen
from tests.truth.declared import Case
from tests.truth.pairs import Compared, Pair, causes, compared, pairs, report, report_unchanged, unchanged
from tests.truth.test_truth import only, program

PLAIN = Case("tf", model="dense")


def planted(words: str) -> Case:
    """Named as a program that `make truth` runs beside the plain one."""
    case = only("tf", words)
    return Case("tf", case.plants, "dense", ("beside",))


def judged(out: Path, case: Case, before: dict[str, int], after: dict[str, int]) -> Compared:
    program(out / PLAIN.folder, PLAIN, **before)
    program(out / case.folder, case, **after)
    return compared(Pair(PLAIN, case), out)


def test_a_pair_is_of_one_loop_model_and_flags_and_one_cost_in_every_step() -> None:
    found = list(pairs(CASES))
    assert len(found) >= 28
    for pair in found:
        assert not pair.plain.plants
        [plant] = pair.planted.plants
        assert plant.every == 1
        assert (pair.plain.loop, pair.plain.model) == (pair.planted.loop, pair.planted.model)
        assert {*pair.planted.flags} - {*pair.plain.flags} <= {"beside"}
    assert not list(pairs(chosen(["tf/small/"])))


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("map:sleep", ("input_wait",)),
        ("between:sleep", ("python",)),
        ("feed:convert", ("python",)),
        ("between:log", ("output", "python")),
        ("checkpoint", ("output", "python")),
    ],
)
def test_the_category_a_plant_is_in(words: str, expected: tuple[str, ...]) -> None:
    assert causes(planted(words)) == expected


def test_a_change_and_its_cause_are_right(tmp_path: Path) -> None:
    row = judged(tmp_path, planted("map:sleep"), {"compute_ms": 10}, {"compute_ms": 10, "wait": 20})
    assert [row.planted_ms, row.found_ms, row.first_ms] == pytest.approx([20, 20, 20])
    assert (row.near, row.first, row.named, row.verdict) == (True, "input_wait", True, "slower")


def test_the_change_goes_the_way_of_the_step(tmp_path: Path) -> None:
    """What takes less counts first where the step does."""
    row = judged(tmp_path, planted("map:sleep"), {"compute_ms": 10, "wait": 30}, {"compute_ms": 20})
    assert [row.found_ms, row.first_ms] == pytest.approx([-20, -30])
    assert row.first == "input_wait"


def test_another_cause_and_another_change_are_wrong(tmp_path: Path) -> None:
    row = judged(tmp_path, planted("map:sleep"), {"compute_ms": 10}, {"compute_ms": 30})
    assert (row.first, row.named) == ("op_compute", False)
    truth = tmp_path / row.pair.planted.folder / "truth.json"
    truth.write_text((tmp_path / PLAIN.folder / "truth.json").read_text())
    again = compared(row.pair, tmp_path)
    assert again.planted_ms == pytest.approx(0)
    assert not again.near
    *_, summary = report([again])
    assert summary.startswith("change within 10%: 0 of 1 (0%) · right cause first: 0 of 1 (0%) · called slower: 1 of 1")


@pytest.mark.parametrize(
    ("found_ms", "near"), [(None, False), (21.95, True), (22.2, False), (18.05, True), (17.8, False)]
)
def test_near_is_within_a_tenth(found_ms: float | None, near: bool) -> None:
    pair = Pair(PLAIN, planted("map:sleep"))
    assert Compared(pair, 20.0, found_ms, "slower", "input_wait", "", 20.0, False).near is near


def test_the_command_prints_the_pairs_that_are_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [plain] = chosen(["tf/dense/plain"])
    [beside] = chosen(["tf/dense/beside/between:sleep"])
    program(tmp_path / plain.folder, plain, compute_ms=10)
    program(tmp_path / beside.folder, beside, compute_ms=10, between=5)
    assert main(["--pairs", "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "tf/dense/beside/between:sleep  5.00" in printed
    assert "change within 10%: 1 of 1 (100%) · right cause first: 1 of 1 (100%)" in printed
    assert main(["--pairs", "--out", str(tmp_path / "none")]) == 1


def test_a_program_against_itself_is_no_change(tmp_path: Path) -> None:
    program(tmp_path / PLAIN.folder, PLAIN, compute_ms=10)
    told = unchanged([PLAIN, planted("map:sleep")], tmp_path, tries=5)
    assert told == [True] * 5
    assert report_unchanged(told) == "no change called none: 5 of 5 (100%)"
    assert unchanged([planted("map:sleep")], tmp_path) == []
