"""A capture, damaged or not → the answers of every tool, of which each holds what answers do; else one sentence."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from tensorboard_perfplugin.answers.encode import to_columns, to_csv, to_json
from tensorboard_perfplugin.errors import PerfpluginError
from tensorboard_perfplugin.tables import Capture
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import TOOLS, Answer, Tool
from tests.tools.answered import answered


def checked(capture: Capture) -> int:
    """How many tools had something to say. Raises AssertionError, or what a tool lets through."""
    timeline = Timeline(capture, "h")
    return sum(_answers(tool, timeline) for tool in TOOLS if not tool.sided)


def _answers(tool: Tool, timeline: Timeline) -> bool:
    if tool.nothing(timeline):
        return False
    try:
        answer = answered(tool, timeline)
    except PerfpluginError as error:
        if "\n" in str(error):
            raise
        return False
    wrong = list(_wrong(answer))
    assert not wrong, (tool.name, wrong[:5])
    to_json(answer.to_dict())
    to_columns(answer)
    for table in answer.result.tables:
        to_csv(answer, table)
    return True


def _wrong(answer: Answer) -> Iterator[tuple[str, object]]:
    """Numbers that are none, and shares that are no part."""
    said = answer.to_dict()
    for name, value in said["summary"].items():
        yield from _wrong_cell(name, value)
    for table in said["tables"].values():
        for name, cells in table["columns"].items():
            for value in cells:
                yield from _wrong_cell(name, value)


def _wrong_cell(name: str, value: Any) -> Iterator[tuple[str, object]]:
    if not isinstance(value, float):
        return
    if not math.isfinite(value) or (name.endswith("share") and not _is_part(value)):
        yield name, value


def _is_part(share: float) -> bool:
    return -1e-6 <= share <= 1 + 1e-6
