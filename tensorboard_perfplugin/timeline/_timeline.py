"""The object that tools get: one host's capture, and what is derived from it, each computed once on first use."""

from __future__ import annotations

from ..tables import Capture


class Timeline:
    """One host's capture with its derived columns. Everything is computed on first use and kept."""

    def __init__(self, capture: Capture, host: str) -> None:
        self.capture = capture
        self.host = host
