"""Nothing that a person set is lost: by a change of the page, a reload, a link into the page, or another visit."""

from __future__ import annotations

import re
from urllib.parse import unquote

from playwright.sync_api import Browser, Locator, expect

from tests.integration._board import Board
from tests.integration._browser import Tab, tab_of
from tests.integration.test_tensorboard import GPU_RUN


def open_page(tab: Tab, title: str) -> None:
    tab.inside.get_by_role("navigation", name="Tools").get_by_role("link", name=title, exact=True).click()
    expect(tab.inside.get_by_role("navigation", name="Tools").locator("[aria-current=page]")).to_have_text(title)
    tab.settle()


def wait_for_address(tab: Tab, expression: str) -> str:
    tab.page.wait_for_function("e => new RegExp(e).test(decodeURIComponent(location.hash))", arg=expression)
    return unquote(tab.address())


def filter_of(tab: Tab) -> Locator:
    return tab.inside.locator("main input[type=search]").first


def test_a_filter_is_there_when_one_comes_back_to_the_page(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run="torch_train", tool="op_stats") as tab:
        tab.settle()
        filter_of(tab).fill("addmm")
        wait_for_address(tab, "tool=op_stats.*ops.filter=addmm")
        open_page(tab, "Overview")
        wait_for_address(tab, "tool=overview.*op_stats~ops.filter=addmm")
        # It is in the link, so it is there after a reload, and Back and Forward lead over it.
        tab.page.reload()
        tab.settle()
        open_page(tab, "Ops")
        expect(filter_of(tab)).to_have_value("addmm")
        tab.page.go_back()
        wait_for_address(tab, "tool=overview")
        tab.page.go_forward()
        expect(filter_of(tab)).to_have_value("addmm")
        filter_of(tab).fill("")
        tab.page.wait_for_function("!location.hash.includes('filter')")


def test_the_trace_is_as_it_was_left_with_its_marks_and_what_is_noted_of_them(
    browser: Browser, samples_board: Board
) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer", search="ncclDevKernel") as tab:
        tab.settle()
        hits = tab.inside.get_by_role("region", name="Hits")
        expect(hits.get_by_role("listitem")).to_have_count(12)
        tab.inside.get_by_role("search").get_by_role("searchbox").press("Enter")
        expect(tab.inside.get_by_role("region", name="Selected slice")).to_be_visible()
        tab.inside.locator(".trace-canvas").focus()
        tab.page.keyboard.press("m")
        tab.page.keyboard.press("p")
        tab.inside.get_by_role("button", name="Marks 1").click()
        marks = tab.inside.get_by_role("region", name="Marks")
        row = marks.get_by_role("listitem")
        expect(row.get_by_role("textbox", name=re.compile("^Name"))).to_have_value("Mark 1")
        row.get_by_role("textbox", name=re.compile("^Name")).fill("late; one, two")
        wait_for_address(tab, "marks=")
        wait_for_address(tab, "pin=")
        # Drawn anew while somebody types.
        pinned = tab.inside.locator(".trace-pinned .trace-row")
        tab.page.evaluate("addressed = location.hash")
        tab.page.evaluate("location.hash = addressed.replace(/&p.perfplugin.pin=[^&]*/, '')")
        expect(pinned).to_have_count(0)
        tab.page.evaluate("location.hash = addressed")
        expect(pinned).to_have_count(1)
        expect(row.get_by_role("textbox", name=re.compile("^Name"))).to_have_value("late; one, two")
        row.get_by_role("textbox", name=re.compile("^Note")).fill("rank 3 holds it up <b>")
        row.get_by_role("textbox", name=re.compile("^Note")).press("Tab")
        wait_for_address(tab, "marks=.*holds")
        open_page(tab, "Overview")
        tab.page.reload()
        tab.settle()
        open_page(tab, "Trace")
        expect(hits.get_by_role("listitem")).to_have_count(12)
        expect(pinned).to_have_count(1)
        tab.inside.get_by_role("button", name="Marks 1").click()
        expect(row.get_by_role("textbox", name=re.compile("^Name"))).to_have_value("late; one, two")
        expect(row.get_by_role("textbox", name=re.compile("^Note"))).to_have_value("rank 3 holds it up <b>")
        tab.screenshot("marks")
        marks.get_by_role("button", name="Remove late; one, two").click()
        expect(row).to_have_count(0)
        expect(tab.inside.get_by_role("button", name="Marks", exact=True)).to_be_visible()


def headers(tab: Tab) -> list[str]:
    return tab.inside.locator("main .data-table thead th").all_inner_texts()


def test_columns_are_a_persons_until_they_are_reset(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run="torch_train", tool="op_stats") as tab:
        tab.settle()
        first = headers(tab)
        picker = tab.inside.get_by_role("button", name=re.compile("^Columns"))
        picker.first.click()
        chosen = tab.inside.locator(".columns-popover input:checked")
        count = chosen.count()
        chosen.last.uncheck()
        expect(chosen).to_have_count(count - 1)
        tab.page.keyboard.press("Escape")
        wait_for_address(tab, "ops.columns=")
        fewer = headers(tab)
        assert len(fewer) == len(first) - 1
        # Another visit, by an address that says nothing of columns.
        tab.go(run="torch_train", tool="op_stats")
        tab.settle()
        tab.page.reload()
        tab.settle()
        assert headers(tab) == fewer
        picker.first.click()
        tab.inside.locator(".columns-popover").get_by_role("button", name="Reset").click()
        expect(chosen).to_have_count(count)
        tab.page.keyboard.press("Escape")
        tab.page.reload()
        tab.settle()
        assert headers(tab) == first
