"""Why a capture has no steps → a part of a sentence."""

from __future__ import annotations

from ....messages import Message
from ....timeline import RULES


def why_no_steps(reason: str) -> Message:
    """reason: of the steps. What only TensorFlow records is not looked for in captures of other programs."""
    recorded = next(rule.goes_by for rule in RULES if rule.name == "recorded")
    params = {"reason": reason, "without_recorded": reason.replace(f"{recorded}; ", "")}
    return Message("why_no_steps", params)
