"""`python -m tests.truth.programs.judge OUT`: runs the programs, and prints how often pages are right about them.

Right is a first finding that names the cost that takes most, as measured by leaving it out; in a program without one,
that it computes.
"""

from __future__ import annotations

import argparse
import importlib
import json
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import tensorboard_perfplugin
from tests.truth.cases import COMPUTE
from tests.truth.judge import NEAR_POINTS, NEAR_STEP, PAGES
from tests.truth.programs.__main__ import MODULES
from tests.truth.programs.declared import PROGRAMS, Program
from tests.truth.report import aligned, number, rate
from tests.truth.run import PYTHON, ROOT

#: Seconds that a program may take.
PATIENCE = 240


class Outcome(NamedTuple):
    """cost: percent of a typical step that the largest cost takes; None in a program without one. share: percent that
    the first finding gives. error: of the step time, as a part."""

    program: Program
    first: str
    title: str
    right: bool
    cost: float | None
    share: float | None
    steps: int
    error: float | None
    alarms: tuple[str, ...]

    @property
    def points(self) -> float | None:
        return self.share - self.cost if self.right and self.share is not None and self.cost is not None else None


class Truth(NamedTuple):
    """steps_ns: of the recorded steps. without_ns: the same without each cost."""

    steps_ns: list[int]
    without_ns: list[list[int]]

    def costs_ns(self) -> list[float]:
        typical = statistics.median(self.steps_ns)
        return [typical - statistics.median(without) for without in self.without_ns]


def judged(program: Program, folder: Path) -> Outcome:
    truth = Truth(**json.loads((folder / "truth.json").read_text()))
    profile = tensorboard_perfplugin.open(str(folder))
    missing = profile.missing()
    answers = {page: profile.tool(page).to_dict() for page in PAGES if not missing.get(page)}
    summary, first = answers["overview"]["summary"], answers["overview"]["findings"][0]
    costs = truth.costs_ns()
    words = program.costs[costs.index(max(costs))] if costs else ()
    text = " ".join((first["code"], first["title"], first["detail"], json.dumps(first["params"]))).lower()
    found_ms, step_ms = summary["step_time_ms"], statistics.mean(truth.steps_ns) / 1e6
    return Outcome(
        program,
        first["code"],
        first["title"],
        any(word.lower() in text for word in words) if costs else first["code"] in COMPUTE,
        100 * max(costs) / statistics.median(truth.steps_ns) if costs else None,
        None if first["share"] is None else 100 * first["share"],
        summary["step_count"] or 0,
        found_ms / step_ms - 1 if found_ms else None,
        () if costs else tuple(_warnings(answers)),
    )


def _warnings(answers: dict[str, dict[str, Any]]) -> Iterator[str]:
    for page, answer in answers.items():
        yield from (f"{page}: {f['code']}" for f in answer["findings"] if f["severity"] == "warning")


def report(outcomes: Sequence[Outcome], recorded: int) -> Iterator[str]:
    head = ("program", "first finding", "", "cost %", "share %", "steps", "step time %", "alarms")
    yield from aligned([head, *(_cells(each) for each in outcomes)])
    for each in outcomes:
        if not each.right:
            yield f"  {each.program.name}: {each.title}"
    with_cost = [each for each in outcomes if each.cost is not None]
    clean = [each for each in outcomes if each.cost is None]
    parts = (
        rate("names the largest cost", with_cost, lambda each: each.right),
        rate("of programs with two", [e for e in with_cost if len(e.program.costs) > 1], lambda each: each.right),
        rate(f"share within {NEAR_POINTS:.0f} points", with_cost, lambda each: _is_near(each.points, NEAR_POINTS)),
        rate("says that clean ones compute", clean, lambda each: each.right),
        rate("step count exact", outcomes, lambda each: each.steps == recorded),
        rate(f"step time within {NEAR_STEP:.0%}", outcomes, lambda each: _is_near(each.error, NEAR_STEP)),
        rate("false alarms", clean, lambda each: bool(each.alarms)),
    )
    yield " · ".join(parts)


def _is_near(value: float | None, limit: float) -> bool:
    return value is not None and abs(value) <= limit


def _cells(each: Outcome) -> tuple[str, ...]:
    error = None if each.error is None else 100 * each.error
    right = "" if each.right else "WRONG"
    numbers = (number(each.cost, ".0f"), number(each.share, ".0f"), str(each.steps), number(error, "+.1f"))
    return (each.program.name, each.first, right, *numbers, "; ".join(each.alarms))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.truth.programs.judge")
    parser.add_argument("out", type=Path, help="where captures are kept")
    parser.add_argument("--only", default="", help="a part of the programs' names")
    parser.add_argument("--analyse", action="store_true", help="run none: judge the captures that are there")
    given = parser.parse_args()
    for module in MODULES.values():
        importlib.import_module(f"tests.truth.programs.{module}")
    outcomes = []
    for name, program in sorted(PROGRAMS.items()):
        if given.only not in name:
            continue
        folder = given.out.resolve() / name.replace("/", ".")
        if not given.analyse and not (folder / "truth.json").exists():
            command = [str(PYTHON), "-W", "ignore", "-m", "tests.truth.programs", str(given.out.resolve()), name]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
            if done.returncode:
                print(f"{name} failed:\n{done.stderr[-1500:]}")
        if (folder / "truth.json").exists():
            outcomes.append(judged(program, folder))
            print(*_cells(outcomes[-1]), sep="  ", flush=True)
    print(*report(outcomes, 12), sep="\n")
    return 0 if outcomes else 1


if __name__ == "__main__":
    sys.exit(main())
