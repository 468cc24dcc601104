"""pprof's profiles of memory → `Capture`."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray

from .. import tables, units
from ..errors import UnreadableError
from ..formats import Format
from ..messages import Message, message
from ..patterns import regex
from ..tables import (
    HEAP_BYTES,
    HEAP_DEVICE,
    HEAP_FRAME,
    HEAP_KIND,
    Capture,
    DecoderKind,
    PlaneKind,
    Quality,
    StatKind,
    TrackKind,
    distinct,
)
from ..wire import LENGTH, VARINT, Budget, DamagedError, Field, SpentError, signed, walk
from .common.build import Plane, Pool, StatRows, Track, check_room, plane_table, track_table
from .common.source import Source

# Bytes of a pprof `Profile` (profile.proto) → its parts as columns: samples, locations, functions, strings.
#
# Message by message in plain Python, so that a damaged file gives what comes before the damage; ids and values, which
# are most of a file, are decoded at once. Not read are `drop_frames`, `keep_frames`, breakdowns and comments.

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


class Samples(msgspec.Struct):
    """locations, values: of each sample its raw varints. labels: of each, the place of its labels in `label_sets`."""

    locations: list[bytes] = msgspec.field(default_factory=list)
    values: list[bytes] = msgspec.field(default_factory=list)
    labels: list[int] = msgspec.field(default_factory=list)
    label_sets: dict[tuple[bytes, ...], int] = msgspec.field(default_factory=dict)


class Profile(msgspec.Struct):
    """types: pairs of places in `strings`. locations: id → address, mapping, pairs of function id and line, innermost
    first. functions: id → places of name, system's name and file. mappings: id → place of file.
    """

    strings: list[str] = msgspec.field(default_factory=list)
    types: list[tuple[int, int]] = msgspec.field(default_factory=list)
    default_type: int = 0
    time_ns: int = 0
    samples: Samples = msgspec.field(default_factory=Samples)
    locations: dict[int, tuple[int, int, tuple[tuple[int, int], ...]]] = msgspec.field(default_factory=dict)
    functions: dict[int, tuple[int, int, int]] = msgspec.field(default_factory=dict)
    mappings: dict[int, int] = msgspec.field(default_factory=dict)
    damaged: int = 0
    damaged_samples: int = 0
    warnings: list[Message] = msgspec.field(default_factory=list)


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


# Locations of a pprof profile's samples → frames as texts, outermost first; an inlined function has its own.

#: Ids below are looked up in a table.
_FEW = 1 << 22
#: So many locations that a profile does not hold are distinguished.
_NAMED = 1000


class Frames(msgspec.Struct, frozen=True):
    """texts: ids of all samples' frames, outermost first. ends: where each sample's end among them, 0 first.

    innermost: id of the name of each sample's innermost function.
    """

    texts: I64
    ends: I64
    innermost: I64


class Places:
    """Location id → ids of its frames, outermost first. unknown, outside: what is pointed to and not there."""

    def __init__(self, profile: Profile, pool: Pool) -> None:
        self.profile, self.pool = profile, pool
        self.unknown_functions, self.unknown_locations, self.outside = 0, 0, 0

    def text(self, place: int) -> str:
        strings = self.profile.strings
        if 0 <= place < len(strings):
            return strings[place].replace("\t", " ")
        self.outside += 1
        return ""

    def frames(self, id: int) -> list[tuple[str, str]]:
        """Name and whole text of each frame of a location."""
        location = self.profile.locations.get(id)
        if location is None:
            self.unknown_locations += 1
            return [self.frame(f"(unknown location {id})", "", 0)]
        address, mapping, lines = location
        if lines:
            return [self.function(function, line) for function, line in reversed(lines)]
        file = self.text(self.profile.mappings.get(mapping, 0))
        return [self.frame(f"0x{address:x}" if address else f"(location {id})", file, 0)]

    def function(self, id: int, line: int) -> tuple[str, str]:
        entry = self.profile.functions.get(id)
        if entry is None:
            self.unknown_functions += 1
            return self.frame(f"(unknown function {id})", "", line)
        name, system, file = entry
        return self.frame(self.text(name) or self.text(system) or f"(unnamed function {id})", self.text(file), line)

    def frame(self, name: str, file: str, line: int) -> tuple[str, str]:
        return name, f"{name}\t{file}\t{max(line, 0)}"

    def warnings(self) -> list[Message]:
        """What the profile refers to and does not hold."""
        counts = {
            "pprof_unknown_locations": self.unknown_locations,
            "pprof_unknown_functions": self.unknown_functions,
            "pprof_outside_strings": self.outside,
        }
        return [message(code, n=number) for code, number in counts.items() if number]


def frames_of(profile: Profile, rows: I64, pool: Pool, warnings: list[Message]) -> Frames:
    """The frames of the samples of these rows. Raises UnreadableError where they take more memory than there is."""
    ids, ends = varints([profile.samples.locations[row] for row in rows.tolist()])
    known, place = few_unknown(*distinct(ids), profile)
    places = Places(profile, pool)
    frames = [places.frames(id & (1 << 64) - 1) for id in known.tolist()]
    warnings += places.warnings()
    size = np.array([len(each) for each in frames], np.int64)
    begin = np.cumsum(size) - size
    flat = pool.add_all(text for each in frames for _, text in each)
    last = pool.add_all(each[-1][0] for each in frames)
    # A sample's locations are innermost first: each is taken from the other end.
    counts = np.diff(ends)
    turned = np.repeat(ends[:-1] + ends[1:] - 1, counts) - np.arange(len(ids))
    place = place[turned]
    sizes = size[place]
    check_room(0, len(rows), 3 * len(rows) + int(sizes.sum()))
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    taken = np.repeat(begin[place] - offsets[:-1], sizes) + np.arange(offsets[-1])
    has = counts > 0
    innermost = np.full(len(rows), pool.add("(no stack)"), np.int64)
    innermost[has] = last[place[ends[1:][has] - 1]]
    return Frames(flat[taken], offsets[ends], innermost)


def few_unknown(known: I64, place: I64, profile: Profile) -> tuple[I64, I64]:
    """The ids, of those that the profile does not hold only the first: they may be as many as the file has bytes."""
    held = np.array(list(profile.locations), np.uint64).view(np.int64)
    unknown = np.flatnonzero(~np.isin(known, held))
    if len(unknown) <= _NAMED:
        return known, place
    kept = np.ones(len(known), bool)
    kept[unknown[_NAMED:]] = False
    moved = np.cumsum(kept) - 1
    moved[~kept] = moved[unknown[_NAMED - 1]]
    return known[kept], moved[place]


# pprof: one serialized `Profile` (profile.proto) of memory, as JAX, Go and C++ programs write it → `Capture`.
#
# Of JAX's device memory profile a plane is a device. Every sample is memory in use that one call stack allocated: a
# row
# of `aggregates`, since it has no place in time. Of several sample types the preferred one of bytes is read, of
# labels
# `device` and `kind`. Profiles of time, of locks and the like are refused.

_UNITS = {"bytes": 1, "byte": 1, "b": 1, "kilobytes": 1 << 10, "kb": 1 << 10, "megabytes": 1 << 20, "mb": 1 << 20}
#: Sums of sizes of a file stay below, so that thousands of files add up in 64 bits: a petabyte.
_MOST = 1 << 50
_DEVICES = (
    (regex(r"(cuda|gpu|rocm)\W*(\d{1,9})?", re.IGNORECASE), PlaneKind.GPU),
    (regex(r"(tpu)\D{0,2}(\d{1,9})?", re.IGNORECASE), PlaneKind.TPU),
    (regex(r"(?:tfrt_)?(cpu)\W*_?(\d{1,9})?", re.IGNORECASE), PlaneKind.CPU),
)
NO_DEVICE, HOST_HEAP = "(no device named)", "host memory"


def read(source: Source, decoder: str | None = None) -> Capture:
    """Decode. Raises UnreadableError where it is no profile of memory, or larger than any is."""
    if len(source.data) > MAX_BYTES:
        raise UnreadableError(f"{source.path} unpacks to {units.size(len(source.data))}; memory profiles are smaller.")
    profile = Reader(source.data).read()
    if not profile.types or not profile.strings:
        raise source.unreadable()
    picked = pick_types(profile)
    if picked is None:
        types = ", ".join(" in ".join(_text(profile, place) for place in pair) for pair in profile.types[:8])
        raise UnreadableError(
            f"{source.path or 'The data'} is a pprof profile of {types}, not of memory. "
            "Only memory profiles are read; `go tool pprof -http=: FILE` shows others."
        )
    return _capture(profile, picked, source.warnings)


class Picked(msgspec.Struct, frozen=True):
    """Which of a sample's values are its size, in so many bytes each, and its number of allocations, if given."""

    size: int
    unit: int
    count: int | None
    name: str


def pick_types(profile: Profile) -> Picked | None:
    """By declared type and unit: the preferred one of bytes, else what is in use, else the last, as pprof has it."""
    types = [(_text(profile, kind), _text(profile, unit).lower()) for kind, unit in profile.types]
    sizes = [i for i, (_, unit) in enumerate(types) if unit in _UNITS]
    if not sizes:
        return None
    preferred = _text(profile, profile.default_type)
    family = preferred.partition("_")[0] if "_" in preferred else "inuse"
    named = [i for i in sizes if types[i][0] == preferred]
    alike = [i for i in sizes if types[i][0].startswith(family + "_")]
    size = (named or alike or sizes)[-1]
    name, unit = types[size]
    counts = [i for i, (_, each) in enumerate(types) if each == "count"]
    prefix = name.partition("_")[0] + "_" if "_" in name else ""
    same = [i for i in counts if types[i][0].startswith(prefix)] if prefix else counts
    return Picked(size, _UNITS[unit], same[0] if same else None, name)


def _text(profile: Profile, place: int) -> str:
    return profile.strings[place] if 0 <= place < len(profile.strings) else ""


def _capture(profile: Profile, picked: Picked, unpacking: tuple[Message, ...]) -> Capture:
    samples, warnings = profile.samples, [message("memory_profile_note"), *unpacking, *profile.warnings]
    values, ends = varints(samples.values)
    sized = np.diff(ends) > picked.size
    labels = np.array(samples.labels, np.int64)[sized]
    raw = _known_sizes(values[ends[:-1][sized] + picked.size], _label_texts(profile)[0], labels, warnings)
    size = _bytes(raw, picked.unit, warnings)
    count = _counts(values, ends, sized, picked, warnings)
    pool = Pool()
    frames = frames_of(profile, np.flatnonzero(sized), pool, warnings)
    kept, dropped = len(size), {"sample_without_size": int((~sized).sum())}
    if profile.damaged_samples:
        dropped["damaged_sample"] = profile.damaged_samples
    quality = Quality(
        kept + sum(dropped.values()),
        kept,
        {code: n for code, n in dropped.items() if n},
        tuple(dict.fromkeys(warnings)),
    )
    return _assembled(profile, pool, labels, size, count, frames, quality)


def _known_sizes(values: I64, kinds: list[str], labels: I64, warnings: list[Message]) -> I64:
    """JAX writes -1 for an executable whose size the device does not report."""
    is_unknown = (values == -1) & (np.array(kinds, object)[labels] == "executable")
    if not is_unknown.any():
        return values
    warnings.append(message("executables_without_size", n=int(np.count_nonzero(is_unknown))))
    return np.where(is_unknown, 0, values)


def _bytes(values: I64, unit: int, warnings: list[Message]) -> I64:
    """Sizes whose sum fits into 64 bits."""
    most = _MOST // max(len(values), 1) // unit
    if float(np.abs(values.astype(np.float64)).sum()) * unit >= _MOST:
        warnings.append(message("sizes_too_large", limit=most * unit))
        values = np.clip(values, -most, most)
    if (values < 0).any():
        warnings.append(message("sizes_negative"))
    return values * unit


def _counts(values: I64, ends: I64, sized: NDArray[np.bool_], picked: Picked, warnings: list[Message]) -> I64:
    """Numbers of allocations, 0 where they are not recorded."""
    if picked.count is None:
        warnings.append(message("no_allocation_count"))
        return np.zeros(int(sized.sum()), np.int64)
    has = (np.diff(ends) > picked.count)[sized]
    place = np.minimum(ends[:-1][sized] + picked.count, len(values) - 1)
    return np.where(has, np.clip(values[place], 0, _MOST // max(len(has), 1)), 0) if len(values) else values


def _assembled(
    profile: Profile, pool: Pool, labels: I64, size: I64, count: I64, frames: Frames, quality: Quality
) -> Capture:
    kinds, devices = _label_texts(profile)
    names = sorted(set(np.array(devices, object)[labels].tolist()), key=_natural)
    plane_of = {name: i for i, name in enumerate(names)}
    plane = np.array([plane_of.get(device, 0) for device in devices], np.int64)[labels]
    order = np.argsort(plane, kind="stable")
    kind_id, device_id = (pool.add_all(texts)[labels] for texts in (kinds, devices))
    # A capture's aggregates may lie in any order; those of a plane are kept together for readers.
    stats_begin, stats = _stats(pool, size, kind_id, device_id, frames)
    stats_end = stats_begin + 3 + np.diff(frames.ends)
    aggregates = tables.Aggregates.from_columns(
        {
            "track": plane[order],
            "name": frames.innermost[order],
            "kind": np.full(len(order), -1),
            "occurrences": count[order],
            "duration_ps": np.zeros(len(order)),
            "stats_begin": stats_begin[order],
            "stats_end": stats_end[order],
        }
    )
    tracks = [Track(i, 0, "Memory in use", TrackKind.OTHER) for i in range(len(names))]
    return Capture(
        Format.PPROF,
        DecoderKind.COMPILED,
        "",
        profile.time_ns if 0 < profile.time_ns < 1 << 63 else None,
        plane_table(_planes(names, any(kinds)), StatRows(pool)),
        track_table(tracks, [0] * len(names), pool),
        tables.Kinds.empty(),
        tables.Events.empty(),
        aggregates,
        stats,
        tables.Strings(pool.texts),
        (),
        (),
        quality,
    )


def _label_texts(profile: Profile) -> tuple[list[str], list[str]]:
    """Of each set of labels its kind and its device."""
    kinds, devices = [], []
    for labels in profile.samples.label_sets:
        facts = {_text(profile, key): _text(profile, text) or str(number) for key, text, number in map(label, labels)}
        kinds.append(facts.get("kind", ""))
        devices.append(facts.get("device", ""))
    return kinds, devices


def _stats(pool: Pool, size: I64, kind: I64, device: I64, frames: Frames) -> tuple[I64, tables.Stats]:
    """Where each sample's rows begin, and the rows: size, kind, device, then its frames."""
    n, total = len(size), len(frames.texts)
    check_room(0, n, 3 * n + total)
    begin = frames.ends[:-1] + 3 * np.arange(n)
    key = np.full(3 * n + total, pool.add(HEAP_FRAME), np.int32)
    value = np.zeros(3 * n + total, np.int64)
    text = np.full(3 * n + total, StatKind.TEXT, np.uint8)
    is_head = np.zeros(3 * n + total, bool)
    for i, (name, values) in enumerate(((HEAP_BYTES, size), (HEAP_KIND, kind), (HEAP_DEVICE, device))):
        key[begin + i], value[begin + i], is_head[begin + i] = pool.add(name), values, True
    text[begin] = StatKind.INT
    value[~is_head] = frames.texts
    return begin, tables.Stats(key, text, value)


def _planes(names: list[str], is_device_profile: bool) -> list[Plane]:
    if not is_device_profile and not any(names):
        return [Plane(HOST_HEAP, PlaneKind.CPU) for _ in names]
    return [Plane(name or NO_DEVICE, *(device_kind(name) if name else (PlaneKind.OTHER, -1))) for name in names]


def device_kind(name: str) -> tuple[PlaneKind, int]:
    """What `cuda:0`, `TPU_0(process=0,…)` or `cpu:1` is, and its number."""
    for pattern, kind in _DEVICES:
        match = pattern.match(name)
        if match:
            return kind, int(match[2]) if match[2] else -1
    return PlaneKind.OTHER, -1


def _natural(text: str) -> list[tuple[int, int, str]]:
    """Sort key that puts `cuda:2` before `cuda:10`, and what has no name last."""
    parts = [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in re.split(r"(\d{1,18})", text) if part]
    return parts or [(2, 0, "")]
