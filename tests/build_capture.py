"""A few lines of Python → the bytes of an XSpace, written field by field and apart from every decoder.

    space = Space(hostnames=["h"])
    gpu = space.plane("/device:GPU:0", stats={"core_count": 80})
    stream = gpu.line(7, "Stream #7(Compute)")
    stream.event("kernel", start_ps=1000, duration_ps=500, stats={"correlation_id": 3})
    space.bytes()

A stat's value gives its kind: int → int64, float → double, str → inline text, bytes → bytes; `Uint(…)`, `Ref("…")` and
`Nothing` are the others. A list of (key, value) pairs gives equal keys twice.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias


class Uint(int):
    """An unsigned 64-bit stat."""


class Ref(str):
    """A stat whose text is interned in the plane's stat metadata."""


class Nothing:
    """A stat with no value set."""


StatValue: TypeAlias = int | float | str | bytes | Uint | Ref | type[Nothing]
StatsGiven: TypeAlias = Mapping[str, StatValue] | Iterable[tuple[str, StatValue]]


def varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field_number: int, value: int) -> bytes:
    """A varint field; 0 is absent, as proto3 writes it."""
    return varint(field_number << 3) + varint(value) if value else b""


def chunk(field_number: int, payload: bytes) -> bytes:
    """A length-delimited field, present even when empty."""
    return varint(field_number << 3 | 2) + varint(len(payload)) + payload


def text(field_number: int, value: str) -> bytes:
    return chunk(field_number, value.encode()) if value else b""


@dataclass
class Line:
    plane: Plane
    id: int
    name: str = ""
    timestamp_ns: int = 0
    display_id: int = 0
    display_name: str = ""
    duration_ps: int = 0
    events: list[bytes] = field(default_factory=list)

    def event(
        self,
        name: str | int,
        start_ps: int | None = 0,
        duration_ps: int = 0,
        stats: StatsGiven = (),
        occurrences: int | None = None,
        extra: bytes = b"",
    ) -> Line:
        """Add an event. A name of kind int is a metadata id as it stands, declared or not."""
        key = name if isinstance(name, int) else self.plane.kind(name)
        data = number(1, key)
        if occurrences is not None:
            data += varint(5 << 3) + varint(occurrences)
        elif start_ps is not None:
            data += varint(2 << 3) + varint(start_ps)
        data += number(3, duration_ps)
        data += b"".join(chunk(4, self.plane.stat(k, v)) for k, v in pairs(stats))
        self.events.append(data + extra)
        return self

    def bytes(self) -> bytes:
        return (
            number(1, self.id)
            + text(2, self.name)
            + number(3, self.timestamp_ns)
            + b"".join(chunk(4, e) for e in self.events)
            + number(9, self.duration_ps)
            + number(10, self.display_id)
            + text(11, self.display_name)
        )


@dataclass
class Plane:
    name: str
    id: int = 0
    stats: StatsGiven = ()
    lines: list[Line] = field(default_factory=list)
    kinds: dict[str, int] = field(default_factory=dict)
    kind_data: dict[int, bytes] = field(default_factory=dict)
    stat_ids: dict[str, int] = field(default_factory=dict)

    def line(self, id: int, name: str = "", **more: object) -> Line:
        self.lines.append(Line(self, id, name, **more))  # type: ignore[arg-type]
        return self.lines[-1]

    def kind(self, name: str, display_name: str = "", stats: StatsGiven = (), key: int | None = None) -> int:
        """Declare a kind of event (event metadata), once a name; its key."""
        if name not in self.kinds:
            key = len(self.kinds) + 1 if key is None else key
            self.kinds[name] = key
            data = number(1, key) + text(2, name) + text(4, display_name)
            self.kind_data[key] = data + b"".join(chunk(5, self.stat(k, v)) for k, v in pairs(stats))
        return self.kinds[name]

    def stat_id(self, name: str) -> int:
        return self.stat_ids.setdefault(name, len(self.stat_ids) + 1)

    def stat(self, key: str, value: StatValue) -> bytes:
        data = number(1, self.stat_id(key))
        if isinstance(value, Ref):
            return data + varint(7 << 3) + varint(self.stat_id(str(value)))
        if isinstance(value, Uint):
            return data + varint(3 << 3) + varint(value)
        if isinstance(value, int):
            return data + varint(4 << 3) + varint(value)
        if isinstance(value, float):
            return data + varint(2 << 3 | 1) + struct.pack("<d", value)
        if isinstance(value, str):
            return data + chunk(5, value.encode())
        if isinstance(value, bytes):
            return data + chunk(6, value)
        return data

    def bytes(self) -> bytes:
        stats = b"".join(chunk(6, self.stat(k, v)) for k, v in pairs(self.stats))
        return (
            number(1, self.id)
            + text(2, self.name)
            + b"".join(chunk(3, line.bytes()) for line in self.lines)
            + b"".join(chunk(4, number(1, k) + chunk(2, v)) for k, v in self.kind_data.items())
            + b"".join(chunk(5, number(1, i) + chunk(2, number(1, i) + text(2, n))) for n, i in self.stat_ids.items())
            + stats
        )


@dataclass
class Space:
    hostnames: list[str] = field(default_factory=lambda: ["host"])
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    planes: list[Plane] = field(default_factory=list)

    def plane(self, name: str, id: int = 0, stats: StatsGiven = ()) -> Plane:
        self.planes.append(Plane(name, id, stats))
        return self.planes[-1]

    def bytes(self) -> bytes:
        return (
            b"".join(chunk(1, p.bytes()) for p in self.planes)
            + b"".join(text(2, e) for e in self.errors)
            + b"".join(text(3, w) for w in self.warnings)
            + b"".join(text(4, h) for h in self.hostnames)
        )


def pairs(stats: StatsGiven) -> list[tuple[str, StatValue]]:
    return list(stats.items() if isinstance(stats, Mapping) else stats)
