"""TensorFlow's functions, graphs and runs of sessions, of which one is called once an iteration."""

from __future__ import annotations

import re

import numpy as np

from ...tables import I64, Capture, StatKind, among
from ..timeline import Timeline, is_integer
from .choice import Choice, dearest
from .rows import Call, calls, ends, host_rows, name_ids, names_where, outermost

_TRACED = "EagerLocalExecute: __"
_RUNS = ("SessionRun", "RunGraph", "FunctionRun", "TfrtSessionRun", "TFRTRun")
_CAPTURED = "InstantiatedCapturedFunction::"
#: Ops that compute gradients, or apply them. Metrics and counters are added to by `AssignAddVariableOp`.
_TRAINS = re.compile(
    r"(?:.*/)?gradient_tape/.*|gradients/.*|(?:.*[:/])?(?:Resource\w*Apply\w+|AssignSubVariableOp)", re.DOTALL
)
#: So many functions are looked at.
_MOST = 64


def functions(timeline: Timeline, rows: I64) -> Choice | None:
    """tf.functions that Python called; where one name stands for several of them, each apart."""
    capture = timeline.capture
    rows = rows[timeline.stat_of("tf_function_call", rows)[1] == StatKind.TEXT]
    rows = rows[outermost(capture, rows)]
    choice = dearest(capture, calls(capture, rows, _apart(timeline, rows)), lambda call: call.weight)
    return choice and (_trains(capture, choice) or choice)


def _trains(capture: Capture, choice: Choice) -> Choice | None:
    """The function that trains, where one that only evaluates takes longer: many calls of this come between some of
    that."""
    dear = choice.call
    between = [
        call
        for call in choice.all[:_MOST]
        if call.track == dear.track
        and len(call.rows) > 1
        and call.rows[0] < dear.rows[-1]
        and dear.rows[0] < call.rows[-1]
    ]
    if len(between) < 2:
        return None
    rows = host_rows(capture)
    rows = rows[names_where(capture, rows, _TRAINS.fullmatch)[capture.events.name[rows]]]
    began = np.sort(capture.events.start_ps[rows])
    training = [call for call in between if _runs_some(capture, call, began)]
    if any(call is dear for call in training):
        return None
    found = dearest(capture, training, lambda call: call.weight)
    return found and found._replace(all=choice.all)


def _runs_some(capture: Capture, call: Call, began: I64) -> bool:
    """Whether most calls last while something begins."""
    first = np.searchsorted(began, capture.events.start_ps[call.rows])
    return bool(2 * int((np.searchsorted(began, ends(capture, call.rows)) > first).sum()) > len(call.rows))


def _apart(timeline: Timeline, rows: I64) -> I64:
    """By call the id of its name, or another number where its name stands for several functions.

    Keras trains and validates by two functions of one name. They were traced once each, and run two different graphs; a
    function that was traced again says so. Then it has several graphs; but those that are run in turn are of several.
    """
    capture = timeline.capture
    name = capture.events.name[rows].astype(np.int64)
    inner = host_rows(capture)
    inner = inner[names_where(capture, inner, lambda text: text.startswith(_TRACED))[capture.events.name[inner]]]
    traced, kind = timeline.stat_of("tracing_count", rows)
    if not len(inner) or not len(rows) or not is_integer(kind).all():
        return name
    first = np.minimum(np.searchsorted(inner, rows), len(inner) - 1)
    within = inner[first]
    end = capture.events.start_ps[rows] + capture.events.duration_ps[rows]
    holds = (capture.events.track[within] == capture.events.track[rows]) & (capture.events.start_ps[within] < end)
    graph = np.where(holds & (within > rows), capture.events.name[within], 0).astype(np.int64)
    again = np.zeros(len(capture.strings), bool)
    for several in np.unique(name[traced > 1]).tolist():
        again[several] = not _in_turn(graph[name == several])
    size = len(capture.strings)
    return np.where(again[name], name, name + size * graph)


def _in_turn(graph: I64) -> bool:
    """Whether some graphs are run in a fixed order again and again."""
    k = len(np.unique(graph))
    return 1 < k <= len(graph) // 3 and bool((graph[k:] == graph[:-k]).all())


def graphs(timeline: Timeline, rows: I64) -> Choice | None:
    """Graphs that TensorFlow was asked to run, by whomever."""
    capture = timeline.capture
    traced = names_where(capture, rows, lambda name: name.startswith(_TRACED))
    rows = rows[traced[capture.events.name[rows]]]
    return dearest(capture, calls(capture, rows[outermost(capture, rows)]), lambda call: call.weight)


def runs(timeline: Timeline, rows: I64) -> Choice | None:
    """Runs of sessions and functions, but not those of a tf.data pipeline."""
    capture = timeline.capture
    ids = name_ids(capture, _RUNS)
    every = rows
    rows = rows[among(capture.events.name[rows], ids)]
    if not len(rows):
        return None
    captured = names_where(capture, every, lambda name: name.startswith(_CAPTURED))
    of_input = timeline.stat_of("id", every[captured[capture.events.name[every]]])[0]
    run, kind = timeline.stat_of("id", rows)
    rows = rows[~(is_integer(kind) & among(run, of_input))]
    return dearest(capture, calls(capture, rows[outermost(capture, rows)]), lambda call: call.weight)
