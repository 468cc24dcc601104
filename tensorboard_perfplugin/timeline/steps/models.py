"""A capture of PyTorch's → calls of whole models, `nn.Module`s in no other: what repeats in one of them is a layer."""

from __future__ import annotations

import numpy as np

from ...tables import I32, I64, among
from ..causes.launches import launches_of
from ..nesting import enclosing, enclosing_of
from ..ops.operators import modules
from ..timeline import Timeline
from .rows import Flags


def calls_around(timeline: Timeline, rows: I64 | I32) -> I64:
    """The row of the model's call that each of some host events lies in, -1 where it lies in none."""
    if not timeline.capture.capabilities.has_operators:
        return np.full(len(rows), -1)
    is_module = modules(timeline.capture)
    models = is_module & (enclosing(timeline, is_module) < 0)
    return enclosing_of(timeline, models, rows).astype(np.int64)


def within_one_turn(timeline: Timeline, rows: I64) -> Flags:
    """Which of some host events lie in a model's call that comes once: no loop of the program repeats them."""
    around = calls_around(timeline, rows)
    inside = around >= 0
    names = timeline.capture.events.name
    name, often = np.unique(names[np.unique(around[inside])], return_counts=True)
    once = inside.copy()
    once[inside] = among(names[around[inside]], name[often == 1])
    return once


def begins_turn(timeline: Timeline, kernels: I64 | I32) -> Flags:
    """Of kernels in order of time: which were launched in another call of a model, or by another launch of a graph,
    than the one before. What is not known to be launched together is not.
    """
    launch = launches_of(timeline).rows[kernels].astype(np.int64)
    around = calls_around(timeline, launch)
    turn = np.where(around >= 0, around, launch)
    turn = np.where(launch >= 0, turn, -1 - np.arange(len(turn)))
    return np.append(True, np.diff(turn) != 0)[: len(turn)]
