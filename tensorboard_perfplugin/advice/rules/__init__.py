"""Rules: analysis → findings."""

from .buffers import buffer_findings, saving_how
from .capture import not_shown, reported
from .compare import compare_findings
from .functions import function_findings
from .hosts import (
    clock_difference,
    clocks_corrected,
    drawn_apart,
    gradients_wide,
    last_comer,
    negotiation_findings,
    pod_findings,
    slow_link,
    small_buckets,
    small_collectives,
    taking_turns,
    unrelated_hosts,
)
from .input import input_findings
from .kernels import kernel_findings
from .memory import (
    elsewhere,
    memory_findings,
    no_memory,
    not_shown_allocators,
    profile_findings,
    snapshot_findings,
)
from .ops import op_findings, padding
from .overview import overview_findings
from .programs import instruction_findings, op_profile_findings
from .roofline import roofline_findings
from .steps import guessed
from .tf_data import tf_data_findings

__all__ = [
    "buffer_findings",
    "clock_difference",
    "clocks_corrected",
    "compare_findings",
    "drawn_apart",
    "elsewhere",
    "function_findings",
    "gradients_wide",
    "guessed",
    "input_findings",
    "instruction_findings",
    "kernel_findings",
    "last_comer",
    "memory_findings",
    "negotiation_findings",
    "no_memory",
    "not_shown",
    "not_shown_allocators",
    "op_findings",
    "op_profile_findings",
    "overview_findings",
    "padding",
    "pod_findings",
    "profile_findings",
    "reported",
    "roofline_findings",
    "saving_how",
    "slow_link",
    "small_buckets",
    "small_collectives",
    "snapshot_findings",
    "taking_turns",
    "tf_data_findings",
    "unrelated_hosts",
]
"""Rules: analysis → findings, a folder a subject. A page imports its own subjects', so that it pays for no others."""
