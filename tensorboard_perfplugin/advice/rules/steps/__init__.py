"""Rules on steps: how they were found, how long they take, and what that time goes to."""

from .case import Case, Cause, case, step_time
from .guessed import guessed
from .launch import LAUNCH
from .notes import all_of_a_long_run
from .outside import IN_NO_STEP, OUTSIDE_STEPS, divided
from .slow import SLOW_STEPS
from .verdict import CAUSES, verdict

__all__ = [
    "CAUSES",
    "IN_NO_STEP",
    "LAUNCH",
    "OUTSIDE_STEPS",
    "SLOW_STEPS",
    "Case",
    "Cause",
    "all_of_a_long_run",
    "case",
    "divided",
    "guessed",
    "step_time",
    "verdict",
]
