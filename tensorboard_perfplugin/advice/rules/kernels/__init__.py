"""Rules on GPU kernels, copies and CUDA graphs: which take the time, and what makes them cheaper."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ....analysis.kernels.merged import Merged
from ....analysis.ops.sides import OpsOfKernels
from ...finding import Finding, by_severity
from .alignment import odd_sizes
from .attention import attention_unfused
from .clocks import clocks_disagree
from .copies import FAST, exposed_copies, slow_copies
from .doubles import computes_in_doubles
from .graphs import graphs_traced_whole
from .largest import largest_kernel
from .layouts import layouts_converted
from .occupancy import badly_filled
from .optimizer import optimizer_one_by_one
from .recomputed import forward_again
from .short import short_kernels
from .tensorcores import tensor_cores_missed
from .unavailable import no_gpu_work

__all__ = [
    "FAST",
    "RULES",
    "attention_unfused",
    "computes_in_doubles",
    "kernel_findings",
    "layouts_converted",
    "odd_sizes",
    "optimizer_one_by_one",
    "tensor_cores_missed",
]

#: Of equal severity and share the earlier rule's finding comes first.
RULES: tuple[Callable[[Merged], Iterator[Finding]], ...] = (
    no_gpu_work,
    short_kernels,
    tensor_cores_missed,
    layouts_converted,
    odd_sizes,
    attention_unfused,
    optimizer_one_by_one,
    computes_in_doubles,
    forward_again,
    badly_filled,
    slow_copies,
    exposed_copies,
    graphs_traced_whole,
    clocks_disagree,
)


def kernel_findings(merged: Merged, ops: OpsOfKernels) -> tuple[Finding, ...]:
    """What can be changed before what takes most, and of that what concerns most of the time. ops: of all hosts."""
    return by_severity((*largest_kernel(merged, ops), *(finding for rule in RULES for finding in rule(merged))))
