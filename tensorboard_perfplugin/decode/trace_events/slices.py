"""Trace events by phase → slices: what has a begin and a length, on a thread or a row of its own.

`X` is a slice; `B` and `E` of a thread make one, as do `b` and `e` (`S` and `F`) of one category and id. `i`, `I`, `n`,
`R`, `P` and events of unknown phases are instants, `C` samples of counters. `M` names processes and threads, `s`, `t`
and `f` are arrows. Events of one time are taken in file order, unless that would part what belongs together
(`pairs.py`).
"""

from __future__ import annotations

import dataclasses
from collections import Counter

import numpy as np
from numpy.typing import NDArray

from ...messages import Message, message
from ...tables import I64, ranked
from ..json.columns import HAS_LENGTH, HAS_START, Events, Ints
from .identities import identities
from .pairs import NEAR, STATE, pair

PS_PER_US = 10**6
#: Phases that no file has: a slice of sampled stacks, and what it was made of.
SAMPLED, USED = 1, 2
#: Longer than any run: 100 days. What lies further from the middle of the others is no time.
SPAN_US = 100 * 86_400 * 10**6
#: Beyond these no page could show them.
MAX_PLANES, MAX_TRACKS = 10_000, 100_000
OPEN, CLOSE, COMPLETE = "BbS", "EeF", f"X{chr(SAMPLED)}"
_INSTANTS, _NOT_SHOWN = "iInRPpT", "ODNvVc()"
#: Why those are dropped.
SNAPSHOT = "snapshot"

Mask = NDArray[np.bool_]


@dataclasses.dataclass(frozen=True, eq=False)
class Slices:
    """Rows of events that became slices, in file order. end: row of the event that closed it, -1 where none did.

    base_us: what times count from, in the file's own. arrows, names: rows of events that are no slices.
    """

    row: I64
    end: I64
    start_ps: I64
    length_ps: I64
    base_us: int
    arrows: I64
    names: I64
    dropped: Counter[str]
    warnings: list[Message]


def slices_of(events: Events) -> Slices:
    """All slices, instants and samples, each with its begin from the first of them."""
    phase, flags = events.columns["phase"], events.columns["flags"]
    dropped = Counter[str]()
    warnings: list[Message] = []
    is_name, is_arrow = _is(phase, "M"), _is(phase, "stf")
    shown = ~is_name & (phase != USED) & (phase != 0)
    timed = shown & (flags & HAS_START != 0)
    dropped["no_time"] += int((~timed & shown & ~is_arrow).sum())
    dropped["no_phase"] += int(((phase == 0) & (flags & HAS_START != 0)).sum())
    base, near = _base(events.columns["us"], timed & ~is_arrow)
    dropped["time_not_representable"] += int((timed & ~is_arrow & ~near).sum())
    timed &= near & ~is_arrow
    at = (events.columns["us"] - base) * PS_PER_US + events.columns["ps"]
    length = _lengths(events, timed, warnings)
    dropped[SNAPSHOT] += int((timed & _is(phase, _NOT_SHOWN)).sum())
    plain = timed & (_is(phase, COMPLETE) | _is(phase, "C") | _is(phase, _INSTANTS) | _unknown(phase))
    opened = timed & (_is(phase, OPEN) | _is(phase, CLOSE))
    last = _last_times(events, timed, at, np.where(_is(phase, COMPLETE), length, 0)) if opened.any() else at
    begin, end, until = _pairs(events, np.flatnonzero(opened), at, last, dropped, warnings)
    row = np.concatenate((np.flatnonzero(plain), begin))
    ends = np.concatenate((np.full(len(row) - len(begin), -1, np.int64), end))
    lengths = np.concatenate((np.where(_is(phase[plain], COMPLETE), length[plain], 0), until - at[begin]))
    order = np.argsort(row, kind="stable")
    return Slices(
        row[order],
        ends[order],
        at[row[order]],
        lengths[order],
        base,
        np.flatnonzero(is_arrow),
        np.flatnonzero(is_name),
        dropped,
        warnings,
    )


def shown(slices: Slices, events: Events) -> Slices:
    """Without the processes and threads that are too many to be shown: those of the fewest slices."""
    c, keep = events.columns, np.ones(len(slices.row), bool)
    for keys, most in ((c["pid"][slices.row].astype(np.int64), MAX_PLANES), (_thread(events, slices.row), MAX_TRACKS)):
        which, count = ranked(keys)
        if count > most:
            largest = np.argsort(-np.bincount(which), kind="stable")[:most]
            keep &= np.isin(which, largest)
    if keep.all():
        return slices
    dropped = slices.dropped + Counter(beyond_tracks=int((~keep).sum()))
    columns = {name: getattr(slices, name)[keep] for name in ("row", "end", "start_ps", "length_ps")}
    return dataclasses.replace(slices, **columns, dropped=dropped)


def _is(phase: Ints, letters: str) -> Mask:
    wanted = np.zeros(256, bool)
    wanted[[ord(letter) for letter in letters]] = True
    found: Mask = wanted[phase]
    return found


def _unknown(phase: Ints) -> Mask:
    unknown: Mask = ~_is(phase, f"{COMPLETE}CMstf{OPEN}{CLOSE}{_INSTANTS}{_NOT_SHOWN}{chr(USED)}\0")
    return unknown


def _base(us: Ints, timed: Mask) -> tuple[int, Mask]:
    """The first time, and which are near enough to the middle of all to be kept in picoseconds."""
    if not timed.any():
        return 0, timed
    near = near_middle(us, us[timed])
    return int(us[timed & near].min()), near


def near_middle(us: Ints, of: Ints) -> Mask:
    """Which times are not too far from the middle one of some; of two it is the first, so that one of them is near."""
    at = (len(of) - 1) // 2
    near: Mask = np.abs(us.astype(np.float64) - int(np.partition(of, at)[at])) < SPAN_US / 2
    return near


def _lengths(events: Events, timed: Mask, warnings: list[Message]) -> I64:
    """By event, 0 where it has none, or none that can be."""
    us, ps = events.columns["length_us"].astype(np.int64), events.columns["length_ps"]
    complete = timed & _is(events.columns["phase"], COMPLETE)
    none = int((complete & (events.columns["flags"] & HAS_LENGTH == 0)).sum())
    if none:
        warnings.append(message("no_length", n=none))
    negative = complete & (us < 0)
    if negative.any():
        warnings.append(message("negative_length", n=int(negative.sum())))
    long = us > SPAN_US
    if (complete & long).any():
        warnings.append(message("too_long", n=int((complete & long).sum())))
    us = np.clip(us, 0, SPAN_US)
    return np.where(negative, 0, us * PS_PER_US + ps)


def _pairs(
    events: Events, rows: I64, at: I64, last: I64, dropped: Counter[str], warnings: list[Message]
) -> tuple[I64, I64, I64]:
    """Rows of begins, rows of their ends (-1 where there is none) and the time of these. last: by event, of its row."""
    empty = np.empty(0, np.int64)
    if not len(rows):
        return empty, empty, empty
    c = events.columns
    is_async = _is(c["phase"][rows], "beSF")
    key = ranked(_thread(events, rows))[0] * 2
    # Async things and threads are numbers of their own.
    key[is_async] = 1 + 2 * identities(events, rows[is_async], np.where(_is(c["phase"][rows[is_async]], OPEN), 1, -1))
    order = np.lexsort((at[rows], key))
    rows, key = rows[order], key[order]
    n = len(rows)
    opens = _is(c["phase"][rows], OPEN).astype(np.uint8)
    stack, hint, near = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(NEAR, np.int64)
    out, state = np.empty((n, 3), np.int64), np.zeros(STATE, np.int64)
    given = (c["name"][rows].astype(np.int32), opens, key.astype(np.int64), at[rows], stack, hint, near, out, state)
    # Without a compiler they are twice as quick as arrays.
    pair(*(memoryview(np.ascontiguousarray(each)) for each in given))  # type: ignore[arg-type]
    made, lost, left, other = state[1:].tolist()
    begin, end, until = (out[:made, i] for i in range(3))
    dropped["end_without_begin"] += lost
    if left:
        warnings.append(message("unclosed_events", n=left))
    if other:
        warnings.append(message("end_of_other_name", n=other))
    ended = end >= 0
    time = np.where(ended | is_async[order][begin], at[rows[until]], last[rows[begin]])
    return rows[begin], np.where(ended, rows[end], -1), time


def _thread(events: Events, rows: I64) -> I64:
    c = events.columns
    return (c["pid"][rows] + 1).astype(np.int64) << 32 | (c["tid"][rows] + 1)


def _last_times(events: Events, timed: Mask, at: I64, length: I64) -> I64:
    """By event the last time of its thread."""
    rows = np.flatnonzero(timed)
    thread, count = ranked(_thread(events, rows))
    latest = np.full(count, np.iinfo(np.int64).min)
    np.maximum.at(latest, thread, at[rows] + length[rows])
    last = np.zeros(len(events), np.int64)
    last[rows] = latest[thread]
    return last
