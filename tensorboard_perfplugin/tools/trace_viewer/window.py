"""A window of the trace: the slices of all hosts' tracks, as many as fit into one answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import structs

from ...advice.finding import Finding
from ...advice.rules.capture import NOT_SHOWN, reported
from ...advice.rules.steps.verdict import guessed
from ...advice.text.catalogue import Sentence
from ...analysis.steps.means import HostSteps
from ...messages import Param
from ...tables import I64, Cells, Options, Scalar
from ...trace.counters import COUNTER_ROWS_MAX, CounterPart, cut_counters
from ...trace.groups import hosts_table
from ...trace.lanes import BYTES_MAX, NAME_MAX, SLICES_MAX, TRACKS_MAX, encoded_bytes, shortened
from ...trace.window import TracksPart, WindowPart, cut_window, list_tracks
from ..shared.provenance import STEP_PROVENANCE, step_provenance
from .question import Answered, Asking, Given, Question, Run
from .tables import TABLES


def _per_host(asking: Asking) -> WindowPart:
    return cut_window(asking.timeline, asking.options, asking.window or asking.whole)


def _answer(given: Sequence[Given[WindowPart]], run: Run) -> Answered:
    numbers, tables = window_tables([(one.host, one.offset_ps, one.part) for one in given])
    return Answered(numbers, tables, tuple(_undrawn(given)))


def _undrawn(given: Sequence[Given[WindowPart]]) -> Iterator[Finding]:
    for host, _, window in given:
        if window.undrawn:
            params: dict[str, Param] = {"events": window.undrawn, "host": host}
            yield Finding(code="events_undrawn", params=params, severity="warning")


def _fitting(parts: Sequence[tuple[str, int, WindowPart]]) -> list[tuple[str, int, WindowPart]]:
    kept: list[tuple[str, int, WindowPart]] = []
    slices, size = 0, 0.0
    for part in parts:
        more = len(part[2].row)
        more_bytes = encoded_bytes(part[2].start_ps, part[2].end_ps, part[2].busy_ps)
        if not kept or (slices + more <= SLICES_MAX and size + more_bytes <= BYTES_MAX):
            kept.append(part)
            slices, size = slices + more, size + more_bytes
    return kept


def window_tables(
    parts: Sequence[tuple[str, int, WindowPart]],
) -> tuple[dict[str, Scalar], dict[str, dict[str, Cells]]]:
    """Numbers and tables of as many windows, each with its host and offset, as fit into one answer; one at least."""
    kept = _fitting(parts)
    begin = min(w.window.start_ps + offset_ps for _, offset_ps, w in kept)
    numbers: dict[str, Scalar] = {
        "window_start_ps": begin,
        "window_end_ps": max(w.window.end_ps + offset_ps for _, offset_ps, w in kept),
        "resolution_ps": max(1 << w.shift for *_, w in kept),
        "shown_count": sum(int(w.shown.sum()) for *_, w in kept),
        "merged_count": sum(int(w.merged.sum()) for *_, w in kept),
        "undrawn_count": sum(w.undrawn for *_, w in kept),
    }
    pairs = dict.fromkeys(pair for *_, w in kept for pair in zip(w.names, w.categories, strict=True))
    places = {pair: i for i, pair in enumerate(pairs)}
    of = [np.array([places[p] for p in zip(w.names, w.categories, strict=True)], np.int64) for *_, w in kept]
    before = np.cumsum([0, *(len(w.tracks) for *_, w in kept)])
    slices = {
        "track": [w.track + before[i] for i, (*_, w) in enumerate(kept)],
        "depth": [w.depth for *_, w in kept],
        "start_ps": [w.start_ps + (offset_ps - begin) for _, offset_ps, w in kept],
        "duration_ps": [w.end_ps - w.start_ps for *_, w in kept],
        "idle_ps": [w.end_ps - w.start_ps - w.busy_ps for *_, w in kept],
        "name": [of[i][w.name] for i, (*_, w) in enumerate(kept)],
        "count": [w.count for *_, w in kept],
        "row": [w.row for *_, w in kept],
    }
    return numbers, {
        "slices": {key: np.concatenate(columns) for key, columns in slices.items()},
        "names": {"name": shortened(name for name, _ in pairs), "category": [category for _, category in pairs]},
        "window_tracks": {
            "host": [host for host, _, w in kept for _ in range(len(w.tracks))],
            "track": np.concatenate([w.tracks for *_, w in kept]),
            "shown": np.concatenate([w.shown for *_, w in kept]),
            "merged": np.concatenate([w.merged for *_, w in kept]),
        },
    }


WINDOW = Question(
    name="window",
    asked_by=(),
    per_host=_per_host,
    answer=_answer,
    scalars=(
        *("window_start_ps", "window_end_ps", "resolution_ps"),
        *("shown_count", "merged_count", "undrawn_count"),
    ),
    tables=("slices", "names", "window_tracks"),
    not_asked="no window was asked for",
)


# Counters and memory in use in a window of the trace, of all hosts.


class CountersPart(NamedTuple):
    """begin_ps: of the host's window, in its own time."""

    begin_ps: int
    counters: list[CounterPart]


def _counters_per_host(asking: Asking) -> CountersPart:
    window, width = asking.window or asking.whole, int(asking.options["width"] or 1)
    counters = cut_counters(asking.timeline, asking.tracks_and_counters, window, width)
    return CountersPart(window.start_ps, counters)


def _counters_answer(given: Sequence[Given[CountersPart]], run: Run) -> Answered:
    begin = int(run.numbers["window_start_ps"] or 0)
    cut = [(host, part.begin_ps + offset - begin, part.counters) for host, offset, part in given]
    return Answered(tables=counter_tables(cut))


def _coarser(one: CounterPart, times: int) -> CounterPart:
    """With so many rows taken together."""
    first = np.arange(0, len(one.start_ps), max(times, 1))
    if len(first) == len(one.start_ps):
        return one
    return structs.replace(
        one,
        start_ps=one.start_ps[first],
        min=np.minimum.reduceat(one.min, first),
        max=np.maximum.reduceat(one.max, first),
        last=one.last[np.append(first[1:], len(one.last)) - 1],
        count=np.add.reduceat(one.count, first),
    )


def counter_tables(parts: Sequence[tuple[str, int, Sequence[CounterPart]]]) -> dict[str, dict[str, Cells]]:
    """Of hosts; with each how much later its window begins than the answer's. Many counters are drawn more coarsely."""
    times = -(-sum(len(one.start_ps) for *_, found in parts for one in found) // COUNTER_ROWS_MAX)
    kept = [(host, later, _coarser(one, times)) for host, later, found in parts for one in found]
    if not kept:
        return {}
    size = [len(one.start_ps) for *_, one in kept]
    return {
        "counter_tracks": {
            "host": [host for host, *_ in kept],
            "track": [one.track for *_, one in kept],
            "name": shortened(one.name for *_, one in kept),
            "unit": [one.unit for *_, one in kept],
            "samples": [one.samples for *_, one in kept],
            "low": [one.low for *_, one in kept],
            "high": [one.high for *_, one in kept],
        },
        "counters": {
            "track": np.repeat(np.arange(len(kept)), size),
            "start_ps": np.concatenate([one.start_ps + later for _, later, one in kept]),
            "min": np.concatenate([one.min for *_, one in kept]),
            "max": np.concatenate([one.max for *_, one in kept]),
            "last": np.concatenate([one.last for *_, one in kept]),
            "count": np.concatenate([one.count for *_, one in kept]),
        },
    }


COUNTERS = Question(
    name="counters",
    beside=lambda leading, options: leading == "window",
    per_host=_counters_per_host,
    answer=_counters_answer,
    tables=("counter_tracks", "counters"),
)


# The tracks of all hosts, and how the hosts share an axis.


def _tracks_per_host(asking: Asking) -> TracksPart:
    return list_tracks(asking.timeline, bool(asking.options["derived"]))


def _tracks_answer(given: Sequence[Given[TracksPart]], run: Run) -> Answered:
    losses = [one.loss for one in run.hosts]
    findings = [*NOT_SHOWN.findings(losses), *(finding for loss in losses for finding in reported(loss))]
    counts = [len(one.part.columns["track"]) for one in given]
    tables = {"tracks": _tracks_table(given, counts, int(run.options["tracks_from"] or 0))}
    derived = sum(one.part.derived for one in given) if run.options["derived"] else None
    return Answered({"derived_track_count": derived}, tables, findings)


def _tracks_table(given: Sequence[Given[TracksPart]], counts: Sequence[int], start: int) -> dict[str, Cells]:
    """As many as fit, from a place in the order of all hosts' tracks on."""
    columns: dict[str, list[Scalar]] = {c.name: [] for c in TABLES[0].columns}
    for one, count in zip(given, counts, strict=True):
        if len(columns["host"]) >= TRACKS_MAX:
            break
        end = start + TRACKS_MAX - len(columns["host"])
        taken = {name: cells[start:end] for name, cells in one.part.columns.items()}
        columns["host"] += [one.host] * len(taken["track"])
        for name, cells in taken.items():
            columns[name] += shortened(map(str, cells)) if name in ("process", "name") else cells
        start = max(0, start - count)
    return columns  # type: ignore[return-value]


def _hosts(given: Sequence[Given[None]], run: Run) -> Answered:
    hosts, starts = [one.host for one in run.hosts], [one.start_ns for one in run.hosts]
    return Answered(tables={"hosts": hosts_table(hosts, starts, run.axis)})


def _with_window(leading: str, options: Options) -> bool:
    """Whether the list of all tracks comes with a window: where the request names none."""
    return leading == "window" and not options["tracks"]


def wants_clocks(options: Options) -> bool:
    """Whether it matters how the hosts' clocks differ."""
    return bool(options["list_steps"]) or options["align"] == "collectives"


TRACKS = Question(
    name="tracks",
    asked_by=("tracks_from",),
    beside=_with_window,
    per_host=_tracks_per_host,
    answer=_tracks_answer,
    scalars=("derived_track_count",),
    tables=("tracks",),
    not_asked="no list of derived tracks was asked for",
)
HOSTS = Question(
    name="hosts",
    beside=lambda leading, options: leading == "tracks" or _with_window(leading, options) or wants_clocks(options),
    answer=_hosts,
    tables=("hosts",),
)


# The steps of each host, as the trace draws them.

#: Steps of one answer: more than a screen has pixels, even a wide one.
STEPS_MAX = 20_000


def _steps_answer(given: Sequence[Given[None]], run: Run) -> Answered:
    steps = run.steps
    numbers: dict[str, Scalar] = {"steps_rows": sum(len(one.split.steps) for one in steps), **step_provenance(steps)}
    none = next((one.split.steps.reason for one in steps if one.split.steps.reason), None)
    unknown = {column.name: Sentence.of(none) for column in STEP_PROVENANCE} if none else {}
    tables = {"steps": steps_table(steps, [one.offset_ps for one in given])}
    return Answered(numbers, tables, tuple(guessed(steps)), unknown)


def steps_table(parts: Sequence[HostSteps], offsets: Sequence[int]) -> dict[str, Cells]:
    """The first steps of all hosts, host by host."""
    most = STEPS_MAX // max(1, len(parts))
    steps = [part.split.steps for part in parts]

    def joined(columns: Sequence[I64]) -> I64:
        return np.concatenate([np.empty(0, np.int64), *(column[:most] for column in columns)])

    return {
        "host": [part.host for part in parts for _ in range(min(most, len(part.split.steps)))],
        "number": joined([s.number for s in steps]),
        "name": [name[:NAME_MAX] for s in steps for name in s.name[:most]],
        "start_ps": joined([s.begin_ps + offset for s, offset in zip(steps, offsets, strict=True)]),
        "duration_ps": joined([s.until_ps - s.begin_ps for s in steps]),
        "track": joined([s.lane.astype(np.int64) for s in steps]),
        "row": joined([s.row.astype(np.int64) for s in steps]),
    }


STEPS = Question(
    name="steps",
    asked_by=("list_steps",),
    beside=lambda leading, options: bool(options["list_steps"]),
    answer=_steps_answer,
    scalars=("steps_rows", *(column.name for column in STEP_PROVENANCE)),
    tables=("steps",),
    not_asked="no list of steps was asked for",
)
