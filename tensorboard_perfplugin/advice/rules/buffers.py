"""Rules on the buffers of an XLA program: what its peak is, whether memory is nearly used up, what would save some."""

from __future__ import annotations

from ...analysis.buffers.host import PADDING, Row, Saving, Shown
from ...analysis.buffers.memory import DONATE, RECOMPUTE
from ...messages import Message, Param
from ...threshold import Threshold
from ..finding import Finding, worst_first
from ..rule import Fact, Proof, Rule, findings_of

# An XLA program's peak → how much it is, where, and what fills it.

#: Of a peak in three digits.
_SEEN = 0.001
_HOW = {DONATE: "buffer_saving.donate", RECOMPUTE: "buffer_saving.recompute", PADDING: "buffer_saving.padding"}


def of_peak(shown: Shown) -> Fact:
    space, capacity = shown.space, shown.capacity_bytes
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
    return Fact(share, params, where(shown), "program_peak" if space.simulated else "program_peak.summed")


def _gaps(shown: Shown) -> dict[str, Param]:
    space = shown.space
    gaps = space.allocated_bytes - space.peak_bytes
    return {"allocated": space.allocated_bytes, "gaps": gaps} if gaps > 0 else {}


def where(shown: Shown) -> Proof:
    """The instruction of the peak, where the trace has it."""
    return Proof("trace_viewer", shown.peak_instruction, "exact") if shown.in_trace else Proof()


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


def near_capacity(shown: Shown) -> Fact | None:
    capacity, reserved = shown.capacity_bytes, shown.space.allocated_bytes
    if not capacity:
        return None
    worth = [one for one in shown.savings if one.size >= WORTH.value * shown.space.peak_bytes]
    params: dict[str, Param] = {
        "program": shown.name,
        "reserved": reserved,
        "capacity": capacity,
        "first": tuple(saving_how(one) for one in worth),
        **({"instruction": shown.peak_instruction} if shown.peak_instruction else {}),
        **_largest(shown),
    }
    return Fact(reserved / capacity, params, where(shown))


# An XLA program's parameters and outputs → how much memory donated arguments would save.

DONATED_SHARE = Threshold(
    "donated_share", 0.1, "share", "a smaller part of the peak makes room for no larger batch", "batches grow by half"
)
DONATED_BYTES = Threshold(
    "donated_bytes", 16 << 20, "bytes", "less than this is no reason to give up arrays that the caller holds"
)
#: Arguments that are named.
_NAMED = 3


def could_be_donated(shown: Shown) -> Fact | None:
    saving = _saving(shown, DONATE)
    if saving is None or saving.size < DONATED_BYTES.value:
        return None
    rows = [row for row in shown.rows if row.held.saves == DONATE]
    share = saving.size / shown.space.peak_bytes
    params: dict[str, Param] = {
        "program": shown.name,
        "bytes": saving.size,
        "share": share,
        "arguments": saving.buffers,
        "largest": tuple(named(row, row.held.saved_bytes) for row in rows[:_NAMED]),
    }
    return Fact(share, params, Proof("memory_viewer"))


def _saving(shown: Shown, what: str) -> Saving | None:
    return next((one for one in shown.savings if one.what == what), None)


# An XLA program's buffers at the peak → how much of them is padding.

PADDED_SHARE = Threshold(
    "padded_share", 0.2, "share", "tiles of 8 × 128 elements always leave some padding: a smaller part is no reason"
)
PADDED_BYTES = Threshold("padded_bytes", 64 << 20, "bytes", "less than this is no reason to change a shape for")


def mostly_padding(shown: Shown) -> Fact | None:
    saving, peak = _saving(shown, PADDING), shown.space.peak_bytes
    if saving is None or saving.size < PADDED_BYTES.value:
        return None
    largest = saving.largest.held
    params: dict[str, Param] = {
        "program": shown.name,
        "peak": peak,
        "share": saving.size / peak,
        "bytes": saving.size,
        "largest": named(saving.largest, largest.size - largest.logical_bytes),
        "sizes": saving.largest.padded or None,
    }
    return Fact(saving.size / peak, params, Proof("memory_viewer"))


#: What may end the run comes first, then what fills the memory at its peak.
RULES: tuple[Rule[[Shown]], ...] = (
    Rule("program_nearly_full", near_capacity, worth=NEARLY_FULL, severity="warning", limits=(WORTH,)),
    Rule(("program_peak", "program_peak.summed"), of_peak, severity="info"),
    Rule("program_padding", mostly_padding, worth=PADDED_SHARE, limits=(PADDED_BYTES,)),
    Rule("program_donation", could_be_donated, worth=DONATED_SHARE, limits=(DONATED_BYTES,)),
)


def buffer_findings(shown: Shown) -> tuple[Finding, ...]:
    return worst_first(findings_of(RULES, shown))
