"""The step of each event, and how that is known."""

from .assign import Assignment, How
from .assignment import Share, Shares, assigned_shares_of, assignment_of, chosen_assignment, outside_steps_of, steps_of
from .ended import MUCH_OUTSIDE, Outside

__all__ = [
    "MUCH_OUTSIDE",
    "Assignment",
    "How",
    "Outside",
    "Share",
    "Shares",
    "assigned_shares_of",
    "assignment_of",
    "chosen_assignment",
    "outside_steps_of",
    "steps_of",
]
