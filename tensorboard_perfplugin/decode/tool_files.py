"""Tool files, `<host>.overview_page.pb` and its siblings: what TensorFlow computed when it captured → `Capture`.

Profilers of 2019 to 2021 wrote them, some without the capture itself. They tell how long steps took and how each
divided, not when: the steps are laid end to end, and every page that needs a timeline says that there is none. Ops are
sums, so they are aggregates. Read beside the file that is named: `.input_pipeline`, `.tensorflow_stats`, `.pod_viewer`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from ..errors import NotFoundError, UnreadableError
from ..tables import Capture, PlaneKind, TrackKind
from ..tables.capture import RECORDED_SELF_PS, RECORDED_SIDE, RECORDED_STEPS, RECORDED_TYPE
from . import _report
from ._build import Builder, Value
from ._format import Format
from ._report import Report, Step
from ._source import Source, open_source

SUFFIXES = (".overview_page.pb", ".overview_page.json", ".input_pipeline.pb", ".input_pipeline.json")
#: The largest seen is 2.8 MB.
MAX_BYTES = 64 << 20
NOTE = (
    "These are the results that TensorFlow's profiler computed when it captured: there is no timeline behind them. "
    "Steps are laid end to end."
)
_PS_PER_MS = 10**9
#: 53 days. Steps beyond are no steps.
_MOST_PS = 1 << 62
_KINDS = {"GPU": PlaneKind.GPU, "TPU": PlaneKind.TPU}


def looks_like(name: str, head: bytes) -> bool:
    return name.endswith(SUFFIXES)


def read(source: Source, decoder: str | None = None) -> Capture:
    """Read a tool file and its siblings. Raises UnreadableError where it holds neither steps nor ops nor a device."""
    report = Report()
    _into(source, report)
    if not (report.steps or report.ops or report.device_type or report.hardware):
        raise source.unreadable()
    for suffix in (".tensorflow_stats.pb", ".pod_viewer.json"):
        _into_beside(source, suffix, report)
    return capture_of(report, (NOTE, *source.warnings, *dict.fromkeys(report.warnings)))


def _into(source: Source, report: Report) -> None:
    if len(source.data) > MAX_BYTES:
        raise UnreadableError(f"{source.path} unpacks to {len(source.data)} bytes; such files are below {MAX_BYTES}.")
    name = source.name
    for suffix, read_message in (_report.BINARY | {".tensorflow_stats.pb": _report.op_stats}).items():
        if name.endswith(suffix):
            read_message(source.data, report)
    for suffix, read_json in (_report.JSON | {".pod_viewer.json": _report.pod}).items():
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
    for known in SUFFIXES:
        stem = stem.removesuffix(known)
    path = os.path.join(os.path.dirname(source.path), stem + suffix)
    if not source.path or not os.path.isfile(path):
        return
    try:
        _into(open_source(path), report)
    except (NotFoundError, UnreadableError) as error:
        report.warnings.append(str(error))


def capture_of(report: Report, warnings: tuple[str, ...]) -> Capture:
    """The planes: a host, and as many devices as were told, of which those whose steps are known have steps."""
    builder = Builder()
    hardware = report.hardware.upper().removesuffix("_ONLY") or report.device_type.upper()[:3]
    kind = _KINDS.get(hardware, PlaneKind.CPU)
    host = builder.plane("/host:CPU", PlaneKind.CPU, stats=dict(report.facts))
    _sums(builder, host, report, ("host", "input"))
    if kind == PlaneKind.CPU:
        _steps(builder, host, report.steps)
        return builder.capture("tool_files", "", None, warnings)
    cores = list(report.cores.values()) or [report.steps]
    attributes: Mapping[str, Value] = {"device_type_string": report.device_type} if report.device_type else {}
    for ordinal in range(max(report.devices, len(cores))):
        plane = builder.plane(f"/device:{kind.name}:{ordinal}", kind, ordinal, attributes)
        if ordinal < len(cores):
            _steps(builder, plane, cores[ordinal])
        if not ordinal:
            _sums(builder, plane, report, ("device",))
    return builder.capture("tool_files", "", None, warnings)


def _steps(builder: Builder, plane: int, steps: list[Step]) -> None:
    track, at = builder.track(plane, 0, RECORDED_STEPS, TrackKind.DERIVED), 0
    for step in steps:
        wall = round(step.wall_ms * _PS_PER_MS)
        if at + wall > _MOST_PS:
            return
        parts = {f"{name}_ps": round(value * _PS_PER_MS) for name, value in step.parts.items()}
        track.event(step.name or f"step {step.number}", at, wall, {"step_num": step.number, **parts})
        at += wall


def _sums(builder: Builder, plane: int, report: Report, sides: tuple[str, ...]) -> None:
    track = builder.track(plane, 1, "Ops as TensorFlow summed them up", TrackKind.OTHER)
    for op in report.ops:
        if op.side in sides:
            self_ps = round(op.self_ms * _PS_PER_MS)
            stats: dict[str, Value] = {RECORDED_TYPE: op.type, RECORDED_SELF_PS: self_ps, RECORDED_SIDE: op.side}
            track.aggregate(op.name, op.occurrences, round(op.total_ms * _PS_PER_MS), stats)


FORMAT = Format("tool_files", (*SUFFIXES, *(suffix + ".gz" for suffix in SUFFIXES)), looks_like, read)
