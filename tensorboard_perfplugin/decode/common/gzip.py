"""Gzip data, chunk by chunk → what it unpacks to, as far as it is sound and no more than is believed."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from ... import units
from ...errors import UnreadableError
from ...messages import Message, message

GZIP = b"\x1f\x8b"
#: Captures pack to a fifth or a tenth; more than a hundredth is no capture.
MAX_RATIO, MIN_LIMIT_BYTES = 100, 64 << 20
#: Unpacks to 66 MB at the most.
CHUNK_BYTES = 1 << 16


def most_unpacked(size: int) -> int:
    """How many bytes those of a packed file may be."""
    return max(MAX_RATIO * size, MIN_LIMIT_BYTES)


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
            raise UnreadableError(
                f"{path} ({units.size(size)}) unpacks to more than {units.size(limit)}. Unpack it first."
            )
        yield piece
