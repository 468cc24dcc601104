"""The tracks of all hosts, and how the hosts share an axis."""

from __future__ import annotations

from collections.abc import Sequence

from ...advice.rules.capture import not_shown, reported
from ...tables import Cells, Options, Scalar
from ...trace.groups import hosts_table
from ...trace.lanes import TRACKS_MAX, shortened
from ...trace.window import TracksPart, list_tracks
from .question import Answered, Asking, Given, Question, Run
from .tables import TABLES


def _per_host(asking: Asking) -> TracksPart:
    return list_tracks(asking.timeline, bool(asking.options["derived"]))


def _answer(given: Sequence[Given[TracksPart]], run: Run) -> Answered:
    losses = [one.loss for one in run.hosts]
    findings = [*not_shown(losses), *(finding for loss in losses for finding in reported(loss))]
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
    """A window of tracks that nobody named comes with the list of all."""
    return leading == "window" and not options["tracks"]


def wants_clocks(options: Options) -> bool:
    """Whether it matters how the hosts' clocks differ."""
    return bool(options["list_steps"]) or options["align"] == "collectives"


TRACKS = Question(
    name="tracks",
    asked_by=("tracks_from",),
    beside=_with_window,
    per_host=_per_host,
    answer=_answer,
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
