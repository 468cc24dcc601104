# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False
"""Bytes of a Perfetto trace → rows of numbers, packet by packet. Compiled with the types of `loop.pxd`; runs without.

A packet is read twice: first what it says of itself (its sequence, time, and what its sequence interns), which may
stand behind what it holds. Packets of which a file has few are given as they are (`others`).
"""

from __future__ import annotations

from typing import Any

from .events import Events
from .layout import BEYOND, DAMAGED, ENDED, FULL, LOST, PACKED, SHORT


class Parser(Events):
    """Use as `Words` says: `parse` piece by piece, and take the rows after each."""

    def parse(self, text: bytes, begin: int, end: int) -> tuple[int, int]:
        """Packets from `begin` on: why it stopped, and where to go on. Rows stay until the next call."""
        if text is not self.text:
            self._forget_near()
        self.text = text
        self.i = self.n = self.m = self.k = self.t = self.z = 0
        return self._all(text, begin, end)

    def _all(self, data: Any, begin: int, end: int) -> tuple[int, int]:
        at = begin
        while at < end:
            if self.i + 64 > self.rows.shape[0] or self.k + 8 > self.others.shape[0]:
                return FULL, at
            if self.t == self.tracks.shape[0] or self.z == self.ends.shape[0]:
                return FULL, at
            start = at
            at = self._varint(data, at, end)
            if at < 0:
                return (SHORT if end - start < 12 else DAMAGED), start
            if self.value & 7 != 2 or self.value >> 3 == 0:
                if self.value >> 3 == 0:
                    return DAMAGED, start
                at = self._skipped(data, at, end, self.value & 7)
                if at < 0:
                    return (SHORT if end - start < 12 else DAMAGED), start
                continue
            number = self.value >> 3
            at = self._varint(data, at, end)
            if at < 0:
                return (SHORT if end - start < 24 else DAMAGED), start
            size = self.value
            if size > end - at:
                return SHORT, start
            if number == 1:
                done = self._packet(data, at, at + size)
                if done == -3:
                    return FULL, start
                if done == -1:
                    self.dropped[DAMAGED] += 1
                if done == 1:
                    return PACKED, at + size
            at += size
        return ENDED, at

    def _packet(self, data: Any, begin: int, end: int) -> int:
        """One packet: 0 where it is read, 1 where it holds packed ones."""
        sequence = kind = body = stop = interned = interned_end = defaults = defaults_end = flags = stamp = 0
        has_stamp = 0
        clock = -1
        at = begin
        while at < end:
            at = self._field(data, at, end)
            if at < 0:
                return -1
            field = self.field
            if self.wire == 0:
                if field == 8:
                    stamp = self._signed()
                    has_stamp = 1
                elif field == 10:
                    sequence = self._signed()
                elif field == 13:
                    flags |= self._signed() & 3
                elif field == 41 and self.value:
                    flags |= 1
                elif field == 42 and self.value:
                    flags |= 4
                elif field == 58:
                    clock = self._signed() & 0xFFFFFFFF
            elif self.wire == 2:
                if field == 12:
                    interned = self.begin
                    interned_end = self.end
                elif field == 59:
                    defaults = self.begin
                    defaults_end = self.end
                elif field != 36 and field < 1000:
                    kind = field
                    body = self.begin
                    stop = self.end
        if kind == 60:
            return self._track(data, body, stop)
        row = self._sequence(sequence)
        if row < 0:
            self.dropped[BEYOND] += 1
            return 0
        if flags & 5:
            self._cleared(row, flags & 1)
        if interned_end > 0 and self._interned(data, interned, interned_end, row) < 0:
            return -1
        if defaults_end > 0 and self._defaults(data, defaults, defaults_end, row) < 0:
            return -1
        if kind == 50 or kind == 133:
            self.packed_begin = body
            self.packed_end = stop
            self.packed_kind = kind
            return 1
        if kind == 6:
            self._snapshot(data, body, stop, row)
        if kind == 0:
            return 0
        return self._timed(data, body, stop, kind, row, flags, stamp, has_stamp, clock)

    def _timed(
        self,
        data: Any,
        body: int,
        stop: int,
        kind: int,
        row: int,
        flags: int,
        stamp: int,
        has_stamp: int,
        clock: int,
    ) -> int:
        """A packet whose sequence is known, at its time."""
        before = self.state[row, 4]
        if clock < 0:
            clock = self.state[row, 1]
        if has_stamp and clock == self.state[row, 3] and clock >= 0:
            stamp = self._added(self.state[row, 4], stamp, self.state[row, 5])
            self.state[row, 4] = stamp
        if (flags & 2) and not self.state[row, 0]:
            self.dropped[LOST] += 1
            return 0
        done = self._held(data, body, stop, kind, row, stamp, has_stamp, clock)
        if done == -3:
            self.state[row, 4] = before
        return done

    def _held(self, data: Any, body: int, stop: int, kind: int, row: int, stamp: int, has: int, clock: int) -> int:
        """What a packet holds, as a row of events or of others."""
        i = self.i
        if kind == 11 or kind == 53 or kind == 52:
            for k in range(self.rows.shape[1]):
                self.rows[i, k] = 0
            self.rows[i, 0] = kind
            self.rows[i, 2] = row
            self.rows[i, 3] = stamp
            self.rows[i, 4] = clock
            self.rows[i, 11] = has
            n = self.n
            m = self.m
            if kind == 11:
                done = self._event(data, body, stop, row, i)
            elif kind == 53:
                done = self._stage(data, body, stop, row, i)
            else:
                return self._counters(data, body, stop, i)
            if done < 0:
                self.n = n
                self.m = m
                return done
            if kind == 11:
                self.rows[i, 5] = self._uuid(self.rows[i, 5])
                if self.rows[i, 1] == 2 and self.rows[i, 11] == 3 and self.n == n and self.m == m:
                    return self._end(i)
            self.rows[i, 8] = self.n - n
            self.i = i + 1
            return 0
        if kind == 6 or kind == 1 or kind == 2 or kind == 37 or kind == 43 or kind == 44 or kind == 126 or kind == 128:
            self._other(kind, body, stop, row, stamp, clock)
        return 0

    def _end(self, i: int) -> int:
        """A row that is an end and says no more than when: of these there are as many as of slices."""
        z = self.z
        self.ends[z, 0] = i
        self.ends[z, 1] = self.rows[i, 5]
        self.ends[z, 2] = self.rows[i, 3]
        self.ends[z, 3] = self.rows[i, 4]
        self.ends[z, 4] = self.rows[i, 2]
        self.z = z + 1
        return 0

    def _defaults(self, data: Any, at: int, end: int, row: int) -> int:
        while at < end:
            at = self._field(data, at, end)
            if at < 0:
                return -1
            if self.field == 58 and self.wire == 0:
                self.state[row, 1] = self._signed() & 0xFFFFFFFF
            elif self.field == 11 and self.wire == 2:
                inner = self.begin
                stop = self.end
                while inner < stop:
                    inner = self._field(data, inner, stop)
                    if inner < 0:
                        return -1
                    if self.field == 11 and self.wire == 0:
                        self.state[row, 2] = self._signed()
                        self.state[row, 6] = 1
        return 0

    def _snapshot(self, data: Any, begin: int, end: int, row: int) -> int:
        """A clock snapshot may set the clock that counts on: its id, its time in ns and ns a tick."""
        found = self.snapshot(self._piece(data, begin, end), row)
        if found is not None:
            self.state[row, 3], self.state[row, 4], self.state[row, 5] = found
        return 0

    def _track(self, data: Any, at: int, end: int) -> int:
        """A track's description: uuid, parent, name, what it has (1 a process, 2 a thread, 4 a counter), pid, tid,
        names of its process and its thread, unit (its number, or minus the number of its name), multiplier, whether
        values are differences, place among others."""
        t = self.t
        for k in range(self.tracks.shape[1]):
            self.tracks[t, k] = 0
        self.tracks[t, 9] = 1
        while at < end:
            at = self._field(data, at, end)
            if at < 0:
                return -1
            field = self.field
            if self.wire == 0:
                if field == 1 or field == 5:
                    self.tracks[t, 0 if field == 1 else 1] = self._signed()
                elif field == 12:
                    self.tracks[t, 11] = self._signed()
            elif self.wire == 2:
                if field == 2 or field == 10 or field == 13:
                    self.tracks[t, 2] = self._known(data, self.begin, self.end)
                elif field == 3 or field == 4 or field == 8:
                    self.tracks[t, 3] |= 1 if field == 3 else 2 if field == 4 else 4
                    if self._described(data, self.begin, self.end, t, field) < 0:
                        return -1
        self.t = t + 1
        return 0

    def _described(self, data: Any, at: int, end: int, t: int, what: int) -> int:
        """A process (3), a thread (4) or a counter (8) of a track."""
        while at < end:
            at = self._field(data, at, end)
            if at < 0:
                return -1
            field = self.field
            if self.wire == 2 and what == 3 and (field == 6 or field == 8):
                self.tracks[t, 6 if field == 6 else 12] = self._known(data, self.begin, self.end)
            elif self.wire == 2 and what == 4 and field == 5:
                self.tracks[t, 7] = self._known(data, self.begin, self.end)
            elif self.wire == 2 and what == 8 and field == 6:
                self.tracks[t, 8] = -self._known(data, self.begin, self.end)
            elif self.wire == 0 and what < 8 and field == 1:
                self.tracks[t, 4] = self._signed()
                self.tracks[t, 3] |= 8
            elif self.wire == 0 and what == 4 and field == 2:
                self.tracks[t, 5] = self._signed()
                self.tracks[t, 3] |= 16
            elif self.wire == 0 and what < 8 and field == 3:
                self.tracks[t, 11] = self._signed()
            elif self.wire == 0 and what == 8:
                if field == 3 and self.tracks[t, 8] == 0:
                    self.tracks[t, 8] = self._signed()
                elif field == 4:
                    self.tracks[t, 9] = self._signed()
                elif field == 5:
                    self.tracks[t, 10] = self._signed()
        return 0
