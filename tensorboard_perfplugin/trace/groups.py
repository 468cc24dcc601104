"""A host's tracks → the order to draw them in, and the group that each belongs to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from urllib.parse import quote, unquote

import msgspec
import numpy as np

from ..advice.finding import Finding
from ..advice.rules.hosts import CORRECTED, DRAWN_APART
from ..advice.text.catalogue import sentence
from ..analysis.steps.alignment import NO_COMMON_CLOCK, Clocks, offsets
from ..analysis.steps.means import HostSteps, RunSteps, is_numbered, run_steps
from ..errors import ArgumentError
from ..messages import Message, Param
from ..patterns import regex
from ..tables import I64, Capture, Cells, Options, PlaneKind, TrackKind
from ..timeline.assignment import steps_of
from ..timeline.ops.executions import collective_ends
from ..timeline.split.split import Split
from ..timeline.timeline import CATEGORIES, Timeline, cached
from .lanes import FAR

#: Devices first, then the host that feeds them.
PLANE_ORDER = {PlaneKind.GPU: 0, PlaneKind.TPU: 0, PlaneKind.CPU: 1, PlaneKind.PYTHON: 2, PlaneKind.OTHER: 3}
#: What collectors call the thread that runs the program, and what they append to a thread's name.
MAIN = regex(r"python[\d.]*|main|MainThread|Cr\w+Main|session\.run", re.I)
THREAD_ID = regex(r"/-?\d+$")
#: What threads are called without a name in the file.
UNNAMED = regex(r"thread -?\d*")
#: Sampled stacks of a thread, which stand below it.
SAMPLES = regex(r" \(samples(?: \d+)?\)$")
#: Of a device's lines, by their names: the group, in the order to draw; the first pattern that fits counts.
_DEVICE = (
    ("steps", regex(r"(?:Sparse Core )?Steps.*|Steps, as recorded")),
    ("streams", None),
    ("xla modules", regex(r"(?:XLA|Sparse Core) Modules.*")),
    ("xla ops", regex(r"(?:Async )?XLA Ops.*|Sparse Core Ops.*|XLA TraceMe.*|Host Offload.*")),
    ("name scopes", regex(r"(?:Framework|TensorFlow) Name Scope.*|Source [Cc]ode.*")),
    ("ops", regex(r"(?:Framework|TensorFlow) Ops.*")),
    ("other", None),
    ("counters", None),
)
_DIGITS = regex("([0-9]+)")
_RANK = {group: i for i, (group, _) in enumerate(_DEVICE)}


def track_groups(timeline: Timeline) -> list[str]:
    """By track: `gpu0 streams`, `tpu0 xla ops`, `host threads`, `python`, `counters` …

    Where several processes have threads, each with more than one is a group of its name; the others are `processes`.
    """
    return cached(timeline, _draw).groups


def track_names(timeline: Timeline) -> list[str]:
    """In `drawing_order`; an only thread without a name is called after its process, where there are several."""
    return cached(timeline, _draw).names


def drawing_order(timeline: Timeline) -> I64:
    """Track rows in the order to draw them.

    Planes, devices first; of a device its groups, and within one the file's order; of a host the main thread, then the
    others by name without id, so that a pool stays together; numbers in names by their size.
    """
    return cached(timeline, _draw).order


class _Drawn(msgspec.Struct, frozen=True):
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
            tracks.plane.tolist(), tracks.kind.tolist(), capture.strings.texts(tracks.name), strict=True
        )
    ]
    plane_rank = np.array([PLANE_ORDER[kind] for kind in kinds], np.int64)
    rank = np.array([_RANK.get(name, 0) for name in group], np.int64)
    order = np.lexsort((tracks.order, _thread_rank(capture), rank, tracks.plane, plane_rank[tracks.plane]))
    order.flags.writeable = False
    full = [f"{devices[plane]} {name}".strip() for plane, name in zip(tracks.plane.tolist(), group, strict=True)]
    names, times = list(capture.strings.texts(tracks.name)), Counter[str]()
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
    full_names = capture.strings.texts(capture.tracks.name)
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


# Several hosts' captures → one axis: by their starts, and, where asked for, with their clocks corrected.

NOT_ALIGNED = sentence(NO_COMMON_CLOCK)
_NOT_ASKED = "ask with `list_steps`"
_SHIFTS_MAX = 100_000


class Axis(msgspec.Struct, frozen=True):
    """What the times of an answer count from, and what is added to each host's own.

    origin_ns: the instant of time 0, None where no clock is common. shifts: the part of the offsets that corrects
    clocks. clocks: how they differ, None where that is not asked. steps: the hosts that `clocks` is about.
    """

    origin_ns: int | None
    offsets: tuple[int, ...]
    shifts: tuple[int, ...]
    run: RunSteps | None = None
    findings: tuple[Finding, ...] = ()


def given_shifts(options: Options) -> dict[str, int]:
    """`name:ps,name:ps` → ps by host. Raises ArgumentError."""
    text = str(options["shifts"])
    if len(text) > _SHIFTS_MAX:
        raise ArgumentError(f"shifts: {len(text)} characters; the maximum is {_SHIFTS_MAX}")
    shifts: dict[str, int] = {}
    for item in text.split(",") if text else ():
        name, _, ps = item.rpartition(":")
        if not name or not re.fullmatch("-?[0-9]{1,18}", ps):
            raise ArgumentError(f"shifts: {item[:80]!r}: use `host:ps`, the host percent-encoded")
        shifts[unquote(name)] = int(ps)
    return shifts


def offset_ps(host: str, start_ns: int | None, options: Options) -> int:
    """What is added to a host's times, as far as it is known without the others. Raises ArgumentError if too far."""
    shift, origin = given_shifts(options).get(host, 0), options["origin_ns"]
    if origin is None or start_ns is None:
        return shift
    offset = (start_ns - int(origin)) * 1000 + shift
    if abs(offset) > FAR // 4:
        raise ArgumentError(f"origin_ns={origin}: more than 13 days from a host's start, {start_ns}")
    return offset


def clock_steps(timeline: Timeline) -> HostSteps:
    """What a host's clock is compared by: its steps, not divided, and the ends of its collectives."""
    steps = steps_of(timeline)
    nothing = np.empty((0, 0, len(CATEGORIES)), np.int64)
    ends = collective_ends(timeline) if len(steps) else np.empty(0, np.int64)
    split = Split(steps, (), nothing, nothing)
    return HostSteps(timeline.host, timeline.capture.start_ns, split, is_numbered(timeline, steps), ends)


def axis(
    hosts: Sequence[str], starts_ns: Sequence[int | None], steps: Sequence[HostSteps] | None, options: Options
) -> Axis:
    """The offsets of the hosts: where an origin was given, those that `per_host` took; else from their starts."""
    given = given_shifts(options)
    shifts = tuple(given.get(host, 0) for host in hosts)
    run = run_steps(list(steps)) if steps and len(hosts) > 1 else None
    asked, findings = options["align"] == "collectives", tuple[Finding, ...]()
    if asked and run is not None and options["origin_ns"] is None and not given:
        shifts = _corrections(hosts, run)
        findings = tuple(CORRECTED.findings(hosts, run))
    if options["origin_ns"] is not None:
        origin = int(options["origin_ns"])
        alone = tuple(offset_ps(h, s, options) for h, s in zip(hosts, starts_ns, strict=True))
        return Axis(origin, alone, shifts, run, findings)
    if len(hosts) == 1:
        return Axis(starts_ns[0], shifts, shifts, run, findings)
    by_start = offsets(starts_ns)
    if by_start is None or not options["start_ps"] is options["end_ps"] is None:
        reason = NO_COMMON_CLOCK if by_start is None else Message("window_without_origin")
        return Axis(None, shifts, shifts, run, (*DRAWN_APART.findings(len(hosts), reason), *findings))
    first = min(ns for ns in starts_ns if ns is not None)
    return Axis(first, tuple(o + s for o, s in zip(by_start, shifts, strict=True)), shifts, run, findings)


def _corrections(hosts: Sequence[str], run: RunSteps) -> tuple[int, ...]:
    """What makes each host show an instant when the first one does; 0 where that is unknown."""
    known = dict(zip(run.hosts, run.clocks.offset_ps, strict=True))
    return tuple(-(known.get(host) or 0) for host in hosts)


def hosts_table(hosts: Sequence[str], starts_ns: Sequence[int | None], axis: Axis) -> dict[str, Cells]:
    rows = [_clock(axis.run, host) for host in hosts]
    return {
        "host": list(hosts),
        "offset_ps": list(axis.offsets),
        "start_ns": [None if ns is None else str(ns) for ns in starts_ns],
        "shift_ps": list(axis.shifts),
        "clock_ps": [ps for ps, _, _ in rows],
        "clock_error_ps": [error for _, error, _ in rows],
        "clock": [basis for _, _, basis in rows],
    }


def _clock(run: RunSteps | None, host: str) -> tuple[int | None, int | None, str]:
    """How much later a host's clock shows an instant than the first one's, the error, and what both are from."""
    if run is None:
        return None, None, _NOT_ASKED
    if host not in run.hosts:
        return None, None, "no step was found on it"
    i, clocks = run.hosts.index(host), run.clocks
    if i == 0 and clocks.offset_ps[0] is not None:
        return 0, None, "the clock that the others are compared with"
    if clocks.offset_ps[i] is None:
        return None, None, sentence(clocks.reason) if clocks.reason else "unknown"
    return clocks.offset_ps[i], clocks.error_ps[i], _estimated_from(clocks, i)


def _estimated_from(clocks: Clocks, i: int) -> str:
    samples = Message(f"clock_samples.{clocks.by[i]}", {"samples": clocks.samples[i]})
    params: dict[str, Param] = {"samples": samples, "error": clocks.error_ps[i]}
    return sentence(Message("clock_estimate", params))


def shifts_text(hosts: Sequence[str], axis: Axis) -> str:
    """The corrections as `shifts` takes them."""
    return ",".join(f"{quote(h, safe='')}:{ps}" for h, ps in zip(hosts, axis.shifts, strict=True) if ps)
