"""Slices, and what each of them stands for → `Capture`. A dialect fills the plan."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .. import tables
from ..tables import Capture, PlaneKind, Quality, StatKind, Strings, TrackKind
from ..tables.capture import I64
from ._build import Value, table_of
from ._json_columns import Events
from ._json_events import Document
from ._memory import check_room
from ._ranked import ranked
from ._slices import Slices

Mask: TypeAlias = NDArray[np.bool_]


class Texts:
    """The texts of the events, and those that a dialect adds."""

    def __init__(self, texts: tuple[str, ...]) -> None:
        self.ids = {text: i for i, text in enumerate(texts)}
        self.texts = list(texts)

    def add(self, text: str) -> int:
        found = self.ids.get(text)
        if found is None:
            found = self.ids[text] = len(self.texts)
            self.texts.append(text)
        return found


@dataclasses.dataclass
class Plane:
    name: str
    kind: PlaneKind
    ordinal: int = -1
    vendor: str = ""
    order: tuple[int, str] = (0, "")
    stats: Mapping[str, Value] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Track:
    plane: int
    id: int
    name: str
    kind: TrackKind
    order: int = 0


@dataclasses.dataclass
class Added:
    """Stats that a dialect gives to some slices: key, StatKind and value by slice."""

    slices: I64
    key: str
    kind: StatKind
    values: I64


@dataclasses.dataclass
class Plan:
    """By slice: its track and its name (an id of a text); the planes and tracks; renamed and added stats.

    category: kind-level text of each slice, an id; 0 without. dropped: slices that stand for nothing.
    """

    document: Document
    slices: Slices
    texts: Texts
    track: I64
    name: I64
    category: I64
    planes: list[Plane] = dataclasses.field(default_factory=list)
    tracks: list[Track] = dataclasses.field(default_factory=list)
    renamed: dict[str, str] = dataclasses.field(default_factory=dict)
    added: list[Added] = dataclasses.field(default_factory=list)
    notes: list[str] = dataclasses.field(default_factory=list)
    hostname: str = ""
    start_ns: int | None = None
    format: str = "trace_events"

    @property
    def events(self) -> Events:
        return self.document.events

    def arg(self, key: str, slices: I64) -> tuple[I64, NDArray[np.uint8]]:
        """Value and StatKind of an arg of some slices, 0 and 0 where they have none."""
        found = self.texts.ids.get(key, -1)
        value, kind = np.zeros(len(slices), np.int64), np.zeros(len(slices), np.uint8)
        if found < 0:
            return value, kind
        begins, ends = self.arg_ranges
        row = self.slices.row[slices]
        sizes = ends[row] - begins[row]
        owner = np.repeat(np.arange(len(slices)), sizes)
        at = np.repeat(begins[row] - np.concatenate(([0], np.cumsum(sizes)[:-1])), sizes) + np.arange(len(owner))
        hit = np.flatnonzero(self.events.keys[at] == found)[::-1]
        value[owner[hit]], kind[owner[hit]] = self.events.values[at[hit]], self.events.kinds[at[hit]]
        return value, kind

    @property
    def arg_ranges(self) -> tuple[I64, I64]:
        ends = np.cumsum(self.events.columns["stats"], dtype=np.int64)
        return ends - self.events.columns["stats"], ends


def capture_of(plan: Plan, decoder: str) -> Capture:
    """The capture of a plan. Planes and tracks without a slice stay: the file names them."""
    plane_rank = _rank([(*p.order, i) for i, p in enumerate(plan.planes)])
    track_rank = _rank([(plane_rank[t.plane], t.order, t.id, i) for i, t in enumerate(plan.tracks)])
    track = track_rank[plan.track]
    s = plan.slices
    order = np.lexsort((-s.length_ps, s.start_ps, track))
    track = track[order]
    kinds, kind = _kinds(plan, plane_rank, order)
    stats, begin, end, kind_stats = _stats(plan, order, kinds)
    events = tables.Events.from_columns(
        {
            "track": track,
            "name": plan.name[order],
            "kind": kind,
            "start_ps": s.start_ps[order],
            "duration_ps": s.length_ps[order],
            "stats_begin": begin,
            "stats_end": end,
        }
    )
    planes, tracks = _planes(plan, plane_rank, stats), _tracks(plan, plane_rank, track_rank, track)
    kind_rows = _kind_table(kinds, kind_stats, stats)
    document = plan.document
    dropped = dict(s.dropped)
    for reason, count in document.dropped.items():
        dropped[reason] = dropped.get(reason, 0) + count
    kept = len(events)
    warnings = dict.fromkeys((*document.warnings, *s.warnings, *plan.notes))
    return Capture(
        plan.format,
        decoder,
        plan.hostname,
        plan.start_ns,
        planes,
        tracks,
        kind_rows,
        events,
        tables.Aggregates.empty(),
        stats.table(),
        Strings(plan.texts.texts),
        (),
        (),
        Quality(kept + sum(dropped.values()), kept, dropped, tuple(warnings)),
    )


def _rank(keys: list[Any]) -> I64:
    """The place of each key among all, sorted."""
    ranks = np.empty(len(keys), np.int64)
    ranks[sorted(range(len(keys)), key=keys.__getitem__)] = np.arange(len(keys))
    return ranks


def _kinds(plan: Plan, plane_rank: I64, order: I64) -> tuple[I64, NDArray[np.int32]]:
    """Distinct (plane, name, category), and the kind of each event in order."""
    plane = plane_rank[np.array([t.plane for t in plan.tracks], np.int64)][plan.track[order]]
    name, category = plan.name[order], plan.category[order]
    which, _ = ranked(plane * len(plan.texts.texts) + name)
    more, size = ranked(category)
    kind, count = ranked(which * size + more)
    first = np.zeros(count, np.int64)
    first[kind] = np.arange(len(kind))
    return np.stack((plane[first], name[first], category[first])), kind.astype(np.int32)


class StatRows:
    """All stats: those of the events, then of kinds and planes as they are added."""

    def __init__(self, key: NDArray[np.int32], kind: NDArray[np.uint8], value: I64, texts: Texts) -> None:
        self.parts: list[tuple[Any, Any, Any]] = [(key, kind, value)]
        self.count, self.texts = len(key), texts

    def add(self, stats: Mapping[str, Value]) -> tuple[int, int]:
        begin = self.count
        for key, value in stats.items():
            kind, number = self._stat(value)
            self.parts.append(([self.texts.add(key)], [kind], [number]))
        self.count += len(stats)
        return begin, self.count

    def extend(self, key: I64, kind: I64, value: I64) -> int:
        begin = self.count
        self.parts.append((key, kind, value))
        self.count += len(key)
        return begin

    def _stat(self, value: Value) -> tuple[int, int]:
        if isinstance(value, str):
            return StatKind.TEXT, self.texts.add(value)
        if isinstance(value, int):
            return StatKind.INT, value
        return StatKind.DOUBLE, int(np.float64(value).view(np.int64))

    def table(self) -> tables.Stats:
        key, kind, value = (np.concatenate([np.asarray(p[i]) for p in self.parts]) for i in range(3))
        return tables.Stats(key.astype(np.int32), kind.astype(np.uint8), value.astype(np.int64))


def _stats(plan: Plan, order: I64, kinds: I64) -> tuple[StatRows, I64, I64, int]:
    """The events' args, renamed, those of their ends, and what was added; where each event's begin and end."""
    events, s = plan.events, plan.slices
    begins, ends = plan.arg_ranges
    pieces = [(np.arange(len(order)), s.row[order])]
    closed = np.flatnonzero(s.end[order] >= 0)
    pieces.append((closed, s.end[order][closed]))
    owner = np.concatenate([np.repeat(who, (ends - begins)[row]) for who, row in pieces])
    source = np.concatenate([_runs(begins[row], ends[row]) for _, row in pieces])
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    owner = np.concatenate([owner, *(place[a.slices] for a in plan.added)])
    check_room(len(order), 0, len(owner) + len(kinds[0]))
    rename = np.arange(len(plan.texts.texts), dtype=np.int32)
    for old, new in plan.renamed.items():
        if old in plan.texts.ids:
            rename[plan.texts.ids[old]] = plan.texts.add(new)
    key = np.concatenate(
        [rename[events.keys[source]], *(np.full(len(a.slices), plan.texts.add(a.key), np.int32) for a in plan.added)]
    )
    kind = np.concatenate([events.kinds[source], *(np.full(len(a.slices), a.kind, np.uint8) for a in plan.added)])
    value = np.concatenate([events.values[source], *(a.values for a in plan.added)])
    by_owner = np.argsort(owner, kind="stable")
    counts = np.bincount(owner, minlength=len(order))
    end = np.cumsum(counts)
    rows = StatRows(key[by_owner], kind[by_owner], value[by_owner], plan.texts)
    said = np.flatnonzero(kinds[2])
    first = rows.extend(
        np.full(len(said), plan.texts.add("category")), np.full(len(said), StatKind.TEXT), kinds[2][said]
    )
    return rows, end - counts, end, first


def _runs(begins: I64, ends: I64) -> I64:
    """All numbers of some ranges, one range after another."""
    sizes = ends - begins
    shift = begins - np.concatenate(([0], np.cumsum(sizes)[:-1])) if len(sizes) else begins
    return np.repeat(shift, sizes) + np.arange(int(sizes.sum()))


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


def _tracks(plan: Plan, plane_rank: I64, track_rank: I64, used: I64) -> tables.Tracks:
    counts = np.bincount(used, minlength=len(plan.tracks))
    ends = np.cumsum(counts)
    rows = []
    for place, i in enumerate(np.argsort(track_rank).tolist()):
        t = plan.tracks[i]
        end = int(ends[place])
        name = plan.texts.add(t.name)
        rows.append((int(plane_rank[t.plane]), t.id, name, t.kind, t.order, end - int(counts[place]), end))
    return table_of(tables.Tracks, rows)
