"""What a trace says of itself → members, as the object of a trace of JSON has them beside its events.

Kineto writes them as instants without a time, one for each member; other writers as attributes of the trace.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np

from ...tables import StatKind
from ...wire import LENGTH, VARINT, DamagedError, signed, walk
from .blocks import Block
from .packets import Packets

ATTRIBUTES = 126
_MEMBERS, _PROPERTIES = "trace_metadata", "device_properties"
_DEVICES = "deviceProperties"
#: So many are looked at, of so many characters together.
_MOST, _MOST_CHARACTERS = 1000, 32 << 20


def members_of(packets: Packets, block: Block) -> tuple[dict[str, Any], Block]:
    """The members, and the track events without those that held them."""
    found: dict[str, Any] = {}
    room = _MOST_CHARACTERS
    for key, value in _attributes(packets):
        room -= len(value) if isinstance(value, str) else 8
        if len(found) < _MOST and room >= 0:
            found[key] = _value(value)
    names = [packets.texts.get(name, -1) for name in (_MEMBERS, _PROPERTIES)]
    rows = np.flatnonzero(np.isin(block.name, names) & (block.phase == ord("i")))
    if not len(rows):
        return found, block
    ends = np.cumsum(block.stats)
    texts = list(packets.texts)
    for row in rows[:_MOST].tolist():
        for at in range(int(ends[row] - block.stats[row]), int(ends[row])):
            text = texts[int(block.values[at])] if block.kinds[at] == StatKind.TEXT else int(block.values[at])
            room -= len(text) if isinstance(text, str) else 8
            if room < 0:
                break
            if int(block.name[row]) == names[0]:
                found[texts[int(block.keys[at])]] = _value(text)
            else:
                found[_DEVICES] = _devices(str(text))
    kept = np.ones(len(block), bool)
    kept[rows] = False
    return found, block.taken(np.flatnonzero(kept))


def _attributes(packets: Packets) -> Iterator[tuple[str, str | int]]:
    for other in packets.others:
        if other.kind != ATTRIBUTES:
            continue
        with contextlib.suppress(DamagedError):
            for field in walk(other.data, 0, len(other.data)):
                if field.number == 1 and field.wire == LENGTH:
                    yield _attribute(other.data, field.begin, field.end)


def _attribute(data: bytes, begin: int, end: int) -> tuple[str, str | int]:
    key = ""
    value: str | int = ""
    for field in walk(data, begin, end):
        if field.wire == LENGTH and field.number in (1, 3):
            text = str(data[field.begin : field.end], "utf-8", "replace")
            key, value = (text, value) if field.number == 1 else (key, text)
        elif field.wire == VARINT and field.number == 2:
            value = signed(field.value)
    return key, value


def _value(text: str | int) -> Any:
    """What a text says as JSON, or itself."""
    if isinstance(text, str):
        with contextlib.suppress(msgspec.MsgspecError, RecursionError, UnicodeEncodeError):
            return msgspec.json.decode(text)
    return text


def _devices(text: str) -> Any:
    """A list of objects, which Kineto writes without its brackets."""
    for form in (text, f"[{text}]"):
        with contextlib.suppress(msgspec.MsgspecError, RecursionError, UnicodeEncodeError):
            made = msgspec.json.decode(form)
            if isinstance(made, dict):
                return made.get(_DEVICES, [made])
            if isinstance(made, list):
                return made
    return []
