"""axe-core finds nothing on any page in either theme; what opens closes by Escape; the first Tab leads past the bar."""

from __future__ import annotations

import os
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.conftest import ROOT, slow_but
from tests.integration._board import Board
from tests.integration._browser import Tab, host_button, run_button, tab_of

AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
#: What is against a rule, and where: all rules of axe, its best practices too.
RUN = """async () => (await axe.run(document, {resultTypes: ["violations"]})).violations.map(
  ({id, nodes}) => [id, nodes.map(({html}) => html)])"""
DARK = "dark => document.body.classList.toggle('dark-mode', dark)"
JAX = "jax_train/2026_11_20_11_20_57"
KERAS = "keras_fit/train/2026_11_20_11_21_29"
TWO = "two_hosts/2026_11_20_09_00_00"
GPU = "gpu_streams/2026_11_20_09_00_00"
MEMORY = "jax_memory/2026_11_20_08_00_00"
TORCH = "torch_train"
#: Each page, of a run that fills it; one that has nothing to show; the table of runs.
PAGES = [
    *((TORCH, tool) for tool in ("overview", "input_pipeline", "memory_profile", "python_profile", "pod_viewer")),
    *((KERAS, tool) for tool in ("overview", "tf_data", "memory_profile")),
    *((JAX, tool) for tool in ("roofline", "op_profile", "hlo_stats", "memory_viewer", "graph_viewer")),
    *((GPU, tool) for tool in ("op_stats", "kernel_stats", "trace_viewer")),
    *((TWO, tool) for tool in ("pod_viewer", "compare", "memory_viewer")),
    (MEMORY, "memory_profile"),
    ("", "runs"),
]


USUAL = (
    *((TORCH, "overview"), (KERAS, "memory_profile"), (JAX, "graph_viewer")),
    *((GPU, "op_stats"), (GPU, "trace_viewer"), (TWO, "compare")),
)


def violations(tab: Tab) -> list[Any]:
    if not tab.frame.evaluate("() => 'axe' in window"):
        tab.frame.evaluate(AXE.read_text())
    return list(tab.frame.evaluate(RUN))


def assert_clean(tab: Tab) -> None:
    for theme in ("light", "dark"):
        tab.page.evaluate(DARK, theme == "dark")
        expect(tab.inside.locator("html")).to_have_attribute("data-theme", theme)
        assert violations(tab) == [], theme


@pytest.fixture(autouse=True)
def has_axe() -> None:
    if not AXE.exists():
        assert os.environ.get("CI") != "true", "CI must have axe-core"
        pytest.skip("no axe-core: cd frontend && npm ci")


@pytest.mark.parametrize(("run", "tool"), slow_but(USUAL, PAGES))
def test_a_page_keeps_every_rule_of_accessibility_in_both_themes(
    browser: Browser, samples_board: Board, run: str, tool: str
) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=run, tool=tool, base=GPU if tool == "compare" else "") as tab:
        tab.settle()
        assert_clean(tab)
        if tool in ("overview", "trace_viewer"):
            tab.page.set_viewport_size({"width": 390, "height": 800})
            tab.settle()
            assert_clean(tab)


@pytest.mark.parametrize(
    ("tool", "button"),
    slow_but(
        (("overview", "^Run: torch_train"), "op_stats"),
        [
            ("overview", "^Run: torch_train"),
            ("overview", "^Host: trainer"),
            ("overview", "^Range"),
            ("overview", "^Capture quality"),
            ("overview", "^How steps are detected: steps from"),
            ("memory_profile", "^All figures"),
            ("op_stats", "^Columns of Ops: Columns [0-9]"),
            ("trace_viewer", "^Tracks shown"),
            ("trace_viewer", "^Export the trace"),
        ],
    ),
)
def test_what_opens_keeps_the_rules_and_closes_by_escape(
    browser: Browser, samples_board: Board, tool: str, button: str
) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=TORCH, tool=tool) as tab:
        tab.settle()
        opener = tab.inside.get_by_role("button", name=re.compile(button))
        opener.click()
        panel = tab.inside.locator(".popover-panel")
        expect(panel).to_be_visible()
        assert_clean(tab)
        tab.frame.evaluate("() => document.activeElement.blur()")
        tab.page.keyboard.press("Escape")
        expect(panel).to_have_count(0)
        expect(opener).to_be_focused()


def test_help_capture_and_menus_keep_the_rules_and_close_by_escape(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=TORCH, tool="trace_viewer") as tab:
        tab.settle()
        for key in ("?", "Shift+C"):
            tab.inside.get_by_role("treeitem").first.focus()
            tab.page.keyboard.press(key)
            expect(tab.inside.get_by_role("dialog")).to_be_visible()
            assert_clean(tab)
            tab.page.keyboard.press("Escape")
            expect(tab.inside.get_by_role("dialog")).to_have_count(0)
        tab.inside.get_by_role("treeitem").nth(1).focus()
        tab.page.keyboard.press("Shift+F10")
        expect(tab.inside.get_by_role("menu")).to_be_visible()
        assert_clean(tab)
        tab.page.keyboard.press("Escape")
        expect(tab.inside.get_by_role("menu")).to_have_count(0)


def test_the_first_tab_leads_past_the_bar(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=TORCH, tool="op_stats") as tab:
        tab.settle()
        before = tab.address()
        tab.enter()
        link = tab.inside.get_by_role("link", name="Skip to the page")
        expect(link).to_be_focused()
        expect(link).to_be_in_viewport()
        tab.page.keyboard.press("Enter")
        tab.page.keyboard.press("Tab")
        assert tab.frame.evaluate("() => document.activeElement.closest('main') !== null")
        assert tab.address() == before


def test_pickers_are_named_by_what_they_hold(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=TWO, tool="overview") as tab:
        tab.settle()
        expect(run_button(tab)).to_have_accessible_name(f"Run: {TWO}")
        expect(host_button(tab)).to_have_accessible_name("Host: all 2")
