"""Calls of jitted functions → which are of several functions that share a name, as all of Python's lambdas do.

A call does not say which program it runs, but programs begin in the order in which a thread called them.
"""

from __future__ import annotations

import itertools
import re

import numpy as np

from ...tables import I64, StatKind
from ...threshold import CHOSEN, Threshold
from ..ops.ops import ops_of
from ..timeline import Timeline, derived, is_integer
from .choice import JITTED, function_of, named
from .rows import Call

ALIKE = Threshold(
    "ops of one function",
    0.8,
    "share",
    "two programs of one name with so many of their ops' names in common are one function, compiled for other shapes",
    CHOSEN,
)
IN_TURN = Threshold(
    "programs in turn",
    0.9,
    "share",
    "so many runs must be of the program that ran a turn before; otherwise one function gets other shapes now and then",
    CHOSEN,
)
#: A turn has no more calls of one name.
_MOST = 64
_FEWEST_TURNS = 3


def apart(timeline: Timeline, rows: I64) -> I64:
    """By call the id of its name, or another number where its name stands for several functions.

    They are several where as many programs of that name ran as it was called, in turn, and programs differ in what they
    run.
    """
    capture = timeline.capture
    name = capture.events.name[rows].astype(np.int64)
    begun = _begun(timeline)
    for which in np.unique(name).tolist() if begun else ():
        mine = name == which
        ran = begun.get(module_of(function_of(capture.strings[which])))
        one_thread = len(np.unique(capture.events.track[rows[mine]])) == 1
        if ran is not None and one_thread and len(ran) == int(mine.sum()) and _in_turn(ran) and _differ(timeline, ran):
            _, place = np.unique(ran, return_inverse=True)
            name[mine] += len(capture.strings) * (1 + place.reshape(-1))
    return name


def program_of(timeline: Timeline, call: Call) -> int | None:
    """The program of a call that `apart` told from others of its name."""
    place = call.name // len(timeline.capture.strings) - 1
    name = named(timeline.capture, call)
    if place < 0 or not JITTED.fullmatch(name):
        return None
    return int(np.unique(_begun(timeline)[module_of(function_of(name))])[place])


def module_of(function: str) -> str:
    """What JAX calls the program of a function: at the end of `<lambda>` newer versions write no `_`."""
    return ("jit_" + re.sub(r"\W", "_", function)).rstrip("_")


@derived
def _begun(timeline: Timeline) -> dict[str, I64]:
    """By the name of a module its programs, a number a run, in the order in which these began."""
    capture = timeline.capture
    if not timeline.has_stat("program_id") or not timeline.has_stat("run_id"):
        return {}
    rows = np.flatnonzero(timeline.stat("hlo_module")[1] == StatKind.TEXT)
    module, _ = timeline.stat_of("hlo_module", rows)
    program, has_program = timeline.stat_of("program_id", rows)
    run, has_run = timeline.stat_of("run_id", rows)
    known = is_integer(has_program) & is_integer(has_run)
    order = np.flatnonzero(known)[np.argsort(capture.events.start_ps[rows[known]], kind="stable")]
    _, first = np.unique(np.stack((module, program, run))[:, order], axis=1, return_index=True)
    runs = order[np.sort(first)]
    names = np.unique(module[runs]).tolist()
    return {name_of(capture.strings[one]): program[runs[module[runs] == one]] for one in names}


def name_of(module: str) -> str:
    """A module's name without its number, as `module_of` has it."""
    return module.partition("(")[0].rstrip("_")


def _in_turn(programs: I64) -> bool:
    """Whether several programs run in one order again and again."""
    if len(np.unique(programs)) < 2:
        return False
    turns = range(2, min(_MOST, len(programs) // _FEWEST_TURNS) + 1)
    return any(float((programs[n:] == programs[:-n]).mean()) >= IN_TURN.value for n in turns)


def _differ(timeline: Timeline, programs: I64) -> bool:
    """Whether two of some programs run other ops, not the same ones on other shapes."""
    held = ops_by_program(timeline)
    several = [held.get(program, set()) for program in np.unique(programs).tolist()]
    return any(
        len(one & other) < ALIKE.value * max(len(one), len(other)) for one, other in itertools.combinations(several, 2)
    )


@derived
def ops_by_program(timeline: Timeline) -> dict[int, set[int]]:
    """The ops that each program ran, by their place in `ops_of`."""
    ops, held = ops_of(timeline), dict[int, set[int]]()
    for side in (ops.host, ops.device):
        program, kind = timeline.stat_of("program_id", side.rows)
        known = is_integer(kind)
        for of, op in np.unique(np.stack((program[known], side.op[known])), axis=1).T.tolist():
            held.setdefault(of, set()).add(op)
    return held
