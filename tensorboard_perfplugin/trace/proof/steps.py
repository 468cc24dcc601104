"""The rows of tables of steps → when, on which tracks, the time of a step went to what a column shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...analysis.hosts.workers import device_names
from ...analysis.input.copies import batch_copies
from ...analysis.steps.means import SPLIT_OF, STEPS_FROM, HostSteps, StepMeans, host_steps, of_one_program, step_means
from ...messages import Message
from ...tables import I64, Intervals, RowKey, intervals
from ...timeline.split.split import Exposed, exposed
from ...timeline.timeline import CATEGORIES, INDEX, Timeline

PS_PER_MS = 1e9
#: Columns of a step's own time, up to where: the next step's begin, or its own end.
_WALL, _SPAN = ("duration_ms", "mean_ms"), "span_ms"


class StepTime(NamedTuple):
    """One host's part. found: by unit of the split, when the column's categories hold; None for the step itself."""

    steps: HostSteps
    found: list[Exposed] | None


class Shown(NamedTuple):
    """What is to be marked, by host: of some tracks (none for all) when. hits: what makes the number, of each unit what
    to call it and when; several tracks may show one. ps: the number. how: what it is of their lengths, None
    where it is their sum. number: how many make it. name: what to call one.
    """

    parts: dict[str, list[tuple[I64, Intervals]]]
    hits: dict[str, list[tuple[str, Intervals]]]
    ps: float
    how: Message | None
    number: int
    name: str


def step_time(timeline: Timeline, key: RowKey) -> StepTime:
    """Raises ArgumentError for a `steps_from` that cannot be read."""
    steps = host_steps(timeline, {STEPS_FROM.name: key.values.get(STEPS_FROM.name, "auto")[:1000]})
    if key.column in (*_WALL, _SPAN):
        return StepTime(steps, None)
    if key.tool == "input_pipeline" and key.column in ("batch_copy_ms", "rest_ms"):
        return StepTime(steps, _beside_input(timeline, steps, key.column))
    return StepTime(steps, exposed(timeline, steps.split.steps, categories(key)))


def _beside_input(timeline: Timeline, steps: HostSteps, column: str) -> list[Exposed]:
    """The copies that bring input, or all but these and waiting for it; a TPU's copies are its program's."""
    copies = exposed(timeline, steps.split.steps, (INDEX["copy_in"],))
    batches = [_batches(timeline, steps, one) for one in copies]
    if column == "batch_copy_ms":
        return [_cut(one, intervals.intersection, batch) for one, batch in zip(copies, batches, strict=True)]
    rest = tuple(i for i, c in enumerate(CATEGORIES) if c.key != "input_wait")
    others = exposed(timeline, steps.split.steps, rest)
    return [_cut(one, intervals.subtraction, batch) for one, batch in zip(others, batches, strict=True)]


def _batches(timeline: Timeline, steps: HostSteps, copies: Exposed) -> Intervals:
    if copies.unit.kind == "tpu":
        return intervals.EMPTY
    batch = batch_copies(timeline, steps.split.steps, copies.unit)
    return copies.when if batch is None else intervals.intersection(copies.when, batch)


def _cut(one: Exposed, by: Callable[[Intervals, Intervals], Intervals], other: Intervals) -> Exposed:
    return Exposed(one.unit, by(one.when, other), [(tracks, by(when, other)) for tracks, when in one.where])


def categories(key: RowKey) -> tuple[int, ...]:
    """Of a column, or of a row of the split, or several."""
    if key.table == "split":
        return tuple(INDEX[name] for name in key.values.get("category", "").split(",") if name in INDEX)
    name = key.column.removesuffix("_ms")
    return (INDEX[name],) if name in INDEX else ()


def together(parts: Sequence[StepTime], key: RowKey) -> Shown:
    """All hosts' parts: of one step, or of those that count; of all workers, or of one.

    Raises ArgumentError for a choice of steps that is none.
    """
    judged = of_one_program([part.steps for part in parts])
    parts = [part for part, is_mine in zip(parts, judged, strict=True) if is_mine]
    means = step_means([part.steps for part in parts])
    some = [part for part in parts if len(part.steps.split.steps)]
    columns = _columns(means, key)
    total, has = np.zeros(len(columns)), np.zeros(len(columns))
    shown: dict[str, list[tuple[I64, Intervals]]] = {}
    hits: dict[str, list[tuple[str, Intervals]]] = {}
    for part, row in zip(some, means.run.row[:, columns], strict=True):
        units = _units(part.steps, key)
        # Of steps of several workers a device has its own alone.
        ran = part.steps.split.ran[units]
        here = (row >= 0) & ran[:, np.clip(row, 0, ran.shape[1] - 1)].any(axis=0)
        if not here.any() or not key.allows("host", part.steps.host):
            continue
        has += here
        begin, until = _bounds(part.steps, row[here], key)
        if part.found is None:
            steps = part.steps.split.steps
            total[here] += (steps.span_ps if key.column == _SPAN else steps.wall_ps)[row[here]]
            shown[part.steps.host] = _on_lanes(begin, until, part.steps.split.steps.lane[row[here]])
            hits[part.steps.host] = [(_name(key), Intervals(begin, until))]
            continue
        mine = [part.found[unit] for unit in units[: len(part.found)]]
        ran = ran[: len(mine), row[here]]
        within = [intervals.union(begin[its], until[its]) for its in ran]
        for unit, one, its in zip(units, mine, ran, strict=True):
            own_ps = _held(part.steps, unit, row[here], key)
            held = intervals.coverage(one.when, begin, until) if own_ps is None else own_ps
            total[here] += its * held / np.maximum(ran.sum(axis=0), 1)
        names = device_names([one.unit for one in mine]) if len(mine) > 1 else [""]
        hits[part.steps.host] = [
            (_name(key) + (device and f", {device}"), intervals.intersection(one.when, its))
            for one, device, its in zip(mine, names, within, strict=True)
        ]
        shown[part.steps.host] = list(_where(mine, within))
    own = any(part.steps.split.steps.own is not None for part in some)
    number = float((total[has > 0] / has[has > 0]).mean()) if has.any() else 0.0
    count = sum(len(when.begin) for whens in hits.values() for _, when in whens)
    return Shown(
        shown,
        hits,
        number,
        _how(key, int((has > 0).sum()), len(hits) > 1 or any(len(whens) > 1 for whens in hits.values()), own),
        count,
        _name(key),
    )


def _where(found: Sequence[Exposed], within: Sequence[Intervals]) -> Iterator[tuple[I64, Intervals]]:
    """Tracks, and when on these within each one's steps: threads show what several devices wait for."""
    parts: dict[tuple[int, ...], list[Intervals]] = {}
    for one, steps in zip(found, within, strict=True):
        for tracks, when in one.where:
            parts.setdefault(tuple(tracks.tolist()), []).append(intervals.intersection(when, steps))
    for rows, whens in parts.items():
        yield np.array(rows, np.int64), intervals.union(*map(np.concatenate, zip(*whens, strict=True)))


def _name(key: RowKey) -> str:
    found = categories(key)
    if key.column == "rest_ms":
        return "Rest"
    return ", ".join(CATEGORIES[i].title for i in found) or "Step"


def _columns(means: StepMeans, key: RowKey) -> I64:
    """Places in the run of the steps that the row is of: of one all hosts' by its begin, or all that count."""
    run, n = means.run, len(means.exposed_ps)
    if "start_ms" not in key.values:
        return np.flatnonzero(means.of(key.values.get(SPLIT_OF.name, "all") if key.table == "split" else "all")[:n])
    if "host" not in key.values:
        begins = run.start_ps
    else:
        hosts = [i for i, name in enumerate(run.hosts) if key.holds("host", name)]
        rows = run.row[hosts[0]] if hosts else np.full(len(run.number), -1)
        steps = [part.split.steps for part in means.parts if len(part.split.steps)]
        begins = np.full(len(rows), np.iinfo(np.int64).min)
        here = rows >= 0
        begins[here] = steps[hosts[0]].begin_ps[rows[here]] + run.offset_ps[hosts[0]] if hosts else 0
    at = np.flatnonzero(begins / PS_PER_MS == key.number("start_ms"))
    return at[[key.allows("step", int(number)) for number in run.number[at].tolist()]]


def _units(part: HostSteps, key: RowKey) -> list[int]:
    """Places of the split's units that the row is of."""
    names = device_names(part.split.units)
    return [i for i, name in enumerate(names) if key.allows("device", name)]


def _bounds(part: HostSteps, rows: I64, key: RowKey) -> tuple[I64, I64]:
    steps = part.split.steps
    return steps.begin_ps[rows], (steps.end_ps if key.column == _SPAN else steps.until_ps)[rows]


def _on_lanes(begin: I64, until: I64, lanes: NDArray[np.integer]) -> list[tuple[I64, Intervals]]:
    """Each step on the track of what marks it, else on all."""
    parts = []
    for lane in np.unique(lanes).tolist():
        mine = lanes == lane
        tracks = np.array([lane] if lane >= 0 else [], np.int64)
        parts.append((tracks, Intervals(begin[mine], until[mine])))
    return parts


def _held(part: HostSteps, unit: int, rows: I64, key: RowKey) -> NDArray[np.float64] | None:
    """What a unit's steps have of the column by a TPU's own clock; None where they are by that of the trace."""
    if part.split.steps.own is None:
        return None
    found = list(categories(key))
    if key.tool == "input_pipeline" and key.column in ("batch_copy_ms", "rest_ms"):
        # A TPU's copies are its program's: none brings input.
        found = [i for i, c in enumerate(CATEGORIES) if c.key != "input_wait" and key.column == "rest_ms"]
    exposed, known = part.split.exposed_ps[unit], rows < part.split.exposed_ps.shape[1]
    held = np.zeros(len(rows))
    held[known] = exposed[np.ix_(rows[known], found)].sum(axis=1)
    return held


def _how(key: RowKey, steps: int, several: bool, own: bool) -> Message | None:
    """What the number is of the stretches' lengths. several: of hosts or devices. own: by a TPU's own clock."""
    how = _mean(key, steps, several)
    return Message("proof.own_clock", {"how": how}) if own else how


def _mean(key: RowKey, steps: int, several: bool) -> Message | None:
    over_steps = steps > 1 and "start_ms" not in key.values
    over_devices = several and "device" not in key.values
    if not over_steps and not over_devices:
        return None
    return Message("proof.mean", {"steps": steps if over_steps else None, "several": over_devices})
