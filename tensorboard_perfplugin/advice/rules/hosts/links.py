"""Collectives that are carried far slower than the links of their devices could → that these are not used."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.collectives.efficiency import SlowLink
from ....analysis.collectives.matching import Together
from ....analysis.hosts.workers import Pod, step_ps
from ....messages import Param
from ....threshold import CHOSEN, Threshold
from ...finding import Finding
from .collective import of_collective

SLOW = Threshold(
    "links that are not used",
    0.1,
    "share",
    "of what the links carry in one direction; through PCIe or the host's memory it is less, over one of several links "
    "between two devices more",
    "NVIDIA's data sheets: PCIe beside NVLink of P100 to B200; one link of V100 is a sixth of all",
)
WORTH = Threshold("slow links worth a line", 0.03, "share", "of a step; less is lost between steps", CHOSEN)


def slow_link(pod: Pod, all_: Together, found: SlowLink | None) -> Iterator[Finding]:
    mean = step_ps(pod) if found else 0.0
    if found is None or not mean:
        return
    if found.gb_s >= SLOW.value * found.link_gb_s or found.lost_ps < WORTH.value * mean:
        return
    share = min(found.lost_ps / mean, 1.0)
    params: dict[str, Param] = {
        "kind": all_.whats[found.what].kind,
        "model": found.model,
        "rate": found.gb_s * 1e9,
        "link": found.link_gb_s * 1e9,
        "ps": found.lost_ps,
    }
    yield of_collective(all_.whats[found.what], "link_not_used", params, share)
