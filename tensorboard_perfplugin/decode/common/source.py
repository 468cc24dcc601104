"""A path, or bytes → the bytes of a capture: in memory of our own, and unpacked where they are gzip."""

from __future__ import annotations

import contextlib
import dataclasses
import mmap
import os
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BufferedReader
from typing import Any

from ... import units
from ...errors import NotFoundError, RemoteError, UnreadableError
from ...formats import AGAIN, DAMAGED_XPLANE, HEAD_BYTES, kind_of
from ...messages import Message
from ...stores import RemoteFile, StoreError, is_url, open_remote, status
from ...tables import usable_cores
from .gzip import CHUNK_BYTES, GZIP, most_unpacked, unpacked, within
from .memory import memory_bytes

#: Data is held in memory, and its columns take some three times as much. Profilers write 2 GB at the most.
MAX_BYTES = 8 << 30
#: At a time, so that other threads run meanwhile even where a disk hangs.
READ_BYTES = 8 << 20


@dataclasses.dataclass(frozen=True)
class Source:
    """data: what there is to decode, whose decoder may give its memory back; head: its first bytes, which stay.

    size_bytes: of the file. warnings: what went wrong while it was unpacked.
    """

    path: str
    data: memoryview
    head: bytes
    size_bytes: int
    warnings: tuple[Message, ...] = ()
    unpacked: bool = False

    @property
    def name(self) -> str:
        return os.path.basename(self.path).removesuffix(".gz")

    def unreadable(self) -> UnreadableError:
        """The error that says what the file is, instead of a capture."""
        phrase, advice = ("gzip data that is damaged", AGAIN) if self.warnings else kind_of(self.head, self.name)
        inside = "gzip data that holds " if self.unpacked and not self.warnings else ""
        looks = f"it looks like {inside}{phrase}"
        at = "".join(f", from byte {each.params['at']} on" for each in self.warnings)
        return UnreadableError(
            f"{self.path or 'The data'} ({units.size(self.size_bytes)}) is not a capture: {looks}{at}. {advice}",
            is_damaged=bool(self.warnings) or phrase == DAMAGED_XPLANE,
        )


def open_source(path: str) -> Source:
    """Read a file. Raises NotFoundError where there is none, UnreadableError where it is none or may not be read."""
    with opened(path) as (file, size):
        data = loaded(file, size, path)
    return source_of(path, data)


@contextlib.contextmanager
def opened(path: str) -> Iterator[tuple[BufferedReader, int]]:
    """A file and its size. Errors as of `open_source`."""
    if is_url(path):
        with _opened_remote(path) as (remote, size):
            yield remote, size
        return
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            raise UnreadableError(f"{path} is a folder. Give one of the .xplane.pb files in it.")
        if not stat.S_ISREG(mode):
            raise UnreadableError(f"{path} is a pipe or a device, not a file. Copy what it gives to a file first.")
        with open(path, "rb", opener=at_once) as file:
            yield file, os.fstat(file.fileno()).st_size
    except (FileNotFoundError, NotADirectoryError):
        raise NotFoundError(f"There is no file {path}. Check the path.") from None
    except PermissionError:
        raise UnreadableError(
            f"{path} is not readable by this user. Change its permissions: chmod a+r {path}"
        ) from None
    except OSError as error:
        raise UnreadableError(
            f"{path} cannot be read: {error.strerror}. Check the disk or the network it is on."
        ) from None


@contextlib.contextmanager
def _opened_remote(url: str) -> Iterator[tuple[BufferedReader, int]]:
    """The same in a store, read ahead; at the end it is looked whether it still is what was opened.

    Raises RemoteError where the same may succeed later, or the file was replaced meanwhile.
    """
    try:
        with open_remote(url, ahead=True) as raw:
            if stat.S_ISDIR(raw.now.st_mode):
                raise UnreadableError(f"{url} is a folder. Give one of the .xplane.pb files in it.")
            try:
                yield BufferedReader(raw), raw.size
            finally:
                raw.check()
    except FileNotFoundError as error:
        raise NotFoundError(f"{url}: {error.strerror}") from None
    except PermissionError as error:
        raise UnreadableError(f"{url}: {error.strerror}") from None
    except StoreError as error:
        raise RemoteError(f"{url}: {error.strerror}") from None


def is_file(path: str) -> bool:
    if not is_url(path):
        return os.path.isfile(path)
    with contextlib.suppress(StoreError):
        return stat.S_ISREG(status(path).st_mode)
    return False


def most_bytes() -> int:
    return min(MAX_BYTES, memory_bytes() // 2)


def at_once(path: str, flags: int) -> int:
    """Opens what has meanwhile become a pipe without waiting for a writer."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def loaded(file: BufferedReader, size: int, path: str) -> memoryview:
    """A file's first `size` bytes, fewer where it is cut meanwhile, in pages that can be given back one by one.

    Mapping the file itself costs 60 ms less for 143 MB, but a file that is cut shorter then ends the process (SIGBUS),
    and one that is written anew may have other contents at the second look.
    """
    if size > most_bytes():
        raise UnreadableError(
            f"{path} ({units.size(size)}) exceeds the limit of {units.size(most_bytes())}. Take a shorter capture."
        )
    if not size:
        return memoryview(b"")
    private: dict[str, Any] = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANON} if hasattr(mmap, "MAP_PRIVATE") else {}
    memory = mmap.mmap(-1, size, **private)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        # Pages of 2 MB: 143 MB then take 40 ms to fill instead of 90.
        with contextlib.suppress(OSError):
            memory.madvise(mmap.MADV_HUGEPAGE)
    data = memoryview(memory)
    return data[: _filled(file, data)]


def _filled(file: BufferedReader, data: memoryview) -> int:
    """Reads a file into memory, by several threads where it is large; how many bytes there are without a gap."""
    if isinstance(file.raw, RemoteFile):
        file.raw.fill(data)
        return len(data)

    def fill(begin: int) -> int:
        at, end = begin, min(begin + READ_BYTES, len(data))
        while at < end and (read := _read_at(file, data[at:end], at)):
            at += read
        return at

    begins = range(0, len(data), READ_BYTES)
    if len(begins) == 1:
        return fill(0)
    with ThreadPoolExecutor(usable_cores() if hasattr(os, "preadv") else 1, "read") as pool:
        ends = list(pool.map(fill, begins))
    return next((end for begin, end in zip(begins, ends, strict=True) if end < begin + READ_BYTES), len(data))


def _read_at(file: BufferedReader, into: memoryview, at: int) -> int:
    if hasattr(os, "preadv"):
        return os.preadv(file.fileno(), [into], at)
    file.seek(at)
    return file.readinto(into)


def source_of(path: str, data: memoryview) -> Source:
    if data[:2] != GZIP:
        return Source(path, data, bytes(data[:HEAD_BYTES]), len(data))
    plain, warnings = unpack(path, data)
    return Source(path, memoryview(plain), bytes(plain[:HEAD_BYTES]), len(data), warnings, unpacked=True)


def unpack(path: str, data: memoryview) -> tuple[bytearray, tuple[Message, ...]]:
    """All gzip members, as far as can be unpacked, and what stopped it. Raises UnreadableError past the limit."""
    limit, plain, warnings = min(most_unpacked(len(data)), most_bytes()), bytearray(), list[Message]()
    chunks = (bytes(data[at : at + CHUNK_BYTES]) for at in range(0, len(data), CHUNK_BYTES))
    for piece in within(unpacked(chunks, warnings), limit, len(data), path):
        plain += piece
    return plain, tuple(warnings)
