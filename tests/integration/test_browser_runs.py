"""The table of all runs, in a real browser: the first page, rows that fill, search, baseline, the way to two runs."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.build_capture import Space
from tests.conftest import slow_but
from tests.integration._board import Board, tensorboard
from tests.integration._browser import Tab, Theme, open_tab, run_button, tab_of
from tests.integration.test_browser_compare import program
from tests.integration.test_browser_hostile import PWN
from tests.integration.test_browser_views import NAMELESS, SIDEWAYS

FAST, SLOW, OTHER = "train/2026_01_01_00_00_00", "train/2026_01_02_00_00_00", "other/2026_01_03_00_00_00"
BROKEN = "broken/2026_01_04_00_00_00"
LOOKS: tuple[tuple[Theme, tuple[int, int]], ...] = (
    ("light", (390, 844)),
    ("dark", (1024, 768)),
    ("light", (1440, 900)),
    ("dark", (1440, 900)),
    ("dark", (2560, 1440)),
)
MANY = 1000
NODES = "() => document.querySelectorAll('*').length"


def write(logs: Path, name: str, content: Space | bytes) -> Path:
    group, _, session = name.rpartition("/")
    path = logs / group / "plugins/profile" / session / "h.xplane.pb"
    path.parent.mkdir(parents=True)
    path.write_bytes(content if isinstance(content, bytes) else content.bytes())
    return path


def write_some(logs: Path) -> None:
    for name, content in ((FAST, program(10, 4)), (SLOW, program(14, 8)), (OTHER, program(10, 4)), (BROKEN, b"none")):
        write(logs, name, content)


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    folder = tmp_path_factory.mktemp("runs")
    write_some(folder / "logs")
    with tensorboard(folder / "log", "--logdir", str(folder / "logs")) as board:
        board.runs(4)
        yield board


def table(tab: Tab) -> Locator:
    return tab.inside.get_by_role("region", name="Runs", exact=True).get_by_role("table")


def row(tab: Tab, name: str) -> Locator:
    return table(tab).locator("tbody tr").filter(has=tab.inside.get_by_role("link", name=name, exact=True))


def names(tab: Tab) -> list[str]:
    shown = table(tab).locator("tbody tr .name").evaluate_all("all => all.map(each => each.title)")
    return [str(name) for name in shown]


def filled(tab: Tab, count: int) -> None:
    """Wait until so many runs are read."""
    expect(tab.inside.locator(".run-progress")).to_have_attribute("data-read", str(count))


def search(tab: Tab) -> Locator:
    return tab.inside.get_by_role("searchbox", name="Filter Runs")


def test_it_is_the_first_page_and_a_row_opens_its_run(browser: Browser, board: Board) -> None:
    with tab_of(browser, board) as tab:
        tab.settle()
        filled(tab, 4)
        assert names(tab) == [BROKEN, OTHER, SLOW, FAST]
        expect(tab.inside.get_by_role("heading", level=1)).to_contain_text("4 runs; the newest cannot be read")
        expect(row(tab, SLOW)).to_contain_text("+40.0 %")
        expect(row(tab, SLOW).locator(".change.slower")).to_have_count(1)
        expect(row(tab, FAST)).to_contain_text("10.0 ms")
        expect(row(tab, BROKEN)).to_contain_text("Cannot be read: ")
        expect(tab.inside.get_by_role("figure")).to_have_accessible_name(re.compile("3 runs: from 10.0 ms to 14.0 ms"))
        tab.inside.get_by_role("link", name=SLOW, exact=True).click()
        tab.settle()
        expect(run_button(tab)).to_contain_text("2026_01_02")
        expect(tab.inside.locator("[aria-current=page]")).to_have_text("Overview")
        # From there it is one press away, and shows which run was open.
        tab.inside.get_by_role("link", name="All runs").click()
        tab.settle()
        expect(row(tab, SLOW).locator("a[aria-current=true]")).to_have_count(1)
        tab.page.go_back()
        tab.settle()
        expect(tab.inside.locator("[aria-current=page]")).to_have_text("Overview")


def test_a_run_in_the_address_opens_at_once_and_one_that_is_picked_too(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=FAST) as tab:
        tab.settle()
        expect(tab.inside.locator("[aria-current=page]")).to_have_text("Overview")
        tab.enter()
        tab.page.keyboard.press("Shift+A")
        tab.settle()
        expect(table(tab)).to_be_visible()
        run_button(tab).click()
        tab.inside.get_by_role("combobox", name="Run").fill("other")
        tab.page.keyboard.press("Enter")
        tab.settle()
        expect(tab.inside.locator("[aria-current=page]")).to_have_text("Overview")
        expect(run_button(tab)).to_contain_text("2026_01_03")


@pytest.mark.slow
def test_one_run_opens_and_its_table_is_there_by_its_address(browser: Browser, tmp_path: Path, log: Path) -> None:
    write(tmp_path / "logs", FAST, program(10, 4))
    with tensorboard(log, "--logdir", str(tmp_path / "logs")) as board:
        board.runs()
        with tab_of(browser, board) as tab:
            tab.settle()
            expect(tab.inside.locator("[aria-current=page]")).to_have_text("Overview")
            expect(tab.inside.get_by_role("link", name="All runs")).to_have_count(0)
            tab.go(tool="runs")
            filled(tab, 1)
            expect(tab.inside.get_by_role("heading", level=1)).to_contain_text("1 run; the newest takes 10.0 ms a step")


def test_rows_are_sorted_and_searched(browser: Browser, many_board: Board) -> None:
    with tab_of(browser, many_board) as tab:
        tab.settle()
        search(tab).fill("no such run")
        expect(table(tab)).to_have_attribute("aria-rowcount", "1")
        search(tab).fill("2026_01_01")
        expect(table(tab)).not_to_have_attribute("aria-rowcount", "1")
        tab.inside.get_by_role("button", name="Sort by Run").click()
        assert names(tab) == sorted(names(tab))
        assert "runs.sort=run" in tab.address()
        # What is read is found by its numbers and by the code of a finding.
        search(tab).fill("step>12ms python_bound")
        expect(tab.inside.locator("tbody tr").first).to_contain_text(re.compile("Steps take 1[34] ms"))


@pytest.mark.slow
def test_a_baseline_is_pinned_kept_and_taken_back(browser: Browser, board: Board) -> None:
    with tab_of(browser, board) as tab:
        filled(tab, 4)
        expect(tab.inside.get_by_role("columnheader", name="vs baseline")).to_have_count(0)
        tab.inside.get_by_role("button", name=f"Baseline {OTHER}").click()
        expect(row(tab, SLOW).locator(".change.slower")).to_have_count(2)
        expect(row(tab, FAST).locator(".change.noise")).to_have_text("≈ 0 %")
        assert "p.perfplugin.baseline=other" in tab.address()
        # A new page of the same browser knows it; the run that opens is compared with it.
        tab.page.goto("about:blank")
        tab.page.goto(f"{board.url}#perfplugin")
        expect(row(tab, SLOW).locator(".change.slower")).to_have_count(2)
        tab.inside.get_by_role("link", name=SLOW, exact=True).click()
        tab.settle()
        assert "p.perfplugin.base=other" in tab.address()
        tab.inside.get_by_role("link", name="All runs").click()
        tab.inside.get_by_role("button", name="Baseline: none").click()
        expect(tab.inside.get_by_role("columnheader", name="vs baseline")).to_have_count(0)
        tab.page.goto("about:blank")
        tab.page.goto(f"{board.url}#perfplugin")
        filled(tab, 4)
        expect(tab.inside.get_by_role("columnheader", name="vs baseline")).to_have_count(0)


def test_a_baseline_that_is_gone_is_said(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, tool="runs", baseline="gone/1") as tab:
        filled(tab, 4)
        expect(tab.inside.locator(".run-mark")).to_contain_text("not in the logdir")


@pytest.mark.parametrize("order", [(SLOW, FAST), (FAST, SLOW)], ids=["newer first", "older first"])
def test_two_ticks_compare_the_newer_with_the_older(browser: Browser, board: Board, order: tuple[str, str]) -> None:
    with tab_of(browser, board) as tab:
        filled(tab, 4)
        tab.inside.get_by_role("checkbox", name=f"Compare {order[0]}").click()
        expect(tab.inside.locator(".run-mark")).to_contain_text("Choose another run to compare with")
        tab.inside.get_by_role("checkbox", name=f"Compare {order[0]}").click()
        expect(tab.inside.locator(".run-mark")).to_have_count(0)
        for name in order:
            tab.inside.get_by_role("checkbox", name=f"Compare {name}").click()
        tab.settle()
        expect(tab.inside.locator(".headline h1")).to_contain_text("A step takes 14 ms instead of 10 ms")


def test_keys(browser: Browser, board: Board) -> None:
    with tab_of(browser, board) as tab:
        filled(tab, 4)
        tab.inside.get_by_role("region", name="Runs", exact=True).focus()
        for key in ("ArrowDown", "ArrowDown", "ArrowDown"):
            tab.page.keyboard.press(key)
        expect(row(tab, SLOW)).to_have_attribute("aria-selected", "true")
        tab.page.keyboard.press("b")
        expect(tab.inside.locator(".run-mark")).to_contain_text("Baseline")
        tab.page.keyboard.press("b")
        expect(tab.inside.locator(".run-mark")).to_have_count(0)
        tab.page.keyboard.press("Space")
        tab.page.keyboard.press("End")
        tab.page.keyboard.press("Space")
        tab.settle()
        expect(tab.inside.locator(".headline h1")).to_contain_text("A step takes 14 ms instead of 10 ms")
        tab.page.go_back()
        tab.inside.get_by_role("region", name="Runs", exact=True).focus()
        tab.page.keyboard.press("End")
        tab.page.keyboard.press("Enter")
        tab.settle()
        expect(run_button(tab)).to_contain_text("2026_01_01")


def test_a_run_that_is_removed_goes_and_a_new_one_comes(browser: Browser, tmp_path: Path, log: Path) -> None:
    write_some(tmp_path / "logs")
    with tensorboard(log, "--logdir", str(tmp_path / "logs")) as board:
        board.runs(4)
        with tab_of(browser, board) as tab:
            filled(tab, 4)
            shutil.rmtree(tmp_path / "logs/train/plugins/profile/2026_01_01_00_00_00")
            write(tmp_path / "logs", "train/2026_01_05_00_00_00", program(20, 4))
            expect(row(tab, "train/2026_01_05_00_00_00")).to_contain_text("+42.9 %")
            assert names(tab) == ["train/2026_01_05_00_00_00", BROKEN, OTHER, SLOW]
            # What there was before it is not there any more.
            expect(row(tab, SLOW).locator(".change")).to_have_count(0)


def test_a_server_that_does_not_answer_is_said_and_found_again(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, allowed=("failed request", "console error")) as tab:
        filled(tab, 4)
        tab.page.route(re.compile("/runs_table"), lambda route: route.abort())
        tab.inside.get_by_role("button", name=f"Baseline {FAST}").click()
        expect(tab.inside.get_by_role("alert")).to_contain_text("TensorBoard does not respond")
        expect(row(tab, SLOW)).to_contain_text("14.0 ms")
        tab.page.unroute_all()
        expect(row(tab, SLOW).locator(".change.slower")).to_have_count(2)
        expect(tab.inside.get_by_role("alert")).to_have_count(0)


@pytest.fixture(scope="module")
def many_board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """1,000 runs of ten programs; names of one of them are hostile."""
    folder = tmp_path_factory.mktemp("many")
    contents = [program(10 + i, 4).bytes() for i in range(5)]
    for i in range(MANY):
        name = f"{PWN[:-1].replace('/', '')}{i % 10}" if i % 10 == 7 else f"model{i % 10}"
        write(
            folder / "logs",
            f"{name}/2026_{1 + i // 280:02}_{1 + i // 10 % 28:02}_00_{i // 60:02}_{i % 60:02}",
            contents[i % 5],
        )
    with tensorboard(folder / "log", "--logdir", str(folder / "logs")) as board:
        board.runs(MANY)
        yield board


def test_a_thousand_runs_are_there_at_once_and_what_is_seen_is_read_first(browser: Browser, many_board: Board) -> None:
    with tab_of(browser, many_board) as tab:
        expect(table(tab)).to_have_attribute("aria-rowcount", str(MANY + 1))
        expect(tab.inside.locator("tbody tr").nth(3)).to_contain_text(" ms")
        region = tab.inside.get_by_role("region", name="Runs", exact=True)
        region.focus()
        tab.page.keyboard.press("End")
        last = tab.inside.locator("tbody tr[aria-rowindex='1001']")
        expect(last).to_contain_text(" ms")
        read = int(tab.inside.locator(".run-progress").get_attribute("data-read") or 0)
        assert read < MANY // 2, "the last was read when it was its turn"
        assert tab.frame.evaluate(NODES) < 3000
        assert tab.inside.locator("img, iframe, main script").count() == 0
        assert tab.page.evaluate("() => window.hacked") is None


@pytest.mark.parametrize(("theme", "size"), slow_but((LOOKS[0], LOOKS[-1]), LOOKS), ids=str)
def test_it_fits_and_names_are_text(browser: Browser, many_board: Board, theme: Theme, size: tuple[int, int]) -> None:
    tab = open_tab(browser, many_board, {"tool": "runs"}, theme, size)
    tab.settle()
    expect(tab.inside.locator("tbody tr").nth(3)).to_contain_text(" ms")
    expect(table(tab)).to_contain_text("onerror")
    tab.inside.get_by_role("button", name=re.compile("^Baseline")).first.click()
    expect(tab.inside.get_by_role("columnheader", name="vs baseline")).to_have_count(1)
    assert tab.frame.evaluate(SIDEWAYS) == 0
    assert tab.frame.evaluate(NAMELESS) == []
    assert tab.frame.evaluate(NODES) < 3000
    tab.watch.check()
    tab.page.context.close()


@pytest.fixture(scope="module")
def history_board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """Two programs a day over a month: one became slower on a day, and fast again on another."""
    folder = tmp_path_factory.mktemp("history")
    for day in range(1, 25):
        slow = 6 if 9 <= day < 19 else 0
        write(folder / "logs", f"resnet/2026_03_{day:02}_10_00_00", program(20 + slow, 12 + slow, "conv1/Conv2D"))
        write(folder / "logs", f"bert/2026_03_{day:02}_12_00_00", program(34 - day // 20 * 4, 30 - day // 20 * 4))
    with tensorboard(folder / "log", "--logdir", str(folder / "logs")) as board:
        board.runs(48)
        yield board


@pytest.mark.slow
def test_step_times_lie_in_order_or_by_time(browser: Browser, history_board: Board) -> None:
    with tab_of(browser, history_board, tool="runs") as tab:
        filled(tab, 48)
        figure = tab.inside.get_by_role("figure")
        line = figure.locator("path.line")
        expect(figure).to_have_accessible_name(re.compile("in order of capture"))
        in_order = line.get_attribute("d")
        assert in_order
        figure.get_by_role("button", name="time", exact=True).click()
        expect(figure).to_have_accessible_name(re.compile("by time of capture"))
        expect(line).not_to_have_attribute("d", in_order)
        assert "p.perfplugin.x=time" in tab.address()
        figure.get_by_role("button", name="order", exact=True).click()
        expect(line).to_have_attribute("d", in_order)


@pytest.mark.parametrize(("theme", "size"), slow_but((LOOKS[0], LOOKS[-1]), LOOKS), ids=str)
def test_a_history_at_a_glance(browser: Browser, history_board: Board, theme: Theme, size: tuple[int, int]) -> None:
    base = "resnet/2026_03_01_10_00_00"
    tab = open_tab(browser, history_board, {"tool": "runs", "baseline": base}, theme, size)
    filled(tab, 48)
    expect(tab.inside.get_by_role("figure")).to_have_accessible_name(re.compile("48 runs: from 20.0 ms to 34.0 ms"))
    expect(row(tab, "resnet/2026_03_19_10_00_00").locator(".change").first).to_have_text("-23.1 %")
    assert tab.frame.evaluate(SIDEWAYS) == 0
    tab.screenshot(f"runs-{theme}-{size[0]}")
    tab.watch.check()
    tab.page.context.close()
