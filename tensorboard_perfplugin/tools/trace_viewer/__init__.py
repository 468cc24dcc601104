"""Timelines → what a window of the trace shows, one event's details, the events that a search finds, a sum of an area.

An answer is bounded whatever the capture: a page asks for the tracks on its screen at the resolution of its screen.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from ...advice import Finding
from ...advice.rules import guessed, not_shown, reported
from ...analysis.hosts import Loss, loss
from ...analysis.steps import HostSteps
from ...errors import ArgumentError, NotFoundError
from ...tables import Cells, Evidence, Options, Scalar
from ...timeline import Timeline, remembered
from ...trace import (
    TRACKS_MAX,
    CounterPart,
    HitsPart,
    TracksPart,
    Window,
    WindowPart,
    axis,
    chosen_tracks,
    clock_steps,
    counter_tables,
    cut_counters,
    cut_window,
    find,
    hit_numbers,
    hit_tables,
    hosts_table,
    list_tracks,
    offset_ps,
    place_of,
    prepare,
    shifts_text,
    shortened,
    steps_table,
    track_count,
    wanted_window,
    window_tables,
)
from ...trace.area import (
    AreaPart,
    ComparePart,
    area,
    area_numbers,
    area_tables,
    area_tracks,
    compare,
    compare_tables,
    compared_with,
)
from ...trace.event import Collectives, Related, Row, came_last, collectives, details, links, peers, related
from ...trace.proof import RowPart, row_answer, row_part
from ..declaration import Result, Tool, View
from ..shared import step_provenance
from .tables import OPTIONS, SUMMARY, TABLES

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
    loss: Loss
    tracks: TracksPart | None = None
    window: WindowPart | None = None
    event: list[Row] | None = None
    related: Related | None = None
    hits: HitsPart | None = None
    row: RowPart | None = None
    collectives: Collectives | None = None
    area: AreaPart | None = None
    compared: ComparePart | None = None
    steps: HostSteps | None = None
    counters: list[CounterPart] = dataclasses.field(default_factory=list)


def per_host(timeline: Timeline, options: Options) -> HostPart:
    c = timeline.capture
    first, end = c.span_ps
    part = HostPart(
        timeline.host,
        c.start_ns,
        offset_ps(timeline.host, c.start_ns, options),
        Window(first, end + 1) if len(c.events) else None,
        track_count(timeline),
        len(c.events),
        loss(timeline),
    )
    if options["steps"] or options["align"] == "collectives":
        part = dataclasses.replace(part, steps=clock_steps(timeline))
    return _asked(part, timeline, options)


def _asked(part: HostPart, timeline: Timeline, options: Options) -> HostPart:
    """The part with the one thing that the options ask for."""
    given, whole = wanted_window(options, part.offset_ps, part.span), part.span or Window(0, 1)
    asked = str(options["tracks"])
    chosen = chosen_tracks(asked, timeline.host, part.track_count) if asked else None
    real = None if chosen is None else chosen[chosen < len(timeline.capture.tracks)]
    if options["event"]:
        row = place_of(str(options["event"]), timeline.host)
        part = dataclasses.replace(part, collectives=remembered(timeline, collectives))
        if row is None:
            return part
        event = details(timeline, row, part.offset_ps)
        return dataclasses.replace(part, event=event, related=related(timeline, row, part.offset_ps))
    if options["search"] and options["match"] == "row":
        return dataclasses.replace(part, row=row_part(timeline, options, given, whole, real))
    if options["search"]:
        return dataclasses.replace(part, hits=find(timeline, options, given, real))
    if options["area"]:
        tracks = area_tracks(timeline.capture) if real is None else real
        if options["compare"]:
            other = compared_with(str(options["compare"]), part.offset_ps)
            part = dataclasses.replace(part, compared=compare(timeline, tracks, given or whole, other))
        return dataclasses.replace(part, area=area(timeline, tracks, given or whole))
    if options["tracks_from"] is not None:
        return dataclasses.replace(part, tracks=list_tracks(timeline))
    if options["steps"]:
        return part
    window = given or whole
    return dataclasses.replace(
        part,
        window=cut_window(timeline, options, window),
        counters=cut_counters(timeline, chosen, window, int(options["width"] or 1)),
        tracks=None if asked else list_tracks(timeline),
    )


def combine(parts: Sequence[HostPart], options: Options) -> Result:
    hosts, starts = [p.host for p in parts], [p.start_ns for p in parts]
    steps = [p.steps for p in parts if p.steps]
    on = axis(hosts, starts, steps, options)
    parts = [dataclasses.replace(p, offset_ps=ps) for p, ps in zip(parts, on.offsets, strict=True)]
    summary: dict[str, Scalar] = dict.fromkeys(c.name for c in SUMMARY)
    summary.update(_numbers(parts), origin_ns=None if on.origin_ns is None else str(on.origin_ns))
    summary["shifts"] = shifts_text(hosts, on)
    notes: list[Finding] = []
    numbers, tables, findings = _answered(parts, options, on.origin_ns is not None)
    summary.update(numbers)
    if steps and options["steps"]:
        tables["steps"] = steps_table(steps, on.offsets)
        summary["steps_rows"] = sum(len(p.split.steps) for p in steps)
        summary.update(step_provenance(steps))
        notes += guessed(steps)
    if any(p.tracks for p in parts):
        tables["tracks"] = _tracks(parts, int(options["tracks_from"] or 0))
        notes += [*not_shown([p.loss for p in parts]), *(found for p in parts for found in reported(p.loss))]
    if steps or any(p.tracks for p in parts):
        tables["hosts"] = hosts_table(hosts, starts, on)
    none = next((p.split.steps.reason for p in steps if p.split.steps.reason), "") if options["steps"] else ""
    unknown = {name: _reason(name, len(parts), none) for name, value in summary.items() if value is None}
    return Result(summary, tables, unknown, (*notes, *findings, *on.findings))


def _numbers(parts: Sequence[HostPart]) -> dict[str, Scalar]:
    found: dict[str, Scalar] = {
        "host_count": len(parts),
        "track_count": sum(p.track_count for p in parts),
        "event_count": sum(p.event_count for p in parts),
    }
    spans = [(p.span.start_ps + p.offset_ps, p.span.end_ps + p.offset_ps) for p in parts if p.span]
    if spans:
        found.update(span_start_ps=min(s for s, _ in spans), span_end_ps=max(e for _, e in spans))
    return found


def _answered(
    parts: Sequence[HostPart], options: Options, one_clock: bool
) -> tuple[dict[str, Scalar], Tables, list[Finding]]:
    """Numbers, tables and findings of the one thing that was asked for."""
    hosts, offsets = [p.host for p in parts], [p.offset_ps for p in parts]
    if options["event"]:
        return _event(parts, str(options["event"]), one_clock)
    if rows := [p.row for p in parts if p.row]:
        return *row_answer(hosts, offsets, rows, int(options["offset"] or 0)), []
    if options["search"]:
        hits = [p.hits for p in parts if p.hits]
        return hit_numbers(hits), hit_tables(hosts, offsets, hits, int(options["offset"] or 0)), []
    if options["area"]:
        areas = [p.area for p in parts if p.area]
        numbers, tables = compare_tables(both) if (both := [p.compared for p in parts if p.compared]) else ({}, {})
        return area_numbers(areas) | numbers, area_tables(hosts, offsets, areas) | tables, []
    if any(p.window for p in parts):
        numbers, tables = window_tables([(p.host, p.offset_ps, p.window) for p in parts if p.window])
        begin = int(numbers["window_start_ps"] or 0)
        cut = [(p.host, p.window.window.start_ps + p.offset_ps - begin, p.counters) for p in parts if p.window]
        tables.update(counter_tables(cut))
        return numbers, tables, _undrawn(parts)
    return {}, {}, []


def _reason(name: str, hosts: int, steps: str) -> str:
    """steps: why there are none, where they were asked for."""
    if name == "origin_ns" and hosts == 1:
        return "the capture does not tell when it began"
    if name == "origin_ns":
        return "not all captures tell when they began, or they began more than a day apart"
    if name.startswith("step_"):
        return steps or "no list of steps was asked for"
    if name.startswith("span"):
        return "the capture holds no event that has a time"
    for start, what in (
        ("hit_ps", "row of a table"),
        ("hit_text", "row of a table"),
        ("hit", "search"),
        ("area", "area"),
        ("compare", "comparison"),
        ("steps", "list of steps"),
    ):
        if name.startswith(start):
            return f"no {what} was asked for"
    return "no window was asked for"


def _event(parts: Sequence[HostPart], asked: str, one_clock: bool) -> tuple[dict[str, Scalar], Tables, list[Finding]]:
    if len(parts) > 1 and ":" not in asked:
        raise ArgumentError(f"event={asked[:80]!r}: the run has several hosts; give `host:row`")
    for part in parts:
        if part.event is None or part.related is None:
            continue
        found, facts = part.related, {k: v for g, k, v in part.event if g == "event"}
        others, last = _together(parts, part.host, int(facts["row"]), found, one_clock)
        group, key, value = zip(*part.event, *([("event", "came_last", last)] if last else []), strict=True)
        begin = int(facts["start_ps"])
        at = Evidence(part.host, begin, begin + int(facts["duration_ps"]), int(facts["track"]))
        why = [Finding(found.why.text, evidence=(at,))] if found.why.text else []
        return (
            {},
            {"event": {"group": group, "key": key, "value": value}, "links": others, "stack": found.stack},
            why,
        )
    raise NotFoundError(f"event={asked[:80]!r}: the hosts are {', '.join(p.host for p in parts[:20])}")


def _together(
    parts: Sequence[HostPart], host: str, row: int, found: Related, one_clock: bool
) -> tuple[dict[str, Cells], str]:
    """The links of an event with the same collective on other hosts, and who came last to it."""
    known = [(p.host, p.offset_ps, p.collectives) for p in parts if p.collectives]
    mine, far = peers(known, host, row, one_clock)
    if mine is None:
        return found.links, ""
    more, own = links(mine, far), found.links
    near = [
        (f"That on {text.partition(';')[0].removeprefix('The same on ')}", int(ps))
        for kind, text, ps in zip(own["kind"], own["text"], own["duration_ps"], strict=True)
        if kind == "peer" and isinstance(text, str)
    ]
    others = near + [(f"That on {p.device} of {p.host}", p.end - p.begin) for p in far]
    return {name: [*np.asarray(own[name]).tolist(), *more[name]] for name in own}, came_last(mine, others)


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


def _undrawn(parts: Sequence[HostPart]) -> list[Finding]:
    return [
        Finding(f"{p.window.undrawn:,} events of {p.host} lie too deep to be drawn.", "warning")
        for p in parts
        if p.window and p.window.undrawn
    ]


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
    ahead=prepare,
    missing=lambda timeline: None if len(timeline.capture.events) else "this capture holds no event that has a time",
)
