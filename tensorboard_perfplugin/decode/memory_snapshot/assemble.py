"""What the machine read of a memory snapshot → `Capture`.

A device's actions are marks of one track, in their order: `MemoryAllocation` and `MemoryDeallocation` as other captures
have them, all others under PyTorch's names. Memory counts as given back with `free_completed`, when other streams are
done with it, and by the size that the program asked for. What was in use at the end stands in the segments, and what
was before each action follows from that. A kind is a device and a call stack; external annotations are slices."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ... import tables
from ...formats import Format
from ...messages import Message, message
from ...patterns import regex
from ...tables import (
    HEAP_FRAME,
    I64,
    Allocator,
    BlockState,
    Capture,
    DecoderKind,
    KernelLaunches,
    PlaneKind,
    Quality,
    StatKind,
    TrackKind,
    distinct,
    range_members,
)
from ..common.build import Plane, Pool, StatRows, Track, check_room, plane_table, track_table
from . import words
from .machine import Machine

# Rows of a memory snapshot → what each device's allocator did, in order, and what was in use after each action.

#: Times further apart than 11 days do not fit, in ps.
_LONGEST_US = 10**12
#: Of a device, so that any sum of sizes fits 64 bits.
_MOST = 1 << 60
#: Devices of a program.
_DEVICES = 10_000
ALLOCATES, FAILS = ("alloc",), ("oom",)
FREES, ASKS = ("free_completed", "free"), ("free_requested",)
_TAKES, _GIVES = ("segment_alloc", "segment_map"), ("segment_free", "segment_unmap")
Bools = NDArray[np.bool_]


class Device(msgspec.Struct, frozen=True):
    """One device. rows: of `Machine.wide` and `.narrow`, all actions in the order in which they were done.

    action: of each its place in `action_names`. time_us: from the first of all devices, never falling. allocates,
    frees, fails: which of them change what is in use, or could not. in_use, reserved: after each, in bytes; reserved is
    -1 where the file has no segments of the device.
    """

    number: int
    rows: I64
    action: I64
    action_names: list[str]
    time_us: I64
    size: I64
    allocates: Bools
    frees: Bools
    fails: Bools
    in_use: I64
    reserved: I64


def traces_of(machine: Machine, root: dict[str, Any]) -> list[int]:
    """The list object of each device, in order; -1 for none."""
    value = root.get("device_traces")
    if not isinstance(value, tuple) or value[0] != words.ANY_LIST:
        return []
    return [each >> 4 if each & 15 == words.OBJECT else -1 for each in machine.generic[value[2]][:_DEVICES]]


def rows_by_device(narrow: Any, lists: list[int]) -> list[I64]:
    """Rows of the entries of each device. What lies in none of its lists is left out."""
    owner = narrow[:, 6].astype(np.int64)
    order = np.argsort(owner, kind="stable")
    low, high = (np.searchsorted(owner[order], lists, side=side) for side in ("left", "right"))
    spans = zip(lists, low.tolist(), high.tolist(), strict=True)
    return [order[a:b] if place >= 0 else order[:0] for place, a, b in spans]


class Times:
    """start_ns: the first of all times since the epoch. real: whether the file has times that can be."""

    def __init__(self, times: list[I64]) -> None:
        known = [each[each >= 0] for each in times]
        low = min((int(each.min()) for each in known if len(each)), default=-1)
        high = max((int(each.max()) for each in known if len(each)), default=-1)
        # Of a few that are damaged the order counts.
        most = 2 * sum(map(len, known)) > sum(map(len, times))
        self.real = most and low >= 0 and high - low <= _LONGEST_US
        self._low = low
        self.start_ns = low * 1000 if self.real and 0 < low < (1 << 62) // 1000 else None

    def since(self, time_us: I64) -> I64:
        return np.clip(time_us - self._low, 0, _LONGEST_US)

    def of(self, time_us: I64) -> I64:
        """Order counts where a clock was set back; without times an action takes a microsecond."""
        if not self.real:
            return np.arange(len(time_us), dtype=np.int64)
        return np.maximum.accumulate(np.maximum(time_us - self._low, 0)) if len(time_us) else time_us


def device_of(number: int, machine: Machine, columns: dict[str, Any], rows: I64, times: Times, ends: I64) -> Device:
    """ends: bytes in use and reserved when the file was written, -1 where the file has no segments of the device."""
    wide = columns["wide"]
    used, at = distinct(columns["narrow"][rows, 0])
    names = [machine.texts[i].decode("utf-8", "replace") for i in used.tolist()]

    def done(which: tuple[str, ...]) -> Bools:
        return np.array([name in which for name in names] or [False], bool)[at]

    size = np.clip(wide[rows, 1], 0, _MOST // max(len(rows), 1))
    allocates, frees = done(ALLOCATES), done(FREES)
    if not frees.any():
        # Where only requests were recorded.
        frees = done(ASKS)
        names = ["free" if name in ASKS else name for name in names]
    in_use = _levels(np.where(allocates, size, np.where(frees, -size, 0)), int(ends[0]))
    reserved = _levels(np.where(done(_TAKES), size, np.where(done(_GIVES), -size, 0)), int(ends[1]))
    return Device(
        number=number,
        rows=rows,
        action=at,
        action_names=names,
        time_us=times.of(wide[rows, 2]),
        size=size,
        allocates=allocates,
        frees=frees,
        fails=done(FAILS),
        in_use=in_use,
        reserved=reserved if ends[1] >= 0 else np.full(len(rows), -1, np.int64),
    )


def _levels(change: I64, end: int) -> I64:
    """After each change, so that the last is `end`; higher by what would else be below 0, or where no end is known."""
    moved = np.cumsum(change)
    if not len(moved):
        return moved
    begin = end - int(moved[-1]) if end >= 0 else 0
    return moved + max(begin, -int(moved.min()), 0)


# Segments and blocks of a memory snapshot → tables; and what each device has in use and reserved at the end.

#: Of all sizes, so that sums fit 64 bits.
_MOST_SEGMENTS = 1 << 60
_DEVICES_SEGMENTS = 10_000
_SEGMENT = {name: i for i, name in enumerate(words.SEGMENTS)}
_BLOCK = {name: i for i, name in enumerate(words.BLOCKS)}


class Division:
    """segment: of each block its segment; blocks that lie in none are left out, as are segments without a list.

    stack: of each block. device: of each segment.
    """

    def __init__(self, machine: Machine, columns: dict[str, Any]) -> None:
        given, blocks = columns["segments"], columns["blocks"]
        order = np.lexsort((given[:, _SEGMENT["address"]], given[:, _SEGMENT["device"]]))
        self.given = given[order]
        lists = self.given[:, _SEGMENT["blocks"]]
        by_list = np.argsort(lists, kind="stable")
        owner = blocks[:, _BLOCK["owner"]]
        place = np.searchsorted(lists[by_list], owner)
        segment = by_list[np.minimum(place, max(len(lists) - 1, 0))] if len(lists) else np.zeros(len(owner), np.int64)
        known = (owner >= 0) & (lists[segment] == owner if len(lists) else np.zeros(len(owner), bool))
        kept = np.flatnonzero(known)
        kept = kept[np.argsort(segment[kept], kind="stable")]
        self.lost = len(blocks) - len(kept)
        self.blocks, self.segment = blocks[kept], segment[kept]
        self.device = np.clip(self.given[:, _SEGMENT["device"]], 0, _DEVICES_SEGMENTS)
        self.stack = self.blocks[:, _BLOCK["stack"]]
        most = _MOST_SEGMENTS // max(len(self.blocks) + len(self.given), 1)
        self.size = np.clip(self.blocks[:, _BLOCK["size"]], 0, most)
        asked = self.blocks[:, _BLOCK["requested_size"]]
        self.state = self._states(machine)
        self.requested = np.where(
            self.state == BlockState.FREE, 0, np.clip(np.where(asked < 0, self.size, asked), 0, most)
        )
        self.total = np.clip(self.given[:, _SEGMENT["total_size"]], 0, most)

    def _states(self, machine: Machine) -> I64:
        """By how the texts begin: `active_pending_free` was `active_awaiting_free` once."""
        code = self.blocks[:, _BLOCK["state"]]
        used, at = distinct(code)
        names = [machine.texts[i] for i in used.tolist()]
        states: list[int] = [
            BlockState.IN_USE
            if name in (b"active_allocated", b"active")
            else BlockState.WAITS
            if name.startswith(b"active")
            else BlockState.FREE
            for name in names
        ]
        return np.array(states or [0], np.int64)[at]

    def ends(self, devices: int) -> I64:
        """Of each device bytes in use and reserved when the file was written; -1 without segments."""
        found = np.full((devices, 2), -1, np.int64)
        has = np.unique(self.device[self.device < devices])
        found[has] = 0
        of_block = self.device[self.segment]
        np.add.at(found[:, 0], of_block, self.requested)
        np.add.at(found[:, 1], self.device, self.total)
        return found

    def tables(self, machine: Machine, pool: Pool, kind: I64) -> tuple[tables.Segments, tables.Blocks]:
        """kind: of each block."""
        count = np.bincount(self.segment, minlength=len(self.given))
        end = np.cumsum(count)
        column = {name: self.given[:, i] for name, i in _SEGMENT.items()}
        pools = [pool.add("" if pair == (0, 0) else f"{pair[0]}, {pair[1]}") for pair in machine.pairs]
        segments = {
            "device": self.device,
            "address": column["address"],
            "size": self.total,
            "stream": column["stream"],
            "pool": np.array(pools, np.int64)[column["pool"]],
            "is_large": column["segment_type"] == machine.text_id(b"large"),
            "is_expandable": column["is_expandable"] == 1,
            "blocks_begin": end - count,
            "blocks_end": end,
        }
        blocks = {
            "address": self._addresses(end - count),
            "size": self.size,
            "requested": self.requested,
            "state": self.state,
            "kind": kind,
        }
        return tables.Segments.from_columns(segments), tables.Blocks.from_columns(blocks)

    def _addresses(self, begin: I64) -> I64:
        """Where they are not given: one after the other from the segment's."""
        given = self.blocks[:, _BLOCK["address"]]
        before = np.cumsum(self.size) - self.size
        first = before[np.minimum(begin, max(len(before) - 1, 0))] if len(before) else begin
        own: I64 = (
            self.given[:, _SEGMENT["address"]][self.segment] + before - first[self.segment] if len(given) else given
        )
        return np.where(given >= 0, given, own)


# Call stacks of a memory snapshot → the texts of their frames, and the frame that asked for the memory.
#
# PyTorch lists the innermost frame first, those of C++ among those of Python. Stack 0 is empty.

#: Files of libraries and of C++, whose frames do not show which code asked for the memory.
_LIBRARY = regex(
    r"(site|dist)-packages[/\\]|[/\\]lib[/\\]python\d|^<frozen |/torchinductor_|(?:^|[/\\])torch[/\\]"
    r"|\.(?:cpp|cc|cxx|cu|cuh|h|hpp|c|so)(?:\.\d+)*$|^(?:\?\?|none)?$"
)
#: What every allocation's frames of C++ hold.
_OF_ALL = regex(
    r"unwind::unwind|CapturedTraceback::gather|gather_with_cpp|^_start$|__libc_start|^_?Py[A-Z]|CachingAllocator"
)


class Stacks:
    """frames: ids in the pool, of texts `name\\tfile\\tline` as `HEAP_FRAME` has them, of all stacks, outermost first.

    begin, end: of each stack's among them. holder: of each the text of the frame that asked, an id.
    """

    def __init__(self, machine: Machine, columns: dict[str, Any], pool: Pool) -> None:
        texts = [text.decode("utf-8", "replace").replace("\t", " ") for text in machine.texts]
        named = [
            (f"{texts[name]} [{texts[node]}]" if node else texts[name], texts[file], line)
            for file, name, line, node in machine.frames
        ]
        ends = np.asarray(columns["begin"], np.int64)
        self.begin, self.end = np.concatenate(([0], ends[:-1])), ends
        flat = np.asarray(columns["frames"], np.int64)
        self.holder = _holders(named, flat, self.begin, self.end, pool)
        ids = np.array([pool.add(f"{name}\t{file}\t{line}") for name, file, line in named] or [0], np.int64)
        # Each stack from its other end.
        size = self.end - self.begin
        turned = np.repeat(self.begin + self.end - 1, size) - np.arange(len(flat))
        self.frames = ids[flat[turned]]

    def of(self, stacks: I64) -> tuple[I64, I64]:
        """Frames of some stacks one after the other, and how many each has."""
        begin, end = self.begin[stacks], self.end[stacks]
        return self.frames[range_members(begin, end)], end - begin


def _holders(named: list[tuple[str, str, int]], flat: I64, begin: I64, end: I64, pool: Pool) -> I64:
    """The innermost frame of the program, else of Python, else any that says more than what all have."""
    own = np.array([not _LIBRARY.search(file) for _, file, _ in named] or [False], bool)
    python = np.array([file.endswith(".py") for _, file, _ in named] or [False], bool)
    says = np.array([not _OF_ALL.search(name) for name, _, _ in named] or [False], bool)
    found = np.full(len(begin), -1, np.int64)
    filled = np.flatnonzero(end > begin)
    for wanted in (own, python, says):
        place = np.where(wanted[flat], np.arange(len(flat)), len(flat))
        first = np.minimum.reduceat(place, begin[filled]) if len(filled) else filled
        hit = (found[filled] < 0) & (first < len(flat))
        found[filled[hit]] = flat[first[hit]]
    texts = np.zeros(len(named) + 1, np.int64)
    for i in np.unique(found[found >= 0]).tolist():
        name, file, line = named[i]
        texts[i] = pool.add(f"{name} ({file}:{line})" if file else name)
    return np.where(found >= 0, texts[found], 0)


# Small members of a memory snapshot, which are kept as they are → settings, annotations.

#: Of a dictionary, keys and values.
_MEMBERS = 2000
#: Characters of a setting that are kept.
_SETTING = 1000


class Note(NamedTuple):
    """A span of an external annotation on a device, in µs as the file has them."""

    name: str
    device: int
    begin_us: int
    end_us: int


def pairs(machine: Machine, value: Any) -> dict[str, Any]:
    """A dictionary that was kept as it is: its texts as keys; the last of equal ones counts."""
    if not isinstance(value, tuple) or value[0] != words.ANY_DICT:
        return {}
    held = [machine.plain(each) for each in machine.generic[value[2]][:_MEMBERS]]
    return {key: each for key, each in zip(held[::2], held[1::2], strict=False) if isinstance(key, str)}


def settings_of(machine: Machine, root: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """What `allocator_settings` holds, as texts; what is empty is left out."""
    found = []
    for key, value in pairs(machine, root.get("allocator_settings")).items():
        inner = pairs(machine, value)
        text = ", ".join(f"{k}: {v}" for k, v in inner.items()) if inner else str(value)
        if not isinstance(value, tuple) or inner:
            found.append((key[:_SETTING], text[:_SETTING]))
    return tuple((key, text) for key, text in found if text not in ("", "None"))


def notes_of(machine: Machine, root: dict[str, Any]) -> list[Note]:
    """Begins and ends of `external_annotations` joined by device and name, the innermost first."""
    opened: dict[tuple[int, str], list[int]] = {}
    notes = []
    for device, name, stage, time in _stages(machine, root.get("external_annotations")):
        begins = opened.setdefault((device, name), [])
        if stage == "START":
            begins.append(time)
        elif stage == "END" and begins:
            notes.append(Note(name, device, begins.pop(), time))
        elif stage not in ("START", "END"):
            notes.append(Note(name, device, time, time))
    return [note for note in notes if note.end_us >= note.begin_us]


def _stages(machine: Machine, value: Any) -> Iterator[tuple[int, str, str, int]]:
    if not isinstance(value, tuple) or value[0] != words.ANY_LIST:
        return
    for each in machine.generic[value[2]]:
        note = pairs(machine, machine.plain(each))
        device, time = note.get("device"), note.get("time_us")
        if isinstance(time, int) and 0 <= time < 1 << 62 and isinstance(device, int) and 0 <= device < 10_000:
            yield device, str(note.get("name", ""))[:_SETTING], str(note.get("stage", "")), time


_PS_PER_US = 10**6
#: `Machine` runs as it is where nothing was compiled.
_DECODER = DecoderKind.PLAIN if inspect.isfunction(Machine.run) else DecoderKind.COMPILED
#: What a text says that says nothing.
_NOTHING = ("", "N/A")


def assembled(machine: Machine, root: dict[str, Any], warnings: tuple[Message, ...]) -> Capture:
    columns, pool = machine.columns(), Pool()
    rows = rows_by_device(columns["narrow"], traces_of(machine, root))
    notes, division = notes_of(machine, root), Division(machine, columns)
    times = Times([columns["wide"][each, 2] for each in rows] + [np.array([n.begin_us for n in notes], np.int64)])
    ends = division.ends(max(len(rows), 1 + int(division.device.max(initial=-1))))
    every = [device_of(i, machine, columns, each, times, ends[i]) for i, each in enumerate(rows)]
    devices = [device for device in every if len(device.rows)]
    check_room(sum(len(d.rows) for d in devices) + len(notes), 0, 6 * sum(len(d.rows) for d in devices))
    stacks = Stacks(machine, columns, pool)
    stacked = columns["narrow"][:, 1]
    of_blocks = division.device[division.segment] * len(stacks.begin) + division.stack
    of_events = [d.number * len(stacks.begin) + np.where(d.allocates | d.fails, stacked[d.rows], 0) for d in devices]
    codes, at = distinct(np.concatenate([of_blocks, *of_events]))
    kinds, kind_stats = _kinds(codes, stacks, pool)
    made = _Events(machine, columns, pool, len(kind_stats[0]))
    begin = len(of_blocks)
    for device, codes_of in zip(devices, of_events, strict=True):
        made.device(device, at[begin : begin + len(codes_of)])
        begin += len(codes_of)
    made.notes(notes, times)
    segments, blocks = division.tables(machine, pool, np.where(division.state > 0, at[: len(of_blocks)], -1))
    allocator = Allocator(segments, blocks, settings_of(machine, root), bool(devices))
    # Devices may have one list together, whose entries are shown of each.
    shown = np.zeros(len(columns["wide"]), bool)
    for device in devices:
        shown[device.rows] = True
    lost = {
        "snapshot_entry_lost": len(shown) - int(shown.sum()),
        "snapshot_block_lost": division.lost + machine.lost,
    }
    warnings = (*warnings, *_warnings(devices, times))
    return made.capture(
        kinds, kind_stats, allocator, times.start_ns, warnings, {code: n for code, n in lost.items() if n}
    )


def _warnings(devices: Sequence[Device], times: Times) -> list[Message]:
    found = []
    if devices and not times.real:
        found.append(message("snapshot_without_times"))
    return found


def allocator_name(device: int) -> str:
    return f"GPU_{device}_pytorch"


def _kinds(codes: I64, stacks: Stacks, pool: Pool) -> tuple[tables.Kinds, tuple[I64, I64, I64]]:
    """A kind a device and stack, with stats: allocator, the frame that asked, and all frames, outermost first."""
    device, stack = np.divmod(codes, len(stacks.begin))
    names = {i: pool.add(allocator_name(i)) for i in np.unique(device).tolist()}
    frames, size = stacks.of(stack)
    size = size + 2
    end = np.cumsum(size)
    begin = end - size
    total = int(end[-1]) if len(end) else 0
    key = np.full(total, pool.add(HEAP_FRAME), np.int64)
    value = np.zeros(total, np.int64)
    is_frame = np.ones(total, bool)
    allocators = np.array([names[i] for i in device.tolist()], np.int64)
    for i, (name, ids) in enumerate((("allocator_name", allocators), ("tf_op", stacks.holder[stack]))):
        key[begin + i], value[begin + i], is_frame[begin + i] = pool.add(name), ids, False
    value[is_frame] = frames
    table = tables.Kinds.from_columns(
        {
            "plane": np.zeros(len(codes)),
            "name": np.full(len(codes), pool.add("Memory")),
            "label": np.zeros(len(codes)),
            "stats_begin": begin,
            "stats_end": end,
        }
    )
    return table, (key, np.full(total, StatKind.TEXT, np.int64), value)


class _Events:
    """Events and their stats, track by track."""

    def __init__(self, machine: Machine, columns: dict[str, Any], pool: Pool, stats: int) -> None:
        self.machine, self.columns, self.pool = machine, columns, pool
        self.stats = stats
        self.parts: list[dict[str, Any]] = []
        self.rows: list[tuple[Any, Any, Any]] = []
        self.tracks: list[tuple[str, int]] = []

    def _track(self, name: str, part: dict[str, Any], n: int) -> None:
        self.tracks.append((name, n))
        self.parts.append({"track": np.full(n, len(self.tracks) - 1, np.int32), **part})

    def device(self, device: Device, kind: I64) -> None:
        """Marks with what was in use and free after each, its address and size, and the program's notes on it."""
        n = len(device.rows)
        names = np.array([self.pool.add(_name(text)) for text in device.action_names], np.int64)[device.action]
        notes = [self._texts(column, device.rows) for column in ("compile_context", "user_metadata", "category")]
        size = 4 + np.stack(notes, axis=1).astype(bool).sum(axis=1)
        begin = np.cumsum(size) - size
        key, value = np.empty(int(size.sum()), np.int32), np.empty(int(size.sum()), np.int64)
        sort = np.full(len(key), StatKind.INT, np.uint8)
        wide = self.columns["wide"]
        known = device.reserved >= device.in_use
        asked, gave, bytes_ = (self.pool.add(text) for text in ("requested_bytes", "allocation_bytes", "bytes"))
        of_size = np.where(device.allocates | device.fails, asked, np.where(device.frees, gave, bytes_))
        address = np.where(device.fails, self.pool.add("device_free"), self.pool.add("addr"))
        for i, (keys, values) in enumerate(
            (
                (of_size, device.size),
                (address, wide[device.rows, 0]),
                (np.full(n, self.pool.add("bytes_allocated")), device.in_use),
                (np.full(n, self.pool.add("bytes_available")), np.where(known, device.reserved - device.in_use, -1)),
            )
        ):
            key[begin + i], value[begin + i] = keys, values
        place = begin + 4
        for name, ids in zip(("compile_context", "user_metadata", "region_type"), notes, strict=True):
            has = np.flatnonzero(ids > 0)
            key[place[has]], value[place[has]], sort[place[has]] = self.pool.add(name), ids[has], StatKind.TEXT
            place = place + (ids > 0)
        self.rows.append((key, sort, value))
        part = {
            "name": names.astype(np.int32),
            "kind": kind.astype(np.int32),
            "start_ps": device.time_us * _PS_PER_US,
            "duration_ps": np.zeros(n, np.int64),
            "stats_begin": self.stats + begin,
            "stats_end": self.stats + begin + size,
        }
        self.stats += len(key)
        self._track(f"{allocator_name(device.number)}", part, n)

    def _texts(self, column: str, rows: I64) -> I64:
        """Ids in the pool of the program's notes on each action, 0 where that is nothing."""
        place = {"compile_context": 2, "user_metadata": 3, "category": 5}[column]
        used, at = distinct(self.columns["narrow"][rows, place])
        texts = [self.machine.texts[i].decode("utf-8", "replace") for i in used.tolist()]
        ids = np.array([0 if text in _NOTHING else self.pool.add(text) for text in texts] or [0], np.int64)
        return ids[at]

    def notes(self, notes: Sequence[Note], times: Times) -> None:
        """A track a device of the spans that annotations name."""
        for device in sorted({note.device for note in notes}) if times.real else []:
            own = sorted((n for n in notes if n.device == device), key=lambda n: (n.begin_us, -n.end_us))
            start = times.since(np.array([n.begin_us for n in own], np.int64))
            end = times.since(np.array([n.end_us for n in own], np.int64))
            part = {
                "name": np.array([self.pool.add(n.name) for n in own], np.int32),
                "kind": np.full(len(own), -1, np.int32),
                "start_ps": start * _PS_PER_US,
                "duration_ps": (end - start) * _PS_PER_US,
                "stats_begin": np.zeros(len(own), np.int64),
                "stats_end": np.zeros(len(own), np.int64),
            }
            self._track(f"annotations of GPU {device}", part, len(own))

    def capture(
        self,
        kinds: tables.Kinds,
        kind_stats: tuple[I64, I64, I64],
        allocator: Allocator,
        start_ns: int | None,
        warnings: tuple[Message, ...],
        lost: dict[str, int],
    ) -> Capture:
        events = _joined(tables.Events, self.parts)
        columns = [np.concatenate(column) for column in zip(kind_stats, *self.rows, strict=True)]
        stats = tables.Stats.from_columns(dict(zip(("key", "kind", "value"), columns, strict=True)))
        self.parts, self.rows = [], []
        planes = plane_table([Plane("/host:CPU", PlaneKind.CPU)], StatRows(self.pool))
        tracks = [Track(0, i, name, TrackKind.THREAD, i) for i, (name, _) in enumerate(self.tracks)]
        n = len(events)
        return Capture(
            Format.MEMORY_SNAPSHOT,
            _DECODER,
            "",
            start_ns,
            planes,
            track_table(tracks, [n for _, n in self.tracks], self.pool),
            kinds,
            events,
            tables.Aggregates.empty(),
            stats,
            tables.Strings(self.pool.texts),
            (),
            (),
            Quality(n + sum(lost.values()), n, lost, warnings),
            KernelLaunches.none,
            allocator,
        )


def _joined(kind: type[tables.Events], parts: list[dict[str, Any]]) -> tables.Events:
    if not parts:
        return kind.empty()
    return kind.from_columns({c.name: np.concatenate([part.pop(c.name) for part in parts]) for c in kind.COLUMNS})


def _name(action: str) -> str:
    if action in ALLOCATES:
        return "MemoryAllocation"
    if action in FREES:
        return "MemoryDeallocation"
    return {"oom": "OutOfMemory"}.get(action, action) or "(unnamed)"
