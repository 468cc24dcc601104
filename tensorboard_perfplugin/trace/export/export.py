"""Timelines of several hosts → one document of Chrome's trace-event JSON, or of Perfetto's packets, a piece at a time.

The format is that of `docs/export.md`. Slices that overlap the window are kept whole. All of an event's stats are its
args, so that nothing of the timeline is lost but programs (HLO) and events that have no time.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ...analysis.steps.alignment import offsets
from ...errors import NotFoundError
from ...tables import I64, Capture, Option, Options
from ...timeline.assignment import steps_of
from ...timeline.timeline import Timeline
from ..bounds import FAR
from ..counters import track_count
from ..derived.model import derived_of
from ..groups import drawing_order
from ..hosts import NOT_ALIGNED, given_shifts, offset_ps
from ..lanes import Window
from ..parts import asked_tracks, chosen_tracks, wanted_window
from .marks import derived_metadata, json_text, marks, metadata
from .packets import Packets
from .threads import Threads
from .writer import Writer

#: Numbers beyond the capture's tracks that are looked at: of counters and of derived tracks.
_BEYOND = 1 << 20
OPTIONS = (
    Option("start_ps", "integer", None, "Begin of the window. Default: the first event.", low=-FAR, high=FAR),
    Option("end_ps", "integer", None, "End of the window, not in it. Default: the last event's.", low=-FAR, high=FAR),
    Option(
        "origin_ns",
        "integer",
        None,
        "The instant, since the epoch, that all times count from. Default: the earliest start of the hosts.",
        low=-FAR,
        high=FAR,
    ),
    Option(
        "tracks", "text", "", "Only these tracks, by their rows, `0-9,12`; of one host `name:0-9.12`, percent-encoded."
    ),
    Option("format", "text", "json", "json: Chrome's trace events; pftrace: Perfetto's packets.", ("json", "pftrace")),
    Option("shifts", "text", "", "What to add to hosts' clocks, `name:ps,name:ps`, percent-encoded."),
)


@dataclasses.dataclass(frozen=True)
class Look:
    """What has to be known of a host before the first line is written; `start_ns` is None where it is not recorded.

    first_ps, last_ps: by track when its first event begins and its last one ends; of one without events FAR and -FAR.
    """

    host: str
    start_ns: int | None
    span: Window | None
    first_ps: I64
    last_ps: I64


@dataclasses.dataclass(frozen=True)
class Part:
    """What of a host is written. window: in the host's own time, None for the whole; `offset_ps` is added to times."""

    host: str
    offset_ps: int
    window: Window | None
    tracks: str = ""


@dataclasses.dataclass(frozen=True)
class Plan:
    """What is written. origin_ns: the instant of time 0, None where the hosts have no clock in common."""

    run: str
    parts: tuple[Part, ...]
    origin_ns: int | None
    window: Window | None = None
    warnings: tuple[str, ...] = ()
    format: str = "json"


def look(timeline: Timeline) -> Look:
    capture = timeline.capture
    (first, end), events, tracks = capture.span_ps, capture.events, capture.tracks
    first_ps, last_ps = np.full(len(tracks), FAR, np.int64), np.full(len(tracks), -FAR, np.int64)
    some = np.flatnonzero(tracks.events_end > tracks.events_begin)
    if len(some):
        begin = tracks.events_begin[some]
        first_ps[some] = events.start_ps[begin]
        last_ps[some] = np.maximum.reduceat(events.start_ps + events.duration_ps, begin)
    span = Window(first, end + 1) if len(events) else None
    return Look(timeline.host, capture.start_ns, span, first_ps, last_ps)


def plan(run: str, looks: Sequence[Look], options: Options, warnings: Sequence[str] = ()) -> Plan:
    """Hosts on one axis, and the window in the time of each. Raises ArgumentError for an empty window."""
    moved, origin_ns, clock_notes = _axis(looks, options)
    spans = [(e.span.start_ps + o, e.span.end_ps + o) for e, o in zip(looks, moved, strict=True) if e.span]
    whole = Window(min((s for s, _ in spans), default=0), max((e for _, e in spans), default=1))
    window = wanted_window(options, 0, whole)
    parts = [
        Part(each.host, offset, _earlier(window, offset), str(options["tracks"]))
        for each, offset in zip(looks, moved, strict=True)
    ]
    return Plan(run, tuple(parts), origin_ns, window, (*warnings, *clock_notes), str(options["format"]))


def _earlier(window: Window | None, by_ps: int) -> Window | None:
    return window and Window(window.start_ps - by_ps, window.end_ps - by_ps)


def _axis(looks: Sequence[Look], options: Options) -> tuple[Sequence[int], int | None, list[str]]:
    """By host what is added to its times, the instant of time 0, and what is to be said of it."""
    starts, shifts = [each.start_ns for each in looks], given_shifts(options)
    shift = [shifts.get(each.host, 0) for each in looks]
    if options["origin_ns"] is not None:
        return [offset_ps(each.host, each.start_ns, options) for each in looks], int(options["origin_ns"]), []
    if len(looks) == 1:
        return shift, starts[0], []
    by_start = offsets(starts)
    if by_start is None:
        return shift, None, [f"each host's times count from its own start: {NOT_ALIGNED}"]
    origin = min(ns for ns in starts if ns is not None)
    return [each + by for each, by in zip(by_start, shift, strict=True)], origin, []


def selected(count: int, part: Part) -> I64:
    """Those to write of so many tracks. Raises ArgumentError."""
    return chosen_tracks(part.tracks, part.host, count) if part.tracks else np.arange(count)


def _derived(timeline: Timeline, part: Part) -> I64:
    """The derived tracks to write, by their own numbers: all, or those that are chosen. Raises ArgumentError."""
    if not part.tracks:
        return np.arange(derived_of(timeline).count)
    numbers = asked_tracks(timeline, part.tracks)
    known = (numbers >= track_count(timeline)).any()
    return derived_of(timeline).tracks(numbers) if known else np.empty(0, np.int64)


def seen(look: Look, part: Part) -> bool | None:
    """Whether anything of the host is written; None where only its events can show that. Raises ArgumentError."""
    count = len(look.first_ps)
    if (selected(count + _BEYOND, part) >= count).any() and part.tracks:
        return None
    tracks, window = selected(len(look.first_ps), part), part.window or Window(-FAR, FAR)
    first, last = look.first_ps[tracks], look.last_ps[tracks]
    if ((first >= window.start_ps) & (first < window.end_ps)).any():
        return True
    return None if ((first < window.end_ps) & (last >= window.start_ps)).any() else False


def has_events(timeline: Timeline, part: Part) -> bool:
    """Whether anything of the host is written. Raises ArgumentError."""
    if _has_events(timeline.capture, selected(len(timeline.capture.tracks), part), part):
        return True
    derived = _derived(timeline, part)
    return bool(len(derived)) and _has_events(derived_of(timeline).timeline.capture, derived, part)


def _has_events(capture: Capture, tracks: I64, part: Part) -> bool:
    for track in tracks.tolist():
        rows = slice(int(capture.tracks.events_begin[track]), int(capture.tracks.events_end[track]))
        start, duration = capture.events.start_ps[rows], capture.events.duration_ps[rows]
        if len(start) and (part.window is None or part.window.holds(start, duration).any()):
            return True
    return False


def nothing(plan: Plan, looks: Sequence[Look]) -> NotFoundError:
    """What to say where no host has any event to write."""
    pairs = itertools.islice(zip(plan.parts, looks, strict=True), 8)
    spans = "; ".join(f"{part.host}: {_span(each.span, part.offset_ps)}" for part, each in pairs)
    asked = "" if plan.window is None else f" between start_ps={plan.window.start_ps} and end_ps={plan.window.end_ps}"
    chosen = " on these tracks" if plan.parts and plan.parts[0].tracks else ""
    return NotFoundError(f"nothing to export: no event{asked}{chosen}; events that have a time lie, in ps, in {spans}")


def _span(span: Window | None, offset_ps: int) -> str:
    return f"{span.start_ps + offset_ps} to {span.end_ps + offset_ps}" if span else "none"


def document(plan: Plan, producer: str, timeline_of: Callable[[str], Timeline]) -> Iterator[str]:
    """The text, ASCII only. producer: what wrote it. A host's timeline is asked
    for when its turn comes, and let go before the next."""
    yield _head(plan, producer)
    # A host of which no track was chosen may have nothing to say: the first piece loses its comma.
    lines = filter(None, itertools.chain.from_iterable(_numbered(plan, timeline_of)))
    yield next(lines, "")[1:]
    yield from lines
    yield "\n]}\n"


def _head(plan: Plan, producer: str) -> str:
    """What comes before the events. `baseTimeNanoseconds` is a number, as other producers have it."""
    base = "" if plan.origin_ns is None else f'"baseTimeNanoseconds":{plan.origin_ns},'
    return f'{{"displayTimeUnit":"ns",{base}"otherData":{_other_data(plan, producer)},\n"traceEvents":['


def _other_data(plan: Plan, producer: str) -> str:
    other = {
        "producer": producer,
        "run": plan.run,
        "hosts": {part.host: {"offset_ps": part.offset_ps} for part in plan.parts},
        "window_ps": None if plan.window is None else [plan.window.start_ps, plan.window.end_ps],
        "warnings": plan.warnings,
    }
    return json_text(other)


def packets(plan: Plan, producer: str, timeline_of: Callable[[str], Timeline]) -> Iterator[bytes]:
    """As `document`, in Perfetto's binary format."""
    made = Packets(plan.origin_ns or 0)
    yield made.attributes({"otherData": _other_data(plan, producer)})
    yield from made.of(filter(None, itertools.chain.from_iterable(_numbered(plan, timeline_of))))


def _numbered(plan: Plan, timeline_of: Callable[[str], Timeline]) -> Iterator[Iterator[str]]:
    """The hosts' lines; numbers of processes, threads and arrows are given once in a document, from 1 on."""
    arrows = itertools.count(1)
    pid = tid = 1
    for part in plan.parts:
        timeline = timeline_of(part.host)
        order = drawing_order(timeline)
        threads = Threads(timeline, order, selected(len(timeline.capture.tracks), part), pid + 1, tid)
        yield _lines(timeline, part, threads, arrows)
        pid += 1 + len(timeline.capture.planes)
        tid += len(threads.tid) + len(steps_of(timeline))
        chosen = _derived(timeline, part)
        if len(chosen):
            made = derived_of(timeline).timeline
            threads = Threads(made, drawing_order(made), chosen, pid, tid)
            yield _derived_lines(made, part, threads)
            pid += len(made.capture.planes)
            tid += len(threads.tid)
        # The next host's timeline may need the memory.
        del timeline, threads


def _lines(timeline: Timeline, part: Part, threads: Threads, arrows: Iterator[int]) -> Iterator[str]:
    writer = Writer(timeline, threads, part.window, part.offset_ps)
    yield "".join(metadata(timeline, threads))
    yield from writer.events()
    yield from writer.arrows(arrows)
    yield from marks(timeline, part.window, part.offset_ps, threads.pid - 1, threads.first_tid + len(threads.tid))


def _derived_lines(derived: Timeline, part: Part, threads: Threads) -> Iterator[str]:
    """Derived tracks are a process of their own beside their device's, which says so."""
    yield "".join(derived_metadata(derived, threads))
    yield from Writer(derived, threads, part.window, part.offset_ps).events()


def file_name(plan: Plan) -> str:
    """`run_host_window.trace.json.gz` or `.pftrace.gz`, of letters, digits, dots, dashes and underscores."""
    hosts = plan.parts[0].host if len(plan.parts) == 1 else f"{len(plan.parts)}_hosts"
    window = "whole" if plan.window is None else f"{_ms(plan.window.start_ps)}-{_ms(plan.window.end_ps)}ms"
    ending = ".trace.json.gz" if plan.format == "json" else ".pftrace.gz"
    return "_".join((_plain(plan.run, 80), _plain(hosts, 60), window)) + ending


def _plain(text: str, length: int) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "_", text).strip("._")[:length] or "trace"


def _ms(time_ps: int) -> str:
    return f"{time_ps / 10**9:.6f}".rstrip("0").rstrip(".")
