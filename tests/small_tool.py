"""A tool as small as a tool can be, for tests of what carries answers: it counts events by name."""

from __future__ import annotations

from collections.abc import Sequence

from tensorboard_perfplugin.errors import NotFoundError
from tensorboard_perfplugin.tables import Column
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Option, Options, Result, TableSpec, Tool, View
from tests.build_capture import Space

Counts = dict[str, tuple[int, int]]


def per_host(timeline: Timeline, options: Options) -> Counts:
    """Name → events and picoseconds. The option `name` keeps one; raises NotFoundError when the host has none of it."""
    capture = timeline.capture
    counts: Counts = {}
    for name, duration_ps in zip(
        capture.strings.texts(capture.events.name), capture.events.duration_ps.tolist(), strict=True
    ):
        number, total_ps = counts.get(name, (0, 0))
        counts[name] = number + 1, total_ps + duration_ps
    wanted = str(options["name"] or "")
    if wanted and wanted not in counts:
        raise NotFoundError(f"no event {wanted}")
    return {name: value for name, value in counts.items() if wanted in ("", name)}


def combine(partials: Sequence[Counts], options: Options) -> Result:
    total: Counts = {}
    for counts in partials:
        for name, (number, total_ps) in counts.items():
            known = total.get(name, (0, 0))
            total[name] = known[0] + number, known[1] + total_ps
    names = sorted(total, reverse=bool(options["backwards"]))
    return Result(
        summary={"event_count": sum(number for number, _ in total.values()), "idle_share": None},
        unknown={"idle_share": "events are only counted"},
        tables={
            "names": {
                "name": names,
                "event_count": [total[name][0] for name in names],
                "mean_us": [total[name][1] / total[name][0] / 1e6 for name in names],
            }
        },
    )


COUNT = Tool(
    name="count",
    title="Counts",
    question="What is there?",
    help="Counts events by name.",
    summary=(
        Column.count("event_count", "Events of all hosts."),
        Column.share("idle_share", "Never known."),
    ),
    tables=(
        TableSpec(
            "names",
            "By name",
            "One row a name.",
            (
                Column.text("name", "Name of the event."),
                Column.count("event_count", "Events of that name."),
                Column.us("mean_us", "Their mean length."),
            ),
        ),
    ),
    views=(View("facts"), View("table", table="names")),
    per_host=per_host,
    combine=combine,
    options=(
        Option("name", "text", None, "Only this event."),
        Option("backwards", "flag", False, "Last name first."),
    ),
    aliases=("event_counts",),
    missing=lambda timeline: None if len(timeline.capture.events) else "the capture has no events",
)


def space(*names: str) -> Space:
    """One thread on which events of these names run for 2 µs each."""
    built = Space()
    line = built.plane("/host:CPU").line(1, "main")
    for i, name in enumerate(names):
        line.event(name, start_ps=i * 3_000_000, duration_ps=2_000_000)
    return built
