"""Calls of compiled functions → what they do of a training: apply gradients, compute them, evaluate, or none of these.

TensorFlow runs ops while a call lasts. JAX's run later, elsewhere, under the function's name; those that add to weights
are told by what else the function runs, or by its name.
"""

from __future__ import annotations

import re
from enum import IntEnum

import numpy as np

from ...tables import I64, Capture
from ..ops.ops import ops_of
from ..timeline import Timeline, derived
from .choice import FRAME, JITTED, Choice, Cost, dearest, function_of
from .rows import Call, Flags, ends, host_rows, names_where
from .same_name import ops_by_program, program_of

#: Ops of TensorFlow that apply gradients. Metrics, counters and what adds up gradients use `AssignAddVariableOp`.
_UPDATES = re.compile(r"(?:.*[:/])?(?:Resource\w*Apply\w+|AssignSubVariableOp)", re.DOTALL)
_GRADIENTS = re.compile(r"(?:.*/)?gradient_tape/.*|gradients/.*", re.DOTALL)
#: So many functions are looked at.
MOST_OTHERS = 64
#: The function of an op of JAX's, and what it is in it.
_OF_FUNCTION = re.compile(r"p?jit\(([^()]+)\)/([^;]*)", re.DOTALL)
_SUM, _FORWARD = re.compile(r"(?:.*/)?(?:add|sub)"), re.compile(r"(?:.*/)?(?:dot|conv|reduce)\w*")
_NAMED = re.compile(r"apply|update|optimi[sz]er|accumulate|train", re.IGNORECASE)
_EVALUATES = re.compile(r"eval|test|valid|predict|infer", re.IGNORECASE)


class Part(IntEnum):
    """Of a training; higher ones make the lower ones' calls parts of a step. UNKNOWN: no op of any call is known."""

    UNKNOWN, EVALUATES, COMPUTES, GRADIENTS, APPLIES = range(-2, 3)


def parts(timeline: Timeline, several: list[Call]) -> list[Part]:
    """What each of some calls does."""
    capture = timeline.capture
    names = [capture.event_name(int(call.rows[0])) for call in several]
    of_jax = _of_jax(timeline)
    ops, gradients, updates = np.empty(0, np.int64), _begun(capture, _GRADIENTS), updates_began(capture)
    if not capture.capabilities.has_operators and not capture.capabilities.has_ranges:
        ops = np.sort(capture.events.start_ps[ops_of(timeline).host.rows])
    found = []
    for call, name in zip(several, names, strict=True):
        if JITTED.fullmatch(name):
            part = _does(_runs(timeline, call)) if of_jax else Part.UNKNOWN
            part = Part.APPLIES if _NAMED.search(name) else part
        elif not FRAME.fullmatch(name) and _runs_some(capture, call, ops):
            part = Part.GRADIENTS if _runs_some(capture, call, gradients) else Part.COMPUTES
            part = Part.APPLIES if _runs_some(capture, call, updates) else part
        else:
            part = Part.APPLIES if _NAMED.search(name) else Part.UNKNOWN
        found.append(Part.EVALUATES if part < Part.GRADIENTS and _EVALUATES.search(name) else part)
    return found


def in_training(timeline: Timeline, choice: Choice, functions: list[Call], cost: Cost) -> Choice | None:
    """The function that trains, where one that does not takes longer: many calls of this come between some of that."""
    dear = choice.call
    between = [
        call
        for call in functions[:MOST_OTHERS]
        if call.track == dear.track
        and len(call.rows) > 1
        and call.rows[0] < dear.rows[-1]
        and dear.rows[0] < call.rows[-1]
    ]
    if len(between) < 2:
        return None
    training = _trains(timeline, between)
    if any(call is dear for call in training):
        return None
    found = dearest(timeline.capture, training, cost)
    return found and found._replace(all=choice.all)


def _trains(timeline: Timeline, several: list[Call]) -> list[Call]:
    """Those of some calls that are seen to compute gradients, or to apply them."""
    capture = timeline.capture
    began = training_began(capture)
    return [call for call in several if _runs_some(capture, call, began) or "backward" in _runs(timeline, call)]


def _runs(timeline: Timeline, call: Call) -> set[str]:
    """The kinds of ops that a function of JAX's runs."""
    program = program_of(timeline, call)
    if program is None:
        return _of_jax(timeline).get(function_of(timeline.capture.event_name(int(call.rows[0]))), set())
    ops = ops_of(timeline).ops
    matches = (_OF_FUNCTION.match(ops[i].name) for i in ops_by_program(timeline).get(program, ()))
    return {_kind(match.group(2)) for match in matches if match}


def _begun(capture: Capture, pattern: re.Pattern[str]) -> I64:
    """When ops of a kind begin on host threads, sorted."""
    rows = host_rows(capture)
    rows = rows[names_where(capture, rows, pattern.fullmatch)[capture.events.name[rows]]]
    return np.sort(capture.events.start_ps[rows])


@derived
def _of_jax(timeline: Timeline) -> dict[str, set[str]]:
    """By function what kinds of ops it runs: `backward`, `forward`, and `sum`, outside of what is differentiated."""
    held: dict[str, set[str]] = {}
    for op in ops_of(timeline).ops:
        if match := _OF_FUNCTION.match(op.name):
            function, within = match.groups()
            held.setdefault(function, set()).add(_kind(within))
    return held


def _kind(within: str) -> str:
    """Of an op, by its name in a function."""
    if _SUM.fullmatch(within) and "jvp" not in within:
        return "sum"
    return "backward" if "transpose(jvp" in within else "forward" if _FORWARD.fullmatch(within) else ""


def _does(kinds: set[str]) -> Part:
    """Beside gradients, a sum adds them to weights; what only adds, and runs nothing forward, applies others'."""
    if "backward" in kinds:
        return Part.APPLIES if "sum" in kinds else Part.GRADIENTS
    return Part.APPLIES if "sum" in kinds and "forward" not in kinds else Part.COMPUTES


def updates_began(capture: Capture) -> I64:
    """When TensorFlow's ops that apply gradients begin, sorted."""
    return _begun(capture, _UPDATES)


def training_began(capture: Capture) -> I64:
    """When TensorFlow's ops that compute or apply gradients begin, sorted."""
    return np.sort(np.concatenate((updates_began(capture), _begun(capture, _GRADIENTS))))


def runs_some(capture: Capture, rows: I64, began: I64) -> Flags:
    """Which events last while something begins."""
    first = np.searchsorted(began, capture.events.start_ps[rows])
    return np.asarray(np.searchsorted(began, ends(capture, rows)) > first)


def _runs_some(capture: Capture, call: Call, began: I64) -> bool:
    """Whether most calls last while something begins."""
    return bool(2 * int(runs_some(capture, call.rows, began).sum()) > len(call.rows))
