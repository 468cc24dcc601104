"""Devices, or hosts without, that wait longer for input than others → a finding."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.input.run import Input
from ....messages import Param
from ...finding import Finding
from .level import MODERATE


def uneven_waits(run: Input) -> Iterator[Finding]:
    """Of several, the one that waits longest and the one that waits least."""
    if len(run.units) < 2:
        return
    worst, best = (pick(run.units, key=lambda unit: unit.mean_ps) for pick in (max, min))
    if worst.mean_ps - best.mean_ps < MODERATE.value * run.longest_step_ps:
        return
    params: dict[str, Param] = {
        "worst": worst.name,
        "worst_host": worst.host,
        "most": worst.mean_ps,
        "best": best.name,
        "best_host": best.host,
        "least": best.mean_ps,
    }
    yield Finding(code="input_wait_uneven", params=params, severity="note", tool="pod_viewer")
