"""Kernels of the forward pass that run again in the backward pass → a finding."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from ....analysis.kernels.families import REMATERIALIZED, rematerialized_ps
from ....analysis.kernels.merged import Merged
from ....threshold import CHOSEN, Threshold
from ...finding import Finding
from ..listed import PLACES

WORTH = Threshold(
    "kernels run again", 0.1, "share", "of the kernel time; where memory is short, less is well spent", CHOSEN
)


def forward_again(merged: Merged) -> Iterator[Finding]:
    """As PyTorch's calls show it, or XLA's names of ops."""
    parts = [part.model.recomputed for part in merged.parts]
    by_name = rematerialized_ps(merged)
    total_ps = sum(part.total_ps for part in parts) + by_name
    if not total_ps or total_ps < WORTH.value * merged.total_ps:
        return
    share = min(total_ps / merged.total_ps, 1.0)
    yield Finding(
        code="forward_again",
        params={"total_ps": total_ps, "share": share, "times": sum(part.times for part in parts) or None},
        share=share,
        tool="trace_viewer",
        search=REMATERIALIZED if by_name else "",
        evidence=tuple(itertools.chain.from_iterable(part.places for part in parts))[:PLACES],
    )
