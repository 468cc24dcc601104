"""Pipelines' threads that fill a host's cores while its GPUs wait for a launch → a finding."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.tf_data.partial import Contention, Run
from ....messages import Param
from ....tables import row_text
from ....threshold import CHOSEN, Threshold
from ...finding import Finding
from ..input.level import MODERATE

MORE = Threshold(
    "late_while_full",
    2,
    "times",
    "launches are late so much more of the time while cores are full; where they are late all the same else, threads "
    "of the pipeline are not why",
    CHOSEN,
)
REST = Threshold(
    "rest_of_steps",
    0.1,
    "share",
    "of the steps, in which cores are not full: in less there is nothing to compare",
    CHOSEN,
)
THREADS = Threshold(
    "threads_without_cores", 4, "threads", "fewer threads at once fill no host of which the cores are not known", CHOSEN
)
#: Cores that are left to what launches.
_LEFT = 2


def threads_contend(run: Run) -> Iterator[Finding]:
    """Of each host with GPUs."""
    several = len(run.hosts) > 1
    for host in run.hosts:
        yield from contends(host.contention, host.host if several else None)


def contends(found: Contention | None, host: str | None) -> Iterator[Finding]:
    """Of one host, whose name is told where there are others."""
    if found is None or found.share < MODERATE.value or not _while_full(found):
        return
    params: dict[str, Param] = {
        "late": found.late_ps / max(found.steps, 1),
        "share": found.share,
        "cores": found.cores or None,
        "threads": found.threads,
        "times": found.times if found.rest_share >= REST.value else None,
        "private": found.private,
        "pool": max(found.cores - _LEFT, 1) if found.cores else None,
        "host": host,
    }
    yield Finding(
        code="tf_data_contends",
        params=params,
        severity="note" if found.cores else "info",
        share=found.share,
        tool="trace_viewer",
        search=row_text("overview.split.step_ms", category="launch"),
        match="row",
    )


def _while_full(found: Contention) -> bool:
    """Whether that is when launches are late; of too little else to compare with, that the number of cores is known."""
    if not found.cores and found.threads < THREADS.value:
        return False
    if found.rest_share < REST.value:
        return bool(found.cores)
    return found.times is None or found.times >= MORE.value
