"""A timeline → the derived lines of each device, those that hold anything and that the capture lacks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from ...patterns import regex
from ...tables import I32, I64, Capture, Mask, PlaneKind, StatKind
from ..assignment import assignment_of
from ..causes import flows_of, launches_of
from ..loops.loops import nearest
from ..names.ops import RANGE, UNATTRIBUTED, Op, copy_op
from ..nesting import nesting_of
from ..ops.executions import kernel_begins_of, launching_runs, runs_once
from ..ops.ops import BACKWARD as BACKWARD_SCOPE
from ..ops.ops import MODULE, are_calls, device_calls_of, ops_of
from ..ops.pytorch import ANNOTATION, stacks
from ..programs.reader import instructions_of, programs_of
from ..split.device import category_of_kernel
from ..timeline import CATEGORIES, Timeline
from ..tracks import device_planes, host_tracks, rows_of
from .scopes import (
    BACKWARD,
    FORWARD,
    LEVELS,
    OPTIMIZER,
    PHASES,
    Kernels,
    Labels,
    Line,
    distinct_of,
    labelled,
    parts_of,
    phase_of,
)

# Kernels of XLA's → their programs and instructions, each run and each execution by itself.


def programs(kernels: Kernels) -> Labels:
    """`jit_f(12)`: by instruction, else by the op's module."""
    named, ops = instructions_of(kernels.timeline).named, ops_of(kernels.timeline).ops
    numbers, place = distinct_of(np.where(kernels.which >= 0, kernels.which, kernels.op + len(named)))
    texts = [
        _program(named[i].module, named[i].program) if i < len(named) else ops[i - len(named)].module
        for i in numbers.tolist()
    ]
    labels = labelled(place, [[text] if text else None for text in texts])
    return labels._replace(part=np.cumsum(_run_begins(kernels, labels.path >= 0)))


def stretches(kernels: Kernels) -> I64:
    """Numbers that differ where kernels of another program come; those of none count to the one before."""
    named = instructions_of(kernels.timeline).named
    numbers: dict[tuple[str, int | None], int] = {}
    of = np.array([*(numbers.setdefault((one.module, one.program), len(numbers)) for one in named), -1], np.int64)
    program = of[kernels.which]
    known = np.flatnonzero(program >= 0)
    begins = np.zeros(len(program), bool)
    begins[known[1:]] = np.diff(program[known]) != 0
    return np.cumsum(begins)


def _program(module: str, number: int | None) -> str:
    return module if number is None else f"{module}({number & (1 << 64) - 1})"


def instructions(kernels: Kernels) -> Labels:
    """Each execution of an instruction by itself."""
    named = instructions_of(kernels.timeline).named
    numbers, place = distinct_of(kernels.which)
    labels = labelled(place, [[named[i].instruction] for i in numbers.tolist()], numbers.tolist())
    return labels._replace(part=np.cumsum(kernel_begins_of(kernels.timeline)[kernels.rows]))


def _run_begins(kernels: Kernels, shown: Mask) -> Mask:
    """Of the kernels of programs those at which another run of one begins, as far as that is known.

    By what launched it, or by what it lies in; else where the first instruction of the program, outside of loops, runs
    again.
    """
    at = np.flatnonzero(shown)
    begins = np.zeros(len(shown), bool)
    begins[at[1:]] = np.diff(kernels.run[at]) != 0
    bare = at[(kernels.run[at] < 0) & (kernels.which[at] >= 0)]
    if len(bare):
        executions = kernel_begins_of(kernels.timeline)[kernels.rows[bare]]
        begins[bare] |= _again(kernels.timeline, kernels.which[bare], executions)
    return begins


def _again(timeline: Timeline, which: I64, begins: Mask) -> Mask:
    """Of instructions, in the order of their kernels, those at which their program begins again.

    begins: at which an execution does.
    """
    named = instructions_of(timeline).named
    programs: dict[tuple[str, int | None], int] = {}
    of = np.array([programs.setdefault((one.module, one.program), len(programs)) for one in named], np.int64)[which]
    new = np.ones(len(which), bool)
    new[1:] = np.diff(of) != 0
    first = np.flatnonzero(new)[np.cumsum(new) - 1]
    again: Mask = begins & (which == which[first])
    again[again] = runs_once(timeline, which[again])
    return again


# Kernels of TensorFlow's and JAX's → the scopes and ops that they belong to, their programs, instructions and source.
#
# By annotation, else by launch, as `ops_of` has it; what names no op of the framework has no place on its lines.

_NUMBERED = regex(r"(?:\.\d+)+$")
#: What XLA writes where it says more elsewhere, and what has no name.
_NO_OP = ("XlaModule", "")
#: Of a source the last characters.
_TAIL = 4000


class Framework:
    """The kernels of one device that ran ops of these frameworks. others: kernels that ran those of another."""

    def __init__(self, kernels: Kernels, others: Mask) -> None:
        self._kernels, self._timeline = kernels, kernels.timeline
        is_named = self._annotated() & ~others
        self._ops, self._which = distinct_of(np.where(is_named, kernels.op, -1))
        ops = ops_of(self._timeline).ops
        named = [op if is_op(op := ops[i]) else None for i in self._ops.tolist()]
        self._named = named
        self._parts = [parts_of(op.name) if op else [] for op in named]

    def _annotated(self) -> Mask:
        """On a TPU what has no annotation is called as its instruction."""
        kernels, timeline = self._kernels, self._timeline
        if timeline.capture.planes.kind[kernels.plane] != PlaneKind.TPU:
            return np.ones(len(kernels.rows), bool)
        value, kind = timeline.stat_of("tf_op", kernels.rows.astype(np.int64))
        annotated: Mask = (kind == StatKind.TEXT) & (value > 0)
        return annotated

    def scopes(self) -> Labels:
        """By the parts of an op's name but the last, which is its own."""
        labels = labelled(self._which, [p[:-1] if op else None for op, p in zip(self._named, self._parts, strict=True)])
        return labels._replace(part=stretches(self._kernels))

    def ops(self) -> Labels:
        """Shown is the type of an op; two ops of one type are two."""
        names = [[op.type] if op else None for op in self._named]
        labels = labelled(self._which, names, [op and op.name for op in self._named])
        return labels._replace(part=stretches(self._kernels))

    @property
    def mine(self) -> Mask:
        """Kernels of ops of these frameworks."""
        known = np.array([*(op is not None for op in self._named), False], bool)
        mine: Mask = known[self._which]
        return mine

    def phases(self) -> I64:
        """By kernel its place in `PHASES`, -1 for none."""
        of = [phase_of(op, p) if op else -1 for op, p in zip(self._named, self._parts, strict=True)]
        return np.array([*of, -1], np.int64)[self._which]


def is_op(op: Op) -> bool:
    """Whether it is a framework's: no copy, no kernel, and no XLA instruction under its own name."""
    if op.type in (UNATTRIBUTED, RANGE, "Unknown") or op.name in _NO_OP or copy_op(op.name) is not None:
        return False
    return not (op.module and "/" not in op.name and op.type == _NUMBERED.sub("", op.name))


def phase_labels(phase: I64, known: Mask) -> Labels:
    """The line of phases. Ops that show none have no place on it, but end what came before. known: whose op is."""
    return Labels(
        np.where(phase >= 0, phase, np.where(known, len(PHASES), -1)),
        np.array([*range(len(PHASES)), -1], np.int64)[:, None],
        np.arange(len(PHASES)),
        list(PHASES),
    )


def sources(kernels: Kernels) -> Labels:
    """Lines of the user's program, `train.py:12`: by the stat `source`, else by the program's metadata."""
    timeline = kernels.timeline
    value, kind = timeline.stat_of("source", kernels.rows.astype(np.int64))
    text = np.where(kind == StatKind.TEXT, value, 0)
    strings = timeline.capture.strings
    code = np.where(text > 0, text, np.where(kernels.which >= 0, kernels.which + len(strings), -1))
    numbers, place = distinct_of(code)
    whole = [strings[i] if i < len(strings) else _source(kernels, i - len(strings)) for i in numbers.tolist()]
    return labelled(place, [[_short(text)] if text else None for text in whole], whole)


def _source(kernels: Kernels, which: int) -> str:
    one = instructions_of(kernels.timeline).named[which]
    program = programs_of(kernels.timeline).program(one.module, one.program)
    metadata = program.named(one.instruction) if program else None
    return f"{metadata.file}:{metadata.line}" if metadata and metadata.file else ""


def _short(source: str) -> str:
    """`a/b/train.py:12` → `train.py:12`."""
    return source[-_TAIL:].rpartition("/")[2]


# A device's events → what computes, in the order in which it began, and where one piece of work ends.

#: Distinct names that are looked at, 10 µs each; what has another one computes.
_NAMES_MAX = 20_000


def kernels_of(timeline: Timeline, plane: int) -> Kernels:
    """All but what streams do on which only copies and collectives run: they run beside what computes.

    Of ops that lie in others, those that are at work themselves for most of their time.
    """
    capture, device = timeline.capture, ops_of(timeline).device
    first, until = (int(at) for at in np.searchsorted(device.rows, _range(capture, plane)))
    rows, op, call = device.rows[first:until], device.op[first:until], device_calls_of(timeline)[first:until]
    is_gpu = capture.planes.kind[plane] == PlaneKind.GPU
    kept = np.flatnonzero(_computes(capture, rows) if is_gpu else _innermost(timeline, rows))
    kept = kept[np.argsort(capture.events.start_ps[rows[kept]], kind="stable")]
    rows, op, call = rows[kept], op[kept], call[kept]
    begin = capture.events.start_ps[rows]
    end = begin + capture.events.duration_ps[rows]
    step = assignment_of(timeline).step[rows]
    run = runs_of(timeline, rows)
    part = np.where(run >= 0, -2 - run, step)
    return Kernels(
        timeline,
        plane,
        rows.astype(np.int32),
        begin,
        end,
        step,
        run,
        part,
        op,
        call,
        instructions_of(timeline).named_index(rows).astype(np.int64),
    )


def runs_of(timeline: Timeline, rows: I64) -> I64:
    """By kernel the row of its program's run: of what launched it, or of what it lies in; -1 where neither shows."""
    module, launched = flows_of(timeline).module[rows], launching_runs(timeline, rows)
    run: I64 = np.where(module >= 0, module, launched).astype(np.int64)
    return run


def _range(capture: Capture, plane: int) -> tuple[int, int]:
    """First row of a plane's events, and the one after the last; tracks of a plane are neighbours."""
    tracks = capture.tracks_of(plane)
    tracks = tracks[capture.tracks.events_end[tracks] > capture.tracks.events_begin[tracks]]
    if not len(tracks):
        return 0, 0
    return int(capture.tracks.events_begin[tracks].min()), int(capture.tracks.events_end[tracks].max())


def _computes(capture: Capture, rows: I64) -> Mask:
    """Which of a GPU's events are on streams on which anything computes; all where none does."""
    names, track = capture.events.name[rows], capture.events.track[rows]
    computes = np.zeros(len(capture.strings), bool)
    computes[names] = True
    for i in np.flatnonzero(computes)[:_NAMES_MAX].tolist():
        kind = category_of_kernel(capture.strings[i])
        computes[i] = kind < len(CATEGORIES) and CATEGORIES[kind].key.startswith("compute")
    used = np.zeros(len(capture.tracks), bool)
    used[track[computes[names]]] = True
    return used[track] if used.any() else np.ones(len(rows), bool)


def _innermost(timeline: Timeline, rows: I64) -> Mask:
    """Which of some events are more than what lies in them: a loop is not."""
    nesting, events = nesting_of(timeline), timeline.capture.events
    holds = np.zeros(len(events) + 1, bool)
    holds[nesting.parent[rows]] = True
    mostly_own: Mask = ~holds[rows] | (2 * nesting.self_ps[rows] > events.duration_ps[rows])
    return mostly_own


# Kernels in their order and what each is called → events that reach from the first to the last kernel of a name.

#: Derived events for each event of the capture, and of any capture.
_SHARE, _LEAST = 1, 1 << 20


class Room:
    """How many events the lines of all devices may still have: levels that would need more are left out, but for the
    outermost of a line.
    """

    def __init__(self, timeline: Timeline) -> None:
        self._left = _SHARE * len(timeline.capture.events) + _LEAST

    def takes(self, level: int, count: int) -> bool:
        taken = not level or count <= self._left
        self._left -= count if taken else 0
        return taken


def merged(kernels: Kernels, key: str, labels: Labels, room: Room) -> Line:
    """Level by level: neighbours of one name make an event, whatever the stream; kernels without a name are looked
    through, those of another end it.

    An event ends with its last kernel, or where the next one of its level begins, if that is before: so events of a
    level never overlap, and lie in those of the level above.
    """
    at = np.flatnonzero(labels.path >= 0)
    path, begin, end = labels.path[at], kernels.begin_ps[at], kernels.end_ps[at]
    new = np.ones(len(at) + 1, bool)
    new[1:-1] = np.diff(kernels.part[at]) != 0
    if labels.part is not None:
        new[1:-1] |= np.diff(labels.part[at]) != 0
    none = np.empty(0, np.int32)
    parts = [_Level(none, none, none, none, np.empty(0, np.int64), np.empty(0, bool))]
    place = np.arange(len(at))
    for level in range(labels.levels.shape[1]):
        node = labels.levels[path[place], level]
        place, node = place[node >= 0], node[node >= 0]
        first, until = _runs(place, node, new)
        if not len(first) or not room.takes(level, len(first)):
            break
        reach = np.maximum.reduceat(end[place], first)
        low, high = place[first], place[until - 1] + 1
        stop = np.append(begin, np.iinfo(np.int64).max)[high]
        name, depth = labels.name[node[first]].astype(np.int32), np.full(len(first), level, np.int32)
        places = low.astype(np.int32), high.astype(np.int32)
        parts.append(_Level(*places, name, depth, np.minimum(reach, stop), reach > stop))
    whole = _Level(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    del parts
    start = np.append(begin, 0)[whole.first]
    # Of kernels that begin at one instant the later one's name is shown.
    some = np.flatnonzero(whole.stop > start)
    some = some[np.argsort(whole.first[some].astype(np.int64) * (LEVELS + 1) + whole.depth[some], kind="stable")]
    under = kernels.rows if len(at) == len(kernels.rows) else kernels.rows[at]
    name, depth, cut = whole.name[some], whole.depth[some], whole.cut[some]
    times, places = (start[some], whole.stop[some]), (whole.first[some], whole.until[some])
    return Line(kernels.plane, key, labels.names, name, *times, depth, *places, cut, under)


class _Level(NamedTuple):
    """Events: the kernels under each from `first` to before `until`; when it ends; whether one of them runs on."""

    first: I32
    until: I32
    name: I32
    depth: I32
    stop: I64
    cut: Mask


def _runs(place: I64, node: I64, new: Mask) -> tuple[I64, I64]:
    """Where neighbours of one node begin and end; what lies between two that are none comes from elsewhere."""
    if not len(place):
        return place, place
    change = np.ones(len(place), bool)
    change[1:] = (np.diff(node) != 0) | (np.diff(place) != 1) | new[place[1:]]
    first = np.flatnonzero(change)
    return first, np.append(first[1:], len(place))


# Kernels of PyTorch's → the modules, annotations, phases and lines of Python that launched them.
#
# By the call of an operator around the launch. A backward call has the modules of its forward call (`ops_of`), and
# the
# annotations of the thread that waits for it.

_BACKWARD = regex(r"autograd::engine::evaluate_function: .*|\w*Backward\w*(?:$|<).*", re.DOTALL)
_OPTIMIZER = regex(r"Optimizer\.(?:step|zero_grad)#.*", re.DOTALL)
_BACK = PHASES.index(BACKWARD)
#: Characters of a name that say what it is.
_HEAD = 200


class Torch:
    """The kernels of one device that calls of operators launched: `mine`."""

    def __init__(self, kernels: Kernels) -> None:
        self._kernels, self._timeline = kernels, kernels.timeline
        called = np.flatnonzero(kernels.call >= 0)
        calls = kernels.call[called].astype(np.int64)
        self.mine = np.zeros(len(kernels.rows), bool)
        self.mine[called] = are_calls(self._timeline, calls)
        host = ops_of(self._timeline).host
        #: The operator's own op: a copy's is the copy.
        self._op = np.full(len(kernels.rows), -1, np.int64)
        self._op[called] = host.op[np.searchsorted(host.rows, calls)]
        launch = launches_of(self._timeline).rows[kernels.rows]
        #: Where on the host each was launched; of a kernel without a launch, its call.
        self._launch = np.where(launch >= 0, launch, kernels.call)

    def ops(self) -> Labels:
        ops = ops_of(self._timeline).ops
        numbers, place = distinct_of(np.where(self.mine, self._op, -1))
        return labelled(place, [[ops[i].type] for i in numbers.tolist()], [ops[i].name for i in numbers.tolist()])

    def phases(self) -> I64:
        """By kernel its place in `PHASES`; -1 where an operator did not launch it."""
        names = self._timeline.capture.events.name
        phase = np.where(self.mine, PHASES.index(FORWARD), -1)
        for name, pattern in ((BACKWARD, _BACKWARD), (OPTIMIZER, _OPTIMIZER)):
            phase[self._within(self._named(pattern)[names])] = PHASES.index(name)
        phase[self._of_autograd(phase)] = _BACK
        return phase

    def _of_autograd(self, phase: I64) -> Mask:
        """What else the threads launch that run backward calls mostly: they add up gradients, and run parts again."""
        tracks = self._timeline.capture.events.track[self._launch]
        count = np.zeros((len(PHASES), len(self._timeline.capture.tracks)), np.int64)
        np.add.at(count, (phase[self.mine], tracks[self.mine]), 1)
        forward, backward, optimizer = (count[PHASES.index(name)] for name in (FORWARD, BACKWARD, OPTIMIZER))
        is_autograd = (optimizer == 0) & (backward > forward) & ((count.sum(0) > 0).sum() > 1)
        found: Mask = self.mine & is_autograd[tracks]
        return found

    def _named(self, pattern: re.Pattern[str]) -> Mask:
        strings = self._timeline.capture.strings
        table = np.zeros(len(strings), bool)
        table[[i for i in self._timeline.capture.names_used.tolist() if pattern.match(strings[i][:_HEAD])]] = True
        return table

    def _within(self, wanted: Mask) -> Mask:
        """Which kernels were launched within such events."""
        around = nearest(nesting_of(self._timeline).parent, wanted)
        found: Mask = self.mine & (self._launch >= 0) & ((around[self._launch] >= 0) | wanted[self._launch])
        return found

    def modules(self, phase: I64) -> Labels:
        """By the path of modules, each phase by itself."""
        ops = ops_of(self._timeline).ops
        numbers, place = distinct_of(np.where(self.mine, self._op * (len(PHASES) + 1) + phase + 1, -1))
        paths = []
        for i in numbers.tolist():
            op = ops[i // (len(PHASES) + 1)]
            parts = [part for part in op.name.removesuffix(op.type).split("/") if part]
            paths.append(parts[:-1] if parts[-1:] == [BACKWARD_SCOPE] else parts)
        return labelled(place, paths, [i % (len(PHASES) + 1) for i in numbers.tolist()])

    def sources(self) -> Labels:
        """The innermost line of the program's own, as `stacks` has it."""
        mine = np.flatnonzero(self.mine)
        calls, which = np.unique(self._kernels.call[mine], return_inverse=True)
        number, texts = stacks(self._timeline, calls.astype(np.int64))
        texts = [_line(text) for text in texts]
        place = np.full(len(self.mine), -1, np.int64)
        place[mine] = number[which.reshape(-1)]
        return labelled(place, [[_torch_short(text)] if text else None for text in texts], texts)

    def annotations(self, phase: I64) -> Labels:
        """What the program marks itself, as it is nested on the host, each mark by itself."""
        timeline = self._timeline
        marks = annotations_of(timeline)
        names = timeline.capture.strings
        if not len(marks):
            return labelled(np.full(len(self.mine), -1, np.int64), [])
        wanted = np.zeros(len(timeline.capture.events), bool)
        wanted[marks] = True
        outer = np.append(nearest(nesting_of(timeline).parent, wanted), np.int32(-1))
        inner = np.where(self.mine & (self._launch >= 0), outer[self._launch], -1).astype(np.int32)
        self._waiting(marks, outer, inner, phase)
        used = np.unique(inner[inner >= 0])
        path = np.where(self.mine, np.where(inner >= 0, np.searchsorted(used, inner), len(used)), -1)
        texts, ids = np.unique(timeline.capture.events.name[marks], return_inverse=True)
        return Labels(path, _chains(marks, outer, used), ids.reshape(-1).astype(np.int64), names.texts(texts))

    def _waiting(self, marks: I64, outer: I32, inner: I32, phase: I64) -> None:
        """Of backward calls of other threads, and where one thread marks all, of all others: the mark that the thread
        with most marked time was in. It waits for them.
        """
        events = self._timeline.capture.events
        outermost = marks[outer[marks] < 0]
        marked = np.bincount(events.track[outermost], weights=events.duration_ps[outermost])
        main, alone = int(marked.argmax()), np.count_nonzero(np.bincount(events.track[marks])) == 1
        marks = marks[events.track[marks] == main]
        other = np.flatnonzero((inner < 0) & (self._launch >= 0) & self.mine & (alone | (phase == _BACK)))
        other = other[events.track[self._launch[other]] != main]
        at = events.start_ps[self._launch[other]]
        mark = np.append(marks, -1)[np.searchsorted(events.start_ps[marks], at, side="right") - 1].astype(np.int32)
        for _ in range(LEVELS):
            over = np.flatnonzero((mark >= 0) & (events.start_ps[mark] + events.duration_ps[mark] <= at))
            if not len(over):
                break
            mark[over] = outer[mark[over]]
        mark[(mark >= 0) & (events.start_ps[mark] + events.duration_ps[mark] <= at)] = -1
        inner[other] = mark


def annotations_of(timeline: Timeline) -> I64:
    """The rows of what programs mark themselves: `record_function`, steps of the profiler and of optimizers."""
    capture = timeline.capture
    wanted = capture.strings.find(ANNOTATION)
    if wanted < 0:
        return np.empty(0, np.int64)
    rows = rows_of(capture, host_tracks(capture))
    value, kind = timeline.stat_of("category", rows)
    marks: I64 = rows[(kind == StatKind.TEXT) & (value == wanted)]
    return marks


def _chains(marks: I64, outer: I32, used: I32) -> I64:
    """By used mark the places of those around it, outermost first, and its own; the last row is empty."""
    place = np.full(len(outer), -1, np.int64)
    place[marks] = np.arange(len(marks))
    up = np.append(place[outer[marks]], -1)
    at = place[used]
    level = np.zeros(len(used), np.int64)
    above = up[at]
    for _ in range(LEVELS - 1):
        if not (above >= 0).any():
            break
        level += above >= 0
        above = up[above]
    levels = np.full((len(used) + 1, int(level.max(initial=-1)) + 1), -1, np.int64)
    for _ in range(levels.shape[1]):
        inside = np.flatnonzero((at >= 0) & (level >= 0))
        levels[inside, level[inside]] = at[inside]
        at, level = up[at], level - 1
    return levels


def _line(stack: str) -> str:
    """`← nn.Module: Linear_0 ← a/model.py(12): forward` → `a/model.py(12): forward`; modules have their own line."""
    frames = (frame.strip() for frame in stack.split("← "))
    return next((frame for frame in frames if frame and not frame.startswith(MODULE)), "")


def _torch_short(frame: str) -> str:
    """`a/b/model.py(12): forward` → `model.py(12): forward`."""
    place, colon, function = frame.partition("): ")
    return place.rpartition("/")[2] + colon + function


#: Lines in the order to draw them, their titles, and what collectors and readers call theirs.
TITLES = {
    "critical_path": "Critical path",
    "steps": "Steps",
    "phases": "Phase",
    "modules": "Modules",
    "annotations": "Annotations",
    "scopes": "Name scope",
    "ops": "Ops",
    "programs": "XLA modules",
    "instructions": "XLA ops",
    "sources": "Source",
}
KEYS = tuple(TITLES)
_RECORDED = {
    "steps": regex(r"(?:Sparse Core )?Steps.*"),
    "annotations": regex(r".*\(annotations\)"),
    "scopes": regex(r"(?:Framework|TensorFlow) Name Scope.*"),
    "ops": regex(r"(?:Framework|TensorFlow) Ops.*"),
    "programs": regex(r"(?:XLA|Sparse Core) Modules.*"),
    "instructions": regex(r"(?:XLA|Sparse Core) Ops.*"),
    "sources": regex(r"Source [Cc]ode.*"),
}


def lines_of(timeline: Timeline) -> list[Line]:
    """The lines of all devices, device by device. Not kept: callers keep what they make of them."""
    room = Room(timeline)
    return [line for plane in device_planes(timeline.capture) for line in _device_lines(timeline, plane, room)]


def _device_lines(timeline: Timeline, plane: int, room: Room) -> list[Line]:
    """The lines of one device in their order."""
    kernels = kernels_of(timeline, plane)
    if not len(kernels.rows):
        return []
    there = _recorded(timeline, plane)
    made = {key: make() for key, make in _makers(kernels, room) if key not in there}
    return [line for key in KEYS if key in made and len((line := made[key]).name)]


def _recorded(timeline: Timeline, plane: int) -> set[str]:
    """Which lines the collector drew itself."""
    capture = timeline.capture
    tracks = capture.tracks_of(plane)
    tracks = tracks[capture.tracks.events_end[tracks] > capture.tracks.events_begin[tracks]]
    names = capture.strings.texts(capture.tracks.name[tracks])
    return {key for key, pattern in _RECORDED.items() if any(map(pattern.fullmatch, names))}


def _makers(kernels: Kernels, room: Room) -> Iterator[tuple[str, Callable[[], Line]]]:
    torch = Torch(kernels)
    others = Framework(kernels, torch.mine)

    def line_maker(key: str, labels: Callable[[], Labels]) -> tuple[str, Callable[[], Line]]:
        return key, lambda: merged(kernels, key, labels(), room)

    phase = np.where(torch.mine, torch.phases(), others.phases()) if torch.mine.any() else others.phases()
    yield "steps", lambda: _steps(kernels)
    if (phase > 0).any():
        yield line_maker("phases", lambda: phase_labels(phase, torch.mine | others.mine))
    if torch.mine.any():
        yield line_maker("modules", lambda: torch.modules(phase))
        yield line_maker("annotations", lambda: torch.annotations(phase))
    yield line_maker("scopes", others.scopes)
    yield line_maker("ops", lambda: _both(bool(torch.mine.any()), torch.ops, others.ops))
    yield line_maker("programs", lambda: programs(kernels))
    yield line_maker("instructions", lambda: instructions(kernels))
    yield line_maker("sources", lambda: _both(bool(torch.mine.any()), torch.sources, lambda: sources(kernels)))


def _both(is_torch: bool, torch: Callable[[], Labels], others: Callable[[], Labels]) -> Labels:
    """A device runs what one framework launched; where PyTorch did, it is PyTorch's."""
    return torch() if is_torch else others()


def _steps(kernels: Kernels) -> Line:
    """Each step from its first kernel to its last one, or to where the next one begins."""
    steps = assignment_of(kernels.timeline).steps
    mine = np.flatnonzero(kernels.step >= 0)
    of, order = _by_first(kernels.step[mine])
    mine = mine[order]
    bounds = np.flatnonzero(np.diff(kernels.step[mine], prepend=-1, append=-1))
    first, until = bounds[:-1], bounds[1:]
    begin, last = (
        kernels.begin_ps[mine][first],
        np.maximum.reduceat(kernels.end_ps[mine], first) if len(mine) else first,
    )
    stop = np.append(begin[1:], np.iinfo(np.int64).max)[: len(begin)]
    held = np.flatnonzero(np.minimum(last, stop) > begin)
    names = {name: i for i, name in enumerate(dict.fromkeys(steps.name[i] for i in of[held].tolist()))}
    name = np.array([names[steps.name[i]] for i in of[held].tolist()], np.int32)
    times = begin[held], np.minimum(last, stop)[held]
    depth, cut = np.zeros(len(held), np.int32), (last > stop)[held]
    places = first[held].astype(np.int32), until[held].astype(np.int32)
    return Line(kernels.plane, "steps", list(names), name, *times, depth, *places, cut, kernels.rows[mine])


def _by_first(step: I32) -> tuple[I64, I64]:
    """Steps by their first kernel, and the kernels, given in order, step by step."""
    of, first, which = np.unique(step, return_index=True, return_inverse=True)
    rank = np.empty(len(of), np.int64)
    rank[np.argsort(first)] = np.arange(len(of))
    return of[np.argsort(first)].astype(np.int64), np.argsort(rank[which.reshape(-1)], kind="stable")
