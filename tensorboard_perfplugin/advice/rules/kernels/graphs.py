"""CUDA graphs → that the kernels of some were not traced."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.kernels.merged import Merged, whole_graphs
from ....tables import row_text
from ...finding import Finding


def graphs_traced_whole(merged: Merged) -> Iterator[Finding]:
    whole = whole_graphs(merged)
    if whole is None:
        return
    device, graph = whole.device, whole.largest
    yield Finding(
        code="graphs_not_by_node",
        params={"launches": whole.launches, "graphs": whole.graphs, "total_ps": whole.total_ps},
        severity="note",
        tool="trace_viewer",
        search=row_text(
            "kernel_stats.graphs.total_us", host=device.host, device=device.name, graph=graph.graph, level=graph.level
        ),
        match="row",
    )
