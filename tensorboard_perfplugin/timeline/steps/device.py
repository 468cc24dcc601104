"""Steps that the collector put on a device's plane: its line of steps, else, on a TPU, of modules."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...messages import Message, message
from ...tables import I64, U8, Capture, PlaneKind
from ...threshold import CHOSEN, Threshold
from ..devices.activity import planes_at_work
from ..timeline import Timeline, is_integer
from ..tracks.tracks import device_planes, rows_of, sparse_cores
from .build import Draft, built
from .model import Confidence, Cut, Steps
from .rows import ends, shown, whole_percent
from .workers import hulls, of_workers

_STEPS = ("Steps", "Sparse Core Steps")
_MODULES = ("XLA Modules", "Sparse Core Modules")
CUT_BELOW = Threshold(
    "cut step on a device",
    0.8,
    "share",
    "a first or last step shorter than this part of the typical one is cut by the capture",
    CHOSEN,
)
LEADS = Threshold(
    "leading module",
    0.5,
    "share",
    "runs of a module with this part of all modules' time are likely the steps; with less they are a guess",
    CHOSEN,
)


class _Parts(NamedTuple):
    """Pieces of steps on devices: the step each belongs to."""

    rows: I64
    step: I64


def device_steps(timeline: Timeline) -> Steps | None:
    """The hulls of the steps on devices."""
    return _lines(timeline) or _modules(timeline)


def lines(capture: Capture, plane: int, names: tuple[str, ...]) -> I64:
    """Event rows of a plane's first line of one of the names that holds any."""
    tracks = np.flatnonzero(capture.tracks.plane == plane)
    for name in names:
        rows = rows_of(capture, tracks[capture.tracks.name[tracks] == capture.strings.find(name)])
        if len(rows):
            return rows
    return np.empty(0, np.int64)


def _lines(timeline: Timeline) -> Steps | None:
    capture = timeline.capture
    at_work = planes_at_work(timeline)
    held = [(plane, rows) for plane in device_planes(capture) if len(rows := lines(capture, plane, _STEPS))]
    planes = _chips(capture, [(plane, rows) for plane, rows in held if at_work[plane]] or held)
    if not planes:
        return None
    parts = [_keyed(timeline, rows) for _, rows in planes]
    rows, step = np.concatenate([p.rows for p in parts]), np.concatenate([p.step for p in parts])
    count = len(np.unique(step))
    where = shown(capture.strings[int(capture.planes.name[planes[0][0]])])
    evidence = message("steps_seen.line", device=where, more=len(planes) - 1 or None, steps=count, one=count == 1)
    is_tpu = capture.planes.kind[planes[0][0]] == PlaneKind.TPU
    names = {int(s): capture.event_name(int(r)) for s, r in zip(step[::-1], rows[::-1], strict=True)}
    draft = _hulls(capture, _Parts(rows, step), evidence)
    draft.confidence = "certain" if is_tpu else "likely"
    draft.names = [names[n][:200] or str(n) for n in draft.number.tolist()]
    if (draft.lane >= 0).any():
        draft.names = of_workers(capture, draft.rows, draft.names)
    fragments = len(rows) - len({(int(s), int(t)) for s, t in zip(step, capture.events.track[rows], strict=True)})
    draft.others = {Message("not_steps.pieces"): fragments}
    return built(draft)


def _chips(capture: Capture, found: list[tuple[int, I64]]) -> list[tuple[int, I64]]:
    """Without SparseCores whose TensorCore has lines, too: what they do for a step may end after it."""
    planes, chip = {plane for plane, _ in found}, sparse_cores(capture)
    return [(plane, rows) for plane, rows in found if chip.get(plane) not in planes]


def _keyed(timeline: Timeline, rows: I64) -> _Parts:
    """The step of each event of one line: its group, else the number that its name is, else its place."""
    group, kind = timeline.stat_of("group_id", rows)
    if is_integer(kind).all():
        return _Parts(rows, group)
    names = timeline.capture.strings.of(timeline.capture.events.name[rows])
    if all(name.isdecimal() and len(name) < 19 for name in names):
        return _Parts(rows, np.array([int(name) for name in names], np.int64))
    return _Parts(rows, np.arange(len(rows)))


def _hulls(capture: Capture, parts: _Parts, evidence: Message) -> Draft:
    """One step for each number and worker, from its first piece's begin to its last one's end."""
    rows, number, begin, end, lane = hulls(capture, parts.rows, parts.step)
    names = [str(n) for n in number.tolist()]
    cut = short_ends(begin, end)
    return Draft("device_steps", "likely", evidence, rows, number, names, begin, end, lane, cut, True)


def short_ends(begin: I64, end: I64) -> U8:
    """`Cut` flags: the first and the last step by begin, where they are too short to be whole."""
    cut = np.zeros(len(begin), np.uint8)
    if len(begin) < 4:
        return cut
    order = np.argsort(begin, kind="stable")
    length = (end - begin)[order]
    typical = np.median(length[1:-1]) * CUT_BELOW.value
    if length[0] < typical:
        cut[order[0]] |= Cut.BEGIN
    if length[-1] < typical:
        cut[order[-1]] |= Cut.END
    return cut


def _modules(timeline: Timeline) -> Steps | None:
    """The runs of the module that takes most of the time of the TPU that is busiest with modules."""
    capture = timeline.capture
    tpus = [plane for plane in device_planes(capture) if capture.planes.kind[plane] == PlaneKind.TPU]
    candidates = _chips(capture, [(plane, rows) for plane in tpus if len(rows := lines(capture, plane, _MODULES))])
    if not candidates:
        return None
    plane, rows = max(candidates, key=lambda item: int(capture.events.duration_ps[item[1]].sum()))
    module, names = _base_names(capture, rows)
    count = np.bincount(module)
    spent = np.bincount(module, weights=capture.events.duration_ps[rows].astype(float))
    spent[count < 2] = -1
    most = int(np.argmax(spent))
    if count[most] < 2:
        return None
    runs = rows[module == most]
    begin, end = capture.events.start_ps[runs], ends(capture, runs)
    share = spent[most] / max(1.0, float(capture.events.duration_ps[rows].sum()))
    where = shown(capture.strings[int(capture.planes.name[plane])])
    evidence = message(
        "steps_seen.module", module=shown(names[most]), times=len(runs), device=where, percent=whole_percent(share)
    )
    label = [f"{names[most][:100]} {i}" for i in range(len(runs))]
    number, lane = np.arange(len(runs)), capture.events.track[runs]
    sure: Confidence = "likely" if share >= LEADS.value else "guess"
    steps = Draft("device_steps", sure, evidence, runs, number, label, begin, end, lane, None, True)
    ranked = [i for i in np.argsort(-spent, kind="stable").tolist() if i != most][:5]
    steps.others = {message("not_steps.module_runs", module=shown(names[i])): int(count[i]) for i in ranked}
    return built(steps)


def _base_names(capture: Capture, rows: I64) -> tuple[I64, list[str]]:
    """By row a number for its module, whose program's id is left out; and the modules' names."""
    ids, which = np.unique(capture.events.name[rows], return_inverse=True)
    bases = [_base(text) for text in capture.strings.of(ids)]
    index = {base: i for i, base in enumerate(dict.fromkeys(bases))}
    return np.array([index[base] for base in bases], np.int64)[which.reshape(-1)], list(index)


def _base(name: str) -> str:
    """`jit_f` of `jit_f(12)`."""
    base, _, program = name.rpartition("(")
    return base if program[-1:] == ")" and program[:-1].isdecimal() else name
