"""Timelines → what fills the memory of each allocator, when, and whether it grows from step to step."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from ...advice import Finding
from ...advice.rules import Shown, elsewhere, memory_findings
from ...analysis.memory import (
    BEFORE,
    LIFETIMES,
    OPS,
    PEAK,
    PS_PER_MS,
    RULE,
    STACKS,
    STEPS,
    SUMMARY,
    SYSTEMS,
    TIMELINE,
    Host,
    Series,
    Stacks,
    StepUse,
    SystemRow,
    bytes_of,
    host,
    is_memory_profile,
    kept_window,
    lifetime_table,
    missing,
    op_table,
    peak_table,
    recorded_peak,
    stacks_of,
    step_table,
    system_row,
    time_table,
    why,
    with_recorded,
)
from ...errors import ArgumentError
from ...tables import LIMIT, Cells, Option, Options, Scalar, TableSpec
from ...timeline import Cut, Steps, Timeline
from ..declaration import Result, Tool, View
from .stack_rows import Part, headline, holder_rows, stack_rows, stack_summary

_TABLES = (SYSTEMS, TIMELINE, PEAK, OPS, STEPS, LIFETIMES, STACKS)
#: A screen's width; no window needs more.
_PIXELS, _MOST_PIXELS = 1000, 10_000
#: Systems that an error lists.
_LISTED = 20
_AROUND_PS = 10**9
#: Longest time that is told: that of a capture, in ms.
_LONGEST_MS = float(1 << 62) / PS_PER_MS


@dataclasses.dataclass(frozen=True)
class Detail:
    """What one memory system gives beyond its row."""

    row: SystemRow
    tables: dict[str, dict[str, Cells]]
    counts: dict[str, int]
    span_ms: tuple[float, float]
    findings: tuple[Finding, ...]


@dataclasses.dataclass(frozen=True)
class HostMemory:
    """One host's memory systems, and the one that is asked for, or is the most interesting, in detail.

    reason: why there is none. ignored: events of systems that are too many to be told. stacks: of a device memory
    profile, its calls.
    """

    host: str
    rows: tuple[SystemRow, ...]
    detail: Detail | None
    reason: str
    ignored: int
    stacks: Stacks | None = None


def per_host(timeline: Timeline, options: Options) -> HostMemory:
    if is_memory_profile(timeline.capture):
        stacks = stacks_of(timeline.capture, int(options["limit"] or 0))
        return HostMemory(timeline.host, (), None, why(timeline), 0, stacks)
    of_host = host(timeline)
    if not of_host.systems:
        return HostMemory(timeline.host, (), None, why(timeline), of_host.ignored)
    rows = [(*system_row(of_host, of), of) for of in of_host.systems]
    wanted = [found for found in rows if _is_wanted(found[0], options)]
    detail = None
    if wanted:
        row, use, of = max(wanted, key=lambda found: found[0].interest)
        detail = _detail(of_host, row, use, of, options)
    return HostMemory(timeline.host, tuple(row for row, *_ in rows), detail, "", of_host.ignored)


def _is_wanted(row: SystemRow, options: Options) -> bool:
    return options["memory"] in ("", row.name, f"{row.host}/{row.name}")


def _detail(of_host: Host, row: SystemRow, use: StepUse, of: Series, options: Options) -> Detail:
    limit, steps = int(options["limit"] or 0), use.steps
    begin_ps, end_ps = _window(of_host, options)
    peak, peak_rows = peak_table(of_host, of, limit)
    ops, op_rows = op_table(of_host, of, kept_window(steps), limit)
    before, recorded = of.before_at(of.peak), of_host.recorded.get(of.system.id)
    if recorded:
        in_use = int(of.total[of.peak])
        peak, peak_rows = recorded_peak(recorded, in_use, limit)
        ops = with_recorded(ops, recorded, in_use)
        before, op_rows = bytes_of(recorded, BEFORE), max(op_rows, len(ops["op"]))
    tables = {
        "timeline": time_table(of_host, of, begin_ps, end_ps, int(options["pixels"] or _PIXELS)),
        "peak": peak,
        "ops": ops,
        "steps": step_table(use, limit),
        "lifetimes": lifetime_table(of),
    }
    counts = {"before_bytes": before, "peak_rows": peak_rows, "op_rows": op_rows, "step_rows": len(steps)}
    cut = bool(len(steps) and steps.cut[0] & Cut.BEGIN)
    peak_ps = int(of.events.time_ps[of.peak])
    said = memory_findings(Shown(row, tables, peak_ps, _around(steps, peak_ps), cut))
    return Detail(row, tables, counts, (begin_ps / PS_PER_MS, end_ps / PS_PER_MS), said)


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
    rows = [_named(row, len(partials)) for partial in partials for row in partial.rows]
    rows.sort(key=lambda row: row.interest, reverse=True)
    details = [partial.detail for partial in partials if partial.detail]
    if options["memory"] and not details:
        _refuse(str(options["memory"]), rows)
    detail = max(details, key=lambda found: found.row.interest, default=None)
    tables = {spec.name: _empty(spec) for spec in _TABLES}
    tables["systems"] = {c.name: [row.cells[c.name] for row in rows] for c in SYSTEMS.columns}
    profiles = [(partial.host, partial.stacks) for partial in partials if partial.stacks]
    if detail is None and profiles:
        return _of_profiles(tables, profiles, options)
    if detail is None:
        reason = next((partial.reason for partial in partials), "no host was read")
        return _without(tables, reason)
    tables |= detail.tables
    chosen = _named(detail.row, len(partials))
    summary: dict[str, Scalar] = dict.fromkeys(c.name for c in SUMMARY)
    summary |= {name: value for name, value in chosen.cells.items() if name in summary}
    summary |= {
        "memory_rule": "it was asked for" if options["memory"] else RULE,
        "memory_systems": len(rows),
        "growth_confidence": chosen.growth.confidence,
        "begin_ms": detail.span_ms[0],
        "end_ms": detail.span_ms[1],
        **detail.counts,
    }
    said = (*detail.findings, *elsewhere([r for r in rows if r.cells["memory"] != chosen.cells["memory"]], chosen))
    ignored = sum(partial.ignored for partial in partials)
    return Result(summary, tables, _unknown(summary, chosen), (*said, *_too_many(ignored)))


def _named(row: SystemRow, hosts: int) -> SystemRow:
    name = row.name if hosts == 1 else f"{row.host}/{row.name}"
    return dataclasses.replace(row, cells={"memory": name, **row.cells})


def _refuse(asked: str, rows: Sequence[SystemRow]) -> None:
    names = [str(row.cells["memory"])[:80] for row in rows]
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    listed = ", ".join(names[:_LISTED]) or "none"
    raise ArgumentError(f"memory={asked[:80]!r}: the memory systems of this capture are {listed}{more}")


def _empty(spec: TableSpec) -> dict[str, Cells]:
    return {c.name: [] for c in spec.columns}


def _without(tables: dict[str, dict[str, Cells]], reason: str) -> Result:
    summary: dict[str, Scalar] = dict.fromkeys(c.name for c in SUMMARY)
    summary |= dict.fromkeys(("memory_systems", "peak_rows", "op_rows", "step_rows", "stack_rows"), 0)
    unknown = {name: reason for name, value in summary.items() if value is None}
    finding = Finding("No memory events in this capture", "note", detail=f"{reason[:1].upper()}{reason[1:]}.")
    return Result(summary, tables, unknown, (finding,))


def _of_profiles(tables: dict[str, dict[str, Cells]], parts: Sequence[Part], options: Options) -> Result:
    """Of device memory profiles: what was in use at one moment, by call stack."""
    limit = int(options["limit"] or 0)
    result = _without(tables, "a device memory profile tells of one moment: it has no timeline")
    tables["stacks"], stacks = stack_rows(parts, limit)
    tables["ops"], holders = holder_rows(parts, list(tables["ops"]), limit)
    summary = result.summary | {"stack_rows": stacks, "op_rows": holders, **stack_summary(parts)}
    unknown = {name: reason for name, reason in result.unknown.items() if summary[name] is None}
    return Result(summary, tables, unknown, (headline(parts),))


_REASONS = {
    "capacity_bytes": "this allocator has no limit",
    "peak_share": "this allocator has no limit",
    "free_bytes": "this allocator has no limit",
    "fragmentation_share": "this allocator does not tell it",
    "lifetime_peak_bytes": "this allocator does not tell it",
    "step_allocated_bytes": "no whole step is in this capture",
    **dict.fromkeys(
        ("stack_rows", "in_use_bytes", "in_use_count", "in_use_devices"), "this capture is no device memory profile"
    ),
}


def _unknown(summary: dict[str, Scalar], row: SystemRow) -> dict[str, str]:
    reasons = {**_REASONS, "growth_bytes": row.growth.reason}
    return {name: reasons[name] for name, value in summary.items() if value is None}


def _too_many(ignored: int) -> tuple[Finding, ...]:
    if not ignored:
        return ()
    return (Finding(f"{ignored:,} memory events belong to further allocators that are not told", "warning"),)


_FACTS = (
    "peak_bytes",
    "peak_share",
    "capacity_bytes",
    "lifetime_peak_bytes",
    "peak_ms",
    "growth_bytes",
    "fragmentation_share",
    "allocations",
    "deallocations",
)

MEMORY_PROFILE = Tool(
    name="memory_profile",
    title="Memory",
    question="What fills the memory, and does it grow?",
    help="Use of each allocator over time, what is live at its peak by op, and growth from step to step.",
    summary=SUMMARY,
    tables=_TABLES,
    views=(
        View("facts", show=_FACTS),
        View("lines", table="timeline", label="start_ms", values=("max_bytes", "min_bytes", "fragmentation_share")),
        View("table", table="peak"),
        View("table", table="ops"),
        View("table", table="steps"),
        View("bars", table="lifetimes", label="lifetime", values=("total_bytes",)),
        View("table", table="systems"),
        View(
            "tree", table="stacks", label="name", show=("name", "bytes", "self_bytes", "share", "count", "file", "line")
        ),
    ),
    per_host=per_host,
    combine=combine,
    options=(
        Option("memory", "text", "", f"Memory system to show, `host/system` of several hosts; empty is {RULE}."),
        Option("start_ms", "number", None, "Begin of the timeline, from the capture's start.", low=0, high=_LONGEST_MS),
        Option("end_ms", "number", None, "End of the timeline.", low=0, high=_LONGEST_MS),
        Option("pixels", "integer", _PIXELS, "Rows of the timeline at most.", low=1, high=_MOST_PIXELS),
        LIMIT,
    ),
    aliases=("memory",),
    missing=missing,
    of_a_moment=True,
)
