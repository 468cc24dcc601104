"""Ranges over HTTP, as the page asks for them."""

from __future__ import annotations

import pytest

from tests.timeline.ranges.training import training
from tests.web.conftest import Browser, OpenBrowser


@pytest.fixture
def browser(open_browser: OpenBrowser) -> Browser:
    return open_browser({"a/h.xplane.pb": training(lengths_ms=[10] * 6 + [20] * 6), "b/h.xplane.pb": training()})


def test_a_range_of_a_tool(browser: Browser) -> None:
    body = browser.json("data", {"tool": "overview", "run": "a", "steps": "3-7"})
    assert body["summary"]["step_count"] == 5
    assert body["quality"]["warnings"] == ["This is of 5 of 12 steps: 3–7."]
    assert body["quality"]["warning_codes"][0]["code"] == "range_of_steps"


def test_a_wrong_range_says_what_there_is(browser: Browser) -> None:
    assert browser.error("data", {"tool": "op_stats", "run": "a", "steps": "12-"}, 400) == (
        "bad_argument",
        "steps 12-: there are none; the 12 steps are 0–11",
    )
    assert browser.error("data", {"tool": "op_stats", "run": "a", "time": "soon"}, 400)[0] == "bad_argument"


def test_ranges_of_sides(browser: Browser) -> None:
    of_both = browser.json("data", {"tool": "compare", "run": "a", "base": "b", "steps": "0-4"})
    assert (of_both["run"], of_both["summary"]["step_time_change_ms"]) == ("b (steps 0-4) → a (steps 0-4)", 0)
    given = {"tool": "compare", "run": "a", "base": "a", "steps": "6-10", "base_steps": "0-4"}
    assert browser.json("data", given)["summary"]["step_time_change_ms"] == 10


def test_tools_say_what_a_range_is_to_them(browser: Browser) -> None:
    tools = {tool["name"]: tool["in_range"] for tool in browser.json("tools")["tools"]}
    assert (tools["overview"], tools["trace_viewer"], tools["memory_viewer"]) == ("part", "window", "whole")


def test_a_trace_of_a_range(browser: Browser) -> None:
    assert browser.get("trace", {"run": "a", "steps": "3-4"}).status_code == 200
