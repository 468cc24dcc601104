"""Kernels of XLA instructions → which of them begin an execution of their instruction: one may be several kernels."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import I32, I64, Capture, PlaneKind, StatKind, among, at_once
from ..causes import flows_of, launches_of
from ..names.ops import Op
from ..nesting import enclosing_of
from ..programs.costs import category
from ..programs.reader import Named, instructions_of, programs_of
from ..timeline import Timeline, derived, is_integer
from ..tracks import device_names, device_planes, device_rows, device_rows_named, host_tracks, rows_of, sparse_cores
from .ops import Ops, kind_facts, on_core, ops_of

#: What XLA names the host event around all launches of one run of a program on one device.
_RUN = ":XLA GPU module"


@derived
def kernel_begins_of(timeline: Timeline) -> NDArray[np.bool_]:
    """By event: whether it is a GPU's kernel that begins an execution of the XLA instruction that it names."""
    capture, rows = timeline.capture, ops_of(timeline).device.rows
    begins, which = np.zeros(len(capture.events), bool), instructions_of(timeline).named_index(rows)
    on_gpu = (capture.planes.kind == PlaneKind.GPU)[capture.tracks.plane][capture.events.track[at_once(rows)]]
    wanted = (which >= 0) & on_gpu
    if not wanted.all():
        rows, which = rows[wanted], which[wanted]
    if len(rows):
        begins[at_once(rows)] = execution_begins(timeline, rows, which)
    return begins


def execution_begins(timeline: Timeline, rows: I64, which: I32) -> NDArray[np.bool_]:
    """Of kernels, ascending, with the indices of their instructions.

    Kernels of one instruction that follow each other on a stream are one execution, until the first one's name comes
    again. Where the runs of the program are known, an instruction outside of loops has one execution in each.
    """
    events = timeline.capture.events
    run, track = launching_runs(timeline, rows), events.track[at_once(rows)]
    begins = np.ones(len(rows), bool)
    begins[1:] = (which[1:] != which[:-1]) | (track[1:] != track[:-1]) | (run[1:] != run[:-1])
    first, others = np.flatnonzero(begins), np.flatnonzero(~begins)
    first = first[np.searchsorted(first, others) - 1]
    begins[others] = events.name[rows[others]] == events.name[rows[first]]
    if (run >= 0).any():
        once = np.flatnonzero((run >= 0) & runs_once(timeline, which))
        _, kept = np.unique(np.stack((which[once], run[once])), axis=1, return_index=True)
        begins[once] = False
        begins[once[kept]] = True
    return begins


@derived
def continues_of(timeline: Timeline) -> NDArray[np.bool_]:
    """By event: whether a thread of a host goes on with an execution that another event has begun.

    XLA runs an instruction of a CPU as several thunks of its name: a sort as a copy of its operand, and the sort.
    Where runs are numbered, an instruction outside of loops has one execution in each.
    """
    rows, continues = ops_of(timeline).host.rows, np.zeros(len(timeline.capture.events), bool)
    if not timeline.has_stat("run_id"):
        return continues
    which = instructions_of(timeline).named_index(rows)
    run, kind = timeline.stat_of("run_id", rows)
    once = np.flatnonzero((which >= 0) & is_integer(kind))
    once = once[runs_once(timeline, which[once])]
    rows, keys = rows[once], (timeline.stat_of("device_ordinal", rows[once])[0], run[once], which[once])
    order = np.lexsort((timeline.capture.events.start_ps[rows], *keys))
    same = np.all([key[order][1:] == key[order][:-1] for key in keys], axis=0)
    continues[rows[order][1:][same]] = True
    return continues


def launching_runs(timeline: Timeline, rows: I64) -> I64:
    """Row of the host event of the run that launched each kernel, -1 unknown."""
    events, names = timeline.capture.events, program_runs(timeline)
    if not names.any():
        return np.broadcast_to(np.int64(-1), len(rows))
    launch = launches_of(timeline).rows[rows]
    around = enclosing_of(timeline, names[events.name], launch)
    return np.where(launch >= 0, around, -1).astype(np.int64)


def program_runs(timeline: Timeline) -> NDArray[np.bool_]:
    """By string id: whether events of that name are runs of a program on one device."""
    return np.array([text.endswith(_RUN) for text in timeline.capture.strings], bool)


def runs_once(timeline: Timeline, which: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Whether a run of the program executes the instruction once."""
    table = np.zeros(len(instructions_of(timeline).named), bool)
    for i in np.unique(which).tolist():
        one = instructions_of(timeline).named[i]
        program = programs_of(timeline).program(one.module, one.program)
        table[i] = program is not None and not program.in_loop(one.instruction)
    single: NDArray[np.bool_] = table[which]
    return single


# Executions of ops → the same executions as instructions of XLA programs, where they are such.


@derived
def instructions_as_ops(timeline: Timeline) -> Ops:
    """`ops_of` with XLA instructions called by their own name, category and program (`jit_f(7)`); all else is as it is.

    So two instructions of one framework op are two, and those of two programs, too.
    """
    ops = ops_of(timeline)
    pool: dict[Op, int] = {}
    by_instruction = _by_instruction(timeline, pool)
    host = _host(timeline, ops, by_instruction, pool)
    device = _device(timeline, ops, by_instruction, pool)
    aggregates = _aggregates(timeline, ops, pool)
    return ops._replace(
        ops=tuple(pool),
        host=ops.host._replace(op=host),
        device=ops.device._replace(op=device),
        device_aggregates=ops.device_aggregates._replace(op=aggregates),
    )


class Unread(NamedTuple):
    """Instructions that ran on devices: by event of `device_spans_of` the index of its op in `ops`, -1 of all else."""

    ops: tuple[Op, ...]
    op: I32


def device_instructions(timeline: Timeline) -> Unread:
    """As `instructions_as_ops`, of devices alone, without a category where only the program says it: none is read."""
    capture, programs, pool = timeline.capture, programs_of(timeline), dict[Op, int]()
    which, named = instructions_of(timeline).named_index, instructions_of(timeline).named
    ops = (Op(_last(one.instruction), "", programs.called(one.module, one.program)) for one in named)
    table = np.array([*(pool.setdefault(op, len(pool)) for op in ops), -1], np.int32)
    parts = [np.empty(0, np.int32)]
    for plane in device_planes(capture):
        rows = device_rows(timeline, plane)
        if capture.planes.kind[plane] == PlaneKind.TPU:
            kinds = capture.events.kind[at_once(rows)]
            parts.append(_by_kind(timeline, np.unique(kinds).tolist(), pool)[kinds])
        else:
            parts.append(table[which(rows)])
    return Unread(tuple(pool), np.concatenate(parts))


def host_instructions(timeline: Timeline) -> bool:
    """Whether an event of a host names an instruction."""
    return bool(
        (instructions_of(timeline).named_index(rows_of(timeline.capture, host_tracks(timeline.capture))) >= 0).any()
    )


def _by_instruction(timeline: Timeline, pool: dict[Op, int]) -> I32:
    """Op by index of `instructions.named`."""
    programs = programs_of(timeline)
    numbers = []
    for one in instructions_of(timeline).named:
        name, program = _last(one.instruction), programs.program(one.module, one.program)
        found = program.find(name) if program else None
        kind = category(program, found) if program and found else _stem(name)
        op = Op(name, kind, programs.called(one.module, one.program))
        numbers.append(pool.setdefault(op, len(pool)))
    return np.array(numbers, np.int32)


def _last(path: str) -> str:
    return path.rpartition("::")[2].lstrip("%")


def _stem(name: str) -> str:
    """`fusion.3` → `fusion`."""
    return name.partition(".")[0]


def _host(timeline: Timeline, ops: Ops, by_instruction: I32, pool: dict[Op, int]) -> I32:
    op = np.append(by_instruction, np.int32(-1))[instructions_of(timeline).named_index(ops.host.rows)]
    return _with_others(ops, ops.host.op, op, pool)


def _device(timeline: Timeline, ops: Ops, by_instruction: I32, pool: dict[Op, int]) -> I32:
    capture, rows = timeline.capture, ops.device.rows
    tpu = np.flatnonzero(
        (capture.planes.kind == PlaneKind.TPU)[capture.tracks.plane][capture.events.track[at_once(rows)]]
    )
    op = np.append(by_instruction, np.int32(-1))[instructions_of(timeline).named_index(rows)]
    kinds = capture.events.kind[rows[tpu]]
    op[tpu] = _by_kind(timeline, np.unique(kinds).tolist(), pool)[kinds]
    return _with_others(ops, ops.device.op, op, pool)


def _aggregates(timeline: Timeline, ops: Ops, pool: dict[Op, int]) -> I32:
    kinds = timeline.capture.aggregates.kind[ops.device_aggregates.rows]
    op = _by_kind(timeline, np.unique(kinds).tolist(), pool)[kinds]
    return _with_others(ops, ops.device_aggregates.op, op, pool)


def _by_kind(timeline: Timeline, kinds: Iterable[int], pool: dict[Op, int]) -> I32:
    """Op by kind of a TPU's events; the last place is of events without a kind."""
    table, programs = np.full(len(timeline.capture.kinds) + 1, -1, np.int32), programs_of(timeline)
    sparse = sparse_cores(timeline.capture)
    for kind in kinds:
        name, facts = kind_facts(timeline.capture, kind)
        number, given = facts.get("program_id"), facts.get("hlo_category")
        if isinstance(number, int):
            kind_of_op = given if isinstance(given, str) and given else _stem(name)
            op = on_core(Op(name, kind_of_op, programs.called("", number)), timeline.capture, kind, sparse)
            table[kind] = pool.setdefault(op, len(pool))
    return table


def _with_others(ops: Ops, before: I32, op: I32, pool: dict[Op, int]) -> I32:
    """What is no instruction keeps its op."""
    others = np.flatnonzero(op < 0)
    table = np.full(len(ops.ops), -1, np.int32)
    for i in np.unique(before[others]).tolist():
        table[i] = pool.setdefault(ops.ops[i]._replace(module=""), len(pool))
    op[others] = table[before[others]]
    return op


# XLA's ops on CPU that end on another thread than they began on → when each of them ended.
#
# XLA runs an instruction on its own thread or, in pieces, on a pool. The event of its name then covers the start
# only; an
# instant `end: name`, on whatever thread was last, gives the end.

_END = "end: "
_WAIT = "ThunkExecutor::Execute (wait for completion)"


class AsyncOps(NamedTuple):
    """rows: events, ascending, of ops that ended after their event did. end_ps: when they ended."""

    rows: I64
    end_ps: I64


@derived
def async_ops_of(timeline: Timeline) -> AsyncOps:
    """XLA's ops on CPU that ended on another thread, after their event.

    Each end belongs to the op whose context it consumes, else to that of its name in whose turn it comes.

    A program that waits for its ops after having begun them has them all ended when it has waited: no end is later,
    and one that the capture lacks was then.
    """
    capture = timeline.capture
    op_by_end = _names(timeline)
    nothing = AsyncOps(np.empty(0, np.int64), np.empty(0, np.int64))
    if not op_by_end:
        return nothing
    op_of = np.full(len(capture.strings), -1, np.int64)
    op_of[list(op_by_end)] = list(op_by_end.values())
    events = capture.events
    ends = np.flatnonzero(op_of[events.name] >= 0)
    begins = np.flatnonzero(among(events.name, np.unique(op_of[events.name[ends]])))
    begins = begins[timeline.stat_of("hlo_op", begins)[1] == StatKind.TEXT]
    if not len(begins):
        return nothing
    end_ps = _caused(timeline, begins, ends, op_of[events.name[ends]])
    if (end_ps < 0).all():
        end_ps = _paired(events.name[begins], events.start_ps[begins], op_of[events.name[ends]], events.start_ps[ends])
    end_ps = _waited_for(capture, begins, end_ps)
    later = end_ps > events.start_ps[begins] + events.duration_ps[begins]
    return AsyncOps(begins[later], end_ps[later])


def _caused(timeline: Timeline, begins: I64, ends: I64, op: I64) -> I64:
    """For each begin when the end came that it caused, -1 where none did."""
    events = timeline.capture.events
    end_ps = np.full(len(events), -1, np.int64)
    producer = flows_of(timeline).producer[ends]
    of_op = (producer >= 0) & (events.name[producer] == op)
    np.maximum.at(end_ps, producer[of_op], events.start_ps[ends[of_op]])
    end_of_begin: I64 = end_ps[begins]
    return end_of_begin


def _waited_for(capture: Capture, begins: I64, end_ps: I64) -> I64:
    """No end later than that of the next wait of the thread that began the op; in its place where it is not known."""
    events = capture.events
    name = capture.strings.find(_WAIT)
    waits = np.flatnonzero(events.name == name) if name >= 0 else np.empty(0, np.int64)
    # Rows are by track, then by begin.
    after = np.append(waits, -1)[np.searchsorted(waits, begins)]
    known = (after >= 0) & (events.track[after] == events.track[begins])
    waited_ps = np.where(known, events.start_ps[after] + events.duration_ps[after], -1)
    earlier: I64 = np.where(known & ((end_ps < 0) | (waited_ps < end_ps)), waited_ps, end_ps)
    return earlier


def _names(timeline: Timeline) -> dict[int, int]:
    """Id of `end: name` → id of `name`."""
    strings = timeline.capture.strings
    ends = [(i, text[len(_END) :]) for i, text in enumerate(strings) if text.startswith(_END)]
    return {i: op for i, name in ends if (op := strings.find(name)) >= 0}


def _paired(name: I32, begin: I64, end_name: I64, end: I64) -> I64:
    """For each begin its end, -1 where none is known."""
    paired = np.full(len(begin), -1, np.int64)
    order, end_order = np.lexsort((begin, name)), np.lexsort((end, end_name))
    low = np.concatenate(([0], np.flatnonzero(np.diff(name[order])) + 1, [len(order)]))
    names = name[order][low[:-1]]
    end_low, end_high = (np.searchsorted(end_name[end_order], names, side=side) for side in ("left", "right"))
    for i in range(len(names)):
        begins, ends = order[low[i] : low[i + 1]], end[end_order[end_low[i] : end_high[i]]]
        paired[begins] = _matched(begin[begins], ends)
    return paired


def _matched(begin: I64, end: I64) -> I64:
    """Both ascending, of one name."""
    if len(begin) == len(end) and (end >= begin).all():
        return end
    last = np.searchsorted(begin, end, side="right") - 1
    matched = np.full(len(begin), -1, np.int64)
    first = np.flatnonzero((last >= 0) & (np.diff(last, prepend=-1) > 0))
    matched[last[first]] = end[first]
    return matched


# A timeline → when its collectives ended: all participants see that at once, which shows how their clocks differ.

#: Sends and broadcasts are left out: they end for the sender before they do for the receiver.
_KIND = r"all[-_]?reduce|all[-_]?gather|reduce[-_]?scatter|all[-_]?to[-_]?all"
#: NCCL's and RCCL's kernels, XLA's instructions, the kernels of inference servers.
_KERNEL = regex(f"{_KIND}|cross_device_reduce", re.IGNORECASE)
_OP_TYPE = regex(
    rf"(?:Collective|Nccl|Xla|Horovod)?(?:{_KIND}|psum|(?<=Collective)(?:Reduce|Gather))\w*", re.IGNORECASE
)
_PERMUTES = regex(r"(?:Xla)?collective[-_]?permute\w*|ppermute", re.IGNORECASE)
#: Whatever exchanges data between devices, its start and its end.
_EXCHANGE = regex(
    rf"(?:Collective|Nccl|Xla|Horovod|ragged-)?(?:{_KIND}|psum|ppermute|collective-|(?<=Collective)[A-Z])[\w-]*"
    r"|(?:send|recv)(?:-done)?|record_param_comms|c10d::\w+",
    re.IGNORECASE,
)
#: Calls of libraries for CPUs, as PyTorch's profiler writes them on a thread of the library, from arrival to end.
#: NCCL's annotations are the calls that launch a kernel, and no time of a collective.
_LIBRARY = regex(r"(?:gloo|mpi|ucc):(?!wait)\w+")
#: XLA's collective in two instructions ends with the second.
_START = regex(r"%?[a-z-]+-start\b")
#: Of a name, which may hold an instruction with its operands, the part before them; and of that at most so much.
_OPERANDS, _HEAD = " = ", 200
#: Ends that are kept of a host, the first ones: enough to determine how two clocks differ.
MAX_ENDS = 1 << 16


@derived
def collective_ends(timeline: Timeline) -> I64:
    """Ends of the collectives of the first device that ran any, else of the host's ops; in ps, ascending."""
    events = timeline.capture.events
    for rows in _sources(timeline):
        if len(rows):
            ends: I64 = np.sort(events.start_ps[rows] + events.duration_ps[rows])[:MAX_ENDS]
            return ends
    return np.empty(0, np.int64)


def exchanges(op_type: str) -> bool:
    """Whether ops of a type exchange data between devices: what they wait for is no arithmetic and no memory."""
    return bool(_EXCHANGE.fullmatch(op_type))


def _sources(timeline: Timeline) -> Iterator[I64]:
    capture = timeline.capture
    for plane in device_planes(capture):
        wanted = [i for i in device_names(timeline, plane) if _is_collective(capture.strings[i])]
        yield device_rows_named(timeline, plane, wanted)
    called = library_calls(timeline)
    strings, names = timeline.capture.strings, timeline.capture.events.name[called]
    at_once = [i for i in np.unique(names).tolist() if _KERNEL.search(strings[i])]
    yield called[among(names, at_once)]
    yield collective_ops(timeline)


def library_calls(timeline: Timeline) -> I64:
    """Events of host threads that are calls of a library of collectives."""
    capture = timeline.capture
    used = capture.names_used.tolist()
    wanted = [i for i in used if _LIBRARY.fullmatch(capture.strings[i][:_HEAD])]
    if not wanted:
        return np.empty(0, np.int64)
    rows = rows_of(capture, host_tracks(capture))
    calls: I64 = rows[among(capture.events.name[rows], wanted)]
    return calls


def collective_ops(timeline: Timeline) -> I64:
    """Events of host threads that take part in a collective that ends for all at once."""
    return _of_type(timeline, _OP_TYPE)


def exchange_ops(timeline: Timeline) -> I64:
    """Those and the events that take part in a permutation, which ends for the sender first."""
    return np.union1d(collective_ops(timeline), _of_type(timeline, _PERMUTES))


def _of_type(timeline: Timeline, op_type: re.Pattern[str]) -> I64:
    """Events of host threads that run an op of such a type, but not those that only prepare an exchange: `all_to_all`
    of JAX is an instruction for the exchange, and others that cut its operand and join what came.
    """
    rows, op = ops_of(timeline).host
    wanted = [bool(op_type.fullmatch(one.type)) and not _START.match(one.type) for one in ops_of(timeline).ops]
    rows = rows[np.array(wanted, bool)[op]]
    named, which = instructions_of(timeline).named, instructions_of(timeline).named_index(rows)
    prepares = [i for i in np.unique(which).tolist() if i >= 0 and _only_prepares(timeline, named[i])]
    op_rows: I64 = rows[~among(which, prepares)]
    return op_rows


def _only_prepares(timeline: Timeline, one: Named) -> bool:
    """Whether the capture holds the program, and there the instruction is no exchange and runs none."""
    program = programs_of(timeline).program(one.module, one.program)
    instruction = program.find(one.instruction) if program else None
    if program is None or instruction is None:
        return False
    inner = program.computations.get(instruction.called[0]) if instruction.called else None
    parts = (instruction, *(inner.instructions.values() if inner else ()))
    return not any(_EXCHANGE.fullmatch(part.opcode) for part in parts)


def _is_collective(name: str) -> bool:
    head = name[:_HEAD].partition(_OPERANDS)[0]
    return bool(_KERNEL.search(head)) and not _START.match(head)
