"""A path, or bytes → the bytes of a capture: in memory of our own, and unpacked where they are gzip."""

from __future__ import annotations

import codecs
import contextlib
import mmap
import os
import stat
import struct
import zlib
from collections.abc import Iterator
from io import BufferedReader
from typing import Any, BinaryIO

import msgspec

from ... import heap, units
from ...errors import NotFoundError, RemoteError, UnreadableError
from ...formats import AGAIN, DAMAGED_XPLANE, HEAD_BYTES, UTF16, kind_of
from ...messages import Message, message
from ...stores import RemoteFile, StoreError, is_url, open_remote, status
from ...tables import usable_cores
from .build import MEMORY_VARIABLE, memory_bytes

# Gzip data, chunk by chunk → what it unpacks to, as far as it is sound and no more than is believed.

GZIP = b"\x1f\x8b"
#: Captures pack to a fifth or a tenth; more than a hundredth is no capture.
MAX_RATIO, MIN_LIMIT_BYTES = 100, 64 << 20
#: What data unpacks to and its columns, some three times as much, are to fit into the memory that is free.
SHARE_OF_FREE = 4
#: Unpacks to 66 MB at the most.
CHUNK_BYTES = 1 << 16


def most_unpacked(size: int) -> int:
    """How many bytes those of a packed file may be."""
    return max(min(MAX_RATIO * size, heap.free_bytes() // SHARE_OF_FREE), MIN_LIMIT_BYTES)


def unpacked(chunks: Iterator[bytes], warnings: list[Message]) -> Iterator[bytes]:
    """All gzip members, as far as can be unpacked. chunks: of `CHUNK_BYTES`. warnings: what stopped it, at the end."""
    member, at, rest, size = zlib.decompressobj(wbits=31), 0, b"", CHUNK_BYTES
    while rest := rest or next(chunks, b""):
        before, piece = member.copy(), rest[:size]
        try:
            plain = member.decompress(piece)
        except zlib.error:
            if size == 1:
                warnings.append(message("gzip_damaged", at=at))
                return
            member, size = before, size // 2
            continue
        yield plain
        used = len(piece) - len(member.unused_data)
        at, rest = at + used, rest[used:]
        if member.eof:
            if len(rest) < len(GZIP):
                rest += next(chunks, b"")
            if not rest.startswith(GZIP):
                return
            member = zlib.decompressobj(wbits=31)
    warnings.append(message("gzip_cut", at=at))


def within(pieces: Iterator[bytes], limit: int, size: int, path: str) -> Iterator[bytes]:
    """The same. Raises UnreadableError once they are more than `limit` bytes; size: of the file."""
    total = 0
    for piece in pieces:
        total += len(piece)
        if total > limit:
            problem = f"{path} ({units.size(size)}) unpacks to more than {units.size(limit)}"
            if limit >= MAX_RATIO * size:
                raise UnreadableError(f"{problem}. Unpack it first.")
            free = f"{units.memory(heap.free_bytes())} of memory that is free"
            raise UnreadableError(f"{problem}, the most for the {free}. End other programs, or take a shorter capture.")
        yield piece


#: Data is held in memory, and its columns take some three times as much. Profilers write 2 GB at the most.
MAX_BYTES = 8 << 30
#: At a time, so that other threads run meanwhile even where a disk hangs.
READ_BYTES = 8 << 20
#: Of a text, so that what was read is in a core's cache while it is parsed.
TEXT_BYTES = 1 << 20


class Source(msgspec.Struct, frozen=True):
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


def whose_limit() -> str:
    """Which limit `most_bytes` is, where a user set one and it is the less."""
    allowed = os.environ.get(MEMORY_VARIABLE, "")
    return f", half of what {MEMORY_VARIABLE} allows ({allowed[:20]})" if allowed and most_bytes() < MAX_BYTES else ""


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
            f"{path} ({units.size(size)}) exceeds the limit of {units.size(most_bytes())}{whose_limit()}. "
            "Take a shorter capture."
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
    from concurrent.futures import ThreadPoolExecutor

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


# A long text file, plain, gzip or alone in a zip archive → pieces of it, so that it is never held as a whole.

ZIP = b"PK\x03\x04"
#: Of an archive's list of files more is no archive of one trace.
LIST_BYTES = 1 << 20


def pieces_of(file: BinaryIO, size: int, path: str, warnings: list[Message]) -> Iterator[bytes]:
    """The text in UTF-8. warnings: what went wrong, once all is read.

    Raises UnreadableError where an archive holds no JSON or several, and where data unpacks to far too much.
    """
    magic = file.read(4)
    file.seek(0)
    if magic.startswith(GZIP):
        plain = unpacked(_chunks(file, CHUNK_BYTES), warnings)
    elif magic == ZIP:
        plain = _of_archive(file, path, warnings)
    else:
        return utf8(_chunks(file, TEXT_BYTES))
    return utf8(within(plain, most_unpacked(size), size, path))


def ahead(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The same, each read and unpacked while the one before is looked at, on a machine of several cores."""
    if usable_cores() < 2:
        yield from pieces
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1, "ahead") as pool:
        coming = pool.submit(next, pieces, None)
        while (piece := coming.result()) is not None:
            coming = pool.submit(next, pieces, None)
            yield piece


def utf8(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """What begins with the mark of UTF-16 as UTF-8, all else as it is."""
    first = next(pieces, b"")
    if not first.startswith(UTF16):
        yield first
        yield from pieces
        return
    decoder = codecs.getincrementaldecoder("utf-16")("replace")
    yield decoder.decode(first).encode("utf-8", "replace")
    for piece in pieces:
        yield decoder.decode(piece).encode("utf-8", "replace")


def _chunks(file: BinaryIO, size: int) -> Iterator[bytes]:
    while piece := file.read(size):
        yield piece


class _Bounded:
    """An archive of which no more is read at once than the list of files may take: `zipfile` reads it as a whole."""

    def __init__(self, file: BinaryIO, path: str) -> None:
        self.path, self.file = path, file
        self.tell, self.seekable = file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        if size > LIST_BYTES:
            problem = f"{self.path} is a zip archive of very many files."
            raise UnreadableError(f"{problem} Unpack it, and open the trace inside.")
        return self.file.read(size)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        if whence == os.SEEK_SET and not 0 <= offset < 1 << 63:
            from zipfile import BadZipFile

            raise BadZipFile("what it lists lies outside of it")
        return self.file.seek(offset, whence)


def _of_archive(file: BinaryIO, path: str, warnings: list[Message]) -> Iterator[bytes]:
    """The one JSON file of an archive, which may be gzip itself."""
    # Here, since few captures are archives.
    import zipfile

    try:
        with zipfile.ZipFile(_Bounded(file, path)) as archive:
            names = [name for name in archive.namelist() if name.endswith((".json", ".json.gz"))]
            if len(names) != 1:
                problem = f"{path} is a zip archive with {len(names)} JSON files, not one."
                raise UnreadableError(f"{problem} Unpack it, and open the capture inside.")
            # Others may ask for gigabytes of memory in their heads.
            if archive.getinfo(names[0]).compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise NotImplementedError("it is packed by another method than deflate")
            with archive.open(names[0]) as inner:
                chunks = iter(lambda: inner.read(CHUNK_BYTES), b"")
                yield from unpacked(chunks, warnings) if names[0].endswith(".gz") else chunks
    except (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, UnicodeDecodeError, struct.error) as error:
        raise UnreadableError(f"{path} is a zip archive that cannot be read: {error}. Unpack it first.") from None
