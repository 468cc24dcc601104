"""Stacks of events that are no samples (`sf`, `stack`) → an arg that is a text, as PyTorch writes its own."""

from __future__ import annotations

import numpy as np

from ...tables import StatKind
from .frames import Frames, of_file
from .plan import Added, Plan
from .profiles import listed

_KEY = "Call stack"
_MOST_CHARS = 10_000


def call_stacks(plan: Plan) -> None:
    """Adds the stack of each slice that has one: frames innermost first, parted by `;`."""
    stack = plan.events.rare_of("stack", plan.slices.row)
    having = np.flatnonzero(stack >= 0)
    if not len(having):
        return
    frames = Frames()
    rows = of_file(plan.document.members.get("stackFrames"), frames)
    used, which = np.unique(stack[having], return_inverse=True)
    texts = [_text(str(plan.events.ids[i]), rows, frames) for i in used.tolist()]
    ids = np.array([plan.texts.add(text) for text in texts], np.int64)[which.reshape(-1)]
    plan.added.append(Added(having[ids != 0], _KEY, StatKind.TEXT, ids[ids != 0]))


def _text(key: str, rows: dict[str, int], frames: Frames) -> str:
    if key.startswith("["):
        return ";".join(listed(key))[:_MOST_CHARS]
    row, made, size = rows.get(key, -1), [], 0
    while row >= 0 and size < _MOST_CHARS:
        made.append(frames.names[row])
        size += len(made[-1]) + 1
        row = frames.parents[row]
    return ";".join(made)[:_MOST_CHARS]
