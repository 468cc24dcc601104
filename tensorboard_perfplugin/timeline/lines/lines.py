"""A timeline → the derived lines of each device, those that hold anything and that the capture lacks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import numpy as np

from ...tables import I32, I64
from ..assignment.assignment import assignment_of
from ..timeline import Timeline
from ..tracks.tracks import device_planes
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
    of, order = _by_first(kernels.step[mine])
    mine = mine[order]
    bounds = np.flatnonzero(np.diff(kernels.step[mine], prepend=-1, append=-1))
    first, until = bounds[:-1], bounds[1:]
    begin, last = (
        kernels.begin_ps[mine][first],
        np.maximum.reduceat(kernels.end_ps[mine], first) if len(mine) else first,
    )
    stop = np.append(begin[1:], np.iinfo(np.int64).max)[: len(begin)]
    held = np.flatnonzero(np.minimum(last, stop) > begin)
    names = {name: i for i, name in enumerate(dict.fromkeys(steps.name[i] for i in of[held].tolist()))}
    name = np.array([names[steps.name[i]] for i in of[held].tolist()], np.int32)
    times = begin[held], np.minimum(last, stop)[held]
    depth, cut = np.zeros(len(held), np.int32), (last > stop)[held]
    places = first[held].astype(np.int32), until[held].astype(np.int32)
    return Line(kernels.plane, "steps", list(names), name, *times, depth, *places, cut, kernels.rows[mine])


def _by_first(step: I32) -> tuple[I64, I64]:
    """Steps by their first kernel, and the kernels, given in order, step by step."""
    of, first, which = np.unique(step, return_index=True, return_inverse=True)
    rank = np.empty(len(of), np.int64)
    rank[np.argsort(first)] = np.arange(len(of))
    return of[np.argsort(first)].astype(np.int64), np.argsort(rank[which.reshape(-1)], kind="stable")
