"""What can go wrong with one worker: the kinds, and the exception that carries one from where it is found."""

from __future__ import annotations

from typing import Literal

#: Every way that asking one worker can end.
Kind = Literal[
    "ok",
    "refused",  # by the list of what may be connected to
    "no_host",
    "closed",
    "slow",  # no answer in the time that an answer takes
    "not_grpc",
    "no_profiler",
    "busy",
    "same",  # another address of a server that is captured already
    "old_server",  # cannot send a result back
    "empty",
    "too_large",
    "deadline",
    "cut",
    "wrong_answer",
    "failed",  # the server says that it could not, and why
    "cancelled",
    "disk_full",
    "read_only",
]


class WorkerError(Exception):
    """Why one worker's profile did not come. message: what was looked at, what was found, what to do."""

    def __init__(self, kind: Kind, message: str) -> None:
        super().__init__(message)
        self.kind: Kind = kind
        self.message = message


def one_line(text: str, most: int = 300) -> str:
    """What another machine says, as it can stand in a message: on one line, printable, short."""
    line = " ".join(text[: most * 4].split())
    line = "".join(c if c.isprintable() else "?" for c in line)
    return line if len(line) <= most else line[: most - 1] + "…"
