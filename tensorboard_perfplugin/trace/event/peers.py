"""The collectives of all hosts' devices → of one of them the same on the others, and who came last.

Collectives end together on all who take part: of another host's of that name the one is taken that ends nearest by the
hosts' clocks and overlaps it. Where none does, it is the one of the same number, if both devices ran as many.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...messages import Message
from ...tables import I64
from ...timeline.nesting import nesting_of
from ...timeline.ops.ops import ops_of
from ...timeline.timeline import Timeline
from ..kinds import KEYS, categories_of
from ..sums import shown_ids

#: Collectives of one device that are looked at, the first ones; devices of other hosts that are listed.
_MOST, _DEVICES_MAX = 1 << 18, 200
_COLLECTIVE = KEYS.index("collective")


class OfDevice(NamedTuple):
    """What a device exchanged, by row. name: place in `Collectives.names`. Times are the host's own."""

    device: str
    rows: I64
    name: I64
    begin: I64
    end: I64
    track: I64
    depth: I64


class Collectives(NamedTuple):
    """Those of one host."""

    names: dict[str, int]
    devices: list[OfDevice]


class Peer(NamedTuple):
    """One that took part. Times are the answer's."""

    host: str
    device: str
    name: str
    row: int
    track: int
    depth: int
    begin: int
    end: int
    #: Where clocks do not show which one it is: its place among as many of that name, from 1 on, and how many.
    number: tuple[int, int] | None = None


class Party(NamedTuple):
    """One that took part. host: empty on the event's own."""

    device: str
    host: str
    duration_ps: int


def collectives(timeline: Timeline) -> Collectives:
    """The collectives of a host's devices."""
    c, ran = timeline.capture, ops_of(timeline).device.rows
    rows = np.sort(ran[categories_of(timeline).of(ran) == _COLLECTIVE])
    ids, place = np.unique(shown_ids(c, rows), return_inverse=True)
    place, plane = place.reshape(-1), c.tracks.plane[c.events.track[rows]]
    devices = []
    for i in np.unique(plane).tolist():
        at = np.flatnonzero(plane == i)[:_MOST]
        of_device, begin = rows[at], c.events.start_ps[rows[at]]
        end, track = begin + c.events.duration_ps[of_device], c.events.track[of_device].astype(np.int64)
        depth = nesting_of(timeline).depth[of_device].astype(np.int64)
        devices.append(OfDevice(c.strings[int(c.planes.name[i])], of_device, place[at], begin, end, track, depth))
    return Collectives({c.strings[i]: n for n, i in enumerate(ids.tolist())}, devices)


def peers(
    parts: Sequence[tuple[str, int, Collectives]], host: str, row: int, on_one_clock: bool
) -> tuple[Peer | None, list[Peer]]:
    """The collective itself, None where the row is none, and the same on other hosts. parts: host, what is added to its
    own times, its collectives. on_one_clock: whether the hosts' times count from one instant.
    """
    here = next(((offset, known) for name, offset, known in parts if name == host), None)
    if here is None:
        return None, []
    device = next((d for d in here[1].devices if _place(d.rows, row) >= 0), None)
    if device is None:
        return None, []
    at = _place(device.rows, row)
    name = next(text for text, n in here[1].names.items() if n == device.name[at])
    this, same = _peer(host, device, at, name, here[0]), device.name == device.name[at]
    number = int((same & (device.begin < device.begin[at])).sum()), int(same.sum())
    others = [
        peer
        for other, offset, theirs in parts
        if other != host and name in theirs.names
        for one in theirs.devices
        if (peer := _same(other, offset, one, theirs.names[name], this, number, on_one_clock)) is not None
    ]
    return this, others[:_DEVICES_MAX]


def _place(rows: I64, row: int) -> int:
    at = int(np.searchsorted(rows, row))
    return at if at < len(rows) and rows[at] == row else -1


def _peer(host: str, device: OfDevice, at: int, name: str, offset: int, number: tuple[int, int] | None = None) -> Peer:
    place = int(device.rows[at]), int(device.track[at]), int(device.depth[at])
    return Peer(host, device.device, name, *place, int(device.begin[at]) + offset, int(device.end[at]) + offset, number)


def _same(
    host: str, offset: int, device: OfDevice, name: int, this: Peer, number: tuple[int, int], on_one_clock: bool
) -> Peer | None:
    """The one of a device that overlaps it and ends nearest, else the one of its number among as many."""
    at = np.flatnonzero(device.name == name)
    if not len(at):
        return None
    if on_one_clock:
        nearest = int(at[int(np.abs(device.end[at] + offset - this.end).argmin())])
        if device.begin[nearest] + offset <= this.end and device.end[nearest] + offset >= this.begin:
            return _peer(host, device, nearest, this.name, offset)
    if len(at) != number[1]:
        return None
    order = at[np.argsort(device.begin[at], kind="stable")]
    return _peer(host, device, int(order[number[0]]), this.name, offset, (number[0] + 1, number[1]))


def came_last(this: Peer, others: Sequence[Party]) -> Message | None:
    """Who came last of all who took part. All end together, so that the shortest came last, whatever the clocks of
    hosts say. None for one that is alone.
    """
    if not others:
        return None
    took, of = this.end - this.begin, len(others) + 1
    last = min(others, key=lambda one: one.duration_ps)
    longest = max(took, *(one.duration_ps for one in others))
    if last.duration_ps < took:
        late = took - last.duration_ps
        return Message("came_last.other", {"device": last.device, "host": last.host, "late": late, "of": of})
    if longest > took:
        return Message("came_last.this", {"late": longest - took, "of": of})
    return Message("came_last.none", {"of": of})
