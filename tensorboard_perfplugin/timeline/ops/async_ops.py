"""XLA's ops on CPU that end on another thread than they began on → when each of them ended.

XLA runs an instruction on its own thread or, in pieces, on a pool. The event of its name then covers the start only; an
instant `end: name`, on whatever thread was last, gives the end.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...tables import I32, I64, Capture, StatKind, among
from ..causes.flows import flows_of
from ..timeline import Timeline, derived

_END = "end: "
_WAIT = "ThunkExecutor::Execute (wait for completion)"


class AsyncOps(NamedTuple):
    """rows: events, ascending, of ops that ended after their event did. end_ps: when they ended."""

    rows: I64
    end_ps: I64


@derived
def async_ops_of(timeline: Timeline) -> AsyncOps:
    """XLA's ops on CPU that ended on another thread, after their event.

    Each end belongs to the op whose context it consumes, else to that of its name in whose turn it comes.

    A program that waits for its ops after having begun them has them all ended when it has waited: no end is later,
    and one that the capture lacks was then.
    """
    capture = timeline.capture
    op_by_end = _names(timeline)
    nothing = AsyncOps(np.empty(0, np.int64), np.empty(0, np.int64))
    if not op_by_end:
        return nothing
    op_of = np.full(len(capture.strings), -1, np.int64)
    op_of[list(op_by_end)] = list(op_by_end.values())
    events = capture.events
    ends = np.flatnonzero(op_of[events.name] >= 0)
    begins = np.flatnonzero(among(events.name, np.unique(op_of[events.name[ends]])))
    begins = begins[timeline.stat_of("hlo_op", begins)[1] == StatKind.TEXT]
    if not len(begins):
        return nothing
    end_ps = _caused(timeline, begins, ends, op_of[events.name[ends]])
    if (end_ps < 0).all():
        end_ps = _paired(events.name[begins], events.start_ps[begins], op_of[events.name[ends]], events.start_ps[ends])
    end_ps = _waited_for(capture, begins, end_ps)
    later = end_ps > events.start_ps[begins] + events.duration_ps[begins]
    return AsyncOps(begins[later], end_ps[later])


def _caused(timeline: Timeline, begins: I64, ends: I64, op: I64) -> I64:
    """For each begin when the end came that it caused, -1 where none did."""
    events = timeline.capture.events
    end_ps = np.full(len(events), -1, np.int64)
    producer = flows_of(timeline).producer[ends]
    of_op = (producer >= 0) & (events.name[producer] == op)
    np.maximum.at(end_ps, producer[of_op], events.start_ps[ends[of_op]])
    end_of_begin: I64 = end_ps[begins]
    return end_of_begin


def _waited_for(capture: Capture, begins: I64, end_ps: I64) -> I64:
    """No end later than that of the next wait of the thread that began the op; in its place where it is not known."""
    events = capture.events
    name = capture.strings.find(_WAIT)
    waits = np.flatnonzero(events.name == name) if name >= 0 else np.empty(0, np.int64)
    # Rows are by track, then by begin.
    after = np.append(waits, -1)[np.searchsorted(waits, begins)]
    known = (after >= 0) & (events.track[after] == events.track[begins])
    waited_ps = np.where(known, events.start_ps[after] + events.duration_ps[after], -1)
    earlier: I64 = np.where(known & ((end_ps < 0) | (waited_ps < end_ps)), waited_ps, end_ps)
    return earlier


def _names(timeline: Timeline) -> dict[int, int]:
    """Id of `end: name` → id of `name`."""
    strings = timeline.capture.strings
    ends = [(i, text[len(_END) :]) for i, text in enumerate(strings) if text.startswith(_END)]
    return {i: op for i, name in ends if (op := strings.find(name)) >= 0}


def _paired(name: I32, begin: I64, end_name: I64, end: I64) -> I64:
    """For each begin its end, -1 where none is known."""
    paired = np.full(len(begin), -1, np.int64)
    order, end_order = np.lexsort((begin, name)), np.lexsort((end, end_name))
    low = np.concatenate(([0], np.flatnonzero(np.diff(name[order])) + 1, [len(order)]))
    names = name[order][low[:-1]]
    end_low, end_high = (np.searchsorted(end_name[end_order], names, side=side) for side in ("left", "right"))
    for i in range(len(names)):
        begins, ends = order[low[i] : low[i + 1]], end[end_order[end_low[i] : end_high[i]]]
        paired[begins] = _matched(begin[begins], ends)
    return paired


def _matched(begin: I64, end: I64) -> I64:
    """Both ascending, of one name."""
    if len(begin) == len(end) and (end >= begin).all():
        return end
    last = np.searchsorted(begin, end, side="right") - 1
    matched = np.full(len(begin), -1, np.int64)
    first = np.flatnonzero((last >= 0) & (np.diff(last, prepend=-1) > 0))
    matched[last[first]] = end[first]
    return matched
