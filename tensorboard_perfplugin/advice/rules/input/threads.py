"""Functions that take longer to get a thread than to run → a finding."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.input.frames import hands_over
from ....analysis.input.run import Input
from ....threshold import Threshold
from ...finding import Finding
from .level import MODERATE
from .prefetch import calls_of

QUEUED = Threshold(
    "function_queued",
    0.3,
    "share",
    "Of the time that a stage waits for its function, a smaller part is what any pool of threads costs.",
)
_PS_PER_MS = 1e9


def waits_for_threads(run: Input) -> Iterator[Finding]:
    """Of the stage that loses most by it."""
    called = (s for s in run.stages if s.blocked_ps and s.calls)
    stage = max(called, key=lambda s: s.queued_ps, default=None)
    if stage is None or run.step is None or not run.executed or hands_over(stage.name):
        return
    step_ps = stage.queued_ps / run.executed
    share = step_ps / (run.step.mean * _PS_PER_MS)
    if stage.queued_ps >= QUEUED.value * stage.blocked_ps and share >= MODERATE.value:
        yield Finding(
            code="function_waits_for_threads",
            params={
                "stage": stage.type,
                "step": step_ps,
                "call": stage.queued_ps / stage.calls,
                "calls": stage.calls,
            },
            severity="note",
            share=min(share, 1.0),
            tool="trace_viewer",
            search=calls_of(stage),
            match="row",
        )
