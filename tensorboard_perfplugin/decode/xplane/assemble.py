"""Parts of an XSpace, from either decoder → `Capture`. All that the two must agree on beyond the wire is here.

The order of things, the same whatever decodes: planes as in the file; a plane's tracks by first appearance of their id;
kinds as in the file; stats of all planes and kinds, then of events, track by track as in the file; strings by first
appearance along: each plane's name, kinds' names and labels, stat names, texts of its own and its kinds' stats; then
names of tracks; then events' texts."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np
from msgspec import structs

from ... import tables
from ...formats import Format
from ...messages import Message, Param, message
from ...tables import PlaneKind, Quality, StatKind, Stats, Strings, interned
from ..common.build import check_room, plane_kind, plane_ordinal, track_kind
from ..common.launches import launches_in
from .layout import Each, Job, Track, Workers, empty_columns, joined, layout, lots, segments_of, sort_tracks, tracks_of
from .parts import (
    I32,
    I64,
    INT64_MAX,
    INT64_MIN,
    U8,
    Code,
    Decoder,
    Entries,
    Fields,
    Filled,
    Kinds,
    Line,
    Local,
    Lookup,
    Segment,
    StatRows,
)

# Lines' time stamps → one clock for the capture.

#: Time stamps from here on (September 2001) are taken as Unix time. Below, it is a clock of the session or the machine;
#: a machine reaches it after 31 years.
UNIX_NS = 10**18
DAY_NS = 86_400 * 10**9
DAY_PS = 1000 * DAY_NS
#: 53 days, less the day that the clock may be set back by: the sum of any two times still fits 64 bits.
LATEST_PS = (1 << 62) - DAY_PS


class Clock(msgspec.Struct, frozen=True):
    """start_ns: Unix time of the capture's time 0, None where the file does not show it. base_ps: of each line."""

    start_ns: int | None
    base_ps: list[int]
    warning: Message | None = None


def set_clock(lines: Sequence[Line], session_start_ns: int | None) -> Clock:
    """One clock for all lines of a file.

    A line's time stamp is Unix time where it is `UNIX_NS` or more, else it counts from the session's start. Both kinds
    occur in one file: collectors shift lines to the session's start, and leave alone those that lie before it.

    * Time 0 is the session's start, as `Task Environment` gives it, or else the earliest Unix time of a line with
      events, or else 0 of the lines' own clock.
    * A session start more than a day from the earliest Unix time of a line is not believed.
    * Lines that all begin more than a day after 0 follow the machine's clock, not the session's: time 0 is then the
      earliest, and Unix time is unknown.
    """
    used = [line.timestamp_ns for line in lines if line.events]
    unix = [t for t in used if t >= UNIX_NS]
    known = session_start_ns if session_start_ns is not None and session_start_ns >= UNIX_NS else None
    if not unix:
        if used and min(used) > DAY_NS:
            return Clock(None, [1000 * (line.timestamp_ns - min(used)) for line in lines])
        return Clock(known, [1000 * line.timestamp_ns for line in lines])
    warning = None
    if known is not None and abs(min(unix) - known) > DAY_NS:
        warning = message("clock_far_from_events")
        known = None
    zero = min(unix) if known is None else known
    bases = [1000 * (line.timestamp_ns - (zero if line.timestamp_ns >= UNIX_NS else 0)) for line in lines]
    return Clock(zero, bases, warning)


def allowed_offsets(base_ps: int) -> tuple[int, int]:
    """Least offset and greatest end of events that can be shown: not more than a day before time 0, nor 53 after it."""
    low, high = max(-DAY_PS - base_ps, INT64_MIN), min(LATEST_PS - base_ps, INT64_MAX)
    return (low, high) if low <= high else (1, 0)


def set_back_ps(lines: Sequence[Line]) -> int:
    """By how much time 0 must move so that no event starts before it: whole ns, 0 where none does."""
    first = min((s.first_ps + line.base_ps for line in lines for s in line.segments if s.events), default=0)
    return max(0, -(first // 1000) * 1000)


#: Of one file, where each takes two bytes, and some hundred to some thousand here. No page could show more planes,
#: lines, errors and warnings; no capture has as many of the others.
LIMITS = {
    "planes": 10_000,
    "lines": 100_000,
    "kinds of events": 2_000_000,
    "names of stats": 2_000_000,
    "stats of planes": 100_000,
    "errors": 100,
    "warnings": 100,
}
#: Of one host, as a slice of several machines has; each takes some milliseconds of a page.
MOST_DEVICES = 512
#: Of one error or warning: every answer repeats them.
MAX_TEXT_CHARS = 1000

#: Plane stats that describe what the collector lost.
LOSSES = ("dropped_traces", "nan_counter_events")
_DAMAGES = {
    Code.FIELD: "xplane_field_damaged",
    Code.EVENT: "xplane_event_damaged",
    Code.STAT: "xplane_stat_damaged",
    Code.CUT: "xplane_cut",
    Code.END: "xplane_data_ends",
}


class Pool:
    """Texts → ids, by first appearance. Invalid UTF-8 is replaced, and counted once a distinct text."""

    def __init__(self) -> None:
        self.ids: dict[str, int] = {"": 0}
        self.invalid: set[bytes] = set()

    def add_all(self, raws: Iterable[bytes]) -> I32:
        raws, ids = list(raws), self.ids
        try:
            texts = [raw.decode() for raw in raws]
        except UnicodeDecodeError:
            texts = [self._replaced(raw) for raw in raws]
        return interned(texts, ids).astype(np.int32)

    def add(self, raw: bytes) -> int:
        return int(self.add_all([raw])[0])

    def _replaced(self, raw: bytes) -> str:
        try:
            return raw.decode()
        except UnicodeDecodeError:
            self.invalid.add(raw)
            return raw.decode(errors="replace")


class PlaneParts(msgspec.Struct):
    """One plane: what its tables need, and its lines."""

    name: str
    name_id: int
    kind: PlaneKind
    stats: StatRows
    own_stats: int
    kind_names: I32
    kind_labels: I32
    kind_stats_begin: I64
    kind_stats_end: I64
    lookup: Lookup
    names: Lookup
    lines: list[Line]


class Assembly:
    """Builds one capture. Use once. unpacked: whether warnings count bytes of the unpacked data, not of the file."""

    def __init__(self, decoder: Decoder, unpacked: bool = False) -> None:
        self.decoder, self.unpacked = decoder, unpacked
        self.pool = Pool()
        self.blobs: dict[bytes, int] = {}
        self.limits: list[Message] = []
        self.room = dict(LIMITS)
        self.missing_names = self.missing_refs = self.missing_kinds = self.negative = 0

    # -- planes --

    def plane(self, begin: int, end: int, cut: bool) -> PlaneParts:
        fields = self.decoder.fields(begin, end, (3, 4, 5), cut)
        raw_name = next((self.decoder.raw(a, b) for a, b in reversed(fields.of(2)[:, 2:4].tolist())), b"")
        name_id = self.pool.add(raw_name)
        pieces = self._limited(fields, 4, "kinds of events")
        kinds = self.decoder.entries(pieces, True)
        kind_names, kind_labels = self._kind_texts(kinds)
        names = self._names(fields)
        stats = self._pooled(self.decoder.stats(self._limited(fields, 6, "stats of planes"), pieces, kinds, names))
        plane_stats = len(stats.key) - int(kinds.stat_counts.sum())
        ends = plane_stats + np.cumsum(kinds.stat_counts)
        keep = last_of_each(kinds.keys)
        pieces = self._limited(fields, 3, "lines")
        lines = self.decoder.lines(pieces)
        name = raw_name.decode(errors="replace")
        return PlaneParts(
            name=name,
            name_id=name_id,
            kind=plane_kind(name),
            stats=stats,
            own_stats=plane_stats,
            kind_names=kind_names[keep],
            kind_labels=kind_labels[keep],
            kind_stats_begin=(ends - kinds.stat_counts)[keep],
            kind_stats_end=ends[keep],
            lookup=Lookup.of(kinds.keys[keep], np.arange(len(keep), dtype=np.int32)),
            names=names,
            lines=lines,
        )

    def _limited(self, fields: Fields, number: int, what: str) -> I64:
        pieces, room = fields.of(number), self.room[what]
        if len(pieces) > room:
            self.limits.append(message("limit_of_kind", limit=LIMITS[what], what=what))
        if fields.count > len(fields.rows):
            self.limits.append(message("limit_of_fields", count=fields.count, kept=len(fields.rows)))
        self.room[what] -= len(pieces[:room])
        return pieces[:room]

    def _kind_texts(self, kinds: Entries) -> tuple[I32, I32]:
        both = self.pool.add_all(itertools.chain.from_iterable(zip(kinds.names, kinds.labels, strict=True)))
        return both[0::2], both[1::2]

    def _names(self, fields: Fields) -> Lookup:
        entries = self.decoder.entries(self._limited(fields, 5, "names of stats"), False)
        ids = self.pool.add_all(entries.names)
        keep = last_of_each(entries.keys)
        return Lookup.of(entries.keys[keep], ids[keep])

    def _pooled(self, rows: StatRows) -> StatRows:
        """The rows with their texts and bytes in the capture's pools."""
        value = rows.value.copy()
        self._adopt(rows.local, rows.kind, value)
        return structs.replace(rows, value=value)

    def _adopt(self, local: Local, kind: U8, value: I64) -> None:
        self.missing_names += local.missing_names
        self.missing_refs += local.missing_refs
        if not local.raw:
            return
        ids = np.empty(len(local.raw), np.int64)
        ids[local.is_text] = self.pool.add_all(itertools.compress(local.raw, local.is_text))
        bytes_ = list(itertools.compress(local.raw, ~local.is_text))
        ids[~local.is_text] = [self.blobs.setdefault(raw, len(self.blobs)) for raw in bytes_]
        is_text = (kind == StatKind.BYTES) | ((kind == StatKind.TEXT) & (value < 0))
        value[is_text] = ids[-1 - value[is_text]]

    # -- the whole --

    def capture(self, space: Fields) -> tables.Capture:
        pieces = self._limited(space, 1, "planes")
        planes = self._shown([self.plane(begin, end, bool(cut)) for _, _, begin, end, cut in pieces.tolist()], pieces)
        tracks = [track for i, plane in enumerate(planes) for track in tracks_of(i, plane.lines)]
        lines = [line for track in tracks for line in track.lines]
        with Workers(lines) as each:
            start_ns, clock_warning = self._time(planes, lines, each)
            plane_rows = self._planes(planes)
            track_rows = self._tracks(planes, tracks)
            kind_rows = self._kinds(planes)
            events, aggregates, stats = self._events(planes, tracks, kind_rows, each)
        errors, hostname = self._texts(space, 2, "errors"), next((self._text(row) for row in space.of(4)[:1]), "")
        quality = self._quality(space, planes, lines, clock_warning)
        strings = Strings(self.pool.ids)
        return tables.Capture(
            format=Format.XPLANE,
            decoder=self.decoder.kind,
            hostname=hostname,
            start_ns=start_ns,
            planes=plane_rows,
            tracks=track_rows,
            kinds=kind_rows,
            events=events,
            aggregates=aggregates,
            stats=stats,
            strings=strings,
            blobs=tuple(self.blobs),
            errors=tuple(dict.fromkeys(errors)),
            quality=quality,
            find_launches=functools.partial(launches_in, strings, stats, kind_rows, events, aggregates),
        )

    def _shown(self, planes: list[PlaneParts], pieces: I64) -> list[PlaneParts]:
        """Without the devices that are too many: those of the fewest bytes."""
        devices = [i for i, plane in enumerate(planes) if plane.kind.is_device]
        if len(devices) <= MOST_DEVICES:
            return planes
        self.limits.append(message("limit_of_devices", limit=MOST_DEVICES, count=len(devices)))
        size = pieces[:, 3] - pieces[:, 2]
        beyond = set(sorted(devices, key=lambda i: -int(size[i]))[MOST_DEVICES:])
        return [plane for i, plane in enumerate(planes) if i not in beyond]

    def _texts(self, space: Fields, number: int, what: str) -> list[str]:
        return [self._text(row) for row in self._limited(space, number, what)]

    def _text(self, field: I64) -> str:
        begin, end = field[2:4].tolist()
        return shortened(self.decoder.raw(begin, min(end, begin + 4 * MAX_TEXT_CHARS + 4)).decode(errors="replace"))

    def _time(self, planes: list[PlaneParts], lines: list[Line], each: Each) -> tuple[int | None, Message | None]:
        """Count all events, then put all lines on one clock; Unix time of time 0 in ns, and a warning or nothing."""
        segments = sorted(segments_of(lines), key=lambda pair: pair[1].begin)
        for damages in each(self.decoder.count, list(lots(segments, self.decoder.lot_bytes))):
            self.decoder.damages.extend(*damages)
        clock = set_clock(lines, self._session_start_ns(planes))
        for line, base_ps in zip(lines, clock.base_ps, strict=True):
            line.base_ps = base_ps
            line.low, line.high = allowed_offsets(base_ps)
        again = (pair for pair in segments if beyond(*pair))
        list(each(self.decoder.count, list(lots(again, self.decoder.lot_bytes))))
        back_ps = set_back_ps(lines)
        for line in lines:
            line.base_ps += back_ps
        return None if clock.start_ns is None else clock.start_ns - back_ps // 1000, clock.warning

    def _session_start_ns(self, planes: list[PlaneParts]) -> int | None:
        for plane in planes:
            if plane.name == "Task Environment":
                value = self._plane_value(plane, "profile_start_time")
                return value if isinstance(value, int) else None
        return None

    def _plane_value(self, plane: PlaneParts, name: str) -> int | str | None:
        """A whole number or a text among a plane's own stats; the last of that name."""
        key, of_plane = self.pool.ids.get(name, -1), slice(0, plane.own_stats)
        rows = np.flatnonzero(plane.stats.key[of_plane] == key)
        if not len(rows):
            return None
        kind, value = plane.stats.kind[rows[-1]], int(plane.stats.value[rows[-1]])
        if kind == StatKind.TEXT:
            return next(itertools.islice(self.pool.ids, value, None))
        return value if kind in (StatKind.INT, StatKind.UINT) else None

    # -- tables --

    def _planes(self, planes: list[PlaneParts]) -> tables.Planes:
        begins = stat_begins(planes)
        return tables.Planes.from_columns(
            {
                "name": [p.name_id for p in planes],
                "kind": [p.kind for p in planes],
                "vendor": [vendor_id(p, self.pool) for p in planes],
                "ordinal": [plane_ordinal(p.name) for p in planes],
                "stats_begin": begins,
                "stats_end": [begin + p.own_stats for begin, p in zip(begins, planes, strict=True)],
            }
        )

    def _tracks(self, planes: list[PlaneParts], tracks: list[Track]) -> tables.Tracks:
        ends = np.cumsum([track.events for track in tracks], dtype=np.int64)
        return tables.Tracks.from_columns(
            {
                "plane": [t.plane for t in tracks],
                "id": [t.id for t in tracks],
                "name": self.pool.add_all(t.raw_name for t in tracks),
                "kind": [track_kind(planes[t.plane].kind, t.id, t.line_name.decode(errors="replace")) for t in tracks],
                "order": [t.order for t in tracks],
                "events_begin": np.concatenate([np.zeros(1, np.int64), ends])[:-1] if tracks else [],
                "events_end": ends,
            }
        )

    def _kinds(self, planes: list[PlaneParts]) -> tables.Kinds:
        begins = stat_begins(planes)
        shifted = list(zip(begins, planes, strict=True))
        return tables.Kinds(
            plane=joined([np.full(len(p.kind_names), i, np.int32) for i, p in enumerate(planes)], np.int32),
            name=joined([p.kind_names for p in planes], np.int32),
            label=joined([p.kind_labels for p in planes], np.int32),
            stats_begin=joined([begin + p.kind_stats_begin for begin, p in shifted], np.int64),
            stats_end=joined([begin + p.kind_stats_end for begin, p in shifted], np.int64),
        )

    def _events(
        self, planes: list[PlaneParts], tracks: list[Track], kinds: tables.Kinds, each: Each
    ) -> tuple[tables.Events, tables.Aggregates, Stats]:
        segments = [s for t in tracks for line in t.lines for s in line.segments]
        meta = sum(len(p.stats.key) for p in planes)
        events, aggregates = sum(s.events for s in segments), sum(s.aggregates for s in segments)
        stats = meta + sum(s.stats for s in segments)
        check_room(events, aggregates, stats)
        e, a, s = (
            empty_columns(tables.Events, events),
            empty_columns(tables.Aggregates, aggregates),
            empty_columns(Stats, stats),
        )
        for name in s:
            s[name][:meta] = joined([getattr(p.stats, name) for p in planes], s[name].dtype)
        kinds_of = [self._kinds_of(i, p, kinds) for i, p in enumerate(planes)]
        jobs = layout(tracks, e, a, s, meta, self.decoder.lot_bytes)
        filled = each(
            lambda job: self.decoder.fill(job.lot, kinds_of[job.plane], planes[job.plane].names, job.rows), jobs
        )
        lots = []
        for job, done in zip(jobs, filled, strict=True):
            self._notice(job, done)
            lots.append((len(job.rows.events[0]), done.is_sorted))
        sort_tracks(tracks, e, lots)
        return tables.Events(**e), tables.Aggregates(**a), Stats(**s)

    def _kinds_of(self, plane: int, parts: PlaneParts, kinds: tables.Kinds) -> Kinds:
        first = int(np.searchsorted(kinds.plane, plane))
        table = parts.lookup
        moved = [np.where(rows >= 0, rows + first, rows).astype(np.int32) for rows in (table.dense, table.rows)]
        return Kinds(Lookup(moved[0], table.keys, moved[1]), kinds.name)

    def _notice(self, job: Job, filled: Filled) -> None:
        self.missing_kinds += filled.missing_kinds
        self.negative += filled.negative
        self._adopt(filled.local, job.rows.stats[1], job.rows.stats[2])

    # -- quality --

    def _quality(
        self, space: Fields, planes: list[PlaneParts], lines: list[Line], clock_warning: Message | None
    ) -> Quality:
        segments = [s for line in lines for s in line.segments]
        kept = sum(s.events + s.aggregates for s in segments)
        dropped = {
            "damaged": sum(s.damaged for s in segments) + sum(line.cut_events for line in lines),
            "time_not_representable": sum(s.out_of_range for s in segments),
        }
        dropped = {reason: count for reason, count in dropped.items() if count}
        in_file = kept + sum(dropped.values())
        warnings = (
            [message("profiler_warning", text=text) for text in self._texts(space, 3, "warnings") if text]
            + self._losses(planes)[: LIMITS["warnings"]]
            + self._damage()
            + self.limits
            + ([clock_warning] if clock_warning else [])
            + self._oddities()
            + ([] if in_file else [message("no_events")])
        )
        return Quality(in_file, kept, dropped, tuple(dict.fromkeys(warnings)))

    def _losses(self, planes: list[PlaneParts]) -> list[Message]:
        values = [(plane, key, self._plane_value(plane, key)) for plane in planes for key in LOSSES]
        return [
            message("events_lost", plane=shortened(plane.name), key=key, value=shortened(str(value)))
            for plane, key, value in values
            if value
        ]

    def _oddities(self) -> list[Message]:
        counts = {
            "negative_durations": self.negative,
            "missing_event_metadata": self.missing_kinds,
            "missing_stat_metadata": self.missing_names,
            "missing_stat_text": self.missing_refs,
            "invalid_utf8": len(self.pool.invalid),
        }
        return [message(code, n=int(count)) for code, count in counts.items() if count]

    def _damage(self) -> list[Message]:
        damages = self.decoder.damages
        damages.trim()
        named = [self._place(at, Code(code)) for at, code in damages.places]
        more = damages.count - len(named)
        return named + [message("xplane_more_damage", n=int(more))] * (more > 0)

    def _place(self, at: int, code: Code) -> Message:
        of_end: dict[str, Param] = {"size": len(self.decoder.data)} if code == Code.END else {}
        return Message(_DAMAGES[code], {"at": int(at), "unpacked": self.unpacked, **of_end})


def shortened(text: str) -> str:
    return text if len(text) <= MAX_TEXT_CHARS else text[:MAX_TEXT_CHARS] + "…"


def last_of_each(keys: I64) -> I64:
    """Rows of the last of equal keys, in order: the wire's rule for maps."""
    _, from_end = np.unique(keys[::-1], return_index=True)
    return np.sort(len(keys) - 1 - from_end)


def beyond(line: Line, segment: Segment) -> bool:
    """Whether some event of the segment, counted without bounds, lies outside the line's."""
    return bool(segment.events) and (segment.first_ps < line.low or segment.last_ps > line.high)


def vendor_id(plane: PlaneParts, pool: Pool) -> int:
    key = pool.ids.get("device_vendor", -1)
    of_plane = slice(0, plane.own_stats)
    values = plane.stats.value[of_plane][
        (plane.stats.key[of_plane] == key) & (plane.stats.kind[of_plane] == StatKind.TEXT)
    ]
    return int(values[-1]) if len(values) else 0


def stat_begins(planes: Sequence[PlaneParts]) -> list[int]:
    return list(itertools.accumulate((len(p.stats.key) for p in planes), initial=0))[: len(planes)]
