"""What the tracer of Python itself takes of a step → a finding."""

from __future__ import annotations

from collections.abc import Iterator

from ....threshold import Threshold
from ...finding import Finding
from .case import WORTH, Case

TRACED_CALL_PS = Threshold(
    "traced call",
    250_000,
    "ps",
    "a call of a function takes at least so much longer while it is traced",
    "an empty function, called 200,000 times on a CPU: 0.50 µs longer by PyTorch 2.13's tracer, 0.28 µs by JAX 0.10's",
)


def traced(case: Case) -> Iterator[Finding]:
    """That steps are longer than without the capture."""
    calls = case.summary.traced_calls / max(case.summary.steps, 1)
    ps = min(calls * TRACED_CALL_PS.value, case.step.step_ps)
    share = ps / case.step.step_ps
    if share >= WORTH.value:
        params = {"calls": round(calls), "ps": ps, "share": share}
        yield Finding(code="python_tracer_costs", params=params, severity="note", share=share)
