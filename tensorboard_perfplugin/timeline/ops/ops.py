"""A capture → which of its events are executions of ops, and of which op. Every distinct name is parsed once."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import I32, I64, Capture, PlaneKind, StatKind, among, at_once, distinct, grouped
from ...threshold import Threshold
from ..causes import flows_of, launches_of
from ..loops.loops import inherit, mark, nearest
from ..names.kernels import SYNCHRONIZES, kernel_name
from ..names.ops import RANGE, UNATTRIBUTED, Op, copy_op, device_op, eager_op, host_op_of, names_an_op, xla_op
from ..nesting import enclosing, enclosing_of, nesting_of, self_among
from ..programs.reader import Named, instructions_of, programs_of
from ..timeline import Timeline, derived, is_integer
from ..tracks import device_planes, device_rows, device_tracks, host_tracks, rows_of, sparse_cores

# Ops, and the events that executed them.

#: Of fewer ids than such a part of all a table of all is not quicker.
_FEW = 16


class OpEvents(NamedTuple):
    """Executions: rows of `events`, ascending, and for each the index of its op in `Ops.ops`."""

    rows: I64
    op: I32


class Ops(NamedTuple):
    """The distinct ops of a capture, and the events that executed them.

    host: by op events on host threads. device: kernels, copies and XLA ops on devices. One op that ran on both sides
    has one index. device_aggregates: the same as device, of rows of `aggregates`, which have no place in time.
    """

    ops: tuple[Op, ...]
    host: OpEvents
    device: OpEvents
    device_aggregates: OpEvents


class Pool:
    """Distinct ops, numbered as they come."""

    def __init__(self) -> None:
        self.index: dict[Op, int] = {}

    def add(self, op: Op | None) -> int:
        return -1 if op is None else self.index.setdefault(op, len(self.index))

    def by_string(self, capture: Capture, ids: NDArray[np.integer], parse: Callable[[str], Op | None]) -> I32:
        """The op of each string id, parsed once each; -1 where there is none."""
        count = len(capture.strings)
        if len(ids) < count // _FEW:
            used, place = distinct(ids)
        else:
            is_used, places = np.zeros(count, bool), np.empty(count, np.int32)
            mark(ids.astype(np.int32, copy=False), is_used)
            used = np.flatnonzero(is_used)
            places[used] = np.arange(len(used), dtype=np.int32)
            place = places[ids]
        ops: I32 = np.array([self.add(parse(capture.strings[i])) for i in used.tolist()], np.int32)
        return ops[place]


def mask(timeline: Timeline, events: OpEvents) -> NDArray[np.bool_]:
    """True at the rows of some op events, aligned to the events of the capture."""
    flags = np.zeros(len(timeline.capture.events), bool)
    flags[events.rows] = True
    return flags


# Events that ran XLA instructions → the ops that these belong to.


def xla_ops(timeline: Timeline, pool: Pool, rows: I64, which: I32) -> I32:
    """The op of events that ran XLA instructions, by their index, and by the name that some of the events give."""
    strings, named = timeline.capture.strings, instructions_of(timeline).named
    name, prefix = text_ids(timeline, "name", rows), text_ids(timeline, "prefix", rows)
    pair, first = grouped(which, name, prefix)
    ops = [
        pool.add(_instruction_op(timeline, named[int(which[i])], strings[int(name[i])], strings[int(prefix[i])]))
        for i in first.tolist()
    ]
    return np.array(ops, np.int32)[pair]


#: How XLA calls fusions on GPUs that hold no product.
_ELEMENTWISE_FUSIONS = ("loop_", "input_", "wrapped_")


def _instruction_op(timeline: Timeline, one: Named, name: str, prefix: str) -> Op:
    """The program is read only where the event does not show the op, or shows that of the result of a fusion that may
    be of a product. Its name is relative to its prefix, if it has one.
    """
    shows = names_an_op(name) and not prefix
    reads = not shows or ("fusion" in one.instruction and not one.instruction.startswith(_ELEMENTWISE_FUSIONS))
    program = programs_of(timeline).program(one.module, one.program) if reads else None
    instruction = program.named(one.instruction) if program else None
    named = (instruction.op_name, instruction.op_type) if instruction else ("", "")
    if shows and program and program.product(program.find(one.instruction)):
        name = ""
    if prefix and name:
        name = named[0] if f"/{named[0]}".endswith(f"/{name}") else f"{prefix.rstrip('/')}/{name}"
    return xla_op(one.instruction, one.module, name, *named)


def text_ids(timeline: Timeline, key: str, rows: I64) -> I64:
    """String id of a stat of some events, 0 (the empty text) where it is no text."""
    value, kind = timeline.stat_of(key, rows)
    return np.where(kind == StatKind.TEXT, value, 0)


# PyTorch's calls of operators → ops, each under the modules (`nn.Module`) that called it.
#
# `Net_0/Linear_1/aten::addmm` of type `aten::addmm`: modules are events of the Python tracer around the call. A
# backward
# call has none around it; it belongs to those of the forward call with its sequence number, in their scope
# `backward`:
# `Net_0/Linear_1/backward/AddmmBackward0`.

#: Categories of operators, by age of the profiler.
OPERATOR_CATEGORIES = ("cpu_op", "Operator")
MODULE = "nn.Module: "
#: The scope of a module in which its backward calls are.
BACKWARD = "backward"
#: Modules nest as deep as programs do; what is deeper counts to the last of these.
_DEPTH = 64


def operator_ops(timeline: Timeline, pool: Pool, rows: I64) -> I32:
    """The op of each event that is a call of an operator, else -1."""
    capture = timeline.capture
    op = np.full(len(rows), -1, np.int32)
    are_ops = np.flatnonzero(are_calls(timeline, rows))
    if not len(are_ops):
        return op
    path, texts = paths(timeline)
    scope = with_backward(timeline, rows[are_ops], path[rows[are_ops]], len(texts))
    texts += [f"{text}{BACKWARD}/" for text in texts]
    code = scope * len(capture.strings) + capture.events.name[rows[are_ops]]
    codes, which = distinct(code)
    ops = [pool.add(_op(texts[at], capture.strings[name])) for at, name in _split(codes, len(capture.strings))]
    op[are_ops] = np.array(ops, np.int32)[which] if len(ops) else -1
    return op


def has_calls(timeline: Timeline) -> bool:
    """Whether any event may be a call of an operator."""
    return any(timeline.capture.strings.find(category) >= 0 for category in OPERATOR_CATEGORIES)


def are_calls(timeline: Timeline, rows: I64) -> NDArray[np.bool_]:
    """Which of some events are calls of operators."""
    ids = [i for i in map(timeline.capture.strings.find, OPERATOR_CATEGORIES) if i >= 0]
    if not ids:
        return np.zeros(len(rows), bool)
    value, kind = timeline.stat_of("category", rows)
    is_call: NDArray[np.bool_] = (kind == StatKind.TEXT) & among(value, ids)
    return is_call


def _split(codes: NDArray[np.integer], size: int) -> list[tuple[int, int]]:
    return [divmod(code, size) for code in codes.tolist()]


def _op(scope: str, name: str) -> Op | None:
    """Marks of steps were operators to the profiler's first versions."""
    return None if name.startswith("ProfilerStep#") else Op(scope + name, name)


def paths(timeline: Timeline) -> tuple[I64, list[str]]:
    """By event the place in the list of its modules' path: `Net_0/Linear_1/`, the empty text where none is around."""
    capture = timeline.capture
    path = np.zeros(len(capture.events), np.int64)
    texts = [""]
    is_module = modules(capture)
    rows = np.flatnonzero(is_module)
    if not len(rows):
        return path, texts
    around = nearest(nesting_of(timeline).parent, is_module)
    outer = around[rows]
    module_path = np.zeros(len(capture.events) + 1, np.int64)
    # From the outermost in: of each level the path of what is around is known.
    known = outer < 0
    left, at = np.arange(len(rows)), np.flatnonzero(known)
    for _ in range(_DEPTH):
        _name_level(capture, rows[at], outer[at], module_path, texts)
        left = left[module_path[rows[left]] == 0]
        at = left[module_path[outer[left]] > 0]
        if not len(at):
            break
    path[:] = module_path[np.where(is_module, np.arange(len(path)), around)]
    return path, texts


def _name_level(capture: Capture, rows: I64, outer: I32, module_path: I64, texts: list[str]) -> None:
    """Gives modules, whose outer ones have a path, their own."""
    code = np.where(outer >= 0, module_path[outer], 0) * len(capture.strings) + capture.events.name[rows]
    codes, which = np.unique(code, return_inverse=True)
    first = len(texts)
    for at, name in _split(codes, len(capture.strings)):
        texts.append(f"{texts[at]}{capture.strings[name].removeprefix(MODULE)}/")
    module_path[rows] = first + which.reshape(-1)


def modules(capture: Capture) -> NDArray[np.bool_]:
    """Which events are calls of modules."""
    flags = np.zeros(len(capture.strings), bool)
    flags[[i for i in capture.names_used.tolist() if capture.strings[i].startswith(MODULE)]] = True
    is_module: NDArray[np.bool_] = flags[capture.events.name]
    return is_module


def with_backward(timeline: Timeline, rows: I64, scope: I64, size: int) -> I64:
    """Of calls outside of modules the scope of their forward call, + size, where that is inside of some."""
    if not scope.any():
        return scope
    forward = forward_calls(timeline, rows)
    outside = np.flatnonzero((forward >= 0) & (scope == 0))
    outside = outside[scope[forward[outside]] > 0]
    if not len(outside):
        return scope
    # What runs inside of such a call is of the same module.
    label = np.full(len(timeline.capture.events), -1, np.int32)
    label[rows[scope > 0]] = scope[scope > 0]
    label[rows[outside]] = scope[forward[outside]] + size
    inherited = inherit(nesting_of(timeline).parent, label)[rows]
    return np.where(inherited >= 0, inherited, 0).astype(np.int64)


def forward_calls(timeline: Timeline, rows: I64) -> I64:
    """Of each of some calls, by place among them, the forward call that autograd made it of, or -1.

    Both have one sequence number, which each thread counts for itself. A call that makes no node of autograd's has the
    number of the next one that does, so the last, and innermost, of those with one number made it. A backward call
    gives its forward thread by a number from 1 on, which no thread has of itself: it is the thread from which most
    of its arrows come, or on which most of its sequence numbers are.
    """
    forward_of = np.full(len(rows), -1, np.int64)
    number, kind = timeline.stat_of("Sequence number", rows)
    numbered, thread = is_integer(kind) & (number >= 0), _forward_threads(timeline, rows)
    forward, backward = np.flatnonzero(numbered & (thread == 0)), np.flatnonzero(numbered & (thread > 0))
    if not len(forward):
        return forward_of
    tracks = timeline.capture.events.track
    last = _Last(number[forward], tracks[rows[forward]], forward)
    for one in np.unique(thread[backward]).tolist():
        called = backward[thread[backward] == one]
        producer = flows_of(timeline).producer[rows[called]]
        origin = tracks[producer[producer >= 0]]
        by_track = {each: last.places(number[called], each) for each in last.tracks}
        best = max(by_track, key=lambda t: (np.count_nonzero(origin == t), np.count_nonzero(by_track[t] >= 0)))
        forward_of[called] = by_track[best]
    return forward_of


def _forward_threads(timeline: Timeline, rows: I64) -> I64:
    """0 of forward calls; of backward calls a number that PyTorch gave to the thread that made them, else 1."""
    if timeline.has_stat("Fwd thread id"):
        thread, kind = timeline.stat_of("Fwd thread id", rows)
        return np.where(is_integer(kind), thread, 0)
    strings, names = timeline.capture.strings, timeline.capture.events.name[rows]
    backward = [i for i in np.unique(names).tolist() if "Backward" in strings[i][:1000]]
    return among(names, backward).astype(np.int64)


class _Last:
    """By thread and sequence number the last of some calls."""

    def __init__(self, number: I64, track: I32, places: I64) -> None:
        self.tracks: list[int] = np.unique(track).tolist()
        self._known = {each: self._of_track(number[track == each], places[track == each]) for each in self.tracks}

    @staticmethod
    def _of_track(number: I64, places: I64) -> tuple[I64, I64]:
        known, first = np.unique(number[::-1], return_index=True)
        return known, places[::-1][first]

    def places(self, number: I64, track: int) -> I64:
        """The place of the call with each number, or -1."""
        known, places = self._known[track]
        at = np.minimum(np.searchsorted(known, number), len(known) - 1)
        return np.where(known[at] == number, places[at], -1)


# A host's events → the ops that they executed.


def host_ops(timeline: Timeline, pool: Pool) -> OpEvents:
    """A host event that carries a correlation id is a launch: part of an op, not one."""
    capture = timeline.capture
    rows = rows_of(capture, host_tracks(capture))
    names = capture.events.name[at_once(rows)]
    op = pool.by_string(capture, names, host_op_of(capture.capabilities.framework_names))
    which = instructions_of(timeline).named_index(rows)
    hlo = np.flatnonzero(which >= 0)
    hlo = hlo[~_starts_with(capture, names[hlo], "end: ")]
    op[hlo] = xla_ops(timeline, pool, rows[hlo], which[hlo])
    if has_calls(timeline):
        called = np.flatnonzero(op < 0)
        op[called] = operator_ops(timeline, pool, rows[called])
    are_ops = np.flatnonzero(op >= 0)
    are_ops = are_ops[timeline.stat_of("correlation_id", rows[are_ops])[1] == 0]
    return _with_eager(timeline, pool, OpEvents(rows[are_ops], op[are_ops]), rows)


def _with_eager(timeline: Timeline, pool: Pool, named: OpEvents, rows: I64) -> OpEvents:
    """Added are the calls that run one op by itself, where no event within names that op."""
    capture = timeline.capture
    if not any(eager_op(capture.strings[i]) for i in capture.names_used.tolist()):
        return named
    eager = pool.by_string(capture, capture.events.name[at_once(rows)], eager_op)
    call = np.flatnonzero(eager >= 0)
    if not len(call):
        return named
    calls = OpEvents(rows[call], eager[call])
    around = nearest(nesting_of(timeline).parent, mask(timeline, calls))[named.rows]
    within = np.flatnonzero(around >= 0)
    place = np.searchsorted(calls.rows, around[within])
    codes = np.unique([text for op in pool.index for text in (op.name, op.type)], return_inverse=True)[1].reshape(-1, 2)
    # Its kernel's type may be another, `_MklMatMul`.
    named_within = place[(codes[named.op[within]] == codes[calls.op[place], 1:]).any(axis=1)]
    alone = np.delete(np.arange(len(call)), named_within)
    all_rows = np.concatenate((named.rows, calls.rows[alone]))
    order = np.argsort(all_rows, kind="stable")
    return OpEvents(all_rows[order], np.concatenate((named.op, calls.op[alone]))[order])


def _starts_with(capture: Capture, names: I32, prefix: str) -> NDArray[np.bool_]:
    ids = np.unique(names)
    matches = [capture.strings[i].startswith(prefix) for i in ids.tolist()]
    return among(names, ids[np.array(matches, bool)])


# What ran on a TPU → the ops of it, by the kinds of events.

_64_BITS = (1 << 64) - 1
Facts = dict[str, int | float | str | bytes | None]


def aggregate_ops(capture: Capture, pool: Pool) -> OpEvents:
    """Only TPU collectors aggregate."""
    tpus = [plane for plane in device_planes(capture) if capture.planes.kind[plane] == PlaneKind.TPU]
    tracks = [track for plane in tpus for track in device_tracks(capture, plane).tolist()]
    rows = np.flatnonzero(among(capture.aggregates.track, tracks))
    return OpEvents(rows, TpuOps(capture, pool).by_kind(capture.aggregates.kind[rows]))


class TpuOps:
    """On a TPU the kind of the event holds everything; the op of each kind is made once for all cores."""

    def __init__(self, capture: Capture, pool: Pool) -> None:
        self.capture, self.pool = capture, pool
        self.modules, self.sparse = _modules(capture), sparse_cores(capture)
        self.op = np.full(len(capture.kinds) + 1, -1, np.int32)

    def by_kind(self, kinds: I32) -> I32:
        for kind in np.unique(kinds).tolist():
            if self.op[kind] < 0:
                op = _tpu_op(self.capture, kind, self.modules)
                self.op[kind] = self.pool.add(on_core(op, self.capture, kind, self.sparse))
        return self.op[kinds]


def on_core(op: Op, capture: Capture, kind: int, sparse: dict[int, int]) -> Op:
    """With `SparseCore` before the type of an op that one ran beside its chip's TensorCore."""
    on_sparse = kind >= 0 and int(capture.kinds.plane[kind]) in sparse
    return op._replace(type=f"SparseCore {op.type}") if on_sparse else op


def _tpu_op(capture: Capture, kind: int, modules: dict[int, str]) -> Op:
    if kind < 0:
        return Op("", "Unknown")
    facts = _facts(capture, kind)
    program = facts.get("program_id")
    module = modules.get(program & _64_BITS, "") if isinstance(program, int) else ""
    name = capture.strings[int(capture.kinds.label[kind])] or capture.strings[int(capture.kinds.name[kind])]
    annotation, category = facts.get("tf_op"), facts.get("hlo_category")
    if isinstance(annotation, str) and annotation:
        return device_op(annotation)._replace(module=module)
    return Op(name, category if isinstance(category, str) and category else "Unknown", module)


def kind_facts(capture: Capture, kind: int) -> tuple[str, Facts]:
    """Name of the instruction that events of a kind ran, and what is recorded of it."""
    if kind < 0:
        return "", {}
    name = capture.strings[int(capture.kinds.name[kind])].partition(" = ")[0].lstrip("%")
    return name, _facts(capture, kind)


def _facts(capture: Capture, kind: int) -> Facts:
    begin, end = int(capture.kinds.stats_begin[kind]), int(capture.kinds.stats_end[kind])
    return dict(reversed(capture.values(begin, end)))


def _modules(capture: Capture) -> dict[int, str]:
    """Program id → name of the XLA module, from the plane that lists them as `name(program id)`."""
    modules: dict[int, str] = {}
    for plane in np.flatnonzero(capture.planes.name == capture.strings.find("/host:metadata")).tolist():
        for name in capture.strings.texts(capture.kinds.name[capture.kinds.plane == plane]):
            module, _, number = name.rpartition("(")
            if number[-1:] == ")" and number[:-1].isdecimal() and len(number) < 25:
                modules[int(number[:-1]) & _64_BITS] = module
    return modules


# External ids, which PyTorch's profiler gives to a call of an operator and to what it launched → the operator.

#: By age of the profiler.
_KEYS = ("External id", "external id")


def ops_by_external_id(timeline: Timeline, host: OpEvents, rows: I64) -> I32:
    """The op of the host op event with each event's external id, or -1."""
    return np.append(host.op, np.int32(-1))[places_by_external_id(timeline, host, rows)]


def places_by_external_id(timeline: Timeline, host: OpEvents, rows: I64) -> I64:
    """Index of the host op event with each event's external id, or -1. Of several with one id the first counts."""
    places = np.full(len(rows), -1, np.int64)
    for key in _KEYS:
        if not len(rows) or not timeline.has_stat(key):
            continue
        ids, kind = timeline.stat_of(key, host.rows)
        has = np.flatnonzero(is_integer(kind) & (ids != 0))
        wanted, stat_kind = timeline.stat_of(key, rows)
        if not len(has):
            continue
        known, first = np.unique(ids[has], return_index=True)
        place = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
        hit = (known[place] == wanted) & is_integer(stat_kind) & (places < 0)
        places[hit] = has[first[place[hit]]]
    return places


# A device's events → the ops that they executed.


def device_ops(timeline: Timeline, pool: Pool, host: OpEvents) -> OpEvents:
    capture = timeline.capture
    parts = [OpEvents(np.empty(0, np.int64), np.empty(0, np.int32))]
    tpu_ops = functools.cache(lambda: TpuOps(capture, pool))
    around = functools.cache(lambda: nearest(nesting_of(timeline).parent, mask(timeline, host)))
    for plane in device_planes(capture):
        rows = device_rows(timeline, plane)
        if not len(rows):
            continue
        if capture.planes.kind[plane] == PlaneKind.TPU:
            parts.append(OpEvents(rows, tpu_ops().by_kind(capture.events.kind[rows])))
        else:
            parts.append(OpEvents(rows, _gpu(timeline, pool, rows, host, around)))
    # Tracks of a plane are adjacent in the tables of every decoder, planes are in order: rows ascend.
    parts = parts[1:] or parts
    return parts[0] if len(parts) == 1 else OpEvents(*map(np.concatenate, zip(*parts, strict=True)))


def _gpu(timeline: Timeline, pool: Pool, rows: I64, host: OpEvents, around: Callable[[], I32]) -> I32:
    """By what says it best: XLA instruction, annotation, name of a copy, host op around the launch, kernel's name.

    TensorFlow before 2.5 wrote its annotation as `level 0`, with what is no op's name in it, `MakeTensorFromProto`.
    """
    capture = timeline.capture
    which = instructions_of(timeline).named_index(rows)
    if len(which) and which.min() >= 0:
        return xla_ops(timeline, pool, rows, which)
    op = np.full(len(rows), -1, np.int32)
    hlo = np.flatnonzero(which >= 0)
    op[hlo] = xla_ops(timeline, pool, rows[hlo], which[hlo])
    if timeline.has_stat("tf_op"):
        bare = np.flatnonzero(op < 0)
        annotation, kinds = timeline.stat_of("tf_op", rows[bare])
        tf = np.flatnonzero(kinds == StatKind.TEXT)
        op[bare[tf]] = pool.by_string(capture, annotation[tf], device_op)
    if timeline.has_stat("level 0"):
        bare = np.flatnonzero(op < 0)
        op[bare] = pool.by_string(
            capture, text_ids(timeline, "level 0", rows[bare]), host_op_of(capture.capabilities.framework_names)
        )
    bare = np.flatnonzero(op < 0)
    op[bare] = pool.by_string(capture, capture.events.name[rows[bare]], copy_op)
    bare = bare[op[bare] < 0]
    if len(bare):
        op[bare] = _launched_in(timeline, host, rows[bare], around)
        bare = bare[op[bare] < 0]
        op[bare] = ops_by_external_id(timeline, host, rows[bare])
        bare = bare[op[bare] < 0]
        if capture.capabilities.has_ranges:
            op[bare] = _of_ranges(timeline, pool, rows[bare])
            bare = bare[op[bare] < 0]
        op[bare] = pool.by_string(capture, capture.events.name[rows[bare]], _unattributed)
    return op


def _launched_in(timeline: Timeline, host: OpEvents, rows: I64, op_around: Callable[[], I32]) -> I32:
    """The op of the host op event around each kernel's launch, or -1. op_around: by event its row."""
    launched = launches_of(timeline).rows[rows]
    around = np.where(launched >= 0, op_around()[launched], -1)
    op = np.append(host.op, np.int32(-1))
    place = np.searchsorted(host.rows, around)
    return np.where(around >= 0, op[place], -1).astype(np.int32)


#: A range that launches more than an operator does holds many: what runs in it is named beside it.
OF_AN_OP = Threshold(
    "kernels of a range",
    32,
    "kernels",
    "launched in each of a range's executions, on average: a layer or a library's call launches a few, a forward pass "
    "or a step hundreds",
)
#: Turns of a program's loop and parts of one hold many, however few; numbered, they are one range of all turns.
_OF_A_LOOP = regex(
    r"(?:.*[\W_])?(?:step|iter(?:ation)?|batch|epoch|train(?:ing)?|forward|backward|inference)[\W_]*\d*\W*",
    re.IGNORECASE,
)
_NUMBER, _RANGE_NAME = regex(r"\d+"), 200


def _of_ranges(timeline: Timeline, pool: Pool, rows: I64) -> I32:
    """The op of each kernel that was launched in a range, by the innermost one; else -1."""
    capture, events = timeline.capture, timeline.capture.events
    host = rows_of(capture, host_tracks(capture))
    host = host[(timeline.stat_of("correlation_id", host)[1] == 0) & (events.duration_ps[host] > 0)]
    is_range = np.zeros(len(events), bool)
    is_range[host[~are_calls(timeline, host)]] = True
    launch = launches_of(timeline).rows[rows]
    around = np.where(launch >= 0, nearest(nesting_of(timeline).parent, is_range)[launch], -1)
    op = np.full(len(rows), -1, np.int32)
    within = np.flatnonzero(around >= 0)
    names, which = np.unique(events.name[around[within]], return_inverse=True)
    executions = np.bincount(which[np.unique(around[within], return_index=True)[1]], minlength=len(names))
    is_large = np.bincount(which, minlength=len(names)) > OF_AN_OP.value * executions
    codes, place = np.unique(which * len(capture.strings) + events.name[rows[within]], return_inverse=True)
    made = []
    for code in codes.tolist():
        range_, kernel = divmod(code, len(capture.strings))
        name = capture.strings[int(names[range_])]
        if is_large[range_] or _OF_A_LOOP.fullmatch(name[:_RANGE_NAME]):
            name = f"{_NUMBER.sub('*', name)}/{kernel_name(capture.strings[kernel])}"
        made.append(pool.add(Op(name, RANGE)))
    op[within] = np.array(made, np.int32)[place]
    return op


def _unattributed(kernel: str) -> Op:
    return Op(kernel_name(kernel), UNATTRIBUTED)


@derived
def ops_of(timeline: Timeline) -> Ops:
    """Which events are executions of ops, and of which op."""
    pool = Pool()
    host = host_ops(timeline, pool)
    device = device_ops(timeline, pool, host)
    aggregates = aggregate_ops(timeline.capture, pool)
    return Ops(tuple(pool.index), host, device, aggregates)


@derived
def op_around_of(timeline: Timeline) -> I32:
    """For each event the row of the innermost host op event that contains it, or -1."""
    return enclosing(timeline, mask(timeline, ops_of(timeline).host))


@derived
def device_calls_of(timeline: Timeline) -> I32:
    """For each event of `Ops.device` the row of the host op event that launched it, or -1.

    By its launch, else by its external id.
    """
    host, rows = ops_of(timeline).host, ops_of(timeline).device.rows
    launch = launches_of(timeline).rows[rows]
    launching = np.where(launch >= 0, op_around_of(timeline)[launch], np.int32(-1))
    bare = np.flatnonzero(launching < 0)
    launching[bare] = np.append(host.rows, -1)[places_by_external_id(timeline, host, rows[bare])]
    return launching


@derived
def host_self_ps_of(timeline: Timeline) -> I64:
    """Self time of each event of `Ops.host`, in which only these count."""
    return self_among(timeline, ops_of(timeline).host.rows)


# Which events TensorFlow ran op by op, and which inside a compiled function.


def is_eager(timeline: Timeline, rows: I64) -> NDArray[np.bool_]:
    """Which of some events TensorFlow ran op by op: their nearest `EagerExecute` ancestor says `is_func` = 0.

    Without such an ancestor, or where it does not say, they ran inside a compiled function. What TensorFlow before
    2.5 wrote of the event itself counts first.
    """
    reported, known = reported_eager(timeline, rows)
    name = timeline.capture.strings.find("EagerExecute")
    if name < 0:
        return reported
    around = enclosing_of(timeline, timeline.capture.events.name == name, rows)
    value, kind = timeline.stat("is_func")
    inside = is_integer(kind)
    return np.where(known, reported, (around >= 0) & inside[around] & (value[around] == 0))


def reported_eager(timeline: Timeline, rows: I64) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which of some events, of hosts or devices, say themselves that they ran op by op, and which say anything."""
    value, kind = timeline.stat_of("is_eager", rows)
    known = is_integer(kind)
    return known & (value != 0), known


# Ops → which of them only wait while they run, identified by what kind of op they are.

#: These hand over what other threads, or another machine, prepare.
_ITERATOR = regex(
    r"Dataset::(?:Prefetch|MapAndBatch|ParallelMap|ParallelInterleave|LegacyParallelInterleave|ParallelBatch|"
    r"ParallelFilter|ParseExample|DataService)(?:V\d+)?"
)
#: A user's generator lies below a `FlatMap`; TensorFlow's own fetches for a device from a host's pipeline.
_GENERATES = regex(r"FlatMap(?:V\d+)?(?:\[\d+\])?::Generator$")
_TAIL = 100
#: The ops that call them, which wait themselves where the capture does not show iterators.
_CALLER = regex(r"IteratorGetNext(?:Sync|AsOptional)?|MultiDeviceIteratorGetNextFromShard")
#: TensorFlow 1's input pipelines: these last until other threads have put something in.
_QUEUE = regex(r"\w*QueueDequeue\w*|(?:Ordered)?(?:Map)?Unstage(?:NoKey)?|BarrierTakeMany")
#: XLA starts a copy or a collective in one instruction and waits for its end in another.
_DONE = regex(r"%?[a-z][a-z0-9-]*-done(?:\.\d+)*(?: = .*)?", re.DOTALL)
#: On a TPU a fusion may be what waits; XLA calls its kind `custom fusion`.
_COLLECTIVE_DONE = regex(r"%?async-collective-done\b(?!-)")
#: PyTorch's loader, where workers prepare the batches.
_LOADER = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter."
#: Calls of the driver that last until the device is done.
_SYNCHRONIZES = regex(SYNCHRONIZES)
_TO_AND_FROM_HOST = ("infeed", "outfeed")


def host_waits(ops: tuple[Op, ...]) -> NDArray[np.bool_]:
    """By op: whether it waits when a host thread runs it."""
    waiting = _ITERATOR if any(op.type.startswith("Dataset::") for op in ops) else _CALLER
    types = {of for of in {op.type for op in ops} if waiting.fullmatch(of) or _QUEUE.fullmatch(of)}
    waits = [op.type in types or _fetches(op) or op.name.startswith(_LOADER) or waits_for_device(op) for op in ops]
    return np.array(waits, bool)


def host_waits_of(timeline: Timeline, ops: Ops | None = None) -> NDArray[np.bool_]:
    """By op: whether it only waits, for input that other threads prepare, when a host thread runs it."""
    return host_waits((ops or ops_of(timeline)).ops)


def waits_for_device(op: Op) -> bool:
    """Whether a host thread that runs it waits until a device has done what was launched."""
    return bool(_SYNCHRONIZES.fullmatch(op.name))


def _fetches(op: Op) -> bool:
    return (
        op.type == "Dataset::Generator" and op.name.endswith("::Generator") and not _GENERATES.search(op.name[-_TAIL:])
    )


def device_waits_of(timeline: Timeline) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """By row of `ops.device`: whether the core only waited, and whether that is known; it is not of a GPU's kernels."""
    capture = timeline.capture
    rows = at_once(ops_of(timeline).device.rows)
    is_tpu = capture.planes.kind == PlaneKind.TPU
    tracks = capture.events.track[rows]
    on_tpu = is_tpu[capture.tracks.plane][tracks] if is_tpu.any() else np.zeros(len(tracks), bool)
    if not on_tpu.any():
        return on_tpu, on_tpu
    kinds = np.where(on_tpu, capture.events.kind[rows], -1)
    waits = np.zeros(len(capture.kinds) + 1, bool)
    for kind in np.unique(kinds).tolist():
        waits[kind] = kind_waits(capture, kind)
    return waits[kinds] & on_tpu, on_tpu


def kind_waits(capture: Capture, kind: int) -> bool:
    """Whether a TPU's events of this kind wait."""
    if kind < 0:
        return False
    facts = dict(reversed(capture.values(int(capture.kinds.stats_begin[kind]), int(capture.kinds.stats_end[kind]))))
    category = facts.get("hlo_category")
    name = capture.strings[int(capture.kinds.label[kind])] or capture.strings[int(capture.kinds.name[kind])]
    if isinstance(category, str) and category:
        return category.endswith("-done") or category in _TO_AND_FROM_HOST or bool(_COLLECTIVE_DONE.match(name))
    return bool(_DONE.fullmatch(name))
