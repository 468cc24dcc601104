"""Hosts' parts of answers as files in the user's cache directory, so that a second look at a run reads no capture.

One file a host, tool and options, by the capture's identity.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from typing import Any

from ...logdir import CaptureFile
from ..disk import Entries, user_folder
from .codec import InternPool, decoded
from .work import Ask, HostPartial

#: Eight pages of a thousand hosts take half of it.
MAX_BYTES = 1 << 30


def partials_folder() -> str | None:
    folder = user_folder()
    return os.path.join(folder, "partials") if folder else None


class Store:
    """A bounded folder of parts. `folder` defaults to one in the user's."""

    def __init__(self, folder: Callable[[], str | None] = partials_folder, max_bytes: int = MAX_BYTES) -> None:
        self._entries = Entries(folder, ".part", max_bytes)

    def load(self, file: CaptureFile, identity: tuple[Any, ...], ask: Ask, shared: InternPool) -> HostPartial | None:
        """What was stored of a host, or None."""
        key = (file.label, identity, ask)
        data = self._entries.read(key)
        if data is None:
            return None
        with contextlib.suppress(ValueError):
            partial = decoded(data, shared)
            if isinstance(partial, HostPartial):
                return partial
        self._entries.remove(key)
        return None

    def store(self, file: CaptureFile, identity: tuple[Any, ...], ask: Ask, data: bytes) -> None:
        self._entries.write((file.label, identity, ask), data)

    def trim(self) -> None:
        """Remove what is beyond the bound; after many were stored, since it looks at all."""
        self._entries.trim()
