"""A timeline and its steps → what a step runs: the time of each op, counts, and what the program marked."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import F64, I32, I64, Capture, StatKind, among, intervals
from ...timeline.causes import inherited, launches_of
from ...timeline.names.kernels import copy_details
from ...timeline.names.ops import Op, copy_op
from ...timeline.nesting import enclosing, enclosing_of, nesting_of
from ...timeline.ops.costs import op_costs_of
from ...timeline.ops.ops import MODULE, are_calls, modules, ops_of
from ...timeline.ops.pytorch import ANNOTATION, is_mark
from ...timeline.split.host_names import HostClass, class_of_name
from ...timeline.split.split import Split, parts_by_event
from ...timeline.steps.model import Steps
from ...timeline.timeline import CATEGORIES, Timeline
from ...timeline.tracks import device_rows, rows_of, threads_of
from ...units import PS_PER_MS
from ..steps.contents import Inside
from ..steps.launching import compilations
from ..steps.means import are_warm_up
from ..steps.summary import COMPUTES

# A timeline and its steps → what the program marked around each event: `record_function`, NVTX, TraceAnnotation,
# modules.
#
# A mark holds what runs within it on its thread, what is launched there, and what that causes on other threads. Threads
# of PyTorch that mark nothing, as those of autograd, are in the mark in which the thread that marks most is meanwhile.
# What a program numbers on, `batch 17`, which is in one step alone, is one mark of all steps: `batch *`.

#: Names of marks, outermost first.
Scope = tuple[str, ...]
#: Marks around one event that are distinguished, the outermost; letters of a name.
MAX_DEPTH, MAX_NAME = 24, 200
#: Different names of marks that are looked at, and different paths of them.
_MOST_NAMES, _MOST_PATHS = 1 << 16, 1 << 16
_NUMBER = regex(r"\d+")
#: What profilers and libraries mark, and functions of Python.
_OTHERS = ("ProfilerStep#", "nccl:", "rccl:", "gloo:", "mpi:", "ucc:", "$")


def is_itself(op: Op, scope: Scope) -> bool:
    """Whether what lies in marks is the innermost of these, as time in it in which nothing else ran."""
    name = op.name[:MAX_NAME]
    return op.type in ("", ANNOTATION) and bool(scope) and scope[-1] in (name, _NUMBER.sub("*", name))


def scope_without_numbers(scope: Scope) -> Scope:
    return tuple(_NUMBER.sub("*", name.removeprefix(MODULE)) for name in scope)


class Scopes(NamedTuple):
    """paths: distinct ones, the first is that of no mark. of: by event the place of its path."""

    paths: list[Scope]
    of: I64


def scopes_of(timeline: Timeline, steps: Steps) -> Scopes:
    """Where the program marked nothing, no event is in a scope."""
    rows = _marks(timeline, steps)
    size = len(timeline.capture.events)
    if not len(rows):
        return Scopes([()], np.zeros(size, np.int64))
    wanted = np.zeros(size, bool)
    wanted[rows] = True
    outer = enclosing(timeline, wanted)
    paths, label = _paths(timeline, rows, outer, _names(timeline.capture, steps, rows))
    if timeline.capture.capabilities.has_operators:
        _meanwhile(timeline, rows, outer, label)
    return Scopes(paths, np.maximum(inherited(timeline, label), 0).astype(np.int64))


def _marks(timeline: Timeline, steps: Steps) -> I64:
    """Rows of the program's marks but those of its steps."""
    capture, can = timeline.capture, timeline.capture.capabilities
    rows, step_rows = rows_of(capture, threads_of(timeline)), steps.row[steps.row >= 0]
    if can.has_ranges:
        is_range = (timeline.stat_of("correlation_id", rows)[1] == 0) & (timeline.stat_of("domain", rows)[1] == 0)
        rows = rows[is_range & ~are_calls(timeline, rows)]
    elif can.has_operators:
        value, kind = timeline.stat_of("category", rows)
        is_annotation = (kind == StatKind.TEXT) & (value == capture.strings.find(ANNOTATION))
        rows = rows[is_annotation | modules(capture)[rows]]
    else:
        rows = rows[among(capture.events.track[rows], np.unique(capture.events.track[step_rows]).tolist())]
    named = _marking(capture, rows, by_class=not (can.has_ranges or can.has_operators))
    marks = np.ones(len(capture.events), bool)
    host = ops_of(timeline).host
    marks[host.rows] = np.array([is_mark(op) for op in ops_of(timeline).ops], bool)[host.op]
    marks[step_rows] = False
    return rows[named[capture.events.name[rows]] & marks[rows] & (capture.events.duration_ps[rows] > 0)]


def _marking(capture: Capture, rows: I64, by_class: bool) -> NDArray[np.bool_]:
    """By string id: whether such an event is a mark of the program's. by_class: since no name is known for anything
    else.
    """
    table = np.zeros(len(capture.strings), bool)
    for i in np.unique(capture.events.name[rows])[:_MOST_NAMES].tolist():
        text = capture.strings[i]
        own = bool(text.strip()) and not text.startswith(_OTHERS)
        table[i] = own and (not by_class or class_of_name(text) == HostClass.UNKNOWN)
    return table


def _names(capture: Capture, steps: Steps, rows: I64) -> dict[int, str]:
    """By string id what a mark is called: of those in one step alone that differ in numbers, the same."""
    order = np.argsort(steps.begin_ps, kind="stable")
    step = np.searchsorted(steps.begin_ps[order], capture.events.start_ps[rows], side="right")
    pairs = np.unique(np.stack((capture.events.name[rows].astype(np.int64), step)), axis=1)
    ids, in_steps = np.unique(pairs[0], return_counts=True)
    texts = {i: capture.strings[i][:MAX_NAME] for i in ids.tolist()}
    alike: dict[str, list[int]] = {}
    for i, count in zip(ids.tolist(), in_steps.tolist(), strict=True):
        if count == 1 and len(steps) > 1:
            alike.setdefault(_NUMBER.sub("*", texts[i]), []).append(i)
    return texts | {i: text for text, some in alike.items() if len(some) > 1 for i in some}


def _paths(timeline: Timeline, rows: I64, outer: I32, names: dict[int, str]) -> tuple[list[Scope], I32]:
    """The paths, and by event of a mark the place of its own, else -1. A mark in one of its name is that one."""
    capture = timeline.capture
    paths: list[Scope] = [()]
    numbers: dict[Scope, int] = {(): 0}
    of = np.full(len(capture.events), -1, np.int32)
    left = rows
    for _ in range(MAX_DEPTH):
        around = np.where(outer[left] >= 0, of[outer[left]], 0).astype(np.int64)
        at, around = left[around >= 0], around[around >= 0]
        codes, which = np.unique(around * len(capture.strings) + capture.events.name[at], return_inverse=True)
        found = np.empty(len(codes), np.int32)
        for i, code in enumerate(codes.tolist()):
            inside, name = divmod(code, len(capture.strings))
            above, text = paths[inside], names[name]
            path = above if above[-1:] == (text,) else (*above, text)
            if path not in numbers and len(paths) < _MOST_PATHS:
                numbers[path] = len(paths)
                paths.append(path)
            found[i] = numbers.get(path, inside)
        of[at] = found[which.reshape(-1)]
        left = left[of[left] < 0]
        if not len(left):
            break
    return paths, of


def _meanwhile(timeline: Timeline, marks: I64, outer: I32, label: I32) -> None:
    """Of the outermost events of threads without marks: the mark that the thread with most marked time is in then."""
    events, parent = timeline.capture.events, nesting_of(timeline).parent
    outermost = marks[outer[marks] < 0]
    main = int(np.bincount(events.track[outermost], weights=events.duration_ps[outermost]).argmax())
    rows = rows_of(timeline.capture, np.setdiff1d(threads_of(timeline), events.track[marks]))
    rows = rows[parent[rows] < 0]
    mine, begin = marks[events.track[marks] == main], events.start_ps[rows]
    mark = np.append(mine, -1)[np.searchsorted(events.start_ps[mine], begin, side="right") - 1]
    for _ in range(MAX_DEPTH):
        over = np.flatnonzero((mark >= 0) & (events.start_ps[mark] + events.duration_ps[mark] <= begin))
        if not len(over):
            break
        mark[over] = outer[mark[over]]
    label[rows] = np.where((mark >= 0) & (events.start_ps[mark] + events.duration_ps[mark] > begin), label[mark], 0)


# A timeline and its steps → how long, of each step's time, each op is what counts: parts that add up to the step.

#: Ops that are kept by name in each category, the largest; what the others take is the category's own.
MAX_OPS = 512
#: Ops in scopes that are kept in each category; what others take is the op's, in no scope.
MAX_SCOPED = 4096
MAX_LABEL = 300
#: What a runtime does on the thread of an op.
_HELPS = (HostClass.NONE, HostClass.RUNTIME, HostClass.FUNCTION, HostClass.EXECUTE, HostClass.EAGER_KERNEL)


class Part(NamedTuple):
    """Of a mean step: ps, how long an op is what counts for it; times, how often the op begins."""

    ps: float
    times: float

    def plus(self, other: Part) -> Part:
        return Part(self.ps + other.ps, self.times + other.times)

    def share(self, share: float) -> Part:
        """What of its time is that of one of several ops that it is in."""
        return Part(self.ps * share, self.times)


NOTHING = Part(0.0, 0.0)
#: Category, by its place, and op → its part.
Parts = dict[tuple[int, Op], Part]
#: The same by what the program marked around the op; of each op these add up to its own.
Scoped = dict[tuple[int, Op, Scope], Part]


def parts_by_op(timeline: Timeline, split: Split) -> tuple[Parts, Scoped]:
    """Means over the steps that are paid for, and over the units that run them.

    Where several tracks show what counts, each has an equal part of the instant. What lies in no event has no row: the
    rows of a category add up to no more than the category.
    """
    steps = split.steps
    counted = steps.counted & ~are_warm_up(steps.wall_ps, steps.whole)
    if not counted.any():
        return {}, {}
    # A step is all units', or one's, which does something else in the steps of others.
    ran = split.ran & counted[: split.ran.shape[1]]
    many = max(int(ran.sum()), 1)
    windows = [intervals.union(steps.begin_ps[at], steps.until_ps[at]) for at in map(np.flatnonzero, ran)]
    label, scopes = _Labels(timeline, steps.row), scopes_of(timeline, steps)
    found: Parts = {}
    scoped: Scoped = {}
    for of_unit in parts_by_event(timeline, steps, windows):
        for category in np.flatnonzero(np.bincount(of_unit.category)).tolist():
            here = of_unit.category == category
            row, ps = of_unit.row[here], of_unit.ps[here]
            if CATEGORIES[category].key in COMPUTES:
                row = label.ops_around(row)
            for op, part in _largest(_of_category(row, ps, label)):
                mean = Part(part.ps / many, part.times / many)
                found[category, op] = found.get((category, op), NOTHING).plus(mean)
            for (op, scope), sum_ps in _in_scopes(row, ps, label, scopes).items():
                if (category, op) in found:
                    key = category, op, scope
                    scoped[key] = scoped.get(key, NOTHING).plus(Part(sum_ps / many, 0.0))
    return found, scoped


def _largest(parts: dict[Op, Part]) -> list[tuple[Op, Part]]:
    return sorted(parts.items(), key=lambda item: (-item[1].ps, item[0]))[:MAX_OPS]


def _of_category(row: I64, ps: F64, label: _Labels) -> dict[Op, Part]:
    """The sums over pieces of events. An event that others interrupt begins once."""
    which = label.labels_at(row)
    known = which >= 0
    if not known.any():
        return {}
    total = np.bincount(which[known], weights=ps[known])
    begun = np.zeros(len(label.named), bool)
    begun[row[known]] = True
    times = np.bincount(label.labels_at(np.flatnonzero(begun)), minlength=len(total))
    found: dict[Op, Part] = {}
    for i in np.flatnonzero(times).tolist():
        op = label.op(i)
        found[op] = found.get(op, NOTHING).plus(Part(float(total[i]), float(times[i])))
    return found


def _in_scopes(row: I64, ps: F64, label: _Labels, scopes: Scopes) -> dict[tuple[Op, Scope], float]:
    """The sums over pieces of events, by op and what is marked around it."""
    which = label.labels_at(row)
    known = which >= 0
    codes, place = np.unique(which[known] * len(scopes.paths) + scopes.of[row[known]], return_inverse=True)
    total = np.bincount(place.reshape(-1), weights=ps[known], minlength=len(codes))
    found: dict[tuple[Op, Scope], float] = {}
    for rank, i in enumerate(np.argsort(-total, kind="stable").tolist()):
        at, scope = divmod(int(codes[i]), len(scopes.paths))
        key = label.op(at), scopes.paths[scope] if rank < MAX_SCOPED else ()
        found[key] = found.get(key, 0.0) + float(total[i])
    return found


class _Labels:
    """By event: the op that it ran, else its own name; of the marks of the steps themselves what they lie in, or -1."""

    def __init__(self, timeline: Timeline, marks: I32) -> None:
        capture, self._ops = timeline.capture, ops_of(timeline)
        self._strings, self._names, self._timeline = capture.strings, capture.events.name, timeline
        self._label = capture.events.name.astype(np.int64) + len(self._ops.ops)
        for side in (self._ops.host, self._ops.device):
            self._label[side.rows] = side.op
        self._is_op: NDArray[np.bool_] = self._label < len(self._ops.ops)
        marks = marks[marks >= 0]
        self._label[marks] = -1
        self.named: NDArray[np.bool_] = self._label >= 0
        around = enclosing_of(timeline, self.named, marks)
        self._label[marks] = np.where(around >= 0, self._label[around], -1)

    def ops_around(self, row: I64) -> I64:
        """Of what a runtime does within an op of its thread, as splitting a loop, the op."""
        loose = np.flatnonzero(~self._is_op[row])
        names = self._names[row[loose]]
        helpers = [i for i in np.unique(names).tolist() if class_of_name(self._strings[i]) in _HELPS]
        loose = loose[among(names, helpers)]
        op = enclosing_of(self._timeline, self._is_op, row[loose])
        around = row.copy()
        around[loose[op >= 0]] = op[op >= 0]
        return around

    def labels_at(self, row: I64) -> I64:
        return self._label[row]

    def op(self, label: int) -> Op:
        if label < len(self._ops.ops):
            return self._ops.ops[label]
        return Op(self._strings[label - len(self._ops.ops)][:MAX_LABEL], "")


# A timeline and its steps → how much a step launches, runs, copies and computes; what the capture compiles.

Unit = Literal["", "bytes", "flops", "ms"]


class Count(NamedTuple):
    """One of the numbers that are counted. of: a step, or the whole capture."""

    key: str
    unit: Unit
    title: str
    of: Literal["step", "capture"] = "step"


COUNTS = (
    Count("launches", "", "Launches of kernels and copies"),
    Count("kernels", "", "Kernels"),
    Count("ops", "", "Ops"),
    Count("copies", "", "Copies and fills of devices"),
    Count("copied_in_bytes", "bytes", "Copied from host to devices"),
    Count("copied_out_bytes", "bytes", "Copied from devices to host"),
    Count("copied_on_device_bytes", "bytes", "Copied and filled on devices"),
    Count("collectives", "", "Collectives of a device"),
    Count("collective_bytes", "bytes", "Carried by collectives of a device"),
    Count("flops", "flops", "FLOPs of ops of which they are known"),
    Count("compilations", "", "Functions traced or compiled", "capture"),
    Count("compilation_ms", "ms", "Time of tracing and compiling", "capture"),
)
#: Type of a copy's op → what its bytes count to; others are between devices, or on one.
_WAYS = {"MemcpyHToD": "copied_in_bytes", "MemcpyDToH": "copied_out_bytes"}
_ON_HOST = ("pageable", "pinned", "host")
_DETAILS = ("memcpy_details", "memset_details")


def counts(timeline: Timeline, split: Split, counted: Inside, steps: int) -> dict[str, float]:
    """By key of `COUNTS`, of each that the capture shows. counted: the steps; steps: how many."""
    found: dict[str, float] = {}
    compiled = compilations(timeline)
    if compiled is not None:
        found |= {"compilations": compiled.times, "compilation_ms": compiled.ps / PS_PER_MS}
    if not steps:
        return found
    planes = [unit.plane for unit in split.units if unit.plane >= 0]
    rows = np.concatenate([device_rows(timeline, plane) for plane in planes] or [np.empty(0, np.int64)])
    of_step = _launches(timeline, counted) | _ops(timeline, counted)
    if len(planes):
        of_step |= _on_devices(timeline, of_steps(timeline, split, counted, rows))
    return found | {key: value / steps for key, value in of_step.items()}


def of_steps(timeline: Timeline, split: Split, counted: Inside, rows: I64) -> I64:
    """Those device events that the steps launched: of a device that lags behind, what was launched before begins in
    them, too. What no launch is known of, and where a device marks the steps, those that begin in them."""
    starts = timeline.capture.events.start_ps
    if split.steps.on_device or not len(rows):
        return rows[counted(starts[rows])]
    launch = launches_of(timeline).rows[rows]
    known = launch >= 0
    here = counted(starts[np.where(known, launch, rows)])
    here &= known | ~_launched_before(timeline, rows, known)
    return rows[here]


def _launched_before(timeline: Timeline, rows: I64, known: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """What begins on its stream before all of which the launch is known: it was launched before the capture began."""
    track, starts = timeline.capture.events.track[rows], timeline.capture.events.start_ps[rows]
    first = np.zeros(len(timeline.capture.tracks), np.int64)
    np.maximum.at(first, track[known], np.iinfo(np.int64).max)
    np.minimum.at(first, track[known], starts[known])
    before: NDArray[np.bool_] = starts < first[track]
    return before


def _launches(timeline: Timeline, counted: Inside) -> dict[str, float]:
    launching = np.zeros(len(timeline.capture.events) + 1, bool)
    launching[launches_of(timeline).rows] = True  # no launch is the last place, which is none
    rows = np.flatnonzero(launching[:-1])
    if not len(rows):
        return {}
    return {"launches": float(counted(timeline.capture.events.start_ps[rows]).sum())}


def _ops(timeline: Timeline, counted: Inside) -> dict[str, float]:
    """Executions of ops, of devices where a host shows none; their FLOPs, as many of each execution of an op."""
    ops, starts = ops_of(timeline), timeline.capture.events.start_ps
    found: dict[str, float] = {}
    shown = ops.host if len(ops.host.rows) else ops.device
    if len(shown.rows):
        found["ops"] = float(counted(starts[shown.rows]).sum())
    side = "device" if len(ops.device.rows) else "host"
    of_side = ops.device if side == "device" else ops.host
    if not len(of_side.rows) or len(ops.device_aggregates.rows):
        return found
    flops = op_costs_of(timeline, side).flops
    if np.nansum(flops):
        times = np.bincount(of_side.op, minlength=len(flops))
        here = np.bincount(of_side.op[counted(starts[of_side.rows])], minlength=len(flops))
        found["flops"] = float(np.nansum(flops * here / np.maximum(times, 1)))
    return found


def _on_devices(timeline: Timeline, rows: I64) -> dict[str, float]:
    """Kernels, copies and the bytes of these, of device events in steps."""
    names, strings = timeline.capture.events.name[rows], timeline.capture.strings
    copies: dict[int, Op] = {i: op for i in np.flatnonzero(np.bincount(names)).tolist() if (op := copy_op(strings[i]))}
    is_copy = np.zeros(len(strings), bool)
    is_copy[list(copies)] = True
    copied = rows[is_copy[names]]
    found = {"kernels": float(len(rows) - len(copied)), "copies": float(len(copied))}
    for key in filter(timeline.has_stat, _DETAILS):
        text, kind = timeline.stat_of(key, copied)
        has = np.flatnonzero(kind == StatKind.TEXT)
        says = np.stack((timeline.capture.events.name[copied[has]].astype(np.int64), text[has]))
        distinct, times = np.unique(says, axis=1, return_counts=True)
        for name, detail, count in zip(*distinct.tolist(), times.tolist(), strict=True):
            details = copy_details(strings[detail])
            if details.size is not None:
                way = _way(copies[name].type, details.source, details.destination)
                found[way] = found.get(way, 0.0) + details.size * count
    return found


def _way(kind: str, source: str | None, destination: str | None) -> str:
    ends = (source in _ON_HOST, destination in _ON_HOST)
    if kind == "Memcpy" and ends != (True, True):
        kind = {(True, False): "MemcpyHToD", (False, True): "MemcpyDToH"}.get(ends, "")
    return _WAYS.get(kind, "copied_on_device_bytes")
