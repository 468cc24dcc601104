"""Hosts of a run whose programs have nothing in common → which are judged, and which are not."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.steps.means import Apart
from ....messages import Param
from ...finding import Finding
from ..listed import NAMES


def unrelated_hosts(found: Apart | None) -> Iterator[Finding]:
    if found is None:
        return
    judged_ps, others_ps = found.steps_ps
    params: dict[str, Param] = {
        "hosts": found.hosts[:NAMES],
        "more": len(found.hosts) - NAMES if len(found.hosts) > NAMES else None,
        "others": found.others[:NAMES],
        "more_others": len(found.others) - NAMES if len(found.others) > NAMES else None,
        "step_ps": judged_ps,
        "other_step_ps": others_ps,
        "common": found.common,
    }
    yield Finding(code="unrelated_programs", params=params, severity="warning", tool="trace_viewer")
