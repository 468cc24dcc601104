"""Pages of what is no trace: Python functions of several ranks, and a snapshot of an allocator."""

from __future__ import annotations

import cProfile
import json
import re
import shutil
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.conftest import ROOT
from tests.decode.perfetto_traces import converted
from tests.integration._board import Board, tensorboard
from tests.integration._browser import tab_of
from tests.integration.test_browser_views import NAMELESS, SIDEWAYS
from tests.snapshots import MIB, Device, pickled, train


def loads(seconds: float) -> None:
    time.sleep(seconds)


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    folder = tmp_path_factory.mktemp("formats")
    ranks, snapshots = folder / "logs" / "ranks", folder / "logs" / "memory"
    ranks.mkdir(parents=True)
    snapshots.mkdir()
    for rank, seconds in enumerate((0.1, 0.3)):
        recorder = cProfile.Profile()
        recorder.runcall(loads, seconds)
        recorder.dump_stats(ranks / f"rank_{rank}.cprofile")
    device = Device("2.9", capacity=128 * MIB)
    (snapshots / "snapshot.pickle").write_bytes(pickled([device], train(device)))
    with tensorboard(folder / "log", "--logdir", str(folder / "logs")) as board:
        board.runs(2)
        yield board


@pytest.mark.parametrize("tool", ["python_profile", "memory_profile"])
def test_the_page_s_answer_is_its_heading(browser: Browser, board: Board, tool: str) -> None:
    kind = {"python_profile": "ranks", "memory_profile": "memory"}[tool]
    [run] = [each["name"] for each in board.runs(2) if each["name"].startswith(kind)]
    with tab_of(browser, board, run=run, tool=tool) as tab:
        tab.settle()
        finding = board.ask("data", run=run, tool=tool)["findings"][0]["title"].replace("`", "")
        expect(tab.inside.get_by_role("heading", name=finding)).to_be_visible()
        tab.screenshot(f"{kind}-{tool}")
        assert tab.frame.evaluate(SIDEWAYS) == 0
        assert tab.frame.evaluate(NAMELESS) == []


def test_ranks_are_side_by_side(browser: Browser, board: Board) -> None:
    """The slower one is named, with its function."""
    with tab_of(browser, board, run="ranks", tool="python_profile") as tab:
        tab.settle()
        expect(tab.inside.get_by_role("table").first).to_contain_text("loads")
        expect(tab.inside.locator("body")).to_contain_text("rank_1")


@pytest.fixture(scope="module")
def plain_board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """The package where nothing is compiled, on a file of each format that is read by compiled loops elsewhere."""
    folder = tmp_path_factory.mktemp("plain")
    uncompiled = shutil.ignore_patterns("*.so", "*.pyd", "*.c", "__pycache__")
    shutil.copytree(ROOT / "tensorboard_perfplugin", folder / "code" / "tensorboard_perfplugin", ignore=uncompiled)
    device = Device("2.9", capacity=128 * MIB)
    trace = {"traceEvents": [{"ph": "X", "ts": 1, "dur": 5, "name": "a", "pid": 1, "tid": 1}]}
    for name, data in {
        "trace/h.pt.trace.json": json.dumps(trace).encode(),
        "memory/snapshot.pickle": pickled([device], train(device)),
        "perfetto/h.pftrace": converted(trace),
        "xplane/plugins/profile/r/h.xplane.pb": next((ROOT / "tests/samples/gpu_streams").rglob("*.pb")).read_bytes(),
    }.items():
        (folder / "logs" / name).parent.mkdir(parents=True)
        (folder / "logs" / name).write_bytes(data)
    with tensorboard(folder / "log", "--logdir", str(folder / "logs"), cwd=folder / "code") as board:
        board.runs(4)
        yield board


@pytest.mark.parametrize("kind", ["trace", "memory", "perfetto", "xplane"])
def test_whatever_the_format_a_page_says_that_it_was_read_slowly(
    browser: Browser, plain_board: Board, kind: str
) -> None:
    """It was said of XPlane alone."""
    [run] = [each["name"] for each in plain_board.runs(4) if each["name"].startswith(kind)]
    tool = "memory_profile" if kind == "memory" else "op_stats"
    with tab_of(browser, plain_board, run=run, tool=tool) as tab:
        tab.settle()
        button = tab.inside.get_by_role("button", name=re.compile("Capture quality"))
        expect(button).to_contain_text("slow decoder")
        button.click()
        dialog = tab.inside.get_by_role("dialog", name=re.compile("Capture quality"))
        expect(dialog).to_contain_text("large captures take several times as long")


def test_nothing_is_slow_where_the_loops_are_compiled(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run="memory", tool="memory_profile") as tab:
        tab.settle()
        button = tab.inside.get_by_role("button", name=re.compile("Capture quality"))
        expect(button).to_be_visible()
        expect(button).not_to_contain_text("slow decoder")
