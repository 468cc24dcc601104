"""Hosts' parts of answers as files in the user's cache directory, so that a second look at a run reads no capture.

One file a host, tool and options, named by the digest of these, of the capture's identity and of the package's code.
Beyond a size the least recently used go. A folder that cannot be written to, or an entry that is not what it should be,
costs time and nothing else.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from typing import Any

from ...logdir import CaptureFile
from ..disk import MAX_ENTRY_BYTES, entry_path, is_ours, put, remove, trim, used, user_folder
from .codec import InternPool, decoded
from .work import Ask, HostPartial

#: Eight pages of a thousand hosts take half of it.
MAX_BYTES = 1 << 30
_ENDING = ".part"


def partials_folder() -> str | None:
    folder = user_folder()
    return os.path.join(folder, "partials") if folder else None


class Store:
    """A bounded folder of parts. `folder` defaults to one in the user's."""

    def __init__(self, folder: Callable[[], str | None] = partials_folder, max_bytes: int = MAX_BYTES) -> None:
        self._folder, self._max_bytes = folder, max_bytes

    def load(self, file: CaptureFile, identity: tuple[Any, ...], ask: Ask, shared: InternPool) -> HostPartial | None:
        """What was stored of a host, or None."""
        path = self._path(file, identity, ask)
        data = used(path) if path else None
        if path is None or data is None:
            return None
        with contextlib.suppress(ValueError):
            found = decoded(data, shared)
            if isinstance(found, HostPartial):
                return found
        remove(path)
        return None

    def store(self, file: CaptureFile, identity: tuple[Any, ...], ask: Ask, data: bytes) -> None:
        path = self._path(file, identity, ask)
        if path and len(data) <= MAX_ENTRY_BYTES:
            with contextlib.suppress(OSError):
                put(path, data)

    def trim(self) -> None:
        """Remove what is beyond the bound; after many were stored, since it looks at all."""
        folder = self._own_folder()
        if folder:
            trim(folder, self._max_bytes)

    def _path(self, file: CaptureFile, identity: tuple[Any, ...], ask: Ask) -> str | None:
        folder = self._own_folder()
        return entry_path(folder, (file.label, identity, ask), _ENDING) if folder else None

    def _own_folder(self) -> str | None:
        """The folder, made where it is not there; None where there is none, or others may write to it."""
        folder = self._folder()
        if folder is None:
            return None
        with contextlib.suppress(OSError):
            os.makedirs(folder, mode=0o700, exist_ok=True)
        return folder if is_ours(folder) else None
