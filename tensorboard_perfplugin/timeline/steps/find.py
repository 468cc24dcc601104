"""The rules by which steps are found, in order, and what a person may ask for instead."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from msgspec import structs

from ...messages import Message, message
from ...patterns import regex
from ...tables import I64, RECORDED_STEPS, Capture, TrackKind, intervals
from ...threshold import Threshold
from ..causes import launches_of
from ..names.ops import name_matcher
from ..ops.ops import ops_of
from ..timeline import Timeline, is_integer
from ..tracks import device_planes, rows_of
from .calls import repeated_calls
from .device import device_steps, kernel_period
from .marks import markers, numbered, self_numbered
from .model import (
    MARKED,
    Cut,
    Flags,
    OtherLoop,
    Steps,
    bounded,
    built,
    calls,
    count_other,
    decimals,
    names_where,
    none,
    of_events,
    outermost,
    shown,
    texts,
    track_name,
)
from .updates import input_cadence

# An event's name or a regular expression over names → steps that such events begin.

#: Of so many distinct names, the most frequent, the nearest to a name that does not exist are looked for.
_NEAR_AMONG = 5000


def by_name(timeline: Timeline, name: str) -> Steps:
    """Each outermost event of that name, on the thread where they take most time, begins a step."""
    capture = timeline.capture
    wanted = capture.strings.find(name)
    rows = np.flatnonzero(capture.events.name == wanted) if wanted >= 0 else np.empty(0, np.int64)
    if not len(rows):
        near = tuple(map(shown, _near(timeline, name)))
        return none(message("no_steps.no_such_name", name=shown(name), near=near))
    return _steps(timeline, rows, message("events_chosen.by_name", name=shown(name)))


def by_pattern(timeline: Timeline, pattern: str) -> Steps:
    """The same of events whose names an expression is found in. Raises ArgumentError."""
    capture = timeline.capture
    every = _all(timeline)
    wanted = names_where(capture, every, name_matcher(pattern, "steps_from"))
    rows = every[wanted[capture.events.name[every]]]
    if not len(rows):
        return none(message("no_steps.no_match", pattern=shown(pattern)))
    return _steps(timeline, rows, message("events_chosen.by_pattern", pattern=shown(pattern)))


def _all(timeline: Timeline) -> I64:
    """Rows of all events but counters'."""
    capture = timeline.capture
    rows: I64 = np.flatnonzero((capture.tracks.kind != TrackKind.COUNTER)[capture.events.track])
    return rows


def _steps(timeline: Timeline, rows: I64, asked: Message) -> Steps:
    capture = timeline.capture
    rows = rows[outermost(capture, rows)]
    by_track = calls(capture, rows, capture.events.track[rows])
    by_track.sort(key=lambda call: -int(capture.events.duration_ps[call.rows].sum()))
    chosen_rows, track = by_track[0].rows, by_track[0].track
    value, kind = timeline.stat_of("step_num", chosen_rows)
    if not is_integer(kind).all():
        value, kind = np.arange(len(chosen_rows)), np.ones(len(chosen_rows), np.uint8)
    names = texts(capture.strings.texts(capture.events.name[chosen_rows]), decimals(value, kind))
    thread = track_name(capture, track)
    evidence = message(
        "steps_seen.chosen", asked=asked, events=len(chosen_rows), one=len(chosen_rows) == 1, thread=thread
    )
    draft = of_events(capture, chosen_rows, "chosen", "certain", evidence, bounded(value, kind), names)
    draft.on_device = int(capture.tracks.plane[track]) in device_planes(capture)
    for other in by_track[1:]:
        what = message("not_steps.elsewhere", asked=asked, thread=track_name(capture, other.track))
        count_other(draft.others, what, len(other.rows))
    return built(draft)


def _near(timeline: Timeline, name: str) -> list[str]:
    """The few names nearest to one that no event has: those that hold it, then those that look like it."""
    capture = timeline.capture
    # Here, since only a name that nothing has is compared.
    from difflib import get_close_matches

    count = np.bincount(capture.events.name, minlength=len(capture.strings))
    most = np.argsort(-count, kind="stable")[:_NEAR_AMONG].tolist()
    names = [capture.strings[i][:200] for i in most if count[i] and i]
    folded = name[:200].casefold()
    holding = [text for text in names if folded in text.casefold()]
    return (holding + [text for text in get_close_matches(name[:200], names, 3) if text not in holding])[:3]


# Steps that somebody else measured, in a capture without a timeline → `Steps`.


def recorded_tracks(timeline: Timeline) -> I64:
    """The tracks of such steps that hold any, one a device."""
    tracks, wanted = timeline.capture.tracks, timeline.capture.strings.find(RECORDED_STEPS)
    return np.flatnonzero((tracks.name == wanted) & (tracks.events_end > tracks.events_begin))


def recorded(timeline: Timeline) -> Steps | None:
    """The steps of the first device: all devices' go side by side. Each is as long as on the slowest device."""
    tracks = recorded_tracks(timeline)
    if not len(tracks):
        return None
    events = timeline.capture.events
    rows = rows_of(timeline.capture, tracks[:1])
    wall = events.duration_ps[rows].copy()
    for track in tracks[1:].tolist():
        others = events.duration_ps[rows_of(timeline.capture, np.array([track]))]
        both = min(len(wall), len(others))
        wall[:both] = np.maximum(wall[:both], others[:both])
    number, kind = timeline.stat_of("step_num", rows)
    number = np.where(is_integer(kind), number, np.arange(len(rows)))
    end = np.cumsum(wall)
    begin = end - wall
    return Steps(
        rule="recorded",
        confidence="certain",
        evidence=Message("steps_seen.recorded"),
        reason=None,
        number=number,
        name=tuple(timeline.capture.strings.texts(events.name[rows])),
        row=rows.astype(np.int32),
        lane=events.track[rows],
        begin_ps=begin,
        end_ps=end,
        # Each one's time is known, the last one's too.
        next_ps=end,
        cut=np.zeros(len(rows), np.uint8),
    )


# Steps whose marks go on after the profiler stopped → the same, cut there: nothing of the rest was recorded.
#
# PyTorch writes when it stopped; a mark that another thread ends later is as long as the program, not as the
# recording.

#: The instant that Kineto writes where recording ends.
_END = "Record Window End"


def within_recording(capture: Capture, steps: Steps) -> Steps:
    stopped = _stopped_ps(capture)
    beyond = steps.end_ps > (stopped if stopped is not None else np.iinfo(np.int64).max)
    if stopped is None or not beyond.any():
        return steps
    return structs.replace(
        steps,
        end_ps=np.where(beyond, np.maximum(stopped, steps.begin_ps), steps.end_ps),
        next_ps=np.where(beyond, -1, steps.next_ps),
        cut=steps.cut | np.where(beyond, np.uint8(Cut.END), np.uint8(0)),
    )


def _stopped_ps(capture: Capture) -> int | None:
    """The last such instant; None where the file has none."""
    name = capture.strings.find(_END)
    starts = capture.events.start_ps[capture.events.name == name] if name >= 0 else np.empty(0, np.int64)
    return int(starts.max()) if len(starts) else None


# Steps that the program marks → those of one loop, and what other loops the capture holds beside it.
#
# Two loops are recognised by the names of their marks (`train 7`, `eval 2`), or by numbers that begin anew. A mean over
# both
# would be of neither. Loops that take turns all the time, as the halves of a GAN's step do, are one.

FEWEST = Threshold("steps of another loop", 3, "steps", "fewer are an occasion, which shows as a slow step, not a loop")
TURNS = Threshold(
    "steps in a row of one loop", 3, "steps", "on average; loops that take turns more often are parts of one step"
)
UNRELATED = Threshold(
    "op time in common",
    0.2,
    "share",
    "of two loops, by the names of their ops; an evaluation runs the forward pass of its training, a third of it",
)
#: More marks are not compared: a day of steps of a second is fewer.
_MOST_STEPS = 100_000
#: Names of loops that are distinguished; of more the marks are named after what they hold.
_MOST_NAMES = 8
_NUMBER = regex(r"[ _#:=/\-\[(]*\d+[\])]?$")
#: Words of loops that belong to a training.
_EVALUATES = regex(r"eval|test|valid|predict|infer", re.IGNORECASE)


def one_loop(timeline: Timeline, steps: Steps) -> Steps:
    """The steps of the loop that has most time; `Steps.loops` has the others."""
    n = len(steps)
    if steps.rule not in MARKED or not 2 * FEWEST.value <= n <= _MOST_STEPS or (steps.row < 0).any():
        return steps
    names, family = _families(steps)
    if len(names) > 1:
        return _of_names(timeline, steps, names, family)
    return _of_numbers(timeline, steps, names[0]) if names else steps


def _families(steps: Steps) -> tuple[list[str], I64]:
    """Names of loops and, by step, which it is of; no name where marks are called after what they hold."""
    found: dict[str, int] = {}
    which = np.zeros(len(steps), np.int64)
    for i, name in enumerate(steps.name):
        which[i] = found.setdefault(_NUMBER.sub("", name), len(found))
        if len(found) > _MOST_NAMES:
            return [], which
    return list(found), which


def _of_names(timeline: Timeline, steps: Steps, names: list[str], family: I64) -> Steps:
    counts = np.bincount(family)
    in_a_row = len(family) / (1 + int((np.diff(family) != 0).sum()))
    if (counts < FEWEST.value).any() or in_a_row < TURNS.value:
        return steps
    return _kept(timeline, steps, [(name, family == i) for i, name in enumerate(names)])


def _of_numbers(timeline: Timeline, steps: Steps, name: str) -> Steps:
    """Loops of one name one after another, where they have nothing in common; epochs of one program stay together."""
    if len(np.unique(steps.lane)) > 1:
        return steps
    part = np.append(0, np.cumsum(np.diff(steps.number) <= 0))
    if part[-1] == 0 or part[-1] >= _MOST_NAMES or (np.bincount(part) < FEWEST.value).any():
        return steps
    kept = _kept(timeline, steps, [(name, part == i) for i in range(int(part[-1]) + 1)])
    return kept if any(_is_unrelated(loop) for loop in kept.loops) else steps


def _is_unrelated(loop: OtherLoop) -> bool:
    return loop.common is not None and loop.common < UNRELATED.value


def _kept(timeline: Timeline, steps: Steps, loops: list[tuple[str, Flags]]) -> Steps:
    """The steps of the loop with most time; the next of each stays the next mark, of whichever loop."""
    span = steps.span_ps
    main = max(range(len(loops)), key=lambda i: int(span[loops[i][1]].sum()))
    profiles = [_profile(timeline, steps, mine) for _, mine in loops]
    others = []
    for i, (name, mine) in enumerate(loops):
        if i != main:
            common = None if _EVALUATES.search(name) else _common(profiles[i], profiles[main])
            others.append(_other(steps, name, mine, common))
    return _only(steps, loops[main][1], tuple(others), loops[main][0])


def _other(steps: Steps, name: str, mine: Flags, common: float | None) -> OtherLoop:
    span = steps.span_ps[mine]
    begin, end = int(steps.begin_ps[mine].min()), int(steps.end_ps[mine].max())
    unrelated = common is not None and common < UNRELATED.value
    return OtherLoop(shown(name), int(mine.sum()), float(np.median(span)), begin, end, common, unrelated)


def _only(steps: Steps, mine: Flags, loops: tuple[OtherLoop, ...], name: str) -> Steps:
    return structs.replace(
        steps,
        number=steps.number[mine],
        name=tuple(itertools.compress(steps.name, mine.tolist())),
        row=steps.row[mine],
        lane=steps.lane[mine],
        begin_ps=steps.begin_ps[mine],
        end_ps=steps.end_ps[mine],
        next_ps=_next(steps, mine)[mine],
        cut=steps.cut[mine],
        loops=loops,
        loop=shown(name),
    )


def _next(steps: Steps, mine: Flags) -> I64:
    """Where another loop follows, a step lasts to its mark's end: what lies between the loops is of neither."""
    after = np.append(~mine[1:], False) & mine & (steps.next_ps >= 0)
    return np.where(after, np.minimum(steps.end_ps, steps.next_ps), steps.next_ps)


def _profile(timeline: Timeline, steps: Steps, mine: Flags) -> dict[int, float]:
    """The time of each op that begins within some steps, as a part of all: of devices, else of the host."""
    ops = ops_of(timeline)
    events = timeline.capture.events
    for side in (ops.device, ops.host):
        start = events.start_ps[side.rows]
        begin, end = steps.begin_ps[mine], np.maximum.accumulate(steps.end_ps[mine])
        at = np.searchsorted(begin, start, side="right") - 1
        inside = (at >= 0) & (start < end[at])
        took = np.bincount(side.op[inside], events.duration_ps[side.rows[inside]], len(ops.ops))
        if took.sum():
            used = np.flatnonzero(took)
            return dict(zip(used.tolist(), (took[used] / took.sum()).tolist(), strict=True))
    return {}


def _common(one: dict[int, float], other: dict[int, float]) -> float | None:
    """The part of their ops' time that two loops have in common; None where nothing is known of one."""
    if not one or not other:
        return None
    return sum(min(share, other.get(op, 0.0)) for op, share in one.items())


class Rule(NamedTuple):
    """name: as it is typed. find: the steps, or None where it holds nothing. guesses: whether it goes by what repeats,
    not by what the program or the collector says of steps."""

    name: str
    find: Callable[[Timeline], Steps | None]
    guesses: bool = False

    @property
    def title(self) -> Message:
        """What it goes by."""
        return step_rule(self.name)

    @property
    def needs(self) -> Message:
        """What a capture without steps lacks."""
        return Message(f"step_rule_needs.{self.name}")


def step_rule(name: str) -> Message:
    """What the rule of `Steps.rule` goes by: one of RULES, or `chosen`."""
    return Message(f"step_rule.{name}")


RULES = (
    Rule("recorded", recorded),
    Rule("markers", markers),
    Rule("numbers", numbered),
    Rule("annotations", self_numbered),
    Rule("device_steps", device_steps),
    Rule("calls", repeated_calls, guesses=True),
    Rule("input", input_cadence, guesses=True),
    Rule("kernels", kernel_period, guesses=True),
)


def find(timeline: Timeline, choice: str = "auto") -> Steps:
    """The steps by the first rule that holds, or by what is chosen.

    choice: `auto`, the name of a rule, the name of an event, or `/regular expression/` over event names. Raises
    ArgumentError for a regular expression that is none.
    """
    found = within_recording(timeline.capture, _found(timeline, choice))
    return one_loop(timeline, found) if choice in ("", "auto") else found


def _found(timeline: Timeline, choice: str) -> Steps:
    if choice in ("", "auto"):
        return _first(timeline, RULES)
    named = tuple(rule for rule in RULES if rule.name == choice)
    if named:
        return _first(timeline, named)
    if len(choice) > 2 and choice[0] == choice[-1] == "/":
        return by_pattern(timeline, choice[1:-1])
    return by_name(timeline, choice)


def _first(timeline: Timeline, rules: tuple[Rule, ...]) -> Steps:
    """By the first of some rules that holds; of several no guess that devices did nothing for."""
    for rule in rules:
        found = rule.find(timeline)
        if found is not None and (not rule.guesses or len(rules) == 1 or _owns_work(timeline, found)):
            return found
    if not len(timeline.capture.events):
        return none(Message("no_steps.no_events"))
    if len(rules) == 1:
        return none(message("no_steps.by_rule", rule=rules[0].name, needs=rules[0].needs))
    return none(message("no_steps.by_any_rule", needs=tuple(rule.needs for rule in rules)))


def _owns_work(timeline: Timeline, steps: Steps) -> bool:
    """Whether devices did nothing at all, or something launched in a step, or run in one where no launch is known.

    What a host repeats while devices work on something else is no step of theirs.
    """
    rows = ops_of(timeline).device.rows
    if not len(rows) or steps.on_device:
        return True
    launch = launches_of(timeline).rows[rows]
    at = timeline.capture.events.start_ps[np.where(launch >= 0, launch, rows)]
    walls = intervals.union(steps.begin_ps, steps.until_ps)
    return bool((np.searchsorted(walls.begin, at, side="right") > np.searchsorted(walls.end, at, side="right")).any())
