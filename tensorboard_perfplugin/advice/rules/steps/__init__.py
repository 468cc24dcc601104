"""Rules on steps: how they were found, how long they take, and what that time goes to."""

from .guessed import guessed
from .long_run import all_of_a_long_run

__all__ = ["all_of_a_long_run", "guessed"]
