"""What a page shows of hostile and of broken files, in a real browser on a real TensorBoard."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tensorboard_perfplugin.tools import NAMES as TOOLS
from tests.build_capture import Space, StatValue
from tests.conftest import ROOT, slow_but
from tests.decode.pprofs import Pprof
from tests.integration._board import Board, tensorboard
from tests.integration._browser import run_button, tab_of
from tests.integration.test_tensorboard import put

# Names from files are hostile


PWN = "<img src=x onerror=top.hacked=1>"
NAMES = (
    PWN,
    f"'\"></script><script>top.hacked=1</script>{PWN}",
    "\u202eesrever",
    "\U0001f680\U0001f469\u200d\U0001f467",
    "x" * 100_000,
    "{{7*7}}",
    "javascript:top.hacked=1",
)


def hostile() -> Space:
    space = Space(hostnames=[PWN], warnings=[PWN], errors=[PWN])
    for plane, name in (("/host:CPU", PWN), (f"/device:GPU:0 {PWN}", PWN)):
        line = space.plane(plane, stats={"device_vendor": PWN, PWN: PWN, "gpu_device_name": PWN}).line(1, name)
        for i, text in enumerate(NAMES):
            stats: dict[str, StatValue] = {text[:200]: text[:200], "tf_op": f"{PWN}:{PWN}", "cuda_graph_id": i}
            line.event(text, start_ps=i * 10**9, duration_ps=9 * 10**8, stats=stats)
    memory_and_iterators(space)
    return space


def memory_and_iterators(space: Space) -> None:
    line = space.planes[0].line(2, PWN)
    line.event("Iterator::Root", 0, len(NAMES) * 10**9, {"id": 1})
    for i, text in enumerate(NAMES):
        told: dict[str, StatValue] = {
            "allocator_name": PWN,
            "allocation_bytes": 100,
            "bytes_allocated": 100 * i + 100,
            "bytes_available": 10,
        }
        line.event(
            "MemoryAllocation", i * 10**9, 0, {**told, "addr": i, "tf_op": text, "shape": text, "region_type": text}
        )
        stats: dict[str, StatValue] = {"id": i + 2, "parent_id": 1, "name": text, "autotune": text, "batch_size": text}
        line.event(f"Iterator::Root::{text}", i * 10**9, 9 * 10**8, stats)


@pytest.fixture(scope="module")
def hostile_board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    folder = tmp_path_factory.mktemp("hostile")
    put(folder / "logs" / PWN / "plugins/profile" / PWN / f"{PWN}.xplane.pb", hostile())
    with tensorboard(folder / "log", "--logdir", str(folder / "logs")) as board:
        board.runs()
        yield board


@pytest.mark.parametrize("tool", slow_but(("op_stats", "memory_profile", "tf_data", "trace_viewer"), TOOLS))
def test_names_are_text(browser: Browser, hostile_board: Board, tool: str) -> None:
    with tab_of(browser, hostile_board, tool=tool) as tab:
        tab.settle()
        run_button(tab).click()
        expect(tab.inside.get_by_role("option").first).to_contain_text("onerror")
        tab.page.keyboard.press("Escape")
        if tool == "memory_profile":
            expect(tab.inside.get_by_role("slider", name="Memory over time")).to_be_visible()
        if tool == "tf_data":
            expect(tab.inside.locator(".graph-node")).not_to_have_count(0)
        if tool == "trace_viewer":
            tab.inside.locator(".trace-canvas").click(position={"x": 300, "y": 100})
        assert tab.inside.locator("img, iframe, main script").count() == 0
        assert tab.page.evaluate("() => window.hacked") is None


def test_frames_of_a_memory_profile_are_text(browser: Browser, tmp_path: Path, log: Path) -> None:
    pprof = Pprof()
    for i, text in enumerate(NAMES):
        name = text.replace(" ", "\N{NO-BREAK SPACE}")
        pprof.sample(100 + i, ["main a.py:1", f"{name} {name.replace(':', ';')}:{i}"], kind=PWN, device=PWN)
    put(tmp_path / PWN / "memory.prof", pprof.bytes())
    with tensorboard(log, "--logdir", str(tmp_path)) as board:
        board.runs()
        with tab_of(browser, board, tool="memory_profile") as tab:
            flame = tab.inside.get_by_role("application", name="Device memory profile")
            flame.focus()
            for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "Enter"):
                flame.press(key)
            expect(tab.inside.locator(".flame-details .name").first).not_to_be_empty()
            assert tab.inside.locator("img, iframe, main script").count() == 0
            assert tab.page.evaluate("() => window.hacked") is None


# When nothing shows


def nothing(folder: Path) -> None:
    pass


def no_captures(folder: Path) -> None:
    (folder / "events.out.tfevents.1.host").write_bytes(b"")


def zero_bytes(folder: Path) -> None:
    put(folder / "plugins/profile/s1/h.xplane.pb", b"")


def web_page(folder: Path) -> None:
    put(folder / "plugins/profile/s1/h.xplane.pb", b"<!DOCTYPE html><html>Sign in</html>")


@pytest.mark.parametrize(
    ("made", "says"),
    slow_but(
        (no_captures, web_page),
        [
            (nothing, "empty|no capture"),
            (no_captures, "no capture|profile"),
            (zero_bytes, "empty|0 bytes"),
            (web_page, "HTML"),
        ],
    ),
)
def test_the_page_says_why_nothing_shows(
    browser: Browser, tmp_path: Path, log: Path, made: Callable[[Path], None], says: str
) -> None:
    logdir = tmp_path / "logs"
    logdir.mkdir()
    made(logdir)
    with (
        tensorboard(log, "--logdir", str(logdir)) as board,
        tab_of(browser, board, allowed=("status 422", "Failed to load resource")) as tab,
    ):
        expect(tab.inside.locator("body")).to_contain_text(re.compile(says, re.I))
        expect(tab.inside.locator("body")).to_contain_text(str(logdir))


def test_a_cut_file_shows_what_is_left_and_where_it_was_cut(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run="broken_tail/2026_11_20_09_00_00", tool="overview") as tab:
        tab.settle()
        tab.inside.get_by_role("button", name=re.compile("Capture quality")).click()
        quality = tab.inside.get_by_role("dialog", name=re.compile("Capture quality"))
        expect(quality).to_contain_text(re.compile("[Aa]t byte 67338: the data ends"))


@pytest.mark.slow
def test_a_missing_logdir_is_named(browser: Browser, tmp_path: Path, log: Path) -> None:
    with tensorboard(log, "--logdir", str(tmp_path / "mistyped")) as board, tab_of(browser, board) as tab:
        expect(tab.inside.get_by_text(str(tmp_path / "mistyped")).first).to_be_visible()
        expect(tab.inside.locator("body")).to_contain_text(re.compile("has no mistyped", re.I))
        expect(tab.inside.get_by_role("list", name="Not searched")).to_have_count(0)


def test_the_run_picker_names_a_root_that_is_missing(browser: Browser, tmp_path: Path, log: Path) -> None:
    spec = f"a:{ROOT / 'tests/samples/gpu_streams'},b:{tmp_path / 'gone'}"
    with tensorboard(log, "--logdir_spec", spec) as board, tab_of(browser, board) as tab:
        run_button(tab).click()
        expect(tab.inside.get_by_role("list", name="Not searched")).to_contain_text(str(tmp_path / "gone"))


def test_a_run_that_is_gone_offers_the_newest(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run="gone/2020_01_01_00_00_00", tool="overview") as tab:
        tab.inside.get_by_role("button", name=re.compile("newest")).click()
        tab.settle()
        assert "gone" not in tab.address()
