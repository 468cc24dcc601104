"""The call a program makes once an iteration: a jitted or tf.function, a session's run, a module, a Python frame."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np

from ...messages import Message, message
from ...patterns import regex
from ...tables import I32, I64, Capture, StatKind, among, intervals
from ...threshold import Threshold
from ..causes import launches_of
from ..nesting import enclosing, enclosing_of
from ..ops.ops import are_calls, modules, ops_of
from ..timeline import Timeline, is_integer
from .marks import ranges
from .model import (
    FRAME,
    JITTED,
    Call,
    Choice,
    Confidence,
    Cost,
    Flags,
    Steps,
    built,
    calls,
    count_other,
    dearest,
    ends,
    function_of,
    host_rows,
    label_of,
    loops,
    name_ids,
    named,
    names_where,
    of_events,
    outermost,
    shown,
    texts,
    track_name,
    turns,
    turns_apart,
    turns_in_sequence,
    whole_percent,
)
from .updates import (
    MOST_OTHERS,
    Part,
    apart,
    asked_by_python,
    consumers,
    eager_updates,
    in_training,
    is_occasion,
    module_of,
    name_of,
    optimizer_steps,
    parts,
    runs_some,
    training_began,
)

# TensorFlow's functions, graphs and runs of sessions, of which one is called once an iteration.

_TRACED = "EagerLocalExecute: __"
_RUNS = ("SessionRun", "RunGraph", "FunctionRun", "TfrtSessionRun", "TFRTRun")
_CAPTURED = "InstantiatedCapturedFunction::"


def functions(timeline: Timeline, rows: I64) -> Choice | None:
    """tf.functions that Python called; where one name stands for several of them, each apart."""
    capture = timeline.capture
    rows = rows[timeline.stat_of("tf_function_call", rows)[1] == StatKind.TEXT]
    rows = rows[outermost(capture, rows)]
    choice = dearest(capture, calls(capture, rows, _apart(timeline, rows)), lambda call: call.weight)
    return choice and (in_training(timeline, choice, choice.all, lambda call: call.weight) or choice)


def _apart(timeline: Timeline, rows: I64) -> I64:
    """By call the id of its name, or another number where its name stands for several functions.

    Keras trains and validates by two functions of one name. They were traced once each, and run two different graphs; a
    function that was traced again says so. Then it has several graphs; but those that are run in turn are of several,
    and so are those that train and those that do not.
    """
    capture = timeline.capture
    name = capture.events.name[rows].astype(np.int64)
    inner = host_rows(capture)
    inner = inner[names_where(capture, inner, lambda text: text.startswith(_TRACED))[capture.events.name[inner]]]
    traced, kind = timeline.stat_of("tracing_count", rows)
    if not len(inner) or not len(rows) or not is_integer(kind).all():
        return name
    first = np.minimum(np.searchsorted(inner, rows), len(inner) - 1)
    within = inner[first]
    end = capture.events.start_ps[rows] + capture.events.duration_ps[rows]
    holds = (capture.events.track[within] == capture.events.track[rows]) & (capture.events.start_ps[within] < end)
    graph = np.where(holds & (within > rows), capture.events.name[within], 0).astype(np.int64)
    again = np.zeros(len(capture.strings), bool)
    for several in np.unique(name[traced > 1]).tolist():
        again[several] = not _in_turn(graph[name == several])
    size = len(capture.strings)
    return np.where(again[name], name + size * size * _training(timeline, rows, graph), name + size * graph)


def _training(timeline: Timeline, rows: I64, graph: I64) -> I64:
    """By call 1 where most calls of its graph run ops that train, else 0."""
    _, which = np.unique(graph, return_inverse=True)
    train = runs_some(timeline.capture, rows, training_began(timeline.capture)).astype(float)
    which = which.reshape(-1)
    return (2 * np.bincount(which, train) > np.bincount(which))[which].astype(np.int64)


def _in_turn(graph: I64) -> bool:
    """Whether some graphs are run in a fixed order again and again."""
    k = len(np.unique(graph))
    return 1 < k <= len(graph) // 3 and bool((graph[k:] == graph[:-k]).all())


def graphs(timeline: Timeline, rows: I64) -> Choice | None:
    """Graphs that TensorFlow was asked to run, by whomever."""
    capture = timeline.capture
    traced = names_where(capture, rows, lambda name: name.startswith(_TRACED))
    rows = rows[traced[capture.events.name[rows]]]
    return dearest(capture, calls(capture, rows[outermost(capture, rows)]), lambda call: call.weight)


def runs(timeline: Timeline, rows: I64) -> Choice | None:
    """Runs of sessions and functions, but not those of a tf.data pipeline."""
    capture = timeline.capture
    ids = name_ids(capture, _RUNS)
    every = rows
    rows = rows[among(capture.events.name[rows], ids)]
    if not len(rows):
        return None
    captured = names_where(capture, every, lambda name: name.startswith(_CAPTURED))
    of_input = timeline.stat_of("id", every[captured[capture.events.name[every]]])[0]
    run, kind = timeline.stat_of("id", rows)
    rows = rows[~(is_integer(kind) & among(run, of_input))]
    return dearest(capture, calls(capture, rows[outermost(capture, rows)]), lambda call: call.weight)


# JAX's jitted functions, of which one is called once an iteration, or the frame around them.

#: What JAX calls for an operation that stands alone, not what a program calls its step.
_OPERATIONS = frozenset(
    """
    _argmax _argmin _argsort _astype _bernoulli _broadcast_arrays _categorical _choice _clip
    _cumulative_reduction _diff _einsum _exponential _gamma _gumbel _isclose _linspace _logsumexp _mean
    _moveaxis _multi_slice _nan_to_num _normal _normal_real _one_hot _pad _power _psum _randint _reduce_all
    _reduce_and _reduce_any _reduce_max _reduce_min _reduce_or _reduce_prod _reduce_sum _rem _rng_bit_generator
    _roll_static _shuffle _softmax _split _squeeze _std _take _threefry_fold_in _threefry_random_bits
    _threefry_seed _threefry_split _threefry_split_foldlike _truncated_normal _uniform _unstack _var _where abs
    absolute add all allclose any apply_fn_to_all arange argmax argsort array_equal astype atleast_1d
    bitwise_and broadcast_in_dim broadcast_to broadcasted_iota clamp clip concatenate conv_general_dilated
    convert_element_type convolution copy cos cumprod cumsum diag divide dot dot_general dynamic_slice
    dynamic_update_slice equal erf exp exp2 expand_dims eye flip floor floor_divide fn fold_in full full_like
    gather gelu greater greater_equal inner integer_pow iota isclose isfinite isnan kron less less_equal
    linspace log log1p logical_and logical_not logical_or logistic logsumexp matmul max maximum mean min minimum
    mod multiply nan_to_num neg negative norm not_equal one_hot ones ones_like outer pad power prod random_bits
    ravel relu remainder repeat reshape rev reverse rng_bit_generator roll round rsqrt scatter select select_n
    shuffle sigmoid sign silu sin softmax sort sqrt square squeeze stack std stop_gradient subtract sum swapaxes
    take tan tanh tensordot tile top_k trace transpose tril triu true_divide unsigned_shift_right_logical var
    vmap where zeros zeros_like
    """.split()  # noqa: SIM905
)
MATTERS = Threshold(
    "jitted function that matters",
    0.2,
    "share",
    "with less of all functions' cost, none is the step: it is the frame around them, or a turn between pauses",
)
_EPOCH = regex(r"epoch", re.IGNORECASE)
WITHIN = Threshold(
    "calls within a frame", 0.8, "share", "a Python frame is the step if it holds more than this part of the calls"
)


def jitted(timeline: Timeline, rows: I64) -> Choice | None:
    """JAX's jitted functions, by what their modules cost wherever they ran, since a call only issues them."""
    capture = timeline.capture
    rows = rows[names_where(capture, rows, JITTED.fullmatch)[capture.events.name[rows]]]
    rows = rows[outermost(capture, rows)]
    every = calls(capture, rows, apart(timeline, rows))
    if not every:
        return None
    called = {call.name: function_of(named(capture, call)) for call in every}
    cost = _costs(timeline, every, called)
    functions = [call for call in every if called[call.name] not in _OPERATIONS]
    choice = dearest(capture, functions, cost) or dearest(capture, every, cost)
    if choice is None:
        return None
    trained = in_training(timeline, choice, functions, cost)
    choice = trained or choice
    share = cost(choice.call) / max(1, sum(cost(call) for call in every))
    choice = choice._replace(share=share, all=every)
    if trained:
        return choice
    alone = called[choice.call.name] in _OPERATIONS
    if share >= MATTERS.value and not alone:
        return choice
    return _around(capture, choice, host_rows(capture)) or _turns(timeline, choice) or choice._replace(share=0.0)


def is_function(capture: Capture, call: Call) -> bool:
    """Whether it is not one of JAX's own operations, called alone."""
    match = JITTED.fullmatch(capture.event_name(int(call.rows[0])))
    return match is None or match.group(1) not in _OPERATIONS


def _costs(timeline: Timeline, every: list[Call], functions: dict[int, str]) -> Cost:
    """Each call's time on its thread, and its part of its module's, wherever that ran."""
    modules = _module_time(timeline)
    often: Counter[str] = Counter()
    for call in every:
        often[functions[call.name]] += len(call.rows)

    def cost(call: Call) -> int:
        function = functions[call.name]
        return call.weight + modules.get(module_of(function), 0) * len(call.rows) // often[function]

    return cost


def _around(capture: Capture, choice: Choice, rows: I64) -> Choice | None:
    """The Python frame that holds nearly all calls, several each: the outermost that comes several times, since it may
    call layers; not an epoch's."""
    track = choice.call.track
    inside = np.sort(np.concatenate([call.rows for call in choice.all if call.track == track]))
    rows = rows[capture.events.track[rows] == track]
    rows = rows[names_where(capture, rows, FRAME.fullmatch)[capture.events.name[rows]]]
    dearest_first = calls(capture, rows)[:MOST_OTHERS]
    frames = [call._replace(rows=call.rows[outermost(capture, call.rows)]) for call in dearest_first]
    holding = [
        frame for frame in frames if 2 <= len(frame.rows) <= len(inside) // 2 and _holds(capture, frame.rows, inside)
    ]
    turn = [f for f in holding if len(f.rows) >= FEWEST.value and not _EPOCH.search(label_of(named(capture, f)))]
    best = min(turn, key=lambda frame: len(frame.rows)) if turn else None
    best = best or max(holding, key=lambda frame: len(frame.rows), default=None)
    return best and Choice(best, label_of(named(capture, best)), 1.0, choice.all)


def _holds(capture: Capture, frames: I64, inside: I64) -> bool:
    """Whether nearly all of some calls lie inside of frames of their thread."""
    at = np.searchsorted(frames, inside) - 1
    within = (at >= 0) & (capture.events.start_ps[inside] < ends(capture, frames)[at])
    return bool(within.mean() > WITHIN.value)


def _turns(timeline: Timeline, choice: Choice) -> Choice | None:
    """Where operations are called one by one: from one pause to the next, if as many calls lie between, or from one
    sequence of all functions to the next. A program that waits for each result pauses within its turns, too."""
    capture, ops = timeline.capture, ops_of(timeline)
    running = np.concatenate((ops.host.rows, ops.device.rows))
    on_thread = [call for call in choice.all if call.track == choice.call.track]
    rows = np.sort(np.concatenate([call.rows for call in on_thread]))
    at = turns_apart(capture, rows, intervals.union(capture.events.start_ps[running], ends(capture, running)))
    at = turns_in_sequence(capture, rows) if at is None else at
    at = turns(capture, rows) if at is None else at
    if at is None:
        return None
    times = int(np.median(np.diff(at)))
    label = f"{times} calls of {len(on_thread)} functions"
    first = Call(-1, choice.call.track, rows[at], 0)
    end_ps = ends(capture, rows[np.append(at[1:], len(rows)) - 1])
    return Choice(first, label, 0.0, choice.all, end_ps, int(at[0]), times, len(on_thread))


def _module_time(timeline: Timeline) -> dict[str, int]:
    """Time of the operations of each XLA module, on all threads and devices together."""
    capture = timeline.capture
    value, kind = timeline.stat("hlo_module")
    rows = np.flatnonzero(kind == StatKind.TEXT)
    spent = np.bincount(value[rows], weights=capture.events.duration_ps[rows].astype(float))
    found: Counter[str] = Counter()
    for i in np.flatnonzero(spent).tolist():
        found[name_of(capture.strings[i])] += int(spent[i])
    return found


# A capture of PyTorch's → calls of whole models, `nn.Module`s in no other: what repeats in one of them is a layer.


def calls_around(timeline: Timeline, rows: I64 | I32) -> I64:
    """The row of the model's call that each of some host events lies in, -1 where it lies in none."""
    if not timeline.capture.capabilities.has_operators:
        return np.full(len(rows), -1)
    is_module = modules(timeline.capture)
    models = is_module & (enclosing(timeline, is_module) < 0)
    return enclosing_of(timeline, models, rows).astype(np.int64)


def operators(timeline: Timeline) -> I64:
    """PyTorch's outermost calls of operators, of all threads."""
    capture = timeline.capture
    rows = host_rows(capture) if capture.capabilities.has_operators else np.empty(0, np.int64)
    rows = rows[are_calls(timeline, rows)]
    return rows[outermost(capture, rows)]


def within_one_turn(timeline: Timeline, rows: I64) -> Flags:
    """Which of some host events lie in a model's call that comes once: no loop of the program repeats them."""
    around = calls_around(timeline, rows)
    inside = around >= 0
    names = timeline.capture.events.name
    name, often = np.unique(names[np.unique(around[inside])], return_counts=True)
    once = inside.copy()
    once[inside] = among(names[around[inside]], name[often == 1])
    return once


def begins_turn(timeline: Timeline, kernels: I64 | I32) -> Flags:
    """Of kernels in order of time: which were launched in another call of a model, or by another launch of a graph,
    than the one before. What is not known to be launched together is not.
    """
    launch = launches_of(timeline).rows[kernels].astype(np.int64)
    around = calls_around(timeline, launch)
    turn = np.where(around >= 0, around, launch)
    turn = np.where(launch >= 0, turn, -1 - np.arange(len(turn)))
    return np.append(True, np.diff(turn) != 0)[: len(turn)]


#: What programs update weights with that have no optimizer of PyTorch's.
_UPDATES = regex(r"aten::(?:_foreach_)?(?:add|sub|addcdiv|addcmul|lerp)_|aten::_fused_\w+")
#: Frames that are no turn of a program's loop: of profilers, of threads, and of all of PyTorch but calls of models.
_LIBRARIES = regex(
    r"(?:.*/(?:site|dist)-packages/)?torch/(?!nn/modules/module\.py).*|\$?(?:profiler(?:_v2)?|threading)\.py\W.*",
    re.DOTALL,
)
_MODULE = regex(r"(?:XlaModule|(.+)):XLA (?:\w+ )?module|(?:TfrtTpu|PjRt|CommonPjRt)\w*Executable::Execute\w*")
LEADS = Threshold(
    "leading call",
    0.5,
    "share",
    "a call with this part of the time of its like is likely the step; with less it is a guess",
)
FEWEST = Threshold(
    "calls that are likely steps", 3, "calls", "what comes twice may come twice by chance, and is a guess"
)
LAUNCHES = Threshold(
    "launched meanwhile",
    0.05,
    "share",
    "of PyTorch: calls are no steps if less of what runs on devices is launched from the first to the last",
)
SAME_COUNT = Threshold(
    "as many calls a turn",
    0.8,
    "share",
    "so many turns must hold as many calls for the turn, not the call, to be the step",
)


def repeated_calls(timeline: Timeline) -> Steps | None:
    """Steps that PyTorch's optimizers or TensorFlow's updates end, else those by other calls."""
    for rule in (optimizer_steps, eager_updates, _by_calls):
        found = rule(timeline)
        if found is not None:
            return found
    return None


def _by_calls(timeline: Timeline) -> Steps | None:
    """The first kind of call that has one which repeats, and of it the call that costs most; none of what an input
    pipeline calls, ahead of the program."""
    capture = timeline.capture
    rows = consumers(capture, host_rows(capture))
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
    is_frame = names_where(capture, rows, lambda name: FRAME.fullmatch(name) and not _LIBRARIES.fullmatch(name))
    rows = rows[is_frame[capture.events.name[rows]]]
    if not len(rows):
        return None
    key = capture.events.track[rows].astype(np.int64) * len(capture.strings) + capture.events.name[rows]
    _, which, count = np.unique(key, return_inverse=True, return_counts=True)
    rows = rows[count[which.reshape(-1)] > 1]
    rows = rows[~within_one_turn(timeline, rows)]
    every = calls(capture, rows[outermost(capture, rows)])
    if capture.capabilities.has_operators:
        every = _around_operators(timeline, every)
    return dearest(capture, every, lambda call: call.weight)


def _around_operators(timeline: Timeline, every: list[Call]) -> list[Call]:
    """PyTorch: those frames that hold nearly all operators of their thread, all where there are none at all."""
    capture, rows = timeline.capture, operators(timeline)
    if not len(rows):
        return every
    by_track = {track: rows[capture.events.track[rows] == track] for track in {call.track for call in every}}
    return [call for call in every if len(inside := by_track[call.track]) and _holds(capture, call.rows, inside)]


def _accumulated(timeline: Timeline, choice: Choice, rows: I64) -> Choice | None:
    """Steps of several calls: as many for each ask for input, or for each call that does as much of a training."""
    capture, begins, track = timeline.capture, choice.call.rows, choice.call.track
    if choice.functions:
        return None
    asks = calls(capture, asked_by_python(capture, rows[capture.events.track[rows] == track]))
    closing = [*asks, *_closing(timeline, choice), *_updates_after(timeline, choice.call)]
    for call in [call for call in closing if len(call.rows) > 1]:
        turn = np.searchsorted(call.rows, begins)
        held = np.bincount(turn, minlength=len(call.rows) + 1)
        often = int(np.median(held[1:-1]))
        if often < 2 or np.mean(held[1:-1] == often) < SAME_COUNT.value:
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

    What trains less than the calls between is an evaluation, or what is reckoned now and then. Of functions of which
    nothing is known, one that comes after every second call of the other is the second half of a turn.
    """
    call = choice.call
    others = [c for c in choice.all if c is not call and c.track == call.track and 1 < len(c.rows) <= len(call.rows)]
    part, *does = parts(timeline, [call, *others[:MOST_OTHERS]])
    closing = []
    for p, c in zip(does, others, strict=False):
        # Several that train, one after the other, are one end.
        first = np.unique(np.searchsorted(call.rows, c.rows), return_index=True)[1]
        once = c._replace(rows=c.rows[first]) if p >= Part.GRADIENTS else c
        by_twos = p == part == Part.UNKNOWN and abs(2 * len(once.rows) - len(call.rows)) <= 2
        known = p >= max(part, Part.COMPUTES) or by_twos
        if known and is_function(timeline.capture, c) and not (p == part and is_occasion(call, once)):
            closing.append((p, once))
    return [c for _, c in sorted(closing, key=lambda each: (-each[0], -len(each[1].rows)))]


def _updates_after(timeline: Timeline, call: Call) -> list[Call]:
    """PyTorch: the updates of weights between calls of a frame that makes none itself, the first after each call."""
    capture, rows = timeline.capture, operators(timeline)
    rows = rows[capture.events.track[rows] == call.track]
    rows = rows[names_where(capture, rows, _UPDATES.fullmatch)[capture.events.name[rows]]]
    if not len(rows) or runs_some(capture, call.rows, capture.events.start_ps[rows]).any():
        return []
    return [call._replace(rows=rows[np.append(True, np.diff(np.searchsorted(call.rows, rows)) > 0)])]


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
