"""TensorFlow's functions, graphs and runs of sessions, of which one is called once an iteration."""

from __future__ import annotations

import numpy as np

from ...tables import I64, StatKind, among
from ..timeline import Timeline, is_integer
from .choice import Choice, dearest
from .rows import calls, host_rows, name_ids, names_where, outermost
from .trains import in_training, runs_some, training_began

_TRACED = "EagerLocalExecute: __"
_RUNS = ("SessionRun", "RunGraph", "FunctionRun", "TfrtSessionRun", "TFRTRun")
_CAPTURED = "InstantiatedCapturedFunction::"


def functions(timeline: Timeline, rows: I64) -> Choice | None:
    """tf.functions that Python called; where one name stands for several of them, each apart."""
    capture = timeline.capture
    rows = rows[timeline.stat_of("tf_function_call", rows)[1] == StatKind.TEXT]
    rows = rows[outermost(capture, rows)]
    choice = dearest(capture, calls(capture, rows, _apart(timeline, rows)), lambda call: call.weight)
    return choice and (in_training(timeline, choice, choice.all, lambda call: call.weight) or choice)


def _apart(timeline: Timeline, rows: I64) -> I64:
    """By call the id of its name, or another number where its name stands for several functions.

    Keras trains and validates by two functions of one name. They were traced once each, and run two different graphs; a
    function that was traced again says so. Then it has several graphs; but those that are run in turn are of several,
    and so are those that train and those that do not.
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
    return np.where(again[name], name + size * size * _training(timeline, rows, graph), name + size * graph)


def _training(timeline: Timeline, rows: I64, graph: I64) -> I64:
    """By call 1 where most calls of its graph run ops that train, else 0."""
    _, which = np.unique(graph, return_inverse=True)
    train = runs_some(timeline.capture, rows, training_began(timeline.capture)).astype(float)
    which = which.reshape(-1)
    return (2 * np.bincount(which, train) > np.bincount(which))[which].astype(np.int64)


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
