"""Hosts' steps side by side: which are the same, their means and statistics, and what ran in them."""

from .clocks import APART_MAX_NS, BEGINS, NO_COMMON_CLOCK, By, Clocks, offsets
from .hosts import HostSteps, RunSteps, host_steps, is_numbered, run_steps, titles
from .means import CUT, MAX_ROWS, Statistics, StepMeans, statistics, step_means
from .options import SLOW, SPLIT_OF, STEPS_FROM
from .summary import MARKED, Clues, Ranking, Spent, clues, merged

__all__ = [
    "APART_MAX_NS",
    "BEGINS",
    "CUT",
    "MARKED",
    "MAX_ROWS",
    "NO_COMMON_CLOCK",
    "SLOW",
    "SPLIT_OF",
    "STEPS_FROM",
    "By",
    "Clocks",
    "Clues",
    "HostSteps",
    "Ranking",
    "RunSteps",
    "Spent",
    "Statistics",
    "StepMeans",
    "clues",
    "host_steps",
    "is_numbered",
    "merged",
    "offsets",
    "run_steps",
    "statistics",
    "step_means",
    "titles",
]
