"""What a page shows while nothing comes, and when nothing fits: waiting, refused, zoomed."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.integration._board import Board
from tests.integration._browser import tab_of

TORCH = "torch_train"
GPU = "gpu_streams/2026_11_20_09_00_00"
#: Controls that reach beyond the window, where nothing scrolls to them.
CUT = """() => [...document.querySelectorAll("button, a[href], input, select, output, h1")].filter(e => {
  const { width, right } = e.getBoundingClientRect();
  return width && right > innerWidth + 1 && !e.closest(".table-scroll, .offscreen, .graph-scroll, .trace-body");
}).map(e => e.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize(("route", "said"), [("runs", "Looking for runs…"), ("tools", "Loading the list of tools…")])
def test_what_does_not_come_is_said(browser: Browser, samples_board: Board, route: str, said: str) -> None:
    samples_board.runs()
    held: list[Route] = []
    with tab_of(browser, samples_board, run=TORCH) as tab:
        tab.page.route(re.compile(rf"/{route}$"), lambda asked: held.append(asked))
        tab.page.reload()
        expect(tab.inside.get_by_role("status").filter(has_text=said)).to_be_visible()
        # The page says so before it asks.
        while not held:
            tab.page.wait_for_timeout(10)
        held.pop().continue_()
        tab.page.unroute_all()
        tab.settle()


def test_a_list_of_tools_that_fails_is_asked_for_again_by_a_press(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, allowed=("status 500", "console error"), run=TORCH) as tab:
        tab.page.route(re.compile(r"/tools$"), lambda route: route.fulfill(status=500, body="<h1>no</h1>"))
        tab.page.reload()
        expect(tab.inside.get_by_role("alert")).to_contain_text("The server answered 500")
        tab.page.unroute_all()
        tab.inside.get_by_role("button", name="Try again").click()
        tab.settle()
        expect(tab.inside.locator("[aria-current=page]")).to_have_text("Overview")


@pytest.mark.parametrize("width", [720, 400])
def test_no_control_is_cut_in_a_window_that_is_zoomed(browser: Browser, samples_board: Board, width: int) -> None:
    """1440 and 800 wide at 200 %."""
    samples_board.runs()
    with tab_of(browser, samples_board, run=TORCH) as tab:
        tab.page.set_viewport_size({"width": width, "height": 500})
        for tool in ("overview", "input_pipeline", "op_stats", "memory_profile", "trace_viewer"):
            tab.go(run=TORCH, tool=tool)
            tab.settle()
            assert tab.frame.evaluate(CUT) == [], tool


def test_the_share_of_input_stands_in_its_bar_in_one_line(browser: Browser, samples_board: Board) -> None:
    """97 %: what was left of the bar beside it was no room for two words."""
    samples_board.runs()
    with tab_of(browser, samples_board, run=TORCH, tool="input_pipeline") as tab:
        tab.settle()
        bar, text = (tab.inside.locator(f".gauge {part}").bounding_box() for part in (".gauge-bar", "output"))
        assert bar is not None
        assert text is not None
        assert text["height"] <= bar["height"]
        assert bar["x"] <= text["x"] < text["x"] + text["width"] <= bar["x"] + bar["width"]


def test_the_trace_is_loaded_when_it_is_opened_and_declarations_once(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU, tool="overview") as tab:
        tab.settle()
        asked: list[str] = []
        tab.page.on("request", lambda request: asked.append(request.url))
        tab.page.reload()
        tab.settle()
        assert [url for url in asked if "trace_viewer-" in url] == []
        tab.inside.get_by_role("navigation", name="Tools").get_by_role("link", name="Trace").click()
        tab.settle()
        assert len([url for url in asked if "trace_viewer-" in url]) == 1
        assert len([url for url in asked if url.endswith("/tools")]) == 1


def test_a_page_whose_code_does_not_come_says_so_and_comes_later(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, allowed=("failed request", "console error"), run=GPU) as tab:
        tab.settle()
        tab.page.route(re.compile("/static/op_stats-"), lambda route: route.abort())
        tab.inside.get_by_role("navigation", name="Tools").get_by_role("link", name="Ops").click()
        expect(tab.inside.get_by_role("alert")).to_contain_text("The script of this page could not be loaded")
        tab.page.unroute_all()
        tab.inside.get_by_role("button", name="Try again").click()
        expect(tab.inside.get_by_role("heading", level=1)).to_be_visible()
        tab.settle()
        expect(tab.inside.get_by_role("group", name="Ops")).to_be_visible()
