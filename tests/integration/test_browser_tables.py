"""The pages of ops and kernels in a real browser: pies, trees, shortened tables, chosen columns, what is missing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Route, expect

from tests.integration._board import Board
from tests.integration._browser import Tab, tab_of

GPU = "gpu_streams/2026_11_20_09_00_00"
HOSTS = "two_hosts/2026_11_20_09_00_00"
Answer = dict[str, Any]


def pie(tab: Tab, name: str) -> Locator:
    return tab.inside.get_by_role("figure", name=name, exact=True)


def table(tab: Tab, name: str) -> Locator:
    return tab.inside.get_by_role("region", name=name, exact=True).locator("table")


def rows(tab: Tab, name: str) -> int:
    return int(table(tab, name).get_attribute("aria-rowcount") or 0) - 1


@contextmanager
def page_of(browser: Browser, board: Board, tool: str, change: Callable[[Answer], None], **state: str) -> Iterator[Tab]:
    """The page of a tool on an answer that is changed on its way."""

    def changed(route: Route) -> None:
        answer = route.fetch().json()
        if answer["tool"] == tool:
            change(answer)
        route.fulfill(json=answer)

    board.runs()
    with tab_of(browser, board, run=GPU, tool="trace_viewer") as tab:
        tab.settle()
        tab.page.route(re.compile(r"/data\?.*tool=" + tool), changed)
        tab.go(run=GPU, tool=tool, **state)
        tab.settle()
        yield tab


def test_a_slice_shows_its_rows_and_another_press_shows_all(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    types = samples_board.ask("data", run=GPU, tool="op_stats")["tables"]["types"]["columns"]
    ops = samples_board.ask("data", run=GPU, tool="op_stats")["tables"]["ops"]["columns"]
    largest = max(zip(types["device_self_us"], types["type"], strict=True))[1]
    wanted = sum(pair == ("device", largest) for pair in zip(ops["side"], ops["type"], strict=True))
    with tab_of(browser, samples_board, run=GPU, tool="op_stats", group="type") as tab:
        tab.settle()
        slice_ = pie(tab, "Devices: by op type").get_by_role("button", name=largest, exact=True)
        slice_.click()
        expect(slice_).to_have_attribute("aria-pressed", "true")
        expect(table(tab, "Ops")).to_have_attribute("aria-rowcount", str(wanted + 1))
        slice_.click()
        expect(table(tab, "Ops")).to_have_attribute("aria-rowcount", str(len(ops["type"]) + 1))


def test_a_pie_is_told_in_words(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU, tool="op_stats") as tab:
        tab.settle()
        words = re.compile(r"^Devices: self time by op, .+: .+ \d+(\.\d+)? %")
        drawn = tab.inside.get_by_role("img", name=words).or_(tab.inside.get_by_role("list", name=words))
        expect(drawn).to_be_visible()


def test_a_side_without_ops_has_no_pie_and_nothing_to_choose(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    run = next(r["name"] for r in samples_board.runs() if r["name"].startswith("jax_train"))
    with tab_of(browser, samples_board, run=run, tool="op_stats") as tab:
        tab.settle()
        expect(pie(tab, "Hosts: self time by op")).to_be_visible()
        expect(pie(tab, "Devices: self time by op")).to_have_count(0)
        expect(tab.inside.get_by_role("group", name="Side")).to_have_count(0)


def test_the_tree_of_scopes_is_walked_by_keys(browser: Browser, samples_board: Board) -> None:
    def change(answer: Answer) -> None:
        answer["tables"]["scopes"] = scopes(["model", "dense", "MatMul", "conv", "loss"], [-1, 0, 1, 0, -1])

    with page_of(browser, samples_board, "op_stats", change, group="scope") as tab:
        tree = tab.inside.get_by_role("treegrid")
        expect(tree.get_by_role("row", name="MatMul")).to_be_visible()
        tree.focus()
        for key in ("Home", "ArrowRight", "ArrowRight", "ArrowRight"):
            tab.page.keyboard.press(key)
        expect(tree.get_by_role("row", name="conv")).not_to_have_attribute("aria-selected", "true")
        expect(tree.locator("[aria-selected=true]")).to_contain_text("MatMul")
        expect(tree.locator("[aria-selected=true]")).to_have_attribute("aria-level", "3")
        for key in ("ArrowLeft", "ArrowLeft"):
            tab.page.keyboard.press(key)
        expect(tree.get_by_role("row", name="MatMul")).to_have_count(0)
        expect(tree.get_by_role("row", name="dense")).to_have_attribute("aria-expanded", "false")
        tab.page.keyboard.press("Enter")
        expect(table(tab, "Ops")).to_be_visible()
        assert "ops.filter=" in tab.address()


def scopes(names: list[str], parents: list[int]) -> Answer:
    depths: list[int] = []
    paths: list[str] = []
    for name, parent in zip(names, parents, strict=True):
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
        paths.append(f"{paths[parent]}/{name}" if parent >= 0 else name)
    number = [len(names) - i for i in range(len(names))]
    same = {"ops": number, "occurrences": number, "total_us": number, "self_us": number}
    share = [n / len(names) for n in number]
    named = {"side": ["host"] * len(names), "parent": parents, "depth": depths, "scope": paths, "name": names}
    return {"columns": {**named, **same, "self_share": share}}


@pytest.mark.slow
def test_a_tree_of_100_000_rows_draws_only_what_is_seen(browser: Browser, samples_board: Board) -> None:
    def change(answer: Answer) -> None:
        parents = [-1 if i % 1000 == 0 else i - i % 10 if i % 10 else i - i % 1000 for i in range(100_000)]
        answer["tables"]["scopes"] = scopes([f"n{i}" for i in range(100_000)], parents)

    with page_of(browser, samples_board, "op_stats", change, group="scope") as tab:
        tree = tab.inside.get_by_role("treegrid")
        tab.inside.get_by_role("button", name="Expand all").click()
        expect(tree).to_have_attribute("aria-rowcount", "100001")
        tree.focus()
        tab.page.keyboard.press("End")
        expect(tree.locator("[aria-selected=true]")).to_contain_text("n99999")
        assert tree.locator("tbody tr").count() < 100
        tab.inside.get_by_role("searchbox").fill("n54321")
        expect(tree).to_have_attribute("aria-rowcount", "4")


def test_a_shortened_table_says_so_and_shows_all(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    whole = samples_board.ask("data", run=GPU, tool="kernel_stats")["summary"]["kernels_rows"]
    assert whole > 2
    with tab_of(browser, samples_board, run=GPU, tool="kernel_stats", limit="2", table="kernels") as tab:
        tab.settle()
        expect(tab.inside.locator("main")).to_contain_text(f"showing 2 of {whole}")
        link = tab.inside.get_by_role("link", name="CSV").first.get_attribute("href")
        assert link is not None
        assert "limit=0" in link
        tab.inside.get_by_role("button", name="Show all").click()
        tab.settle()
        expect(table(tab, "Kernels")).to_have_attribute("aria-rowcount", str(whole + 1))


def test_columns_are_chosen_and_kept_in_the_address(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU, tool="op_stats") as tab:
        tab.settle()
        head = table(tab, "Ops").get_by_role("columnheader", name="Average", exact=True)
        expect(head).to_have_count(0)
        tab.inside.get_by_role("button", name="Columns of Ops").click()
        tab.inside.get_by_role("checkbox", name="Average", exact=True).check()
        expect(head).to_be_visible()
        tab.page.reload()
        tab.settle()
        expect(head).to_be_visible()
        tab.inside.get_by_role("button", name="Columns of Ops").click()
        tab.inside.get_by_role("button", name="Reset").click()
        expect(head).to_have_count(0)


def test_kernels_are_picked_by_how_long_they_run(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    kernels = samples_board.ask("data", run=GPU, tool="kernel_stats")["tables"]["kernels"]["columns"]
    durations = samples_board.ask("data", run=GPU, tool="kernel_stats")["tables"]["durations"]["columns"]
    row = max(range(len(durations["kernels"])), key=durations["kernels"].__getitem__)
    low, high = durations["from_us"][row], durations["to_us"][row]
    wanted = sum(low <= mean and (high is None or mean < high) for mean in kernels["average_us"])
    with tab_of(browser, samples_board, run=GPU, tool="kernel_stats") as tab:
        tab.settle()
        bars = tab.inside.get_by_role("figure", name=re.compile("How long kernels run"))
        bars.get_by_role("button", name=re.compile("^" + re.escape(durations["duration"][row]))).click()
        expect(table(tab, "Kernels")).to_have_attribute("aria-rowcount", str(wanted + 1))


def test_a_short_name_has_the_whole_one_in_its_title(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    kernels = samples_board.ask("data", run=GPU, tool="kernel_stats")["tables"]["kernels"]["columns"]
    with tab_of(browser, samples_board, run=GPU, tool="kernel_stats", table="kernels") as tab:
        tab.settle()
        first = table(tab, "Kernels").locator("tbody tr").first.locator("td").first.locator(".name")
        expect(first).to_have_text(kernels["short_name"][0])
        expect(first).to_have_attribute("title", kernels["name"][0])


def test_the_tables_of_kernels_are_shown_one_at_a_time(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU, tool="kernel_stats") as tab:
        tab.settle()
        shown = tab.inside.get_by_role("group", name="show")
        shown.get_by_role("button", name=re.compile("^copies")).click()
        expect(tab.inside.get_by_role("heading", level=2, name=re.compile("Cop"))).to_be_visible()
        expect(table(tab, "Kernels")).to_have_count(0)
        shown.get_by_role("button", name=re.compile("^by name")).click()
        table(tab, "Kernels by name").locator("tbody tr").first.dblclick()
        expect(table(tab, "Kernels")).to_be_visible()
        assert "short_name" in tab.address()


@pytest.mark.slow
@pytest.mark.parametrize("tool", ["op_stats", "kernel_stats"])
def test_a_page_without_one_of_its_tables_shows_the_others(browser: Browser, samples_board: Board, tool: str) -> None:
    samples_board.runs()
    answer = samples_board.ask("data", run=GPU, tool=tool)
    heading = answer["findings"][0]["title"].replace("`", "")
    for missing in answer["tables"]:

        def change(given: Answer, name: str = missing) -> None:
            del given["tables"][name]

        with page_of(browser, samples_board, tool, change) as tab:
            expect(tab.inside.get_by_role("heading", name=heading)).to_be_visible()
            expect(tab.inside.get_by_role("figure").first).to_be_visible()


def test_choices_without_a_row_can_be_taken_back(browser: Browser, samples_board: Board) -> None:
    run = next(r["name"] for r in samples_board.runs() if r["name"].startswith("jax_train"))
    with tab_of(browser, samples_board, run=run, tool="op_stats", side="device") as tab:
        tab.settle()
        expect(tab.inside.locator("main")).to_contain_text("nothing in this capture matches the selection above")
        tab.inside.get_by_role("group", name="Side").get_by_role("button", name="both").click()
        tab.settle()
        expect(table(tab, "Ops")).to_be_visible()


def test_an_op_leads_to_its_kernels_and_back(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    ops = samples_board.ask("data", run=GPU, tool="op_stats")["tables"]["ops"]["columns"]
    kernels = samples_board.ask("data", run=GPU, tool="kernel_stats")["tables"]["kernels"]["columns"]["op_name"]
    name = next(op for op, side in zip(ops["name"], ops["side"], strict=True) if side == "device" and op in kernels)
    chosen: dict[str, Any] = {"run": GPU, "tool": "op_stats", "ops.filter": f"name={name} side=device"}
    with tab_of(browser, samples_board, **chosen) as tab:
        tab.settle()
        table(tab, "Ops").locator("tbody tr").first.click()
        tab.inside.get_by_role("button", name="Show kernels").click()
        tab.settle()
        expect(table(tab, "Kernels")).to_have_attribute("aria-rowcount", str(kernels.count(name) + 1))
        table(tab, "Kernels").locator("tbody tr").first.click()
        tab.inside.get_by_role("button", name="Show op").click()
        tab.settle()
        expect(table(tab, "Ops")).to_have_attribute("aria-rowcount", "2")


def test_an_empty_page_that_names_another_one_leads_there(browser: Browser, samples_board: Board) -> None:
    run = next(r["name"] for r in samples_board.runs() if r["name"].startswith("jax_train"))
    for tool, words, title in (
        ("kernel_stats", "the page of ops", "Ops"),
        ("tf_data", "the input pipeline's page", "Input pipeline"),
    ):
        with tab_of(browser, samples_board, run=run, tool=tool) as tab:
            expect(tab.inside.get_by_role("heading", name=re.compile("nothing to show"))).to_be_visible()
            tab.inside.get_by_role("button", name=words, exact=True).click()
            current = tab.inside.get_by_role("navigation", name="Tools").locator("[aria-current=page]")
            expect(current).to_have_text(title)
