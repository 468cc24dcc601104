"""A timeline of PyTorch's operators → optimizers that update one parameter after another, by a few kernels each."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I32, I64, Evidence, PlaneKind, at_once
from ...timeline import Timeline, launches_of, nearest, nesting_of, op_around_of, ops_of
from .inside import total_ps

#: PyTorch's own mark around a step of every optimizer.
_STEP = re.compile(r"Optimizer\.step#(\w{1,60})\.step")
#: What updates one tensor, and what updates many at once.
_ONE_TENSOR = re.compile(
    r"aten::(?:add|sub|mul|div|neg|sqrt|rsqrt|reciprocal|lerp|addcmul|addcdiv|maximum|copy|zero|fill|sign|pow|abs)_?"
)
_MANY_TENSORS = re.compile(r"aten::_(?:foreach|fused)_\w+")
_PLACES = 3


class OptimizerSteps(NamedTuple):
    """Steps of the optimizers of one class, those that ran something on a GPU. kernels: of ops on one tensor each.

    kernel_ps, all_ps: their time, and that of all that the steps launched. device_ps: from the first to the last
    kernel of each step, together; of_ps: from the first to the last kernel of the capture. places: on the host.
    """

    name: str
    steps: int
    kernels: int
    kernel_ps: float
    all_ps: float
    device_ps: float
    of_ps: float
    places: tuple[Evidence, ...]

    @property
    def share(self) -> float:
        return min(self.device_ps / self.of_ps, 1.0) if self.of_ps else 0.0


def optimizer_steps(timeline: Timeline) -> list[OptimizerSteps]:
    """By class, that which keeps GPUs longest first."""
    events = timeline.capture.events
    steps = timeline.capture.events_named(_STEP)
    rows = ops_of(timeline).device.rows if len(steps) else steps
    if not len(rows):
        return []
    rows = rows[_on_gpu(timeline, rows)]
    launch = launches_of(timeline).rows[at_once(rows)]
    is_step = np.zeros(len(events), bool)
    is_step[steps] = True
    step = np.where(launch >= 0, nearest(nesting_of(timeline).parent, is_step)[launch], -1)
    begin, end = events.start_ps[at_once(rows)], events.start_ps[at_once(rows)] + events.duration_ps[at_once(rows)]
    of_ps = float(end.max() - begin.min()) if len(rows) else 0.0
    mine = step >= 0
    rows, step = rows[mine], step[mine].astype(np.int64)
    name = events.name[step]
    found = (_of_class(timeline, rows[name == one], step[name == one], of_ps) for one in np.unique(name).tolist())
    return sorted(found, key=lambda each: -each.device_ps)


def _on_gpu(timeline: Timeline, rows: I64) -> NDArray[np.bool_]:
    capture = timeline.capture
    plane = capture.tracks.plane[capture.events.track[at_once(rows)]]
    on_gpu: NDArray[np.bool_] = (capture.planes.kind == PlaneKind.GPU)[plane]
    return on_gpu


def _of_class(timeline: Timeline, rows: I64, step: I64, of_ps: float) -> OptimizerSteps:
    """rows: of what ran on GPUs. step: the row of the step that launched each."""
    events = timeline.capture.events
    begin, end = events.start_ps[rows], events.start_ps[rows] + events.duration_ps[rows]
    distinct, which = np.unique(step, return_inverse=True)
    first, last = np.full(len(distinct), np.iinfo(np.int64).max), np.zeros(len(distinct), np.int64)
    np.minimum.at(first, which, begin)
    np.maximum.at(last, which, end)
    singly = _are_singly(timeline, launches_of(timeline).rows[rows])
    longest = distinct[np.argsort(-events.duration_ps[distinct], kind="stable")[:_PLACES]]
    name = _STEP.fullmatch(timeline.capture.strings[int(events.name[step[0]])])
    return OptimizerSteps(
        name[1] if name else "",
        len(distinct),
        int(np.count_nonzero(singly)),
        total_ps(timeline, rows[singly]),
        total_ps(timeline, rows),
        float((last - first).sum()),
        of_ps,
        tuple(_place(timeline, row) for row in longest.tolist()),
    )


def _are_singly(timeline: Timeline, launch: I32) -> NDArray[np.bool_]:
    """Which launches are of ops on one tensor, that no op for many calls."""
    events, capture = timeline.capture.events, timeline.capture
    called = op_around_of(timeline)[launch]
    names, of = np.unique(np.where(called >= 0, events.name[called], 0), return_inverse=True)
    on_one = np.array([bool(_ONE_TENSOR.fullmatch(capture.strings[i])) for i in names.tolist()], bool)[of]
    on_many = np.zeros(len(events), bool)
    on_many[capture.events_named(_MANY_TENSORS)] = True
    singly: NDArray[np.bool_] = on_one & (nearest(nesting_of(timeline).parent, on_many)[launch] < 0)
    return singly


def _place(timeline: Timeline, row: int) -> Evidence:
    events = timeline.capture.events
    begin = int(events.start_ps[row])
    return Evidence(timeline.host, begin, begin + int(events.duration_ps[row]), int(events.track[row]))
