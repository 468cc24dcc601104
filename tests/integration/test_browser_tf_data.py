"""The page of tf.data in a real browser: the pipeline as a graph of buttons, and which host and call it is of."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.build_capture import Space
from tests.integration._board import Board, tensorboard
from tests.integration._browser import tab_of
from tests.tools.pipelines import call, function, host, steps

RUN = "two/s"


def fed_by_a_map(work_ms: float, op: str) -> Space:
    """Ten steps of 10 ms; each waits for a map that works so long at one element."""
    space = Space()
    program, _, pool, _ = host(space)
    begins = [10.0 * i for i in range(10)]
    steps(program, begins, 100)
    for begin in begins:
        end = begin + work_ms
        call(program, "Root", begin, end, id=1)
        call(program, "Root::Map", begin, end, id=2, parent_id=1)
        call(program, "Root::Map::TensorSlice", begin, begin + 0.5, id=3, parent_id=2)
        function(program, pool, round(begin) + 9, begin + 0.6, begin + 0.7, begin + 1.9, f"f:{op}")
    return space


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    folder = tmp_path_factory.mktemp("tf_data")
    session = folder / "logs/two/plugins/profile/s"
    session.mkdir(parents=True)
    for name, work_ms in (("fast", 2.0), ("slow", 6.0)):
        (session / f"{name}.xplane.pb").write_bytes(fed_by_a_map(work_ms, f"On_{name}").bytes())
    with tensorboard(folder / "log", "--logdir", str(folder / "logs")) as board:
        board.runs()
        yield board


def test_the_bottleneck_is_marked_and_shown_in_detail(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=RUN, tool="tf_data") as tab:
        tab.settle()
        graph = tab.inside.get_by_role("group", name="3 stages")
        expect(graph).to_have_attribute(
            "aria-description", re.compile("Bottleneck: Map. The program waited for: Map 9")
        )
        marked = tab.inside.locator("button.graph-node", has_text="bottleneck")
        expect(marked).to_have_attribute("aria-pressed", "true")
        expect(marked).to_have_accessible_name(re.compile(r"^Map: 10 calls, 60\.0 ms in total, .* the bottleneck"))
        expect(tab.inside.get_by_role("heading", name="Map", exact=True)).to_be_visible()
        tab.inside.get_by_role("button", name="Longest call in trace").click()
        tab.page.wait_for_function("() => location.hash.includes('tool=trace_viewer')")


def test_arrows_walk_along_the_pipeline(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=RUN, tool="tf_data") as tab:
        tab.settle()
        tab.inside.locator("button.graph-node", has_text="bottleneck").focus()
        for key, name in (("ArrowDown", "TensorSlice"), ("ArrowUp", "Map"), ("ArrowUp", "Root")):
            tab.page.keyboard.press(key)
            expect(tab.inside.get_by_role("heading", name=name, exact=True)).to_be_visible()
            expect(tab.inside.locator(":focus")).to_have_accessible_name(re.compile(f"^{name}"))
        tab.page.wait_for_function("() => location.hash.includes('p.perfplugin.at=0')")


def test_an_execution_and_a_host_are_chosen(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=RUN, tool="tf_data") as tab:
        tab.settle()
        execution = tab.inside.get_by_role("combobox", name="execution")
        expect(execution).to_have_value("-1")
        execution.select_option("2")
        tab.page.wait_for_function("() => location.hash.includes('execution=2')")
        expect(tab.inside.locator("button.graph-node", has_text="Root")).to_contain_text("6.00 ms in 1 call")
        of_host = tab.inside.get_by_role("combobox", name="host")
        expect(of_host).to_have_value("slow")
        of_host.select_option("fast")
        expect(tab.inside.locator("button.graph-node", has_text="Root")).to_contain_text("20.0 ms in 10 calls")
        assert "execution=" not in tab.address()


def test_a_larger_graph_is_scrolled(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=RUN, tool="tf_data") as tab:
        tab.settle()
        for _ in range(4):
            tab.inside.get_by_role("button", name="Zoom in").click()
        room = "() => { const box = document.querySelector('.graph-scroll'); return box.scrollWidth - box.clientWidth }"
        tab.frame.wait_for_function(f"() => ({room})() > 0 || document.querySelector('.graph-plane').style.scale > 1.9")
        tab.inside.get_by_role("button", name=re.compile("200 %")).click()
        expect(tab.inside.get_by_role("button", name=re.compile("100 %"))).to_be_visible()


def test_only_what_ran_on_the_chosen_host_stands_beside_its_graph(browser: Browser, board: Board) -> None:
    columns = board.ask("data", run=RUN, tool="tf_data")["tables"]["functions"]["columns"]
    assert dict(zip(columns["host"], columns["function"], strict=True)) == {"slow": "On_slow", "fast": "On_fast"}
    with tab_of(browser, board, run=RUN, tool="tf_data") as tab:
        tab.settle()
        ran = tab.inside.get_by_role("region", name=re.compile("What ran in function")).locator("tbody tr")
        for name in ("slow", "fast"):
            tab.inside.get_by_role("combobox", name="host").select_option(name)
            expect(ran).to_have_count(1)
            expect(ran).to_contain_text(f"On_{name}")
