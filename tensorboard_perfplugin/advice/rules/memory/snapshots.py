"""Memory snapshots → why an allocation failed, what fills the peak, and what the record lacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....analysis.allocator import Failure, Snapshot
from ....analysis.memory.events import OP
from ....analysis.memory.use import MemoryFacts
from ....messages import Message, Param
from ....tables import Evidence
from ....threshold import Threshold
from ...finding import Finding, worst_first
from .reserved import UNUSED_BYTES, UNUSED_SHARE

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


def _where(snapshot: Snapshot, failure: Failure) -> tuple[Evidence, ...]:
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
        evidence=_where(snapshot, first),
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
