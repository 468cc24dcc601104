"""Steps of a host that only issues work and runs ahead → steps timed by that work on devices."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...messages import Message, message
from ...tables import I64, Capture
from ...threshold import CHOSEN, Threshold
from ..names.op_names import copy_op
from ..ops.ops import ops_of
from ..steps.model import Cut, Steps
from ..timeline import Timeline
from .assign import Assignment, How
from .work import has_known_step

FEWEST = Threshold("steps with a cadence", 3, "steps", "fewer steps with work on devices have no cadence", CHOSEN)
KNOWN = Threshold(
    "work of steps",
    0.5,
    "share",
    "so much of what devices did must be known to belong to steps for them to time steps",
    CHOSEN,
)
SLOWER = Threshold(
    "device slower than host",
    1.25,
    "times",
    "devices that need more than so many times the host's time from step to step, or for its only one, time the steps; "
    "with less the host waits for them, and its marks tell the time",
    CHOSEN,
)
MAIN_STREAM = Threshold(
    "main stream",
    0.1,
    "share",
    "streams with at least this part of what devices ran show when a step's work begins; a small kernel elsewhere need "
    "not wait",
    CHOSEN,
)
SLOWER_AND_LATE = Threshold(
    "device slower and late",
    1.05,
    "times",
    "the least that devices need where the work of most steps begins after the host is done",
    CHOSEN,
)
LATE = Threshold(
    "late work", 0.5, "share", "so many steps' work must begin after the host is done with them to be late", CHOSEN
)


class _Work(NamedTuple):
    """Steps that have work on devices, ascending, and when the first of it began and the last ended.

    known: of what devices ran from the first to the last, the share whose step is known by its cause.
    """

    step: I64
    begin_ps: I64
    end_ps: I64
    known: float


def retimed(timeline: Timeline, steps: Steps, assignment: Assignment) -> Steps:
    """The same steps, timed by the work on devices if the host issues it much faster than they do it; else `steps`.

    Then the host is ahead by a step and more in the end. A host that is some steps ahead and as slow as the devices,
    since it waits for them, keeps its own times. Of too few steps to speak of a cadence, all work must begin when the
    host has ended them, and take longer than they.
    """
    if steps.on_device or not len(steps) or len(np.unique(steps.lane)) > 1 or (steps.row < 0).any():
        return steps
    if len(steps) < FEWEST.value:
        return _of_few(timeline, steps, assignment)
    if _ends_with(timeline, steps, assignment):
        return steps
    work = _work(timeline, assignment)
    if len(work.step) < FEWEST.value or work.known < KNOWN.value:
        return steps
    lag = work.begin_ps - steps.begin_ps[work.step]
    # What compiled before its first kernel ran lags most; the host runs ahead from the least lag on.
    least = int(np.argmin(lag[: (len(lag) + 1) // 2]))
    step = work.step[least:]
    host, device = (
        int(begin[-1] - begin[0]) / int(step[-1] - step[0]) for begin in (steps.begin_ps[step], work.begin_ps[least:])
    )
    late = np.mean(work.begin_ps[least:] >= steps.until_ps[step]) > LATE.value
    if lag[-1] < host or device <= host * (SLOWER_AND_LATE if late else SLOWER).value:
        return steps
    return _moved(
        steps, work, message("steps_seen.timed_on_device", seen=steps.evidence, host_ps=host, device_ps=device)
    )


def _of_few(timeline: Timeline, steps: Steps, assignment: Assignment) -> Steps:
    """A batch or two that a server issued while devices were at work on those before the capture."""
    work = _work(timeline, assignment)
    known = len(work.step) == len(steps) and work.known >= KNOWN.value
    if not known or not _is_behind(steps, work):
        return steps
    if int((work.end_ps - work.begin_ps).sum()) <= SLOWER.value * int(steps.wall_ps.sum()):
        return steps
    return _moved(steps, work, message("steps_seen.timed_on_device_after_host", seen=steps.evidence))


def _is_behind(steps: Steps, work: _Work) -> bool:
    """Whether devices begin the last step's work when the host has ended it, or need longer than the host from the one
    of two steps to the other."""
    if work.begin_ps[-1] >= steps.until_ps[-1]:
        return True
    if len(steps) < 2 or work.end_ps[0] <= steps.begin_ps[1]:
        return False
    return int(work.end_ps[1] - work.end_ps[0]) > SLOWER.value * int(steps.begin_ps[1] - steps.begin_ps[0])


def _ends_with(timeline: Timeline, steps: Steps, assignment: Assignment) -> bool:
    """Whether the work on devices ends with the last step's, all of it begun before another step would.

    That is quicker to find than when the work of each step was.
    """
    rows = ops_of(timeline).device.rows
    if not len(rows):
        return True
    begin = timeline.capture.events.start_ps[rows]
    last = int(begin.argmax())
    behind = int(begin[last]) - int(steps.begin_ps[-1])
    of_last = assignment.step[rows[last]] == len(steps) - 1 and assignment.how[rows[last]] == How.CAUSE
    n = len(steps)
    first = np.arange((n + 1) // 2)
    cadence = (steps.begin_ps[-1] - steps.begin_ps[first]) / (n - 1 - first)
    return bool(of_last) and behind < cadence.min()


def _work(timeline: Timeline, assignment: Assignment) -> _Work:
    """The work of steps that is known by its cause: kernels where there are any, since inputs are copied ahead."""
    events, rows = timeline.capture.events, ops_of(timeline).device.rows
    copies = _are_copies(timeline.capture, rows)
    rows = rows if copies.all() else rows[~copies]
    known = has_known_step(timeline, assignment, rows)
    begin, caused = events.start_ps[rows], rows[known]
    n, never = len(assignment.steps), np.iinfo(np.int64).max
    first, last, on_main = np.full(n, never), np.full(n, -1), np.full(n, never)
    main = caused[_on_main_streams(timeline.capture, rows)[known]]
    np.minimum.at(first, assignment.step[caused], begin[known])
    np.minimum.at(on_main, assignment.step[main], events.start_ps[main])
    first = np.where(on_main < never, on_main, first)
    np.maximum.at(last, assignment.step[caused], begin[known] + events.duration_ps[caused])
    has = np.flatnonzero(last >= 0)
    if not len(has):
        return _Work(has, has, has, 0.0)
    meanwhile = (begin >= first.min()) & (begin < last.max())
    return _Work(has, np.maximum.accumulate(first[has]), last[has], float(known[meanwhile].mean()))


def _on_main_streams(capture: Capture, rows: I64) -> NDArray[np.bool_]:
    """Which of some device events are on streams that have a part of their time worth mentioning."""
    track = capture.events.track[rows]
    spent = np.bincount(track, weights=capture.events.duration_ps[rows], minlength=len(capture.tracks))
    is_main: NDArray[np.bool_] = (spent >= MAIN_STREAM.value * spent.sum())[track]
    return is_main


def _are_copies(capture: Capture, rows: I64) -> NDArray[np.bool_]:
    """Which of some device events copy or fill memory, by name."""
    names = capture.events.name[rows]
    used = np.zeros(len(capture.strings), bool)
    used[names] = True
    copies = np.zeros(len(capture.strings), bool)
    for i in np.flatnonzero(used).tolist():
        copies[i] = copy_op(capture.strings[i]) is not None
    is_copy: NDArray[np.bool_] = copies[names]
    return is_copy


def _moved(steps: Steps, work: _Work, evidence: Message) -> Steps:
    """Steps at the times of their work. One without any has no time of its own, and is cut where it is at an end."""
    place = np.searchsorted(work.step, np.arange(len(steps)), side="right") - 1
    has_work = np.zeros(len(steps), bool)
    has_work[work.step] = True
    before = place < 0
    end = np.where(before, work.begin_ps[0], work.end_ps[place])
    begin = np.maximum.accumulate(np.where(has_work, work.begin_ps[place], end))
    end = np.maximum(end, begin)
    after = np.append(begin[1:], -1)
    tail = np.arange(len(steps)) > work.step[-1]
    after[work.step[-1] :] = -1
    if steps.next_ps[-1] >= 0 and not tail.any():
        after[-1] = end[-1]
    cut = steps.cut | np.where(before, Cut.BEGIN, 0).astype(np.uint8) | np.where(tail, Cut.END, 0).astype(np.uint8)
    return dataclasses.replace(
        steps, evidence=evidence, begin_ps=begin, end_ps=end, next_ps=after, cut=cut, on_device=True
    )
