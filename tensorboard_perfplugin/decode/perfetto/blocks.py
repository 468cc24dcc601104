"""Events of several kinds of packets, as columns → one document: their processes and threads get numbers and names."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...formats import Format
from ...messages import Message
from ...tables import I64, StatKind
from ..common.ranges import runs
from ..common.rows import occurring
from ..json.columns import HAS_LENGTH, HAS_START, Events
from ..json.reader import Document
from .tracks import Tracks

_NS_PER_US, _PS_PER_NS = 1000, 1000


@dataclasses.dataclass
class Block:
    """By event: its phase, texts of name and category, place of its row, begin and length in ns, flags, and how many
    args it has, which stand one after another. rare: as of `Events`, ids by their own values. flows: rows of (event,
    flow, whether it ends).
    """

    phase: NDArray[np.uint8]
    name: I64
    category: I64
    row: I64
    time: I64
    length: I64
    flags: NDArray[np.uint8]
    stats: I64
    keys: NDArray[np.int32]
    kinds: NDArray[np.uint8]
    values: I64
    id: I64
    rare: dict[str, tuple[I64, I64]] = dataclasses.field(default_factory=dict)
    flows: I64 = dataclasses.field(default_factory=lambda: np.empty((0, 3), np.int64))

    def __len__(self) -> int:
        return len(self.phase)

    def taken(self, events: I64) -> Block:
        """Some of the events, in order."""
        place = np.full(len(self) + 1, -1, np.int64)
        place[events] = np.arange(len(events))
        gone = np.flatnonzero(place[:-1] < 0)
        if not self.stats[gone].any():
            # As ends of slices have none.
            at: Any = slice(None)
        else:
            ends = np.cumsum(self.stats)
            begins = ends - self.stats
            at = _between(begins[gone], ends[gone], len(self.keys))
            at = runs(begins[events], ends[events]) if at is None else at
        rare = {name: (place[rows], values) for name, (rows, values) in self.rare.items()}
        flows = self.flows.copy()
        flows[:, 0] = place[flows[:, 0]]
        columns = ("phase", "name", "category", "row", "time", "length", "flags", "stats", "id")
        return dataclasses.replace(
            self,
            **{name: getattr(self, name)[events] for name in columns},
            keys=self.keys[at],
            kinds=self.kinds[at],
            values=self.values[at],
            rare={name: (rows[rows >= 0], values[rows >= 0]) for name, (rows, values) in rare.items()},
            flows=flows[flows[:, 0] >= 0],
        )


def _between(begins: I64, ends: I64, size: int) -> slice | None:
    """All but ranges in order, where that is one range; None where it is several."""
    first = np.concatenate(([0], ends))
    last = np.concatenate((begins, [size]))
    left = np.flatnonzero(last > first)
    return slice(int(first[left[0]]), int(last[left[0]])) if len(left) == 1 else None


def slices(name: I64, category: I64, row: I64, time: I64, length: I64) -> Block:
    """A block of slices without args."""
    n = len(name)
    return Block(
        np.full(n, ord("X"), np.uint8),
        name,
        category,
        row,
        time,
        length,
        np.full(n, HAS_START | HAS_LENGTH, np.uint8),
        np.zeros(n, np.int64),
        np.empty(0, np.int32),
        np.empty(0, np.uint8),
        np.empty(0, np.int64),
        np.full(n, -1, np.int64),
    )


def with_stats(block: Block, keys: list[int], kinds: list[int], values: list[I64]) -> Block:
    """The block with some args for each of its events, which has none: a key, a StatKind and values by event."""
    n, k = len(block), len(keys)
    return dataclasses.replace(
        block,
        stats=np.full(n, k, np.int64),
        keys=np.tile(np.array(keys, np.int32), n),
        kinds=np.tile(np.array(kinds, np.uint8), n),
        values=np.stack(values, axis=1).reshape(-1) if n else np.empty(0, np.int64),
    )


def document_of(
    blocks: list[Block],
    tracks: Tracks,
    texts: dict[str, int],
    members: dict[str, Any],
    dropped: Counter[str],
    warnings: list[Message],
) -> Document:
    """One document of all blocks."""
    names = _Names(tracks, texts)
    blocks = [block for block in blocks if len(block)]
    used = np.unique(np.concatenate([occurring(b.row, len(tracks.rows)) for b in blocks] or [np.empty(0, np.int64)]))
    named = names.block(used.tolist())
    pid, tid = names.numbers(used)
    # The names are of no row.
    owners = [named.pid, *(pid[block.row] for block in blocks)]
    threads = [named.tid, *(tid[block.row] for block in blocks)]
    blocks = [named.block, *blocks]
    ids = names.ids
    first = np.cumsum([0, *(len(block) for block in blocks)])
    begin = np.concatenate([block.time for block in blocks])
    length = np.concatenate([block.length for block in blocks])
    columns = {
        "phase": _all(blocks, "phase", "u1"),
        "name": _all(blocks, "name", "i4"),
        "category": _all(blocks, "category", "i4"),
        "pid": np.concatenate(owners).astype("i4"),
        "tid": np.concatenate(threads).astype("i4"),
        "id": np.concatenate([_ids(block.id, ids) for block in blocks]).astype("i4"),
        "us": begin // _NS_PER_US,
        "ps": (begin % _NS_PER_US * _PS_PER_NS).astype("i4"),
        "length_us": length // _NS_PER_US,
        "length_ps": (length % _NS_PER_US * _PS_PER_NS).astype("i4"),
        "flags": _all(blocks, "flags", "u1"),
        "stats": _all(blocks, "stats", "i4"),
    }
    del begin, length
    rare = {
        name: (
            np.concatenate([first[i] + block.rare[name][0] for i, block in enumerate(blocks) if name in block.rare]),
            np.concatenate([_ids(block.rare[name][1], ids) for block in blocks if name in block.rare]),
        )
        for name in {name for block in blocks for name in block.rare}
    }
    flows = np.concatenate([block.flows + np.array([first[i], 0, 0]) for i, block in enumerate(blocks)])
    keys, kinds, values = (
        _all(blocks, name, kind) for name, kind in (("keys", "i4"), ("kinds", "u1"), ("values", "i8"))
    )
    events = Events(columns, keys, kinds, values, tuple(texts), tuple(ids), rare)
    lasting = (flows[:, 0], flows[:, 1], flows[:, 2]) if len(flows) else None
    return Document(members, events, dropped, warnings, True, lasting, Format.PERFETTO, names.derived)


def _all(blocks: list[Block], name: str, kind: str) -> Any:
    return np.concatenate([getattr(block, name) for block in blocks]).astype(kind, copy=False)


def _ids(values: I64, ids: dict[int | str, int]) -> I64:
    """Numbers of ids; -1 stays."""
    known = values != -1
    if not known.any():
        return values
    unique, which = np.unique(values[known], return_inverse=True)
    numbers = np.array([ids.setdefault(each, len(ids)) for each in unique.tolist()], np.int64)
    made = np.full(len(values), -1, np.int64)
    made[known] = numbers[which.reshape(-1)]
    return made


@dataclasses.dataclass
class _Named:
    block: Block
    pid: I64
    tid: I64


class _Names:
    """Numbers of processes and threads, and the events that name them."""

    def __init__(self, tracks: Tracks, texts: dict[str, int]) -> None:
        self.tracks, self.texts = tracks, texts
        self.ids: dict[int | str, int] = {}

    @property
    def derived(self) -> frozenset[int]:
        return frozenset(self.ids[row.id] for row in self.tracks.rows if row.is_derived and row.id in self.ids)

    def text(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts))

    def id(self, value: int | str) -> int:
        return self.ids.setdefault(value, len(self.ids))

    def numbers(self, used: list[int] | I64) -> tuple[I64, I64]:
        """By row its process and its thread, -1 of none."""
        pid, tid = (np.full(len(self.tracks.rows), -1, np.int64) for _ in range(2))
        for place in np.asarray(used).tolist():
            row = self.tracks.rows[place]
            pid[place] = self.id(self.tracks.processes[row.process].id) if row.process >= 0 else -1
            tid[place] = -1 if row.is_counter else self.id(row.id)
        return pid, tid

    def block(self, used: list[int]) -> _Named:
        """`M` events as traces of JSON have them."""
        said: list[tuple[int, int, str, str, int | str]] = []
        rows = self.tracks.rows
        for process in sorted({rows[place].process for place in used} - {-1}):
            p = self.tracks.processes[process]
            pid = self.id(p.id)
            said += [
                (pid, -1, f"process_{what}", key, value)
                for what, key, value in (("name", "name", p.name), ("labels", "labels", p.labels))
                if value
            ]
            if p.order:
                said.append((pid, -1, "process_sort_index", "sort_index", p.order))
        for place in used:
            row = rows[place]
            if row.is_counter:
                continue
            pid = self.id(self.tracks.processes[row.process].id) if row.process >= 0 else -1
            tid = self.id(row.id)
            if row.name:
                said.append((pid, tid, "thread_name", "name", row.name))
            if row.order:
                said.append((pid, tid, "thread_sort_index", "sort_index", row.order))
        return self._events(said)

    def _events(self, said: list[tuple[int, int, str, str, int | str]]) -> _Named:
        n = len(said)
        zero = np.zeros(n, np.int64)
        name = np.array([self.text(each[2]) for each in said], np.int64)
        block = slices(name, zero, zero, zero, zero)
        block.phase[:] = ord("M")
        block.flags[:] = 0
        block.stats = np.ones(n, np.int64)
        block.keys = np.array([self.text(each[3]) for each in said], np.int32)
        is_text = [isinstance(each[4], str) for each in said]
        block.kinds = np.where(is_text, StatKind.TEXT, StatKind.INT).astype(np.uint8) if n else block.kinds
        values = [self.text(each[4]) if isinstance(each[4], str) else each[4] for each in said]
        block.values = np.array(values, np.int64)
        return _Named(block, *(np.array([each[i] for each in said], np.int64) for i in (0, 1)))
