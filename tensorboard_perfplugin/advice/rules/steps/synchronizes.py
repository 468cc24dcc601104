"""Calls in which a program waits for its GPU, which then stands still → which, how often, and where they are made."""

from __future__ import annotations

from ....messages import Message, Param
from ....threshold import Threshold
from .case import MOST, WORTH, Answer, Case, largest

FIRST = Threshold(
    "synchronizes_first", 0.2, "share", "a device that stands still since the host waited for it instead of launching"
)
MOSTLY = Threshold(
    "mostly_synchronizes", 0.5, "share", "of what is lost between ops; where other causes take more they are the answer"
)


def synchronizes(case: Case) -> tuple[Answer, float] | None:
    """And what of a step the device stands still after them; None where that is not worth a line."""
    found = case.summary.synchronizations
    share = min(found.lost_ps / case.of_all(case.step.step_ps), 1.0)
    if not found.waits.times or share < WORTH.value:
        return None
    waits, (op, lost) = case.a_step(found.waits), largest(found.ops)
    params: dict[str, Param] = {
        "times": waits.times if waits.times > 1 else None,
        "once": waits.times == 1,
        "op": op if lost.ps >= MOST.value * found.lost_ps else None,
        "wait_ps": found.waits.ps / case.of_all(1),
    }
    function, spent = largest(found.functions)
    if spent.ps >= MOST.value * found.lost_ps:
        params["function"] = function
    place, in_place = largest(found.places)
    if in_place.ps >= MOST.value * found.lost_ps:
        params["place"] = place
    helper, asked = largest(found.helpers)
    if asked.ps >= MOST.value * found.lost_ps:
        params["remedy"] = Message(f"sync_remedy.{helper}")
    return Answer("synchronizes", params, search=op), share
