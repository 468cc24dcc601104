"""Hosts' steps side by side: which are the same, their means and statistics, and what ran in them."""

from .clocks import APART_MAX_NS, Clocks, offsets
from .hosts import HostSteps, RunSteps, host_steps, is_numbered, run_steps, titles
from .means import CUT, MAX_ROWS, Statistics, StepMeans, statistics, step_means
from .options import SLOW, SPLIT_OF, STEPS_FROM
from .summary import MARKED, Clues, Ranking, Spent, clues, merged

__all__ = [
    "APART_MAX_NS",
    "CUT",
    "MARKED",
    "MAX_ROWS",
    "SLOW",
    "SPLIT_OF",
    "STEPS_FROM",
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
