"""What the machine read of a memory snapshot → `Capture`.

A device's actions are marks of one track, in their order: `MemoryAllocation` and `MemoryDeallocation` as other captures
have them, all others under PyTorch's names. Memory counts as given back with `free_completed`, when other streams are
done with it, and by the size that the program asked for. What was in use at the end stands in the segments, and what
was before each action follows from that. A kind is a device and a call stack; external annotations are slices.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import tables
from ...formats import Format
from ...messages import Message, message
from ...tables import (
    HEAP_FRAME,
    I64,
    Allocator,
    Capture,
    DecoderKind,
    KernelLaunches,
    PlaneKind,
    Quality,
    StatKind,
    TrackKind,
)
from ..common.memory import check_room
from ..common.places import Pool
from .devices import ALLOCATES, FREES, Device, Times, device_of, rows_by_device, traces_of
from .machine import Machine
from .members import Note, notes_of, settings_of
from .segments import Division
from .stacks import Stacks

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
    codes, at = np.unique(np.concatenate([of_blocks, *of_events]), return_inverse=True)
    at = at.reshape(-1)
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
    said = (*warnings, *_said(devices, times))
    return made.capture(kinds, kind_stats, allocator, times.start_ns, said, {code: n for code, n in lost.items() if n})


def _said(devices: Sequence[Device], times: Times) -> list[Message]:
    found = []
    if devices and not times.real:
        found.append(message("snapshot_without_times"))
    return found


def allocator_name(device: int) -> str:
    return f"GPU_{device}_pytorch"


def _kinds(codes: I64, stacks: Stacks, pool: Pool) -> tuple[tables.Kinds, tuple[I64, I64, I64]]:
    """A kind a device and stack, with stats: allocator, who asked, and the frames, outermost first."""
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
        """Marks with what was in use and free after each, its address and size, and what the program said of it."""
        n = len(device.rows)
        names = np.array([self.pool.add(_name(text)) for text in device.action_names], np.int64)[device.action]
        said = [self._texts(column, device.rows) for column in ("compile_context", "user_metadata", "category")]
        size = 4 + np.stack(said, axis=1).astype(bool).sum(axis=1)
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
        for name, ids in zip(("compile_context", "user_metadata", "region_type"), said, strict=True):
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
        """Ids in the pool of what the program said of each action, 0 where that is nothing."""
        place = {"compile_context": 2, "user_metadata": 3, "category": 5}[column]
        used, at = np.unique(self.columns["narrow"][rows, place], return_inverse=True)
        texts = [self.machine.texts[i].decode("utf-8", "replace") for i in used.tolist()]
        ids = np.array([0 if text in _NOTHING else self.pool.add(text) for text in texts] or [0], np.int64)
        return ids[at.reshape(-1)]

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
        planes, tracks = self._places()
        n = len(events)
        return Capture(
            Format.MEMORY_SNAPSHOT,
            _DECODER,
            "",
            start_ns,
            planes,
            tracks,
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

    def _places(self) -> tuple[tables.Planes, tables.Tracks]:
        plane = {"name": [self.pool.add("/host:CPU")], "kind": [PlaneKind.CPU], "vendor": [0], "ordinal": [-1]}
        counts = np.array([n for _, n in self.tracks], np.int64)
        end = np.cumsum(counts)
        count = len(counts)
        track = {
            "plane": np.zeros(count),
            "id": np.arange(count),
            "name": np.array([self.pool.add(name) for name, _ in self.tracks], np.int64),
            "kind": np.full(count, TrackKind.THREAD),
            "order": np.arange(count),
            "events_begin": end - counts,
            "events_end": end,
        }
        planes = tables.Planes.from_columns({**plane, "stats_begin": [0], "stats_end": [0]})
        return planes, tables.Tracks.from_columns(track)


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
