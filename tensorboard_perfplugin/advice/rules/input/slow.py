"""Slow steps that wait for input while the others do not, or less → a finding."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.input import Input
from ...finding import Finding
from .level import HIGH, MODERATE


def slow_steps_wait(run: Input) -> Iterator[Finding]:
    """From a moderate part of the time of all steps on."""
    slow = run.slow
    if slow is None or slow.share < MODERATE.value:
        return
    yield Finding(
        code="slow_steps_wait",
        params={
            "step": slow.number,
            "wait": slow.wait_ps,
            "several": slow.steps > 1 or None,
            "slow": slow.steps,
            "steps": slow.of,
            "share": slow.share,
        },
        severity="warning" if slow.share >= HIGH.value else "note",
        share=slow.share,
        tool="trace_viewer",
        evidence=slow.places,
    )


def slow_steps_lead(run: Input) -> bool:
    """Whether slow steps wait for more of the run than the others, and for so much that it is to be looked at."""
    return run.slow is not None and run.slow.share >= max(MODERATE.value, run.slow.typical)
