"""Time in which only Python runs → where in the step, and which function."""

from __future__ import annotations

import re

from ....analysis.steps import MARKED
from ....messages import Param
from ....threshold import Threshold
from .case import MOST, Answer, Case, Cause, function_name, largest

FIRST = Threshold("python_first", 0.25, "share", "Python, of which every program needs some between its calls")
ONE_STRETCH = Threshold(
    "one_stretch",
    0.6,
    "share",
    "most of a step's Python lies in one place or one function, not strewn between its calls",
)
#: What servers call the processing of a batch of requests.
_BATCH = re.compile(r"(?:\w+::)?ProcessBatch\b|BatchingSessionRun\b")


def _python(case: Case, ps: float) -> Answer:
    place = _place(case, ps)
    if (place["between"] or place["before"]) and _is_server(case):
        return Answer("between_batches", {})
    name, spent = largest(case.summary.python)
    if name and case.is_most(spent, ps):
        params = {**place, "function": name, "steps": max(case.summary.steps, 1), "self_ps": spent.ps}
        return Answer("python_bound.function", params, search=function_name(name))
    return Answer("python_bound", {**place, "traced": bool(case.summary.python or case.summary.stacks)})


def _place(case: Case, ps: float) -> dict[str, Param]:
    """Where in the step most of its Python lies. marked: whether what lies between steps is between the marks of a
    program, not the calls that are taken for steps."""
    summary, enough = case.summary, MOST.value * case.of_all(ps)
    between = summary.between_ps >= enough and summary.between_ps >= summary.before_ps
    before = summary.before_ps >= enough and not between
    marked = all(steps.rule in MARKED for steps in case.step.steps)
    return {"between": between, "before": before, "marked": marked}


def _is_server(case: Case) -> bool:
    """Whether steps are batches of requests."""
    return all(_BATCH.match(steps.name[0]) for steps in case.step.steps)


def _is_one_stretch(case: Case, ps: float) -> bool:
    summary = case.summary
    stretch = max(summary.between_ps, summary.before_ps, largest(summary.python)[1].ps)
    return stretch >= ONE_STRETCH.value * case.of_all(ps)


PYTHON = Cause("python", ("python",), FIRST, _python, _is_one_stretch)
