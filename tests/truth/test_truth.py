"""The table of cases, the judge on built captures of programs whose costs are known, and what of a run is kept."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin.advice.text.catalogue import CATALOGUE
from tests.build_capture import Space
from tests.truth import run
from tests.truth.cases import CASES, chosen, has_two_costs, is_clean, planted
from tests.truth.declared import SLOW_STEP, STEPS, Case, Plant, case_from_json
from tests.truth.judge import contradictions, judged
from tests.truth.report import report, summary

MS_PS, MS_NS = 10**9, 10**6
N = 6


def only(loop: str, row: str, *flags: str) -> Case:
    [case] = planted(loop, row, *flags)
    return case


def program(folder: Path, case: Case, compute_ms: int, **planted_ms: int) -> Path:
    """Marked steps: a wait for input, an op, Python after it, and the clocks that the program would have had."""
    wait, between = planted_ms.get("wait", 0), planted_ms.get("between", 0)
    space, step = Space(hostnames=["h"]), wait + compute_ms + between
    line = space.plane("/host:CPU").line(1, "python")
    for number in range(N):
        begin = number * step
        line.event("train", begin * MS_PS, (wait + compute_ms) * MS_PS, {"step_num": number, "_r": 1})
        if wait:
            line.event("IteratorGetNext", begin * MS_PS, wait * MS_PS)
            line.event("Iterator::Root::Batch", begin * MS_PS, wait * MS_PS)
        line.event("a/MatMul:MatMul", (begin + wait) * MS_PS, compute_ms * MS_PS)
    session = folder / "plugins" / "profile" / "r1"
    session.mkdir(parents=True)
    (session / "h.xplane.pb").write_bytes(space.bytes())
    steps = [[n, n * step * MS_NS, (n * step + wait + compute_ms) * MS_NS] for n in range(N)]
    planted_ns = {"waits": N * wait * MS_NS, "between:sleep": N * between * MS_NS}
    (folder / "truth.json").write_text(json.dumps({"steps": steps, "planted_ns": planted_ns}))
    return folder


def test_the_table_has_planted_clean_and_twofold_programs_of_every_framework() -> None:
    for loop in ("keras", "tf", "jax", "torch"):
        of_loop = [case for case in CASES if case.loop == loop]
        assert {is_clean(case) for case in of_loop} == {True, False}
        assert any(map(has_two_costs, of_loop))
    assert sum(bool(case.plants) for case in CASES) >= 100
    assert sum(map(is_clean, CASES)) >= 20
    assert sum(map(has_two_costs, CASES)) >= 15
    assert len({case.folder for case in CASES}) == len(CASES)


def test_what_is_acceptable_is_a_code_of_the_catalogue() -> None:
    named = {code for case in CASES for code in (*case.codes, *(c for plant in case.plants for c in plant.codes))}
    assert named <= set(CATALOGUE)
    assert all(case.codes or all(plant.codes for plant in case.plants) for case in CASES)


def test_a_case_survives_json() -> None:
    for case in CASES:
        assert case_from_json(json.loads(json.dumps(case.to_json()))) == case


@pytest.mark.parametrize(
    ("every", "costs"), [(1, [0.03] * STEPS), (5, [0.0] * 4 + [0.15] + [0.0] * 4 + [0.15] + [0.0] * 2)]
)
def test_a_plant_costs_as_much_on_average_however_often(every: int, costs: list[float]) -> None:
    plant = Plant("between", "sleep", 30, every)
    assert [plant.seconds_at(step) for step in range(STEPS)] == pytest.approx(costs)
    once = dataclasses.replace(plant, every=0)
    assert [step for step in range(STEPS) if once.seconds_at(step)] == [SLOW_STEP]


def test_a_planted_cost_is_found_with_its_share(tmp_path: Path) -> None:
    case = only("tf", "map:sleep")
    row = judged(case, program(tmp_path, case, compute_ms=10, wait=30))
    assert (row.right, row.planted, row.steps, row.steps_found) == (True, 75, N, N)
    assert row.reported == pytest.approx(75, abs=1)
    assert row.step_error == pytest.approx(0, abs=1e-9)
    assert (row.alarms, row.contradictions, row.disturbed) == ((), (), False)


def test_another_cause_than_the_planted_is_wrong(tmp_path: Path) -> None:
    case = only("tf", "loss:sleep")
    row = judged(case, program(tmp_path, case, compute_ms=10, wait=30))
    assert (row.right, row.expected, row.points) == (False, ("calls_back", "calls_back.prints"), None)
    assert any("not calls_back" in line for line in report([row]))


def test_a_warning_about_a_clean_program_is_a_false_alarm(tmp_path: Path) -> None:
    [case] = chosen(["tf/while_loop/plain"])
    clean = judged(case, program(tmp_path / "clean", case, compute_ms=40))
    waits = judged(case, program(tmp_path / "waits", case, compute_ms=10, wait=30))
    assert (clean.right, clean.alarms) == (True, ())
    assert not waits.right
    assert {alarm.split(":")[0] for alarm in waits.alarms} >= {"overview", "input_pipeline"}
    assert "right cause first: 1 of 2 (50%)" in summary([clean, waits])


def test_of_two_costs_that_which_took_more_is_expected(tmp_path: Path) -> None:
    """However they were declared: on a busy machine the smaller may grow."""
    case = only("tf", "map:sleep=45 + between:sleep=15")
    folder = program(tmp_path, case, compute_ms=5, wait=10, between=40)
    row = judged(case, folder)
    assert (row.right, row.first) == (True, "python_bound")
    assert row.planted == pytest.approx(100 * 40 / 55)


def answers(first: str, verdict: str, *others: tuple[str, str]) -> dict[str, Any]:
    findings = [{"code": code, "severity": severity} for code, severity in ((first, "warning"), *others)]
    pages = {"step_count": 9, "step_time_ms": 5.0}
    return {
        "overview": {"findings": findings, "summary": pages},
        "input_pipeline": {"findings": [], "summary": {**pages, "verdict": verdict}},
    }


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (answers("input_bound.stage", "input-bound"), []),
        (answers("input_bound.stage", "not input-bound"), ["overview: input-bound, input_pipeline: not"]),
        (answers("python_bound", "input-bound"), ["input_pipeline: input-bound, overview: nothing of input"]),
        (answers("python_bound", "input-bound", ("input_bound", "note")), []),
        (
            answers("computes", "not input-bound", ("eager_ops", "warning")),
            ["overview: computes, and a warning of eager_ops"],
        ),
    ],
)
def test_pages_that_disagree(given: dict[str, Any], expected: list[str]) -> None:
    assert contradictions(given) == expected
    given["input_pipeline"]["summary"]["step_count"] = 8
    assert sorted(contradictions(given)) == sorted([*expected, "step_count: overview 9, input_pipeline 8"])


def test_a_row_is_analysed_again_where_its_capture_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = only("tf", "map:sleep")
    analysed = []

    def rows(given: list[tuple[Case, Path]], jobs: int) -> list[object]:
        analysed.append(len(given))
        return [judged(*each) for each in given]

    monkeypatch.setattr(run, "_rows", rows)
    program(tmp_path / case.folder, case, compute_ms=10, wait=30)
    first, again = run.analyse([case], tmp_path, 1), run.analyse([case], tmp_path, 1)
    truth = tmp_path / case.folder / "truth.json"
    truth.write_text(truth.read_text() + "\n")
    assert run.analyse([case], tmp_path, 1) == again == first
    assert analysed == [1, 0, 1]


def test_a_capture_is_kept_while_its_program_is_the_same(tmp_path: Path) -> None:
    """Which findings are right does not change a program."""
    case = only("jax", "feed:sleep")
    (tmp_path / case.folder).mkdir()
    (tmp_path / case.folder / "key").write_text(run.capture_key(case))
    assert run.is_kept(dataclasses.replace(case, codes=frozenset({"waiting"})), tmp_path)
    assert not run.is_kept(dataclasses.replace(case, model="dense"), tmp_path)
