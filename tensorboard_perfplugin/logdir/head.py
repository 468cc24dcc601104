"""A path → the first bytes of the file that is there. Nothing but a regular file is read, and no pipe is waited for."""

from __future__ import annotations

import os
import stat


def first_bytes(path: str, most: int) -> bytes:
    """Up to so many bytes; none of what is no regular file. Raises OSError where it cannot be opened or read."""
    with open(path, "rb", opener=at_once) as file:
        return file.read(most) if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else b""


def at_once(path: str, flags: int) -> int:
    """An opener of `open` that waits for nobody to write."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
