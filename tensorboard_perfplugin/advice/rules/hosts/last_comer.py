"""Who comes last to collectives → a finding, where that is another one than the worker that works longest."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.collectives.matching import WaitedFor
from ....analysis.hosts.workers import Pod, Straggler, step_ps
from ....threshold import CHOSEN, Threshold
from ...finding import Finding

MUCH = Threshold("waits for who comes last", 0.1, "share", "of a step; shorter ones come and go between steps", CHOSEN)
OFTEN = Threshold(
    "collectives of who comes last", 0.5, "share", "a worker is named if it comes last to so many of them", CHOSEN
)


def last_comer(pod: Pod, waited: WaitedFor | None, late: Straggler | None) -> Iterator[Finding]:
    """A worker may be the last because it begins its step late, though it works no longer than others."""
    mean, others = step_ps(pod), len(pod.workers) - 1
    if waited is None or others < 1 or not mean or waited.last < OFTEN.value * waited.collectives:
        return
    worker = pod.everyone[waited.worker]
    wait_ps = waited.wait_ps / others / max(int(pod.counted.sum()), 1)
    if wait_ps < MUCH.value * mean or (late is not None and worker in late.workers):
        return
    yield Finding(
        code="last_comer",
        params={
            "worker": worker.label,
            "last": waited.last,
            "collectives": waited.collectives,
            "wait_ps": wait_ps,
            "share": min(wait_ps / mean, 1.0),
        },
        severity="warning",
        share=min(wait_ps / mean, 1.0),
        tool="trace_viewer",
    )
