"""`3-7,9`, `typical`, `1.2s-1.4s` → a range."""

from __future__ import annotations

import re
from typing import NamedTuple

from ...errors import ArgumentError
from ...units import picoseconds

#: Names of steps that are told apart by how long they take.
BY_TIME = ("typical", "slow")
_RUN = re.compile(r"\s*([0-9]{1,18})\s*(-\s*([0-9]{1,18})?)?\s*")
_MOST = 1000
_STEPS = "`3-7`, `3-7,9`, `12-`, `typical`, `slow` or `all`"
_TIME = "`1.2s-1.4s`, `1200-1400` in ms, from the start of the capture"


class Range(NamedTuple):
    """Of steps or of time. kind: `typical` or `slow` steps, empty for others. numbers: first and last number of steps,
    the last None without an end. span_ps: from the start of the run's earliest capture. text: as it was written.
    """

    text: str
    kind: str = ""
    numbers: tuple[tuple[int, int | None], ...] = ()
    span_ps: tuple[int, int] | None = None

    @classmethod
    def parse(cls, steps: str = "", time: str = "") -> Range | None:
        """None for all of it. Raises ArgumentError."""
        steps, time = steps.strip(), time.strip()
        if steps in ("", "all"):
            return cls._of_time(time) if time else None
        if time:
            raise ArgumentError(f"steps={steps[:80]}, time={time[:80]}: choose steps or a time, not both")
        if steps in BY_TIME:
            return cls(steps, steps)
        runs = [_RUN.fullmatch(each) for each in steps.split(",")[:_MOST]]
        if None in runs or steps.count(",") >= _MOST:
            raise ArgumentError(f"steps={steps[:80]!r}: use numbers of steps, {_STEPS}")
        numbers = tuple(_ends(run) for run in runs if run)
        for low, high in numbers:
            if high is not None and high < low:
                raise ArgumentError(f"steps={steps[:80]!r}: {low} comes after {high}; use numbers of steps, {_STEPS}")
        return cls(steps, "", numbers)

    @classmethod
    def _of_time(cls, text: str) -> Range:
        begin, _, end = text.partition("-")
        low, high = picoseconds(begin), picoseconds(end)
        if low is None or high is None:
            raise ArgumentError(f"time={text[:80]!r}: use a begin and an end, {_TIME}")
        if low >= high:
            raise ArgumentError(f"time={text[:80]!r}: the end must come after the begin; use {_TIME}")
        return cls(text, "", (), (low, high))

    @property
    def name(self) -> str:
        """What to call it: `steps 3-7`, `slow steps`, `1.2s-1.4s`."""
        if self.span_ps:
            return self.text
        return f"{self.kind} steps" if self.kind else f"steps {self.text}"


def _ends(run: re.Match[str]) -> tuple[int, int | None]:
    low = int(run[1])
    return low, (int(run[3]) if run[3] else None) if run[2] else low
