"""Attention that runs as products around a softmax → a finding."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from ....analysis.kernels.families import attention_of_ops
from ....analysis.kernels.merged import Merged, kernel_key
from ....tables import row_text
from ....threshold import CHOSEN, Threshold
from ...finding import Finding
from ..listed import PLACES

WORTH = Threshold(
    "attention that is not fused",
    0.05,
    "share",
    "of the kernel time; a fused kernel takes a part of it, and less is lost in the differences between captures",
    CHOSEN,
)
MUCH = Threshold("much attention that is not fused", 0.2, "share", "of the kernel time; less is a note", CHOSEN)


def attention_unfused(merged: Merged) -> Iterator[Finding]:
    """As PyTorch's calls show it, or the equations in JAX's names of ops."""
    parts = [part.model.attention for part in merged.parts]
    by_name = attention_of_ops(merged)
    total_ps = sum(part.total_ps for part in parts) + (by_name.total_ps if by_name else 0.0)
    if not total_ps or total_ps < WORTH.value * merged.total_ps:
        return
    share = min(total_ps / merged.total_ps, 1.0)
    yield Finding(
        code="attention_unfused.math" if any(part.math for part in parts) else "attention_unfused",
        params={"total_ps": total_ps, "share": share, "calls": sum(part.calls for part in parts) or None},
        severity="warning" if share >= MUCH.value else "note",
        share=share,
        tool="trace_viewer",
        search=row_text("kernel_stats.kernels.total_us", **kernel_key(merged, by_name.longest.row)) if by_name else "",
        match="row" if by_name else "text",
        evidence=tuple(itertools.chain.from_iterable(part.places for part in parts))[:PLACES],
    )
