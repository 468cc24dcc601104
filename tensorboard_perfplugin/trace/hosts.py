"""Several hosts' captures → one axis: by their starts, and, where asked for, with their clocks corrected."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from urllib.parse import quote, unquote

import numpy as np

from ..advice import Finding
from ..advice.rules.hosts import clocks_corrected, drawn_apart
from ..advice.text import sentence
from ..analysis.steps.alignment import APART_MAX, NO_COMMON_CLOCK, Clocks, offsets
from ..analysis.steps.means import HostSteps, RunSteps, is_numbered, run_steps
from ..errors import ArgumentError
from ..messages import Message, Param
from ..tables import Cells, Options
from ..timeline.assignment import steps_of
from ..timeline.ops.executions import collective_ends
from ..timeline.split.split import Split
from ..timeline.timeline import CATEGORIES, Timeline
from .bounds import FAR

NOT_ALIGNED = sentence(NO_COMMON_CLOCK)
_NOT_ASKED = "ask with `list_steps`"
_SHIFTS_MAX = 100_000


@dataclasses.dataclass(frozen=True)
class Axis:
    """What the times of an answer count from, and what is added to each host's own.

    origin_ns: the instant of time 0, None where no clock is common. shifts: the part of the offsets that corrects
    clocks. clocks: how they differ, None where nobody asked. steps: the hosts that `clocks` is about.
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
        findings = tuple(clocks_corrected(hosts, run))
    if options["origin_ns"] is not None:
        origin = int(options["origin_ns"])
        alone = tuple(offset_ps(h, s, options) for h, s in zip(hosts, starts_ns, strict=True))
        return Axis(origin, alone, shifts, run, findings)
    if len(hosts) == 1:
        return Axis(starts_ns[0], shifts, shifts, run, findings)
    by_start = offsets(starts_ns)
    if by_start is None or not options["start_ps"] is options["end_ps"] is None:
        reason = NO_COMMON_CLOCK if by_start is None else Message("window_without_origin")
        return Axis(None, shifts, shifts, run, (drawn_apart(len(hosts), reason), *findings))
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


__all__ = ["APART_MAX", "Axis", "axis", "clock_steps", "given_shifts", "hosts_table", "offset_ps", "shifts_text"]
