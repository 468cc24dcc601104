"""Rules: analysis → findings."""

from .capture import not_shown, reported
from .hosts import lost_ps, pod_findings, skew_ps
from .input import input_findings
from .kernels import kernel_findings
from .memory import Shown, elsewhere, memory_findings
from .negotiations import negotiation_findings
from .ops import op_findings
from .overview import overview_findings
from .steps import guessed
from .tf_data import tf_data_findings

__all__ = [
    "Shown",
    "elsewhere",
    "guessed",
    "input_findings",
    "kernel_findings",
    "lost_ps",
    "memory_findings",
    "negotiation_findings",
    "not_shown",
    "op_findings",
    "overview_findings",
    "pod_findings",
    "reported",
    "skew_ps",
    "tf_data_findings",
]
