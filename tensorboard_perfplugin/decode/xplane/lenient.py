"""Bytes → a protobuf message, and where they are damaged, as much of it as can be read.

The runtime parses what is sound. What it refuses as a whole is walked field by field: a message that holds others keeps
what comes before its damage; an event or a stat is taken whole or not at all.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError, Message

from ...wire import FIXED64, LENGTH, VARINT, DamagedError, Field, walk
from .parts import Code

WHOLE = {"XEvent": Code.EVENT, "XStat": Code.STAT}


def message_types() -> dict[str, type[Message]]:
    """Message name → class, made at run time from the descriptor set beside this file, in a pool of their own."""
    files = descriptor_pb2.FileDescriptorSet.FromString(Path(__file__).with_name("xplane.desc").read_bytes())
    pool = descriptor_pool.DescriptorPool()
    for file in files.file:
        pool.Add(file)
    names = [(file.package, message.name) for file in files.file for message in file.message_type]
    return {n: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{package}.{n}")) for package, n in names}


class Lenient:
    """Parses one message. damages: (offset, Code); lost_events, cut_events: events not taken, of those cut short."""

    def __init__(self, types: dict[str, type[Message]], data: memoryview) -> None:
        self.types, self.data = types, data
        self.damages: list[tuple[int, int]] = []
        self.lost_events = self.cut_events = 0

    def parse(self, name: str, begin: int, end: int, cut: bool) -> Any:
        """cut: the message is known to end too early, so that its damaged end needs no mention."""
        if not cut:
            try:
                return self.types[name].FromString(bytes(self.data[begin:end]))
            except DecodeError:
                pass
        message = self.types[name]()
        self._fill(message, begin, end, cut)
        return message

    def _fill(self, message: Any, begin: int, end: int, cut: bool) -> None:
        try:
            for field in walk(self.data, begin, end):
                self._set(message, field, cut)
        except DamagedError as damage:
            self._note(damage.args[0], Code.FIELD, cut)

    def _note(self, at: int, code: int, known: bool) -> None:
        if not known:
            self.damages.append((at, code))

    def _set(self, message: Any, field: Field, cut: bool) -> None:
        known = message.DESCRIPTOR.fields_by_number.get(field.number)
        if known is not None and wire_type(known) != field.wire:
            known = None
        name = known.message_type.name if known is not None and known.message_type is not None else ""
        if name in WHOLE and not (name == "XStat" and field.cut):
            self._add_whole(getattr(message, known.name), name, field, cut)
        elif name and name not in WHOLE:
            if field.cut:
                self._note(field.at, Code.CUT, cut)
            self._fill(getattr(message, known.name), field.begin, field.end, field.cut)
        elif field.cut:
            raise DamagedError(field.at)
        elif known is not None and isinstance(getattr(message, known.name), (int, float, bytes)):
            setattr(message, known.name, self._scalar(known, field))

    def _add_whole(self, holder: Any, name: str, field: Field, cut: bool) -> None:
        inner = Lenient(self.types, self.data)
        child = None if field.cut else inner.parse(name, field.begin, field.end, False)
        if child is not None and not inner.damages:
            holder.append(child)
            return
        self._note(field.at, WHOLE[name], cut and field.cut)
        self.lost_events += name == "XEvent" and not field.cut
        self.cut_events += field.cut

    def _scalar(self, known: Any, field: Field) -> int | float | bytes:
        if known.type == known.TYPE_BYTES:
            return bytes(self.data[field.begin : field.end])
        if known.type == known.TYPE_DOUBLE:
            return float(struct.unpack("<d", struct.pack("<Q", field.value))[0])
        return signed(field.value) if known.type == known.TYPE_INT64 else field.value


def wire_type(known: Any) -> int:
    if known.type in (known.TYPE_BYTES, known.TYPE_MESSAGE):
        return LENGTH
    return FIXED64 if known.type == known.TYPE_DOUBLE else VARINT


def signed(value: int) -> int:
    value &= (1 << 64) - 1
    return value - (1 << 64) if value >> 63 else value
