"""What is odd about the work that answers for a step's time, or about how that time changes → messages beside the
answer."""

from __future__ import annotations

from typing import NamedTuple

from ....analysis.path.costs import MOST_OF_PARENT, Part, part_of
from ....analysis.path.modifiers import Modifier
from ....analysis.steps.contents import event_label
from ....analysis.steps.means import growth
from ....analysis.steps.summary import COMPUTES
from ....messages import Message, Params
from ....threshold import Threshold
from .case import Case

NARROWER = Threshold(
    "narrower",
    0.5,
    "share",
    "of what ops on floats of 64 bits take, at least so much is saved in 32 bits",
    "on a CPU products of matrices of XLA take 2.0 times as long in 64 bits, convolutions of PyTorch 2.2 times",
)
ODD = Threshold(
    "odd work",
    0.125,
    "share",
    "of a step, odd work that costs so much is named beside the answer; less is where most of what is named is odd",
    "half of a fourth of a step",
)
#: What of odd work a step could do without.
_COSTS = {Modifier.WIDE: NARROWER.value, Modifier.AGAIN: 1.0, Modifier.MOVES: 1.0}
_CODES = {
    Modifier.WIDE: "modifier.wide",
    Modifier.AGAIN: "modifier.again",
    Modifier.MOVES: "modifier.moves",
}
#: Odd wherever it is; the rest is where it is most of what is named.
_EVERYWHERE = (Modifier.WIDE, Modifier.AGAIN)


DOUBLES = Threshold("steps that double", 2, "times", "steps that grow so much while they are captured go on to do so")


class Odd(NamedTuple):
    """cost: of a step, what it could do without."""

    message: Message
    cost: float


def odd_work(case: Case, part: Part | None, keys: tuple[str, ...]) -> tuple[Odd, ...]:
    """Of a step that computes, or of the part that is named; what costs most first."""
    tree = case.summary.costs
    if tree is None:
        return ()
    found = []
    for modifier in Modifier:
        ps = int(tree.odd_ps[:, modifier].sum())
        share = min(case.on_path(ps), 1.0)
        cost = _COSTS[modifier] * share
        is_most = part is not None and part.odd_ps[modifier] >= MOST_OF_PARENT.value * part.ps
        if ps and (is_most or (modifier in _EVERYWHERE and keys == COMPUTES and cost >= ODD.value)):
            op = event_label(tree.largest(modifier))
            params: Params = {"op": op, "share": share, "ps": share * case.step.step_ps}
            found.append(Odd(Message(_CODES[modifier], params), cost))
    return tuple(sorted(found, key=lambda odd: -odd.cost))


def grows(case: Case) -> tuple[Message, bool] | None:
    """That steps take longer and longer, and what of them does; whether it is a warning."""
    found = growth(case.step.means.wall_ps, case.step.means.typical)
    if found is None:
        return None
    part = part_of(case.summary.growth) if case.summary.growth else None
    params: Params = {**found._asdict(), "name": part.name if part and part.most else ""}
    return Message("modifier.grows", params), found.last_ps >= DOUBLES.value * found.first_ps
