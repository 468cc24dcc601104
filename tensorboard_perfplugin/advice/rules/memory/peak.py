"""One memory system → what its numbers mean: what fills it, how near it is to its end, whether it leaks."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Literal

from ...analysis.memory import BEFORE, OP, PS_PER_MS, RESERVED, UNEXPLAINED, SystemRow, keeps, size
from ...tables import Cells, Evidence
from ...units import IN_WORDS, duration, percent
from ..finding import Finding

#: Of the capacity: from here on the next larger batch may not fit.
_NEAR = 0.9
#: Fragmentation worth a word, where the free memory is not most of all there is.
_FRAGMENTED, _FULL = 0.5, 0.5
#: Of what PyTorch's allocator reserved, and of bytes: so much unused is worth a word.
_KEPT_SHARE, _KEPT_BYTES = 0.25, 256 << 20
#: What temporary buffers hold of the peak, to be named.
_MUCH = 0.2
#: Below this part of the peak an op is not named beside what holds most.
_WORTH = 0.005
#: A step that allocates so many times the peak, in so many allocations.
_CHURN, _CHURN_ALLOCATIONS = 10, 1000
#: Growth that is worth a word: bytes a step, or part of the peak over the capture.
_GROWTH_BYTES, _GROWTH_SHARE = 1 << 20, 0.01
_TRACE = "trace_viewer"
#: So many steps prove a leak.
_PLACES = 3


@dataclasses.dataclass(frozen=True)
class Shown:
    """What findings are made from: the chosen system's row and tables, and where its peak lies, in ps.

    around_ps: the step of the peak, or a short time around it. cut: whether the first step began before the capture.
    """

    row: SystemRow
    tables: Mapping[str, Mapping[str, Cells]]
    peak_ps: int
    around_ps: tuple[int, int]
    cut: bool

    @property
    def peak_bytes(self) -> int:
        return int(self.row.cells["peak_bytes"] or 0)

    @cached_property
    def parts(self) -> dict[tuple[str, str], int]:
        """Bytes at the peak by kind and op: of ops from their own table, which tells of all of an op's at once."""
        peak, ops = self.tables["peak"], self.tables["ops"]
        parts: dict[tuple[str, str], int] = {}
        for kind, total in zip(peak["kind"], peak["total_bytes"], strict=True):
            if kind != OP:
                parts[str(kind), ""] = parts.get((str(kind), ""), 0) + int(total or 0)
        for op, held in zip(ops["op"], ops["peak_bytes"], strict=True):
            if held:
                parts[OP, str(op)] = parts.get((OP, str(op)), 0) + int(held)
        return parts

    @property
    def capacity(self) -> int | None:
        value = self.row.cells["capacity_bytes"]
        return int(value) if value else None


def memory_findings(shown: Shown) -> tuple[Finding, ...]:
    """What may end the run comes first; then what fills the memory at its peak, and what else is to be known."""
    ends = [f for f in (_near(shown), _shown_leak(shown)) if f is not None]
    found = [
        _unexplained(shown),
        _reserved(shown),
        _doubts(shown),
        _fragmented(shown),
        _temporary(shown),
        _churn(shown),
        _cut(shown),
    ]
    urgent = [f for f in ends if f.severity == "warning"]
    return (*urgent, _first(shown), *(f for f in [*ends, *found] if f is not None and f not in urgent))


def _first(shown: Shown) -> Finding:
    cells, peak = shown.row.cells, shown.peak_bytes
    share = cells["peak_share"]
    of = f", {percent(float(share))} of its {size(shown.capacity)}" if share is not None and shown.capacity else ""
    title = f"{shown.row.called} holds {size(peak)} at its peak{of}"
    holder = _holder(shown)
    title += f"; {holder}" if holder else ""
    step = f" in step {cells['peak_step']}" if cells["peak_step"] else ""
    detail = f"Reached {duration(shown.peak_ps)} after the capture's start{step}."
    where = (Evidence(shown.row.host, *shown.around_ps, shown.row.track),)
    return Finding(title, share=None if share is None else float(share), detail=detail, tool=_TRACE, evidence=where)


def _holder(shown: Shown) -> str:
    """Who holds most of it, and where that is no op, which op holds most beside it."""
    parts, peak = shown.parts, shown.peak_bytes
    if not parts or not peak:
        return ""
    first = max(parts, key=lambda part: parts[part])
    words = {
        OP: "",
        BEFORE: "allocated before the capture, ",
        RESERVED: "stack, reserved by the runtime, ",
        UNEXPLAINED: "not explained by the events, ",
    }
    ops = [part for part in parts if part[0] == OP]
    told = [first]
    if ops and first[0] != OP:
        told += [part for part in [max(ops, key=lambda part: parts[part])] if parts[part] >= _WORTH * peak]
    said = [words[kind] + (f"`{_op(op)}`, " if kind == OP else "") for kind, op in told]
    held = [f"{size(parts[part])} ({percent(max(parts[part] / peak, 0.0))})" for part in told]
    return "largest part: " + "; then ".join(f"{name}{part}" for name, part in zip(said, held, strict=True))


def _op(name: str) -> str:
    return name[:IN_WORDS] or "an op that is not told"


def _near(shown: Shown) -> Finding | None:
    share = shown.row.cells["peak_share"]
    free = None if keeps(shown.row.name) else shown.row.cells["free_bytes"]
    if share is None or float(share) < _NEAR or shown.capacity is None:
        return None
    left = size(shown.capacity - shown.peak_bytes if free is None else int(free))
    title = f"Out of memory is near: only {left} of {size(shown.capacity)} are free at the peak"
    holder = _holder(shown)
    detail = f"{holder[0].upper()}{holder[1:]}." if holder else ""
    where = (Evidence(shown.row.host, *shown.around_ps, shown.row.track),)
    return Finding(title, "warning", float(share), detail, _SAVE, _TRACE, where)


_SAVE = "Make the batch smaller, keep less for the backward pass (recompute it), or use a type of fewer bits."


def _reserved(shown: Shown) -> Finding | None:
    """What PyTorch's allocator keeps of the device beyond what tensors hold, at the peak of these."""
    free = shown.row.cells["free_bytes"]
    if free is None or not keeps(shown.row.name):
        return None
    reserved = shown.peak_bytes + int(free)
    share = int(free) / reserved if reserved else 0.0
    title = f"PyTorch's allocator has reserved {size(reserved)} at the peak, {percent(share)} of it unused"
    if share < _KEPT_SHARE or int(free) < _KEPT_BYTES:
        return Finding(title, share=share)
    action = (
        "Allocations of sizes that vary leave gaps: set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True in the "
        "program's environment, or let sizes repeat (pad batches to a few lengths)."
    )
    return Finding(title, "note", share, "What is reserved no other program can use.", action)


def leak(row: SystemRow, ops: Mapping[str, Cells] | None) -> Finding | None:
    """Growth from step to step, with what allocates what is not freed."""
    grows, peak = row.growth, int(row.cells["peak_bytes"] or 0)
    if grows.confidence == "none" or grows.slope is None:
        return None
    if grows.slope < _GROWTH_BYTES and grows.slope * grows.steps < _GROWTH_SHARE * peak:
        return None
    title = f"{row.called} grows by {size(grows.slope)} a step, over {grows.steps} steps"
    keepers = _keepers(ops) if ops is not None else []
    if keepers:
        op, kept = keepers[0]
        title += f": `{op}` allocates {size(kept)} a step that is not freed"
    more = "; ".join(f"`{op}`: {size(kept)} a step" for op, kept in keepers[1:4])
    detail = f"Confidence: {grows.confidence}; {percent(grows.rising)} of the steps hold no less than the one before."
    detail += f" Also kept: {more}." if more else ""
    action = "Look for what keeps a reference to it in every step: a list, a dictionary, a closure, a cache."
    severity: Literal["note", "warning"] = "note" if grows.confidence == "low" else "warning"
    share = min(grows.slope * grows.steps / peak, 1.0) if peak else None
    return Finding(title, severity, share, detail, action)


def _shown_leak(shown: Shown) -> Finding | None:
    """With the way to the last steps that kept something."""
    found, steps = leak(shown.row, shown.tables["ops"]), shown.tables["steps"]
    if found is None:
        return None
    times = zip(*(steps[name] for name in ("start_ms", "duration_ms", "kept_bytes", "whole")), strict=True)
    kept = [(float(at or 0), float(long or 0)) for at, long, held, whole in times if held and whole]
    where = (
        Evidence(shown.row.host, int(at * PS_PER_MS), int((at + long) * PS_PER_MS), shown.row.track)
        for at, long in kept[-_PLACES:]
    )
    return dataclasses.replace(found, tool=_TRACE if kept else "", evidence=tuple(where))


def _keepers(ops: Mapping[str, Cells]) -> list[tuple[str, float]]:
    """Ops that keep something in each step, most first."""
    kept = [(str(op), float(b)) for op, b in zip(ops["op"], ops["kept_bytes"], strict=True) if b]
    return sorted(((_op(op), b) for op, b in kept), key=lambda pair: -pair[1])


def _unexplained(shown: Shown) -> Finding | None:
    lost, peak = int(shown.row.cells["unexplained_bytes"] or 0), shown.peak_bytes
    if not lost:
        return None
    share = min(abs(lost) / peak, 1.0) if peak else None
    more = "less" if lost > 0 else "more"
    title = f"The events explain {size(abs(lost))} {more} than the allocator says is in use at the peak"
    return Finding(title, "warning", share, "Events were lost, or contradict each other; one row makes up for it.")


def _doubts(shown: Shown) -> Finding | None:
    if not shown.row.doubtful and shown.row.told:
        return None
    counted = [f"{count:,} {what}" for what, count in shown.row.doubtful.items()]
    if not shown.row.told:
        title = f"{shown.row.called} does not tell what is in use: it is summed up from allocations"
    else:
        title = f"Some memory events of {shown.row.called} contradict each other: {counted[0]}"
    return Finding(title, "note", detail="; ".join(counted))


def _fragmented(shown: Shown) -> Finding | None:
    cells = shown.row.cells
    share, fragmentation, free = cells["peak_share"], cells["fragmentation_share"], cells["free_bytes"]
    if share is None or fragmentation is None or free is None or float(share) < _FULL:
        return None
    if float(fragmentation) < _FRAGMENTED:
        return None
    title = f"Free memory is fragmented at the peak: {percent(float(fragmentation))} of it is not in the largest block"
    action = "An allocation larger than that block fails though there is room; sizes that vary less help."
    return Finding(title, "note", float(fragmentation), action=action)


def _temporary(shown: Shown) -> Finding | None:
    peak = shown.tables["peak"]
    rows = zip(peak["region"], peak["total_bytes"], strict=True)
    temporary = sum(int(total or 0) for region, total in rows if region == "temp")
    if not shown.peak_bytes or temporary < _MUCH * shown.peak_bytes:
        return None
    title = f"Temporary buffers take {percent(temporary / shown.peak_bytes)} of the peak: {size(temporary)}"
    action = "Work space of kernels: convolutions that may use less, or smaller batches, need less of it."
    return Finding(title, "note", min(temporary / shown.peak_bytes, 1.0), action=action)


def _churn(shown: Shown) -> Finding | None:
    churn, steps = shown.row.cells["step_allocated_bytes"], shown.tables["steps"]
    counts = [int(n or 0) for n, whole in zip(steps["allocations"], steps["whole"], strict=True) if whole]
    if churn is None or not counts or not shown.peak_bytes:
        return None
    count = sum(counts) / len(counts)
    if float(churn) < _CHURN * shown.peak_bytes or count < _CHURN_ALLOCATIONS:
        return None
    title = f"Every step allocates {size(float(churn))}, {float(churn) / shown.peak_bytes:.0f} times the peak"
    return Finding(title, "note", detail=f"{count:,.0f} allocations a step.")


def _cut(shown: Shown) -> Finding | None:
    held = shown.parts.get((BEFORE, ""), 0)
    if not shown.cut or not held or not shown.peak_bytes:
        return None
    title = f"The capture began within a step: {size(held)} of the peak were allocated before it, by ops not told"
    return Finding(title, "info", min(held / shown.peak_bytes, 1.0))


def elsewhere(rows: Sequence[SystemRow], chosen: SystemRow) -> tuple[Finding, ...]:
    """Leaks, and memory that is nearly full, in systems that are not shown."""
    found = []
    for row in rows:
        if row is chosen or row.cells["kind"] == "driver":
            continue
        grows = leak(row, None)
        if grows:
            action = f"Choose memory={row.cells['memory']} to see what is not freed."
            found.append(dataclasses.replace(grows, action=action))
    return tuple(found[:5])
