"""Two sides → what they state about how they were recorded, and whether that is the same."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ...threshold import CHOSEN, Threshold
from .rows import counted
from .side import CaptureSide

#: What names a moment or a machine's run, which differs between any two captures.
_OF_ONE = frozenset(
    {
        "framework_evidence",
        "start_utc",
        "hostname",
        "process_id",
        "session_ms",
        "profile_start_time",
        "profile_stop_time",
    }
)
_MAX_TEXT = 200
MORE_STEPS = Threshold(
    "other number of steps",
    2.0,
    "times",
    "as many typical steps on one side as on the other: the mean of few is less sure, and a longer capture shows what "
    "comes back more seldom",
    CHOSEN,
)


class Condition(NamedTuple):
    """name: of the fact. a, b: its values on each side, by commas where hosts or captures differ. differs: whether so
    much that it is to be known."""

    name: str
    a: str
    b: str
    differs: bool


def conditions(a: Sequence[CaptureSide], b: Sequence[CaptureSide]) -> list[Condition]:
    """Facts that both sides state; those that differ first."""
    ours, theirs = _facts(a), _facts(b)
    both = [Condition(name, ours[name], theirs[name], ours[name] != theirs[name]) for name in ours if name in theirs]
    many = [sum(len(capture.step_ps) for capture in side) for side in (a, b)]
    if all(many):
        much = max(many) >= MORE_STEPS.value * min(many)
        both.append(Condition("steps", f"{many[0]:,}", f"{many[1]:,}", much))
    return sorted(both, key=lambda condition: not condition.differs)


def _facts(side: Sequence[CaptureSide]) -> dict[str, str]:
    found: dict[str, dict[str, None]] = {}
    for capture in side:
        hosts = capture.hosts
        values = [
            ("hosts", str(len(hosts))),
            ("devices", str(sum(host.devices for host in hosts))),
            (
                "steps_found_by",
                ", ".join(sorted({h.steps.split.steps.rule for h in hosts if len(h.steps.split.steps)})),
            ),
        ]
        for host in hosts:
            values += [(k, v) for k, v in host.environment.items() if isinstance(v, str) and k not in _OF_ONE]
        for name, value in filter(operator.itemgetter(1), values):
            found.setdefault(name, {})[value[:_MAX_TEXT]] = None
    return {name: ", ".join(sorted(values)) for name, values in found.items()}


def launches(side: Sequence[CaptureSide]) -> float | None:
    """Launches a step, mean over captures of the mean over hosts; None where no host shows any."""
    return counted(side).get("launches")


def largest_peak(peaks: Iterable[tuple[str, int]]) -> int | None:
    """peaks: of memory systems, by kind. Of a device's allocators, else of its driver, else of a host's."""
    known = [peak for peak in peaks if peak[1]]
    for kinds in (("gpu", "tpu"), ("driver",)):
        if of_kind := [peak for kind, peak in known if kind in kinds]:
            return max(of_kind)
    return max((peak for _, peak in known), default=None)


def memory_peak(side: Sequence[CaptureSide]) -> int | None:
    """The largest peak of a device's memory, else of a host's; of several captures the mean of theirs."""
    peaks = [_peak(capture) for capture in side]
    known = [peak for peak in peaks if peak is not None]
    return round(float(np.mean(known))) if known else None


def _peak(capture: CaptureSide) -> int | None:
    return largest_peak((kind, peak) for host in capture.hosts for (_, kind), peak in host.memory.items())
