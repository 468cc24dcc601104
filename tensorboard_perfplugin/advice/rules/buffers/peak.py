"""An XLA program's peak → how much it is, where, and what fills it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ....analysis.buffers.host import PADDING, Row, Saving, Shown
from ....analysis.buffers.memory import DONATE, RECOMPUTE
from ....messages import Message, Param
from ...finding import Finding

#: Of a peak in three digits.
_SEEN = 0.001
_HOW = {DONATE: "buffer_saving.donate", RECOMPUTE: "buffer_saving.recompute", PADDING: "buffer_saving.padding"}


def of_peak(shown: Shown) -> Iterator[Finding]:
    space = shown.space
    capacity = shown.capacity_bytes
    share = space.peak_bytes / capacity if capacity else None
    params: dict[str, Param] = {
        "program": shown.name,
        "peak": space.peak_bytes,
        "parts": _parts(shown),
        **({"space": space.color} if space.color else {}),
        **_gaps(shown),
        **({"share": share, "capacity": capacity} if share is not None else {}),
        **_largest(shown),
    }
    if shown.peak_instruction:
        params |= {"instruction": shown.peak_instruction, "op": shown.peak_op, "source": shown.peak_source}
    yield Finding(
        code="program_peak" if space.simulated else "program_peak.summed",
        params=params,
        share=None if share is None else min(share, 1.0),
        **where(shown),
    )


def _gaps(shown: Shown) -> dict[str, Param]:
    space = shown.space
    gaps = space.allocated_bytes - space.peak_bytes
    return {"allocated": space.allocated_bytes, "gaps": gaps} if gaps > 0 else {}


def where(shown: Shown) -> dict[str, Any]:
    """The instruction of the peak, where the trace has it."""
    if not shown.in_trace:
        return {}
    return {"tool": "trace_viewer", "search": shown.peak_instruction, "match": "exact"}


def _parts(shown: Shown) -> tuple[Message, ...]:
    """Largest first, of what is live at the peak; of parts so small that no digit shows them none."""
    least = _SEEN * shown.space.peak_bytes
    sizes = sorted(((size, kind) for kind, size in shown.at_peak.items() if size > least), key=lambda part: -part[0])
    return tuple(Message(f"buffer_part.{kind}", {"bytes": size}) for size, kind in sizes)


def _largest(shown: Shown) -> dict[str, Param]:
    row = next((row for row in shown.rows if row.held.at_peak), None)
    return {"largest": named(row, row.held.size)} if row else {}


def named(row: Row, size: int) -> Message:
    """A buffer: its instruction, shape and place in the user's program."""
    params: dict[str, Param] = {
        "instruction": row.instruction,
        "shape": row.shape,
        "bytes": size,
        "op": row.op,
        "source": row.source,
    }
    return Message("buffer", params)


def saving_how(saving: Saving) -> Message:
    """What to do about it."""
    held = saving.largest.held
    size = held.size - held.logical_bytes if saving.what == PADDING else held.saved_bytes
    params: dict[str, Param] = {
        "bytes": saving.size,
        "buffers": saving.buffers,
        "largest": named(saving.largest, size),
    }
    if saving.what == RECOMPUTE:
        params["how"] = f"{held.how} operations" if held.how == "elementwise" else held.how
    return Message(_HOW[saving.what], params)
