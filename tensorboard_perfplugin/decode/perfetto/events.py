# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: annotation_typing=False
"""Track events, what ran on GPUs and counters of these → rows. Compiled with the types of `events.pxd`; runs without.

Rows are as `layout.py` says. A function gives 0, or -1 where its bytes are damaged, -3 where there is no room; those
that write one stat -1 where there is no room, -2 where bytes are damaged.
"""

from __future__ import annotations

import struct
from typing import Any

from .words import Words


class Events(Words):
    """Reads what packets hold."""

    def _interned(self, data: Any, at: int, end: int, row: int) -> int:
        while at < end:
            at = self._field(data, at, end)
            if at < 0:
                return -1
            field = self.field
            if self.wire != 2:
                continue
            table = -1
            if field == 2:
                table = 0
            elif field == 1:
                table = 1
            elif field == 3:
                table = 2
            elif field == 29:
                table = 3
            elif field == 4:
                table = 4
            elif field == 24:
                table = 5
            elif field == 1000:
                table = 6
            elif field == 1001:
                table = 7
            elif field == 47 or (5 <= field <= 7) or (16 <= field <= 19) or field == 23:
                self._other(1000 + field, self.begin, self.end, row, self.state[row, 7], 0)
            if table >= 0 and self._entry(data, self.begin, self.end, row, table) < 0:
                return -1
        return 0

    def _entry(self, data: Any, begin: int, end: int, row: int, table: int) -> int:
        """One interned text: its number, and the text (of a kernel the demangled one, of a place in code all)."""
        iid = 0
        found = -1
        at = begin
        while at < end:
            at = self._field(data, at, end)
            if at < 0:
                return -1
            if self.field == 1 and self.wire == 0:
                iid = self._signed()
            elif self.wire == 2 and (self.field == 2 or (self.field == 3 and table == 6)) and table != 4:
                found = self._known(data, self.begin, self.end)
        if table == 4:
            found = self._place(data, begin, end)
        if found >= 0 and iid != 0:
            self._put(row, table, iid, found)
        return 0

    def _place(self, data: Any, at: int, end: int) -> int:
        """`file:line (function)` of a place in source code."""
        line = 0
        file = function = ""
        while at < end:
            at = self._field(data, at, end)
            if at < 0:
                return 0
            if self.wire == 2 and self.field == 2:
                file = self._piece(data, self.begin, self.end).decode("utf-8", "replace")
            elif self.wire == 2 and self.field == 3:
                function = self._piece(data, self.begin, self.end).decode("utf-8", "replace")
            elif self.wire == 0 and self.field == 4:
                line = self._signed()
        text = f"{file}:{line}" if line else file
        return int(self.number(f"{text} ({function})" if function else text))

    def _event(self, data: Any, begin: int, end: int, row: int, i: int) -> int:
        """A track event: 0, or why not."""
        if self.state[row, 6]:
            self.rows[i, 5] = self.state[row, 2]
            self.rows[i, 11] |= 2
        categories = 0
        at = begin
        while at < end:
            at = self._field(data, at, end)
            if at < 0:
                return -1
            field = self.field
            wire = self.wire
            if field == 4 and wire == 2:
                done = self._annotation(data, self.begin, self.end, row)
                if done < 0:
                    return done
            elif field == 9 and wire == 0:
                self.rows[i, 1] = self._signed() & 255
            elif field == 11 and wire == 0:
                self.rows[i, 5] = self._signed()
                self.rows[i, 11] |= 2
            elif field == 10 and wire == 0:
                self.rows[i, 6] = self._of(row, 0, self._signed())
            elif field == 23 and wire == 2:
                self.rows[i, 6] = self._known(data, self.begin, self.end)
            elif field == 3 or field == 22:
                categories += 1
                self._category(data, at, row, i, categories)
            elif field == 30 and wire == 0:
                self.rows[i, 9] = 1
                self.rows[i, 10] = self._signed()
            elif field == 44 and wire == 1:
                self.rows[i, 9] = 3
                self.rows[i, 10] = self._signed()
            elif field == 36 or field == 42 or field == 47 or field == 48:
                if self._flow(data, at, i, 1 if field == 36 or field == 47 else 2) < 0:
                    return -3
            elif field == 6 and wire == 2:
                done = self._legacy(data, self.begin, self.end, row, i)
                if done < 0:
                    return done
            elif (field == 1 or field == 16) and wire == 0:
                self.rows[i, 3] = self._signed()
                self.rows[i, 11] |= 8 if field == 1 else 16
            elif field == 34 and wire == 0:
                if self._stat(self.source, 4, self._of(row, 4, self._signed())) < 0:
                    return -3
            elif field == 33 and wire == 2 and self._stat(self.source, 4, self._place(data, self.begin, self.end)) < 0:
                return -3
        return 0

    def _category(self, data: Any, at: int, row: int, i: int, count: int) -> int:
        """The category just read; of several a list."""
        if self.wire == 0:
            found = self._of(row, 1, self._signed())
        elif self.field == 22:
            found = self._known(data, self.begin, self.end)
        else:
            # Numbers that are packed.
            found = 0
            inner = self.begin
            while inner < at:
                inner = self._varint(data, inner, at)
                if inner < 0:
                    return 0
                one = self._of(row, 1, self._signed())
                found = one if found == 0 else self._joined(found, one)
        if count > 1 and self.rows[i, 7] != 0:
            found = self._joined(self.rows[i, 7], found)
        self.rows[i, 7] = found
        return 0

    def _joined(self, first: int, second: int) -> int:
        key = struct.pack("<3q", -1, first, second)
        found = self.whole.get(key)
        if found is None:
            found = self.whole[key] = self.number(f"{self.listed[first]},{self.listed[second]}"[:1000])
        return int(found)

    def _flow(self, data: Any, at: int, i: int, what: int) -> int:
        if self.wire != 2:
            return self._more(i, what, self._signed())
        inner = self.begin
        is_fixed = self.field >= 47
        while inner < at:
            inner = self._skipped(data, inner, at, 1 if is_fixed else 0)
            if inner < 0:
                return 0
            if self._more(i, what, self._signed()) < 0:
                return -1
        return 0

    def _legacy(self, data: Any, at: int, end: int, row: int, i: int) -> int:
        """Chrome's own words for an event: of each field that is read a row of `more`, 16 + its number."""
        self.rows[i, 11] |= 4
        while at < end:
            at = self._field(data, at, end)
            if at < 0:
                return -1
            field = self.field
            if field == 1 and self.wire == 0 and self.rows[i, 6] == 0:
                self.rows[i, 6] = self._of(row, 0, self._signed())
            elif (self.wire == 0 and field < 32 and self._more(i, 16 + field, self._signed()) < 0) or (
                self.wire == 2 and field == 7 and self._more(i, 23, self._known(data, self.begin, self.end)) < 0
            ):
                return -3
        return 0

    def _annotation(self, data: Any, begin: int, end: int, row: int) -> int:
        """An arg: a row of stats."""
        key = kind = made = nested = 0
        at = begin
        while at < end:
            at = self._field(data, at, end)
            if at < 0:
                return -1
            field = self.field
            if self.wire == 2:
                if field == 10:
                    key = self._known(data, self.begin, self.end)
                elif field == 6 or field == 9:
                    kind = 4
                    made = self._known(data, self.begin, self.end)
                elif field == 8 or field == 11 or field == 12:
                    nested = 1
            elif self.wire == 0:
                if field == 1:
                    key = self._of(row, 2, self._signed())
                elif field == 4 or field == 2:
                    kind = 1
                    made = self._signed()
                elif field == 3 or field == 7:
                    made = self._signed()
                    kind = 2 if made < 0 else 1
                elif field == 17:
                    kind = 4
                    made = self._of(row, 3, self._signed())
            elif self.wire == 1 and field == 5:
                kind = 3
                made = self._signed()
        if nested:
            kind = 4
            made = self._nested(data, begin, end, row)
        if kind == 0:
            kind = 4
            made = self.empty
        return 0 if self._stat(key, kind, made) == 0 else -3

    def _nested(self, data: Any, begin: int, end: int, row: int) -> int:
        """The number of the text of an annotation that holds others."""
        size = end - begin
        place = -1
        if self.is_compiled and size > 0:
            place = self._alike(data, begin, size)
            if self._is_near(data, begin, size, place):
                return int(self.near[place, 2])
        token = self._piece(data, begin, end)
        found = self.whole.get(token)
        if found is None:
            text, is_same = self.nested(token, self, row)
            found = self.number(text)
            if not is_same:
                return int(found)
            self.whole[token] = found
        if place >= 0:
            self._put_near(begin, size, place, found)
        return int(found)

    def _stage(self, data: Any, begin: int, end: int, row: int, i: int) -> int:
        """What ran on a GPU: queue, stage and device in the row, all else as args."""
        name = kernel = stage = done = 0
        queue = -1
        at = begin
        while at < end and done == 0:
            at = self._field(data, at, end)
            if at < 0:
                return -1
            field = self.field
            if self.wire == 0:
                if field == 1:
                    done = self._stat(self.event_id, 1, self._signed())
                elif field == 2:
                    self.rows[i, 12] = self._signed()
                elif field == 13:
                    queue = self._of(row, 5, self._signed())
                elif field == 14:
                    stage = self._of(row, 5, self._signed())
                elif field == 3:
                    queue = -2 - (self._signed() & 0xFFFF)
                elif field == 4:
                    self.rows[i, 9] = 1 + (self._signed() & 0xFFFF)
                elif field == 11:
                    self.rows[i, 10] = self._signed()
                elif field == 10:
                    done = self._stat(self.submission, 1, self._signed())
                elif field == 20:
                    name = self._of(row, 0, self._signed())
                elif field == 19:
                    kernel = self._of(row, 6, self._signed())
            elif self.wire == 2:
                if field == 17:
                    name = self._known(data, self.begin, self.end)
                elif field == 6:
                    done = self._extra(data, self.begin, self.end)
                elif field == 21:
                    done = self._launch(data, self.begin, self.end, row)
                elif field == 7:
                    self._other(7053, self.begin, self.end, row, self.rows[i, 10], 0)
        self.rows[i, 5] = queue
        self.rows[i, 7] = stage
        self.rows[i, 6] = name if name > 0 else kernel if kernel > 0 else stage
        return -3 if done == -1 else done

    def _extra(self, data: Any, at: int, end: int) -> int:
        """A name and a value, both texts."""
        key = made = 0
        while at < end:
            at = self._field(data, at, end)
            if at < 0:
                return -2
            if self.wire == 2 and self.field == 1:
                key = self._known(data, self.begin, self.end)
            elif self.wire == 2 and self.field == 2:
                made = self._known(data, self.begin, self.end)
        return self._stat(key, 4, made)

    def _launch(self, data: Any, at: int, end: int, row: int) -> int:
        """How a kernel was launched: its grid, its block and args."""
        while at < end:
            at = self._field(data, at, end)
            if at < 0:
                return -2
            if self.wire == 2 and (self.field == 1 or self.field == 2):
                key = self.grid if self.field == 1 else self.block
                if self._stat(key, 4, self._three(data, self.begin, self.end)) < 0:
                    return -1
            elif self.wire == 2 and self.field == 3:
                done = self._argument(data, self.begin, self.end, row)
                if done < 0:
                    return done
        return 0

    def _three(self, data: Any, begin: int, end: int) -> int:
        """Three numbers as JSON."""
        token = self._piece(data, begin, end)
        found = self.whole.get(token)
        if found is None:
            three = [0, 0, 0]
            at = begin
            while at < end:
                at = self._field(data, at, end)
                if at < 0:
                    break
                if self.wire == 0 and 1 <= self.field <= 3:
                    three[self.field - 1] = self._signed() & 0xFFFFFFFF
            found = self.whole[token] = self.number(f"[{three[0]},{three[1]},{three[2]}]")
        return int(found)

    def _argument(self, data: Any, at: int, end: int, row: int) -> int:
        key = made = 0
        kind = 4
        while at < end:
            at = self._field(data, at, end)
            if at < 0:
                return -2
            field = self.field
            if self.wire == 2 and field == 2:
                key = self._known(data, self.begin, self.end)
            elif self.wire == 2 and field == 6:
                made = self._known(data, self.begin, self.end)
            elif self.wire == 0 and field == 1:
                key = self._of(row, 7, self._signed())
            elif self.wire == 0 and (field == 3 or field == 4):
                made = self._signed()
                kind = 2 if made < 0 and field == 4 else 1
            elif self.wire == 1 and field == 5:
                made = self._signed()
                kind = 3
        return self._stat(key, kind, made)

    def _counters(self, data: Any, begin: int, end: int, i: int) -> int:
        """Counters of a GPU: a row each."""
        first = i
        description = gpu = 0
        at = begin
        while at < end:
            at = self._field(data, at, end)
            if at < 0:
                return -1
            if self.wire == 0 and self.field == 4:
                description = self._signed()
            elif self.wire == 0 and self.field == 3:
                gpu = 1 + (self._signed() & 0xFFFF)
            elif self.wire == 2 and self.field == 1:
                self._other(7052, self.begin, self.end, self.rows[first, 2], 0, 0)
            elif self.wire == 2 and self.field == 2:
                if i + 1 >= self.rows.shape[0]:
                    return -3
                for k in range(self.rows.shape[1]):
                    self.rows[i + 1, k] = self.rows[first, k]
                if self._counter(data, self.begin, self.end, i) < 0:
                    return -1
                i += 1
        for k in range(first, i):
            self.rows[k, 5] = description
            self.rows[k, 12] = gpu
        self.i = i
        return 0

    def _counter(self, data: Any, at: int, end: int, i: int) -> int:
        while at < end:
            at = self._field(data, at, end)
            if at < 0:
                return -1
            if self.wire == 0 and self.field == 1:
                self.rows[i, 1] = self._signed()
            elif self.wire == 0 and self.field == 2:
                self.rows[i, 9] = 1
                self.rows[i, 10] = self._signed()
            elif self.wire == 1 and self.field == 3:
                self.rows[i, 9] = 3
                self.rows[i, 10] = self._signed()
        return 0
