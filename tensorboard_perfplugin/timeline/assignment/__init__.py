"""The step of each event, and how that is known."""

from .assign import Assignment, How
from .assignment import Share, Shares, assigned_shares_of, assignment_of, steps_of

__all__ = ["Assignment", "How", "Share", "Shares", "assigned_shares_of", "assignment_of", "steps_of"]
