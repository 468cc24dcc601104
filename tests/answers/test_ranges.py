"""A range of a run: the numbers are those of a capture that was cut to it by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote

import pytest

from tensorboard_perfplugin import api, tools
from tensorboard_perfplugin.answers.library import Library
from tensorboard_perfplugin.errors import ArgumentError
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
    # The path is that of the steps that count in a mean.
    "summary.path_inferred_share",
    "tables.ops.columns.on_path_ms",
    "tables.ops.columns.on_path_share",
    "tables.ops.columns.slack_ms",
}


def asked(run: Run, tool: Tool | str, **given: str) -> Answer:
    found = tools.find_tool(tool) if isinstance(tool, str) else tool
    answer = Library().answer(found, run, None, given)
    answer.check()
    return answer


def differ(one: Answer, other: Answer) -> set[str]:
    """Where two answers differ, but for their runs and what their files held."""
    a, b = ({k: v for k, v in each.to_dict().items() if k not in ("run", "quality")} for each in (one, other))
    return set(_differ(a, b))


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


def codes(answer: Answer) -> list[str]:
    return [each.code for each in answer.quality.warnings]


def alone(make_logdir: MakeLogdir, **more: Any) -> Run:
    return runs_at(str(make_logdir({"a/h.xplane.pb": training(**more)})))[0]


def test_it_is_said_what_an_answer_is_of(make_logdir: MakeLogdir) -> None:
    run = alone(make_logdir)
    said = asked(run, "op_stats", steps="3-7,9").quality.warnings[0]
    assert (said.code, dict(said.params)) == (
        "range_of_steps",
        {"kind": "", "shown": 6, "of": 12, "which": "3–7, 9"},
    )
    assert codes(asked(run, "op_stats", time="31-81")) == ["range_of_time"]
    assert codes(asked(run, "op_stats")) == codes(asked(run, "op_stats", steps="all")) == []


def test_typical_and_slow_steps_are_the_whole_without_each_other(make_logdir: MakeLogdir) -> None:
    lengths = [10, 10, 10, 10, 40, 10, 10, 10, 10, 10, 10, 10]
    run = alone(make_logdir, lengths_ms=lengths)
    every, slow, typical = (asked(run, "overview", steps=steps).result.summary for steps in ("all", "slow", "typical"))
    assert (every["step_count"], slow["step_count"], typical["step_count"]) == (12, 1, 10)
    assert (slow["step_time_ms"], typical["step_time_ms"]) == (40, 10)
    kernels = [asked(run, "kernel_stats", steps=steps).result.summary["kernel_count"] for steps in ("slow", "typical")]
    assert kernels == [2, 20]


def test_idle_time_between_steps_apart_is_not_theirs(make_logdir: MakeLogdir) -> None:
    """Of each step of 10 ms the device computes 4 and copies for 0.5."""
    summary = asked(alone(make_logdir), "op_stats", steps="1,5,9").result.summary
    assert (summary["device_self_ms"], summary["device_idle_ms"]) == pytest.approx((3 * 4.5, 3 * 5.5))


@pytest.mark.parametrize("tool", [tool for tool in tools.TOOLS if tool.in_range == "whole"], ids=lambda tool: tool.name)
def test_a_page_of_whole_programs_says_that_it_is(tool: Tool, make_logdir: MakeLogdir) -> None:
    run = alone(make_logdir)
    answer = asked(run, tool, steps="3-7")
    assert codes(answer) == ["range_of_whole"]
    assert differ(answer, asked(run, tool)) == set()


def test_the_trace_shows_all_that_ran_in_the_window_of_a_range(make_logdir: MakeLogdir) -> None:
    run = alone(make_logdir)
    of_steps = asked(run, "trace_viewer", steps="3-7")
    window = {"start_ps": str(31 * 10**9), "end_ps": str(81 * 10**9)}
    assert differ(of_steps, asked(run, "trace_viewer", **window)) == set()
    assert differ(asked(run, "trace_viewer", steps="1", **window), asked(run, "trace_viewer", **window)) == set()


def test_each_range_is_another_answer_and_is_made_once(make_logdir: MakeLogdir) -> None:
    run, library = alone(make_logdir), Library()
    tool = tools.find_tool("op_stats")
    first = library.answer(tool, run, None, {"steps": "3-7"})
    assert library.answer(tool, run, None, {"steps": "3-7"}) is first
    others = [library.answer(tool, run, None, given) for given in ({}, {"steps": "3-8"}, {"time": "3-8"})]
    assert all(differ(other, first) for other in others)


def test_a_host_without_the_steps_is_left_out(make_logdir: MakeLogdir) -> None:
    files = {"r/a.xplane.pb": training(range(6)), "r/b.xplane.pb": training(range(3, 12))}
    run = runs_at(str(make_logdir(dict(files))))[0]
    answer = asked(run, "op_stats", steps="0-2")
    assert answer.hosts == ("a",)
    assert codes(answer) == ["range_of_steps", "host_left_out"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"steps": "30"}, "the 12 steps are 0–11"),
        ({"steps": "x"}, "use numbers of steps"),
        ({"steps": "1", "time": "1-2"}, "not both"),
        ({"steps": "1", "step": "1"}, "has no option 'step'"),
    ],
)
def test_wrong_ranges(given: dict[str, str], message: str, make_logdir: MakeLogdir) -> None:
    with pytest.raises(ArgumentError, match=message):
        asked(alone(make_logdir), "op_stats", **given)


def test_no_option_of_a_tool_is_called_as_a_range() -> None:
    names = {option.name for option in tools.RANGE}
    assert not [tool.name for tool in tools.listed() for option in tool.options if option.name in names]


def test_python_takes_ranges(make_logdir: MakeLogdir) -> None:
    path = make_logdir({"a/h.xplane.pb": training()})
    profile = api.open(path)
    assert profile.overview(steps="3-7").result.summary["step_count"] == 5
    assert profile.overview(time="31ms-81ms").result.summary["step_count"] == 5
    assert '"train"' in "".join(profile.export(steps="3-3").text())


def test_parts_of_runs_are_compared(make_logdir: MakeLogdir) -> None:
    path = make_logdir({"a/h.xplane.pb": training(lengths_ms=[10] * 6 + [20] * 6)})
    answer = api.compare(path, path, base_steps="0-4", steps="6-10")
    assert answer.result.summary["step_time_change_ms"] == 10
    assert [each.params["capture"] for each in answer.quality.warnings] == [
        f"{path} (steps 0-4)",
        f"{path} (steps 6-10)",
    ]
    same = api.compare(path, path, steps="6-10").result
    assert same.summary["step_time_change_ms"] == 0
    assert same.summary["base"] == same.summary["new"] == f"{path} (steps 6-10)"


def test_the_trace_shows_what_a_number_of_a_range_was_made_of(make_logdir: MakeLogdir) -> None:
    run = alone(make_logdir)
    ops = asked(run, "op_stats", steps="3-7").result.tables["ops"]
    row = list(ops["name"]).index("model/dense/Relu")
    search = f"op_stats.ops.self_us?side=device&name={quote('model/dense/Relu', safe='')}&type=Relu"
    given = {"search": search, "match": "row"}
    of_range, whole = (asked(run, "trace_viewer", **given, **more).result for more in ({"steps": "3-7"}, {}))
    assert of_range.summary["hit_count"] == ops["occurrences"][row] == 5
    assert of_range.summary["hit_ps"] == 5 * 10**9
    hits, all_hits = (set(each.tables["hits"]["row"]) for each in (of_range, whole))
    assert (len(hits), len(all_hits)) == (5, 12)
    assert hits < all_hits
