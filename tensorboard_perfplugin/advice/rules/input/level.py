"""The part of a step that is input → whether the steps are input-bound."""

from __future__ import annotations

from ....analysis.input.run import Input
from ....messages import Message
from ....threshold import CHOSEN, Threshold
from ..ahead import only_issue

HIGH = Threshold(
    "input_high",
    0.20,
    "share",
    "From this part of the step time on, input is the main thing to change.",
    "the input pipeline analyzer of TensorFlow's profiler, which calls a program input-bound from 20 % on",
)
MODERATE = Threshold(
    "input_moderate",
    0.05,
    "share",
    "Below this part of the step time a faster input pipeline gains next to nothing.",
    "the input pipeline analyzer of TensorFlow's profiler, which calls 5 % to 20 % moderately input-bound",
)
WORTH = Threshold(
    "a part worth its name",
    0.01,
    "share",
    "of a step, of what may be input; a smaller one is nothing to look at",
    CHOSEN,
)
BOUND, MODERATELY, NOT = "input-bound", "moderately input-bound", "not input-bound"


def level(share: float | None) -> str | None:
    """What a part of the step time makes of the steps; None where it is not known."""
    if share is None:
        return None
    return BOUND if share >= HIGH.value else MODERATELY if share >= MODERATE.value else NOT


def verdict(run: Input) -> str | None:
    """Whether a run's steps are input-bound; None where that is not known."""
    return None if run.step is None or hidden_input(run) else level(run.share)


def hidden_input(run: Input) -> Message | None:
    """Why steps that do not wait for any input in the capture may do so all the same; None where they do not."""
    if run.step is None:
        return None
    if run_ahead(run):
        return Message("input_of_steps_that_issue")
    if run.feeds or run.share >= MODERATE.value or run.unattributed < HIGH.value:
        return None
    return Message("input_may_be_hidden", {"parts": hidden_parts(run)})


def run_ahead(run: Input) -> bool:
    """Whether steps only issue work that runs later, so that what they do not wait for says nothing of it."""
    steps, inside_ps, outside_ps = run.issued
    return run.share < HIGH.value and steps > 0 and only_issue(inside_ps, outside_ps, steps * run.mean_ps)


def hidden_parts(run: Input) -> tuple[Message, ...]:
    """What steps consist of in which input would be, in the words of their split, largest first."""
    parts = sorted(((share, key) for key, share in run.hidden.items() if share >= WORTH.value), reverse=True)
    return tuple(
        Message("step_part.share", {"part": Message(f"step_part.{key}"), "share": share}) for share, key in parts
    )
