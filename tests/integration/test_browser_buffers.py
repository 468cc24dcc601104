"""The page of a program's memory: the curve and its details, bars in two orders, memories, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.build_buffers import held, value
from tests.build_capture import Space
from tests.integration._board import Board, tensorboard
from tests.integration._browser import COLOURS, Tab, tab_of
from tests.tools.memory_viewer.step import ALLOCATIONS, TRACE, VALUES, step


def space() -> Space:
    """The program of eleven instructions, with 3 KiB in the host's memory; it ran once."""
    values = [*VALUES, value(20, 3072, "state", color=5)]
    message = step([*ALLOCATIONS, held(6, 3072, {20: 0}, parameter=2, color=5)], (TRACE,), values=values)
    made = Space()
    made.plane("/host:metadata").kind("jit_f(5)", stats={"Hlo Proto": message})
    stats: dict[str, int | str] = {"hlo_op": "dot.2", "hlo_module": "jit_f", "program_id": 5}
    made.plane("/device:GPU:0", stats={"memory_size": 1 << 20}).line(7, "Stream #7").event("dot.2", 0, 10**6, {**stats})
    return made


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    folder = tmp_path_factory.mktemp("buffers")
    file = folder / "logs" / "plugins" / "profile" / "s" / "h.xplane.pb"
    file.parent.mkdir(parents=True)
    file.write_bytes(space().bytes())
    with tensorboard(folder / "log", "--logdir", str(folder / "logs")) as board:
        board.runs(1)
        yield board


def bars(tab: Tab) -> Locator:
    return tab.inside.get_by_role("list", name="Buffers that are live").locator("li")


def named(*names: str) -> list[re.Pattern[str]]:
    return [re.compile(re.escape(name)) for name in names]


def test_the_curve_has_its_peak_and_keys_show_what_is_live(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, tool="memory_viewer") as tab:
        tab.settle()
        expect(tab.inside.get_by_role("heading", name=re.compile("jit_f needs 28 KiB at its peak"))).to_be_visible()
        curve = tab.inside.get_by_role("slider", name="Memory in program order")
        expect(curve).to_have_attribute("aria-valuetext", "event 4: dot.2 allocates, 28.0 KiB live")
        tab.frame.wait_for_function(f"() => ({COLOURS})() > 5")
        curve.focus()
        tab.page.keyboard.press("ArrowRight")
        expect(curve).to_have_attribute("aria-valuetext", "event 5: tanh.1 is freed, 24.0 KiB live")
        expect(tab.inside.locator(".area-details")).to_contain_text("instruction 6 of 11")
        tab.page.keyboard.press("Home")
        expect(curve).to_have_attribute("aria-valuetext", "what the program holds throughout, 12.0 KiB live")
        tab.page.keyboard.press("ArrowRight")
        tab.page.keyboard.press("Enter")
        tab.page.wait_for_function("() => location.hash.includes('tool=trace_viewer')")
        assert "search=mask" in tab.address()


def test_bars_are_in_order_of_size_or_of_the_program(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, tool="memory_viewer") as tab:
        tab.settle()
        expect(bars(tab)).to_have_text(
            [re.compile(name) for name in ("dot.2", "state", "x", "mask", "tanh", "out", "zero")]
        )
        tab.inside.get_by_role("button", name="in program order").click()
        expect(bars(tab)).to_have_text(
            [re.compile(name) for name in ("state", "x", "out", "zero", "mask", "tanh", "dot.2")]
        )
        assert "order=program" in tab.address()
        bars(tab).filter(has_text="mask").get_by_role("button").click()
        table = tab.inside.get_by_role("region", name="Buffers", exact=True).get_by_role("table")
        expect(table).to_have_attribute("aria-rowcount", "2")
        expect(table.locator("tbody tr").first).to_contain_text("recompute")


def test_another_memory_is_a_press_away(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, tool="memory_viewer") as tab:
        tab.settle()
        row = tab.inside.get_by_role("region", name="Memories").locator("tbody tr").filter(has_text="host")
        row.click()
        tab.inside.get_by_role("button", name="Show this memory").click()
        tab.settle()
        expect(
            tab.inside.get_by_role("heading", name="jit_f holds 3 KiB of memory space 5: 3 KiB parameters")
        ).to_be_visible()
        assert "space=5" in tab.address()


def test_a_memory_that_is_not_there_is_refused_with_what_there_is(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, allowed=("400",), tool="memory_viewer", space="7") as tab:
        expect(tab.inside.get_by_role("alert")).to_contain_text("space=7")
        tab.inside.get_by_role("button", name="Reset").click()
        expect(tab.inside.get_by_role("heading", name=re.compile("jit_f needs"))).to_be_visible()
