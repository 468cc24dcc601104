"""Pieces of bytes → a gzip file of them, compressed while the next piece is made."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

#: Level 1 keeps up with the writing of the text; level 6 takes three times as long and saves a fifth.
_LEVEL = 1
#: zlib's name for the gzip format.
_GZIP = 31
#: Pieces are joined to so many bytes before they are compressed.
_BLOCK = 1 << 20


def compressed(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """As a gzip file. A second thread compresses, outside of the interpreter's lock; at most one block waits for it."""
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
    with ThreadPoolExecutor(1, "compress") as pool:
        waiting: Future[bytes] | None = None
        for block in _blocks(pieces):
            done = waiting.result() if waiting else b""
            waiting = pool.submit(packer.compress, block)
            if done:
                yield done
        yield (waiting.result() if waiting else b"") + packer.flush()


def _blocks(pieces: Iterator[bytes]) -> Iterator[bytes]:
    held: list[bytes] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= _BLOCK:
            yield b"".join(held)
            held, size = [], 0
    yield b"".join(held)
