"""Takes PyTorch's profiles in a folder, gives those of each program: ranks that ran together, not one after another.

Names are not enough: a process that is started again has another number, as another rank has. So the head of one file
of each worker is read, up to its events: its rank, and when it began to record. Those of a program
recorded at the same time. Where the clocks of hosts may differ, ranks that no other has, of as many, are of it too: of
hosts whose clocks differ by minutes where all ranks are there then, and nothing else in the files speaks against it.
"""

from __future__ import annotations

import itertools
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from .head import first_bytes
from .model import CaptureFile
from .names import written_ns

#: What lies before the events takes 26 kB where there are 8 GPUs and the profiler's options.
HEAD_BYTES = 1 << 16
#: Heads that are remembered: a cycle of 10,000 ranks.
MOST_HEADS = 20_000
#: Recordings so far apart may be at once: a program takes longer to start. Names of 2021 give milliseconds.
NEAR_NS = 10**9
#: Ranks go on together: by whatever clock, there is the same time between two of their profiles.
TOGETHER_NS = 10 * 10**9
#: A profile that lasts longer than a day is none: its times do not count from where they are thought to.
LONGEST_NS = 86_400 * 10**9
_RANK = re.compile(rb'"distributedInfo"\s*:\s*\{[^{}\[\]]{0,400}?"rank"\s*:\s*(\d{1,9})\b')
_WORLD = re.compile(rb'"distributedInfo"\s*:\s*\{[^{}\[\]]{0,400}?"world_size"\s*:\s*(\d{1,9})\b')
_BACKEND = re.compile(rb'"distributedInfo"\s*:\s*\{[^{}\[\]]{0,400}?"backend"\s*:\s*"([^"]{0,40})"')
_STEP = re.compile(rb'"ProfilerStep#(\d{1,12})"')
_BASE = re.compile(rb'"baseTimeNanoseconds"\s*:\s*(\d{1,19})\b')
_TIME = re.compile(rb'"ts"\s*:\s*"?(\d{1,16})(?:\.(\d{1,3}))?')
#: `trainer-3_4711`, as the profiler names workers: host and process.
_WORKER = re.compile(r"(?P<host>.+)_\d+")
#: Microseconds since the epoch are larger, those since another time smaller.
_EPOCH_US = 10**15
_SLICE, _CATEGORY = re.compile(rb'"ph"\s*:\s*"X"'), re.compile(rb'"cat"\s*:\s*"([^"]*)"')
#: What a profile holds that was begun when the program ended: the mark of a step, and of itself.
_MARKS, _MOST_MARKS = {b"user_annotation", b"Trace"}, 3


class Head(NamedTuple):
    """What the begin of a file says. rank: -1 where the program was not distributed, ranks: of how many, else 0.

    begin_ns: when recording began, since the epoch; None where unknown. is_blank: nothing ran while it lasted.
    backend: of the first process group. step: the first that is recorded, else -1.
    """

    rank: int = -1
    ranks: int = 0
    backend: bytes = b""
    step: int = -1
    begin_ns: int | None = None
    is_blank: bool = False


@dataclass
class _Program:
    """Files of workers that belong together. hosts: of their names, None where one has none."""

    files: list[CaptureFile]
    begin_ns: int
    end_ns: int
    ranks: int
    taken: set[int]
    hosts: set[str | None] = field(default_factory=set)
    backend: bytes = b""
    steps: set[int] = field(default_factory=set)

    def has(self, other: _Program) -> bool:
        """Whether a worker is one of these."""
        if self.taken & other.taken or (self.ranks and other.ranks and self.ranks != other.ranks):
            return False
        at_once = self.begin_ns <= other.end_ns + NEAR_NS and other.begin_ns <= self.end_ns + NEAR_NS
        return at_once or (bool(self.taken and other.taken) and self.is_elsewhere(other))

    def is_elsewhere(self, other: _Program) -> bool:
        """Whether the two may have clocks of their own."""
        return None in self.hosts | other.hosts or not self.hosts & other.hosts

    def is_of(self, other: _Program) -> bool:
        """Whether nothing speaks against it that ranks of other hosts went on at once, by clocks that differ."""
        turns = {Counter(file.host for file in each.files).most_common(1)[0][1] for each in (self, other)}
        near = abs(self.end_ns - other.end_ns) < LONGEST_NS
        return near and len(turns) == 1 and len(self.steps | other.steps) < 2 and self.is_elsewhere(other)

    def add(self, other: _Program) -> None:
        self.files += other.files
        self.begin_ns, self.end_ns = min(self.begin_ns, other.begin_ns), max(self.end_ns, other.end_ns)
        self.ranks, self.taken = self.ranks or other.ranks, self.taken | other.taken
        self.hosts |= other.hosts
        self.steps |= other.steps


def programs(starts: Sequence[Sequence[CaptureFile]]) -> list[list[CaptureFile]]:
    """The files, whose names give a time each, by program, in the order of their first. starts: far apart in time."""
    several = len({_host(file) or file.host for start in starts for file in start}) > 1
    every = [program for start in starts for program in _at_once(start, several)]
    return [program.files for program in (_joined(every) if len(starts) > 1 else every)]


def _at_once(files: Iterable[CaptureFile], several: bool) -> list[_Program]:
    """The programs of files of the same minutes. several: not of one host alone, whose clock is enough."""
    by_host: dict[str, list[CaptureFile]] = {}
    for file in files:
        by_host.setdefault(file.host, []).append(file)
    if len(by_host) < 2 and not several:
        return [_Program(each, 0, 0, 0, set()) for each in by_host.values()]
    started: list[_Program] = []
    for worker in sorted(map(_worker, by_host.values()), key=lambda worker: worker.begin_ns):
        known = next((program for program in started if program.has(worker)), None)
        if known:
            known.add(worker)
        else:
            started.append(worker)
    return started


def _joined(every: list[_Program]) -> list[_Program]:
    """Programs, of which those that lack ranks are put together where that gives whole ones, and in one way only."""
    alike: dict[tuple[int, bytes], dict[frozenset[int], list[_Program]]] = {}
    for program in every:
        if 0 < len(program.taken) < program.ranks:
            by_ranks = alike.setdefault((program.ranks, program.backend), {})
            by_ranks.setdefault(frozenset(program.taken), []).append(program)
    gone: set[int] = set()
    for (ranks, _), by_ranks in alike.items():
        first, *others = by_ranks.values()
        if sorted(rank for taken in by_ranks for rank in taken) == list(range(ranks)) and _go_on_together(
            first, others
        ):
            for other in others:
                for program, more in zip(first, other, strict=True):
                    program.add(more)
                    gone.add(id(more))
    return [program for program in every if id(program) not in gone]


def _go_on_together(first: list[_Program], others: list[list[_Program]]) -> bool:
    """Whether the n-th of some ranks' profiles may be of one time with the n-th of all others'."""
    columns = [first, *others]
    for ours, theirs in itertools.combinations(columns, 2):
        if len(ours) != len(theirs) or not all(a.is_of(b) for a, b in zip(ours, theirs, strict=True)):
            return False
        apart = [a.end_ns - b.end_ns for a, b in zip(ours, theirs, strict=True)]
        if max(apart) - min(apart) > TOGETHER_NS:
            return False
    return True


def _host(file: CaptureFile) -> str | None:
    """The host in a worker's name, None where it does not show it."""
    match = _WORKER.fullmatch(file.host)
    return match["host"] if match else None


def _worker(files: list[CaptureFile]) -> _Program:
    stamps = [written_ns(file.path) or 0 for file in files]
    first = files[stamps.index(min(stamps))]
    head = head_of(first)
    begin = head.begin_ns
    if begin is None or not min(stamps) - LONGEST_NS < begin <= min(stamps) + NEAR_NS:
        # Not known: as others of the same minutes.
        begin = min(stamps) - LONGEST_NS
    is_rank = head.rank >= 0 and head.ranks != 1
    taken = {head.rank} if is_rank else set()
    steps = {head.step} - {-1}
    ranks = head.ranks if is_rank else 0
    return _Program(files, begin, max(stamps), ranks, taken, {_host(first)}, head.backend, steps)


class Ranks(NamedTuple):
    """Which ranks some files are of, of how many there were, and on which hosts, None where names do not show it."""

    taken: frozenset[int]
    ranks: int
    hosts: frozenset[str | None]


def ranks_of(files: Iterable[CaptureFile]) -> Ranks:
    """Of PyTorch's profiles; of others nothing."""
    heads = [(head, _host(file)) for file in files if written_ns(file.path) and (head := head_of(file))]
    known = [(head, host) for head, host in heads if head.rank >= 0 and head.ranks > 1]
    ranks = max((head.ranks for head, _ in known), default=0)
    return Ranks(frozenset(head.rank for head, _ in known), ranks, frozenset(host for _, host in known))


def is_blank(file: CaptureFile) -> bool:
    """Whether a profile holds nothing but its own marks: the program ended soon after its schedule had come round."""
    return file.size_bytes <= HEAD_BYTES and head_of(file).is_blank


def head_of(file: CaptureFile) -> Head:
    """What a file's begin says; nothing where it cannot be read."""
    return _head(file.path, file.size_bytes, file.modified_ns)


@lru_cache(MOST_HEADS)
def _head(path: str, size_bytes: int, modified_ns: int) -> Head:
    """Size and time are those of the file that is remembered."""
    try:
        raw = first_bytes(path, HEAD_BYTES)
        if raw.startswith(b"\x1f\x8b"):
            raw = zlib.decompressobj(31).decompress(raw, HEAD_BYTES)
    except (OSError, zlib.error):
        return Head()
    rank, world, backend = (pattern.search(raw) for pattern in (_RANK, _WORLD, _BACKEND))
    return Head(
        rank=int(rank[1]) if rank else -1,
        ranks=int(world[1]) if world else 0,
        backend=backend[1] if backend else b"",
        step=min(map(int, _STEP.findall(raw)), default=-1),
        begin_ns=_begin_ns(raw),
        is_blank=_is_blank(raw),
    )


def _is_blank(raw: bytes) -> bool:
    """Whether a head is the whole, well ended, and of marks alone."""
    is_whole = len(raw) < HEAD_BYTES and b'"traceEvents"' in raw and raw.rstrip().endswith(b"}")
    return is_whole and len(_SLICE.findall(raw)) <= _MOST_MARKS and set(_CATEGORY.findall(raw)) <= _MARKS


def _begin_ns(raw: bytes) -> int | None:
    """The first time of the head's events, since the epoch."""
    return min(times_ns(raw), default=None)


def times_ns(raw: bytes) -> list[int]:
    """The times of a head's events, since the epoch; none where it does not say of which time they count."""
    base = _BASE.search(raw)
    times = [int(us) * 1000 + int(part.ljust(3, b"0") or 0) for us, part in _TIME.findall(raw) if int(us)]
    if times and min(times) >= _EPOCH_US * 1000:
        return times
    return [int(base[1]) + ns for ns in times] if base else []
