"""A timeline → what a comparison needs of one host; hosts → one capture of a side."""

from __future__ import annotations

import functools
import hashlib
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import NamedTuple, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...messages import Message
from ...patterns import regex
from ...tables import F64, Options, PlaneKind, StatKind, grouped, intervals
from ...timeline.causes import uses_graphs
from ...timeline.names.ops import Op
from ...timeline.ops.executions import instructions_as_ops
from ...timeline.ops.ops import ops_of
from ...timeline.programs.reader import Instruction, Program, Shape, programs_of
from ...timeline.split.split import Split
from ...timeline.timeline import Timeline, cached
from ...timeline.tracks import device_planes, device_rows
from ..collectives.calls import calls
from ..devices.peaks import device
from ..hosts.environment import environment
from ..input.bottleneck import Stage
from ..input.stages import input_stages
from ..memory.systems import systems
from ..steps.contents import Inside
from ..steps.means import (
    STEPS_FROM,
    HostSteps,
    StepMeans,
    are_warm_up,
    host_steps,
    of_one_program,
    step_means,
)
from .quantities import Part, Parts, Scoped, counts, of_steps, parts_by_op

# A timeline → what it states that numbers depend on: models of devices, sizes of batches, what a profiler recorded.

#: What PyTorch's profiler was asked to record.
_OPTIONS = ("record_shapes", "profile_memory", "with_stack", "with_flops", "with_modules")
#: Operators whose first input has the batch as its first dimension.
_LAYERS = ("aten::linear", "aten::conv1d", "aten::conv2d", "aten::conv3d")
_FIRST = regex(r"\s*\[\s*\[\s*(\d{1,12})\s*[,\]]")
#: Distinct shapes that are looked at, the most frequent; letters of one.
_MAX_SHAPES, _MAX_TEXT = 4096, 400


def facts(timeline: Timeline, stages: Iterable[Stage]) -> dict[str, str]:
    """Name → value, of each that the capture states."""
    found = {
        "device_models": ", ".join(sorted(_models(timeline))),
        "batch_size": ", ".join(sorted(_batch_sizes(stages))),
        "first_dimension": _first_dimension(timeline),
    }
    return {name: value for name, value in (found | _options(timeline)).items() if value}


def _models(timeline: Timeline) -> set[str]:
    capture = timeline.capture
    given = [(PlaneKind(capture.planes.kind[i]), capture.plane_values(i)) for i in device_planes(capture)]
    return {model for kind, values in given if (model := device(kind, values).model)}


def _batch_sizes(stages: Iterable[Stage]) -> set[str]:
    """As tf.data's stages have it."""
    return {size for stage in stages if (size := stage.settings.get("batch_size", ""))}


def _first_dimension(timeline: Timeline) -> str:
    """Of the first input of most layers that PyTorch ran."""
    capture = timeline.capture
    wanted = [i for name in _LAYERS if (i := capture.strings.find(name)) >= 0]
    if not wanted or not timeline.has_stat("Input Dims"):
        return ""
    rows = np.flatnonzero(np.isin(capture.events.name, wanted))
    value, kind = timeline.stat_of("Input Dims", rows)
    ids, times = np.unique(value[kind == StatKind.TEXT], return_counts=True)
    seen: Counter[int] = Counter()
    for i in np.argsort(-times, kind="stable")[:_MAX_SHAPES].tolist():
        if first := _FIRST.match(capture.strings[int(ids[i])][:_MAX_TEXT]):
            seen[int(first[1])] += int(times[i])
    return str(max(seen, key=lambda size: (seen[size], size))) if seen else ""


def _options(timeline: Timeline) -> dict[str, str]:
    capture = timeline.capture
    found: dict[str, str] = {}
    for plane in np.flatnonzero(capture.planes.kind == PlaneKind.CPU).tolist():
        values = capture.plane_values(plane)
        found |= {key: str(values[key]) for key in _OPTIONS if isinstance(values.get(key), (int, str))}
    return found


# A timeline and some of its ops → what XLA's instructions of each are, whatever these are called.

#: Instructions that are looked at, and what of a fusion is.
_MAX_INSTRUCTIONS, _MAX_INSIDE = 4096, 512
#: Kinds of what is inside, and letters of a shape, that are kept.
_MAX_KINDS, _MAX_SHAPE = 64, 200


class Content(NamedTuple):
    """fingerprint: the same for instructions that are the same but for their names: opcodes, shapes of results and
    operands, and what fusions hold. shape: opcodes and shapes of results. inside: how often what is in its fusions,
    as opcode and shape; none where that is too much."""

    fingerprint: str
    shape: str
    inside: tuple[tuple[str, int], ...] = ()


class _Look(NamedTuple):
    """One instruction."""

    shape: str
    operands: tuple[str, ...]
    inside: tuple[tuple[str, int], ...]


def contents(timeline: Timeline, wanted: Collection[Op]) -> dict[Op, Content]:
    """Of those ops whose program the capture holds."""
    programs = programs_of(timeline)
    if not programs.blobs:
        return {}
    found: dict[Op, Content] = {}
    left = _MAX_INSTRUCTIONS
    for op, instructions in _instructions(timeline, wanted).items():
        left -= len(instructions)
        if left < 0:
            break
        looks = [look for one in sorted(instructions) if (look := _look(programs.read(one.module), one.name))]
        if looks:
            found[op] = _content(looks)
    return found


def _instructions(timeline: Timeline, wanted: Collection[Op]) -> dict[Op, set[Op]]:
    """By op its instructions, with the keys of their programs."""
    ops, named = ops_of(timeline), instructions_as_ops(timeline)
    is_wanted = np.array([op in wanted for op in ops.ops], bool)
    is_named = np.array([bool(op.module) for op in named.ops], bool)
    found: dict[Op, set[Op]] = {}
    for of, instruction in ((ops.host.op, named.host.op), (ops.device.op, named.device.op)):
        if not len(of):
            continue
        some = is_wanted[of] & is_named[instruction]
        of, instruction = of[some], instruction[some]
        first = grouped(of, instruction).first
        for i, j in zip(of[first].tolist(), instruction[first].tolist(), strict=True):
            found.setdefault(ops.ops[i], set()).add(named.ops[j])
    return found


def _content(looks: list[_Look]) -> Content:
    text = "\n".join(sorted(repr(look) for look in looks))
    inside: Counter[str] = Counter()
    for look in looks:
        inside.update(dict(look.inside))
    kept = tuple(sorted(inside.items())) if len(inside) <= _MAX_KINDS else ()
    shapes = " ".join(sorted({look.shape for look in looks}))
    return Content(hashlib.blake2b(text.encode(), digest_size=12).hexdigest(), shapes[:_MAX_SHAPE], kept)


def _look(program: Program | None, name: str) -> _Look | None:
    one = program.find(name) if program else None
    if program is None or one is None:
        return None
    around = program.around(name)
    operands = tuple(_signature(program, around[key]) for key in one.operands[:_MAX_KINDS] if key in around)
    inside: Counter[str] = Counter()
    for key in one.called if one.opcode == "fusion" else ():
        if (computation := program.computations.get(key)) is not None:
            inside.update(_signature(program, each) for each in computation.work[:_MAX_INSIDE])
    return _Look(_signature(program, one, one.kind), operands, tuple(sorted(inside.items())))


def _signature(program: Program, one: Instruction, kind: str = "") -> str:
    return f"{one.opcode}{kind and ':' + kind} {one.target}{_shape(program.shape(one))}"


def _shape(shape: Shape) -> str:
    if shape.parts:
        return f"({', '.join(map(_shape, shape.parts[:_MAX_KINDS]))})"
    return f"{shape.element}[{','.join(map(str, shape.dimensions))}]"


# A timeline and its steps → the stages of its input pipeline and its collectives, of a mean step.

#: Stages, and kinds of collectives, that are kept of a host, the largest.
MAX_KEPT = 512


class StageKey(NamedTuple):
    """A stage of an input pipeline: the chain of a tf.data iterator, or what fetches and makes elements elsewhere."""

    name: str
    type: str
    kind: str


class CallKey(NamedTuple):
    """Collectives of one kind and process group; size: of the group, 0 where it is not known."""

    kind: str
    group: str
    size: int


class Moved(NamedTuple):
    """Of a mean step. ps: of a stage its work, summed over threads; of collectives their time, on each device.
    wait_ps: of a stage, what it only waited for others. bytes: -1 where they are not known. times: calls. event: the
    name of one of its events, empty where none has one."""

    ps: float = 0.0
    wait_ps: float = 0.0
    bytes: float = -1.0
    times: float = 0.0
    event: str = ""

    def plus(self, other: Moved) -> Moved:
        size = self.bytes + other.bytes if min(self.bytes, other.bytes) >= 0 else max(self.bytes, other.bytes)
        added = self.ps + other.ps, self.wait_ps + other.wait_ps, size, self.times + other.times
        return Moved(*added, self.event or other.event)

    def over(self, many: int) -> Moved:
        size = self.bytes / many if self.bytes >= 0 else self.bytes
        return Moved(self.ps / many, self.wait_ps / many, size, self.times / many, self.event)


NOTHING_MOVED = Moved()


def stages(given: Iterable[Stage], steps: int) -> dict[StageKey, Moved]:
    """Of the whole capture, over all of its steps: a stage works ahead of the step that takes its element."""
    found: dict[StageKey, Moved] = {}
    for one in given if steps else ():
        key = StageKey(one.name, one.type, one.kind)
        work = one.work_ps + (one.wait_ps if one.unseen else 0.0)
        wait = 0.0 if one.unseen else one.wait_ps
        event = one.name.rpartition("::")[2] if one.iterates else one.name
        moved = Moved(work, wait, -1.0, float(one.count or one.calls), event).over(steps)
        found[key] = found.get(key, NOTHING_MOVED).plus(moved)
    largest = sorted(found.items(), key=lambda item: (-item[1].ps, -item[1].wait_ps, item[0]))
    return dict(largest[:MAX_KEPT])


def collectives(timeline: Timeline, split: Split, counted: NDArray[np.bool_]) -> dict[CallKey, Moved]:
    """Of the steps that count, of the mean device."""
    found = cached(timeline, calls)
    steps = split.steps
    if found.left_out:
        # Calls of the last steps are not kept.
        counted = counted & (steps.until_ps <= found.begin_ps.max())
    if not len(found) or not counted.any():
        return {}
    inside = Inside(steps, counted)(found.begin_ps)
    many = int(counted.sum()) * max(len(np.unique(found.unit)), 1)
    n = len(found.whats)
    what, size = found.what[inside], found.bytes[inside]
    times = np.bincount(what, minlength=n)
    ps = np.bincount(what, found.duration_ps[inside], n)
    known = size >= 0
    carried = np.bincount(what[known], size[known].astype(np.float64), n)
    has_bytes = np.bincount(what[known], minlength=n) > 0
    rows = found.row[inside]
    first = dict(zip(*(column.tolist() for column in np.unique(what, return_index=True)), strict=True))
    events, strings = timeline.capture.events, timeline.capture.strings
    moved: dict[CallKey, Moved] = {}
    for i in np.argsort(-ps, kind="stable")[:MAX_KEPT].tolist():
        if times[i]:
            group = found.whats[i].group
            name = strings[int(events.name[rows[first[i]]])]
            one = Moved(float(ps[i]), 0.0, float(carried[i]) if has_bytes[i] else -1.0, float(times[i]), name)
            key = CallKey(found.whats[i].kind, group.name, group.size)
            moved[key] = moved.get(key, NOTHING_MOVED).plus(one.over(many))
    return moved


Key = TypeVar("Key", bound=Hashable)
_GRADIENT = regex(r"transpose\(jvp\(|(?:^|/)gradient(?:_tape|s)(?:_\d+)?/")
_AUTOGRAD = regex(r"(?:autograd::engine::evaluate_function: )?[\w:]*Backward\d*")
#: Kernels that are kept by name, the largest.
MAX_KERNELS = 512


class HostSide(msgspec.Struct, frozen=True):
    """One host of one capture. parts, scoped: of a mean step, slow ones included. kernels: by name, time a step and
    runs, summed over its devices. memory: by system and its kind, its peak in bytes. environment: what the capture
    states. devices: how many ran something. counts: by key of `COUNTS`, of each that the capture shows. contents: of
    the ops that are in parts, as far as XLA ran them. backward: whether the program runs a backward pass, None where
    its ops do not show it.
    """

    host: str
    steps: HostSteps
    parts: Parts
    kernels: dict[str, Part]
    memory: dict[tuple[str, str], int]
    environment: dict[str, str | Message]
    devices: int
    counts: dict[str, float]
    stages: dict[StageKey, Moved]
    collectives: dict[CallKey, Moved]
    contents: dict[Op, Content] = msgspec.field(default_factory=dict)
    scoped: Scoped = msgspec.field(default_factory=dict)
    backward: bool | None = None

    @property
    def mean_ps(self) -> F64:
        """By category, of its mean step."""
        split, counted = self.steps.split, self._counted
        mean = split.mean_ps(split.exposed_ps)[counted]
        return mean.mean(axis=0) if len(mean) else np.zeros(split.exposed_ps.shape[2])

    @property
    def count(self) -> int:
        return int(self._counted.sum())

    @property
    def _counted(self) -> NDArray[np.bool_]:
        """Which of the steps that were split are paid for."""
        split = self.steps.split
        counted = _paid(split)
        return counted[: len(split.steps) - split.left_out]


def host_side(timeline: Timeline, options: Options) -> HostSide:
    """One host's part. Raises ArgumentError."""
    steps = host_steps(timeline, {STEPS_FROM.name: options.get(STEPS_FROM.name, STEPS_FROM.default)})
    split = steps.split
    counted = _paid(split)
    exchanged = collectives(timeline, split, counted)
    left_out = split.steps.whole & ~counted
    fed = input_stages(timeline, intervals.union(split.steps.begin_ps[left_out], split.steps.until_ps[left_out]))
    parts, scoped = parts_by_op(timeline, split)
    return HostSide(
        host=timeline.host,
        steps=steps,
        parts=parts,
        kernels=_kernels(timeline, split, counted),
        memory={(one.system, one.kind): one.peak_bytes for one in cached(timeline, systems)},
        environment={**environment(timeline), **facts(timeline, fed.stages)},
        devices=sum(unit.plane >= 0 for unit in split.units),
        counts=_with_collectives(counts(timeline, split, Inside(split.steps, counted), int(counted.sum())), exchanged),
        stages=stages(fed.stages, len(split.steps)),
        collectives=exchanged,
        contents=contents(timeline, {op for _, op in parts}),
        scoped=scoped,
        backward=_backward(timeline),
    )


def _backward(timeline: Timeline) -> bool | None:
    """As far as names of ops show it: those of PyTorch's autograd, of gradients in TensorFlow's and JAX's scopes. What
    a graph of launches replays has no names, and ranges are what a program marks."""
    if any(_GRADIENT.search(op.name) for op in ops_of(timeline).ops) or len(timeline.capture.events_named(_AUTOGRAD)):
        return True
    can = timeline.capture.capabilities
    shows = can.has_operators or any("/" in op.name for op in ops_of(timeline).ops)
    return False if shows and not can.has_ranges and not uses_graphs(timeline) else None


def _paid(split: Split) -> NDArray[np.bool_]:
    """As of the run, by this host alone."""
    steps = split.steps
    paid: NDArray[np.bool_] = steps.counted & ~are_warm_up(steps.wall_ps, steps.whole)
    return paid


def _with_collectives(found: dict[str, float], exchanged: dict[CallKey, Moved]) -> dict[str, float]:
    if not exchanged:
        return found
    total = functools.reduce(Moved.plus, exchanged.values())
    size = {"collective_bytes": total.bytes} if total.bytes >= 0 else {}
    return found | {"collectives": total.times} | size


def _kernels(timeline: Timeline, split: Split, counted: NDArray[np.bool_]) -> dict[str, Part]:
    events, strings = timeline.capture.events, timeline.capture.strings
    if not counted.any():
        return {}
    planes = [unit.plane for unit in split.units if unit.plane >= 0]
    rows = np.concatenate([device_rows(timeline, plane) for plane in planes] or [np.empty(0, np.int64)])
    rows = of_steps(timeline, split, Inside(split.steps, counted), rows)
    names, n = events.name[rows], int(counted.sum())
    ps = np.bincount(names, weights=events.duration_ps[rows], minlength=1)
    times = np.bincount(names, minlength=1)
    largest = np.argsort(-ps, kind="stable")[:MAX_KERNELS]
    return {strings[i]: Part(float(ps[i]) / n, int(times[i]) / n) for i in largest.tolist() if times[i]}


class CaptureSide(msgspec.Struct, frozen=True, eq=False):
    """One capture of a side: its hosts' steps as one run's, and means over the hosts that have steps.

    step_ps: the times of the steps that are paid for, slow ones included; is_typical: which of them are typical.
    by_category: the parts of their mean, which add up to it.
    """

    name: str
    hosts: tuple[HostSide, ...]
    means: StepMeans
    step_ps: F64
    is_typical: NDArray[np.bool_]
    by_category: F64
    parts: Parts
    kernels: dict[str, Part]
    scoped: Scoped = msgspec.field(default_factory=dict)

    @property
    def typical_ps(self) -> F64:
        typical: F64 = self.step_ps[self.is_typical]
        return typical


def capture_side(name: str, given: Sequence[HostSide]) -> CaptureSide:
    """The hosts of one program; others are left out."""
    mine = of_one_program([each.steps for each in given])
    hosts = tuple(each for each, is_mine in zip(given, mine, strict=True) if is_mine)
    means = step_means([each.steps for each in hosts])
    n = len(means.exposed_ps)
    paid = means.paid[:n]
    some = [each for each in hosts if len(each.steps.split.steps)]
    by_category = means.mean_ps(means.exposed_ps, means.paid)
    parts, factor = within(_mean([each.parts for each in some]), by_category)
    scoped = {key: part.share(factor[key[0]]) for key, part in _mean([each.scoped for each in some]).items()}
    kernels = _mean([each.kernels for each in some])
    of_steps = means.wall_ps[:n][paid], means.typical[:n][paid]
    return CaptureSide(name, hosts, means, *of_steps, by_category, parts, kernels, scoped)


def within(parts: Parts, by_category: F64) -> tuple[Parts, list[float]]:
    """Parts that add up to no more than their category: those of a TPU's cores are by the trace's clock, the category
    by the core's own, so that they may differ; then all of a category are smaller by one factor, which is the second.
    """
    sums = np.zeros(len(by_category))
    for (category, _), part in parts.items():
        sums[category] += part.ps
    factor = np.minimum(by_category / np.maximum(sums, 1.0), 1.0).tolist()
    return {key: part.share(factor[key[0]]) for key, part in parts.items()}, factor


def _mean(given: Sequence[dict[Key, Part]]) -> dict[Key, Part]:
    total: dict[Key, Part] = {}
    for each in given:
        for key, part in each.items():
            total[key] = total[key].plus(part) if key in total else part
    return {key: Part(part.ps / len(given), part.times / len(given)) for key, part in total.items()}


def contents_of(sides: Sequence[CaptureSide]) -> dict[Op, Content]:
    """Of the first host that shows an op."""
    hosts = [host for side in sides for host in side.hosts]
    return {op: content for host in reversed(hosts) for op, content in host.contents.items()}


def mean_of(sides: Sequence[CaptureSide]) -> tuple[F64, Parts, dict[str, Part], Scoped]:
    """Over repeats: the mean step by category, by category and op, kernels a step, and ops by what is marked."""
    by_category = np.mean([side.by_category for side in sides], axis=0)
    return (
        by_category,
        _mean([side.parts for side in sides]),
        _mean([side.kernels for side in sides]),
        _mean([side.scoped for side in sides]),
    )
