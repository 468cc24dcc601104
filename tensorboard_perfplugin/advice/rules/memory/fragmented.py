"""Free memory in pieces → a finding."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.memory.use import MemoryFacts
from ....threshold import Threshold
from ...finding import Finding

FRAGMENTED = Threshold("fragmented", 0.5, "share", "below it the largest block is most of what is free")
FULL = Threshold("full", 0.5, "share", "of a memory that is less full any block is large enough")


def fragmented(facts: MemoryFacts) -> Iterator[Finding]:
    share, fragmentation = facts.system.peak_share, facts.system.fragmentation_share
    if share is None or fragmentation is None or facts.system.free_bytes is None or share < FULL.value:
        return
    if fragmentation >= FRAGMENTED.value:
        params = {"share": fragmentation}
        yield Finding(code="memory_fragmented", params=params, severity="note", share=fragmentation)
