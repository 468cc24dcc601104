"""The collectives of all hosts' devices → of one of them the same on the others, and who came last.

Collectives end together on all who take part: of another host's of that name the one is taken that ends nearest by the
hosts' clocks and overlaps it. Where none does, it is the one of the same number, if both devices ran as many.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...tables import Cells
from ...tables.capture import I64
from ...timeline import Timeline, nesting_of, ops_of
from ...units import duration
from ..kinds import KEYS, categories_of
from ..sums import shortened, shown_ids

#: Collectives of one device that are looked at, the first ones; devices of other hosts that are told.
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
    how: str


def collectives(timeline: Timeline) -> Collectives:
    """The collectives of a host's devices."""
    c, ran = timeline.capture, ops_of(timeline).device.rows
    rows = np.sort(ran[categories_of(timeline).of(ran) == _COLLECTIVE])
    ids, place = np.unique(shown_ids(c, rows), return_inverse=True)
    place, plane = place.reshape(-1), c.tracks.plane[c.events.track[rows]]
    devices = []
    for i in np.unique(plane).tolist():
        at = np.flatnonzero(plane == i)[:_MOST]
        mine, begin = rows[at], c.events.start_ps[rows[at]]
        end, track = begin + c.events.duration_ps[mine], c.events.track[mine].astype(np.int64)
        depth = nesting_of(timeline).depth[mine].astype(np.int64)
        devices.append(OfDevice(c.strings[int(c.planes.name[i])], mine, place[at], begin, end, track, depth))
    return Collectives({c.strings[i]: n for n, i in enumerate(ids.tolist())}, devices)


def peers(
    parts: Sequence[tuple[str, int, Collectives]], host: str, row: int, on_one_clock: bool
) -> tuple[Peer | None, list[Peer]]:
    """The collective itself, None where the row is none, and the same on other hosts. parts: host, what is added to its
    own times, its collectives. on_one_clock: whether the hosts' times count from one instant.
    """
    own = next(((offset, found) for name, offset, found in parts if name == host), None)
    if own is None:
        return None, []
    device = next((d for d in own[1].devices if _place(d.rows, row) >= 0), None)
    if device is None:
        return None, []
    at = _place(device.rows, row)
    name = next(text for text, n in own[1].names.items() if n == device.name[at])
    mine, same = _peer(host, device, at, name, own[0], ""), device.name == device.name[at]
    number = int((same & (device.begin < device.begin[at])).sum()), int(same.sum())
    found = [
        peer
        for other, offset, theirs in parts
        if other != host and name in theirs.names
        for one in theirs.devices
        if (peer := _same(other, offset, one, theirs.names[name], mine, number, on_one_clock)) is not None
    ]
    return mine, found[:_DEVICES_MAX]


def _place(rows: I64, row: int) -> int:
    at = int(np.searchsorted(rows, row))
    return at if at < len(rows) and rows[at] == row else -1


def _peer(host: str, device: OfDevice, at: int, name: str, offset: int, how: str) -> Peer:
    place = int(device.rows[at]), int(device.track[at]), int(device.depth[at])
    return Peer(host, device.device, name, *place, int(device.begin[at]) + offset, int(device.end[at]) + offset, how)


def _same(
    host: str, offset: int, device: OfDevice, name: int, mine: Peer, number: tuple[int, int], on_one_clock: bool
) -> Peer | None:
    """The one of a device that overlaps it and ends nearest, else the one of its number among as many."""
    at = np.flatnonzero(device.name == name)
    if not len(at):
        return None
    if on_one_clock:
        nearest = int(at[int(np.abs(device.end[at] + offset - mine.end).argmin())])
        if device.begin[nearest] + offset <= mine.end and device.end[nearest] + offset >= mine.begin:
            return _peer(host, device, nearest, mine.name, offset, "by the hosts' clocks")
    if len(at) != number[1]:
        return None
    order = at[np.argsort(device.begin[at], kind="stable")]
    return _peer(
        host, device, int(order[number[0]]), mine.name, offset, f"by number, {number[0] + 1:,} of {number[1]:,}"
    )


def links(mine: Peer, found: Sequence[Peer]) -> dict[str, Cells]:
    """Rows of `links`."""
    return {
        "kind": ["peer"] * len(found),
        "host": [p.host for p in found],
        "row": [p.row for p in found],
        "track": [p.track for p in found],
        "depth": [p.depth for p in found],
        "start_ps": [p.begin for p in found],
        "duration_ps": [p.end - p.begin for p in found],
        "name": shortened(p.name for p in found),
        "text": [f"The same on {p.device} of {p.host}, {p.how}; it took {_than(p, mine)}." for p in found],
    }


def _than(one: Peer, mine: Peer) -> str:
    longer = (one.end - one.begin) - (mine.end - mine.begin)
    took = duration(one.end - one.begin)
    return f"{took}, {duration(abs(longer))} {'longer' if longer > 0 else 'shorter'}" if longer else f"{took}, as this"


def came_last(mine: Peer, others: Sequence[tuple[str, int]]) -> str:
    """others: what each is called, and how long it took. All end together, so that the shortest came last, whatever the
    clocks of hosts say. One sentence; empty for one that is alone.
    """
    if not others:
        return ""
    took = mine.end - mine.begin
    last, least = min(others, key=lambda one: one[1])
    longest = max(took, *(ps for _, ps in others))
    if least >= took:
        since = f"{duration(longest - took)} after the first" if longest > took else "with all others"
        return f"This one, of {len(others) + 1}, {since}."
    return f"{last}, of {len(others) + 1}, {duration(took - least)} after this one."
