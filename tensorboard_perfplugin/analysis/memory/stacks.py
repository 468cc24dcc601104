"""A device memory profile → its call tree: host, device, kind, then frames, outermost first; and the largest holders.

Per host the tree is built level by level over all samples at once. Of a large one the largest calls are kept; what is
left out of a call stands in one row below it, so that a call's own bytes and its rows' add up to its bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import HEAP_BYTES, HEAP_DEVICE, HEAP_FRAME, HEAP_KIND, I64, Capture, range_members

#: Deeper frames belong to the last one kept. A sample's stack in Python has a few hundred at the most.
MAX_DEPTH = 2000
NO_DEVICE, NO_KIND = "(no device named)", "(of no kind named)"
#: Files of libraries, whose frames do not show what requested the memory.
_LIBRARY = regex(r"(site|dist)-packages[/\\]|[/\\]lib[/\\]python\d|^<frozen |[/\\]go[/\\]src[/\\]runtime[/\\]")


class Frame(NamedTuple):
    """line: 0 where it is not given."""

    name: str
    file: str = ""
    line: int = 0


class Holder(msgspec.Struct, frozen=True):
    """Where memory was asked for: the innermost frame that is of no library, else the innermost."""

    frame: Frame
    bytes: int
    number: int


class Samples(msgspec.Struct, frozen=True):
    """Rows of a profile as columns. begin, end: of each sample's frames in `frames`; all texts are ids."""

    bytes: I64
    count: I64
    kind: I64
    device: I64
    frames: I64
    begin: I64
    end: I64


class Stacks(msgspec.Struct):
    """One host's tree, parents first. parent: row, -1 for none; weight: Σ of its samples' sizes, all taken as positive.

    self_bytes, self_count: of samples that end there. children: of the whole tree, kept or not. nodes: of the whole
    tree. cut: samples deeper than `MAX_DEPTH`.
    """

    frames: list[Frame]
    parent: I64
    depth: I64
    bytes: I64
    count: I64
    self_bytes: I64
    self_count: I64
    weight: I64
    children: I64
    nodes: int
    cut: int
    devices: tuple[str, ...]
    holders: tuple[Holder, ...]
    holder_count: int

    @property
    def total_bytes(self) -> int:
        return int(self.bytes[self.parent < 0].sum())


def is_memory_profile(capture: Capture) -> bool:
    return capture.capabilities.is_moment


def samples_of(capture: Capture) -> Samples:
    """The samples of a device memory profile, in the file's order of devices."""
    table, stats, strings = capture.aggregates, capture.stats, capture.strings
    sizes = table.stats_end - table.stats_begin
    row = np.repeat(np.arange(len(table)), sizes)
    place = range_members(table.stats_begin, table.stats_end)
    key, value = stats.key[place], stats.value[place]

    def stat(name: str) -> I64:
        found, mask = np.zeros(len(table), np.int64), key == strings.find(name)
        found[row[mask]] = value[mask]
        return found

    framed = key == strings.find(HEAP_FRAME)
    counts = np.bincount(row[framed], minlength=len(table)).astype(np.int64)
    end = np.cumsum(counts)
    return Samples(
        stat(HEAP_BYTES), table.occurrences, stat(HEAP_KIND), stat(HEAP_DEVICE), value[framed], end - counts, end
    )


def stacks_of(capture: Capture, limit: int) -> Stacks:
    """The tree of one host's device memory profile, of which `limit` calls are kept, all for 0."""
    return stacks_of_samples(capture.strings, samples_of(capture), limit)


def stacks_of_samples(
    strings: Sequence[str], samples: Samples, limit: int, library: re.Pattern[str] = _LIBRARY
) -> Stacks:
    """The same of any samples. strings: what their ids stand for. library: files whose frames do not show
    the requester."""
    grown = _Growing(samples, len(strings), limit)
    grown.grow(samples.device, 0)
    grown.grow(samples.kind[grown.alive], 1)
    depth = 2
    while grown.descend(depth):
        depth += 1
    texts = np.concatenate(grown.texts) if grown.texts else np.zeros(0, np.int64)
    levels = np.concatenate(grown.depths) if grown.depths else texts
    # A function is called from many places: each frame is one object, however many nodes it has.
    pool: dict[tuple[int, int], Frame] = {}
    frames = []
    for level, text in zip(np.minimum(levels, 2).tolist(), texts.tolist(), strict=True):
        if (level, text) not in pool:
            pool[level, text] = _frame(strings, level, text)
        frames.append(pool[level, text])
    names = [strings[i] for i in np.unique(samples.device).tolist()]
    return grown.tree(frames, levels, tuple(name for name in names if name), holders(strings, samples, limit, library))


def _frame(strings: Sequence[str], level: int, text: int) -> Frame:
    if level < 2:
        return Frame(strings[text] or (NO_DEVICE, NO_KIND)[level])
    return frame_of(strings[text])


def frame_of(text: str) -> Frame:
    """A `HEAP_FRAME`, read."""
    name, _, rest = text.partition("\t")
    file, _, line = rest.partition("\t")
    return Frame(name, file, int(line) if line.isdecimal() else 0)


class _Growing:
    """A tree that grows by a level at a time. Samples that can no longer lead to a kept node are only counted."""

    def __init__(self, samples: Samples, texts: int, limit: int) -> None:
        self.samples, self.limit = samples, limit
        self.base = texts + 1
        self.alive = np.arange(len(samples.bytes))
        #: Of each sample alive, the node of its path so far: of all, and of those kept, -1 where that is not kept.
        self.node = np.zeros(len(self.alive), np.int64)
        self.kept = np.full(len(self.alive), -1, np.int64)
        self.nodes, self.size = 0, 0
        self.cut = int((samples.end - samples.begin > MAX_DEPTH - 2).sum())
        self.largest = np.zeros(0, np.int64)
        self.texts: list[I64] = []
        self.depths: list[I64] = []
        self.columns: list[tuple[I64, ...]] = []
        self.own: list[tuple[I64, I64]] = []
        self.parents_of: list[I64] = []

    def descend(self, depth: int) -> bool:
        """One more frame of every sample that has one; false where none has."""
        s = self.samples
        at = s.begin[self.alive] + depth - 2
        more = at < s.end[self.alive]
        if depth >= MAX_DEPTH:
            more = np.zeros(len(more), bool)
        self._end(~more)
        self._keep(more)
        if not len(self.alive):
            return False
        self.grow(s.frames[s.begin[self.alive] + depth - 2], depth)
        return True

    def grow(self, text: I64, depth: int) -> None:
        """Nodes of one more level: text is that of each sample alive."""
        key = self.node * self.base + text
        order = np.argsort(key, kind="stable")
        key = key[order]
        begin = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]])) if len(key) else np.zeros(0, np.int64)
        alive = self.alive[order]
        self.alive, self.node = alive, np.repeat(np.arange(len(begin)), np.diff(np.append(begin, len(key))))
        if not len(begin):
            return
        parent, sizes = self.kept[order][begin], self.samples.bytes[alive]
        weight = np.add.reduceat(np.abs(sizes), begin)
        self.nodes += len(begin)
        self.parents_of.append(parent[parent >= 0])
        keep = np.flatnonzero(self._wanted(weight) & ((parent >= 0) | (depth == 0)))
        place = np.full(len(begin), -1, np.int64)
        place[keep] = self.size + np.arange(len(keep))
        self.size += len(keep)
        count = np.add.reduceat(self.samples.count[alive], begin)
        self.texts.append((key[begin] % self.base)[keep])
        self.depths.append(np.full(len(keep), depth, np.int64))
        self.columns.append((parent[keep], np.add.reduceat(sizes, begin)[keep], count[keep], weight[keep]))
        self.kept = place[self.node]

    def _wanted(self, weight: I64) -> NDArray[np.bool_]:
        """Which of a level's nodes may be among the largest of all; of equal ones the outer, then the first."""
        if not self.limit:
            return np.ones(len(weight), bool)
        least = int(self.largest.min()) if len(self.largest) >= self.limit else -1
        wanted = weight > least
        if int(wanted.sum()) > self.limit:
            wanted = np.zeros(len(weight), bool)
            wanted[np.argsort(-weight, kind="stable")[: self.limit]] = True
        merged = np.concatenate([self.largest, weight[wanted]])
        if len(merged) > self.limit:
            merged = np.partition(merged, len(merged) - self.limit)[len(merged) - self.limit :]
        self.largest = merged
        return wanted

    def _end(self, done: NDArray[np.bool_]) -> None:
        """These samples end where they are: their bytes are that node's own."""
        mine = done & (self.kept >= 0)
        self.own.append((self.kept[mine], self.alive[mine]))

    def _keep(self, more: NDArray[np.bool_]) -> None:
        """Samples that are alone, and not kept, store nothing but how many nodes follow."""
        if self.limit and len(more):
            alone = np.bincount(self.node)[self.node] == 1
            lost = more & alone & (self.kept < 0)
            s = self.samples
            depth = len(self.texts) - 2
            left = np.minimum(s.end - s.begin, MAX_DEPTH - 2)[self.alive[lost]] - depth
            self.nodes += int(left.sum())
            more = more & ~lost
        self.alive, self.node, self.kept = self.alive[more], self.node[more], self.kept[more]

    def tree(
        self, frames: list[Frame], depth: I64, devices: tuple[str, ...], held: tuple[tuple[Holder, ...], int]
    ) -> Stacks:
        parent, size, count, weight = (
            [np.concatenate(column) for column in zip(*self.columns, strict=True)]
            if self.columns
            else [np.zeros(0, np.int64)] * 4
        )
        own_bytes, own_count = np.zeros(self.size, np.int64), np.zeros(self.size, np.int64)
        for node, rows in self.own:
            np.add.at(own_bytes, node, self.samples.bytes[rows])
            np.add.at(own_count, node, self.samples.count[rows])
        children = np.zeros(self.size, np.int64)
        for parents in self.parents_of:
            children += np.bincount(parents, minlength=self.size)
        return Stacks(
            frames,
            parent,
            depth,
            size,
            count,
            own_bytes,
            own_count,
            weight,
            children,
            self.nodes,
            self.cut,
            devices,
            *held,
        )


def holders(
    strings: Sequence[str], samples: Samples, limit: int, library: re.Pattern[str]
) -> tuple[tuple[Holder, ...], int]:
    """The frames that requested memory, the largest first, `limit` of them, all for 0; and how many there are."""
    texts = np.unique(samples.frames)
    foreign = np.array([bool(library.search(frame_of(t).file)) for t in _of(strings, texts)], bool)
    own = ~foreign[np.searchsorted(texts, samples.frames)] if len(texts) else np.zeros(0, bool)
    n = len(samples.bytes)
    owner = np.repeat(np.arange(n), samples.end - samples.begin)
    at = np.where(samples.end > samples.begin, samples.end - 1, -1)
    mine = np.flatnonzero(own)
    at[owner[mine]] = mine
    text = np.where(at >= 0, samples.frames[np.maximum(at, 0)] if len(samples.frames) else 0, 0)
    known, place = np.unique(text, return_inverse=True)
    place = place.reshape(-1)
    size, count = np.zeros(len(known), np.int64), np.zeros(len(known), np.int64)
    np.add.at(size, place, samples.bytes)
    np.add.at(count, place, samples.count)
    largest = np.argsort(-size, kind="stable")[: limit or None].tolist()
    named = [frame_of(text) for text in _of(strings, known[largest])]
    frames = [frame if frame.name else Frame("(no stack)") for frame in named]
    return tuple(map(Holder, frames, size[largest].tolist(), count[largest].tolist())), len(known)


def _of(strings: Sequence[str], ids: I64) -> list[str]:
    return [strings[i] for i in ids.tolist()]


# The call trees of device memory profiles, a host each → one tree in preorder, and the frames that hold most.

#: A host and its tree.
Part = tuple[str, Stacks]


class _Tree(msgspec.Struct, frozen=True):
    """All hosts' nodes, parents first; the first node is what all lie in, and no row."""

    frames: list[Frame]
    parent: I64
    depth: I64
    bytes: I64
    count: I64
    self_bytes: I64
    self_count: I64
    weight: I64
    children: I64


class Call(msgspec.Struct, frozen=True):
    """A node of the tree. parent: place of the call that it lies in, -1 for none. left_out: 0, or how many smaller
    calls of its parent's the row stands for.
    """

    parent: int
    depth: int
    frame: Frame
    bytes: int
    self_bytes: int
    count: int
    left_out: int = 0


class Forest(NamedTuple):
    """calls: in preorder, siblings by bytes. nodes: how many there are without a limit."""

    calls: list[Call]
    nodes: int
    total_bytes: int


def forest(parts: Sequence[Part], limit: int) -> Forest:
    """Of several hosts each is a call above its devices. What the limit leaves out of a call is one, the last in it."""
    tree = _joined(parts)
    nodes = sum(stacks.nodes for _, stacks in parts) + (len(parts) if len(parts) > 1 else 0)
    return Forest(list(_preorder(tree, _kept(tree, limit))), nodes, int(tree.bytes[0]))


def _joined(parts: Sequence[Part]) -> _Tree:
    frames, at = [Frame("")], 1
    columns: list[list[I64]] = [[np.zeros(1, np.int64)] for _ in range(8)]
    several = len(parts) > 1
    for host, stacks in parts:
        roots = stacks.parent < 0
        top = 0
        if several:
            whole = (int(each[roots].sum()) for each in (stacks.bytes, stacks.count))
            cells = (0, 1, *whole, 0, 0, int(stacks.weight[roots].sum()), int(roots.sum()))
            for column, cell in zip(columns, cells, strict=True):
                column.append(np.array([cell], np.int64))
            frames.append(Frame(host))
            top, at = at, at + 1
        sizes = (stacks.bytes, stacks.count, stacks.self_bytes, stacks.self_count, stacks.weight, stacks.children)
        given = (np.where(roots, top, stacks.parent + at), stacks.depth + 1 + several, *sizes)
        for column, values in zip(columns, given, strict=True):
            column.append(values)
        frames += stacks.frames
        at += len(stacks.frames)
    return _with_sums(_Tree(frames, *(np.concatenate(column) for column in columns)))


def _with_sums(tree: _Tree) -> _Tree:
    """The same, with the first node's sizes."""
    top = np.flatnonzero(tree.parent[1:] == 0) + 1
    tree.bytes[0], tree.count[0], tree.children[0] = tree.bytes[top].sum(), tree.count[top].sum(), len(top)
    tree.parent[0] = -1
    return tree


def _kept(tree: _Tree, limit: int) -> NDArray[np.bool_]:
    """The largest nodes; of equal ones the outer, so that a node's callers are kept with it."""
    kept = np.ones(len(tree.parent), bool)
    if limit and len(kept) - 1 > limit:
        kept[1:][np.lexsort((tree.depth[1:], -tree.weight[1:]))[limit:]] = False
    return kept


def _preorder(tree: _Tree, kept: NDArray[np.bool_]) -> Iterator[Call]:
    nodes = np.flatnonzero(kept)
    names = [(-b, f) for b, f in zip(tree.bytes[nodes].tolist(), [tree.frames[n] for n in nodes.tolist()], strict=True)]
    below: dict[int, list[int]] = {}
    for i in sorted(range(1, len(nodes)), key=names.__getitem__, reverse=True):
        below.setdefault(int(tree.parent[nodes[i]]), []).append(int(nodes[i]))
    # A stack of what is still to come, the next last: a node, or what is left out below the one given.
    waiting: list[tuple[int, int, bool]] = [(0, -1, False)]
    at = 0
    while waiting:
        node, parent, is_rest = waiting.pop()
        if is_rest:
            rest = _rest(tree, node, below.get(node, []), parent)
            if rest is None:
                continue
            yield rest
        else:
            place = at if node else -1
            waiting.append((node, place, True))
            waiting += [(child, place, False) for child in below.get(node, [])]
            if not node:
                continue
            sizes = (int(tree.bytes[node]), int(tree.self_bytes[node]), int(tree.count[node]))
            yield Call(parent, int(tree.depth[node]) - 1, tree.frames[node], *sizes)
        at += 1


def _rest(tree: _Tree, node: int, kept: Sequence[int], parent: int) -> Call | None:
    """What is left out below a node, where anything is."""
    left = int(tree.children[node]) - len(kept)
    if not left:
        return None
    held = int(tree.bytes[node] - tree.self_bytes[node] - tree.bytes[kept].sum())
    count = int(tree.count[node] - tree.self_count[node] - tree.count[kept].sum())
    return Call(parent, int(tree.depth[node]), Frame(""), held, held, count, left)


def all_holders(parts: Sequence[Part]) -> list[Holder]:
    """The frames that requested memory, of all hosts, most first."""
    held: dict[Frame, tuple[int, int]] = {}
    for _, stacks in parts:
        for each in stacks.holders:
            before = held.get(each.frame, (0, 0))
            held[each.frame] = before[0] + each.bytes, before[1] + each.number
    return sorted((Holder(frame, *sums) for frame, sums in held.items()), key=lambda h: (-h.bytes, h.frame))


class KindInUse(msgspec.Struct, frozen=True):
    """What is held of a kind, `buffer` or `executable`. bytes: None of executables whose size is not known."""

    kind: str
    bytes: int | None
    count: int


class InUse(msgspec.Struct, frozen=True):
    """Of device memory profiles, all hosts together. devices: those named. cut: stacks without their inner frames."""

    bytes: int
    count: int
    devices: int
    kinds: tuple[KindInUse, ...]
    cut: int


def in_use(parts: Sequence[Part]) -> InUse:
    kinds: dict[str, list[int]] = {}
    for _, stacks in parts:
        for node in np.flatnonzero(stacks.depth == 1).tolist():
            sums = kinds.setdefault(stacks.frames[node].name, [0, 0])
            sums[0] += int(stacks.bytes[node])
            sums[1] += int(stacks.count[node])
    return InUse(
        sum(stacks.total_bytes for _, stacks in parts),
        sum(int(stacks.count[stacks.parent < 0].sum()) for _, stacks in parts),
        sum(len(stacks.devices) for _, stacks in parts),
        tuple(
            KindInUse(name, size if size or name != "executable" else None, count)
            for name, (size, count) in sorted(kinds.items(), key=lambda pair: -pair[1][0])
        ),
        sum(stacks.cut for _, stacks in parts),
    )
