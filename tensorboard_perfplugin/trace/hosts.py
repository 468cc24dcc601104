"""Several hosts' captures → one axis: by their starts, and, where asked for, with their clocks corrected."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from urllib.parse import quote, unquote

import numpy as np

from ..advice import Finding
from ..analysis.steps import APART_MAX_NS, Clocks, HostSteps, RunSteps, is_numbered, offsets, run_steps
from ..errors import ArgumentError
from ..tables import Cells, Options
from ..timeline import CATEGORIES, Split, Timeline, collective_ends, steps_of
from ..units import duration
from .bounds import FAR

NOT_ALIGNED = "not all captures tell when they began, or they began more than a day apart"
_NOT_ASKED = "ask with `steps`"
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
        raise ArgumentError(f"shifts: {len(text)} characters; accepted are up to {_SHIFTS_MAX}")
    found: dict[str, int] = {}
    for item in text.split(",") if text else ():
        name, _, ps = item.rpartition(":")
        if not name or not re.fullmatch("-?[0-9]{1,18}", ps):
            raise ArgumentError(f"shifts: {item[:80]!r}: accepted is `host:ps`, percent-encoded")
        found[unquote(name)] = int(ps)
    return found


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
    """What tells how a host's clock differs: its steps, not divided, and the ends of its collectives."""
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
    asked, findings = options["align"] == "collectives", []
    if asked and run is not None and options["origin_ns"] is None and not given:
        shifts = _corrections(hosts, run)
        findings = _said(hosts, run)
    if options["origin_ns"] is not None:
        origin = int(options["origin_ns"])
        alone = tuple(offset_ps(h, s, options) for h, s in zip(hosts, starts_ns, strict=True))
        return Axis(origin, alone, shifts, run, tuple(findings))
    if len(hosts) == 1:
        return Axis(starts_ns[0], shifts, shifts, run, tuple(findings))
    by_start = offsets(starts_ns)
    if by_start is None or not options["start_ps"] is options["end_ps"] is None:
        why = NOT_ALIGNED if by_start is None else "the window was asked for without `origin_ns`"
        title = f"The {len(hosts)} hosts are drawn each from its own start: {why}."
        return Axis(None, shifts, shifts, run, (Finding(title, "warning"), *findings))
    first = min(ns for ns in starts_ns if ns is not None)
    return Axis(first, tuple(o + s for o, s in zip(by_start, shifts, strict=True)), shifts, run, tuple(findings))


def _corrections(hosts: Sequence[str], run: RunSteps) -> tuple[int, ...]:
    """What makes each host show an instant when the first one does; 0 where that cannot be told."""
    known = dict(zip(run.hosts, run.clocks.offset_ps, strict=True))
    return tuple(-(known.get(host) or 0) for host in hosts)


def _said(hosts: Sequence[str], run: RunSteps) -> list[Finding]:
    unknown = [h for h, _, told in _clock_rows(hosts, run) if not told]
    found = []
    says = run.clocks.says(run.hosts)
    if says:
        found.append(Finding(f"Hosts are drawn with corrected clocks: {says}.", "note"))
    if unknown:
        why = run.clocks.reason or "they show no step that others show, too"
        found.append(Finding(f"{len(unknown)} hosts keep their own clocks: {why}.", "warning"))
    return found


def _clock_rows(hosts: Sequence[str], run: RunSteps) -> list[tuple[str, int, bool]]:
    """By host its place in `run`, -1 none, and whether its clock is known."""
    place: Mapping[str, int] = {host: i for i, host in enumerate(run.hosts)}
    return [(h, i := place.get(h, -1), i >= 0 and run.clocks.offset_ps[i] is not None) for h in hosts]


def hosts_table(hosts: Sequence[str], starts_ns: Sequence[int | None], axis: Axis) -> dict[str, Cells]:
    rows = [_clock(axis.run, host) for host in hosts]
    return {
        "host": list(hosts),
        "offset_ps": list(axis.offsets),
        "start_ns": [None if ns is None else str(ns) for ns in starts_ns],
        "shift_ps": list(axis.shifts),
        "clock_ps": [ps for ps, _, _ in rows],
        "clock_error_ps": [error for _, error, _ in rows],
        "clock": [says for _, _, says in rows],
    }


def _clock(run: RunSteps | None, host: str) -> tuple[int | None, int | None, str]:
    """How much later a host's clock shows an instant than the first host's, the error, and what tells it."""
    if run is None:
        return None, None, _NOT_ASKED
    if host not in run.hosts:
        return None, None, "no step was found on it"
    i, clocks = run.hosts.index(host), run.clocks
    if i == 0 and clocks.offset_ps[0] is not None:
        return 0, None, "the clock that the others are compared with"
    if clocks.offset_ps[i] is None:
        return None, None, clocks.reason or "nothing tells"
    return clocks.offset_ps[i], clocks.error_ps[i], _told_by(clocks, i)


def _told_by(clocks: Clocks, i: int) -> str:
    error = clocks.error_ps[i]
    within = "" if error is None else f", 95 % within {duration(error)}"
    return f"{clocks.samples[i]:,} {clocks.by[i]}{within}"


def shifts_text(hosts: Sequence[str], axis: Axis) -> str:
    """The corrections as `shifts` takes them."""
    return ",".join(f"{quote(h, safe='')}:{ps}" for h, ps in zip(hosts, axis.shifts, strict=True) if ps)


__all__ = ["APART_MAX_NS", "Axis", "axis", "clock_steps", "given_shifts", "hosts_table", "offset_ps", "shifts_text"]
