"""One event of a timeline → the events that it has to do with, and the stack around it, each with one sentence."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

from ...tables import Cells, PlaneKind
from ...timeline import How, Timeline, assignment_of, device_planes, flows_of, launches_of, nesting_of
from ...units import duration
from ..sums import shortened, shown_ids
from .near import Near
from .why import Why, why_then

#: Links of one kind, and frames of a stack.
LINKS_MAX, STACK_MAX = 100, 1000


@dataclasses.dataclass(frozen=True)
class Link:
    """kind, row, and one sentence."""

    kind: str
    row: int
    text: str


@dataclasses.dataclass(frozen=True)
class Related:
    """links, and the columns of `stack` and `links` but the host; why: the sentence, empty where nothing tells."""

    why: Why
    links: dict[str, Cells]
    stack: dict[str, Cells]


def related(timeline: Timeline, row: int, offset_ps: int) -> Related:
    near, why = Near(timeline), why_then(timeline, row)
    found = list(_links(near, row, why))
    return Related(why, _table(near, found, offset_ps), _stack(near, row, offset_ps))


def _links(near: Near, row: int, why: Why) -> Iterator[Link]:
    timeline = near.timeline
    start = near.start(row)
    launch, parent, producer = (
        int(column[row])
        for column in (launches_of(timeline).rows, nesting_of(timeline).parent, flows_of(timeline).producer)
    )
    if launch >= 0:
        yield Link("launch", launch, f"{near.where(launch)} called it {_before(start - near.start(launch))}.")
    yield from _kernels(near, row)
    if producer >= 0:
        yield Link("producer", producer, f"It caused this one; it began {_before(start - near.start(producer))}.")
    for consumer in np.flatnonzero(flows_of(timeline).producer == row)[:LINKS_MAX].tolist():
        yield Link("consumer", consumer, f"Caused by this one; it began {_after(near.start(consumer) - start)}.")
    module = int(flows_of(timeline).module[row])
    if module >= 0:
        yield Link("module", module, "The run of the program that it belongs to.")
    if parent >= 0:
        yield Link("parent", parent, f"It lies in this, which began {_before(start - near.start(parent))}.")
    yield from _neighbours(near, row)
    yield from _peers(near, row)
    if why.kind == "waits_for":
        yield Link("waits_for", why.row, why.text)
    yield from _step(near, row)


def _before(ps: int) -> str:
    if not ps:
        return "at that instant"
    return f"{duration(ps)} before" if ps > 0 else f"{duration(-ps)} after"


def _after(ps: int) -> str:
    if not ps:
        return "at once"
    return f"{duration(ps)} later" if ps > 0 else f"{duration(-ps)} sooner"


def _kernels(near: Near, row: int) -> Iterator[Link]:
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
        began = "Began" if call == row else f"Launched by {near.called(call)} within it; began"
        later = _after(near.start(kernel) - near.start(call))
        yield Link("kernel", kernel, f"{began} {later} than the call, on {near.where(kernel)}.")


def _neighbours(near: Near, row: int) -> Iterator[Link]:
    before, after = near.neighbours(row)
    place = "stream" if near.on_device(row) else "thread"
    if before >= 0:
        left = near.start(row) - near.end(before)
        yield Link("previous", before, f"Before it on its {place}; it ended {_before(left)}.")
    if after >= 0:
        yield Link("next", after, f"After it on its {place}; it began {_after(near.start(after) - near.end(row))}.")


def _peers(near: Near, row: int) -> Iterator[Link]:
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
        began = _after(near.start(peer) - start)
        on, later = c.strings[int(c.planes.name[plane])], near.end(peer) - end
        ended = f"ended {_after(later)}" if later else "ended with it"
        yield Link("peer", peer, f"The same on {on}; it began {began} and {ended}.")


def _step(near: Near, row: int) -> Iterator[Link]:
    assigned = assignment_of(near.timeline)
    step = int(assigned.step[row])
    if step < 0 or int(assigned.steps.row[step]) < 0:
        return
    how = "by what caused it" if assigned.how[row] == How.CAUSE else "by time"
    yield Link("step", int(assigned.steps.row[step]), f"It belongs to step {assigned.steps.name[step]}, {how}.")


def _table(near: Near, links: list[Link], offset_ps: int) -> dict[str, Cells]:
    rows = np.array([link.row for link in links], np.int64)
    events = near.capture.events
    return {
        "kind": [link.kind for link in links],
        "host": [near.timeline.host] * len(links),
        "row": rows,
        "track": events.track[rows].astype(np.int64),
        "depth": nesting_of(near.timeline).depth[rows].astype(np.int64),
        "start_ps": events.start_ps[rows] + offset_ps,
        "duration_ps": events.duration_ps[rows],
        "name": shortened(near.capture.strings.of(shown_ids(near.capture, rows))),
        "text": [link.text for link in links],
    }


def _stack(near: Near, row: int, offset_ps: int) -> dict[str, Cells]:
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
    return {
        "name": shortened(names),
        "row": rows,
        "start_ps": c.events.start_ps[rows] + offset_ps,
        "duration_ps": c.events.duration_ps[rows],
        "track": c.events.track[rows].astype(np.int64),
        "kind": ["python" if p or n.startswith("$") else "event" for p, n in zip(python.tolist(), names, strict=True)],
    }


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
