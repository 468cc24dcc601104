"""What programs write into the kernel's trace (Android's atrace: `B|4711|name`, `E`, `C|4711|name|3`) → slices."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ...tables import StatKind
from .blocks import Block, slices, with_stats
from .pairing import Bounds, pairs_of
from .tracks import Row, Tracks

#: Marks of a file that are read; each takes a line of text.
MOST_MARKS = 5_000_000


class Marks:
    """rows: time, thread, process, whether it begins, name. counted: time, process, name, value."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, int, int, int, str]] = []
        self.counted: list[tuple[int, int, str, int]] = []

    def add(self, time: int, thread: int, text: str) -> None:
        parts = text.strip("\0\n ").split("|", 3)
        kind = parts[0][-1:]
        pid = int(parts[1]) if len(parts) > 1 and parts[1].isascii() and parts[1].isdecimal() else 0
        if len(self.rows) + len(self.counted) >= MOST_MARKS or pid >= 1 << 31:
            return
        if kind == "B" and len(parts) > 2:
            self.rows.append((time, thread, pid, 1, "|".join(parts[2:])))
        elif kind == "E":
            self.rows.append((time, thread, pid, 0, ""))
        elif kind == "C" and len(parts) == 4:
            value = parts[3].strip()
            if value.removeprefix("-").isascii() and value.removeprefix("-").isdecimal() and len(value) < 19:
                self.counted.append((time, pid, parts[2], int(value)))

    def blocks(self, tracks: Tracks, texts: dict[str, int], shift: int, dropped: Counter[str]) -> list[Block]:
        made = [self._slices(tracks, texts, shift, dropped)] if self.rows else []
        return [*made, self._counters(tracks, texts, shift)] if self.counted else made

    def _slices(self, tracks: Tracks, texts: dict[str, int], shift: int, dropped: Counter[str]) -> Block:
        columns = [np.array([row[i] for row in self.rows], np.int64) for i in range(4)]
        time, thread, pid, opens = columns
        threads, of = np.unique(thread, return_inverse=True)
        rows = np.arange(len(time), dtype=np.int32)
        bounds = Bounds(rows, of.reshape(-1).astype(np.int32), time, opens.astype(np.uint8))
        begin, end, lost = pairs_of(bounds, len(threads))
        dropped["end_without_begin"] += lost
        until = np.where(end >= 0, time[end], time.max())
        pairs, which = np.unique(np.stack((pid[begin], thread[begin])), axis=1, return_inverse=True)
        places = np.array([tracks.thread(*pair) for pair in pairs.T.tolist()], np.int64)
        names = np.array([texts.setdefault(self.rows[i][4], len(texts)) for i in begin.tolist()], np.int64)
        zero = np.zeros(len(begin), np.int64)
        row = places[which.reshape(-1)] if len(begin) else zero
        return slices(names, zero, row, time[begin] + shift, until - time[begin])

    def _counters(self, tracks: Tracks, texts: dict[str, int], shift: int) -> Block:
        places: dict[tuple[int, str], int] = {}
        for _, pid, name, _ in self.counted:
            if (pid, name) not in places:
                places[pid, name] = tracks.add(Row(tracks.process(pid), name, name, is_counter=True))
        rows = np.array([places[pid, name] for _, pid, name, _ in self.counted], np.int64)
        names = np.array([texts.setdefault(name, len(texts)) for _, _, name, _ in self.counted], np.int64)
        time, values = (np.array([each[i] for each in self.counted], np.int64) for i in (0, 3))
        zero = np.zeros(len(rows), np.int64)
        block = slices(names, zero, rows, time + shift, zero)
        block.phase[:] = ord("C")
        return with_stats(block, [texts.setdefault("value", len(texts))], [StatKind.INT], [values])
