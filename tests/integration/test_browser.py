"""What a person does on our tab, in a real browser on a real TensorBoard."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Browser, Locator, expect
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.event_file_writer import EventFileWriter

from tests.integration._board import Board, stripping_proxy, tensorboard
from tests.integration._browser import COLOURS, IFRAME, Tab, host_button, run_button, whole_tab_of
from tests.integration.conftest import SAMPLES
from tests.integration.test_tensorboard import GPU_RUN, put

TWO_HOSTS = "two_hosts/2026_11_20_09_00_00"


def open_tool(tab: Tab) -> Locator:
    """The tool that the bar marks as open."""
    return tab.inside.locator("[aria-current=page]")


def cells(table: Locator, column: int) -> list[str]:
    """The texts of a column, of the rows that are drawn."""
    return [
        row.locator("td").nth(column).text_content() or "" for row in table.locator("tbody tr:not([aria-hidden])").all()
    ]


# Finding the page


def test_a_click_on_the_tab_shows_all_runs_the_newest_first(browser: Browser, prefixed_board: Board) -> None:
    prefixed_board.runs()
    with whole_tab_of(browser, prefixed_board) as tab:
        tab.page.goto(prefixed_board.url + "#timeseries")
        tab.page.get_by_role("tab", name="Profile").click()
        tab.settle()
        newest = prefixed_board.ask("runs")["runs"][0]["name"]
        tab.inside.get_by_role("region", name="Runs").get_by_role("link").first.click()
        tab.settle()
        expect(run_button(tab)).to_contain_text(newest.rpartition("/")[2][-10:])
        expect(open_tool(tab)).to_have_text("Overview")


def test_a_link_opens_what_its_sender_saw_and_a_reload_keeps_it(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with whole_tab_of(browser, samples_board, run=TWO_HOSTS, host="worker-1", tool="op_stats") as tab:
        for again in (False, True):
            if again:
                tab.page.reload()
            tab.settle()
            expect(run_button(tab)).to_contain_text("two_hosts")
            expect(host_button(tab)).to_contain_text("worker-1")
            expect(open_tool(tab)).to_contain_text("Op")
            assert "p.perfplugin.tool=op_stats" in tab.address()


def test_choices_are_kept_in_the_address_and_back_undoes_them(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with whole_tab_of(browser, samples_board, run=GPU_RUN, tool="overview") as tab:
        tab.settle()
        run_button(tab).click()
        tab.inside.get_by_role("combobox", name="Run").fill("two_hosts")
        tab.page.keyboard.press("Enter")
        expect(run_button(tab)).to_contain_text("two_hosts")
        host_button(tab).click()
        tab.inside.get_by_role("option", name=re.compile("worker-0")).click()
        tab.inside.get_by_role("navigation", name="Tools").get_by_role("link", name="Ops").click()
        tab.settle()
        assert "p.perfplugin.host=worker-0" in tab.address()
        assert "p.perfplugin.tool=op_stats" in tab.address()
        tab.page.go_back()
        expect(open_tool(tab)).to_have_text("Overview")
        expect(run_button(tab)).to_contain_text("two_hosts")


def write_scalar(folder: Path) -> None:
    """What makes TensorBoard show more tabs than ours."""
    writer = EventFileWriter(str(folder))
    writer.add_event(Event(step=1, summary=Summary(value=[Summary.Value(tag="loss", simple_value=0.5)])))
    writer.close()


def test_other_tabs_of_tensorboard_are_not_disturbed(browser: Browser, tmp_path: Path, log: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "train").symlink_to(SAMPLES / "gpu_streams")
    write_scalar(tmp_path / "logs" / "eval")
    with tensorboard(log, "--logdir", str(tmp_path / "logs")) as board:
        board.runs()
        with whole_tab_of(browser, board, tool="op_stats") as tab:
            tab.settle()
            tab.page.get_by_role("tab", name="Scalars").click()
            expect(tab.page.locator(IFRAME)).to_be_hidden()
            expect(tab.page.get_by_text("loss", exact=True).first).to_be_visible()
            tab.page.get_by_role("tab", name="Profile").click()
            expect(open_tool(tab)).to_contain_text("Op")
            expect(run_button(tab)).to_contain_text("train")


def test_dark_mode_follows_tensorboard_live(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with whole_tab_of(browser, samples_board, run=GPU_RUN, tool="overview") as tab:
        tab.settle()
        background = "() => getComputedStyle(document.body).backgroundColor"
        light = tab.frame.evaluate(background)
        tab.page.get_by_role("button", name=re.compile("dark", re.I)).first.click()
        tab.page.get_by_role("menuitem", name="Dark").click()
        expect(tab.inside.locator("html")).to_have_attribute("data-theme", "dark")
        assert tab.frame.evaluate(background) != light


def test_a_new_capture_appears_without_reload(browser: Browser, tmp_path: Path, log: Path) -> None:
    with tensorboard(log, "--logdir", str(tmp_path)) as board, whole_tab_of(browser, board) as tab:
        expect(tab.inside.get_by_text(str(tmp_path)).first).to_be_visible()
        put(tmp_path / "first/plugins/profile/s1/h.xplane.pb")
        expect(run_button(tab)).to_contain_text("s1")
        put(tmp_path / "second/plugins/profile/s2/h.xplane.pb")
        run_button(tab).click()
        expect(tab.inside.get_by_role("option", name=re.compile("s2"))).to_be_visible()


# Tables


def test_a_table_sorts_filters_and_downloads(browser: Browser, samples_board: Board, tmp_path: Path) -> None:
    samples_board.runs()
    with whole_tab_of(browser, samples_board, run=GPU_RUN, tool="op_stats") as tab:
        tab.settle()
        tool = next(tool for tool in samples_board.ask("tools")["tools"] if tool["name"] == "op_stats")
        spec = tool["tables"][0]
        table = tab.inside.get_by_role("region", name=spec["title"]).get_by_role("table")
        header = table.get_by_role("columnheader").filter(has_text="Name")
        header.get_by_role("button", name="Sort by").click()
        expect(header).to_have_attribute("aria-sort", "ascending")
        header.get_by_role("button", name="Sort by").click()
        expect(header).to_have_attribute("aria-sort", "descending")
        column = [head.inner_text() for head in table.get_by_role("columnheader").all()].index(header.inner_text())
        answer = samples_board.ask("data", run=GPU_RUN, tool="op_stats")
        names = sorted(answer["tables"]["ops"]["columns"]["name"], reverse=True)
        assert cells(table, column)[:5] == names[:5]

        tab.inside.get_by_role("searchbox", name=re.compile("Filter")).first.fill("Conv2D")
        expect(tab.inside.get_by_text(re.compile(r"of \S+ rows")).first).to_be_visible()
        for row in table.locator("tbody tr:not([aria-hidden])").all():
            assert "Conv2D" in row.inner_text()

        with tab.page.expect_download() as download:
            tab.inside.get_by_role("link", name="CSV").first.click()
        download.value.save_as(tmp_path / "table.csv")
        lines = (tmp_path / "table.csv").read_text().splitlines()
        assert lines[0].split(",") == [c["name"] for c in spec["columns"]]
        assert len(lines) > 100


# The trace


def test_the_trace_moves_by_keys_and_says_so_in_the_address(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with whole_tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer") as tab:
        tab.settle()
        tab.inside.locator(".trace-canvas").click(position={"x": 600, "y": 200})
        seen = [tab.address()]
        for key in ("w", "w", "d", "a", "s"):
            tab.page.keyboard.press(key)
            tab.page.wait_for_function("old => location.hash.slice(1) !== old", arg=seen[-1])
            seen.append(tab.address())
        tab.page.reload()
        tab.settle()
        assert tab.address() == seen[-1]


def test_the_trace_is_drawn(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with whole_tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer") as tab:
        tab.settle()
        expect(tab.inside.get_by_text("Stream #20(Compute)").first).to_be_visible()
        tab.frame.wait_for_function(f"() => ({COLOURS})() > 10")


def test_a_search_of_the_trace_leads_to_an_event_and_all_its_stats(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with whole_tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer") as tab:
        tab.settle()
        tab.inside.get_by_role("searchbox").fill("ncclDevKernel")
        expect(tab.inside.get_by_text("12 hits").first).to_be_visible()
        tab.page.keyboard.press("Enter")
        details = tab.inside.get_by_role("region", name="Selected slice")
        expect(details).to_contain_text("ncclDevKernel_AllReduce_Sum_f32_RING_LL")
        stats = details.get_by_role("region", name="Stats", exact=True)
        expect(stats).to_contain_text("CollectiveReduceV2:CollectiveReduceV2")
        expect(stats).to_contain_text("correlation id")
        tab.page.wait_for_function("() => location.hash.includes('p.perfplugin.event=')")
        tab.page.reload()
        tab.settle()
        expect(details).to_contain_text("ncclDevKernel_AllReduce_Sum_f32_RING_LL")


def test_a_finding_leads_to_its_proof(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with whole_tab_of(browser, samples_board, run=GPU_RUN, tool="overview") as tab:
        tab.settle()
        findings = samples_board.ask("data", run=GPU_RUN, tool="overview")["findings"]
        place = next(f["evidence"][0] for f in findings if f["evidence"] and f["tool"] == "trace_viewer")
        tab.inside.get_by_role("button", name=re.compile("show in Trace")).first.click()
        expect(open_tool(tab)).to_have_text("Trace")
        tab.settle()
        shown = dict(re.findall(r"p\.perfplugin\.(start_ps|end_ps)=(\d+)", tab.address()))
        assert int(shown["start_ps"]) <= place["start_ps"] < place["end_ps"] <= int(shown["end_ps"])


def test_a_place_is_found_by_the_clock_of_its_host(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    run = "two_hosts/2026_11_20_09_00_00"
    hosts = samples_board.ask("data", run=run, tool="trace_viewer")["tables"]["hosts"]["columns"]
    shift = dict(zip(hosts["host"], hosts["offset_ps"], strict=True))["worker-1"]
    assert shift > 0
    with whole_tab_of(browser, samples_board, run=run, tool="trace_viewer", range="1000-2000", clock="worker-1") as tab:
        tab.settle()
        marked = f"p.perfplugin.range={1000 + shift}-{2000 + shift}"
        tab.page.wait_for_function("marked => location.hash.includes(marked)", arg=marked)
        assert "clock" not in tab.address()


# Where else the page may be


def test_the_reload_button_of_tensorboard_asks_again(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with whole_tab_of(browser, samples_board, run=GPU_RUN, tool="overview") as tab:
        tab.settle()
        with tab.page.expect_request(re.compile("plugin/perfplugin/runs")):
            tab.page.locator(".reload-button").click()


def test_behind_a_proxy_that_strips_its_prefix(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with (
        stripping_proxy(samples_board, "/proxy/6006/") as board,
        whole_tab_of(browser, board, run=GPU_RUN, tool="op_stats") as tab,
    ):
        tab.settle()
        expect(tab.inside.get_by_role("region", name="Ops").get_by_role("table")).to_contain_text("Conv2D")


def test_as_an_experiment(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    board = Board(samples_board.url + "experiment/x/", samples_board.log)
    with whole_tab_of(browser, board, run=GPU_RUN, tool="overview") as tab:
        tab.settle()
        expect(run_button(tab)).to_contain_text("gpu_streams")


# Keyboard


def test_everything_is_reached_by_keyboard(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with whole_tab_of(browser, samples_board, run=GPU_RUN, tool="overview") as tab:
        tab.settle()
        tab.enter()
        tab.page.keyboard.press("?")
        help = tab.inside.get_by_role("dialog", name="Help")
        expect(help).to_contain_text("choose a run")
        tab.page.keyboard.press("Escape")
        expect(help).to_be_hidden()
        tab.page.keyboard.press("Shift+R")
        tab.page.keyboard.type("jax")
        tab.page.keyboard.press("Enter")
        expect(run_button(tab)).to_contain_text("jax_train")
        tab.page.keyboard.press("2")
        expect(open_tool(tab)).to_have_text("Input pipeline")


def test_a_link_to_a_tool_that_is_not_there_leads_to_one_that_is(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with whole_tab_of(browser, samples_board, run=GPU_RUN, tool="no_such") as tab:
        expect(tab.inside.get_by_role("heading", name="There is no tool no_such")).to_be_visible()
        tab.inside.get_by_role("button", name="Open Overview").click()
        tab.settle()
        expect(open_tool(tab)).to_have_text("Overview")
