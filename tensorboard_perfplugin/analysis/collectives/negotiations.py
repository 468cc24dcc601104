"""A Horovod timeline → when the ranks were ready for each tensor, which was last, and the collectives that followed.

Read is what HOROVOD_TIMELINE writes on a track a tensor: `NEGOTIATE_ALLREDUCE`, from the first rank that is ready to
the last one; in it an instant a rank, named by its number; then `ALLREDUCE`, with dtype and shape at its end. Of
answers that Horovod has cached there are no instants. The file is the coordinator's and all times are by its clock;
ranks that it hears of in one of its cycles look as if they came one after the other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import I64, Capture, StatKind, among, interned
from ...threshold import Threshold
from ...timeline.timeline import Timeline, cached
from .calls import MAX_CALLS, element_bytes, kind_of
from .matching import LAST, Arrival, CollectiveSums

_PREFIX = "NEGOTIATE_"
_RANK = regex(r"[0-9]{1,9}")
#: A larger number is no rank.
RANKS_MAX = 10**5
_SHAPE = regex(r"\[([0-9, ]{0,200})\]")
#: Kinds and tensors that are kept, the first ones.
MAX_TENSORS = 5_000
#: Warning of a capture in which events have no end.
_UNCLOSED = "unclosed_events"
_NO_ROWS = np.empty(0, np.int64)


class Exchange(NamedTuple):
    """What is exchanged: `all-reduce`, and the name of the tensor."""

    kind: str
    tensor: str


class Arrivals(NamedTuple):
    """How often a rank stands in the negotiations of an exchange, how often as the last one. late_ps: sum of how much
    later than the median of the others it came.
    """

    what: I64
    rank: I64
    arrived: I64
    last: I64
    late_ps: I64


class Negotiations(NamedTuple):
    """One timeline's. what: place in `whats` of each negotiation; skew_ps: from its first rank to its last one;
    wait_ps: of all its ranks before the last one came, -1 where no ranks are named. call_what, call_ps, call_bytes: of
    the collectives; bytes -1 where unknown. longest: track, begin and end of the longest negotiation.
    """

    whats: tuple[Exchange, ...] = ()
    what: I64 = _NO_ROWS
    skew_ps: I64 = _NO_ROWS
    wait_ps: I64 = _NO_ROWS
    arrivals: Arrivals = Arrivals(*[_NO_ROWS] * 5)
    call_what: I64 = _NO_ROWS
    call_ps: I64 = _NO_ROWS
    call_bytes: I64 = _NO_ROWS
    longest: tuple[int, int, int] | None = None


NO_NEGOTIATIONS = Negotiations()


class Rows(NamedTuple):
    """Events that are negotiations, and collectives; `what` of each: its place in `whats`."""

    whats: tuple[Exchange, ...]
    rows: I64
    what: I64
    calls: I64
    call_what: I64


def negotiated(timeline: Timeline) -> Rows:
    """Negotiations of a Horovod timeline; other captures have none."""
    capture = timeline.capture
    events, strings = capture.events, capture.strings
    kinds = {i: strings[i].removeprefix(_PREFIX) for i in capture.names_used.tolist() if strings[i].startswith(_PREFIX)}
    rows = np.flatnonzero(among(events.name, list(kinds)))[:MAX_CALLS] if kinds else _NO_ROWS
    if not len(rows):
        return Rows((), *[_NO_ROWS] * 4)
    tensors = np.zeros(len(capture.tracks), bool)
    tensors[events.track[rows]] = True
    after = {strings.find(kind): kind for kind in kinds.values()}
    calls = np.flatnonzero(among(events.name, list(after)) & tensors[events.track])[:MAX_CALLS]
    whats, what = _exchanges(capture, np.concatenate((rows, calls)), kinds | after)
    kept = what < MAX_TENSORS
    kept_rows, kept_calls = kept[: len(rows)], kept[len(rows) :]
    return Rows(
        whats[:MAX_TENSORS],
        rows[kept_rows],
        what[: len(rows)][kept_rows],
        calls[kept_calls],
        what[len(rows) :][kept_calls],
    )


def _exchanges(capture: Capture, rows: I64, kinds: dict[int, str]) -> tuple[tuple[Exchange, ...], I64]:
    """By name of event and process. kinds: what each name stands for."""
    events, strings = capture.events, capture.strings
    code = np.zeros(len(strings), np.int64)
    code[list(kinds)] = np.arange(len(kinds))
    named = tuple(kind if (kind := kind_of(text)) != "other" else text.lower() for text in kinds.values())
    plane = capture.tracks.plane[events.track[rows]].astype(np.int64)
    pairs, which = np.unique(plane * len(kinds) + code[events.name[rows]], return_inverse=True)
    whats: dict[Exchange, int] = {}
    place = np.array(
        [
            whats.setdefault(
                Exchange(named[p % len(kinds)], strings[int(capture.planes.name[p // len(kinds)])]), len(whats)
            )
            for p in pairs.tolist()
        ],
        np.int64,
    )
    return tuple(whats), place[which.reshape(-1)]


def negotiations(timeline: Timeline) -> Negotiations:
    """Empty where the capture is no Horovod timeline."""
    found, events = cached(timeline, negotiated), timeline.capture.events
    if not len(found.rows):
        return NO_NEGOTIATIONS
    whole = _whole(timeline, found)
    of, rank, at = _ticks(timeline, found.rows)
    found = found._replace(rows=found.rows[whole], what=found.what[whole])
    if not len(found.rows):
        return NO_NEGOTIATIONS
    place, kept = np.cumsum(whole) - 1, whole[of]
    ticks = place[of[kept]], rank[kept], at[kept]
    begin, skew = events.start_ps[found.rows], events.duration_ps[found.rows].copy()
    longest = int(np.argmax(skew))
    track, first, end = int(events.track[found.rows[longest]]), int(begin[longest]), int(begin[longest] + skew[longest])
    wait = np.full(len(skew), -1, np.int64)
    arrivals = _arrivals(found.what, ticks, skew, wait)
    return Negotiations(
        found.whats,
        found.what,
        skew,
        wait,
        arrivals,
        found.call_what,
        events.duration_ps[found.calls],
        _bytes(timeline, found.calls),
        (track, first, end),
    )


def _ticks(timeline: Timeline, rows: I64) -> tuple[I64, I64, I64]:
    """Ranks that are ready: which negotiation each is of, the rank, and when; by negotiation, then time."""
    capture = timeline.capture
    events, strings = capture.events, capture.strings
    number = np.full(len(strings), -1, np.int64)
    for i in capture.names_used.tolist():
        if _RANK.fullmatch(strings[i]) and int(strings[i]) < RANKS_MAX:
            number[i] = int(strings[i])
    ticks = np.flatnonzero((number[events.name] >= 0) & (events.duration_ps == 0))
    # Rows are by track and begin: the last negotiation before a tick is the one that it is of, if any is.
    of = np.searchsorted(rows, ticks) - 1
    before = rows[np.maximum(of, 0)]
    end = events.start_ps[before] + events.duration_ps[before]
    inside = (of >= 0) & (events.track[before] == events.track[ticks]) & (events.start_ps[ticks] <= end)
    ticks = ticks[inside]
    return of[inside], number[events.name[ticks]], events.start_ps[ticks]


def _whole(timeline: Timeline, found: Rows) -> NDArray[np.bool_]:
    """Which negotiations ended. One that the file gives no end of lasts to the last time of its track, and nothing
    follows it.
    """
    capture = timeline.capture
    events = capture.events
    if not any(warning.code == _UNCLOSED for warning in capture.quality.warnings):
        return np.ones(len(found.rows), bool)
    begin, end = events.start_ps, events.start_ps + events.duration_ps
    others = np.setdiff1d(np.arange(len(events)), found.rows)
    until, last = np.zeros(len(capture.tracks), np.int64), np.full(len(capture.tracks), -1, np.int64)
    np.maximum.at(until, events.track[others], end[others])
    for rows in (found.rows, found.calls):
        np.maximum.at(last, events.track[rows], rows)
    track = events.track[found.rows]
    reach = np.maximum(begin[found.rows], until[track])
    ended: NDArray[np.bool_] = (last[track] != found.rows) | (end[found.rows] > reach)
    return ended


def _arrivals(what: I64, ticks: tuple[I64, I64, I64], skew: I64, wait: I64) -> Arrivals:
    """Writes skew and wait of negotiations that name two ranks or more. what: of each negotiation."""
    of, rank, at = ticks
    several = np.bincount(of, minlength=len(skew))[of] > 1 if len(of) else np.empty(0, bool)
    of, rank, at = of[several], rank[several], at[several]
    last, late = np.zeros(len(of), np.int64), np.zeros(len(of), np.int64)
    first = np.flatnonzero(np.diff(of, prepend=-1))
    size = np.diff(np.append(first, len(of)))
    for n in np.unique(size).tolist():
        begins = first[size == n]
        places = begins[:, None] + np.arange(n)
        when = at[places]
        skew[of[begins]] = when[:, -1] - when[:, 0]
        wait[of[begins]] = (when[:, -1:] - when).sum(axis=1)
        last[begins + n - 1] = when[:, -1] > when[:, -2]
        late[places] = when - _median_of_others(when)
    pair, which = np.unique(what[of] * RANKS_MAX + rank, return_inverse=True)
    which, n = which.reshape(-1), len(pair)
    sums = [np.zeros(n, np.int64) for _ in range(3)]
    for total, values in zip(sums, (np.ones(len(of), np.int64), last, late), strict=True):
        np.add.at(total, which, values)
    return Arrivals(pair // RANKS_MAX, pair % RANKS_MAX, *sums)


def _median_of_others(when: I64) -> I64:
    """Of each row, ascending, the median of all but each one."""
    n = when.shape[1]
    low, high = (n - 2) // 2, (n - 1) // 2
    own = np.arange(n)
    median: I64 = (when[:, low + (low >= own)] + when[:, high + (high >= own)]) // 2
    return median


def _bytes(timeline: Timeline, rows: I64) -> I64:
    """By what stands at the end of a collective; -1 where nothing does."""
    strings = timeline.capture.strings
    size = np.full(len(rows), -1, np.int64)
    (dtype, is_type), (shape, is_shape) = (timeline.stat_of(key, rows) for key in ("dtype", "shape"))
    complete = np.flatnonzero((is_type == StatKind.TEXT) & (is_shape == StatKind.TEXT))
    known: dict[tuple[int, int], int] = {}
    for i, pair in zip(
        complete.tolist(), zip(dtype[complete].tolist(), shape[complete].tolist(), strict=True), strict=True
    ):
        if pair not in known:
            dims = _SHAPE.fullmatch(strings[pair[1]])
            count = math.prod(int(d) for d in dims[1].split(",") if d.strip()) if dims else 0
            one = element_bytes(strings[pair[0]]) * count
            known[pair] = one if 0 < one < 1 << 62 else -1
        size[i] = known[pair]
    return size


# Files of a Horovod timeline → all negotiations, and which rank comes last.

CYCLE = Threshold(
    "cycle of the coordinator",
    1_000_000_000,
    "ps",
    "ranks that come within one cycle come together: the coordinator looks once a cycle",
    "Horovod, whose cycle is 1 ms",
)


class All(NamedTuple):
    """All files' in one, as `Negotiations`."""

    whats: tuple[Exchange, ...]
    what: I64
    skew_ps: I64
    wait_ps: I64
    arrivals: Arrivals
    call_what: I64
    call_ps: I64
    call_bytes: I64


def all_negotiations(parts: Sequence[Negotiations]) -> All:
    whats: dict[Exchange, int] = {}
    columns: list[list[I64]] = [[np.empty(0, np.int64)] for _ in range(11)]
    for part in parts:
        place = interned(part.whats, whats)
        arrivals = part.arrivals._replace(what=place[part.arrivals.what])
        calls = place[part.call_what], part.call_ps, part.call_bytes
        for column, values in zip(
            columns, (place[part.what], part.skew_ps, part.wait_ps, *arrivals, *calls), strict=True
        ):
            column.append(values)
    what, skew, wait, *more = map(np.concatenate, columns)
    return All(tuple(whats), what, skew, wait, _merged(Arrivals(*more[:5])), *more[5:])


def _merged(arrivals: Arrivals) -> Arrivals:
    """One row an exchange and rank."""
    pairs, which = np.unique(arrivals.what * RANKS_MAX + arrivals.rank, return_inverse=True)
    sums = []
    for values in arrivals[2:]:
        total = np.zeros(len(pairs), np.int64)
        np.add.at(total, which.reshape(-1), values)
        sums.append(total)
    return Arrivals(pairs // RANKS_MAX, pairs % RANKS_MAX, *sums)


class LateRank(NamedTuple):
    """share: of the negotiations that name ranks, those to which it comes last. late_ps: after the others, mean."""

    rank: int
    last: int
    share: float
    late_ps: float


def late_rank(arrivals: Arrivals, named: int) -> LateRank | None:
    """The rank that comes last to most of some negotiations, later than a cycle explains; None for none."""
    if not named:
        return None
    ranks, which = np.unique(arrivals.rank, return_inverse=True)
    count, last, late = (np.bincount(which.reshape(-1), values) for values in arrivals[2:])
    most = int(np.argmax(last))
    by, share = float(late[most] / count[most]), float(last[most] / named)
    return LateRank(int(ranks[most]), int(last[most]), share, by) if share >= LAST.value and by > CYCLE.value else None


# Horovod timelines' negotiations → their sums by tensor, and the rank that comes last to each.


def negotiation_sums(together: All, most: int) -> list[CollectiveSums]:
    """By exchange, those that are waited for longest first."""
    skew = np.bincount(together.what, together.skew_ps, len(together.whats))
    order = np.argsort(-skew, kind="stable")[:most].tolist()
    sums = _Sums(together)
    return [sums.row(i) for i in order]


class _Sums:
    """By exchange."""

    def __init__(self, together: All) -> None:
        self.whats, n = together.whats, len(together.whats)
        self.count = np.bincount(together.what, minlength=n)
        self.calls = np.bincount(together.call_what, minlength=n)
        self.skew_ps = np.bincount(together.what, together.skew_ps, n)
        self.most_ps = np.zeros(n, np.int64)
        np.maximum.at(self.most_ps, together.what, together.skew_ps)
        named = together.wait_ps >= 0
        self.named = np.bincount(together.what[named], minlength=n)
        self.wait_ps = np.bincount(together.what[named], together.wait_ps[named], n)
        self.call_ps = np.bincount(together.call_what, together.call_ps, n)
        known = together.call_bytes >= 0
        self.known = np.bincount(together.call_what[known], minlength=n)
        self.bytes = np.bincount(together.call_what[known], together.call_bytes[known].astype(np.float64), n)
        self.arrivals = together.arrivals
        self.first = np.searchsorted(together.arrivals.what, np.arange(n + 1))

    def row(self, i: int) -> CollectiveSums:
        kind, tensor = self.whats[i]
        calls, ranks = int(self.calls[i]), slice(int(self.first[i]), int(self.first[i + 1]))
        return CollectiveSums(
            kind,
            tensor or None,
            workers=ranks.stop - ranks.start or None,
            count=calls,
            bytes=int(min(self.bytes[i], 2.0**62)) if self.known[i] else None,
            mean_ps=float(self.call_ps[i]) / calls if calls else None,
            total_ps=float(self.call_ps[i]) if calls else None,
            arrival=self._arrival(i, ranks) if self.count[i] else None,
            unavailable=self._unavailable(i),
        )

    def _arrival(self, i: int, ranks: slice) -> Arrival:
        count, named = int(self.count[i]), int(self.named[i])
        late = late_rank(Arrivals(*(column[ranks] for column in self.arrivals)), named)
        skew, most = float(self.skew_ps[i]) / count, int(self.most_ps[i])
        wait = float(self.wait_ps[i]) if named else None
        if late is None:
            return Arrival(count, skew, most, wait)
        return Arrival(count, skew, most, wait, f"rank {late.rank}", late.share, late.late_ps)

    def _unavailable(self, i: int) -> tuple[str, ...]:
        codes = ("horovod_fused", "horovod_no_compute") if self.calls[i] else ("horovod_no_call",)
        return codes if self.named[i] else (*codes, "horovod_no_ranks")
