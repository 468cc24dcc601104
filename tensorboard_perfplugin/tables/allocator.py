"""What a caching allocator has reserved of its devices at one moment, and how it is divided."""

from __future__ import annotations

import dataclasses
import enum

from .arrays import I32, I64, U8
from .columns import Table, column


class BlockState(enum.IntEnum):
    """What a block is used for."""

    FREE = 0
    IN_USE = 1
    #: Given back by the program, still used by another stream.
    WAITS = 2


@dataclasses.dataclass(frozen=True, eq=False)
class Segments(Table):
    """A row is memory that the allocator took from a device at once, or mapped in one piece."""

    device: I32 = column("int32", "", "Number of the device.")
    address: I64 = column("int64", "", "Where it begins.")
    size: I64 = column("int64", "bytes", "Its length.")
    stream: I64 = column("int64", "id", "The stream that may use it.")
    pool: I32 = column("int32", "id", "Name of the private pool that it belongs to, a string id; empty without one.")
    is_large: U8 = column("uint8", "", "Whether it is for allocations of more than 1 MiB.")
    is_expandable: U8 = column("uint8", "", "Whether it grows by mapping more memory behind it.")
    blocks_begin: I64 = column("int64", "", "First row in `blocks`.")
    blocks_end: I64 = column("int64", "", "One past the last row in `blocks`.")


@dataclasses.dataclass(frozen=True, eq=False)
class Blocks(Table):
    """A row is a part of a segment, in use or free. Those of a segment are adjacent, by address."""

    address: I64 = column("int64", "", "Where it begins.")
    size: I64 = column("int64", "bytes", "Its length.")
    requested: I64 = column("int64", "bytes", "What the program asked for, of it.")
    state: U8 = column("uint8", "", "BlockState: free, in use, waits.")
    kind: I32 = column("int32", "", "Row of `kinds` that has the call stack which asked for it; -1 without.")


@dataclasses.dataclass(frozen=True, eq=False)
class Allocator:
    """segments, blocks: when the file was written. settings: of the allocator, as texts. has_history: whether what it
    did before was recorded.
    """

    segments: Segments
    blocks: Blocks
    settings: tuple[tuple[str, str], ...] = ()
    has_history: bool = True

    @property
    def nbytes(self) -> int:
        return sum(a.nbytes for table in (self.segments, self.blocks) for a in table.columns().values())

    def check(self, kinds: int) -> None:
        self.segments.check()
        self.blocks.check()
        n = len(self.blocks)
        begin, end = self.segments.blocks_begin, self.segments.blocks_end
        assert ((begin >= 0) & (begin <= end) & (end <= n)).all(), "blocks of a segment"
        assert ((self.blocks.kind >= -1) & (self.blocks.kind < kinds)).all(), "kind of a block"
