"""The pages of ops, kernels, memory and tf.data in a real browser: a copied link, the keys that help lists, dimming."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, Locator, Route, expect

from tests.build_capture import Space
from tests.conftest import slow_but
from tests.decode.pprofs import Pprof
from tests.integration._board import Board, tensorboard
from tests.integration._browser import Tab, host_button, tab_of
from tests.tools.memory import US, Memory, memory
from tests.tools.pipelines import call, host, steps

GPU = "gpu_streams/2026_11_20_09_00_00"
HOSTS = "two_hosts/2026_11_20_09_00_00"
LEAK, FED, HEAP = "leak/s", "fed/s", "heap"
MIB = 1 << 20


def leak() -> Space:
    """Twenty steps of 1 ms that keep 1 MiB each. A second allocator beside."""
    space, gpu = memory(64 * MIB, limit=256 * MIB)
    cpu = Memory(gpu.line, 0, "cpu")
    for step in range(20):
        begin = step * 1000
        gpu.line.event("train", begin * US, 1000 * US, {"step_num": step, "_r": 1})
        gpu.allocate(begin + 100, 0x1000 + step, MIB, f"model/cache_{step}", region_type="persist", data_type=1)
        cpu.allocate(begin + 300, 0x3000 + step, 16, f"model/label_{step}")
    return space


def fed(pipelines: int) -> Space:
    """Ten steps of 10 ms; each waits for one map of each pipeline."""
    space = Space()
    program, *_ = host(space)
    begins = [10.0 * i for i in range(10)]
    steps(program, begins, 100)
    for begin in begins:
        for one in range(pipelines):
            start, id_ = begin + 2.0 * one, 10 * one
            call(program, "Root", start, start + 1.5, id=id_ + 1)
            call(program, "Root::Map", start, start + 1.5, id=id_ + 2, parent_id=id_ + 1)
            call(program, "Root::Map::TensorSlice", start, start + 0.5, id=id_ + 3, parent_id=id_ + 2)
    return space


def profile() -> bytes:
    pprof = Pprof()
    pprof.sample(60, ["main a.py:1", "train a.py:5", "jit b.py:7"], kind="executable", device="gpu:0")
    pprof.sample(40, ["main a.py:1", "load a.py:3"], kind="buffer", device="gpu:0")
    return pprof.bytes()


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    folder = tmp_path_factory.mktemp("links")
    files = {
        "leak/plugins/profile/s/h.xplane.pb": leak().bytes(),
        "fed/plugins/profile/s/a.xplane.pb": fed(2).bytes(),
        "fed/plugins/profile/s/b.xplane.pb": fed(2).bytes(),
        "heap/memory.prof": profile(),
    }
    for name, content in files.items():
        path = folder / "logs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    with tensorboard(folder / "log", "--logdir", str(folder / "logs")) as board:
        board.runs(3)
        yield board


#: All that is to be read, and what is chosen, pressed, sorted, opened, typed, ticked and zoomed.
SEEN = """() => [
  document.querySelector("header")?.innerText ?? "",
  document.querySelector("main")?.innerText ?? "",
  ...[...document.querySelectorAll("main *")].map(e => [
    ...["aria-selected", "aria-pressed", "aria-sort", "aria-expanded"].map(name => e.getAttribute(name) ?? ""),
    e.value ?? "", e.checked ?? "", e.matches(".graph-plane") ? e.style.scale : "",
  ].join(" ")),
].filter(line => line.trim()).join("\\n").replace(/Copied/g, "Copy link")"""


def same_in_a_fresh_browser(browser: Browser, tab: Tab, *kept: str) -> None:
    """What the address shows to whoever has only that is what is seen here. kept: parts that it must have."""
    for part in kept:
        tab.page.wait_for_function("part => decodeURIComponent(location.hash).includes(part)", arg=part)
    tab.settle()
    tab.page.mouse.move(0, 0)
    state = dict(part.split("=", 1) for part in tab.address().split("&") if "=" in part)
    given: dict[str, Any] = {
        unquote(name.removeprefix("p.perfplugin.")): unquote(value) for name, value in state.items()
    }
    with tab_of(browser, tab.board, **given) as other:
        other.settle()
        other.frame.wait_for_function(f"wanted => ({SEEN})() === wanted", arg=tab.frame.evaluate(SEEN))


def table(tab: Tab, name: str) -> Locator:
    return tab.inside.get_by_role("region", name=name, exact=True).locator("table")


def button(tab: Tab, name: str | re.Pattern[str]) -> Locator:
    return tab.inside.get_by_role("button", name=name, exact=isinstance(name, str))


@pytest.mark.slow
def test_a_link_to_chosen_ops(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=HOSTS, tool="op_stats") as tab:
        tab.settle()
        host_button(tab).click()
        tab.inside.get_by_role("option", name=re.compile("worker-0")).click()
        tab.settle()
        tab.inside.get_by_role("group", name="Side").get_by_role("button", name="hosts").click()
        tab.inside.get_by_role("checkbox", name="with idle time").check()
        button(tab, "Sort by Occurrences").click()
        tab.inside.get_by_role("searchbox").fill("occurrences>1")
        tab.settle()
        rows = table(tab, "Ops").locator("tbody tr")
        rows.nth(1).click()
        rows.nth(2).click(modifiers=["Shift"])
        expect(button(tab, "Copy 2 rows")).to_be_visible()
        same_in_a_fresh_browser(
            browser, tab, "host=worker-0", "side=host", "idle=true", "ops.sort=-occurrences", "ops.rows=1-2."
        )
        tab.inside.get_by_role("searchbox").fill("occurrences>2")
        expect(button(tab, "Copy 2 rows")).to_have_count(0)


def test_a_link_to_opened_scopes(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU, tool="op_stats", group="scope") as tab:
        tab.settle()
        tree = tab.inside.get_by_role("treegrid")
        button(tab, "Collapse all").click()
        before = tree.locator("tbody tr").count()
        tree.focus()
        for key in ("Home", "ArrowRight", "ArrowDown"):
            tab.page.keyboard.press(key)
        assert tree.locator("tbody tr").count() > before
        same_in_a_fresh_browser(browser, tab, "scopes.open=", "scopes.rows=1-1.")


def test_a_link_to_chosen_kernels(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU, tool="kernel_stats") as tab:
        tab.settle()
        button(tab, re.compile("^copies")).click()
        button(tab, "Sort by Kind").click()
        tab.settle()
        tab.inside.locator(".main-table tbody tr").nth(1).click()
        same_in_a_fresh_browser(browser, tab, "table=copies", "copies.sort=kind", "copies.rows=1-1.")


@pytest.mark.slow
def test_a_link_to_a_stretch_of_memory(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=LEAK, tool="memory_profile") as tab:
        tab.settle()
        tab.inside.get_by_role("slider", name="Memory over time").focus()
        tab.page.keyboard.press("+")
        tab.page.wait_for_function("() => location.hash.includes('end_ms')")
        tab.settle()
        tab.inside.get_by_role("checkbox", name="free", exact=True).click()
        table(tab, "What fills the memory at its peak").locator("tbody tr").nth(2).click()
        table(tab, "Memory by step").locator("tbody tr").nth(4).click()
        same_in_a_fresh_browser(browser, tab, "start_ms=", "free=", "peak.rows=2-2.", "steps.rows=4-4.")


def test_a_link_to_a_frame(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=HEAP, tool="memory_profile") as tab:
        tab.settle()
        tab.inside.get_by_role("searchbox", name="Find").fill("jit")
        graph = tab.inside.get_by_role("application")
        graph.focus()
        for key in ("ArrowDown", "ArrowDown", "Enter"):
            tab.page.keyboard.press(key)
        same_in_a_fresh_browser(browser, tab, "find=jit", "at=")


def test_a_link_to_a_stage(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=FED, tool="tf_data") as tab:
        tab.settle()
        tab.inside.get_by_role("combobox", name="host").select_option("b")
        tab.settle()
        tab.inside.get_by_role("combobox", name="execution").select_option("2")
        tab.settle()
        tab.inside.locator("button.graph-node", has_text="TensorSlice").click()
        for _ in range(2):
            button(tab, "Zoom in").click()
        table(tab, "Input pipelines").locator("tbody tr").nth(1).click()
        same_in_a_fresh_browser(browser, tab, "pipeline=b/", "execution=2", "at=2", "zoom=1.56", "pipelines.rows=1-1.")


@pytest.mark.slow
def test_keys_held_for_long_end_in_the_address(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=HOSTS, tool="op_stats") as tab:
        tab.settle()
        tab.inside.locator(".main-table .table-scroll").focus()
        for key in ["ArrowDown", "ArrowUp"] * 150 + ["Home", "ArrowDown", "ArrowDown"]:
            tab.page.keyboard.press(key)
        expect(table(tab, "Ops").locator("tbody tr").nth(2)).to_have_attribute("aria-selected", "true")
        tab.page.wait_for_function("() => location.hash.includes('ops.rows=2-2.')")


def keys_of(tab: Tab) -> str:
    tab.page.keyboard.press("?")
    dialog = tab.inside.get_by_role("dialog", name="Help")
    expect(dialog).to_be_visible()
    text = dialog.inner_text()
    tab.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    return text


@pytest.mark.parametrize(
    ("run", "tool", "listed", "not_listed"),
    slow_but(
        (LEAK, FED),
        [
            (LEAK, "memory_profile", ("memory over time", "memory by step", "in a table"), ("flame graph",)),
            (HEAP, "memory_profile", ("flame graph", "filter or search"), ("memory over time", "memory by step")),
            (FED, "tf_data", ("in a graph", "in a table"), ("filter or search",)),
            (GPU, "op_stats", ("in a table", "filter or search"), ("in a tree",)),
            (GPU, "kernel_stats", ("in a table",), ("Keys on this page",)),
        ],
    ),
)
def test_help_lists_the_keys_that_work_here(
    browser: Browser,
    samples_board: Board,
    board: Board,
    run: str,
    tool: str,
    listed: tuple[str, ...],
    not_listed: tuple[str, ...],
) -> None:
    where = samples_board if run == GPU else board
    where.runs()
    with tab_of(browser, where, run=run, tool=tool) as tab:
        tab.settle()
        expect(tab.inside.locator(".data-table").first).to_be_visible()
        tab.enter()
        text = keys_of(tab)
        assert [words for words in listed if words not in text] == []
        assert [words for words in not_listed if words in text] == []
        if tool == "op_stats":
            button(tab, "name scope").click()
            assert "in a tree: expand all" in keys_of(tab)


def pipeline(tab: Tab) -> None:
    tab.inside.get_by_role("combobox", name="execution").select_option("2")


def window(tab: Tab) -> None:
    tab.inside.get_by_role("slider", name="Memory over time").focus()
    tab.page.keyboard.press("+")


def idle(tab: Tab) -> None:
    tab.inside.get_by_role("checkbox", name="with idle time").check()


def by_device(tab: Tab) -> None:
    tab.inside.get_by_role("group", name="Split by").get_by_role("button", name="device").click()


@pytest.mark.parametrize(
    ("run", "tool", "change"),
    slow_but(
        (LEAK, FED),
        [
            (GPU, "op_stats", idle),
            (GPU, "kernel_stats", by_device),
            (LEAK, "memory_profile", window),
            (FED, "tf_data", pipeline),
        ],
    ),
)
def test_what_is_shown_is_dimmed_while_the_next_is_read(
    browser: Browser, samples_board: Board, board: Board, run: str, tool: str, change: Callable[[Tab], None]
) -> None:
    where = samples_board if run == GPU else board
    where.runs()
    with tab_of(browser, where, run=run, tool=tool) as tab:
        tab.settle()
        # What is asked from here on waits: the page must be there.
        expect(tab.inside.get_by_role("table").or_(tab.inside.get_by_role("slider")).first).to_be_visible()
        waiting: list[Route] = []
        tab.page.route(re.compile(r"/data\?"), lambda route: waiting.append(route))
        change(tab)
        dimmed = tab.inside.locator(".dimmed")
        expect(dimmed).to_be_visible()
        assert float(dimmed.evaluate("e => getComputedStyle(e).opacity")) < 1
        expect(dimmed.get_by_role("table").or_(dimmed.get_by_role("slider")).first).to_be_visible()
        expect(tab.inside.locator(".waiting")).to_contain_text("Reading")
        tab.page.wait_for_timeout(300)
        for route in waiting:
            route.continue_()
        expect(dimmed).to_have_count(0)
