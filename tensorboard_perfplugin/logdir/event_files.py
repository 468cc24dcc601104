"""Takes TensorBoard's event files, gives the run metadata in them: tag, where its record begins, when it was written.

An event file is a TFRecord file: of each record the length (8 bytes), its checksum (4), an `Event`, its checksum (4).
Of most records, which are scalars, only the length is looked at, so that a gigabyte of them takes 3 s; large ones are
not read. How far a file was read is remembered: what was added is all that is looked at the next time.
"""

from __future__ import annotations

import os
import re
import struct
import time
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

import msgspec
from msgspec.structs import replace

from ..patterns import regex
from ..wire import DamagedError, masked, varint
from .names import is_regular, now_of_file, opened

#: Files that are remembered.
MOST_FILES = 100_000
#: Run metadata of one file: a program that writes one every 100 steps for two million.
MOST_RECORDS = 20_000
MOST_TAG_BYTES = 1000
#: Read at a time, from the first to the most: larger records are passed over without being read.
LEAST_CHUNK, MOST_CHUNK = 1 << 12, 1 << 20
#: Of a record that is looked at: its tag, and its first devices up to one that ran something.
HEAD_BYTES = 1 << 16
#: Run metadata with a device and a node has more; scalars have less, mostly.
LEAST_BYTES = 64
#: Remembered of what was read, to see that it is still there.
MARK_BYTES = 16

#: `events.out.tfevents.1700000000.trainer-3`; behind the host may stand process and number, and what the user gave.
_NAME = regex(r".*tfevents\.\d{5,20}\.(?P<host>\d{1,3}(?:\.\d{1,3}){3}|.+?)(?:\.\d+\.\d+\.?)?")
#: Of TensorFlow 2, whose writer has no run metadata of this kind, and of its profiler.
_OTHERS = (".v2", ".profile-empty", ".gz")
#: How every event file begins, after its time. Writers of other frameworks name themselves there.
_VERSION, _OTHER_WRITER = b"brain.Event:", b"tensorboard.summary.writer."
#: An event up to its tagged run metadata (8): time (1), step (2).
_TAGGED = regex(
    rb"(?:\x09(?P<time>.{8})|\x10[\x80-\xff]{0,9}[\x00-\x7f]){0,4}\x42[\x80-\xff]{0,9}[\x00-\x7f]", re.DOTALL
)
_LENGTH = struct.Struct("<QI")
_FRAME_BYTES = _LENGTH.size + 4
#: Up to the tagged run metadata.
_PEEK_BYTES = _LENGTH.size + 48
#: Fields of a tagged run metadata, of run metadata, of step stats, of a device: number and wire type.
_TAG, _METADATA, _STEP_STATS, _DEVICE, _NODE = 0x0A, 0x12, 0x0A, 0x0A, 0x12
#: Later than the year 3000 nothing was written.
_LATEST_S = 32_503_680_000
_DAMAGED = "damaged at byte {:,}; later records are not read"


class Record(NamedTuple):
    """One run metadata. at: where its record begins; size_bytes: of the event in it; written_ns: since the epoch."""

    tag: str
    at: int
    size_bytes: int
    written_ns: int


class Looked(msgspec.Struct, frozen=True):
    """What is known of a file. end: up to where; is_done: as far as sound records go. problem: what ended it, or ""."""

    inode: int
    size_bytes: int = 0
    modified_ns: int = 0
    records: tuple[Record, ...] = ()
    end: int = 0
    is_done: bool = False
    problem: str = ""
    mark: bytes = b""


_known: dict[str, Looked] = {}


def event_host(name: str) -> str | None:
    """The host in the name of an event file that may hold run metadata; None of any other file's name."""
    if "tfevents" not in name or name.endswith(_OTHERS):
        return None
    match = _NAME.fullmatch(name)
    return match["host"] if match else name


def look(path: str, now: os.stat_result, until_s: float) -> Looked:
    """What run metadata a file holds, as far as could be seen up to a moment of the monotonic clock.

    Raises OSError.
    """
    known = _known.get(path, Looked(now.st_ino))
    if known.inode != now.st_ino or known.size_bytes > now.st_size:
        known = Looked(now.st_ino)
    is_same = known.is_done and (known.size_bytes, known.modified_ns) == (now.st_size, now.st_mtime_ns)
    if is_same or time.monotonic() >= until_s:
        return known
    with opened(path, buffering=0) as file:
        if not is_regular(file):
            return Looked(now.st_ino, is_done=True)
        if known.end and not _is_there(file, known):
            known = Looked(now.st_ino)
        looked = _looked(file, known, until_s)
    looked = replace(looked, size_bytes=now.st_size, modified_ns=now.st_mtime_ns)
    while len(_known) >= MOST_FILES:
        _known.pop(next(iter(_known)), None)
    _known[path] = looked
    return looked


def problem_of(path: str) -> str:
    """What keeps an event file that was looked at from being read to its end, or ""."""
    known = _known.get(path)
    return known.problem if known else ""


def checksum(path: str, record: int, size_bytes: int) -> int:
    """What a file says the sum of a record's bytes is; less than 0 where it ends before. Raises OSError."""
    with opened(path, buffering=0) as file:
        at = record + _LENGTH.size + size_bytes
        data = _read(file, at, 4)
        return int.from_bytes(data, "little") if len(data) == 4 else -now_of_file(file).st_size


def _is_there(file: BinaryIO, known: Looked) -> bool:
    return _read(file, known.end - len(known.mark), len(known.mark)) == known.mark


def _looked(file: BinaryIO, known: Looked, until_s: float) -> Looked:
    """As far as the time allows, which is looked at after each piece."""
    at, chunk, problem, is_done = known.end, LEAST_CHUNK, "", False
    records = {record.at: record for record in known.records}
    size = now_of_file(file).st_size
    while not is_done:
        raw = _read(file, at, chunk)
        if not at and _is_foreign(raw):
            return replace(known, records=(), end=0, is_done=True)
        used, places, problem = _pass(raw, at, size)
        for place in places:
            is_kept = place in records or len(records) < MOST_RECORDS
            if is_kept and (record := _record(file, place)):
                records[place] = record
        is_done = not used or bool(problem)
        at += used
        chunk = min(chunk * 2, MOST_CHUNK) if used <= len(raw) else LEAST_CHUNK
        if time.monotonic() >= until_s:
            break
    mark = _read(file, max(at - MARK_BYTES, 0), min(MARK_BYTES, at))
    return replace(known, records=tuple(records.values()), end=at, is_done=is_done, problem=problem, mark=mark)


def _is_foreign(raw: bytes) -> bool:
    """Whether a file's begin is no event file's, or one's of a writer that has no run metadata."""
    return _VERSION not in raw[:128] or _OTHER_WRITER in raw[:512]


def _pass(raw: bytes, base: int, size: int) -> tuple[int, list[int], str]:
    """Goes over the records that begin in a piece: up to where, which may be run metadata, what ended it.

    A record that the file, of `size` bytes, does not hold whole is not passed. What is too short to hold a run metadata
    is left at the end.
    """
    at, last = 0, len(raw) - _PEEK_BYTES
    places: list[int] = []
    while at <= last:
        length, check = _LENGTH.unpack_from(raw, at)
        if _lengths.get(length) != check and _sum_of(length) != check:
            return at, places, _DAMAGED.format(base + at)
        if length >= LEAST_BYTES and _TAGGED.match(raw, at + _LENGTH.size):
            places.append(base + at)
        if base + at + length + _FRAME_BYTES > size:
            break
        at += length + _FRAME_BYTES
    return at, places, ""


_lengths: dict[int, int] = {}


def _sum_of(length: int) -> int:
    """The checksum of a length; remembered, since most are alike."""
    if len(_lengths) > 10_000:
        _lengths.clear()
    _lengths[length] = masked(length.to_bytes(8, "little"))
    return _lengths[length]


def _record(file: BinaryIO, at: int) -> Record | None:
    """The run metadata in a record; None where none of its nodes ran: graphs are written so, too."""
    head = _read(file, at, HEAD_BYTES)
    length, _ = _LENGTH.unpack_from(head)
    match = _TAGGED.match(head, _LENGTH.size)
    if not match:
        return None
    written_s = struct.unpack("<d", match["time"])[0] if match["time"] else 0.0
    tag = b""
    try:
        for kind, begin, end in _parts(head, match.end(), _LENGTH.size + length):
            if kind == _TAG:
                tag = head[begin : min(end, begin + MOST_TAG_BYTES)]
            elif kind == _METADATA and _ran(head, begin, end):
                written_ns = int(written_s * 1e9) if 0 < written_s < _LATEST_S else 0
                return Record(tag.decode("utf-8", "replace"), at, length, written_ns)
    except DamagedError:
        pass
    return None


def _ran(head: bytes, begin: int, end: int) -> bool:
    """Whether run metadata describes a node that ran. Raises DamagedError where its head does not show that."""
    for kind, first, last in _parts(head, begin, end):
        if kind != _STEP_STATS:
            continue
        try:
            for of_stats, device, device_end in _parts(head, first, last):
                if of_stats == _DEVICE and any(each == _NODE for each, _, _ in _parts(head, device, device_end)):
                    return True
        except DamagedError:
            return True
    return False


def _parts(head: bytes, at: int, end: int) -> Iterator[tuple[int, int, int]]:
    """The fields of a message that are messages or texts: number and wire type, begin, end. Ends at any other.

    Raises DamagedError where the head ends before.
    """
    while at < end:
        if at >= len(head):
            raise DamagedError(at)
        kind = head[at]
        if kind & 7 != 2 or kind > 0x7F:
            return
        length, at = varint(head, at + 1, len(head))
        yield kind, at, at + length
        at += length


def _read(file: BinaryIO, at: int, size: int) -> bytes:
    file.seek(at)
    return file.read(size)
