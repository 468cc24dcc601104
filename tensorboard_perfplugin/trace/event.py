"""One event of the trace: facts, neighbours, why it started only then, peers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import chain

import numpy as np

from ..analysis.kernels.merged import joined
from ..analysis.kernels.rows import COPY_DETAILS, configurations
from ..analysis.path.path import Kind
from ..errors import NotFoundError
from ..messages import Message
from ..tables import I64, StatKind, intervals
from ..timeline.assignment import How, assignment_of
from ..timeline.causes import launches_of
from ..timeline.names.kernels import copy_details
from ..timeline.names.ops import Op
from ..timeline.nesting import nesting_of
from ..timeline.ops.ops import are_calls, device_calls_of, ops_of
from ..timeline.ops.pytorch import stacks
from ..timeline.timeline import Timeline
from .derived import Derived
from .links import LINKS_MAX, EventContext, Link, Related, Why, apart

# One event of a timeline → what the timeline knows of it beyond its stats: op, step, launch, bytes and rates.

Fact = tuple[str, str, object]
#: Frames of a Python stack that are listed of one event, the innermost.
STACK_FRAMES = 20


def facts(timeline: Timeline, row: int) -> Iterator[Fact]:
    near = EventContext(timeline)
    category = near.category(row)
    if category:
        yield "event", "category", category
    yield from _facts_op(timeline, row)
    yield from _step(timeline, row)
    if near.on_device(row):
        yield from _launch(near, row)
        yield from _kernel(timeline, row)
        yield from _copy(timeline, row)


def _facts_op(timeline: Timeline, row: int) -> Iterator[Fact]:
    for executed in (ops_of(timeline).device, ops_of(timeline).host):
        at = int(np.searchsorted(executed.rows, row))
        if at < len(executed.rows) and int(executed.rows[at]) == row:
            op = ops_of(timeline).ops[int(executed.op[at])]
            yield "event", "op", op.name
            yield "event", "op_type", op.type
            if op.module:
                yield "event", "module", op.module
            yield from _called_from(timeline, row, op)
            return


def _called_from(timeline: Timeline, row: int, op: Op) -> Iterator[Fact]:
    """Of an operator of PyTorch, or of what it launched, the modules (`nn.Module`) and the Python frames around it."""
    at = int(np.searchsorted(ops_of(timeline).device.rows, row))
    on_device = at < len(ops_of(timeline).device.rows) and int(ops_of(timeline).device.rows[at]) == row
    call = int(device_calls_of(timeline)[at]) if on_device else row
    if call < 0 or not are_calls(timeline, np.array([call])).any():
        return
    scope = op.name.removesuffix(op.type).rstrip("/")
    if scope:
        yield "event", "nn_module", scope
    numbers, texts = stacks(timeline, np.array([call]), STACK_FRAMES)
    if stack := texts[int(numbers[0])]:
        yield "event", "python_stack", stack.removeprefix("← ")


def _step(timeline: Timeline, row: int) -> Iterator[Fact]:
    assigned = assignment_of(timeline)
    if assigned.step[row] >= 0:
        yield "event", "step", assigned.steps.name[int(assigned.step[row])]
        yield "event", "step_known_by", "cause" if assigned.how[row] == How.CAUSE else "time"


def _launch(near: EventContext, row: int) -> Iterator[Fact]:
    launch = int(launches_of(near.timeline).rows[row])
    if launch >= 0:
        yield "event", "launch_delay_ps", near.start(row) - near.start(launch)


def _text(timeline: Timeline, key: str, row: int) -> str:
    value, kind = timeline.stat_of(key, np.array([row]))
    return timeline.capture.strings[int(value[0])] if kind[0] == StatKind.TEXT else ""


def _kernel(timeline: Timeline, row: int) -> Iterator[Fact]:
    of_kernels = timeline.capture.kernel_launches
    at = of_kernels.events.launch_of(np.array([row]))
    if at[0] < 0:
        return
    [launch] = configurations(of_kernels.launches, at)
    facts = {
        "grid": joined(launch.grid),
        "block": joined(launch.block),
        "registers": launch.registers,
        "shared_bytes": launch.shared,
    }
    yield from (("event", key, value) for key, value in facts.items() if value is not None)
    for key in ("occupancy_percent", "achieved_percent"):
        percent = float(getattr(of_kernels.launches, key)[at[0]])
        if not math.isnan(percent):
            yield "event", key, percent


def _copy(timeline: Timeline, row: int) -> Iterator[Fact]:
    text = next((found for key in COPY_DETAILS if (found := _text(timeline, key, row))), "")
    if not text:
        return
    copy, length = copy_details(text), int(timeline.capture.events.duration_ps[row])
    if copy.source:
        yield "event", "source", copy.source
    if copy.destination:
        yield "event", "destination", copy.destination
    if copy.size is not None:
        yield "event", "bytes", copy.size
        if copy.size and length:
            yield "event", "gb_s", f"{copy.size / length * 1000:.4g}"


# One event of a timeline → everything that is known of it, as (group, key, value) rows of text.

#: Bounds of an answer: rows, characters of one value and of all, bytes of a blob that are shown.
ROWS_MAX, TEXT_MAX, TEXTS_MAX, BYTES_MAX = 1000, 1_000_000, 4_000_000, 256

Row = tuple[str, str, str]
#: A row whose value is not yet text.


def details(timeline: Timeline, row: int, offset_ps: int) -> list[Row]:
    """Facts, relatives and stats of an event, its start moved by the offset. Raises NotFoundError for no such row."""
    count = len(timeline.capture.events)
    if not 0 <= row < count:
        raise NotFoundError(f"no event {row} in {timeline.host}: its events are 0 to {count - 1}")
    rows: list[Row] = []
    room, left_out = TEXTS_MAX, 0
    for group, key, value in _all(timeline, row, offset_ps):
        if len(rows) == ROWS_MAX or room <= 0:
            left_out += 1
            continue
        rows.append((group, text(key), text(value)))
        room -= len(rows[-1][1]) + len(rows[-1][2])
    return rows + ([("stat", "…", f"{left_out} more")] if left_out else [])


def _all(timeline: Timeline, row: int, offset_ps: int) -> Iterator[Fact]:
    own = _facts(timeline, row, offset_ps), facts(timeline, row), _relatives(timeline, row), _stats(timeline, row)
    return chain(*own)


def _facts(timeline: Timeline, row: int, offset_ps: int) -> list[Fact]:
    c = timeline.capture
    events, track, kind = c.events, int(c.events.track[row]), int(c.events.kind[row])
    label = c.strings[int(c.kinds.label[kind])] if kind >= 0 else ""
    name = c.event_name(row)
    facts: list[tuple[str, object]] = [
        ("name", label or name),
        *([("full_name", name)] if label and label != name else []),
        ("host", timeline.host),
        ("process", c.strings[int(c.planes.name[c.tracks.plane[track]])]),
        ("track", track),
        ("track_name", c.strings[int(c.tracks.name[track])]),
        ("depth", nesting_of(timeline).depth[row]),
        ("row", row),
        ("start_ps", int(events.start_ps[row]) + offset_ps),
        ("duration_ps", events.duration_ps[row]),
        ("self_ps", nesting_of(timeline).self_ps[row]),
    ]
    return [("event", key, value) for key, value in facts]


def _relatives(timeline: Timeline, row: int) -> Iterable[Fact]:
    """Rows of other events, with their names after a blank: parent, launch of a kernel, kernels of a launch."""
    near = [("parent", int(nesting_of(timeline).parent[row])), ("launch", int(launches_of(timeline).rows[row]))]
    near += [("kernel", int(k)) for k in np.flatnonzero(launches_of(timeline).rows == row)[:ROWS_MAX]]
    return [("event", key, f"{other} {timeline.capture.event_name(other)[:200]}") for key, other in near if other >= 0]


def _stats(timeline: Timeline, row: int) -> Iterator[Fact]:
    events = timeline.capture.events
    own = int(events.stats_end[row] - events.stats_begin[row])
    for i, (key, value) in enumerate(timeline.capture.event_values(row)):
        yield "stat" if i < own else "kind", key, value


def text(value: object) -> str:
    """A value as text that loses nothing but length: 64-bit integers whole, doubles exact, bytes in hexadecimal."""
    if value is None:
        return "no value"
    if isinstance(value, bytes):
        more = "…" if len(value) > BYTES_MAX else ""
        return f"{len(value)} bytes: {value[:BYTES_MAX].hex(' ')}{more}"
    whole = str(value)
    return whole if len(whole) <= TEXT_MAX else f"{whole[:TEXT_MAX]}… ({len(whole) - TEXT_MAX} more characters)"


# One derived event → what is known of it, the kernels that it is made of, and what launched the first of them.

#: Tracks that are named.
_TRACKS_MAX = 8
#: Lines whose events have an op each.
_OF_OPS = ("ops", "instructions")
_PATH_KINDS = {
    Kind.RUNS: "runs",
    Kind.WAITS: "waits",
    Kind.LAUNCHES: "launch latency",
    Kind.HOPS: "hand-over between threads",
}


def derived_details(derived: Derived, row: int, offset_ps: int) -> list[Row]:
    """As of an event of the capture. Raises NotFoundError for no such row."""
    own, events = row - derived.first_row, derived.timeline.capture.events
    if not 0 <= own < len(events):
        last = derived.first_row + len(events) - 1
        raise NotFoundError(f"no event {row} in {derived.base.host}: its events are 0 to {last}")
    facts = [*_event_facts(derived, own, offset_ps), *_made_of(derived, own), *_occurrences(derived, own)]
    return [(group, text(key), text(value)) for group, key, value in facts]


def _event_facts(derived: Derived, own: int, offset_ps: int) -> Iterator[Fact]:
    c, nesting = derived.timeline.capture, nesting_of(derived.timeline)
    track = int(c.events.track[own])
    yield "event", "name", c.event_name(own)
    yield "event", "host", derived.base.host
    yield "event", "process", c.strings[int(c.planes.name[c.tracks.plane[track]])]
    yield "event", "track", track + derived.first_track
    yield "event", "track_name", c.strings[int(c.tracks.name[track])]
    yield "event", "depth", nesting.depth[own]
    yield "event", "row", own + derived.first_row
    yield "event", "start_ps", int(c.events.start_ps[own]) + offset_ps
    yield "event", "duration_ps", c.events.duration_ps[own]
    yield "event", "self_ps", nesting.self_ps[own]


def _made_of(derived: Derived, own: int) -> Iterator[Fact]:
    on_path = derived.on_path(own)
    if on_path:
        yield "event", "category", on_path.category
        yield "derived", "path_kind", _PATH_KINDS[on_path.kind]
        if on_path.inferred or on_path.kind >= Kind.LAUNCHES:
            yield "derived", "edge", "inferred from the order in time" if on_path.inferred else "shown by the capture"
        return
    base, rows = derived.base, derived.under(own)
    capture, events = base.capture, base.capture.events
    track = int(derived.timeline.capture.events.track[own])
    begin = int(derived.timeline.capture.events.start_ps[own])
    end = begin + int(derived.timeline.capture.events.duration_ps[own])
    start = events.start_ps[rows]
    until = np.minimum(start + events.duration_ps[rows], end)
    busy = intervals.union(start, np.maximum(start, until)).total
    names = capture.strings.texts(capture.tracks.name[np.unique(events.track[rows])[:_TRACKS_MAX]])
    yield "derived", "kernels", len(rows)
    yield "derived", "streams", ", ".join(names)
    yield "derived", "kernel_time_ps", int(events.duration_ps[rows].sum())
    yield "derived", "none_running_ps", end - begin - busy
    if derived.is_cut(own):
        yield "derived", "ends", "where a kernel of another name began; its own ran on"
    if derived.keys[track] in _OF_OPS:
        yield from _op(derived, int(rows[0]))
    step = int(assignment_of(base).step[rows[0]])
    if step >= 0:
        yield "event", "step", assignment_of(base).steps.name[step]


def _op(derived: Derived, kernel: int) -> Iterator[Fact]:
    executed = ops_of(derived.base).device
    op = ops_of(derived.base).ops[int(executed.op[np.searchsorted(executed.rows, kernel)])]
    yield "event", "op", op.name
    yield "event", "op_type", op.type
    if op.module:
        yield "event", "module", op.module


def _occurrences(derived: Derived, own: int) -> Iterator[Fact]:
    """Of its name, at its depth of its track."""
    same = _same(derived, own)
    yield "derived", "occurrences", len(same)
    yield "derived", "all_occurrences_ps", int(derived.timeline.capture.events.duration_ps[same].sum())


def _same(derived: Derived, own: int) -> I64:
    c, depth = derived.timeline.capture, nesting_of(derived.timeline).depth
    track = int(c.events.track[own])
    part = slice(int(c.tracks.events_begin[track]), int(c.tracks.events_end[track]))
    same = (c.events.name[part] == c.events.name[own]) & (depth[part] == depth[own])
    return np.flatnonzero(same) + part.start


def derived_related(derived: Derived, row: int, offset_ps: int) -> Related:
    """The launch of its first kernel, what encloses it, those of its name before and after it, and its kernels."""
    own = row - derived.first_row
    return Related(Why(None), list(_links(derived, own, offset_ps)), [], [])


def _links(derived: Derived, own: int, offset_ps: int) -> Iterator[Link]:
    near, start = EventContext(derived.base), int(derived.timeline.capture.events.start_ps[own])
    rows = derived.under(own)
    launch = int(launches_of(derived.base).rows[rows[0]]) if len(rows) else -1
    if launch >= 0:
        message = Message("link.first_launch", {"where": near.where(launch), **apart(near.start(launch) - start)})
        yield _of_capture(near, "launch", launch, message, offset_ps)
    parent = int(nesting_of(derived.timeline).parent[own])
    if parent >= 0:
        yield _of_derived(derived, "parent", parent, start, offset_ps)
    same = _same(derived, own)
    at = int(np.searchsorted(same, own))
    for kind, place in (("previous", at - 1), ("next", at + 1)):
        if 0 <= place < len(same):
            yield _of_derived(derived, kind, int(same[place]), start, offset_ps)
    for kernel in rows[:LINKS_MAX].tolist():
        message = Message("link.under", {"where": near.where(kernel), **apart(near.start(kernel) - start)})
        yield _of_capture(near, "under", kernel, message, offset_ps)


def _of_capture(near: EventContext, kind: str, row: int, message: Message, offset_ps: int) -> Link:
    start, depth = near.start(row), int(nesting_of(near.timeline).depth[row])
    times = start + offset_ps, near.end(row) - start
    return Link(kind, near.timeline.host, row, near.track(row), depth, *times, near.name(row), message)


def _of_derived(derived: Derived, kind: str, own: int, start: int, offset_ps: int) -> Link:
    c = derived.timeline.capture
    begin = int(c.events.start_ps[own])
    code = "link.parent" if kind == "parent" else "link.same"
    place = own + derived.first_row, int(c.events.track[own]) + derived.first_track
    depth, length = int(nesting_of(derived.timeline).depth[own]), int(c.events.duration_ps[own])
    message = Message(code, apart(begin - start))
    times = begin + offset_ps, length
    return Link(kind, derived.base.host, *place, depth, *times, c.event_name(own), message)
