"""Updates of weights → steps: by PyTorch's optimizers, or by the ops that TensorFlow runs one by one."""

from __future__ import annotations

import itertools
import re
from enum import IntEnum

import numpy as np

from ...messages import message
from ...patterns import regex
from ...tables import I64, Capture, StatKind, among
from ...threshold import Threshold
from ..ops.ops import are_calls, ops_of
from ..timeline import Timeline, derived, is_integer
from .model import (
    FRAME,
    JITTED,
    Call,
    Choice,
    Cost,
    Cut,
    Draft,
    Flags,
    Steps,
    built,
    calls,
    dearest,
    ends,
    function_of,
    host_rows,
    loops,
    named,
    names_where,
    outermost,
    shown,
    texts,
    track_name,
)

# The cadence of asking for the next input.

#: From what the program itself does to what a pipeline does for it; the first that is there counts.
_ASKS = tuple(
    regex(text)
    for text in (
        r"enumerate\(DataLoader\)#.*__next__",
        r"IteratorGetNext(?:AsOptional|Sync)?Op::DoCompute",
        r"EagerLocalExecute: (?:Multi)?(?:Device)?IteratorGetNext\w*",
        r"(?:.*/)?(?:MultiDevice)?IteratorGetNext\w*:(?:MultiDevice)?IteratorGetNext\w*",
        r"Iterator::(?:Root|Model)",
        r"\$.*\.py:\d+ __next__",
    )
)
_BY_PYTHON = regex(r"EagerLocalExecute: (?:Multi)?(?:Device)?IteratorGetNext\w*|enumerate\(DataLoader\)#.*__next__")
NEAR = Threshold(
    "regular distance",
    0.5,
    "share",
    "a distance between asks for input is regular if it differs from the median by no more than this part of it",
)
REGULAR = Threshold(
    "regular asks",
    0.7,
    "share",
    "with so many regular distances asks for input are likely steps; with fewer they are a guess",
)
FEWEST_INPUTS = Threshold(
    "distances of regular asks", 3, "distances", "fewer may be alike by chance: the steps are a guess"
)
#: Threads that fill a pipeline ahead of its consumer.
_AHEAD = regex(r"tf_data_(?:\w+_)?(?:iterator_resource|private_threadpool)|.*prefetch.*", re.IGNORECASE)


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
    if len(asks) <= FEWEST_INPUTS.value or not capture.capabilities.has_operators:
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
    return bool(len(apart) >= FEWEST_INPUTS.value and np.mean(is_near) >= REGULAR.value)


# Updates by PyTorch's optimizers → steps: each from what a program runs first of it to its last update.
#
# Programs with several optimizers, such as a GAN's two, update with them in a fixed order: a step is one turn of
# that.
# What runs between an update and the next step, an evaluation say, is of the step before.

_UPDATE = regex(r"Optimizer\.step#.*", re.DOTALL)
_GRADIENT = "torch::autograd::AccumulateGrad"
#: A node of autograd's that runs backward.
_BACKWARD = "autograd::engine::evaluate_function: "
OPTIMIZERS_IN_TURN = Threshold(
    "updates in turn",
    0.85,
    "share",
    "of updates must be like the one a turn later; one in twelve that another optimizer makes is a turn's, a rarer one "
    "an occasion",
)
USUAL = Threshold(
    "calls of a step",
    0.5,
    "share",
    "of steps must make as many calls, or ask for input as often, for where a step begins to be counted from its end",
)
WHOLE = Threshold(
    "first step's calls", 0.9, "share", "a first step of fewer calls than this part of the usual one is cut"
)
LONGER = Threshold(
    "wait between turns",
    1.5,
    "times",
    "of a number of updates that is no whole number of turns, the last of a turn is the one before the longest waits, "
    "if these are so much longer than the others",
)
#: Updates of a turn, at most.
_MOST = 64


def optimizer_steps(timeline: Timeline) -> Steps | None:
    """Steps by the updates on the thread that makes most of them; None without two. In a capture that holds no
    calls of operators, as a snapshot of memory, each is from one update to the next."""
    capture = timeline.capture
    updated = updates(capture)
    if not len(updated):
        return None
    track = int(capture.events.track[updated[0]])
    rows = host_rows(capture)
    operators = _operators(timeline, rows[capture.events.track[rows] == track], updated)
    of_turn = _updates_a_turn(timeline, updated)
    last = last_of_turns(timeline, updated, operators, of_turn)
    if len(last) < 2:
        return None
    begins, cut = begins_of(timeline, operators, last)
    begin = capture.events.start_ps[begins]
    if not capture.capabilities.has_operators:
        begin, cut[0] = np.append(capture.span_ps[0], ends(capture, last)[:-1]), Cut.BEGIN
    number = np.arange(len(last))
    names = capture.strings.texts(np.unique(capture.events.name[updated]))
    evidence = message(
        "steps_seen.updates",
        names=tuple(map(shown, sorted(names)[:3])),
        times=len(updated),
        thread=track_name(capture, track),
        each=of_turn if of_turn > 1 else None,
    )
    draft = Draft(
        "calls",
        "likely",
        evidence,
        begins,
        number,
        texts(["step"] * len(last), [str(i) for i in number.tolist()]),
        begin,
        ends(capture, last),
        capture.events.track[last],
        cut,
    )
    draft.others = loops(timeline)
    return built(draft)


def updates(capture: Capture) -> I64:
    """The updates by PyTorch's optimizers, on the thread that makes most of them; none of an optimizer that updates
    once."""
    rows = host_rows(capture)
    rows = rows[names_where(capture, rows, _UPDATE.fullmatch)[capture.events.name[rows]]]
    rows = rows[np.bincount(capture.events.name[rows], minlength=1)[capture.events.name[rows]] > 1]
    rows = rows[outermost(capture, rows)]
    threads = calls(capture, rows, capture.events.track[rows])
    return max(threads, key=lambda call: len(call.rows)).rows if threads else rows


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
    return next((n for n, share in shares if share >= OPTIMIZERS_IN_TURN.value), 0)


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


# Calls of jitted functions → which are of several functions that share a name, as all of Python's lambdas do.
#
# A call does not say which program it runs, but programs begin in the order in which a thread called them.

ALIKE = Threshold(
    "ops of one function",
    0.8,
    "share",
    "two programs of one name with so many of their ops' names in common are one function, compiled for other shapes",
)
PROGRAMS_IN_TURN = Threshold(
    "programs in turn",
    0.9,
    "share",
    "so many runs must be of the program that ran a turn before; otherwise one function gets other shapes now and then",
)
#: A turn has no more calls of one name.
_MOST_SAME_NAME = 64
_FEWEST_TURNS = 3


def apart(timeline: Timeline, rows: I64) -> I64:
    """By call the id of its name, or another number where its name stands for several functions.

    They are several where as many programs of that name ran as it was called, in turn, and programs differ in what they
    run.
    """
    capture = timeline.capture
    name = capture.events.name[rows].astype(np.int64)
    begun = _begun(timeline)
    for which in np.unique(name).tolist() if begun else ():
        mine = name == which
        ran = begun.get(module_of(function_of(capture.strings[which])))
        one_thread = len(np.unique(capture.events.track[rows[mine]])) == 1
        if ran is not None and one_thread and len(ran) == int(mine.sum()) and _in_turn(ran) and _differ(timeline, ran):
            _, place = np.unique(ran, return_inverse=True)
            name[mine] += len(capture.strings) * (1 + place.reshape(-1))
    return name


def program_of(timeline: Timeline, call: Call) -> int | None:
    """The program of a call that `apart` distinguishes from others of its name."""
    place = call.name // len(timeline.capture.strings) - 1
    name = named(timeline.capture, call)
    if place < 0 or not JITTED.fullmatch(name):
        return None
    return int(np.unique(_begun(timeline)[module_of(function_of(name))])[place])


def module_of(function: str) -> str:
    """What JAX calls the program of a function: at the end of `<lambda>` newer versions write no `_`."""
    return ("jit_" + re.sub(r"\W", "_", function)).rstrip("_")


@derived
def _begun(timeline: Timeline) -> dict[str, I64]:
    """By the name of a module its programs, a number a run, in the order in which these began."""
    capture = timeline.capture
    if not timeline.has_stat("program_id") or not timeline.has_stat("run_id"):
        return {}
    rows = np.flatnonzero(timeline.stat("hlo_module")[1] == StatKind.TEXT)
    module, _ = timeline.stat_of("hlo_module", rows)
    program, has_program = timeline.stat_of("program_id", rows)
    run, has_run = timeline.stat_of("run_id", rows)
    known = is_integer(has_program) & is_integer(has_run)
    order = np.flatnonzero(known)[np.argsort(capture.events.start_ps[rows[known]], kind="stable")]
    _, first = np.unique(np.stack((module, program, run))[:, order], axis=1, return_index=True)
    runs = order[np.sort(first)]
    names = np.unique(module[runs]).tolist()
    return {name_of(capture.strings[one]): program[runs[module[runs] == one]] for one in names}


def name_of(module: str) -> str:
    """A module's name without its number, as `module_of` has it."""
    return module.partition("(")[0].rstrip("_")


def _in_turn(programs: I64) -> bool:
    """Whether several programs run in one order again and again."""
    if len(np.unique(programs)) < 2:
        return False
    turns = range(2, min(_MOST_SAME_NAME, len(programs) // _FEWEST_TURNS) + 1)
    return any(float((programs[n:] == programs[:-n]).mean()) >= PROGRAMS_IN_TURN.value for n in turns)


def _differ(timeline: Timeline, programs: I64) -> bool:
    """Whether two of some programs run other ops, not the same ones on other shapes."""
    held = ops_by_program(timeline)
    several = [held.get(program, set()) for program in np.unique(programs).tolist()]
    return any(
        len(one & other) < ALIKE.value * max(len(one), len(other)) for one, other in itertools.combinations(several, 2)
    )


@derived
def ops_by_program(timeline: Timeline) -> dict[int, set[int]]:
    """The ops that each program ran, by their place in `ops_of`."""
    ops, held = ops_of(timeline), dict[int, set[int]]()
    for side in (ops.host, ops.device):
        program, kind = timeline.stat_of("program_id", side.rows)
        known = is_integer(kind)
        for of, op in np.unique(np.stack((program[known], side.op[known])), axis=1).T.tolist():
            held.setdefault(of, set()).add(op)
    return held


# Calls of compiled functions → what they do of a training: apply gradients, compute them, evaluate, or none of these.
#
# TensorFlow runs ops while a call lasts. JAX's run later, elsewhere, under the function's name; those that add to
# weights
# are recognised by what else the function runs, or by its name.

#: Ops of TensorFlow that apply gradients. Metrics, counters and what adds up gradients use `AssignAddVariableOp`.
_UPDATES = regex(r"(?:.*[:/])?(?:Resource\w*Apply\w+|AssignSubVariableOp)", re.DOTALL)
_GRADIENTS = regex(r"(?:.*/)?gradient_tape/.*|gradients/.*", re.DOTALL)
#: So many functions are looked at.
MOST_OTHERS = 64
#: The function of an op of JAX's, and what it is in it.
_OF_FUNCTION = regex(r"p?jit\(([^()]+)\)/([^;]*)", re.DOTALL)
_SUM, _FORWARD = regex(r"(?:.*/)?(?:add|sub)"), regex(r"(?:.*/)?(?:dot|conv|reduce)\w*")
_NAMED = regex(r"apply|update|optimi[sz]er|accumulate|train", re.IGNORECASE)
_EVALUATES = regex(r"eval|test|valid|predict|infer", re.IGNORECASE)


class Part(IntEnum):
    """Of a training; higher ones make the lower ones' calls parts of a step. UNKNOWN: no op of any call is known."""

    UNKNOWN, EVALUATES, COMPUTES, GRADIENTS, APPLIES = range(-2, 3)


def parts(timeline: Timeline, several: list[Call]) -> list[Part]:
    """What each of some calls does."""
    capture = timeline.capture
    names = [capture.event_name(int(call.rows[0])) for call in several]
    of_jax = _of_jax(timeline)
    ops, gradients, updates = np.empty(0, np.int64), _trains_begun(capture, _GRADIENTS), updates_began(capture)
    if not capture.capabilities.has_operators and not capture.capabilities.has_ranges:
        ops = np.sort(capture.events.start_ps[ops_of(timeline).host.rows])
    found = []
    for call, name in zip(several, names, strict=True):
        if JITTED.fullmatch(name):
            part = _does(_runs(timeline, call)) if of_jax else Part.UNKNOWN
            part = Part.APPLIES if _NAMED.search(name) else part
        elif not FRAME.fullmatch(name) and _runs_some(capture, call, ops):
            part = Part.GRADIENTS if _runs_some(capture, call, gradients) else Part.COMPUTES
            part = Part.APPLIES if _runs_some(capture, call, updates) else part
        else:
            part = Part.APPLIES if _NAMED.search(name) else Part.UNKNOWN
        found.append(Part.EVALUATES if part < Part.GRADIENTS and _EVALUATES.search(name) else part)
    return found


def in_training(timeline: Timeline, choice: Choice, functions: list[Call], cost: Cost) -> Choice | None:
    """The function that trains, where one that does not takes longer: many calls of this come between some of that.

    Where none is seen to train, that of the loop in which the other comes now and then.
    """
    dear = choice.call
    between = [
        call
        for call in functions[:MOST_OTHERS]
        if call.track == dear.track
        and len(call.rows) > 1
        and call.rows[0] < dear.rows[-1]
        and dear.rows[0] < call.rows[-1]
    ]
    if len(between) < 2:
        return None
    training = _trains(timeline, between) or _named_training(timeline, dear, between)
    if not training:
        training = [call for call in between if _is_loop_around(call, dear)]
    elif any(call is dear for call in training):
        return None
    found = dearest(timeline.capture, training, cost)
    return found and found._replace(all=choice.all)


def _named_training(timeline: Timeline, dear: Call, between: list[Call]) -> list[Call]:
    """Those of some calls whose names say that they train, where the dearest's says that it evaluates."""
    part = parts(timeline, between)
    if not any(call is dear and p == Part.EVALUATES for call, p in zip(between, part, strict=True)):
        return []
    return [call for call, p in zip(between, part, strict=True) if p >= Part.GRADIENTS]


def _is_loop_around(call: Call, other: Call) -> bool:
    """Whether a call is that of a loop which runs another now and then: it comes first, more often, and several times
    before the other, which comes several times as well, as an evaluation's does, or is an occasion."""
    before = np.unique(np.searchsorted(call.rows, other.rows))
    if before[0] == 0 or len(call.rows) <= len(other.rows) or np.median(np.diff(before, prepend=0)) < 2:
        return False
    return len(other.rows) >= 2 * len(before) or is_occasion(call, other)


def is_occasion(call: Call, other: Call) -> bool:
    """Whether one call comes after so many of another, three or more, first after as many, but not after the last ones:
    a turn of both would end with it."""
    before = np.searchsorted(call.rows, other.rows)
    apart = int(np.median(np.diff(before))) if len(before) > 1 else 0
    return bool(apart > 2 and before[0] == apart and 0 < len(call.rows) - before[-1] < apart)


def _trains(timeline: Timeline, several: list[Call]) -> list[Call]:
    """Those of some calls that are seen to compute gradients, or to apply them."""
    capture = timeline.capture
    began = training_began(capture)
    return [call for call in several if _runs_some(capture, call, began) or "backward" in _runs(timeline, call)]


def _runs(timeline: Timeline, call: Call) -> set[str]:
    """The kinds of ops that a function of JAX's runs."""
    program = program_of(timeline, call)
    if program is None:
        return _of_jax(timeline).get(function_of(timeline.capture.event_name(int(call.rows[0]))), set())
    ops = ops_of(timeline).ops
    matches = (_OF_FUNCTION.match(ops[i].name) for i in ops_by_program(timeline).get(program, ()))
    return {_kind(match.group(2)) for match in matches if match}


def _trains_begun(capture: Capture, pattern: re.Pattern[str]) -> I64:
    """When ops of a kind begin on host threads, sorted."""
    rows = host_rows(capture)
    rows = rows[names_where(capture, rows, pattern.fullmatch)[capture.events.name[rows]]]
    return np.sort(capture.events.start_ps[rows])


@derived
def _of_jax(timeline: Timeline) -> dict[str, set[str]]:
    """By function what kinds of ops it runs: `backward`, `forward`, and `sum`, outside of what is differentiated."""
    held: dict[str, set[str]] = {}
    for op in ops_of(timeline).ops:
        if match := _OF_FUNCTION.match(op.name):
            function, within = match.groups()
            held.setdefault(function, set()).add(_kind(within))
    return held


def _kind(within: str) -> str:
    """Of an op, by its name in a function."""
    if _SUM.fullmatch(within) and "jvp" not in within:
        return "sum"
    return "backward" if "transpose(jvp" in within else "forward" if _FORWARD.fullmatch(within) else ""


def _does(kinds: set[str]) -> Part:
    """Beside gradients, a sum adds them to weights; what only adds, and runs nothing forward, applies others'."""
    if "backward" in kinds:
        return Part.APPLIES if "sum" in kinds else Part.GRADIENTS
    return Part.APPLIES if "sum" in kinds and "forward" not in kinds else Part.COMPUTES


def updates_began(capture: Capture) -> I64:
    """When TensorFlow's ops that apply gradients begin, sorted."""
    return _trains_begun(capture, _UPDATES)


def training_began(capture: Capture) -> I64:
    """When TensorFlow's ops that compute or apply gradients begin, sorted."""
    return np.sort(np.concatenate((updates_began(capture), _trains_begun(capture, _GRADIENTS))))


def runs_some(capture: Capture, rows: I64, began: I64) -> Flags:
    """Which events last while something begins."""
    first = np.searchsorted(began, capture.events.start_ps[rows])
    return np.asarray(np.searchsorted(began, ends(capture, rows)) > first)


def _runs_some(capture: Capture, call: Call, began: I64) -> bool:
    """Whether most calls last while something begins."""
    return bool(2 * int(runs_some(capture, call.rows, began).sum()) > len(call.rows))


# Ops that TensorFlow runs one by one, and that update weights → steps: each to its last update.
#
# A step computes, by the weights of its layers or by a compiled function, then updates one weight after another. What
# runs between the last update and the next step, an evaluation say, is of the step before.

EAGER = "EagerLocalExecute: "
_UPDATE_EAGER = regex(EAGER + r"(?:Resource\w*Apply\w+|AssignSubVariableOp)")
#: What a model computes with its weights, and functions, whose calls may do that.
_WEIGHS = regex(EAGER + r"(?:_?\w*MatMul\w*|\w*Conv\d?D?\w*|Einsum|\w*Gather\w*|CudnnRNN\w*|__\w+)")
FEWEST_UPDATES = Threshold(
    "steps that end with updates", 3, "steps", "what updates weights twice may be the set-up of a model"
)
#: Of what comes before a step's updates so many ops are compared with those of the next.
_BEFORE = 64


def eager_ops(timeline: Timeline, functions: bool = False) -> I64:
    """The operations that TensorFlow ran one by one, on the thread that ran most. functions: and compiled ones."""
    capture = timeline.capture
    rows = host_rows(capture)
    wanted = names_where(
        capture, rows, lambda name: name.startswith(EAGER) and (functions or not name.startswith(EAGER + "__"))
    )
    rows = consumers(capture, rows[wanted[capture.events.name[rows]]])
    rows = rows[outermost(capture, rows)]
    by_track = calls(capture, rows, capture.events.track[rows])
    return max(by_track, key=lambda call: len(call.rows)).rows if by_track else rows


def eager_updates(timeline: Timeline) -> Steps | None:
    """Steps by the updates that a program runs one by one; None without a few."""
    capture, rows = timeline.capture, eager_ops(timeline, functions=True)
    updates = np.flatnonzero(names_where(capture, rows, _UPDATE_EAGER.fullmatch)[capture.events.name[rows]])
    weighs = np.flatnonzero(names_where(capture, rows, _WEIGHS.fullmatch)[capture.events.name[rows]])
    if not len(updates) or not len(weighs) or _functions_update(timeline, rows):
        return None
    after = np.searchsorted(weighs, updates)
    last = updates[np.append(np.diff(after) > 0, True)]
    last = last[last > weighs[0]]
    if len(last) < FEWEST_UPDATES.value:
        return None
    of_turn = turn_of(_eager_kinds(capture.events.name[rows].astype(np.int64), last)) or 1
    ended = last_of_turns(timeline, rows[last], rows, of_turn)
    if len(ended) < FEWEST_UPDATES.value:
        return None
    begin, cut = begins_of(timeline, rows, ended)
    number = np.arange(len(ended))
    names = capture.strings.texts(np.unique(capture.events.name[rows[updates]]))
    evidence = message(
        "steps_seen.updates",
        names=tuple(shown(name.removeprefix(EAGER)) for name in sorted(names)[:3]),
        times=len(updates),
        thread=track_name(capture, int(capture.events.track[rows[0]])),
        each=round(len(updates) / len(ended)) if len(updates) > len(ended) else None,
    )
    draft = Draft(
        "calls",
        "likely",
        evidence,
        begin,
        number,
        texts(["step"] * len(ended), [str(i) for i in number.tolist()]),
        capture.events.start_ps[begin],
        ends(capture, ended),
        capture.events.track[ended],
        cut,
    )
    draft.others = loops(timeline)
    return built(draft)


def _functions_update(timeline: Timeline, rows: I64) -> bool:
    """Whether compiled functions update weights: then what is updated beside them, an average say, makes no step."""
    capture = timeline.capture
    rows = rows[names_where(capture, rows, lambda name: name.startswith(EAGER + "__"))[capture.events.name[rows]]]
    return bool(runs_some(capture, rows, updates_began(capture)).any())


def _eager_kinds(names: I64, last: I64) -> I64:
    """A number for what comes before each step's last update: as many ops as every step has."""
    length = min(_BEFORE, int(np.diff(last).min()), int(last[0]) + 1)
    before = names[last[:, None] - np.arange(length)]
    _, kind = np.unique(before, axis=0, return_inverse=True)
    return kind.reshape(-1).astype(np.int64)
