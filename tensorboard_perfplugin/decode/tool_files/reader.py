"""Tool files, `<host>.overview_page.pb` and its siblings: what TensorFlow computed when it captured → `Capture`.

Profilers of 2019 to 2021 wrote them, some without the capture itself. They show how long steps took and how each
divided, not when: the steps are laid end to end, and every page that needs a timeline says that there is none. Ops are
sums, so they are aggregates, and so are kernels and what was live at an allocator's peak. Read beside the file that is
named: `.tensorflow_stats`, `.pod_viewer`, `.kernel_stats`, `.memory_profile`. One of the last two may also stand alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from ... import units
from ...errors import NotFoundError, UnreadableError
from ...formats import Format
from ...messages import Message, message
from ...tables import (
    RECORDED_PEAK,
    RECORDED_SELF_PS,
    RECORDED_SIDE,
    RECORDED_STEPS,
    RECORDED_TYPE,
    Capture,
    PlaneKind,
    TrackKind,
)
from ..common.build import Builder
from ..common.places import Value
from ..common.source import Source, is_file, open_source
from . import report as reports
from .kernel_stats import kernel_stats
from .memory_json import memory_profile
from .report import Report, Step

#: What is read beside the file that is named.
_BESIDE = (".tensorflow_stats.pb", ".pod_viewer.json", ".kernel_stats.pb", ".memory_profile.json")
#: The largest seen is 2.8 MB.
MAX_BYTES = 64 << 20
_PS_PER_MS, _PS_PER_NS = 10**9, 1000
#: 53 days. Steps beyond are no steps.
_MOST_PS = 1 << 62
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
    host = builder.plane("/host:CPU", PlaneKind.CPU, stats=dict(report.facts))
    _sums(builder, host, report, ("host", "input"))
    _memory(builder, host, report)
    if kind == PlaneKind.CPU:
        _steps(builder, host, report.steps, begin_ps)
        return builder.capture(Format.TOOL_FILES, "", None, warnings)
    cores = list(report.cores.values()) or [report.steps]
    attributes: Mapping[str, Value] = {"device_type_string": report.device_type} if report.device_type else {}
    for ordinal in range(max(report.devices, len(cores))):
        plane = builder.plane(f"/device:{kind.name}:{ordinal}", kind, ordinal, attributes)
        if ordinal < len(cores):
            _steps(builder, plane, cores[ordinal], begin_ps)
        if not ordinal:
            _sums(builder, plane, report, ("device",))
            _kernels(builder, plane, report)
    return builder.capture(Format.TOOL_FILES, "", None, warnings)


def _begin(report: Report) -> int:
    """Where steps are laid: after all that has a time, so that nothing seems to lie in one of them."""
    return max((mark.at_ps + 1 for mark in report.memory), default=0)


def _steps(builder: Builder, plane: int, steps: list[Step], at: int) -> None:
    if not steps:
        return
    track = builder.track(plane, 0, RECORDED_STEPS, TrackKind.DERIVED)
    for step in steps:
        wall = round(step.wall_ms * _PS_PER_MS)
        if at + wall > _MOST_PS:
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


_BINARY = {**reports.BINARY, ".tensorflow_stats.pb": reports.op_stats, ".kernel_stats.pb": kernel_stats}
_JSON = {**reports.JSON, ".pod_viewer.json": reports.pod, ".memory_profile.json": memory_profile}
