"""Marks that the program made itself: events with a root level, or the groups that old TensorFlow wrote down."""

from __future__ import annotations

import dataclasses
import re

import numpy as np

from ...messages import Message, message
from ...tables import I64, U8, Capture, StatKind, TrackKind, among
from ...threshold import CHOSEN, Threshold
from ..devices.activity import planes_at_work
from ..nesting import enclosing_of
from ..timeline import Timeline, is_integer
from ..tracks.tracks import device_planes
from .build import Draft, bounded, built, decimals, of_events, texts
from .model import Steps
from .nested import loops
from .rows import Flags, ends, host_rows, name_ids, names_where, outermost, shown
from .workers import Hulls, hulls, of_workers

#: Roots that a runtime makes of its own accord.
_IMPLICIT = ("FunctionRun", "SessionRun", "RunGraph", "ExecutorState::Process")
STUB = Threshold(
    "stub of a step",
    0.5,
    "share",
    "a last mark shorter than this part of the median, and beside one other with so few events, is what was begun when "
    "the profiler stopped",
    CHOSEN,
)
_NUMBER_AT_END = re.compile(r"\d+$")
#: Roots though their events do not say so, by level.
_LEVELS = {1: ("TraceContext", "BatchingSessionRun"), 2: ("ProcessBatch", "OrbaxServing::ProcessBatch")}


def markers(timeline: Timeline) -> Steps | None:
    """Roots of the highest level, else groups."""
    return _explicit(timeline) or _groups(timeline)


def _explicit(timeline: Timeline) -> Steps | None:
    capture = timeline.capture
    rows = host_rows(capture)
    level = _levels(timeline, rows)
    root = (level > 0) & ~among(capture.events.name[rows], name_ids(capture, _IMPLICIT))
    rows, level = rows[root], level[root]
    if not len(rows):
        return None
    top = outermost(capture, rows)
    top &= level == level[top].max()
    inner, rows = rows[~top], rows[top]
    value, kind, has_number = _numbers(timeline, rows)
    value = np.where(has_number, value, -1 - np.arange(len(rows)))
    keep = one_an_iteration(capture, rows, value)
    again = of_other_processes(capture, rows, value)
    others = loops(timeline)
    others.update(counts(capture, inner, "not_steps.beside"))
    others.update(counts(capture, rows[~keep & ~again], "not_steps.same_number"))
    keep &= ~again
    repeats = rows[again]
    order = np.flatnonzero(keep)[np.argsort(capture.events.start_ps[rows[keep]], kind="stable")]
    rows, kind = rows[order], kind[order]
    value = np.where(has_number[order], value[order], np.arange(len(rows)))
    names = texts(_prefixes(timeline, rows), decimals(value, kind))
    processes = 1 + len(np.unique(capture.tracks.plane[capture.events.track[repeats]]))
    evidence = _marks(capture, rows, processes - 1)
    draft = of_events(capture, rows, "markers", "certain", evidence, bounded(value, kind), names)
    draft.others = others
    steps = built(draft)
    if capture.capabilities.steps_are_apart:
        return dataclasses.replace(steps, next_ps=steps.end_ps.copy(), cut=np.zeros_like(steps.cut))
    return with_last(capture, steps) if capture.capabilities.last_step_is_whole else steps


def with_last(capture: Capture, steps: Steps) -> Steps:
    """PyTorch ends the last step's mark as it ends the others', so its time counts, too.

    Not where the profiler stopped soon after that mark began: `step()` after the last batch begins one more. Where one
    other step alone tells how long they take, which as the first may be longer, it also counts if it runs as much.
    """
    is_last = steps.next_ps < 0
    last, others = np.flatnonzero(is_last), np.flatnonzero(~is_last)
    enough = _enough(steps.span_ps, last, others)
    if len(others) == 1 and not enough.all():
        ran = _events_within(capture, steps)
        enough |= _enough(ran, last, others) & (ran[last] > 0)
    last = last[enough]
    after = steps.next_ps.copy()
    after[last] = steps.end_ps[last]
    return dataclasses.replace(steps, next_ps=after)


def _enough(size: I64, last: I64, others: I64) -> Flags:
    typical = float(np.median(size[others])) if len(others) else 0.0
    return np.asarray(size[last] >= typical * STUB.value)


def _events_within(capture: Capture, steps: Steps) -> I64:
    """How many events begin in each step's mark, on its thread."""
    events, tracks = capture.events, capture.tracks
    found = np.zeros(len(steps), np.int64)
    for i, (row, end) in enumerate(zip(steps.row.tolist(), steps.end_ps.tolist(), strict=True)):
        until = int(tracks.events_end[events.track[row]])
        found[i] = np.searchsorted(events.start_ps[row + 1 : until], end)
    return found


def _levels(timeline: Timeline, rows: I64) -> I64:
    """The root level of each event, 0 where it has none."""
    capture = timeline.capture
    value, kind = timeline.stat_of("_r", rows)
    level = np.where(is_integer(kind), value, 0)
    for known, names in _LEVELS.items():
        ids = name_ids(capture, names)
        if len(ids):
            level[(level == 0) & among(capture.events.name[rows], ids)] = known
    return level


def _numbers(timeline: Timeline, rows: I64) -> tuple[I64, U8, Flags]:
    """Step number of each mark, its kind, and whether there is one: the mark's own, else that of what is around it."""
    value, kind = timeline.stat_of("iter_num", rows)
    has_number = is_integer(kind)
    step, step_kind = timeline.stat_of("step_num", rows)
    value, kind = np.where(has_number, value, step), np.where(has_number, kind, step_kind)
    has_number = is_integer(kind)
    if has_number.all():
        return value, kind, has_number
    all_value, all_kind = timeline.stat("step_num")
    numbered = is_integer(all_kind)
    if numbered.any():
        around = enclosing_of(timeline, numbered, rows)
        takes = ~has_number & (around >= 0)
        value, kind = np.where(takes, all_value[around], value), np.where(takes, all_kind[around], kind)
        has_number |= takes
    return value, kind, has_number


def _prefixes(timeline: Timeline, rows: I64) -> list[str]:
    """What stands before the number: the kind of graph where the mark says it, else the mark's name."""
    value, kind = timeline.stat_of("graph_type", rows)
    return timeline.capture.strings.of(np.where(kind == StatKind.TEXT, value, timeline.capture.events.name[rows]))


def one_an_iteration(capture: Capture, rows: I64, number: I64) -> Flags:
    """Which marks begin an iteration, where several of different names carry its number one after the other.

    `load 7`, `train 7` are one iteration; of each such run the name that has most time stays.
    """
    name = capture.events.name[rows]
    if len(rows) < 2 or (name == name[0]).all():
        return np.ones(len(rows), bool)
    track = capture.events.track[rows]
    run = np.cumsum(np.append(True, (track[1:] != track[:-1]) | (number[1:] != number[:-1]))) - 1
    spent = np.bincount(name, weights=capture.events.duration_ps[rows].astype(float))[name]
    most = np.zeros(int(run[-1]) + 1)
    np.maximum.at(most, run, spent)
    return np.asarray(spent >= most[run])


def of_other_processes(capture: Capture, rows: I64, number: I64) -> Flags:
    """Which marks have the number of one of the process that has most of them: ranks whose traces were put together."""
    plane = capture.tracks.plane[capture.events.track[rows]]
    most = np.bincount(plane).argmax() if len(rows) else 0
    others: Flags = (plane != most) & among(number, number[plane == most])
    return others


def counts(capture: Capture, rows: I64, code: str) -> dict[Message, int]:
    """How many events of each name there are, the five most frequent. code: what is said of a name."""
    ids, count = np.unique(capture.events.name[rows], return_counts=True)
    first = np.argsort(-count, kind="stable")[:5]
    return {message(code, name=shown(capture.strings[int(ids[i])])): int(count[i]) for i in first}


def _marks(capture: Capture, rows: I64, processes: int) -> Message:
    """How many events of which names mark steps; names that differ in a number at their end alone are one."""
    ids, count = np.unique(capture.events.name[rows], return_counts=True)
    names: dict[str, int] = {}
    for name, n in zip((shown(capture.strings[int(i)]) for i in ids), count.tolist(), strict=True):
        alike = _NUMBER_AT_END.sub("", name) or name if len(ids) > 1 else name
        names[alike] = names.get(alike, 0) + n
    first = sorted(names.items(), key=lambda item: -item[1])[:3]
    return message(
        "steps_seen.marks",
        names=tuple(message("steps_seen.mark", name=name, times=n) for name, n in first),
        more=len(names) - 3 if len(names) > 3 else None,
        one=len(rows) == 1,
        processes=processes or None,
    )


def _groups(timeline: Timeline) -> Steps | None:
    """Groups of events: the marker of each, else the hull of its work on devices."""
    capture = timeline.capture
    if capture.strings.find("group_id") < 0:
        return None
    group, kind = timeline.stat("group_id")
    grouped = np.flatnonzero(is_integer(kind))
    if not len(grouped):
        return None
    rows = _group_marks(timeline, grouped, group)
    begin, end = capture.events.start_ps[rows], ends(capture, rows)
    lane = capture.events.track[rows].astype(np.int64)
    hull, _, hull_begin, hull_end, hull_lane = _hulls(timeline, grouped, group, group[rows])
    rows = np.concatenate((rows, hull))
    if not len(rows):
        return None
    begin, end = np.concatenate((begin, hull_begin)), np.concatenate((end, hull_end))
    lane = np.concatenate((lane, hull_lane))
    evidence = message("steps_seen.groups", groups=len(rows), one=len(rows) == 1, marked=len(hull) < len(rows))
    names = _group_names(timeline, rows, group)
    if (hull_lane >= 0).any():
        names = [*names[: len(names) - len(hull)], *of_workers(capture, hull, names[len(names) - len(hull) :])]
    on_device = len(hull) == len(rows)
    draft = Draft("markers", "likely", evidence, rows, group[rows], names, begin, end, lane, None, on_device)
    draft.others = {Message("not_steps.unmarked_groups"): len(np.unique(group[grouped])) - len(rows)}
    return built(draft)


def _group_names(timeline: Timeline, rows: I64, group: I64) -> list[str]:
    value, kind = timeline.stat_of("step_name", rows)
    given = timeline.capture.strings.of(np.where(kind == StatKind.TEXT, value, 0))
    return [text[:200] or str(number) for text, number in zip(given, group[rows].tolist(), strict=True)]


def _group_marks(timeline: Timeline, grouped: I64, group: I64) -> I64:
    """The longest marker of each group that has one, on host threads."""
    capture = timeline.capture
    rows = np.intersect1d(grouped, host_rows(capture), assume_unique=True)
    marked = names_where(
        capture, rows, lambda name: name.startswith(("train", "test", "TraceContext")) and "/" not in name
    )
    named = timeline.stat_of("step_name", rows)[1] == StatKind.TEXT
    rows = rows[marked[capture.events.name[rows]] | named]
    rows = rows[np.lexsort((-capture.events.duration_ps[rows], group[rows]))]
    first: I64 = rows[np.unique(group[rows], return_index=True)[1]]
    return first


def _hulls(timeline: Timeline, grouped: I64, group: I64, marked: I64) -> Hulls:
    """The device work of each group that has no marker, by worker."""
    capture = timeline.capture
    track = capture.events.track[grouped]
    on_device = among(capture.tracks.plane, device_planes(capture)) & (capture.tracks.kind != TrackKind.DERIVED)
    rows = grouped[on_device[track]]
    rows = rows[~among(group[rows], marked)]
    rows = rows[planes_at_work(timeline)[capture.tracks.plane[capture.events.track[rows]]]]
    return hulls(capture, rows, group[rows])
