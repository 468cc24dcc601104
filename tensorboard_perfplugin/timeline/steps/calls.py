"""The call a program makes once an iteration: a jitted or tf.function, a session's run, a module, a Python frame."""

from __future__ import annotations

import re

import numpy as np

from ...messages import Message, message
from ...tables import I64, Capture
from ...threshold import CHOSEN, Threshold
from ..causes.launches import launches_of
from ..timeline import Timeline
from .build import built, of_events, texts
from .choice import FRAME, Choice, dearest
from .graphs import functions, graphs, runs
from .input import asked_by_python
from .jitted import is_function, jitted
from .model import Confidence, Steps
from .models import within_one_turn
from .nested import loops
from .ranges import ranges
from .rows import Call, calls, count_other, ends, host_rows, names_where, outermost, shown, track_name, whole_percent
from .trains import MOST_OTHERS, Part, parts
from .updates.eager import eager_updates
from .updates.optimizers import optimizer_steps

_MODULE = re.compile(r"(?:XlaModule|(.+)):XLA (?:\w+ )?module|(?:TfrtTpu|PjRt|CommonPjRt)\w*Executable::Execute\w*")
LEADS = Threshold(
    "leading call",
    0.5,
    "share",
    "a call with this part of the time of its like is likely the step; with less it is a guess",
    CHOSEN,
)
FEWEST = Threshold(
    "calls that are likely steps", 3, "calls", "what comes twice may come twice by chance, and is a guess", CHOSEN
)
LAUNCHES = Threshold(
    "launched meanwhile",
    0.05,
    "share",
    "of PyTorch: calls are no steps if less of what runs on devices is launched from the first to the last",
    CHOSEN,
)
SAME_COUNT = Threshold(
    "as many calls a turn",
    0.8,
    "share",
    "so many turns must hold as many calls for the turn, not the call, to be the step",
    CHOSEN,
)


def repeated_calls(timeline: Timeline) -> Steps | None:
    """Steps that PyTorch's optimizers or TensorFlow's updates end, else those by other calls."""
    for rule in (optimizer_steps, eager_updates, _by_calls):
        found = rule(timeline)
        if found is not None:
            return found
    return None


def _by_calls(timeline: Timeline) -> Steps | None:
    """The first kind of call that has one which repeats, and of it the call that costs most."""
    capture = timeline.capture
    rows = host_rows(capture)
    choice = next((candidate for kind in _KINDS if (candidate := kind(timeline, rows)) is not None), None)
    if choice is None:
        return None
    choice = _accumulated(timeline, choice, rows) or choice
    begins = choice.call.rows
    number = np.arange(len(begins))
    sure: Confidence = "likely" if choice.share >= LEADS.value and len(begins) >= FEWEST.value else "guess"
    names = texts([choice.label] * len(begins), [str(i) for i in number.tolist()])
    steps = of_events(capture, begins, "calls", sure, _evidence(capture, choice), number, names)
    if choice.end_ps is not None:
        steps.end_ps = choice.end_ps
    if not choice.functions:
        steps.begin_ps = _opened(capture, choice, rows)
    # Of a guess the calls themselves are looked at, else all from the first to the last.
    first, last = (slice(None), slice(None)) if sure == "guess" else (slice(1), slice(-1, None))
    if capture.capabilities.has_operators and not _launches(timeline, steps.begin_ps[first], steps.end_ps[last]):
        return None
    steps.others = loops(timeline) | {Message("not_steps.calls_before"): choice.left_out}
    for call in [call for call in choice.all if call is not choice.call]:
        name = shown(capture.event_name(int(call.rows[0])))
        what = message("not_steps.calls", name=name, thread=track_name(capture, call.track))
        count_other(steps.others, what, len(call.rows))
    return built(steps)


def _launches(timeline: Timeline, begin_ps: I64, end_ps: I64) -> bool:
    """Whether the program works meanwhile: where devices do, it launches some of that. PyTorch does so in its calls."""
    at = np.sort(timeline.capture.events.start_ps[launches_of(timeline).rows[launches_of(timeline).rows >= 0]])
    return int((np.searchsorted(at, end_ps) - np.searchsorted(at, begin_ps)).sum()) >= LAUNCHES.value * len(at)


def _evidence(capture: Capture, choice: Choice) -> Message:
    thread, often = track_name(capture, choice.call.track), len(choice.call.rows)
    if choice.functions:
        return message("steps_seen.turns", calls=choice.times, functions=choice.functions, thread=thread, times=often)
    name = shown(capture.event_name(int(choice.call.rows[0])))
    if choice.times > 1:
        return message("steps_seen.calls_a_turn", name=name, calls=choice.times, turns=often, thread=thread)
    covered = whole_percent(_covered(capture, choice.call))
    return message("steps_seen.calls", name=name, times=often, thread=thread, percent=covered)


def _covered(capture: Capture, call: Call) -> float:
    begin, duration = capture.events.start_ps[call.rows], capture.events.duration_ps[call.rows]
    window = int(begin[-1] + duration[-1] - begin[0])
    return min(1.0, float(duration.sum()) / window) if window > 0 else 0.0


def _modules(timeline: Timeline, rows: I64) -> Choice | None:
    """XLA modules that a host thread ran or issued."""
    capture = timeline.capture
    rows = rows[names_where(capture, rows, _MODULE.fullmatch)[capture.events.name[rows]]]
    return dearest(capture, calls(capture, rows[outermost(capture, rows)]), lambda call: call.weight)


def _frames(timeline: Timeline, rows: I64) -> Choice | None:
    """Python frames: the outermost of those that repeat on their thread."""
    capture = timeline.capture
    rows = rows[names_where(capture, rows, FRAME.fullmatch)[capture.events.name[rows]]]
    if not len(rows):
        return None
    key = capture.events.track[rows].astype(np.int64) * len(capture.strings) + capture.events.name[rows]
    _, which, count = np.unique(key, return_inverse=True, return_counts=True)
    rows = rows[count[which.reshape(-1)] > 1]
    rows = rows[~within_one_turn(timeline, rows)]
    return dearest(capture, calls(capture, rows[outermost(capture, rows)]), lambda call: call.weight)


def _accumulated(timeline: Timeline, choice: Choice, rows: I64) -> Choice | None:
    """Steps of several calls: as many for each ask for input, or for each call that does as much of a training."""
    capture, begins, track = timeline.capture, choice.call.rows, choice.call.track
    if choice.functions:
        return None
    asks = calls(capture, asked_by_python(capture, rows[capture.events.track[rows] == track]))
    for call in [call for call in asks + _closing(timeline, choice) if len(call.rows) > 1]:
        turn = np.searchsorted(call.rows, begins)
        times = np.bincount(turn, minlength=len(call.rows) + 1)[1:-1]
        often = int(np.median(times))
        if often < 2 or np.mean(times == often) < SAME_COUNT.value:
            continue
        first = np.flatnonzero(np.append(True, np.diff(turn) > 0))
        if len(first) < 2:
            continue
        last = np.append(first[1:], len(begins)) - 1
        taken = choice.call._replace(rows=begins[first])
        return choice._replace(call=taken, end_ps=ends(capture, begins[last]), times=often)
    return None


def _closing(timeline: Timeline, choice: Choice) -> list[Call]:
    """The calls that may come once a step where others come several times; those that do most of a training first.

    What trains less than the calls between is an evaluation, or what is reckoned now and then.
    """
    call = choice.call
    others = [c for c in choice.all if c is not call and c.track == call.track and 1 < len(c.rows) <= len(call.rows)]
    part, *does = parts(timeline, [call, *others[:MOST_OTHERS]])
    least = max(part, Part.COMPUTES)
    closing = [(p, c) for p, c in zip(does, others, strict=False) if p >= least and is_function(timeline.capture, c)]
    return [c for _, c in sorted(closing, key=lambda each: (-each[0], -len(each[1].rows)))]


def _opened(capture: Capture, choice: Choice, rows: I64) -> I64:
    """Begin of each step: of the first call or ask for input that always comes before the call that is taken.

    As many calls of a function come before the first taken call and after the last together as between two: then the
    program begins its turn with them.
    """
    begins, start = choice.call.rows, capture.events.start_ps
    begin = start[begins]
    others = [call for call in choice.all if call is not choice.call and call.track == choice.call.track]
    others += calls(capture, asked_by_python(capture, rows[capture.events.track[rows] == choice.call.track]))
    for call in [call for call in others if len(call.rows) >= len(begins)][:MOST_OTHERS]:
        count = np.bincount(np.searchsorted(begins, call.rows), minlength=len(begins) + 1)
        lead = int(count[0])
        if not lead or np.mean(count[1:-1] == lead + count[-1]) < SAME_COUNT.value:
            continue
        before = np.cumsum(count[:-1]) - lead
        opens = start[call.rows[np.maximum(before, 0)]]
        begin = np.where(count[:-1] >= lead, np.minimum(begin, opens), begin)
    return begin


_KINDS = (functions, jitted, graphs, runs, _modules, _frames, ranges)
