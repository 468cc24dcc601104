"""What calls and op names show of how a model is written: attention, optimizers, activations, norms, shapes."""

from __future__ import annotations

import collections
import json
import re
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ..patterns import regex
from ..tables import (
    EMPTY,
    I32,
    I64,
    Evidence,
    Intervals,
    PlaneKind,
    StatKind,
    alike,
    among,
    at_once,
    distinct_rows,
    intervals,
)
from ..threshold import Threshold
from ..timeline.causes import launches_of
from ..timeline.devices import units_at_work_of
from ..timeline.loops.loops import nearest
from ..timeline.names.ops import Op
from ..timeline.nesting import nesting_of
from ..timeline.ops.ops import forward_calls, host_self_ps_of, op_around_of, ops_of
from ..timeline.timeline import Timeline

# A timeline of PyTorch's operators → what autograd's anomaly mode does, and how long it takes.
#
# `set_detect_anomaly` has each operator that makes a node keep the stack of its caller as text, within its own time,
# and each node of the backward pass look for NaN: `aten::isnan`, `aten::_is_any_true` or `aten::any`, and `aten::item`,
# right inside of `autograd::engine::evaluate_function`. The length of a stack follows from operators that only view a
# tensor: of these all self time is, of others as much on average.

CHECKED = Threshold(
    "nodes that are checked",
    0.5,
    "share",
    "of the backward pass's nodes; anomaly mode checks all that give a gradient, a hook of a program those it is for",
)
_NODE = regex(r"autograd::engine::evaluate_function: (?!torch::autograd::).*", re.DOTALL)
_OF_NODE = regex(r"(?!autograd::)\w*Backward\w*(?:$|<).*", re.DOTALL)
_LOOKS = regex(r"aten::isnan")
_CHECK = regex(r"aten::(?:isnan|_is_any_true|any|item)")
_VIEW = regex(
    r"aten::(?:t|view|transpose|permute|expand|(?:un)?squeeze|reshape|_unsafe_view|select|slice|alias|detach|"
    r"(?:un)?flatten|narrow|chunk|split|unbind|as_strided)"
)


class Anomaly(NamedTuple):
    """begin_ps, end_ps: of each check for NaN, and each stack that is kept. nodes: when each checked node begins."""

    begin_ps: I64
    end_ps: I64
    nodes: I64

    def within(self, timeline: Timeline, windows: Intervals) -> int:
        """How long it takes in some windows, without what devices do meanwhile."""
        when = intervals.intersection(intervals.union(self.begin_ps, self.end_ps), windows)
        for device in units_at_work_of(timeline):
            when = intervals.subtraction(when, device.busy)
        return when.total


NO_ANOMALY = Anomaly(EMPTY.begin, EMPTY.end, EMPTY.begin)


def anomaly(timeline: Timeline) -> Anomaly:
    """None where the nodes of the backward pass are not checked."""
    capture = timeline.capture
    events, looks = capture.events, capture.events_named(_LOOKS)
    nodes = capture.events_named(_NODE) if len(looks) else looks
    if not len(nodes):
        return NO_ANOMALY
    parent = nesting_of(timeline).parent
    checked = np.intersect1d(nodes, parent[looks])
    if len(checked) < CHECKED.value * len(nodes):
        return NO_ANOMALY
    checks = capture.events_named(_CHECK)
    checks = checks[among(parent[checks], checked)]
    begin, took = events.start_ps[checks], events.duration_ps[checks]
    rows, stack_ps = _stacks(timeline)
    begin, took = np.append(begin, events.start_ps[rows]), np.append(took, stack_ps)
    return Anomaly(begin, begin + took, events.start_ps[checked])


def _stacks(timeline: Timeline) -> tuple[I64, I64]:
    """Operators that made a node, and how long each took to keep its stack."""
    events, ops = timeline.capture.events, ops_of(timeline)
    rows, self_ps = ops.host.rows, host_self_ps_of(timeline)
    of_node = _named(timeline, _OF_NODE)[events.name[rows]]
    made = np.unique(forward_calls(timeline, rows)[of_node])
    made = made[made >= 0]
    rows, self_ps = rows[made], self_ps[made].astype(np.int64)
    views = _named(timeline, _VIEW)[events.name[rows]]
    if not len(rows):
        return rows, self_ps
    if not views.any():
        return rows, np.minimum(self_ps, int(np.median(self_ps)))
    others = int(self_ps[~views].sum())
    part = min(float(self_ps[views].mean()) * np.count_nonzero(~views) / max(others, 1), 1.0)
    return rows, np.where(views, self_ps, (part * self_ps).astype(np.int64))


def _named(timeline: Timeline, pattern: re.Pattern[str]) -> NDArray[np.bool_]:
    strings = timeline.capture.strings
    found = np.zeros(len(strings), bool)
    found[[i for i in timeline.capture.names_used.tolist() if pattern.fullmatch(strings[i][:200])]] = True
    return found


# Ops of JAX → those of attention that XLA runs as separate products, by the equations in their names.
#
# `jnp.einsum` puts its equation into the name of what it runs: `bqhd,bkhd->bhqk` gives scores, and `bhqk,bkhd->bqhd`
# takes them. Where both are in one scope, with what a softmax consists of, that scope is attention.

#: So much of a name's end is looked at.
_TAIL = 500
_ARROW = "->"
_EQUATION = regex(r"(?<![A-Za-z])([A-Za-z]{3,8}),([A-Za-z]{3,8})->([A-Za-z]{3,8})(?![A-Za-z])")
#: What a softmax consists of; fused, it goes by the last of these.
_NORMALIZES = ("exp", "reduce_max", "reduce_sum", "div", "softmax")
_SOFTMAX = (*_NORMALIZES, "sub", "select_n")


def attention_ops(ops: Sequence[Op]) -> NDArray[np.bool_]:
    """By op."""
    if not any(_ARROW in op.name for op in ops):
        return np.zeros(len(ops), bool)
    parts = [_parts(op.name[-_TAIL:]) for op in ops]
    scores, takes, normalizes = set[tuple[str, str]](), set[tuple[str, str]](), set[str]()
    for scope, equation, last in parts:
        if last in _NORMALIZES:
            normalizes.add(scope)
        if equation and _gives_scores(*equation):
            scores.add((scope, equation[2]))
        elif equation:
            takes.add((scope, equation[0]))
    pairs = {pair for pair in scores & takes if pair[0] in normalizes}
    scopes = {scope for scope, _ in pairs}
    found = (
        bool({(scope, equation[0]), (scope, equation[2])} & pairs) if equation else scope in scopes and last in _SOFTMAX
        for scope, equation, last in parts
    )
    return np.fromiter(found, bool, len(ops))


def _parts(name: str) -> tuple[str, tuple[str, str, str] | None, str]:
    """The scope of an op without the equation in it, the equation, and the op's own name."""
    equation = _EQUATION.search(name)
    if equation:
        name = f"{name[: equation.start()]}{name[equation.end() :]}"
    scope, _, last = name.rpartition("/")
    return scope.rstrip("/"), (equation[1], equation[2], equation[3]) if equation else None, last


def _gives_scores(a: str, b: str, result: str) -> bool:
    """Whether a product of queries with keys: a row for each of the one, a column for each of the other."""
    query, key = result[-2], result[-1]
    heads = set(result[:-2])
    summed = (set(a) & set(b)) - set(result)
    return len(summed) == 1 and {query} == set(a) - set(b) and {key} == set(b) - set(a) and heads <= set(a) & set(b)


# Stretches of threads → what begins in them, and the kernels that are launched from there.


def inside(timeline: Timeline, rows: I64, end_ps: I64) -> NDArray[np.bool_]:
    """By event: whether it is one of `rows`, or begins after one on its thread, and before that one's end."""
    events, tracks = timeline.capture.events, timeline.capture.tracks
    change = np.zeros(len(events) + 1, np.int64)
    for track in np.unique(events.track[rows]).tolist():
        here = np.flatnonzero(events.track[rows] == track) if len(rows) > 1 else np.zeros(1, np.int64)
        begin, end = int(tracks.events_begin[track]), int(tracks.events_end[track])
        last = begin + np.searchsorted(events.start_ps[begin:end], end_ps[here])
        np.add.at(change, rows[here], 1)
        np.add.at(change, np.maximum(last, rows[here] + 1), -1)
    found: NDArray[np.bool_] = np.cumsum(change[:-1]) > 0
    return found


def kernels_from(timeline: Timeline, where: NDArray[np.bool_]) -> I64:
    """The rows of what GPUs ran that was launched by some events; where: by event."""
    capture, rows = timeline.capture, ops_of(timeline).device.rows
    launch = launches_of(timeline).rows[at_once(rows)]
    mine = rows[(launch >= 0) & where[launch]]
    on_gpu: I64 = mine[(capture.planes.kind == PlaneKind.GPU)[capture.tracks.plane[capture.events.track[mine]]]]
    return on_gpu


def total_ps(timeline: Timeline, rows: I64) -> float:
    return float(timeline.capture.events.duration_ps[rows].sum(dtype=np.float64))


# A timeline of PyTorch's operators → optimizers that update one parameter after another, by a few kernels each.

#: PyTorch's own mark around a step of every optimizer.
_STEP = regex(r"Optimizer\.step#(\w{1,60})\.step")
#: What updates one tensor, and what updates many at once.
_ONE_TENSOR = regex(
    r"aten::(?:add|sub|mul|div|neg|sqrt|rsqrt|reciprocal|lerp|addcmul|addcdiv|maximum|copy|zero|fill|sign|pow|abs)_?"
)
_MANY_TENSORS = regex(r"aten::_(?:foreach|fused)_\w+")
_PLACES = 3


class OptimizerSteps(NamedTuple):
    """Steps of the optimizers of one class, those that ran something on a GPU. kernels: of ops on one tensor each.

    kernel_ps, all_ps: their time, and that of all that the steps launched. device_ps: from the first to the last
    kernel of each step, together; of_ps: from the first to the last kernel of the capture. places: on the host.
    """

    name: str
    steps: int
    kernels: int
    kernel_ps: float
    all_ps: float
    device_ps: float
    of_ps: float
    places: tuple[Evidence, ...]

    @property
    def share(self) -> float:
        return min(self.device_ps / self.of_ps, 1.0) if self.of_ps else 0.0


def optimizer_steps(timeline: Timeline) -> list[OptimizerSteps]:
    """By class, that which keeps GPUs longest first."""
    events = timeline.capture.events
    steps = timeline.capture.events_named(_STEP)
    rows = ops_of(timeline).device.rows if len(steps) else steps
    if not len(rows):
        return []
    rows = rows[_on_gpu(timeline, rows)]
    launch = launches_of(timeline).rows[at_once(rows)]
    is_step = np.zeros(len(events), bool)
    is_step[steps] = True
    step = np.where(launch >= 0, nearest(nesting_of(timeline).parent, is_step)[launch], -1)
    begin, end = events.start_ps[at_once(rows)], events.start_ps[at_once(rows)] + events.duration_ps[at_once(rows)]
    of_ps = float(end.max() - begin.min()) if len(rows) else 0.0
    mine = step >= 0
    rows, step = rows[mine], step[mine].astype(np.int64)
    name = events.name[step]
    found = (_of_class(timeline, rows[name == one], step[name == one], of_ps) for one in np.unique(name).tolist())
    return sorted(found, key=lambda each: -each.device_ps)


def _on_gpu(timeline: Timeline, rows: I64) -> NDArray[np.bool_]:
    capture = timeline.capture
    plane = capture.tracks.plane[capture.events.track[at_once(rows)]]
    on_gpu: NDArray[np.bool_] = (capture.planes.kind == PlaneKind.GPU)[plane]
    return on_gpu


def _of_class(timeline: Timeline, rows: I64, step: I64, of_ps: float) -> OptimizerSteps:
    """rows: of what ran on GPUs. step: the row of the step that launched each."""
    events = timeline.capture.events
    begin, end = events.start_ps[rows], events.start_ps[rows] + events.duration_ps[rows]
    distinct, which = np.unique(step, return_inverse=True)
    first, last = np.full(len(distinct), np.iinfo(np.int64).max), np.zeros(len(distinct), np.int64)
    np.minimum.at(first, which, begin)
    np.maximum.at(last, which, end)
    singly = _are_singly(timeline, launches_of(timeline).rows[rows])
    longest = distinct[np.argsort(-events.duration_ps[distinct], kind="stable")[:_PLACES]]
    name = _STEP.fullmatch(timeline.capture.strings[int(events.name[step[0]])])
    return OptimizerSteps(
        name[1] if name else "",
        len(distinct),
        int(np.count_nonzero(singly)),
        total_ps(timeline, rows[singly]),
        total_ps(timeline, rows),
        float((last - first).sum()),
        of_ps,
        tuple(_place(timeline, row) for row in longest.tolist()),
    )


def _are_singly(timeline: Timeline, launch: I32) -> NDArray[np.bool_]:
    """Which launches are of ops on one tensor, that no op for many calls."""
    events, capture = timeline.capture.events, timeline.capture
    called = op_around_of(timeline)[launch]
    names, of = np.unique(np.where(called >= 0, events.name[called], 0), return_inverse=True)
    on_one = np.array([bool(_ONE_TENSOR.fullmatch(capture.strings[i])) for i in names.tolist()], bool)[of]
    on_many = np.zeros(len(events), bool)
    on_many[capture.events_named(_MANY_TENSORS)] = True
    singly: NDArray[np.bool_] = on_one & (nearest(nesting_of(timeline).parent, on_many)[launch] < 0)
    return singly


def _place(timeline: Timeline, row: int) -> Evidence:
    events = timeline.capture.events
    begin = int(events.start_ps[row])
    return Evidence(timeline.host, begin, begin + int(events.duration_ps[row]), int(events.track[row]))


# Ops of TensorFlow → those of attention that runs as separate products, by their types and the scopes in their names.
#
# A scope holds attention where its forward pass has two batched products and a softmax, each its own or in a scope
# named as the op: `mha/einsum/Einsum`, `mha/Softmax`, `mha/einsum_1/Einsum`. What layers within the scope project, as
# `mha/query/MatMul`, is in scopes of its own. Gradients go by the forward op: `gradient_tape/mha/einsum/Einsum_1`.

#: So much of a name's end is looked at.
_GRADIENT = "gradient_tape/"
_PRODUCT = regex(r"Einsum|BatchMatMul(?:V\d)?")
_SOFTMAX_TYPE = "Softmax"
#: The scope of one op, and the forward op in a gradient's name.
_OF_AN_OP = regex(r"(?:einsum|(?:batch)?matmul(?:v\d)?|softmax)(?:_\d+)?", re.IGNORECASE)
#: Scores, and what takes them.
_PRODUCTS = 2


def attention_in_scopes(ops: Sequence[Op]) -> NDArray[np.bool_]:
    """By op; what has no scope may be of anything."""
    mine = [op.type == _SOFTMAX_TYPE or bool(_PRODUCT.fullmatch(op.type)) for op in ops]
    scopes = [_scope(op.name[-_TAIL:]) if is_mine else "" for op, is_mine in zip(ops, mine, strict=True)]
    softmaxes, products = set[str](), collections.Counter[str]()
    for op, scope in zip(ops, scopes, strict=True):
        if scope and _GRADIENT not in op.name:
            products[scope] += op.type != _SOFTMAX_TYPE
            softmaxes |= {scope} if op.type == _SOFTMAX_TYPE else set()
    attention = {scope for scope in softmaxes if products[scope] >= _PRODUCTS}
    return np.fromiter((scope in attention for scope in scopes), bool, len(ops))


def _scope(name: str) -> str:
    parts = name.partition(_GRADIENT)[2].split("/") if _GRADIENT in name else name.split("/")
    parts = parts[:-1]
    while parts and _OF_AN_OP.fullmatch(parts[-1]):
        parts = parts[:-1]
    return "/".join(parts)


# Shapes and strides of the tensors that PyTorch's calls take, where they are recorded.

_DIMS, _STRIDES = ("Input Dims", "Input dims"), ("Input Strides",)
#: So much of a text is read.
_LONGEST = 2000


def has_shapes(timeline: Timeline) -> bool:
    return any(map(timeline.has_stat, _DIMS))


def dims_of(timeline: Timeline, rows: I64) -> I64:
    """String ids of the shapes that some events' inputs have, 0 where there are none."""
    return _text(timeline, _DIMS, rows)


def strides_of(timeline: Timeline, rows: I64) -> I64:
    return _text(timeline, _STRIDES, rows)


def _text(timeline: Timeline, keys: tuple[str, ...], rows: I64) -> I64:
    text = np.zeros(len(rows), np.int64)
    for key in filter(timeline.has_stat, keys):
        value, kind = timeline.stat_of(key, rows)
        text = np.where((kind == StatKind.TEXT) & (text == 0), value, text)
    return text


def sizes_of(text: str) -> list[list[int]]:
    """Of `[[141, 512], [512, 512], []]` the lists; none where it is anything else."""
    try:
        found = json.loads(text[:_LONGEST]) if text else []
    except (ValueError, RecursionError):
        return []
    return [_sizes(each) for each in found] if isinstance(found, list) else []


def _sizes(found: object) -> list[int]:
    sizes = found if isinstance(found, list) else []
    return sizes if all(isinstance(n, int) and 0 <= n < 1 << 48 for n in sizes) else []


# A timeline of PyTorch's operators → attention that runs as products around a softmax, each by kernels of its own.
#
# Forward a product, the softmax of its result, and a product with that; backward two products, the softmax's gradient,
# and two products. A product is `bmm`, of matrices of several heads: a softmax after a layer's `addmm` is no attention.
# What is launched in between, such as scaling, masks and dropout, is part of it: a fused kernel does it as well.

_BATCHED = ("aten::bmm", "aten::baddbmm")
_OTHER = ("aten::mm", "aten::addmm", "aten::_addmm_activation", "aten::convolution", "aten::convolution_backward")
_SOFTMAX_ATTENTION, _GRADIENT_ATTENTION = "aten::_softmax", "aten::_softmax_backward_data"
#: PyTorch's own attention where no fused kernel takes its input.
_MATH = "aten::_scaled_dot_product_attention_math"
#: Kinds of calls.
_NONE, _A_PRODUCT, _PRODUCT_ATTENTION, _FORWARD, _BACKWARD = range(5)
#: Of so many calls, the longest on the host, the places are kept.
#: So many distinct shapes are compared; the rest are taken to fit.
_COMPARED = 10_000


class Attention(NamedTuple):
    """Attention that is not fused. total_ps: of all its kernels; calls: how often it ran forward.

    math: whether PyTorch's own function did it, for want of a fused kernel. places: where some calls are on the host.
    """

    total_ps: float = 0.0
    calls: int = 0
    math: bool = False
    places: tuple[Evidence, ...] = ()


class _Calls(NamedTuple):
    """Rows of the first and the last product of each, and of its softmax or the gradient of that."""

    first: I64
    last: I64
    softmax: I64


def attention(timeline: Timeline) -> Attention:
    """What was launched kernel by kernel."""
    strings = timeline.capture.strings
    if strings.find(_SOFTMAX_ATTENTION) < 0 or all(strings.find(name) < 0 for name in _BATCHED):
        return Attention()
    calls, events = _calls(timeline), timeline.capture.events
    if not len(calls.first):
        return Attention()
    end = events.start_ps[calls.last] + events.duration_ps[calls.last]
    kernels = kernels_from(timeline, inside(timeline, calls.first, end))
    longest = np.argsort(events.start_ps[calls.first] - end, kind="stable")[:_PLACES].tolist()
    begin, track = events.start_ps[calls.first], events.track[calls.first]
    by_math = nearest(nesting_of(timeline).parent, events.name == strings.find(_MATH))[calls.first] >= 0
    return Attention(
        total_ps(timeline, kernels),
        int(np.count_nonzero(events.name[calls.softmax] == strings.find(_SOFTMAX_ATTENTION))),
        bool(by_math.any()),
        tuple(Evidence(timeline.host, int(begin[i]), int(end[i]), int(track[i])) for i in longest),
    )


def _calls(timeline: Timeline) -> _Calls:
    capture = timeline.capture
    kinds = np.zeros(len(capture.strings) + 1, np.int8)
    for kind, names in (
        (_PRODUCT_ATTENTION, _OTHER),
        (_A_PRODUCT, _BATCHED),
        (_FORWARD, (_SOFTMAX_ATTENTION,)),
        (_BACKWARD, (_GRADIENT_ATTENTION,)),
    ):
        kinds[[capture.strings.find(name) for name in names]] = kind
    kinds[-1] = _NONE
    of_event = kinds[capture.events.name]
    rows = np.flatnonzero(of_event)
    # A call that calls itself, as with autocast, is one.
    rows = rows[nearest(nesting_of(timeline).parent, of_event > 0)[rows] < 0]
    # Two places on each side, of other threads nothing.
    what, track = np.pad(of_event[rows], 2), np.pad(capture.events.track[rows], 2, constant_values=-1)
    at = np.flatnonzero((what == _FORWARD) | (what == _BACKWARD))
    product = [(what[at + by] == _A_PRODUCT) & (track[at + by] == track[at]) for by in (-2, -1, 1, 2)]
    back = what[at] == _BACKWARD
    fits = product[1] & product[2]
    at, back, product = at[fits], back[fits], [each[fits] for each in product]
    fits = back | _of_one_size(timeline, *(rows[at + by] for by in (-3, -2, -1)))
    first, last = at - 1 - (back & product[0]), at + 1 + (back & product[3])
    return _Calls(rows[first[fits] - 2], rows[last[fits] - 2], rows[at[fits] - 2])


def _of_one_size(timeline: Timeline, before: I64, softmax: I64, after: I64) -> NDArray[np.bool_]:
    """Whether a softmax is of what the product before gives, and the next one is with it; so, where no shape is known.

    Shapes repeat: each three are compared once.
    """
    ids = np.stack([dims_of(timeline, rows) for rows in (before, softmax, after)], axis=1)
    distinct, which = np.unique(ids, axis=0, return_inverse=True)
    shapes = ([sizes_of(timeline.capture.strings[i]) for i in three] for three in distinct[:_COMPARED].tolist())
    fits = np.ones(len(distinct), bool)
    fits[:_COMPARED] = [_fit(*three) for three in shapes]
    of_call: NDArray[np.bool_] = fits[which.reshape(-1)]
    return of_call


def _fit(before: list[list[int]], softmax: list[list[int]], after: list[list[int]]) -> bool:
    """The matrices of a product are the last two; what is added to them comes first."""
    products = [[size for size in of if len(size) > 1][-2:] for of in (before, after)]
    if not softmax or len(softmax[0]) < 2 or any(len(each) < 2 for each in products):
        return True
    (a, b), (probabilities, _) = products
    return softmax[0][-2:] == [a[-2], b[-1]] and probabilities[-2:] == softmax[0][-2:]


# A timeline of PyTorch's operators → kernels of the forward pass that run again in the backward pass.
#
# Checkpointed parts of a model keep no activations; the backward pass runs them forward again. With
# `use_reentrant=True` that is inside of `CheckpointFunctionBackward`, as is the backward pass of the part, whose nodes
# `autograd::engine::evaluate_function` marks. Else it is inside of the first node that needs an activation, which then
# holds calls that only a forward pass makes, such as `aten::linear`; the node's own work comes after them.

_CHECKPOINT = regex(r"CheckpointFunctionBackward")
#: Its own node lies around it, at times over the same interval.
_EVALUATED_NODE = regex(r"autograd::engine::evaluate_function: (?!CheckpointFunctionBackward).*", re.DOTALL)
#: Autograd's own nodes; those of a program's functions may run forward on purpose.
_OWN_NODE = regex(r"autograd::engine::evaluate_function: \w+Backward\d+")
#: Calls that are made of others, which alone have nodes: no node calls these.
_COMPOSITE_CALL = regex(
    r"aten::(?:linear|conv[123]d|layer_norm|batch_norm|group_norm|softmax|log_softmax|dropout|embedding"
    r"|scaled_dot_product_attention)"
)


class Recomputed(NamedTuple):
    """total_ps: of kernels; times: how often a part ran again; places: of these the longest, on the host."""

    total_ps: float = 0.0
    times: int = 0
    places: tuple[Evidence, ...] = ()


def recomputed(timeline: Timeline) -> Recomputed:
    capture = timeline.capture
    nodes, checkpoints = capture.events_named(_EVALUATED_NODE), capture.events_named(_CHECKPOINT)
    if not len(nodes) and not len(checkpoints):
        return Recomputed()
    first, end = _stretches(timeline)
    kernels = kernels_from(timeline, runs_forward_again(timeline))
    if not len(kernels):
        return Recomputed()
    events = capture.events
    begin, end = events.start_ps, np.append(end, events.start_ps[checkpoints] + events.duration_ps[checkpoints])
    rows = np.append(first, checkpoints)
    longest = np.argsort(begin[rows] - end, kind="stable")[:_PLACES].tolist()
    places = (Evidence(timeline.host, int(begin[rows[i]]), int(end[i]), int(events.track[rows[i]])) for i in longest)
    return Recomputed(total_ps(timeline, kernels), len(rows), tuple(places))


def runs_forward_again(timeline: Timeline) -> NDArray[np.bool_]:
    """By event: whether it is of a part of a forward pass that a backward pass runs."""
    nodes, checkpoints = (timeline.capture.events_named(pattern) for pattern in (_EVALUATED_NODE, _CHECKPOINT))
    return inside(timeline, *_stretches(timeline)) | _between_nodes(timeline, checkpoints, nodes)


def _between_nodes(timeline: Timeline, checkpoints: I64, nodes: I64) -> NDArray[np.bool_]:
    """By event: whether it is inside of a checkpoint's backward call, and of no node that this runs."""
    names = timeline.capture.events.name
    is_checkpoint, is_mark = np.zeros(len(names), bool), np.zeros(len(names), bool)
    is_checkpoint[checkpoints] = is_mark[checkpoints] = is_mark[nodes] = True
    if not len(checkpoints):
        return is_checkpoint
    around = nearest(nesting_of(timeline).parent, is_mark)
    found: NDArray[np.bool_] = (around >= 0) & is_checkpoint[around]
    return found


def _stretches(timeline: Timeline) -> tuple[I64, I64]:
    """Nodes that hold forward calls: their rows, and when the last of these ends. Calls of one node follow another."""
    events = timeline.capture.events
    nodes, calls = (timeline.capture.events_named(pattern) for pattern in (_OWN_NODE, _COMPOSITE_CALL))
    is_node = np.zeros(len(events), bool)
    is_node[nodes] = True
    around = nearest(nesting_of(timeline).parent, is_node)[calls]
    calls, around = calls[around >= 0], around[around >= 0].astype(np.int64)
    first, which = np.unique(around, return_inverse=True)
    end = np.zeros(len(first), np.int64)
    np.maximum.at(end, which, events.start_ps[calls] + events.duration_ps[calls])
    return first.astype(np.int64), end


# Ops of TensorFlow that GPUs ran → batch norms that run op by op, and biases that a batch norm right after them takes
# away again.

#: What computes batch norm at once, and what its input comes from, by TensorFlow's types of ops.
_FUSED_NORM = regex(r"FusedBatchNorm(?:V\d)?")
_CONVOLUTION = regex(r"(?:Depthwise)?Conv2[dD]\w*")
_BIAS, _BIAS_GRADIENT = "BiasAdd", "BiasAddGrad"
_GRADIENT_SCOPE = regex(r"(?:.*?/)?gradient(?:s|_tape)(?:_\d+)?/")
#: The ops of `tf.nn.moments` and `tf.nn.batch_normalization` in the scope of a layer.
_PIECE = regex(r"(.+?)/(batchnorm|moments)/.+")
_NO_COMPUTE = ("Memcpy", "Memset")


class Normalization(msgspec.Struct, frozen=True):
    """pieces_ps: of the kernels of batch norms that run op by op on what convolutions give, and of their gradients;
    layers: their number. bias_ps: of the kernels that add biases before a batch norm, and sum up their gradients where
    the names of ops show these.
    """

    pieces_ps: float = 0.0
    layers: int = 0
    bias_ps: float = 0.0


class _Sequence(msgspec.Struct, frozen=True):
    """What GPUs ran, on each stream in order, as often as another op begins: index of the op, and row of the track."""

    op: I32
    track: I32


def normalization_of_scopes(timeline: Timeline) -> Normalization:
    """By the names of TensorFlow's ops, those that XLA did not compile."""
    ops = ops_of(timeline).ops
    layers = _layers(ops)
    if not layers and not (any(op.type == _BIAS for op in ops) and any(map(_is_fused_norm, ops))):
        return Normalization()
    rows, op = _ran(timeline)
    in_order = _in_order(timeline, rows, op)
    pieces, biases = _after_convolutions(ops, layers, in_order), _before_norms(ops, layers, in_order)
    total_ps = np.bincount(op, timeline.capture.events.duration_ps[at_once(rows)], len(ops))
    of_pieces = [i for i, one in enumerate(ops) if (piece := _piece(one.name)) and piece[1] in pieces]
    of_biases = [i for i, one in enumerate(ops) if _bias_of(one) in biases]
    return Normalization(float(total_ps[of_pieces].sum()), len(pieces), float(total_ps[of_biases].sum()))


def _layers(ops: Sequence[Op]) -> set[str]:
    """Scopes of batch norms in pieces: each keeps moving averages, or computes with those alone. What else is
    normalized so, as by layer or by group, always computes moments, and assigns nothing.
    """
    matches = [match for op in ops if not op.module and (match := _PIECE.fullmatch(op.name))]
    forward = [match for match in matches if not _GRADIENT_SCOPE.match(match[0])]
    normalized, moments = ({match[1] for match in forward if match[2] == of} for of in ("batchnorm", "moments"))
    assigned = {op.name.partition("/Assign")[0] for op in ops if "/Assign" in op.name}
    return {scope for scope in normalized if (scope in assigned or scope not in moments) and not _is_synced(scope)}


def _is_synced(scope: str) -> bool:
    """Whether of several replicas, which no op computes at once."""
    return "sync" in scope.rpartition("/")[2].lower()


def _piece(name: str) -> re.Match[str] | None:
    return _PIECE.fullmatch(_forward_name(name))


def _forward_name(name: str) -> str:
    return _GRADIENT_SCOPE.sub("", name, count=1) if "gradient" in name else name


def _bias_of(op: Op) -> str:
    """The op whose bias is added, or whose gradient it is; empty of others."""
    if op.module:
        return ""
    if op.type == _BIAS:
        return op.name
    return _forward_name(op.name).rpartition("/")[0].removesuffix("_grad") if op.type == _BIAS_GRADIENT else ""


def _is_fused_norm(op: Op) -> bool:
    return bool(_FUSED_NORM.fullmatch(op.type))


def _ran(timeline: Timeline) -> tuple[I64, I32]:
    """Rows and ops of what GPUs ran, without copies and fills."""
    capture, (rows, op) = timeline.capture, ops_of(timeline).device
    plane = capture.tracks.plane[capture.events.track[at_once(rows)]]
    computes = np.array([not one.type.startswith(_NO_COMPUTE) for one in ops_of(timeline).ops], bool)
    mine = (capture.planes.kind == PlaneKind.GPU)[plane] & computes[op]
    return rows[mine], op[mine]


def _in_order(timeline: Timeline, rows: I64, op: I32) -> _Sequence:
    track = timeline.capture.events.track[at_once(rows)]
    begins = np.ones(len(rows), bool)
    begins[1:] = (op[1:] != op[:-1]) | (track[1:] != track[:-1])
    return _Sequence(op[begins], track[begins])


def _scope_of(name: str) -> str:
    return name.rpartition("/")[0]


def _after_convolutions(ops: Sequence[Op], layers: set[str], ran: _Sequence) -> set[str]:
    """Of some layers those whose input comes from a convolution, each time."""
    convolved = {_scope_of(op.name) for op in ops if _CONVOLUTION.fullmatch(op.type)}
    moments = {match[1] for op in ops if (match := _PIECE.fullmatch(op.name)) and match[2] == "moments"}
    takes_input = {f"{one}/moments/mean" if one in moments else f"{one}/batchnorm/mul_1": one for one in layers}
    layer_of_op = _layer_of(ops, layers)
    layer = layer_of_op[ran.op]
    begins = np.ones(len(layer), bool)
    begins[1:] = (layer[1:] != layer[:-1]) | (ran.track[1:] != ran.track[:-1])
    first = np.maximum.accumulate(np.where(begins, np.arange(len(layer)), 0))
    found: dict[str, bool] = {}
    takes = np.flatnonzero(np.array([op.name in takes_input for op in ops], bool)[ran.op])
    takes = takes[first[takes] > 0]
    before = first[takes] - 1
    takes, before = (rows[ran.track[before] == ran.track[takes]] for rows in (takes, before))
    for earlier, later in distinct_rows(ran.op[before], ran.op[takes])[0].tolist():
        given, one = ops[earlier], takes_input[ops[later].name]
        by_bias = given.type == _BIAS and _scope_of(given.name) in convolved
        found[one] = found.get(one, True) and (by_bias or bool(_CONVOLUTION.fullmatch(given.type)))
    return {one for one, is_input in found.items() if is_input}


def _layer_of(ops: Sequence[Op], layers: set[str]) -> I32:
    """By op: which of the layers its forward pass is of, or -1."""
    number = {one: i for i, one in enumerate(sorted(layers))}
    matches = (_PIECE.fullmatch(op.name) for op in ops)
    return np.array([number.get(match[1], -1) if match else -1 for match in matches], np.int32)


def _before_norms(ops: Sequence[Op], layers: set[str], ran: _Sequence) -> set[str]:
    """Ops that add a bias to what their layer computed, and after which a batch norm of a scope beside it comes, each
    time.
    """
    layer = _layer_of(ops, layers)
    is_norm = (layer >= 0) | np.array([_is_fused_norm(op) for op in ops], bool)
    found: dict[str, bool] = {}
    adds = np.flatnonzero(np.array([op.type == _BIAS and not op.module for op in ops], bool)[ran.op[1:-1]]) + 1
    # A track's rows follow each other.
    adds = adds[ran.track[adds - 1] == ran.track[adds + 1]]
    for earlier, here, later in distinct_rows(ran.op[adds - 1], ran.op[adds], ran.op[adds + 1])[0].tolist():
        before, one, after = (ops[i].name for i in (earlier, here, later))
        beside = _scope_of(_scope_of(one))
        fits = _scope_of(before) == _scope_of(one) and after.startswith(beside and f"{beside}/")
        found[one] = found.get(one, True) and fits and bool(is_norm[later])
    return {one for one, fits in found.items() if fits}


# A timeline of PyTorch's operators → convolutions with a bias whose result a batch norm takes, where shapes are
# recorded.
#
# In training `nn.BatchNorm2d` first counts the batch, by adding to a tensor without dimensions.

_CONVOLUTION_CALL = regex(r"aten::(?:conv[123]d|convolution)")
_ANY_CALL = regex(r"aten::.+")
_BATCH_NORM, _ADDS = "aten::batch_norm", ("aten::add_", "aten::add")


def normalization_of_calls(timeline: Timeline) -> Normalization:
    """The kernels of a bias that the convolution itself does not add, as cuDNN's does not."""
    capture = timeline.capture
    norm, events = capture.strings.find(_BATCH_NORM), capture.events
    convolutions = capture.events_named(_CONVOLUTION_CALL) if norm >= 0 and has_shapes(timeline) else EMPTY.begin
    if not len(convolutions):
        return Normalization()
    parent = nesting_of(timeline).parent
    is_convolution = np.zeros(len(events), bool)
    is_convolution[convolutions] = True
    convolutions = convolutions[nearest(parent, is_convolution)[convolutions] < 0]
    biased = convolutions[_have_useless_bias(timeline, convolutions, norm)]
    is_biased = np.zeros(len(events), bool)
    is_biased[biased] = True
    adds = np.flatnonzero(among(events.name, [capture.strings.find(name) for name in _ADDS]))
    adds = adds[nearest(parent, is_biased)[adds] >= 0]
    is_add = np.zeros(len(events), bool)
    is_add[adds] = True
    of_bias = kernels_from(timeline, is_add | (nearest(parent, is_add) >= 0))
    return Normalization(bias_ps=total_ps(timeline, of_bias))


def _have_useless_bias(timeline: Timeline, convolutions: I64, norm: int) -> NDArray[np.bool_]:
    """Of convolutions whether they have a bias, and the next call, but for that which counts, is a batch norm of as
    many channels.
    """
    capture = timeline.capture
    events, calls = capture.events, capture.events_named(_ANY_CALL)
    end = events.start_ps[convolutions] + events.duration_ps[convolutions]
    after = _next_calls(timeline, calls, events.track[convolutions], end)
    counts = capture.strings.find(_ADDS[0])
    counting = (after >= 0) & (events.name[after] == counts)
    counting_end = np.where(counting, events.start_ps[after] + events.duration_ps[after], end)
    after = np.where(counting, _next_calls(timeline, calls, events.track[convolutions], counting_end), after)
    is_norm = (after >= 0) & (events.name[after] == norm)
    ids = np.stack([dims_of(timeline, convolutions), np.where(is_norm, dims_of(timeline, after), 0)], axis=1)
    distinct, which = np.unique(ids, axis=0, return_inverse=True)
    fits = np.zeros(len(distinct), bool)
    shapes = ([sizes_of(capture.strings[i]) for i in pair] for pair in distinct[:_COMPARED].tolist())
    fits[:_COMPARED] = [_is_useless(*pair) for pair in shapes]
    found: NDArray[np.bool_] = is_norm & fits[which.reshape(-1)]
    return found


def _next_calls(timeline: Timeline, calls: I64, track: I32, end_ps: I64) -> I64:
    """The first of some calls that begins on each track after a time, -1 for none. calls: ascending."""
    events, tracks = timeline.capture.events, timeline.capture.tracks
    after = np.full(len(track), -1, np.int64)
    for here in alike(track):
        one = int(track[here[0]])
        low, high = np.searchsorted(calls, (tracks.events_begin[one], tracks.events_end[one])).tolist()
        of_track = np.append(calls[low:high], -1)
        after[here] = of_track[np.searchsorted(events.start_ps[calls[low:high]], end_ps[here])]
    return after


def _is_useless(convolution: list[list[int]], norm: list[list[int]]) -> bool:
    """By the shapes of their inputs: of the one image, kernel and bias, of the other the image."""
    if len(convolution) < 3 or not norm or len(norm[0]) < 2 or not convolution[1]:
        return False
    return convolution[2] == [convolution[1][0]] == [norm[0][1]]


# A timeline → what its kernels show of how a model is written: attention, optimizers, activations, batch norms.


class ModelWork(msgspec.Struct, frozen=True):
    """Of one host."""

    attention: Attention = msgspec.field(default_factory=Attention)
    optimizers: Sequence[OptimizerSteps] = ()
    recomputed: Recomputed = msgspec.field(default_factory=Recomputed)
    norms: Normalization = Normalization()


def model_work(timeline: Timeline) -> ModelWork:
    """Of captures without PyTorch's operators what the names of ops show."""
    if not timeline.capture.capabilities.has_operators:
        return ModelWork(norms=normalization_of_scopes(timeline))
    calls = attention(timeline), optimizer_steps(timeline), recomputed(timeline)
    return ModelWork(*calls, normalization_of_calls(timeline))
