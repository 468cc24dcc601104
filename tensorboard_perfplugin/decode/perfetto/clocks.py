"""Clock snapshots → times of any clock as times of the trace's own, and the instant since the epoch of that.

A snapshot gives the times of several clocks at one instant. Clocks 64 to 127 are a sequence's own. Between two
snapshots a clock goes as it went at the one before; a clock that never stands beside the trace's own is taken through
a third, and where there is none as it is.
"""

from __future__ import annotations

import numpy as np

from ...tables import I64
from ...wire import LENGTH, VARINT, DamagedError, signed, walk

REALTIME, BOOTTIME = 1, 6
_OWN = range(64, 128)
#: Of a long trace one is taken a second or so.
MOST_SNAPSHOTS = 100_000
_FAR = 1 << 62


class Clocks:
    """primary: the trace's own clock. snapshots: of each the row of its sequence, and the ns of each clock."""

    def __init__(self) -> None:
        self.primary = BOOTTIME
        self.snapshots: list[tuple[int, dict[int, int]]] = []
        self.ticks: dict[tuple[int, int], int] = {}

    def add(self, data: bytes, row: int) -> tuple[int, int, int] | None:
        """One more; the clock that counts on from it: its number, its time in ns, ns a tick."""
        times: dict[int, int] = {}
        counting = None
        try:
            for field in walk(data, 0, len(data)):
                if field.number == 2 and field.wire == VARINT and 0 < field.value < 64:
                    self.primary = field.value
                elif field.number == 1 and field.wire == LENGTH:
                    clock, time, counts, tick = _clock(data, field.begin, field.end)
                    if not 0 <= time * tick < _FAR:
                        continue
                    times[clock] = time * tick
                    if tick != 1 and not counts and len(self.ticks) < MOST_SNAPSHOTS:
                        self.ticks[(row if clock in _OWN else -1), clock] = tick
                    if counts:
                        counting = clock, time * tick, tick
        except DamagedError:
            return counting
        if len(self.snapshots) < MOST_SNAPSHOTS:
            self.snapshots.append((row, times))
        return counting

    def pairs(self, clock: int, row: int, to: int) -> tuple[I64, I64]:
        """Times of a clock, ascending, and of another at the same instants."""
        found = [
            (times[clock], times[to])
            for of, times in self.snapshots
            if clock in times and to in times and (clock not in _OWN or of == row)
        ]
        at = np.array(sorted(set(found)), np.int64).reshape(-1, 2)
        return at[:, 0], at[:, 1]

    def in_trace(self, time: I64, clock: int, row: int) -> I64 | None:
        """Times of a clock in the trace's own; None where no snapshot says how. row: of the sequence."""
        scope = row if clock in _OWN else -1
        time = time * self.ticks.get((scope, clock), 1)
        if clock in (-1, self.primary):
            return time
        first, second = self.pairs(clock, row, self.primary)
        if len(first):
            return _moved(time, first, second)
        through = {other for of, times in self.snapshots if clock in times for other in times} - {clock, *_OWN}
        for other in sorted(through):
            own, theirs = self.pairs(clock, row, other)
            first, second = self.pairs(other, row, self.primary)
            # Another sequence's clock of the same number may be all that stands beside the third.
            if len(own) and len(first):
                return _moved(_moved(time, own, theirs), first, second)
        return None

    def since_epoch(self) -> int:
        """What is added to times of the trace to make them ns since the epoch; 0 where that is unknown."""
        if self.primary == REALTIME:
            return 0
        first, second = self.pairs(self.primary, -1, REALTIME)
        return int(second[0] - first[0]) if len(first) else 0


def _clock(data: bytes, begin: int, end: int) -> tuple[int, int, bool, int]:
    clock = time = 0
    counts, tick = False, 1
    for field in walk(data, begin, end):
        if field.wire != VARINT:
            continue
        if field.number == 1:
            clock = field.value & 0x7FFFFFFF
        elif field.number == 2:
            time = signed(field.value)
        elif field.number == 3:
            counts = bool(field.value)
        elif field.number == 4:
            tick = min(max(signed(field.value), 1), 10**9)
    return clock, time, counts, tick


def _moved(time: I64, first: I64, second: I64) -> I64:
    at = np.maximum(np.searchsorted(first, time, "right") - 1, 0)
    moved: I64 = time + (second - first)[at]
    return moved
