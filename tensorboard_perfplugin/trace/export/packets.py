"""Lines of Chrome's trace-event JSON, as the other modules write them → packets of Perfetto's binary format.

What JSON has, packets have: processes and threads are tracks, slices a begin and an end, args annotations, a counter's
series tracks of their own, arrows Chrome's own words for them; a
process has the name of its plane as a label. Times are whole ns since the epoch, where the instant of
time 0 is known. Names, keys and categories are interned."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from ...wire import number_field, part_field, real_field, text_field

#: Fields of a packet, of a track event, of a track's description, of an annotation.
_TIME, _SEQUENCE, _FLAGS, _INTERNED, _EVENT, _TRACK, _ATTRIBUTES = 8, 10, 13, 12, 11, 60, 126
_CATEGORY, _ANNOTATION, _LEGACY, _TYPE, _NAME, _ON, _WHOLE, _REAL = 3, 4, 6, 9, 10, 11, 30, 44
_BEGIN, _END, _INSTANT, _COUNTER = 1, 2, 3, 4
_KEYS = "keys"
#: Tables of interned texts → their field.
_TABLES = {"names": 2, "categories": 1, _KEYS: 3}
_CLEARED, _NEEDS = 1, 2
_JOINED_BYTES = 1 << 16


class _Line(msgspec.Struct, gc=False):
    """An event of JSON."""

    ph: str
    name: str = ""
    pid: int = 0
    tid: int = 0
    cat: str = ""
    ts: msgspec.Raw = msgspec.Raw(b"0")
    dur: msgspec.Raw = msgspec.Raw(b"0")
    id: int = 0
    bp: str = ""
    args: dict[str, Any] = {}


_DECODER = msgspec.json.Decoder(list[_Line])


class Packets:
    """Use once. origin_ns: what is added to all times."""

    def __init__(self, origin_ns: int) -> None:
        self._origin_ns = origin_ns
        self._interned: dict[tuple[str, str], int] = {}
        self._new: list[bytes] = []
        self._tracks: dict[tuple[int, int, str], int] = {}
        self._described: dict[int, dict[str, Any]] = {}
        self._series: set[tuple[int, str]] = set()
        self._made: list[bytes] = []

    def packed(self, lines: Iterator[str]) -> Iterator[bytes]:
        """lines: each begins with a comma."""
        self._put(number_field(_FLAGS, _CLEARED))
        size = 0
        for text in lines:
            for line in _DECODER.decode(f"[{text[1:]}]"):
                self._line(line)
            size += len(text)
            if size >= _JOINED_BYTES:
                yield self._taken()
                size = 0
        yield self._taken()

    def attributes(self, members: dict[str, str]) -> bytes:
        """A packet of what the file says of itself."""
        each = (part_field(1, text_field(1, key) + text_field(3, value)) for key, value in members.items())
        return part_field(1, part_field(_ATTRIBUTES, b"".join(each)))

    def _taken(self) -> bytes:
        made, self._made = b"".join(self._made), []
        return made

    def _put(self, body: bytes, at: int | None = None, flags: int = 0) -> None:
        """A packet of the one sequence, with what was interned for it."""
        head = b"" if at is None else number_field(_TIME, at)
        if self._new:
            body += part_field(_INTERNED, b"".join(self._new))
            self._new = []
        self._made.append(part_field(1, head + _OF_SEQUENCE + (_FLAG if flags else b"") + body))

    def _iid(self, table: str, text: str) -> int:
        key = table, text
        iid = self._interned.get(key)
        if iid is None:
            iid = self._interned[key] = len(self._interned) + 1
            self._new.append(part_field(_TABLES[table], number_field(1, iid) + text_field(2, text)))
        return iid

    def _line(self, line: _Line) -> None:
        if line.ph == "M":
            self._named(line)
            return
        at = self._origin_ns + _ns(bytes(line.ts))
        if line.ph == "C":
            self._counter(line, at)
            return
        on = number_field(_ON, self._track(line.pid, line.tid))
        args = b"".join(self._annotation(key, value) for key, value in line.args.items())
        what = number_field(_NAME, self._iid("names", line.name))
        if line.cat:
            what += number_field(_CATEGORY, self._iid("categories", line.cat))
        if line.ph == "X":
            self._event(_BEGIN, on + what + args, at)
            self._event(_END, on, at + _ns_after(bytes(line.ts), bytes(line.dur)))
        elif line.ph == "i":
            self._event(_INSTANT, on + what + args, at)
        else:
            legacy = number_field(2, ord(line.ph)) + number_field(6, line.id)
            legacy += number_field(12, 1) if line.bp == "e" else b""
            self._event(0, on + what + part_field(_LEGACY, legacy), at)

    def _event(self, kind: int, body: bytes, at: int) -> None:
        self._put(part_field(_EVENT, (number_field(_TYPE, kind) if kind else b"") + body), at, _NEEDS)

    def _counter(self, line: _Line, at: int) -> None:
        """A track a series; a counter of one series has its name."""
        key = line.pid, line.name
        if len(line.args) > 1:
            self._series.add(key)
        for series, value in line.args.items():
            name = f"{line.name} {series}" if key in self._series else line.name
            uuid = self._tracks.get((line.pid, -1, name))
            if uuid is None:
                uuid = self._tracks[line.pid, -1, name] = len(self._tracks) + 1
                parent = number_field(5, self._track(line.pid, -1))
                counter = part_field(8, text_field(6, series))
                self._put(part_field(_TRACK, number_field(1, uuid) + parent + text_field(2, name) + counter))
            counted = number_field(_WHOLE, value) if isinstance(value, int) else real_field(_REAL, float(value))
            self._event(_COUNTER, number_field(_ON, uuid) + counted, at)

    def _annotation(self, key: str, value: Any) -> bytes:
        return part_field(_ANNOTATION, number_field(1, self._iid(_KEYS, key)) + self._value(value))

    def _value(self, value: Any) -> bytes:
        if isinstance(value, bool):
            return number_field(2, value)
        if isinstance(value, int):
            return number_field(4, value) if value < 1 << 63 else number_field(3, value)
        if isinstance(value, float):
            return real_field(5, value)
        if isinstance(value, list):
            return b"".join(part_field(12, self._value(each)) for each in value)
        if isinstance(value, dict):
            return b"".join(part_field(11, text_field(10, key) + self._value(each)) for key, each in value.items())
        return text_field(6, "" if value is None else str(value))

    def _named(self, line: _Line) -> None:
        """Names and order of processes and threads; the reader knows no other arguments of them."""
        of, _, what = line.name.partition("_")
        if what not in ("name", "sort_index"):
            return
        tid = -1 if of == "process" else line.tid
        args = {what: next(iter(line.args.values()))} | {key: line.args[key] for key in ("plane",) if key in line.args}
        self._describe(self._track(line.pid, tid), line.pid, tid, **args)

    def _track(self, pid: int, tid: int) -> int:
        uuid = self._tracks.get((pid, tid, ""))
        if uuid is None:
            uuid = self._tracks[pid, tid, ""] = len(self._tracks) + 1
            self._describe(uuid, pid, tid)
        return uuid

    def _describe(self, uuid: int, pid: int, tid: int, **args: Any) -> None:
        """tid: -1 of a process."""
        known = self._described.setdefault(uuid, {})
        known.update(args)
        name, order = str(known.get("name", "")), int(known.get("sort_index", 0))
        sort = number_field(3, order) if order else b""
        if tid < 0:
            plane = text_field(8, str(known["plane"])) if "plane" in known else b""
            body = part_field(3, number_field(1, pid) + text_field(6, name) + sort + plane)
        else:
            body = number_field(5, self._track(pid, -1))
            body += part_field(4, number_field(1, pid) + number_field(2, tid) + text_field(5, name) + sort)
        self._put(part_field(_TRACK, number_field(1, uuid) + body))


_OF_SEQUENCE, _FLAG = number_field(_SEQUENCE, 1), number_field(_FLAGS, _NEEDS)


def _ps(us: bytes) -> int:
    """Microseconds with up to six decimals, as they are written."""
    whole, _, part = us.decode().partition(".")
    made = abs(int(whole)) * 10**6 + int(part.ljust(6, "0")[:6] or 0)
    return -made if whole.startswith("-") else made


def _ns(us: bytes) -> int:
    return _ps(us) // 1000


def _ns_after(us: bytes, length: bytes) -> int:
    """Whole ns from the begin that is written to the end that is, so that what nests still does."""
    begin = _ps(us)
    return (begin + _ps(length)) // 1000 - begin // 1000
