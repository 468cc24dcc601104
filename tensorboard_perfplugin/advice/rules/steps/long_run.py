"""Steps of a long run → that its table is cut."""

from __future__ import annotations

from collections.abc import Iterator

from ....analysis.steps import MAX_ROWS, StepMeans
from ...finding import Finding


def all_of_a_long_run(means: StepMeans) -> Iterator[Finding]:
    """That a table holds not all steps."""
    if len(means) > MAX_ROWS:
        yield Finding(code="steps_table_cut", params={"shown": MAX_ROWS, "steps": len(means)})
