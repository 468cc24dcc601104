"""Parts of the memory in use at a peak: allocations of ops, and what none explains."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

#: Allocations of the capture; what was there before and is freed within it, or not; what the runtime reserved; what
#: contradicts the rest.
OP, FREED_LATER, NOT_FREED, STACK, UNEXPLAINED = "op", "freed_later", "not_freed", "stack", "unexplained"
#: Allocated before the capture.
BEFORE = (FREED_LATER, NOT_FREED)


@dataclasses.dataclass(frozen=True)
class Live:
    """Equal allocations that are live at the peak, or a part of it that no allocation explains.

    size: bytes of one, count: how many. data_type: TensorFlow's number. requested: bytes of one, None where it is not
    known. step: of the last of them. steps: in how many they were allocated. age_ps: of the oldest.
    """

    kind: str
    size: int
    count: int = 1
    op: str = ""
    op_from: str = ""
    region: str = ""
    data_type: int = 0
    shape: str = ""
    requested: int | None = None
    step: str = ""
    steps: int | None = None
    age_ps: int | None = None

    @property
    def total(self) -> int:
        return self.size * self.count


def bytes_of(live: Sequence[Live], kinds: Sequence[str]) -> int:
    return sum(part.total for part in live if part.kind in kinds)
