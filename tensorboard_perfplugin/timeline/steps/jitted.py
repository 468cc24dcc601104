"""JAX's jitted functions, of which one is called once an iteration, or the frame around them."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ...tables import I64, Capture, StatKind
from ...threshold import CHOSEN, Threshold
from ..timeline import Timeline
from .choice import FRAME, JITTED, Choice, Cost, dearest, function_of, label_of, named
from .pauses import turns
from .rows import Call, calls, ends, host_rows, names_where, outermost
from .same_name import apart, module_of, name_of
from .trains import MOST_OTHERS, in_training

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
    CHOSEN,
)
WITHIN = Threshold(
    "calls within a frame",
    0.8,
    "share",
    "a Python frame is the step if it holds more than this part of the calls",
    CHOSEN,
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
    return _around(capture, choice, host_rows(capture)) or _turns(capture, choice) or choice._replace(share=0.0)


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
    """The Python frame that holds nearly all calls, several each: of an epoch's and a step's the step's."""
    track = choice.call.track
    inside = np.sort(np.concatenate([call.rows for call in choice.all if call.track == track]))
    rows = rows[capture.events.track[rows] == track]
    rows = rows[names_where(capture, rows, FRAME.fullmatch)[capture.events.name[rows]]]
    best = None
    for frame in calls(capture, rows)[:MOST_OTHERS]:
        frame = frame._replace(rows=frame.rows[outermost(capture, frame.rows)])
        often = len(frame.rows)
        if max(2, len(best.rows) + 1 if best else 0) <= often <= len(inside) // 2 and _holds(
            capture, frame.rows, inside
        ):
            best = frame
    return best and Choice(best, label_of(named(capture, best)), 1.0, choice.all)


def _holds(capture: Capture, frames: I64, inside: I64) -> bool:
    """Whether nearly all of some calls lie inside of frames of their thread."""
    at = np.searchsorted(frames, inside) - 1
    within = (at >= 0) & (capture.events.start_ps[inside] < ends(capture, frames)[at])
    return bool(within.mean() > WITHIN.value)


def _turns(capture: Capture, choice: Choice) -> Choice | None:
    """Where operations are called one by one: from one pause to the next, if as many calls lie between."""
    on_thread = [call for call in choice.all if call.track == choice.call.track]
    rows = np.sort(np.concatenate([call.rows for call in on_thread]))
    at = turns(capture, rows)
    if at is None:
        return None
    times = int(at[1] - at[0])
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
