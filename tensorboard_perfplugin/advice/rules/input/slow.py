"""Slow steps that wait for input while the others do not, or less → a finding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from ....analysis.input.run import SlowWaits
from ....messages import Message
from ...finding import Finding, worst_first
from .level import HIGH, MODERATE


class HasSlow(Protocol):
    """A run whose slow steps are set apart."""

    @property
    def slow(self) -> SlowWaits | None: ...


def slow_steps_wait(run: HasSlow, reason: Message | None) -> Iterator[Finding]:
    """From a moderate part of the time of all steps on."""
    slow = run.slow
    if slow is None or slow.share < MODERATE.value:
        return
    yield Finding(
        code="slow_steps_wait",
        params={
            "step": slow.number,
            "wait": slow.wait_ps,
            "copy": slow.copy_ps or None,
            "several": slow.steps > 1 or None,
            "slow": slow.steps,
            "steps": slow.of,
            "share": slow.share,
            "reason": reason,
        },
        severity="warning" if slow.share >= HIGH.value else "note",
        share=slow.share,
        tool="trace_viewer",
        evidence=slow.places,
    )


def with_slow_steps(
    run: HasSlow, answer: Sequence[Finding], rest: Iterable[Finding], reason: Message | None = None
) -> tuple[Finding, ...]:
    """Beside the answer on typical steps; before it, where slow steps wait for more of the run than the others. What is
    more severe comes before both. reason: what makes all steps wait, which slow ones that wait for most of it share.
    """
    leads = run.slow is not None and run.slow.share >= run.slow.typical
    slow = tuple(slow_steps_wait(run, reason if leads else None))
    return worst_first((*slow, *answer, *rest) if leads else (*answer, *slow, *rest))
