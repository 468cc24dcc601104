"""Timelines → what fills the memory of each allocator, when, and whether it grows from step to step."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from msgspec import structs

from ...advice.finding import Finding, worst_first
from ...advice.rules.memory import (
    ELSEWHERE,
    IN_USE,
    NO_MEMORY,
    NOT_SHOWN,
    memory_findings,
    snapshot_findings,
)
from ...advice.text.catalogue import Sentence
from ...analysis.allocator import MOMENTS, Snapshot, snapshot_of
from ...analysis.allocator import PEAK as AT_PEAK
from ...analysis.memory.events import BEFORE, bytes_of, missing, unavailable
from ...analysis.memory.series import CATEGORIES as NAMES
from ...analysis.memory.series import Series, recorded_at_peak, stretches
from ...analysis.memory.stacks import Stacks, all_holders, forest, in_use, is_memory_profile, stacks_of
from ...analysis.memory.systems import Host, StepUse, System, host, kept_window, system_of
from ...analysis.memory.use import MemoryFacts, lifetimes, live_at_peak, op_uses, with_recorded
from ...errors import ArgumentError
from ...messages import Message
from ...tables import LIMIT, Cells, Option, Options, Scalar, evaluate, tabulate
from ...timeline.steps.model import Cut, Steps
from ...timeline.timeline import Timeline
from ...units import PS_PER_MS
from ..declaration import Result, Tool, View
from .tables import (
    CATEGORIES,
    FAILURES,
    LIFETIMES,
    OPS,
    PEAK,
    SEGMENTS,
    STACKS,
    STEPS,
    SUMMARY,
    SYSTEMS,
    TIMELINE,
    holder_table,
    peak_table,
    snapshot_summary,
    snapshot_tables,
    stack_table,
    step_table,
    timeline_table,
)

_TABLES = (SYSTEMS, TIMELINE, CATEGORIES, PEAK, OPS, STEPS, LIFETIMES, FAILURES, SEGMENTS, STACKS)
#: A screen's width; no window needs more.
_PIXELS, _MOST_PIXELS = 1000, 10_000
#: Systems that an error lists.
_LISTED = 20
_AROUND_PS = 10**9
#: Longest time that is shown: that of a capture, in ms.
_LONGEST_MS = float(1 << 62) / PS_PER_MS
RULE = (
    "the one nearest to its capacity, if its peak is half of it or more; else the one with the largest peak; "
    "a driver's own account only where there is no other"
)


@dataclasses.dataclass(frozen=True)
class Detail:
    """What one memory system gives beyond its row."""

    system: System
    tables: dict[str, dict[str, Cells]]
    counts: dict[str, int]
    span_ms: tuple[float, float]
    findings: tuple[Finding, ...]
    snapshot: Snapshot | None = None


@dataclasses.dataclass(frozen=True)
class HostMemory:
    """One host's memory systems, and the one that is asked for, or is the most interesting, in detail.

    reason: why there is none. ignored: events of systems that are too many to be shown. stacks: of a device memory
    profile, its calls. snapshot: of a memory snapshot without a record of what was done before.
    """

    host: str
    systems: tuple[System, ...]
    detail: Detail | None
    reason: Message | None
    ignored: int
    stacks: Stacks | None = None
    snapshot: Snapshot | None = None


def per_host(timeline: Timeline, options: Options) -> HostMemory:
    if is_memory_profile(timeline.capture):
        stacks = stacks_of(timeline.capture, int(options["limit"] or 0))
        return HostMemory(timeline.host, (), None, unavailable(timeline), 0, stacks)
    of_host = host(timeline)
    if not of_host.systems:
        snapshot = snapshot_of(timeline, None, (0, 0), int(options["limit"] or 0))
        calls = snapshot.stacks if snapshot else None
        return HostMemory(timeline.host, (), None, unavailable(timeline), of_host.ignored, calls, snapshot)
    systems = [(*system_of(of_host, of), of) for of in of_host.systems]
    wanted = [each for each in systems if _is_wanted(each[0], options)]
    detail = None
    if wanted:
        system, use, of = max(wanted, key=lambda each: each[0].interest)
        detail = _detail(of_host, of, (system, use), options)
    return HostMemory(timeline.host, tuple(system for system, *_ in systems), detail, None, of_host.ignored)


def _is_wanted(system: System, options: Options) -> bool:
    return options["memory"] in ("", system.system, f"{system.host}/{system.system}")


def _detail(of_host: Host, of: Series, figures: tuple[System, StepUse], options: Options) -> Detail:
    system, use = figures
    limit, steps = int(options["limit"] or 0), use.steps
    begin_ps, end_ps = _window(of_host, options)
    peak, peak_rows = live_at_peak(of_host, of, limit)
    # A snapshot may have a program's first step, in which the optimizer makes its state.
    skipped = 1 if of_host.timeline.capture.allocator else 0
    ops, op_rows = op_uses(of_host, of, kept_window(steps, skipped), limit)
    before, recorded = of.before_at(of.peak), of_host.recorded.get(of.system.id)
    if recorded:
        peak, peak_rows = recorded_at_peak(recorded, system.peak_bytes, limit)
        ops = with_recorded(ops, recorded, system.peak_bytes)
        before, op_rows = bytes_of(recorded, BEFORE), max(op_rows, len(ops))
    over_time = stretches(of, begin_ps, end_ps, int(options["pixels"] or _PIXELS))
    tables = {
        "timeline": timeline_table(of_host, of, over_time),
        "peak": peak_table(peak, system.peak_bytes),
        "ops": tabulate(OPS.columns, ops),
        "steps": step_table(use, limit),
        "lifetimes": evaluate(LIFETIMES.columns, lifetimes(of)),
    }
    counts = {"before_bytes": before, "peak_rows": peak_rows, "op_rows": op_rows, "step_rows": len(steps)}
    cut = bool(len(steps) and steps.cut[0] & Cut.BEGIN)
    facts = MemoryFacts(system, peak, ops, use, _around(steps, system.peak_ps), cut)
    found = memory_findings(facts)
    snapshot = snapshot_of(of_host.timeline, of, (begin_ps, end_ps), limit, str(options["moment"]))
    if snapshot:
        tables |= snapshot_tables(snapshot)
        found = snapshot_findings(snapshot, facts, found)
    return Detail(system, tables, counts, (begin_ps / PS_PER_MS, end_ps / PS_PER_MS), found, snapshot)


def _around(steps: Steps, peak_ps: int) -> tuple[int, int]:
    """The first step in whose wall time the peak lies, else a millisecond on both sides of it."""
    within = np.flatnonzero((steps.begin_ps <= peak_ps) & (peak_ps < steps.until_ps))
    if len(within):
        return int(steps.begin_ps[within[0]]), int(steps.until_ps[within[0]])
    return max(peak_ps - _AROUND_PS, 0), peak_ps + _AROUND_PS


def _window(of_host: Host, options: Options) -> tuple[int, int]:
    """Begin and end of the timeline: as asked for, else the capture's."""
    begin, end = of_host.span_ps
    low, high = options["start_ms"], options["end_ms"]
    begin = begin if low is None else int(float(low) * PS_PER_MS)
    end = end if high is None else int(float(high) * PS_PER_MS)
    return begin, max(begin, end)


def combine(partials: Sequence[HostMemory], options: Options) -> Result:
    several = len(partials) > 1
    systems = sorted((s for partial in partials for s in partial.systems), key=lambda s: s.interest, reverse=True)
    details = [partial.detail for partial in partials if partial.detail]
    if options["memory"] and not details:
        _refuse(str(options["memory"]), [_choice(s, several) for s in systems])
    tables = {spec.name: tabulate(spec.columns, ()) for spec in _TABLES}
    rows = [structs.replace(s, memory=_choice(s, several)) for s in systems]
    tables["systems"] = tabulate(SYSTEMS.columns, rows)
    profiles = [(partial.host, partial.stacks) for partial in partials if partial.stacks]
    if details:
        return _of_systems(partials, max(details, key=lambda each: each.system.interest), tables, options)
    if profiles:
        return _of_profiles(tables, profiles, partials, options)
    reason = next((partial.reason for partial in partials), None) or Message("no_host_was_read")
    return _without(tables, reason, tuple(NO_MEMORY.findings(reason)))


def _of_systems(
    partials: Sequence[HostMemory], detail: Detail, tables: dict[str, dict[str, Cells]], options: Options
) -> Result:
    """Of the chosen system. tables: `systems`, and all others empty."""
    several, system = len(partials) > 1, detail.system
    chosen = _choice(system, several)
    cells = evaluate(SYSTEMS.columns, structs.replace(system, memory=chosen))
    summary: dict[str, Scalar] = {c.name: cells.get(c.name) for c in SUMMARY}
    summary |= {
        "memory_rule": "it was asked for" if options["memory"] else RULE,
        "memory_systems": len(tables["systems"]["memory"]),
        "growth_confidence": system.growth.confidence,
        "begin_ms": detail.span_ms[0],
        "end_ms": detail.span_ms[1],
        "segment_rows": 0,
        "failure_rows": 0,
        **detail.counts,
    }
    if detail.snapshot:
        summary |= snapshot_summary(detail.snapshot)
        tables["stacks"], summary["stack_rows"] = _calls_of(detail.snapshot, options)
    others = [(_choice(s, several), s) for partial in partials for s in partial.systems]
    others = sorted((each for each in others if each[0] != chosen), key=lambda each: each[1].interest, reverse=True)
    ignored = sum(partial.ignored for partial in partials)
    findings = worst_first((*detail.findings, *ELSEWHERE.findings(others), *NOT_SHOWN.findings(ignored)))
    return Result(summary, tables | detail.tables, _unknown(summary, system), findings)


def _choice(system: System, several: bool) -> str:
    """What to choose a system by."""
    return f"{system.host}/{system.system}" if several else system.system


def _refuse(asked: str, names: Sequence[str]) -> None:
    raise ArgumentError.with_choices(f"memory={asked[:80]!r}", [name[:80] for name in names], _LISTED)


def _without(tables: dict[str, dict[str, Cells]], reason: Message, findings: tuple[Finding, ...]) -> Result:
    """Of captures without memory events."""
    counts = ("memory_systems", *(spec.count for spec in _TABLES if spec.count))
    summary: dict[str, Scalar] = {c.name: 0 if c.name in counts else None for c in SUMMARY}
    text = Sentence(reason.code, reason.params)
    return Result(summary, tables, {name: text for name, value in summary.items() if value is None}, findings)


def _calls_of(snapshot: Snapshot, options: Options) -> tuple[dict[str, Cells], int]:
    """The call stacks of one device of a snapshot, and how many calls there are."""
    assert snapshot.stacks is not None
    found = forest([(snapshot.host, snapshot.stacks)], int(options["limit"] or 0))
    return stack_table(found), found.nodes


def _of_profiles(
    tables: dict[str, dict[str, Cells]],
    profiles: Sequence[tuple[str, Stacks]],
    partials: Sequence[HostMemory],
    options: Options,
) -> Result:
    """Of device memory profiles, and of snapshots without a record: what was in use at one moment, by call stack."""
    limit = int(options["limit"] or 0)
    found, holders, used = forest(profiles, limit), all_holders(profiles), in_use(profiles)
    tables["stacks"], tables["ops"] = stack_table(found), holder_table(holders[: limit or None])
    every = max(len(holders), max((stacks.holder_count for _, stacks in profiles), default=0))
    snapshot = next((partial.snapshot for partial in partials if partial.snapshot), None)
    findings = tuple(IN_USE.findings(used, holders))
    reason = Message("snapshot_without_record" if snapshot else "memory_profile_without_timeline")
    if snapshot:
        tables |= snapshot_tables(snapshot)
        findings = snapshot_findings(snapshot, None, findings)
    result = _without(tables, reason, findings)
    summary = (
        result.summary
        | (snapshot_summary(snapshot) if snapshot else {})
        | {
            "stack_rows": found.nodes,
            "op_rows": every,
            "in_use_bytes": used.bytes,
            "in_use_count": used.count,
            "in_use_devices": used.devices,
        }
    )
    unknown = {name: reason for name, reason in result.unknown.items() if summary[name] is None}
    return dataclasses.replace(result, summary=summary, unknown=unknown)


def _missing(timeline: Timeline) -> str | None:
    reason = missing(timeline)
    return Sentence(reason.code, reason.params) if reason else None


_NO_LIMIT, _NOT_REPORTED = "this allocator has no limit", "this allocator does not report it"
_REASONS = {
    **dict.fromkeys(("capacity_bytes", "peak_share", "free_bytes"), _NO_LIMIT),
    **dict.fromkeys(("fragmentation_share", "lifetime_peak_bytes"), _NOT_REPORTED),
    "step_allocated_bytes": "no whole step is in this capture",
    **dict.fromkeys(
        ("stack_rows", "in_use_bytes", "in_use_count", "in_use_devices"), "this capture is no device memory profile"
    ),
    **dict.fromkeys(
        (
            "reserved_bytes",
            "cached_bytes",
            "split_bytes",
            "largest_free_bytes",
            "rounding_bytes",
            "waiting_bytes",
            "pool_bytes",
            "unused_fragmentation_share",
            "allocator_settings",
        ),
        "this capture is no memory snapshot",
    ),
}


def _unknown(summary: dict[str, Scalar], system: System) -> dict[str, str]:
    growth = system.growth.reason
    reasons = _REASONS | ({"growth_bytes": Sentence(growth.code, growth.params)} if growth else {})
    if summary["reserved_bytes"] is not None:
        reasons["unused_fragmentation_share"] = "nothing that was reserved was free"
    return {name: reasons[name] for name, value in summary.items() if value is None}


MEMORY_PROFILE = Tool(
    name="memory_profile",
    title="Memory",
    question="What fills the memory, and does it grow?",
    help="Use of each allocator over time, what is live at its peak by op, and growth from step to step.",
    summary=SUMMARY,
    tables=_TABLES,
    views=(
        View("facts"),
        View("lines", table="timeline", label="start_ms", values=("max_bytes", "min_bytes", "fragmentation_share")),
        View("stack", table="categories", label="start_ms", values=tuple(f"{name}_bytes" for name in NAMES)),
        View("table", table="failures"),
        View("table", table="peak"),
        View("table", table="ops"),
        View("table", table="steps"),
        View("bars", table="lifetimes", label="lifetime", values=("total_bytes",)),
        View("table", table="systems"),
        View("table", table="segments"),
        View("tree", table="stacks", label="name"),
    ),
    per_host=per_host,
    combine=combine,
    options=(
        Option("memory", "text", "", f"Memory system to show, `host/system` of several hosts; empty is {RULE}."),
        Option("start_ms", "number", None, "Begin of the timeline, from the capture's start.", low=0, high=_LONGEST_MS),
        Option("end_ms", "number", None, "End of the timeline.", low=0, high=_LONGEST_MS),
        Option("pixels", "integer", _PIXELS, "Rows of the timeline at most.", low=1, high=_MOST_PIXELS),
        Option(
            "moment",
            "text",
            AT_PEAK,
            "Of a memory snapshot, when its call stacks are shown: at its peak, at its first failed allocation, or "
            "when it "
            "was written.",
            choices=MOMENTS,
        ),
        LIMIT,
    ),
    aliases=("memory",),
    missing=_missing,
    of_a_moment=True,
    of_memory=True,
    prefers=lambda capabilities: capabilities.is_aside,
)
