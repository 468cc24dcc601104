"""Trace events by phase → slices: what has a begin and a length, on a thread or a row of its own.

`X` is a slice; `B` and `E` of a thread make one, as do `b` and `e` (`S` and `F`) of one category and id. `i`, `I`, `n`,
`R`, `P` and events of unknown phases are instants, `C` samples of counters. `M` names processes and threads, `s`, `t`
and `f` are arrows. Events of one time are taken in file order, unless that would part what belongs together
(`pairs.py`)."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from ...formats import Format
from ...messages import Message, message
from ...tables import I64, StatKind, TrackKind, distinct, numbered, numbered_rows, occurring
from ..common.build import Plane, Pool, Track
from ..common.launches import Launch, first_of_key
from ..json.plain import ENDS_AROUND, FLOW_IN, FLOW_OUT, GLOBAL, HAS_LENGTH, HAS_START, LOCAL, Events, Ints
from ..json.reader import Document
from .pairs import NEAR, STATE, pair

# Which events are of one thing: by category and id, the id's scope, and the process where the id is its own.
#
# `id2` says whose an id is. A plain `id` may be one of the process or of all: where the begins and ends of each
# process
# go up in one another it is the process's own, as in traces of several programs that were put together; else it is
# one
# of all, as that of a message from one process to another.


def identities(events: Events, rows: I64, change: I64) -> I64:
    """Of some events: equal numbers for one thing. change: 1 where one begins, -1 where one ends, 0 of all else."""
    c = events.columns
    of_all = numbered_rows(c["category"][rows], c["id"][rows], events.rare_of("scope", rows))
    of_process = numbered_rows(of_all, c["pid"][rows])
    flags = c["flags"][rows]
    mixed = np.zeros(int(of_all.max()) + 1 if len(rows) else 0, bool)
    process, first = np.unique(of_process, return_index=True)
    open_left = np.bincount(of_process, change, len(process)) != 0
    mixed[of_all[first][open_left]] = True
    is_local = (flags & LOCAL != 0) | ((flags & GLOBAL == 0) & ~mixed[of_all])
    return numbered_rows(np.where(is_local, of_process + 1, 0), np.where(is_local, 0, of_all + 1))


PS_PER_US = 10**6
#: Phases that no file has: a slice of sampled stacks, and what it was made of.
SAMPLED, USED = 1, 2
#: Longer than any run: 100 days. What lies further from the middle of the others is no time.
SPAN_US = 100 * 86_400 * 10**6
#: Beyond these no page could show them.
MAX_PLANES, MAX_TRACKS = 10_000, 100_000
OPEN, CLOSE = "BbS", "EeF"
#: What events of a phase are; instants are points as counters and unknown phases are.
_NOTHING, _NAME, _ARROW, _COMPLETE, _PAIRED, _NOT_SHOWN, _POINT = range(7)
_ROLES = np.full(256, _POINT, np.uint8)
for _letters, _role in (
    (f"\0{chr(USED)}", _NOTHING),
    ("M", _NAME),
    ("stf", _ARROW),
    (f"X{chr(SAMPLED)}", _COMPLETE),
    (OPEN + CLOSE, _PAIRED),
    ("ODNvVc()", _NOT_SHOWN),
):
    _ROLES[[ord(_letter) for _letter in _letters]] = _role
#: Why those are dropped.
SNAPSHOT = "snapshot"

Mask = NDArray[np.bool_]


class Slices(msgspec.Struct, frozen=True, eq=False):
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
    role = _ROLES[phase]
    is_name, is_arrow = role == _NAME, role == _ARROW
    shown = ~is_name & (role != _NOTHING)
    timed = shown & (flags & HAS_START != 0)
    dropped["no_time"] += int((~timed & shown & ~is_arrow).sum())
    dropped["no_phase"] += int(((phase == 0) & (flags & HAS_START != 0)).sum())
    base, near = _base(events.columns["us"], timed & ~is_arrow)
    dropped["time_not_representable"] += int((timed & ~is_arrow & ~near).sum())
    timed &= near & ~is_arrow
    at = (events.columns["us"] - base) * PS_PER_US + events.columns["ps"]
    is_complete = role == _COMPLETE
    length = _lengths(events, timed, is_complete, warnings)
    dropped[SNAPSHOT] += int((timed & (role == _NOT_SHOWN)).sum())
    plain = timed & (is_complete | (role == _POINT))
    opened = np.flatnonzero(timed & (role == _PAIRED))
    row = np.flatnonzero(plain)
    lengths = np.where(is_complete[row], length[row], 0)
    ends, start = np.full(len(row), -1, np.int64), at[row]
    if len(opened):
        last = _last_times(events, timed, at, np.where(is_complete, length, 0))
        begin, end, until = _pairs(events, opened, at, last, dropped, warnings)
        row, ends = np.concatenate((row, begin)), np.concatenate((ends, end))
        lengths, start = np.concatenate((lengths, until - at[begin])), np.concatenate((start, at[begin]))
        order = np.argsort(row, kind="stable")
        row, ends, start, lengths = row[order], ends[order], start[order], lengths[order]
    names, arrows = np.flatnonzero(is_name), np.flatnonzero(is_arrow)
    return Slices(row, ends, start, lengths, base, arrows, names, dropped, warnings)


def shown(slices: Slices, events: Events) -> Slices:
    """Without the processes and threads that are too many to be shown: those of the fewest slices."""
    c = events.columns
    pids, tids = (len(occurring(c[name] + 1, len(events.ids) + 1)) for name in ("pid", "tid"))
    if pids <= MAX_PLANES and pids * tids <= MAX_TRACKS:
        return slices
    keep = np.ones(len(slices.row), bool)
    for keys, most in ((c["pid"][slices.row].astype(np.int64), MAX_PLANES), (_thread(events, slices.row), MAX_TRACKS)):
        which = numbered(keys)
        if int(which.max(initial=-1)) >= most:
            largest = np.argsort(-np.bincount(which), kind="stable")[:most]
            keep &= np.isin(which, largest)
    if keep.all():
        return slices
    dropped = slices.dropped + Counter(beyond_tracks=int((~keep).sum()))
    columns = {name: getattr(slices, name)[keep] for name in ("row", "end", "start_ps", "length_ps")}
    return structs.replace(slices, **columns, dropped=dropped)


def _is(phase: Ints, letters: str) -> Mask:
    wanted = np.zeros(256, bool)
    wanted[[ord(letter) for letter in letters]] = True
    found: Mask = wanted[phase]
    return found


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


def _lengths(events: Events, timed: Mask, is_complete: Mask, warnings: list[Message]) -> I64:
    """By event, 0 where it has none, or none that can be."""
    us, ps = events.columns["length_us"].astype(np.int64), events.columns["length_ps"]
    complete = timed & is_complete
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
    key = numbered(_thread(events, rows)) * 2
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
    threads, thread = distinct(_thread(events, rows))
    latest = np.full(len(threads), np.iinfo(np.int64).min)
    np.maximum.at(latest, thread, at[rows] + length[rows])
    last = np.zeros(len(events), np.int64)
    last[rows] = latest[thread]
    return last


# Slices, and what each of them stands for: planes, tracks, names, stats. A dialect fills the plan.

_NONE: I64 = np.empty(0, np.int64)


class Added(msgspec.Struct):
    """Stats that a dialect gives to some slices: key, StatKind and value by slice."""

    slices: I64
    key: str
    kind: StatKind
    values: I64


class Plan(msgspec.Struct):
    """By slice: its track and its name (an id of a text); the planes and tracks; renamed and added stats.

    category: kind-level text of each slice, an id; 0 without. dropped: slices that stand for nothing.
    launched: slices that are kernels, and of each the place in `launches` of how it was launched.
    """

    document: Document
    slices: Slices
    texts: Pool
    track: Ints
    name: Ints
    category: Ints
    planes: list[Plane] = msgspec.field(default_factory=list)
    tracks: list[Track] = msgspec.field(default_factory=list)
    renamed: dict[str, str] = msgspec.field(default_factory=dict)
    added: list[Added] = msgspec.field(default_factory=list)
    notes: list[Message] = msgspec.field(default_factory=list)
    hostname: str = ""
    start_ns: int | None = None
    format: Format = Format.TRACE_EVENTS
    launches: list[Launch] = msgspec.field(default_factory=list)
    launched: tuple[I64, I64] = (_NONE, _NONE)

    @property
    def events(self) -> Events:
        return self.document.events

    def used_up(self) -> None:
        """Forget the events and slices, but for the args of events."""
        empty, s = np.empty(0, np.int64), self.slices
        self.slices = structs.replace(
            s, row=empty, end=empty, start_ps=empty, length_ps=empty, arrows=empty, names=empty
        )
        self.document.events = structs.replace(self.document.events, columns={}, rare={})
        self.added = []

    def arg(self, key: str, slices: I64) -> tuple[I64, NDArray[np.uint8]]:
        """Value and StatKind of an arg of some slices, 0 and 0 where they have none."""
        id = self.texts.ids.get(key, -1)
        if id < 0:
            return np.zeros(len(slices), np.int64), np.zeros(len(slices), np.uint8)
        return first_of_key(self.events.args, self.slices.row[slices], id)


# Arrows → which slice leads to which: producers and consumers, as XPlane writes them.
#
# Arrows are events (`s`, `t`, `f`), or slices say so themselves (`flow_out`, `flow_in`, of one `bind_id`). An event
# lies
# on the slice around its time, innermost; an `f` without `bp: e` on the next that begins, but for categories of
# Chrome
# that mean the one around it. An end leads from what last began or went on under its id; after an `f` that id is
# free.
# Of several arrows to one slice the first counts. Arrows from a launch to its kernel say no more than the correlation
# ids, where there are such, and are left out.

LAUNCHES = ("ac2g", "async_cpu_to_gpu", "async_gpu", "async")
#: Slices before an arrow's end that are looked at for one that is still running.
_LOOKED_AT = 64
#: In these categories of Chrome an `f` means the slice around it.
_AROUND = ("input", "ipc.flow")
#: In the order of one moment: what begins, what goes on, what ends.
_BEGINS, _GOES_ON, _ENDS = 0, 1, 2


class _Ends(NamedTuple):
    """Ends of arrows: of which arrow, when, of which kind, on which slice (-1: none); whether the id is free then."""

    arrow: I64
    at: I64
    kind: I64
    slice: I64
    closes: Mask


def arrows(plan: Plan, with_launches: bool) -> None:
    """Adds producers and consumers to slices; how many arrows lead nowhere is noted."""
    rows = plan.slices.arrows
    if not with_launches:
        skipped = [i for i, text in enumerate(plan.events.texts) if text in LAUNCHES]
        rows = rows[~np.isin(plan.events.columns["category"][rows], skipped)]
    of_events = _of_events(plan, rows)
    of_slices = _of_slices(plan, int(of_events.arrow.max()) + 1 if len(rows) else 0)
    of_flows = _of_flows(
        plan, max(int(each.arrow.max(initial=-1)) for each in (of_events, of_slices)) + 1, with_launches
    )
    ends = _Ends(*(np.concatenate(parts) for parts in zip(of_events, of_slices, of_flows, strict=True)))
    if not len(ends.at):
        return
    source, target, lost = _arrows_pairs(ends)
    if lost:
        plan.notes.append(message("arrows_lost", n=int(lost), all=len(ends.at)))
    # One number a source, whatever number of arrows begin there.
    number = numbered(source) + 1
    for key, type_key, slices in (("_p", "_pt", source), ("_c", "_ct", target)):
        at_slices, first = np.unique(slices, return_index=True)
        plan.added.append(Added(at_slices, key, StatKind.INT, number[first]))
        plan.added.append(Added(at_slices, type_key, StatKind.INT, np.zeros(len(at_slices), np.int64)))


def joined(plan: Plan, rows: I64) -> tuple[I64, I64]:
    """The slices that some arrows, which are events, lead from and to."""
    if not len(rows):
        return _NONE, _NONE
    source, target, _ = _arrows_pairs(_of_events(plan, rows))
    return source, target


def _of_events(plan: Plan, rows: I64) -> _Ends:
    c = plan.events.columns
    phase = c["phase"][rows]
    at = np.clip(c["us"][rows] - plan.slices.base_us, -SPAN_US, SPAN_US) * PS_PER_US + c["ps"][rows]
    kind = np.select([phase == ord("s"), phase == ord("t")], [_BEGINS, _GOES_ON], _ENDS)
    around = [i for i, text in enumerate(plan.events.texts) if any(name in text for name in _AROUND)]
    is_next = (kind == _ENDS) & (c["flags"][rows] & ENDS_AROUND == 0) & ~np.isin(c["category"][rows], around)
    arrow = identities(plan.events, rows, 1 - kind)
    return _Ends(arrow, at, kind, _slices_at(plan, rows, at, is_next), kind == _ENDS)


def _of_slices(plan: Plan, first: int) -> _Ends:
    """Ends that slices themselves say they are. first: number of the first arrow."""
    s, flags = plan.slices, plan.events.columns["flags"]
    bind = plan.events.rare_of("bind", s.row)
    goes = flags[s.row] & (FLOW_IN | FLOW_OUT)
    bound = np.flatnonzero((bind >= 0) & (goes != 0) & _on_thread(plan))
    kind = np.select([goes[bound] == FLOW_OUT, goes[bound] == FLOW_IN], [_BEGINS, _ENDS], _GOES_ON)
    return _Ends(first + bind[bound], s.start_ps[bound], kind, bound, np.zeros(len(bound), bool))


def _of_flows(plan: Plan, first: int, with_launches: bool) -> _Ends:
    """Ends that slices say by their flows: each goes on from where the flow was last. A flow to a GPU's work is a
    launch. first: number of the first arrow."""
    empty = np.empty(0, np.int64)
    row, flow, is_last = plan.document.flows or (empty, empty, empty)
    s = plan.slices
    place = np.minimum(np.searchsorted(s.row, row), max(len(s.row) - 1, 0))
    known = np.flatnonzero(s.row[place] == row) if len(s.row) else empty
    place, flow, is_last = place[known], flow[known], is_last[known]
    if not with_launches and len(place):
        kinds = np.array([track.kind for track in plan.tracks], np.int64)
        launched = np.isin(flow, flow[kinds[plan.track[place]] == TrackKind.STREAM])
        place, flow, is_last = place[~launched], flow[~launched], is_last[~launched]
    if len(flow):
        # A flow may be of one slice.
        which = numbered_rows(flow)
        led = np.bincount(which)[which] > 1
        place, flow, is_last = place[led], flow[led], is_last[led]
    arrow = first + numbered_rows(flow) if len(flow) else flow
    kind = np.full(len(place), _GOES_ON, np.int64)
    return _Ends(arrow, s.start_ps[place], kind, place, is_last.astype(bool))


def _on_thread(plan: Plan) -> Mask:
    """Only what lies on threads: async slices and samples of counters have no arrows."""
    return np.isin(plan.events.columns["phase"][plan.slices.row], [ord(letter) for letter in "XB"])


def _slices_at(plan: Plan, rows: I64, at: I64, is_next: Mask) -> I64:
    """The slice that each end of an arrow lies on, or -1."""
    if not len(rows):
        return np.empty(0, np.int64)
    c, s = plan.events.columns, plan.slices
    both = np.concatenate((s.row, rows))
    key = numbered_rows(c["pid"][both], c["tid"][both])
    has_arrows = np.zeros(int(key.max(initial=0)) + 1, bool)
    has_arrows[key[len(s.row) :]] = True
    plain = np.flatnonzero(_on_thread(plan) & has_arrows[key[: len(s.row)]])
    order = plain[np.lexsort((-s.length_ps[plain], s.start_ps[plain], key[plain]))]
    if not len(order):
        return np.full(len(rows), -1, np.int64)
    keys, starts, ends = key[order], s.start_ps[order], s.start_ps[order] + s.length_ps[order]
    wanted = key[len(s.row) :]
    mark, sought = _marks(keys, starts, wanted, at)
    place = np.maximum(np.searchsorted(mark, sought, "right") - 1, 0)
    for _ in range(_LOOKED_AT):
        wrong = (keys[place] == wanted) & (ends[place] < at) & (place > 0)
        if not wrong.any():
            break
        place = np.where(wrong, place - 1, place)
    hit = (keys[place] == wanted) & (starts[place] <= at) & (ends[place] >= at)
    after = np.minimum(np.searchsorted(mark, sought, "left"), len(order) - 1)
    follows = (keys[after] == wanted) & (starts[after] >= at)
    return np.where(is_next, np.where(follows, order[after], -1), np.where(hit, order[place], -1))


def _marks(keys: I64, starts: I64, wanted: I64, at: I64) -> tuple[I64, I64]:
    """One number for a track and a time on it, that sorts by both: of slices, and of what is sought among them.

    Where times are long and tracks are many, places of times stand for these.
    """
    span = int(max(starts.max(), at.max()) + 2)
    at = np.clip(at, 0, span - 1)
    if (int(keys.max()) + 1) * span >= 1 << 62:
        times = np.unique(np.concatenate((starts, at)))
        span, starts, at = len(times), np.searchsorted(times, starts), np.searchsorted(times, at)
    return keys * span + starts, wanted * span + at


def _arrows_pairs(ends: _Ends) -> tuple[I64, I64, int]:
    """Slices from which and to which arrows lead, and how many ends of arrows were left out."""
    order = np.lexsort((ends.kind, ends.at, ends.arrow))
    arrow, kind, slices = (each[order] for each in (ends.arrow, ends.kind, ends.slice))
    place = np.arange(len(order))
    # Before each end: the last that an arrow comes from, and the last that closed its id.
    source, closed = (
        np.concatenate(([-1], np.maximum.accumulate(np.where(mask, place, -1))[:-1]))
        for mask in (kind != _ENDS, ends.closes[order])
    )
    leads = (kind != _BEGINS) & (source > closed)
    leads &= (source >= 0) & (arrow[source] == arrow) & (slices[source] >= 0) & (slices >= 0)
    leads &= slices[source] != slices
    target = np.flatnonzero(leads)
    lost = len(order) - len(np.unique(np.concatenate((source[target], target))))
    return slices[source[target]], slices[target], lost
