"""The cadence of asking for the next input."""

from __future__ import annotations

import re

import numpy as np

from ...messages import message
from ...tables import I64, Capture, among
from ...threshold import CHOSEN, Threshold
from ..ops.operators import are_calls
from ..timeline import Timeline, is_integer
from .build import Draft, built
from .model import Cut, Steps
from .nested import loops
from .rows import Flags, calls, ends, host_rows, names_where, outermost, shown

#: From what the program itself does to what a pipeline does for it; the first that is there counts.
_ASKS = tuple(
    re.compile(text)
    for text in (
        r"enumerate\(DataLoader\)#.*__next__",
        r"IteratorGetNext(?:AsOptional|Sync)?Op::DoCompute",
        r"EagerLocalExecute: (?:Multi)?(?:Device)?IteratorGetNext\w*",
        r"(?:.*/)?(?:MultiDevice)?IteratorGetNext\w*:(?:MultiDevice)?IteratorGetNext\w*",
        r"Iterator::(?:Root|Model)",
        r"\$.*\.py:\d+ __next__",
    )
)
_BY_PYTHON = re.compile(
    r"EagerLocalExecute: (?:Multi)?(?:Device)?IteratorGetNext\w*|enumerate\(DataLoader\)#.*__next__"
)
NEAR = Threshold(
    "regular distance",
    0.5,
    "share",
    "a distance between asks for input is regular if it differs from the median by no more than this part of it",
    CHOSEN,
)
REGULAR = Threshold(
    "regular asks",
    0.7,
    "share",
    "with so many regular distances asks for input are likely steps; with fewer they are a guess",
    CHOSEN,
)
FEWEST = Threshold(
    "distances of regular asks", 3, "distances", "fewer may be alike by chance: the steps are a guess", CHOSEN
)
#: Threads that fill a pipeline ahead of its consumer.
_AHEAD = re.compile(r"tf_data_(?:\w+_)?(?:iterator_resource|private_threadpool)|.*prefetch.*", re.IGNORECASE)


def input_cadence(timeline: Timeline) -> Steps | None:
    """Each step from one ask to the next; of replicas that ask for their parts of one step's input, the first."""
    capture = timeline.capture
    rows = host_rows(capture)
    every = next((asks for pattern in _ASKS if len(asks := _asks(timeline, rows, pattern)) > 1), None)
    if every is None:
        return None
    asks, lane, replicas = _one_a_step(timeline, every)
    if len(asks) < 2:
        return None
    answered = ~_ended(timeline, asks)
    asks, lane = asks[answered], lane[answered]
    begin = capture.events.start_ps[asks]
    end = np.append(begin[1:], max(int(begin[-1]), int(ends(capture, asks[-1:])[0])))
    name = shown(capture.event_name(int(asks[0])))
    evidence = message("steps_seen.asks", times=len(asks), name=name, replicas=replicas if replicas > 1 else None)
    cut = np.zeros(len(asks), np.uint8)
    cut[-1] = Cut.END
    number = np.arange(len(asks))
    draft = Draft(
        "input", "guess", evidence, asks, number, [f"input {i}" for i in number.tolist()], begin, end, lane, cut
    )
    draft.confidence = "likely" if _regular(begin) else "guess"
    draft.others = loops(timeline)
    return built(draft)


def _asks(timeline: Timeline, rows: I64, pattern: re.Pattern[str]) -> I64:
    capture = timeline.capture
    rows = rows[names_where(capture, rows, pattern.fullmatch)[capture.events.name[rows]]]
    rows = consumers(capture, rows)
    return rows[outermost(capture, rows)]


def asked_by_python(capture: Capture, rows: I64) -> I64:
    """Those of some events with which Python itself asks for input: the outermost."""
    rows = rows[names_where(capture, rows, _BY_PYTHON.fullmatch)[capture.events.name[rows]]]
    return rows[outermost(capture, rows)]


def consumers(capture: Capture, rows: I64) -> I64:
    """Those of some events that do not run on a thread that fills an input pipeline ahead of its consumer."""
    ahead = [track for track in np.unique(capture.events.track[rows]).tolist() if _AHEAD.match(_track(capture, track))]
    return rows[~among(capture.events.track[rows], ahead)]


def _track(capture: Capture, track: int) -> str:
    return capture.strings[int(capture.tracks.name[track])]


def _one_a_step(timeline: Timeline, rows: I64) -> tuple[I64, I64, int]:
    """The asks that begin a step, in order of time, their lanes, and how many come with each.

    Replicas run one function under one id: its first ask in each turn of its loop counts. Without ids the thread that
    asks most is taken.
    """
    capture = timeline.capture
    run, kind = timeline.stat_of("id", rows)
    turn, _ = timeline.stat_of("iter_num", rows)
    by_op = capture.event_name(int(rows[0])).endswith("Op::DoCompute")
    if not by_op or not is_integer(kind).all():
        first_asks = max(calls(capture, rows, capture.events.track[rows]), key=lambda call: len(call.rows)).rows
        return first_asks, capture.events.track[first_asks].astype(np.int64), 1
    order = np.lexsort((capture.events.start_ps[rows], turn, run))
    first = np.append(True, (np.diff(run[order]) != 0) | (np.diff(turn[order]) != 0))
    first_asks = rows[order[first]]
    first_asks = first_asks[np.argsort(capture.events.start_ps[first_asks], kind="stable")]
    return first_asks, np.full(len(first_asks), -1), round(len(rows) / len(first_asks))


def _ended(timeline: Timeline, asks: I64) -> Flags:
    """Which of several asks found the end of PyTorch's input: those that call no operator, which others do, and the
    last one, if none is called from then on."""
    capture = timeline.capture
    ended = np.zeros(len(asks), bool)
    if len(asks) <= FEWEST.value or not capture.capabilities.has_operators:
        return ended
    rows = host_rows(capture)
    start = np.sort(capture.events.start_ps[rows[are_calls(timeline, rows)]])
    called = np.searchsorted(start, ends(capture, asks)) - np.searchsorted(start, capture.events.start_ps[asks])
    if np.mean(called > 0) >= REGULAR.value:
        ended = called == 0
    ended[-1] |= not len(start) or start[-1] < capture.events.start_ps[asks[-1]]
    return ended


def _regular(begin: I64) -> bool:
    """Whether most distances are near the typical one."""
    apart = np.diff(begin)
    typical = float(np.median(apart))
    is_near = np.abs(apart - typical) <= NEAR.value * typical
    return bool(len(apart) >= FEWEST.value and np.mean(is_near) >= REGULAR.value)
