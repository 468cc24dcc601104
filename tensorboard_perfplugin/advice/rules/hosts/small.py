"""Many small all-reduces right behind each other → that one call would do for them."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.collectives.efficiency import SmallCalls
from ....analysis.hosts.workers import Pod, step_ps
from ....messages import Param
from ....threshold import CHOSEN, Threshold
from ...finding import Finding
from .collective import of_collective

MANY = Threshold(
    "many small all-reduces",
    8,
    "calls",
    "of a worker and step; fewer are a loss, a norm and a few metrics",
    CHOSEN,
)
WORTH = Threshold(
    "small all-reduces worth a line", 0.05, "share", "of a step; less is lost in the differences between steps", CHOSEN
)


def small_collectives(pod: Pod, small: SmallCalls | None) -> Iterator[Finding]:
    mean = step_ps(pod) if small else 0.0
    if small is None or not mean or small.calls < MANY.value or small.lost_ps < WORTH.value * mean:
        return
    params: dict[str, Param] = {
        "calls": round(small.calls),
        "bytes": small.bytes,
        "each_ps": small.each_ps,
        "ps": small.lost_ps,
    }
    given = {name: value for name, value in params.items() if value is not None}
    yield of_collective(small.what, "collectives_small", given, min(small.lost_ps / mean, 1.0))
