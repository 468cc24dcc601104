"""Two sides → whether their steps are of one kind, so that their times can be compared, and what slow steps do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

import msgspec
import numpy as np

from ...patterns import regex
from ...tables import F64
from ...threshold import Threshold
from ...timeline.steps.find import UNRELATED
from ...timeline.steps.model import MARKED
from ...timeline.timeline import CATEGORIES
from ..steps.summary import COMPUTES
from .alignment import by_type_and_end, without_scopes_numbers
from .side import CaptureSide, HostSide

# Two sides → what makes a step of one another thing than a step of the other.

MANY_TIMES = Threshold(
    "work of unlike steps",
    3.0,
    "times",
    "as many ops, or kernels of a device, in a step of one side as of the other, where steps are also found by another "
    "rule, or marked by another name; what makes one program faster, as fusing its ops, changes counts, too, but not "
    "what marks its steps",
)
_NUMBER = regex(r"\d+")
T = TypeVar("T")


class Unlike(msgspec.Struct, frozen=True):
    """What differs, by side; of each None where that is alike or not known. backward: whether a step runs a backward
    pass. rule, loop: by what steps are found, and what marks them. ops, kernels: of a step, of one device. common: the
    part of their ops' time that is in ops of both."""

    backward: tuple[bool, bool] | None = None
    rule: tuple[str, str] | None = None
    loop: tuple[str, str] | None = None
    ops: tuple[float, float] | None = None
    kernels: tuple[float, float] | None = None
    common: float | None = None


def unlike(
    a: Sequence[CaptureSide], b: Sequence[CaptureSide], counts_a: Mapping[str, float], counts_b: Mapping[str, float]
) -> Unlike | None:
    """None where steps are alike, or nothing shows that they are not. counts: as `counted`."""
    hosts_a, hosts_b = _hosts(a), _hosts(b)
    if not hosts_a or not hosts_b:
        return None
    backward = _differ(_backward(hosts_a), _backward(hosts_b))
    rule = _differ(_rule(hosts_a), _rule(hosts_b))
    loop = _differ(_loop(hosts_a), _loop(hosts_b))
    ops = kernels = common = None
    if rule or loop:
        ops = _many_times(counts_a.get("ops"), counts_b.get("ops"))
        kernels = _many_times(_of_one_device(counts_a, hosts_a), _of_one_device(counts_b, hosts_b))
        common = _unrelated(a, b) if loop and _are_marked(hosts_a + hosts_b) else None
    if backward or ops or kernels or common is not None:
        return Unlike(backward, rule, loop, ops, kernels, common)
    return None


def _hosts(side: Sequence[CaptureSide]) -> list[HostSide]:
    return [host for capture in side for host in capture.hosts if len(host.steps.split.steps)]


def _differ(a: T | None, b: T | None) -> tuple[T, T] | None:
    return (a, b) if a is not None and b is not None and a != b else None


def _backward(hosts: Sequence[HostSide]) -> bool | None:
    known = {host.backward for host in hosts}
    return True if True in known else None if None in known else False


def _rule(hosts: Sequence[HostSide]) -> str:
    return hosts[0].steps.split.steps.rule


def _loop(hosts: Sequence[HostSide]) -> str | None:
    """What marks a step, without its number."""
    steps = hosts[0].steps.split.steps
    return _NUMBER.sub("", steps.loop or steps.name[0]).strip(" #_") or None


def _are_marked(hosts: Sequence[HostSide]) -> bool:
    return all(host.steps.split.steps.rule in MARKED for host in hosts)


def _of_one_device(counts: Mapping[str, float], hosts: Sequence[HostSide]) -> float | None:
    devices = float(np.mean([host.devices for host in hosts]))
    return counts["kernels"] / devices if devices and "kernels" in counts else None


def _many_times(a: float | None, b: float | None) -> tuple[float, float] | None:
    return (a, b) if a and b and max(a, b) >= MANY_TIMES.value * min(a, b) else None


def _unrelated(a: Sequence[CaptureSide], b: Sequence[CaptureSide]) -> float | None:
    """The part in common, where that is next to nothing. Scopes, and functions around, may be called otherwise."""
    ours, theirs = _shares(a), _shares(b)
    if not ours or not theirs:
        return None
    common = sum(min(share, theirs.get(op, 0.0)) for op, share in ours.items())
    return common if common < UNRELATED.value else None


def _shares(side: Sequence[CaptureSide]) -> dict[object, float]:
    took: dict[object, float] = {}
    for capture in side:
        for (category, op), part in capture.parts.items():
            if CATEGORIES[category].key in COMPUTES and op.type:
                key = by_type_and_end(op) or without_scopes_numbers(op)
                took[key] = took.get(key, 0.0) + part.ps
    whole = sum(took.values())
    return {key: ps / whole for key, ps in took.items()} if whole else {}


# A side → its slow steps, which its mean holds and its typical steps do not.


#: So many slow steps of a capture have one distance, which shows no rhythm.
_TWICE = 2


class SlowSteps(NamedTuple):
    """steps, of: of the steps that are paid for. every: at which distance they come, 0 where that varies. wall_ps: the
    mean of theirs. category: of which they have most more than typical steps, more_ps."""

    steps: int
    of: int
    every: int
    wall_ps: float
    category: str
    more_ps: float


def slow_steps(side: Sequence[CaptureSide]) -> SlowSteps | None:
    """None where no step is slow."""
    slow = [capture.step_ps[~capture.is_typical] for capture in side]
    count, of = sum(map(len, slow)), sum(len(capture.step_ps) for capture in side)
    if not count:
        return None
    distances = {int(d) for capture in side for d in np.diff(np.flatnonzero(~capture.is_typical))}
    comes_back = len(distances) == 1 and count > _TWICE * len(side)
    more = np.sum([_more(capture) for capture in side], axis=0)
    most = int(np.argmax(more))
    return SlowSteps(
        steps=count,
        of=of,
        every=distances.pop() if comes_back else 0,
        wall_ps=float(np.concatenate(slow).mean()),
        category=CATEGORIES[most].key,
        more_ps=float(more[most]) / count,
    )


def _more(capture: CaptureSide) -> F64:
    """By category, what all slow steps have more than as many typical ones."""
    exposed = capture.means.exposed_ps[capture.means.paid[: len(capture.means.exposed_ps)]]
    slow = exposed[~capture.is_typical]
    more: F64 = slow.sum(axis=0) - len(slow) * exposed[capture.is_typical].mean(axis=0)
    return more


# The first steps of a side, which are left out of its mean.


class WarmUp(NamedTuple):
    """wall_ps: the mean of theirs."""

    steps: int
    wall_ps: float


def warm_up(side: Sequence[CaptureSide]) -> WarmUp | None:
    wall = [ps for capture in side for ps in capture.means.wall_ps[capture.means.warm_up].tolist()]
    return WarmUp(len(wall), sum(wall) / len(wall)) if wall else None
