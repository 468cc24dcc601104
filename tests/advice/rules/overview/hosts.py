"""One host's part of the overview with chosen numbers, and the facts that rules decide by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import structs

from tensorboard_perfplugin.advice.rules.overview import Facts
from tensorboard_perfplugin.analysis.idle import CAUSES, Idle
from tensorboard_perfplugin.analysis.ops.rows import Key, OpRow
from tensorboard_perfplugin.analysis.overview import Host, host, side_ops
from tensorboard_perfplugin.timeline.names.ops import Op
from tests.build_capture import Space
from tests.timeline.timelines import timeline

MS = 10**9


def row(self_ms: float, *, wait_ms: float = 0, eager_ms: float = 0, known_ms: float = 0) -> OpRow:
    return OpRow(1, 0, self_ms * MS, self_ms * MS, eager_ms * MS, known_ms * MS, wait_ms * MS, self_ms * MS)


def op(name: str, side: str, of: OpRow, type: str = "") -> dict[Key, OpRow]:
    return {(side, Op(name, type or name)): of}


def one(name: str = "h", *, ops: dict[str, Any] | None = None, **changes: Any) -> Host:
    """A host of a capture with one event, with other numbers. ops: of its `OpTable`."""
    space = Space()
    space.plane("/host:CPU").line(1).event("x", 0, 100 * MS)
    found = host(timeline(space, name), {"steps_from": "auto"})
    return structs.replace(found, ops=structs.replace(found.ops, **(ops or {})), **changes)


def facts(hosts: Sequence[Host], rows: dict[Key, OpRow] | None = None) -> Facts:
    return Facts(hosts, side_ops(rows or {}, "device"), side_ops(rows or {}, "host"), None)


def idle(by_cause_ms: dict[str, float], span_ms: float = 1000) -> Idle:
    """Why one GPU stood still."""
    return Idle(0, "", 7, round(span_ms * MS), tuple(round(by_cause_ms.get(name, 0) * MS) for name in CAUSES))
