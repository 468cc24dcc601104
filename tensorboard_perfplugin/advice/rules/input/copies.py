"""Copies of input that overlap no compute, beside steps that wait → a finding."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.input import Input
from ....tables import row_text
from ...finding import Finding
from .level import MODERATE

_PS_PER_MS = 1e9


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
