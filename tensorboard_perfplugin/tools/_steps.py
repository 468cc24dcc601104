"""Timelines → what the pages that stand on steps need of one host, and the steps of several hosts side by side."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from ..tables.capture import I64
from ..timeline import RULES, Split, Timeline
from ._tool import Option, Options

_RULES = ", ".join(f"`{rule.name}`" for rule in RULES)
STEPS_FROM = Option(
    "steps_from",
    "text",
    "auto",
    f"How to find steps: `auto` (the first rule that holds), a rule ({_RULES}), the name of an event, or a "
    "/regular expression/ over event names; each such event begins a step.",
    offers=("auto", *(rule.name for rule in RULES)),
)


@dataclasses.dataclass(frozen=True)
class HostSteps:
    """One host's steps and their split, as `timeline.Split` has them. start_ns: of its capture, since the epoch."""

    host: str
    start_ns: int | None
    split: Split


def host_steps(timeline: Timeline, options: Options) -> HostSteps:
    """One host's part. Raises ArgumentError for a `steps_from` that cannot be read."""
    return HostSteps(timeline.host, timeline.capture.start_ns, timeline.split(str(options["steps_from"])))


@dataclasses.dataclass(frozen=True, eq=False)
class RunSteps:
    """The steps of all hosts side by side, one row a step of the run, in order.

    number, name: the program's. hosts: names, of the hosts that have steps. row: of shape (hosts, steps), the row of
    each in its host's `Steps`, -1 where that host's capture lacks it. start_ps: its begin, on one clock where the
    hosts' clocks are known (offset_ps, by host, is what was added to each host's own times), else on its host's own.
    aligned: how the hosts were put side by side, one sentence.
    """

    number: I64
    name: tuple[str, ...]
    hosts: tuple[str, ...]
    row: NDArray[np.int64]
    start_ps: I64
    offset_ps: tuple[int, ...]
    aligned: str


def run_steps(parts: list[HostSteps]) -> RunSteps:
    """Put the hosts' steps side by side: by the program's step numbers, else by what overlaps in time."""
    one = next((p for p in parts if len(p.split.steps)), None)
    if one is None:
        return RunSteps(np.empty(0, np.int64), (), (), np.empty((0, 0), np.int64), np.empty(0, np.int64), (), "")
    steps = one.split.steps
    rows = np.arange(len(steps))[None, :]
    return RunSteps(steps.number, steps.name, (one.host,), rows, steps.begin_ps, (0,), "one host")
