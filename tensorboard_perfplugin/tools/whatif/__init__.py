"""Timelines and a change to what ran → how long a step would take: it is replayed with that longer or left out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from ...advice.finding import Finding
from ...advice.text.catalogue import Sentence
from ...analysis.path.costs import Levels, part_of
from ...analysis.path.path import laid_out, walked
from ...analysis.path.replay import Replay, replay_of
from ...analysis.path.select import KINDS, Selection, scaled, selections
from ...analysis.steps.means import STEPS_FROM, are_typical
from ...tables import F64, Column, Option, Options, Scalar, TableSpec, evaluate, intervals, tabulate
from ...timeline.split.split import Split, split_of
from ...timeline.steps.model import Steps
from ...timeline.timeline import INDEX, Timeline
from ..declaration import Result, Tool, View

_FORM = (
    f"KIND:NAME, several divided by `;`. Kinds are {', '.join(f'`{kind}`' for kind in KINDS)}; `*` and `?` stand for "
    "any characters; copies are `h2d`, `d2h`, `d2d`."
)
REMOVE = Option("remove", "text", "", f"What is left out, with all that it calls and launches: {_FORM}")
SCALE = Option("scale", "text", "", "What takes so many times as long: KIND:NAME=TIMES, as `kernel:gemm*=0.5`.")
OVERLAP = Option(
    "overlap", "text", "", f"What runs beside the rest, which no longer waits for it, as `copy:h2d`: {_FORM}"
)
BALANCE = Option(
    "balance",
    "text",
    "",
    "`ranks`: as if the work were spread equally over hosts, so that none waits in collectives for the slowest.",
    choices=("", "ranks"),
)


class HostWhatIf(NamedTuple):
    """Of one host, in ps.

    steps: how many typical ones were replayed. step_ps: how long one took; without_ps: how long one would. held_ps:
    by how much less all that changes takes a step, threads and streams together; pieces: how many these are. spread:
    of the mean step, as a part of it. shared: whether nothing but processors ran. next_part, next_ps: what would then
    hold most of a step. works_ps, waits_ps: of each step as it was recorded, what it takes without and in collectives
    that nothing runs beside, of several devices the mean. changes: of each, how much of the change lies in it, 1 in the
    mean one.
    """

    host: str
    steps: int
    step_ps: float
    without_ps: float
    held_ps: float
    pieces: int
    spread: float
    shared: bool
    next_part: str
    next_ps: float
    works_ps: F64
    waits_ps: F64
    changes: F64

    @property
    def gain_share(self) -> float | None:
        return (self.step_ps - self.without_ps) / self.step_ps if self.step_ps else None

    @property
    def least_ps(self) -> float:
        """Where what ran beside it shared processors with it, and would run faster: no shorter than that."""
        least = max(self.step_ps - self.held_ps, 0.0) if self.shared else self.without_ps
        return max(min(least, self.without_ps) * (1 - self.spread), 0.0)

    @property
    def most_ps(self) -> float:
        return self.without_ps * (1 + self.spread)


class _Run(NamedTuple):
    """All hosts. Where each waits in collectives, a step takes as long as the host that works for longest in it, and
    what the collectives themselves take: what the last to come waits in them. Else as long as that of the slowest.
    balanced: whether the work is spread equally with the change: the mean host works for as long as all do."""

    hosts: tuple[HostWhatIf, ...]
    balanced: bool

    def changed(self, name: str) -> float | None:
        together = len(self.hosts) > 1 and all(host.waits_ps.any() for host in self.hosts)
        if not together or self.step_ps is None:
            return max((getattr(host, name) for host in self.hosts), default=None)
        n = min(host.steps for host in self.hosts)
        exchange_ps = np.min([host.waits_ps[:n] for host in self.hosts], axis=0)
        recorded = [host.works_ps[:n] for host in self.hosts]
        saved = [host.changes[:n] * (host.step_ps - getattr(host, name)) for host in self.hosts]
        work = [(before - less).clip(0) for before, less in zip(recorded, saved, strict=True)]
        if self.balanced:
            return float((np.mean(work, axis=0) + exchange_ps).mean())
        before, after = (float((np.max(each, axis=0) + exchange_ps).mean()) for each in (recorded, work))
        return self.step_ps * after / before if before else self.step_ps

    @property
    def step_ps(self) -> float | None:
        return max((host.step_ps for host in self.hosts), default=None)

    @property
    def without_ps(self) -> float | None:
        return self.changed("without_ps")

    @property
    def least_ps(self) -> float | None:
        return self.changed("least_ps")

    @property
    def most_ps(self) -> float | None:
        return self.changed("most_ps")

    @property
    def gain_share(self) -> float | None:
        return 1 - (self.without_ps or 0.0) / self.step_ps if self.step_ps else None


_STEP = Column.ms("step_ms", "How long the typical steps that are replayed took, mean.", "step_ps")
_WITHOUT = Column.ms(
    "changed_step_ms", "How long they would take with the change, if all else took as long as it did.", "without_ps"
)
_LEAST = Column.ms(
    "changed_step_least_ms",
    "The least that is likely: steps vary, and on a host alone what ran beside it had to share processors with it.",
    "least_ps",
)
_MOST = Column.ms("changed_step_most_ms", "The most that is likely, since steps vary.", "most_ps")
_GAIN = Column.share("gain_share", "What steps would take less, as a part of what they took.", "gain_share")
SUMMARY = (
    _STEP,
    _WITHOUT,
    _LEAST,
    _MOST,
    _GAIN,
    Column.count(
        "piece_count", "Pieces of events that the change holds.", lambda run: sum(h.pieces for h in run.hosts)
    ),
)
HOSTS = TableSpec(
    "hosts",
    "Hosts",
    "A row is a host; a step of the run takes as long as that of the slowest.",
    (
        Column.text("host", "The host.", "host"),
        Column.count("step_count", "Typical steps that were replayed: so many that follow each other.", "steps"),
        _STEP,
        _WITHOUT,
        _LEAST,
        _MOST,
        _GAIN,
        Column.ms("held_ms", "What the change holds of a step, all threads and streams together.", "held_ps"),
        Column.count("piece_count", "Pieces of events that the change holds.", "pieces"),
    ),
)


def per_host(timeline: Timeline, options: Options) -> HostWhatIf | None:
    """None where nothing can be replayed. Raises ArgumentError for selections that cannot be read."""
    changes = _changes(options)
    split = split_of(timeline, str(options[STEPS_FROM.name]))
    steps, laid = split.steps, laid_out(timeline, split.steps)
    typical = steps.counted & are_typical(steps.wall_ps, steps.whole)
    again = replay_of(laid, steps, typical) if laid else None
    if again is None:
        return None
    scale, held, free = scaled(timeline, again.laid, changes)
    beside = scaled(timeline, again.laid, selections(str(options["overlap"]), "overlap", 0.0)).scale
    pieces = again.laid.pieces
    length = (pieces.end - pieces.begin).astype(np.float64)
    # What runs beside the rest ends no sooner than it has run.
    taken = max(again.taken_ps(scale, free), float((length * scale)[beside == 0].sum()))
    walls = steps.wall_ps[typical]
    name, next_ps = _next_part(timeline, steps, again, held & (scale < 1))
    return HostWhatIf(
        timeline.host,
        again.steps,
        again.recorded_ps / again.steps,
        taken / again.steps,
        float((length * (1 - scale).clip(0)).sum()) / again.steps,
        int(held.sum()),
        float(walls.std() / walls.mean() / math.sqrt(len(walls))),
        not any(unit.plane >= 0 for unit in split.units),
        name,
        next_ps / again.steps,
        *_by_step(split, again, length * (1 - scale)),
    )


def _by_step(split: Split, again: Replay, saved_ps: F64) -> tuple[F64, F64, F64]:
    """Of the steps that are replayed: `works_ps`, `waits_ps`, `changes`. saved_ps: of each piece."""
    steps, laid = split.steps, again.laid
    rows = np.flatnonzero((steps.begin_ps >= laid.floor) & (steps.begin_ps < laid.stop))[: again.steps]
    exposed = split.exposed_ps[:, rows[rows < split.exposed_ps.shape[1]], INDEX["collective"]]
    waits = exposed.mean(axis=0) if exposed.shape[1] == len(rows) else np.zeros(len(rows))
    place = np.searchsorted(steps.begin_ps[rows], laid.pieces.begin, side="right") - 1
    changes = np.bincount(place.clip(0), saved_ps, len(rows))
    works = (steps.until_ps - steps.begin_ps)[rows] - waits
    return works, waits, changes / changes.mean() if changes.any() else np.ones(len(rows))


def _changes(options: Options) -> tuple[Selection, ...]:
    left_out = [one for name in ("remove", "overlap") for one in selections(str(options[name]), name, 0.0)]
    return (*left_out, *selections(str(options["scale"]), "scale"))


def _next_part(timeline: Timeline, steps: Steps, again: Replay, gone: NDArray[np.bool_]) -> tuple[str, float]:
    """What holds most of what is left of the path, and how much."""
    path = walked(again.laid)
    rows = np.zeros(len(timeline.capture.events), bool)
    rows[again.laid.pieces.row[gone]] = True
    left = (path.row < 0) | ~rows[path.row]
    path = structs.replace(path, end=np.where(left, path.end, path.begin))
    window = intervals.union(np.array([again.laid.floor]), np.array([again.laid.stop]))
    part = part_of(Levels(timeline, steps, again.laid.pieces.row).costs(path, window))
    return (part.name, float(part.ps)) if part else ("", 0.0)


def combine(parts: Sequence[HostWhatIf | None], options: Options) -> Result:
    hosts = [part for part in parts if part is not None]
    tables = {"hosts": tabulate(HOSTS.columns, hosts)}
    run = _Run(tuple(hosts), options[BALANCE.name] == "ranks")
    summary: dict[str, Scalar] = evaluate(SUMMARY, run)
    unknown: dict[str, str] = {name: Sentence("whatif.no_steps") for name, value in summary.items() if value is None}
    return Result(summary, tables, unknown, tuple(_findings(run, bool(_changes(options)))))


def _findings(run: _Run, changes: bool) -> Iterator[Finding]:
    if not run.hosts or not (changes or run.balanced):
        return
    if changes and not any(host.pieces for host in run.hosts):
        yield Finding(code="whatif.nothing", severity="warning")
        return
    if run.balanced and len(run.hosts) == 1:
        yield Finding(code="whatif.one_host", severity="warning")
        return
    slowest = max(run.hosts, key=lambda host: host.without_ps)
    yield Finding(
        code="whatif",
        params={
            "step_ps": run.step_ps,
            "changed_ps": run.without_ps,
            "least_ps": run.least_ps,
            "most_ps": run.most_ps,
            "next": slowest.next_part or None,
            "next_ps": slowest.next_ps,
            "balanced": len(run.hosts) if run.balanced else None,
        },
        share=max(run.gain_share or 0.0, 0.0),
    )


WHATIF = Tool(
    name="whatif",
    title="What if",
    question="How long would a step take without a part of it, or if it took less?",
    help="Steps replayed with some ops, kernels, functions or copies left out, longer or shorter, or beside the rest.",
    summary=SUMMARY,
    tables=(HOSTS,),
    views=(View("facts"), View("table", table="hosts")),
    per_host=per_host,
    combine=combine,
    options=(REMOVE, SCALE, OVERLAP, BALANCE, STEPS_FROM),
)
