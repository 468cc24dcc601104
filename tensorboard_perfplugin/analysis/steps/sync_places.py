"""Calls in which PyTorch waits for its GPU → in which module, optimizer or annotation of the program they are made, and
for which of its helpers."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, StatKind
from ...timeline import Timeline, enclosing_of
from .ranking import Ranking, ranking

#: Functions of PyTorch that read a number of the device, by what is to be said of them. Python's tracer names them.
_HELPERS = {
    "scaler": re.compile(r".*torch/(?:cuda/)?amp/grad_scaler\.py\(\d+\): .*"),
    "clip": re.compile(r".*torch/nn/utils/clip_grad\.py\(\d+\): .*"),
    "optimizer": re.compile(r".*torch/optim/(?!optimizer\.py|lr_scheduler\.py)\w+\.py\(\d+\): .*"),
}
_MODULE = "nn.Module: "
#: `record_function` of a program, and that of `torch.optim` around each step.
_ANNOTATION = "user_annotation"
_STEP = "ProfilerStep#"
#: Of a name so much is looked at.
_LONG = 300


def helpers(timeline: Timeline, rows: I64, lost: I64) -> Ranking:
    """By the outermost of them: `GradScaler.step` calls the optimizer."""
    capture, kinds = timeline.capture, list(_HELPERS)
    which = np.full(len(rows), -1)
    for i, pattern in reversed(list(enumerate(_HELPERS.values()))):
        named = _named(timeline, partial(_matches, pattern))
        if named.any():
            which[enclosing_of(timeline, named[capture.events.name], rows) >= 0] = i
    known = which >= 0
    return ranking(kinds, which[known], lost[known])


def _matches(pattern: re.Pattern[str], name: str) -> bool:
    return pattern.match(name) is not None


def places(timeline: Timeline, rows: I64, lost: I64) -> Ranking:
    """By the innermost module or annotation around the call."""
    capture = timeline.capture
    wanted = _named(timeline, lambda name: name.startswith(_MODULE))[capture.events.name] | _annotations(timeline)
    if not wanted.any():
        return {}
    around = enclosing_of(timeline, wanted, rows)
    lost, around = lost[around >= 0], around[around >= 0]
    names, which = np.unique(capture.events.name[around], return_inverse=True)
    labels = [capture.strings[i][:_LONG].removeprefix(_MODULE) for i in names.tolist()]
    return ranking(labels, which.reshape(-1).astype(np.int64), lost)


def _named(timeline: Timeline, wanted: Callable[[str], bool]) -> NDArray[np.bool_]:
    """By string id: whether it names an event and is wanted. Each distinct name is asked for once."""
    strings = timeline.capture.strings
    found = np.zeros(len(strings), bool)
    for i in timeline.capture.names_used.tolist():
        found[i] = wanted(strings[i][:_LONG])
    return found


def _annotations(timeline: Timeline) -> NDArray[np.bool_]:
    """Events that a program, or `torch.optim`, wrote by `record_function`, but for marks of steps."""
    capture = timeline.capture
    category = capture.strings.find(_ANNOTATION)
    if category < 0:
        return np.zeros(len(capture.events), bool)
    value, kind = timeline.stat_of("category", None)
    marks = _named(timeline, lambda name: name.startswith(_STEP))[capture.events.name]
    found: NDArray[np.bool_] = (kind == StatKind.TEXT) & (value == category) & ~marks
    return found
