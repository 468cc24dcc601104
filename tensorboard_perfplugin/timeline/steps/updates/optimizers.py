"""Updates by PyTorch's optimizers → steps: each from what a program runs first of it to its last update.

Programs with several optimizers, such as a GAN's two, update with them in a fixed order: a step is one turn of that.
What runs between an update and the next step, an evaluation say, is of the step before.
"""

from __future__ import annotations

import re

import numpy as np

from ....messages import message
from ....tables import I64
from ....threshold import CHOSEN, Threshold
from ...ops.operators import are_calls
from ...timeline import Timeline
from ..build import Draft, built, texts
from ..input import asked_by_python
from ..model import Cut, Steps
from ..nested import loops
from ..rows import calls, ends, host_rows, names_where, outermost, shown, track_name

_UPDATE = re.compile(r"Optimizer\.step#.*", re.DOTALL)
_GRADIENT = "torch::autograd::AccumulateGrad"
#: A node of autograd's that runs backward.
_BACKWARD = "autograd::engine::evaluate_function: "
IN_TURN = Threshold(
    "updates in turn",
    0.85,
    "share",
    "of updates must be like the one a turn later; one in twelve that another optimizer makes is a turn's, a rarer one "
    "an occasion",
    CHOSEN,
)
USUAL = Threshold(
    "calls of a step",
    0.5,
    "share",
    "of steps must make as many calls, or ask for input as often, for where a step begins to be counted from its end",
    CHOSEN,
)
WHOLE = Threshold(
    "first step's calls", 0.9, "share", "a first step of fewer calls than this part of the usual one is cut", CHOSEN
)
LONGER = Threshold(
    "wait between turns",
    1.5,
    "times",
    "of a number of updates that is no whole number of turns, the last of a turn is the one before the longest waits, "
    "if these are so much longer than the others",
    CHOSEN,
)
#: Updates of a turn, at most.
_MOST = 64


def optimizer_steps(timeline: Timeline) -> Steps | None:
    """Steps by the updates on the thread that makes most of them; None without two."""
    capture = timeline.capture
    rows = host_rows(capture) if capture.capabilities.has_operators else np.empty(0, np.int64)
    updates = rows[names_where(capture, rows, _UPDATE.fullmatch)[capture.events.name[rows]]]
    updates = updates[outermost(capture, updates)]
    threads = calls(capture, updates, capture.events.track[updates])
    if not threads:
        return None
    thread = max(threads, key=lambda call: len(call.rows))
    updates = thread.rows
    operators = _operators(timeline, rows[capture.events.track[rows] == thread.track], updates)
    of_turn = _updates_a_turn(timeline, updates)
    last = last_of_turns(timeline, updates, operators, of_turn)
    if len(last) < 2:
        return None
    begins, cut = begins_of(timeline, operators, last)
    number = np.arange(len(last))
    names = capture.strings.of(np.unique(capture.events.name[updates]))
    evidence = message(
        "steps_seen.updates",
        names=tuple(map(shown, sorted(names)[:3])),
        times=len(updates),
        thread=track_name(capture, thread.track),
        each=of_turn if of_turn > 1 else None,
    )
    draft = Draft(
        "calls",
        "likely",
        evidence,
        begins,
        number,
        texts(["step"] * len(last), [str(i) for i in number.tolist()]),
        capture.events.start_ps[begins],
        ends(capture, last),
        capture.events.track[last],
        cut,
    )
    draft.others = loops(timeline)
    return built(draft)


def _operators(timeline: Timeline, rows: I64, updates: I64) -> I64:
    """A thread's outermost calls of operators, its updates, and its asks for input; not what goes on around updates."""
    capture = timeline.capture
    taken = np.zeros(len(capture.events), bool)
    taken[rows[are_calls(timeline, rows)]] = True
    taken[asked_by_python(capture, rows)] = True
    start, every = capture.events.start_ps[updates], np.flatnonzero(taken)
    around = np.searchsorted(start, ends(capture, every)) > np.searchsorted(start, capture.events.start_ps[every])
    taken[every[around]] = False
    taken[updates] = True
    every = np.flatnonzero(taken)
    return every[outermost(capture, every)]


def _updates_a_turn(timeline: Timeline, updates: I64) -> int:
    """How many updates make a step: after which the same come again, by the finest sign that shows a turn."""
    names = timeline.capture.events.name[updates].astype(np.int64)
    signs = (_kinds(timeline, updates, _BACKWARD), _kinds(timeline, updates, _GRADIENT), names)
    return next((turn for kinds in signs if (turn := turn_of(kinds))), 1)


def _kinds(timeline: Timeline, updates: I64, prefix: str) -> I64:
    """A number for each update's kind: its name, how much it runs, and which events begin with the gradients for it.

    What is evaluated between updates has no gradients.
    """
    capture = timeline.capture
    begin, end = capture.events.start_ps[updates], ends(capture, updates)
    track = int(capture.events.track[updates[0]])
    start = capture.events.start_ps[capture.tracks.events_begin[track] : capture.tracks.events_end[track]]
    runs = np.searchsorted(start, end) - np.searchsorted(start, begin)
    named = np.array([text.startswith(prefix) for text in capture.strings], bool)
    rows = np.flatnonzero(named[capture.events.name])
    before = np.searchsorted(begin, capture.events.start_ps[rows])
    # Numbers of many digits instead of names: the sum of some tells which they were, in whatever order.
    digits = (capture.events.name[rows].astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)).astype(np.int64)
    given = np.zeros(len(updates) + 1, np.int64)
    np.add.at(given, before, digits)
    _, kind = np.unique(np.stack((capture.events.name[updates], given[:-1], runs), 1), axis=0, return_inverse=True)
    return kind.reshape(-1).astype(np.int64)


def turn_of(kinds: I64) -> int:
    """After how many updates the same kinds come again; 0 where they do not."""
    shares = ((n, float((kinds[n:] == kinds[:-n]).mean())) for n in range(1, min(_MOST, len(kinds) // 2) + 1))
    return next((n for n, share in shares if share >= IN_TURN.value), 0)


def last_of_turns(timeline: Timeline, updates: I64, operators: I64, of_turn: int) -> I64:
    """The last update of each turn. Where a capture holds no whole number of turns, it is before the longest wait."""
    capture, first = timeline.capture, of_turn - 1
    if len(updates) % of_turn:
        after = np.minimum(np.searchsorted(operators, updates) + 1, len(operators) - 1)
        wait = (capture.events.start_ps[operators[after]] - ends(capture, updates)).clip(0)
        waits = [float(np.median(wait[i:-1:of_turn])) if len(wait[i:-1:of_turn]) else 0.0 for i in range(of_turn)]
        longest = int(np.argmax(waits))
        if waits[longest] > LONGER.value * max(waits[:longest] + waits[longest + 1 :]):
            first = longest
    return updates[first::of_turn]


def begins_of(timeline: Timeline, operators: I64, last: I64) -> tuple[I64, np.ndarray[tuple[int], np.dtype[np.uint8]]]:
    """The row that begins each step, and `Cut` flags: as many asks for input, else calls, before its end as usual."""
    capture = timeline.capture
    end = np.searchsorted(operators, last) + 1
    after = np.append(0, end[:-1])
    asks = np.searchsorted(operators, asked_by_python(capture, operators))
    for places in (asks, np.arange(len(operators))):
        upto = np.searchsorted(places, end)
        held = np.diff(upto, prepend=0)
        usual = _usual(held)
        if usual:
            begin = np.where(held >= usual, places[np.maximum(upto - usual, 0)], after)
            break
    else:
        usual, begin = 0, after
    cut = np.zeros(len(last), np.uint8)
    cut[0] = Cut.BEGIN if held[0] < WHOLE.value * usual else Cut.NO
    return operators[begin], cut


def _usual(held: I64) -> int:
    """How many most steps hold; 0 where that differs."""
    value, often = np.unique(held, return_counts=True)
    most = int(np.argmax(often))
    return int(value[most]) if often[most] >= USUAL.value * len(held) else 0
