"""A timeline → the calls that are named as if they got input, and run the model: a program's own loop is no input."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, among
from ...threshold import CHOSEN, Threshold
from ..causes.launches import launches_of
from ..loops.loops import nearest
from ..names.op_names import copy_op
from ..names.python import python_name
from ..nesting import nesting_of
from ..timeline import Timeline, derived
from .host_names import GETS_INPUT

OF_THE_MODEL = Threshold(
    "share of the model's work",
    0.25,
    "share",
    "getting input launches few of a program's kernels, and calls little of what is compiled; a loop that yields what "
    "the model computes has much of it",
    CHOSEN,
)
OF_A_LOADER = Threshold(
    "share of the model's work in a loader",
    0.5,
    "share",
    "a loader that PyTorch marks gets input, also where it augments on the device",
    CHOSEN,
)
_LOADER = re.compile(r"enumerate\(DataLoader\)#.*|.*DataLoader\S*\.__next__")
#: Calls of compiled functions.
_COMPILED = re.compile(r"PjitFunction\(.*|EagerLocalExecute: __inference_.*|TfrtCpuExecutable::Execute.*")
#: Training, which no input does.
_TRAINS = re.compile(r"Optimizer\.step#.*|autograd::engine::evaluate_function: .*")


@derived
def own_loops_of(timeline: Timeline) -> NDArray[np.bool_]:
    """Which events have names of calls that get input, and run the model."""
    events, strings = timeline.capture.events, timeline.capture.strings
    names = timeline.capture.names_used.tolist()
    with_operators = timeline.capture.capabilities.has_operators
    loader = [i for i in names if _LOADER.fullmatch(strings[i])]
    called = {i: python_name(strings[i]) if with_operators else "" for i in names}
    gets = [i for i in names if GETS_INPUT.fullmatch(called[i] or strings[i])]
    loops = np.zeros(len(events), bool)
    candidates = among(events.name, [*loader, *gets])
    if not candidates.any():
        return loops
    around = nearest(nesting_of(timeline).parent, candidates)
    bound = np.where(among(events.name, loader), OF_A_LOADER.value, OF_THE_MODEL.value)
    for works, weight in _work(timeline):
        inside = _inside(around, works, weight)
        by_name = np.bincount(events.name[candidates], inside[candidates], len(strings))
        loops |= candidates & (inside > 0) & (by_name[events.name] >= bound * weight.sum())
    return loops


def _work(timeline: Timeline) -> Iterator[tuple[I64, I64]]:
    """What a program runs of its model, by kind: rows on the host, and how much each counts."""
    capture = timeline.capture
    launch, strings = launches_of(timeline).rows, capture.strings
    kernels = np.flatnonzero(launch >= 0)
    names = np.unique(capture.events.name[kernels])
    moves = [i for i in names.tolist() if copy_op(strings[i]) is not None]
    launches = np.unique(launch[kernels[~among(capture.events.name[kernels], moves)]]).astype(np.int64)
    yield launches, np.ones(len(launches), np.int64)
    for pattern in (_COMPILED, _TRAINS):
        rows = capture.events_named(pattern)
        yield rows, capture.events.duration_ps[rows]


def _inside(around: NDArray[np.integer], works: I64, weight: I64) -> I64:
    """By row how much of some work lies in it. around: the innermost row that may hold it, or -1."""
    total = np.zeros(len(around), np.int64)
    at = around[works]
    while (at >= 0).any():
        weight, at = weight[at >= 0], at[at >= 0]
        np.add.at(total, at, weight)
        at = around[at]
    return total
