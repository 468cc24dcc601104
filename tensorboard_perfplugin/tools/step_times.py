"""The time of a step, typical and mean, as pages on steps give it: columns of the typical one, and the values."""

from __future__ import annotations

from ..analysis.steps.means import SLOW, StepMeans
from ..tables import Column, Scalar
from ..units import PS_PER_MS

STEP_TIME_TYPICAL = Column.ms(
    "step_time_typical_ms",
    "Mean of the step times over typical steps: without slow ones where these are few, or come back evenly.",
)
SLOW_STEP_COUNT = Column.count("slow_step_count", f"Whole steps that take more than {SLOW.value} × the median.")


def time_facts(means: StepMeans) -> dict[str, Scalar]:
    """The values of these columns and of `step_time_ms`: none without steps, no time where no step is whole."""
    if not len(means):
        return {}
    facts: dict[str, Scalar] = {"slow_step_count": int(means.slow.sum())}
    if means.whole.any():
        for name, which in (("step_time_typical_ms", means.typical), ("step_time_ms", means.whole)):
            facts[name] = float(means.wall_ps[which].mean() / PS_PER_MS)
    return facts
