"""One event of a timeline → the events that it has to do with, how, and the stack around it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ...messages import Message, Param
from ...tables import PlaneKind
from ...timeline.assignment import How, assignment_of
from ...timeline.causes import flows_of, launches_of
from ...timeline.nesting import nesting_of
from ...timeline.timeline import Timeline
from ...timeline.tracks import device_planes
from ..sums import shown_ids, shown_name
from .near import Near
from .peers import Party, Peer
from .why import Why, why_then

#: Links of one kind, and frames of a stack.
LINKS_MAX, STACK_MAX = 100, 1000


class Link(NamedTuple):
    """An event that another one has to do with. kind: in what way; message: the same with numbers.

    Times are the answer's.
    """

    kind: str
    host: str
    row: int
    track: int
    depth: int
    start_ps: int
    duration_ps: int
    name: str
    message: Message


class Frame(NamedTuple):
    """What ran around an event. kind: `python` or `event`."""

    name: str
    row: int
    start_ps: int
    duration_ps: int
    track: int
    kind: str


@dataclasses.dataclass(frozen=True)
class Related:
    """links: to events of the same host. parties: of a collective those among them that took part in it."""

    why: Why
    links: list[Link]
    stack: list[Frame]
    parties: list[Party]


def related(timeline: Timeline, row: int, offset_ps: int) -> Related:
    near, why = Near(timeline), why_then(timeline, row)
    peers = list(_peers(near, row))
    links = [_link(near, one, offset_ps) for one in _links(near, row, why, [_peer(near, row, *one) for one in peers])]
    parties = [Party(device, "", near.end(peer) - near.start(peer)) for device, peer in peers]
    return Related(why, links, _stack(near, row, offset_ps), parties)


class _To(NamedTuple):
    kind: str
    row: int
    message: Message


def _to(kind: str, row: int, code: str, **params: Param) -> _To:
    return _To(kind, row, Message(code, params))


def _links(near: Near, row: int, why: Why, peers: list[_To]) -> Iterator[_To]:
    timeline = near.timeline
    start = near.start(row)
    launch, parent, producer = (
        int(column[row])
        for column in (launches_of(timeline).rows, nesting_of(timeline).parent, flows_of(timeline).producer)
    )
    if launch >= 0:
        yield _to("launch", launch, "link.launch", where=near.where(launch), **apart(near.start(launch) - start))
    yield from _kernels(near, row)
    if producer >= 0:
        yield _to("producer", producer, "link.producer", **apart(near.start(producer) - start))
    for consumer in np.flatnonzero(flows_of(timeline).producer == row)[:LINKS_MAX].tolist():
        yield _to("consumer", consumer, "link.consumer", **apart(near.start(consumer) - start))
    module = int(flows_of(timeline).module[row])
    if module >= 0:
        yield _to("module", module, "link.module")
    if parent >= 0:
        yield _to("parent", parent, "link.parent", **apart(near.start(parent) - start))
    yield from _neighbours(near, row)
    yield from peers
    if why.kind == "waits_for" and why.message is not None:
        yield _To("waits_for", why.row, why.message)
    yield from _step(near, row)


def apart(ps: int) -> dict[str, Param]:
    """How much later, or earlier, something happened."""
    return {"earlier": max(-ps, 0), "later": max(ps, 0)}


def _kernels(near: Near, row: int) -> Iterator[_To]:
    """What it launched itself, and what was launched within it."""
    timeline, events = near.timeline, near.capture.events
    tracks = near.capture.tracks
    last = int(tracks.events_end[near.track(row)])
    within = row + int(np.searchsorted(events.start_ps[row:last], max(near.end(row), near.start(row) + 1)))
    launch = launches_of(timeline).rows
    rows = np.flatnonzero((launch >= row) & (launch < within))
    rows = rows[np.argsort(events.start_ps[rows], kind="stable")][:LINKS_MAX]
    for kernel in rows.tolist():
        call = int(launch[kernel])
        if near.end(call) > near.end(row):
            continue
        params = {"where": near.where(kernel), **apart(near.start(kernel) - near.start(call))}
        if call == row:
            yield _to("kernel", kernel, "link.kernel", **params)
        else:
            yield _to("kernel", kernel, "link.kernel.within", call=near.name(call), **params)


def _neighbours(near: Near, row: int) -> Iterator[_To]:
    before, after = near.neighbours(row)
    stream = near.on_device(row)
    if before >= 0:
        yield _to("previous", before, "link.previous", stream=stream, **apart(near.end(before) - near.start(row)))
    if after >= 0:
        yield _to("next", after, "link.next", stream=stream, **apart(near.start(after) - near.end(row)))


def _peers(near: Near, row: int) -> Iterator[tuple[str, int]]:
    """The same collective on the other devices of the host: of its name, what overlaps it most."""
    if not near.on_device(row) or near.category(row) != "collective":
        return
    c, start, end = near.capture, near.start(row), near.end(row)
    name = int(shown_ids(c, slice(row, row + 1))[0])
    for plane in device_planes(c)[:LINKS_MAX]:
        if plane == near.plane(row):
            continue
        rows = near.overlapping(near.work_tracks(plane), start, end, 1000)
        rows = rows[shown_ids(c, rows) == name]
        if not len(rows):
            continue
        begins = c.events.start_ps[rows]
        ends = begins + c.events.duration_ps[rows]
        peer = int(rows[int((np.minimum(ends, end) - np.maximum(begins, start)).argmax())])
        yield c.strings[int(c.planes.name[plane])], peer


def _peer(near: Near, row: int, device: str, peer: int) -> _To:
    ended = near.end(peer) - near.end(row)
    later = {"ended_earlier": max(-ended, 0), "ended_later": max(ended, 0)}
    return _to("peer", peer, "link.peer", device=device, **apart(near.start(peer) - near.start(row)), **later)


def _step(near: Near, row: int) -> Iterator[_To]:
    assigned = assignment_of(near.timeline)
    step = int(assigned.step[row])
    if step < 0 or int(assigned.steps.row[step]) < 0:
        return
    cause = bool(assigned.how[row] == How.CAUSE)
    yield _to("step", int(assigned.steps.row[step]), "link.step", step=assigned.steps.name[step], cause=cause)


def _link(near: Near, to: _To, offset_ps: int) -> Link:
    row = to.row
    return Link(
        to.kind,
        near.timeline.host,
        row,
        near.track(row),
        int(nesting_of(near.timeline).depth[row]),
        near.start(row) + offset_ps,
        near.end(row) - near.start(row),
        shown_name(near.capture, row),
        to.message,
    )


def links_to(peers: Sequence[Peer], this: Peer) -> list[Link]:
    """The links of a collective to the same on other hosts."""
    return [
        Link("peer", p.host, p.row, p.track, p.depth, p.begin, p.end - p.begin, p.name, _on_other_host(p, this))
        for p in peers
    ]


def _on_other_host(peer: Peer, this: Peer) -> Message:
    took, longer = peer.end - peer.begin, (peer.end - peer.begin) - (this.end - this.begin)
    number, of = peer.number or (None, None)
    params: dict[str, Param] = {"device": peer.device, "host": peer.host, "number": number, "of": of}
    params |= {"took": took, "longer": max(longer, 0), "shorter": max(-longer, 0)}
    return Message("link.peer.other_host", params)


def _stack(near: Near, row: int, offset_ps: int) -> list[Frame]:
    """Outermost first: around the event on its thread, or around its launch; with Python's frames."""
    timeline, c = near.timeline, near.capture
    launch = int(launches_of(timeline).rows[row])
    around = [launch] if launch >= 0 else []
    at = launch if launch >= 0 else row
    while len(around) < STACK_MAX and (at := int(nesting_of(timeline).parent[at])) >= 0:
        around.append(at)
    foot = launch if launch >= 0 else row
    frames = _python_frames(near, foot) if not near.on_device(foot) else []
    every = sorted({*around, *frames}, key=lambda r: (near.start(r), -near.end(r), r))[:STACK_MAX]
    rows = np.array(every, np.int64)
    names = c.strings.of(shown_ids(c, rows))
    python = np.isin(c.planes.kind[c.tracks.plane[c.events.track[rows]]], [PlaneKind.PYTHON])
    return [
        Frame(
            name,
            row,
            near.start(row) + offset_ps,
            near.end(row) - near.start(row),
            near.track(row),
            "python" if is_python or name.startswith("$") else "event",
        )
        for row, name, is_python in zip(every, names, python.tolist(), strict=True)
    ]


def _python_frames(near: Near, row: int) -> list[int]:
    """Frames of the thread that were open when the event began, where Python's tracer has its own plane."""
    c = near.capture
    id = int(c.tracks.id[near.track(row)])
    kinds = c.planes.kind[c.tracks.plane]
    tracks = np.flatnonzero((kinds == PlaneKind.PYTHON) & (c.tracks.id == id))
    if not len(tracks) or near.track(row) in tracks:
        return []
    start = near.start(row)
    rows = near.overlapping(tracks[:1], start, start + 1, 1)
    found: list[int] = rows[c.events.start_ps[rows] <= start].tolist()
    return found
