"""What one has to know to read the numbers of steps."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.steps.means import MAX_ROWS, StepMeans, outside_steps
from ....messages import Message
from ....timeline.assignment import MUCH_OUTSIDE
from ...finding import Finding
from ..listed import PARTS
from .case import Case
from .loops import other_loops
from .outside import OUTSIDE_STEPS, time_outside
from .tracing import traced


def notes(case: Case) -> Iterator[Finding]:
    steps = case.step.steps
    if any(each.on_device for each in steps):
        yield Finding(code="steps_on_device")
    yield from other_loops(case.step.means.parts)
    yield from time_outside(case.step.means.parts)
    yield from _outside(case.step.means)
    yield from traced(case)
    others: dict[Message, int] = {}
    for each in steps:
        others |= {what: others.get(what, 0) + n for what, n in each.others.items()}
    listed = [(what, n) for what, n in others.items() if n > 1][:PARTS]
    if listed:
        events = tuple(Message("repeats_not_steps.event", {"name": name, "times": n}) for name, n in listed)
        yield Finding(code="repeats_not_steps", params={"events": events})
    yield from all_of_a_long_run(case.step.means)
    left_out = sum(part.split.left_out for part in case.step.means.parts)
    if left_out:
        yield Finding(code="steps_not_split", params={"steps": left_out}, severity="note")


def _outside(means: StepMeans) -> Iterator[Finding]:
    """That much of what devices did is in no step."""
    work = outside_steps(means.parts)
    if work.outside_ps > MUCH_OUTSIDE.value * work.busy_ps:
        share = work.outside_ps / work.busy_ps
        params = {"outside_ps": work.outside_ps, "share": share}
        yield Finding(code=OUTSIDE_STEPS, params=params, severity="note", share=share)


def all_of_a_long_run(means: StepMeans) -> Iterator[Finding]:
    """That a table holds not all steps."""
    if len(means) > MAX_ROWS:
        yield Finding(code="steps_table_cut", params={"shown": MAX_ROWS, "steps": len(means)})
