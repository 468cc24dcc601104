"""A timeline → what its copies and fills moved, how fast, and whether kernels ran meanwhile."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...tables import I64, Intervals, at_once, intervals
from ...timeline import CopyDetails, Timeline, copy_details, copy_op, coverage
from ..devices import Attributes, latest_generation
from .groups import F64, group, pooled
from .work import Work

#: Type of the op of a copy → what the table calls it.
_KINDS = {
    "MemcpyHToD": "H2D",
    "MemcpyDToH": "D2H",
    "MemcpyDToD": "D2D",
    "MemcpyPToP": "P2P",
    "MemcpyHToH": "H2H",
    "Memset": "fill",
}
#: Memory → whose it is.
_SIDES = {"pageable": "H", "pinned": "H", "host": "H", "device": "D", "array": "D"}


class CopyKind(NamedTuple):
    """What tells two rows apart."""

    kind: str
    source: str | None
    destination: str | None
    is_async: bool | None
    to_device: int | None


@dataclasses.dataclass(frozen=True, eq=False)
class CopyRows:
    """Copies, a row each: `kind` and `device` are indices; sums over their executions.

    sized: how many have a size; sized_ps: their time. no_bytes: how many of the others say 0 bytes.
    compute_ps: time in which the device also ran kernels.
    """

    kinds: list[CopyKind]
    kind: I64
    device: I64
    occurrences: I64
    total_ps: F64
    min_ps: I64
    max_ps: I64
    size: F64
    sized: I64
    sized_ps: F64
    no_bytes: I64
    compute_ps: F64

    def __len__(self) -> int:
        return len(self.kind)


def copy_rows(timeline: Timeline, work: Work, kernels: Work, devices: Sequence[int]) -> CopyRows:
    """The rows of the events that are copies or fills. devices: planes, in the order that numbers devices."""
    kinds, kind, size = _kinds_and_sizes(timeline, work)
    duration = timeline.capture.events.duration_ps[work.rows]
    groups = group((kind, work.plane), len(work.rows))
    sized = size > 0
    number = np.zeros(len(timeline.capture.planes), np.int64)
    number[list(devices)] = np.arange(len(devices))
    return CopyRows(
        kinds,
        kind[groups.first],
        number[work.plane[groups.first]],
        groups.size(),
        groups.sum(duration),
        groups.least(duration),
        groups.most(duration),
        groups.sum(np.where(sized, size, 0).astype(np.float64)),
        groups.sum(sized).astype(np.int64),
        groups.sum(np.where(sized, duration, 0)),
        groups.sum(size == 0).astype(np.int64),
        groups.sum(_computing(timeline, work, kernels)),
    )


def copy_kinds(timeline: Timeline, work: Work) -> tuple[list[CopyKind], I64]:
    """The distinct kinds of some copies and fills, and the place of each one's among them."""
    kinds, kind, _ = _kinds_and_sizes(timeline, work)
    return kinds, kind


def _kinds_and_sizes(timeline: Timeline, work: Work) -> tuple[list[CopyKind], I64, I64]:
    """The kinds, the place of each event's among them, and its size: -1 where the capture gives none."""
    name, text = timeline.capture.events.name[work.rows].astype(np.int64), work.details
    says = group((name, text, work.plane), len(work.rows))
    amd = {plane: _is_amd(timeline, plane) for plane in np.unique(work.plane).tolist()}
    parsed = [_kind(timeline, int(name[i]), int(text[i]), amd[int(work.plane[i])]) for i in says.first.tolist()]
    kinds, [place] = pooled([[kind for kind, _ in parsed]])
    sizes = np.array([size for _, size in parsed], np.int64)
    return kinds, place[says.of], sizes[says.of]


def _between(details: CopyDetails) -> str:
    """What a copy is by the memories that it says: an array's is a device's."""
    sides = [_SIDES.get(side or "") for side in (details.source, details.destination)]
    return f"{sides[0]}2{sides[1]}" if all(sides) else "copy"


def _kind(timeline: Timeline, name: int, text: int, is_amd: bool) -> tuple[CopyKind, int]:
    """What a copy is, and its size: -1 where the capture gives none."""
    strings = timeline.capture.strings
    details = copy_details(strings[text]) if text else CopyDetails()
    op = copy_op(strings[name])
    kind = _KINDS.get(op.type if op else "") or _between(details)
    # ROCm writes a handle of its own, not a device's number.
    to_device = None if is_amd else details.device
    return (
        CopyKind(kind, details.source, details.destination, details.is_async, to_device),
        -1 if details.size is None else details.size,
    )


def _is_amd(timeline: Timeline, plane: int) -> bool:
    return str(timeline.capture.plane_values(plane).get("device_vendor") or "").lower() == "amd"


def _computing(timeline: Timeline, work: Work, kernels: Work) -> I64:
    """For each copy, how long its device ran kernels at the same time."""
    events = timeline.capture.events
    begin, end = events.start_ps[work.rows], events.start_ps[work.rows] + events.duration_ps[work.rows]
    computing = np.zeros(len(work.rows), np.int64)
    for plane in np.unique(work.plane).tolist():
        here = work.plane == plane
        at = np.searchsorted(kernels.plane, (plane, plane + 1))
        copying = intervals.union(begin[here], end[here])
        rows = _near(timeline, kernels.rows[at[0] : at[1]], copying)
        start = events.start_ps[rows]
        meanwhile = intervals.union(start, start + events.duration_ps[rows])
        computing[here] = coverage(meanwhile, begin[here], end[here])
    return computing


def _near(timeline: Timeline, rows: I64, copying: Intervals) -> I64:
    """Those of a device's kernels that may overlap a copy, of millions mostly few. rows: by stream, then begin."""
    events = timeline.capture.events
    track = events.track[at_once(rows)]
    ends = np.append(np.flatnonzero(track[1:] != track[:-1]) + 1, len(rows)).tolist()
    near = [np.empty(0, np.int64)]
    for low, high in itertools.pairwise([0, *ends]):
        of_stream = rows[low:high]
        at = at_once(of_stream)
        start = events.start_ps[at]
        reach = np.maximum.accumulate(start + events.duration_ps[at])
        first = np.searchsorted(reach, copying.begin, side="right")
        last = np.searchsorted(start, copying.end)
        within = first < last
        edges = np.bincount(first[within], minlength=high - low + 1) - np.bincount(
            last[within], minlength=high - low + 1
        )
        near.append(of_stream[np.cumsum(edges[:-1]) > 0])
    return np.concatenate(near)


def bus_gb_s(kind: str, attributes: Attributes, bandwidth_gb_s: float | None) -> float | None:
    """What the way of such a copy can carry; None where the capture does not show it, as between devices."""
    if kind in ("D2D", "fill"):
        return None if bandwidth_gb_s is None else bandwidth_gb_s / (2 if kind == "D2D" else 1)
    generation = latest_generation(attributes) if kind in ("H2D", "D2H") else None
    return generation.pcie_gb_s if generation else None


_SUMS = ("occurrences", "total_ps", "size", "sized", "sized_ps", "no_bytes", "compute_ps")


def merged(parts: Sequence[CopyRows], where: Sequence[I64]) -> CopyRows:
    """One table of several. where: for each part its rows' place (host, device); rows of one place are merged."""
    kinds, places = pooled([p.kinds for p in parts])
    columns = {
        f.name: np.concatenate([getattr(p, f.name) for p in parts])
        for f in dataclasses.fields(CopyRows)
        if f.name != "kinds"
    }
    columns["kind"] = np.concatenate([at[p.kind] for p, at in zip(parts, places, strict=True)])
    place = np.concatenate(list(where))
    groups = group((columns["kind"], place), len(place))
    together = {name: column[groups.first] for name, column in columns.items()}
    together |= {name: np.minimum(groups.sum(columns[name]), 2.0**62).astype(columns[name].dtype) for name in _SUMS}
    together |= {"min_ps": groups.least(columns["min_ps"]), "max_ps": groups.most(columns["max_ps"])}
    return CopyRows(kinds, **together)
