"""Copies of input that overlap no compute, beside steps that wait → a finding."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.input.run import Input
from ....messages import Param
from ....tables import row_text
from ....threshold import CHOSEN, Threshold
from ...finding import Finding
from ..kernels.copies import FAST
from .level import MODERATE

_PS_PER_MS = 1e9
PAGEABLE = Threshold(
    "pageable_copies",
    0.5,
    "share",
    "of the time of copies of batches; where pinned ones take more, they matter more",
    CHOSEN,
)


def copies_exposed(run: Input) -> Iterator[Finding]:
    """That copies take much of a step, too; where they take more than waiting does, the answer says it."""
    if run.copy is not None and MODERATE.value <= run.copy_share <= run.wait_share:
        yield Finding(
            code="input_copies_exposed",
            params={"copy": run.copy.mean * _PS_PER_MS, "share": run.copy_share},
            severity="note",
            share=run.copy_share,
            tool="trace_viewer",
            search=row_text("overview.split.step_ms", category="copy_in"),
            match="row",
        )


def copies_pageable(run: Input) -> Iterator[Finding]:
    """That they read memory which is copied once more before a device can read it."""
    copies = run.copies
    if run.copy is None or run.copy_share < MODERATE.value or copies.pageable_share < PAGEABLE.value:
        return
    if copies.bus_share is None or copies.bus_share <= FAST.value:
        params: dict[str, Param] = {
            "copy": run.copy_ps,
            "share": run.copy_share,
            "pageable": copies.pageable_share,
            "bytes_per_s": copies.bytes_per_s,
        }
        yield Finding(
            code="input_copies_pageable",
            params=params,
            severity="note",
            share=run.copy_share,
            tool="trace_viewer",
            search=row_text("overview.split.step_ms", category="copy_in"),
            match="row",
        )
