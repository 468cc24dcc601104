"""Takes a path, gives host and format of the capture: by its name, and by its first bytes where others use such names.

`.prof` ends what cProfile dumps, and what JAX, Go and C++ programs write of their memory; `.sqlite` is anybody's.
"""

from __future__ import annotations

import contextlib
import os
import zlib
from collections.abc import Callable
from functools import lru_cache

from ..formats import HEAD_BYTES, READ, SHARED_BYTES, Format
from .head import first_bytes, now_of
from .names import parse_name

#: Endings that do not tell → the formats whose files end so, in the order in which they are asked.
_SHARED = {
    ending: tuple(each for each in READ if ending in each.declaration.shared)
    for format in READ
    for ending in format.declaration.shared
}
_GZIP = b"\x1f\x8b"
#: Files that are remembered.
_MOST_FILES = 20_000

Parse = Callable[[str], tuple[str, Format] | None]


def told(path: str, modified_ns: int, size_bytes: int, parse: Parse = parse_name) -> tuple[str, Format] | None:
    """None of what is no capture. Of a file that is given what its name says stays, whatever it holds."""
    name = os.path.basename(path).removesuffix(".gz")
    parsed = parse(os.path.basename(path))
    ending = os.path.splitext(name)[1]
    if parsed is None or ending not in _SHARED:
        return parsed
    host, by_name = parsed
    found = _by_bytes(path, ending, modified_ns, size_bytes)
    if found is None:
        # A name that is nobody else's stays, to be said that it is damaged.
        return parsed if parse is not parse_name or by_name.declaration.is_own_name(name) else None
    return host, found


def is_capture(path: str) -> bool:
    """Whether a logdir's file is one, as far as its name, or else its first bytes, say."""
    try:
        now = now_of(path)
    except OSError:
        return bool(parse_name(os.path.basename(path)))
    return bool(told(path, now.st_mtime_ns, now.st_size))


@lru_cache(_MOST_FILES)
def _by_bytes(path: str, ending: str, modified_ns: int, size_bytes: int) -> Format | None:
    """Looked at once, as long as the file stays as it is."""
    most = SHARED_BYTES if any(format.declaration.told_by for format in _SHARED[ending]) else HEAD_BYTES
    with contextlib.suppress(OSError, zlib.error):
        head = first_bytes(path, most)
        if head.startswith(_GZIP):
            head = zlib.decompressobj(wbits=31).decompress(head, most)
        return next((format for format in _SHARED[ending] if format.declaration.is_its(head)), None)
    return None
