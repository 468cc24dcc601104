"""Rules on the buffers of an XLA program: what its peak is, whether memory is nearly used up, what would save some."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ...analysis.buffers.host import PADDING, Row, Saving, Shown
from ...analysis.buffers.memory import DONATE, RECOMPUTE
from ...messages import Message, Param
from ...threshold import Threshold
from ..finding import Finding, worst_first

# An XLA program's peak → how much it is, where, and what fills it.

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


# An XLA program's memory and the device's → whether out of memory is near, and what to do first.

NEARLY_FULL = Threshold(
    "nearly_full",
    0.9,
    "share",
    "from this part of the device's memory on a somewhat larger batch, or another program's arrays, do not fit",
    "a convention, as for the memory profile",
)
WORTH = Threshold(
    "worth", 0.01, "share", "what would save a smaller part of the peak is not named among what to do first"
)


def near_capacity(shown: Shown) -> Iterator[Finding]:
    capacity, reserved = shown.capacity_bytes, shown.space.allocated_bytes
    if not capacity or reserved < NEARLY_FULL.value * capacity:
        return
    worth = [one for one in shown.savings if one.size >= WORTH.value * shown.space.peak_bytes]
    largest = next((row for row in shown.rows if row.held.at_peak), None)
    params: dict[str, Param] = {
        "program": shown.name,
        "reserved": reserved,
        "capacity": capacity,
        "first": tuple(saving_how(one) for one in worth),
        **({"instruction": shown.peak_instruction} if shown.peak_instruction else {}),
        **({"largest": named(largest, largest.held.size)} if largest else {}),
    }
    yield Finding(
        code="program_nearly_full",
        params=params,
        severity="warning",
        share=min(reserved / capacity, 1.0),
        **where(shown),
    )


# An XLA program's parameters and outputs → how much memory donated arguments would save.

DONATED_SHARE = Threshold(
    "donated_share", 0.1, "share", "a smaller part of the peak makes room for no larger batch", "batches grow by half"
)
DONATED_BYTES = Threshold(
    "donated_bytes", 16 << 20, "bytes", "less than this is no reason to give up arrays that the caller holds"
)
#: Arguments that are named.
_NAMED = 3


def could_be_donated(shown: Shown) -> Iterator[Finding]:
    peak = shown.space.peak_bytes
    saving = next((one for one in shown.savings if one.what == DONATE), None)
    if saving is None or saving.size < DONATED_BYTES.value or saving.size < DONATED_SHARE.value * peak:
        return
    rows = [row for row in shown.rows if row.held.saves == DONATE]
    yield Finding(
        code="program_donation",
        params={
            "program": shown.name,
            "bytes": saving.size,
            "share": saving.size / peak,
            "arguments": saving.buffers,
            "largest": tuple(named(row, row.held.saved_bytes) for row in rows[:_NAMED]),
        },
        severity="note",
        share=saving.size / peak,
        tool="memory_viewer",
    )


# An XLA program's buffers at the peak → how much of them is padding.

PADDED_SHARE = Threshold(
    "padded_share", 0.2, "share", "tiles of 8 × 128 elements always leave some padding: a smaller part is no reason"
)
PADDED_BYTES = Threshold("padded_bytes", 64 << 20, "bytes", "less than this is no reason to change a shape for")


def mostly_padding(shown: Shown) -> Iterator[Finding]:
    peak = shown.space.peak_bytes
    saving = next((one for one in shown.savings if one.what == PADDING), None)
    if saving is None or saving.size < PADDED_BYTES.value or saving.size < PADDED_SHARE.value * peak:
        return
    largest = saving.largest.held
    yield Finding(
        code="program_padding",
        params={
            "program": shown.name,
            "peak": peak,
            "share": saving.size / peak,
            "bytes": saving.size,
            "largest": named(saving.largest, largest.size - largest.logical_bytes),
            "sizes": saving.largest.padded or None,
        },
        severity="note",
        share=saving.size / peak,
        tool="memory_viewer",
    )


_RULES: tuple[Callable[[Shown], Iterator[Finding]], ...] = (near_capacity, of_peak, mostly_padding, could_be_donated)


def buffer_findings(shown: Shown) -> tuple[Finding, ...]:
    """What may end the run comes first, then what fills the memory at its peak."""
    return worst_first(finding for rule in _RULES for finding in rule(shown))
