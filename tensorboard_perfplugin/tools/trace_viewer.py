"""Timelines → what a window of the trace shows, one event's details, or the events that a search finds.

An answer is bounded whatever the capture: a page asks for the tracks on its screen at the resolution of its screen.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

import numpy as np

from ..errors import ArgumentError, NotFoundError
from ..timeline import Timeline
from ._lanes import SLICES_MAX, Window
from ._tool import Cells, Finding, Options, Result, Scalar, Tool, View
from ._trace_event import Row, details
from ._trace_parts import HitsPart, TracksPart, WindowPart, cut_window, find, list_tracks, place_of, wanted_window
from ._trace_search import HITS_MAX
from ._trace_tables import FAR, NAME_MAX, NAMES_MAX, OPTIONS, SUMMARY, TABLES, TRACKS_MAX

#: Hosts whose captures began further apart are not drawn on one axis.
APART_MAX_NS = 86_400 * 10**9
Tables = dict[str, dict[str, Cells]]


@dataclasses.dataclass(frozen=True)
class HostPart:
    """What one host gives; `offset_ps` is its start, counted from the asked origin. What was not asked for is None."""

    host: str
    start_ns: int | None
    offset_ps: int
    span: Window | None
    track_count: int
    event_count: int
    tracks: TracksPart | None = None
    window: WindowPart | None = None
    event: list[Row] | None = None
    hits: HitsPart | None = None


def per_host(timeline: Timeline, options: Options) -> HostPart:
    c = timeline.capture
    first, end = c.span_ps
    part = HostPart(
        timeline.host,
        c.start_ns,
        _offset_ps(c.start_ns, options),
        Window(first, end + 1) if len(c.events) else None,
        len(c.tracks),
        len(c.events),
    )
    return _asked(part, timeline, options)


def _offset_ps(start_ns: int | None, options: Options) -> int:
    """A host's start, counted from the asked origin. Raises ArgumentError for one too far away for 64 bits."""
    origin = options["origin_ns"]
    if origin is None or start_ns is None:
        return 0
    offset = (start_ns - int(origin)) * 1000
    if abs(offset) > FAR // 4:
        raise ArgumentError(f"origin_ns={origin}: more than 13 days from a host's start, {start_ns}")
    return offset


def _asked(part: HostPart, timeline: Timeline, options: Options) -> HostPart:
    """The part with the one thing that the options ask for."""
    given = wanted_window(options, part.offset_ps, part.span)
    if options["event"]:
        row = place_of(str(options["event"]), timeline.host)
        return part if row is None else dataclasses.replace(part, event=details(timeline, row, part.offset_ps))
    if options["search"]:
        return dataclasses.replace(part, hits=find(timeline, options, given))
    if options["tracks_from"] is not None:
        return dataclasses.replace(part, tracks=list_tracks(timeline))
    window = cut_window(timeline, options, given or part.span or Window(0, 1))
    tracks = None if options["tracks"] else list_tracks(timeline)
    return dataclasses.replace(part, window=window, tracks=tracks)


def combine(parts: Sequence[HostPart], options: Options) -> Result:
    parts, origin_ns, findings = _aligned(parts, options)
    tables: Tables = {}
    summary: dict[str, Scalar] = dict.fromkeys(c.name for c in SUMMARY)
    summary.update(
        host_count=len(parts),
        track_count=sum(p.track_count for p in parts),
        event_count=sum(p.event_count for p in parts),
        origin_ns=None if origin_ns is None else str(origin_ns),
    )
    spans = [(p.span.start_ps + p.offset_ps, p.span.end_ps + p.offset_ps) for p in parts if p.span]
    if spans:
        summary.update(span_start_ps=min(s for s, _ in spans), span_end_ps=max(e for _, e in spans))
    if options["event"]:
        tables["event"] = _event(parts, str(options["event"]))
    elif options["search"]:
        summary["hit_count"] = sum(p.hits.total for p in parts if p.hits)
        tables.update(_hits(parts, int(options["offset"] or 0)))
    elif any(p.window for p in parts):
        numbers, more = _window(parts)
        summary.update(numbers)
        tables.update(more)
        findings += _undrawn(parts)
    if any(p.tracks for p in parts):
        tables["tracks"] = _tracks(parts, int(options["tracks_from"] or 0))
        tables["hosts"] = {"host": [p.host for p in parts], "offset_ps": [p.offset_ps for p in parts]}
    unknown = {name: _reason(name, len(parts)) for name, value in summary.items() if value is None}
    return Result(summary, tables, unknown, tuple(findings))


def _reason(name: str, hosts: int) -> str:
    if name == "origin_ns" and hosts == 1:
        return "the capture does not tell when it began"
    if name == "origin_ns":
        return "not all captures tell when they began, or they began more than a day apart"
    if name.startswith("span"):
        return "the capture holds no event that has a time"
    return "no search was asked for" if name == "hit_count" else "no window was asked for"


def _aligned(parts: Sequence[HostPart], options: Options) -> tuple[list[HostPart], int | None, list[Finding]]:
    """The parts with their offsets, the instant of time 0, and what is to be said of it."""
    starts = [p.start_ns for p in parts if p.start_ns is not None]
    known = len(starts) == len(parts) > 0 and max(starts) - min(starts) <= APART_MAX_NS
    if options["origin_ns"] is not None:
        return list(parts), int(options["origin_ns"]), []
    if len(parts) == 1:
        return list(parts), parts[0].start_ns, []
    if known and options["start_ps"] is options["end_ps"] is None:
        origin = min(starts)
        moved = [dataclasses.replace(p, offset_ps=((p.start_ns or 0) - origin) * 1000) for p in parts]
        return moved, origin, []
    why = "the window was asked for without `origin_ns`" if known else _reason("origin_ns", len(parts))
    title = f"The {len(parts)} hosts are drawn each from its own start: {why}."
    return list(parts), None, [Finding(title, "warning")]


def _event(parts: Sequence[HostPart], asked: str) -> dict[str, Cells]:
    if len(parts) > 1 and ":" not in asked:
        raise ArgumentError(f"event={asked[:80]!r}: the run has several hosts; give `host:row`")
    found = [p.event for p in parts if p.event is not None]
    if not found:
        raise NotFoundError(f"event={asked[:80]!r}: the hosts are {', '.join(p.host for p in parts[:20])}")
    group, key, value = zip(*found[0], strict=True)
    return {"group": group, "key": key, "value": value}


def _hits(parts: Sequence[HostPart], offset: int) -> Tables:
    rows = sorted(
        (start + p.offset_ps, i, *more) for i, p in enumerate(parts) if p.hits for start, *more in p.hits.first
    )[offset : offset + HITS_MAX]
    columns: list[Sequence[Scalar]] = [list(c) for c in zip(*rows, strict=True)] or [[] for _ in range(7)]
    start, host, row, track, depth, duration, name = columns
    tracks = [(p.host, track, count) for p in parts if p.hits for track, count in p.hits.by_track][:TRACKS_MAX]
    return {
        "hits": {
            "host": [parts[int(h or 0)].host for h in host],
            "track": track,
            "depth": depth,
            "start_ps": start,
            "duration_ps": duration,
            "name": shortened([str(n) for n in name]),
            "row": row,
        },
        "hit_tracks": {
            "host": [t[0] for t in tracks],
            "track": [t[1] for t in tracks],
            "hits": [t[2] for t in tracks],
        },
    }


def _tracks(parts: Sequence[HostPart], start: int) -> dict[str, Cells]:
    columns: dict[str, list[Scalar]] = {c.name: [] for c in TABLES[0].columns}
    for part in parts:
        rows = part.tracks
        if rows is None or len(columns["host"]) >= TRACKS_MAX:
            continue
        end = start + TRACKS_MAX - len(columns["host"])
        taken = {name: cells[start:end] for name, cells in rows.columns.items()}
        columns["host"] += [part.host] * len(taken["track"])
        for name, cells in taken.items():
            columns[name] += shortened(map(str, cells)) if name in ("process", "name") else cells
        start = max(0, start - part.track_count)
    return columns  # type: ignore[return-value]


def _window(parts: Sequence[HostPart]) -> tuple[dict[str, Scalar], Tables]:
    """Numbers and tables of as many hosts' windows as fit into one answer."""
    kept: list[tuple[HostPart, WindowPart]] = []
    for part in parts:
        if part.window and (not kept or sum(len(w.row) for _, w in kept) + len(part.window.row) <= SLICES_MAX):
            kept.append((part, part.window))
    begin = min(w.window.start_ps + p.offset_ps for p, w in kept)
    numbers: dict[str, Scalar] = {
        "window_start_ps": begin,
        "window_end_ps": max(w.window.end_ps + p.offset_ps for p, w in kept),
        "resolution_ps": max(1 << w.shift for _, w in kept),
        "shown_count": sum(int(w.shown.sum()) for _, w in kept),
        "merged_count": sum(int(w.merged.sum()) for _, w in kept),
        "undrawn_count": sum(w.undrawn for _, w in kept),
    }
    names = {name: i for i, name in enumerate(dict.fromkeys(n for _, w in kept for n in w.names))}
    before = np.cumsum([0, *(len(w.tracks) for _, w in kept)])
    name = [np.array([names[n] for n in w.names], np.int64)[w.name] for _, w in kept]
    slices = {
        "track": [w.track + before[i] for i, (_, w) in enumerate(kept)],
        "depth": [w.depth for _, w in kept],
        "start_ps": [w.start_ps + (p.offset_ps - begin) for p, w in kept],
        "duration_ps": [w.end_ps - w.start_ps for _, w in kept],
        "idle_ps": [w.end_ps - w.start_ps - w.busy_ps for _, w in kept],
        "name": name,
        "count": [w.count for _, w in kept],
        "row": [w.row for _, w in kept],
    }
    return numbers, {
        "slices": {key: np.concatenate(columns) for key, columns in slices.items()},
        "names": {"name": shortened(names)},
        "window_tracks": {
            "host": [p.host for p, w in kept for _ in range(len(w.tracks))],
            "track": np.concatenate([w.tracks for _, w in kept]),
            "shown": np.concatenate([w.shown for _, w in kept]),
            "merged": np.concatenate([w.merged for _, w in kept]),
        },
    }


def _undrawn(parts: Sequence[HostPart]) -> list[Finding]:
    return [
        Finding(f"{p.window.undrawn} events of {p.host} lie too deep to be drawn.", "warning")
        for p in parts
        if p.window and p.window.undrawn
    ]


def shortened(texts: Iterable[str]) -> list[str]:
    """Texts cut in the middle: each to 200 characters, fewer where there are thousands."""
    texts = list(texts)
    limit = min(NAME_MAX, max(16, NAMES_MAX // max(1, len(texts))))
    return [t if len(t) <= limit else f"{t[: limit // 2]}…{t[len(t) - (limit - 1) // 2 :]}" for t in texts]


TRACE_VIEWER = Tool(
    name="trace_viewer",
    title="Trace",
    question="What ran when, and what waited for what?",
    help="Every event of every thread and stream on one time axis.",
    summary=SUMMARY,
    tables=TABLES,
    views=(View("page"),),
    per_host=per_host,
    combine=combine,
    options=OPTIONS,
    aliases=("trace_viewer@", "trace_view"),
    missing=lambda timeline: None if len(timeline.capture.events) else "this capture holds no event that has a time",
)
