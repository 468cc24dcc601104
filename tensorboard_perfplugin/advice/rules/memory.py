"""Rules on memory: what may end a run, what fills a memory at its peak, and what else is to be known."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

from msgspec import structs

from ...analysis.allocator import Snapshot
from ...analysis.memory.events import FREED_LATER, OP, STACK, UNEXPLAINED
from ...analysis.memory.stacks import Holder, InUse, KindInUse
from ...analysis.memory.systems import System, keeps
from ...analysis.memory.use import Held, Keeper, MemoryFacts
from ...messages import Message, Param, Params
from ...tables import Evidence
from ...threshold import Threshold
from ..finding import OTHERS, PARTS, STEPS, Finding, worst_first
from ..rule import TRACE, Fact, Proof, Rule, findings_of

# Why a capture holds no memory events → a finding.


NO_MEMORY: Rule[[Message]] = Rule("no_memory_events", lambda reason: Fact(None, {"reason": reason}))


# Free memory in pieces → a finding.

FRAGMENTED = Threshold("fragmented", 0.5, "share", "below it the largest block is most of what is free")
FULL = Threshold("full", 0.5, "share", "of a memory that is less full any block is large enough")


def fragmented(facts: MemoryFacts) -> Fact | None:
    share, fragmentation = facts.system.peak_share, facts.system.fragmentation_share
    if share is None or fragmentation is None or facts.system.free_bytes is None or share < FULL.value:
        return None
    return Fact(fragmentation, {"share": fragmentation})


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


def grows(facts: MemoryFacts) -> Fact | None:
    """With the way to the last steps that kept something."""
    fact = leak(facts.system, _kept(facts.keepers))
    steps = facts.keeping_steps(STEPS)
    evidence = tuple(Evidence(facts.system.host, *when, facts.system.track) for when in steps)
    return fact and structs.replace(fact, proof=Proof("trace_viewer" if steps else "", evidence=evidence))


def elsewhere(systems: Sequence[tuple[str, System]]) -> Iterator[Fact]:
    """Leaks in systems that are not shown. systems: each with what to choose it by."""
    leaks = (leak(system, {"memory": choice}) for choice, system in systems if system.kind != "driver")
    return itertools.islice(filter(None, leaks), _SYSTEMS)


def _kept(keepers: Sequence[Keeper]) -> dict[str, Param]:
    """What allocates what is not freed."""
    if not keepers:
        return {}
    others = (Message("memory_kept", each._asdict()) for each in keepers[1 : 1 + OTHERS])
    return {"op": keepers[0].op, "kept": keepers[0].bytes, "others": tuple(others)}


def leak(system: System, more: Params | None = None) -> Fact | None:
    """That a system grows from step to step. more: parameters beyond its growth."""
    growth, peak = system.growth, system.peak_bytes
    if growth.confidence == "none" or growth.slope is None:
        return None
    total = growth.slope * growth.steps
    if growth.slope < GROWTH_BYTES.value and total < GROWTH_SHARE.value * peak:
        return None
    params: dict[str, Param] = {
        "system": system.system,
        "growth": growth.slope,
        "steps": growth.steps,
        "confidence": growth.confidence,
        "rising": growth.rising,
        **(more or {}),
    }
    return Fact(total / peak if peak else None, params, severity="note" if growth.confidence == "low" else "warning")


_GROWTH = (GROWTH_BYTES, GROWTH_SHARE)
LEAK: Rule[[System]] = Rule("memory_grows", leak, limits=_GROWTH)
ELSEWHERE: Rule[[Sequence[tuple[str, System]]]] = Rule("memory_grows.elsewhere", elsewhere, limits=_GROWTH)


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


def largest_parts(facts: MemoryFacts) -> Fact:
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
    return Fact(system.peak_share, params, _where(facts))


def nearly_full(facts: MemoryFacts) -> Fact | None:
    """With what fills it, and the way to when."""
    fact = near_capacity(facts.system)
    return fact and structs.replace(fact, params={**fact.params, **_largest(facts)}, proof=_where(facts))


def near_capacity(system: System) -> Fact | None:
    """That the next larger batch may not fit."""
    if system.peak_share is None or system.left_bytes is None:
        return None
    return Fact(system.peak_share, {"free": system.left_bytes, "capacity": system.capacity_bytes})


NEAR_CAPACITY: Rule[[System]] = Rule("memory_nearly_full", near_capacity, worth=NEARLY_FULL, severity="warning")


def _remedy(facts: MemoryFacts) -> Message:
    """What makes what holds most smaller."""
    return Message(f"memory_remedy.{_REMEDIES[facts.holders[0].kind] if facts.holders else 'look'}")


def _where(facts: MemoryFacts) -> Proof:
    return TRACE._replace(evidence=(Evidence(facts.system.host, *facts.around_ps, facts.system.track),))


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


MODEL = Threshold(
    "model", 0.1, "share", "a model that holds a smaller part of the peak is not what fills the memory", "a convention"
)


def several_models(facts: MemoryFacts) -> Fact | None:
    """The models that fill a memory together."""
    full, peak = facts.system.peak_share, facts.peak_bytes
    if full is None or full < NEARLY_FULL.value:
        return None
    models = [each for each in facts.model_scopes if each.bytes >= MODEL.value * peak]
    if len(models) < 2:
        return None
    share = sum(each.bytes for each in models) / peak
    parts = tuple(_part(each, peak) for each in models[:PARTS])
    return Fact(share, {"system": facts.system.system, "models": len(models), "parts": parts}, _where(facts))


# Device memory profiles → how much is in use on how many devices, and where most of it was asked for.

#: A path that a sentence has room for.
_SHORT_PATH = 40


def used_by_stacks(used: InUse, holders: Sequence[Holder]) -> Fact:
    """holders: most first."""
    params: dict[str, Param] = {"bytes": used.bytes, "devices": used.devices or None, "cut": used.cut or None}
    if not holders or used.bytes <= 0:
        return Fact(None, params)
    first = holders[0]
    params |= {
        "held": first.bytes,
        "share": first.bytes / used.bytes,
        "function": first.frame.name,
        "kinds": tuple(map(_kind, used.kinds[:PARTS])),
    }
    if first.frame.file:
        params |= {"file": nearest(first.frame.file), "line": first.frame.line}
    return Fact(max(first.bytes / used.bytes, 0.0), params)


IN_USE: Rule[[InUse, Sequence[Holder]]] = Rule("memory_in_use", used_by_stacks, severity="info")


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


def unexplained(facts: MemoryFacts) -> Fact | None:
    """Part of the peak that the events do not explain."""
    lost, peak = facts.system.unexplained_bytes, facts.peak_bytes
    if not lost:
        return None
    code = "memory_unexplained" if lost > 0 else "memory_unexplained.too_much"
    share = abs(lost) / peak if peak else None
    return Fact(share, {"bytes": abs(lost)}, code=code, size=math.inf if share is None else share)


def contradictory(facts: MemoryFacts) -> Fact | None:
    """Figures that are summed up from events, and events that contradict each other."""
    system = facts.system
    counts = tuple(Message(f"memory_doubt.{what}", {"count": n}) for what, n in system.doubtful.items())
    params: dict[str, Param] = {"system": system.system, "counts": counts}
    if not system.reports_use:
        return Fact(None, params, code="memory_use_summed")
    return Fact(None, {**params, "first": counts[0]}, code="memory_events_contradict") if counts else None


def began_within_a_step(facts: MemoryFacts) -> Fact | None:
    """What a step allocated before the capture began."""
    held, peak = facts.before_bytes, facts.peak_bytes
    return Fact(held / peak, {"bytes": held}) if facts.cut and held and peak else None


#: Of the events of allocators that are too many to be shown.
NOT_SHOWN: Rule[[int]] = Rule(
    "allocators_not_shown",
    lambda events: Fact(None, {"events": events, "several": events > 1}) if events else None,
    severity="warning",
)


# What PyTorch's allocator has reserved → how much of it no tensor uses.

UNUSED_SHARE = Threshold(
    "unused_share", 0.25, "share", "an allocator always keeps some of what it reserved: a smaller part needs no action"
)
UNUSED_BYTES = Threshold("unused_bytes", 256 << 20, "bytes", "less than this is no batch's worth of a GPU's memory")


def reserved(facts: MemoryFacts) -> Fact | None:
    """What the allocator keeps of the device beyond what tensors hold, at their peak."""
    free = facts.system.free_bytes
    if free is None or not keeps(facts.system.system):
        return None
    total = facts.peak_bytes + free
    share = free / total if total else 0.0
    params: dict[str, Param] = {"reserved": total, "unused": share}
    if share < UNUSED_SHARE.value or free < UNUSED_BYTES.value:
        return Fact(share, params, severity="info")
    return Fact(share, params, code=_UNUSED)


# Memory snapshots → why an allocation failed, what fills the peak, and what the record lacks.

CATEGORY = Threshold(
    "part of a category", 0.4, "share", "a smaller part of the peak is not what decides whether it fits", "a convention"
)
ONE = Threshold("one allocation", 0.3, "share", "a smaller allocation does not make the peak by itself", "a convention")
OLD = Threshold("older than the record", 0.1, "share", "of a smaller part of the peak its allocation does not matter")
PIECES = Threshold(
    "largest of the free pieces", 0.5, "share", "below it most of what is reserved and free lies in other pieces"
)
_TELLS = ("parameter", "gradient", "optimizer", "activation")
_UNUSED = "reserved_memory.unused"
#: Categories whose largest allocation a program can split.
_SPLITS = ("activation", "temporary", "other")


def snapshot_findings(snapshot: Snapshot, facts: MemoryFacts | None, found: Sequence[Finding]) -> tuple[Finding, ...]:
    """found: the findings that any memory may have; of equal severity failed allocations go before it, all
    else follows.
    """
    failed = FAILED.findings(snapshot)
    rest = list(findings_of(OF_RECORD, snapshot))
    if facts is not None:
        rest = [*findings_of(AT_PEAK, snapshot), *ONE_ALLOCATION.findings(snapshot, facts), *rest]
    if any(each.code.startswith("snapshot_pieces") for each in rest):
        found = [each for each in found if each.code != _UNUSED]
    return worst_first((*failed, *found, *rest))


def failed_allocation(snapshot: Snapshot) -> Fact | None:
    """Of the first failed allocation: later ones are its retries, or follow from it."""
    if not snapshot.failures:
        return None
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
    when = Evidence(snapshot.host, max(first.time_ps - 10**9, 0), first.time_ps + 10**9)
    share = first.free / first.reserved if first.reserved else None
    return Fact(share, params, TRACE._replace(evidence=(when,)), code)


def largest_category(snapshot: Snapshot) -> Fact | None:
    """What most of the peak is for; with what to do about it only where an allocation failed."""
    name = max(_TELLS, key=lambda name: snapshot.peak.get(name, 0))
    if not snapshot.peak_bytes:
        return None
    held = snapshot.peak.get(name, 0)
    share, failed = held / snapshot.peak_bytes, bool(snapshot.failures)
    return Fact(
        share,
        {"category": name, "bytes": held, "share": share},
        code=f"snapshot_category.{'any' if not failed or snapshot.has_remedy(name) else name}",
        severity="note" if failed else "info",
    )


def one_allocation(snapshot: Snapshot, facts: MemoryFacts) -> Fact | None:
    """One allocation that makes the peak, of those that a program can split."""
    one, peak = snapshot.largest, facts.peak_bytes
    if one is None or not peak or one.category not in _SPLITS:
        return None
    shown = any(each.kind == OP and each.op == one.op for each in facts.holders)
    share = one.bytes / peak
    return Fact(share, {"op": one.op, "bytes": one.bytes, "share": share}, _where(facts) if shown else Proof())


def pieces(snapshot: Snapshot) -> Fact | None:
    """What is reserved and free at the peak lies in pieces, where that is much."""
    free, reserved = snapshot.peak_free, snapshot.peak_reserved
    if not reserved or free < UNUSED_BYTES.value:
        return None
    if snapshot.failures or snapshot.peak_largest_free >= PIECES.value * free:
        return None
    params: dict[str, Param] = {
        "reserved": reserved,
        "free": free,
        "unused": free / reserved,
        "pieces": snapshot.peak_pieces,
        "largest": snapshot.peak_largest_free,
    }
    return Fact(free / reserved, params, code="snapshot_pieces.expandable" if snapshot.expandable else "")


def not_recorded(snapshot: Snapshot) -> Fact | None:
    if snapshot.has_history:
        return None
    return Fact(None, {"reserved": snapshot.totals.reserved, "used": snapshot.totals.used})


def recorded_late(snapshot: Snapshot) -> Fact | None:
    if not snapshot.has_history:
        return None
    share = min(snapshot.before_share or 0.0, 1.0)
    return Fact(share, {"bytes": snapshot.peak.get("before", 0), "share": share, "actions": snapshot.actions})


FAILED: Rule[[Snapshot]] = Rule(
    ("snapshot_failed.full", "snapshot_failed.pieces", "snapshot_failed.expandable"),
    failed_allocation,
    severity="warning",
)
AT_PEAK: tuple[Rule[[Snapshot]], ...] = (
    Rule(("snapshot_pieces", "snapshot_pieces.expandable"), pieces, worth=UNUSED_SHARE, limits=(UNUSED_BYTES, PIECES)),
    Rule(
        ("snapshot_category.any", *(f"snapshot_category.{name}" for name in _TELLS)), largest_category, worth=CATEGORY
    ),
)
ONE_ALLOCATION: Rule[[Snapshot, MemoryFacts]] = Rule("snapshot_one_allocation", one_allocation, worth=ONE)
OF_RECORD: tuple[Rule[[Snapshot]], ...] = (
    Rule("snapshot_not_recorded", not_recorded),
    Rule("snapshot_recorded_late", recorded_late, worth=OLD),
    Rule("snapshot_without_stacks", lambda of: Fact(None, {}) if of.has_history and not of.has_stacks else None),
)


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


def temporary(facts: MemoryFacts) -> Fact | None:
    held, peak = facts.temporary_bytes, facts.peak_bytes
    return Fact(held / peak, {"share": held / peak, "bytes": held}) if peak else None


def churn(facts: MemoryFacts) -> Fact | None:
    allocated, peak, count = facts.system.step_allocated_bytes, facts.peak_bytes, facts.allocations_per_step
    if allocated is None or count is None or not peak or count < CHURN_ALLOCATIONS.value:
        return None
    times = allocated / peak
    return Fact(None, {"bytes": allocated, "times": round(times), "allocations": round(count)}, size=times)


#: What may end the run comes first, then what fills the memory at its peak.
RULES: tuple[Rule[[MemoryFacts]], ...] = (
    Rule("memory_nearly_full", nearly_full, worth=NEARLY_FULL, severity="warning"),
    Rule("memory_nearly_full.models", several_models, limits=(NEARLY_FULL, MODEL)),
    Rule("memory_grows", grows, limits=_GROWTH),
    Rule("memory_peak", largest_parts, severity="info", limits=(SECOND,)),
    Rule(("memory_unexplained", "memory_unexplained.too_much"), unexplained, warns=MUCH),
    Rule(("reserved_memory", _UNUSED), reserved, limits=(UNUSED_SHARE, UNUSED_BYTES)),
    Rule(("memory_use_summed", "memory_events_contradict"), contradictory, severity="info"),
    Rule("memory_fragmented", fragmented, worth=FRAGMENTED, limits=(FULL,)),
    Rule("temporary_buffers", temporary, worth=TEMPORARY),
    Rule("memory_churn", churn, worth=CHURN, limits=(CHURN_ALLOCATIONS,)),
    Rule("capture_began_in_step", began_within_a_step, severity="info"),
)


def memory_findings(facts: MemoryFacts) -> tuple[Finding, ...]:
    return worst_first(findings_of(RULES, facts))
