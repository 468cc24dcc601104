"""Bytes of a pprof `Profile` (profile.proto) → its parts as columns: samples, locations, functions, strings.

Message by message in plain Python, so that a damaged file gives what comes before the damage; ids and values, which
are most of a file, are decoded at once. Not read are `drop_frames`, `keep_frames`, breakdowns and comments.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ...errors import UnreadableError
from ...messages import Message, message
from ...wire import LENGTH, VARINT, Budget, DamagedError, Field, SpentError, signed, walk

I64 = NDArray[np.int64]
#: A million samples of 30 frames take 80 MB.
MAX_BYTES = 1 << 28
#: A million samples take 5 million fields, and 8 s.
MAX_FIELDS = 8_000_000
#: Of all samples: 60 for each of a million.
MAX_LOCATIONS = 1 << 26
#: Of a sample's values so many bytes are looked at, and so many of its labels: no profile has 64 of either.
_VALUE_BYTES, _LABELS = 640, 64
#: What a varint does not end with.
_CONTINUED = bytes(range(0x80, 0x100))


@dataclasses.dataclass
class Samples:
    """locations, values: of each sample its raw varints. labels: of each, the place of its labels in `label_sets`."""

    locations: list[bytes] = dataclasses.field(default_factory=list)
    values: list[bytes] = dataclasses.field(default_factory=list)
    labels: list[int] = dataclasses.field(default_factory=list)
    label_sets: dict[tuple[bytes, ...], int] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Profile:
    """types: pairs of places in `strings`. locations: id → address, mapping, pairs of function id and line, innermost
    first. functions: id → places of name, system's name and file. mappings: id → place of file.
    """

    strings: list[str] = dataclasses.field(default_factory=list)
    types: list[tuple[int, int]] = dataclasses.field(default_factory=list)
    default_type: int = 0
    time_ns: int = 0
    samples: Samples = dataclasses.field(default_factory=Samples)
    locations: dict[int, tuple[int, int, tuple[tuple[int, int], ...]]] = dataclasses.field(default_factory=dict)
    functions: dict[int, tuple[int, int, int]] = dataclasses.field(default_factory=dict)
    mappings: dict[int, int] = dataclasses.field(default_factory=dict)
    damaged: int = 0
    damaged_samples: int = 0
    warnings: list[Message] = dataclasses.field(default_factory=list)


class Reader:
    """Reads one file."""

    def __init__(self, data: memoryview) -> None:
        self.data = bytes(data)
        self.view = memoryview(self.data)
        self.budget = Budget(MAX_FIELDS)
        self.profile = Profile()

    def read(self) -> Profile:
        """Raises UnreadableError where the file has too many fields."""
        profile = self.profile
        try:
            for field in self.fields(0, len(self.data)):
                if field.cut:
                    profile.warnings.append(message("pprof_cut", size=len(self.data)))
                elif field.wire == LENGTH:
                    self.message(field)
                elif field.wire == VARINT and field.number in (9, 14):
                    setattr(profile, {9: "time_ns", 14: "default_type"}[field.number], field.value)
        except DamagedError as damage:
            profile.warnings.append(message("pprof_damaged", at=damage.args[0]))
        except SpentError:
            raise UnreadableError(f"The profile has more than {MAX_FIELDS:,} fields, which is the limit.") from None
        return profile

    def fields(self, at: int, end: int) -> Iterator[Field]:
        return walk(self.data, at, end, self.budget)

    def message(self, field: Field) -> None:
        """A part of the profile; a damaged one is left out."""
        try:
            if field.number == 2:
                self.sample(field)
            elif field.number == 4:
                self.location(field)
            elif field.number == 6:
                self.profile.strings.append(str(self.view[field.begin : field.end], "utf-8", "replace"))
            elif field.number in (1, 3, 5):
                self.plain(field)
        except DamagedError:
            if not self.profile.damaged:
                self.profile.warnings.append(message("pprof_record_damaged", at=field.at))
            self.profile.damaged += 1
            self.profile.damaged_samples += field.number == 2

    def plain(self, field: Field) -> None:
        """A sample type, a mapping or a function: numbers only."""
        got = {f.number: f.value for f in self.fields(field.begin, field.end) if f.wire == VARINT}
        if field.number == 1:
            self.profile.types.append((got.get(1, 0), got.get(2, 0)))
        elif field.number == 3:
            self.profile.mappings.setdefault(got.get(1, 0), got.get(5, 0))
        else:
            self.profile.functions.setdefault(got.get(1, 0), (got.get(2, 0), got.get(3, 0), got.get(4, 0)))

    def sample(self, field: Field) -> None:
        samples, data = self.profile.samples, self.data
        packed: tuple[list[bytes], list[bytes], list[bytes]] = ([], [], [])
        for f in self.fields(field.begin, field.end):
            if f.cut or not (f.wire == LENGTH or (f.wire == VARINT and f.number < 3)):
                raise DamagedError(f.at)
            if 1 <= f.number <= 3:
                packed[f.number - 1].append(bytes(data[f.begin : f.end]))
        locations, values = b"".join(packed[0]), b"".join(packed[1])
        if len(values) > _VALUE_BYTES:
            values = values[:_VALUE_BYTES].rstrip(_CONTINUED)
        if locations[-1:] > b"\x7f" or values[-1:] > b"\x7f":
            raise DamagedError(field.at)
        samples.locations.append(locations)
        samples.values.append(values)
        samples.labels.append(samples.label_sets.setdefault(tuple(packed[2][:_LABELS]), len(samples.label_sets)))

    def location(self, field: Field) -> None:
        got, lines = {1: 0, 2: 0, 3: 0}, []
        for f in self.fields(field.begin, field.end):
            if f.cut:
                raise DamagedError(f.at)
            if f.wire == VARINT and f.number in got:
                got[f.number] = f.value
            elif f.wire == LENGTH and f.number == 4:
                line = {g.number: g.value for g in self.fields(f.begin, f.end) if g.wire == VARINT}
                lines.append((line.get(1, 0), signed(line.get(2, 0))))
        self.profile.locations.setdefault(got[1], (got[3], got[2], tuple(lines)))


def label(raw: bytes) -> tuple[int, int, int]:
    """A label: places of its key and its text in the strings, and its number."""
    try:
        got = {f.number: f.value for f in walk(memoryview(raw), 0, len(raw)) if f.wire == VARINT}
    except DamagedError:
        return 0, 0, 0
    return got.get(1, 0), got.get(2, 0), signed(got.get(3, 0))


def varints(pieces: list[bytes]) -> tuple[I64, I64]:
    """All varints of pieces that each hold whole ones, as 64 bits; and where each piece's end among them, 0 first.

    Raises UnreadableError where there are too many.
    """
    raw = np.frombuffer(b"".join(pieces), np.uint8)
    if np.count_nonzero(raw < 0x80) > MAX_LOCATIONS:
        raise UnreadableError(f"The profile's stacks hold more than {MAX_LOCATIONS:,} calls, which is the limit.")
    last = np.flatnonzero(raw < 0x80)
    ends = np.zeros(len(pieces) + 1, np.int64)
    np.cumsum([len(piece) for piece in pieces], out=ends[1:])
    first = np.concatenate([[0], last[:-1] + 1]) if len(last) else last
    values, size = np.zeros(len(last), np.uint64), last - first + 1
    for i in range(min(int(size.max(initial=0)), 10)):
        longer = np.flatnonzero(size > i)
        values[longer] |= (raw[first[longer] + i] & 0x7F).astype(np.uint64) << np.uint64(7 * i)
    return values.view(np.int64), np.searchsorted(last, ends)
