"""A long text that comes in pieces: of it only what is being looked at is held."""

from __future__ import annotations

from collections.abc import Iterable


class Text:
    """data: what is held, from the byte `before` of the text on."""

    def __init__(self, pieces: Iterable[bytes | memoryview]) -> None:
        self._pieces = iter(pieces)
        self.data = memoryview(b"")
        self.before = 0

    def more(self, keep: int) -> bool:
        """Forget what lies before `keep`, which then is at 0, and hold twice as much, if there is more; else False."""
        rest = self.data[keep:]
        parts: list[bytes | memoryview] = [rest]
        got = 0
        for piece in self._pieces:
            parts.append(piece)
            got += len(piece)
            if got >= len(rest) and got:
                break
        if not got:
            return False
        self.before += keep
        self.data = memoryview(b"".join(parts) if len(rest) or len(parts) > 2 else parts[1])
        return True

    @property
    def bytes(self) -> int:
        """How many there were so far."""
        return self.before + len(self.data)
