"""A timeline and its steps → what its host's threads do at each instant, by category."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import I32, I64, LAUNCHES_FOR, U8, Intervals, StatKind, among, intervals
from ...threshold import Threshold
from ..causes import launches_of
from ..loops.loops import nearest
from ..nesting import enclosing, enclosing_of, nesting_of
from ..ops.executions import async_ops_of
from ..ops.ops import ops_of
from ..steps.model import Steps
from ..timeline import INDEX, Timeline, derived_by_choice
from .host_names import CLASSES, HostClass, Threads, class_of_name, class_of_op, hooks_of, mark_ahead, own_loops_of
from .sets import Collected, Pieces, Sets, merge, paint, paint_rows, union

# A host's threads → when the program's waits for the interpreter's lock, which a function of its input pipeline has.
#
# A call from Python into TensorFlow gives the lock away, and takes it again when what it called is done. Where the
# pipeline's own function of Python runs just then, on a thread of tf.data, the program waits for that: for its input.

LEAST_PS = Threshold(
    "wait for the interpreter", 200_000_000, "ps", "what a call does before it returns to Python takes no longer"
)
_CALL = regex(r"TFE_Py_\w+")
_PYTHON_OF_INPUT = regex(r"(?:.*[/:])?(?:Eager|Stateless)?PyFunc(?:Stateless)?")


class Held(NamedTuple):
    """By begin: when, and the row of the call that waits."""

    when: Intervals
    rows: I64


def held_by_input(threads: Threads, event_class: U8) -> Held:
    """When calls on the program's own threads wait so; event_class: `HostClasses.event`."""
    capture = threads.timeline.capture
    calls, functions = (_rows(threads, pattern) for pattern in (_CALL, _PYTHON_OF_INPUT))
    functions = functions[event_class[functions] == HostClass.PIPELINE]
    calls = calls[np.isin(capture.events.track[calls], list(threads.main))]
    if not len(calls) or not len(functions):
        return Held(Intervals(np.empty(0, np.int64), np.empty(0, np.int64)), np.empty(0, np.int64))
    start, end = capture.events.start_ps, capture.events.start_ps + capture.events.duration_ps
    inner = np.flatnonzero(np.isin(nesting_of(threads.timeline).parent, calls))
    done = start.copy()
    np.maximum.at(done, nesting_of(threads.timeline).parent[inner], end[inner])
    calls = calls[(end[calls] - done[calls] >= LEAST_PS.value) & (done[calls] > start[calls])]
    run = intervals.union(start[functions], end[functions])
    first = np.searchsorted(run.end, done[calls], side="right")
    # Only the first function that runs meanwhile counts: a later one waited for the lock, too.
    known = first < len(run.begin)
    calls, first = calls[known], first[known]
    begin, until = np.maximum(run.begin[first], done[calls]), np.minimum(run.end[first], end[calls])
    some = np.flatnonzero(until > begin)
    order = some[np.argsort(begin[some], kind="stable")]
    return Held(Intervals(begin[order], until[order]), calls[order])


def _rows(threads: Threads, pattern: re.Pattern[str]) -> I64:
    capture = threads.timeline.capture
    named = np.zeros(len(capture.strings), bool)
    named[[i for i in capture.names_used.tolist() if pattern.fullmatch(capture.strings[i][:200])]] = True
    return np.flatnonzero(named[capture.events.name])


# A host's threads → the class of each of their events, whatever lies around it.

_STAGE = ("_ipl_stage_id", "_ipl_stage_name")

_PLAIN = regex(r"[\w ]{1,100}")

#: Operators of PyTorch, of its libraries, and functions of its autograd; no person's annotation.
_OPERATOR = regex(r"\w+::|\w*Backward\w*(?:$|<)|autograd|Torch-Compiled Region")

#: A `with` block's begin and end, which ask a generator for its next element, too.
_WITH = regex(r"\$contextlib\.py:\d+ __(?:enter|exit)__")

#: Threads on which XLA runs the ops of a program for the CPU; on others it launches those of a device.
_XLA_CPU = regex(r"tf_XLA(?:Eigen|PjRtCpuClient|TfrtCpuClient)\w*")


class HostClasses(NamedTuple):
    """Of the events of a host. event: the class of each, whatever lies around it. name: by string id, that of events of
    such a name on threads. crossed: which are marks of steps that another event crosses."""

    event: U8
    name: U8
    crossed: NDArray[np.bool_]

    def length_ps(self, timeline: Timeline, rows: slice | I64) -> I64:
        """How long some events show what they are: marks that are crossed, not at all."""
        return np.where(self.crossed[rows], 0, timeline.capture.events.duration_ps[rows])


@derived_by_choice
def host_classes_of(timeline: Timeline, choice: tuple[Steps, bool]) -> HostClasses:
    """choice: the steps, and whether a device ran something."""
    threads = Threads(timeline, *choice)
    names = _class_by_name(threads)
    event_class = _event_classes(threads, names)
    return HostClasses(event_class, names, _crossed(threads, event_class))


def _event_classes(threads: Threads, names: U8) -> U8:
    event_class = np.zeros(len(threads.timeline.capture.events), np.uint8)
    for track in threads.tracks.tolist():
        at = slice(int(threads.begin[track]), int(threads.end[track]))
        event_class[at] = names[threads.timeline.capture.events.name[at]]
    _ops(threads, event_class)
    _with_blocks(threads, event_class)
    _own_loops(threads, event_class)
    _functions(threads, event_class)
    _compiling(threads, event_class)
    _stages(threads, event_class)
    _marks(threads, event_class)
    _slices(threads, event_class)
    if threads.with_device:
        _launches(threads, event_class)
    event_class[hooks_of(threads.timeline, threads.steps)] = HostClass.PYTHON
    mark_ahead(threads, event_class)
    return event_class


def _class_by_name(threads: Threads) -> U8:
    """By string id: the class of events of that name."""
    capture = threads.timeline.capture
    used = np.zeros(len(capture.strings), bool)
    for track in threads.tracks.tolist():
        used[capture.events.name[int(threads.begin[track]) : int(threads.end[track])]] = True
    table = np.zeros(len(capture.strings), np.uint8)
    for i in np.flatnonzero(used).tolist():
        table[i] = class_of_name(threads.python.get(i) or capture.strings[i])
    if not (table == HostClass.EAGER_KERNEL).any():
        table[table == HostClass.EAGER_OP] = HostClass.OP
    return table


def _ops(threads: Threads, event_class: U8) -> None:
    """Ops by their type, unless their name contains more; those of a device that the capture does not hold are
    launches."""
    ops = ops_of(threads.timeline)
    table = np.array([class_of_op(op) for op in ops.ops], np.uint8)
    rows = ops.host.rows
    unknown = among(event_class[rows], (HostClass.UNKNOWN, HostClass.RUNTIME, HostClass.PYTHON))
    rows, op = rows[unknown], ops.host.op[unknown]
    event_class[rows] = table[op]
    if threads.timeline.has_stat(LAUNCHES_FOR):
        event_class[(threads.timeline.stat(LAUNCHES_FOR)[1] != 0) & (event_class == HostClass.OP)] = HostClass.LAUNCH


def _with_blocks(threads: Threads, event_class: U8) -> None:
    """Generators that make a context get no input."""
    capture = threads.timeline.capture
    used = capture.names_used.tolist()
    blocks = [i for i in used if _WITH.fullmatch(threads.python.get(i) or capture.strings[i][:100])]
    if blocks:
        rows = np.flatnonzero(event_class == HostClass.NEXT)
        above = nesting_of(threads.timeline).parent[rows]
        event_class[rows[(above >= 0) & among(capture.events.name[above], blocks)]] = HostClass.PYTHON


def _own_loops(threads: Threads, event_class: U8) -> None:
    """A loop that yields what the model computes gets no input."""
    loops = own_loops_of(threads.timeline) & (event_class == HostClass.NEXT)
    event_class[loops] = HostClass.UNKNOWN


def _marks(threads: Threads, event_class: U8) -> None:
    """A person's mark of a step is no part of it, whatever it is called: `batch`, say."""
    names = threads.timeline.capture.events.name
    marks = threads.steps.row[threads.steps.row >= 0]
    plain = [i for i in np.unique(names[marks]).tolist() if _PLAIN.fullmatch(threads.timeline.capture.strings[i])]
    marks = marks[among(names[marks], plain) & among(event_class[marks], (HostClass.NEXT, HostClass.OUTPUT))]
    event_class[marks] = HostClass.UNKNOWN


def _slices(threads: Threads, event_class: U8) -> None:
    """In traces of any program nothing shows that a thread is Python's: there slices are shown, except steps' own."""
    if not threads.timeline.capture.capabilities.framework_names:
        unknown = event_class == HostClass.UNKNOWN
        unknown[threads.steps.row[threads.steps.row >= 0]] = False
        event_class[unknown] = HostClass.RUNTIME


def _functions(threads: Threads, event_class: U8) -> None:
    """A call of a tf.function is the runtime's work, or its tracing."""
    value, kind = threads.timeline.stat("tf_function_call")
    calls = np.flatnonzero(kind == StatKind.TEXT)
    ids = np.unique(value[calls])
    tracing = [i for i in ids.tolist() if threads.timeline.capture.strings[i].startswith("traced")]
    event_class[calls] = np.where(among(value[calls], tracing), HostClass.TRACING, HostClass.RUNTIME)


def _compiling(threads: Threads, event_class: U8) -> None:
    """Calls of JAX's that compile, the outermost."""
    capture = threads.timeline.capture
    calls = [i for i in capture.names_used.tolist() if capture.strings[i].startswith("PjitFunction(")]
    if not calls:
        return
    is_call = among(capture.events.name, calls)
    call = enclosing_of(threads.timeline, is_call, np.flatnonzero(event_class == HostClass.COMPILATION))
    event_class[call[call >= 0]] = HostClass.COMPILING


def _stages(threads: Threads, event_class: U8) -> None:
    """Stages of an input pipeline that a program declares."""
    for key in _STAGE:
        if threads.timeline.capture.strings.find(key) >= 0:
            event_class[np.flatnonzero(threads.timeline.stat(key)[1])] = HostClass.NEXT


def _launches(threads: Threads, event_class: U8) -> None:
    """What launched something, and the op around it, whose work on the host is to launch.

    A call that lasts until its copy is done waits.
    """
    launched = launches_of(threads.timeline).rows
    rows = launched[launched >= 0]
    called = event_class[rows]
    event_class[rows] = np.where(called == HostClass.WAITING, called, np.uint8(HostClass.LAUNCH))
    is_op = among(event_class, (HostClass.OP, HostClass.EAGER_OP, HostClass.COLLECTIVE))
    around = nearest(nesting_of(threads.timeline).parent, is_op)[rows]
    event_class[around[around >= 0]] = HostClass.LAUNCH
    if threads.timeline.capture.capabilities.has_operators:
        _dispatches(threads, event_class, rows)
    ops = ops_of(threads.timeline).host.rows
    ops = ops[(threads.timeline.stat("hlo_op")[1][ops] == StatKind.TEXT) & (event_class[ops] == HostClass.OP)]
    for_cpu = [bool(_XLA_CPU.match(name)) for name in threads.names]
    event_class[ops[~np.array(for_cpu, bool)[threads.timeline.capture.events.track[ops]]]] = HostClass.LAUNCH


def _dispatches(threads: Threads, event_class: U8, launches: I64 | I32) -> None:
    """PyTorch's operators call each other before one launches: all those around a launch, and what those call."""
    names, parent = threads.timeline.capture.events.name, nesting_of(threads.timeline).parent
    is_op = among(event_class, (HostClass.OP, HostClass.LAUNCH))
    is_op[launches] = False
    strings = threads.timeline.capture.strings
    called = [i for i in np.unique(names[is_op]).tolist() if _OPERATOR.match(strings[i][:200])]
    operators = among(names, called) & is_op
    around, last, up = np.zeros(len(event_class), bool), np.empty(len(event_class), np.int32), parent[launches]
    while len(up := up[up >= 0]):
        up = up[~around[up]]
        around[up] = True
        # Of several that lie in one call the last climbs on.
        place = np.arange(len(up), dtype=np.int32)
        last[up] = place
        up = parent[up[last[up] == place]]
    operators &= around | (enclosing(threads.timeline, operators & around) >= 0)
    event_class[operators] = HostClass.LAUNCH


_KEEPS = (HostClass.INPUT, HostClass.PIPELINE, HostClass.OUTPUT, HostClass.COMPILATION)

_WORKS = (HostClass.OP, HostClass.COLLECTIVE, HostClass.LAUNCH, HostClass.COPY_IN, HostClass.COPY_OUT)

_OVERHEAD = (HostClass.RUNTIME, HostClass.FUNCTION, HostClass.EAGER_KERNEL, HostClass.EXECUTE)

_PROGRAM = (HostClass.PYTHON, HostClass.UNKNOWN)


def _within() -> U8:
    """(class of what it lies in, own class) → the class that an event has there."""
    table = np.tile(np.arange(CLASSES, dtype=np.uint8), (CLASSES, 1))
    table[:, [HostClass.EAGER_KERNEL, HostClass.EXECUTE]] = HostClass.RUNTIME
    for outer in (*_OVERHEAD, HostClass.EAGER_OP, HostClass.WAITING):
        table[outer, list(_PROGRAM)] = outer
    for outer in _WORKS:
        table[outer, [*_PROGRAM, *_OVERHEAD]] = outer
    table[HostClass.EAGER_OP, [HostClass.RUNTIME, HostClass.EAGER_KERNEL]] = HostClass.EAGER_OP, HostClass.OP
    for outer in (*_KEEPS, HostClass.TRACING):
        table[outer] = outer
    table[HostClass.COMPILING, [*_PROGRAM, *_OVERHEAD]] = HostClass.COMPILING
    # What a call does before its kernel runs is to make and optimize the graph that it traced.
    table[HostClass.TRACING, [HostClass.EAGER_KERNEL, HostClass.INPUT]] = HostClass.RUNTIME, HostClass.INPUT
    # A launch's memory is the allocator's, from the second time on; where the driver is asked for it, that costs most.
    others = [outer for outer in _WORKS if outer != HostClass.LAUNCH]
    table[others, HostClass.ALLOCATES] = others
    table[:, HostClass.NONE] = np.arange(CLASSES)
    return table


WITHIN = _within()


def _shown(with_device: bool) -> U8:
    """Class → category + 1; 0 is left out. Without a device nothing is copied to one."""
    table = np.zeros(CLASSES, np.uint8)
    table[1 : len(INDEX) + 1] = np.arange(1, len(INDEX) + 1)
    if with_device:
        table[HostClass.OP] = INDEX["host_compute"] + 1
    else:
        table[[HostClass.COPY_IN, HostClass.COPY_OUT]] = HostClass.RUNTIME
    table[HostClass.EAGER_OP] = table[HostClass.EAGER_KERNEL] = table[HostClass.ALLOCATES] = HostClass.RUNTIME
    table[HostClass.FUNCTION] = HostClass.WAITING
    table[HostClass.UNKNOWN] = HostClass.PYTHON
    table[[HostClass.TRACING, HostClass.COMPILING]] = HostClass.COMPILATION
    return table


@derived_by_choice
def host_sets(timeline: Timeline, choice: tuple[Steps, bool]) -> Sets:
    """When each category holds on any host thread.

    choice: the steps, and whether a device ran something; a host's ops are then not what a step consists of, and those
    that launch something on the device are launches.
    """
    return _Host(timeline, *choice).sets()


def host_categories_of(
    timeline: Timeline, steps: Steps, with_device: bool
) -> dict[int, list[tuple[int, intervals.Intervals]]]:
    """By category the host threads on which it holds at some time, and when."""
    return _Host(timeline, steps, with_device).by_category()


def host_pieces(timeline: Timeline, steps: Steps, with_device: bool) -> Iterator[Pieces]:
    """The time of each host thread in pieces, and what of a step no thread's events show."""
    return _Host(timeline, steps, with_device).pieces()


def _crossed(threads: Threads, event_class: U8) -> NDArray[np.bool_]:
    """The marks of steps that begin while an op of the step before, say, still runs: what that does shows, not they."""
    events, marked = threads.timeline.capture.events, threads.steps.row[threads.steps.row >= 0].astype(np.int64)
    marks: I64 = np.unique(marked[event_class[marked] == HostClass.UNKNOWN])
    found = np.zeros(len(events), bool)
    for track in np.unique(events.track[marks]).tolist():
        low, here = int(threads.begin[track]), marks[events.track[marks] == track]
        before = slice(low, int(here[-1]))
        end, length = events.start_ps[before] + events.duration_ps[before], np.diff(here, prepend=low)
        begins, ends = events.start_ps[here], events.start_ps[here] + events.duration_ps[here]
        # Each event beside the first mark after it.
        crosses = (end > np.repeat(begins, length)) & (end < np.repeat(ends, length))
        crosses[here[:-1] - low] = False
        found[here[np.searchsorted(here - low, np.flatnonzero(crosses), "right")]] = True
    return found


class _Host:
    def __init__(self, timeline: Timeline, steps: Steps, with_device: bool) -> None:
        self.timeline, self.with_device = timeline, with_device
        self.threads = Threads(timeline, steps, with_device)
        self.classes = host_classes_of(timeline, (steps, with_device))

    def sets(self) -> Sets:
        collected = Collected()
        for track, begin, end, what in self._pieces():
            collected.add(begin, end, what)
            if track in self.threads.marked:
                collected.add_set(INDEX["python"], self._between(track, begin, end))
        collected.add(*self._elsewhere())
        collected.add_set(INDEX["input_wait"], held_by_input(self.threads, self.classes.event).when)
        return collected.sets()

    def by_category(self) -> dict[int, list[tuple[int, intervals.Intervals]]]:
        found: dict[int, list[tuple[int, intervals.Intervals]]] = {}
        for track, begin, end, what in self._pieces():
            there = set(np.unique(what).tolist())
            marked = {INDEX["python"]} if track in self.threads.marked else set()
            for category in sorted(there | marked):
                holds = what == category
                when = intervals.union(begin[holds], end[holds])
                if category in marked:
                    when = merge(when, self._between(track, begin, end))
                if len(when.begin):
                    found.setdefault(category, []).append((track, when))
        held = held_by_input(self.threads, self.classes.event)
        tracks = self.timeline.capture.events.track[held.rows]
        for track in np.unique(tracks).tolist():
            when = intervals.union(*(of[tracks == track] for of in held.when))
            found.setdefault(INDEX["input_wait"], []).append((track, when))
        return found

    def pieces(self) -> Iterator[Pieces]:
        between = []
        for given in self._given():
            begin, end, what, row = paint_rows(*given)
            yield Pieces(begin, end, what - np.uint8(1), row)
            if (track := int(self.timeline.capture.events.track[given[3]])) in self.threads.marked:
                apart = np.flatnonzero(begin[1:] != end[:-1])
                ends = np.append(end[apart], end[-1:])
                between.append(self._between(track, np.append(begin[:1], begin[apart + 1]), ends))
        yield Pieces.of_nothing(INDEX["python"], union(between))
        begin, end, what = self._elsewhere()
        rows, _ = async_ops_of(self.timeline)
        known = _shown(self.with_device)[self.classes.event[rows]] > 0
        order = np.argsort(begin, kind="stable")
        yield Pieces(begin[order], end[order], what[order], rows[known][order])
        held = held_by_input(self.threads, self.classes.event)
        if len(held.rows):
            yield Pieces(*held.when, np.full(len(held.rows), INDEX["input_wait"], np.uint8), held.rows)

    def _pieces(self) -> Iterator[tuple[int, I64, I64, U8]]:
        """Of each thread the pieces of its time: begin, end and category."""
        for given in self._given():
            begin, end, what = paint(*given)
            yield int(self.timeline.capture.events.track[given[3]]), begin, end, what - np.uint8(1)

    def _given(self) -> Iterator[tuple[I64, I64, I32, int, U8, U8, U8]]:
        """Of each thread with events what its pieces are painted from."""
        events, parent, shown = self.timeline.capture.events, nesting_of(self.timeline).parent, _shown(self.with_device)
        for track in self.threads.tracks.tolist():
            low, high = int(self.threads.begin[track]), int(self.threads.end[track])
            if low < high:
                at = slice(low, high)
                length_ps, of_event = self.classes.length_ps(self.timeline, at), self.classes.event[at]
                yield events.start_ps[at], length_ps, parent[at], low, of_event, WITHIN, shown

    def _elsewhere(self) -> tuple[I64, I64, U8]:
        """Ops that go on in pieces on a pool's threads, which have no events of their own there."""
        rows, end = async_ops_of(self.timeline)
        what = _shown(self.with_device)[self.classes.event[rows]]
        known = what > 0
        return self.timeline.capture.events.start_ps[rows[known]], end[known], what[known] - np.uint8(1)

    def _between(self, track: int, begin: I64, end: I64) -> intervals.Intervals:
        """What a thread shows nothing for, from its first step to its last: Python runs between the events."""
        return intervals.gaps(intervals.union(begin, end), *self.threads.marked[track])
