"""The chart of the overview in a real browser: it is drawn, says what it shows, and leads to the trace."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, expect

from tests.build_capture import Space
from tests.integration._board import Board, tensorboard
from tests.integration._browser import COLOURS, NARROW, WIDE, Tab, tab_of

RUN = "gpu_streams/2026_11_20_09_00_00"
TITLE = "Activity over time"
#: How much wider its box is than what is drawn.
BESIDE = """() => document.querySelector(".plot").clientWidth
  - document.querySelector(".plot canvas").getBoundingClientRect().width"""
#: The colour of most of what is drawn.
COLOUR = """() => {
  const canvas = document.querySelector(".plot canvas");
  const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
  copy.drawImage(canvas, 0, 0);
  const count = new Map();
  for (const pixel of new Uint32Array(copy.getImageData(0, 0, canvas.width, canvas.height).data.buffer))
    if (pixel) count.set(pixel, (count.get(pixel) ?? 0) + 1);
  return [...count].sort((a, b) => b[1] - a[1])[0][0];
}"""


def chart(tab: Tab) -> Locator:
    return tab.inside.get_by_role("slider", name=TITLE)


def buckets(board: Board, run: str) -> list[dict[str, Any]]:
    columns = board.ask("data", run=run, tool="overview")["tables"]["activity"]["columns"]
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def check_trace_shows(tab: Tab, bucket: dict[str, Any]) -> None:
    tab.page.wait_for_function("() => location.hash.includes('tool=trace_viewer')")
    tab.settle()
    shown = dict(re.findall(r"p\.perfplugin\.(start_ps|end_ps)=(\d+)", tab.address()))
    begin, end = (round(1e9 * t) for t in (bucket["start_ms"], bucket["start_ms"] + bucket["duration_ms"]))
    assert int(shown["start_ps"]) <= begin < end <= int(shown["end_ps"])
    assert int(shown["end_ps"]) - int(shown["start_ps"]) < 2 * (end - begin)


def test_the_chart_is_drawn_as_wide_as_its_box_in_both_themes(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=RUN, tool="overview") as tab:
        tab.settle()
        expect(chart(tab)).to_have_attribute("aria-description", re.compile(r"rows over .* Device busy: .* on average"))
        for size in (WIDE, NARROW):
            tab.page.set_viewport_size({"width": size[0], "height": size[1]})
            tab.frame.wait_for_function(f"() => Math.abs(({BESIDE})()) < 1")
            tab.frame.wait_for_function(f"() => ({COLOURS})() > 5")
        light = tab.frame.evaluate(COLOUR)
        tab.page.evaluate("document.body.classList.add('dark-mode')")
        expect(tab.inside.locator("html")).to_have_attribute("data-theme", "dark")
        tab.frame.wait_for_function(f"light => ({COLOUR})() !== light", arg=light)


def test_a_press_on_the_chart_opens_the_trace_there(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    rows = buckets(samples_board, RUN)
    with tab_of(browser, samples_board, run=RUN, tool="overview") as tab:
        tab.settle()
        chart(tab).hover(position={"x": 400, "y": 40})
        expect(chart(tab)).to_have_attribute("aria-valuetext", re.compile("^at "))
        row = rows[int(chart(tab).get_attribute("aria-valuenow") or 0)]
        chart(tab).click(position={"x": 400, "y": 40})
        check_trace_shows(tab, row)
        tab.page.go_back()
        expect(chart(tab)).to_be_visible()


def test_the_chart_is_read_and_followed_by_keys(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    rows = buckets(samples_board, RUN)
    with tab_of(browser, samples_board, run=RUN, tool="overview") as tab:
        tab.settle()
        chart(tab).focus()
        for key in ("End", "ArrowLeft", "ArrowLeft", "ArrowRight"):
            tab.page.keyboard.press(key)
        expect(chart(tab)).to_have_attribute("aria-valuenow", str(len(rows) - 2))
        tab.page.keyboard.press("Enter")
        check_trace_shows(tab, rows[-2])


def test_a_capture_without_ops_has_no_chart(browser: Browser, tmp_path: Path, log: Path) -> None:
    space = Space()
    space.plane("/host:CPU").line(1).event("not an op", 0, 1000)
    file = tmp_path / "logs/plugins/profile/s1/h.xplane.pb"
    file.parent.mkdir(parents=True)
    file.write_bytes(space.bytes())
    with tensorboard(log, "--logdir", str(tmp_path / "logs")) as board:
        board.runs()
        with tab_of(browser, board, tool="overview") as tab:
            tab.settle()
            expect(tab.inside.get_by_role("heading", name=re.compile("holds no op"))).to_be_visible()
            expect(chart(tab)).to_have_count(0)
