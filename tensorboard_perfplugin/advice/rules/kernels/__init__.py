"""Rules on GPU kernels, copies and CUDA graphs: which take the time, and what makes them cheaper."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ....analysis.kernels import Merged
from ....threshold import Threshold
from ...finding import Finding
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

#: In the order of their findings, but for the warnings that lead.
RULES: tuple[Callable[[Merged], Iterator[Finding]], ...] = (
    largest_kernel,
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
LEADS = Threshold(
    "a warning that comes first",
    0.3,
    "share",
    "what concerns so much of the time, and can be changed, says more than which kernel is the largest",
    "chosen on the captures of the tests and public ones",
)


def kernel_findings(merged: Merged) -> tuple[Finding, ...]:
    findings = [finding for rule in RULES for finding in rule(merged)]
    return tuple(sorted(findings, key=_place))


def _place(finding: Finding) -> float:
    """What can be changed and concerns much of the time comes first, most of it before less; the rest in its order."""
    share = finding.share or 0.0
    return -share if finding.severity == "warning" and share >= LEADS.value else 0.0
