"""A report opens from the disk: the same pages, no request, and the numbers that the tools give."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, expect

import tensorboard_perfplugin
from tensorboard_perfplugin.answers.encode import to_json
from tensorboard_perfplugin.cli import main
from tensorboard_perfplugin.units import value
from tests.build_capture import Space
from tests.conftest import MakeLogdir
from tests.integration._board import Board
from tests.integration._browser import PATIENCE_MS, SEEN, fragment, run_button, tab_of
from tests.integration.conftest import SAMPLES

GPU = "2026_11_20_09_00_00"
#: The page shows what its address asks for, and waits for nothing.
SETTLED = """() => {
  const parts = hash => hash.slice(1).split("&").sort().join("&");
  const { shown, asking = "0" } = document.documentElement.dataset;
  const rests = asking === "0" && !document.querySelector("[aria-busy=true]");
  return shown && parts(shown) === parts(location.hash) && rests;
}"""
#: An answer as the pages get it.
ANSWER = """async query => {
  const response = await perfpluginReport.answer(`report:/data?${new URLSearchParams(query)}`);
  return { status: response.status, body: await response.text() };
}"""
#: Controls that need a server.
NEED = ("CSV", "JSON", "Export", "Capture profile", "Show all", "Try again", "All runs")


class Opened:
    """A report in a browser, and what it did that it must not do."""

    def __init__(self, page: Page, path: Path) -> None:
        self.page, self.path, self.problems = page, path, list[str]()
        page.on("request", self._asked)
        page.on("console", lambda message: self.problems.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.problems.append(error.message))

    def _asked(self, request: Request) -> None:
        if request.url.partition("#")[0] != self.path.as_uri() and not request.url.startswith("blob:null/"):
            self.problems.append(f"request: {request.url[:200]}")

    def make(self, *arguments: str | Path) -> None:
        assert main(["report", *map(str, arguments), "-o", str(self.path)]) == 0

    def go(self, **state: str) -> None:
        self.page.goto(self.path.as_uri() + (fragment(state) if state else ""))
        self.page.wait_for_function(SETTLED)

    def answer(self, **query: str) -> Any:
        return self.page.evaluate(ANSWER, query)


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Opened]:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, offline=True)
    context.set_default_timeout(PATIENCE_MS)
    context.add_init_script(SEEN)
    made = Opened(context.new_page(), tmp_path / "report.html")
    yield made
    context.close()
    assert made.problems == []


@pytest.mark.parametrize("sample", ["gpu_streams", "jax_train", "keras_fit", "two_hosts", "jax_memory"])
def test_all_pages_open_without_a_server(opened: Opened, sample: str) -> None:
    opened.make(SAMPLES / sample)
    assert opened.path.stat().st_size < 3_000_000
    profile = tensorboard_perfplugin.open(SAMPLES / sample)
    there = [name for name, missing in profile.missing().items() if missing is None]
    opened.go()
    for name in there:
        opened.go(run=profile.run, tool=name)
        expect(opened.page.locator("main h1, main h2").first).to_be_visible()
        expect(opened.page.get_by_role("alert")).to_have_count(0)
        for words in NEED:
            for role in ("button", "link"):
                expect(opened.page.get_by_role(role, name=words, exact=True)).to_have_count(0)
    body = opened.answer(run=profile.run, tool=there[0])["body"]
    if there[0] == "overview":
        assert json.loads(body) == json.loads(to_json(profile.overview().to_dict()))


def test_the_page_shows_the_numbers_of_the_answer(opened: Opened) -> None:
    opened.make(SAMPLES / "gpu_streams")
    answer = tensorboard_perfplugin.open(SAMPLES / "gpu_streams").overview().to_dict()
    opened.go()
    main_ = opened.page.locator("main")
    expect(main_).to_contain_text("17.5 ms per typical step")
    assert answer["summary"]["step_time_typical_ms"] == pytest.approx(17.5, abs=0.05)
    for finding in answer["findings"]:
        expect(main_).to_contain_text(finding["title"].replace("`", ""))
    ops = answer["tables"]["device_ops"]["columns"]
    first = opened.page.get_by_role("row").filter(has_text=ops["name"][0]).first
    expect(first).to_contain_text(value(ops["self_ms"][0], "ms"))
    expect(first).to_contain_text(str(ops["occurrences"][0]))


def test_a_finding_leads_into_the_trace_which_is_there_however_close_one_looks(opened: Opened) -> None:
    opened.make(SAMPLES / "gpu_streams")
    opened.go()
    opened.page.get_by_role("button", name="show in Trace").first.click()
    opened.page.wait_for_function(SETTLED)
    expect(opened.page.get_by_text("48.7 ms of 128 ms")).to_be_visible()
    for _ in range(8):
        opened.page.keyboard.press("w")
        opened.page.wait_for_timeout(150)
    opened.page.wait_for_timeout(600)
    expect(opened.page.get_by_role("alert")).to_have_count(0)


def test_what_is_not_held_is_said_and_the_page_stays(opened: Opened) -> None:
    opened.make(SAMPLES / "two_hosts", "--host", "worker-1", "--steps", "1")
    opened.go()
    assert "p.perfplugin.host=worker-1" in opened.page.url
    expect(opened.page.get_by_text("show all steps")).to_have_count(0)
    opened.go(run=GPU, host="worker-1", tool="kernel_stats", steps="1")
    held = opened.page.get_by_role("heading", name="Copies and fills take 1.56 ms")
    expect(held).to_be_visible()
    opened.page.evaluate("location.hash += '&p.perfplugin.by=host'")
    expect(opened.page.get_by_role("alert")).to_contain_text("Not in this report")
    expect(held).to_be_visible()
    expect(opened.page.get_by_role("button", name="Try again")).to_have_count(0)


def test_it_opens_within_a_page_that_trusts_it_with_nothing_but_its_script(opened: Opened, tmp_path: Path) -> None:
    """As notebooks and viewers of artifacts show it: with an origin of its own, and without one's address."""
    opened.make(SAMPLES / "jax_memory")
    around = f'<iframe sandbox="allow-scripts" width="1200" height="800" srcdoc="{escape(opened.path.read_text())}">'
    opened.path.write_text(around)
    opened.page.goto(opened.path.as_uri())
    expect(opened.page.frame_locator("iframe").locator("main h1").first).to_contain_text("10.1 MiB in use on 1 device")


def test_a_comparison_opens_first(opened: Opened) -> None:
    opened.make(SAMPLES / "two_hosts", "--compare", SAMPLES / "gpu_streams")
    opened.go()
    expect(opened.page.locator("[aria-current=page]")).to_have_text("Compare")
    expect(opened.page.locator("main")).to_contain_text("No change beyond noise: a step takes 17.5 ms, before 22.1 ms")
    opened.page.get_by_role("button", name="Both traces").click()
    opened.page.wait_for_function(SETTLED)
    expect(opened.page.get_by_text("20 tracks")).to_be_visible()
    expect(opened.page.get_by_text("22 tracks")).to_be_visible()
    expect(opened.page.get_by_role("alert")).to_have_count(0)


def test_windows_are_of_the_run_that_is_asked_for(opened: Opened, make_logdir: MakeLogdir) -> None:
    """Both runs have a host of one name, and a track of one number."""
    spaces = {name: Space(hostnames=["h"]) for name in ("before", "after")}
    for name, space in spaces.items():
        space.plane("/host:CPU").line(1, "python").event(f"{name}:MatMul", 0, 1000).event("other", 2000, 1)
    logdir = make_logdir({f"{name}/h.xplane.pb": space for name, space in spaces.items()})
    opened.make(logdir / "after", "--compare", logdir / "before")
    opened.go()
    window = {"tool": "trace_viewer", "start_ps": "5", "end_ps": "900", "width": "3", "tracks": "h:0"}
    for run in spaces:
        body = opened.answer(run=run, format="columns", **window)["body"]
        assert f'"{run}:MatMul"' in body
    assert opened.answer(run="other", format="columns", **window)["status"] == 404


def test_the_page_downloads_the_report_of_what_it_shows(browser: Browser, opened: Opened, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run="two_hosts/" + GPU, host="worker-0", steps="0-1") as tab:
        tab.settle()
        with tab.page.expect_download() as download:
            run_button(tab).click()
            tab.inside.get_by_role("link", name="Download a report").click()
        download.value.save_as(opened.path)
    opened.go()
    assert opened.page.url.endswith("&p.perfplugin.host=worker-0&p.perfplugin.tool=overview&p.perfplugin.steps=0-1")
    expect(opened.page.get_by_role("alert")).to_have_count(0)
