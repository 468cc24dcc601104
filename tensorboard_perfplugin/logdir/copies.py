"""Takes traces of a folder, gives those that hold what another of them holds: one recording, written twice.

PyTorch exports one as JSON and as Perfetto's packets, and people compress what they keep. Under other names both would
count as hosts. What tells is in the files: of text the begin and the length, unpacked; of packets that events begin at
the same nanoseconds since the epoch as those of the text. Ranks are told apart: a rank is no copy of another one.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

from ..formats import SHARED_BYTES, UTF16, Format
from ..threshold import Threshold
from ..wire import LENGTH, VARINT, DamagedError, walk
from .head import first_bytes, opened
from .model import CaptureFile
from .programs import HEAD_BYTES, times_ns
from .ranks import rank_of

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
_MOST_PACKETS = 20_000
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
    return hashlib.blake2b(_head(path, HEAD_BYTES)).digest()


def _head(path: str, most: int) -> bytes:
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
    raw = _head(path, SHARED_BYTES)
    if is_packets:
        return frozenset(_timestamps(memoryview(raw)))
    return frozenset(times_ns(raw)) if not raw.startswith(UTF16) else frozenset()


def _timestamps(data: memoryview) -> Iterator[int]:
    with contextlib.suppress(DamagedError):
        for seen, each in enumerate(walk(data, 0, len(data))):
            if each.number != _PACKET or each.wire != LENGTH or each.cut or seen == _MOST_PACKETS:
                return
            for field in walk(data, each.begin, each.end):
                if field.number == _TIMESTAMP and field.wire == VARINT:
                    yield field.value
                    break
