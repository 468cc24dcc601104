"""A timeline → how many loops run inside of its steps: a nested level, steps of their own for nobody."""

from __future__ import annotations

import re

import numpy as np

from ...messages import Message
from ..ops.ops import ops_of
from ..timeline import Timeline, is_integer
from .rows import NAME_LIMIT

_EXECUTOR = "ExecutorState::Process"
#: What a loop of TensorFlow's functions writes once an iteration.
_BODY = "WhileOp-StartBody"
_XLA_LOOP = re.compile(r"%?while(?:\.\d+)*(?: = .*)?", re.DOTALL)


def loops(timeline: Timeline) -> dict[Message, int]:
    """How many iterations TensorFlow's executors ran of loops, and how often loops that XLA compiled ran."""
    names, body = timeline.capture.events.name, timeline.capture.strings.find(_BODY)
    bodies = int(np.count_nonzero(names == body)) if body >= 0 else 0
    iterations, compiled = bodies + _turns(timeline), _compiled(timeline)
    counts = {Message("not_steps.loop_iterations"): iterations, Message("not_steps.compiled_loops"): compiled}
    return {what: count for what, count in counts.items() if count}


def _turns(timeline: Timeline) -> int:
    """Iterations after a loop's first, identified by their numbers; several executors may run parts of one."""
    capture = timeline.capture
    name = capture.strings.find(_EXECUTOR)
    rows = np.flatnonzero(capture.events.name == name) if name >= 0 else np.empty(0, np.int64)
    run, _ = timeline.stat_of("id", rows)
    turn, kind = timeline.stat_of("iter_num", rows)
    looped = is_integer(kind) & (turn > 0)
    run, turn = run[looped], turn[looped]
    order = np.lexsort((turn, run))
    other = (np.diff(run[order]) != 0) | (np.diff(turn[order]) != 0)
    return int(np.count_nonzero(other)) + bool(len(run))


def _compiled(timeline: Timeline) -> int:
    """Executions of XLA's `while` instructions, on devices and on host threads."""
    strings = timeline.capture.strings
    is_loop = np.array([text.startswith(("while", "%while")) for text in strings], bool)
    for i in np.flatnonzero(is_loop).tolist():
        is_loop[i] = _XLA_LOOP.fullmatch(strings[i][:NAME_LIMIT]) is not None
    if not is_loop[timeline.capture.kinds.name].any():
        return 0
    rows = np.concatenate((ops_of(timeline).host.rows, ops_of(timeline).device.rows))
    return int(np.count_nonzero(is_loop[timeline.capture.events.name[rows]]))
