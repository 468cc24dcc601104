"""A host's threads → when the program's waits for the interpreter's lock, which a function of its input pipeline has.

A call from Python into TensorFlow gives the lock away, and takes it again when what it called is done. Where the
pipeline's own function of Python runs just then, on a thread of tf.data, the program waits for that: for its input.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from ...tables import I64, U8, Intervals, intervals
from ...threshold import CHOSEN, Threshold
from ..nesting import nesting_of
from .host_names import HostClass
from .host_threads import Threads

LEAST_PS = Threshold(
    "wait for the interpreter",
    200_000_000,
    "ps",
    "what a call does before it returns to Python takes no longer",
    CHOSEN,
)
_CALL = re.compile(r"TFE_Py_\w+")
_PYTHON_OF_INPUT = re.compile(r"(?:.*[/:])?(?:Eager|Stateless)?PyFunc(?:Stateless)?")


class Held(NamedTuple):
    """By begin: when, and the row of the call that waits."""

    when: Intervals
    rows: I64


def held_by_input(threads: Threads, event_class: U8) -> Held:
    """When calls on the program's own threads wait so; event_class: of each event, as `event_classes` has it."""
    capture = threads.timeline.capture
    calls, functions = (_rows(threads, pattern) for pattern in (_CALL, _PYTHON_OF_INPUT))
    functions = functions[event_class[functions] == HostClass.PIPELINE]
    calls = calls[np.isin(capture.events.track[calls], list(threads.main))]
    if not len(calls) or not len(functions):
        return Held(Intervals(np.empty(0, np.int64), np.empty(0, np.int64)), np.empty(0, np.int64))
    start, end = capture.events.start_ps, capture.events.start_ps + capture.events.duration_ps
    inner = np.flatnonzero(np.isin(nesting_of(threads.timeline).parent, calls))
    done = start.copy()
    np.maximum.at(done, nesting_of(threads.timeline).parent[inner], end[inner])
    calls = calls[(end[calls] - done[calls] >= LEAST_PS.value) & (done[calls] > start[calls])]
    run = intervals.union(start[functions], end[functions])
    first = np.searchsorted(run.end, done[calls], side="right")
    # Only the first function that runs meanwhile counts: a later one waited for the lock, too.
    known = first < len(run.begin)
    calls, first = calls[known], first[known]
    begin, until = np.maximum(run.begin[first], done[calls]), np.minimum(run.end[first], end[calls])
    some = np.flatnonzero(until > begin)
    order = some[np.argsort(begin[some], kind="stable")]
    return Held(Intervals(begin[order], until[order]), calls[order])


def _rows(threads: Threads, pattern: re.Pattern[str]) -> I64:
    capture = threads.timeline.capture
    named = np.zeros(len(capture.strings), bool)
    named[[i for i in capture.names_used.tolist() if pattern.fullmatch(capture.strings[i][:200])]] = True
    return np.flatnonzero(named[capture.events.name])
