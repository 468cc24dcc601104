"""Time in which nothing happens: a thread waits, or it is unknown why."""

from __future__ import annotations

from ....threshold import CHOSEN, Threshold
from .case import Answer, Case, Cause, largest, never, other_parts

WAITING_FIRST = Threshold("waiting_first", 0.3, "share", "waits, of which every program has some")
IDLE_FIRST = Threshold("idle_first", 0.3, "share", "idle time that nothing explains")
UNSEEN = Threshold(
    "waits for what is not seen", 0.5, "share", "of what waits, it is the call that waits for a device without work"
)
SPREAD = Threshold(
    "idle_spread",
    0.5,
    "share",
    "a device that has no work for so much of a step is what to look at, also where no cause of it is large",
    CHOSEN,
)


def idle_spread(case: Case, lost: float) -> Answer | None:
    """Several causes that each would be no answer. lost: of a step, in which the device has no work."""
    if not case.step.device or lost < SPREAD.value:
        return None
    return Answer("idle_spread", {"others": other_parts(case)})


def _waits(case: Case, ps: float) -> Answer:
    call, spent = largest(case.summary.unseen)
    if spent.ps >= UNSEEN.value * case.of_all(ps):
        return Answer("waiting.unseen", {"call": call}, search=call)
    return Answer("waiting", {})


def _idle(case: Case, ps: float) -> Answer:
    return Answer("idle_unexplained", {"device": case.step.device, "stacks": bool(case.summary.stacks) or None})


WAITING = Cause("waiting", ("waiting",), WAITING_FIRST, _waits, never)
IDLE = Cause("idle", ("idle",), IDLE_FIRST, _idle, never)
