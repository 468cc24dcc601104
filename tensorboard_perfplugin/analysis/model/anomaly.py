"""A timeline of PyTorch's operators → what autograd's anomaly mode does, and how long it takes.

`set_detect_anomaly` has each operator that makes a node keep the stack of its caller as text, within its own time, and
each node of the backward pass look for NaN: `aten::isnan`, `aten::_is_any_true` or `aten::any`, and `aten::item`, right
inside of `autograd::engine::evaluate_function`. How long a stack takes is told by operators that only view a tensor:
of these all self time is, of others as much on average.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import EMPTY, I64, Intervals, among, intervals
from ...threshold import CHOSEN, Threshold
from ...timeline import (
    Timeline,
    forward_calls,
    host_self_ps_of,
    nesting_of,
    ops_of,
    units_at_work_of,
)

CHECKED = Threshold(
    "nodes that are checked",
    0.5,
    "share",
    "of the backward pass's nodes; anomaly mode checks all that give a gradient, a hook of a program those it is for",
    CHOSEN,
)
_NODE = re.compile(r"autograd::engine::evaluate_function: (?!torch::autograd::).*", re.DOTALL)
_OF_NODE = re.compile(r"(?!autograd::)\w*Backward\w*(?:$|<).*", re.DOTALL)
_LOOKS = re.compile(r"aten::isnan")
_CHECK = re.compile(r"aten::(?:isnan|_is_any_true|any|item)")
_VIEW = re.compile(
    r"aten::(?:t|view|transpose|permute|expand|(?:un)?squeeze|reshape|_unsafe_view|select|slice|alias|detach|"
    r"(?:un)?flatten|narrow|chunk|split|unbind|as_strided)"
)


class Anomaly(NamedTuple):
    """begin_ps, end_ps: of each check for NaN, and each stack that is kept. nodes: when each checked node begins."""

    begin_ps: I64
    end_ps: I64
    nodes: I64

    def within(self, timeline: Timeline, windows: Intervals) -> int:
        """How long it takes in some windows, without what devices do meanwhile."""
        when = intervals.intersection(intervals.union(self.begin_ps, self.end_ps), windows)
        for device in units_at_work_of(timeline):
            when = intervals.subtraction(when, device.busy)
        return when.total


NO_ANOMALY = Anomaly(EMPTY.begin, EMPTY.end, EMPTY.begin)


def anomaly(timeline: Timeline) -> Anomaly:
    """None where the nodes of the backward pass are not checked."""
    capture = timeline.capture
    events, looks = capture.events, capture.events_named(_LOOKS)
    nodes = capture.events_named(_NODE) if len(looks) else looks
    if not len(nodes):
        return NO_ANOMALY
    parent = nesting_of(timeline).parent
    checked = np.intersect1d(nodes, parent[looks])
    if len(checked) < CHECKED.value * len(nodes):
        return NO_ANOMALY
    checks = capture.events_named(_CHECK)
    checks = checks[among(parent[checks], checked)]
    begin, took = events.start_ps[checks], events.duration_ps[checks]
    rows, stack_ps = _stacks(timeline)
    begin, took = np.append(begin, events.start_ps[rows]), np.append(took, stack_ps)
    return Anomaly(begin, begin + took, events.start_ps[checked])


def _stacks(timeline: Timeline) -> tuple[I64, I64]:
    """Operators that made a node, and how long each took to keep its stack."""
    events, ops = timeline.capture.events, ops_of(timeline)
    rows, self_ps = ops.host.rows, host_self_ps_of(timeline)
    of_node = _named(timeline, _OF_NODE)[events.name[rows]]
    made = np.unique(forward_calls(timeline, rows)[of_node])
    made = made[made >= 0]
    rows, self_ps = rows[made], self_ps[made].astype(np.int64)
    views = _named(timeline, _VIEW)[events.name[rows]]
    if not len(rows):
        return rows, self_ps
    if not views.any():
        return rows, np.minimum(self_ps, int(np.median(self_ps)))
    others = int(self_ps[~views].sum())
    part = min(float(self_ps[views].mean()) * np.count_nonzero(~views) / max(others, 1), 1.0)
    return rows, np.where(views, self_ps, (part * self_ps).astype(np.int64))


def _named(timeline: Timeline, pattern: re.Pattern[str]) -> NDArray[np.bool_]:
    strings = timeline.capture.strings
    found = np.zeros(len(strings), bool)
    found[[i for i in timeline.capture.names_used.tolist() if pattern.fullmatch(strings[i][:200])]] = True
    return found
