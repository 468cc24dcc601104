"""Timelines → what the pages that stand on steps need of one host, and the steps of several hosts side by side."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...messages import Message, Param
from ...tables import I64, Options, PlaneKind, StatKind, among
from ...timeline import Outside, Split, Steps, Timeline, collective_ends, outside_steps_of, split_of
from .align import Aligned, align
from .clocks import ENDS, Clocks, clocks, offsets
from .outside import NOTHING, OutOfSteps, out_of_steps
from .profile import NO_PROFILE, Profile, profile

#: Steps of the run × hosts that are put side by side; of more, the first steps are. 128 MB.
MAX_CELLS = 1 << 24
#: Hosts without steps that are named.
_NAMED = 3


@dataclasses.dataclass(frozen=True)
class HostSteps:
    """One host's steps and their split, as `timeline.Split` has them. start_ns: of its capture, since the epoch.

    numbered: whether the events that mark the steps carry the numbers, so that those of two hosts mean the same.
    collective_end_ps: when the collectives that one of its devices took part in ended, ascending.
    rank: of the process in its distributed program, world: how many it has, where the capture holds it.
    outside: what its devices did outside of all steps. out_of_steps: what of its time is in none.
    profile: what tells its program from another.
    """

    host: str
    start_ns: int | None
    split: Split
    numbered: bool = False
    collective_end_ps: I64 = dataclasses.field(default_factory=lambda: np.empty(0, np.int64))
    rank: int | None = None
    world: int | None = None
    outside: Outside = dataclasses.field(default_factory=lambda: Outside(0, 0))
    out_of_steps: OutOfSteps = NOTHING
    profile: Profile = NO_PROFILE


def host_steps(timeline: Timeline, options: Options) -> HostSteps:
    """One host's part. Raises ArgumentError for a `steps_from` that cannot be read."""
    choice = str(options["steps_from"])
    split = split_of(timeline, choice)
    ends = collective_ends(timeline) if len(split.steps) else np.empty(0, np.int64)
    numbered = is_numbered(timeline, split.steps)
    rank, world = (_host_value(timeline, name) for name in ("rank", "world_size"))
    outside = outside_steps_of(timeline, choice), out_of_steps(timeline, choice), profile(timeline, split.steps)
    return HostSteps(timeline.host, timeline.capture.start_ns, split, numbered, ends, rank, world, *outside)


def outside_steps(parts: Sequence[HostSteps]) -> Outside:
    """What the devices of all hosts did outside of their steps."""
    return Outside(sum(part.outside.busy_ps for part in parts), sum(part.outside.outside_ps for part in parts))


def _host_value(timeline: Timeline, name: str) -> int | None:
    """What the capture's host holds on its distributed program."""
    capture = timeline.capture
    for plane in np.flatnonzero(capture.planes.kind == PlaneKind.CPU).tolist():
        begin, end = int(capture.planes.stats_begin[plane]), int(capture.planes.stats_end[plane])
        value = dict(capture.values(begin, end)).get(name)
        if isinstance(value, int) and value >= 0:
            return value
    return None


def titles(parts: Sequence[HostSteps]) -> tuple[str, ...]:
    """What to call each host: `rank 3` where each capture is of another rank."""
    ranks = [part.rank for part in parts]
    by_rank = None not in ranks and len(set(ranks)) == len(ranks) > 1
    return tuple(f"rank {part.rank}" if by_rank else part.host for part in parts)


def is_numbered(timeline: Timeline, steps: Steps) -> bool:
    """Whether every step has its number from its event: a stat `step_num`, or the last number in its name.

    The lines that collectors derive number steps anew on each host.
    """
    capture, rows = timeline.capture, steps.row.astype(np.int64)
    if not len(rows) or (rows < 0).any():
        return False
    kinds = capture.planes.kind[capture.tracks.plane[capture.events.track[rows]]]
    if among(kinds, (PlaneKind.GPU, PlaneKind.TPU)).any():
        return False
    value, kind = timeline.stat_of("step_num", rows)
    in_stat = among(kind, (StatKind.INT, StatKind.UINT)) & (value == steps.number)
    names = capture.events.name[rows]
    return all(
        _last_number(capture.strings[name]) == number
        for name, number in zip(names[~in_stat].tolist(), steps.number[~in_stat].tolist(), strict=True)
    )


def _last_number(name: str) -> int | None:
    """The number that a name ends with: `ProfilerStep#7`, `train 7`."""
    digits = len(name) - len(name.rstrip("0123456789"))
    return int(name[-digits:]) if 0 < digits < 19 else None


@dataclasses.dataclass(frozen=True, eq=False)
class RunSteps:
    """The steps of all hosts side by side, one row a step of the run, in order.

    number, name: the program's. hosts: names, of the hosts that have steps. row: of shape (hosts, steps), the row of
    each in its host's `Steps`, -1 where that host's capture lacks it. start_ps: its begin on the earliest host, as the
    trace has it: on one clock where the start of all captures is known, else on its host's. offset_ps: by host, what
    was added to its times for that. aligned: how the hosts were put side by side, None without steps.
    left_out: hosts without steps. common: which steps all hosts have. clocks: how the hosts' clocks differ, which is
    not corrected in any time. cut_off: how many steps, the last ones, are missing, since there are too many.
    titles: what sentences call the hosts, left_out_titles those without steps; see `titles`.
    """

    number: I64
    name: tuple[str, ...]
    hosts: tuple[str, ...]
    row: NDArray[np.int64]
    start_ps: I64
    offset_ps: tuple[int, ...]
    aligned: Message | None
    left_out: tuple[str, ...] = ()
    common: NDArray[np.bool_] = dataclasses.field(default_factory=lambda: np.empty(0, bool))
    clocks: Clocks = dataclasses.field(default_factory=Clocks)
    cut_off: int = 0
    titles: tuple[str, ...] = ()
    left_out_titles: tuple[str, ...] = ()

    def check(self) -> None:
        """Raise AssertionError unless the steps are what this class says."""
        shape = (len(self.hosts), len(self.number))
        assert self.row.shape == shape, "shape"
        assert len(self.name) == len(self.start_ps) == len(self.common) == shape[1], "columns differ in length"
        assert len(self.offset_ps) == len(self.clocks.offset_ps) == shape[0], "hosts differ"
        assert (self.row >= 0).any(axis=0).all(), "a step that no host has"
        assert (self.common == (self.row >= 0).all(axis=0)).all(), "common"
        for row in self.row:
            assert len(np.unique(row[row >= 0])) == (row >= 0).sum(), "a step is there twice"


def run_steps(parts: list[HostSteps]) -> RunSteps:
    """Put the hosts' steps side by side: by the program's step numbers, else by what overlaps in time, else in order.

    Hosts without steps are left out.
    """
    some = [p for p in parts if len(p.split.steps)]
    left_out = tuple(p.host for p in parts if not len(p.split.steps))
    called = titles(parts)
    shown = tuple(name for name, p in zip(called, parts, strict=True) if len(p.split.steps))
    unseen = tuple(name for name, p in zip(called, parts, strict=True) if not len(p.split.steps))
    by_start = offsets([p.start_ns for p in parts])
    clock = [by_start[i] for i, p in enumerate(parts) if len(p.split.steps)] if by_start else None
    aligned, rows, place, cut_off, differ = _aligned(some, clock)
    offset = clock or [0] * len(some)
    number, name, start = _named(some, rows, offset)
    number = place if aligned.numbers else number
    hosts = tuple(p.host for p in some)
    common = np.asarray((rows >= 0).all(axis=0))
    how = _how_aligned(aligned, unseen, common, cut_off)
    clocked = (tuple(offset), how, left_out, common, differ)
    return RunSteps(number, name, hosts, rows, start, *clocked, cut_off, shown, unseen)


def _aligned(parts: list[HostSteps], clock: list[int] | None) -> tuple[Aligned, I64, I64, int, Clocks]:
    """Steps aligned; where only time decides and collectives show how the clocks differ, by corrected clocks."""
    steps, numbered = [p.split.steps for p in parts], [p.numbered for p in parts]
    ends = [p.collective_end_ps for p in parts]
    aligned = align(steps, numbered, clock)
    rows, place, cut_off = _side_by_side(aligned)
    differ = clocks(steps, ends, rows, clock, aligned.numbers)
    wrong = [0 if by != ENDS else ps or 0 for ps, by in zip(differ.offset_ps, differ.by, strict=True)]
    if aligned.numbers or clock is None or not any(wrong):
        return aligned, rows, place, cut_off, differ
    right = [ps - off for ps, off in zip(clock, wrong, strict=True)]
    aligned = align(steps, numbered, right)
    rows, place, cut_off = _side_by_side(aligned)
    return aligned._replace(corrected=True), rows, place, cut_off, clocks(steps, ends, rows, clock, aligned.numbers)


def _side_by_side(aligned: Aligned) -> tuple[I64, I64, int]:
    """(hosts, steps) of rows, -1 where a host lacks a step; the steps' places; and how many steps were too many."""
    places = aligned.place
    if not places:
        return np.empty((0, 0), np.int64), np.empty(0, np.int64), 0
    every = np.unique(np.concatenate(places))
    kept = every[: max(MAX_CELLS // len(places), 1)]
    rows = np.full((len(places), len(kept)), -1, np.int64)
    for row, place in zip(rows, places, strict=True):
        at = np.searchsorted(kept, place)
        here = np.flatnonzero(at < len(kept))
        row[at[here]] = here
    return rows, kept, len(every) - len(kept)


def _named(parts: list[HostSteps], rows: I64, offset: list[int]) -> tuple[I64, tuple[str, ...], I64]:
    """Number and name of each step of the run, of the first host that has it, and its begin, of the earliest."""
    n = rows.shape[1]
    number, host = np.zeros(n, np.int64), np.full(n, -1)
    start = np.full(n, np.iinfo(np.int64).max)
    for i, (part, row) in enumerate(zip(parts, rows, strict=True)):
        here = row >= 0
        first = here & (host < 0)
        steps = part.split.steps
        number[first], host[first] = steps.number[row[first]], i
        start[here] = np.minimum(start[here], steps.begin_ps[row[here]] + offset[i])
    names = tuple(
        parts[i].split.steps.name[at] for i, at in zip(host.tolist(), rows[host, np.arange(n)].tolist(), strict=True)
    )
    return number, names, start


def _how_aligned(
    aligned: Aligned, left_out: tuple[str, ...], common: NDArray[np.bool_], cut_off: int
) -> Message | None:
    if aligned.how is None:
        return None
    params: dict[str, Param] = {"how": aligned.how, "corrected": aligned.corrected, "cut_off": cut_off or None}
    if len(aligned.place) > 1:
        params |= {"common": int(common.sum()), "steps": len(common)}
    if left_out:
        params |= {"left_out": left_out[:_NAMED], "more": max(len(left_out) - _NAMED, 0) or None}
    return Message("steps_aligned", params)
