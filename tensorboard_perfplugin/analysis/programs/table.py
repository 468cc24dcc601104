"""A timeline → one row a program and instruction: executions, times, FLOPs and bytes, and what each instruction is."""

from __future__ import annotations

import json
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from ...errors import ArgumentError
from ...tables import F64, I32, I64, PlaneKind, StatKind, among, at_once
from ...timeline.causes import graph_nodes
from ...timeline.devices import device_spans_of, workers_of
from ...timeline.names.ops import Op
from ...timeline.ops.costs import CMEM_SPACE, HBM_SPACE, VMEM_SPACE, by_memory
from ...timeline.ops.executions import (
    continues_of,
    device_instructions,
    host_instructions,
    instructions_as_ops,
    kernel_begins_of,
)
from ...timeline.ops.ops import Ops, device_waits_of, host_self_ps_of, kind_facts, ops_of
from ...timeline.programs.costs import Moved, is_depthwise
from ...timeline.programs.layout import Array, Tiles
from ...timeline.programs.reader import Instruction, Program, in_buffer, programs_of
from ...timeline.programs.writer import Writer
from ...timeline.timeline import Timeline, derived, derived_by_choice
from ...wire import Budget
from ..ops.rows import Key, OpRow, aggregated_rows, sum_of
from ..ops.use import Padded, Product, device_use, host_use, padded_as

# A timeline → the sums of each instruction on each side, as rows of ops.

Bools = NDArray[np.bool_]


def instruction_rows(timeline: Timeline) -> dict[Key, OpRow]:
    """Of devices and of hosts; what is no instruction is among them, by its op without a module."""
    ops = instructions_as_ops(timeline)
    rows = dict(_device(timeline, ops))
    for key, row in aggregated_rows(timeline, ops).items():
        rows[key] = sum_of(rows[key], row) if key in rows else row
    used = device_use(timeline, ops)
    for i, use in used.items():
        key = ("device", ops.ops[i])
        if key in rows:
            rows[key] = rows[key]._replace(use=use)
    return rows | dict(_host(timeline, ops))


def _device(timeline: Timeline, ops: Ops) -> Iterator[tuple[Key, OpRow]]:
    rows, op = ops.device
    if not len(rows):
        return
    capture, spans = timeline.capture, device_spans_of(timeline)
    waits, known = device_waits_of(timeline)
    on_tpu = (capture.planes.kind == PlaneKind.TPU)[capture.tracks.plane][capture.events.track[at_once(rows)]]
    begins = on_tpu | kernel_begins_of(timeline)[at_once(rows)]
    yield from _rows(ops, "device", op, spans.duration_ps, spans.self_ps, begins, waits, known)


def _host(timeline: Timeline, ops: Ops) -> Iterator[tuple[Key, OpRow]]:
    rows, op = ops.host
    if not len(rows):
        return
    used = host_use(timeline, ops)
    total, own = timeline.capture.events.duration_ps[at_once(rows)], host_self_ps_of(timeline).astype(np.float64)
    every = np.ones(len(rows), bool)
    begins = ~continues_of(timeline)[at_once(rows)]
    of = {op: i for i, op in enumerate(ops.ops)}
    for (side, one), row in _rows(ops, "host", op, total, own, begins, ~every, every):
        yield (side, one), row._replace(kernels=0, use=used.get(of[one]))


def _rows(
    ops: Ops, side: str, op: I32, total: I64, own: F64, begins: Bools, waits: Bools, known: Bools
) -> Iterator[tuple[Key, OpRow]]:
    n = len(ops.ops)
    events = np.bincount(op, minlength=n)
    columns = (
        np.bincount(op[begins], minlength=n),
        events,
        np.bincount(op, weights=total, minlength=n),
        np.bincount(op, weights=own, minlength=n),
        np.bincount(op[waits], weights=own[waits], minlength=n),
        np.bincount(op[known], weights=own[known], minlength=n),
    )
    present = np.flatnonzero(events)
    for i, (times, kernels, total_ps, self_ps, wait_ps, known_ps) in zip(
        present.tolist(), zip(*(column[present].tolist() for column in columns), strict=True), strict=True
    ):
        yield (side, ops.ops[i]), OpRow(times, kernels, total_ps, self_ps, 0.0, 0.0, wait_ps, known_ps)


# An instruction of an XLA program → how much of the bytes that it reads and writes is padding of tiles.

#: Operands that are looked at, and arrays that are named.
_MAX_OPERANDS, _MOST_NAMED = 256, 3


class ArrayPadding(NamedTuple):
    """Of one execution. bytes: padding that it reads and writes; share: ÷ all bytes that it reads and writes. sizes:
    what tiles round up, as `f32 1000×3 → 1000×128`, the array with most padding first.
    """

    bytes: float
    share: float
    sizes: str


NO_PADDING = ArrayPadding(0.0, 0.0, "")


class Padding(NamedTuple):
    """Of all executions of an instruction; None where it is not known, or nothing can be padded.

    bytes: padding of tiles that it reads and writes, share: ÷ all bytes that it reads and writes; flops: of a TPU's
    matrix unit with padding, flop_share: ÷ all that the unit does for it. sizes: what is rounded up.
    """

    bytes: float | None = None
    share: float | None = None
    flops: float | None = None
    flop_share: float | None = None
    sizes: str = ""

    def plus(self, other: Padding) -> Padding:
        """Of several instructions, which have no shares and sizes together."""
        return Padding(_sum(self.bytes, other.bytes), None, _sum(self.flops, other.flops))


def _sum(one: float | None, other: float | None) -> float | None:
    return other if one is None else one if other is None else one + other


def padding_of(arrays: ArrayPadding | None, product: Product | None, executions: int) -> Padding:
    sizes = [_product(product)] if product else []
    if arrays and arrays.sizes:
        sizes.append(arrays.sizes)
    return Padding(
        bytes=arrays.bytes * executions if arrays else None,
        share=arrays.share if arrays else None,
        flops=product.padding_flops * executions if product else None,
        flop_share=product.padding_share if product else None,
        sizes=", ".join(sizes),
    )


def _product(one: Product) -> str:
    """Rows, what is summed over, columns."""
    return "product " + " → ".join("×".join(map(str, of)) for of in ((one.rows, one.summed, one.columns), one.padded))


class PaddedArrays:
    """Of one program."""

    def __init__(self, program: Program) -> None:
        self._tiles = Tiles(program)
        self._elements, self._allocated = Moved(program), Moved(program, tiles=self._tiles)

    def padding(self, one: Instruction, around: Mapping[int, Instruction]) -> ArrayPadding | None:
        """None where its arrays are in no tiles, or of a size that is not known."""
        given = [around[i] for i in dict.fromkeys(one.operands[:_MAX_OPERANDS]) if i in around]
        arrays = [array for each in (one, *given) for array in self._tiles.arrays(each)]
        if not any(array.in_tiles for array in arrays):
            return None
        if not any(array.padding for array in arrays):
            return NO_PADDING
        elements, allocated = self._elements.bytes_of(one, around), self._allocated.bytes_of(one, around)
        if not math.isfinite(elements) or not math.isfinite(allocated):
            return None
        padding = max(allocated - elements, 0.0)
        return ArrayPadding(padding, padding / allocated if allocated else 0.0, _sizes(arrays) if padding else "")


def _sizes(arrays: list[Array]) -> str:
    most = sorted(arrays, key=lambda array: -array.padding if math.isfinite(array.padding) else 0.0)
    named = dict.fromkeys(f"{array.element} {array.sizes}" for array in most if array.sizes)
    return ", ".join(list(named)[:_MOST_NAMED])


# An instruction that ran → what its program, or the kind of a TPU's event, says of it.

#: A backend's configuration is some kilobytes.
_MAX_CONFIG = 1 << 16
#: What of it is chosen by trying: name in the configuration, and how it is shown.
_CHOSEN = {
    "selected_algorithm": "algorithm",
    "algo_id": "algorithm",
    "block_m": "block_m",
    "block_n": "block_n",
    "block_k": "block_k",
    "split_k": "split_k",
    "num_warps": "warps",
    "num_stages": "stages",
    "num_ctas": "ctas",
}
_TILES = "output_tiles"
#: Messages in a configuration that are gone through, and values of a list of tiles.
_MAX_MESSAGES, _MAX_TILES = 64, 16
#: Text of a TPU's instruction; names of operands and of users.
_LONGEST, _MAX_USERS = 20_000, 50
#: Of a text that was chosen; digits of a line of a source.
_MAX_CHOICE, _MAX_DIGITS = 40, 9


class InstructionFacts(msgspec.Struct, frozen=True):
    """Empty where nothing says.

    expression: its whole text, as XLA writes it. name, type: of the framework's op. file, line: of the user's program.
    twin_of: the instruction that does the same, by XLA's own account. rematerialized: computed again instead of
    kept. outside: moves data to or from the host in the middle of a program. autotuned: the configuration that XLA
    chose by trying. operands, users: names. defined: whether a program that the capture holds has it. depthwise: a
    convolution of each channel by itself, or a fusion of one.
    """

    expression: str = ""
    name: str = ""
    type: str = ""
    file: str = ""
    line: int = 0
    twin_of: str = ""
    rematerialized: bool = False
    outside: bool = False
    autotuned: str = ""
    operands: tuple[str, ...] = ()
    users: tuple[str, ...] = ()
    padding: ArrayPadding | None = None
    defined: bool = False
    depthwise: bool = False

    @property
    def source(self) -> str:
        return f"{self.file}:{self.line}" if self.file and self.line else self.file


def instruction_facts(timeline: Timeline, wanted: Iterable[Op]) -> dict[Op, InstructionFacts]:
    """Of ops of `instructions_as_ops`; of those that are no instructions nothing."""
    kinds, made = _kinds(timeline), _Made()
    return {op: _facts(timeline, op, kinds.get(op, -1), made) for op in wanted if op.module}


class _Made:
    """What is made once: the users of each instruction of a computation, and the writer of a program."""

    def __init__(self) -> None:
        self._by_computation: dict[int, dict[str, list[str]]] = {}
        self._writers: dict[int, Writer] = {}
        self._padded: dict[int, PaddedArrays] = {}

    def padding(self, program: Program, one: Instruction, around: Mapping[int, Instruction]) -> ArrayPadding | None:
        if id(program) not in self._padded:
            self._padded[id(program)] = PaddedArrays(program)
        return self._padded[id(program)].padding(one, around)

    def expression(self, program: Program, name: str) -> str:
        if id(program) not in self._writers:
            self._writers[id(program)] = Writer(program)
        return self._writers[id(program)].expression(name, details=False)[:_LONGEST]

    def users(self, around: Mapping[int, Instruction], name: str) -> tuple[str, ...]:
        """around: of a program, which keeps it."""
        if id(around) not in self._by_computation:
            users: dict[str, list[str]] = {}
            for one in around.values():
                for i in dict.fromkeys(one.operands):
                    if i in around:
                        users.setdefault(around[i].name, []).append(one.name)
            self._by_computation[id(around)] = users
        return tuple(self._by_computation[id(around)].get(name, ())[:_MAX_USERS])


def _kinds(timeline: Timeline) -> dict[Op, int]:
    """A kind of event of each op that ran on a TPU."""
    capture, called = timeline.capture, instructions_as_ops(timeline)
    ops = ops_of(timeline)
    pairs = (
        (called.device.op, capture.events.kind[ops.device.rows]),
        (called.device_aggregates.op, capture.aggregates.kind[ops.device_aggregates.rows]),
    )
    kind_of: dict[Op, int] = {}
    for op, kind in pairs:
        which, first = np.unique(op, return_index=True)
        kind_of |= {called.ops[i]: int(kind[at]) for i, at in zip(which.tolist(), first.tolist(), strict=True)}
    return kind_of


def _facts(timeline: Timeline, op: Op, kind: int, made: _Made) -> InstructionFacts:
    program = programs_of(timeline).read(op.module)
    one = program.find(op.name) if program else None
    facts = _of_program(program, one, made) if program and one else InstructionFacts()
    if kind >= 0:
        facts = _of_kind(timeline, kind, facts)
    text = facts.expression.partition("=")[0] or op.name
    return structs.replace(
        facts,
        rematerialized=".remat" in text or "rematted_computation" in facts.name,
        outside=facts.type in ("XlaSendToHost", "XlaRecvFromHost")
        or (op.type == "send-done" and "is_host_transfer=true" in facts.expression),
    )


def _of_kind(timeline: Timeline, kind: int, before: InstructionFacts) -> InstructionFacts:
    """What a TPU's capture says wins."""
    capture = timeline.capture
    _, given = kind_facts(capture, kind)

    def text(key: str) -> str:
        value = given.get(key)
        return value if isinstance(value, str) else ""

    name, _, op_type = text("tf_op").rpartition(":")
    file, _, line = text("source").rpartition(":")
    whole = capture.strings[int(capture.kinds.name[kind])][:_LONGEST]
    return structs.replace(
        before,
        expression=whole if " = " in whole else before.expression,
        name=name or before.name,
        type=op_type or before.type,
        file=file or before.file,
        line=int(line) if line.isdecimal() and len(line) <= _MAX_DIGITS else before.line,
        twin_of=text("deduplicated_name") or before.twin_of,
    )


def _of_program(program: Program, one: Instruction, made: _Made) -> InstructionFacts:
    named = program.named(one.name)
    own = program.metadata(one)
    around = program.around(one.name)
    return InstructionFacts(
        expression=made.expression(program, one.name),
        name=named.op_name if named else "",
        type=named.op_type if named else "",
        file=named.file if named and named.file else own.file,
        line=named.line if named and named.file else own.line,
        twin_of=own.twin_of,
        autotuned=", ".join(_autotuned(program, one)),
        operands=tuple(around[i].name for i in one.operands[:_MAX_USERS] if i in around),
        users=made.users(around, one.name),
        padding=made.padding(program, one, around),
        defined=True,
        depthwise=_is_depthwise(program, one, around),
    )


def _is_depthwise(program: Program, one: Instruction, around: Mapping[int, Instruction]) -> bool:
    inner = program.computations.get(one.called[0]) if one.opcode == "fusion" and one.called else None
    if inner is None:
        return is_depthwise(program, one, around)
    return any(is_depthwise(program, product, inner.instructions) for product in inner.products)


def _autotuned(program: Program, one: Instruction) -> Iterator[str]:
    """`warps 4`, `tiles 1×128`."""
    begin, end = one.config
    if not 0 < end - begin <= _MAX_CONFIG:
        return
    try:
        config = json.loads(program.data[begin:end])
    except (ValueError, RecursionError):
        return
    for key, value in _flat(config):
        if key == _TILES and isinstance(value, list):
            sizes = [tile.get("sizes") for tile in value[:_MAX_TILES] if isinstance(tile, dict)]
            yield from (f"tiles {'×'.join(map(str, size[:_MAX_TILES]))}" for size in sizes if isinstance(size, list))
        elif key in _CHOSEN and isinstance(value, int | str):
            yield f"{_CHOSEN[key]} {str(value)[:_MAX_CHOICE]}"


def _flat(config: Any) -> Iterator[tuple[str, Any]]:
    """Keys and values of messages in messages, the first ones."""
    waiting = [config]
    for _ in range(_MAX_MESSAGES):
        if not waiting:
            return
        message = waiting.pop(0)
        if isinstance(message, dict):
            yield from message.items()
            waiting += [value for value in message.values() if isinstance(value, dict)]


# A timeline → how long each instruction of its programs ran; and of one program, as what category.


class Ran(NamedTuple):
    """Of an instruction on all devices and the host: its self time and executions, and its category, empty where only
    its program says that.
    """

    self_ps: float
    executions: int
    category: str


class InstructionSums(NamedTuple):
    """By op: self time on all devices and the host, and executions on each side. Its type is its category, or empty
    where only the program says that, which is not read for it.
    """

    ops: tuple[Op, ...]
    self_ps: F64
    on_devices: I64
    on_host: I64

    def that_ran(self) -> Iterator[tuple[Op, float, int]]:
        """Instructions, with self time and executions; all else that ran is left out."""
        count = self.on_devices + self.on_host
        for i in np.flatnonzero(count).tolist():
            if self.ops[i].module:
                yield self.ops[i], float(self.self_ps[i]), int(count[i])


@derived
def instruction_sums(timeline: Timeline) -> InstructionSums:
    """Where instructions ran on devices only, no op is named for it: that takes longer than all else."""
    if host_instructions(timeline):
        called = instructions_as_ops(timeline)
        own = host_self_ps_of(timeline).astype(np.float64)
        return _summed(timeline, called.ops, called.device.op, called.host.op, own)
    ops, op = device_instructions(timeline)
    # What is no instruction counts to the last, which is none.
    op = np.where(op < 0, np.int32(len(ops)), op) if len(op) and op.min() < 0 else op
    return _summed(timeline, (*ops, Op("", "")), op, np.empty(0, np.int32), np.empty(0))


def _summed(
    timeline: Timeline, ops: tuple[Op, ...], op: I32, host: I32, host_ps: NDArray[np.float64]
) -> InstructionSums:
    n = len(ops)
    on_devices: F64 = np.bincount(op, weights=device_spans_of(timeline).self_ps, minlength=n).astype(np.float64)
    on_host: F64 = np.bincount(host, weights=host_ps, minlength=n).astype(np.float64)
    return InstructionSums(ops, on_devices + on_host, np.bincount(op, minlength=n), np.bincount(host, minlength=n))


def runs_on_devices(timeline: Timeline, program: str) -> bool:
    """Unless all of its instructions that ran did so on the host."""
    sums = instruction_sums(timeline)
    mine = np.array([op.module == program for op in sums.ops], bool)
    return bool(sums.on_devices[mine].any() or not sums.on_host[mine].any())


@derived_by_choice
def instructions_ran(timeline: Timeline, program: str) -> dict[str, Ran]:
    """By name, those of the program of this key that ran in the capture."""
    ran: dict[str, Ran] = {}
    for op, self_ps, count in instruction_sums(timeline).that_ran():
        if op.module == program:
            before = ran.get(op.name) or Ran(0.0, 0, op.type)
            ran[op.name] = Ran(before.self_ps + self_ps, before.executions + count, before.category)
    return ran


# A timeline → its XLA programs with their times; a name that a person typed → the program that it means.


class ProgramTime(NamedTuple):
    """One program of a host. key: `jit_f(7)`, module and id; self_ps: of its instructions, on devices and on the host.

    instructions: how many distinct ones ran. executions: of the one that ran most often. size_bytes: of its message in
    the capture, 0 where the capture only names it. digest: of its message, 0 where that is unknown or it did not run.
    differs: whether hosts have different programs of that key, since ids count by process.
    """

    key: str
    instructions: int
    executions: int
    self_ps: float
    size_bytes: int
    digest: int = 0
    differs: bool = False


def program_times(timeline: Timeline) -> tuple[ProgramTime, ...]:
    """Of all programs that the capture holds or names; most time first, then the largest."""
    sizes = {key: len(message) for key, message in programs_of(timeline).blobs.items()}
    sums = {key: ProgramTime(key, 0, 0, 0.0, size) for key, size in sizes.items()}
    for op, self_ps, count in instruction_sums(timeline).that_ran():
        one = sums.get(op.module) or ProgramTime(op.module, 0, 0, 0.0, 0)
        often, whole = max(one.executions, count), one.self_ps + self_ps
        sums[op.module] = ProgramTime(op.module, one.instructions + 1, often, whole, one.size_bytes)
    programs = _ordered(sums.values())
    ran = [one for one in programs if one.self_ps and one.size_bytes][:_MOST_DIGESTS]
    digests = {one.key: _digest(programs_of(timeline).blobs[one.key]) for one in ran}
    return tuple(one._replace(digest=digests.get(one.key, 0)) for one in programs)


def _digest(message: bytes) -> int:
    return Program(message, Budget(_DIGEST_FIELDS)).digest


def merged_programs(hosts: Sequence[Sequence[ProgramTime]]) -> tuple[ProgramTime, ...]:
    """The programs of several hosts, their times summed."""
    sums: dict[str, ProgramTime] = {}
    for one in (one for host in hosts for one in host):
        if before := sums.get(one.key):
            one = ProgramTime(
                one.key,
                max(before.instructions, one.instructions),
                before.executions + one.executions,
                before.self_ps + one.self_ps,
                max(before.size_bytes, one.size_bytes),
                before.digest or one.digest,
                before.differs or one.differs or 0 != before.digest != one.digest != 0,
            )
        sums[one.key] = one
    return _ordered(sums.values())


def hosts_that_show(hosts: Sequence[Sequence[ProgramTime]]) -> dict[str, int]:
    """By key the place of the host whose program is shown: ids count by process, so that others' may be another.

    That on which it took most time, of equals the first.
    """
    most: dict[str, tuple[float, int, int]] = {}
    for i, host in enumerate(hosts):
        for one in host:
            most[one.key] = max(most.get(one.key, (-1.0, 0, 0)), (one.self_ps, one.size_bytes, -i))
    return {key: -place for key, (_, _, place) in most.items()}


def _ordered(programs: Iterable[ProgramTime]) -> tuple[ProgramTime, ...]:
    return tuple(sorted(programs, key=lambda one: (-one.self_ps, -one.size_bytes, one.key)))


def chosen_program(programs: Sequence[ProgramTime], asked: str) -> str:
    """The key that a person means by a key, an id, or a module's name: of several programs of that name the first, on
    which most time went; empty: the first of all. Raises ArgumentError with what there is.
    """
    keys = [one.key for one in programs]
    if not asked and keys:
        return keys[0]
    if asked in keys:
        return asked
    meant = [key for key in keys if asked == _number(key)] or [key for key in keys if asked == module_of(key)]
    if not meant:
        raise ArgumentError.with_choices(f"program={asked[:80]!r}", keys)
    return meant[0]


def module_of(key: str) -> str:
    """`jit_f(7)` → `jit_f`."""
    return key.rpartition("(")[0] or key


def _number(key: str) -> str:
    return key.rpartition("(")[2].rstrip(")") if key.endswith(")") else ""


#: Programs of which it is known whether they are another host's, those with most time; fields that are read of each.
_MOST_DIGESTS, _DIGEST_FIELDS = 20, 200_000
_STALL, _BREAKDOWN, _BYTES = "dma_stall_duration_ps", "memory_access_breakdown", "bytes_accessed"
_INTEGERS = (StatKind.INT, StatKind.UINT)
_SPACES = (HBM_SPACE, CMEM_SPACE, VMEM_SPACE)
T = TypeVar("T")


class MemoryBytes(NamedTuple):
    """Bytes of all executions to and from each memory of a TPU. other: those that the capture counts in none of these:
    the host's memory, or one that it does not name.
    """

    hbm: int
    cmem: int
    vmem: int
    other: int

    def plus(self, more: MemoryBytes) -> MemoryBytes:
        return MemoryBytes(*(a + b for a, b in zip(self, more, strict=True)))


class InstructionTable(msgspec.Struct, frozen=True):
    """One host's instructions, or all hosts' summed.

    rows: by side and instruction, an `Op` of its name, category and program. facts: of the instructions with most
    self time. memories, stall_ps: of all executions, where a TPU says how many bytes went to and from each memory, and
    how long DMA held them up. padded: products of which part is with padding. other_ps: self time on
    devices of what is no instruction, buffer_ps: of what ran in graphs of XLA's (command buffers), by no instruction of
    their own. devices: how many ran something; idle_ps: time in which one
    ran nothing, summed.
    """

    rows: dict[Key, OpRow]
    facts: dict[Op, InstructionFacts]
    memories: dict[Op, MemoryBytes]
    stall_ps: dict[Op, int]
    padded: dict[Op, Padded]
    programs: tuple[ProgramTime, ...]
    other_ps: float
    devices: int
    idle_ps: int
    buffer_ps: float = 0.0


def instruction_table(timeline: Timeline, most: int | None) -> InstructionTable:
    """most: so many instructions have facts, those with most self time; None: all."""
    every, active = instruction_rows(timeline), workers_of(timeline)
    rows = {key: row for key, row in every.items() if key[1].module}
    others = [row for (side, op), row in every.items() if side == "device" and not op.module]
    largest = sorted(rows, key=lambda key: -rows[key].self_ps)[:most]
    return InstructionTable(
        rows=rows,
        facts=instruction_facts(timeline, dict.fromkeys(op for _, op in largest)),
        memories=_memories(timeline),
        stall_ps=_stalls(timeline),
        padded=padded_as(timeline, instructions_as_ops(timeline)),
        programs=program_times(timeline),
        other_ps=sum(row.self_ps for row in others),
        devices=len(active),
        idle_ps=sum(device.idle_ps for device in active),
        buffer_ps=_in_buffers(timeline),
    )


def _in_buffers(timeline: Timeline) -> float:
    """Self time of what XLA's graphs ran on devices, of which the capture names no instruction but the buffer."""
    ops = instructions_as_ops(timeline)
    rows, op = ops.device
    if not len(rows) or not any(one.size_bytes for one in program_times(timeline)):
        return 0.0
    within = np.flatnonzero(graph_nodes(timeline, rows))
    if not len(within):
        return 0.0
    programs = programs_of(timeline)
    read = {key: program for key in programs.blobs if (program := programs.read(key))}
    calls = {(key, call) for key, program in read.items() for call in program.buffers.values()}
    unnamed = [not one.module or in_buffer(one.name) or (one.module, one.name) in calls for one in ops.ops]
    return float(device_spans_of(timeline).self_ps[within[np.array(unnamed, bool)[op[within]]]].sum())


def merged_instructions(tables: Sequence[InstructionTable]) -> InstructionTable:
    """The instructions of all hosts, summed."""
    first = tables[0]
    if len(tables) == 1:
        return first
    rows: dict[Key, OpRow] = {}
    for one in tables:
        for key, row in one.rows.items():
            rows[key] = sum_of(rows[key], row) if key in rows else row
    facts: dict[Op, InstructionFacts] = {}
    shown = hosts_that_show([one.programs for one in tables])
    for i, one in enumerate(tables):
        for op, each in one.facts.items():
            if op not in facts or each.defined > facts[op].defined or (each.defined and shown.get(op.module) == i):
                facts[op] = each
    return InstructionTable(
        rows=rows,
        facts=facts,
        memories=_merged([one.memories for one in tables], MemoryBytes.plus),
        stall_ps=_merged([one.stall_ps for one in tables], operator.add),
        padded=_merged([one.padded for one in tables], Padded.plus),
        programs=merged_programs([one.programs for one in tables]),
        other_ps=sum(one.other_ps for one in tables),
        devices=sum(one.devices for one in tables),
        idle_ps=sum(one.idle_ps for one in tables),
        buffer_ps=sum(one.buffer_ps for one in tables),
    )


def _merged(parts: Sequence[Mapping[Op, T]], sum_of_two: Callable[[T, T], T]) -> dict[Op, T]:
    """What the hosts have of each op, summed."""
    sums: dict[Op, T] = {}
    for part in parts:
        for op, value in part.items():
            sums[op] = sum_of_two(sums[op], value) if op in sums else value
    return sums


def _memories(timeline: Timeline) -> dict[Op, MemoryBytes]:
    """Bytes by memory, of ops whose times are known and that have a breakdown."""
    ops = instructions_as_ops(timeline)
    rows, op = ops.device
    value, kind = timeline.stat_of(_BREAKDOWN, rows)
    known = np.flatnonzero(kind == StatKind.BYTES)
    if not len(known):
        return {}
    blobs, place = np.unique(value[known], return_inverse=True)
    split = [by_memory(timeline.capture.blobs[i]) for i in blobs.tolist()]
    named = [np.array([each.get(space, 0) for each in split], np.float64) for space in _SPACES]
    all_bytes, kind = timeline.stat_of(_BYTES, rows[known])
    counted = np.where(among(kind, _INTEGERS) & (all_bytes >= 0), all_bytes, 0)
    in_all = np.array([sum(each.values()) for each in split], np.float64)
    place = place.reshape(-1)
    moved = [column[place] for column in named]
    moved.append(np.maximum(counted, in_all[place]) - sum(moved))
    sums = [_by_op(ops.ops, op[known], column) for column in moved]
    return {one: MemoryBytes(*(column[one] for column in sums)) for one in sums[0]}


def _stalls(timeline: Timeline) -> dict[Op, int]:
    """In ps, of what ran at a time that is known."""
    ops = instructions_as_ops(timeline)
    rows, op = ops.device
    value, kind = timeline.stat_of(_STALL, rows)
    known = np.flatnonzero(among(kind, _INTEGERS) & (value >= 0))
    return _by_op(ops.ops, op[known], value[known]) if len(known) else {}


def _by_op(ops: Sequence[Op], which: NDArray[np.integer], values: I64 | NDArray[np.float64]) -> dict[Op, int]:
    sums = np.bincount(which, weights=values, minlength=len(ops))
    return {ops[i]: int(sums[i]) for i in np.unique(which).tolist()}
