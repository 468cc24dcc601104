"""Pages of what is no trace: Python functions of several ranks, and a snapshot of an allocator."""

from __future__ import annotations

import cProfile
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

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
