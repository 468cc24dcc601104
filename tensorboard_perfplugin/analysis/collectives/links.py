"""Collectives of devices of one machine → the rate at which the fastest of them is carried, and what their links could.

Links of NVIDIA's data sheets: NVLink of a whole GPU in one direction. Models for PCIe alone have none: what it
carries depends on the machine. Links of AMD's go from each device to each other one, and none carries a ring's data.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ...tables import I64, PlaneKind
from ...threshold import Threshold
from ...timeline import Split, Timeline
from ..devices import device, vendor_of
from ..hosts import Pod
from .calls import What
from .names import Group, bus_factor
from .parties import alike
from .sums import CollectiveSums
from .together import Together

LARGE = Threshold(
    "a large collective",
    16 << 20,
    "bytes",
    "a smaller one does not fill its links",
    "NCCL's tests: all-reduces on NVLink reach most of their rate from about 16 MiB on",
)
_HEAD = 100


class Linked(NamedTuple):
    """A unit of a split: what carries its device's data, GB/s, None where that is unknown; its number on its host."""

    model: str
    gb_s: float | None
    ordinal: int


class SlowLink(NamedTuple):
    """Of a row of the table, place in `Together.whats`. gb_s: of its fastest large call, link_gb_s: of its devices'.
    lost_ps: a step, what of the large calls would not be exposed at the rate of the link."""

    what: int
    model: str
    gb_s: float
    link_gb_s: float
    lost_ps: float


def linked(timeline: Timeline, split: Split) -> tuple[Linked, ...]:
    """By unit of the split."""
    capture = timeline.capture
    found = []
    for unit in split.units:
        if unit.plane < 0:
            found.append(Linked("", None, -1))
            continue
        kind, values = PlaneKind(int(capture.planes.kind[unit.plane])), capture.plane_values(unit.plane)
        about = device(kind, values)
        is_nvidia = kind == PlaneKind.GPU and vendor_of(values) == "nvidia"
        rate = about.link_gb_s if is_nvidia else None
        found.append(Linked((about.model or "")[:_HEAD], rate, int(capture.planes.ordinal[unit.plane])))
    return tuple(found)


def slow_links(pod: Pod, all_: Together, links: Mapping[int, Linked]) -> SlowLink | None:
    """The row that loses most, of groups whose devices are all there; None without any. links: by worker."""
    large = (all_.one >= 0) & (all_.bytes >= LARGE.value) & (all_.shortest_ps > 0)
    steps = np.append(pod.counted, False)
    large &= steps[np.where((all_.step >= 0) & (all_.step < len(pod.counted)), all_.step, len(pod.counted))]
    rows = np.flatnonzero(large)
    found = [_of_row(pod, all_, rows[places], links) for places in alike(all_.what[rows])]
    return max((one for one in found if one), key=lambda one: one.lost_ps, default=None)


def with_expected(sums: Sequence[CollectiveSums], all_: Together, links: Mapping[int, Linked]) -> list[CollectiveSums]:
    """The same sums, with what their bytes take at the speed of the links. links: by worker."""
    expected = {}
    for rows in alike(all_.what):
        known, via = rows[all_.bytes[rows] >= 0], _via(all_, rows, links)
        if via is not None and len(known) == len(rows):
            carried = float(all_.bytes[rows].astype(np.float64).sum()) * via.factor
            expected[all_.whats[int(all_.what[rows[0]])]] = carried / via.gb_s * 1e3
    return [replace(one, expected_ps=expected.get(_what_of(one))) for one in sums]


def _what_of(one: CollectiveSums) -> What:
    return What(one.kind, Group(one.group or "", one.ranks or "", one.group_size or 0))


class _Via(NamedTuple):
    """What carries a row's data: the links' rate, and how often each carries it."""

    model: str
    gb_s: float
    factor: float


def _via(all_: Together, rows: I64, links: Mapping[int, Linked]) -> _Via | None:
    """None where links are not known, or not all of the group's devices are here, in what may be one machine."""
    workers = np.unique(all_.worker[rows])
    kind, group = all_.whats[int(all_.what[rows[0]])]
    factor, some = bus_factor(kind, group.size), [links[i] for i in workers.tolist() if i in links]
    rate = some[0].gb_s if some else None
    if factor is None or rate is None or group.size != len(workers) or not _one_machine(some, len(workers)):
        return None
    return _Via(some[0].model, rate, factor)


def _of_row(pod: Pod, all_: Together, rows: I64, links: Mapping[int, Linked]) -> SlowLink | None:
    what, workers, via = int(all_.what[rows[0]]), np.unique(all_.worker[rows]), _via(all_, rows, links)
    if via is None:
        return None
    model, rate, factor = via
    carried = all_.bytes[rows].astype(np.float64) * factor / all_.shortest_ps[rows] * 1e3
    exposed = np.minimum(all_.duration_ps[rows] - all_.overlapped_ps[rows], all_.shortest_ps[rows])
    lost = (exposed * np.maximum(1 - carried / rate, 0.0)).sum()
    counted = np.flatnonzero(pod.counted)
    steps = int((~np.isnan(pod.work_ps[np.ix_(workers, counted)])).sum())
    return SlowLink(what, model, float(carried.max()), rate, float(lost) / steps) if steps else None


def _one_machine(some: list[Linked], workers: int) -> bool:
    """Whether devices may be of one machine, and are alike: of two machines some would have one number."""
    alike_ = len({one.model for one in some}) == 1
    return alike_ and len(some) == workers == len({one.ordinal for one in some})
