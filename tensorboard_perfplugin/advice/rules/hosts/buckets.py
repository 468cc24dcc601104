"""All-reduces of a few hundred KiB to a few MiB right behind each other → that fewer and larger ones are faster."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.collectives.efficiency import Unbucketed
from ....analysis.collectives.matching import Together
from ....analysis.hosts.workers import Pod, step_ps
from ....messages import Param
from ....threshold import CHOSEN, Threshold
from ...finding import Finding
from .collective import of_collective

MANY = Threshold(
    "many all-reduces below a bucket", 8, "calls", "of a worker and step; fewer are the rests of buckets", CHOSEN
)
WORTH = Threshold(
    "all-reduces below a bucket worth a line",
    0.05,
    "share",
    "of a step; less is lost in the differences between steps",
    CHOSEN,
)


def small_buckets(pod: Pod, all_: Together, found: Unbucketed | None) -> Iterator[Finding]:
    mean = step_ps(pod) if found else 0.0
    if found is None or not mean or found.calls < MANY.value or found.lost_ps < WORTH.value * mean:
        return
    share = min(found.lost_ps / mean, 1.0)
    params: dict[str, Param] = {
        "calls": round(found.calls),
        "bytes": found.bytes,
        "rate": found.gb_s * 1e9,
        "large": found.large_gb_s * 1e9,
        "ps": found.lost_ps,
    }
    yield of_collective(all_.whats[found.what], "collectives_unbucketed", params, share)
