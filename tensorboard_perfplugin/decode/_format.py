"""What a capture format declares about itself."""

from __future__ import annotations

import dataclasses
from typing import Protocol

from ..tables import Capture
from ._source import Source


class LooksLike(Protocol):
    def __call__(self, name: str, head: bytes) -> bool: ...


class Read(Protocol):
    def __call__(self, source: Source, decoder: str | None = None) -> Capture: ...


@dataclasses.dataclass(frozen=True)
class Format:
    """One kind of capture file.

    looks_like: whether a file of that name (without `.gz`) that begins so may be one. read: all of it; raises
    UnreadableError.
    """

    name: str
    looks_like: LooksLike
    read: Read
