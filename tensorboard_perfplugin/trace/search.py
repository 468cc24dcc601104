"""A text or a regular expression → the events whose names, ops or args hold it, by track, by name, and in time order.

Every distinct text is looked at once, however many events bear it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from ..analysis.path.path import Kind, path_of
from ..tables import I32, I64, Capture, Options, StatKind, Stats, Strings
from ..timeline.names.ops import name_matcher
from ..timeline.nesting import nesting_of
from ..timeline.ops.ops import ops_of
from ..timeline.timeline import Timeline
from .derived import PATH, Derived
from .lanes import Window, shown_ids, sums

#: Hits of one answer; names of one answer.
HITS_MAX, HIT_NAMES_MAX = 100, 1000
Bools = NDArray[np.bool_]
Matches = Callable[[str], bool]


class Hits(msgspec.Struct, frozen=True):
    """total: hits in the window; by_track: hits of every track; rows: the first hits by start, then by row.

    names: (name to show, hits, sum of their lengths), most hits first; name_count: how many distinct names there are.
    """

    total: int
    by_track: I64
    rows: I64
    names: list[tuple[str, int, int]]
    name_count: int


class First(NamedTuple):
    """The first hits of a host, by start, then by row. Columns: a page of millions of hits may be the last one.

    name: place in `names`.
    """

    start_ps: I64
    row: I64
    track: I32
    depth: I32
    duration_ps: I64
    name: I32
    names: list[str]


class HitsPart(msgspec.Struct, frozen=True):
    """What one host gives. by_track: (track, hits)."""

    total: int
    by_track: list[tuple[int, int]]
    first: First
    names: list[tuple[str, int, int]]
    name_count: int


def find(timeline: Timeline, options: Options, window: Window | None, tracks: I64 | None) -> HitsPart:
    """The hits of a search; as many of the first as this page and the ones before hold. tracks: None for all."""
    last = int(options["offset"] or 0) + HITS_MAX
    how = str(options["match"])
    return _part(timeline, search(timeline, str(options["search"]), how, str(options["in"]), window, tracks, last))


def find_derived(derived: Derived, options: Options, window: Window | None, tracks: I64) -> HitsPart:
    """The same of derived tracks, by their own numbers. Those of the critical path repeat events of other tracks, and
    on that the events themselves are looked for."""
    wanted = [options["in"] != "path" and derived.keys[track] != PATH for track in tracks.tolist()]
    part = find(derived.timeline, options, window, tracks[np.array(wanted, bool)])
    first = part.first._replace(row=part.first.row + derived.first_row, track=part.first.track + derived.first_track)
    by_track = [(track + derived.first_track, hits) for track, hits in part.by_track]
    return structs.replace(part, first=first, by_track=by_track)


def part_of(timeline: Timeline, rows: I64, first: int) -> HitsPart:
    """The same of events that are known, rows ascending."""
    return _part(timeline, _hits(timeline.capture, rows, first))


def _part(timeline: Timeline, hits: Hits) -> HitsPart:
    some = np.flatnonzero(hits.by_track)
    return HitsPart(
        hits.total,
        list(zip(some.tolist(), hits.by_track[some].tolist(), strict=True)),
        _first(timeline, hits.rows),
        hits.names,
        hits.name_count,
    )


def _first(timeline: Timeline, rows: I64) -> First:
    c = timeline.capture
    ids = shown_ids(c, rows)
    place = np.zeros(len(c.strings), np.int32)
    place[ids] = 1
    distinct = np.flatnonzero(place)
    place[distinct] = np.arange(len(distinct))
    events, names = c.events, c.strings.texts(distinct)
    columns = (
        events.start_ps[rows],
        rows,
        events.track[rows],
        nesting_of(timeline).depth[rows],
        events.duration_ps[rows],
    )
    return First(*columns, place[ids], names)


def search(
    timeline: Timeline, text: str, how: str, where: str, window: Window | None, tracks: I64 | None, first: int
) -> Hits:
    """The events that match, and the first so many of them. Raises ArgumentError for texts that are none."""
    capture, matches = timeline.capture, matcher(text, how)
    events = capture.events
    found = np.zeros(len(events), bool) if where == "args" else _by_name(timeline, matches)
    if where == "path":
        found &= _on_path(timeline)
    if where in ("args", "all"):
        found |= _by_args(capture, matches, text if how != "regex" else "")
    if tracks is not None:
        asked = np.zeros(len(capture.tracks), bool)
        asked[tracks] = True
        found &= asked[events.track]
    if window is not None:
        found &= window.holds(events.start_ps, events.duration_ps)
    return _hits(capture, np.flatnonzero(found), first)


def _hits(capture: Capture, rows: I64, first: int) -> Hits:
    events = capture.events
    by_track = np.bincount(events.track[rows], minlength=len(capture.tracks))
    names, count = _names(capture, rows)
    start = events.start_ps[rows]
    if len(rows) > first:
        near = start <= np.partition(start, first - 1)[first - 1]
        rows, start = rows[near], start[near]
    return Hits(int(by_track.sum()), by_track, rows[np.argsort(start, kind="stable")][:first], names, count)


def _names(capture: Capture, rows: I64) -> tuple[list[tuple[str, int, int]], int]:
    ids = shown_ids(capture, rows)
    hits = np.bincount(ids, minlength=1)
    total = sums(ids, capture.events.duration_ps[rows], len(hits))
    some = np.flatnonzero(hits)
    some = some[np.lexsort((some, -total[some], -hits[some]))]
    kept = some[:HIT_NAMES_MAX]
    names = capture.strings.texts(kept)
    return list(zip(names, hits[kept].tolist(), total[kept].tolist(), strict=True)), len(some)


def _by_name(timeline: Timeline, matches: Matches) -> Bools:
    """By the names and labels of events, and by those of the ops that they ran."""
    capture, ops = timeline.capture, ops_of(timeline)
    events, kinds = capture.events, capture.kinds
    found = _matching(capture.strings, capture.names_used, matches)[events.name]
    if kinds.label.any():
        labels = _matching(capture.strings, np.unique(kinds.label), matches)
        found |= np.append(labels[kinds.label], False)[events.kind]
    wanted = np.array([matches(op.name) for op in ops.ops], bool)
    if wanted.any():
        for executed in (ops.host, ops.device):
            found[executed.rows[wanted[executed.op]]] = True
    return found


def _on_path(timeline: Timeline) -> Bools:
    """What the critical path holds while it runs or waits."""
    path, found = path_of(timeline, "auto"), np.zeros(len(timeline.capture.events), bool)
    if path is not None:
        found[path.row[(path.row >= 0) & (path.kind <= Kind.WAITS)]] = True
    return found


def _matching(strings: Strings, ids: NDArray[np.integer], matches: Matches) -> Bools:
    found = np.zeros(len(strings), bool)
    found[[i for i in ids.tolist() if i and matches(strings[i])]] = True
    return found


def _by_args(capture: Capture, matches: Matches, text: str) -> Bools:
    """By the texts among an event's stats and those of its kind; a whole number is found in numbers, too."""
    stats, events, kinds = capture.stats, capture.events, capture.kinds
    is_text = stats.kind == StatKind.TEXT
    used = np.zeros(len(capture.strings), bool)
    used[stats.value[is_text]] = True
    texts = _matching(capture.strings, np.flatnonzero(used), matches)
    hit = np.zeros(len(stats), bool)
    if texts.any():
        hit[is_text] = texts[stats.value[is_text]]
    if (numbers := _is_number(stats, text)) is not None:
        hit |= numbers
    if not hit.any():
        return np.zeros(len(events), bool)
    before = np.concatenate((np.zeros(1, np.int32), np.cumsum(hit, dtype=np.int32)))
    found: Bools = before[events.stats_end] > before[events.stats_begin]
    of_kind = before[kinds.stats_end] > before[kinds.stats_begin]
    if of_kind.any():
        found |= np.append(of_kind, False)[events.kind]
    return found


def _is_number(stats: Stats, text: str) -> Bools | None:
    """Which stats are this whole number; None where the text is none of 64 bits."""
    value = int(text) if re.fullmatch("-?[0-9]{1,20}", text) else None
    if value is None or not -(1 << 63) <= value < 1 << 64:
        return None
    if value >= 1 << 63:
        kinds, bits = [StatKind.UINT], value - (1 << 64)
    else:
        kinds, bits = [StatKind.INT] + [StatKind.UINT] * (value >= 0), value
    found: Bools = np.isin(stats.kind, kinds) & (stats.value == bits)
    return found


def matcher(text: str, how: str) -> Matches:
    """Whether a name holds a text, or matches an expression, upper and lower case the same; or is just that text."""
    if how == "exact":
        return lambda name: name == text
    if how == "regex":
        return name_matcher(text, "search")
    folded = text.casefold()
    return lambda name: folded in name.casefold()
