"""PyTorch's calls → the Python stacks that they were called from."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, Capture, StatKind, among
from ..loops.loops import nearest
from ..nesting import nesting_of
from ..timeline import Timeline

#: Before the profiler recorded frames as events it wrote them as an arg, innermost first.
_STACK_ARG = "Call stack"
#: So much of shapes or of a stack is shown.
MAX_TEXT = 1000
#: So many frames distinguish a stack from others, the innermost.
FRAMES = 5
_INNER_FRAME = re.compile(r"<built-in |<frozen |<string>|(?:.*/(?:site|dist)-packages/)?torch/")


def stacks(timeline: Timeline, rows: I64, frames: int = FRAMES) -> tuple[I64, list[str]]:
    """By row the place in a list of Python stacks, innermost frame first: `← model.py(12): forward ← train.py(3): fit`.

    Frames inside of PyTorch and of what is built in are left out, unless a stack has no others; modules are frames.
    """
    if timeline.has_stat(_STACK_ARG):
        return _stack_args(timeline, rows, frames)
    capture = timeline.capture
    flags = python_frames(capture, timeline)
    if not flags.any():
        return np.zeros(len(rows), np.int64), [""]
    inner = np.zeros(len(capture.strings), bool)
    inner[[i for i in capture.names_used.tolist() if _INNER_FRAME.match(capture.strings[i])]] = True
    innermost = _innermost(timeline, rows, flags & ~inner[capture.events.name], frames)
    bare = innermost[:, 0] == 0
    innermost[bare] = _innermost(timeline, rows[bare], flags, frames)
    distinct, which = np.unique(innermost, axis=0, return_inverse=True)
    texts = ["".join(f"← {capture.strings[i]} " for i in row if i).rstrip()[:MAX_TEXT] for row in distinct.tolist()]
    return which.reshape(-1).astype(np.int64), texts


def python_frames(capture: Capture, timeline: Timeline) -> NDArray[np.bool_]:
    """Which events are calls of Python functions and modules."""
    wanted = [i for i in map(capture.strings.find, ("python_function", "python_func")) if i >= 0]
    if not wanted:
        return np.zeros(len(capture.events), bool)
    value, kind = timeline.stat("category")
    is_frame: NDArray[np.bool_] = (kind == StatKind.TEXT) & among(value, wanted)
    return is_frame


def _innermost(timeline: Timeline, rows: I64, flags: NDArray[np.bool_], frames: int) -> I64:
    """String ids of the frames around each row, the innermost first; 0 where there are no more."""
    names = np.append(timeline.capture.events.name, np.int32(0))
    around = np.append(nearest(nesting_of(timeline).parent, flags), np.int32(-1))
    ids = np.zeros((len(rows), frames), np.int64)
    at = around[rows]
    for i in range(frames):
        ids[:, i] = names[at]
        at = around[at]
    return ids


def _stack_args(timeline: Timeline, rows: I64, frames: int) -> tuple[I64, list[str]]:
    value, kind = timeline.stat_of(_STACK_ARG, rows)
    used, which = np.unique(np.where(kind == StatKind.TEXT, value, 0), return_inverse=True)
    texts = []
    for i in used.tolist():
        parts = [part.strip() for part in timeline.capture.strings[i][: 100 * MAX_TEXT].split(";")]
        shown = [part for part in parts if part and not _INNER_FRAME.match(part)] or [part for part in parts if part]
        texts.append(" ".join(f"← {part}" for part in shown[:frames])[:MAX_TEXT])
    return which.reshape(-1).astype(np.int64), texts
