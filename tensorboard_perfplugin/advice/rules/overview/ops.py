"""Ops of all hosts → those that copy, run eagerly, only wait, or take most."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.ops.rows import called
from ....analysis.overview import SideOps
from ....messages import Param
from ....threshold import Threshold
from ....timeline.ops.ops import waits_for_device
from ....timeline.timeline import CATEGORIES
from ...finding import Finding
from ..ops.padding import LOST, padding
from .facts import Facts
from .without_steps import LARGE, WAITS

#: What a TPU core runs ops for.
_ON_DEVICE = tuple(c.key for c in CATEGORIES if c.key.startswith(("compute_", "copy_")) or c.key == "collective")
COPIES = Threshold("copies", 0.1, "share", "memory copies are worth a line from this part of device op time on")
EAGER = Threshold(
    "eager",
    0.3,
    "share",
    "a program in eager mode; metrics and counters of a compiled one take up to a fourth of its op time",
)


def copies(facts: Facts) -> Iterator[Finding]:
    share = facts.device.copies_share
    if share > COPIES.value:
        params = {"share": share, "ps": facts.device.copies_ps}
        yield Finding(code="memory_copies", params=params, severity="note", share=share, tool="op_stats")


def padded(facts: Facts) -> Iterator[Finding]:
    """What the page of ops says of products, where it is as much of the typical step, too, as is worth a line."""
    busy = facts.case.step.share(_ON_DEVICE) if facts.case else 0.0
    found = padding([host.ops for host in facts.hosts], [host.padded for host in facts.hosts])
    yield from (finding for finding in found if (finding.share or 0.0) * busy >= LOST.value)


def eager(facts: Facts) -> Iterator[Finding]:
    if facts.eager_steps:
        return
    for side, ops in (("device", facts.device), ("host", facts.host)):
        share = ops.eager_share
        if share > EAGER.value:
            params: dict[str, Param] = {"share": share, "side": side, "in_steps": ops.in_steps}
            yield Finding(code="eager_ops", params=params, severity="note", share=share, tool="op_stats")


def waits(facts: Facts) -> Iterator[Finding]:
    """Where no split of steps shows it."""
    if facts.case is None:
        yield from _waits(facts.device, on_device=True)
        yield from _waits(facts.host, on_device=False)


def _waits(ops: SideOps, on_device: bool) -> Iterator[Finding]:
    share = ops.wait_share
    if ops.waits is None or share <= WAITS.value:
        return
    op, row = ops.waits
    for_device = "op_waits.for_device" if waits_for_device(op) else "op_waits.for_input"
    yield Finding(
        code="op_waits.device" if on_device else for_device,
        params={"share": share, "op": called(op), "ps": row.wait_ps},
        severity="note",
        share=share,
        tool="op_stats",
    )


def largest_host_op(facts: Facts) -> Iterator[Finding]:
    """Where devices are the answer, and no split of steps shows what hosts do."""
    if facts.case is not None or not facts.devices_ran or facts.host.hardest is None:
        return
    op, row = facts.host.hardest
    if row.self_ps > LARGE.value * facts.host.self_ps:
        params: dict[str, Param] = {"op": called(op), "share": row.self_ps / facts.host.self_ps, "ps": row.self_ps}
        yield Finding(code="largest_host_op", params=params, tool="op_stats")
