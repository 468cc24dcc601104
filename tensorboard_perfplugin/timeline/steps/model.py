"""`Steps`: when each step of a program began and ended on one host, and by which rule that was found."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import IntFlag
from typing import Literal, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...messages import Message, message
from ...patterns import regex
from ...tables import I32, I64, U8, Capture, Intervals, StatKind, intervals
from ...threshold import Threshold
from ..ops.ops import ops_of
from ..timeline import Timeline, is_integer
from ..tracks import host_tracks, rows_of

Confidence = Literal["certain", "likely", "guess", "none"]
#: Rules whose steps are what the program marks as such; those of others begin late, with the first call of a step.
MARKED = ("recorded", "markers", "numbers", "annotations")


class Cut(IntFlag):
    """Which ends of a step the capture does not hold."""

    NO = 0
    BEGIN = 1
    END = 2


class OtherLoop(NamedTuple):
    """A loop beside the one whose steps are taken. typical_ps: the median of its marks' spans. common: the part of
    their ops' time that both have in common, None where that is not asked or not known; unrelated: next to nothing."""

    name: str
    steps: int
    typical_ps: float
    begin_ps: int
    end_ps: int
    common: float | None
    unrelated: bool


class Own(NamedTuple):
    """Of each step, by the clock of a device: its row in `planes`, begin, wall time and own span."""

    plane: I64
    begin_ps: I64
    wall_ps: I64
    span_ps: I64


class Steps(msgspec.Struct, frozen=True, eq=False):
    """The steps of one host, by begin; a step is one row in each array.

    rule: name of the rule that found them, empty where none did. confidence: how sure that is. evidence: what was seen,
    None without steps. reason: why there are none, None where there are some.
    number: the program's own number of the step, or its place from 0 on. name: what to call it, `train 7`.
    row: the event that marks it, -1 where none does. lane: the track of that event, else -1; steps of one lane follow
    each other, those of two may overlap.
    begin_ps, end_ps: its own span, [begin, end). next_ps: begin of the next step of its lane; of the last -1, or its
    own end where what marks steps shows that it is whole.
    cut: `Cut` flags. on_device: begins and ends are those of the work on devices, since the host only issues it and
    runs ahead. others: what else looked like a step and is none, by what it is: loops inside of a step, say.
    loop: what the marks are called, where there are other loops beside it, and those.
    own: how long they were by the clock of the device that began them, where it shows that. The other times are those
    of the trace, in which a fit to the host's clock may stretch one step and shorten the next.
    """

    rule: str
    confidence: Confidence
    evidence: Message | None
    reason: Message | None
    number: I64
    name: tuple[str, ...]
    row: I32
    lane: I32
    begin_ps: I64
    end_ps: I64
    next_ps: I64
    cut: U8
    on_device: bool = False
    others: dict[Message, int] = msgspec.field(default_factory=dict)
    loop: str = ""
    loops: tuple[OtherLoop, ...] = ()
    own: Own | None = None

    def __len__(self) -> int:
        return len(self.begin_ps)

    @property
    def until_ps(self) -> I64:
        """Where each step's wall time ends: at the next step's begin, of the last at its own end."""
        return np.where(self.next_ps >= 0, self.next_ps, self.end_ps)

    @property
    def wall_ps(self) -> I64:
        """Begin to the next step's begin, what a stopwatch around the loop shows; of the last its own span.

        By the device's own clock where that is known.
        """
        wall: I64 = self.until_ps - self.begin_ps if self.own is None else self.own.wall_ps
        return wall

    @property
    def span_ps(self) -> I64:
        """Each step's own span, by the same clock."""
        span: I64 = self.end_ps - self.begin_ps if self.own is None else self.own.span_ps
        return span

    @property
    def whole(self) -> NDArray[np.bool_]:
        """Which steps have a wall time that counts in a mean: not cut, and the next one's begin is known."""
        whole: NDArray[np.bool_] = (self.cut == 0) & (self.next_ps >= 0)
        return whole

    @property
    def counted(self) -> NDArray[np.bool_]:
        """Which steps stand for a step: the whole ones, or all where none is."""
        whole = self.whole
        return whole if whole.any() else np.ones(len(self), bool)

    def check(self) -> None:
        """Raise AssertionError unless the steps are what this class says."""
        n = len(self)
        columns = (self.number, self.name, self.row, self.lane, self.end_ps, self.next_ps, self.cut)
        assert all(len(column) == n for column in columns), "columns differ in length"
        assert bool(n) == bool(self.rule) != bool(self.reason), "no steps without a reason"
        assert (self.end_ps >= self.begin_ps).all(), "a step ends before it begins"
        assert (self.begin_ps[1:] >= self.begin_ps[:-1]).all(), "steps are not by begin"
        assert ((self.next_ps < 0) | (self.next_ps >= self.begin_ps)).all(), "the next step begins before"
        if self.own is not None:
            assert all(len(column) == n for column in self.own), "columns differ in length"
            assert (self.own.wall_ps >= 0).all(), "the next step begins before"
            assert (self.own.span_ps >= 0).all(), "a step ends before it begins"


def none(reason: Message) -> Steps:
    """No steps, and why."""
    i64, i32 = np.empty(0, np.int64), np.empty(0, np.int32)
    return Steps("", "none", None, reason, i64, (), i32, i32, i64, i64, i64, np.empty(0, np.uint8))


# Rows of events by thread, by name and by what contains them: what the rules look through.

#: What a rule or a person's pattern sees of a name; longer ones are hostile or whole programs.
NAME_LIMIT = 1000

#: So many kinds of what looks like a step are distinguished.
_KINDS = 7

Flags = NDArray[np.bool_]


class Call(NamedTuple):
    """The events of one name on one track. rows: ascending. typical_ps: the lower median of their durations."""

    name: int
    track: int
    rows: I64
    typical_ps: int

    @property
    def weight(self) -> int:
        """Their time, were none longer than is typical: a first call that compiles counts as one of many."""
        return len(self.rows) * self.typical_ps


def host_rows(capture: Capture) -> I64:
    """The event rows of all host threads, ascending."""
    return rows_of(capture, host_tracks(capture))


def names_where(capture: Capture, rows: I64, wanted: Callable[[str], object]) -> Flags:
    """By string id: whether it names one of the rows and is wanted. Each distinct name is asked for once."""
    used = np.zeros(len(capture.strings), bool)
    used[capture.events.name[rows]] = True
    is_wanted = np.zeros(len(capture.strings), bool)
    for i in np.flatnonzero(used).tolist():
        is_wanted[i] = bool(wanted(capture.strings[i][:NAME_LIMIT]))
    return is_wanted


def name_ids(capture: Capture, names: tuple[str, ...]) -> I64:
    """String ids of those names that the capture has."""
    ids = np.array([capture.strings.find(name) for name in names], np.int64)
    return ids[ids >= 0]


def ends(capture: Capture, rows: I64) -> I64:
    end: I64 = capture.events.start_ps[rows] + capture.events.duration_ps[rows]
    return end


def outermost(capture: Capture, rows: I64) -> Flags:
    """Which of some events, rows ascending, lie inside no other of them on their track."""
    if len(rows) < 2:
        return np.ones(len(rows), bool)
    _, rank = np.unique(ends(capture, rows), return_inverse=True)
    key = capture.events.track[rows].astype(np.int64) * len(rows) + rank.reshape(-1)
    reach = np.maximum.accumulate(key)
    top: Flags = np.append(True, key[1:] > reach[:-1])
    return top


def calls(capture: Capture, rows: I64, group: I64 | I32 | None = None) -> list[Call]:
    """Some events by name (or by another number of each) and track, those of most typical time first.

    Of more than 10,000 groups the largest are taken.
    """
    if not len(rows):
        return []
    name = capture.events.name[rows] if group is None else group
    order = np.lexsort((rows, capture.events.track[rows], name))
    a, b = name[order], capture.events.track[rows[order]]
    first = np.flatnonzero(np.append(True, (a[1:] != a[:-1]) | (b[1:] != b[:-1])))
    last = np.append(first[1:], len(order))
    largest = np.argsort(first - last, kind="stable")[:10_000].tolist()
    parts = [rows[order[first[i] : last[i]]] for i in largest]
    repeated = [
        Call(int(a[first[i]]), int(b[first[i]]), part, _typical(capture.events.duration_ps[part]))
        for i, part in zip(largest, parts, strict=True)
    ]
    return sorted(repeated, key=lambda call: -call.weight)


def _typical(duration_ps: I64) -> int:
    middle = (len(duration_ps) - 1) // 2
    return int(np.partition(duration_ps, middle)[middle])


def track_name(capture: Capture, track: int) -> str:
    """A track's name, without the thread's number."""
    name = capture.strings[int(capture.tracks.name[track])]
    return shown(name.split("/")[0] or f"thread {int(capture.tracks.id[track])}")


def shown(name: str, limit: int = 80) -> str:
    """The beginning of a name: names may be programs."""
    return name if len(name) <= limit else name[: limit - 1] + "…"


def whole_percent(share: float) -> int:
    return int(f"{100 * share:.0f}")


def count_other(others: dict[Message, int], what: Message, count: int) -> None:
    """Add to what else looked like a step; beyond a few kinds of it they are counted together."""
    if what not in others and len(others) >= _KINDS:
        what = Message("not_steps.further")
    others[what] = others.get(what, 0) + count


# What a rule found → `Steps`: by begin, with the next of each lane, named, and with a bound on how many.

#: More are not kept; a day of steps of 100 ms is fewer.
MAX_STEPS = 1_000_000
#: All names together, in characters.
_NAMES_LIMIT = 64_000_000
_64_BITS = (1 << 64) - 1
FEWEST = Threshold(
    "steps with a typical length", 3, "steps", "of fewer none is known to be shorter than is typical of the others"
)
SHORTENED = Threshold(
    "mark cut by the session",
    0.9,
    "share",
    "a mark that begins or ends with the capture is cut if it is shorter than this part of the median",
)


class Draft(msgspec.Struct, eq=False):
    """The steps of a rule, in any order; the fields are those of `Steps`. name: by step, its text before the number."""

    rule: str
    confidence: Confidence
    evidence: Message
    rows: I64
    number: I64
    names: list[str]
    begin_ps: I64
    end_ps: I64
    lane: I64 | I32
    cut: U8 | None = None
    on_device: bool = False
    others: dict[Message, int] = msgspec.field(default_factory=dict)


def built(draft: Draft) -> Steps:
    """The steps in order. Of too many the first are kept."""
    order = np.lexsort((draft.end_ps, draft.begin_ps))
    others = {what: count for what, count in draft.others.items() if count}
    if len(order) > MAX_STEPS:
        others[message("not_steps.beyond_limit", limit=MAX_STEPS)] = len(order) - MAX_STEPS
        order = order[:MAX_STEPS]
    begin, lane = draft.begin_ps[order], draft.lane[order].astype(np.int32)
    cut = np.zeros(len(order), np.uint8) if draft.cut is None else draft.cut[order]
    return Steps(
        draft.rule,
        draft.confidence,
        draft.evidence,
        None,
        draft.number[order],
        tuple(draft.names[i] for i in order.tolist()),
        draft.rows[order].astype(np.int32),
        lane,
        begin,
        draft.end_ps[order],
        _next(begin, lane),
        cut,
        draft.on_device,
        others,
    )


def _next(begin: I64, lane: I32) -> I64:
    """Begin of the next of the same lane, of steps by begin; -1 for each lane's last."""
    order = np.argsort(lane, kind="stable")
    after = np.full(len(begin), -1, np.int64)
    same = lane[order[1:]] == lane[order[:-1]]
    after[order[:-1][same]] = begin[order[1:][same]]
    return after


def of_events(
    capture: Capture, rows: I64, rule: str, confidence: Confidence, evidence: Message, number: I64, names: list[str]
) -> Draft:
    """Steps whose spans are those of the events that mark them."""
    begin, end = capture.events.start_ps[rows], ends(capture, rows)
    cut = cut_by_session(capture, rows)
    return Draft(rule, confidence, evidence, rows, number, names, begin, end, capture.events.track[rows], cut)


def texts(prefixes: list[str], numbers: list[str]) -> list[str]:
    """`prefix number` of each step, or its prefix if that ends in `#number`; long ones are cut where there are many."""
    limit = max(16, min(200, _NAMES_LIMIT // max(1, len(numbers))))
    return [
        (prefix[:limit] if prefix.endswith(f"#{number}") else f"{prefix[:limit]} {number}") if prefix else number
        for prefix, number in zip(prefixes, numbers, strict=True)
    ]


def decimals(value: I64, kind: U8) -> list[str]:
    """Integers of stats as text; an unsigned one may be beyond what int64 holds."""
    return [str(v & _64_BITS if k == StatKind.UINT else v) for v, k in zip(value.tolist(), kind.tolist(), strict=True)]


def bounded(value: I64, kind: U8) -> I64:
    """Integers of stats as int64; unsigned ones beyond it are its largest."""
    beyond = (kind == StatKind.UINT) & (value < 0)
    return np.where(beyond, np.iinfo(np.int64).max, value)


def cut_by_session(capture: Capture, rows: I64) -> U8:
    """`Cut` flags of events in order of time: those that the session's begin or end shortened.

    Such an event begins (ends) where the whole capture does, so does one of another track, and it is shorter than is
    typical of the others.
    """
    cut = np.zeros(len(rows), np.uint8)
    if len(rows) < FEWEST.value:
        return cut
    low, high = capture.span_ps
    duration = capture.events.duration_ps[rows]
    short = duration < np.median(duration) * SHORTENED.value
    begins = short & (capture.events.start_ps[rows] == low)
    if begins.any() and _tracks_with(capture, capture.events.start_ps == low) > 1:
        cut[begins] |= np.uint8(Cut.BEGIN)
    at_end = short & (ends(capture, rows) == high)
    if at_end.any() and _tracks_with(capture, capture.events.start_ps + capture.events.duration_ps == high) > 1:
        cut[at_end] |= np.uint8(Cut.END)
    return cut


def _tracks_with(capture: Capture, flags: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> int:
    return len(np.unique(capture.events.track[flags]))


# Of calls that repeat, the one that is taken for the step: the dearest, on a main thread if that is no cheaper.

JITTED = regex(r"[A-Z]\w*Function\((.+)\)", re.DOTALL)
FRAME = regex(r"\$.*:\d+ .+|.*\.py[:(]\d+\)?:? .+", re.DOTALL)
MAIN_SHARE = Threshold(
    "main thread",
    0.25,
    "share",
    "a main thread's calls are the steps unless they cost less than this part of another thread's",
)
#: Numbers of threads from here on are hashes.
_HASHES = 1 << 32
_MAIN = regex(r"python[\d.]*|main|MainThread", re.IGNORECASE)


Cost = Callable[[Call], int]


class Choice(NamedTuple):
    """The calls that are taken, what to name them, their share of the time of all their like, and those.

    end_ps: of each step, where it is not the call's own. left_out: calls before the first step. times: calls a step
    makes of the one that is taken. functions: where a step is what runs from pause to pause, how many it calls, else 0.
    """

    call: Call
    label: str
    share: float
    all: list[Call]
    end_ps: I64 | None = None
    left_out: int = 0
    times: int = 1
    functions: int = 0


def dearest(capture: Capture, every: list[Call], cost: Cost) -> Choice | None:
    """Of calls that repeat the one of highest cost."""
    again = [call for call in every if len(call.rows) > 1]
    if not again:
        return None
    dear = _on_main(capture, again, cost)
    total = sum(cost(call) for call in every)
    label = label_of(capture.event_name(int(dear.rows[0])))
    return Choice(dear, label, cost(dear) / total if total else 0.0, every)


def _on_main(capture: Capture, repeated: list[Call], cost: Cost) -> Call:
    """The dearest; of several main threads' the one of the program's first, whose number is the lowest.

    Where threads have hashes for numbers, these give no information.
    """
    best = max(repeated, key=cost)
    if not _MAIN.fullmatch(track_name(capture, best.track)):
        return best
    dear = [call for call in repeated if cost(call) >= MAIN_SHARE.value * cost(best)]
    main = [call for call in dear if _MAIN.fullmatch(track_name(capture, call.track))]
    if any(not 0 <= int(capture.tracks.id[call.track]) < _HASHES for call in main):
        return best
    first = min(main, key=lambda call: int(capture.tracks.id[call.track])).track
    return max((call for call in main if call.track == first), key=cost)


def named(capture: Capture, call: Call) -> str:
    return capture.event_name(int(call.rows[0]))[:200]


def label_of(name: str) -> str:
    """What people call the function: `f` of `PjitFunction(f)` and of `$train.py:12 f`."""
    if FRAME.fullmatch(name):
        return name.rpartition(" ")[2][:200]
    return function_of(name)[:200]


def function_of(name: str) -> str:
    match = JITTED.fullmatch(name)
    return match.group(1) if match else name


# A timeline → how many loops run inside of its steps: a nested level, not steps of their own.

_EXECUTOR = "ExecutorState::Process"
#: What a loop of TensorFlow's functions writes once an iteration.
_BODY = "WhileOp-StartBody"
_XLA_LOOP = regex(r"%?while(?:\.\d+)*(?: = .*)?", re.DOTALL)


def loops(timeline: Timeline) -> dict[Message, int]:
    """How many iterations TensorFlow's executors ran of loops, and how often loops that XLA compiled ran."""
    names, body = timeline.capture.events.name, timeline.capture.strings.find(_BODY)
    bodies = int(np.count_nonzero(names == body)) if body >= 0 else 0
    iterations, compiled = bodies + _turns(timeline), _compiled(timeline)
    counts = {Message("not_steps.loop_iterations"): iterations, Message("not_steps.compiled_loops"): compiled}
    return {what: count for what, count in counts.items() if count}


def _turns(timeline: Timeline) -> int:
    """Iterations after a loop's first, identified by their numbers; several executors may run parts of one."""
    capture = timeline.capture
    name = capture.strings.find(_EXECUTOR)
    rows = np.flatnonzero(capture.events.name == name) if name >= 0 else np.empty(0, np.int64)
    run, _ = timeline.stat_of("id", rows)
    turn, kind = timeline.stat_of("iter_num", rows)
    looped = is_integer(kind) & (turn > 0)
    run, turn = run[looped], turn[looped]
    order = np.lexsort((turn, run))
    other = (np.diff(run[order]) != 0) | (np.diff(turn[order]) != 0)
    return int(np.count_nonzero(other)) + bool(len(run))


def _compiled(timeline: Timeline) -> int:
    """Executions of XLA's `while` instructions, on devices and on host threads."""
    strings = timeline.capture.strings
    is_loop = np.array([text.startswith(("while", "%while")) for text in strings], bool)
    for i in np.flatnonzero(is_loop).tolist():
        is_loop[i] = _XLA_LOOP.fullmatch(strings[i][:NAME_LIMIT]) is not None
    if not is_loop[timeline.capture.kinds.name].any():
        return 0
    rows = np.concatenate((ops_of(timeline).host.rows, ops_of(timeline).device.rows))
    return int(np.count_nonzero(is_loop[timeline.capture.events.name[rows]]))


# A sequence of short calls → where it begins anew: pauses that come at even distances, each after as many calls.

#: The sequence is looked through from its begin up to so many pauses, and so many calls, then divided to its end.
_PAUSES, _SAMPLE = 256, 1 << 18
LONG = Threshold("pause", 3.0, "times", "a wait is a pause between turns if it is so many times the median wait")
MOST = Threshold("turns with a pause", 0.7, "share", "so many turns must begin after a pause")
FIRST_MORE = Threshold(
    "calls before the first turn",
    0.2,
    "share",
    "the first turn may make so many calls more than the others, such as those of a set-up",
)
ALIKE = Threshold(
    "turns of the same calls",
    0.95,
    "share",
    "so many calls must be of the name that is at the same place in the next turn",
)


CLEAR = Threshold("clear pause", 1.5, "times", "pauses at even distances are turns' if so much longer than all others")


def turns(capture: Capture, rows: I64) -> I64 | None:
    """The places in a sequence of events, by begin, at which turns of a loop begin; None where none are seen.

    Each turn makes as many calls, of the same names, and between turns the program does something else. There are
    three at least: only two pauses have a distance.
    """
    if len(rows) < 2:
        return None
    pause = _pauses(capture, rows[:_SAMPLE])
    at = np.flatnonzero(pause > LONG.value * max(1.0, float(np.median(pause[1:]))))
    count = int(at[_PAUSES]) if len(at) > _PAUSES else len(pause)
    grid = _grid(at[:_PAUSES], count, capture.events.name[rows[:count]])
    if grid is None:
        return None
    phase, length = grid
    more = len(rows) % length
    if more > FIRST_MORE.value * length:
        return np.arange(phase, len(rows), length)
    at = np.arange(more, len(rows), length)
    at[0] = 0
    return at if len(at) > 1 else None


def turns_apart(capture: Capture, rows: I64, running: Intervals) -> I64 | None:
    """The same where the turns' pauses are clear of all others, and at even distances. running: when that goes on which
    a program may wait for; it is no pause."""
    begin, end = capture.events.start_ps[rows], ends(capture, rows)
    pause = _pauses(capture, rows)
    pause[1:] -= intervals.coverage(running, np.maximum.accumulate(end)[:-1], begin[1:])
    order = np.argsort(-pause, kind="stable")[: _PAUSES + 1]
    longest = pause[order].clip(1)
    drops = np.flatnonzero(longest[:-1] > CLEAR.value * longest[1:])
    for last in drops[drops > 0][::-1].tolist():
        at = np.sort(order[: last + 1])
        length = int(at[1] - at[0])
        if length > 1 and (np.diff(at) == length).all() and at[0] <= length and len(rows) - at[-1] <= length:
            begins = _of_length(capture, rows, int(at[0]) % length, length)
            if begins is not None:
                return begins
    return None


def turns_in_sequence(capture: Capture, rows: I64) -> I64 | None:
    """The same by the shortest sequence that holds all names which come several times, one of them once."""
    names = capture.events.name[rows]
    _, which, count = np.unique(names[:_SAMPLE], return_inverse=True, return_counts=True)
    often = np.argsort(-count, kind="stable")[: int((count > 2).sum())]
    for name in often[:_PAUSES].tolist():
        places = np.flatnonzero(which.reshape(-1) == name)
        length = int(np.median(np.diff(places)))
        held = which.reshape(-1)[places[0] : places[0] + length]
        if length > 1 and np.isin(often, held).all():
            begins = _of_length(capture, rows, None, length)
            if begins is not None:
                return begins
    return None


def _pauses(capture: Capture, rows: I64) -> I64:
    """Idle time before each event."""
    begin, end = capture.events.start_ps[rows], ends(capture, rows)
    return np.append(0, np.maximum(begin[1:] - np.maximum.accumulate(end)[:-1], 0))


def _of_length(capture: Capture, rows: I64, phase: int | None, length: int) -> I64 | None:
    """Places at even distances, if the same names come again at each; None of fewer than three turns. phase: the first,
    else the last turn is a whole one, and the first makes a few calls more."""
    names = capture.events.name[rows]
    same = float((names[length:] == names[:-length]).mean()) if length < len(rows) else 0.0
    at = np.arange(len(rows) % length if phase is None else phase, len(rows), length)
    if phase is None and at[0] <= FIRST_MORE.value * length:
        at[0] = 0
    return at if len(at) > 2 and same >= ALIKE.value else None


def _grid(at: I64, count: int, names: np.ndarray[tuple[int], np.dtype[np.int32]]) -> tuple[int, int] | None:
    """First place and distance of the even grid on which most of its places have a pause.

    Of grids that lie within each other it is the finest: pauses inside of some turns are at even distances, too.
    """
    apart = (at[None, :] - at[:, None])[np.triu_indices(len(at), 1)]
    distances, often = np.unique(apart, return_counts=True)
    best: tuple[int, int] | None = None
    for i in np.argsort(-often, kind="stable")[:8].tolist():
        length = int(distances[i])
        phases, members = np.unique(at % length, return_counts=True)
        phase = int(phases[np.argmax(members)])
        places = len(range(phase or length, count, length))
        same = (names[length:] == names[:-length]).mean() if length < count else 0.0
        paused = length > 1 and members.max() >= MOST.value * places
        if paused and same >= ALIKE.value and (best is None or (length < best[1] and best[1] % length == 0)):
            best = phase, length
    return best


# Pieces of steps on devices → which worker's steps they are, where one process drives several workers' devices.

APART = Threshold(
    "workers apart",
    0.5,
    "share",
    "devices are several workers' where more of the steps that several have are at different times on each",
)


def lanes_of_workers(capture: Capture, rows: I64, step: I64) -> I64:
    """The lane of each piece: a track of its device where devices are several workers', else -1.

    The devices of one worker are at a step together; those of several have the same number at different times.
    """
    plane = capture.tracks.plane[capture.events.track[rows]].astype(np.int64)
    order = np.lexsort((plane, step))
    of, where = step[order], plane[order]
    first = np.flatnonzero(np.append(True, (np.diff(of) != 0) | (np.diff(where) != 0)))
    if not len(rows) or len(np.unique(where)) < 2:
        return np.full(len(rows), -1)
    begin = np.minimum.reduceat(capture.events.start_ps[rows[order]], first)
    end = np.maximum.reduceat(ends(capture, rows[order]), first)
    _, at, devices = np.unique(of[first], return_index=True, return_counts=True)
    several = np.flatnonzero(devices > 1)
    apart = [_apart(begin[at[i] : at[i] + devices[i]], end[at[i] : at[i] + devices[i]]) for i in several.tolist()]
    if not apart or np.mean(apart) <= APART.value:
        return np.full(len(rows), -1)
    track = np.full(len(capture.planes), len(capture.tracks))
    np.minimum.at(track, plane, capture.events.track[rows])
    lanes: I64 = track[plane]
    return lanes


class Hulls(NamedTuple):
    """Steps by number and worker, each from its first piece, whose row it is, to the last end of its pieces."""

    rows: I64
    number: I64
    begin_ps: I64
    end_ps: I64
    lane: I64


def hulls(capture: Capture, rows: I64, step: I64) -> Hulls:
    lane = lanes_of_workers(capture, rows, step)
    order = np.lexsort((capture.events.start_ps[rows], lane, step))
    rows, step, lane = rows[order], step[order], lane[order]
    first = np.flatnonzero(np.append(True, (np.diff(step) != 0) | (np.diff(lane) != 0)))[: len(rows)]
    if not len(first):
        return Hulls(rows, rows, rows, rows, rows)
    end: I64 = np.maximum.reduceat(ends(capture, rows), first)
    return Hulls(rows[first], step[first], capture.events.start_ps[rows[first]], end, lane[first])


def of_workers(capture: Capture, rows: I64, names: list[str]) -> list[str]:
    """Names of steps of several workers, distinguished by their devices."""
    devices = capture.strings.texts(capture.planes.name[capture.tracks.plane[capture.events.track[rows]]])
    return [f"{name} on {device.removeprefix('/device:')[:200]}" for name, device in zip(names, devices, strict=True)]


def _apart(begin: I64, end: I64) -> bool:
    """Whether no two of some spans overlap."""
    order = np.argsort(begin, kind="stable")
    return bool((begin[order][1:] >= end[order][:-1]).all())
