"""A dialect's plan → the tables of the capture."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from ... import tables
from ...tables import I32, I64, Capture, DecoderKind, Quality, StatKind, Strings, grouped, range_members
from ..common.build import Shown, StatRows, check_room, event_order, inverse, plane_table, track_table
from ..common.launches import Args, copy_args, launches_in, launches_of
from .slices import Added, Plan


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
    shown = Shown(plan.planes, plan.tracks)
    track = shown.rank.astype(np.int32)[plan.track]
    order = event_order(track, plan.slices.start_ps, plan.slices.length_ps)
    track = track[order]
    name, category = (column[order].astype(np.int32) for column in (plan.name, plan.category))
    plan.track = plan.name = plan.category = np.empty(0, np.int32)
    kinds, kind = _kinds(np.array([t.plane for t in shown.tracks], np.int64)[track], name, category)
    del category
    quality = _quality(plan, len(order))
    laid = _laid(plan, order)
    s = plan.slices
    events = tables.Events(track, name, kind, s.start_ps[order], s.length_ps[order], laid.begin, laid.end)
    launched = _launched(plan, order)
    del s, order
    plan.used_up()
    stats, kind_stats = _stats(plan, laid, kinds)
    planes = plane_table(shown.planes, stats)
    tracks = track_table(shown.tracks, np.bincount(track, minlength=len(shown.tracks)), plan.texts)
    kind_rows = _kind_table(kinds, kind_stats)
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
    row = inverse(order)[slices]
    by_row = np.argsort(row)
    return tables.Launched(row[by_row], launch[by_row].astype(np.int32))


def _kinds(plane: I64, name: I32, category: I32) -> tuple[I64, I32]:
    """Distinct (plane, name, category) in the order in which events have them, and the kind of each event."""
    groups = grouped(plane, name, category)
    order = np.argsort(groups.first)
    new = np.empty(len(order), np.int32)
    new[order] = np.arange(len(order))
    first = groups.first[order]
    return np.stack([column[first].astype(np.int64) for column in (plane, name, category)]), new[groups.of]


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
    place = inverse(order).astype(np.int32)
    more = [_of_ends(plan, order), *(_sorted(plan, place, added) for added in plan.added)]
    counts = arg_counts.copy()
    for each in more:
        counts += np.bincount(each.place, minlength=len(counts)).astype(np.int32) if len(each.place) else 0
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
    stats = StatRows(plan.texts, room)
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
    """Args of events that ended others, but for those that repeat those of the begin."""
    events, row, closer = plan.events, plan.slices.row[order], plan.slices.end[order]
    begins = events.arg_begins
    place = np.flatnonzero(closer >= 0)
    place = place[begins[closer[place] + 1] > begins[closer[place]]]
    row, closer = row[place], closer[place]
    source = range_members(begins[closer], begins[closer + 1])
    owner = np.repeat(np.arange(len(place)), begins[closer + 1] - begins[closer])
    before = range_members(begins[row], begins[row + 1])
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


def _kind_table(kinds: I64, first: int) -> tables.Kinds:
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
