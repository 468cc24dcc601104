"""An area of the trace: sums, flame graph, gaps, and two areas compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from ..errors import ArgumentError
from ..messages import Message, Param
from ..patterns import regex
from ..tables import I32, I64, U8, Capture, PlaneKind, TrackKind, at_once, distinct, intervals
from ..threshold import Threshold
from ..timeline.causes import flows_of, launches_of
from ..timeline.loops.loops import Nesting, nearest, nest
from ..timeline.nesting import nesting_of
from ..timeline.ops.ops import ops_of
from ..timeline.timeline import Timeline, cached
from ..timeline.tracks import rows_of
from .derived import Derived
from .lanes import FAR, KEYS, Window, categories_of, shown_ids, sums
from .links import EventContext

# Some tracks of a timeline in a window → the events there, as far as they lie in it, and how they nest.


class Clipped(msgspec.Struct, frozen=True, eq=False):
    """The events that overlap an area, by track, start, longer first, as far as they lie in it.

    parent: place here of the innermost event around each, -1 for none. name: string id to show. category: place in
    `KEYS`.
    """

    rows: I64
    track: I32
    start_ps: I64
    duration_ps: I64
    self_ps: I64
    parent: I32
    depth: I32
    name: I64
    category: U8


def area_tracks(capture: Capture) -> I64:
    """The tracks that are summed up where none were chosen: what was measured, not what was derived from it."""
    return np.flatnonzero(~np.isin(capture.tracks.kind, (TrackKind.DERIVED, TrackKind.COUNTER)))


class Cut(NamedTuple):
    """The events that overlap an area, by track, start, longer first, as far as they lie in it, and how they nest."""

    rows: I64
    track: I32
    start_ps: I64
    duration_ps: I64
    nesting: Nesting


def clipped(timeline: Timeline, tracks: I64, window: Window) -> Clipped:
    """What of some tracks lies in a window; an instant does when it is in it."""
    rows, track, start, duration, (depth, parent, own) = cut_to_area(timeline, tracks, window)
    at = at_once(rows)
    names = shown_ids(timeline.capture, at)
    return Clipped(rows, track, start, duration, own, parent, depth, names, categories_of(timeline).places(at))


def cut_to_area(timeline: Timeline, tracks: I64, window: Window) -> Cut:
    """As `clipped`, without names and categories."""
    capture, events = timeline.capture, timeline.capture.events
    rows = rows_of(capture, np.sort(tracks))
    first, end = capture.span_ps
    if not window.start_ps <= first <= end < window.end_ps:
        at = at_once(rows)
        rows = rows[window.holds(events.start_ps[at], events.duration_ps[at])]
    at = at_once(rows)
    track, start, duration = events.track[at], events.start_ps[at], events.duration_ps[at]
    whole = len(rows) == len(events)
    if len(rows) and (first < window.start_ps or end > window.end_ps):
        low, high = np.maximum(start, window.start_ps), np.minimum(start + duration, window.end_ps)
        start, duration, whole = low, high - low, False
        if not _in_order(track, start, duration):
            order = np.lexsort((-duration, start, track))
            rows, track, start, duration = rows[order], track[order], start[order], duration[order]
    return Cut(rows, track, start, duration, nesting_of(timeline) if whole else nest(track, start, duration))


def _in_order(track: I32, start: I64, duration: I64) -> bool:
    same = track[1:] == track[:-1]
    later = start[1:] > start[:-1]
    tie = (start[1:] == start[:-1]) & (duration[1:] <= duration[:-1])
    return bool((~same | later | tie).all())


# Two stretches of the trace, two steps mostly → what ran in each by name and by category, and what is more in one.

#: Names of one host that are looked at, those with most time.
_NAMES_MAX = 20_000
_STRETCH = regex(r"(-?[0-9]{1,19})-(-?[0-9]{1,19})")


class Sums(NamedTuple):
    """Of one name and category in both stretches: events, total and self time."""

    events: tuple[int, int]
    total_ps: tuple[int, int]
    self_ps: tuple[int, int]


class ComparePart(NamedTuple):
    """What one host gives. names: by (name, category). name_count: how many there are, listed or not."""

    names: dict[tuple[str, str], Sums]
    categories: dict[str, Sums]
    name_count: int


def compared_with(text: str, offset_ps: int) -> Window:
    """`start-end` in the answer's time → in a host's own. Raises ArgumentError."""
    match = _STRETCH.fullmatch(text)
    start, end = (int(match[1]) - offset_ps, int(match[2]) - offset_ps) if match else (0, 0)
    if start >= end or max(-start, end) > FAR:
        raise ArgumentError(f"compare={text[:80]!r}: use `start-end` in ps, the end after the start")
    return Window(start, end)


def compare(timeline: Timeline, tracks: I64, first: Window, second: Window) -> ComparePart:
    """The same tracks in two windows; events are clipped to each, as in an area."""
    sides = [_by_label(timeline, tracks, window) for window in (first, second)]
    labels = np.union1d(sides[0][0], sides[1][0])
    columns = [_at(labels, *side) for side in sides]
    most = np.maximum(columns[0][2], columns[1][2])
    kept = np.argsort(-most, kind="stable")[:_NAMES_MAX]
    names = {_named(timeline, int(labels[i])): _pair(columns, i) for i in kept.tolist()}
    category = labels % len(KEYS)
    of_category = [np.stack([sums(category, c, len(KEYS)) for c in side]) for side in columns]
    used = np.unique(category).tolist()
    categories = {KEYS[i]: _pair(of_category, i) for i in used}
    return ComparePart(names, categories, len(labels))


def _named(timeline: Timeline, label: int) -> tuple[str, str]:
    name, category = divmod(label, len(KEYS))
    return timeline.capture.strings[name], KEYS[category]


def _by_label(timeline: Timeline, tracks: I64, window: Window) -> tuple[I64, I64]:
    """The labels that ran in a window, name and category as one number, and (3, labels) of count, total, self."""
    of = clipped(timeline, tracks, window)
    label, place = np.unique(of.name * len(KEYS) + of.category, return_inverse=True)
    ones, place = np.ones(len(place), np.int64), place.reshape(-1)
    return label, np.stack([sums(place, column, len(label)) for column in (ones, of.duration_ps, of.self_ps)])


def _at(labels: I64, some: I64, columns: I64) -> I64:
    """Columns of some labels as those of all, 0 where a label is not among them."""
    found = np.zeros((len(columns), len(labels)), np.int64)
    found[:, np.searchsorted(labels, some)] = columns
    return found


def _pair(sides: Sequence[I64], at: int) -> Sums:
    (a, b) = sides
    return Sums(*((int(a[i, at]), int(b[i, at])) for i in range(3)))


# The events of an area → its stacks merged by name, from the outside in and from the inside out.
#
# A node is a stack of names, and stands for all events that have it. Whole levels at a time; no loop over events.

#: Rows of one tree of an answer.
TREE_ROWS_MAX = 3000
#: What lies deeper in each other counts to what it lies in; callers that are distinguished, and rows made to tell them.
LEVELS_MAX, CALLERS_MAX, CALLER_ROWS_MAX = 512, 64, 200_000
#: Up to so many cells a table is quicker than sorting.
_TABLE_MAX = 1 << 23


class Events(NamedTuple):
    """The events of an area, parents before children. parent: place of the innermost around each, -1 none.

    depth: greater than the parent's, one more where events nest. label: name and category, as one number. Times in ps.
    """

    parent: NDArray[np.integer]
    depth: NDArray[np.integer]
    label: I64
    duration_ps: I64
    self_ps: I64


class Tree(NamedTuple):
    """Rows in which parents come first; parent: row, -1 none. label: as of `Events`."""

    parent: I64
    label: I64
    total_ps: I64
    self_ps: I64
    events: I64


class TreePart(msgspec.Struct, frozen=True):
    """One host's rows, the largest; parents first. rows: how many there are."""

    parent: list[int]
    name: list[tuple[str, str]]
    total_ps: list[int]
    self_ps: list[int]
    count: list[int]
    rows: int


def top_down(of: Events) -> Tree:
    """Stacks as they were called."""
    shallow = np.minimum(_levels(of.parent, of.depth), LEVELS_MAX)
    deep = np.flatnonzero(shallow == LEVELS_MAX)
    order = np.argsort(shallow.astype(np.uint16), kind="stable")
    bounds = np.concatenate(([0], np.cumsum(np.bincount(shallow, minlength=LEVELS_MAX + 1))))
    ids, label = distinct(of.label)
    node = np.full(len(of.label) + 1, -1, np.int64)
    parents, labels, size = [], [], 0
    for level in range(LEVELS_MAX):
        at = order[bounds[level] : bounds[level + 1]]
        if not len(at):
            continue
        key = (node[of.parent[at]] + 1) * len(ids) + label[at]
        new, which = distinct(key)
        node[at] = size + which
        parents.append(new // len(ids) - 1)
        labels.append(ids[new % len(ids)])
        size += len(new)
    if len(deep):
        around = nearest(np.ascontiguousarray(of.parent, np.int32), shallow < LEVELS_MAX)
        node[deep] = node[around[deep]]
    return _summed(of, node[:-1], shallow < LEVELS_MAX, parents, labels, size)


def _levels(parent: NDArray[np.integer], depth: NDArray[np.integer]) -> NDArray[np.integer]:
    """How many events lie around each: its depth, but where events overlap in part, which are drawn deeper."""
    if (depth == np.where(parent >= 0, depth[parent] + 1, 0)).all():
        return depth
    level = (parent >= 0).astype(np.int32)
    at = parent.copy()
    # Each round looks twice as far.
    while len(rows := np.flatnonzero(at >= 0)):
        above = at[rows]
        level[rows] += level[above]
        at[rows] = at[above]
    return level


def _summed(of: Events, node: I64, own: NDArray[np.bool_], parents: list[I64], labels: list[I64], size: int) -> Tree:
    """Of what is deeper than can be kept only the self time counts: its length is part of what it lies in."""
    whole = bool(own.all())
    count = np.bincount(node, minlength=size) if len(node) else np.zeros(size, np.int64)
    total = sums(node, of.duration_ps if whole else np.where(own, of.duration_ps, 0), size)
    nothing = [np.empty(0, np.int64)]
    return Tree(
        np.concatenate(nothing + parents),
        np.concatenate(nothing + labels),
        total,
        sums(node, of.self_ps, size),
        count.astype(np.int64),
    )


def bottom_up(tree: Tree) -> Tree:
    """Names by self time, below each what called it. total_ps: without what lies in the same name again."""
    ids, label = distinct(tree.label)
    total = np.where(_recurs(tree, label), 0, tree.total_ps)
    rows, which = distinct(label)
    parents, labels = [np.full(len(rows), -1, np.int64)], [ids[rows]]
    node, at, up = np.arange(len(label)), which, tree.parent
    parts = [(which, node)]
    size = len(rows)
    for _ in range(CALLERS_MAX):
        some = up[node] >= 0
        if not some.any() or size > CALLER_ROWS_MAX:
            break
        node, at = node[some], at[some]
        caller = up[node]
        new, which = distinct(at * len(ids) + label[caller])
        parents.append(new // len(ids))
        labels.append(ids[new % len(ids)])
        at = size + which
        parts.append((at, node))
        size += len(new)
        up = _above(up, tree.parent, node, caller)
    place, nodes = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Tree(
        np.concatenate(parents),
        np.concatenate(labels),
        sums(place, total[nodes], size),
        sums(place, tree.self_ps[nodes], size),
        sums(place, tree.events[nodes], size),
    )


def _above(up: I64, parent: I64, node: I64, caller: I64) -> I64:
    """The caller of each node's last caller."""
    found = np.full(len(up), -1, np.int64)
    found[node] = parent[caller]
    return found


def _recurs(tree: Tree, label: I64) -> NDArray[np.bool_]:
    """Whether a node lies in one of its own name."""
    found = np.zeros(len(label), bool)
    node, up = np.arange(len(label)), tree.parent
    while len(node):
        some = up >= 0
        node, up = node[some], up[some]
        same = label[node] == label[up]
        found[node[same]] = True
        node, up = node[~same], tree.parent[up[~same]]
    return found


def largest(timeline: Timeline, tree: Tree, weight: I64) -> TreePart:
    """The rows of the largest weight, such that each one's parent is among them."""
    weight = _at_most_parents(tree.parent, weight)
    kept = np.sort(np.lexsort((np.arange(len(weight)), -weight))[:TREE_ROWS_MAX])
    place = np.full(len(weight) + 1, -1, np.int64)
    place[kept] = np.arange(len(kept))
    texts = timeline.capture.strings.texts(tree.label[kept] // len(KEYS))
    return TreePart(
        place[tree.parent[kept]].tolist(),
        [(text, KEYS[i]) for text, i in zip(texts, (tree.label[kept] % len(KEYS)).tolist(), strict=True)],
        tree.total_ps[kept].tolist(),
        tree.self_ps[kept].tolist(),
        tree.events[kept].tolist(),
        len(weight),
    )


def _at_most_parents(parent: I64, weight: I64) -> I64:
    """Events that overlap in what they lie in may add up to more than it: no row weighs more than its parent."""
    least, at = weight.copy(), parent.copy()
    rows = np.flatnonzero(at >= 0)
    while len(rows):
        least[rows] = np.minimum(least[rows], weight[at[rows]])
        at[rows] = parent[at[rows]]
        rows = rows[at[rows] >= 0]
    return least


# An area of the trace → when nothing ran on its devices, streams and threads, the longest gaps first, and why.
#
# When a device computes nothing comes before the gaps of single streams: one that copies is idle most of the time.

#: Gaps of one host, and of one answer; those of devices among them; of a track at least so many are looked at.
GAPS_MAX, _DEVICES_MAX, _TRACK_MIN = 150, 100, 10
#: Gaps of one device as a whole.
_WHOLE_MAX = 50
MOST_OF_A_GAP = Threshold(
    "most_of_a_gap",
    0.5,
    "share",
    "what fills at least this part of a gap is its cause: a launch that came late, or what another stream ran",
    "by definition: no two causes fill more than half of one gap",
)
#: Other streams of a device that are looked at.
_STREAMS_MAX = 100


class Cause(NamedTuple):
    """cause: a word. message: the same with numbers. row: of the event that shows it, -1 for none."""

    cause: str
    message: Message
    row: int = -1


def _of(cause: str, row: int, code: str, **params: Param) -> Cause:
    return Cause(cause, Message(code, params), row)


#: What a gap is of: all compute streams of a device that has several; a stream that computes; one that does not; a
#: thread. A device's only compute stream ranks with devices.
SCOPES = ("device", "compute", "stream", "thread")
_DEVICE, _COMPUTE, _STREAM, _THREAD = range(len(SCOPES))


class Gap(NamedTuple):
    """rank: what comes first. scope: place in `SCOPES`."""

    rank: int
    scope: int
    track: int
    start_ps: int
    duration_ps: int
    cause: str
    message: Message
    row: int


class GapsPart(msgspec.Struct, frozen=True):
    """What one host gives: the longest gaps, and how many there are."""

    gaps: list[Gap]
    count: int


def gaps(timeline: Timeline, window: Window, of: Clipped) -> GapsPart:
    """The longest gaps of the area, a fair number of each track, with their causes, and how many there are."""
    chosen = ~np.isin(timeline.capture.tracks.kind, (TrackKind.DERIVED, TrackKind.COUNTER))
    # What lies in another event leaves no gap.
    outer = np.flatnonzero((of.parent < 0) & chosen[of.track])
    start = of.start_ps[outer]
    every = _every(window, of.track[outer], start, start + of.duration_ps[outer])
    scope, several = _scopes(timeline, np.unique(of.track[outer]))
    at = _longest(every, scope)
    near, rows = EventContext(timeline), zip(*(column[at].tolist() for column in every), strict=True)
    plane = timeline.capture.tracks.plane
    made = [
        Gap(
            _rank(int(scope[t]), int(plane[t]) in several),
            int(scope[t]),
            t,
            begin,
            n,
            *_cause(near, t, begin, begin + n),
        )
        for t, begin, n in rows
    ]
    whole = [_of_streams(near, window, tracks, of, outer) for tracks in several.values()]
    return GapsPart([gap for part in whole for gap in part[0]] + made, len(every.track) + sum(n for _, n in whole))


def _rank(scope: int, is_one_of_several: bool) -> int:
    return scope if scope > _COMPUTE else int(is_one_of_several)


def compute_tracks(timeline: Timeline) -> I64:
    """The streams and op lines of devices on which anything but copies and collectives ran."""
    rows = ops_of(timeline).device.rows
    computes = np.array([key.startswith("compute") for key in KEYS], bool)[categories_of(timeline).places(rows)]
    return np.unique(timeline.capture.events.track[rows[computes]]).astype(np.int64)


def _scopes(timeline: Timeline, shown: I64) -> tuple[NDArray[np.uint8], dict[int, I64]]:
    """By track what its gaps are of; by device its compute streams, where it has several and the area holds all."""
    c = timeline.capture
    device = np.isin(c.planes.kind, (PlaneKind.GPU, PlaneKind.TPU))[c.tracks.plane]
    scope = np.where(device, _STREAM, _THREAD).astype(np.uint8)
    if not device[shown].any():
        return scope, {}
    computes = cached(timeline, compute_tracks)
    scope[computes] = _COMPUTE
    plane = c.tracks.plane[computes]
    of = {p: computes[plane == p] for p in np.unique(plane).tolist()}
    return scope, {p: tracks for p, tracks in of.items() if len(tracks) > 1 and np.isin(tracks, shown).all()}


def _of_streams(near: EventContext, window: Window, tracks: I64, of: Clipped, outer: I64) -> tuple[list[Gap], int]:
    """The longest gaps in which no compute stream of a device ran, and how many there are. Each is on the stream that
    went on first, or if none did, on the one that ended last.
    """
    ran = outer[np.isin(of.track[outer], tracks)]
    busy = intervals.union(of.start_ps[ran], of.start_ps[ran] + of.duration_ps[ran])
    idle = intervals.gaps(busy, window.start_ps, window.end_ps)
    length = idle.end - idle.begin
    top = np.sort(np.argsort(-length, kind="stable")[:_WHOLE_MAX])
    device = near.capture.strings[int(near.capture.planes.name[near.capture.tracks.plane[tracks[0]]])]
    made = []
    for begin, end in zip(idle.begin[top].tolist(), idle.end[top].tolist(), strict=True):
        went_on = [(near.start(row), t) for t in tracks.tolist() if (row := near.first_after(t, end)) >= 0]
        ended = near.last_ended(tracks, -1, begin)
        track = min(went_on)[1] if went_on else near.track(ended) if ended >= 0 else int(tracks[0])
        why = _cause(near, track, begin, end)
        message = Message("gap.device", {"streams": len(tracks), "device": device, "cause": why.message})
        made.append(Gap(_DEVICE, _DEVICE, track, begin, end - begin, why.cause, message, why.row))
    return made, len(length)


class _Every(NamedTuple):
    """Every gap, by track: those between two events, then those at the area's edges."""

    track: I64
    begin: I64
    length: I64


def _every(window: Window, track: I32, start: I64, end: I64) -> _Every:
    new = np.diff(track, prepend=-1) != 0
    first = np.flatnonzero(new)
    last = np.append(first[1:], len(track)) - 1 if len(first) else first
    reach = _reach(first, last, start, end)
    inner = np.flatnonzero(~new)
    begin = np.concatenate((reach[inner - 1], np.full(len(first), window.start_ps), reach[last]))
    length = np.concatenate((start[inner], start[first], np.full(len(last), window.end_ps))) - begin
    where = np.concatenate((track[inner], track[first], track[last])).astype(np.int64)
    real = np.flatnonzero(length > 0)
    return _Every(where[real], begin[real], length[real])


def _reach(first: I64, last: I64, start: I64, end: I64) -> I64:
    """By event the latest end of its track's events up to it, which differs from its own only where some overlap."""
    over = np.flatnonzero(start[1:] < end[:-1])
    tracks = np.searchsorted(first, over, side="right") - 1
    reach = end
    for i in np.unique(tracks[over < last[tracks]]).tolist():
        reach = end.copy() if reach is end else reach
        part = slice(int(first[i]), int(last[i]) + 1)
        reach[part] = np.maximum.accumulate(end[part])
    return reach


def _longest(every: _Every, scope: NDArray[np.uint8]) -> I64:
    """Those of streams that compute, of other streams, and of threads, the longest; of few tracks at most a fair share
    of each. scope: by track.
    """
    tracks = np.flatnonzero(np.bincount(every.track))
    kept = np.arange(len(every.track))
    if len(tracks) <= GAPS_MAX:
        most = max(GAPS_MAX // max(len(tracks), 1), _TRACK_MIN)
        kept = np.concatenate([kept[:0], *(_most(np.flatnonzero(every.track == t), every, most) for t in tracks)])
    of, some = scope[every.track[kept]], kept[:0]
    for which, most in ((_COMPUTE, _DEVICES_MAX), (_STREAM, _DEVICES_MAX), (_THREAD, GAPS_MAX)):
        some = np.concatenate((some, _most(kept[of == which], every, max(most - len(some), 0))))
    return some


def _most(rows: I64, every: _Every, count: int) -> I64:
    if len(rows) <= count:
        return rows
    taken: I64 = rows[np.argpartition(-every.length[rows], count)[:count]]
    return taken


def _cause(near: EventContext, track: int, begin: int, end: int) -> Cause:
    after = near.first_after(track, end)
    before = near.last_ended(np.array([track]), -1, begin)
    if after < 0:
        return _of("end", before, "gap.end")
    if near.start(after) > end:
        return _of("no work", after, "gap.area_end", next=near.name(after), later=near.start(after) - end)
    return _of_device(near, after, begin, end) if near.on_device(after) else _of_thread(near, after, before, begin, end)


def _of_device(near: EventContext, after: int, begin: int, end: int) -> Cause:
    launch = int(launches_of(near.timeline).rows[after])
    name = near.name(after)
    if launch < 0:
        other = _filled(near, after, begin, end)
        return other or _of("no work", after, "gap.next", next=name, unseen=not near.is_tpu(after))
    called = near.start(launch)
    if called > end:
        return _of("no work", launch, "gap.clocks_differ", next=name, early=called - end)
    if called - begin > max(MOST_OF_A_GAP.value * (end - begin), 0):
        return _late(near, launch, name, begin, end)
    other = _filled(near, after, begin, end)
    return other or _of("launch latency", launch, "gap.launch_latency", next=name, latency=end - max(called, begin))


#: Category of what a thread did that launched late → the gap's cause and its code; of all others the last.
_BUSY_WITH = {
    "input_wait": ("input", "gap.input"),
    "waiting": ("sync", "gap.sync"),
    "": ("launched late", "gap.launched_late"),
}


def _late(near: EventContext, launch: int, name: str, begin: int, end: int) -> Cause:
    """The host launched what came next only when most of the gap was over."""
    called, where = near.start(launch), near.where(launch)
    late = called - begin
    params: dict[str, Param] = {"where": where, "next": name, "late": late, "share": late / (end - begin)}
    busy = near.host_busy_with(near.track(launch), begin, called)
    if busy is None:
        return _of("launched late", launch, "gap.launched_late.unseen", **params)
    cause, code = _BUSY_WITH.get(busy.category, _BUSY_WITH[""])
    elsewhere = None if near.track(busy.row) == near.track(launch) else near.where(busy.row)
    return _of(cause, busy.row, code, **params, elsewhere=elsewhere, busy=near.name(busy.row), time=busy.self_ps)


def _filled(near: EventContext, after: int, begin: int, end: int) -> Cause | None:
    """What the device's other streams did for most of the gap."""
    tracks = near.work_tracks(near.plane(after))
    tracks, events = tracks[tracks != near.track(after)], near.capture.events
    busiest, longest, row = 0, 0, -1
    for track in tracks[:_STREAMS_MAX].tolist():
        rows = near.within(track, begin, end)
        if not len(rows):
            continue
        low = np.maximum(events.start_ps[rows], begin)
        length = np.minimum(events.start_ps[rows] + events.duration_ps[rows], end) - low
        # What an event lies in began before it.
        reach = np.maximum.accumulate(low + length)
        covered = int(np.maximum(reach - np.maximum(np.append(begin, reach[:-1]), low), 0).sum())
        if covered > busiest:
            most = int(length.argmax())
            busiest, longest, row = covered, int(length[most]), int(rows[most])
    if row < 0 or busiest < MOST_OF_A_GAP.value * (end - begin):
        return None
    is_copy = near.category(row).startswith("copy")
    cause, code = ("copy", "gap.copy") if is_copy else ("other stream", "gap.other_stream")
    one = longest >= MOST_OF_A_GAP.value * (end - begin)
    params: dict[str, Param] = {
        "longest": near.name(row),
        "time": longest if one else busiest,
        "next": near.name(after),
    }
    return _of(cause, row, code if one else f"{code}.many", where=near.where(row), **params)


def _of_thread(near: EventContext, after: int, before: int, begin: int, end: int) -> Cause:
    producer, name = int(flows_of(near.timeline).producer[after]), near.name(after)
    if producer >= 0 and begin < near.start(producer) <= end:
        since = end - near.start(producer)
        params: dict[str, Param] = {"producer": near.name(producer), "where": near.where(producer), "since": since}
        return _of("producer", producer, "gap.caused", next=name, **params)
    if before < 0:
        return _of("begin", after, "gap.begin", next=name)
    return _of("no work", before, "gap.unseen", before=near.name(before), next=name)


# An area of the trace, some tracks in a window → what ran there by name and by category, clipped to the area.

#: Names of one answer.
AREA_NAMES_MAX = 1000


class NameRow(msgspec.Struct, frozen=True):
    """Sums of one name and category; `row` is the event of which most lies in the area."""

    count: int
    total_ps: int
    self_ps: int
    max_ps: int
    row: int


class AreaPart(msgspec.Struct, frozen=True):
    """What one host gives. names: by (name, category), the largest; name_count: how many there are.

    categories: by category count, total and self time of all.
    """

    events: int
    tracks: int
    busy_ps: int
    names: dict[tuple[str, str], NameRow]
    name_count: int
    categories: dict[str, tuple[int, int, int]]
    flame: TreePart
    callers: TreePart
    gaps: GapsPart


def area(timeline: Timeline, tracks: I64, window: Window) -> AreaPart:
    of = clipped(timeline, tracks, window)
    label = of.name * len(KEYS) + of.category
    by_label = _summary_by_label(of, label)
    names = _names(timeline, of, label, by_label)
    categories = _categories(by_label)
    stacks = top_down(Events(of.parent, of.depth, label, of.duration_ps, of.self_ps))
    callers = bottom_up(stacks)
    return AreaPart(
        len(of.rows),
        len(np.unique(of.track)),
        min(sum(by_label.self_ps.tolist()), FAR),
        names,
        len(by_label.label),
        categories,
        largest(timeline, stacks, stacks.total_ps),
        largest(timeline, callers, callers.self_ps),
        gaps(timeline, window, of),
    )


def area_of_derived(derived: Derived, tracks: I64, window: Window) -> AreaPart:
    """The same of derived tracks, by their own numbers; they have no gaps."""
    part = area(derived.timeline, tracks, window)
    names = {key: structs.replace(one, row=one.row + derived.first_row) for key, one in part.names.items()}
    return structs.replace(part, names=names)


class _Sums(NamedTuple):
    """By name and category, as one number `label`: events, total and self time."""

    label: I64
    events: I64
    total_ps: I64
    self_ps: I64


def _summary_by_label(of: Clipped, label: I64) -> _Sums:
    used = np.bincount(label)
    some = np.flatnonzero(used)
    total, own = (sums(label, column, len(used))[some] for column in (of.duration_ps, of.self_ps))
    return _Sums(some, used[some], total, own)


def _categories(by: _Sums) -> dict[str, tuple[int, int, int]]:
    category = by.label % len(KEYS)
    columns = [sums(category, column, len(KEYS)).tolist() for column in (by.events, by.total_ps, by.self_ps)]
    return {KEYS[i]: (columns[0][i], columns[1][i], columns[2][i]) for i in np.unique(category).tolist()}


def _names(timeline: Timeline, of: Clipped, label: I64, by: _Sums) -> dict[tuple[str, str], NameRow]:
    kept = np.lexsort((by.label, -by.total_ps, -by.self_ps))[:AREA_NAMES_MAX]
    longest = _summary_longest(label, of.duration_ps, by.label)
    found = {}
    for i in kept.tolist():
        name, category = divmod(int(by.label[i]), len(KEYS))
        at = int(longest[i])
        sizes = int(by.events[i]), int(by.total_ps[i]), int(by.self_ps[i]), int(of.duration_ps[at])
        found[timeline.capture.strings[name], KEYS[category]] = NameRow(*sizes, int(of.rows[at]))
    return found


def _summary_longest(key: I64, duration: I64, some: I64) -> I64:
    """By key the place of the longest, of equal ones the first."""
    count = int(some.max(initial=-1)) + 1
    most = np.zeros(count, np.int64)
    np.maximum.at(most, key, duration)
    at = np.flatnonzero(duration == most[key])[::-1]
    first = np.zeros(count, np.int64)
    first[key[at]] = at
    return first[some]
