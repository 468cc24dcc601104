"""Sums of 32-bit floats over ranks, beside compute in 16 bits → that half of the bytes would do."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.collectives.efficiency import WideSums
from ....analysis.collectives.matching import Together
from ....analysis.hosts.workers import Pod, step_ps
from ....analysis.steps.summary import COMPUTES
from ....messages import Param
from ....threshold import CHOSEN, Threshold
from ....timeline.timeline import INDEX
from ...finding import Finding
from .collective import of_collective

MIXED = Threshold(
    "compute in 16 bits",
    0.5,
    "share",
    "of the compute of a step; a program that computes so much in 16 bits has gradients that hold no more",
    CHOSEN,
)
WORTH = Threshold(
    "sums of 32 bits worth a line", 0.05, "share", "of a step; less is lost in the differences between steps", CHOSEN
)
_NARROW = ("compute_8bit", "compute_16bit")
#: What of their time half of the bytes saves.
_HALF = 0.5


def gradients_wide(pod: Pod, all_: Together, found: WideSums | None) -> Iterator[Finding]:
    mean = step_ps(pod) if found else 0.0
    if found is None or not mean:
        return
    narrow, share = _narrow(pod), min(_HALF * found.exposed_ps / mean, 1.0)
    if narrow < MIXED.value or share < WORTH.value:
        return
    params: dict[str, Param] = {
        "kind": all_.whats[found.what].kind,
        "calls": max(round(found.calls), 1),
        "bytes": found.bytes,
        "exposed_ps": found.exposed_ps,
        "narrow": narrow,
        "ps": _HALF * found.exposed_ps,
    }
    yield of_collective(all_.whats[found.what], "gradients_wide", params, share)


def _narrow(pod: Pod) -> float:
    """The part of a step's compute that is in 16 bits or fewer."""
    mean = pod.means.mean_ps(pod.means.exposed_ps)
    of = {key: float(mean[INDEX[key]]) for key in COMPUTES}
    return sum(of[key] for key in _NARROW) / (sum(of.values()) or 1.0)
