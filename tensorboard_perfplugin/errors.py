"""The four errors that people see. Web and command line translate them at their edge.

Each message says what was looked at, what was found there, and what to do.
"""

from __future__ import annotations

from collections.abc import Collection


class PerfpluginError(Exception):
    """What was asked for cannot be done, for a reason a person can act on."""


class UnreadableError(PerfpluginError):
    """A file was found and cannot be read as a capture. is_damaged: whether it may be one with damage."""

    def __init__(self, message: str, is_damaged: bool = False) -> None:
        super().__init__(message)
        self.is_damaged = is_damaged


class NotFoundError(PerfpluginError):
    """No such path, run, host, tool or event."""


class ArgumentError(PerfpluginError):
    """A value that a person or a client gave is not one that is accepted."""

    @classmethod
    def with_choices(cls, problem: str, choices: Collection[str], limit: int | None = None) -> ArgumentError:
        """The problem, then what to give instead, of which at most `limit` are listed."""
        if not choices:
            return cls(f"{problem}: there are none")
        listed = list(choices)[:limit]
        more = f" and {len(choices) - len(listed)} more" if len(listed) < len(choices) else ""
        return cls(f"{problem}: use one of {', '.join(listed)}{more}")


class RemoteError(PerfpluginError):
    """Another machine or process did not do what it was asked."""
