"""The server goes away at each question of each page: the page says so, asks again by itself, and is whole then."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.conftest import slow_but
from tests.integration._board import Board, until
from tests.integration._browser import Tab, after_routes, tab_of
from tests.integration.test_tensorboard import GPU_RUN

CUT = ("failed request", "console error")
#: Questions that a page asks; the rest of its address is whose.
QUESTION = re.compile(r"/plugin/perfplugin/(runs|runs_table|tools|data|program)(\?|$)")
#: What is left out of a page is told by the tab that stays as it is.
SILENT = re.compile(r"^tools\?")
#: Options that say where, not what.
PLACES = frozenset({"run", "host", "format", "width", "pixels", "origin_ns", "shifts"})
SLICES = "data?end_ps&start_ps&tracks&tool=trace_viewer"
PAGES = [
    *("overview", "input_pipeline", "op_stats", "kernel_stats", "memory_profile", "op_profile", "roofline"),
    *("pod_viewer", "tf_data", "hlo_stats", "memory_viewer", "compare"),
]


def key_of(url: str) -> str:
    """`data?list_steps&tool=trace_viewer`: which question it is, whatever it is about."""
    parts = urlsplit(url)
    names = {name: value for name, value in parse_qsl(parts.query) if name not in PLACES}
    tool = [f"tool={names.pop('tool')}"] if "tool" in names else []
    is_of_run = ["run"] if parts.path.endswith("/tools") and "run=" in parts.query else []
    words = "&".join([*is_of_run, *sorted(names), *tool])
    return parts.path.rpartition("/")[2] + (f"?{words}" if words else "")


@dataclass
class Line:
    """What passes between a page and its server."""

    #: The question that is not let through, or nothing.
    cut: str = ""
    refused: int = 0
    asked: list[str] = field(default_factory=list)

    def pass_on(self, route: Route) -> None:
        key = key_of(route.request.url)
        if key == self.cut:
            self.refused += 1
            route.abort()
            return
        if key not in self.asked:
            self.asked.append(key)
        route.continue_()


@contextmanager
def line_of(tab: Tab) -> Iterator[Line]:
    line = Line()
    tab.page.route(QUESTION, line.pass_on)
    yield line
    tab.page.unroute_all()


def main_of(tab: Tab) -> str:
    text: str = tab.inside.locator("main").inner_text()
    return text


def survives(tab: Tab, line: Line, question: str) -> None:
    """The question fails until it was asked twice: said meanwhile, and then the page is whole."""
    line.cut, line.refused = question, 0
    tab.page.reload()
    if not SILENT.match(question):
        expect(tab.inside.get_by_role("alert").first, question).to_contain_text("TensorBoard does not respond")
    # Routes are called while the page is waited for.
    until(lambda: after_routes(tab.page, lambda: line.refused), lambda refused: refused > 1, f"{question} once more")
    line.cut = ""
    # Between two questions nothing is asked, and the error stands there.
    expect(tab.inside.get_by_role("alert"), question).to_have_count(0)
    tab.settle()


def run_with(board: Board, tool: str) -> str:
    """The first run that has something for the tool."""

    def has(run: str) -> bool:
        return any(each["name"] == tool and each["missing"] is None for each in board.ask("tools", run=run)["tools"])

    return next(name for name in sorted(str(each["name"]) for each in board.runs()) if has(name))


@pytest.mark.parametrize("tool", slow_but(("overview",), PAGES))
def test_a_page_whose_server_went_away_is_whole_when_it_is_back(
    browser: Browser, samples_board: Board, tool: str
) -> None:
    run = run_with(samples_board, tool)
    base = {"base": next(each["name"] for each in samples_board.runs() if each["name"] != run)}
    more = base if tool == "compare" else {}
    with tab_of(browser, samples_board, allowed=CUT, run=run, tool=tool, **more) as tab, line_of(tab) as line:
        tab.page.reload()
        tab.settle()
        whole = main_of(tab)
        # What all pages ask is cut on one of them.
        for question in [each for each in line.asked if tool == "overview" or each.startswith("data")]:
            survives(tab, line, question)
            assert main_of(tab) == whole, question


@pytest.mark.slow
def test_all_runs_are_there_when_the_server_is_back(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, allowed=CUT, tool="runs") as tab, line_of(tab) as line:
        tab.page.reload()
        tab.settle()
        assert "runs_table?after" in "".join(line.asked)
        for question in ("runs", "runs_table?after"):
            survives(tab, line, question)


def trace_is_whole(tab: Tab) -> None:
    tab.settle()
    expect(tab.inside.locator(".trace-tools").get_by_role("button", name="Steps", exact=True)).to_be_enabled()
    expect(tab.inside.get_by_role("region", name="Hits")).to_contain_text("By name")
    expect(tab.inside.get_by_role("region", name="Selected area")).to_be_visible()
    expect(tab.inside.get_by_role("tree", name="Tracks").get_by_role("treeitem").first).to_be_visible()


def test_a_trace_whose_server_went_away_is_whole_when_it_is_back(browser: Browser, samples_board: Board) -> None:
    """Steps, tracks, slices, search, an area, busy tracks, an event: each of them is asked until it is answered."""
    samples_board.runs()
    run = "torch_train"
    with tab_of(browser, samples_board, allowed=CUT, run=run, tool="trace_viewer", search="aten") as tab:
        trace = tab.inside.get_by_role("tree", name="Tracks")
        expect(trace.get_by_role("treeitem").first).to_be_visible()
        tab.settle()
        # What runs now, summed up, of tracks that are busy then.
        tab.page.keyboard.press("Escape")
        tab.inside.locator(".trace-canvas, canvas").first.focus()
        tab.page.keyboard.press("e")
        expect(tab.inside.get_by_role("region", name="Selected area")).to_be_visible()
        tab.page.wait_for_function("location.hash.includes('area=')")
        with line_of(tab) as line:
            tab.page.reload()
            trace_is_whole(tab)
            until(lambda: after_routes(tab.page, lambda: line.asked), lambda asked: len(asked) > 5, "questions")
            assert any("list_steps" in each for each in line.asked)
            # Slices beside the screen are asked for ahead: nobody waits for them.
            for question in [each for each in line.asked if each.startswith("data") and each != SLICES]:
                survives(tab, line, question)
                trace_is_whole(tab)


@pytest.mark.slow
def test_slices_that_the_screen_lacks_are_asked_for_until_they_are_there(
    browser: Browser, samples_board: Board
) -> None:
    samples_board.runs()
    summary = samples_board.ask("data", run=GPU_RUN, tool="trace_viewer")["summary"]
    start, end = (int(summary[f"span_{edge}_ps"]) for edge in ("start", "end"))
    place = {"start_ps": str(start + (end - start) // 2), "end_ps": str(start + (end - start) // 2 + 10**9)}
    with tab_of(browser, samples_board, allowed=CUT, run=GPU_RUN, tool="trace_viewer", **place) as tab:
        tab.settle()
        with line_of(tab) as line:
            survives(tab, line, SLICES)


def test_a_trace_says_what_is_missing_and_asks_again_by_a_press(browser: Browser, samples_board: Board) -> None:
    """An error that does not pass by itself: it stays, with its way out, and nothing is said to be empty."""
    samples_board.runs()
    allowed = ("status 500", "console error")
    with tab_of(browser, samples_board, allowed=allowed, run="torch_train", tool="trace_viewer") as tab:
        tab.page.route(re.compile("list_steps"), lambda route: route.fulfill(status=500, body="no"))
        tab.page.reload()
        alert = tab.inside.get_by_role("alert")
        expect(alert).to_contain_text("Not loaded: steps.")
        expect(tab.inside.get_by_text("no steps")).to_have_count(0)
        tab.page.unroute_all()
        alert.get_by_role("button", name="Try again").click()
        expect(alert).to_have_count(0)
        expect(tab.inside.locator(".trace-tools").get_by_role("button", name="Steps", exact=True)).to_be_enabled()
