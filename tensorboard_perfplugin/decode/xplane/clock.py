"""Lines' time stamps → one clock for the capture."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from ...messages import Message, message
from .parts import INT64_MAX, INT64_MIN, Line

#: Time stamps from here on (September 2001) are taken as Unix time. Below, it is a clock of the session or the machine;
#: a machine reaches it after 31 years.
UNIX_NS = 10**18
DAY_NS = 86_400 * 10**9
DAY_PS = 1000 * DAY_NS
#: 53 days, less the day that the clock may be set back by: the sum of any two times still fits 64 bits.
LATEST_PS = (1 << 62) - DAY_PS


@dataclasses.dataclass(frozen=True)
class Clock:
    """start_ns: Unix time of the capture's time 0, None where the file does not show it. base_ps: of each line."""

    start_ns: int | None
    base_ps: list[int]
    warning: Message | None = None


def set_clock(lines: Sequence[Line], session_start_ns: int | None) -> Clock:
    """One clock for all lines of a file.

    A line's time stamp is Unix time where it is `UNIX_NS` or more, else it counts from the session's start. Both kinds
    occur in one file: collectors shift lines to the session's start, and leave alone those that lie before it.

    * Time 0 is the session's start, as `Task Environment` gives it, or else the earliest Unix time of a line with
      events, or else 0 of the lines' own clock.
    * A session start more than a day from the earliest Unix time of a line is not believed.
    * Lines that all begin more than a day after 0 follow the machine's clock, not the session's: time 0 is then the
      earliest, and Unix time is unknown.
    """
    used = [line.timestamp_ns for line in lines if line.events]
    unix = [t for t in used if t >= UNIX_NS]
    known = session_start_ns if session_start_ns is not None and session_start_ns >= UNIX_NS else None
    if not unix:
        if used and min(used) > DAY_NS:
            return Clock(None, [1000 * (line.timestamp_ns - min(used)) for line in lines])
        return Clock(known, [1000 * line.timestamp_ns for line in lines])
    warning = None
    if known is not None and abs(min(unix) - known) > DAY_NS:
        warning = message("clock_far_from_events")
        known = None
    zero = min(unix) if known is None else known
    bases = [1000 * (line.timestamp_ns - (zero if line.timestamp_ns >= UNIX_NS else 0)) for line in lines]
    return Clock(zero, bases, warning)


def allowed_offsets(base_ps: int) -> tuple[int, int]:
    """Least offset and greatest end of events that can be shown: not more than a day before time 0, nor 53 after it."""
    low, high = max(-DAY_PS - base_ps, INT64_MIN), min(LATEST_PS - base_ps, INT64_MAX)
    return (low, high) if low <= high else (1, 0)


def set_back_ps(lines: Sequence[Line]) -> int:
    """By how much time 0 must move so that no event starts before it: whole ns, 0 where none does."""
    first = min((s.first_ps + line.base_ps for line in lines for s in line.segments if s.events), default=0)
    return max(0, -(first // 1000) * 1000)
