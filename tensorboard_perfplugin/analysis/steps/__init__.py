"""Hosts' steps side by side: which are the same, their means and statistics, and what ran in them."""

from .clocks import APART_MAX_NS, Clocks, offsets
from .hosts import HostSteps, RunSteps, host_steps, is_numbered, run_steps, titles
from .means import CUT, MAX_ROWS, Statistics, StepMeans, statistics, step_means
from .options import SLOW, SPLIT_OF, STEPS_FROM
from .ranking import Ranking, Spent
from .summary import MARKED, StepSummary, merged, step_summary

__all__ = [
    "APART_MAX_NS",
    "CUT",
    "MARKED",
    "MAX_ROWS",
    "SLOW",
    "SPLIT_OF",
    "STEPS_FROM",
    "Clocks",
    "HostSteps",
    "Ranking",
    "RunSteps",
    "Spent",
    "Statistics",
    "StepMeans",
    "StepSummary",
    "host_steps",
    "is_numbered",
    "merged",
    "offsets",
    "run_steps",
    "statistics",
    "step_means",
    "step_summary",
    "titles",
]
