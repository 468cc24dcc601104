"""Ops that TensorFlow runs one by one, and that update weights → steps: each to its last update.

A step computes, by the weights of its layers or by a compiled function, then updates one weight after another. What
runs between the last update and the next step, an evaluation say, is of the step before.
"""

from __future__ import annotations

import re

import numpy as np

from ....messages import message
from ....tables import I64
from ....threshold import CHOSEN, Threshold
from ...timeline import Timeline
from ..build import Draft, built, texts
from ..input import consumers
from ..model import Steps
from ..nested import loops
from ..rows import calls, ends, host_rows, names_where, outermost, shown, track_name
from ..trains import runs_some, updates_began
from .optimizers import begins_of, last_of_turns, turn_of

EAGER = "EagerLocalExecute: "
_UPDATE = re.compile(EAGER + r"(?:Resource\w*Apply\w+|AssignSubVariableOp)")
#: What a model computes with its weights, and functions, whose calls may do that.
_WEIGHS = re.compile(EAGER + r"(?:_?\w*MatMul\w*|\w*Conv\d?D?\w*|Einsum|\w*Gather\w*|CudnnRNN\w*|__\w+)")
FEWEST = Threshold(
    "steps that end with updates", 3, "steps", "what updates weights twice may be the set-up of a model", CHOSEN
)
#: Of what comes before a step's updates so many ops are compared with those of the next.
_BEFORE = 64


def eager_ops(timeline: Timeline, functions: bool = False) -> I64:
    """The operations that TensorFlow ran one by one, on the thread that ran most. functions: and compiled ones."""
    capture = timeline.capture
    rows = host_rows(capture)
    wanted = names_where(
        capture, rows, lambda name: name.startswith(EAGER) and (functions or not name.startswith(EAGER + "__"))
    )
    rows = consumers(capture, rows[wanted[capture.events.name[rows]]])
    rows = rows[outermost(capture, rows)]
    by_track = calls(capture, rows, capture.events.track[rows])
    return max(by_track, key=lambda call: len(call.rows)).rows if by_track else rows


def eager_updates(timeline: Timeline) -> Steps | None:
    """Steps by the updates that a program runs one by one; None without a few."""
    capture, rows = timeline.capture, eager_ops(timeline, functions=True)
    updates = np.flatnonzero(names_where(capture, rows, _UPDATE.fullmatch)[capture.events.name[rows]])
    weighs = np.flatnonzero(names_where(capture, rows, _WEIGHS.fullmatch)[capture.events.name[rows]])
    if not len(updates) or not len(weighs) or _functions_update(timeline, rows):
        return None
    after = np.searchsorted(weighs, updates)
    last = updates[np.append(np.diff(after) > 0, True)]
    last = last[last > weighs[0]]
    if len(last) < FEWEST.value:
        return None
    of_turn = turn_of(_kinds(capture.events.name[rows].astype(np.int64), last)) or 1
    ended = last_of_turns(timeline, rows[last], rows, of_turn)
    if len(ended) < FEWEST.value:
        return None
    begin, cut = begins_of(timeline, rows, ended)
    number = np.arange(len(ended))
    names = capture.strings.of(np.unique(capture.events.name[rows[updates]]))
    evidence = message(
        "steps_seen.updates",
        names=tuple(shown(name.removeprefix(EAGER)) for name in sorted(names)[:3]),
        times=len(updates),
        thread=track_name(capture, int(capture.events.track[rows[0]])),
        each=round(len(updates) / len(ended)) if len(updates) > len(ended) else None,
    )
    draft = Draft(
        "calls",
        "likely",
        evidence,
        begin,
        number,
        texts(["step"] * len(ended), [str(i) for i in number.tolist()]),
        capture.events.start_ps[begin],
        ends(capture, ended),
        capture.events.track[ended],
        cut,
    )
    draft.others = loops(timeline)
    return built(draft)


def _functions_update(timeline: Timeline, rows: I64) -> bool:
    """Whether compiled functions update weights: then what is updated beside them, an average say, makes no step."""
    capture = timeline.capture
    rows = rows[names_where(capture, rows, lambda name: name.startswith(EAGER + "__"))[capture.events.name[rows]]]
    return bool(runs_some(capture, rows, updates_began(capture)).any())


def _kinds(names: I64, last: I64) -> I64:
    """A number for what comes before each step's last update: as many ops as every step has."""
    length = min(_BEFORE, int(np.diff(last).min()), int(last[0]) + 1)
    before = names[last[:, None] - np.arange(length)]
    _, kind = np.unique(before, axis=0, return_inverse=True)
    return kind.reshape(-1).astype(np.int64)
