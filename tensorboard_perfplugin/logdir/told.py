"""Takes a path, gives host and format of the capture: by its name, and by its first bytes where formats share a name.

`.prof` ends what cProfile dumps, and what JAX, Go and C++ programs write of their memory.
"""

from __future__ import annotations

import contextlib
import os
import zlib
from collections.abc import Callable
from functools import lru_cache

from ..formats import READ, Format
from .head import first_bytes
from .names import parse_name

#: The end of a name that says nothing of the format.
_SHARED = ".prof"
_ITS_FORMATS = tuple(format for format in READ if _SHARED in (format.declaration.given, *format.declaration.suffixes))
#: What begins a profile: of a packed one as much as that unpacks to.
_HEAD_BYTES, _MOST_UNPACKED = 1 << 13, 1 << 16
_GZIP = b"\x1f\x8b"
#: Files that are remembered.
_MOST_FILES = 20_000

Parse = Callable[[str], tuple[str, Format] | None]


def told(path: str, modified_ns: int, size_bytes: int, parse: Parse = parse_name) -> tuple[str, Format] | None:
    """None of what is no capture. Of a file that is given what its name says stays, whatever it holds."""
    name = os.path.basename(path)
    parsed = parse(name)
    if parsed is None or not name.removesuffix(".gz").endswith(_SHARED):
        return parsed
    host, by_name = parsed
    found = _by_bytes(path, modified_ns, size_bytes)
    if found is None:
        return parsed if parse is not parse_name or by_name is not Format.PYTHON_STATS else None
    return host, found


def is_capture(path: str) -> bool:
    """Whether a logdir's file is one, as far as its name, or else its first bytes, say."""
    try:
        now = os.stat(path)
    except OSError:
        return bool(parse_name(os.path.basename(path)))
    return bool(told(path, now.st_mtime_ns, now.st_size))


@lru_cache(_MOST_FILES)
def _by_bytes(path: str, modified_ns: int, size_bytes: int) -> Format | None:
    """Looked at once, as long as the file stays as it is."""
    with contextlib.suppress(OSError, zlib.error):
        head = first_bytes(path, _HEAD_BYTES)
        if head.startswith(_GZIP):
            head = zlib.decompressobj(wbits=31).decompress(head, _MOST_UNPACKED)
        return next((format for format in _ITS_FORMATS if format.declaration.recognises("", head)), None)
    return None
