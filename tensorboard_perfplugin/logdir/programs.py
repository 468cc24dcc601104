"""Takes PyTorch's profiles in a folder, gives those of each program: ranks that ran together, not one after another.

Names are not enough: a process that is started again has another number, as another rank has. So the head of one file
of each worker is read, up to its events: its rank, and when it began to record. Those of a program
recorded at the same time. Where the clocks of hosts may differ, ranks that no other has, of as many, are of it too: of
hosts whose clocks differ by minutes where all ranks are there then, and nothing else in the files speaks against it."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from ..errors import ArgumentError
from ..formats import SHARED_BYTES, UTF16, Format
from ..patterns import regex
from ..threshold import Threshold
from ..wire import LENGTH, VARINT, DamagedError, walk
from .model import TRACE, CaptureFile, Run, first_few, kind_of
from .names import first_bytes, natural, opened, stamp_ns, written_ns

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
_RANK = regex(rb'"distributedInfo"\s*:\s*\{[^{}\[\]]{0,400}?"rank"\s*:\s*(\d{1,9})\b')
_WORLD = regex(rb'"distributedInfo"\s*:\s*\{[^{}\[\]]{0,400}?"world_size"\s*:\s*(\d{1,9})\b')
_BACKEND = regex(rb'"distributedInfo"\s*:\s*\{[^{}\[\]]{0,400}?"backend"\s*:\s*"([^"]{0,40})"')
_STEP = regex(rb'"ProfilerStep#(\d{1,12})"')
_BASE = regex(rb'"baseTimeNanoseconds"\s*:\s*(\d{1,19})\b')
_TIME = regex(rb'"ts"\s*:\s*"?(\d{1,16})(?:\.(\d{1,3}))?')
#: `trainer-3_4711`, as the profiler names workers: host and process.
_WORKER = regex(r"(?P<host>.+)_\d+")
#: Microseconds since the epoch are larger, those since another time smaller.
_EPOCH_US = 10**15
_SLICE, _CATEGORY = regex(rb'"ph"\s*:\s*"X"'), regex(rb'"cat"\s*:\s*"([^"]*)"')
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


class _Program(msgspec.Struct):
    """Files of workers that belong together. hosts: of their names, None where one has none."""

    files: list[CaptureFile]
    begin_ns: int
    end_ns: int
    ranks: int
    taken: set[int]
    hosts: set[str | None] = msgspec.field(default_factory=set)
    backend: bytes = b""
    steps: set[int] = msgspec.field(default_factory=set)

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


# Takes a file, gives the rank of which it is: as the head of PyTorch's profile says, or the file's name.

#: `rank_0`, `snapshot_rank3`; `worker-1`; a name that is a number alone, or `host_4711.0`, as a rank's trace is called.
_RANK_NAME = regex(r"(?<![a-z])rank[-_.]?(\d{1,6})(?!\d)", re.IGNORECASE)
_OTHER = regex(r"(?<![a-z])(?:worker|process|proc|task|gpu|tp|dp|pp)[-_.]?(\d{1,6})(?!\d)", re.IGNORECASE)
_NUMBER = regex(r"(?:.+_\d+\.)?(\d{1,6})")


def are_ranks(folders: Iterable[Sequence[CaptureFile]]) -> bool:
    """Whether each folder's files are of a rank of its own of one program, by the head of its first file."""
    ranks: set[int] = set()
    worlds: set[int] = set()
    for files in folders:
        if not files or any(file.format != Format.TRACE_EVENTS for file in files):
            return False
        head = head_of(files[0])
        worlds.add(head.ranks)
        if head.rank < 0 or head.ranks < 2 or head.rank in ranks or len(worlds) > 1:
            return False
        ranks.add(head.rank)
    return True


def rank_of(file: CaptureFile) -> int | None:
    """Of which rank a file is, by itself or by its name; None where neither says it."""
    if file.format == Format.TRACE_EVENTS:
        head = head_of(file)
        if head.rank >= 0 and head.ranks > 1:
            return head.rank
    name = os.path.basename(file.path).partition(".pt.trace.json")[0]
    match = _RANK_NAME.search(name) or _OTHER.search(file.host) or _NUMBER.fullmatch(file.host)
    return int(match[1]) if match else None


# Takes traces of a folder, gives those that hold what another of them holds: one recording, written twice.
#
# PyTorch exports one as JSON and as Perfetto's packets, and people compress what they keep. Under other names both
# would
# count as hosts. What tells is in the files: of text the begin and the length, unpacked; of packets that events begin
# at
# the same nanoseconds since the epoch as those of the text. Ranks are distinguished: a rank is no copy of another one.

SAME_TIMES = Threshold(
    "begins in common of one recording",
    0.5,
    "share",
    "the writers order events in other ways, so that the first of one are not all among the first of the other; begins "
    "of two recordings do not agree to the nanosecond",
    "PyTorch's two exports of a run",
)
FEWEST = Threshold("begins in common at least", 3, "events", "fewer may agree by chance", "the same")
_GZIP = b"\x1f\x8b"
#: Fields of a packet of Perfetto's: in a trace, and of its time.
_PACKET, _TIMESTAMP = 1, 8
_MAX_PACKETS = 20_000
_REMEMBERED = 20_000


def copies(files: Iterable[CaptureFile]) -> dict[str, CaptureFile]:
    """By path the file of which another is a copy; files: the richest first, of which the first stays."""
    texts = [file for file in files if file.format == Format.TRACE_EVENTS]
    packets = [file for file in files if file.format == Format.PERFETTO]
    found = dict(_of_texts(texts))
    if texts and packets:
        found |= _of_packets([file for file in texts if file.path not in found], packets)
    return found


def _of_texts(files: list[CaptureFile]) -> Iterator[tuple[str, CaptureFile]]:
    is_mixed = len({file.path.endswith(".gz") for file in files}) > 1
    by_size: dict[int, list[CaptureFile]] = {}
    for file in files:
        by_size.setdefault(_unpacked(file) if is_mixed else file.size_bytes, []).append(file)
    for same in by_size.values():
        seen: dict[bytes, CaptureFile] = {}
        for file in same if len(same) > 1 else ():
            first = seen.setdefault(_digest(file.path, file.size_bytes, file.modified_ns), file)
            if first is not file and len(_text_times(file)) >= FEWEST.value and not _are_other_ranks(first, file):
                yield file.path, first


def _of_packets(texts: list[CaptureFile], packets: list[CaptureFile]) -> Iterator[tuple[str, CaptureFile]]:
    by_time: dict[int, list[CaptureFile]] = {}
    count: dict[str, int] = {}
    for file in texts:
        times = _text_times(file)
        count[file.path] = len(times)
        for ns in times:
            by_time.setdefault(ns, []).append(file)
    for file in packets:
        times = _packet_times(file)
        hits = Counter(text.path for ns in times for text in by_time.get(ns, ()))
        for text in texts:
            least = SAME_TIMES.value * min(len(times), count[text.path])
            if hits[text.path] >= max(FEWEST.value, least) and not _are_other_ranks(text, file):
                yield file.path, text
                break


def _are_other_ranks(one: CaptureFile, other: CaptureFile) -> bool:
    ranks = {rank_of(one), rank_of(other)} - {None}
    return len(ranks) > 1


def _unpacked(file: CaptureFile) -> int:
    return _length(file.path, file.size_bytes, file.modified_ns) if file.path.endswith(".gz") else file.size_bytes


@lru_cache(_REMEMBERED)
def _length(path: str, size_bytes: int, modified_ns: int) -> int:
    """How long a compressed file is, as its end says, modulo 2 to the power of 32; -1 where it cannot be read."""
    with contextlib.suppress(OSError), opened(path) as file:
        file.seek(-4, os.SEEK_END)
        return int.from_bytes(file.read(4), "little")
    return -1


@lru_cache(_REMEMBERED)
def _digest(path: str, size_bytes: int, modified_ns: int) -> bytes:
    return hashlib.blake2b(_copies_head(path, HEAD_BYTES)).digest()


def _copies_head(path: str, most: int) -> bytes:
    """The first bytes, unpacked; the path, which no other file has, where they cannot be read."""
    try:
        raw = first_bytes(path, most)
        return zlib.decompressobj(31).decompress(raw, most) if raw.startswith(_GZIP) else raw
    except (OSError, zlib.error):
        return path.encode("utf-8", "surrogatepass")


def _text_times(file: CaptureFile) -> frozenset[int]:
    return _times(file.path, file.size_bytes, file.modified_ns, False)


def _packet_times(file: CaptureFile) -> frozenset[int]:
    return _times(file.path, file.size_bytes, file.modified_ns, True)


@lru_cache(256)
def _times(path: str, size_bytes: int, modified_ns: int, is_packets: bool) -> frozenset[int]:
    """When the first events begin, in ns since the epoch."""
    raw = _copies_head(path, SHARED_BYTES)
    if is_packets:
        return frozenset(_timestamps(memoryview(raw)))
    return frozenset(times_ns(raw)) if not raw.startswith(UTF16) else frozenset()


def _timestamps(data: memoryview) -> Iterator[int]:
    with contextlib.suppress(DamagedError):
        for seen, each in enumerate(walk(data, 0, len(data))):
            if each.number != _PACKET or each.wire != LENGTH or each.cut or seen == _MAX_PACKETS:
                return
            for field in walk(data, each.begin, each.end):
                if field.number == _TIMESTAMP and field.wire == VARINT:
                    yield field.value
                    break


# Takes runs, gives those that hosts began together as one run: sessions of one program, each named by its own clock.
#
# Where every host asks for its own profile, each calls the session's folder by its own time, so that the hosts of one
# program are in folders whose names are seconds apart. Such sessions lie in one `plugins/profile`; a host that is in
# two
# was captured twice.

#: Hosts begin a capture of one step within seconds, by clocks that agree to as much; whole seconds stand in the names.
APART_NS = 10 * 10**9


def begun_together(runs: Iterable[tuple[str, Run]]) -> list[tuple[str, Run]]:
    """Runs with their folders; of sessions that began together one, in the first one's folder."""
    found: list[tuple[str, Run]] = []
    beside: dict[str, list[tuple[int, str, Run]]] = {}
    by_folder: dict[str, list[Run]] = {}
    for folder, run in runs:
        by_folder.setdefault(folder, []).append(run)
    for folder, of_folder in by_folder.items():
        begun_ns = _begun_ns(folder, of_folder)
        if begun_ns is None:
            found += [(folder, run) for run in of_folder]
        else:
            beside.setdefault(os.path.dirname(folder), []).append((begun_ns, folder, of_folder[0]))
    for sessions in _with_ranks(beside).values():
        found += [(group[0][0], joined([run for _, run in group])) for group in _grouped(sessions)]
    return found


#: Folders that ranks have each: `rank0`, `worker_3`.
_RANK_FOLDER = regex(r"((?:rank|worker|process|proc|host|node)[-_.]?)\d{1,6}", re.IGNORECASE)
_Sessions = dict[str, list[tuple[int, str, Run]]]


def _with_ranks(beside: _Sessions) -> _Sessions:
    """The same, with sessions of ranks that have a folder each beside each other. Hosts of one name are called as these
    folders are: ranks of one machine."""
    of_ranks: dict[str, list[tuple[str, str]]] = {}
    for profile in beside:
        above, rank = os.path.split(os.path.dirname(os.path.dirname(profile)))
        if match := _RANK_FOLDER.fullmatch(rank):
            of_ranks.setdefault(os.path.join(above, match[1]), []).append((rank, profile))
    merged = dict(beside)
    for key, each in of_ranks.items():
        if len(each) < 2:
            continue
        hosts = [host for _, profile in each for host in {h for _, _, run in beside[profile] for h in run.hosts}]
        for rank, profile in each:
            sessions = merged.pop(profile)
            if len(set(hosts)) < len(hosts):
                sessions = [(ns, folder, _called(run, rank)) for ns, folder, run in sessions]
            merged[key] = merged.get(key, []) + sessions
    return merged


def _called(run: Run, rank: str) -> Run:
    """A run of one host under another name."""
    return replace(run, files=(replace(run.files[0], host=rank),)) if len(run.files) == 1 else run


def _begun_ns(folder: str, runs: Sequence[Run]) -> int | None:
    """When the session of a folder began, by its name; None of what is no session of traces alone."""
    above, session = os.path.split(folder)
    plugins, profile = os.path.split(above)
    is_session = (os.path.basename(plugins), profile) == ("plugins", "profile") and len(runs) == 1
    return stamp_ns(session) if is_session and kind_of(runs[0].files[0]) == TRACE else None


def _grouped(sessions: Iterable[tuple[int, str, Run]]) -> list[list[tuple[str, Run]]]:
    groups: list[list[tuple[str, Run]]] = []
    before_ns, hosts = 0, set[str]()
    for begun_ns, folder, run in sorted(sessions, key=lambda each: each[:2]):
        if not groups or begun_ns - before_ns > APART_NS or not hosts.isdisjoint(run.hosts):
            groups.append([])
            hosts = set()
        groups[-1].append((folder, run))
        before_ns = begun_ns
        hosts.update(run.hosts)
    return groups


def joined(runs: Sequence[Run]) -> Run:
    """One run of several of different hosts, called as the first; the run itself where it is one."""
    first, *others = runs
    if not others:
        return first
    files = sorted((file for run in runs for file in run.files), key=lambda file: (natural(file.host), file.path))
    return replace(
        first,
        name=f"{first.name} ({len(runs)} sessions)",
        files=tuple(files),
        modified_ns=max(run.modified_ns for run in runs),
        left_out=tuple(file for run in runs for file in run.left_out),
        beside=tuple(each for run in runs for each in run.beside),
        sessions=tuple(name for run in runs for name in (run.name, *run.sessions)),
    )


def merged(runs: Sequence[Run], run: Run) -> Run:
    """A run and all others that are of other hosts, the nearest in time first. Raises ArgumentError where none is."""
    hosts, parts = set(run.hosts), [run]
    for other in sorted(runs, key=lambda each: abs(each.captured_ns - run.captured_ns)):
        if hosts.isdisjoint(other.hosts) and kind_of(other.files[0]) == kind_of(run.files[0]):
            hosts.update(other.hosts)
            parts.append(other)
    if len(parts) == 1:
        there = first_few(tuple(each.name for each in runs))
        raise ArgumentError(f"nothing to merge with {run.name}: no other run is of other hosts; the runs are {there}")
    return joined(sorted(parts, key=lambda each: (each.captured_ns, each.name)))
