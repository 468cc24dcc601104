"""A timeline → what TPU cores did by their own account: matrix units, memory, infeed, duty cycle, programs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...patterns import regex
from ...tables import F64, I64, Capture, PlaneKind, StatKind, alike, among, intervals
from ...threshold import Threshold
from ...timeline.devices import clocked, device_spans_of, devices_of
from ...timeline.names.ops import Op
from ...timeline.ops.costs import CMEM_SPACE, VMEM_SPACE, are_much, in_hbm, opaque_calls
from ...timeline.ops.ops import ops_of
from ...timeline.timeline import Timeline, derived
from ...timeline.tracks import device_rows
from .peaks import device

if TYPE_CHECKING:
    from ...timeline.steps.model import Steps

# A few bytes of a protobuf message inside of a stat → its numbers and texts, by field.

#: Messages in stats are short; of a longer one the begin is read.
_MOST = 4096


def fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """(field number, value) in order: varints as integers, length-delimited ones as bytes; ends where it is broken."""
    message = message[:_MOST]
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        wire = key & 7
        value, at = _varint(message, at) if wire in (0, 2) else (0, at)
        if at < 0 or wire not in (0, 1, 2, 5):
            return
        if wire == 0:
            yield key >> 3, value
        elif wire == 2:
            yield key >> 3, message[at : at + value]
            at += value
        else:
            at += 8 if wire == 1 else 4


def _varint(message: bytes, at: int) -> tuple[int, int]:
    """Value and where the next field begins; -1 where the message ends within."""
    value = 0
    for i, byte in enumerate(message[at : at + 10] if at >= 0 else b""):
        value |= (byte & 0x7F) << 7 * i
        if byte < 0x80:
            return value, at + i + 1
    return 0, -1


#: Instructions in which a core does no work of its own: it waits for the host or another core.
OFF_DUTY = ("infeed", "outfeed", "host send", "host recv", "async-done", "megacore fusion")
_MATRIX = regex(r"convolution.*|output fusion|dot.*")
#: What an instruction does, by its name, where no category shows it: `%convolution.12 = …`, `infeed.3`.
_INSTRUCTION = regex(r"%?([a-z]+(?:-[a-z]+)*)")
#: `CoreDetails`: number of the chip among those of the host.
_LOCAL_CHIP = 4
_INTEGER = (StatKind.INT, StatKind.UINT)
FIT = Threshold("even steps", 0.05, "share", "steps that differ by less of their mean in the trace look the same there")
_SPARSE = "SparseCore"


class Core(msgspec.Struct, frozen=True):
    """One core; times in ps, by its own clock where there is one.

    total_ps: begin of its first to end of its last op or program. op_ps: time in which an op ran. infeed_ps,
    outfeed_ps, matrix_ps: parts of it. step_ps, step_idle_ps: of its steps, and the part in which no op ran. flops:
    of ops for the matrix units, hbm_bytes: of all, None where the capture does not show it, as of custom calls; peaks
    are per second.
    """

    name: str
    sparse: bool
    total_ps: int
    op_ps: float
    infeed_ps: float
    outfeed_ps: float
    matrix_ps: float
    step_ps: int
    step_idle_ps: int
    flops: float | None
    hbm_bytes: float | None
    peak_flops: float | None
    peak_bytes: float | None


class Refitted(NamedTuple):
    """Shortest and longest step in ps: as the trace shows them, on the host's clock, and by the core's own clock."""

    shown: tuple[int, int]
    own: tuple[int, int]


class TpuHost(msgspec.Struct, frozen=True):
    """One host's TPU cores. chips: (time on duty, time) of each. programs: name → (how often, ps), over cores.

    mxu_share, hbm_share: as the capture gives them for the host, or None. infeed_shares: the same of the mean core and
    of those that wait least and most for infeed, by the means of the steps. refitted: whole steps, where the trace
    shows them longer and shorter than they were.
    """

    cores: tuple[Core, ...]
    chips: tuple[tuple[float, int], ...]
    programs: dict[str, tuple[int, int]]
    mxu_share: float | None
    hbm_share: float | None
    refitted: Refitted | None = None
    infeed_shares: tuple[float | None, float | None, float | None] = (None, None, None)


class _Ops(NamedTuple):
    """What ran on a core: rows of `events`, by the core's clock; category: place in categories."""

    plane: int
    rows: I64
    begin: I64
    duration: I64
    self_ps: F64
    category: I64
    categories: list[str]

    def rows_in(self, wanted: Callable[[str], bool]) -> NDArray[np.bool_]:
        """Which rows are of the categories that hold."""
        chosen: NDArray[np.bool_] = np.array([bool(wanted(c)) for c in self.categories] or [False])[self.category]
        return chosen


def tpu(timeline: Timeline, steps_from: str) -> TpuHost | None:
    """None where the capture contains nothing about what a TPU did. Raises ArgumentError for `steps_from`."""
    capture = timeline.capture
    if not (capture.planes.kind == PlaneKind.TPU).any():
        return None
    ops = list(_ops(timeline))
    host = [capture.plane_values(i) for i in np.flatnonzero(capture.planes.kind == PlaneKind.CPU).tolist()]
    mxu, hbm = (_percent(host, key) for key in ("matrix_unit_utilization_percent", "hbm_utilization_percent"))
    mean, least, most = (_percent(host, f"infeed_percent_{which}") for which in ("average", "minimum", "maximum"))
    if not ops and mxu is None and hbm is None and mean is None:
        return None
    cores = tuple(_core(timeline, o, steps_from) for o in ops)
    chips = tuple(_chips(timeline, ops, [c.total_ps for c in cores]))
    return TpuHost(cores, chips, _programs(capture), mxu, hbm, _refitted(timeline, steps_from), (mean, least, most))


def _ops(timeline: Timeline) -> Iterator[_Ops]:
    """Of each TPU that ran something, in the order of `ops.device`."""
    at = 0
    for activity in devices_of(timeline):
        mine = slice(at, at + activity.events)
        at += activity.events
        if timeline.capture.planes.kind[activity.plane] != PlaneKind.TPU or not activity.events:
            continue
        rows = ops_of(timeline).device.rows[mine]
        begin, duration, _ = clocked(timeline, activity.plane, rows)
        own = device_spans_of(timeline).self_ps[mine]
        yield _Ops(activity.plane, rows, begin, duration, own, *_categories(timeline, rows))


def _categories(timeline: Timeline, rows: I64) -> tuple[I64, list[str]]:
    """The category of each op, as a place in a list; from its instruction's name where none is given."""
    strings = timeline.capture.strings
    value, kind = timeline.stat_of("hlo_category", rows)
    has_category = kind == StatKind.TEXT
    key = 2 * np.where(has_category, value, timeline.capture.events.name[rows]) + has_category
    distinct, place = np.unique(key, return_inverse=True)
    names = [strings[k >> 1] if k & 1 else _instruction(strings[k >> 1]) for k in distinct.tolist()]
    return place, names


def _instruction(name: str) -> str:
    match = _INSTRUCTION.match(name)
    return match[1] if match else ""


def _core(timeline: Timeline, ops: _Ops, steps_from: str) -> Core:
    attributes = timeline.capture.plane_values(ops.plane)
    limits = device(PlaneKind.TPU, attributes)
    name = timeline.capture.strings[int(timeline.capture.planes.name[ops.plane])]
    matrix = ops.rows_in(lambda c: bool(_MATRIX.fullmatch(c)))
    # An op that holds others repeats their FLOPs and bytes.
    leaf = ops.self_ps >= ops.duration
    hidden = are_much(opaque_calls(timeline, ops.rows), ops.self_ps)
    return Core(
        name,
        _SPARSE in name,
        _total(timeline, ops),
        float(ops.self_ps.sum()),
        float(ops.self_ps[ops.rows_in(lambda c: c.startswith("infeed"))].sum()),
        float(ops.self_ps[ops.rows_in(lambda c: c.startswith("outfeed"))].sum()),
        float(ops.self_ps[matrix].sum()),
        *_in_steps(timeline, ops.plane, steps_from),
        None if hidden else _sum(timeline, "flops", ops.rows, leaf & matrix),
        None if hidden else _hbm_bytes(timeline, ops, leaf),
        None if limits.peak_tflops is None else limits.peak_tflops * 1e12,
        None if limits.bandwidth_gb_s is None else limits.bandwidth_gb_s * 1e9,
    )


def _total(timeline: Timeline, ops: _Ops) -> int:
    """First begin to last end of the core's ops and programs."""
    rows = _rows(timeline.capture, ops.plane, "XLA Modules")
    begin, duration, own = clocked(timeline, ops.plane, rows)
    if len(rows) and own == clocked(timeline, ops.plane, ops.rows)[2]:
        begin, duration = np.append(ops.begin, begin), np.append(ops.duration, duration)
    else:
        begin, duration = ops.begin, ops.duration
    return int((begin + duration).max() - begin.min())


def _rows(capture: Capture, plane: int, line: str) -> I64:
    """The events of a plane's line of that name."""
    tracks, wanted = capture.tracks, capture.strings.find(line)
    found = [np.empty(0, np.int64)]
    for i in np.flatnonzero((tracks.plane == plane) & (tracks.name == wanted)).tolist():
        found.append(np.arange(tracks.events_begin[i], tracks.events_end[i]))
    return np.concatenate(found)


def _in_steps(timeline: Timeline, plane: int, steps_from: str) -> tuple[int, int]:
    """Time of the core's steps, and the part of it in which no op runs: by its own account, else by the intervals."""
    capture = timeline.capture
    rows = _rows(capture, plane, "Steps")
    idle, kind = timeline.stat_of("step_idle_time_ps", rows)
    total = int(clocked(timeline, plane, rows)[1].sum())
    if len(rows) and among(kind, _INTEGER).all() and (idle >= 0).all() and 0 <= int(idle.sum()) <= total:
        return total, int(idle.sum())
    steps = _steps_of(timeline, steps_from)
    whole = steps.counted
    busy, begin, until = _busy(timeline, plane, steps)
    total = int((until - begin)[whole].sum())
    return total, total - int(intervals.coverage(busy, begin[whole], until[whole]).sum())


def _busy(timeline: Timeline, plane: int, steps: Steps) -> tuple[intervals.Intervals, I64, I64]:
    """When an op runs on a core, and the steps there: by its own clock where the steps are measured by that."""
    from ...timeline.split.split import step_windows

    begin, until, clock = step_windows(timeline, steps, plane)
    if clock is None:
        return _busy_by_plane(timeline)[plane], begin, until
    rows = device_rows(timeline, plane)
    start, duration, known = clocked(timeline, plane, rows)
    end = start + duration
    if not known:
        start, end = clock.begins_at(start), clock.ends_at(end)
    return intervals.union(start, end), begin, until


@derived
def _busy_by_plane(timeline: Timeline) -> dict[int, intervals.Intervals]:
    return {device.plane: device.busy for device in devices_of(timeline)}


def _refitted(timeline: Timeline, steps_from: str) -> Refitted | None:
    """Where the trace shows steps differ more than they do by the core's own clock, by which they are measured."""
    steps = _steps_of(timeline, steps_from)
    if steps.own is None or not steps.whole.any():
        return None
    own, shown = steps.wall_ps[steps.whole], (steps.until_ps - steps.begin_ps)[steps.whole]
    if np.ptp(shown) <= FIT.value * shown.mean() or np.ptp(own) * 2 > np.ptp(shown):
        return None
    return Refitted((int(shown.min()), int(shown.max())), (int(own.min()), int(own.max())))


class OpaqueCalls(NamedTuple):
    """Custom calls of an op of which the capture has no costs. waiting_ps: of their time, in which the kernel waits for
    its own copies from the device's memory; None where no kernel of the capture says what it does.
    """

    total_ps: int
    waiting_ps: int | None

    def plus(self, other: OpaqueCalls) -> OpaqueCalls:
        """Of several devices or hosts."""
        known = [one.waiting_ps for one in (self, other) if one.waiting_ps is not None]
        return OpaqueCalls(self.total_ps + other.total_ps, sum(known) if known else None)


#: What Pallas's pipelines call the wait for the copy of a block from the device's memory, on this line.
_KERNEL_SPANS, _WAITS_FOR_INPUT = "XLA TraceMe", "ep_wait_in"


@derived
def opaque_calls_of(timeline: Timeline) -> dict[Op, OpaqueCalls]:
    """By op of `ops_of`."""
    capture, ops = timeline.capture, ops_of(timeline)
    found: dict[Op, OpaqueCalls] = {}
    if capture.strings.find("custom-call") < 0:
        return found
    events = capture.events
    planes = capture.tracks.plane[events.track[ops.device.rows]]
    for plane in np.flatnonzero(capture.planes.kind == PlaneKind.TPU).tolist():
        mine = np.flatnonzero(planes == plane)
        mine = mine[opaque_calls(timeline, ops.device.rows[mine])]
        spans = _rows(capture, plane, _KERNEL_SPANS)
        waits = spans[events.name[spans] == capture.strings.find(_WAITS_FOR_INPUT)]
        waiting = intervals.union(events.start_ps[waits], events.start_ps[waits] + events.duration_ps[waits])
        begin, duration, op = (
            *(column[ops.device.rows[mine]] for column in (events.start_ps, events.duration_ps)),
            ops.device.op[mine],
        )
        covered = intervals.coverage(waiting, begin, begin + duration)
        for same in alike(op):
            calls = OpaqueCalls(int(duration[same].sum()), int(covered[same].sum()) if len(spans) else None)
            one = ops.ops[int(op[same[0]])]
            found[one] = found[one].plus(calls) if one in found else calls
    return found


def _sum(timeline: Timeline, key: str, rows: I64, wanted: NDArray[np.bool_]) -> float | None:
    """Sum of a stat over the wanted rows; None where no row has it."""
    value, kind = timeline.stat_of(key, rows)
    is_known = among(kind, _INTEGER) & (value >= 0)
    return float(value[is_known & wanted].astype(np.float64).sum()) if is_known.any() else None


def _hbm_bytes(timeline: Timeline, ops: _Ops, leaf: NDArray[np.bool_]) -> float | None:
    """Bytes to and from HBM as the ops break them down, else all the bytes that they say they access."""
    capture = timeline.capture
    value, kind = timeline.stat_of("memory_access_breakdown", ops.rows)
    is_blob = kind == StatKind.BYTES
    if not is_blob.any():
        return _sum(timeline, "bytes_accessed", ops.rows, leaf)
    blobs, count = np.unique(value[is_blob & leaf], return_counts=True)
    return float(sum(in_hbm(capture.blobs[b]) * n for b, n in zip(blobs.tolist(), count.tolist(), strict=True)))


def _chips(timeline: Timeline, ops: list[_Ops], totals: list[int]) -> Iterator[tuple[float, int]]:
    """Time on duty and time of each chip; of several cores one on duty is enough."""
    chips: dict[int, list[int]] = {}
    for i, core in enumerate(ops):
        chips.setdefault(_chip(timeline.capture, core.plane), []).append(i)
    for members in chips.values():
        on = [_on_duty(timeline.capture, ops[i]) for i in members]
        if len(members) == 1:
            i = members[0]
            yield float(ops[i].self_ps[on[0]].sum()), totals[i]
            continue
        begin = np.concatenate([ops[i].begin[mine] for i, mine in zip(members, on, strict=True)])
        length = np.concatenate([ops[i].duration[mine] for i, mine in zip(members, on, strict=True)])
        first = min(int(ops[i].begin.min()) for i in members)
        last = max(int((ops[i].begin + ops[i].duration).max()) for i in members)
        yield float(intervals.union(begin, begin + length).total), max(last - first, *(totals[i] for i in members))


def _on_duty(capture: Capture, ops: _Ops) -> NDArray[np.bool_]:
    """All ops of a SparseCore, and of others those that do work."""
    sparse = _SPARSE in capture.strings[int(capture.planes.name[ops.plane])]
    return ops.rows_in(lambda c: sparse or not c.startswith(OFF_DUTY))


def _chip(capture: Capture, plane: int) -> int:
    """Number of the core's chip on this host; where the plane does not show it, cores of one ordinal are one chip."""
    details = capture.plane_values(plane).get("core_details")
    if isinstance(details, bytes):
        chip = dict(fields(details)).get(_LOCAL_CHIP, 0)
        return chip if isinstance(chip, int) else 0
    ordinal = int(capture.planes.ordinal[plane])
    return ordinal if ordinal >= 0 else -1 - plane


def _programs(capture: Capture) -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    for plane in np.flatnonzero(capture.planes.kind == PlaneKind.TPU).tolist():
        rows = program_rows(capture, plane)
        names, place = np.unique(capture.events.name[rows], return_inverse=True)
        total = np.zeros(len(names), np.int64)
        np.add.at(total, place, capture.events.duration_ps[rows])
        for name, count, ps in zip(names.tolist(), np.bincount(place).tolist(), total.tolist(), strict=True):
            before = found.get(capture.strings[name], (0, 0))
            found[capture.strings[name]] = (before[0] + count, before[1] + ps)
    return found


def program_rows(capture: Capture, plane: int) -> I64:
    """The runs of programs on a core."""
    return _rows(capture, plane, "XLA Modules")


def _percent(planes: list[dict[str, int | float | str | bytes | None]], key: str) -> float | None:
    """A share that the profiler measured; None where it gives none that can be one."""
    values = [p[key] for p in planes if isinstance(p.get(key), int | float)]
    shares = [float(v) / 100 for v in values if isinstance(v, int | float) and 0 <= v <= 100]
    return shares[0] if shares else None


def _steps_of(timeline: Timeline, steps_from: str) -> Steps:
    # Here, since a page of devices alone needs no steps.
    from ...timeline.assignment import steps_of

    return steps_of(timeline, steps_from)


# Memories on a TPU's chip: what they are called, and where a capture has their bytes and their peaks.

#: GB/s that no memory has.
_TOO_MUCH = 1e12


class OnChip(NamedTuple):
    """One way to or from a memory. peak: key of a plane's attribute, in GB/s. space, way: numbers of the memory and of
    the direction (1 reads, 2 writes) in a `memory_access_breakdown`.
    """

    name: str
    peak: str
    space: int
    way: int


ON_CHIP = (
    OnChip("CMEM read", "peak_cmem_rd_bw_gigabytes_per_second", CMEM_SPACE, 1),
    OnChip("CMEM write", "peak_cmem_wr_bw_gigabytes_per_second", CMEM_SPACE, 2),
    OnChip("VMEM read", "peak_vmem_rd_bw_gigabytes_per_second", VMEM_SPACE, 1),
    OnChip("VMEM write", "peak_vmem_wr_bw_gigabytes_per_second", VMEM_SPACE, 2),
)


def on_chip_peaks(attributes: Mapping[str, object]) -> tuple[float | None, ...]:
    """GB/s in the order of `ON_CHIP`; None where a device does not say it, or has no such memory."""
    found = [attributes.get(one.peak) for one in ON_CHIP]
    return tuple(
        float(rate) if isinstance(rate, int | float) and math.isfinite(rate) and 0 < rate < _TOO_MUCH else None
        for rate in found
    )
