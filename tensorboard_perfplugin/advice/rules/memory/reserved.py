"""What PyTorch's allocator has reserved → how much of it no tensor uses."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.memory.systems import keeps
from ....analysis.memory.use import MemoryFacts
from ....threshold import Threshold
from ...finding import Finding

UNUSED_SHARE = Threshold(
    "unused_share", 0.25, "share", "an allocator always keeps some of what it reserved: a smaller part needs no action"
)
UNUSED_BYTES = Threshold("unused_bytes", 256 << 20, "bytes", "less than this is no batch's worth of a GPU's memory")


def reserved(facts: MemoryFacts) -> Iterator[Finding]:
    """What the allocator keeps of the device beyond what tensors hold, at their peak."""
    free = facts.system.free_bytes
    if free is None or not keeps(facts.system.system):
        return
    total = facts.peak_bytes + free
    share = free / total if total else 0.0
    params = {"reserved": total, "unused": share}
    if share < UNUSED_SHARE.value or free < UNUSED_BYTES.value:
        yield Finding(code="reserved_memory", params=params, share=share)
    else:
        yield Finding(code="reserved_memory.unused", params=params, severity="note", share=share)
