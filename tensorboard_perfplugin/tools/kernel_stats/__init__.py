"""Timelines → which kernels the time of GPUs goes to, how they were launched, and what copies and fills cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...advice.rules.kernels import kernel_findings
from ...advice.text.catalogue import Sentence
from ...analysis.kernels.host import HostKernels, host_kernels, unavailable_reason
from ...analysis.kernels.merged import merge
from ...analysis.ops.sides import OpsOfKernels, ops_of_kernels, together
from ...analysis.path.times import event_times, with_path
from ...tables import LIMIT, Option, Options, evaluate, row_limit, side_by_side
from ...timeline.ops.pytorch import grouped_ops_of
from ...timeline.timeline import Timeline
from ..declaration import Result, Tool, View
from .tables import COPIES, DEVICES, DURATIONS, GRAPHS, KERNELS, NAMES, SUMMARY, tables, unknown


class Part(NamedTuple):
    """One host's kernels, and what is known of their ops."""

    kernels: HostKernels
    ops: OpsOfKernels


def per_host(timeline: Timeline, options: Options) -> Part:
    # Kernels need the path through the steps last, ops need nothing of either.
    _, (ops, kernels) = side_by_side(
        len(timeline.capture.events),
        lambda: event_times(timeline),
        lambda: (ops_of_kernels(timeline), host_kernels(timeline, event_times)),
    )
    ops = ops._replace(rows=with_path(timeline, ops.rows, grouped_ops_of(timeline, "op")))
    return Part(kernels, ops)


def combine(parts: Sequence[Part], options: Options) -> Result:
    merged = merge([part.kernels for part in parts], str(options["by"]))
    cells, facts = tables(merged, row_limit(options))
    summary = evaluate(SUMMARY, facts)
    findings = kernel_findings(merged, together(part.ops for part in parts))
    return Result(summary, cells, unknown(merged, summary), findings)


def missing(timeline: Timeline) -> str | None:
    """Why a timeline has no GPU work, and where what ran is shown if it has no GPU."""
    reason = unavailable_reason(timeline)
    if reason is None:
        return None
    if reason.code.startswith("no_gpu."):
        return Sentence("no_gpu.elsewhere", {"reason": reason})
    return Sentence(reason.code, reason.params)


BY = Option(
    "by",
    "text",
    "kernel",
    "What rows are kept apart by: `kernel` sums all hosts and devices, `host` sums the devices of each host, `device` "
    "sums nothing.",
    ("kernel", "host", "device"),
)

KERNEL_STATS = Tool(
    name="kernel_stats",
    title="GPU kernels",
    question="Which kernels does the GPU time go to?",
    help="Time, launch and tensor cores of every GPU kernel, with its op; copies, CUDA graphs and launch latency.",
    summary=SUMMARY,
    tables=(KERNELS, NAMES, COPIES, GRAPHS, DURATIONS, DEVICES),
    views=(
        View("page"),
        View("facts"),
        View("pie", table="names", label="short_name", values=("total_us",)),
        View("table", table="kernels"),
        View("bars", table="durations", label="duration", values=("kernels",)),
        View("table", table="copies"),
        View("table", table="graphs"),
        View("table", table="devices"),
    ),
    per_host=per_host,
    combine=combine,
    options=(BY, LIMIT),
    missing=missing,
)
