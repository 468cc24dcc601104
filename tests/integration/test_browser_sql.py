"""The page of queries in a real browser: an example, the way to the trace, completion, errors, and when it is off."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.integration._board import Board, tensorboard
from tests.integration._browser import Tab, open_tab, tab_of
from tests.integration.conftest import SAMPLES
from tests.integration.test_browser_axe import assert_clean

GPU = "gpu_streams/2026_11_20_09_00_00"
TWO = "two_hosts/2026_11_20_09_00_00"
OPS = "Which ops take most time of their own?"
EVENTS = "select host, event, name, start_ps, duration_ps from device_events order by duration_ps desc, event limit 30"
OFF = "Queries are off: start TensorBoard with --perfplugin_sql to allow them to all that reach this page."
#: What a refused query leaves in the browser's console.
REFUSED = ("status 400", "the server responded with a status of 400")


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    if importlib.util.find_spec("duckdb") is None:
        pytest.skip("no DuckDB: pip install 'tensorboard-perfplugin[sql]'")
    log = tmp_path_factory.mktemp("sql") / "log"
    with tensorboard(log, "--logdir", str(SAMPLES), "--perfplugin_sql") as board:
        board.runs()
        yield board


def editor(tab: Tab) -> Locator:
    return tab.inside.get_by_role("textbox", name="Query")


def words(tab: Tab) -> list[str]:
    return tab.inside.get_by_role("listbox", name="Completions").locator("b").all_text_contents()


def run(tab: Tab, query: str, rows: int) -> None:
    """Ask, and wait until so many rows are shown."""
    editor(tab).fill(query)
    editor(tab).press("Control+Enter")
    expect(tab.inside.locator(f"[data-rows='{rows}']")).to_be_visible()
    tab.settle()


def test_an_example_gives_the_rows_that_the_server_gives(browser: Browser, board: Board) -> None:
    schema = board.ask("sql/schema")
    query = next(each["query"] for each in schema["examples"] if each["question"] == OPS)
    answer: Any = board.post("sql", {"query": query, "runs": [GPU]})
    with tab_of(browser, board, run=GPU, tool="overview") as tab:
        tab.settle()
        tab.inside.get_by_role("link", name="SQL").click()
        tab.inside.get_by_role("button", name=OPS).click()
        expect(editor(tab)).to_have_value(query)
        expect(tab.inside.locator("[data-rows='20']")).to_be_visible()
        tab.settle()
        first = tab.inside.locator(".sql-result tbody tr").first.locator("td")
        names = [column["name"] for column in answer["columns"]]
        assert first.first.inner_text() == answer["cells"][names.index("name")][0]
        exact = f"{answer['cells'][names.index('self_us')][0]:,.15g} µs"
        expect(first.nth(names.index("self_us"))).to_have_attribute("title", exact)
        tab.inside.get_by_role("combobox", name="Bars").select_option("self_us")
        expect(tab.inside.locator(".sql-result .bars li")).to_have_count(8)
        tab.settle()
        link = tab.address()
    state = dict(part.removeprefix("p.perfplugin.").split("=", 1) for part in link.split("&")[1:])
    assert (state["tool"], state["ran"], state["bars_of"]) == ("sql", "true", "self_us")
    tab = open_tab(browser, board, {}, tensorboards=False)
    tab.page.evaluate("hash => { location.hash = hash }", f"#{link}")
    expect(editor(tab)).to_have_value(query)
    expect(tab.inside.locator(".sql-result .bars li")).to_have_count(8)
    tab.page.context.close()


def test_a_row_leads_into_the_trace_and_back(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=GPU, tool="sql") as tab:
        tab.settle()
        run(tab, EVENTS, 30)
        row = tab.inside.locator(".sql-result tbody tr").nth(1)
        name = row.locator("td").nth(2).locator(".name").get_attribute("title")
        event = row.locator("td").nth(1).inner_text()
        row.dblclick()
        tab.settle()
        expect(tab.inside.locator(".trace-drawer")).to_contain_text(str(name))
        assert f"event=trainer%3A{event}" in tab.address()
        tab.page.go_back()
        expect(tab.inside.locator("[data-rows='30']")).to_be_visible()
        expect(editor(tab)).to_have_value(EVENTS)


def test_words_are_completed_and_errors_show_their_place(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, allowed=REFUSED, run=GPU, tool="sql") as tab:
        tab.settle()
        editor(tab).press_sequentially("select e.dur")
        editor(tab).press("Escape")
        editor(tab).press("End")
        editor(tab).fill("from host_ev")
        editor(tab).press("Enter")
        expect(editor(tab)).to_have_value("from host_events")
        editor(tab).press_sequentially(" e where e.du")
        assert words(tab) == ["duration_ps"]
        expect(editor(tab)).to_have_attribute("aria-activedescendant", "sql-word-0")
        assert_clean(tab)
        editor(tab).press("Tab")
        editor(tab).press_sequentially(" >\nnope")
        expect(editor(tab)).to_have_value("from host_events e where e.duration_ps >\nnope")
        editor(tab).press("Control+Enter")
        failure = tab.inside.get_by_role("alert")
        expect(failure.locator("pre")).to_contain_text("LINE 2: nope\n        ^")
        assert_clean(tab)
        # Where nothing is offered, Tab leads on.
        editor(tab).press("Tab")
        expect(tab.inside.get_by_role("button", name="Run", exact=True)).to_be_focused()


def test_tables_are_searched_shown_and_inserted(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=TWO, tool="sql") as tab:
        tab.settle()
        tab.inside.get_by_role("searchbox", name="Search tables and columns").fill("launches")
        tab.inside.get_by_role("button", name="latency_ps").click()
        expect(editor(tab)).to_have_value("latency_ps")
        tables = tab.inside.get_by_role("region", name="Tables", exact=True)
        tables.get_by_role("searchbox").fill("planes")
        tables.get_by_role("button", name="Show rows").first.click()
        expect(tab.inside.get_by_role("status").filter(has_text="row").first).to_be_visible()
        expect(editor(tab)).to_have_value("from planes limit 100")
        assert_clean(tab)
        run(tab, "from range(10001)", 10_000)
        expect(tab.inside.locator(".sql-outcome")).to_contain_text("10,000 rows are shown, there are more")
        run(tab, "select run, host from hosts where false", 0)
        expect(tab.inside.locator(".sql-outcome")).to_contain_text("No row. The columns are run, host.")


def test_a_query_is_called_off(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=GPU, tool="sql") as tab:
        tab.settle()
        tab.page.route("**/perfplugin/sql", lambda route: None)
        editor(tab).fill("from ops")
        editor(tab).press("Control+Enter")
        tab.inside.get_by_role("button", name="Cancel").click()
        expect(tab.inside.get_by_text("Running")).to_have_count(0)


@pytest.mark.parametrize("size", [(390, 844), (1100, 800)])
def test_nothing_runs_where_queries_are_off(browser: Browser, samples_board: Board, size: tuple[int, int]) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU, tool="sql") as tab:
        tab.page.set_viewport_size({"width": size[0], "height": size[1]})
        tab.settle()
        expect(tab.inside.locator(".sql-off")).to_have_text(OFF)
        tab.inside.get_by_role("button", name=OPS).click()
        expect(editor(tab)).to_have_value(re.compile("self_us"))
        expect(tab.inside.get_by_role("button", name="Run", exact=True)).to_be_disabled()
        assert tab.frame.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        assert_clean(tab)
