"""The page that compares two runs, in a real browser: which ones, what it says of them, the ways into both traces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.build_capture import Space
from tests.integration._board import Board, tensorboard
from tests.integration._browser import NARROW, WIDE, Tab, Theme, open_tab, run_button, tab_of
from tests.integration.test_browser_hostile import PWN
from tests.integration.test_browser_views import NAMELESS, SIDEWAYS

MS = 10**9
FAST, SLOW, OTHER, NO_STEPS = "train/2026_01_01", "train/2026_01_02", "other/2026_01_01", "train/2025_01_01"
PHONE = (600, 900)


def program(step_ms: int, op_ms: int, name: str = "dense/MatMul") -> Space:
    """Twelve steps, each with an op at its begin, and one with a hostile name."""
    space = Space(hostnames=["h"])
    line = space.plane("/host:CPU").line(1, "python")
    for step in range(12):
        line.event("train", step * step_ms * MS, step_ms * MS, {"step_num": step, "_r": 1})
        line.event(f"{name}:MatMul", step * step_ms * MS, op_ms * MS)
        line.event(f"{PWN}:Relu", (step * step_ms + op_ms) * MS, step_ms // 7 * MS)
    return space


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    folder = tmp_path_factory.mktemp("compare")
    idle = Space(hostnames=["h"])
    idle.plane("/host:CPU").line(1, "main").event("MatMul:MatMul", 0, 5 * MS)
    runs = {FAST: program(10, 4), SLOW: program(14, 8), OTHER: program(10, 4), NO_STEPS: idle}
    for name, space in runs.items():
        group, _, session = name.partition("/")
        path = folder / "logs" / group / "plugins/profile" / f"{session}_00_00_00" / "h.xplane.pb"
        path.parent.mkdir(parents=True)
        path.write_bytes(space.bytes())
    with tensorboard(folder / "log", "--logdir", str(folder / "logs")) as board:
        board.runs(4)
        yield board


def run(name: str) -> str:
    return f"{name}_00_00_00"


def base_button(tab: Tab) -> Locator:
    return tab.inside.get_by_role("button", name="Compare with", exact=True)


def verdict(tab: Tab) -> Locator:
    return tab.inside.locator(".headline h1")


def pick(tab: Tab, name: str) -> None:
    base_button(tab).click()
    tab.inside.get_by_role("combobox").fill(name.replace("/", " "))
    tab.page.keyboard.press("Enter")
    tab.settle()


def waterfall(tab: Tab) -> Locator:
    return tab.inside.get_by_role("table", name="From A's step to B's")


def test_a_base_is_picked_and_swapped(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=run(OTHER), tool="compare") as tab:
        tab.settle()
        expect(tab.inside.get_by_role("heading", name="Choose a run to compare with")).to_be_visible()
        pick(tab, SLOW)
        expect(verdict(tab)).to_contain_text("A step takes 10 ms instead of 14 ms: 4 ms less")
        expect(waterfall(tab).get_by_role("row", name=re.compile("dense.MatMul"))).to_contain_text("-4.00 ms")
        tab.inside.get_by_role("button", name="Swap").click()
        tab.settle()
        expect(verdict(tab)).to_contain_text("A step takes 14 ms instead of 10 ms: 4 ms more")
        expect(waterfall(tab).get_by_role("row", name=re.compile("dense.MatMul"))).to_contain_text("+4.00 ms")
        expect(run_button(tab)).to_contain_text("2026_01_02")
        # The address holds both: a reload shows the same, and back leads to the runs as they were.
        tab.address()
        tab.page.reload()
        expect(verdict(tab)).to_contain_text("4 ms more")
        tab.page.go_back()
        expect(verdict(tab)).to_contain_text("4 ms less")


def test_a_run_is_compared_with_the_one_before_it_in_its_folder(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=run(SLOW), tool="compare") as tab:
        tab.settle()
        expect(base_button(tab)).to_contain_text("2026_01_01")
        expect(verdict(tab)).to_contain_text("14 ms instead of 10 ms")
        # What is pressed in the picture is what the table shows.
        waterfall(tab).get_by_role("button", name="dense/MatMul").click()
        table = tab.inside.get_by_role("region", name=re.compile("^By op")).get_by_role("table")
        expect(table).to_have_attribute("aria-rowcount", "2")
        # Another page, and back by its tab.
        tab.inside.get_by_role("link", name="Ops").click()
        tab.settle()
        tab.inside.get_by_role("link", name="Compare").click()
        tab.settle()
        expect(verdict(tab)).to_contain_text("14 ms instead of 10 ms")


def test_an_op_leads_into_both_traces(browser: Browser, board: Board) -> None:
    for letter, shown in (("A", FAST), ("B", SLOW)):
        with tab_of(browser, board, run=run(SLOW), base=run(FAST), tool="compare") as tab:
            tab.settle()
            table = tab.inside.get_by_role("region", name=re.compile("^By op")).get_by_role("table")
            table.get_by_role("row", name=re.compile("dense.MatMul")).click()
            tab.inside.get_by_role("button", name=f"In {letter}'s trace").click()
            tab.page.wait_for_function("() => location.hash.includes('tool=trace_viewer')")
            tab.settle()
            expect(run_button(tab)).to_contain_text(run(shown)[-10:])
            expect(tab.inside.get_by_role("searchbox").first).to_have_value("dense/MatMul")


def test_with_itself_and_without_steps(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=run(SLOW), base=run(SLOW), tool="compare") as tab:
        tab.settle()
        expect(verdict(tab)).to_contain_text("No change beyond noise")
        expect(tab.inside.locator("main")).to_contain_text("No part of a step has changed.")
        expect(tab.inside.get_by_role("button", name="Swap")).to_have_count(0)
    with tab_of(browser, board, run=run(FAST), base=run(NO_STEPS), tool="compare") as tab:
        tab.settle()
        expect(verdict(tab)).to_contain_text("no steps were found")
        expect(waterfall(tab)).to_have_count(0)


def test_a_base_that_is_gone_is_said_and_another_can_be_picked(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, allowed=("404",), run=run(SLOW), base="gone", tool="compare") as tab:
        expect(tab.inside.get_by_role("alert")).to_contain_text("no run 'gone'")
        pick(tab, FAST)
        expect(verdict(tab)).to_contain_text("14 ms instead of 10 ms")


def test_one_run_is_said_to_be_alone(browser: Browser, tmp_path: Path, log: Path) -> None:
    path = tmp_path / "logs/only/h.xplane.pb"
    path.parent.mkdir(parents=True)
    path.write_bytes(program(10, 4).bytes())
    with tensorboard(log, "--logdir", str(tmp_path / "logs")) as board:
        board.runs()
        with tab_of(browser, board, run="only", tool="compare") as tab:
            tab.settle()
            expect(tab.inside.locator("main")).to_contain_text("The logdir holds one run")


@pytest.mark.parametrize(
    ("theme", "size"), [("light", WIDE), ("dark", WIDE), ("light", NARROW), ("dark", PHONE)], ids=str
)
def test_it_fits_and_names_are_text(browser: Browser, board: Board, theme: Theme, size: tuple[int, int]) -> None:
    tab = open_tab(browser, board, {"run": run(SLOW), "base": run(FAST), "tool": "compare"}, theme, size)
    tab.settle()
    for by in ("category", "op"):
        tab.inside.get_by_role("group", name="by").get_by_role("button", name=by).click()
        tab.settle()
        assert tab.frame.evaluate(SIDEWAYS) == 0
        assert tab.frame.evaluate(NAMELESS) == []
    expect(waterfall(tab)).to_contain_text("onerror")
    expect(tab.inside.get_by_role("figure", name=re.compile("^Step times. A: 11 steps"))).to_be_visible()
    tab.screenshot(f"compare-{theme}-{size[0]}")
    assert tab.inside.locator("img, iframe, main script").count() == 0
    assert tab.page.evaluate("() => window.hacked") is None
    tab.watch.check()
    tab.page.context.close()
