"""An XLA program's buffers at the peak → how much of them is padding."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.buffers.host import PADDING, Shown
from ....threshold import Threshold
from ...finding import Finding
from .peak import named

PADDED_SHARE = Threshold(
    "padded_share", 0.2, "share", "tiles of 8 × 128 elements always leave some padding: a smaller part is no reason"
)
PADDED_BYTES = Threshold("padded_bytes", 64 << 20, "bytes", "less than this is no reason to change a shape for")


def mostly_padding(shown: Shown) -> Iterator[Finding]:
    peak = shown.space.peak_bytes
    saving = next((one for one in shown.savings if one.what == PADDING), None)
    if saving is None or saving.size < PADDED_BYTES.value or saving.size < PADDED_SHARE.value * peak:
        return
    largest = saving.largest.held
    yield Finding(
        code="program_padding",
        params={
            "program": shown.name,
            "peak": peak,
            "share": saving.size / peak,
            "bytes": saving.size,
            "largest": named(saving.largest, largest.size - largest.logical_bytes),
            "sizes": saving.largest.padded or None,
        },
        severity="note",
        share=saving.size / peak,
        tool="memory_viewer",
    )
