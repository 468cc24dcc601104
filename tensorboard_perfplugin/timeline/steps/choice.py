"""Of calls that repeat, the one that is taken for the step: the dearest, on a main thread if that is no cheaper."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from ...tables import I64, Capture
from ...threshold import CHOSEN, Threshold
from .rows import Call, track_name

JITTED = re.compile(r"[A-Z]\w*Function\((.+)\)", re.DOTALL)
FRAME = re.compile(r"\$.*:\d+ .+|.*\.py[:(]\d+\)?:? .+", re.DOTALL)
MAIN_SHARE = Threshold(
    "main thread",
    0.25,
    "share",
    "a main thread's calls are the steps unless they cost less than this part of another thread's",
    CHOSEN,
)
#: Numbers of threads from here on are hashes.
_HASHES = 1 << 32
_MAIN = re.compile(r"python[\d.]*|main|MainThread", re.IGNORECASE)


Cost = Callable[[Call], int]


class Choice(NamedTuple):
    """The calls that are taken, what to name them, their share of the time of all their like, and those.

    end_ps: of each step, where it is not the call's own. left_out: calls before the first step. times: calls a step
    makes of the one that is taken. functions: where a step is what runs from pause to pause, how many it calls, else 0.
    """

    call: Call
    label: str
    share: float
    all: list[Call]
    end_ps: I64 | None = None
    left_out: int = 0
    times: int = 1
    functions: int = 0


def dearest(capture: Capture, every: list[Call], cost: Cost) -> Choice | None:
    """Of calls that repeat the one of highest cost."""
    again = [call for call in every if len(call.rows) > 1]
    if not again:
        return None
    dear = _on_main(capture, again, cost)
    total = sum(cost(call) for call in every)
    label = label_of(capture.event_name(int(dear.rows[0])))
    return Choice(dear, label, cost(dear) / total if total else 0.0, every)


def _on_main(capture: Capture, repeated: list[Call], cost: Cost) -> Call:
    """The dearest; of several main threads' the one of the program's first, whose number is the lowest.

    Where threads have hashes for numbers, these give no information.
    """
    best = max(repeated, key=cost)
    if not _MAIN.fullmatch(track_name(capture, best.track)):
        return best
    dear = [call for call in repeated if cost(call) >= MAIN_SHARE.value * cost(best)]
    main = [call for call in dear if _MAIN.fullmatch(track_name(capture, call.track))]
    if any(not 0 <= int(capture.tracks.id[call.track]) < _HASHES for call in main):
        return best
    first = min(main, key=lambda call: int(capture.tracks.id[call.track])).track
    return max((call for call in main if call.track == first), key=cost)


def named(capture: Capture, call: Call) -> str:
    return capture.event_name(int(call.rows[0]))[:200]


def label_of(name: str) -> str:
    """What people call the function: `f` of `PjitFunction(f)` and of `$train.py:12 f`."""
    if FRAME.fullmatch(name):
        return name.rpartition(" ")[2][:200]
    return function_of(name)[:200]


def function_of(name: str) -> str:
    match = JITTED.fullmatch(name)
    return match.group(1) if match else name
