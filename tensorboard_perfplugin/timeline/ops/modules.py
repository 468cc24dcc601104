"""A capture of PyTorch's → how often each module was called, and how long its forward and backward passes took."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...tables import I64, Intervals, intervals
from ..timeline import Timeline
from .operators import modules, paths, with_backward
from .ops import ops_of


class ModuleCalls(NamedTuple):
    """Of one module: its calls, the wall time of these, and that in which its operators ran backward; in ps.

    Threads are summed of the forward pass; of the backward pass an instant counts once.
    """

    calls: int
    forward_ps: int
    backward_ps: int

    def plus(self, other: ModuleCalls) -> ModuleCalls:
        return ModuleCalls(*(a + b for a, b in zip(self, other, strict=True)))


def module_calls(timeline: Timeline) -> dict[str, ModuleCalls]:
    """By path, `Net_0/Linear_1`; nothing where the capture has no events of modules."""
    events = timeline.capture.events
    path, texts = paths(timeline)
    if len(texts) < 2:
        return {}
    calls_at = np.flatnonzero(modules(timeline.capture))
    calls = np.bincount(path[calls_at], minlength=len(texts))
    forward = np.bincount(path[calls_at], weights=events.duration_ps[calls_at], minlength=len(texts))
    backward = _backward(timeline, path, texts)
    return {text[:-1]: ModuleCalls(int(calls[i]), int(forward[i]), backward[i]) for i, text in enumerate(texts) if text}


def _backward(timeline: Timeline, path: I64, texts: list[str]) -> list[int]:
    """By path the time in which its backward calls, or those of modules in it, ran."""
    events, rows = timeline.capture.events, ops_of(timeline).host.rows
    scope = with_backward(timeline, rows, path[rows], len(texts)) - len(texts)
    order = np.argsort(scope, kind="stable")
    first = np.searchsorted(scope[order], np.arange(len(texts) + 1))
    number, backward_ps = {text: i for i, text in enumerate(texts)}, [0] * len(texts)
    parts: list[list[Intervals]] = [[] for _ in texts]
    for i in sorted(range(len(texts)), key=lambda i: -texts[i].count("/")):
        called = rows[order[first[i] : first[i + 1]]]
        begin, length = events.start_ps[called], events.duration_ps[called]
        each = [Intervals(begin, begin + length), *parts[i]]
        whole = intervals.union(np.concatenate([p.begin for p in each]), np.concatenate([p.end for p in each]))
        backward_ps[i] = whole.total
        around = number.get(f"{texts[i][:-1].rpartition('/')[0]}/", 0)
        if around != i:
            parts[around].append(whole)
    return backward_ps
