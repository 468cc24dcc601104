"""One event of a timeline → what the timeline knows of it beyond its stats: op, step, launch, bytes and rates."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ...analysis.kernels.merged import joined
from ...analysis.kernels.rows import COPY_DETAILS, configurations
from ...tables import StatKind
from ...timeline.assignment import How, assignment_of
from ...timeline.causes import launches_of
from ...timeline.names.kernels import copy_details
from ...timeline.names.ops import Op
from ...timeline.ops.ops import are_calls, device_calls_of, ops_of
from ...timeline.ops.pytorch import stacks
from ...timeline.timeline import Timeline
from .near import Near

Fact = tuple[str, str, object]
#: Frames of a Python stack that are listed of one event, the innermost.
STACK_FRAMES = 20


def facts(timeline: Timeline, row: int) -> Iterator[Fact]:
    near = Near(timeline)
    category = near.category(row)
    if category:
        yield "event", "category", category
    yield from _op(timeline, row)
    yield from _step(timeline, row)
    if near.on_device(row):
        yield from _launch(near, row)
        yield from _kernel(timeline, row)
        yield from _copy(timeline, row)


def _op(timeline: Timeline, row: int) -> Iterator[Fact]:
    for executed in (ops_of(timeline).device, ops_of(timeline).host):
        at = int(np.searchsorted(executed.rows, row))
        if at < len(executed.rows) and int(executed.rows[at]) == row:
            op = ops_of(timeline).ops[int(executed.op[at])]
            yield "event", "op", op.name
            yield "event", "op_type", op.type
            if op.module:
                yield "event", "module", op.module
            yield from _called_from(timeline, row, op)
            return


def _called_from(timeline: Timeline, row: int, op: Op) -> Iterator[Fact]:
    """Of an operator of PyTorch, or of what it launched, the modules (`nn.Module`) and the Python frames around it."""
    at = int(np.searchsorted(ops_of(timeline).device.rows, row))
    on_device = at < len(ops_of(timeline).device.rows) and int(ops_of(timeline).device.rows[at]) == row
    call = int(device_calls_of(timeline)[at]) if on_device else row
    if call < 0 or not are_calls(timeline, np.array([call])).any():
        return
    scope = op.name.removesuffix(op.type).rstrip("/")
    if scope:
        yield "event", "nn_module", scope
    numbers, texts = stacks(timeline, np.array([call]), STACK_FRAMES)
    if stack := texts[int(numbers[0])]:
        yield "event", "python_stack", stack.removeprefix("← ")


def _step(timeline: Timeline, row: int) -> Iterator[Fact]:
    assigned = assignment_of(timeline)
    if assigned.step[row] >= 0:
        yield "event", "step", assigned.steps.name[int(assigned.step[row])]
        yield "event", "step_known_by", "cause" if assigned.how[row] == How.CAUSE else "time"


def _launch(near: Near, row: int) -> Iterator[Fact]:
    launch = int(launches_of(near.timeline).rows[row])
    if launch >= 0:
        yield "event", "launch_delay_ps", near.start(row) - near.start(launch)


def _text(timeline: Timeline, key: str, row: int) -> str:
    value, kind = timeline.stat_of(key, np.array([row]))
    return timeline.capture.strings[int(value[0])] if kind[0] == StatKind.TEXT else ""


def _kernel(timeline: Timeline, row: int) -> Iterator[Fact]:
    of_kernels = timeline.capture.kernel_launches
    at = of_kernels.events.of(np.array([row]))
    if at[0] < 0:
        return
    [launch] = configurations(of_kernels.launches, at)
    facts = {
        "grid": joined(launch.grid),
        "block": joined(launch.block),
        "registers": launch.registers,
        "shared_bytes": launch.shared,
    }
    yield from (("event", key, value) for key, value in facts.items() if value is not None)
    for key in ("occupancy_percent", "achieved_percent"):
        percent = float(getattr(of_kernels.launches, key)[at[0]])
        if not math.isnan(percent):
            yield "event", key, percent


def _copy(timeline: Timeline, row: int) -> Iterator[Fact]:
    text = next((found for key in COPY_DETAILS if (found := _text(timeline, key, row))), "")
    if not text:
        return
    copy, length = copy_details(text), int(timeline.capture.events.duration_ps[row])
    if copy.source:
        yield "event", "source", copy.source
    if copy.destination:
        yield "event", "destination", copy.destination
    if copy.size is not None:
        yield "event", "bytes", copy.size
        if copy.size and length:
            yield "event", "gb_s", f"{copy.size / length * 1000:.4g}"
