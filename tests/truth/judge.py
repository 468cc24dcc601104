"""A case's capture and its `truth.json` → what the pages say of it, and whether that is so."""

from __future__ import annotations

import dataclasses
import itertools
import json
import statistics
from pathlib import Path
from typing import Any

import tensorboard_perfplugin
from tests.truth.cases import COMPUTE, INPUT, ONE_BY_ONE, SLOW, is_clean
from tests.truth.declared import Case, Plant

#: The pages whose findings are looked at.
PAGES = ("overview", "input_pipeline", "tf_data", "op_stats", "kernel_stats", "memory_profile", "pod_viewer")
#: Points of a step that a reported share may differ from the planted one, and the part a step's time may.
NEAR_POINTS, NEAR_STEP = 10.0, 0.02
#: The part of what a cost's removal gives that the gain told by its share may differ from it.
NEAR_GAIN = 0.3


@dataclasses.dataclass(frozen=True)
class Truth:
    """What the program itself knows: its steps and what it planted. steps_ns: what whole steps took; without_ns: the
    same without the costs."""

    case: Case
    steps: int
    steps_ns: tuple[int, ...]
    planted_ns: dict[str, int]
    without_ns: tuple[int, ...]

    @property
    def step_ms(self) -> float:
        return statistics.mean(self.steps_ns) / 1e6

    @property
    def typical_ms(self) -> float:
        """Of the steps that take no more than twice the median."""
        return _typical_ms(self.steps_ns)

    @property
    def disturbed(self) -> bool:
        """Whether some step was slow, and none was to be."""
        return not SLOW & self.expected and self.typical_ms < self.step_ms

    @property
    def gain_ms(self) -> float | None:
        """What a typical step takes less without the costs."""
        return self.typical_ms - _typical_ms(self.without_ns) if self.without_ns else None

    def planted_ms(self, plant: Plant) -> float | None:
        """What a plant takes a step, as it was measured; None where it cannot be told from another."""
        if plant.measured != "gain":
            name = "waits" if plant.measured == "wait" else plant.name
            return self.planted_ns.get(name, 0) / self.steps / 1e6
        if self.gain_ms is None:
            return None
        others = [self.planted_ms(other) for other in self.case.plants if other != plant]
        known = [ms for ms in others if ms is not None]
        return self.gain_ms - sum(known) if len(known) == len(others) else None

    @property
    def largest(self) -> Plant | None:
        """The plant that took most, as it was measured: on a busy machine not always the one that was to."""
        return max(self.case.plants, key=lambda plant: self.planted_ms(plant) or 0.0, default=None)

    @property
    def expected(self) -> frozenset[str]:
        return self.case.codes or (self.largest.codes if self.largest else frozenset())


def _typical_ms(steps_ns: tuple[int, ...]) -> float:
    limit = 2 * statistics.median(steps_ns)
    return statistics.mean(ns for ns in steps_ns if ns <= limit) / 1e6


def truth_at(folder: Path, case: Case) -> Truth:
    plain = json.loads((folder / "truth.json").read_text())
    lengths = _lengths(plain["steps"], case), _lengths(plain.get("steps_without", []), case)
    return Truth(case, len(plain["steps"]), lengths[0], plain["planted_ns"], lengths[1])


def _lengths(steps: list[list[int]], case: Case) -> tuple[int, ...]:
    """From each begin to the next."""
    begins = [begin for _, begin, _ in steps]
    if case.last_step_ends and steps:
        begins.append(steps[-1][2])
    return tuple(after - before for before, after in itertools.pairwise(begins))


@dataclasses.dataclass(frozen=True)
class Row:
    """A line of the table. planted, reported: percent of a step, of the largest plant and of the first finding;
    None where there is none to compare. disturbed: other work made a step slow. alarms: warnings
    about a clean program. contradictions: between pages."""

    case: str
    first: str
    title: str
    right: bool
    expected: tuple[str, ...]
    clean: bool
    two: bool
    disturbed: bool
    step_ms: float
    planted: float | None
    reported: float | None
    gain_ms: float | None
    steps: int
    steps_found: int
    step_error: float | None
    alarms: tuple[str, ...]
    contradictions: tuple[str, ...]

    @property
    def gain_error(self) -> float | None:
        """How far what a finding's share promises is from what a typical step takes less without the only cost."""
        if self.points is None or self.two or not self.gain_ms or self.gain_ms <= 0:
            return None
        return (self.reported or 0.0) / 100 * self.step_ms / self.gain_ms - 1

    @property
    def points(self) -> float | None:
        """By how many points of a step the two shares differ; of the right cause alone."""
        if not self.right or self.planted is None or self.reported is None:
            return None
        return self.reported - self.planted


def judged(case: Case, folder: Path) -> Row:
    truth = truth_at(folder, case)
    profile = tensorboard_perfplugin.open(str(folder))
    missing = profile.missing()
    answers = {page: profile.tool(page).to_dict() for page in PAGES if not missing.get(page)}
    overview = answers["overview"]
    first = _answer(overview["findings"], truth)
    found_ms = overview["summary"]["step_time_ms"]
    return Row(
        case=case.name,
        first=first["code"],
        title=first["title"],
        right=first["code"] in truth.expected,
        expected=tuple(sorted(truth.expected)),
        clean=is_clean(case),
        two=len(case.plants) > 1,
        disturbed=truth.disturbed,
        step_ms=truth.step_ms,
        planted=_planted(truth, first["code"]),
        reported=None if first["share"] is None else 100 * first["share"],
        gain_ms=truth.gain_ms,
        steps=truth.steps,
        steps_found=overview["summary"]["step_count"] or 0,
        step_error=found_ms / truth.step_ms - 1 if found_ms else None,
        alarms=tuple(_alarms(answers, truth)) if is_clean(case) else (),
        contradictions=tuple(contradictions(answers)),
    )


def _answer(findings: list[dict[str, Any]], truth: Truth) -> dict[str, Any]:
    """The first finding. Where other work made a step slow, as the stopwatch has it too, what follows that one."""
    if truth.disturbed and findings[0]["code"].startswith("slow_step") and len(findings) > 1:
        return findings[1]
    return findings[0]


def _planted(truth: Truth, code: str) -> float | None:
    """Percent of a step that the largest plant takes. None where the finding's share is of something else: of slow
    steps, what they take beyond the others; of ops that run one by one, what lies between them; and where other work
    made some steps slow."""
    plant = truth.largest
    ms = truth.planted_ms(plant) if plant else None
    if plant is None or ms is None or plant.every != 1 or truth.disturbed or is_clean(truth.case):
        return None
    if plant.measured == "gain" and code in ONE_BY_ONE:
        return None
    return 100 * ms / truth.step_ms


def _alarms(answers: dict[str, dict[str, Any]], truth: Truth) -> list[str]:
    """Warnings about a clean program. That a step was slow is none where one was."""
    found = [(page, f) for page, answer in answers.items() for f in answer["findings"]]
    warnings = [(page, f["code"]) for page, f in found if f["severity"] == "warning"]
    return [f"{page}: {code}" for page, code in warnings if not (truth.disturbed and code.startswith("slow_step"))]


def contradictions(answers: dict[str, dict[str, Any]]) -> list[str]:
    """Where two pages say what cannot both be so."""
    overview, pipeline = answers["overview"], answers.get("input_pipeline")
    codes = [finding["code"] for finding in overview["findings"]]
    found = []
    if pipeline:
        verdict = pipeline["summary"]["verdict"]
        if codes[0] in INPUT and verdict == "not input-bound":
            found.append("overview: input-bound, input_pipeline: not")
        if verdict == "input-bound" and not INPUT & set(codes):
            found.append("input_pipeline: input-bound, overview: nothing of input")
        if codes[0] == "runs_ahead" and verdict == "not input-bound":
            found.append("overview: steps only issue work, input_pipeline: not input-bound")
        found += _different(overview["summary"], pipeline["summary"], "step_count", "step_time_ms")
    if "tf_data" in answers:
        about = {finding["code"] for finding in answers["tf_data"]["findings"]}
        if "tf_data_not_bound" in about and codes[0] in INPUT:
            found.append("overview: input-bound, tf_data: not")
        if "tf_data_bound" in about and pipeline and pipeline["summary"]["verdict"] == "not input-bound":
            found.append("tf_data: bound, input_pipeline: not input-bound")
    others = [f["code"] for f in overview["findings"][1:] if f["severity"] == "warning"]
    if codes[0] in COMPUTE and others:
        found.append(f"overview: computes, and a warning of {', '.join(others)}")
    return found


def _different(one: dict[str, Any], other: dict[str, Any], *names: str) -> list[str]:
    pairs = [(name, one.get(name), other.get(name)) for name in names]
    return [
        f"{name}: overview {a}, input_pipeline {b}"
        for name, a, b in pairs
        if a is not None and b is not None and abs(a - b) > 1e-9 * abs(a)
    ]
