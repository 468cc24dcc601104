"""Why a capture has no steps → a part of a sentence."""

from __future__ import annotations

from ....messages import Message
from ....timeline import RULES


def no_steps(reason: str) -> Message:
    """reason: of the steps. What only TensorFlow records is not looked for in captures of other programs."""
    recorded = next(rule.goes_by for rule in RULES if rule.name == "recorded")
    return Message("no_steps", {"reason": reason, "without_recorded": reason.replace(f"{recorded}; ", "")})
