"""The merged kernels and copies → the summary's scalars, and why each that is unknown is."""

from __future__ import annotations

import numpy as np

from ...advice.text import Sentence
from ...analysis.kernels.merged import KernelTotals, Merged, kernel_totals, ratio, whole_graphs
from ...analysis.kernels.rows import UNKNOWN, Spread, percentile
from ...tables import Scalar
from .columns import SUMMARY
from .tables import PS_PER_US

PS_PER_MS = 1e9
NO_KERNEL = "no kernel ran"
NO_LAUNCH = "the capture joins no kernel to the host's call that launched it"
ONLY_GRAPHS = "all kernels are nodes of graphs, which are launched as a whole"
NO_NAME = "no kernel's name shows whether it is written for tensor cores"
ONLY_SUMS = "the file holds only sums over kernels"
NO_SIZE = "no copy of this capture has a size"
NO_COPY = "nothing was copied or filled"


def summary(merged: Merged, names: int, graphs: int) -> tuple[dict[str, Scalar], dict[str, str]]:
    """names, graphs: how many rows these tables have."""
    totals = kernel_totals(merged)
    values: dict[str, Scalar] = {
        "kernels_rows": len(merged.kernels),
        "names_rows": names,
        "copies_rows": len(merged.copies),
        "graphs_rows": graphs,
        **_kernels(merged, totals),
        **_tensor_cores(merged),
        **_launches(merged, totals),
        **_copies(merged),
        **_graphs(merged),
    }
    values = {c.name: values[c.name] for c in SUMMARY}
    return values, {name: _why(merged, name) for name, value in values.items() if value is None}


def _kernels(merged: Merged, totals: KernelTotals) -> dict[str, Scalar]:
    ran = merged.by_device
    return {
        "busy_device_count": int(np.count_nonzero(ran.kernels + ran.copies)),
        "kernel_count": totals.kernels,
        "kernel_ms": merged.total_ps / PS_PER_MS if len(merged.kernels) else None,
        "average_us": ratio(merged.total_ps / PS_PER_US, totals.kernels),
        "short_kernel_share": totals.short_share,
        "short_kernel_time_share": totals.short_time_share,
    }


def _tensor_cores(merged: Merged) -> dict[str, Scalar]:
    total = merged.kernels.total_ps
    known, used = float(total[merged.uses != UNKNOWN].sum()), float(total[merged.uses == 1].sum())
    return {
        "tensor_core_share": ratio(used, known),
        "tensor_core_unknown_share": ratio(merged.total_ps - known, merged.total_ps),
        "tensor_core_eligible_share": ratio(float(total[merged.eligible == 1].sum()), merged.total_ps),
        "tensor_core_missed_ms": float(total[merged.missed].sum()) / PS_PER_MS if known else None,
    }


def _launches(merged: Merged, totals: KernelTotals) -> dict[str, Scalar]:
    return {
        **_percentiles("latency", [p.latency for p in merged.parts]),
        "latency_count": totals.latencies,
        "clock_misfit_count": totals.misfits,
        **_percentiles("queue", [p.queue for p in merged.parts]),
        "starved_share": totals.starved_share,
    }


def _percentiles(what: str, spreads: list[Spread]) -> dict[str, Scalar]:
    values = {n: percentile(spreads, n / 100) for n in (50, 90, 99)}
    return {f"{what}_p{n}_us": None if value is None else value / PS_PER_US for n, value in values.items()}


def _copies(merged: Merged) -> dict[str, Scalar]:
    c = merged.copies
    if merged.all_sums:
        return dict.fromkeys(("copy_count", "copy_ms", "copied_bytes"))
    return {
        "copy_count": int(c.occurrences.sum()),
        "copy_ms": float(c.total_ps.sum()) / PS_PER_MS,
        "copied_bytes": int(min(c.size.sum(), 2.0**62)) if c.sized.any() else None,
    }


def _graphs(merged: Merged) -> dict[str, Scalar]:
    if merged.all_sums:
        return dict.fromkeys(("graph_kernel_share", "graph_only_ms"))
    inside = float(merged.kernels.total_ps[merged.kernels.in_graph == 1].sum())
    whole = whole_graphs(merged)
    whole_ps = whole.total_ps if whole else 0.0
    return {"graph_kernel_share": ratio(inside, merged.total_ps), "graph_only_ms": whole_ps / PS_PER_MS}


def _why(merged: Merged, name: str) -> str:
    if merged.all_sums and name.startswith(("cop", "graph", "latency", "queue", "starved", "short")):
        return ONLY_SUMS
    if name == "copied_bytes":
        return NO_SIZE if len(merged.copies) else NO_COPY
    if not len(merged.kernels):
        reasons = (p.unavailable for p in merged.parts if p.unavailable)
        return next((Sentence(reason.code, reason.params) for reason in reasons), NO_KERNEL)
    if name.startswith(("latency", "queue", "starved")):
        return ONLY_GRAPHS if (merged.kernels.in_graph == 1).all() else NO_LAUNCH
    if name.startswith("short"):
        return ONLY_SUMS
    return NO_NAME if merged.total_ps else "every kernel's duration is 0"
