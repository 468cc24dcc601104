"""A few lines of Python → the bytes of a pprof profile, written field by field and apart from the decoder.

    pprof = Pprof()
    pprof.sample(100, ["main a.py:1", "f a.py:7"], kind="buffer", device="cuda:0")
    pprof.bytes()

Frames are given outermost first, as `function file:line`; a list of frames is one location with inlined functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from tests.build_capture import chunk, number, varint

Where: TypeAlias = "str | Sequence[str] | int"
JAX = (("allocations", "count"), ("space", "bytes"))


@dataclass
class Pprof:
    """types: pairs of type and unit. A location given as a number is an id as it stands, declared or not."""

    types: Sequence[tuple[str, str]] = JAX
    default: str = ""
    strings: dict[str, int] = field(default_factory=lambda: {"": 0})
    samples: list[bytes] = field(default_factory=list)
    functions: dict[tuple[str, str], int] = field(default_factory=dict)
    locations: dict[tuple[str, ...], int] = field(default_factory=dict)
    parts: list[bytes] = field(default_factory=list)

    def id(self, value: str) -> int:
        return self.strings.setdefault(value, len(self.strings))

    def sample(
        self, size: int, stack: Sequence[Where] = (), count: int = 1, packed: bool = True, **labels: str
    ) -> Pprof:
        return self.values((count, size), stack, packed, **labels)

    def values(self, values: Sequence[int], stack: Sequence[Where] = (), packed: bool = True, **labels: str) -> Pprof:
        ids = [each if isinstance(each, int) else self.location(each) for each in reversed(stack)]
        data = repeated(1, ids, packed) + repeated(2, values, packed)
        data += b"".join(chunk(3, number(1, self.id(k)) + number(2, self.id(v))) for k, v in labels.items())
        self.samples.append(data)
        return self

    def location(self, where: str | Sequence[str]) -> int:
        frames = (where,) if isinstance(where, str) else tuple(where)
        if frames not in self.locations:
            self.locations[frames] = len(self.locations) + 1
            lines = b"".join(chunk(4, self.line(frame)) for frame in reversed(frames))
            self.parts.append(chunk(4, number(1, self.locations[frames]) + lines))
        return self.locations[frames]

    def line(self, frame: str) -> bytes:
        name, _, place = frame.partition(" ")
        file, _, line = place.partition(":")
        if (name, file) not in self.functions:
            self.functions[name, file] = len(self.functions) + 1
            names = number(2, self.id(name)) + number(3, self.id(name)) + number(4, self.id(file))
            self.parts.append(chunk(5, number(1, self.functions[name, file]) + names))
        return number(1, self.functions[name, file]) + number(2, int(line or 0))

    def bytes(self) -> bytes:
        types = b"".join(chunk(1, number(1, self.id(kind)) + number(2, self.id(unit))) for kind, unit in self.types)
        body = types + b"".join(chunk(2, sample) for sample in self.samples) + b"".join(self.parts)
        default = number(14, self.id(self.default))
        return body + b"".join(chunk(6, value.encode()) for value in self.strings) + default


def repeated(field_number: int, values: Sequence[int], packed: bool) -> bytes:
    if packed:
        return chunk(field_number, b"".join(map(varint, values))) if values else b""
    return b"".join(varint(field_number << 3) + varint(value) for value in values)


def mapping(id: int, file: int) -> bytes:
    return chunk(3, number(1, id) + number(5, file))


def profile_class() -> Any:
    """The messages of profile.proto, for the protobuf runtime."""
    file = descriptor_pb2.FileDescriptorProto(name="pprof_of_test.proto", package="pprof_of_test", syntax="proto3")
    kinds: dict[str, Any] = {"i": 3, "u": 4, "b": 8, "s": 9, "message": 11}
    for name, fields in {
        "ValueType": "i type 1, i unit 2",
        "Label": "i key 1, i str 2, i num 3, i num_unit 4",
        "Line": "u function_id 1, i line 2",
        "Sample": "u* location_id 1, i* value 2, Label* label 3",
        "Mapping": "u id 1, u memory_start 2, u memory_limit 3, i filename 5, b has_functions 7, b has_filenames 8",
        "Location": "u id 1, u mapping_id 2, u address 3, Line* line 4",
        "Function": "u id 1, i name 2, i system_name 3, i filename 4, i start_line 5",
        "Profile": "ValueType* sample_type 1, Sample* sample 2, Mapping* mapping 3, Location* location 4, "
        "Function* function 5, s* string_table 6, i time_nanos 9, i duration_nanos 10, ValueType period_type 11, "
        "i period 12, i* comment 13, i default_sample_type 14",
    }.items():
        message = file.message_type.add(name=name)
        for each in fields.split(", "):
            kind, called, at = each.split()
            plain = kind.rstrip("*")
            entry = message.field.add(name=called, number=int(at), label=3 if kind.endswith("*") else 1)
            if plain in kinds:
                entry.type = kinds[plain]
            else:
                entry.type, entry.type_name = kinds["message"], f".pprof_of_test.{plain}"
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("pprof_of_test.Profile"))


__all__ = ["JAX", "Pprof", "mapping", "profile_class", "repeated"]
