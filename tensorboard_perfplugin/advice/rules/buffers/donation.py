"""An XLA program's parameters and outputs → how much memory donated arguments would save."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.buffers.host import Shown
from ....analysis.buffers.memory import DONATE
from ....threshold import Threshold
from ...finding import Finding
from .peak import named

DONATED_SHARE = Threshold(
    "donated_share", 0.1, "share", "a smaller part of the peak makes room for no larger batch", "batches grow by half"
)
DONATED_BYTES = Threshold(
    "donated_bytes", 16 << 20, "bytes", "less than this is no reason to give up arrays that the caller holds"
)
#: Arguments that are named.
_NAMED = 3


def could_be_donated(shown: Shown) -> Iterator[Finding]:
    peak = shown.space.peak_bytes
    saving = next((one for one in shown.savings if one.what == DONATE), None)
    if saving is None or saving.size < DONATED_BYTES.value or saving.size < DONATED_SHARE.value * peak:
        return
    rows = [row for row in shown.rows if row.held.saves == DONATE]
    yield Finding(
        code="program_donation",
        params={
            "program": shown.name,
            "bytes": saving.size,
            "share": saving.size / peak,
            "arguments": saving.buffers,
            "largest": tuple(named(row, row.held.saved_bytes) for row in rows[:_NAMED]),
        },
        severity="note",
        share=saving.size / peak,
        tool="memory_viewer",
    )
