"""An XLA program's memory and the device's → whether out of memory is near, and what to do first."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.buffers.host import Shown
from ....messages import Param
from ....threshold import Threshold
from ...finding import Finding
from .peak import named, saving_how, where

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
