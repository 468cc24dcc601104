"""What autograd's anomaly mode takes of a step → an answer."""

from __future__ import annotations

from ....threshold import CHOSEN, Threshold
from .case import WORTH, Answer, Case

FIRST = Threshold(
    "anomaly_first", 0.1, "share", "of a step, from which on a mode for debugging that is left on is the answer", CHOSEN
)


def anomaly_mode(case: Case) -> tuple[Answer, float] | None:
    """With what of a step it takes: no step needs any of it."""
    spent = case.a_step(case.summary.anomaly)
    share = min(spent.ps / case.step.step_ps, 1.0)
    if not spent.times or share < WORTH.value:
        return None
    return Answer("anomaly_mode", {"nodes": spent.times}, "op_stats", "aten::isnan"), share
