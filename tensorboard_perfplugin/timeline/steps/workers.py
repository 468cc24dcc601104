"""Pieces of steps on devices → which worker's steps they are, where one process drives several workers' devices."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...tables import I64, Capture
from ...threshold import CHOSEN, Threshold
from .rows import ends

APART = Threshold(
    "workers apart",
    0.5,
    "share",
    "devices are several workers' where more of the steps that several have are at different times on each",
    CHOSEN,
)


def lanes_of_workers(capture: Capture, rows: I64, step: I64) -> I64:
    """The lane of each piece: a track of its device where devices are several workers', else -1.

    The devices of one worker are at a step together; those of several have the same number at different times.
    """
    plane = capture.tracks.plane[capture.events.track[rows]].astype(np.int64)
    order = np.lexsort((plane, step))
    of, where = step[order], plane[order]
    first = np.flatnonzero(np.append(True, (np.diff(of) != 0) | (np.diff(where) != 0)))
    if not len(rows) or len(np.unique(where)) < 2:
        return np.full(len(rows), -1)
    begin = np.minimum.reduceat(capture.events.start_ps[rows[order]], first)
    end = np.maximum.reduceat(ends(capture, rows[order]), first)
    _, at, devices = np.unique(of[first], return_index=True, return_counts=True)
    several = np.flatnonzero(devices > 1)
    apart = [_apart(begin[at[i] : at[i] + devices[i]], end[at[i] : at[i] + devices[i]]) for i in several.tolist()]
    if not apart or np.mean(apart) <= APART.value:
        return np.full(len(rows), -1)
    track = np.full(len(capture.planes), len(capture.tracks))
    np.minimum.at(track, plane, capture.events.track[rows])
    lanes: I64 = track[plane]
    return lanes


class Hulls(NamedTuple):
    """Steps by number and worker, each from its first piece, whose row it is, to the last end of its pieces."""

    rows: I64
    number: I64
    begin_ps: I64
    end_ps: I64
    lane: I64


def hulls(capture: Capture, rows: I64, step: I64) -> Hulls:
    lane = lanes_of_workers(capture, rows, step)
    order = np.lexsort((capture.events.start_ps[rows], lane, step))
    rows, step, lane = rows[order], step[order], lane[order]
    first = np.flatnonzero(np.append(True, (np.diff(step) != 0) | (np.diff(lane) != 0)))[: len(rows)]
    if not len(first):
        return Hulls(rows, rows, rows, rows, rows)
    end: I64 = np.maximum.reduceat(ends(capture, rows), first)
    return Hulls(rows[first], step[first], capture.events.start_ps[rows[first]], end, lane[first])


def of_workers(capture: Capture, rows: I64, names: list[str]) -> list[str]:
    """Names of steps of several workers, told apart by their devices."""
    devices = capture.strings.of(capture.planes.name[capture.tracks.plane[capture.events.track[rows]]])
    return [f"{name} on {device.removeprefix('/device:')[:200]}" for name, device in zip(names, devices, strict=True)]


def _apart(begin: I64, end: I64) -> bool:
    """Whether no two of some spans overlap."""
    order = np.argsort(begin, kind="stable")
    return bool((begin[order][1:] >= end[order][:-1]).all())
