"""A long text file, plain, gzip or alone in a zip archive → pieces of it, so that it is never held as a whole."""

from __future__ import annotations

import codecs
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from ..errors import UnreadableError
from ._source import CHUNK_BYTES, GZIP, MAX_RATIO, MIN_LIMIT_BYTES, READ_BYTES

ZIP = b"PK\x03\x04"
#: Of an archive's list of files more is no archive of one trace.
LIST_BYTES = 1 << 20
#: An archive ends with 22 bytes and up to 64 kB of comment.
_END_BYTES = 22 + (1 << 16)
UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def pieces_of(file: BinaryIO, size: int, path: str, warnings: list[str]) -> Iterator[bytes]:
    """The text in UTF-8. warnings: what went wrong, once all is read.

    Raises UnreadableError where an archive holds no JSON or several, and where data unpacks to far too much.
    """
    magic = file.read(4)
    file.seek(0)
    if magic.startswith(GZIP):
        plain = _within(_unpacked(_chunks(file, CHUNK_BYTES), warnings), size, path)
    elif magic == ZIP:
        plain = _within(_of_archive(file, size, path, warnings), size, path)
    else:
        plain = _chunks(file, READ_BYTES)
    return utf8(plain)


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


def _within(pieces: Iterator[bytes], size: int, path: str) -> Iterator[bytes]:
    limit, total = max(MAX_RATIO * size, MIN_LIMIT_BYTES), 0
    for piece in pieces:
        total += len(piece)
        if total > limit:
            raise UnreadableError(f"{path} ({size} bytes) unpacks to more than {limit} bytes. Unpack it first.")
        yield piece


def _unpacked(chunks: Iterator[bytes], warnings: list[str]) -> Iterator[bytes]:
    """All gzip members, as far as can be unpacked."""
    member, at, rest, size = zlib.decompressobj(wbits=31), 0, b"", CHUNK_BYTES
    while rest := rest or next(chunks, b""):
        before, piece = member.copy(), rest[:size]
        try:
            plain = member.decompress(piece)
        except zlib.error:
            if size == 1:
                warnings.append(f"The gzip data is damaged at byte {at}.")
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
    warnings.append(f"The gzip data ends at byte {at}, before it is complete.")


def _of_archive(file: BinaryIO, size: int, path: str, warnings: list[str]) -> Iterator[bytes]:
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
                found = f"{path} is a zip archive with {len(names)} JSON files, not one."
                raise UnreadableError(f"{found} Unpack it, and open the capture inside.")
            with archive.open(names[0]) as inner:
                chunks = iter(lambda: inner.read(CHUNK_BYTES), b"")
                yield from _unpacked(chunks, warnings) if names[0].endswith(".gz") else chunks
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError) as error:
        raise UnreadableError(f"{path} is a zip archive that cannot be read: {error}. Unpack it first.") from None
