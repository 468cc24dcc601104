"""What TensorFlow's own tools computed of a capture and left beside it or instead of it → `Report`.

Of an `OverviewPage` (overview_page.proto) or `InputPipelineAnalysisResult` (input_pipeline.proto), binary or as the
tables that were sent to charts; of a `TfStatsDatabase` (tf_stats.proto); of a pod viewer's JSON. Read are steps with
their parts, input ops, ops, what the capture ran on, and utilisations. Not read are sentences and tips.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
import struct
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ... import messages
from ...wire import FIXED32, FIXED64, LENGTH, VARINT, DamagedError, Field, varint, walk
from ..common.launches import Launch

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
#: Fields of OverviewPageAnalysis, and properties of the charts' table, that are measurements → names of plane stats.
_FACTS = {1: "matrix_unit_utilization_percent", 31: "hbm_utilization_percent"}
_JSON_FACTS = {"mxu_utilization_percent": "matrix_unit_utilization_percent"}
#: Longer than any step, and short enough to be added up in ps.
_MOST_MS = 1e9
MOST_STEPS, MOST_OPS = 100_000, 200_000
#: More than the largest pods have.
_MOST_CORES = 20_000
#: Every answer repeats them.
_MOST_WARNINGS = 20


@dataclasses.dataclass(frozen=True)
class Step:
    """parts: by name as in PerGenericStepDetails without `_ms`, in ms."""

    number: int
    name: str
    wall_ms: float
    parts: dict[str, float]


@dataclasses.dataclass(frozen=True)
class OpSum:
    """All executions of an op. side: `host`, `device`, or `input` for an op of an input pipeline."""

    side: str
    name: str
    type: str
    occurrences: int
    total_ms: float
    self_ms: float


@dataclasses.dataclass(frozen=True)
class KernelSum:
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


@dataclasses.dataclass(frozen=True)
class MemoryMark:
    """An allocation or deallocation, or (occurrences > 0) equal ones that were live at an allocator's peak.

    stats: named as a profiler names them.
    """

    name: str
    at_ps: int
    occurrences: int
    stats: dict[str, int | float | str]


@dataclasses.dataclass
class Report:
    """steps: of the host, or of the mean device. cores: steps by core, where they are known one by one."""

    hardware: str = ""
    device_type: str = ""
    devices: int = 0
    steps: list[Step] = dataclasses.field(default_factory=list)
    cores: dict[str, list[Step]] = dataclasses.field(default_factory=dict)
    ops: list[OpSum] = dataclasses.field(default_factory=list)
    kernels: list[KernelSum] = dataclasses.field(default_factory=list)
    memory: list[MemoryMark] = dataclasses.field(default_factory=list)
    facts: dict[str, float] = dataclasses.field(default_factory=dict)
    warnings: list[messages.Message] = dataclasses.field(default_factory=list)

    def warn(self, warning: messages.Message) -> None:
        """Of very many places of damage, the first."""
        if warning not in self.warnings and len(self.warnings) < _MOST_WARNINGS:
            self.warnings.append(warning)


class Message:
    """One message's fields, the ones with a known wire type; what follows a damaged place is lost."""

    def __init__(self, data: memoryview, begin: int, end: int, report: Report) -> None:
        self.data, self.report, self.by_number = data, report, dict[int, list[Field]]()
        try:
            for field in walk(data, begin, end):
                self.by_number.setdefault(field.number, []).append(field)
        except DamagedError as error:
            report.warn(messages.message("wire_damaged_part", at=error.args[0]))

    def all(self, number: int) -> Iterator[Message]:
        for field in self.by_number.get(number, ()):
            if field.wire == LENGTH:
                yield Message(self.data, field.begin, field.end, self.report)

    def one(self, number: int) -> Message:
        """The last such message, an empty one where there is none."""
        last = [f for f in self.by_number.get(number, ()) if f.wire == LENGTH][-1:]
        return Message(self.data, *((last[0].begin, last[0].end) if last else (0, 0)), self.report)

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
    page = Message(data, 0, len(data), report)
    environment, analysis = page.one(6), page.one(3)
    report.device_type, report.devices = environment.text(4), min(environment.whole(5), 1024)
    report.facts |= {name: analysis.ms(number) for number, name in _FACTS.items() if number in analysis.by_number}
    _input_analysis(page.one(2), report)


def input_pipeline(data: memoryview, report: Report) -> None:
    _input_analysis(Message(data, 0, len(data), report), report)


def _input_analysis(result: Message, report: Report) -> None:
    report.hardware = result.text(9)
    steps = (any.one(2) for any in result.all(4) if any.text(1).endswith("PerGenericStepDetails"))
    for number, step in enumerate(itertools.islice(steps, max(MOST_STEPS - len(report.steps), 0))):
        parts = {name: step.ms(field) for field, name in _PARTS.items() if field in step.by_number}
        report.steps.append(Step(step.whole(1) or number, step.text(14), step.ms(2), parts))
    for op in itertools.islice(result.all(6), max(MOST_OPS - len(report.ops), 0)):
        report.ops.append(OpSum("input", op.text(1), op.text(7), op.whole(2), op.ms(3), op.ms(5)))


def op_stats(data: memoryview, report: Report) -> None:
    database = Message(data, 0, len(data), report)
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
