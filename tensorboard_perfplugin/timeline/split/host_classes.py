"""A host's threads → the class of each of their events, whatever lies around it."""

from __future__ import annotations

import re

import numpy as np

from ...tables import I32, I64, U8, StatKind, among
from ..causes.launches import launches_of
from ..loops.loops import nearest
from ..nesting import enclosing, enclosing_of, nesting_of
from ..ops.ops import ops_of
from .hooks import hooks_of
from .host_ahead import mark_ahead
from .host_names import HostClass, class_of_name, class_of_op
from .host_threads import Threads
from .own_loops import own_loops_of

_STAGE = ("_ipl_stage_id", "_ipl_stage_name")

_PLAIN = re.compile(r"[\w ]{1,100}")

#: Operators of PyTorch, of its libraries, and functions of its autograd; no person's annotation.
_OPERATOR = re.compile(r"\w+::|\w*Backward\w*(?:$|<)|autograd|Torch-Compiled Region")

#: A `with` block's begin and end, which ask a generator for its next element, too.
_WITH = re.compile(r"\$contextlib\.py:\d+ __(?:enter|exit)__")

#: Threads on which XLA runs the ops of a program for the CPU; on others it launches those of a device.
_XLA_CPU = re.compile(r"tf_XLA(?:Eigen|PjRtCpuClient|TfrtCpuClient)\w*")


def event_classes(threads: Threads) -> U8:
    """The class of each event of a host, whatever lies around it."""
    event_class = np.zeros(len(threads.timeline.capture.events), np.uint8)
    names = _by_name(threads)
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


def _by_name(threads: Threads) -> U8:
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
    """Ops by their type, unless their name contains more."""
    ops = ops_of(threads.timeline)
    table = np.array([class_of_op(op) for op in ops.ops], np.uint8)
    rows = ops.host.rows
    unknown = among(event_class[rows], (HostClass.UNKNOWN, HostClass.RUNTIME, HostClass.PYTHON))
    rows, op = rows[unknown], ops.host.op[unknown]
    event_class[rows] = table[op]


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
    around, up = np.zeros(len(event_class), bool), launches.astype(np.int64)
    while len(up):
        above: I64 = parent[up].astype(np.int64)
        above = above[above >= 0]
        above = above[~around[above]]
        around[above] = True
        up = np.array(sorted(set(above.tolist())), np.int64)
    operators &= around | (enclosing(threads.timeline, operators & around) >= 0)
    event_class[operators] = HostClass.LAUNCH
