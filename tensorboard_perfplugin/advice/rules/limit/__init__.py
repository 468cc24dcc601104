"""The stage that limits an input pipeline → what it costs the steps, and what to change, as parts of sentences.

No rule of its own: those on input, tf.data and steps share it."""

from .action import slow_stage_action
from .reason import explains, limit_action, limit_reason, stage_cost, stage_limits

__all__ = [
    "explains",
    "limit_action",
    "limit_reason",
    "slow_stage_action",
    "stage_cost",
    "stage_limits",
]
