"""A timeline → its calls of collectives: what each is, of which process group, how much it carries and when it runs.

What PyTorch's profiler records of a call stands on the kernel, or on the operator that launched it; of an older one
only the tensors' shapes, on NCCL's annotation. XLA's instructions have it in their text."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import EMPTY, I64, Intervals, PlaneKind, StatKind, alike, among, grouped, intervals
from ...timeline.causes import flows_of, launches_of
from ...timeline.devices import units_at_work_of
from ...timeline.loops.loops import coverage
from ...timeline.nesting import enclosing_of
from ...timeline.ops.executions import exchange_ops, library_calls
from ...timeline.programs.reader import Named, Program, Shape, instructions_of, programs_of
from ...timeline.split.device import (
    SliceTransfer,
    category_of_instruction,
    category_of_kernel,
    device_runs,
    slice_transfers_of,
)
from ...timeline.split.sets import subtract
from ...timeline.split.split import exposed, split_of
from ...timeline.timeline import CATEGORIES, INDEX, Timeline, derived
from ...timeline.tracks import device_names, device_rows, device_rows_named
from ..devices.tpu import fields

# Names of collectives, of data types and of process groups → what a call of one is, and how much it carries.

#: Of a kernel's name, or an instruction's text, the head that is looked at.
_HEAD = 400
_KINDS = (
    ("all-reduce", regex(r"all[-_ ]?reduce|cross_device_reduce|psum(?!_scatter)|crossreplicasum")),
    ("reduce-scatter", regex(r"reduce[-_ ]?scatter|psum_scatter")),
    ("all-gather", regex(r"all[-_ ]?gather|collectivegather")),
    ("all-to-all", regex(r"all[-_ ]?to[-_ ]?all")),
    ("collective-permute", regex(r"collective[-_]?permute|ppermute")),
    ("send and receive", regex(r"send[-_ ]?recv")),
    # TensorFlow's `CollectiveReduceV2` gives all devices the sum.
    ("all-reduce", regex(r"collectivereduce(?!scatter)")),
    ("broadcast", regex(r"broadcast|collectivebcast")),
    ("barrier", regex(r"barrier")),
    ("gather", regex(r"(?<![a-z])gather")),
    ("scatter", regex(r"(?<![a-z])scatter")),
    ("reduce", regex(r"(?<![a-z])reduce(?![a-z]*[-_ ]?scatter)|ncclkernel_reduce|nccldevkernel_reduce")),
    ("send", regex(r"(?<![a-z])i?send(?![a-z])")),
    ("receive", regex(r"(?<![a-z])i?recv(?![a-z])")),
)
#: What everybody takes part in until everybody is done: all end at one instant, so that the shortest came last.
ALL_END_AT_ONCE = ("all-reduce", "reduce-scatter", "all-gather", "all-to-all", "barrier")
#: Bytes of one element, by PyTorch's names (of c10 and of its profiler's inputs), lower case, and by XLA's.
_BYTES = {
    **dict.fromkeys(("byte", "char", "bool", "unsigned char", "signed char", "int8", "uint8", "s8", "u8", "pred"), 1),
    **dict.fromkeys(("float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "f8e4m3fn", "f8e5m2"), 1),
    **dict.fromkeys(("half", "bfloat16", "c10::half", "c10::bfloat16", "short", "float16", "f16", "bf16", "s16"), 2),
    **dict.fromkeys(("u16", "int16", "short int"), 2),
    **dict.fromkeys(("float", "int", "float32", "int32", "f32", "s32", "u32"), 4),
    **dict.fromkeys(("double", "long", "float64", "int64", "long int", "f64", "s64", "u64", "c64"), 8),
    **dict.fromkeys(("complexfloat", "c10::complex<float>"), 8),
    **dict.fromkeys(("complexdouble", "c10::complex<double>", "c128"), 16),
}
_SHAPE = regex(r"\b([a-z][a-z0-9]{1,12})\[([0-9,]{0,200})\]")
_TYPE = regex(r'\s*\[\s*"([\w:]{1,40})"')
_GROUPS = regex(r"replica_groups=(\{\{[0-9,{} ]{0,4000}\}\}|\[[0-9,]+\]<=\[[0-9,]+\](?:T\([0-9,]+\))?)")
#: Dimensions and tensors of one call that are multiplied and added.
_MOST = 10_000


class Group(NamedTuple):
    """The participants. name, ranks: as the capture has them, empty where it has none; size: 0 where it has none."""

    name: str = ""
    ranks: str = ""
    size: int = 0


def kind_of(name: str) -> str:
    """What a kernel, an instruction, or a call of a library does; `other` where its name does not show it."""
    head = name[:_HEAD].partition(" = ")[0].partition("(")[0].lower()
    return next((kind for kind, pattern in _KINDS if pattern.search(head)), "other")


def element_bytes(dtype: str) -> int:
    """0 for a type that is not known."""
    return _BYTES.get(dtype.lower(), 0)


def first_type(text: str) -> str:
    """The type of the first array, of a call's `Input type` or an XLA instruction's text; empty without one."""
    found = _TYPE.match(text) or _SHAPE.search(text[:_MOST])
    return found[1] if found else ""


def is_float32(dtype: str) -> bool:
    return dtype.lower() in ("float", "float32", "f32")


def bus_factor(kind: str, size: int) -> float | None:
    """Bus ÷ algorithm bandwidth, as NCCL's own tests have it: what each link carries of the data, for so many ranks."""
    if size < 1:
        return None
    if kind == "all-reduce":
        return 2 * (size - 1) / size
    if kind in ("all-gather", "reduce-scatter", "all-to-all"):
        return (size - 1) / size
    return 1.0


def input_bytes(dims: str, types: str) -> int:
    """Input size of a call, from its `Input Dims` and `Input type`, both JSON; -1 where these do not show it."""
    try:
        shapes, names = json.loads(dims[:_MOST]), json.loads(types[:_MOST])
    except (ValueError, RecursionError):
        return -1
    if not isinstance(shapes, list) or not isinstance(names, list):
        return -1
    total = 0
    for shape, name in zip(shapes, names, strict=False):
        size = element_bytes(name) if isinstance(name, str) else 0
        if size and isinstance(shape, list) and shape and all(isinstance(d, int) and d >= 0 for d in shape):
            total += size * math.prod(shape)
    return total if 0 < total < 1 << 62 else -1


def instruction_bytes(text: str) -> int:
    """The larger of what an XLA instruction gives and takes, by the shapes in its text; -1 where it has none."""
    result, _, rest = text[:_MOST].partition(" = ")[2].partition("(") if " = (" not in text else _of_tuple(text)
    given, taken = _shapes_bytes(result), _shapes_bytes(rest.partition(")")[0])
    return max(given, taken) if 0 < max(given, taken) < 1 << 62 else -1


def given_bytes(text: str) -> int:
    """Of the shapes in a text; -1 where it has none."""
    size = _shapes_bytes(text[:_MOST])
    return size if 0 < size < 1 << 62 else -1


def _of_tuple(text: str) -> tuple[str, str, str]:
    """`(f32[8], f32[8]) all-reduce(…)`: what it gives, and what it takes."""
    given, _, rest = text[:_MOST].partition(" = ")[2].partition(") ")
    return given, "(", rest.partition("(")[2]


def _shapes_bytes(text: str) -> int:
    return sum(
        element_bytes(dtype) * math.prod(int(d) for d in dims.split(",") if d) for dtype, dims in _SHAPE.findall(text)
    )


def instruction_group(text: str) -> Group:
    """By `replica_groups`, in either of XLA's forms."""
    found = _GROUPS.search(text[:_MOST])
    if found is None:
        return Group()
    groups = found[1]
    if groups.startswith("["):
        sizes = [int(d) for d in groups[1 : groups.index("]")].split(",") if d]
        return Group("", groups, sizes[-1] if len(sizes) == 2 else 0)
    first = groups[2 : groups.index("}")]
    return Group("", groups, len([i for i in first.split(",") if i.strip()]))


# The text of an XLA instruction that ends something asynchronous → the name of the one that began it.

#: `%copy-done.2 = … copy-done(… %copy-start.1)`.
_DONE = regex(r"%?([\w-]+)-done((?:\.\d+)*)(?= =|$)")
_OPERAND = regex(r"%([\w-]+-start(?:\.\d+)*)\)")
_MAX_NAME = 2000


def begun_by(text: str) -> str:
    """By its operand, else by its own name; empty for what ends nothing."""
    name = _DONE.match(text[:_MAX_NAME])
    if name is None:
        return ""
    operand = _OPERAND.search(text[:_MAX_NAME])
    return operand[1] if operand else f"{name[1]}-start{name[2]}"


def named(text: str) -> str:
    """What such texts call an instruction."""
    return text[:_MAX_NAME].partition(" = ")[0].removeprefix("%")


# What a TPU exchanges between slices → the calls of collectives that this is, by kind of event.
#
# An exchange is one call: its `recv-done`, in which the core waits for what comes, counted since its `send` began;
# where a program only sends, its `send-done`.

#: Of the kinds of event that end an exchange, the first one that it has.
_ENDS = ("recv-done", "send-done")
#: What a transfer gives with the buffer: its state, and a token.
_STATE = regex(r", u32\[\][^,)]*, token\[\]|, token\[\]")


class SliceCall(NamedTuple):
    """begun: name of the instruction that began it. bytes: of the buffer that is received, -1 where it is not known.
    text: of the instruction whose events are the calls.
    """

    kind: str
    group: Group
    bytes: int
    float32: bool
    begun: str
    text: str


@derived
def slice_calls(timeline: Timeline) -> dict[int, SliceCall]:
    """By kind of event."""
    exchanges: dict[tuple[object, str], dict[str, tuple[int, SliceTransfer]]] = {}
    for kind, one in slice_transfers_of(timeline).items():
        exchanges.setdefault(one.exchange, {}).setdefault(one.opcode, (kind, one))
    found = {}
    for parts in exchanges.values():
        end = next((parts[opcode] for opcode in _ENDS if opcode in parts), None)
        if end is not None:
            found[end[0]] = _call(end[1], parts)
    return found


def _call(end: SliceTransfer, parts: dict[str, tuple[int, SliceTransfer]]) -> SliceCall:
    carries = parts.get("recv-done") or parts.get("recv") or parts.get("send")
    buffer = _STATE.sub("", carries[1].text.partition(" = ")[2].partition(") ")[0]) if carries else ""
    begin = parts.get("send") or parts.get("recv")
    return SliceCall(
        end.kind or "other",
        Group("between slices", end.target, end.slices),
        given_bytes(buffer),
        is_float32(first_type(buffer)),
        named(begin[1].text) if begin else "",
        end.text,
    )


# Calls of XLA's collectives → which of an instruction's replica groups each is of, and since when it took part.
#
# Replica groups name devices by their place in the program. Where the capture holds the program, its
# DeviceAssignmentProto gives their ids, else these places are taken for ids. A TPU core gives its id
# (CoreDetails.global_core_id), whatever its host; of other devices only their place on their host is known, which is
# their id where the program runs on that host alone. Not read are programs of several replicas that are also
# partitioned: what their groups name differs by instruction.

#: CoreDetails.global_core_id; HloModuleProto.device_assignment; DeviceAssignmentProto: replicas, partitions, of each
#: partition a list of ids.
_GLOBAL_CORE, _ASSIGNMENT, _REPLICAS, _PARTITIONS, _COMPUTATIONS, _IDS = 6, 15, 1, 2, 3, 1
#: Devices of one program.
_MAX_DEVICES = 1 << 16
_COUNTED = regex(r"\[(\d{1,6}),(\d{1,6})\]<=\[([0-9,]{1,60})\](?:T\(([0-9,]{1,60})\))?")
_LISTED = regex(r"\{([0-9, ]*)\}")
_MODULE = regex(r"(.*)\((\d{1,20})\)", re.DOTALL)


def members(ranks: str) -> tuple[tuple[int, ...], ...]:
    """`{{0,1},{2,3}}`, or `[2,2]<=[4]`, XLA's count that is reshaped and turned; empty for anything else."""
    if ranks.startswith("{{"):
        return tuple(tuple(map(int, re.findall("[0-9]+", one))) for one in _LISTED.findall(ranks[1:-1]))
    found = _COUNTED.fullmatch(ranks)
    if found is None:
        return ()
    dimensions = [int(d) for d in found[3].split(",") if d]
    order = [int(d) for d in (found[4] or "").split(",") if d] or list(range(len(dimensions)))
    shape, total = (int(found[1]), int(found[2])), int(np.prod(dimensions, dtype=np.float64))
    if not 0 < total <= _MAX_DEVICES or shape[0] * shape[1] != total or sorted(order) != list(range(len(dimensions))):
        return ()
    ids = np.arange(total).reshape(dimensions).transpose(order).reshape(shape)
    return tuple(map(tuple, ids.tolist()))


def parties(timeline: Timeline, groups: Sequence[Group], what: I64, unit: I64, rows: I64) -> I64:
    """Number of the replica group that each call's device is in, -1 where that cannot be determined.

    groups: by `what`. unit: of each call, its place among the devices that ran something.
    """
    found = np.full(len(rows), -1, np.int64)
    listed = [members(group.ranks) for group in groups]
    if not any(len(one) > 1 for one in listed):
        return found
    ids, is_global = _ids(timeline)
    module, programs = _modules(timeline, rows)
    pairs, which = np.unique(np.stack((what, module)), axis=1, return_inverse=True)
    for (place, number), mine in zip(pairs.T.tolist(), alike(which.reshape(-1)), strict=True):
        assigned = _assigned(programs.get(number))
        of = {
            assigned[i] if assigned else i: n
            for n, one in enumerate(listed[place])
            for i in one
            if not assigned or i < len(assigned)
        }
        own = ids[unit[mine]].tolist()
        if set(own) <= of.keys() and (is_global or set(ids.tolist()) == of.keys()):
            found[mine] = [of[i] for i in own]
    return found


def _modules(timeline: Timeline, rows: I64) -> tuple[I64, dict[int, Program]]:
    """For each event the number of its program, -1 for none, and the programs that the capture holds."""
    instruction, module = instructions_of(timeline).named_index(rows), flows_of(timeline).module[rows].astype(np.int64)
    names = np.where(module >= 0, timeline.capture.events.name[np.maximum(module, 0)], -1)
    pairs, which = np.unique(np.stack((instruction, names)), axis=1, return_inverse=True)
    keys: dict[tuple[str, int | None], int] = {}
    number = np.full(pairs.shape[1], -1, np.int64)
    for i, (one, name) in enumerate(pairs.T.tolist()):
        match = _MODULE.fullmatch(timeline.capture.strings[name]) if name >= 0 else None
        if one >= 0:
            ran = instructions_of(timeline).named[one]
            number[i] = keys.setdefault((ran.module, ran.program), len(keys))
        elif match:
            number[i] = keys.setdefault((match[1], int(match[2])), len(keys))
    found = {i: program for key, i in keys.items() if (program := programs_of(timeline).program(*key))}
    return number[which.reshape(-1)], found


def _ids(timeline: Timeline) -> tuple[I64, bool]:
    """Of each device that ran something, and whether these distinguish it from other hosts' devices."""
    capture = timeline.capture
    planes = [device.plane for device in units_at_work_of(timeline)]
    if not planes:
        return np.zeros(1, np.int64), False
    details = [capture.plane_values(plane).get("core_details") for plane in planes]
    cores = [dict(fields(one)).get(_GLOBAL_CORE, 0) for one in details if isinstance(one, bytes)]
    numbers = [core for core in cores if isinstance(core, int) and core < _MAX_DEVICES]
    if len(set(numbers)) == len(planes):
        return np.array(numbers, np.int64), True
    return capture.planes.ordinal[planes].astype(np.int64), False


def _assigned(program: Program | None) -> tuple[int, ...]:
    """Ids of a program's devices; empty where it is not recorded."""
    span = program.in_module(_ASSIGNMENT) if program else None
    if program is None or span is None:
        return ()
    counts = program.small(*span)
    if min(counts.get(_REPLICAS, 0), counts.get(_PARTITIONS, 0)) > 1:
        return ()
    ids = [i for one in program.spans(*span, _COMPUTATIONS) for i in program.lists(*one).get(_IDS, [])]
    return tuple(ids[:_MAX_DEVICES])


def leads(timeline: Timeline, rows: I64) -> I64:
    """How long before its event each call took part, ps: an asynchronous one of a TPU since its start, one between
    slices since it sent.
    """
    capture = timeline.capture
    sent = {one.text: one.begun for one in slice_calls(timeline).values()}
    found = np.zeros(len(rows), np.int64)
    planes = capture.tracks.plane[capture.events.track[rows]]
    at = np.flatnonzero(capture.planes.kind[planes] == PlaneKind.TPU)
    names, which = np.unique(capture.events.name[rows[at]], return_inverse=True)
    begun = [sent.get(text) or begun_by(text) for text in capture.strings.texts(names)]
    codes = {name: code for code, name in enumerate(filter(None, dict.fromkeys(begun)))}
    if codes:
        ends = np.array([codes.get(name, -1) for name in begun], np.int64)[which.reshape(-1)]
        some = at[ends >= 0]
        found[some] = _since(timeline, rows[some], ends[ends >= 0], codes)
    return found


def _since(timeline: Timeline, rows: I64, code: I64, codes: dict[str, int]) -> I64:
    """Of each end, how long after the last of its starts on its track it begins, ps; 0 for none. code: of its start's
    name in `codes`.
    """
    capture = timeline.capture
    events = capture.events
    of = np.full(len(capture.strings), -1, np.int64)
    for i in capture.names_used.tolist():
        of[i] = codes.get(named(capture.strings[i]), -1)
    starts = np.flatnonzero(of[events.name] >= 0)
    starts = starts[np.argsort(of[events.name[starts]], kind="stable")]
    if not len(starts):
        return np.zeros(len(rows), np.int64)
    keys = of[events.name[starts]] * len(events) + starts
    before = starts[np.maximum(np.searchsorted(keys, code * len(events) + rows) - 1, 0)]
    is_own = (before < rows) & (of[events.name[before]] == code) & (events.track[before] == events.track[rows])
    return np.where(is_own, events.start_ps[rows] - events.start_ps[before], 0)


# Events that run instructions of programs that the capture holds → which collective each is, of whom, of what size.
#
# Read are, of HloInstructionProto, shape and operands, and the participants: replica_groups of older versions of XLA,
# and CollectiveDeviceListProto, whose groups stand one by one or as a reshaped and transposed count.

#: HloInstructionProto.replica_groups, collective_device_list; of this: groups, and those that are a count.
_OLD, _DEVICES, _LISTED_PROGRAMS, _COUNTED_PROGRAMS = 49, 87, 1, 2
#: IotaReplicaGroupListProto: how many groups, of how many devices, dimensions, and their order.
_NUMBER, _SIZE, _RESHAPED, _ORDER = 1, 2, 3, 4
#: Groups of one instruction that are written out, and devices of one.
_MAX_PROGRAMS = 64
_SUFFIXES = ("-start", "-done")


class CollectiveFacts(NamedTuple):
    """bytes: the larger of what it takes and gives, -1 where that is unknown. float32: whether it gives these."""

    kind: str
    group: Group
    bytes: int
    float32: bool


def of_programs(timeline: Timeline, rows: I64) -> tuple[I64, dict[int, CollectiveFacts]]:
    """For each event the number of its instruction, -1 for none, and what each number is, where its program is held."""
    which = instructions_of(timeline).named_index(rows).astype(np.int64)
    named = instructions_of(timeline).named
    found = {i: group for i in set(which.tolist()) if i >= 0 and (group := _group_of(timeline, named[i])) is not None}
    return which, found


def _group_of(timeline: Timeline, named: Named) -> CollectiveFacts | None:
    program = programs_of(timeline).program(named.module, named.program)
    one = program.find(named.instruction) if program else None
    if program is None or one is None:
        return None
    around = program.around(named.instruction)
    if one.opcode in ("async-start", "fusion") and one.called and one.called[0] in program.computations:
        inner = program.computations[one.called[0]].root
        kind = inner.opcode if inner else one.opcode
    else:
        kind = one.opcode
    given = _bytes(program.shape(one))
    taken = sum(_bytes(program.shape(around[i])) for i in one.operands if i in around)
    if (kind.endswith("-start") and kind != "all-reduce-start") or one.opcode == "async-start":
        # What it gives holds what it takes, too.
        given -= taken
    for suffix in _SUFFIXES:
        kind = kind.removesuffix(suffix)
    carried = max(given, taken)
    shape = program.shape(one)
    float32 = is_float32((shape.parts or (shape,))[0].element)
    return CollectiveFacts(kind, _group(program, named.instruction), carried if 0 < carried < 1 << 62 else -1, float32)


def _bytes(shape: Shape) -> int:
    arrays = shape.parts or (shape,)
    return sum(element_bytes(one.element) * math.prod(one.dimensions) for one in arrays)


def _group(program: Program, name: str) -> Group:
    begin, end = program.span(name)
    listed, counted = [], None
    for number, low, high in program.fields(begin, end):
        if number == _OLD and high >= 0:
            listed.append((low, high))
        elif number == _DEVICES and high >= 0:
            listed += program.spans(low, high, _LISTED_PROGRAMS)
            counted = next(program.spans(low, high, _COUNTED_PROGRAMS), None)
    if counted is not None:
        return _counted(program.lists(*counted))
    groups = [program.lists(*span).get(1, []) for span in listed[:_MAX_PROGRAMS]]
    if not groups or not groups[0]:
        return Group()
    inside = ",".join("{" + ",".join(map(str, one[:_MAX_PROGRAMS])) + "}" for one in groups)
    return Group("", "{" + inside + "}", len(groups[0]))


def _counted(fields: dict[int, list[int]]) -> Group:
    """As XLA writes it: `[4,2]<=[2,4]T(1,0)`."""
    number, size = (fields.get(field, [0])[-1] for field in (_NUMBER, _SIZE))
    dimensions, order = (",".join(map(str, fields.get(field, [])[:_MAX_PROGRAMS])) for field in (_RESHAPED, _ORDER))
    if number < 1 or size < 1:
        return Group()
    turned = f"T({order})" if len(fields.get(_ORDER, [])) > 1 else ""
    return Group("", f"[{number},{size}]<=[{dimensions}]{turned}", size)


#: Calls that are kept of a host, the first ones: 12 MB. Of a Horovod timeline so many negotiations, too.
MAX_CALLS = 1 << 18
_COMPUTE = tuple(c.key for c in CATEGORIES if c.group == "compute")
_COLLECTIVE = INDEX["collective"]
_NAME = "Collective name"
_INTEGER = (StatKind.INT, StatKind.UINT)
#: Annotations of PyTorch's libraries: `nccl:all_reduce`.
_ANNOTATIONS = ("nccl:", "rccl:", "gloo:", "mpi:", "ucc:", "xccl:", "hccl:")


class What(NamedTuple):
    """What calls of one row of the table have in common."""

    kind: str
    group: Group


class Calls(msgspec.Struct, frozen=True, eq=False):
    """One host's calls, by unit of the split, then begin. what: place in `whats`. bytes: -1 where it is not known.
    float32: whether they carry 32-bit floats, as far as that is known.

    lead_ps: how long before its event a call took part. party: number of the replica group that its device is in, -1
    where that is unknown.
    overlapped_ps: part of a call in which its device computes; between_ps: how long it does so between the call before
    and this one, -1 for the first. exposed: by unit when a collective runs and nothing
    computes. left_out: calls beyond MAX_CALLS.
    """

    whats: tuple[What, ...] = ()
    what: I64 = msgspec.field(default_factory=lambda: np.empty(0, np.int64))
    unit: I64 = msgspec.field(default_factory=lambda: np.empty(0, np.int64))
    row: I64 = msgspec.field(default_factory=lambda: np.empty(0, np.int64))
    begin_ps: I64 = msgspec.field(default_factory=lambda: np.empty(0, np.int64))
    duration_ps: I64 = msgspec.field(default_factory=lambda: np.empty(0, np.int64))
    bytes: I64 = msgspec.field(default_factory=lambda: np.empty(0, np.int64))
    float32: NDArray[np.bool_] = msgspec.field(default_factory=lambda: np.empty(0, np.bool_))
    lead_ps: I64 = msgspec.field(default_factory=lambda: np.empty(0, np.int64))
    party: I64 = msgspec.field(default_factory=lambda: np.empty(0, np.int64))
    overlapped_ps: I64 = msgspec.field(default_factory=lambda: np.empty(0, np.int64))
    between_ps: I64 = msgspec.field(default_factory=lambda: np.empty(0, np.int64))
    exposed: tuple[Intervals, ...] = ()
    left_out: int = 0

    def __len__(self) -> int:
        return len(self.what)


def calls(timeline: Timeline) -> Calls:
    """Of all devices that ran something; where a host has one whose kernels are none, or none, those of its threads."""
    planes = [device.plane for device in units_at_work_of(timeline)]
    parts = [(i, _device_calls(timeline, plane)) for i, plane in enumerate(planes)]
    if len(planes) < 2 and not any(len(rows) for _, rows in parts):
        parts = [(0, _host_calls(timeline))]
    rows = np.concatenate([rows for _, rows in parts] or [np.empty(0, np.int64)])
    unit = np.repeat([i for i, _ in parts], [len(rows) for _, rows in parts]).astype(np.int64)
    left_out, rows, unit = max(len(rows) - MAX_CALLS, 0), rows[:MAX_CALLS], unit[:MAX_CALLS]
    if not len(rows):
        return Calls()
    events = timeline.capture.events
    begin, duration = events.start_ps[rows], events.duration_ps[rows]
    overlapped, between = np.zeros(len(rows), np.int64), np.full(len(rows), -1)
    exposed = [EMPTY] * max(len(planes), 1)
    for i in np.unique(unit).tolist():
        here = unit == i
        computes = device_runs(timeline, planes[i], _COMPUTE) if planes else _ops(timeline)
        overlapped[here] = coverage(computes, begin[here], begin[here] + duration[here])
        between[here] = _between(computes, begin[here], begin[here] + duration[here])
        exposed[i] = subtract(intervals.union(begin[here], begin[here] + duration[here]), computes)
    whats, what, size, float32 = _described(timeline, rows)
    party = parties(timeline, [one.group for one in whats], what, unit, rows)
    lead = leads(timeline, rows)
    times = begin, duration, size, float32, lead, party, overlapped, between
    return Calls(whats, what, unit, rows, *times, tuple(exposed), left_out)


def _between(computes: Intervals, begin: I64, end: I64) -> I64:
    """How much of a set lies between each call, by begin, and the end of those before; -1 for the first."""
    found = np.full(len(begin), -1, np.int64)
    before = np.maximum.accumulate(end)[:-1]
    found[1:] = coverage(computes, before, np.maximum(begin[1:], before))
    return found


def _ops(timeline: Timeline) -> Intervals:
    """When ops run in the steps of a host without devices."""
    found = exposed(timeline, split_of(timeline).steps, (INDEX["op_compute"],))
    return found[0].when if found else EMPTY


def _device_calls(timeline: Timeline, plane: int) -> I64:
    """The device's events that are collectives; what only starts one is left out: its end is the call."""
    capture = timeline.capture
    rows = device_rows(timeline, plane)
    if capture.planes.kind[plane] == PlaneKind.TPU:
        return _tpu_calls(timeline, rows)
    names = device_names(timeline, plane)
    called = [i for i in names if category_of_kernel(capture.strings[i]) == _COLLECTIVE]
    return _in_time(timeline, device_rows_named(timeline, plane, called))


def _tpu_calls(timeline: Timeline, rows: I64) -> I64:
    capture = timeline.capture
    kinds = capture.events.kind[rows]
    flags = np.zeros(len(capture.kinds) + 1, bool)
    between_slices = slice_transfers_of(timeline)
    flags[list(slice_calls(timeline))] = True
    for kind in np.unique(kinds).tolist():
        if kind >= 0 and kind not in between_slices:
            begin, end = int(capture.kinds.stats_begin[kind]), int(capture.kinds.stats_end[kind])
            category = dict(reversed(capture.values(begin, end))).get("hlo_category")
            name = capture.strings[int(capture.kinds.name[kind])]
            is_start = "-start" in name.partition(" = ")[0]
            hlo_category = category if isinstance(category, str) else ""
            flags[kind] = not is_start and category_of_instruction(name, hlo_category) == "collective"
    return _in_time(timeline, rows[flags[kinds]])


def _in_time(timeline: Timeline, rows: I64) -> I64:
    """Events are by track; calls by begin."""
    found: I64 = rows[np.argsort(timeline.capture.events.start_ps[rows], kind="stable")]
    return found


def _host_calls(timeline: Timeline) -> I64:
    """Collectives that threads run: libraries' own events where there are any, else ops. PyTorch's operators only ask
    for one: `record_param_comms` ends when it is queued.
    """
    called = library_calls(timeline)
    is_torch = timeline.capture.capabilities.has_operators
    return _in_time(timeline, called if len(called) or is_torch else exchange_ops(timeline))


def _described(timeline: Timeline, rows: I64) -> tuple[tuple[What, ...], I64, I64, NDArray[np.bool_]]:
    """What each of some events is, its place among these, its bytes, and whether these are 32-bit floats."""
    capture = timeline.capture
    noted = _Noted(timeline, rows)
    columns = [
        capture.events.name[rows].astype(np.int64),
        *(noted.text(key) for key in (_NAME, "dtype", "Process Group Name", "Process Group Description")),
        noted.text("Process Group Ranks"),
        *(noted.integer(key) for key in ("Group size", "In msg nelems", "Out msg nelems")),
        *noted.annotation(),
    ]
    run, of_program = of_programs(timeline, rows)
    columns += [capture.events.kind[rows].astype(np.int64), run]
    of_slices = slice_calls(timeline)
    only = _only_group(timeline)
    which, first = grouped(*columns)
    whats: dict[What, int] = {}
    place, size = np.empty(len(first), np.int64), np.empty(len(first), np.int64)
    float32 = np.empty(len(first), np.bool_)
    for i, one in enumerate(np.stack(columns)[:, first].T.tolist()):
        what, size[i], float32[i] = _what(timeline, one)
        known = of_program.get(one[-1])
        if known is not None:
            kind = known.kind if kind_of(known.kind) == known.kind else what.kind
            what, size[i], float32[i] = What(kind, known.group), known.bytes, known.float32
        if one[-2] in of_slices:
            between = of_slices[one[-2]]
            what, size[i], float32[i] = What(between.kind, between.group), between.bytes, between.float32
        what = what if what.group != Group() else What(what.kind, only)
        place[i] = whats.setdefault(what, len(whats))
    return tuple(whats), place[which], size[which], float32[which]


def _only_group(timeline: Timeline) -> Group:
    """The process group of a program that has one, where its capture holds it; else none."""
    capture = timeline.capture
    for plane in np.flatnonzero(capture.planes.kind == PlaneKind.CPU).tolist():
        values = dict(capture.values(int(capture.planes.stats_begin[plane]), int(capture.planes.stats_end[plane])))
        name, ranks, size = (values.get(f"process_group{end}") for end in ("", "_ranks", "_size"))
        if isinstance(name, str) and isinstance(size, int):
            return Group(name, ranks if isinstance(ranks, str) else "", size)
    return Group()


def _what(timeline: Timeline, one: list[int]) -> tuple[What, int, bool]:
    """Of one distinct row of what is recorded: what it is, its bytes, and whether these are 32-bit floats."""
    strings = timeline.capture.strings
    name, called, dtype, group, describes, ranks, annotated, dims, types = (
        strings[one[i]] if one[i] >= 0 else "" for i in (0, 1, 2, 3, 4, 5, 9, 10, 11)
    )
    size, taken, given = one[6:9]
    kind = next((found for text in (called, annotated, name) if (found := kind_of(text)) != "other"), "other")
    carried, float32 = max(taken, given) * element_bytes(dtype), is_float32(dtype)
    if carried <= 0:
        carried = input_bytes(dims, types) if dims else instruction_bytes(name)
        float32 = is_float32(first_type(types if dims else name))
    if group or ranks or size > 0:
        label = f"{group} {describes}".strip() if describes and describes != group else group
        return What(kind, Group(label, ranks, max(size, 0))), carried, float32
    return What(kind, instruction_group(name)), carried, float32


class _Noted:
    """What is recorded of some calls: on themselves, else on the operator or annotation around what launched them."""

    def __init__(self, timeline: Timeline, rows: I64) -> None:
        self.timeline, self.rows = timeline, rows
        launch = launches_of(timeline).rows[rows].astype(np.int64)
        self.at = np.where(launch >= 0, launch, rows)
        has = timeline.stat(_NAME)[1] == StatKind.TEXT if timeline.has_stat(_NAME) else None
        self.around = self._around(has)

    def _around(self, wanted: NDArray[np.bool_] | None) -> I64:
        """Row of the innermost such event around each launch, -1 for none."""
        if wanted is None or not wanted.any():
            return np.full(len(self.rows), -1, np.int64)
        return np.where(wanted[self.at], self.at, enclosing_of(self.timeline, wanted, self.at)).astype(np.int64)

    def text(self, key: str) -> I64:
        """String id, -1 where there is none."""
        return self._of(key, (StatKind.TEXT,))

    def integer(self, key: str) -> I64:
        return self._of(key, _INTEGER)

    def _of(self, key: str, kinds: tuple[StatKind, ...]) -> I64:
        found = np.full(len(self.rows), -1, np.int64)
        if not self.timeline.has_stat(key):
            return found
        for rows in (self.around, self.rows):
            here = np.flatnonzero(rows >= 0)
            value, kind = self.timeline.stat_of(key, rows[here])
            present = among(kind, kinds)
            found[here[present]] = value[present]
        return found

    def annotation(self) -> tuple[I64, I64, I64]:
        """String ids of the library's annotation around each launch, and of its inputs' shapes and types."""
        capture = self.timeline.capture
        flags = np.zeros(len(capture.strings), bool)
        flags[[i for i in capture.names_used.tolist() if capture.strings[i].startswith(_ANNOTATIONS)]] = True
        around = self._around(flags[capture.events.name])
        here = np.flatnonzero(around >= 0)
        found = [np.full(len(around), -1, np.int64) for _ in range(3)]
        found[0][here] = capture.events.name[around[here]]
        for column, key in zip(found[1:], ("Input Dims", "Input type"), strict=True):
            value, kind = self.timeline.stat_of(key, around[here])
            present = kind == StatKind.TEXT
            column[here[present]] = value[present]
        return found[0], found[1], found[2]
