"""The search over all pages of a run, by one key and by keyboard alone; filters, CSV, and what a column means."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.integration._board import Board
from tests.integration._browser import tab_of
from tests.integration.test_browser_axe import AXE, assert_clean

GPU = "gpu_streams/2026_11_20_09_00_00"


def test_a_row_of_another_page_is_found_and_opened_by_keyboard(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    kernels = samples_board.ask("data", run=GPU, tool="kernel_stats")["tables"]["names"]["columns"]["short_name"]
    wanted = kernels[-1]
    with tab_of(browser, samples_board, run=GPU, tool="overview") as tab:
        tab.settle()
        tab.enter()
        tab.page.keyboard.press("Control+k")
        dialog = tab.inside.get_by_role("dialog", name="Search all pages")
        field = dialog.get_by_role("combobox")
        expect(field).to_be_focused()
        field.fill(wanted)
        group = dialog.get_by_role("group", name="Kernels")
        expect(group.get_by_role("option", name=wanted).first).to_be_visible()
        options = dialog.get_by_role("option")
        for _ in range(options.count()):
            if group.locator("[aria-selected=true]").count():
                break
            tab.page.keyboard.press("ArrowDown")
        tab.screenshot("search")
        tab.page.keyboard.press("Enter")
        expect(dialog).to_have_count(0)
        tab.settle()
        assert "p.perfplugin.tool=kernel_stats" in tab.address()
        table = tab.inside.get_by_role("region", name="Kernels by name", exact=True).get_by_role("table")
        expect(table).to_have_attribute("aria-rowcount", "2")
        expect(table.locator("tbody tr").first).to_contain_text(wanted[:8])


def test_a_finding_and_a_number_are_found_and_the_search_keeps_the_rules(
    browser: Browser, samples_board: Board
) -> None:
    samples_board.runs()
    finding = samples_board.ask("data", run=GPU, tool="overview")["findings"][0]["title"].replace("`", "")
    with tab_of(browser, samples_board, run=GPU, tool="op_stats") as tab:
        tab.settle()
        tab.inside.get_by_role("button", name="Search all pages").click()
        dialog = tab.inside.get_by_role("dialog", name="Search all pages")
        dialog.get_by_role("combobox").fill(finding)
        expect(dialog.get_by_role("group", name="Findings").get_by_role("option")).to_have_count(1)
        dialog.get_by_role("combobox").fill("self")
        expect(dialog.get_by_role("status")).to_have_text(re.compile(r"^\d+ results?$"))
        if AXE.exists():
            assert_clean(tab)
        dialog.get_by_role("group", name="What numbers mean").get_by_role("option").first.click()
        meaning = tab.inside.get_by_role("dialog", name="Help").locator("[data-at]")
        expect(meaning).to_be_visible()
        expect(meaning).to_be_focused()
        tab.page.keyboard.press("Escape")
        expect(meaning).to_have_count(0)
        tab.page.keyboard.press("Control+k")
        expect(dialog.get_by_role("combobox")).to_be_focused()
        tab.page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)


def test_a_columns_head_leads_to_what_its_numbers_mean(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    specs = samples_board.ask("tools")["tools"]
    [ops] = [
        table for tool in specs if tool["name"] == "op_stats" for table in tool["tables"] if table["name"] == "ops"
    ]
    [column] = [column for column in ops["columns"] if column["name"] == "self_us"]
    with tab_of(browser, samples_board, run=GPU, tool="op_stats") as tab:
        tab.settle()
        tab.inside.locator("th[data-column=self_us] button:first-of-type").focus()
        tab.page.keyboard.press("?")
        meaning = tab.inside.get_by_role("dialog", name="Help").locator("[data-at=self_us]")
        expect(meaning).to_contain_text(column["help"])
        expect(meaning).to_be_in_viewport()


@pytest.mark.parametrize(
    ("filter_", "said"),
    [
        ("nosuchop", "No row matches"),
        ("/conv(/", "Not a regular expression"),
        ("nosuch>5", "No column is called nosuch"),
    ],
)
def test_a_filter_without_rows_says_so_and_what_is_wrong(
    browser: Browser, samples_board: Board, filter_: str, said: str
) -> None:
    samples_board.runs()
    state = {"run": GPU, "tool": "op_stats", "ops.filter": filter_}
    with tab_of(browser, samples_board, (), "", **state) as tab:
        tab.settle()
        region = tab.inside.get_by_role("region", name="Ops", exact=True)
        expect(region.get_by_role("status")).to_contain_text(said)
        region.get_by_role("button", name="Clear the filter").click()
        tab.settle()
        assert int(region.get_by_role("table").get_attribute("aria-rowcount") or 0) > 1


def test_csv_is_all_or_what_is_shown(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU, tool="op_stats") as tab:
        tab.settle()
        region = tab.inside.get_by_role("region", name="Ops", exact=True)
        shown = region.get_by_role("button", name="CSV of shown")
        expect(shown).to_have_count(0)
        tab.go(run=GPU, tool="op_stats", **{"ops.filter": "occurrences>=1", "ops.columns": "name,occurrences"})
        tab.settle()
        rows = int(region.get_by_role("table").get_attribute("aria-rowcount") or 0) - 1
        with tab.page.expect_download() as download:
            shown.click()
        lines = download.value.path().read_text().splitlines()
        assert lines[0] == "name,occurrences"
        assert len(lines) == rows + 1
