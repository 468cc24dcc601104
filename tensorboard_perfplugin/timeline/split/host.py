"""A timeline and its steps → what its host's threads do at each instant, by category."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...tables import StatKind, intervals
from ...tables.capture import I32, I64, U8
from ..causes import inherited, launches_of
from ..loops import nearest
from ..names import BODY, FEEDS_BODY, OUTSIDE_BODY, python_name
from ..nesting import enclosing, nesting_of
from ..ops import async_ops_of, ops_of
from ..steps import Steps
from ..timeline import Timeline
from ..tracks import host_tracks
from .categories import INDEX
from .host_names import CLASSES, HostClass, class_of_name, class_of_op
from .sets import Collected, Sets, merge, paint

_MAIN = re.compile(r"(?:python\d*|main|MainThread|python\d*[-/ ]\d+|main/\d+)", re.IGNORECASE)
#: Threads that prepare input ahead of time; the pool of the one left out hands elements to the step.
_AHEAD = re.compile(r"tf_data_(?!iterator_get_next)\w+")
_STAGE = ("_ipl_stage_id", "_ipl_stage_name")
_PLAIN = re.compile(r"[\w ]{1,100}")
#: Operators of PyTorch, of its libraries, and functions of its autograd; no person's annotation.
_OPERATOR = re.compile(r"\w+::|\w*Backward\w*(?:$|<)|autograd|Torch-Compiled Region")
#: A `with` block's begin and end, which ask a generator for its next element, too.
_WITH = re.compile(r"\$contextlib\.py:\d+ __(?:enter|exit)__")
#: Threads on which XLA runs the ops of a program for the CPU; on others it launches those of a device.
_XLA_CPU = re.compile(r"tf_XLA(?:Eigen|PjRtCpuClient|TfrtCpuClient)\w*")

#: A loop over a dataset in a tf.function, and the thread it is on.
_REDUCES, _REDUCER = "ReduceDatasetOp::DoCompute", "tf_data_reduce_dataset"
#: So many events lie around a stage that runs the loop's body: `ReduceIterator::Root`, `PrefetchProduce`, `TakeWhile`.
_AROUND_BODY = 3
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
    # What a call does before its kernel runs is to make and optimize the graph that it traced.
    table[HostClass.TRACING, [HostClass.EAGER_KERNEL, HostClass.INPUT]] = HostClass.RUNTIME, HostClass.INPUT
    # A launch's memory is the allocator's, from the second time on; where the driver is asked for it, that costs most.
    others = [outer for outer in _WORKS if outer != HostClass.LAUNCH]
    table[others, HostClass.ALLOCATES] = others
    table[:, HostClass.NONE] = np.arange(CLASSES)
    return table


_WITHIN = _within()


def _shown(with_device: bool) -> U8:
    """HostClass → category + 1; 0 is left out. Without a device nothing is copied to one."""
    table = np.zeros(CLASSES, np.uint8)
    table[1 : len(INDEX) + 1] = np.arange(1, len(INDEX) + 1)
    if with_device:
        table[HostClass.OP] = INDEX["host_compute"] + 1
    else:
        table[[HostClass.COPY_IN, HostClass.COPY_OUT]] = HostClass.RUNTIME
    table[HostClass.EAGER_OP] = table[HostClass.EAGER_KERNEL] = table[HostClass.ALLOCATES] = HostClass.RUNTIME
    table[HostClass.FUNCTION] = HostClass.WAITING
    table[HostClass.UNKNOWN] = HostClass.PYTHON
    table[HostClass.TRACING] = HostClass.COMPILATION
    return table


def host_sets(timeline: Timeline, steps: Steps, with_device: bool) -> Sets:
    """When each category holds on any host thread.

    with_device: a device ran something; a host's ops are then not what a step consists of, and those that launch
    something on the device are launches.
    """
    return _Host(timeline, steps, with_device).sets()


def host_tracks_of(
    timeline: Timeline, steps: Steps, with_device: bool, category: int
) -> Iterator[tuple[int, intervals.Intervals]]:
    """The host threads on which a category holds at some time, and when."""
    return _Host(timeline, steps, with_device).by_track(category)


class _Host:
    def __init__(self, timeline: Timeline, steps: Steps, with_device: bool) -> None:
        self.timeline, self.steps, self.with_device = timeline, steps, with_device
        capture = timeline.capture
        self.tracks = host_tracks(capture)
        self.begin, self.end = capture.tracks.events_begin, capture.tracks.events_end
        self.names = capture.strings.of(capture.tracks.name)

    def sets(self) -> Sets:
        own, found = self._own(), Collected()
        for track, begin, end, what in self._pieces(own):
            found.add(begin, end, what)
            if track in self.marked:
                found.add_set(INDEX["python"], self._between(track, begin, end))
        found.add(*self._elsewhere(own, _shown(self.with_device)))
        return found.sets()

    def by_track(self, category: int) -> Iterator[tuple[int, intervals.Intervals]]:
        """The threads on which a category holds at some time, and when."""
        for track, begin, end, what in self._pieces(self._own()):
            mine = what == category
            found = intervals.union(begin[mine], end[mine])
            if track in self.marked and category == INDEX["python"]:
                found = merge(found, self._between(track, begin, end))
            if len(found.begin):
                yield track, found

    def _pieces(self, own: U8) -> Iterator[tuple[int, I64, I64, U8]]:
        """Of each thread the pieces of its time: begin, end and category."""
        events, parent, shown = self.timeline.capture.events, nesting_of(self.timeline).parent, _shown(self.with_device)
        for track in self.tracks.tolist():
            low, high = int(self.begin[track]), int(self.end[track])
            if low < high:
                at = slice(low, high)
                given = events.start_ps[at], events.duration_ps[at], parent[at], low, own[at]
                begin, end, what = paint(*given, _WITHIN, shown)
                yield track, begin, end, what - np.uint8(1)

    def _elsewhere(self, own: U8, shown: U8) -> tuple[I64, I64, U8]:
        """Ops that go on in pieces on a pool's threads, which have no events of their own there."""
        rows, end = async_ops_of(self.timeline)
        what = shown[own[rows]]
        known = what > 0
        return self.timeline.capture.events.start_ps[rows[known]], end[known], what[known] - np.uint8(1)

    def _between(self, track: int, begin: I64, end: I64) -> intervals.Intervals:
        """What a thread shows nothing for, from its first step to its last: Python runs between the events."""
        return intervals.gaps(intervals.union(begin, end), *self.marked[track])

    @cached_property
    def marked(self) -> dict[int, tuple[int, int]]:
        """The threads that mark steps, and when the first of each begins and the last ends."""
        lanes, which = np.unique(self.steps.lane, return_inverse=True)
        first, last = np.full(len(lanes), np.iinfo(np.int64).max), np.zeros(len(lanes), np.int64)
        np.minimum.at(first, which, self.steps.begin_ps)
        np.maximum.at(last, which, self.steps.until_ps)
        spans = dict(zip(lanes.tolist(), zip(first.tolist(), last.tolist(), strict=True), strict=True))
        return {track: spans[track] for track in self.tracks.tolist() if track in spans}

    @cached_property
    def main(self) -> set[int]:
        """The program's own threads: those that mark steps, else those that are called so."""
        called = {t for t in self.tracks.tolist() if _MAIN.fullmatch(self.names[t])}
        return set(self.marked) | self._of_other_ranks() or called

    def _of_other_ranks(self) -> set[int]:
        """Threads that mark steps which are told by those of another: of ranks whose traces are in one file."""
        capture = self.timeline.capture
        if capture.format != "kineto":
            return set()
        marks = [i for i in capture.names_used.tolist() if capture.strings[i].startswith("ProfilerStep#")]
        return set(np.unique(capture.events.track[np.isin(capture.events.name, marks)]).tolist())

    @cached_property
    def python(self) -> dict[int, str]:
        """String id of the name of each function of Python that PyTorch's tracer wrote → what others call it."""
        if self.timeline.capture.format != "kineto":
            return {}
        strings, used = self.timeline.capture.strings, self.timeline.capture.names_used.tolist()
        return {i: name for i in used if (name := python_name(strings[i]))}

    def _own(self) -> U8:
        """The class of each event of a host, whatever lies around it."""
        own = np.zeros(len(self.timeline.capture.events), np.uint8)
        names = self._by_name()
        for track in self.tracks.tolist():
            at = slice(int(self.begin[track]), int(self.end[track]))
            own[at] = names[self.timeline.capture.events.name[at]]
        self._ops(own)
        self._with_blocks(own)
        self._functions(own)
        self._stages(own)
        self._marks(own)
        self._slices(own)
        if self.with_device:
            self._launches(own)
        self._ahead(own)
        return own

    def _by_name(self) -> U8:
        """By string id: the class of events of that name."""
        capture = self.timeline.capture
        used = np.zeros(len(capture.strings), bool)
        for track in self.tracks.tolist():
            used[capture.events.name[int(self.begin[track]) : int(self.end[track])]] = True
        table = np.zeros(len(capture.strings), np.uint8)
        for i in np.flatnonzero(used).tolist():
            table[i] = class_of_name(self.python.get(i) or capture.strings[i])
        if not (table == HostClass.EAGER_KERNEL).any():
            table[table == HostClass.EAGER_OP] = HostClass.OP
        return table

    def _ops(self, own: U8) -> None:
        """Ops by their type, unless their name tells more."""
        ops = ops_of(self.timeline)
        table = np.array([class_of_op(op) for op in ops.ops], np.uint8)
        rows = ops.host.rows
        unknown = np.isin(own[rows], (HostClass.UNKNOWN, HostClass.RUNTIME, HostClass.PYTHON))
        rows, op = rows[unknown], ops.host.op[unknown]
        own[rows] = table[op]

    def _with_blocks(self, own: U8) -> None:
        """Generators that make a context get no input."""
        capture = self.timeline.capture
        used = capture.names_used.tolist()
        blocks = [i for i in used if _WITH.fullmatch(self.python.get(i) or capture.strings[i][:100])]
        if blocks:
            rows = np.flatnonzero(own == HostClass.NEXT)
            above = nesting_of(self.timeline).parent[rows]
            own[rows[(above >= 0) & np.isin(capture.events.name[above], blocks)]] = HostClass.PYTHON

    def _marks(self, own: U8) -> None:
        """A person's mark of a step is no part of it, whatever it is called: `batch`, say."""
        names = self.timeline.capture.events.name
        marks = self.steps.row[self.steps.row >= 0]
        plain = [i for i in np.unique(names[marks]).tolist() if _PLAIN.fullmatch(self.timeline.capture.strings[i])]
        marks = marks[np.isin(names[marks], plain) & np.isin(own[marks], (HostClass.NEXT, HostClass.OUTPUT))]
        own[marks] = HostClass.UNKNOWN

    def _slices(self, own: U8) -> None:
        """In traces of any program nothing tells that a thread is Python's: there slices are told, but steps' own."""
        if self.timeline.capture.format == "trace_events":
            unknown = own == HostClass.UNKNOWN
            unknown[self.steps.row[self.steps.row >= 0]] = False
            own[unknown] = HostClass.RUNTIME

    def _functions(self, own: U8) -> None:
        """A call of a tf.function is the runtime's work, or its tracing."""
        value, kind = self.timeline.stat("tf_function_call")
        calls = np.flatnonzero(kind == StatKind.TEXT)
        ids = np.unique(value[calls])
        tracing = [i for i in ids.tolist() if self.timeline.capture.strings[i].startswith("traced")]
        own[calls] = np.where(np.isin(value[calls], tracing), HostClass.TRACING, HostClass.RUNTIME)

    def _stages(self, own: U8) -> None:
        """Stages of an input pipeline that a program declares."""
        for key in _STAGE:
            if self.timeline.capture.strings.find(key) >= 0:
                own[np.flatnonzero(self.timeline.stat(key)[1])] = HostClass.NEXT

    def _launches(self, own: U8) -> None:
        """What launched something, and the op around it, whose work on the host is to launch."""
        launched = launches_of(self.timeline).rows
        rows = launched[launched >= 0]
        own[rows] = HostClass.LAUNCH
        is_op = np.isin(own, (HostClass.OP, HostClass.EAGER_OP, HostClass.COLLECTIVE))
        around = nearest(nesting_of(self.timeline).parent, is_op)[rows]
        own[around[around >= 0]] = HostClass.LAUNCH
        if self.timeline.capture.format == "kineto":
            self._dispatches(own, rows)
        ops = ops_of(self.timeline).host.rows
        ops = ops[(self.timeline.stat("hlo_op")[1][ops] == StatKind.TEXT) & (own[ops] == HostClass.OP)]
        for_cpu = [bool(_XLA_CPU.match(name)) for name in self.names]
        own[ops[~np.array(for_cpu, bool)[self.timeline.capture.events.track[ops]]]] = HostClass.LAUNCH

    def _dispatches(self, own: U8, launches: I64 | I32) -> None:
        """PyTorch's operators call each other before one launches: all those around a launch, and what those call."""
        names, parent = self.timeline.capture.events.name, nesting_of(self.timeline).parent
        is_op = np.isin(own, (HostClass.OP, HostClass.LAUNCH))
        is_op[launches] = False
        strings = self.timeline.capture.strings
        called = [i for i in np.unique(names[is_op]).tolist() if _OPERATOR.match(strings[i][:200])]
        operators = np.isin(names, called) & is_op
        around, up = np.zeros(len(own), bool), launches.astype(np.int64)
        while len(up):
            above: I64 = parent[up].astype(np.int64)
            above = above[above >= 0]
            above = above[~around[above]]
            around[above] = True
            up = np.array(sorted(set(above.tolist())), np.int64)
        operators &= around | (enclosing(self.timeline, operators & around) >= 0)
        own[operators] = HostClass.LAUNCH

    def _ahead(self, own: U8) -> None:
        """Work for steps to come: by what caused it, else by the thread that it runs on."""
        here, elsewhere = _resolved(own, True), _resolved(own, False)
        looped = elsewhere.copy()
        looped[HostClass.PIPELINE] = HostClass.RUNTIME
        caused, body = self._caused_by_input(own), self._loop_bodies()
        if caused is not None and body is not None:
            caused &= ~body
        for track in self.tracks.tolist():
            at = slice(int(self.begin[track]), int(self.end[track]))
            main = track in self.main or self.names[track].startswith(_REDUCER)
            if not main and _AHEAD.match(self.names[track]):
                own[at] = (
                    HostClass.PIPELINE if body is None else np.where(body[at], looped[own[at]], HostClass.PIPELINE)
                )
                continue
            if not main and self.python and self.main:
                # What other threads run of Python is no part of the step, what that calls may be.
                own[at][np.isin(self.timeline.capture.events.name[at], list(self.python))] = HostClass.NONE
            if caused is not None:
                own[at][caused[at] & ~(main & (own[at] == HostClass.NEXT))] = HostClass.PIPELINE
            own[at] = (here if main else elsewhere)[own[at]]
        bodies = self._called(BODY)
        if bodies.any():
            own[_above(nesting_of(self.timeline).parent, bodies)] = own[self._called(OUTSIDE_BODY)] = HostClass.RUNTIME
            own[self._called(FEEDS_BODY)] = HostClass.INPUT

    def _caused_by_input(self, own: U8) -> NDArray[np.bool_] | None:
        """What iterators and the functions they call did, on whatever thread; None where there are none."""
        roots = np.flatnonzero((own == HostClass.PIPELINE) | (own == HostClass.NEXT))
        if not len(roots):
            return None
        label = np.full(len(own), -1, np.int32)
        label[self.steps.row[self.steps.row >= 0]] = 1
        label[roots] = 0
        caused: NDArray[np.bool_] = inherited(self.timeline, label) == 0
        return caused

    def _called(self, names: re.Pattern[str]) -> NDArray[np.bool_]:
        """The calls of iterators that have such a name, in loops over a dataset in a tf.function."""
        strings, found = self.timeline.capture.strings, np.zeros(len(self.timeline.capture.strings), bool)
        if strings.find(_REDUCES) >= 0:
            used = np.unique(self.timeline.capture.events.name).tolist()
            found[[i for i in used if names.fullmatch(strings[i])]] = True
        matching: NDArray[np.bool_] = found[self.timeline.capture.events.name]
        return matching

    def _loop_bodies(self) -> NDArray[np.bool_] | None:
        """What loops over a dataset in a tf.function run for its elements: stages of a pipeline to TensorFlow."""
        capture = self.timeline.capture
        if capture.strings.find(_REDUCES) < 0:
            return None
        table = np.full(len(capture.strings), -1, np.int32)
        for i in np.unique(capture.events.name).tolist():
            if capture.strings[i].startswith("ReduceIterator::"):
                table[i] = int(bool(BODY.fullmatch(capture.strings[i])))
        bodies: NDArray[np.bool_] = inherited(self.timeline, table[capture.events.name]) == 1
        return bodies


def _above(parent: I32, rows: NDArray[np.bool_]) -> I64:
    """Some events, and those that contain them on their threads, `PrefetchProduce` say."""
    found, up = rows.copy(), np.flatnonzero(rows)
    for _ in range(_AROUND_BODY):
        up = parent[up].astype(np.int64)
        up = up[up >= 0]
        found[up] = True
    return np.flatnonzero(found)


def _resolved(own: U8, main: bool) -> U8:
    """HostClass → what it is on the program's own threads, or on others."""
    table = np.arange(CLASSES, dtype=np.uint8)
    table[HostClass.SHARD] = (
        HostClass.PIPELINE if ((own == HostClass.INPUT) | (own == HostClass.NEXT)).any() else HostClass.INPUT
    )
    table[[HostClass.NEXT, HostClass.PIPELINE]] = HostClass.INPUT if main else HostClass.PIPELINE
    if not main:
        table[HostClass.UNKNOWN] = HostClass.RUNTIME
    return table
