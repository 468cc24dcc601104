"""A range of a run: the numbers are those of a capture that was cut to it by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from tensorboard_perfplugin import tools
from tensorboard_perfplugin.answers import Library
from tensorboard_perfplugin.logdir import Run, runs_at
from tensorboard_perfplugin.tools import Answer, Tool
from tests.conftest import MakeLogdir
from tests.timeline.ranges.training import STEP_MS, STEPS, training

PARTS = [tool for tool in tools.TOOLS if tool.in_range == "part"]
#: How the steps of the whole were found, and what its file holds.
OF_WHOLE = {"summary.step_evidence", "tables.hosts.columns.events_in_file", "tables.hosts.columns.events_kept"}
#: Of a step in the middle it is known when the next one begins, which a capture that ends with it does not show.
OF_LAST = {
    "summary.steps_not_counted",
    "summary.split_steps",
    "tables.steps.columns.cut",
    "tables.steps.columns.whole",
    "findings",
}


def asked(run: Run, tool: Tool | str, **given: str) -> Answer:
    found = tools.find_tool(tool) if isinstance(tool, str) else tool
    answer = Library().answer(found, run, None, given)
    answer.check()
    return answer


def differ(one: Answer, other: Answer) -> set[str]:
    """Where two answers differ, but for their runs and what their files held."""
    return set(_differ(*({k: v for k, v in a.to_dict().items() if k not in ("run", "quality")} for a in (one, other))))


def _differ(a: Any, b: Any, at: str = "") -> Iterator[str]:
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        for key in a:
            yield from _differ(a[key], b[key], f"{at}.{key}" if at else key)
    elif a != b:
        yield at


def runs(make_logdir: MakeLogdir, only: Sequence[int], **more: Any) -> list[Run]:
    """The program with all its steps, then cut to some."""
    for name, steps in (("a", range(STEPS)), ("b", only)):
        folder = make_logdir({f"{name}/h.xplane.pb": training(steps, **more)})
    return sorted(runs_at(str(folder)), key=lambda run: run.name)


@pytest.mark.parametrize("tool", PARTS, ids=lambda tool: str(tool.name))
@pytest.mark.parametrize(
    ("given", "only", "declared"),
    [
        ({"steps": "7-"}, range(7, 12), set()),
        ({"steps": "11"}, (11,), set()),
        ({"steps": "0-11"}, range(12), set()),
        ({"steps": "3-7"}, range(3, 8), OF_LAST),
        ({"time": f"{1 + 3 * STEP_MS}ms-{1 + 8 * STEP_MS}"}, range(3, 8), OF_LAST),
        ({"time": "0.071s-1s"}, range(7, 12), set()),
    ],
)
def test_numbers_are_those_of_a_capture_cut_by_hand(
    tool: Tool, given: dict[str, str], only: Sequence[int], declared: set[str], make_logdir: MakeLogdir
) -> None:
    whole, cut = runs(make_logdir, only)
    assert differ(asked(whole, tool, **given), asked(cut, tool)) <= OF_WHOLE | declared
