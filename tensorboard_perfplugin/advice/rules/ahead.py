"""How long ops run in steps and outside of them → whether steps only issue work, so that their time says nothing of it.

The overview and the page on input decide by the same."""

from __future__ import annotations

from ...threshold import Threshold

AHEAD = Threshold(
    "runs_ahead", 3, "times", "ops run so much longer outside of steps than in them, or than the steps take"
)


def only_issue(inside_ps: float, outside_ps: float, steps_ps: float) -> bool:
    """Of steps of a host that has no device. steps_ps: what all of them take."""
    return outside_ps >= AHEAD.value * max(inside_ps, steps_ps)
