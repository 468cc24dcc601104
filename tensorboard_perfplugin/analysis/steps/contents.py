"""A timeline and its split → what ran in its steps, by name: ops, events beside them, Python's functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import EMPTY, F64, I32, I64, Intervals, StatKind, among, intervals
from ...threshold import Threshold
from ...timeline.causes import launches_of
from ...timeline.devices import device_spans_of, devices_of
from ...timeline.loops.loops import coverage, nearest
from ...timeline.names.kernels import kernel_name
from ...timeline.names.ops import UNATTRIBUTED, Op, python_name
from ...timeline.nesting import enclosing, enclosing_of, nesting_of, outermost
from ...timeline.ops.executions import async_ops_of
from ...timeline.ops.ops import device_waits_of, host_self_ps_of, host_waits_of, ops_of
from ...timeline.ops.pytorch import grouped_ops_of, is_mark
from ...timeline.split.host_names import JOINS, HostClass, class_of_name
from ...timeline.split.split import Split, exposed_by
from ...timeline.steps.model import Steps
from ...timeline.timeline import INDEX, Timeline
from ...timeline.tracks import threads_of
from ..idle import Pauses, pauses
from ..ops.rows import is_of_model

# What ran in steps, by name: how often and for how long, the largest of its kind.

#: Names that are kept of each kind, the largest.
MAX_NAMES = 12
MAX_LABEL = 200
_MAX_FEW = 8
_INPUT_THREAD = "tf_data"


class Spent(NamedTuple):
    """How often something ran, and for how long."""

    times: int
    ps: int

    def plus(self, other: Spent) -> Spent:
        return Spent(self.times + other.times, self.ps + other.ps)


Ranking = dict[str, Spent]
NOTHING = Spent(0, 0)


def by_size(sums: Ranking) -> Ranking:
    """The largest, largest first, then by name."""
    return dict(sorted(sums.items(), key=lambda item: (-item[1].ps, item[0]))[:MAX_NAMES])


def ranking(names: Sequence[str], which: I32 | I64, ps: I64 | F64) -> Ranking:
    """The largest of what `which` numbers, by name; of equal names the sum."""
    return _ranked(names, *_sums(which, ps))


def _sums(which: I32 | I64, ps: I64 | F64) -> tuple[I64, F64]:
    """How often each number occurs, and the sum of its times."""
    numbers = which.astype(np.intp, copy=False)
    total: Any = np.bincount(numbers, weights=ps)
    return np.bincount(numbers).astype(np.int64, copy=False), total


def _ranked(names: Sequence[str], count: I64, total: F64) -> Ranking:
    sums: dict[str, Spent] = {}
    present = np.flatnonzero(count)
    for i, times, spent in zip(present.tolist(), count[present].tolist(), total[present].tolist(), strict=True):
        name, one = names[i][:MAX_LABEL], Spent(times, int(spent))
        sums[name] = sums[name].plus(one) if name in sums else one
    return by_size(sums)


class Inside:
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
        result: NDArray[np.bool_] = (row >= 0) & (at < end[row])
        return result


def input_tracks(timeline: Timeline) -> NDArray[np.bool_]:
    names = timeline.capture.strings.texts(timeline.capture.tracks.name)
    return np.array([name.startswith(_INPUT_THREAD) for name in names], bool)


# Names of functions of Python, and of annotations → what kind of work they are, where that is no model's.

#: What follows on reading the state of a model, and runs no op.
CHECKPOINT = "checkpoint"
#: By kind the functions, as the tracers of TensorFlow and JAX write them, and annotations that do all of it.
_KINDS = {
    "garbage": r"\$(?:gc|builtins) collect|(?:gc|garbage)[ _.]?collect(?:ion|or)?|gc",
    "logging": (
        r"\$__init__\.py:\d+ (?:_log|callHandlers)|\$_logger\.py:\d+ _log|"
        r"\$(?:tf_logging|absl_logging|wandb\w*|mlflow\w*|tensorboard_?\w*|summary\w*|event_file_writer\w*)\.py:\d+ "
        r"\w+|"
        r"(?:\w+[ _.])?log(?:s|ger|ging)?(?:[ _.]\w+)?"
    ),
    "printing": (
        r"\$builtins print|\$std\.py:\d+ (?:update|refresh|display|set_postfix\w*)|\$progbar\.py:\d+ \w+|"
        r"print\w*|progress[ _.]?bar"
    ),
    "tokenizing": (
        r"\$\S*tokeniz\S*\.py:\d+ .*|\$\S+ \w*(?:[tT]okeniz(?:e|er|ation)|_encode_plus|batch_encode)\w*|"
        r"(?:\w+[ _.])?tokeniz\w*"
    ),
    "importing": (
        r"\$<frozen importlib\S* .*|\$\S* _find_and_load\w*|\$builtins __import__|\$\S* import_module|imports?"
    ),
    "serializing": (
        r"\$(?:json|encoder|pickle|_pickle|csv|yaml)\S* \w*(?:dump|encode|write)\w*|"
        r"\$builtins (?:dumps?)|\$__init__\.py:\d+ dumps?|serializ\w*"
    ),
    "anomaly": r"\$anomaly_mode\.py:\d+ .*|\$traceback\.py:\d+ (?:format_stack|extract_stack|format_list)",
}
_PATTERNS = {kind: regex(pattern, re.DOTALL) for kind, pattern in _KINDS.items()}


def kind_of_python(name: str) -> str:
    """The empty text where the name does not tell."""
    return next((kind for kind, pattern in _PATTERNS.items() if pattern.fullmatch(name[:300])), "")


# A timeline and its split → what of a step's Python is in which function, annotation and kind of work.
#
# Of a function counts what lies in none that it calls, and only while Python, writing or waiting for input is what
# counts to the step: what runs beside an op, or on another thread meanwhile, costs the step nothing.

WHOLE = Threshold(
    "annotation of a whole step", 0.95, "share", "an annotation around so much of the steps is the step itself"
)
ENOUGH = Threshold(
    "Python worth its stretches", 0.1, "share", "of less of the steps no finding says where in them it lies"
)
_PYTHON = "$"
#: How some write an annotation, `## forward ##`; of other names what follows `#` is no name.
_TITLE = "## "
_FILE_FRAME = regex(r"\$(.+\.py:\d+) (.*)", re.DOTALL)
#: What is installed, or PyTorch's.
_LIBRARY_FRAME = regex(r"<|(?:.*/(?:site|dist)-packages/)?torch/|.*/lib/python3")
#: Functions of Python that wait for work that counts elsewhere: on a device, or on other threads.
_AWAITS = regex(rf"\$(?:(?:.*[ .])?(?:block_until_ready|_value|acquire|wait\w*|select|poll|result|__array__)|{JOINS})")
#: By what of a step counts: the name of its ranking.
_RANKINGS = {"python": "python", "output": "writes", "input_wait": "gets"}


def is_python(timeline: Timeline, string: int) -> bool:
    return _text(timeline, string).startswith(_PYTHON)


def traced_calls(timeline: Timeline, steps: Steps, python: NDArray[np.bool_], inside: Inside) -> int:
    """How many calls of functions the tracer of Python recorded in steps, on the threads that mark them."""
    rows = _on_lanes(timeline, steps, np.flatnonzero(python))
    return int(inside(timeline.capture.events.start_ps[rows]).sum())


def functions_of_files(timeline: Timeline) -> NDArray[np.bool_]:
    """By string: whether it is a function of Python that a file of the program's own has."""
    strings = timeline.capture.strings
    found = np.zeros(len(strings), bool)
    found[[i for i in timeline.capture.names_used.tolist() if _is_own(strings[i], _text(timeline, i))]] = True
    return found


def _is_own(name: str, text: str) -> bool:
    return bool(_FILE_FRAME.fullmatch(text[:MAX_LABEL])) and not _LIBRARY_FRAME.match(name[:MAX_LABEL])


def is_own_frame(name: str) -> bool:
    """Whether an event is a function of Python that a file of the program's own has."""
    return _is_own(name, python_name(name) or name)


def event_label(name: str) -> str:
    """What to call an event: functions of Python as `function_label` has them."""
    text = python_name(name) or name
    return _python_name(text) if text.startswith(_PYTHON) else f"`{text}`"


def function_label(timeline: Timeline, string: int) -> str:
    """`$data.py:50 batches` → `batches` (data.py:50)."""
    return _python_name(_text(timeline, string))


def python_in_steps(
    timeline: Timeline, split: Split, python: NDArray[np.bool_], inside: Inside, in_slow: Inside
) -> dict[str, Any]:
    """`python`, `writes`, `gets`: by function, and the function of a file that called it where it is one of Python
    itself. `regions`: by annotation, the innermost. `kinds`: by kind of work, in functions and annotations.
    `stretches_ps`: of what counts as Python, what lies in long stretches; `interrupted_ps`: in pauses that are none of
    the program's; `after`: the others, by what ended before. `slow_pauses`, `slow_saves`: likewise of slow steps."""
    steps, annotations = split.steps, _annotations(timeline, split.steps)
    named = bool(python.any() or annotations.any())
    if not named and _share(split) < ENOUGH.value:
        return {}
    exposed = exposed_by(timeline, steps, [INDEX[key] for key in _RANKINGS])
    when = {key: intervals.intersection(exposed.get(INDEX[key], EMPTY), inside.windows) for key in _RANKINGS}
    result = _pauses(timeline, steps, when["python"])
    result |= _slow_pauses(
        timeline, steps, intervals.intersection(exposed.get(INDEX["python"], EMPTY), in_slow.windows)
    )
    if not exposed:
        when["python"] = inside.windows
    if not named:
        return result
    found = _by_name(timeline, steps, python, annotations, when, inside)
    return result | found | {"kinds": by_size({**found["kinds"], **result["kinds"]})}


def _pauses(timeline: Timeline, steps: Steps, python: Intervals) -> dict[str, Any]:
    """Of typical steps."""
    found = pauses(timeline, steps, python)
    length = found.when.end - found.when.begin
    saves_ps = length[found.saves]
    return {
        "after": _by_what_ended(timeline, found, ~found.interrupted & ~found.saves),
        "stretches_ps": int(length.sum()),
        "interrupted_ps": int(length[found.interrupted & ~found.saves].sum()),
        "kinds": {CHECKPOINT: Spent(len(saves_ps), int(saves_ps.sum()))} if len(saves_ps) else {},
    }


def _slow_pauses(timeline: Timeline, steps: Steps, python: Intervals) -> dict[str, Any]:
    """By the name of what ended before; and those of them before which state is read."""
    found = pauses(timeline, steps, python)
    length = found.when.end - found.when.begin
    return {
        "slow_pauses": _by_what_ended(timeline, found, np.ones(len(length), bool)),
        "slow_saves": Spent(int(found.saves.sum()), int(length[found.saves].sum())),
    }


def _by_what_ended(timeline: Timeline, found: Pauses, wanted: NDArray[np.bool_]) -> Ranking:
    """Some pauses by the name of what ended before, of functions of Python none."""
    length, strings = found.when.end - found.when.begin, timeline.capture.strings
    known = np.flatnonzero((found.after >= 0) & wanted)
    names, which = np.unique(timeline.capture.events.name[found.after[known]], return_inverse=True)
    return ranking(strings.texts(names), which.reshape(-1).astype(np.int64), length[known])


def _share(split: Split) -> float:
    """What part of the steps, over all devices, counts as Python."""
    return float(split.exposed_ps[:, :, INDEX["python"]].sum() / max(split.exposed_ps.sum(), 1))


def _by_name(
    timeline: Timeline,
    steps: Steps,
    python: NDArray[np.bool_],
    annotations: NDArray[np.bool_],
    when: dict[str, Intervals],
    inside: Inside,
) -> dict[str, Ranking]:
    functions = _on_lanes(timeline, steps, np.flatnonzero(python))
    result: dict[str, Ranking] = {
        name: _by_function(timeline, functions, python, when[key]) for key, name in _RANKINGS.items()
    }
    regions = _parts_of_steps(timeline, _on_lanes(timeline, steps, np.flatnonzero(annotations)), inside.windows)
    self_ps, names = _self_ps(timeline, regions, when["python"]), timeline.capture.strings
    result["regions"] = ranking(names, timeline.capture.events.name[regions[self_ps > 0]], self_ps[self_ps > 0])
    both = np.flatnonzero(python | annotations)
    result["kinds"] = _kinds(timeline, _on_lanes(timeline, steps, both), when["python"])
    return result


def _annotations(timeline: Timeline, steps: Steps) -> NDArray[np.bool_]:
    """What a program itself wrote of its threads, but for marks of steps."""
    capture = timeline.capture
    wanted = np.zeros(len(capture.events), bool)
    if not capture.capabilities.framework_names:
        return wanted
    named = np.zeros(len(capture.strings), bool)
    for i in capture.names_used.tolist():
        name = _text(timeline, i)
        own = class_of_name(name) in (HostClass.UNKNOWN, HostClass.OUTPUT) and name[:1] != _PYTHON
        own &= name[:1] != "#" or name.startswith(_TITLE)
        named[i] = own and not name.startswith("ProfilerStep#")
    named[capture.events.name[steps.row[steps.row >= 0]]] = False
    threads = np.zeros(len(capture.tracks), bool)
    threads[threads_of(timeline)] = True
    wanted = named[capture.events.name] & threads[capture.events.track]
    wanted[ops_of(timeline).host.rows] = False
    return wanted


def _parts_of_steps(timeline: Timeline, rows: I64, windows: Intervals) -> I64:
    """Annotations, but for those that are around all of the steps and so tell nothing of them."""
    events = timeline.capture.events
    of_name = np.bincount(events.name[rows], _covered(timeline, rows, windows), len(timeline.capture.strings))
    return rows[of_name[events.name[rows]] < WHOLE.value * windows.total]


def _on_lanes(timeline: Timeline, steps: Steps, rows: I64) -> I64:
    """Rows on the threads that mark steps; all rows where there are none."""
    on_lane = among(timeline.capture.events.track[rows], steps.lane[steps.lane >= 0])
    return rows[on_lane] if on_lane.any() else rows


def _covered(timeline: Timeline, rows: I64, when: Intervals) -> I64:
    events = timeline.capture.events
    return coverage(when, events.start_ps[rows], events.start_ps[rows] + events.duration_ps[rows])


def _self_ps(timeline: Timeline, rows: I64, when: Intervals) -> I64:
    """Of each of some events, rows ascending, the time of a set that none of the others within it has."""
    covered = _covered(timeline, rows, when)
    around = _place_around(timeline, rows)
    of_inner = np.bincount(around[around >= 0], covered[around >= 0], len(rows)).astype(np.int64)
    return (covered - of_inner).clip(0)


def _place_around(timeline: Timeline, rows: I64) -> I64:
    """The place among some events, rows ascending, of the innermost one around each, or -1."""
    among = np.zeros(len(timeline.capture.events), bool)
    among[rows] = True
    around = enclosing_of(timeline, among, rows).astype(np.int64)
    return np.where(around >= 0, np.searchsorted(rows, around), -1)


def _by_function(timeline: Timeline, rows: I64, python: NDArray[np.bool_], when: Intervals) -> Ranking:
    capture, strings = timeline.capture, timeline.capture.strings
    name, self_ps = capture.events.name[rows], _self_ps(timeline, rows, when)
    total = np.bincount(name, weights=self_ps, minlength=len(strings))
    largest = [i for i in np.argsort(-total, kind="stable")[: 3 * MAX_NAMES].tolist() if total[i] > 0]
    largest = [i for i in largest if not _AWAITS.fullmatch(_text(timeline, i)[:MAX_LABEL])]
    of_a_file = np.zeros(len(strings), bool)
    for i in np.unique(name).tolist():
        of_a_file[i] = bool(_FILE_FRAME.fullmatch(_text(timeline, i)[:MAX_LABEL]))
    callers = enclosing(timeline, python & of_a_file[capture.events.name])
    result: Ranking = {}
    for i in largest:
        here = np.flatnonzero((name == i) & (self_ps > 0))
        labels, which = _with_callers(timeline, i, callers[rows[here]], bool(of_a_file[i]))
        result |= ranking(labels, which, self_ps[here])
    return by_size(result)


def _with_callers(timeline: Timeline, function: int, callers: I32, of_a_file: bool) -> tuple[list[str], I64]:
    """For the events of one function a label for each of its callers, and which each event has."""
    capture = timeline.capture
    called = _python_name(_text(timeline, function))
    if of_a_file:
        return [called], np.zeros(len(callers), np.int64)
    caller = np.where(callers >= 0, capture.events.name[callers], -1)
    distinct, which = np.unique(caller, return_inverse=True)
    labels = [called if i < 0 else f"{called}, called by {_python_name(_text(timeline, i))}" for i in distinct.tolist()]
    return labels, which.reshape(-1).astype(np.int64)


def _kinds(timeline: Timeline, rows: I64, when: Intervals) -> Ranking:
    """The outermost of each kind, with all that they call."""
    capture = timeline.capture
    result: Ranking = {}
    kind_of = {i: kind_of_python(_text(timeline, i)) for i in np.unique(capture.events.name[rows]).tolist()}
    for kind in sorted(set(kind_of.values()) - {""}):
        of_kind = rows[among(capture.events.name[rows], [i for i in kind_of if kind_of[i] == kind])]
        outer = of_kind[_place_around(timeline, of_kind) < 0]
        covered = _covered(timeline, outer, when)
        result |= ranking([kind], np.zeros(len(outer), np.int64)[covered > 0], covered[covered > 0])
    return by_size(result)


def _text(timeline: Timeline, string: int) -> str:
    """A name, of functions of Python as TensorFlow's and JAX's tracer writes it, `$train.py:12 step`."""
    name = timeline.capture.strings[string]
    return (python_name(name) or name) if timeline.capture.capabilities.has_operators else name


def _python_name(text: str) -> str:
    """`$data.py:50 batches` → `batches` (data.py:50); `$time sleep` → `time.sleep`."""
    match = _FILE_FRAME.fullmatch(text[:MAX_LABEL])
    if match:
        return f"`{match[2]}` ({match[1]})"
    return f"`{text[:MAX_LABEL].removeprefix(_PYTHON).replace(' ', '.', 1)}`"


# A timeline → the ops in its steps, by name: those that compute, move data, wait for input or prepare it.

NEXT = regex(r"IteratorGetNext\w*|MultiDeviceIteratorGetNextFromShard|OptionalGetValue|OptionalHasValue")
#: Collectives, and with them a device's copies, by the type of the op or the last part of its name.
_COLLECTIVES = regex(
    r"all-?_?reduce|all-?_?gather|reduce-?_?scatter|all-?_?to-?_?all|"
    r"collective|nccl|rccl|^(?:send|recv|infeed|outfeed)\b|record_param_comms|^c10d::|"
    r"(?:(?:deep|hybrid|nixl)_?ep|mori|pplx|uccl\w*)::(?:\w+::)*\w*(?:dispatch|combine)|"
    r"(?<![a-z])(?:ep|a2a)_?(?:dispatch|combine)",
    re.IGNORECASE,
)
_MOVES = regex(rf"^mem(?:cpy|set)|^copy(?:-start|-done)?$|{_COLLECTIVES.pattern}", re.IGNORECASE)
#: PyTorch's op around every collective, whichever it is.
_ANY_COLLECTIVE = "record_param_comms"


class PathTimes(NamedTuple):
    """What the critical path holds of events that are ops in steps: while they compute, move data, or compute on a host
    beside a device. place: by event, int32; 0 of those that it holds nothing of."""

    place: I32
    computes: F64
    moves: F64
    host_compute: F64

    def of(self, rows: I64 | I32, ps: F64) -> F64:
        held: F64 = ps[self.place[rows]]
        return held


class RankedOps(msgspec.Struct, frozen=True):
    """Ops in typical steps by what the critical path holds of them: what runs beside it costs a step nothing. Empty
    where no path is known. all_work: of all that compute."""

    work: Ranking = msgspec.field(default_factory=dict)
    types: Ranking = msgspec.field(default_factory=dict)
    moves: Ranking = msgspec.field(default_factory=dict)
    host_work: Ranking = msgspec.field(default_factory=dict)
    all_work: Spent = NOTHING


def ops_in_steps(
    timeline: Timeline,
    inside: Inside,
    within: Inside,
    slow: Inside,
    path_of: Callable[[], PathTimes | None] = lambda: None,
) -> dict[str, Any]:
    """slow: steps that are none of those, but whose ops are their own. path_of: asked last."""
    capture, ops = timeline.capture, ops_of(timeline)
    rows, op = ops.host
    self_ps = _until_they_end(timeline, rows, host_self_ps_of(timeline))
    start = capture.events.start_ps[rows]
    in_step, in_slow = inside(start), slow(start)
    outside_ps = int(self_ps[~in_step & ~in_slow & ~input_tracks(timeline)[capture.events.track[rows]]].sum())
    kept = np.flatnonzero(in_step)
    rows, op, self_ps, between = rows[kept], op[kept], self_ps[kept], ~within(start[kept])
    dataset = _of(ops.ops, lambda o: o.type.startswith("Dataset::"))[op]
    waits = host_waits_of(timeline)[op] | _of(ops.ops, lambda o: bool(NEXT.fullmatch(o.type)))[op]
    feeds = ~waits & (dataset | input_tracks(timeline)[capture.events.track[rows]])
    work = ~waits & ~feeds
    # PyTorch's operators go by their names, in whatever modules they ran: the op's type.
    names = [o.type if capture.capabilities.has_operators else _called(o) for o in ops.ops]
    result: dict[str, Any] = {
        "waits": ranking(names, op[waits], self_ps[waits]),
        "feeds": ranking(names, op[feeds], self_ps[feeds]),
        "between": ranking(names, op[between & work], self_ps[between & work]),
        "only_between": ranking(names, *_only(between & work, op, self_ps)),
        "outside_ps": outside_ps,
        "ops": int(in_step.sum()),
        "slow_ops": int(in_slow.sum()),
        "operators": int(in_step.sum()) if capture.capabilities.has_operators else 0,
    }
    device = any(d.events for d in devices_of(timeline))
    host_rows, host_op, host_self_ps = rows[work], op[work], self_ps[work]
    if not device:
        # A copy on a host is computed, as any other op is.
        moves = _of(ops.ops, lambda o: _is_like(o, _COLLECTIVES))[host_op]
        found = _work(ops.ops, names, host_op, host_self_ps, ~moves)
        result |= found | {"moves": ranking(names, host_op[moves], host_self_ps[moves])}
        return result | {"on_path": _on_path(path_of(), host_rows, ops.ops, names, host_op, ~moves, moves)}
    alone = ~launching(timeline)[host_rows]
    result["host_work"] = ranking(names, host_op[alone], host_self_ps[alone])
    host_names, host_op, host_rows = names, host_op[alone], host_rows[alone]
    start = capture.events.start_ps[ops.device.rows]
    at = inside(start)
    result |= {"ops": int(at.sum()), "slow_ops": int(slow(start).sum())}
    self_ps = device_spans_of(timeline).self_ps[at].astype(np.int64)
    by_op = grouped_ops_of(timeline, "op")
    names, op, rows = [_called(o) for o in by_op.ops], by_op.device.op[at], by_op.device.rows[at]
    moves = _of(by_op.ops, lambda o: _is_like(o, _MOVES))[op]
    works = ~(moves | device_waits_of(timeline)[0][at])
    result |= _work(by_op.ops, names, op, self_ps, works)
    kernels, kernel = _with_collectives(timeline, by_op.ops, names, op, rows, moves)
    result["moves"] = ranking(kernels, kernel[moves], self_ps[moves])
    path = path_of()
    ranked = _on_path(path, rows, by_op.ops, kernels, kernel, works, moves)
    on_host = _costly(ranking(host_names, host_op, path.of(host_rows, path.host_compute))) if path else {}
    return result | {"on_path": structs.replace(ranked, host_work=on_host)}


def _on_path(
    path: PathTimes | None,
    rows: I64,
    ops: tuple[Op, ...],
    names: list[str],
    op: I32 | I64,
    works: NDArray[np.bool_],
    moves: NDArray[np.bool_],
) -> RankedOps:
    if path is None:
        return RankedOps()
    found = _work(ops, names, op, path.of(rows, path.computes), works)
    moved = ranking(names, op[moves], path.of(rows[moves], path.moves))
    return RankedOps(_costly(found["work"]), _costly(found["types"]), _costly(moved), all_work=found["all_work"])


def _costly(ranking: Ranking) -> Ranking:
    return {name: spent for name, spent in ranking.items() if spent.ps}


def _only(between: NDArray[np.bool_], op: I32, self_ps: I64) -> tuple[I32, I64]:
    """Of ops between steps those that run in none, by the op."""
    ran = np.zeros(int(op.max()) + 1 if len(op) else 0, bool)
    ran[op[~between]] = True
    only = np.flatnonzero(between & ~ran[op])
    return op[only], self_ps[only]


def _with_collectives(
    timeline: Timeline, ops: tuple[Op, ...], names: list[str], op: I32, rows: I64, moves: NDArray[np.bool_]
) -> tuple[list[str], I64]:
    """Names, and which each event has, with PyTorch's collectives by their kernels: one op stands for all."""
    alike = np.flatnonzero(moves & _of(ops, lambda o: o.type == _ANY_COLLECTIVE)[op])
    kernel, which = np.unique(timeline.capture.events.name[rows[alike]], return_inverse=True)
    called = [kernel_name(timeline.capture.strings[i]).partition("(")[0] for i in kernel.tolist()]
    number = op.astype(np.int64)
    number[alike] = len(names) + which.reshape(-1)
    return [*names, *called], number


def _until_they_end(timeline: Timeline, rows: I64, self_ps: I64) -> I64:
    """Self times, and of ops that go on on other threads the time until they end."""
    events, (late, end) = timeline.capture.events, async_ops_of(timeline)
    place = np.minimum(np.searchsorted(rows, late), len(rows) - 1)
    here = rows[place] == late if len(rows) else np.zeros(0, bool)
    if not here.any():
        return self_ps
    self_ps = self_ps.copy()
    self_ps[place[here]] += (end - events.start_ps[late] - events.duration_ps[late])[here]
    return self_ps


def _work(
    ops: tuple[Op, ...], names: list[str], op: I32 | I64, ps: I64 | F64, works: NDArray[np.bool_]
) -> dict[str, Any]:
    if not works.all():
        op, ps = op[works], ps[works]
    sums = _sums(op, ps)
    return {
        "work": _ranked(names, *sums),
        "types": _ranked([o.type for o in ops], *sums),
        "all_work": Spent(len(op), int(ps.sum())),
    }


def launching(timeline: Timeline) -> NDArray[np.bool_]:
    """By event: PyTorch's ops around a call that launches, and what these call."""
    parent, ops = nesting_of(timeline).parent, ops_of(timeline)
    around = np.zeros(len(parent), bool)
    if not timeline.capture.capabilities.has_operators:
        return around
    is_op = np.zeros(len(parent), bool)
    is_op[ops.host.rows[_of(ops.ops, lambda o: not is_mark(o))[ops.host.op]]] = True
    up = launches_of(timeline).rows
    up = np.unique(up[up >= 0]).astype(np.int64)
    while len(up):
        above = parent[up].astype(np.int64)
        up = np.unique(above[above >= 0])
        around[up[is_op[up]]] = True
    return around | (nearest(parent, around) >= 0)


def _is_like(op: Op, pattern: re.Pattern[str]) -> bool:
    """By its type, or the last part of its name."""
    return bool(pattern.search(op.type) or pattern.search(op.name.rpartition("/")[2]))


def _of(ops: tuple[Op, ...], holds: Callable[[Op], bool]) -> NDArray[np.bool_]:
    return np.array([holds(op) for op in ops], bool)


def _called(op: Op) -> str:
    typed = op.type != UNATTRIBUTED and op.type.removeprefix("Dataset::") not in op.name
    return f"{op.name} ({op.type})" if typed else op.name


# A timeline → what its threads ran in steps beside ops, by name: eager ops, calls, compilations, other events.

WORTH = Threshold(
    "runtime worth a look",
    0.02,
    "share",
    "events of the runtime are summed up by name if it takes more of a step; there may be millions",
)
#: What a framework records while it traces or compiles a function.
_COMPILE = regex(
    r"tf\.function-graph_building|backend_compile\w*|lower_sharding_computation|trace_to_jaxpr\w*|XlaCompil\w*|"
    r"(?:\w+::)*\w*Compiler::(?:Run(?:Backend|HloPasses)|Compile\w*)|(?:\w+::)*\w*Client::Compile\w*|CompileToLocal\w*|"
    r".*\(dynamo_timed\)"
)
_CALL = "PjitFunction("


class _Kinds(NamedTuple):
    """By string: what an event of that name is."""

    call: NDArray[np.bool_]
    compile: NDArray[np.bool_]
    python: NDArray[np.bool_]


def _events_in_steps_kinds(timeline: Timeline) -> _Kinds:
    capture = timeline.capture
    call, python = (np.zeros(len(capture.strings), bool) for _ in range(2))
    for i in capture.names_used.tolist():
        call[i] = capture.strings[i].startswith(_CALL)
        python[i] = is_python(timeline, i)
    return _Kinds(call, compiling(timeline), python)


def compiling(timeline: Timeline) -> NDArray[np.bool_]:
    """By string: whether events of that name trace or compile a function."""
    capture = timeline.capture
    found = np.zeros(len(capture.strings), bool)
    for i in capture.names_used.tolist():
        found[i] = bool(_COMPILE.fullmatch(capture.strings[i][:MAX_LABEL]))
    return found


def events_in_steps(
    timeline: Timeline, split: Split, inside: Inside, within: Inside, in_slow: Inside
) -> dict[str, Any]:
    kinds, name = _events_in_steps_kinds(timeline), timeline.capture.events.name
    eager, eager_between = _eager(timeline, inside, within)
    result: dict[str, Any] = {"eager": eager, "eager_between": eager_between}
    result["traced_calls"] = traced_calls(timeline, split.steps, kinds.python[name], inside)
    if split.exposed_ps[:, :, INDEX["runtime"]].sum() > WORTH.value * split.exposed_ps.sum():
        result["events"] = _events(timeline, split, kinds.python, inside)
    calls = kinds.call[name] if kinds.call.any() else None
    if calls is not None:
        rows = _outermost(timeline, calls, inside)
        spent = timeline.capture.events.duration_ps[rows]
        texts = timeline.capture.strings
        result["calls"] = ranking(texts, name[rows], spent)
        result["all_calls"] = Spent(len(rows), int(spent.sum()))
    result["calls_between"] = _between(timeline, calls, inside, within)
    if kinds.compile.any():
        result["compiled"] = _compiled(timeline, kinds.compile[name], calls, inside)
        result["slow_compiled"] = _compiled(timeline, kinds.compile[name], calls, in_slow)
    return result | python_in_steps(timeline, split, kinds.python[name], inside, in_slow)


def _events(timeline: Timeline, split: Split, others: NDArray[np.bool_], inside: Inside) -> Ranking:
    """Events of threads that prepare no input, by name, but for marks and functions of Python, by the time in which the
    runtime is what counts to the step, and none within them."""
    events, tracks, strings = timeline.capture.events, timeline.capture.tracks, timeline.capture.strings
    exposed, runtime = exposed_by(timeline, split.steps, [INDEX["runtime"]]), INDEX["runtime"]
    when = intervals.intersection(exposed[runtime], inside.windows) if exposed else inside.windows
    of_input, times, total = input_tracks(timeline), *(np.zeros(len(strings), np.int64) for _ in range(2))
    for track in threads_of(timeline).tolist():
        low, high = int(tracks.events_begin[track]), int(tracks.events_end[track])
        if of_input[track] or low == high:
            continue
        begin, parent = events.start_ps[low:high], nesting_of(timeline).parent[low:high]
        covered = coverage(when, begin, begin + events.duration_ps[low:high])
        # The first place is for what lies in no other event.
        of_inner = np.bincount(np.maximum(parent - (low - 1), 0), covered, high - low + 1)[1:]
        self_ps = (covered - of_inner.astype(np.int64)).clip(0)
        name = events.name[low:high]
        times += np.bincount(name[self_ps > 0], minlength=len(strings))
        total += np.bincount(name, self_ps, len(strings)).astype(np.int64)
    total[others] = 0
    total[events.name[split.steps.row[split.steps.row >= 0]]] = 0
    largest = [i for i in np.argsort(-total, kind="stable")[:MAX_NAMES].tolist() if total[i]]
    return {strings[i][:MAX_LABEL]: Spent(int(times[i]), int(total[i])) for i in largest}


def _outermost(timeline: Timeline, wanted: NDArray[np.bool_], inside: Inside) -> I64:
    """The rows in steps that are wanted and in no other that is."""
    rows = outermost(timeline, wanted)
    return rows[inside(timeline.capture.events.start_ps[rows])]


def _between(timeline: Timeline, calls: NDArray[np.bool_] | None, inside: Inside, within: Inside) -> Ranking:
    """Compiled functions that are called between steps, and in none."""
    events, functions = timeline.capture.events, timeline.stat("tf_function_call")[1] == StatKind.TEXT
    rows = _outermost(timeline, functions if calls is None else functions | calls, inside)
    rows = rows[~input_tracks(timeline)[events.track[rows]]]
    here = within(events.start_ps[rows])
    rows = rows[~here & ~among(events.name[rows], np.unique(events.name[rows[here]]))]
    names, which = np.unique(events.name[rows], return_inverse=True)
    called = [_function(name) for name in timeline.capture.strings.texts(names)]
    return ranking(called, which.reshape(-1), events.duration_ps[rows])


def _eager(timeline: Timeline, inside: Inside, within: Inside) -> tuple[Spent, Spent]:
    """`EagerExecute` of single ops, other than asking for the next input, in steps and between them. In steps without
    what logs and saves, which between them is what a callback runs."""
    capture = timeline.capture
    name = capture.strings.find("EagerExecute")
    if name < 0:
        return NOTHING, NOTHING
    rows = np.flatnonzero(capture.events.name == name)
    rows = rows[inside(capture.events.start_ps[rows]) & ~input_tracks(timeline)[capture.events.track[rows]]]
    value, kind = timeline.stat_of("is_func", rows)
    rows = rows[(value == 0) & (kind != 0)]
    op, kind = timeline.stat_of("eager_op", rows)
    texts = {i: capture.strings[i] for i in np.unique(op[kind == StatKind.TEXT]).tolist()}
    named, in_span = kind == StatKind.TEXT, within(capture.events.start_ps[rows])
    nexts = named & among(op, [i for i, text in texts.items() if NEXT.fullmatch(text)])
    around = named & among(op, [i for i, text in texts.items() if not is_of_model(text)])
    duration = capture.events.duration_ps[rows]
    parts = [Spent(int(part.sum()), int(duration[part].sum())) for part in (in_span & ~around, ~in_span & ~nexts)]
    return parts[0], parts[1]


def _compiled(
    timeline: Timeline, wanted: NDArray[np.bool_], calls: NDArray[np.bool_] | None, inside: Inside
) -> Ranking:
    """By the function that was called, and how many of its calls compiled; by what compiled where no call says so."""
    events, rows = timeline.capture.events, _outermost(timeline, wanted, inside)
    functions = timeline.stat("tracing_count")[1] != 0
    functions = functions if calls is None else functions | calls
    call = _meanwhile(timeline, outermost(timeline, functions), rows)
    call = np.where(call >= 0, call, rows)
    distinct, which = np.unique(call, return_inverse=True)
    total = np.bincount(which.reshape(-1), weights=events.duration_ps[rows])
    names, name = np.unique(events.name[distinct], return_inverse=True)
    return ranking([_function(n) for n in timeline.capture.strings.texts(names)], name.reshape(-1), total)


def _meanwhile(timeline: Timeline, functions: I64, rows: I64) -> I64:
    """For each row the one of some functions that ran around it, else at its begin on another thread, else -1."""
    events = timeline.capture.events
    if not len(functions):
        return np.full(len(rows), -1)
    outer = np.zeros(len(events), bool)
    outer[functions] = True
    around = enclosing_of(timeline, outer, rows).astype(np.int64)
    functions = functions[np.argsort(events.start_ps[functions], kind="stable")]
    before = np.searchsorted(events.start_ps[functions], events.start_ps[rows], side="right") - 1
    last = functions[np.maximum(before, 0)]
    runs = (before >= 0) & (events.start_ps[rows] < events.start_ps[last] + events.duration_ps[last])
    return np.where((around < 0) & runs, last, around)


def _function(name: str) -> str:
    return (name.removeprefix(_CALL).removesuffix(")") if name.startswith(_CALL) else name)[:MAX_LABEL]
