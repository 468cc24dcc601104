"""The steps of each host, as the trace draws them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...advice.rules.steps.verdict import guessed
from ...advice.text import Sentence
from ...analysis.steps.means import HostSteps
from ...tables import I64, Cells, Scalar
from ...trace.lanes import NAME_MAX
from ..shared.provenance import STEP_PROVENANCE, step_provenance
from .question import Answered, Given, Question, Run

#: Steps of one answer: more than a screen has pixels, even a wide one.
STEPS_MAX = 20_000


def _answer(given: Sequence[Given[None]], run: Run) -> Answered:
    steps = run.steps
    numbers: dict[str, Scalar] = {"steps_rows": sum(len(one.split.steps) for one in steps), **step_provenance(steps)}
    none = next((one.split.steps.reason for one in steps if one.split.steps.reason), None)
    unknown = {column.name: Sentence.of(none) for column in STEP_PROVENANCE} if none else {}
    tables = {"steps": steps_table(steps, [one.offset_ps for one in given])}
    return Answered(numbers, tables, tuple(guessed(steps)), unknown)


def steps_table(parts: Sequence[HostSteps], offsets: Sequence[int]) -> dict[str, Cells]:
    """The first steps of all hosts, host by host."""
    most = STEPS_MAX // max(1, len(parts))
    steps = [part.split.steps for part in parts]

    def whole(columns: Sequence[I64]) -> I64:
        return np.concatenate([np.empty(0, np.int64), *(column[:most] for column in columns)])

    return {
        "host": [part.host for part in parts for _ in range(min(most, len(part.split.steps)))],
        "number": whole([s.number for s in steps]),
        "name": [name[:NAME_MAX] for s in steps for name in s.name[:most]],
        "start_ps": whole([s.begin_ps + offset for s, offset in zip(steps, offsets, strict=True)]),
        "duration_ps": whole([s.until_ps - s.begin_ps for s in steps]),
        "track": whole([s.lane.astype(np.int64) for s in steps]),
        "row": whole([s.row.astype(np.int64) for s in steps]),
    }


STEPS = Question(
    name="steps",
    asked_by=("list_steps",),
    beside=lambda leading, options: bool(options["list_steps"]),
    answer=_answer,
    scalars=("steps_rows", *(column.name for column in STEP_PROVENANCE)),
    tables=("steps",),
    not_asked="no list of steps was asked for",
)
