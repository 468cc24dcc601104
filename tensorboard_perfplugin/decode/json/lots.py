"""`parse.py` without it: events are cut into lots, each decoded at once by msgspec."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np

from ...tables import I64
from .plain import ARRAY_ENDED, COLUMNS, FULL, ODD, STAT_COLUMNS, TEXT_ENDED, Event, fill

try:
    from .scan import COMPILED, elements
except ImportError:
    COMPILED = False
if not COMPILED:
    from .walk import elements

#: Bytes decoded at a time, so that no more than a lot is held as objects. After what is not as usual it is a short one.
LOT_BYTES, SHORT_BYTES = 1 << 20, 1 << 12


@contextlib.contextmanager
def paused() -> Iterator[None]:
    """No collection of garbage meanwhile: looking at thousands of args takes half of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class Parser:
    """As the compiled one."""

    def __init__(self, texts: dict[str, int], ids: dict[Any, int]) -> None:
        self.texts, self.ids, self.lot = texts, ids, LOT_BYTES
        self.many, self.one = msgspec.json.Decoder(list[Event]), msgspec.json.Decoder(Event)

    def parse(self, text: memoryview, begin: int, end: int) -> tuple[int, int, I64, I64]:
        cuts, state = np.empty(1, np.int64), np.zeros(2, np.int64)
        if elements(text, begin, end, self.lot, cuts, state):
            status, stop = FULL, int(cuts[0])
        else:
            status, stop = ARRAY_ENDED if state[0] == 1 else TEXT_ENDED, int(state[1])
        with paused():
            batch, odd = self._decoded(text, begin, stop)
            rows, stats = self.rows_of(batch)
        if status == ARRAY_ENDED and odd < 0 and text[stop] != ord("]"):
            odd = stop
        if odd >= 0:
            self.lot = SHORT_BYTES
            return ODD, odd, rows, stats
        self.lot = min(2 * self.lot, LOT_BYTES)
        return status, stop + (status == ARRAY_ENDED), rows, stats

    def _decoded(self, text: memoryview, begin: int, stop: int) -> tuple[list[Event], int]:
        """Events, and where the first is that is not as usual; -1 where all are."""
        piece = bytes(text[begin:stop]).strip(b" \t\r\n,")
        with contextlib.suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return self.many.decode(b"".join((b"[", piece, b"]"))), -1
        cuts, state = np.empty(max(stop - begin, 0) + 1, np.int64), np.zeros(2, np.int64)
        ends = [*cuts[: elements(text, begin, stop, 0, cuts, state)].tolist(), stop]
        batch: list[Event] = []
        for first, last in zip([begin, *(each + 1 for each in ends)], ends, strict=False):
            piece = bytes(text[first:last])
            if bare := piece.lstrip(b" \t\r\n,"):
                try:
                    batch.append(self.one.decode(bare))
                except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                    return batch, first + len(piece) - len(bare)
        return batch, -1

    def rows_of(self, batch: list[Event]) -> tuple[I64, I64]:
        rows = np.zeros((len(batch), COLUMNS), np.int64)
        room = sum(len(event.args) for event in batch if type(event.args) is dict)
        stats = np.empty((room, STAT_COLUMNS), np.int64)
        fill(batch, rows, stats, self.texts, self.ids)
        return rows, stats
