"""A timeline and its split → what ran in its steps, by name: ops, waits, calls, compilations, Python functions."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import PlaneKind, StatKind, intervals
from ...tables.capture import I32, I64
from ...timeline import (
    INDEX,
    UNATTRIBUTED,
    Op,
    Split,
    Steps,
    Timeline,
    async_ops_of,
    device_spans_of,
    device_waits_of,
    devices_of,
    enclosing,
    grouped_ops_of,
    host_self_ps_of,
    host_waits_of,
    nesting_of,
    ops_of,
    python_name,
    threads_of,
    workers_of,
)
from ..idle import CAUSES, gaps_of
from .means import usual

_LATE = CAUSES.index("host_wait")
#: Names that are kept of each kind, the largest.
_MAX_NAMES = 12
_MAX_LABEL = 200
_MAX_FEW = 8
#: Rules whose steps are what the program marks as such; those of others begin late, with the first call of a step.
MARKED = ("recorded", "markers", "numbers", "annotations")
#: Events are summed up by name where the runtime takes this part of a step; there may be millions.
_WORTH = 0.02
_INPUT_THREAD = "tf_data"
_NEXT = re.compile(r"IteratorGetNext\w*|MultiDeviceIteratorGetNextFromShard|OptionalGetValue|OptionalHasValue")
#: Copies and collectives, by the type of the op or the last part of its name.
_MOVES = re.compile(
    r"^mem(?:cpy|set)|^copy(?:-start|-done)?$|all-?_?reduce|all-?_?gather|reduce-?_?scatter|all-?_?to-?_?all|"
    r"collective|nccl|rccl|^(?:send|recv|infeed|outfeed)\b|record_param_comms|^c10d::",
    re.IGNORECASE,
)
#: What a framework records while it traces or compiles a function.
_COMPILE = re.compile(
    r"tf\.function-graph_building|backend_compile\w*|lower_sharding_computation|trace_to_jaxpr\w*|XlaCompil\w*|"
    r"(?:\w+::)*\w*Compiler::(?:Run(?:Backend|HloPasses)|Compile\w*)|(?:\w+::)*\w*Client::Compile\w*|CompileToLocal\w*|"
    r".*\(dynamo_timed\)"
)
_CALL = "PjitFunction("
_PYTHON = "$"
_OF_A_FILE = re.compile(r"\$(.+\.py:\d+) (.*)", re.DOTALL)
#: Functions of Python that wait for work that is told elsewhere: on a device, or on other threads.
_AWAITS = re.compile(r"\$(?:.*[ .])?(?:block_until_ready|_value|acquire|wait\w*|join|select|poll|result|__array__)")


class Spent(NamedTuple):
    """How often something ran, and for how long."""

    times: int
    ps: int

    def plus(self, other: Spent) -> Spent:
        return Spent(self.times + other.times, self.ps + other.ps)


Ranking = dict[str, Spent]
_NOTHING = Spent(0, 0)


@dataclasses.dataclass(frozen=True)
class Clues:
    """What ran in the usual steps of a host; times are summed over threads or devices.

    steps: how many these are. work: ops that compute, on devices where there are any; types: the same by type of op.
    moves: the copies and collectives among the others.
    host_work: ops on the host's threads, beside devices. waits: ops that only wait for input; feeds: what prepares
    input, tf.data's own threads. eager: ops that TensorFlow ran one by one; eager_between: those between marked steps;
    between: all ops there. outside_ps: of ops on a host in no step. calls: compiled functions called from Python.
    compiled: functions that were traced or compiled. python: functions of Python, by their own time.
    events: what else the host's threads ran, by its own time, where the runtime takes some of a step.
    between_ps: from a step's end to the next one's begin; before_ps: from a step's begin to its first event.
    late_ps, stalled_ps: of PyTorch's devices that stood still: before what was launched since, before what had been.
    """

    steps: int = 0
    work: Ranking = dataclasses.field(default_factory=dict)
    types: Ranking = dataclasses.field(default_factory=dict)
    all_work: Spent = _NOTHING
    moves: Ranking = dataclasses.field(default_factory=dict)
    host_work: Ranking = dataclasses.field(default_factory=dict)
    waits: Ranking = dataclasses.field(default_factory=dict)
    feeds: Ranking = dataclasses.field(default_factory=dict)
    eager: Spent = _NOTHING
    eager_between: Spent = _NOTHING
    between: Ranking = dataclasses.field(default_factory=dict)
    outside_ps: int = 0
    calls: Ranking = dataclasses.field(default_factory=dict)
    all_calls: Spent = _NOTHING
    compiled: Ranking = dataclasses.field(default_factory=dict)
    python: Ranking = dataclasses.field(default_factory=dict)
    events: Ranking = dataclasses.field(default_factory=dict)
    between_ps: int = 0
    before_ps: int = 0
    late_ps: int = 0
    stalled_ps: int = 0


def merged(hosts: Iterable[Clues]) -> Clues:
    """The clues of several hosts as one's."""
    total = Clues()
    for clues in hosts:
        values: dict[str, Any] = {
            field.name: _sum(getattr(total, field.name), getattr(clues, field.name))
            for field in dataclasses.fields(Clues)
        }
        total = Clues(**values)
    return total


def _sum(a: Any, b: Any) -> int | Spent | Ranking:
    if isinstance(a, dict):
        return _by_size({name: a.get(name, _NOTHING).plus(b.get(name, _NOTHING)) for name in {**a, **b}})
    return a.plus(b) if isinstance(a, Spent) else int(a + b)


def _by_size(sums: Ranking) -> Ranking:
    """The largest, largest first, then by name."""
    return dict(sorted(sums.items(), key=lambda item: (-item[1].ps, item[0]))[:_MAX_NAMES])


def clues(timeline: Timeline, split: Split) -> Clues:
    """What ran in the steps of one host."""
    steps = split.steps
    if not len(steps):
        return Clues()
    counted = steps.counted & usual(steps.wall_ps, steps.whole)
    inside = _Inside(steps, counted)
    # A step that is not marked begins and ends with one of its calls: what lies between two is part of it.
    within = _Inside(steps, counted, steps.rule in MARKED)
    found = Clues(steps=int(counted.sum()), between_ps=int((steps.until_ps - steps.end_ps)[counted].clip(0).sum()))
    parts: dict[str, Any] = {**_ops(timeline, inside, within), **_named(timeline, split, inside, within)}
    parts |= _stood_still(timeline, inside)
    return dataclasses.replace(found, before_ps=_before(timeline, steps, counted), **parts)


class _Inside:
    """Whether instants lie in a step that counts."""

    def __init__(self, steps: Steps, counted: NDArray[np.bool_], own_span: bool = False) -> None:
        end = steps.end_ps if own_span else steps.until_ps
        self.windows = intervals.union(steps.begin_ps[counted], end[counted])

    def __call__(self, at: I64) -> NDArray[np.bool_]:
        begin, end = self.windows
        if len(begin) <= _MAX_FEW:
            inside = np.zeros(len(at), bool)
            for low, high in zip(begin.tolist(), end.tolist(), strict=True):
                inside |= (at >= low) & (at < high)
            return inside
        row = np.searchsorted(begin, at, side="right") - 1
        found: NDArray[np.bool_] = (row >= 0) & (at < end[row])
        return found


def _stood_still(timeline: Timeline, inside: _Inside) -> dict[str, int]:
    """`late_ps` and `stalled_ps`."""
    planes = timeline.capture.planes.kind
    late = stalled = 0
    for device in workers_of(timeline) if timeline.capture.format == "kineto" else ():
        whole = next(gaps_of(timeline, device.plane), None) if planes[device.plane] == PlaneKind.GPU else None
        if whole is not None:
            here = inside(whole.when.begin)
            length, is_late = (
                (whole.when.end - whole.when.begin)[here],
                (whole.cause == _LATE)[here],
            )
            late, stalled = late + int(length[is_late].sum()), stalled + int(length[~is_late].sum())
    return {"late_ps": late, "stalled_ps": stalled}


def _ops(timeline: Timeline, inside: _Inside, within: _Inside) -> dict[str, Ranking | Spent | int]:
    capture, ops = timeline.capture, ops_of(timeline)
    rows, op = ops.host
    own = _until_they_end(timeline, rows, host_self_ps_of(timeline))
    start = capture.events.start_ps[rows]
    in_step = inside(start)
    outside_ps = int(own[~in_step & ~_input_tracks(timeline)[capture.events.track[rows]]].sum())
    kept = np.flatnonzero(in_step)
    rows, op, own, between = rows[kept], op[kept], own[kept], ~within(start[kept])
    dataset = _of(ops.ops, lambda o: o.type.startswith("Dataset::"))[op]
    waits = host_waits_of(timeline)[op] | _of(ops.ops, lambda o: bool(_NEXT.fullmatch(o.type)))[op]
    feeds = ~waits & (dataset | _input_tracks(timeline)[capture.events.track[rows]])
    work = ~waits & ~feeds
    # An operator of PyTorch is told as such, in whatever modules it ran; it is its op's type.
    names = [o.type if capture.format == "kineto" else _called(o) for o in ops.ops]
    found: dict[str, Ranking | Spent | int] = {
        "waits": _ranking(names, op[waits], own[waits]),
        "feeds": _ranking(names, op[feeds], own[feeds]),
        "between": _ranking(names, op[between & work], own[between & work]),
        "outside_ps": outside_ps,
    }
    device = any(d.events for d in devices_of(timeline))
    host_op, host_own = op[work], own[work]
    if not device:
        return found | _work(ops.ops, names, host_op, host_own, np.zeros(len(host_op), bool))
    found["host_work"] = _ranking(names, host_op, host_own)
    at = inside(capture.events.start_ps[ops.device.rows])
    own = device_spans_of(timeline).self_ps[at].astype(np.int64)
    by_op = grouped_ops_of(timeline, "op")
    names = [_called(o) for o in by_op.ops]
    return found | _work(by_op.ops, names, by_op.device.op[at], own, device_waits_of(timeline)[0][at])


def _until_they_end(timeline: Timeline, rows: I64, own: I64) -> I64:
    """Self times, and of ops that go on on other threads the time until they end."""
    events, (late, end) = timeline.capture.events, async_ops_of(timeline)
    place = np.minimum(np.searchsorted(rows, late), len(rows) - 1)
    mine = rows[place] == late if len(rows) else np.zeros(0, bool)
    if not mine.any():
        return own
    own = own.copy()
    own[place[mine]] += (end - events.start_ps[late] - events.duration_ps[late])[mine]
    return own


def _work(
    ops: tuple[Op, ...], names: list[str], op: I32, own: I64, waits: NDArray[np.bool_]
) -> dict[str, Ranking | Spent]:
    moves = _of(ops, lambda o: bool(_MOVES.search(o.type) or _MOVES.search(o.name.rpartition("/")[2])))[op]
    works, moved = ~(moves | waits), (op[moves], own[moves])
    op, own = op[works], own[works]
    return {
        "work": _ranking(names, op, own),
        "types": _ranking([o.type for o in ops], op, own),
        "all_work": Spent(len(op), int(own.sum())),
        "moves": _ranking(names, *moved),
    }


def _of(ops: tuple[Op, ...], holds: Callable[[Op], bool]) -> NDArray[np.bool_]:
    return np.array([holds(op) for op in ops], bool)


def _called(op: Op) -> str:
    told = op.type != UNATTRIBUTED and op.type.removeprefix("Dataset::") not in op.name
    return f"{op.name} ({op.type})" if told else op.name


def _input_tracks(timeline: Timeline) -> NDArray[np.bool_]:
    names = timeline.capture.strings.of(timeline.capture.tracks.name)
    return np.array([name.startswith(_INPUT_THREAD) for name in names], bool)


def _ranking(names: Sequence[str], which: I32 | I64, ps: I64) -> Ranking:
    """The largest of what `which` numbers, by name; of equal names the sum."""
    if not len(which):
        return {}
    count, total = np.bincount(which), np.bincount(which, weights=ps)
    sums: dict[str, Spent] = {}
    for i in np.flatnonzero(count).tolist():
        name = names[i][:_MAX_LABEL]
        sums[name] = sums.get(name, _NOTHING).plus(Spent(int(count[i]), int(total[i])))
    return _by_size(sums)


class _Kinds(NamedTuple):
    """By string: what an event of that name is."""

    call: NDArray[np.bool_]
    compile: NDArray[np.bool_]
    python: NDArray[np.bool_]


def _kinds(timeline: Timeline) -> _Kinds:
    capture = timeline.capture
    kinds = _Kinds(*(np.zeros(len(capture.strings), bool) for _ in _Kinds._fields))
    for i in capture.names_used.tolist():
        name = capture.strings[i]
        kinds.call[i] = name.startswith(_CALL)
        kinds.python[i] = _text(timeline, i).startswith(_PYTHON)
        kinds.compile[i] = bool(_COMPILE.fullmatch(name[:_MAX_LABEL]))
    return kinds


def _named(timeline: Timeline, split: Split, inside: _Inside, within: _Inside) -> dict[str, Ranking | Spent]:
    kinds, name, steps = _kinds(timeline), timeline.capture.events.name, split.steps
    eager, eager_between = _eager(timeline, inside, within)
    found: dict[str, Ranking | Spent] = {"eager": eager, "eager_between": eager_between}
    if split.exposed_ps[:, :, INDEX["runtime"]].sum() > _WORTH * split.exposed_ps.sum():
        found["events"] = _events(timeline, steps, kinds.python | kinds.call, inside)
    calls = kinds.call[name] if kinds.call.any() else None
    if calls is not None:
        rows = _outermost(timeline, calls, inside)
        spent = timeline.capture.events.duration_ps[rows]
        texts = timeline.capture.strings
        found["calls"] = _ranking(texts, name[rows], spent)
        found["all_calls"] = Spent(len(rows), int(spent.sum()))
    if kinds.compile.any():
        found["compiled"] = _compiled(timeline, kinds.compile[name], calls, inside)
    if kinds.python.any():
        found["python"] = _python(timeline, steps, kinds.python[name], inside)
    return found


def _events(timeline: Timeline, steps: Steps, others: NDArray[np.bool_], inside: _Inside) -> Ranking:
    """Events of threads that prepare no input, by name, but for marks, functions of Python, and calls."""
    events, tracks, strings = timeline.capture.events, timeline.capture.tracks, timeline.capture.strings
    input_tracks, names, own = _input_tracks(timeline), [np.empty(0, np.int32)], [np.empty(0, np.int64)]
    for track in threads_of(timeline).tolist():
        at = slice(int(tracks.events_begin[track]), int(tracks.events_end[track]))
        if not input_tracks[track]:
            kept = inside(events.start_ps[at])
            names.append(events.name[at][kept])
            own.append(nesting_of(timeline).self_ps[at][kept])
    name = np.concatenate(names)
    total = np.bincount(name, weights=np.concatenate(own), minlength=len(strings))
    total[others] = 0
    total[events.name[steps.row[steps.row >= 0]]] = 0
    largest = [i for i in np.argsort(-total, kind="stable")[:_MAX_NAMES].tolist() if total[i]]
    return {strings[i][:_MAX_LABEL]: Spent(int(np.count_nonzero(name == i)), int(total[i])) for i in largest}


def _outermost(timeline: Timeline, wanted: NDArray[np.bool_], inside: _Inside) -> I64:
    """The rows in steps that are wanted and in no other that is."""
    rows = np.flatnonzero(wanted & (enclosing(timeline, wanted) < 0))
    return rows[inside(timeline.capture.events.start_ps[rows])]


def _eager(timeline: Timeline, inside: _Inside, within: _Inside) -> tuple[Spent, Spent]:
    """`EagerExecute` of single ops, other than asking for the next input, in steps and between them."""
    capture = timeline.capture
    name = capture.strings.find("EagerExecute")
    if name < 0:
        return _NOTHING, _NOTHING
    rows = np.flatnonzero(capture.events.name == name)
    rows = rows[inside(capture.events.start_ps[rows]) & ~_input_tracks(timeline)[capture.events.track[rows]]]
    value, kind = timeline.stat_of("is_func", rows)
    rows = rows[(value == 0) & (kind != 0)]
    op, kind = timeline.stat_of("eager_op", rows)
    texts = {i: capture.strings[i] for i in np.unique(op[kind == StatKind.TEXT]).tolist()}
    nexts = [i for i, text in texts.items() if _NEXT.fullmatch(text)]
    rows = rows[~((kind == StatKind.TEXT) & np.isin(op, nexts))]
    own, duration = within(capture.events.start_ps[rows]), capture.events.duration_ps[rows]
    parts = [Spent(int(part.sum()), int(duration[part].sum())) for part in (own, ~own)]
    return parts[0], parts[1]


def _compiled(
    timeline: Timeline, wanted: NDArray[np.bool_], calls: NDArray[np.bool_] | None, inside: _Inside
) -> Ranking:
    """By the function that was called, and how many of its calls compiled; by what compiled where no call says so."""
    events, rows = timeline.capture.events, _outermost(timeline, wanted, inside)
    functions = timeline.stat("tracing_count")[1] != 0
    functions = functions if calls is None else functions | calls
    call = _meanwhile(timeline, np.flatnonzero(functions & (enclosing(timeline, functions) < 0)), rows)
    call = np.where(call >= 0, call, rows)
    distinct, which = np.unique(call, return_inverse=True)
    total = np.bincount(which.reshape(-1), weights=events.duration_ps[rows])
    names, name = np.unique(events.name[distinct], return_inverse=True)
    return _ranking([_function(n) for n in timeline.capture.strings.of(names)], name.reshape(-1), total)


def _meanwhile(timeline: Timeline, functions: I64, rows: I64) -> I64:
    """For each row the one of some functions that ran around it, else at its begin on another thread, else -1."""
    events = timeline.capture.events
    if not len(functions):
        return np.full(len(rows), -1)
    outer = np.zeros(len(events), bool)
    outer[functions] = True
    around = enclosing(timeline, outer)[rows].astype(np.int64)
    functions = functions[np.argsort(events.start_ps[functions], kind="stable")]
    before = np.searchsorted(events.start_ps[functions], events.start_ps[rows], side="right") - 1
    last = functions[np.maximum(before, 0)]
    runs = (before >= 0) & (events.start_ps[rows] < events.start_ps[last] + events.duration_ps[last])
    return np.where((around < 0) & runs, last, around)


def _function(name: str) -> str:
    return (name.removeprefix(_CALL).removesuffix(")") if name.startswith(_CALL) else name)[:_MAX_LABEL]


def _python(timeline: Timeline, steps: Steps, python: NDArray[np.bool_], inside: _Inside) -> Ranking:
    """By function, and the function of a file that called it where it is Python's own."""
    capture, strings = timeline.capture, timeline.capture.strings
    rows = np.flatnonzero(python)
    rows = rows[inside(capture.events.start_ps[rows])]
    on_lane = np.isin(capture.events.track[rows], steps.lane[steps.lane >= 0])
    rows = rows[on_lane] if on_lane.any() else rows
    name, own = capture.events.name[rows], nesting_of(timeline).self_ps[rows]
    total = np.bincount(name, weights=own, minlength=len(strings))
    largest = [i for i in np.argsort(-total, kind="stable")[: 3 * _MAX_NAMES].tolist() if total[i] > 0]
    largest = [i for i in largest if not _AWAITS.fullmatch(_text(timeline, i)[:_MAX_LABEL])]
    of_a_file = np.zeros(len(strings), bool)
    for i in np.unique(name).tolist():
        of_a_file[i] = bool(_OF_A_FILE.fullmatch(_text(timeline, i)[:_MAX_LABEL]))
    callers = enclosing(timeline, python & of_a_file[capture.events.name])
    found: Ranking = {}
    for i in largest:
        mine = rows[name == i]
        found |= _ranking(*_with_callers(timeline, i, mine, callers[mine], bool(of_a_file[i])))
    return _by_size(found)


def _with_callers(
    timeline: Timeline, function: int, rows: I64, callers: I32, of_a_file: bool
) -> tuple[list[str], I64, I64]:
    """What `_ranking` takes, for the events of one function: a label for each of its callers."""
    capture = timeline.capture
    called = _python_name(_text(timeline, function))
    if of_a_file:
        return [called], np.zeros(len(rows), np.int64), nesting_of(timeline).self_ps[rows]
    caller = np.where(callers >= 0, capture.events.name[callers], -1)
    distinct, which = np.unique(caller, return_inverse=True)
    labels = [called if i < 0 else f"{called}, called by {_python_name(_text(timeline, i))}" for i in distinct.tolist()]
    return labels, which.reshape(-1).astype(np.int64), nesting_of(timeline).self_ps[rows]


def _text(timeline: Timeline, string: int) -> str:
    """A name, of functions of Python as TensorFlow's and JAX's tracer writes it, `$train.py:12 step`."""
    name = timeline.capture.strings[string]
    return (python_name(name) or name) if timeline.capture.format == "kineto" else name


def _python_name(text: str) -> str:
    """`$data.py:50 batches` → `batches` (data.py:50); `$time sleep` → `time.sleep`."""
    match = _OF_A_FILE.fullmatch(text[:_MAX_LABEL])
    if match:
        return f"`{match[2]}` ({match[1]})"
    return f"`{text[:_MAX_LABEL].removeprefix(_PYTHON).replace(' ', '.', 1)}`"


def _before(timeline: Timeline, steps: Steps, counted: NDArray[np.bool_]) -> int:
    """From each step's begin to the first event in it on its thread, summed; 0 where nothing marks the steps."""
    events, total = timeline.capture.events, 0
    for lane in np.unique(steps.lane[counted & (steps.row >= 0) & (steps.lane >= 0)]).tolist():
        mine = counted & (steps.lane == lane) & (steps.row >= 0)
        tracks = timeline.capture.tracks
        start = events.start_ps[tracks.events_begin[lane] : tracks.events_end[lane]]
        after = np.minimum(steps.row[mine] + 1 - tracks.events_begin[lane], len(start) - 1)
        first = np.minimum(start[after], steps.end_ps[mine])
        total += int((first - steps.begin_ps[mine]).clip(0).sum())
    return total
