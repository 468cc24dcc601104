"""Time in which nothing happens: a thread waits, or it is unknown why."""

from __future__ import annotations

from ....threshold import Threshold
from .case import Answer, Case, Cause, largest, never

WAITING_FIRST = Threshold("waiting_first", 0.3, "share", "waits, of which every program has some")
IDLE_FIRST = Threshold("idle_first", 0.3, "share", "idle time that nothing explains")
UNSEEN = Threshold(
    "waits for what is not seen", 0.5, "share", "of what waits, it is the call that waits for a device without work"
)


def _waits(case: Case, ps: float) -> Answer:
    call, spent = largest(case.summary.unseen)
    if spent.ps >= UNSEEN.value * case.of_all(ps):
        return Answer("waiting.unseen", {"call": call}, search=call)
    return Answer("waiting", {})


def _idle(case: Case, ps: float) -> Answer:
    return Answer("idle_unexplained", {"device": case.step.device, "stacks": bool(case.summary.stacks) or None})


WAITING = Cause("waiting", ("waiting",), WAITING_FIRST, _waits, never)
IDLE = Cause("idle", ("idle",), IDLE_FIRST, _idle, never)
