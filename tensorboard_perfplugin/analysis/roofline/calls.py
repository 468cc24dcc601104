"""A capture of PyTorch's with shapes → which calls did the work of its kernels, and what these calls cost."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...tables import I32, I64, StatKind
from ...timeline import Timeline, are_calls, derived, device_calls_of, distinct_rows, enclosing, enclosing_of, ops_of
from .call import Call, Cost
from .others import other
from .products import product

_KEYS = (("Input Dims", "Input dims"), ("Input type",), ("Concrete Inputs",))
#: Distinct calls (name, shapes, types, values) that are looked at; of more the most frequent.
_MAX_DISTINCT = 20_000
#: What a call that holds one of these too is no execution of: its work is told apart.
_HEAVY = ("matmul", "convolution", "attention", "normalization", "softmax", "pooling", "embedding")


class Holders(NamedTuple):
    """calls: distinct, with what each costs, None unknown. which: by event of the capture the place of its call, -1 of
    what is none, or only holds others that are.
    """

    calls: tuple[Call, ...]
    costs: tuple[Cost, ...]
    which: I32


@derived
def holders_of(timeline: Timeline) -> Holders:
    """The calls to which work counts: the innermost ones of which a model of their costs is known."""
    rows = ops_of(timeline).host.rows
    rows = rows[are_calls(timeline, rows)] if any(map(timeline.has_stat, _KEYS[0])) else rows[:0]
    which = np.full(len(timeline.capture.events), -1, np.int32)
    if not len(rows):
        return Holders((), (), which)
    distinct, place = _distinct(timeline, rows)
    calls: list[Call] = []
    costs: list[Cost] = []
    table = np.full(len(distinct) + 1, -1, np.int32)
    for i, call in distinct.items():
        cost = product(call) or other(call)
        if cost is not None:
            table[i] = len(calls)
            calls.append(call)
            costs.append(cost)
    which[rows] = table[place]
    return Holders(tuple(calls), tuple(costs), _innermost(timeline, which, costs))


def _distinct(timeline: Timeline, rows: I64) -> tuple[dict[int, Call], I64]:
    """By number the distinct calls, and the number of each row; those that are left out have the last one."""
    strings = timeline.capture.strings
    columns = [timeline.capture.events.name[rows].astype(np.int64), *(_text(timeline, keys, rows) for keys in _KEYS)]
    first, place = distinct_rows(columns)
    number = np.full(len(first), min(len(first), _MAX_DISTINCT))
    often = np.argsort(-np.bincount(place), kind="stable")[:_MAX_DISTINCT]
    number[often] = np.arange(len(often))
    found = {n: Call(*(strings[int(c[first[i]])] for c in columns)) for n, i in enumerate(often.tolist())}
    return found, number[place]


def _text(timeline: Timeline, keys: tuple[str, ...], rows: I64) -> I64:
    """String ids of a stat, 0 (the empty text) where there is none."""
    text = np.zeros(len(rows), np.int64)
    for key in filter(timeline.has_stat, keys):
        value, kind = timeline.stat_of(key, rows)
        text = np.where((kind == StatKind.TEXT) & (text == 0), value, text)
    return text


def _innermost(timeline: Timeline, which: I32, costs: list[Cost]) -> I32:
    """Without calls that hold others: a heavy one those that are heavy, a light one any."""
    heavy = np.array([cost.what in _HEAVY for cost in costs] + [False], bool)[which]
    for inner, outer in ((heavy, heavy), (which >= 0, (which >= 0) & ~heavy)):
        around = enclosing_of(timeline, outer, np.flatnonzero(inner))
        which[around[around >= 0]] = -1
    return which


def holder_of_kernels(timeline: Timeline) -> I32:
    """By event of `Ops.device` the row of the call to which its work counts, -1 where none is known."""
    called = device_calls_of(timeline)
    return _around(timeline, called)


def holder_of_calls(timeline: Timeline) -> I32:
    """By event of `Ops.host` the row of the call to which its own time counts: itself, or one around it."""
    return _around(timeline, ops_of(timeline).host.rows.astype(np.int32))


def _around(timeline: Timeline, rows: I32) -> I32:
    """Of host events, -1 none."""
    is_holder = holders_of(timeline).which >= 0
    outer = np.append(enclosing(timeline, is_holder), np.int32(-1))
    return np.where(np.append(is_holder, False)[rows], rows, outer[rows]).astype(np.int32)
