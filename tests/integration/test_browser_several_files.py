"""Hosts with files of several kinds in a real browser: pages say of which they are, and lead into that one's trace."""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, expect

from tests.integration._board import Board, tensorboard
from tests.integration._browser import tab_of
from tests.integration.test_browser_views import NAMELESS, SIDEWAYS
from tests.snapshots import FORWARD, MIB, Device, pickled


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """A trace and a snapshot of two ranks."""
    folder = tmp_path_factory.mktemp("several")
    logs = folder / "logs" / "train"
    logs.mkdir(parents=True)
    for rank in range(2):
        event = {"ph": "X", "pid": 1, "tid": 1, "ts": 5 + rank, "dur": 2, "name": "aten::mm", "cat": "cpu_op"}
        (logs / f"rank{rank}.pt.trace.json").write_text(json.dumps({"schemaVersion": 1, "traceEvents": [event]}))
        device = Device()
        device.free(device.alloc(MIB, FORWARD))
        (logs / f"rank{rank}_snapshot.pickle").write_bytes(pickled([device]))
    with tensorboard(folder / "log", "--logdir", str(folder / "logs")) as board:
        board.runs(1)
        yield board


def test_the_page_says_of_which_files_it_is(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run="train", tool="memory_profile") as tab:
        tab.settle()
        line = tab.inside.locator(".files-used")
        expect(line).to_contain_text("From rank0_snapshot.pickle, rank1_snapshot.pickle (memory).")
        expect(line).to_contain_text("Not used: rank0.pt.trace.json, rank1.pt.trace.json (trace)")
        assert tab.frame.evaluate(SIDEWAYS) == 0
        assert tab.frame.evaluate(NAMELESS) == []


def test_hosts_are_listed_once_with_what_they_have(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run="train", tool="overview") as tab:
        tab.settle()
        tab.inside.locator(".host-picker button").first.click()
        lines = tab.inside.locator(".host-line")
        expect(lines).to_have_count(2)
        expect(lines.first).to_contain_text("trace · memory")


def test_a_place_of_a_snapshot_opens_in_its_own_timeline(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run="train", tool="memory_profile") as tab:
        tab.settle()
        tab.inside.get_by_text("Show in trace").first.click()
        tab.settle()
        assert ".host=rank0 (memory),rank1 (memory)&" in unquote(unquote(tab.address()))
        expect(tab.inside.locator("body")).to_contain_text("GPU_0_pytorch in use")


def test_several_hosts_are_chosen_one_by_one(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run="train", tool="overview") as tab:
        tab.settle()
        button = tab.inside.locator(".host-picker button").first
        button.click()
        tab.inside.locator(".host-picker .picker-box[data-value=rank1]").click()
        expect(button).to_contain_text("rank1")
        assert ".host=rank1" in unquote(unquote(tab.address()))
        tab.inside.locator(".host-picker .picker-box[data-value=rank0]").click()
        expect(button).to_contain_text("all 2")
