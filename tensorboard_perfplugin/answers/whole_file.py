"""Pieces of bytes → a file that appears when it is complete."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterable


def written(path: str | os.PathLike[str], chunks: Iterable[bytes]) -> int:
    """Write a file; its size in bytes. Raises OSError.

    What was there is replaced, and keeps its mode; a pipe or a device is written to.
    """
    whole = os.path.realpath(os.fspath(path))
    if os.path.exists(whole) and not os.path.isfile(whole):
        with open(whole, "wb") as there:
            return sum(map(there.write, chunks))
    folder, name = os.path.split(whole)
    part = os.path.join(folder, f".{name[:80]}.{secrets.token_hex(8)}.part")
    try:
        with open(part, "xb") as file:
            size = sum(map(file.write, chunks))
        if os.path.exists(whole):
            shutil.copymode(whole, part)
        os.replace(part, whole)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(part)
        raise
    return size
