"""Waiting for input → what is waited for, and how to make it faster."""

from __future__ import annotations

import re

from ....analysis.input.bottleneck import Bottleneck
from ....messages import Param
from ....threshold import Threshold
from ..input_advice import blamed
from .case import Answer, Case, Cause, bare, function_name, largest

FIRST = Threshold("input_first", 0.2, "share", "waiting for input of a program that needs a change")
PACES = Threshold(
    "pipeline_paces",
    0.85,
    "share",
    "an input pipeline that works for so much of a step's time sets its pace: with less of anything else a step would "
    "wait for input as much longer",
)
_PYFUNC = re.compile(r"(?:.*[/ (])?(?:Eager|Stateless)?PyFunc\w*\)?")


def paces(case: Case) -> bool:
    """Whether what limits the pipeline needs about as long for a batch as a step takes, all hosts together; Python that
    waits for the program's own Python to pause would need less with less of that."""
    steps = sum(len(steps) for steps in case.step.steps)
    return case.limit is not None and case.limit.alone_ps >= PACES.value * case.step.step_ps * steps


def _waits_for_input(case: Case, ps: float) -> Answer:
    if case.limit is not None:
        return _stage(case, case.limit, ps)
    summary = case.summary
    stage = largest(summary.waits)[0].rpartition("::")[2]
    feed, spent = largest(summary.feeds)
    enough = case.is_most(spent, ps)
    function, self_time = largest(summary.gets)
    if not stage and not enough and case.is_most(self_time, ps):
        params: dict[str, Param] = {"function": function}
        return Answer("input_bound.function", params, "input_pipeline", function_name(function))
    params = {"stage": stage}
    if enough:
        params |= {"feed": _stage_name(feed), "feed_ps": spent.ps, "steps": summary.steps}
    return Answer(_kind(feed), params, "input_pipeline", bare(feed) if enough else stage)


def _stage(case: Case, limit: Bottleneck, ps: float) -> Answer:
    why, action = blamed(limit, sum(len(steps) for steps in case.step.steps), ps)
    search = limit.stage.type if limit.stage.iterates else limit.stage.name
    return Answer("input_bound.stage", {"why": why, "action": action}, "input_pipeline", search)


def _stage_name(feed: str) -> str:
    return feed if _PYFUNC.fullmatch(feed) else feed.rpartition("::")[2] or feed


def _kind(feed: str) -> str:
    if _PYFUNC.fullmatch(feed):
        return "input_bound.python_function"
    return "input_bound.generator" if "::Generator" in feed else "input_bound"


INPUT = Cause("input", ("input_wait",), FIRST, _waits_for_input)
