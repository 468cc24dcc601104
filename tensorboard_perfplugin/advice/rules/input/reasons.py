"""Why a capture has no steps → a part of a sentence."""

from __future__ import annotations

from ....messages import Message


def no_steps(reason: Message) -> Message:
    """reason: of the steps."""
    return Message("steps_missing", {"reason": reason})
