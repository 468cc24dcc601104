"""What collectors record of a kernel's launch → `tables.KernelLaunches`. Each distinct text is parsed once.

The stat `kernel_details`, by CUPTI's collectors: `regs:32 static_shared:0 dynamic_shared:0 grid:1,1,1 block:128,1,1
occ_pct:100`, of 2020 `regs:38 shm:0 grid:… block:…`, older ones with newlines; by ROCm's ` grid:… block:… private_mem:0
group_mem:8704 occ_pct:0`. What is absent, no number, or contradicted is not given."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import (
    I32,
    I64,
    Aggregates,
    Events,
    KernelLaunches,
    Kinds,
    Launched,
    Launches,
    StatKind,
    Stats,
    Strings,
    kept_by_text,
    range_members,
)

Three: TypeAlias = tuple[int, int, int]
KERNEL_DETAILS = "kernel_details"
#: The longest that a collector writes has 120 letters.
_HEAD = 1000
_MOST = (1 << 63) - 1
#: No thread has more: 255 on NVIDIA's devices, 512 vector registers on AMD's. ROCm's collector of 2024 wrote
#: `regs:2191500840 static_shared:32462`, memory that it never set.
_MOST_REGISTERS = 1024
_UNKNOWN = (-1, -1, -1)
#: As CUPTI's collector writes most; found at once, in a third of the time.
_USUAL = regex(
    r"regs:(\d{1,9}) static_shared:(\d{1,9}) dynamic_shared:(\d{1,9}) grid:(\d{1,9}),(\d{1,9}),(\d{1,9}) "
    r"block:(\d{1,9}),(\d{1,9}),(\d{1,9}) occ_pct:(\d{1,9}(?:\.\d{1,9})?)",
    re.ASCII,
)
#: Rows of events whose columns a core's cache holds.
_AT_A_TIME = 1 << 14


class Launch(NamedTuple):
    """A row of `Launches`, None where it is not given."""

    registers: int | None = None
    static_shared: int | None = None
    dynamic_shared: int | None = None
    shared: int | None = None
    grid: Three | None = None
    block: Three | None = None
    occupancy_percent: float | None = None
    achieved_percent: float | None = None


def validate_launch(raw: Launch) -> Launch:
    """A launch without what cannot be: registers of memory that was never set, dimensions and occupancies of 0."""
    static, dynamic, shared = raw.static_shared, raw.dynamic_shared, raw.shared
    if static is not None or dynamic is not None:
        shared = min((static or 0) + (dynamic or 0), _MOST)
    registers = raw.registers
    if registers is not None and registers > _MOST_REGISTERS:
        registers = static = dynamic = shared = None
    # No kernel has no registers, and occupancy 0 is written for unknown.
    return Launch(
        registers or None,
        static,
        dynamic,
        shared,
        _dimensions(raw.grid),
        _dimensions(raw.block),
        _percent(raw.occupancy_percent) or None,
        _percent(raw.achieved_percent),
    )


def _dimensions(shape: Three | None) -> Three | None:
    return shape if shape and shape[0] * shape[1] * shape[2] else None


def _percent(value: float | None) -> float | None:
    return value if value is not None and 0 <= value <= 100 else None


@kept_by_text
def launch_in(text: str) -> Launch:
    """The launch in a text of `kernel_details`."""
    if usual := _USUAL.fullmatch(text):
        registers, static, dynamic, *sizes = map(int, usual.groups()[:9])
        grid, block = (sizes[0], sizes[1], sizes[2]), (sizes[3], sizes[4], sizes[5])
        return validate_launch(Launch(registers, static, dynamic, None, grid, block, float(usual[10])))
    facts: dict[str, str | None] = {}
    for token in text[:_HEAD].split():
        key, _, value = token.partition(":")
        facts[key] = value if facts.get(key, value) == value else None
    shared = _whole(facts.get("shm"))
    return validate_launch(
        Launch(
            _whole(facts.get("regs")),
            _whole(facts.get("static_shared")),
            _whole(facts.get("dynamic_shared")),
            _whole(facts.get("group_mem")) if shared is None else shared,
            parse_dim3(facts.get("grid")),
            parse_dim3(facts.get("block")),
            _decimal(facts.get("occ_pct")),
            _decimal(facts.get("est_pct")),
        )
    )


def parse_dim3(text: str | None) -> Three | None:
    """`4,2,1` as three numbers."""
    parts = (text or "").split(",")
    if len(parts) != 3:
        return None
    x, y, z = map(_whole, parts)
    return None if x is None or y is None or z is None else (x, y, z)


def _whole(text: str | None) -> int | None:
    if text and text.isascii() and text.isdecimal() and len(text) < 20 and (number := int(text)) <= _MOST:
        return number
    return None


def _decimal(text: str | None) -> float | None:
    try:
        return float(text or "")
    except ValueError:
        return None


def launches_of(rows: Sequence[Launch]) -> Launches:
    """The table of some launches, in their order."""
    percents = [[np.nan if p is None else p for p in (row.occupancy_percent, row.achieved_percent)] for row in rows]
    whole = [
        [
            *(-1 if n is None else n for n in (row.registers, row.static_shared, row.dynamic_shared, row.shared)),
            *(row.grid or _UNKNOWN),
            *(row.block or _UNKNOWN),
        ]
        for row in rows
    ]
    names = [column.name for column in Launches.COLUMNS]
    numbers = np.array(whole, np.int64).reshape(len(rows), len(names) - 2).T
    shares = np.array(percents, np.float64).reshape(len(rows), 2).T
    return Launches.from_columns(dict(zip(names, (*numbers, *shares), strict=True)))


def launches_in(strings: Strings, stats: Stats, kinds: Kinds, events: Events, aggregates: Aggregates) -> KernelLaunches:
    """Those of the stat `kernel_details`; of an event without it, its kind's."""
    key = strings.find(KERNEL_DETAILS)
    at = np.flatnonzero(stats.key == key) if key >= 0 else np.empty(0, np.int64)
    if not len(at):
        return KernelLaunches.none()
    texts = stats.value[at]
    texts[stats.kind[at] != StatKind.TEXT] = 0
    place = np.full(len(strings), -1, np.int32)
    place[texts] = 0
    place[0] = -1
    used = np.flatnonzero(place >= 0)
    place[used] = np.arange(len(used))
    launch = place[texts]
    of_kinds = np.full(len(kinds), -1, np.int32)
    row, first = _first(kinds.stats_begin, kinds.stats_end, at, stats.key)
    of_kinds[row] = launch[first]
    tables = []
    for table in (events, aggregates):
        row, first = _first(table.stats_begin, table.stats_end, at, stats.key)
        tables.append(_with_kinds(row, launch[first], table.kind, of_kinds))
    return KernelLaunches(launches_of([launch_in(strings[i]) for i in used.tolist()]), *tables)


def _first(begin: I64, end: I64, at: I64, key: I32) -> tuple[I64, I64]:
    """The rows whose range of stats holds some of the places `at`, ascending, and of each the first such place. key: of
    all stats; those at `at` have one that no other has."""
    if (begin[1:] >= end[:-1]).all():
        rows, places, count = np.empty(len(at), np.int64), np.empty(len(at), np.int64), 0
        for row in range(0, len(begin), _AT_A_TIME):
            owners, place = _first_in_order(begin, end, at, row, key)
            rows[count : count + len(owners)], places[count : count + len(owners)] = owners, place
            count += len(owners)
        return rows[:count], places[:count]
    rows = np.flatnonzero(end > begin)
    rows = rows[np.argsort(begin[rows], kind="stable")]
    behind = np.searchsorted(begin[rows], at, "right") - 1
    owner = np.where(behind >= 0, rows[behind], -1) if len(rows) else np.full(len(at), -1)
    inside = np.flatnonzero(owner >= 0)
    inside = inside[at[inside] < end[owner[inside]]]
    owners, first = np.unique(owner[inside], return_index=True)
    return owners, inside[first]


def _first_in_order(begin: I64, end: I64, at: I64, row: int, key: I32) -> tuple[I64, I64]:
    """As `_first`, of the rows from one on that a core's cache holds; ranges follow each other."""
    begin, end = begin[row : row + _AT_A_TIME], end[row : row + _AT_A_TIME]
    low, high = np.searchsorted(at, (begin[0], end.max())).tolist()
    here = at[low:high]
    if len(here):
        # Of most kernels it is the same of their stats, the fourth, say.
        nth = int(here[0] - begin[np.searchsorted(begin, here[0], "right") - 1])
        holds = np.flatnonzero(end - begin > nth)
        holds = holds[key[begin[holds] + nth] == key[here[0]]]
        if len(holds) == len(here):
            return row + holds, np.arange(low, high)
    owner = np.searchsorted(begin, here, "right") - 1
    inside = np.flatnonzero(here < end[owner])
    owners = owner[inside]
    first = np.flatnonzero(np.diff(owners, prepend=-1))
    return row + owners[first], low + inside[first]


def _with_kinds(row: I64, launch: I32, kind: I32, of_kinds: I32) -> Launched:
    """Rows with a launch of their own, and those that have no such stat, whose kind has one."""
    if (of_kinds >= 0).any():
        every = np.where(kind >= 0, of_kinds[kind], np.int32(-1))
        every[row] = launch
        row, launch = np.flatnonzero(every >= 0), every[every >= 0]
    known = launch >= 0
    if known.all():
        return Launched(row, launch)
    return Launched(row[known], launch[known])


# Args of events, which stand one after another → one of them by event, or all of them elsewhere; compiled or by
# numpy, since as Python `arg_loops.py` takes six times as long as that (0.20 s for a million args, not 0.03).
#
# begins: where the args of each event begin, and after the last of them where they end.

try:
    from . import arg_loops

    COMPILED = arg_loops.COMPILED
except ImportError:  # neither compiled nor is Cython there to run it as Python
    COMPILED = False

#: Events whose args are looked at together: numbers of more take more memory than the args themselves.
LOT = 1 << 16


class Args(NamedTuple):
    """key, StatKind and value of each arg."""

    begins: I64
    keys: NDArray[np.int32]
    kinds: NDArray[np.uint8]
    values: I64


def first_of_key(args: Args, rows: I64, key: int, compiled: bool = COMPILED) -> tuple[I64, NDArray[np.uint8]]:
    """Value and StatKind of the first arg of a key of some events, 0 and 0 where they have none."""
    value, kind = np.zeros(len(rows), np.int64), np.zeros(len(rows), np.uint8)
    if compiled:
        arg_loops.first_of_key(np.ascontiguousarray(rows), *args, key, value, kind)
        return value, kind
    for first in range(0, len(rows), LOT):
        row = rows[first : first + LOT]
        at = range_members(args.begins[row], args.begins[row + 1])
        owner = first + np.repeat(np.arange(len(row)), args.begins[row + 1] - args.begins[row])
        hit = np.flatnonzero(args.keys[at] == key)[::-1]
        value[owner[hit]], kind[owner[hit]] = args.values[at[hit]], args.kinds[at[hit]]
    return value, kind


def copy_args(args: Args, rows: I32, rename: I32, begin: I64, made: Args, compiled: bool = COMPILED) -> None:
    """Writes the args of some events into `made`, those of each from `begin` on, with keys renamed."""
    if compiled:
        arg_loops.copy(rows, *args, rename, begin, made.keys, made.kinds, made.values)
        return
    for low in range(0, len(rows), LOT):
        row, to = rows[low : low + LOT], begin[low : low + LOT]
        at = range_members(to, to + args.begins[row + 1] - args.begins[row])
        source = range_members(args.begins[row], args.begins[row + 1])
        made.keys[at], made.kinds[at], made.values[at] = (
            rename[args.keys[source]],
            args.kinds[source],
            args.values[source],
        )
