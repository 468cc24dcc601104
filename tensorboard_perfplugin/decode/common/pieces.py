"""A long text file, plain, gzip or alone in a zip archive → pieces of it, so that it is never held as a whole."""

from __future__ import annotations

import codecs
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
#: An archive ends with 22 bytes and up to 64 kB of comment.
_END_BYTES = 22 + (1 << 16)


def pieces_of(file: BinaryIO, size: int, path: str, warnings: list[Message]) -> Iterator[bytes]:
    """The text in UTF-8. warnings: what went wrong, once all is read.

    Raises UnreadableError where an archive holds no JSON or several, and where data unpacks to far too much.
    """
    magic = file.read(4)
    file.seek(0)
    if magic.startswith(GZIP):
        plain = unpacked(_chunks(file, CHUNK_BYTES), warnings)
    elif magic == ZIP:
        plain = _of_archive(file, size, path, warnings)
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


def _of_archive(file: BinaryIO, size: int, path: str, warnings: list[Message]) -> Iterator[bytes]:
    """The one JSON file of an archive, which may be gzip itself."""
    file.seek(max(0, size - _END_BYTES))
    tail = file.read()
    end = tail.rfind(b"PK\x05\x06")
    if end >= 0 and int.from_bytes(tail[end + 12 : end + 16], "little") > LIST_BYTES:
        raise UnreadableError(f"{path} is a zip archive of very many files. Unpack it, and open the trace inside.")
    try:
        with zipfile.ZipFile(file) as archive:
            names = [name for name in archive.namelist() if name.endswith((".json", ".json.gz"))]
            if len(names) != 1:
                problem = f"{path} is a zip archive with {len(names)} JSON files, not one."
                raise UnreadableError(f"{problem} Unpack it, and open the capture inside.")
            with archive.open(names[0]) as inner:
                chunks = iter(lambda: inner.read(CHUNK_BYTES), b"")
                yield from unpacked(chunks, warnings) if names[0].endswith(".gz") else chunks
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError) as error:
        raise UnreadableError(f"{path} is a zip archive that cannot be read: {error}. Unpack it first.") from None
