"""The page of memory in a real browser: over time, at its peak, by step; a device memory profile as a flame graph."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.build_capture import Space
from tests.decode.pprofs import Pprof
from tests.integration._board import Board, tensorboard
from tests.integration._browser import COLOURS, Tab, tab_of
from tests.tools.memory import US, Memory, memory

MIB = 1 << 20
STEPS, STEP_US = 8, 1000
LEAK, HEAP, NONE = "leak/s", "heap", "none/s"


def leak() -> Space:
    """Eight steps of 1 ms: each allocates 8 MiB and gives them back, and keeps 1 MiB. A second allocator beside."""
    space, gpu = memory(64 * MIB, limit=256 * MIB)
    cpu = Memory(gpu.line, 0, "cpu")
    for step in range(STEPS):
        begin = step * STEP_US
        gpu.line.event("train", begin * US, STEP_US * US, {"step_num": step, "_r": 1})
        gpu.allocate(
            begin + 100, 0x1000 + step, MIB, "model/cache", region_type="persist", data_type=1, shape="[262144]"
        )
        gpu.allocate(begin + 200, 0x2000, 8 * MIB, "model/conv", region_type="temp", data_type=1, fragmentation=0.25)
        gpu.free_(begin + 600, 0x2000, 8 * MIB)
        cpu.allocate(begin + 300, 0x3000 + step, 16, "model/label")
    return space


def profile() -> bytes:
    """Frames five calls deep: 60 bytes of a compiled program, 40 of a buffer."""
    pprof = Pprof()
    pprof.sample(60, ["main a.py:1", "train a.py:5", "jit b.py:7", "compile b.py:9"], kind="executable", device="gpu:0")
    pprof.sample(40, ["main a.py:1", "load a.py:3"], kind="buffer", device="gpu:0")
    return pprof.bytes()


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    folder = tmp_path_factory.mktemp("memory")
    files = {
        "logs/leak/plugins/profile/s/h.xplane.pb": leak().bytes(),
        "logs/heap/memory.prof": profile(),
        "logs/none/plugins/profile/s/h.xplane.pb": nothing().bytes(),
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_bytes(content)
    with tensorboard(folder / "log", "--logdir", str(folder / "logs")) as board:
        board.runs(len(files))
        yield board


def nothing() -> Space:
    space = Space()
    space.plane("/host:CPU").line(1).event("MatMul:MatMul", 0, US)
    return space


def over_time(tab: Tab) -> Locator:
    return tab.inside.get_by_role("slider", name="Memory over time")


def window(tab: Tab) -> list[float]:
    return [float(value) for value in re.findall(r"p\.perfplugin\.(?:start|end)_ms=([\d.]+)", tab.address())]


def test_memory_over_time_is_drawn_with_its_peak(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=LEAK, tool="memory_profile") as tab:
        tab.settle()
        words = re.compile("24 events over .* 64.0 MiB to 80.0 MiB in use. The peak is 80.0 MiB at 7.20 ms")
        expect(over_time(tab)).to_have_attribute("aria-description", words)
        expect(tab.inside.locator(".area-details")).to_contain_text("model/conv")
        tab.frame.wait_for_function(f"() => ({COLOURS})() > 5")
        expect(tab.inside.get_by_role("region", name="What fills the memory at its peak").first).to_contain_text(
            "total 80.0 MiB, the peak"
        )
        expect(tab.inside.get_by_text("leak: +1.00 MiB per step")).to_be_visible()


def test_details_follow_keys_and_lead_to_the_trace(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=LEAK, tool="memory_profile") as tab:
        tab.settle()
        over_time(tab).focus()
        for key in ("Home", "ArrowRight"):
            tab.page.keyboard.press(key)
        expect(over_time(tab)).to_have_attribute("aria-valuetext", "at 100 µs: 65.0 MiB in use")
        details = tab.inside.locator(".area-details")
        for text in ("allocation of 1.00 MiB", "model/cache", "persist", "float", "[262144]", "0x1000"):
            expect(details).to_contain_text(text)
        tab.page.keyboard.press("Enter")
        tab.page.wait_for_function("() => location.hash.includes('tool=trace_viewer')")
        assert re.search(r"marks=[^&]*%3A1000000\d\d-", tab.address())


def test_a_drag_shows_a_shorter_window_and_escape_all(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=LEAK, tool="memory_profile") as tab:
        tab.settle()
        box = over_time(tab).bounding_box()
        assert box is not None
        tab.page.mouse.move(box["x"] + 400, box["y"] + 60)
        tab.page.mouse.down()
        tab.page.mouse.move(box["x"] + 600, box["y"] + 60, steps=4)
        tab.page.mouse.up()
        tab.page.wait_for_function("() => location.hash.includes('end_ms')")
        tab.settle()
        begin, end = window(tab)
        assert 0 < begin < end < STEPS
        shown = board.ask("data", run=LEAK, tool="memory_profile", start_ms=str(begin), end_ms=str(end))
        last = len(shown["tables"]["timeline"]["columns"]["start_ms"]) - 1
        expect(over_time(tab)).to_have_attribute("aria-valuemax", str(last))
        over_time(tab).focus()
        tab.page.keyboard.press("Escape")
        tab.page.wait_for_function("() => !location.hash.includes('end_ms')")


def test_another_memory_is_chosen(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=LEAK, tool="memory_profile") as tab:
        tab.settle()
        tab.inside.get_by_role("combobox", name="memory").select_option("cpu")
        tab.page.wait_for_function("() => location.hash.includes('memory=cpu')")
        expect(over_time(tab)).to_have_attribute("aria-description", re.compile("8 events .* The peak is 128 B"))


def test_a_capture_without_memory_events_says_why(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=NONE, tool="memory_profile") as tab:
        expect(tab.inside.get_by_role("heading", name="Memory: nothing to show")).to_be_visible()
        expect(tab.inside.locator("main")).to_contain_text("no memory events")


def test_a_memory_that_is_not_there_is_refused_with_a_way_back(browser: Browser, board: Board) -> None:
    with tab_of(
        browser, board, ("status 400", "Failed to load"), run=LEAK, tool="memory_profile", memory="gone", start_ms="1"
    ) as tab:
        expect(tab.inside.get_by_role("alert")).to_contain_text("memory='gone'")
        tab.inside.get_by_role("button", name="Reset").click()
        expect(over_time(tab)).to_be_visible()
        assert "memory=" not in tab.address()


def flame(tab: Tab) -> Locator:
    return tab.inside.get_by_role("application", name="Device memory profile")


def test_a_flame_graph_is_searched_and_walked_by_keys(browser: Browser, board: Board) -> None:
    run = next(run["name"] for run in board.runs() if run["name"].startswith(HEAP))
    with tab_of(browser, board, run=run, tool="memory_profile") as tab:
        tab.settle()
        expect(flame(tab)).to_have_attribute("aria-description", re.compile("100 B total.* compile 60 B, load 40 B"))
        tab.frame.wait_for_function(f"() => ({COLOURS})() > 5")
        tab.inside.get_by_role("searchbox", name="Find in Device memory profile").fill("load")
        expect(tab.inside.get_by_text("1 frame, 40 B, 40.0 %")).to_be_visible()
        flame(tab).focus()
        details = tab.inside.locator(".flame-details")
        for name in ("gpu:0", "executable", "main", "train"):
            tab.page.keyboard.press("ArrowDown")
            expect(details.locator(".name").first).to_have_text(name)
        tab.page.keyboard.press("Enter")
        tab.page.wait_for_function("() => location.hash.includes('p.perfplugin.at=')")
        expect(details).to_contain_text("60 B, 60.0 % of all")
        tab.page.keyboard.press("Escape")
        tab.page.wait_for_function("() => !location.hash.includes('p.perfplugin.at=')")


def test_a_press_on_a_frame_shows_only_what_it_calls(browser: Browser, board: Board) -> None:
    run = next(run["name"] for run in board.runs() if run["name"].startswith(HEAP))
    with tab_of(browser, board, run=run, tool="memory_profile") as tab:
        tab.settle()
        flame(tab).click(position={"x": 200, "y": 18 * 2 + 9})
        tab.page.wait_for_function("() => location.hash.includes('p.perfplugin.at=')")
        expect(tab.inside.locator(".flame-details .name").first).to_have_text("main")
        tab.inside.get_by_role("button", name="Show all").first.click()
        tab.page.wait_for_function("() => !location.hash.includes('p.perfplugin.at=')")


def table(tab: Tab, name: str) -> Locator:
    return tab.inside.get_by_role("region", name=name, exact=True)


def test_only_ops_are_looked_for_in_the_trace(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=LEAK, tool="memory_profile") as tab:
        tab.settle()
        rows = table(tab, "What fills the memory at its peak")
        find = tab.inside.get_by_role("button", name="Find in trace")
        rows.get_by_role("row", name="allocated before the capture").click()
        expect(find).to_have_count(0)
        rows.get_by_role("row", name="model/conv").click()
        expect(find).to_be_visible()


def test_who_allocated_is_found_in_the_flame_graph(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=HEAP, tool="memory_profile") as tab:
        tab.settle()
        table(tab, "Ops that allocate").get_by_role("row").nth(1).click()
        expect(tab.inside.get_by_role("button", name="Find in trace")).to_have_count(0)
        tab.inside.get_by_role("button", name="Find in flame graph").click()
        expect(tab.inside.get_by_role("searchbox", name="Find")).not_to_have_value("")
        assert "p.perfplugin.find=" in tab.address()
