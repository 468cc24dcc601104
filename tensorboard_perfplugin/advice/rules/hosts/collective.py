"""What was found of one kind of collective → a finding that leads to its row."""

from __future__ import annotations

from collections.abc import Mapping

from ....analysis.collectives.calls import What
from ....messages import Param
from ....tables import row_text
from ...finding import Finding


def of_collective(what: What, code: str, params: Mapping[str, Param], share: float) -> Finding:
    """share: of a step."""
    kind, group = what
    key = {"group": group.name or None, "ranks": group.ranks or None, "group_size": group.size or None}
    return Finding(
        code=code,
        params={**params, "share": share},
        severity="warning",
        share=share,
        tool="trace_viewer",
        search=row_text("pod_viewer.collectives.total_ms", kind=kind, **key),
        match="row",
    )
