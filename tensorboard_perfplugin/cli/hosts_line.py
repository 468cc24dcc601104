"""How far a run's hosts are, on a terminal one line that is written over and goes at the end; elsewhere nothing."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, TextIO

from ..units import seconds, value
from .text import cut, printable

if TYPE_CHECKING:
    from ..answers import Progress

#: Faster than this nobody reads.
_EVERY_S = 0.1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    where = "who reads the hosts: the address of a Dask scheduler, tcp://host:8786, or `processes` of this machine, or"
    default = "`serial` for one after another; default: processes where there are many hosts"
    parser.add_argument("--cluster", metavar="ADDRESS", help=f"{where} {default}")


class HostsLine:
    """Shows the progress of many hosts while they are read."""

    def __init__(self, stream: TextIO, width: int) -> None:
        self._stream, self._width = stream, width
        self._shown, self._next = False, 0.0

    def show(self, now: Progress) -> None:
        if self._stream.isatty() and time.monotonic() >= self._next:
            self._next, self._shown = time.monotonic() + _EVERY_S, True
            self._stream.write(f"\r\x1b[K{printable(cut(progress_text(now), self._width - 1))}")
            self._stream.flush()

    def clear(self) -> None:
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def progress_text(now: Progress) -> str:
    """`412 of 1,000 hosts, 96 MB/s, 18 s left, 1 failed`."""
    parts = [f"{now.done:,} of {now.hosts:,} hosts"]
    if now.read_bytes and now.seconds:
        parts.append(f"{value(round(now.read_bytes / now.seconds), 'bytes')}/s")
    if now.left_s:
        parts.append(f"{seconds(float(f'{now.left_s:.1g}') if now.left_s < 10 else round(now.left_s))} left")
    if now.failed:
        parts.append(f"{now.failed:,} failed")
    return ", ".join(parts)
