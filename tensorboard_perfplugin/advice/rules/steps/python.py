"""Time in which only Python runs → where in the step, and which function."""

from __future__ import annotations

import re

from ....messages import Message, Param
from ....threshold import CHOSEN, Threshold
from ....timeline.steps.model import MARKED
from .case import Answer, Case, Cause, function_name, largest

FIRST = Threshold("python_first", 0.25, "share", "Python, of which every program needs some between its calls")
ONE_STRETCH = Threshold(
    "one_stretch",
    0.6,
    "share",
    "most of a step's Python lies in one place, in one function or in long stretches, not strewn between its calls",
)
PLACE = Threshold(
    "place of Python", 0.5, "share", "of a step's Python; it is said to lie where at least half of it does", CHOSEN
)
NAMED = Threshold("named_function", 0.03, "share", "a function of less of a step's Python is not worth its name")
SEEN = Threshold(
    "ops of a step that is recorded",
    10,
    "ops a step",
    "a step of PyTorch with fewer is of a file from which events were taken out: what lies between them is not known",
    "training steps of public captures have 60 and more, cut ones 2 to 4",
)
INTERRUPTED = Threshold(
    "pauses of the processor",
    0.1,
    "share",
    "of a step's Python; pauses in which others had it are told from here on",
    CHOSEN,
)
#: How many functions are named.
FUNCTIONS = 3
#: Annotations of what PyTorch runs on a thread of its own.
_BACKWARD = re.compile(r"\bbackward\b", re.IGNORECASE)
#: What servers call the processing of a batch of requests.
_BATCH = re.compile(r"(?:\w+::)?ProcessBatch\b|BatchingSessionRun\b")


def _python(case: Case, ps: float) -> Answer:
    place = _place(case, ps)
    if (place["between"] or place["before"]) and _is_server(case):
        return Answer("between_batches", {})
    params = {**place, **_where(case, ps)}
    if summary_ps := case.summary.interrupted_ps / max(case.summary.steps, 1):
        params["interrupted"] = summary_ps if summary_ps >= INTERRUPTED.value * ps else None
    unseen = _unseen(case, ps)
    if unseen is not None:
        return Answer("python_bound.unseen", unseen, search=str(unseen.get("region", "")))
    name, spent = largest(case.summary.python)
    if name and case.is_most(spent, ps):
        params |= {"function": name, "steps": max(case.summary.steps, 1), "self_ps": spent.ps}
        return Answer("python_bound.function", params, search=function_name(name))
    traced = bool(case.summary.python or case.summary.stacks)
    if not traced:
        params |= _stretch(case, ps)
    return Answer("python_bound", {**params, "traced": traced}, search=str(params.get("region", "")))


def _unseen(case: Case, ps: float) -> dict[str, Param] | None:
    """How much the capture holds of PyTorch's steps, where that is so little that Python is but a guess: next to no
    op, or none of a backward pass, which runs on threads of its own."""
    summary = case.summary
    if not summary.torch or summary.stacks or summary.python:
        return None
    ops = summary.operators / max(summary.steps, 1)
    if ops < SEEN.value:
        return {"ops": ops}
    region, inside = largest(summary.regions)
    if summary.backward or not _BACKWARD.search(region) or inside.ps < PLACE.value * case.of_all(ps):
        return None
    return {"region": region, "region_share": min(inside.ps / case.of_all(ps), 1.0)}


def _where(case: Case, ps: float) -> dict[str, Param]:
    """In which annotation of the program most of it lies, what kind of work it is, and the functions that have most."""
    found: dict[str, Param] = {}
    region, inside = largest(case.summary.regions)
    if region and case.is_most(inside, ps):
        found |= {"region": region, "region_share": min(inside.ps / case.of_all(ps), 1.0)}
    kind, of_kind = largest(case.summary.kinds)
    if kind and case.is_most(of_kind, ps):
        share = min(of_kind.ps / case.of_all(ps), 1.0)
        found |= {"kind": Message(f"python_kind.{kind}", {"share": share}), "remedy": Message(f"python_remedy.{kind}")}
    functions = [(name, spent.ps / case.of_all(ps)) for name, spent in case.summary.python.items()]
    listed = [(name, share) for name, share in functions if share >= NAMED.value][:FUNCTIONS]
    if listed:
        found["functions"] = tuple(
            Message("python_bound.part", {"function": name, "share": min(share, 1.0)}) for name, share in listed
        )
    return found


def _stretch(case: Case, ps: float) -> dict[str, Param]:
    """After what most of it lies in a stretch that comes in most steps, of which the capture holds nothing."""
    after, spent = largest(case.summary.after)
    a_step = case.a_step(spent)
    if spent.ps < PLACE.value * case.of_all(ps) or not a_step.times:
        return {}
    return {"stretch": Message("python_bound.stretch", {"pause_ps": a_step.ps, "after": after})}


def _place(case: Case, ps: float) -> dict[str, Param]:
    """Where in the step most of its Python lies. marked: whether what lies between steps is between the marks of a
    program, not the calls that are taken for steps."""
    summary, enough = case.summary, PLACE.value * case.of_all(ps)
    between = summary.between_ps >= enough and summary.between_ps >= summary.before_ps
    before = summary.before_ps >= enough and not between
    marked = all(steps.rule in MARKED for steps in case.step.steps)
    return {"between": between, "before": before, "marked": marked}


def _is_server(case: Case) -> bool:
    """Whether steps are batches of requests."""
    return all(_BATCH.match(steps.name[0]) for steps in case.step.steps)


def _is_one_stretch(case: Case, ps: float) -> bool:
    summary = case.summary
    named = (largest(found)[1].ps for found in (summary.python, summary.regions, summary.kinds))
    stretches_ps = summary.stretches_ps - summary.interrupted_ps
    stretch = max(summary.between_ps, summary.before_ps, stretches_ps, *named)
    return stretch >= ONE_STRETCH.value * (case.of_all(ps) - summary.interrupted_ps)


def interrupted(case: Case) -> float:
    """What of a step are pauses in Python in which others had the processor."""
    return case.summary.interrupted_ps / case.of_all(case.step.step_ps)


PYTHON = Cause("python", ("python",), FIRST, _python, _is_one_stretch, interrupted, of_calls=True)
