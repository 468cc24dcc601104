"""A long text file, plain, gzip or alone in a zip archive → pieces of it, so that it is never held as a whole."""

from __future__ import annotations

import codecs
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from ...errors import UnreadableError
from ...formats import UTF16
from ...messages import Message
from .gzip import CHUNK_BYTES, GZIP, most_unpacked, unpacked, within
from .source import READ_BYTES

ZIP = b"PK\x03\x04"
#: Of an archive's list of files more is no archive of one trace.
LIST_BYTES = 1 << 20
#: Others may ask for gigabytes of memory in their heads.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


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
        return utf8(_chunks(file, READ_BYTES))
    return utf8(within(plain, most_unpacked(size), size, path))


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
            raise zipfile.BadZipFile("what it lists lies outside of it")
        return self.file.seek(offset, whence)


def _of_archive(file: BinaryIO, path: str, warnings: list[Message]) -> Iterator[bytes]:
    """The one JSON file of an archive, which may be gzip itself."""
    try:
        with zipfile.ZipFile(_Bounded(file, path)) as archive:
            names = [name for name in archive.namelist() if name.endswith((".json", ".json.gz"))]
            if len(names) != 1:
                problem = f"{path} is a zip archive with {len(names)} JSON files, not one."
                raise UnreadableError(f"{problem} Unpack it, and open the capture inside.")
            if archive.getinfo(names[0]).compress_type not in _METHODS:
                raise NotImplementedError("it is packed by another method than deflate")
            with archive.open(names[0]) as inner:
                chunks = iter(lambda: inner.read(CHUNK_BYTES), b"")
                yield from unpacked(chunks, warnings) if names[0].endswith(".gz") else chunks
    except (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, UnicodeDecodeError, struct.error) as error:
        raise UnreadableError(f"{path} is a zip archive that cannot be read: {error}. Unpack it first.") from None
