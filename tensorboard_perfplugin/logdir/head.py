"""A path or URL → bytes of the file that is there. Nothing but a regular file is read, and no pipe is waited for."""

from __future__ import annotations

import os
import stat
from typing import BinaryIO, cast

from ..stores import absolute, is_url, open_remote, status


def first_bytes(path: str, most: int) -> bytes:
    """Up to so many bytes; none of what is no regular file. Raises OSError where it cannot be opened or read."""
    with opened(path) as file:
        return file.read(most) if is_regular(file) else b""


def opened(path: str, buffering: int = -1) -> BinaryIO:
    """As `open`, without waiting; of a URL exactly what is read is fetched. Raises OSError."""
    if is_url(path):
        return cast(BinaryIO, open_remote(path))
    return open(path, "rb", buffering=buffering, opener=at_once)


def now_of(path: str) -> os.stat_result:
    """The status of a path or URL. Raises OSError, ValueError."""
    return status(path) if is_url(path) else os.stat(path)


def now_of_file(file: BinaryIO) -> os.stat_result:
    """The same of what was opened."""
    remote = getattr(file, "now", None)
    return remote if isinstance(remote, os.stat_result) else os.fstat(file.fileno())


def is_regular(file: BinaryIO) -> bool:
    return stat.S_ISREG(now_of_file(file).st_mode)


def real(path: str) -> str:
    """The path without links; of a URL itself."""
    return absolute(path) if is_url(path) else os.path.realpath(path)


def at_once(path: str, flags: int) -> int:
    """An opener of `open` that waits for nobody to write."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
