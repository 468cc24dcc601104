"""Hosts' steps side by side: which are the same, their means and statistics, and what ran in them."""

from .clocks import APART_MAX, BEGINS, NO_COMMON_CLOCK, By, Clocks, offsets
from .compilations import compilations
from .hosts import HostSteps, RunSteps, host_steps, is_numbered, outside_steps, run_steps, titles
from .issued import Issued, issued
from .means import (
    CUT,
    MAX_ROWS,
    Statistics,
    StepMeans,
    are_typical,
    is_cold,
    slow,
    slow_spans,
    statistics,
    step_means,
    usual_ps,
    whole_walls,
)
from .only_slow import is_output
from .options import SLOW, SPLIT_OF, STEPS_FROM
from .outside import OutOfSteps, all_out_of_steps
from .programs import Apart, apart, of_one_program
from .ranking import Inside, Ranking, Spent
from .summary import StepSummary, merged, step_summary
from .typical import COMPUTES, DeviceCompute, SlowSteps, TypicalStep, device_compute, places, slow_steps, typical_step

__all__ = [
    "APART_MAX",
    "BEGINS",
    "COMPUTES",
    "CUT",
    "MAX_ROWS",
    "NO_COMMON_CLOCK",
    "SLOW",
    "SPLIT_OF",
    "STEPS_FROM",
    "Apart",
    "By",
    "Clocks",
    "DeviceCompute",
    "HostSteps",
    "Inside",
    "Issued",
    "OutOfSteps",
    "Ranking",
    "RunSteps",
    "SlowSteps",
    "Spent",
    "Statistics",
    "StepMeans",
    "StepSummary",
    "TypicalStep",
    "all_out_of_steps",
    "apart",
    "are_typical",
    "compilations",
    "device_compute",
    "host_steps",
    "is_cold",
    "is_numbered",
    "is_output",
    "issued",
    "merged",
    "of_one_program",
    "offsets",
    "outside_steps",
    "places",
    "run_steps",
    "slow",
    "slow_spans",
    "slow_steps",
    "statistics",
    "step_means",
    "step_summary",
    "titles",
    "typical_step",
    "usual_ps",
    "whole_walls",
]
