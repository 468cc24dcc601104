"""Kernels and copies of PyTorch's traces without correlation ids, as ROCm's were → the calls that launched them.

By the arrows from launches to kernels; where there are none, by the external id that an operator gives to its calls and
to what they start: the nth call of an id that launches something has launched the id's nth kernel or copy.
"""

from __future__ import annotations

import re

import numpy as np

from ...tables import I64, StatKind
from ..common.rows import combined
from .arrows import LAUNCHES, joined
from .kineto_kernels import numbers
from .plan import Added, Plan
from .slices import Mask

_EXTERNAL = ("External id", "external id")
_LAUNCH = re.compile(r"(?:cu|cuda|hip)\w*(?:Launch(?!HostFunc)|Memcpy|Memset)\w*")


def launches(plan: Plan, on_host: I64, on_device: I64) -> None:
    """Gives both ends one correlation id where the file gives none."""
    if plan.arg("correlation", on_device)[1].any():
        return
    of_launches = [i for i, text in enumerate(plan.events.texts) if text in LAUNCHES]
    arrows = plan.slices.arrows
    arrows = arrows[np.isin(plan.events.columns["category"][arrows], of_launches)]
    source, target = joined(plan, arrows) if len(arrows) else (arrows, arrows)
    known = np.isin(source, on_host) & np.isin(target, on_device)
    source, target = source[known], target[known]
    if not len(source):
        source, target = _by_external_id(plan, on_host, on_device)
    # A call may launch several: those are of one id.
    calls, number = np.unique(source, return_inverse=True)
    ran, first = np.unique(target, return_index=True)
    for rows, ids in ((calls, np.arange(len(calls))), (ran, number.reshape(-1)[first])):
        if len(rows):
            plan.added.append(Added(rows, "correlation_id", StatKind.INT, ids + 1))


def _by_external_id(plan: Plan, on_host: I64, on_device: I64) -> tuple[I64, I64]:
    names = np.unique(plan.name[on_host]).tolist()
    launching = [i for i in names if _LAUNCH.match(plan.texts.texts[i][:100])]
    calls = on_host[np.isin(plan.name[on_host], launching)]
    for key in _EXTERNAL:
        rows = np.concatenate((calls, on_device))
        ids = numbers(plan, key, rows)
        rows, ids = rows[ids > 0], ids[ids > 0]
        is_call = np.isin(rows, calls)
        if is_call.any() and not is_call.all():
            nth = combined(ids, _rank(plan, rows, ids, is_call))
            _, at, of = np.intersect1d(nth[is_call], nth[~is_call], return_indices=True)
            return rows[is_call][at], rows[~is_call][of]
    return calls[:0], calls[:0]


def _rank(plan: Plan, rows: I64, ids: I64, is_call: Mask) -> I64:
    """Which of the id's calls, or of the id's kernels and copies, each is, by their begin."""
    order = np.lexsort((plan.slices.start_ps[rows], is_call, ids))
    new = np.ones(len(rows), bool)
    new[1:] = (np.diff(ids[order]) != 0) | (np.diff(is_call[order].astype(np.int8)) != 0)
    place = np.arange(len(rows))
    rank = np.empty(len(rows), np.int64)
    rank[order] = place - np.maximum.accumulate(np.where(new, place, 0))
    return rank
