"""Work for steps to come, by what caused it, else by the thread that it runs on."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from ...tables import I32, I64, U8, among
from ..causes.flows import inherited
from ..names.dataset_loops import BODY, FEEDS_BODY, OUTSIDE_BODY
from ..nesting import nesting_of
from .host_names import CLASSES, HostClass
from .host_threads import Threads

#: Threads that prepare input ahead of time; the pool of the one left out hands elements to the step.
_AHEAD = re.compile(r"tf_data_(?!iterator_get_next)\w+")

#: A loop over a dataset in a tf.function, and the thread it is on.
_REDUCES, _REDUCER = "ReduceDatasetOp::DoCompute", "tf_data_reduce_dataset"

#: So many events lie around a stage that runs the loop's body: `ReduceIterator::Root`, `PrefetchProduce`, `TakeWhile`.
_AROUND_BODY = 3


def mark_ahead(threads: Threads, event_class: U8) -> None:
    """Work for steps to come: by what caused it, else by the thread that it runs on."""
    here, elsewhere = _resolved(event_class, True), _resolved(event_class, False)
    looped = elsewhere.copy()
    looped[HostClass.PIPELINE] = HostClass.RUNTIME
    caused, body = _caused_by_input(threads, event_class), _loop_bodies(threads)
    if caused is not None and body is not None:
        caused &= ~body
    for track in threads.tracks.tolist():
        at = slice(int(threads.begin[track]), int(threads.end[track]))
        main = track in threads.main or threads.names[track].startswith(_REDUCER)
        if not main and _AHEAD.match(threads.names[track]):
            event_class[at] = (
                HostClass.PIPELINE if body is None else np.where(body[at], looped[event_class[at]], HostClass.PIPELINE)
            )
            continue
        if not main and threads.python and threads.main:
            # What other threads run of Python is no part of the step, what that calls may be.
            event_class[at][among(threads.timeline.capture.events.name[at], list(threads.python))] = HostClass.NONE
        if caused is not None:
            event_class[at][caused[at] & ~(main & (event_class[at] == HostClass.NEXT))] = HostClass.PIPELINE
        event_class[at] = (here if main else elsewhere)[event_class[at]]
    bodies = _called(threads, BODY)
    if bodies.any():
        event_class[_above(nesting_of(threads.timeline).parent, bodies)] = event_class[
            _called(threads, OUTSIDE_BODY)
        ] = HostClass.RUNTIME
        event_class[_called(threads, FEEDS_BODY)] = HostClass.INPUT


def _caused_by_input(threads: Threads, event_class: U8) -> NDArray[np.bool_] | None:
    """What iterators and the functions they call did, on whatever thread; None where there are none."""
    roots = np.flatnonzero((event_class == HostClass.PIPELINE) | (event_class == HostClass.NEXT))
    if not len(roots):
        return None
    label = np.full(len(event_class), -1, np.int32)
    label[threads.steps.row[threads.steps.row >= 0]] = 1
    label[roots] = 0
    caused: NDArray[np.bool_] = inherited(threads.timeline, label) == 0
    return caused


def _called(threads: Threads, names: re.Pattern[str]) -> NDArray[np.bool_]:
    """The calls of iterators that have such a name, in loops over a dataset in a tf.function."""
    strings, named = threads.timeline.capture.strings, np.zeros(len(threads.timeline.capture.strings), bool)
    if strings.find(_REDUCES) >= 0:
        used = np.unique(threads.timeline.capture.events.name).tolist()
        named[[i for i in used if names.fullmatch(strings[i])]] = True
    matching: NDArray[np.bool_] = named[threads.timeline.capture.events.name]
    return matching


def _loop_bodies(threads: Threads) -> NDArray[np.bool_] | None:
    """What loops over a dataset in a tf.function run for its elements: stages of a pipeline to TensorFlow."""
    capture = threads.timeline.capture
    if capture.strings.find(_REDUCES) < 0:
        return None
    table = np.full(len(capture.strings), -1, np.int32)
    for i in np.unique(capture.events.name).tolist():
        if capture.strings[i].startswith("ReduceIterator::"):
            table[i] = int(bool(BODY.fullmatch(capture.strings[i])))
    bodies: NDArray[np.bool_] = inherited(threads.timeline, table[capture.events.name]) == 1
    return bodies


def _above(parent: I32, rows: NDArray[np.bool_]) -> I64:
    """Some events, and those that contain them on their threads, `PrefetchProduce` say."""
    marked, up = rows.copy(), np.flatnonzero(rows)
    for _ in range(_AROUND_BODY):
        up = parent[up].astype(np.int64)
        up = up[up >= 0]
        marked[up] = True
    return np.flatnonzero(marked)


def _resolved(event_class: U8, main: bool) -> U8:
    """Class → what it is on the program's own threads, or on others."""
    table = np.arange(CLASSES, dtype=np.uint8)
    table[HostClass.SHARD] = (
        HostClass.PIPELINE
        if ((event_class == HostClass.INPUT) | (event_class == HostClass.NEXT)).any()
        else HostClass.INPUT
    )
    table[[HostClass.NEXT, HostClass.PIPELINE]] = HostClass.INPUT if main else HostClass.PIPELINE
    if not main:
        table[HostClass.UNKNOWN] = HostClass.RUNTIME
    return table
