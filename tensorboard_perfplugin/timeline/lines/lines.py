"""A timeline → the derived lines of each device, those that hold anything and that the capture lacks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import numpy as np

from ..assignment import assignment_of
from ..timeline import Timeline
from ..tracks import device_planes
from . import framework, xla
from .framework import Framework
from .kernels import kernels_of
from .merge import Room, merged
from .model import Kernels, Labels, Line
from .torch import Torch

#: Lines in the order to draw them, their titles, and what collectors and readers call theirs.
TITLES = {
    "steps": "Steps",
    "phases": "Phase",
    "modules": "Modules",
    "annotations": "Annotations",
    "scopes": "Name scope",
    "ops": "Ops",
    "programs": "XLA modules",
    "instructions": "XLA ops",
    "sources": "Source",
}
KEYS = tuple(TITLES)
_RECORDED = {
    "steps": re.compile(r"(?:Sparse Core )?Steps.*"),
    "annotations": re.compile(r".*\(annotations\)"),
    "scopes": re.compile(r"(?:Framework|TensorFlow) Name Scope.*"),
    "ops": re.compile(r"(?:Framework|TensorFlow) Ops.*"),
    "programs": re.compile(r"(?:XLA|Sparse Core) Modules.*"),
    "instructions": re.compile(r"(?:XLA|Sparse Core) Ops.*"),
    "sources": re.compile(r"Source [Cc]ode.*"),
}


def lines_of(timeline: Timeline) -> list[Line]:
    """The lines of all devices, device by device. Not kept: who asks makes of them what it keeps."""
    room = Room(timeline)
    return [line for plane in device_planes(timeline.capture) for line in _device_lines(timeline, plane, room)]


def _device_lines(timeline: Timeline, plane: int, room: Room) -> list[Line]:
    """The lines of one device in their order."""
    kernels = kernels_of(timeline, plane)
    if not len(kernels.rows):
        return []
    there = _recorded(timeline, plane)
    made = {key: make() for key, make in _makers(kernels, room) if key not in there}
    return [line for key in KEYS if key in made and len((line := made[key]).name)]


def _recorded(timeline: Timeline, plane: int) -> set[str]:
    """Which lines the collector drew itself."""
    capture = timeline.capture
    tracks = capture.tracks_of(plane)
    tracks = tracks[capture.tracks.events_end[tracks] > capture.tracks.events_begin[tracks]]
    names = capture.strings.of(capture.tracks.name[tracks])
    return {key for key, pattern in _RECORDED.items() if any(map(pattern.fullmatch, names))}


def _makers(kernels: Kernels, room: Room) -> Iterator[tuple[str, Callable[[], Line]]]:
    torch = Torch(kernels)
    others = Framework(kernels, torch.mine)

    def of(key: str, labels: Callable[[], Labels]) -> tuple[str, Callable[[], Line]]:
        return key, lambda: merged(kernels, key, labels(), room)

    phase = np.where(torch.mine, torch.phases(), others.phases()) if torch.mine.any() else others.phases()
    yield "steps", lambda: _steps(kernels)
    if (phase > 0).any():
        yield of("phases", lambda: framework.phase_labels(phase, torch.mine | others.mine))
    if torch.mine.any():
        yield of("modules", lambda: torch.modules(phase))
        yield of("annotations", lambda: torch.annotations(phase))
    yield of("scopes", others.scopes)
    yield of("ops", lambda: _both(bool(torch.mine.any()), torch.ops, others.ops))
    yield of("programs", lambda: xla.programs(kernels))
    yield of("instructions", lambda: xla.instructions(kernels))
    yield of("sources", lambda: _both(bool(torch.mine.any()), torch.sources, lambda: framework.sources(kernels)))


def _both(is_torch: bool, torch: Callable[[], Labels], others: Callable[[], Labels]) -> Labels:
    """A device runs what one framework launched; where PyTorch did, it is PyTorch's."""
    return torch() if is_torch else others()


def _steps(kernels: Kernels) -> Line:
    """Each step from its first kernel to its last one, or to where the next one begins."""
    steps = assignment_of(kernels.timeline).steps
    mine = np.flatnonzero(kernels.step >= 0)
    n = len(steps)
    first, until = np.full(n, len(mine)), np.zeros(n, np.int64)
    np.minimum.at(first, kernels.step[mine], np.arange(len(mine)))
    np.maximum.at(until, kernels.step[mine], np.arange(1, len(mine) + 1))
    last = np.full(n, -1)
    np.maximum.at(last, kernels.step[mine], kernels.end_ps[mine])
    some = np.flatnonzero(until > 0)
    some = some[np.argsort(first[some], kind="stable")]
    begin = kernels.begin_ps[mine][first[some]]
    stop = np.append(begin[1:], np.iinfo(np.int64).max)[: len(some)]
    end = np.minimum(last[some], stop)
    held = np.flatnonzero(end > begin)
    some, begin, end, stop = some[held], begin[held], end[held], stop[held]
    high = np.minimum(until[some], np.append(first[some][1:], len(mine))[: len(some)])
    names = dict.fromkeys(steps.name[i] for i in some.tolist())
    place = {name: i for i, name in enumerate(names)}
    name = np.array([place[steps.name[i]] for i in some.tolist()], np.int32)
    places, depth = (first[some].astype(np.int32), high.astype(np.int32)), np.zeros(len(some), np.int32)
    cut, rows = last[some] > stop, kernels.rows if len(mine) == len(kernels.rows) else kernels.rows[mine]
    return Line(kernels.plane, "steps", list(names), name, begin, end, depth, *places, cut, rows)
