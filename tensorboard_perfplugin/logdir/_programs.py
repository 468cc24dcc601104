"""Takes PyTorch's profiles in a folder, gives those of each program: ranks that ran together, not one after another.

Names do not tell: a process that is started again has another number, as another rank has. So the head of one file of
each worker is looked at, up to its events: what it says of its rank, and when it began to record. Those of a program
recorded at the same time. Where the clocks of hosts may differ, ranks that no other has, of as many, are of it too.
"""

from __future__ import annotations

import os
import re
import stat
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from ._model import CaptureFile
from ._names import pytorch_ns

#: What lies before the events takes 26 kB where there are 8 GPUs and the profiler's options.
HEAD_BYTES = 1 << 16
#: Heads that are remembered: a cycle of 10,000 ranks.
MOST_HEADS = 20_000
#: Recordings so far apart may be at once: a program takes longer to start. Names of 2021 tell milliseconds.
NEAR_NS = 10**9
#: A profile that lasts longer than a day is none: its times do not count from where they are thought to.
LONGEST_NS = 86_400 * 10**9
_RANK = re.compile(rb'"distributedInfo"\s*:\s*\{[^{}\[\]]{0,400}?"rank"\s*:\s*(\d{1,9})\b')
_WORLD = re.compile(rb'"distributedInfo"\s*:\s*\{[^{}\[\]]{0,400}?"world_size"\s*:\s*(\d{1,9})\b')
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

    begin_ns: when recording began, since the epoch; None where that is not told. is_blank: nothing ran while it lasted.
    """

    rank: int = -1
    ranks: int = 0
    begin_ns: int | None = None
    is_blank: bool = False


@dataclass
class _Program:
    """Files of workers that belong together. hosts: of their names, None where one does not tell."""

    files: list[CaptureFile]
    begin_ns: int
    end_ns: int
    ranks: int
    taken: set[int]
    hosts: set[str | None] = field(default_factory=set)

    def has(self, other: _Program) -> bool:
        """Whether a worker is one of these."""
        if self.taken & other.taken or (self.ranks and other.ranks and self.ranks != other.ranks):
            return False
        at_once = self.begin_ns <= other.end_ns + NEAR_NS and other.begin_ns <= self.end_ns + NEAR_NS
        clocks_differ = None in self.hosts | other.hosts or not self.hosts & other.hosts
        return at_once or (bool(self.taken and other.taken) and clocks_differ)

    def add(self, other: _Program) -> None:
        self.files += other.files
        self.begin_ns, self.end_ns = min(self.begin_ns, other.begin_ns), max(self.end_ns, other.end_ns)
        self.ranks, self.taken = self.ranks or other.ranks, self.taken | other.taken
        self.hosts |= other.hosts


def programs(files: Iterable[CaptureFile]) -> list[list[CaptureFile]]:
    """The files, whose names tell a time each, by program, in the order of their first."""
    by_host: dict[str, list[CaptureFile]] = {}
    for file in files:
        by_host.setdefault(file.host, []).append(file)
    if len(by_host) < 2:
        return list(by_host.values())
    found: list[_Program] = []
    for worker in sorted(map(_worker, by_host.values()), key=lambda worker: worker.begin_ns):
        known = next((program for program in found if program.has(worker)), None)
        if known:
            known.add(worker)
        else:
            found.append(worker)
    return [program.files for program in found]


def _worker(files: list[CaptureFile]) -> _Program:
    stamps = [pytorch_ns(os.path.basename(file.path)) or 0 for file in files]
    first = files[stamps.index(min(stamps))]
    head = head_of(first)
    begin = head.begin_ns
    if begin is None or not min(stamps) - LONGEST_NS < begin <= min(stamps) + NEAR_NS:
        # Not known: as others of the same minutes.
        begin = min(stamps) - LONGEST_NS
    name = _WORKER.fullmatch(first.host)
    is_rank = head.rank >= 0 and head.ranks != 1
    taken = {head.rank} if is_rank else set()
    return _Program(files, begin, max(stamps), head.ranks if is_rank else 0, taken, {name["host"] if name else None})


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
        with open(path, "rb", opener=_open) as file:
            raw = file.read(HEAD_BYTES) if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else b""
        if raw.startswith(b"\x1f\x8b"):
            raw = zlib.decompressobj(31).decompress(raw, HEAD_BYTES)
    except (OSError, zlib.error):
        return Head()
    rank, world = _RANK.search(raw), _WORLD.search(raw)
    return Head(int(rank[1]) if rank else -1, int(world[1]) if world else 0, _begin_ns(raw), _is_blank(raw))


def _is_blank(raw: bytes) -> bool:
    """Whether a head is the whole, well ended, and of marks alone."""
    is_whole = len(raw) < HEAD_BYTES and b'"traceEvents"' in raw and raw.rstrip().endswith(b"}")
    return is_whole and len(_SLICE.findall(raw)) <= _MOST_MARKS and set(_CATEGORY.findall(raw)) <= _MARKS


def _begin_ns(raw: bytes) -> int | None:
    """The first time of the head's events, since the epoch."""
    base = _BASE.search(raw)
    times = [int(us) * 1000 + int(part.ljust(3, b"0") or 0) for us, part in _TIME.findall(raw) if int(us)]
    if not times:
        return None
    if min(times) >= _EPOCH_US * 1000:
        return min(times)
    return int(base[1]) + min(times) if base else None


def _open(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
