"""Builds Perfetto's traces packet by packet, and makes them of traces of JSON as PyTorch and Kineto write both."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from tests.build_capture import chunk, varint


def number(field: int, value: int) -> bytes:
    """Present even when 0, as proto2 writes it."""
    return varint(field << 3) + varint(value)


def fixed(field: int, value: int) -> bytes:
    return varint(field << 3 | 1) + struct.pack("<Q", value)


def double(field: int, value: float) -> bytes:
    return varint(field << 3 | 1) + struct.pack("<d", value)


def part(field: int, data: bytes | str) -> bytes:
    return chunk(field, data.encode() if isinstance(data, str) else data)


def packet(*parts: bytes, at: int | None = None, sequence: int = 1, flags: int = 0, clock: int | None = None) -> bytes:
    """A packet of a trace. flags: 1 its sequence's state is cleared, 2 it needs that."""
    made = (number(8, at) if at is not None else b"") + (number(58, clock) if clock is not None else b"")
    made += number(10, sequence) if sequence else b""
    return part(1, made + (number(13, flags) if flags else b"") + b"".join(parts))


def event(
    kind: int,
    track: int | None = None,
    name: str | int = "",
    args: dict[str, Any] | None = None,
    *parts: bytes,
    category: str = "",
) -> bytes:
    """A track event, 1 a begin, 2 an end, 3 an instant, 4 a counter. name: its text, or its number."""
    made = (number(9, kind) if kind else b"") + (number(11, track) if track is not None else b"")
    made += part(22, category) if category else b""
    made += number(10, name) if isinstance(name, int) else part(23, name) if name else b""
    return part(11, made + b"".join(annotation(key, value) for key, value in (args or {}).items()) + b"".join(parts))


def annotation(key: str | int, value: Any, field: int = 4) -> bytes:
    named = number(1, key) if isinstance(key, int) else part(10, key) if key else b""
    return part(field, named + _value(value))


def _value(value: Any) -> bytes:
    if isinstance(value, bool):
        return number(2, value)
    if isinstance(value, int):
        return number(4, value) if value < 1 << 63 else number(3, value)
    if isinstance(value, float):
        return double(5, value)
    if isinstance(value, dict):
        return b"".join(annotation(key, each, 11) for key, each in value.items())
    if isinstance(value, list):
        return b"".join(annotation("", each, 12) for each in value)
    return part(6, "null" if value is None else str(value))


def track(
    uuid: int,
    parent: int = 0,
    name: str = "",
    process: tuple[int | None, str] | None = None,
    thread: tuple[int | None, int | None, str] | None = None,
    counter: bytes | None = None,
    order: int = 0,
    labels: str = "",
) -> bytes:
    made = number(1, uuid) + (number(5, parent) if parent else b"") + (part(2, name) if name else b"")
    sort = number(3, order) if order else b""
    if process is not None:
        pid, called = process
        made += part(
            3, (b"" if pid is None else number(1, pid)) + part(6, called) + sort + (part(8, labels) if labels else b"")
        )
    if thread is not None:
        pid, tid, called = thread
        numbers = (b"" if pid is None else number(1, pid)) + (b"" if tid is None else number(2, tid))
        made += part(4, numbers + (part(5, called) if called else b"") + sort)
    return packet(part(60, made + (b"" if counter is None else part(8, counter))), sequence=0)


class Real(float):
    """A number of JSON that knows its digits: µs since the epoch with three decimals fit no double."""

    def __new__(cls, text: str) -> Real:
        made = super().__new__(cls, text)
        made.text = text  # type: ignore[attr-defined]
        return made


def loaded(text: str | bytes) -> dict[str, Any]:
    """A trace of JSON, for `converted`."""
    data = json.loads(text, parse_float=Real)
    return {"traceEvents": data} if isinstance(data, list) else data


class Converted:
    """A trace of JSON as one of packets: every arg is an annotation, every arrow a flow.

    with_categories: else as PyTorch writes it itself: names interned, all begins of a kind before all their ends, no
    categories, and neither instants nor counters.
    """

    def __init__(self, data: dict[str, Any], with_categories: bool = True) -> None:
        self.data, self.with_categories = data, with_categories
        self.uuids: dict[Any, int] = {}
        self.tracks: list[bytes] = []
        self.packets: list[bytes] = []
        self.names: dict[str, int] = {}
        self.base = int(data.get("baseTimeNanoseconds", 0))
        self.said: dict[tuple[str, Any, Any], Any] = {}
        self.lanes: dict[int, int] = {}

    def made(self) -> bytes:
        events = [each for each in self.data["traceEvents"] if isinstance(each, dict)]
        for each in events:
            if each.get("ph") == "M":
                key = each["name"], each.get("pid"), each.get("tid") if each["name"].startswith("thread") else None
                self.said[key] = next(iter((each.get("args") or {"": ""}).values()))
        flows = self._flows(events)
        self._laid(events)
        groups: dict[str, list[tuple[bytes, bytes]]] = {}
        for i, each in enumerate(events):
            if each.get("ph") == "X":
                pair = self._slice(each, flows.get(i, []))
                groups.setdefault(each.get("cat", "") if not self.with_categories else str(i), []).append(pair)
            elif self.with_categories and each.get("ph") in ("i", "I", "C"):
                self.packets.append(self._moment(each))
                groups[str(i)] = []
            if self.with_categories and (pairs := groups.pop(str(i), [])):
                self.packets += pairs[0]
        for pairs in groups.values():
            self.packets += [begin for begin, _ in pairs] + [end for _, end in pairs]
        members = self._members() if self.with_categories else []
        interned = b"".join(part(2, number(1, iid) + part(2, name)) for name, iid in self.names.items())
        return b"".join([*self.tracks, packet(part(12, interned), flags=1), *members, *self.packets])

    def _members(self) -> list[bytes]:
        return [
            packet(event(3, 0, "trace_metadata", {key: value if isinstance(value, str) else json.dumps(value)}))
            for key, value in self.data.items()
            if key not in ("traceEvents", "baseTimeNanoseconds")
        ]

    def _ns(self, us: Any) -> int:
        return round(Decimal(getattr(us, "text", us)) * 1000)

    def _flows(self, events: list[dict[str, Any]]) -> dict[int, list[tuple[int, bool]]]:
        """By slice its flows: of what begins or ends an arrow in its time, on its thread."""
        at: dict[Any, int] = {}
        for i, each in enumerate(events):
            if each.get("ph") == "X":
                key = each.get("pid"), each.get("tid"), self._ns(each["ts"])
                if key not in at or events[at[key]].get("dur", 0) >= each.get("dur", 0):
                    at[key] = i
        found: dict[int, list[tuple[int, bool]]] = {}
        numbers: dict[Any, int] = {}
        for each in events:
            if each.get("ph") in ("s", "f"):
                key = each.get("pid"), each.get("tid"), self._ns(each["ts"])
                id = numbers.setdefault((each.get("cat"), each.get("id")), len(numbers) + 1)
                if key in at:
                    found.setdefault(at[key], []).append((id, each["ph"] == "f"))
        return found

    def _track(self, each: dict[str, Any]) -> int:
        """The thread, or a lane below it."""
        pid, tid = each.get("pid"), each.get("tid")
        process = self.uuids.get(("p", pid))
        called = str(self.said.get(("process_name", pid, None), pid))
        if process is None:
            process = self.uuids["p", pid] = len(self.uuids) + 1
            self.tracks.append(
                track(
                    process,
                    process=(pid if isinstance(pid, int) else None, called),
                    order=int(self.said.get(("process_sort_index", pid, None), 0)),
                    labels=str(self.said.get(("process_labels", pid, None), "")),
                )
            )
        name = str(self.said.get(("thread_name", pid, tid), "" if isinstance(tid, int) else tid))
        if ("t", pid, tid) not in self.uuids:
            self.uuids["t", pid, tid] = len(self.uuids) + 1
            self.tracks.append(
                track(
                    self.uuids["t", pid, tid],
                    process,
                    thread=(pid if isinstance(pid, int) else None, tid if isinstance(tid, int) else None, name),
                    order=int(self.said.get(("thread_sort_index", pid, tid), 0)),
                )
            )
        lane = self.lanes.get(id(each), 0)
        if not lane:
            return self.uuids["t", pid, tid]
        uuid = self.uuids.get(("l", pid, tid, lane), 0)
        if not uuid:
            uuid = self.uuids["l", pid, tid, lane] = len(self.uuids) + 1
            self.tracks.append(track(uuid, self.uuids["t", pid, tid], name))
        return uuid

    def _laid(self, events: list[dict[str, Any]]) -> None:
        """Lanes of slices that nest, or follow one another: those of a track of packets must."""
        slices = [each for each in events if each.get("ph") == "X"]
        timed = [(self._ns(each["ts"]), -self._ns(each.get("dur", 0)), i) for i, each in enumerate(slices)]
        threads: dict[Any, list[list[int]]] = {}
        for start, negative, i in sorted(timed):
            lanes = threads.setdefault((slices[i].get("pid"), slices[i].get("tid")), [])
            for ends in lanes:
                while ends and ends[-1] <= start:
                    ends.pop()
            fits = [lane for lane, ends in enumerate(lanes) if not ends or ends[-1] >= start - negative]
            lane = fits[0] if fits else len(lanes)
            if not fits:
                lanes.append([])
            lanes[lane].append(start - negative)
            self.lanes[id(slices[i])] = lane

    def _slice(self, each: dict[str, Any], flows: Iterable[tuple[int, bool]]) -> tuple[bytes, bytes]:
        start = self.base + self._ns(each["ts"])
        end = start + max(self._ns(each.get("dur", 0)), 0)
        on = self._track(each)
        iid = self.names.setdefault(str(each.get("name", "")), len(self.names) + 1)
        links = [fixed(48 if ends else 47, id) for id, ends in flows]
        category = str(each.get("cat", "")) if self.with_categories else ""
        begin = event(1, on, iid, each.get("args") or {}, *links, category=category)
        return packet(begin, at=start, flags=2), packet(event(2, on), at=end)

    def _moment(self, each: dict[str, Any]) -> bytes:
        at = self.base + self._ns(each["ts"])
        if each["ph"] != "C":
            on = self._track(each)
            return packet(event(3, on, each["name"], each.get("args") or {}, category=str(each.get("cat", ""))), at=at)
        self._track(each)
        key, value = next(iter(each["args"].items()))
        uuid = self.uuids.get(("c", each["pid"], each["name"]))
        if uuid is None:
            uuid = self.uuids["c", each["pid"], each["name"]] = len(self.uuids) + 1
            self.tracks.append(track(uuid, self.uuids["p", each["pid"]], each["name"], counter=part(6, key)))
        counted = number(30, value) if isinstance(value, int) else double(44, value)
        return packet(event(4, uuid, "", None, counted), at=at)


def converted(data: dict[str, Any], with_categories: bool = True) -> bytes:
    return Converted(data, with_categories).made()
