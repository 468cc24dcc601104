"""A dialect's plan → the tables of the capture."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ... import tables
from ...tables import I32, I64, Capture, DecoderKind, Quality, StatKind, Strings, distinct_rows
from ..common.build import Value, check_room, table_of
from ..common.launches import Args, copy_args, launches_in, launches_of, runs
from .slices import Added, Plan, Texts


class _Laid(NamedTuple):
    """By event of the capture: its row in the file, where its stats begin and end, and how many are its own args.

    args: by event of the file, where its args begin. more: what else events have.
    """

    row: I32
    args: I64
    begin: I64
    end: I64
    arg_counts: I32
    more: list[_More]


def capture_of(plan: Plan, decoder: DecoderKind) -> Capture:
    """The capture of a plan, which is used up, since both together take most of the memory.

    Planes and tracks without a slice stay: the file names them.
    """
    plane_rank = _rank([(*p.order, i) for i, p in enumerate(plan.planes)])
    track_rank = _rank([(plane_rank[t.plane], t.order, t.id, i) for i, t in enumerate(plan.tracks)])
    track = track_rank.astype(np.int32)[plan.track]
    order = np.lexsort((-plan.slices.length_ps, plan.slices.start_ps, track))
    track = track[order]
    name, category = (column[order].astype(np.int32) for column in (plan.name, plan.category))
    plan.track = plan.name = plan.category = np.empty(0, np.int32)
    kinds, kind = _kinds(_plane_of(plan, plane_rank, track_rank)[track], name, category)
    del category
    quality = _quality(plan, len(order))
    laid = _laid(plan, order)
    s = plan.slices
    events = tables.Events(track, name, kind, s.start_ps[order], s.length_ps[order], laid.begin, laid.end)
    launched = _launched(plan, order)
    del s, order
    plan.used_up()
    stats, kind_stats = _stats(plan, laid, kinds)
    planes, tracks = _planes(plan, plane_rank, stats), _tracks(plan, plane_rank, track_rank, track)
    kind_rows = _kind_table(kinds, kind_stats, stats)
    stat_rows, strings, aggregates = stats.table(), Strings(plan.texts.texts), tables.Aggregates.empty()
    if plan.launches:
        launches = functools.partial(
            tables.KernelLaunches, launches_of(plan.launches), launched, tables.Launched.empty()
        )
    else:
        launches = functools.partial(launches_in, strings, stat_rows, kind_rows, events, aggregates)
    return Capture(
        plan.format,
        decoder,
        plan.hostname,
        plan.start_ns,
        planes,
        tracks,
        kind_rows,
        events,
        aggregates,
        stat_rows,
        strings,
        (),
        (),
        quality,
        launches,
    )


def _quality(plan: Plan, kept: int) -> Quality:
    dropped = plan.slices.dropped + plan.document.dropped
    warnings = dict.fromkeys((*plan.document.warnings, *plan.slices.warnings, *plan.notes))
    return Quality(kept + dropped.total(), kept, dict(dropped), tuple(warnings))


def _launched(plan: Plan, order: I64) -> tables.Launched:
    """By event what the plan says by slice. order: the slice of each event."""
    slices, launch = plan.launched
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    row = place[slices]
    by_row = np.argsort(row)
    return tables.Launched(row[by_row], launch[by_row].astype(np.int32))


def _rank(keys: list[Any]) -> I64:
    """The place of each key among all, sorted."""
    ranks = np.empty(len(keys), np.int64)
    ranks[sorted(range(len(keys)), key=keys.__getitem__)] = np.arange(len(keys))
    return ranks


def _plane_of(plan: Plan, plane_rank: I64, track_rank: I64) -> I64:
    """The plane of each track, both by rank."""
    planes = np.empty(len(plan.tracks), np.int64)
    planes[track_rank] = plane_rank[np.array([t.plane for t in plan.tracks], np.int64)]
    return planes


def _kinds(plane: I64, name: I32, category: I32) -> tuple[I64, I32]:
    """Distinct (plane, name, category) in the order in which events have them, and the kind of each event."""
    unique, kind = distinct_rows(plane, name, category)
    first = np.zeros(len(unique), np.int64)
    first[kind[::-1]] = np.arange(len(kind))[::-1]
    order = np.argsort(first, kind="stable")
    new = np.empty(len(unique), np.int32)
    new[order] = np.arange(len(unique))
    return unique[order].T, new[kind]


class StatRows:
    """All stats: those of the events, then of kinds and planes as they are added. room: how many there will be."""

    def __init__(self, room: int, texts: Texts) -> None:
        self.key, self.kind = np.empty(room, np.int32), np.empty(room, np.uint8)
        self.value, self.count, self.texts = np.empty(room, np.int64), 0, texts

    def add(self, stats: Mapping[str, Value]) -> tuple[int, int]:
        begin = self.count
        for key, value in stats.items():
            kind, number = self._stat(value)
            self.put(self.count, self.texts.add(key), kind, number)
            self.count += 1
        return begin, self.count

    def put(self, at: Any, key: Any, kind: Any, value: Any) -> None:
        self.key[at], self.kind[at], self.value[at] = key, kind, value

    def _stat(self, value: Value) -> tuple[int, int]:
        if isinstance(value, str):
            return StatKind.TEXT, self.texts.add(value)
        if isinstance(value, int) and -(1 << 63) <= value < 1 << 63:
            return StatKind.INT, value
        return StatKind.DOUBLE, int(np.float64(min(max(value, -1e300), 1e300)).view(np.int64))

    def table(self) -> tables.Stats:
        assert self.count == len(self.key), self.count
        return tables.Stats(self.key, self.kind, self.value)


class _More(NamedTuple):
    """Stats beside an event's own args: the place of each event among all, ascending, and what it has."""

    place: I32
    key: Any
    kind: Any
    value: Any


def _laid(plan: Plan, order: I64) -> _Laid:
    """Where the stats go. Raises UnreadableError where there are too many."""
    row = plan.slices.row[order].astype(np.int32)
    arg_counts = plan.events.columns["stats"][row].astype(np.int32)
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    more = [_of_ends(plan, order), *(_sorted(plan, place, added) for added in plan.added)]
    counts = arg_counts.copy()
    for each in more:
        np.add.at(counts, each.place, 1)
    end = np.cumsum(counts, dtype=np.int64)
    check_room(len(order), 0, int(end[-1]) if len(end) else 0)
    return _Laid(row, plan.events.arg_begins, end - counts, end, arg_counts, more)


def _stats(plan: Plan, laid: _Laid, kinds: I64) -> tuple[StatRows, int]:
    """The events' args, renamed, those of their ends, and what was added; then those of kinds, which begin there."""
    events = plan.events
    with_category = np.flatnonzero(kinds[2])
    first = int(laid.end[-1]) if len(laid.end) else 0
    room = first + len(with_category) + sum(len(plane.stats) for plane in plan.planes)
    check_room(len(laid.row), 0, room)
    rename = np.arange(len(plan.texts.texts), dtype=np.int32)
    for old, new in plan.renamed.items():
        if old in plan.texts.ids:
            rename[plan.texts.ids[old]] = plan.texts.add(new)
    stats = StatRows(room, plan.texts)
    of_events = Args(laid.args, events.keys, events.kinds, events.values)
    copy_args(of_events, laid.row, rename, laid.begin, Args(laid.begin, stats.key, stats.kind, stats.value))
    _put_more(stats, laid, rename)
    stats.put(
        slice(first, first + len(with_category)), plan.texts.add("category"), StatKind.TEXT, kinds[2][with_category]
    )
    stats.count = first + len(with_category)
    return stats, first


def _put_more(stats: StatRows, laid: _Laid, rename: I32) -> None:
    free = laid.begin + laid.arg_counts
    for i, each in enumerate(laid.more):
        starts = np.flatnonzero(np.diff(each.place, prepend=-1))
        nth = np.arange(len(each.place)) - np.repeat(starts, np.diff(starts, append=len(each.place)))
        stats.put(free[each.place] + nth, rename[each.key] if i == 0 else each.key, each.kind, each.value)
        free[each.place] += nth + 1


def _sorted(plan: Plan, place: I32, added: Added) -> _More:
    of = place[added.slices]
    order = np.argsort(of, kind="stable")
    return _More(of[order], plan.texts.add(added.key), added.kind, added.values[order])


def _of_ends(plan: Plan, order: I64) -> _More:
    """Args of events that ended others, but for those that repeat what the begin said."""
    events, row, closer = plan.events, plan.slices.row[order], plan.slices.end[order]
    begins = events.arg_begins
    place = np.flatnonzero((closer >= 0) & (np.diff(begins)[closer] > 0))
    row, closer = row[place], closer[place]
    source = runs(begins[closer], begins[closer + 1])
    owner = np.repeat(np.arange(len(place)), begins[closer + 1] - begins[closer])
    before = runs(begins[row], begins[row + 1])
    of = np.concatenate((np.repeat(np.arange(len(place)), begins[row + 1] - begins[row]), owner))
    both = np.concatenate((before, source))
    # A begin's arg sorts before the end's that is the same.
    by = np.lexsort((events.values[both], events.kinds[both], events.keys[both], of))
    same = np.zeros(len(both), bool)
    now, last = both[by][1:], both[by][:-1]
    same[by[1:]] = (of[by][1:] == of[by][:-1]) & (events.keys[now] == events.keys[last])
    same[by[1:]] &= (events.kinds[now] == events.kinds[last]) & (events.values[now] == events.values[last])
    kept = np.flatnonzero(~same[len(before) :])
    source = source[kept]
    return _More(place[owner[kept]].astype(np.int32), events.keys[source], events.kinds[source], events.values[source])


def _kind_table(kinds: I64, first: int, stats: StatRows) -> tables.Kinds:
    has = (kinds[2] != 0).astype(np.int64)
    end = first + np.cumsum(has)
    return tables.Kinds.from_columns(
        {
            "plane": kinds[0],
            "name": kinds[1],
            "label": np.zeros(len(has), np.int64),
            "stats_begin": end - has,
            "stats_end": end,
        }
    )


def _planes(plan: Plan, rank: I64, stats: StatRows) -> tables.Planes:
    rows = []
    for i in np.argsort(rank).tolist():
        plane = plan.planes[i]
        begin, end = stats.add(plane.stats)
        name, vendor = plan.texts.add(plane.name), plan.texts.add(plane.vendor)
        rows.append((name, plane.kind, vendor, plane.ordinal, begin, end))
    return table_of(tables.Planes, rows)


def _tracks(plan: Plan, plane_rank: I64, track_rank: I64, used: I32) -> tables.Tracks:
    counts = np.bincount(used, minlength=len(plan.tracks))
    ends = np.cumsum(counts)
    rows = []
    for place, i in enumerate(np.argsort(track_rank).tolist()):
        t = plan.tracks[i]
        end = int(ends[place])
        name = plan.texts.add(t.name)
        rows.append((int(plane_rank[t.plane]), t.id, name, t.kind, t.order, end - int(counts[place]), end))
    return table_of(tables.Tracks, rows)
