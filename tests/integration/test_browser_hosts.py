"""Runs of many hosts in a real browser: choosing some of them, seeing which behave otherwise, and the way to one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, expect

from tests.answers.partials.hosts import host
from tests.integration._board import Board, tensorboard
from tests.integration._browser import Tab, host_button, tab_of
from tests.integration.test_browser_views import NAMELESS, SIDEWAYS
from tests.tools.sync_training import MS, Device, captures

HOSTS = [f"slice{i // 12}-w{i % 12:02}" for i in range(24)]
#: They wait for input, and all others for them.
SLOW = ("slice1-w03", "slice1-w07")

HEAT_WORDS = re.compile(
    r"24 workers × 8 steps, step time excluding communication: 16 cells 2 % of a step or more above"
)


def write_training(folder: Path, hosts: list[str], slow: tuple[str, ...], steps: int = 8) -> None:
    """Hosts that train together, a GPU each."""
    devices = {
        name: [Device([(6 if name in slow else 1) * MS] * steps, [(20 + i % 3) * MS for i in range(steps)])]
        for name in hosts
    }
    folder.mkdir(parents=True)
    for name, space in zip(devices, captures(devices), strict=True):
        (folder / f"{name}.xplane.pb").write_bytes(space.bytes())


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """A run whose hosts' names have commas, and one of many hosts, two of them slow."""
    folder = tmp_path_factory.mktemp("hosts")
    write_training(folder / "logs" / "train", HOSTS, SLOW)
    names = folder / "logs" / "names"
    names.mkdir(parents=True)
    for i, name in enumerate(("vm", "vm,1", "vm,2")):
        (names / f"{name}.xplane.pb").write_bytes(host(i).bytes())
    with tensorboard(folder / "log", "--logdir", str(folder / "logs")) as board:
        board.runs(2)
        yield board


@pytest.mark.slow
def test_a_host_with_a_comma_is_chosen_and_found_again_by_its_address(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run="names", tool="overview") as tab:
        tab.settle()
        host_button(tab).click()
        tab.inside.locator(".host-picker .picker-box[data-value='vm,2']").click()
        tab.inside.locator(".host-picker .picker-box[data-value='vm,1']").click()
        expect(host_button(tab)).to_contain_text("vm,1, vm,2")
        tab.settle()
        assert "p.perfplugin.host=vm%252C1%2Cvm%252C2" in tab.address()
        tab.page.reload()
        expect(host_button(tab)).to_contain_text("vm,1, vm,2")
        tab.settle()


def test_a_comma_that_was_typed_into_the_address_is_the_hosts(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run="names", tool="overview", host="vm,1") as tab:
        expect(host_button(tab)).to_contain_text("vm,1")
        tab.settle()
        assert "p.perfplugin.host=vm%252C1&" in tab.address() + "&"


def lines(tab: Tab) -> list[str]:
    """What the host picker offers before the hosts."""
    found = tab.inside.locator(".host-picker [role=option]").all_inner_texts()
    return [" ".join(line.split()) for line in found[:4]]


@pytest.mark.slow
def test_groups_of_names_are_chosen_at_once(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run="train", tool="overview") as tab:
        tab.settle()
        host_button(tab).click()
        assert lines(tab) == [
            "☑ all 24 hosts",
            "☐ slowest 10 hosts by lag in the pod viewer",
            "☐ slice0-… group 12 hosts",
            "☐ slice1-… group 12 hosts",
        ]
        tab.inside.locator(".host-picker [role=option]").nth(3).click()
        expect(host_button(tab)).to_contain_text("12 chosen")
        tab.settle()
        assert unquote(unquote(tab.address())).count("slice1-w") == 12
        host_button(tab).click()
        tab.inside.locator(".host-picker .picker-box").nth(2).click()
        expect(host_button(tab)).to_contain_text("all 24")


def test_the_slowest_hosts_are_chosen_by_the_pod_viewer(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run="train", tool="overview") as tab:
        tab.settle()
        host_button(tab).click()
        tab.inside.get_by_label("Host", exact=True).last.press_sequentially("slowest")
        tab.page.keyboard.press("Enter")
        expect(host_button(tab)).to_contain_text("10 chosen")
        tab.settle()
        chosen = unquote(unquote(tab.address()))
        assert all(name in chosen for name in SLOW)


def test_a_cell_of_the_heat_map_leads_to_the_workers_trace(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run="train", tool="pod_viewer") as tab:
        tab.settle()
        assert tab.frame.evaluate(SIDEWAYS) == 0
        assert tab.frame.evaluate(NAMELESS) == []
        heat = tab.inside.locator(".heat-cells")
        expect(heat).to_have_attribute("aria-description", HEAT_WORDS)
        heat.focus()
        tab.page.keyboard.press("ArrowRight")
        for _ in range(15):
            tab.page.keyboard.press("ArrowDown")
        expect(tab.inside.locator(".heat-line")).to_contain_text("slice1-w03/GPU:0, train 0: ")
        tab.page.keyboard.press("+")
        tab.settle()
        assert ".zoom=" in tab.address()
        tab.page.keyboard.press("0")
        tab.page.keyboard.press("Enter")
        tab.settle()
        address = unquote(unquote(tab.address()))
        assert "tool=trace_viewer" in address
        assert ".host=slice1-w03&" in address
        expect(tab.inside.locator("body")).to_contain_text("1 stretch of time: 29 ms")


def test_a_group_of_workers_leads_to_its_workers(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run="train", tool="pod_viewer") as tab:
        tab.settle()
        expect(tab.inside.locator("main")).to_contain_text(
            "22 of 24 workers behave alike; 2 with 5 ms more input wait per step"
        )
        rows = tab.inside.get_by_role("region", name="Workers that behave alike").locator("tbody tr[aria-rowindex]")
        expect(rows).to_have_count(2)
        rows.nth(1).click()
        tab.inside.get_by_role("button", name="Show these workers").click()
        tab.settle()
        workers = tab.inside.get_by_role("region", name="Workers", exact=True).locator("tbody tr[aria-rowindex]")
        expect(workers).to_have_count(2)
        tab.inside.get_by_role("button", name="Choose their hosts").click()
        expect(host_button(tab)).to_contain_text("slice1-w03, slice1-w07")
        tab.settle()
