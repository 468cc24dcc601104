"""Hosts' steps → which are of one program, where captures of several that have nothing in common lie in one run.

Ranks of one job run the same ops, or, as stages of a pipeline, other ops at one pace. Two programs that share neither
have no mean step: the one with most time is judged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...threshold import CHOSEN, Threshold
from ...timeline import UNRELATED
from .hosts import HostSteps, titles

PACE = Threshold(
    "pace of one job",
    1.1,
    "times",
    "ranks of a job wait for each other in each step, so that the median steps of its hosts differ by less",
    CHOSEN,
)
#: Programs that are told apart; further ones count to the first.
_MOST = 16


class Apart(NamedTuple):
    """hosts, others: titles of the hosts that are judged, and of those of other programs. steps_ps: the median step of
    the first of each. common: the most that a host of others has of its ops' time in common with the first judged."""

    hosts: tuple[str, ...]
    others: tuple[str, ...]
    steps_ps: tuple[float, float]
    common: float


def of_one_program(parts: Sequence[HostSteps]) -> list[bool]:
    """Which hosts are judged: those of the program with most time, and those without steps."""
    group = _groups(parts)
    wall: dict[int, float] = {}
    for part, of in zip(parts, group, strict=True):
        if of >= 0:
            wall[of] = wall.get(of, 0.0) + part.profile.wall_ps
    most = max(wall, key=lambda of: (wall[of], -of), default=0)
    return [of == most or not len(part.split.steps) for part, of in zip(parts, group, strict=True)]


def _groups(parts: Sequence[HostSteps]) -> list[int]:
    """Of each host the number of its program, that of the first that it is related to; -1 without steps."""
    firsts: list[HostSteps] = []
    found = []
    for part in parts:
        if not len(part.split.steps):
            found.append(-1)
            continue
        of = next((i for i, first in enumerate(firsts) if _related(part, first)), len(firsts))
        if of == len(firsts) < _MOST:
            firsts.append(part)
        found.append(of if of < len(firsts) else 0)
    return found


def _related(one: HostSteps, other: HostSteps) -> bool:
    """Whether two hosts may be of one program: by their ranks, by their ops, by their pace, or since nothing tells."""
    if one.rank is not None and other.rank is not None and one.world == other.world and (one.world or 1) > 1:
        return True
    a, b = one.profile, other.profile
    if not a.ops or not b.ops or a.common(b) >= UNRELATED.value:
        return True
    return max(a.step_ps, b.step_ps) < PACE.value * min(a.step_ps, b.step_ps)


def apart(parts: Sequence[HostSteps]) -> Apart | None:
    """None where all hosts are of one program."""
    judged = of_one_program(parts)
    if all(judged):
        return None
    called = titles(parts)
    mine = [part for part, is_mine in zip(parts, judged, strict=True) if is_mine and len(part.split.steps)]
    others = [part for part, is_mine in zip(parts, judged, strict=True) if not is_mine]
    return Apart(
        tuple(name for name, is_mine in zip(called, judged, strict=True) if is_mine),
        tuple(name for name, is_mine in zip(called, judged, strict=True) if not is_mine),
        (mine[0].profile.step_ps, others[0].profile.step_ps),
        max(part.profile.common(mine[0].profile) for part in others),
    )
