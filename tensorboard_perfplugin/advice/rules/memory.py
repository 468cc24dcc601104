"""Rules on memory: what may end a run, what fills a memory at its peak, and what else is to be known."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence

from msgspec import structs

from ...analysis.allocator import Failure, Snapshot
from ...analysis.memory.events import FREED_LATER, OP, STACK, UNEXPLAINED
from ...analysis.memory.stacks import Holder, InUse, KindInUse
from ...analysis.memory.systems import System, keeps
from ...analysis.memory.use import Held, Keeper, MemoryFacts
from ...messages import Message, Param, Params
from ...tables import Evidence
from ...threshold import Threshold
from ..finding import OTHERS, PARTS, STEPS, Finding, Severity, worst_first

# Why a capture holds no memory events → a finding.


def no_memory(reason: Message) -> Finding:
    return Finding(code="no_memory_events", params={"reason": reason}, severity="note")


# Free memory in pieces → a finding.

FRAGMENTED = Threshold("fragmented", 0.5, "share", "below it the largest block is most of what is free")
FULL = Threshold("full", 0.5, "share", "of a memory that is less full any block is large enough")


def fragmented(facts: MemoryFacts) -> Iterator[Finding]:
    share, fragmentation = facts.system.peak_share, facts.system.fragmentation_share
    if share is None or fragmentation is None or facts.system.free_bytes is None or share < FULL.value:
        return
    if fragmentation >= FRAGMENTED.value:
        params = {"share": fragmentation}
        yield Finding(code="memory_fragmented", params=params, severity="note", share=fragmentation)


# Growth of a memory from step to step → a leak, and what allocates what is not freed.

GROWTH_BYTES = Threshold(
    "growth_bytes",
    1 << 20,
    "bytes",
    "a step that keeps less fills no memory in a run of usual length",
    "1 MiB per step are 1 GiB in a thousand steps",
)
GROWTH_SHARE = Threshold(
    "growth_share", 0.01, "share", "growth over the capture of a smaller part of the peak is what allocators stray by"
)
#: Systems beside the shown one that are named.
_SYSTEMS = 5


def grows(facts: MemoryFacts) -> Iterator[Finding]:
    """With the way to the last steps that kept something."""
    steps = facts.keeping_steps(STEPS)
    evidence = tuple(Evidence(facts.system.host, *when, facts.system.track) for when in steps)
    for finding in leak("memory_grows", facts.system, _kept(facts.keepers)):
        yield finding.changed(tool="trace_viewer" if steps else "", evidence=evidence)


def elsewhere(systems: Sequence[tuple[str, System]]) -> Iterator[Finding]:
    """Leaks in systems that are not shown. systems: each with what to choose it by."""
    found = (
        finding
        for choice, system in systems
        if system.kind != "driver"
        for finding in leak("memory_grows.elsewhere", system, {"memory": choice})
    )
    yield from itertools.islice(found, _SYSTEMS)


def _kept(keepers: Sequence[Keeper]) -> dict[str, Param]:
    """What allocates what is not freed."""
    if not keepers:
        return {}
    others = (Message("memory_kept", each._asdict()) for each in keepers[1 : 1 + OTHERS])
    return {"op": keepers[0].op, "kept": keepers[0].bytes, "others": tuple(others)}


def leak(code: str, system: System, more: Params) -> Iterator[Finding]:
    """That a system grows from step to step. more: parameters beyond its growth."""
    growth, peak = system.growth, system.peak_bytes
    if growth.confidence == "none" or growth.slope is None:
        return
    total = growth.slope * growth.steps
    if growth.slope < GROWTH_BYTES.value and total < GROWTH_SHARE.value * peak:
        return
    params: dict[str, Param] = {
        "system": system.system,
        "growth": growth.slope,
        "steps": growth.steps,
        "confidence": growth.confidence,
        "rising": growth.rising,
        **more,
    }
    severity: Severity = "note" if growth.confidence == "low" else "warning"
    share = min(total / peak, 1.0) if peak else None
    yield Finding(code=code, params=params, severity=severity, share=share)


# The peak of a memory → what fills it, and how near it is to the capacity.

NEARLY_FULL = Threshold(
    "nearly_full", 0.9, "share", "from this part of the capacity on the next larger batch may not fit", "a convention"
)
SECOND = Threshold(
    "second",
    0.005,
    "share",
    "an op with a smaller part of the peak is not named beside what holds most",
    "what three digits of a size still show",
)
_CODES = {
    OP: "memory_part.op",
    FREED_LATER: "memory_part.before",
    STACK: "memory_part.stack",
    UNEXPLAINED: "memory_part.unexplained",
}
_REMEDIES = {OP: "op", FREED_LATER: "before", STACK: "stack", UNEXPLAINED: "unexplained"}


def largest_parts(facts: MemoryFacts) -> Iterator[Finding]:
    """How much is held at the peak, and by what."""
    system = facts.system
    limit = {"capacity": system.capacity_bytes, "share": system.peak_share}
    params: dict[str, Param] = {
        "system": system.system,
        "peak": system.peak_bytes,
        "at": system.peak_ps,
        "step": system.peak_step,
        **(limit if system.capacity_bytes else {}),
        **_largest(facts),
        "remedy": _remedy(facts),
    }
    yield Finding(
        code="memory_peak", params=params, share=system.peak_share, tool="trace_viewer", evidence=_where(facts)
    )


def nearly_full(facts: MemoryFacts) -> Iterator[Finding]:
    """With what fills it, and the way to when."""
    for finding in near_capacity(facts.system):
        params = {**finding.params, **_largest(facts)}
        yield finding.changed(params=params, tool="trace_viewer", evidence=_where(facts))


def near_capacity(system: System) -> Iterator[Finding]:
    """That the next larger batch may not fit."""
    share, left = system.peak_share, system.left_bytes
    if share is not None and left is not None and share >= NEARLY_FULL.value:
        params: dict[str, Param] = {"free": left, "capacity": system.capacity_bytes}
        yield Finding(code="memory_nearly_full", params=params, severity="warning", share=share)


def _remedy(facts: MemoryFacts) -> Message:
    """What makes what holds most smaller."""
    return Message(f"memory_remedy.{_REMEDIES[facts.holders[0].kind] if facts.holders else 'look'}")


def _where(facts: MemoryFacts) -> tuple[Evidence, ...]:
    return (Evidence(facts.system.host, *facts.around_ps, facts.system.track),)


def _largest(facts: MemoryFacts) -> dict[str, Param]:
    """What holds most, and where that is no op, which op holds most beside it."""
    peak, holders = facts.peak_bytes, facts.holders
    if not holders or not peak:
        return {}
    first, op = holders[0], next((each for each in holders if each.kind == OP), None)
    params: dict[str, Param] = {"largest": _part(first, peak)}
    if op and first.kind != OP and op.bytes >= SECOND.value * peak:
        params["second"] = _part(op, peak)
    return params


def _part(held: Held, peak: int) -> Message:
    params: dict[str, Param] = {"bytes": held.bytes, "share": max(held.bytes / peak, 0.0)}
    return Message(_CODES[held.kind], params | ({"op": held.op} if held.kind == OP else {}))


# Device memory profiles → how much is in use on how many devices, and where most of it was asked for.

#: A path that a sentence has room for.
_SHORT_PATH = 40


def profile_findings(used: InUse, holders: Sequence[Holder]) -> Iterator[Finding]:
    """holders: most first."""
    params: dict[str, Param] = {"bytes": used.bytes, "devices": used.devices or None, "cut": used.cut or None}
    if not holders or used.bytes <= 0:
        yield Finding(code="memory_in_use", params=params)
        return
    first = holders[0]
    params |= {
        "held": first.bytes,
        "share": first.bytes / used.bytes,
        "function": first.frame.name,
        "kinds": tuple(map(_kind, used.kinds[:PARTS])),
    }
    if first.frame.file:
        params |= {"file": nearest(first.frame.file), "line": first.frame.line}
    share = min(max(first.bytes / used.bytes, 0.0), 1.0)
    yield Finding(code="memory_in_use", params=params, share=share)


def _kind(held: KindInUse) -> Message:
    return Message("memory_in_use.kind", structs.asdict(held))


def nearest(file: str) -> str:
    """A long path by its last two parts: tables and the flame graph have the whole of it."""
    parts = file.replace("\\", "/").split("/")
    return file if len(file) <= _SHORT_PATH or len(parts) < 3 else "…/" + "/".join(parts[-2:])


# Memory events that contradict each other, or are not all there → how far the figures can be trusted.

MUCH = Threshold(
    "much of the peak unexplained", 0.1, "share", "of the peak; without less what fills the memory is the same"
)


def unexplained(facts: MemoryFacts) -> Iterator[Finding]:
    """Part of the peak that the events do not explain."""
    lost, peak = facts.system.unexplained_bytes, facts.peak_bytes
    if lost:
        yield Finding(
            code="memory_unexplained" if lost > 0 else "memory_unexplained.too_much",
            params={"bytes": abs(lost)},
            severity="warning" if abs(lost) >= MUCH.value * peak else "note",
            share=min(abs(lost) / peak, 1.0) if peak else None,
        )


def contradictory(facts: MemoryFacts) -> Iterator[Finding]:
    """Figures that are summed up from events, and events that contradict each other."""
    system = facts.system
    counts = tuple(Message(f"memory_doubt.{what}", {"count": n}) for what, n in system.doubtful.items())
    params: dict[str, Param] = {"system": system.system, "counts": counts}
    if not system.reports_use:
        yield Finding(code="memory_use_summed", params=params)
    elif counts:
        yield Finding(code="memory_events_contradict", params={**params, "first": counts[0]})


def began_within_a_step(facts: MemoryFacts) -> Iterator[Finding]:
    """What a step allocated before the capture began."""
    held, peak = facts.before_bytes, facts.peak_bytes
    if facts.cut and held and peak:
        yield Finding(code="capture_began_in_step", params={"bytes": held}, share=min(held / peak, 1.0))


def not_shown_allocators(events: int) -> Iterator[Finding]:
    """events: of allocators that are too many to be shown."""
    if events:
        params = {"events": events, "several": events > 1}
        yield Finding(code="allocators_not_shown", params=params, severity="warning")


# What PyTorch's allocator has reserved → how much of it no tensor uses.

UNUSED_SHARE = Threshold(
    "unused_share", 0.25, "share", "an allocator always keeps some of what it reserved: a smaller part needs no action"
)
UNUSED_BYTES = Threshold("unused_bytes", 256 << 20, "bytes", "less than this is no batch's worth of a GPU's memory")


def reserved(facts: MemoryFacts) -> Iterator[Finding]:
    """What the allocator keeps of the device beyond what tensors hold, at their peak."""
    free = facts.system.free_bytes
    if free is None or not keeps(facts.system.system):
        return
    total = facts.peak_bytes + free
    share = free / total if total else 0.0
    params = {"reserved": total, "unused": share}
    if share < UNUSED_SHARE.value or free < UNUSED_BYTES.value:
        yield Finding(code="reserved_memory", params=params, share=share)
    else:
        yield Finding(code="reserved_memory.unused", params=params, severity="note", share=share)


# Memory snapshots → why an allocation failed, what fills the peak, and what the record lacks.

CATEGORY = Threshold(
    "part of a category", 0.4, "share", "a smaller part of the peak is not what decides whether it fits", "a convention"
)
ONE = Threshold("one allocation", 0.3, "share", "a smaller allocation does not make the peak by itself", "a convention")
OLD = Threshold(
    "older than the record", 0.1, "share", "of a smaller part of the peak it does not matter who allocated it"
)
PIECES = Threshold(
    "largest of the free pieces", 0.5, "share", "below it most of what is reserved and free lies in other pieces"
)
_TELLS = ("parameter", "gradient", "optimizer", "activation")
_UNUSED, _SAID_BY = "reserved_memory.unused", "snapshot_pieces"
#: Categories whose largest allocation a program can split.
_SPLITS = ("activation", "temporary", "other")


def snapshot_findings(snapshot: Snapshot, facts: MemoryFacts | None, found: Sequence[Finding]) -> tuple[Finding, ...]:
    """found: what is said of the memory as of any other; of equal severity failed allocations go before it, all
    else follows.
    """
    failed = list(_failed(snapshot))
    rest = [*_record(snapshot)]
    if facts is not None:
        rest = [*_pieces(snapshot), *_category(snapshot), *_one(snapshot, facts), *rest]
    if any(each.code.startswith(_SAID_BY) for each in rest):
        found = [each for each in found if each.code != _UNUSED]
    return worst_first((*failed, *found, *rest))


def _snapshots_where(snapshot: Snapshot, failure: Failure) -> tuple[Evidence, ...]:
    return (Evidence(snapshot.host, max(failure.time_ps - 10**9, 0), failure.time_ps + 10**9),)


def _failed(snapshot: Snapshot) -> Iterator[Finding]:
    """Of the first failed allocation: later ones are its retries, or follow from it."""
    if not snapshot.failures:
        return
    first = snapshot.failures[0]
    params: dict[str, Param] = {
        "asked": first.asked,
        "op": snapshot.asked_by.get(first.kind, ""),
        "free": first.free,
        "largest": first.largest_free,
        "pieces": first.holes,
        "left": first.device_free,
        "reserved": first.reserved,
    }
    code = "snapshot_failed.full"
    if first.is_fragmented:
        code = "snapshot_failed.pieces" if not snapshot.expandable else "snapshot_failed.expandable"
        if first.in_way:
            op = snapshot.asked_by.get(first.in_way_kind, "")
            way: dict[str, Param] = {"bytes": first.in_way, "blocks": first.in_way_blocks, "op": op}
            params["in_way"] = Message("snapshot_in_way", way)
    yield Finding(
        code=code,
        params=params,
        severity="warning",
        share=min(first.free / first.reserved, 1.0) if first.reserved else None,
        tool="trace_viewer",
        evidence=_snapshots_where(snapshot, first),
    )


def _category(snapshot: Snapshot) -> Iterator[Finding]:
    """What most of the peak is for; with what to do about it only where an allocation failed."""
    peak = snapshot.peak_bytes
    for name in sorted(_TELLS, key=lambda name: -snapshot.peak.get(name, 0))[:1]:
        held = snapshot.peak.get(name, 0)
        if peak and held >= CATEGORY.value * peak:
            params: dict[str, Param] = {"category": name, "bytes": held, "share": held / peak}
            failed = bool(snapshot.failures)
            code = f"snapshot_category.{name}"
            if not failed or snapshot.has_remedy(name):
                code = "snapshot_category.any"
            yield Finding(code=code, params=params, severity="note" if failed else "info", share=held / peak)


def _one(snapshot: Snapshot, facts: MemoryFacts) -> Iterator[Finding]:
    """One allocation that makes the peak, of those that a program can split."""
    one, peak = snapshot.largest, facts.peak_bytes
    if one is None or not peak or one.category not in _SPLITS or one.bytes < ONE.value * peak:
        return
    params: dict[str, Param] = {"op": one.op, "bytes": one.bytes, "share": one.bytes / peak}
    shown = any(each.kind == OP and each.op == one.op for each in facts.holders)
    yield Finding(
        code="snapshot_one_allocation",
        params=params,
        severity="note",
        share=one.bytes / peak,
        tool="trace_viewer" if shown else "",
        evidence=(Evidence(snapshot.host, *facts.around_ps, facts.system.track),) if shown else (),
    )


def _pieces(snapshot: Snapshot) -> Iterator[Finding]:
    """What is reserved and free at the peak lies in pieces, where that is much. Thresholds are those of `reserved`."""
    free, reserved = snapshot.peak_free, snapshot.peak_reserved
    if not reserved or free < UNUSED_SHARE.value * reserved or free < UNUSED_BYTES.value:
        return
    if snapshot.failures or snapshot.peak_largest_free >= PIECES.value * free:
        return
    params: dict[str, Param] = {
        "reserved": reserved,
        "free": free,
        "unused": free / reserved,
        "pieces": snapshot.peak_pieces,
        "largest": snapshot.peak_largest_free,
    }
    code = "snapshot_pieces.expandable" if snapshot.expandable else "snapshot_pieces"
    yield Finding(code=code, params=params, severity="note", share=free / reserved)


def _record(snapshot: Snapshot) -> Iterator[Finding]:
    """What was not recorded."""
    if not snapshot.has_history:
        params: dict[str, Param] = {"reserved": snapshot.totals.reserved, "used": snapshot.totals.used}
        yield Finding(code="snapshot_not_recorded", params=params, severity="note")
    elif (snapshot.before_share or 0.0) >= OLD.value:
        share = min(snapshot.before_share or 0.0, 1.0)
        params = {"bytes": snapshot.peak.get("before", 0), "share": share, "actions": snapshot.actions}
        yield Finding(code="snapshot_recorded_late", params=params, severity="note", share=share)
    if snapshot.has_history and not snapshot.has_stacks:
        yield Finding(code="snapshot_without_stacks", severity="note")


# What is held, or allocated again and again, for a short time only → findings.

TEMPORARY = Threshold(
    "temporary", 0.2, "share", "a smaller part of the peak in temporary buffers is what kernels need in any case"
)
CHURN = Threshold(
    "churn", 10, "times the peak", "a step that allocates fewer times its peak reuses its memory as steps do"
)
CHURN_ALLOCATIONS = Threshold(
    "churn_allocations",
    1000,
    "allocations",
    "fewer allocations in a step cost little, whatever their size",
    "at some µs an allocation they take some ms",
)


def temporary(facts: MemoryFacts) -> Iterator[Finding]:
    held, peak = facts.temporary_bytes, facts.peak_bytes
    if peak and held >= TEMPORARY.value * peak:
        params = {"share": held / peak, "bytes": held}
        yield Finding(code="temporary_buffers", params=params, severity="note", share=min(held / peak, 1.0))


def churn(facts: MemoryFacts) -> Iterator[Finding]:
    allocated, peak, count = facts.system.step_allocated_bytes, facts.peak_bytes, facts.allocations_per_step
    if allocated is None or count is None or not peak:
        return
    if allocated >= CHURN.value * peak and count >= CHURN_ALLOCATIONS.value:
        params = {"bytes": allocated, "times": round(allocated / peak), "allocations": round(count)}
        yield Finding(code="memory_churn", params=params, severity="note")


#: What may end the run comes first, then what fills the memory at its peak.
_RULES: tuple[Callable[[MemoryFacts], Iterator[Finding]], ...] = (
    nearly_full,
    grows,
    largest_parts,
    unexplained,
    reserved,
    contradictory,
    fragmented,
    temporary,
    churn,
    began_within_a_step,
)


def memory_findings(facts: MemoryFacts) -> tuple[Finding, ...]:
    return worst_first(finding for rule in _RULES for finding in rule(facts))
