"""pprof: one serialized `Profile` (profile.proto) of memory, as JAX, Go and C++ programs write it → `Capture`.

Of JAX's device memory profile a plane is a device. Every sample is memory in use that one call stack allocated: a row
of `aggregates`, since it has no place in time. Of several sample types the preferred one of bytes is read, of labels
`device` and `kind`. Profiles of time, of locks and the like are refused.
"""

from __future__ import annotations

import dataclasses
import re

import numpy as np
from numpy.typing import NDArray

from ... import tables, units
from ...errors import UnreadableError
from ...formats import Format
from ...messages import Message, message
from ...tables import (
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
)
from ..common.memory import check_room
from ..common.places import Pool
from ..common.source import Source
from .profile import MAX_BYTES, Profile, Reader, label, varints
from .stacks import Frames, frames_of

I64 = NDArray[np.int64]

_UNITS = {"bytes": 1, "byte": 1, "b": 1, "kilobytes": 1 << 10, "kb": 1 << 10, "megabytes": 1 << 20, "mb": 1 << 20}
#: Sums of sizes of a file stay below, so that thousands of files add up in 64 bits: a petabyte.
_MOST = 1 << 50
_DEVICES = (
    (re.compile(r"(cuda|gpu|rocm)\W*(\d{1,9})?", re.IGNORECASE), PlaneKind.GPU),
    (re.compile(r"(tpu)\D{0,2}(\d{1,9})?", re.IGNORECASE), PlaneKind.TPU),
    (re.compile(r"(?:tfrt_)?(cpu)\W*_?(\d{1,9})?", re.IGNORECASE), PlaneKind.CPU),
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


@dataclasses.dataclass(frozen=True)
class Picked:
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
    size = _bytes(values[ends[:-1][sized] + picked.size], picked.unit, warnings)
    count = _counts(values, ends, sized, picked, warnings)
    pool = Pool()
    frames = frames_of(profile, np.flatnonzero(sized), pool, warnings)
    labels = np.array(samples.labels, np.int64)[sized]
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
    kind_id, device_id = (np.array([pool.add(t) for t in texts], np.int64)[labels] for texts in (kinds, devices))
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
    return Capture(
        Format.PPROF,
        DecoderKind.COMPILED,
        "",
        profile.time_ns if 0 < profile.time_ns < 1 << 63 else None,
        _planes(pool, names, any(kinds)),
        _tracks(pool, names),
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


def _planes(pool: Pool, names: list[str], is_device_profile: bool) -> tables.Planes:
    none = NO_DEVICE if is_device_profile or any(names) else HOST_HEAP
    kinds = [device_kind(name) if name else (PlaneKind.OTHER, -1) for name in names]
    if none == HOST_HEAP:
        kinds = [(PlaneKind.CPU, -1)] * len(names)
    zeros = [0] * len(names)
    columns = {
        "name": [pool.add(name or none) for name in names],
        "kind": [kind for kind, _ in kinds],
        "vendor": zeros,
        "ordinal": [ordinal for _, ordinal in kinds],
        "stats_begin": zeros,
        "stats_end": zeros,
    }
    return tables.Planes.from_columns(columns)


def _tracks(pool: Pool, names: list[str]) -> tables.Tracks:
    zeros = [0] * len(names)
    columns = {
        "plane": list(range(len(names))),
        "id": zeros,
        "name": [pool.add("Memory in use")] * len(names),
        "kind": [TrackKind.OTHER] * len(names),
        "order": zeros,
        "events_begin": zeros,
        "events_end": zeros,
    }
    return tables.Tracks.from_columns(columns)


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
