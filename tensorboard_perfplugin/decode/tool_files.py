"""What TensorFlow's profiler computed when it captured → `Capture`."""

from __future__ import annotations

import itertools
import json
import math
import os
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import structs

from .. import messages, units
from ..errors import NotFoundError, UnreadableError
from ..formats import Format
from ..messages import Message, message
from ..tables import (
    RECORDED_PEAK,
    RECORDED_SELF_PS,
    RECORDED_SIDE,
    RECORDED_STEPS,
    RECORDED_TYPE,
    Capture,
    PlaneKind,
    TrackKind,
)
from ..wire import FIXED32, FIXED64, LENGTH, VARINT, DamagedError, Field, varint, walk
from .common.build import Builder, Value
from .common.launches import Launch, validate_launch
from .common.source import Source, is_file, open_source

# What TensorFlow's own tools computed of a capture and left beside it or instead of it → `Report`.
#
# Of an `OverviewPage` (overview_page.proto) or `InputPipelineAnalysisResult` (input_pipeline.proto), binary or as the
# tables that were sent to charts; of a `TfStatsDatabase` (tf_stats.proto); of a pod viewer's JSON. Read are steps
# with
# their parts, input ops, ops, what the capture ran on, and utilisations. Not read are sentences and tips.

#: Field numbers of PerGenericStepDetails → the part of a step, as its field is called without `_ms`.
_PARTS = {
    3: "unknown_time",
    5: "output",
    6: "device_compute",
    7: "device_to_device",
    8: "host_compute",
    9: "host_prepare",
    10: "host_compile",
    11: "host_wait_input",
    12: "host_to_device",
    13: "device_collectives",
}
#: Columns of a TPU's step table → parts.
_TPU_PARTS = {"computeTimeMs": "device_compute", "inputTimeMs": "host_wait_input", "idleTimeMs": "unknown_time"}
#: Fields of a pod viewer's record → parts; what they leave of the step is compute.
_CORE_PARTS = {
    "hostInfeedDurationUs": "host_wait_input",
    "hostOutfeedDurationUs": "output",
    "allReduceComputeDurationUs": "device_collectives",
    "allReduceSyncDurationUs": "device_collectives",
    "sendDurationUs": "device_collectives",
    "recvDurationUs": "device_collectives",
}
#: Fields of OverviewPageAnalysis that are measurements, and as properties of the charts' table → plane stats.
_FACTS = {
    1: "matrix_unit_utilization_percent",
    2: "device_idle_time_percent",
    3: "host_idle_time_percent",
    7: "flop_rate_utilization_relative_to_roofline",
    8: "memory_bw_utilization_relative_to_hw_limit",
    9: "device_compute_16bit_percent",
    10: "device_compute_32bit_percent",
    31: "hbm_utilization_percent",
}
_JSON_FACTS = {**{name: name for name in _FACTS.values()}, "mxu_utilization_percent": "matrix_unit_utilization_percent"}
#: Columns of a TPU's steps: what its cores wait for infeed, the mean core and those that wait least and most.
_INFEED = {
    "infeedPercentAverage": "infeed_percent_average",
    "infeedPercentMin": "infeed_percent_minimum",
    "infeedPercentMax": "infeed_percent_maximum",
}
#: Which of these divide what a device computes, as parts of a step; the page knows them of all steps together.
_PRECISIONS = {
    "device_compute_16bit": "device_compute_16bit_percent",
    "device_compute_32bit": "device_compute_32bit_percent",
}
#: Ops that an overview page names, where nothing else does.
_MOST_TOP = 10
#: Percentages are rounded.
_ROUNDED = 0.001
_MOST_TEXT = 1000
#: Longer than any step, and short enough to be added up in ps.
_MOST_MS = 1e9
MOST_STEPS, MOST_OPS = 100_000, 200_000
#: More than the largest pods have.
_MOST_CORES = 20_000
#: Every answer repeats them.
_MOST_WARNINGS = 20


class Step(msgspec.Struct, frozen=True):
    """parts: by name as in PerGenericStepDetails without `_ms`, in ms."""

    number: int
    name: str
    wall_ms: float
    parts: dict[str, float]


class OpSum(msgspec.Struct, frozen=True):
    """All executions of an op. side: `host`, `device`, or `input` for an op of an input pipeline."""

    side: str
    name: str
    type: str
    occurrences: int
    total_ms: float
    self_ms: float


class KernelSum(msgspec.Struct, frozen=True):
    """All executions of a kernel with one shape. details: as a profiler puts it into `kernel_details`; launch:
    the same, typed.

    uses, may_use: whether it is one of tensor cores, and its op one that can be.
    """

    name: str
    op: str
    occurrences: int
    total_ns: int
    min_ns: int
    max_ns: int
    details: str
    launch: Launch
    uses: bool
    may_use: bool


class MemoryMark(msgspec.Struct, frozen=True):
    """An allocation or deallocation, or (occurrences > 0) equal ones that were live at an allocator's peak.

    stats: named as a profiler names them.
    """

    name: str
    at_ps: int
    occurrences: int
    stats: dict[str, int | float | str]


class Report(msgspec.Struct):
    """steps: of the host, or of the mean device. cores: steps by core, where they are known one by one."""

    hardware: str = ""
    device_type: str = ""
    devices: int = 0
    steps: list[Step] = msgspec.field(default_factory=list)
    cores: dict[str, list[Step]] = msgspec.field(default_factory=dict)
    ops: list[OpSum] = msgspec.field(default_factory=list)
    kernels: list[KernelSum] = msgspec.field(default_factory=list)
    memory: list[MemoryMark] = msgspec.field(default_factory=list)
    facts: dict[str, float | str] = msgspec.field(default_factory=dict)
    warnings: list[messages.Message] = msgspec.field(default_factory=list)

    def warn(self, warning: messages.Message) -> None:
        """Of very many places of damage, the first."""
        if warning not in self.warnings and len(self.warnings) < _MOST_WARNINGS:
            self.warnings.append(warning)


class WireMessage:
    """One message's fields, the ones with a known wire type; what follows a damaged place is lost."""

    def __init__(self, data: memoryview, begin: int, end: int, report: Report) -> None:
        self.data, self.report, self.by_number = data, report, dict[int, list[Field]]()
        try:
            for field in walk(data, begin, end):
                self.by_number.setdefault(field.number, []).append(field)
        except DamagedError as error:
            report.warn(messages.message("wire_damaged_part", at=error.args[0]))

    def all(self, number: int) -> Iterator[WireMessage]:
        for field in self.by_number.get(number, ()):
            if field.wire == LENGTH:
                yield WireMessage(self.data, field.begin, field.end, self.report)

    def one(self, number: int) -> WireMessage:
        """The last such message, an empty one where there is none."""
        last = [f for f in self.by_number.get(number, ()) if f.wire == LENGTH][-1:]
        return WireMessage(self.data, *((last[0].begin, last[0].end) if last else (0, 0)), self.report)

    def text(self, number: int) -> str:
        last = [f for f in self.by_number.get(number, ()) if f.wire == LENGTH][-1:]
        return bytes(self.data[last[0].begin : last[0].end]).decode("utf-8", "replace") if last else ""

    def whole(self, number: int) -> int:
        last = [f.value for f in self.by_number.get(number, ()) if f.wire == VARINT][-1:]
        return min(last[0], (1 << 63) - 1) if last else 0

    def numbers(self, number: int) -> list[int]:
        """All values of a repeated number, packed or not."""
        values: list[int] = []
        for field in self.by_number.get(number, ()):
            at = field.begin
            while field.wire == LENGTH and at < field.end:
                value, at = varint(self.data, at, field.end)
                values.append(value)
            if field.wire == VARINT:
                values.append(field.value)
        return values

    def small(self, number: int) -> float:
        last = [f.value for f in self.by_number.get(number, ()) if f.wire == FIXED32][-1:]
        return bounded(struct.unpack("<f", struct.pack("<I", last[0]))[0]) if last else 0.0

    def ms(self, number: int, to_ms: float = 1) -> float:
        last = [f.value for f in self.by_number.get(number, ()) if f.wire == FIXED64][-1:]
        return bounded(struct.unpack("<d", struct.pack("<Q", last[0]))[0] * to_ms) if last else 0.0


def bounded(value: Any) -> float:
    """A duration in ms, or a percentage; 0 for what is none."""
    good = isinstance(value, int | float) and value < math.inf
    return float(min(max(value, 0.0), _MOST_MS)) if good else 0.0


def overview_page(data: memoryview, report: Report) -> None:
    page = WireMessage(data, 0, len(data), report)
    environment, analysis = page.one(6), page.one(3)
    report.device_type, report.devices = environment.text(4), min(environment.whole(5), 1024)
    report.facts |= {name: analysis.ms(number) for number, name in _FACTS.items() if number in analysis.by_number}
    _top(((op.text(1), op.text(2), op.ms(3)) for op in analysis.all(4)), report)
    _input_analysis(page.one(2), report)


def _top(ops: Iterable[tuple[str, str, float]], report: Report) -> None:
    """Name, type and part of the devices' time of the largest ops: how long that is the page does not say."""
    each = [f"{name} ({kind}) {share:.1%}" for name, kind, share in itertools.islice(ops, _MOST_TOP) if name]
    if each:
        report.facts["top_device_ops"] = ", ".join(each)[:_MOST_TEXT]


def input_pipeline(data: memoryview, report: Report) -> None:
    _input_analysis(WireMessage(data, 0, len(data), report), report)


def _input_analysis(result: WireMessage, report: Report) -> None:
    report.hardware = result.text(9)
    steps = (any.one(2) for any in result.all(4) if any.text(1).endswith("PerGenericStepDetails"))
    for number, step in enumerate(itertools.islice(steps, max(MOST_STEPS - len(report.steps), 0))):
        parts = {name: step.ms(field) for field, name in _PARTS.items() if field in step.by_number}
        report.steps.append(Step(step.whole(1) or number, step.text(14), step.ms(2), parts))
    for op in itertools.islice(result.all(6), max(MOST_OPS - len(report.ops), 0)):
        report.ops.append(OpSum("input", op.text(1), op.text(7), op.whole(2), op.ms(3), op.ms(5)))


def op_stats(data: memoryview, report: Report) -> None:
    database = WireMessage(data, 0, len(data), report)
    table = database.one(5) if 5 in database.by_number else database.one(4)
    for op in itertools.islice(table.all(1), max(MOST_OPS - len(report.ops), 0)):
        if op.text(3) != "IDLE":
            side = "device" if op.text(2).lower() == "device" else "host"
            report.ops.append(OpSum(side, op.text(4), op.text(3), op.whole(5), op.ms(6, 1e-3), op.ms(8, 1e-3)))


def charts(tables: Any, report: Report) -> None:
    """The JSON of an overview page or an input-pipeline page: a list of tables for charts."""
    for table in tables if isinstance(tables, list) else ():
        facts = table.get("p") if isinstance(table, dict) else None
        facts = facts if isinstance(facts, dict) else {}
        report.hardware = report.hardware or str(facts.get("hardware_type", ""))
        report.device_type = report.device_type or str(facts.get("device_type", ""))
        cores = str(facts.get("device_core_count", "")).split(" ")[0]
        report.devices = report.devices or min(int(cores) if cores.isdecimal() and len(cores) < 6 else 0, 1024)
        for key, name in _JSON_FACTS.items():
            if isinstance(facts.get(key), str):
                report.facts[name] = bounded(_number(facts[key].rstrip("%")))
        if isinstance(facts.get("batch_size"), str):
            report.facts["batch_size"] = facts["batch_size"][:_MOST_TEXT]
        named = (row for row in rows_of(table) if "operation" in row and "selfTimePercent" in row)
        _top(((str(r["operation"]), str(r.get("category")), bounded(r["selfTimePercent"])) for r in named), report)
        steps = [row for row in itertools.islice(rows_of(table), MOST_STEPS) if _INFEED.keys() <= row.keys()]
        if steps:
            means = {name: sum(bounded(row[column]) for row in steps) / len(steps) for column, name in _INFEED.items()}
            report.facts |= means
        _chart_rows(itertools.islice(rows_of(table), MOST_STEPS), report)


def _chart_rows(rows: Iterator[Mapping[str, Any]], report: Report) -> None:
    for number, row in enumerate(rows):
        if "stepnum" in row and "computeTimeMs" in row:
            parts = {name: bounded(row.get(column)) for column, name in _TPU_PARTS.items()}
            report.steps.append(Step(int(bounded(_number(row["stepnum"], number))), "", sum(parts.values()), parts))
        elif "opName" in row and "selfTimeInMs" in row:
            times = bounded(row.get("timeInMs")), bounded(row.get("selfTimeInMs"))
            kind = str(row.get("category", ""))
            report.ops.append(OpSum("input", str(row["opName"]), kind, int(bounded(row.get("count"))), *times))


def rows_of(table: Any) -> Iterator[dict[str, Any]]:
    """The rows of a chart's table, as column id → value."""
    try:
        ids = [column["id"] for column in table["cols"]]
        yield from ({id: cell["v"] for id, cell in zip(ids, row["c"], strict=False)} for row in table["rows"])
    except (KeyError, TypeError):
        return


def pod(page: Any, report: Report) -> None:
    """The JSON of a pod viewer: each core's steps."""
    try:
        for step in page["podStatsSequence"]["podStatsMap"][:MOST_STEPS]:
            for core, record in step["podStatsPerCore"].items():
                if str(core) not in report.cores and len(report.cores) >= _MOST_CORES:
                    continue
                report.cores.setdefault(str(core), []).append(_core_step(int(bounded(step["stepNum"])), record))
    except (KeyError, TypeError, ValueError, AttributeError):
        report.warn(messages.message("pod_viewer_unknown_form"))


def _core_step(number: int, record: Mapping[str, Any]) -> Step:
    wall = bounded(record["totalDurationUs"]) / 1e3
    parts: dict[str, float] = {}
    for field, name in _CORE_PARTS.items():
        parts[name] = parts.get(name, 0.0) + bounded(record.get(field)) / 1e3
    parts["device_compute"] = max(wall - sum(parts.values()), 0.0)
    return Step(number, "", wall, parts)


def _number(text: Any, default: float = 0.0) -> float:
    try:
        return float(text)
    except (TypeError, ValueError, OverflowError):
        return default


#: How a file's name ends → how it is read: bytes, or parsed JSON.
BINARY: dict[str, Callable[[memoryview, Report], None]] = {
    ".overview_page.pb": overview_page,
    ".input_pipeline.pb": input_pipeline,
}
JSON: dict[str, Callable[[Any, Report], None]] = {
    ".overview_page.json": charts,
    ".input_pipeline.json": charts,
}


# The bytes of a `KernelStatsDb` (kernel_stats.proto), as TensorFlow 2.2 to 2.4 wrote it → sums of kernels.

#: Longer than any kernel's time, and short enough in ps.
_MOST_NS = 1 << 51
_MOST_RUNS = 1 << 40
_OCCUPANCY = 14


def kernel_stats(data: memoryview, report: Report) -> None:
    """Field numbers as in kernel_stats.proto."""
    for kernel in WireMessage(data, 0, len(data), report).all(1):
        if len(report.kernels) >= MOST_OPS:
            report.warn(message("kernels_limit", limit=MOST_OPS))
            return
        try:
            report.kernels.append(_kernel(kernel))
        except DamagedError as error:
            report.warn(message("wire_damaged_part", at=error.args[0]))


def _kernel(kernel: WireMessage) -> KernelSum:
    total, least, most = (min(kernel.whole(field), _MOST_NS) for field in (7, 8, 9))
    return KernelSum(
        kernel.text(1),
        kernel.text(12),
        min(kernel.whole(13), _MOST_RUNS),
        total,
        least,
        most,
        _details(kernel),
        _launch(kernel),
        bool(kernel.whole(10)),
        bool(kernel.whole(11)),
    )


def _details(kernel: WireMessage) -> str:
    """As profilers write it, as far as it is given: files of 2021 hold neither sizes nor shapes, or only ones."""
    shapes = [(name, kernel.numbers(field)) for name, field in (("grid", 6), ("block", 5))]
    parts = [f"{name}:{x},{y},{z}" for name, shape in shapes if shape for x, y, z in [[*shape, 1, 1][:3]]]
    sized = any(kernel.whole(field) for _, field in _SIZES)
    if not sized and set().union(*(shape for _, shape in shapes)) <= {1}:
        parts = []
    elif parts or sized:
        parts = [f"{name}:{kernel.whole(field)}" for name, field in _SIZES] + parts
    if _OCCUPANCY in kernel.by_number:
        parts.append(f"occ_pct:{kernel.small(_OCCUPANCY):g}")
    return " ".join(parts)


def _launch(kernel: WireMessage) -> Launch:
    """As far as it is given."""
    block, grid = (kernel.numbers(field) for field in (5, 6))
    is_known = any(kernel.whole(field) for _, field in _SIZES) or not set(block) | set(grid) <= {1}
    launch = Launch(
        occupancy_percent=float(f"{kernel.small(_OCCUPANCY):g}") if _OCCUPANCY in kernel.by_number else None
    )
    if is_known:
        registers, static, dynamic = (kernel.whole(field) for _, field in _SIZES)
        launch = Launch(registers, static, dynamic, None, _three(grid), _three(block), launch.occupancy_percent)
    return validate_launch(launch)


def _three(shape: list[int]) -> tuple[int, int, int] | None:
    x, y, z = [*shape, 1, 1, 1][:3]
    return (x, y, z) if shape else None


_SIZES = (("regs", 2), ("static_shared", 3), ("dynamic_shared", 4))


# The JSON of a `MemoryProfile` (memory_profile.proto), as TensorFlow wrote it since 2.2 → memory events.
#
# It holds the timeline of each allocator, of which the writer kept 1,000 moments at the most, and what was live at
# the
# allocator's peak. Not read are summaries, which the moments give, and XLA modules.

#: What the writer keeps of an allocator.
KEPT = 1000
#: What is read of one.
MOST_MARKS = 100_000
_MOST_PS = 1 << 62
_NAMES = {"ALLOCATION": "MemoryAllocation", "DEALLOCATION": "MemoryDeallocation"}
_AGGREGATES = {
    "stackReservedBytes": "bytes_reserved",
    "heapAllocatedBytes": "bytes_allocated",
    "peakBytesInUse": "peak_bytes_in_use",
}
_NUMBERS = {
    "requestedBytes": "requested_bytes",
    "allocationBytes": "allocation_bytes",
    "address": "addr",
    "stepId": "group_id",
}
_TEXTS = {"tfOpName": "tf_op", "regionType": "region_type", "tensorShape": "shape"}
#: TensorFlow's DataType by number.
_TYPES = (
    "INVALID float double int32 uint8 int16 int8 string complex64 int64 bool qint8 quint8 qint32 bfloat16 qint16 "
    "quint16 uint16 complex128 half resource variant uint32 uint64"
)
_TYPE_IDS = {
    name + suffix: number + more
    for number, name in enumerate(_TYPES.split())
    for suffix, more in (("", 0), ("_ref", 100))
}


def memory_profile(page: Any, report: Report) -> None:
    """The marks of all allocators. What is not in the known form is left out, and reported."""
    allocators = page.get("memoryProfilePerAllocator") if isinstance(page, dict) else None
    for name, profile in allocators.items() if isinstance(allocators, dict) else ():
        if isinstance(profile, dict):
            _allocator(str(name), profile, report)


def _allocator(name: str, profile: dict[str, Any], report: Report) -> None:
    snapshots, special = _list(profile, "memoryProfileSnapshots"), _list(profile, "specialAllocations")
    # Since TensorFlow 2.4 the timeline is apart, and the other list holds what was live at the peak.
    moments = _list(profile, "sampledTimelineSnapshots") or snapshots
    limited = any(whole(_part(each, "aggregationStats").get("freeMemoryBytes")) for each in moments)
    report.memory += [mark for each in moments[:MOST_MARKS] if (mark := _mark(name, each, limited))]
    if len(moments) >= KEPT:
        report.warn(message("memory_events_sampled", allocator=name[:80], n=len(moments)))
    report.memory += _live(name, _list(profile, "activeAllocations"), snapshots, special)


def _list(profile: dict[str, Any], key: str) -> list[dict[str, Any]]:
    items = profile.get(key)
    return [each for each in items if isinstance(each, dict)] if isinstance(items, list) else []


def _mark(allocator: str, snapshot: dict[str, Any], limited: bool) -> MemoryMark | None:
    """limited: whether the allocator reports what is free, without which 0 means unknown."""
    activity, sizes = _part(snapshot, "activityMetadata"), _part(snapshot, "aggregationStats")
    # A default is left out by some writers: ALLOCATION is one.
    kind = _NAMES.get(str(activity.get("memoryActivity", "ALLOCATION")))
    at = whole(snapshot.get("timeOffsetPs", 0))
    if kind is None or not 0 <= at < _MOST_PS:
        return None
    stats: dict[str, int | float | str] = {"allocator_name": allocator}
    stats |= {to: whole(sizes.get(key, 0)) for key, to in _AGGREGATES.items()}
    if limited:
        stats["bytes_available"] = whole(sizes.get("freeMemoryBytes", 0))
        stats["fragmentation"] = min(bounded(sizes.get("fragmentation", 0)), 1.0)
    return MemoryMark(kind, at, 0, stats | _activity(activity))


def _part(snapshot: dict[str, Any], key: str) -> dict[str, Any]:
    part = snapshot.get(key)
    return part if isinstance(part, dict) else {}


def _activity(activity: dict[str, Any]) -> dict[str, int | float | str]:
    """Stats as a profiler writes them: what is empty, or no step, is not given."""
    stats: dict[str, int | float | str] = {to: whole(activity.get(key, 0)) for key, to in _NUMBERS.items()}
    if int(stats["group_id"]) < 0 or "stepId" not in activity:
        del stats["group_id"]
    stats |= {to: str(activity[key]) for key, to in _TEXTS.items() if activity.get(key)}
    kind = _TYPE_IDS.get(str(activity.get("dataType", "")), 0)
    return stats | ({"data_type": kind} if kind else {})


def _live(
    allocator: str, active: list[dict[str, Any]], snapshots: list[dict[str, Any]], special: list[dict[str, Any]]
) -> Iterator[MemoryMark]:
    """What was live at the peak: equal allocations, what was there before, and the stack."""
    for each in active[:MOST_MARKS]:
        place, from_special = whole(each.get("snapshotIndex", 0)), whole(each.get("specialIndex", -1))
        if 0 <= from_special < len(special):
            activity = special[from_special]
        elif from_special < 0 <= place < len(snapshots):
            activity = _part(snapshots[place], "activityMetadata")
        else:
            continue
        stats = {"allocator_name": allocator, **_activity(activity)}
        yield MemoryMark(str(activity.get("tfOpName", "")), 0, max(whole(each.get("numOccurrences", 0)), 1), stats)


def whole(value: Any) -> int:
    """A number, or the text that protobuf's JSON writes for one of 64 bits; 0 for what is none."""
    if isinstance(value, str) and len(value) <= 20 and value.removeprefix("-").isdecimal():
        value = int(value)
    if isinstance(value, float) and abs(value) < 1 << 63:
        value = int(value)
    return min(max(value, -(1 << 63)), (1 << 63) - 1) if isinstance(value, int) else 0


# Tool files, `<host>.overview_page.pb` and its siblings: what TensorFlow computed when it captured → `Capture`.
#
# Profilers of 2019 to 2021 wrote them, some without the capture itself. They show how long steps took and how each
# divided, not when: the steps are laid end to end, and every page that needs a timeline says that there is none. Ops
# are
# sums, so they are aggregates, and so are kernels and what was live at an allocator's peak. Read beside the file that
# is
# named: `.tensorflow_stats`, `.pod_viewer`, `.kernel_stats`, `.memory_profile`. One of the last two may also stand
# alone.

#: What is read beside the file that is named.
_BESIDE = (".tensorflow_stats.pb", ".pod_viewer.json", ".kernel_stats.pb", ".memory_profile.json")
#: The largest seen is 2.8 MB.
MAX_BYTES = 64 << 20
_PS_PER_MS, _PS_PER_NS = 10**9, 1000
#: 53 days. Steps beyond are no steps.
_MOST_PS_READER = 1 << 62
_KINDS = {"GPU": PlaneKind.GPU, "TPU": PlaneKind.TPU}


def read(source: Source, decoder: str | None = None) -> Capture:
    """Read a tool file and its siblings. Raises UnreadableError where it holds none of what such files hold."""
    report = Report()
    _into(source, report)
    if not (report.steps or report.ops or report.device_type or report.hardware or report.kernels or report.memory):
        raise source.unreadable()
    for suffix in _BESIDE:
        if not source.name.endswith(suffix):
            _into_beside(source, suffix, report)
    note = message("recorded_results", has_steps=bool(report.steps or report.cores))
    return capture_of(report, (note, *source.warnings, *report.warnings))


def _into(source: Source, report: Report) -> None:
    if len(source.data) > MAX_BYTES:
        raise UnreadableError(
            f"{source.path} unpacks to {units.size(len(source.data))}; the limit is {units.size(MAX_BYTES)}."
        )
    name = source.name
    for suffix, read_message in _BINARY.items():
        if name.endswith(suffix):
            read_message(source.data, report)
    for suffix, read_json in _JSON.items():
        if name.endswith(suffix):
            read_json(_parsed(source), report)


def _parsed(source: Source) -> Any:
    try:
        return json.loads(bytes(source.data))
    except (ValueError, RecursionError):
        raise source.unreadable() from None


def _into_beside(source: Source, suffix: str, report: Report) -> None:
    """The sibling of the same host, where there is one that can be read."""
    stem = source.name
    for known in Format.TOOL_FILES.declaration.suffixes:
        stem = stem.removesuffix(known)
    path = os.path.join(os.path.dirname(source.path), stem + suffix)
    path = next((each for each in (path, path + ".gz") if is_file(each)), "")
    if not source.path or not path:
        return
    try:
        _into(open_source(path), report)
    except (NotFoundError, UnreadableError) as error:
        report.warn(message("sibling_unreadable", text=str(error)))


def capture_of(report: Report, warnings: tuple[Message, ...]) -> Capture:
    """The planes: a host, and as many devices as were reported, of which those whose steps are known have steps."""
    builder = Builder()
    hardware = report.hardware.upper().removesuffix("_ONLY") or report.device_type.upper()[:3]
    kind = _KINDS.get(hardware, PlaneKind.GPU if report.kernels else PlaneKind.CPU)
    begin_ps = _begin(report)
    host = builder.plane(
        "/host:CPU", PlaneKind.CPU, stats={name: value for name, value in report.facts.items() if value}
    )
    _sums(builder, host, report, ("host", "input"))
    _memory(builder, host, report)
    if kind == PlaneKind.CPU:
        _steps(builder, host, report.steps, begin_ps, report)
        return builder.capture(Format.TOOL_FILES, "", None, warnings)
    cores = list(report.cores.values()) or [report.steps]
    attributes: Mapping[str, Value] = {"device_type_string": report.device_type} if report.device_type else {}
    for ordinal in range(max(report.devices, len(cores))):
        plane = builder.plane(f"/device:{kind.name}:{ordinal}", kind, ordinal, attributes)
        if ordinal < len(cores):
            _steps(builder, plane, cores[ordinal], begin_ps, report)
        if not ordinal:
            _sums(builder, plane, report, ("device",))
            _kernels(builder, plane, report)
    return builder.capture(Format.TOOL_FILES, "", None, warnings)


def _begin(report: Report) -> int:
    """Where steps are laid: after all that has a time, so that nothing seems to lie in one of them."""
    return max((mark.at_ps + 1 for mark in report.memory), default=0)


def _by_precision(step: Step, report: Report) -> Step:
    """With what its device computed divided as that of all steps is."""
    shares = {part: float(report.facts.get(fact) or 0.0) / 100 for part, fact in _PRECISIONS.items()}
    computed, known = step.parts.get("device_compute", 0.0), sum(shares.values())
    if not computed or not 0 < known <= 1 + _ROUNDED:
        return step
    narrow = {part: computed * share / max(known, 1.0) for part, share in shares.items() if share}
    rest = {"device_compute": computed * (1 - known)} if known < 1 - _ROUNDED else {}
    others = {name: value for name, value in step.parts.items() if name != "device_compute"}
    return structs.replace(step, parts={**rest, **narrow, **others})


def _steps(builder: Builder, plane: int, steps: list[Step], at: int, report: Report) -> None:
    if not steps:
        return
    track = builder.track(plane, 0, RECORDED_STEPS, TrackKind.DERIVED)
    for step in (_by_precision(each, report) for each in steps):
        wall = round(step.wall_ms * _PS_PER_MS)
        if at + wall > _MOST_PS_READER:
            return
        parts = {f"{name}_ps": round(value * _PS_PER_MS) for name, value in step.parts.items()}
        track.event(step.name or f"step {step.number}", at, wall, {"step_num": step.number, **parts})
        at += wall


def _sums(builder: Builder, plane: int, report: Report, sides: tuple[str, ...]) -> None:
    ops = [op for op in report.ops if op.side in sides]
    if ops:
        track = builder.track(plane, 1, "Ops as TensorFlow summed them up", TrackKind.OTHER)
        for op in ops:
            self_ps = round(op.self_ms * _PS_PER_MS)
            stats: dict[str, Value] = {RECORDED_TYPE: op.type, RECORDED_SELF_PS: self_ps, RECORDED_SIDE: op.side}
            track.aggregate(op.name, op.occurrences, round(op.total_ms * _PS_PER_MS), stats)


def _kernels(builder: Builder, plane: int, report: Report) -> None:
    if not report.kernels:
        return
    track = builder.track(plane, 2, "Kernels as TensorFlow summed them up", TrackKind.OTHER)
    for kernel in report.kernels:
        stats: dict[str, Value] = {
            "kernel_details": kernel.details,
            "min_duration_ps": kernel.min_ns * _PS_PER_NS,
            "max_duration_ps": kernel.max_ns * _PS_PER_NS,
            "is_kernel_using_tensor_core": int(kernel.uses),
            "is_op_tensor_core_eligible": int(kernel.may_use),
        }
        stats |= {"tf_op": kernel.op} if kernel.op else {}
        track.aggregate(kernel.name, kernel.occurrences, kernel.total_ns * _PS_PER_NS, stats, kernel.launch)


def _memory(builder: Builder, plane: int, report: Report) -> None:
    if not report.memory:
        return
    marks = builder.track(plane, 2, "Memory events, as TensorFlow kept them", TrackKind.THREAD)
    peaks = builder.track(plane, 3, "Allocations at the peak, as TensorFlow found it", TrackKind.OTHER)
    for mark in report.memory:
        if mark.occurrences:
            peaks.aggregate(mark.name, mark.occurrences, 0, {RECORDED_PEAK: 1, **mark.stats})
        else:
            marks.event(mark.name, mark.at_ps, 0, mark.stats)


_BINARY = {**BINARY, ".tensorflow_stats.pb": op_stats, ".kernel_stats.pb": kernel_stats}
_JSON = {**JSON, ".pod_viewer.json": pod, ".memory_profile.json": memory_profile}
