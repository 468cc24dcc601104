"""A host's tracks → the order to draw them in, and the group that each belongs to."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from ..tables import I64, Capture, PlaneKind, TrackKind
from ..timeline.timeline import Timeline, remembered

#: Devices first, then the host that feeds them.
PLANE_ORDER = {PlaneKind.GPU: 0, PlaneKind.TPU: 0, PlaneKind.CPU: 1, PlaneKind.PYTHON: 2, PlaneKind.OTHER: 3}
#: What collectors call the thread that runs the program, and what they append to a thread's name.
MAIN = re.compile(r"python[\d.]*|main|MainThread|Cr\w+Main|session\.run", re.I)
THREAD_ID = re.compile(r"/-?\d+$")
#: What threads are called without a name in the file.
UNNAMED = re.compile(r"thread -?\d*")
#: Sampled stacks of a thread, which stand below it.
SAMPLES = re.compile(r" \(samples(?: \d+)?\)$")
#: Of a device's lines, by their names: the group, in the order to draw; the first pattern that fits counts.
_DEVICE = (
    ("steps", re.compile(r"(?:Sparse Core )?Steps.*|Steps, as recorded")),
    ("streams", None),
    ("xla modules", re.compile(r"(?:XLA|Sparse Core) Modules.*")),
    ("xla ops", re.compile(r"(?:Async )?XLA Ops.*|Sparse Core Ops.*|XLA TraceMe.*|Host Offload.*")),
    ("name scopes", re.compile(r"(?:Framework|TensorFlow) Name Scope.*|Source [Cc]ode.*")),
    ("ops", re.compile(r"(?:Framework|TensorFlow) Ops.*")),
    ("other", None),
    ("counters", None),
)
_DIGITS = re.compile("([0-9]+)")
_RANK = {group: i for i, (group, _) in enumerate(_DEVICE)}


def track_groups(timeline: Timeline) -> list[str]:
    """By track: `gpu0 streams`, `tpu0 xla ops`, `host threads`, `python`, `counters` …

    Where several processes have threads, each with more than one is a group of its name; the others are `processes`.
    """
    return remembered(timeline, _draw).groups


def track_names(timeline: Timeline) -> list[str]:
    """In `drawing_order`; an only thread without a name is called after its process, where there are several."""
    return remembered(timeline, _draw).names


def drawing_order(timeline: Timeline) -> I64:
    """Track rows in the order to draw them.

    Planes, devices first; of a device its groups, and within one the file's order; of a host the main thread, then the
    others by name without id, so that a pool stays together; numbers in names by their size.
    """
    return remembered(timeline, _draw).order


@dataclasses.dataclass(frozen=True)
class _Drawn:
    groups: list[str]
    names: list[str]
    order: I64

    @property
    def nbytes(self) -> int:
        """Of a group's text about 70 bytes; names are the capture's."""
        return self.order.nbytes + 78 * len(self.groups)


def _draw(timeline: Timeline) -> _Drawn:
    capture = timeline.capture
    tracks, planes = capture.tracks, capture.planes
    kinds = [PlaneKind(kind) for kind in planes.kind.tolist()]
    devices = [device_name(capture, plane) for plane in range(len(planes))]
    group = [
        _group(kinds[plane], kind, name)
        for plane, kind, name in zip(
            tracks.plane.tolist(), tracks.kind.tolist(), capture.strings.of(tracks.name), strict=True
        )
    ]
    plane_rank = np.array([PLANE_ORDER[kind] for kind in kinds], np.int64)
    rank = np.array([_RANK.get(name, 0) for name in group], np.int64)
    order = np.lexsort((tracks.order, _thread_rank(capture), rank, tracks.plane, plane_rank[tracks.plane]))
    order.flags.writeable = False
    full = [f"{devices[plane]} {name}".strip() for plane, name in zip(tracks.plane.tolist(), group, strict=True)]
    names, times = list(capture.strings.of(tracks.name)), Counter[str]()
    for plane, rows in _processes(capture, kinds):
        process = capture.strings[int(planes.name[plane])]
        several = len(rows) > 1
        times[process] += several
        for row in rows:
            full[row] = f"{process} ({times[process]})" if several and times[process] > 1 else process
            if not several:
                full[row] = "processes"
                thread = SAMPLES.sub("", names[row])
                names[row] = process + names[row][len(thread) :] if UNNAMED.fullmatch(thread) else names[row]
    return _Drawn(full, [names[row] for row in order.tolist()], order)


def _processes(capture: Capture, kinds: Sequence[PlaneKind]) -> Iterator[tuple[int, list[int]]]:
    """Host planes beside the program's own, `/host:CPU`, and the tracks of each, where several have threads."""
    tracks = capture.tracks
    rows: dict[int, list[int]] = {}
    for row in np.flatnonzero(tracks.events_end > tracks.events_begin).tolist():
        plane = int(tracks.plane[row])
        if kinds[plane] == PlaneKind.CPU:
            rows.setdefault(plane, []).append(row)
    found = {plane: mine for plane, mine in rows.items() if (tracks.kind[mine] == TrackKind.THREAD).any()}
    if len(found) > 1:
        yield from (each for each in found.items() if capture.strings[int(capture.planes.name[each[0]])] != "/host:CPU")


def device_name(capture: Capture, plane: int) -> str:
    """`gpu0`, `tpu3`: what the groups of a device's tracks begin with; empty for a host."""
    kind, ordinal = PlaneKind(int(capture.planes.kind[plane])), int(capture.planes.ordinal[plane])
    if not kind.is_device:
        return ""
    return f"{kind.name.lower()}{ordinal}" if ordinal >= 0 else f"{kind.name.lower()} {plane}"


def _group(plane: PlaneKind, track: int, name: str) -> str:
    if track == TrackKind.COUNTER:
        return "counters"
    if plane.is_device or track == TrackKind.DERIVED:
        group_of_name = next((group for group, pattern in _DEVICE if pattern and pattern.fullmatch(name)), "")
        if group_of_name or plane.is_device:
            return group_of_name or ("streams" if track == TrackKind.STREAM else "other")
    if plane == PlaneKind.PYTHON:
        return "python"
    is_thread = track == TrackKind.THREAD or (track == TrackKind.DERIVED and SAMPLES.search(name))
    return "host threads" if plane == PlaneKind.CPU and is_thread else "other"


def _thread_rank(capture: Capture) -> I64:
    """Of threads: the main one first, then by name without id, then with it, then its samples; the same of the rest."""
    full_names = capture.strings.of(capture.tracks.name)
    names = [SAMPLES.sub("", name) for name in full_names]
    pools = [THREAD_ID.sub("", name) for name in names]
    threads = (capture.tracks.kind == TrackKind.THREAD).tolist()
    is_thread = [t or s != name for t, s, name in zip(threads, full_names, names, strict=True)]
    keys = [(p, n) if t else ("", "") for p, n, t in zip(pools, names, is_thread, strict=True)]
    distinct = dict.fromkeys(keys)
    order = sorted(distinct, key=lambda key: (bool(key[0]) and not MAIN.fullmatch(key[0]), *map(natural, key)))
    place = {key: i for i, key in enumerate(order)}
    return np.array([place[key] for key in keys], np.int64)


def natural(name: str) -> list[str | tuple[int, str]]:
    """What to sort names by so that `thread 2` comes before `thread 10`."""
    parts: list[str | tuple[int, str]] = list(_DIGITS.split(name))
    for i, digits in enumerate(parts[1::2]):
        number = str(digits).lstrip("0")
        parts[2 * i + 1] = len(number), number
    return parts
