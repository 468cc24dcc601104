"""Products on tensor cores whose sizes are no multiples of what fits 16 bytes → a finding."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.kernels.families import unaligned
from ....analysis.kernels.merged import Merged, kernel_key
from ....messages import Param
from ....tables import row_text
from ....threshold import CHOSEN, Threshold
from ...finding import Finding

WORTH = Threshold(
    "products of odd sizes",
    0.05,
    "share",
    "of the kernel time; padded sizes make up for part of it, and less is lost in the differences between captures",
    "chosen on public captures",
)
MUCH = Threshold("many products of odd sizes", 0.2, "share", "of the kernel time; less is a note", CHOSEN)
#: Sizes that are named.
_SIZES = 3


def odd_sizes(merged: Merged) -> Iterator[Finding]:
    found = unaligned(merged)
    if found is None or found.share < WORTH.value:
        return
    longest, call = found.longest, found.call
    params: dict[str, Param] = {
        "total_ps": found.total_ps,
        "share": found.share,
        "multiple": found.multiple,
        "kernel": longest.short,
        "kernel_ps": longest.total_ps,
    }
    if call is not None:
        odd = call.odd[:_SIZES]
        padded = -(-odd[0] // found.multiple) * found.multiple
        params |= {"op": call.op, "shapes": call.shapes, "odd": ", ".join(map(str, odd)), "size": odd[0]}
        params |= {"padded": padded}
    yield Finding(
        code="odd_sizes",
        params=params,
        severity="warning" if found.share >= MUCH.value else "note",
        share=found.share,
        tool="trace_viewer",
        search=row_text("kernel_stats.kernels.total_us", **kernel_key(merged, longest.row)),
        match="row",
    )
