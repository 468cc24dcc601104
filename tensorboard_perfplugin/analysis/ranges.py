"""What a person chooses of a run, steps or a stretch of time → what that is of each host."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ..errors import ArgumentError
from ..messages import Message, message
from ..patterns import regex
from ..tables import I64
from ..timeline.assignment import steps_of
from ..timeline.ranges import Selection
from ..timeline.split.split import Split
from ..timeline.timeline import CATEGORIES, Timeline
from ..units import duration, picoseconds
from .steps.alignment import offsets
from .steps.means import HostSteps, RunSteps, are_typical, is_numbered, run_steps, slow, whole_walls

# `3-7,9`, `typical`, `1.2s-1.4s` → a range.

#: Names of steps that are distinguished by how long they take.
BY_TIME = ("typical", "slow")
_RUN = regex(r"\s*([0-9]{1,18})\s*(-\s*([0-9]{1,18})?)?\s*")
_MOST = 1000
_STEPS = "`3-7`, `3-7,9`, `12-`, `typical`, `slow` or `all`"
_TIME = "`1.2s-1.4s`, `1200-1400` in ms, from the start of the capture"


class Range(NamedTuple):
    """Of steps or of time. kind: `typical` or `slow` steps, empty for others. numbers: first and last number of steps,
    the last None without an end. span_ps: from the start of the run's earliest capture. text: as it was written.
    """

    text: str
    kind: str = ""
    numbers: tuple[tuple[int, int | None], ...] = ()
    span_ps: tuple[int, int] | None = None

    @classmethod
    def parse(cls, steps: str = "", time: str = "") -> Range | None:
        """None for all of it. Raises ArgumentError."""
        steps, time = steps.strip(), time.strip()
        if steps in ("", "all"):
            return cls._of_time(time) if time else None
        if time:
            raise ArgumentError(f"steps={steps[:80]}, time={time[:80]}: choose steps or a time, not both")
        if steps in BY_TIME:
            return cls(steps, steps)
        runs = [_RUN.fullmatch(each) for each in steps.split(",")[:_MOST]]
        if None in runs or steps.count(",") >= _MOST:
            raise ArgumentError(f"steps={steps[:80]!r}: use numbers of steps, {_STEPS}")
        numbers = tuple(_ends(run) for run in runs if run)
        for low, high in numbers:
            if high is not None and high < low:
                raise ArgumentError(f"steps={steps[:80]!r}: {low} comes after {high}; use numbers of steps, {_STEPS}")
        return cls(steps, "", numbers)

    @classmethod
    def _of_time(cls, text: str) -> Range:
        begin, _, end = text.partition("-")
        low, high = picoseconds(begin), picoseconds(end)
        if low is None or high is None:
            raise ArgumentError(f"time={text[:80]!r}: use a begin and an end, {_TIME}")
        if low >= high:
            raise ArgumentError(f"time={text[:80]!r}: the end must come after the begin; use {_TIME}")
        return cls(text, "", (), (low, high))

    @property
    def name(self) -> str:
        """What to call it: `steps 3-7`, `slow steps`, `1.2s-1.4s`."""
        if self.span_ps:
            return self.text
        return f"{self.kind} steps" if self.kind else f"steps {self.text}"


def _ends(run: re.Match[str]) -> tuple[int, int | None]:
    low = int(run[1])
    return low, (int(run[3]) if run[3] else None) if run[2] else low


# A range, and what each host is chosen from → what of each host it is.

#: Runs of numbers that a sentence names.
_NAMED = 6


class HostRange(msgspec.Struct, frozen=True):
    """What is chosen from, of one host. steps: not divided. span_ps: of its events. recorded: whether its steps are
    sums of another program."""

    steps: HostSteps
    span_ps: tuple[int, int]
    recorded: bool


class Resolved(msgspec.Struct, frozen=True):
    """by_host: None for a host that has no part of it. message: which part of the run it is. span_ps: from its begin to
    its end, from the start of the earliest capture."""

    by_host: Mapping[str, Selection | None]
    message: Message
    span_ps: tuple[int, int]


def host_range(timeline: Timeline, choice: str) -> HostRange:
    """choice: how steps are found, as in `steps_of`. Raises ArgumentError."""
    steps = steps_of(timeline, choice)
    nothing = np.empty((0, 0, len(CATEGORIES)), np.int64)
    split = Split(steps, (), nothing, nothing)
    found = HostSteps(timeline.host, timeline.capture.start_ns, split, is_numbered(timeline, steps))
    return HostRange(found, timeline.capture.span_ps, steps.rule == "recorded" or not len(timeline.capture.events))


def resolve(chosen: Range, hosts: Sequence[HostRange], choice: str) -> Resolved:
    """Steps by the run's numbers, and typical or slow as the run has them. Raises ArgumentError where nothing is
    chosen."""
    if all(host.recorded for host in hosts):
        raise ArgumentError(f"{chosen.name}: this capture holds no timeline of which a part could be chosen")
    known = offsets([host.steps.start_ns for host in hosts])
    shift = known or [0] * len(hosts)
    if chosen.span_ps:
        return _of_time(chosen, chosen.span_ps, hosts, shift, choice)
    run = run_steps([host.steps for host in hosts])
    if not len(run.number):
        raise ArgumentError(f"{chosen.name}: no steps were found, so choose a time, of {_spans(hosts, shift)}")
    which = np.flatnonzero(_chosen(chosen, run, hosts))
    if not len(which):
        raise ArgumentError(f"{chosen.name}: there are none; {_there(chosen, run)}")
    rows = {name: row[which][row[which] >= 0] for name, row in zip(run.hosts, run.row, strict=True)}
    by_host: dict[str, Selection | None] = {host.steps.host: None for host in hosts}
    by_host |= {name: Selection.of_rows(np.sort(row), choice) for name, row in rows.items() if len(row)}
    of_steps = message(
        "range_of_steps", kind=chosen.kind, shown=len(which), of=len(run.number), which=_named(run.number, which)
    )
    return Resolved(by_host, of_steps, _hull(hosts, by_host, shift))


def _chosen(chosen: Range, run: RunSteps, hosts: Sequence[HostRange]) -> NDArray[np.bool_]:
    if not chosen.kind:
        found = np.zeros(len(run.number), bool)
        for low, high in chosen.numbers:
            found |= (run.number >= low) & (True if high is None else run.number <= high)
        return found
    wall, whole = whole_walls([host.steps for host in hosts], run)
    if chosen.kind == "slow":
        return slow(wall, whole)
    return (whole if whole.any() else np.ones(len(wall), bool)) & are_typical(wall, whole)


def _there(chosen: Range, run: RunSteps) -> str:
    if chosen.kind:
        return f"of {len(run.number)} steps none takes much more than the others"
    return f"the {len(run.number)} steps are {_named(run.number, np.arange(len(run.number)))}"


def _named(number: I64, which: I64) -> str:
    """`3–7, 9 and 12 more`, of places in the run."""
    begins = np.flatnonzero(np.diff(which, prepend=-2) != 1)
    ends = np.append(begins[1:], len(which)) - 1
    pairs = list(zip(number[which[begins]].tolist(), number[which[ends]].tolist(), strict=True))
    named = ", ".join(str(low) if low == high else f"{low}–{high}" for low, high in pairs[:_NAMED])
    left = len(which) - (int(ends[_NAMED - 1]) + 1 if len(ends) > _NAMED else len(which))
    return f"{named} and {left} more" if left else named


def _of_time(
    chosen: Range, span: tuple[int, int], hosts: Sequence[HostRange], shift: Sequence[int], choice: str
) -> Resolved:
    by_host: dict[str, Selection | None] = {}
    for host, by in zip(hosts, shift, strict=True):
        begin, end = max(span[0] - by, host.span_ps[0]), min(span[1] - by, host.span_ps[1])
        by_host[host.steps.host] = Selection((), (begin, end), choice) if begin < end else None
    if not any(by_host.values()):
        raise ArgumentError(f"time={chosen.text[:80]}: nothing is there; choose a time of {_spans(hosts, shift)}")
    first, last = _resolve_ends(hosts, shift)
    begin, end = max(span[0], first), min(span[1], last)
    of_time = message("range_of_time", begin_ps=begin, end_ps=end, last_ps=last)
    return Resolved(by_host, of_time, (begin, end))


def _resolve_ends(hosts: Sequence[HostRange], shift: Sequence[int]) -> tuple[int, int]:
    begin = min(host.span_ps[0] + by for host, by in zip(hosts, shift, strict=True))
    return begin, max(host.span_ps[1] + by for host, by in zip(hosts, shift, strict=True))


def _spans(hosts: Sequence[HostRange], shift: Sequence[int]) -> str:
    begin, end = _resolve_ends(hosts, shift)
    return f"{duration(begin)} to {duration(end)}"


def _hull(hosts: Sequence[HostRange], by_host: Mapping[str, Selection | None], shift: Sequence[int]) -> tuple[int, int]:
    begin, end = [], []
    for host, by in zip(hosts, shift, strict=True):
        selection = by_host[host.steps.host]
        if selection:
            steps = selection.selected_steps(host.steps.split.steps)
            begin.append(int(steps.begin_ps.min()) + by)
            end.append(int(steps.until_ps.max()) + by)
    return min(begin), max(end)
