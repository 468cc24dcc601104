"""The call a program makes once an iteration: a jitted or tf.function, a session's run, a module, a Python frame."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ...tables import Capture, StatKind
from ...tables.capture import I64
from ..causes import launches_of
from ..timeline import INTEGER, Timeline
from .build import built, of_events, texts
from .input import asked_by_python
from .model import Confidence, Steps
from .models import within_one_turn
from .nested import loops
from .pauses import turns
from .rows import Call, calls, ends, host_rows, name_ids, names_where, outermost, shown, tell, track_name

_JITTED = re.compile(r"[A-Z]\w*Function\((.+)\)", re.DOTALL)
_TRACED = "EagerLocalExecute: __"
_RUNS = ("SessionRun", "RunGraph", "FunctionRun", "TfrtSessionRun", "TFRTRun")
_MODULE = re.compile(r"(?:XlaModule|(.+)):XLA (?:\w+ )?module|(?:TfrtTpu|PjRt|CommonPjRt)\w*Executable::Execute\w*")
_FRAME = re.compile(r"\$.*:\d+ .+|.*\.py[:(]\d+\)?:? .+", re.DOTALL)
#: What ends a step of several calls, if it is called once for each so many of them. An evaluation does not.
_APPLIES = re.compile(r"apply|update|optimi[sz]er|accumulate", re.IGNORECASE)
_CAPTURED = "InstantiatedCapturedFunction::"
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
#: A call with this share of the time of its like is likely the step.
_LEADS = 0.5
#: So many functions are looked at for calls that open a step.
_OTHERS = 64
#: Calls are no steps if less than this part of what runs on devices is launched from the first to the last.
_LAUNCHES = 0.05
#: With less than this it does not decide where a turn of the loop begins.
_MATTERS = 0.2
#: A main thread's calls are taken unless they cost less than this part of what another's do.
_MAIN_SHARE = 0.25
#: Numbers of threads from here on are hashes.
_HASHES = 1 << 32
_MAIN = re.compile(r"python[\d.]*|main|MainThread", re.IGNORECASE)


_Cost = Callable[[Call], int]


class _Choice(NamedTuple):
    """The calls that are taken, what to name them, their share of the time of all their like, and those.

    end_ps: of each step, where it is not the call's own. left_out: calls before the first step. paused: a step is what
    runs from pause to pause. times: calls a step makes of the one that is taken.
    """

    mine: Call
    label: str
    share: float
    all: list[Call]
    end_ps: I64 | None = None
    left_out: int = 0
    paused: bool = False
    times: int = 1


def repeated_calls(timeline: Timeline) -> Steps | None:
    """The first kind of call that has one which repeats, and of it the call that costs most."""
    capture = timeline.capture
    rows = host_rows(capture)
    choice = next((found for kind in _KINDS if (found := kind(timeline, rows)) is not None), None)
    if choice is None:
        return None
    choice = _accumulated(capture, choice, rows) or choice
    mine = choice.mine.rows
    number = np.arange(len(mine))
    sure: Confidence = "likely" if choice.share >= _LEADS and len(mine) >= 3 else "guess"
    names = texts([choice.label] * len(mine), [str(i) for i in number.tolist()])
    steps = of_events(capture, mine, "calls", sure, _evidence(capture, choice), number, names)
    if choice.end_ps is not None:
        steps.end_ps = choice.end_ps
    if not choice.paused:
        steps.begin_ps = _opened(capture, choice, rows)
    # Of a guess the calls themselves are looked at, else all from the first to the last.
    first, last = (slice(None), slice(None)) if sure == "guess" else (slice(1), slice(-1, None))
    if capture.format == "kineto" and not _launches(timeline, steps.begin_ps[first], steps.end_ps[last]):
        return None
    steps.others = loops(timeline) | {"calls before the first step": choice.left_out}
    for call in [call for call in choice.all if call is not choice.mine]:
        name = shown(capture.event_name(int(call.rows[0])))
        tell(steps.others, f"calls of `{name}` on thread `{track_name(capture, call.track)}`", len(call.rows))
    return built(steps)


def _launches(timeline: Timeline, begin_ps: I64, end_ps: I64) -> bool:
    """Whether the program works meanwhile: where devices do, it launches some of that. PyTorch does so in its calls."""
    at = np.sort(timeline.capture.events.start_ps[launches_of(timeline).rows[launches_of(timeline).rows >= 0]])
    return int((np.searchsorted(at, end_ps) - np.searchsorted(at, begin_ps)).sum()) >= _LAUNCHES * len(at)


def _evidence(capture: Capture, choice: _Choice) -> str:
    thread = track_name(capture, choice.mine.track)
    if choice.paused:
        return f"{choice.label} on thread `{thread}` repeat {len(choice.mine.rows)} times, with a pause before each"
    name = shown(capture.event_name(int(choice.mine.rows[0])))
    if choice.times > 1:
        return f"`{name}` was called {choice.times} times in each of {len(choice.mine.rows)} turns on thread `{thread}`"
    covered = _covered(capture, choice.mine)
    return (
        f"`{name}` was called {len(choice.mine.rows)} times on thread `{thread}`, {covered:.0%} of the time from its "
        "first to its last call"
    )


def _covered(capture: Capture, mine: Call) -> float:
    begin, duration = capture.events.start_ps[mine.rows], capture.events.duration_ps[mine.rows]
    window = int(begin[-1] + duration[-1] - begin[0])
    return min(1.0, float(duration.sum()) / window) if window > 0 else 0.0


def _functions(timeline: Timeline, rows: I64) -> _Choice | None:
    """tf.functions that Python called; where one name stands for several of them, each apart."""
    capture = timeline.capture
    rows = rows[timeline.stat_of("tf_function_call", rows)[1] == StatKind.TEXT]
    rows = rows[outermost(capture, rows)]
    return _dearest(capture, calls(capture, rows, _apart(timeline, rows)), lambda call: call.weight)


def _apart(timeline: Timeline, rows: I64) -> I64:
    """By call the id of its name, or another number where its name stands for several functions.

    Keras trains and validates by two functions of one name. They were traced once each, and run two different graphs; a
    function that was traced again says so. Then it has several graphs; but those that are run in turn are of several.
    """
    capture = timeline.capture
    name = capture.events.name[rows].astype(np.int64)
    inner = host_rows(capture)
    inner = inner[names_where(capture, inner, lambda text: text.startswith(_TRACED))[capture.events.name[inner]]]
    traced, kind = timeline.stat_of("tracing_count", rows)
    if not len(inner) or not len(rows) or not np.isin(kind, INTEGER).all():
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
    return np.where(again[name], name, name + size * graph)


def _in_turn(graph: I64) -> bool:
    """Whether some graphs are run in a fixed order again and again."""
    k = len(np.unique(graph))
    return 1 < k <= len(graph) // 3 and bool((graph[k:] == graph[:-k]).all())


def _jitted(timeline: Timeline, rows: I64) -> _Choice | None:
    """JAX's jitted functions, by what their modules cost wherever they ran, since a call only issues them."""
    capture = timeline.capture
    rows = rows[names_where(capture, rows, _JITTED.fullmatch)[capture.events.name[rows]]]
    rows = rows[outermost(capture, rows)]
    found = calls(capture, rows)
    if not found:
        return None
    functions = {call.name: _function(capture.strings[call.name]) for call in found}
    cost = _costs(timeline, found, functions)
    own = [call for call in found if functions[call.name] not in _OPERATIONS]
    choice = _dearest(capture, own, cost) or _dearest(capture, found, cost)
    if choice is None:
        return None
    share = cost(choice.mine) / max(1, sum(cost(call) for call in found))
    choice = choice._replace(share=share, all=found)
    alone = functions[choice.mine.name] in _OPERATIONS
    if share >= _MATTERS and not alone:
        return choice
    return _around(capture, choice, host_rows(capture)) or _turns(capture, choice) or choice._replace(share=0.0)


def _costs(timeline: Timeline, found: list[Call], functions: dict[int, str]) -> _Cost:
    """Each call's time on its thread, and its part of its module's, wherever that ran."""
    modules = _module_time(timeline)
    often: Counter[int] = Counter()
    for call in found:
        often[call.name] += len(call.rows)

    def cost(call: Call) -> int:
        module = modules.get(_module(functions[call.name]), 0)
        return call.weight + module * len(call.rows) // often[call.name]

    return cost


def _around(capture: Capture, choice: _Choice, rows: I64) -> _Choice | None:
    """The Python frame that holds nearly all calls, several each: of an epoch's and a step's the step's."""
    track = choice.mine.track
    inside = np.sort(np.concatenate([call.rows for call in choice.all if call.track == track]))
    rows = rows[capture.events.track[rows] == track]
    rows = rows[names_where(capture, rows, _FRAME.fullmatch)[capture.events.name[rows]]]
    best = None
    for frame in calls(capture, rows)[:_OTHERS]:
        frame = frame._replace(rows=frame.rows[outermost(capture, frame.rows)])
        often = len(frame.rows)
        if max(2, len(best.rows) + 1 if best else 0) <= often <= len(inside) // 2 and _holds(
            capture, frame.rows, inside
        ):
            best = frame
    return best and _Choice(best, _label(_named(capture, best)), 1.0, choice.all)


def _holds(capture: Capture, frames: I64, inside: I64) -> bool:
    """Whether nearly all of some calls lie inside of frames of their thread."""
    at = np.searchsorted(frames, inside) - 1
    within = (at >= 0) & (capture.events.start_ps[inside] < ends(capture, frames)[at])
    return bool(within.mean() > 0.8)


def _turns(capture: Capture, choice: _Choice) -> _Choice | None:
    """Where operations are called one by one: from one pause to the next, if as many calls lie between."""
    mine = [call for call in choice.all if call.track == choice.mine.track]
    rows = np.sort(np.concatenate([call.rows for call in mine]))
    at = turns(capture, rows)
    if at is None:
        return None
    label = f"{at[1] - at[0]} calls of {len(mine)} functions"
    first = Call(-1, choice.mine.track, rows[at], 0)
    end_ps = ends(capture, rows[np.append(at[1:], len(rows)) - 1])
    return _Choice(first, label, 0.0, choice.all, end_ps, int(at[0]), True)


def _function(name: str) -> str:
    match = _JITTED.fullmatch(name)
    return match.group(1) if match else name


def _module(function: str) -> str:
    return "jit_" + re.sub(r"\W", "_", function)


def _module_time(timeline: Timeline) -> dict[str, int]:
    """Time of the operations of each XLA module, on all threads and devices together."""
    capture = timeline.capture
    value, kind = timeline.stat("hlo_module")
    rows = np.flatnonzero(kind == StatKind.TEXT)
    spent = np.bincount(value[rows], weights=capture.events.duration_ps[rows].astype(float))
    return {capture.strings[i].partition("(")[0]: int(spent[i]) for i in np.flatnonzero(spent).tolist()}


def _graphs(timeline: Timeline, rows: I64) -> _Choice | None:
    """Graphs that TensorFlow was told to run, by whomever."""
    capture = timeline.capture
    traced = names_where(capture, rows, lambda name: name.startswith(_TRACED))
    rows = rows[traced[capture.events.name[rows]]]
    return _dearest(capture, calls(capture, rows[outermost(capture, rows)]), lambda call: call.weight)


def _runs(timeline: Timeline, rows: I64) -> _Choice | None:
    """Runs of sessions and functions, but not those of a tf.data pipeline."""
    capture = timeline.capture
    ids = name_ids(capture, _RUNS)
    every = rows
    rows = rows[np.isin(capture.events.name[rows], ids)]
    if not len(rows):
        return None
    captured = names_where(capture, every, lambda name: name.startswith(_CAPTURED))
    of_input = timeline.stat_of("id", every[captured[capture.events.name[every]]])[0]
    run, kind = timeline.stat_of("id", rows)
    rows = rows[~(np.isin(kind, INTEGER) & np.isin(run, of_input))]
    return _dearest(capture, calls(capture, rows[outermost(capture, rows)]), lambda call: call.weight)


def _modules(timeline: Timeline, rows: I64) -> _Choice | None:
    """XLA modules that a host thread ran or issued."""
    capture = timeline.capture
    rows = rows[names_where(capture, rows, _MODULE.fullmatch)[capture.events.name[rows]]]
    return _dearest(capture, calls(capture, rows[outermost(capture, rows)]), lambda call: call.weight)


def _frames(timeline: Timeline, rows: I64) -> _Choice | None:
    """Python frames: the outermost of those that repeat on their thread."""
    capture = timeline.capture
    rows = rows[names_where(capture, rows, _FRAME.fullmatch)[capture.events.name[rows]]]
    if not len(rows):
        return None
    key = capture.events.track[rows].astype(np.int64) * len(capture.strings) + capture.events.name[rows]
    _, which, count = np.unique(key, return_inverse=True, return_counts=True)
    rows = rows[count[which.reshape(-1)] > 1]
    rows = rows[~within_one_turn(timeline, rows)]
    return _dearest(capture, calls(capture, rows[outermost(capture, rows)]), lambda call: call.weight)


def _dearest(capture: Capture, found: list[Call], cost: _Cost) -> _Choice | None:
    """Of calls that repeat the one of highest cost."""
    again = [call for call in found if len(call.rows) > 1]
    if not again:
        return None
    mine = _on_main(capture, again, cost)
    total = sum(cost(call) for call in found)
    label = _label(capture.event_name(int(mine.rows[0])))
    return _Choice(mine, label, cost(mine) / total if total else 0.0, found)


def _on_main(capture: Capture, found: list[Call], cost: _Cost) -> Call:
    """The dearest; of several main threads' the one of the program's first, whose number is the lowest.

    Where threads have hashes for numbers, these tell nothing.
    """
    best = max(found, key=cost)
    if not _MAIN.fullmatch(track_name(capture, best.track)):
        return best
    dear = [call for call in found if cost(call) >= _MAIN_SHARE * cost(best)]
    main = [call for call in dear if _MAIN.fullmatch(track_name(capture, call.track))]
    if any(not 0 <= int(capture.tracks.id[call.track]) < _HASHES for call in main):
        return best
    first = min(main, key=lambda call: int(capture.tracks.id[call.track])).track
    return max((call for call in main if call.track == first), key=cost)


def _accumulated(capture: Capture, choice: _Choice, rows: I64) -> _Choice | None:
    """Steps of several calls: as many for each ask for input, or for each call that applies what they gathered."""
    mine, track = choice.mine.rows, choice.mine.track
    if choice.paused:
        return None
    asks = calls(capture, asked_by_python(capture, rows[capture.events.track[rows] == track]))
    applies = [
        c for c in choice.all if c.track == track and c is not choice.mine and _APPLIES.search(_named(capture, c))
    ]
    for call in [call for call in asks + applies if len(call.rows) > 1]:
        turn = np.searchsorted(call.rows, mine)
        times = np.bincount(turn, minlength=len(call.rows) + 1)[1:-1]
        often = int(np.median(times))
        if often < 2 or np.mean(times == often) < 0.8:
            continue
        first = np.flatnonzero(np.append(True, np.diff(turn) > 0))
        if len(first) < 2:
            continue
        last = np.append(first[1:], len(mine)) - 1
        taken = choice.mine._replace(rows=mine[first])
        return choice._replace(mine=taken, end_ps=ends(capture, mine[last]), times=often)
    return None


def _named(capture: Capture, call: Call) -> str:
    return capture.event_name(int(call.rows[0]))[:200]


def _opened(capture: Capture, choice: _Choice, rows: I64) -> I64:
    """Begin of each step: of the first call or ask for input that always comes before the call that is taken.

    As many calls of a function come before the first taken call and after the last together as between two: then the
    program begins its turn with them.
    """
    mine, start = choice.mine.rows, capture.events.start_ps
    begin = start[mine]
    others = [call for call in choice.all if call is not choice.mine and call.track == choice.mine.track]
    others += calls(capture, asked_by_python(capture, rows[capture.events.track[rows] == choice.mine.track]))
    for call in [call for call in others if len(call.rows) >= len(mine)][:_OTHERS]:
        count = np.bincount(np.searchsorted(mine, call.rows), minlength=len(mine) + 1)
        lead = int(count[0])
        if not lead or np.mean(count[1:-1] == lead + count[-1]) < 0.8:
            continue
        before = np.cumsum(count[:-1]) - lead
        opens = start[call.rows[np.maximum(before, 0)]]
        begin = np.where(count[:-1] >= lead, np.minimum(begin, opens), begin)
    return begin


def _label(name: str) -> str:
    """What people call the function: `f` of `PjitFunction(f)` and of `$train.py:12 f`."""
    if _FRAME.fullmatch(name):
        return name.rpartition(" ")[2][:200]
    return _function(name)[:200]


_KINDS = (_functions, _jitted, _graphs, _runs, _modules, _frames)
