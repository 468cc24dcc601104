"""The four errors that people see. Web and command line translate them at their edge.

Each message says what was looked at, what was found there, and what to do.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable

#: Names that an unknown one is compared with: of a hundred thousand runs that would take seconds.
_COMPARED = 5000
#: What is that much less alike than the most alike name is not meant.
_LESS_ALIKE = 0.1


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


def suggestion(name: str, known: Iterable[str]) -> str:
    """The end of an error about an unknown name: the known ones that are spelt alike, or nothing."""
    import difflib

    # Case, and whether words are joined by - or _, make no difference.
    spelt = {_plain(each): each for each in itertools.islice(known, _COMPARED)}
    meant = _plain(name[:80])
    close = difflib.get_close_matches(meant, spelt, 3)
    alike = [(difflib.SequenceMatcher(None, each, meant).ratio(), spelt[each]) for each in close]
    names = [text for ratio, text in alike if ratio > alike[0][0] - _LESS_ALIKE]
    return f"; did you mean {' or '.join(names)}?" if names else ""


def _plain(name: str) -> str:
    return name.lower().replace("-", "_")
