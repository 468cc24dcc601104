"""The machine's clock is set back while TensorBoard runs: nothing that is kept is of the future, or waits for it."""

from __future__ import annotations

import time

import pytest

from tests.build_capture import Space
from tests.small_tool import space
from tests.web.conftest import Browser, OpenBrowser

pytestmark = pytest.mark.usefixtures("small_tool")
DAY_S = 86_400


def run_names(browser: Browser, count: int) -> set[str]:
    """Names of the runs, once there are so many."""
    for _ in range(1000):
        names = {run["name"] for run in browser.json("runs")["runs"]}
        if len(names) == count:
            return names
        time.sleep(0.01)
    return names


def test_runs_and_answers_after_the_clock_was_set_back(
    open_browser: OpenBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    files: dict[str, Space | bytes] = {"r1/h.xplane.pb": space("x")}
    browser = open_browser(files)
    assert run_names(browser, 1) == {"r1"}
    assert browser.json("data", {"run": "r1", "tool": "count"})["summary"]["event_count"] == 1
    serial = browser.json("runs_table")["serial"]

    now_s, now_ns = time.time, time.time_ns
    monkeypatch.setattr(time, "time", lambda: now_s() - DAY_S)
    monkeypatch.setattr(time, "time_ns", lambda: now_ns() - DAY_S * 10**9)
    open_browser({"r1/h.xplane.pb": space("x", "y", "z"), "r2/h.xplane.pb": space("x", "y")})
    assert run_names(browser, 2) == {"r1", "r2"}
    for run, count in (("r1", 3), ("r2", 2)):
        assert browser.json("data", {"run": run, "tool": "count"})["summary"]["event_count"] == count
    assert browser.json("runs_table", {"after": serial})["serial"] >= serial
