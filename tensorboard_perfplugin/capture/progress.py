"""What a capture says while it goes on, and what it gives in the end. Data only."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Literal

from ..errors import RemoteError
from .request import Kind

Phase = Literal["checking", "waiting", "recording", "receiving", "writing", "done"]
#: In the order in which they come.
PHASES: tuple[Phase, ...] = ("checking", "waiting", "recording", "receiving", "writing", "done")


@dataclass(frozen=True)
class HostState:
    """What one worker is doing now. kind: a phase, and once it has ended the outcome's; message: what to add to that.

    attempts: how often it was asked so far. received_bytes: its result's size, once it is there. left_s: until it will
    have recorded; 0 where that is not known, or over.
    """

    address: str
    kind: Phase | Kind
    message: str = ""
    _: KW_ONLY
    received_bytes: int = 0
    attempts: int = 1
    left_s: float = 0.0


@dataclass(frozen=True)
class Progress:
    """How far a capture is. phase: the earliest that a worker is in.

    elapsed_s: since the capture began. total_s: when all will have been recorded, as far as is known now, counted
    alike; what follows, receiving and writing, takes as long as it takes.
    """

    phase: Phase
    elapsed_s: float
    total_s: float
    hosts: tuple[HostState, ...]


@dataclass(frozen=True)
class HostOutcome:
    """How one worker ended. kind: ok, or why nothing came; file: its name in the session folder, "" without one.

    attempts: how often it was asked. seconds: from the first question to the end.
    """

    address: str
    kind: Kind
    message: str = ""
    _: KW_ONLY
    file: str = ""
    size_bytes: int = 0
    attempts: int = 1
    seconds: float = 0.0


@dataclass(frozen=True)
class Captured:
    """A capture that was written. session: its folder's name; path: that folder. hosts: also those without a result."""

    session: str
    path: str
    hosts: tuple[HostOutcome, ...]


class CaptureError(RemoteError):
    """Nothing came back, and nothing was written. hosts: why, for each."""

    def __init__(self, message: str, hosts: tuple[HostOutcome, ...]) -> None:
        super().__init__(message)
        self.hosts = hosts
