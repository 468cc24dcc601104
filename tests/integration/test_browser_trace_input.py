"""The trace in a real browser: what keys, pointer and labels do, and that the address holds it and Back undoes it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.integration._board import Board
from tests.integration._browser import PATIENCE_MS, Tab, tab_of
from tests.integration.test_tensorboard import GPU_RUN

HOSTS_RUN = "two_hosts/2026_11_20_09_00_00"


def canvas(tab: Tab) -> Locator:
    return tab.inside.get_by_role("img", name=re.compile("Timeline of"))


def params(tab: Tab) -> dict[str, str]:
    found = re.findall(r"p\.perfplugin\.([^=&]+)=([^&]*)", tab.address())
    return {unquote(key): unquote(value) for key, value in found if key not in ("run", "tool")}


def wait_for(tab: Tab, good: Callable[[dict[str, str]], bool]) -> dict[str, str]:
    """The params of the address, once they are as wanted."""
    for _ in range(PATIENCE_MS // 50):
        if good(found := params(tab)):
            return found
        tab.page.wait_for_timeout(50)
    raise AssertionError(f"waited for an address, have {params(tab)}")


def has(*names: str) -> Callable[[dict[str, str]], bool]:
    return lambda found: set(names) <= set(found)


def is_range(start: int, end: int) -> Callable[[dict[str, str]], bool]:
    return lambda found: found.get("range") == f"{start}-{end}"


def stretch(text: str) -> tuple[int, int]:
    start, end = re.match(r"(-?\d+)-(-?\d+)", text).groups()  # type: ignore[union-attr]
    return int(start), int(end)


def rows(tab: Tab) -> list[str]:
    """Keys of the labels on the screen, from top to bottom."""
    boxes = [(row.bounding_box(), row.get_attribute("data-key")) for row in tab.inside.get_by_role("treeitem").all()]
    return [str(key) for _, key in sorted((box["y"], key) for box, key in boxes if box)]


def label(tab: Tab, name: str) -> Locator:
    return tab.inside.get_by_role("treeitem").filter(has_text=name).first


def open_trace(tab: Tab) -> None:
    tab.settle()
    expect(tab.inside.get_by_role("treeitem").first).to_be_visible()


def drag(tab: Tab, start: tuple[float, float], end: tuple[float, float], *keys: str) -> None:
    """From one point of the canvas to another, with keys down."""
    box = canvas(tab).bounding_box()
    assert box is not None
    mouse = tab.page.mouse
    mouse.move(box["x"] + start[0], box["y"] + start[1])
    for key in keys:
        tab.page.keyboard.down(key)
    mouse.down()
    mouse.move(box["x"] + (start[0] + end[0]) / 2, box["y"] + (start[1] + end[1]) / 2, steps=3)
    mouse.move(box["x"] + end[0], box["y"] + end[1], steps=3)
    mouse.up()
    for key in keys:
        tab.page.keyboard.up(key)


def tracks_of(board: Board, run: str) -> dict[str, Any]:
    columns: dict[str, Any] = board.ask("data", run=run, tool="trace_viewer")["tables"]["tracks"]["columns"]
    return columns


def select_a_slice(tab: Tab) -> dict[str, str]:
    """The slice in the middle of the screen, by key alone."""
    canvas(tab).focus()
    tab.page.keyboard.press(".")
    return wait_for(tab, has("event"))


# The view


@pytest.mark.slow
def test_a_held_key_goes_on_and_a_tap_is_one_step(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer") as tab:
        open_trace(tab)
        canvas(tab).focus()
        tab.page.keyboard.press("w")
        tapped = wait_for(tab, has("start_ps", "end_ps"))
        tab.page.keyboard.down("w")
        tab.page.wait_for_timeout(1000)
        tab.page.keyboard.up("w")
        long = int(tapped["end_ps"]) - int(tapped["start_ps"])
        held = wait_for(tab, lambda p: int(p["end_ps"]) - int(p["start_ps"]) < long / 2)
        tab.page.keyboard.press("Home")
        first = wait_for(tab, lambda p: p["start_ps"] != held["start_ps"])
        assert abs(stretch_of(first) - stretch_of(held)) < 5
        tab.page.keyboard.press("End")
        wait_for(tab, lambda p: int(p["start_ps"]) > int(first["start_ps"]))
        tab.page.keyboard.press("0")
        wait_for(tab, lambda p: not p)


def stretch_of(found: dict[str, str]) -> int:
    return int(found["end_ps"]) - int(found["start_ps"])


def test_wheel_with_control_zooms_around_the_pointer(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer") as tab:
        open_trace(tab)
        box = canvas(tab).bounding_box()
        assert box is not None
        tab.page.mouse.move(box["x"] + 2, box["y"] + 100)
        tab.page.keyboard.down("Control")
        tab.page.mouse.wheel(0, -400)
        tab.page.keyboard.up("Control")
        zoomed = wait_for(tab, has("start_ps"))
        whole = samples_board.ask("data", run=GPU_RUN, tool="trace_viewer")["summary"]
        assert int(zoomed["start_ps"]) - whole["span_start_ps"] < 0.01 * (whole["span_end_ps"] - whole["span_start_ps"])
        drag(tab, (600, 300), (400, 300))
        wait_for(tab, lambda p: int(p["start_ps"]) > int(zoomed["start_ps"]))


def test_drags_measure_and_select_and_back_undoes_them(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer") as tab:
        open_trace(tab)
        drag(tab, (100, 10), (300, 10), "Alt")
        measured = wait_for(tab, has("range"))
        start, end = stretch(measured["range"])
        assert end > start
        drag(tab, (300, 30), (500, 80), "Shift")
        selected = wait_for(tab, has("area"))
        assert "@" in selected["area"]
        expect(tab.inside.get_by_role("region", name=re.compile("area", re.I)).first).to_be_visible()
        canvas(tab).focus()
        tab.page.keyboard.press("f")
        fitted = wait_for(tab, has("start_ps"))
        area = stretch(selected["area"])
        assert int(fitted["start_ps"]) <= area[0] < area[1] <= int(fitted["end_ps"])
        tab.page.go_back()
        wait_for(tab, lambda p: p == selected)
        tab.page.go_back()
        wait_for(tab, lambda p: p == measured)
        tab.page.go_forward()
        wait_for(tab, lambda p: p == selected)
        canvas(tab).focus()
        tab.page.keyboard.press("Escape")
        wait_for(tab, lambda p: p == measured)
        tab.page.keyboard.press("Escape")
        wait_for(tab, lambda p: not p)


def test_a_range_snaps_to_the_edges_of_slices(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer") as tab:
        open_trace(tab)
        before = select_a_slice(tab)
        event = before["event"]
        tab.page.keyboard.press("f")
        shown = wait_for(tab, lambda p: p.get("start_ps", "") != before.get("start_ps", ""))
        facts = samples_board.ask("data", run=GPU_RUN, tool="trace_viewer", event=event)["tables"]["event"]["columns"]
        of = dict(zip(facts["key"], facts["value"], strict=True))
        begin, long = int(of["start_ps"]), int(of["duration_ps"])
        box = canvas(tab).bounding_box()
        assert box is not None
        left = (begin - int(shown["start_ps"])) / stretch_of(shown) * box["width"]
        right = (begin + long - int(shown["start_ps"])) / stretch_of(shown) * box["width"]
        drag(tab, (left + 2, 10), (right - 2, 10))
        assert stretch(wait_for(tab, has("range"))["range"]) == (begin, begin + long)


# Slices, steps, marks


def test_keys_lead_from_slice_to_slice_and_mark(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer") as tab:
        open_trace(tab)
        first = select_a_slice(tab)
        live = tab.inside.locator("[aria-live=polite]").filter(has_text="Selected: ")
        expect(live).to_have_count(1)
        tab.page.keyboard.press("ArrowRight")
        second = wait_for(tab, lambda p: p["event"] != first["event"])
        tab.page.keyboard.press(",")
        wait_for(tab, lambda p: p["event"] == first["event"])
        tab.page.keyboard.press("ArrowDown")
        below = wait_for(tab, lambda p: p["event"] not in (first["event"], second["event"]))
        tab.page.keyboard.press("m")
        assert re.fullmatch(r"[^:]+:\d+-\d+@\d+;Mark%201", wait_for(tab, has("marks"))["marks"])
        tab.page.reload()
        tab.settle()
        marked = wait_for(tab, has("marks", "event"))
        assert marked["event"] == below["event"]
        canvas(tab).focus()
        tab.page.keyboard.press("Shift+M")
        wait_for(tab, lambda p: "marks" not in p)


@pytest.mark.slow
def test_brackets_go_from_step_to_step(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    steps = samples_board.ask("data", run=GPU_RUN, tool="trace_viewer", list_steps="true")["tables"]["steps"]["columns"]
    begins = sorted(zip(steps["start_ps"], steps["duration_ps"], strict=True))
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer") as tab:
        open_trace(tab)
        row = tab.inside.get_by_role("img", name=re.compile(rf"^{len(begins)} steps"))
        expect(row).to_be_visible()
        box = row.bounding_box()
        assert box is not None
        row.click(position={"x": 3, "y": 8})
        start, long = begins[0]
        wait_for(tab, is_range(start, start + long))
        canvas(tab).focus()
        for key, (start, long) in (("]", begins[1]), ("]", begins[2]), ("[", begins[1])):
            tab.page.keyboard.press(key)
            wait_for(tab, is_range(start, start + long))


# Tracks


def test_tracks_are_filtered_folded_hidden_pinned_and_restored(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer") as tab:
        open_trace(tab)
        all_rows = rows(tab)
        box = tab.inside.get_by_role("textbox", name=re.compile("Filter tracks"))
        box.fill("/stream #2\\d/")
        wait_for(tab, has("filter"))
        assert 1 < len(rows(tab)) < len(all_rows)
        for key in (key for key in rows(tab) if ":" in key):
            expect(tab.inside.locator(f'[data-key="{key}"]')).to_contain_text("Stream #2")
        box.fill("/(/")
        expect(box).to_have_attribute("aria-invalid", "true")
        box.fill("")
        wait_for(tab, lambda p: not p)

        group = tab.inside.get_by_role("treeitem", expanded=True).first
        group.click()
        assert "fold" in wait_for(tab, has("fold"))
        assert len(rows(tab)) < len(all_rows)
        tab.page.go_back()
        wait_for(tab, lambda p: not p)
        expect(tab.inside.get_by_role("treeitem")).to_have_count(len(all_rows))

        track = label(tab, "Stream #20(Compute)")
        pinned = track.get_attribute("data-key")
        track.click(button="right")
        tab.inside.get_by_role("menuitem", name=re.compile("Pin to the top")).click()
        assert wait_for(tab, has("pin"))["pin"] == pinned
        assert rows(tab)[0] == pinned
        track.focus()
        tab.page.keyboard.press("h")
        wait_for(tab, has("pin", "hide"))
        tab.page.reload()
        tab.settle()
        wait_for(tab, has("pin", "hide"))
        canvas(tab).focus()
        tab.page.keyboard.press("u")
        wait_for(tab, lambda p: not p)
        expect(tab.inside.get_by_role("treeitem")).to_have_count(len(all_rows))
        assert rows(tab) == all_rows


def test_an_expression_that_no_name_can_hold_up_filters_and_a_wrong_one_says_why(
    browser: Browser, samples_board: Board
) -> None:
    samples_board.runs()
    # With the browser's own matcher this one takes longer than anybody waits, for a name of a few dozen letters.
    slow = r"/^(([a-z\d:/_# ()]+)+)+$|stream.*memcpy/"
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer", filter=slow) as tab:
        tab.settle()
        box = tab.inside.get_by_role("textbox", name="Filter tracks")
        expect(box).to_have_value(slow)
        box.fill("/(stream/")
        expect(tab.inside.get_by_role("alert")).to_contain_text("Unterminated group")
        expect(box).to_have_attribute("aria-invalid", "true")
        box.fill(r"/stream.*(h2d|d2h)\)$/")
        expect(tab.inside.get_by_role("alert")).to_have_count(0)
        expect(tab.inside.get_by_role("button", name="Tracks shown")).to_contain_text("4 of 20")


@pytest.mark.slow
def test_tracks_are_moved_by_keys_and_by_drag(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer") as tab:
        open_trace(tab)
        before = rows(tab)
        first, second = before[1], before[2]
        tab.inside.locator(f'[data-key="{first}"]').focus()
        tab.page.keyboard.press("Alt+ArrowDown")
        wait_for(tab, has("order"))
        assert rows(tab)[1:3] == [second, first]
        from_box = tab.inside.locator(f'[data-key="{first}"]').bounding_box()
        to_box = tab.inside.locator(f'[data-key="{second}"]').bounding_box()
        assert from_box is not None
        assert to_box is not None
        tab.page.mouse.move(from_box["x"] + 40, from_box["y"] + 8)
        tab.page.mouse.down()
        tab.page.mouse.move(to_box["x"] + 40, to_box["y"] + 2, steps=5)
        tab.page.mouse.up()
        wait_for(tab, lambda p: p.get("order") == f"{first}<{second}")
        assert rows(tab) == before


def test_labels_are_a_tree_that_keys_walk(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer") as tab:
        open_trace(tab)
        before = rows(tab)
        tree = tab.inside.get_by_role("tree", name="Tracks")
        expect(tree.locator('[tabindex="0"]')).to_have_count(1)
        tree.locator('[tabindex="0"]').focus()
        for key in before[1:4]:
            tab.page.keyboard.press("ArrowDown")
            expect(tab.inside.locator(f'[data-key="{key}"]')).to_be_focused()
        tab.page.keyboard.press("Enter")
        expect(tab.inside.get_by_role("menu")).to_be_visible()
        tab.page.keyboard.press("Escape")
        expect(tab.inside.locator(f'[data-key="{before[3]}"]')).to_be_focused()
        tab.page.keyboard.press("ArrowLeft")
        tab.page.keyboard.press("ArrowLeft")
        wait_for(tab, has("fold"))


@pytest.mark.slow
def test_only_busy_tracks(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    answer = samples_board.ask("data", run=GPU_RUN, tool="trace_viewer")
    start = answer["summary"]["span_start_ps"]
    begin, end = str(start), str(start + 1000)
    columns = tracks_of(samples_board, GPU_RUN)
    tracks = ",".join(str(row) for row in sorted(columns["track"]))
    counts = samples_board.ask(
        "data", run=GPU_RUN, tool="trace_viewer", tracks=tracks, width="1", start_ps=begin, end_ps=end
    )
    told = counts["tables"]["window_tracks"]["columns"]
    busy = {row for row, *n in zip(told["track"], told["shown"], told["merged"], strict=True) if sum(n)}
    assert 0 < len(busy) < len(columns["track"])
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer", start_ps=begin, end_ps=end) as tab:
        open_trace(tab)
        tab.inside.get_by_role("button", name="Tracks shown").click()
        tab.inside.get_by_role("checkbox", name=re.compile("Only tracks busy")).check()
        wait_for(tab, has("busy"))
        tab.page.keyboard.press("Escape")
        expect(tab.inside.locator(".trace-row.track")).to_have_count(len(busy))
        assert {int(key.split(":")[1]) for key in rows(tab) if ":" in key} == busy


def test_hosts_have_headers_that_fold(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=HOSTS_RUN, tool="trace_viewer") as tab:
        open_trace(tab)
        hosts = tab.inside.locator(".trace-row.host")
        expect(hosts).to_have_count(2)
        tab.inside.get_by_role("textbox", name=re.compile("Filter tracks")).fill("worker-1")
        expect(hosts).to_have_count(1)
        expect(hosts).to_contain_text("worker-1")
        hosts.click()
        wait_for(tab, has("filter", "fold"))
        expect(tab.inside.locator(".trace-row.track")).to_have_count(0)


# Fingers


def test_two_fingers_zoom(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer") as tab:
        open_trace(tab)
        tab.frame.evaluate(
            """() => {
              const canvas = document.querySelector(".trace-canvas");
              const box = canvas.getBoundingClientRect();
              canvas.setPointerCapture = () => undefined;
              const send = (type, pointerId, x) => canvas.dispatchEvent(new PointerEvent(type, {
                pointerId, pointerType: "touch", button: 0, clientX: box.x + x, clientY: box.y + 100, bubbles: true,
              }));
              send("pointerdown", 11, 400);
              send("pointerdown", 12, 500);
              for (let by = 0; by <= 100; by += 10) {
                send("pointermove", 11, 400 - by);
                send("pointermove", 12, 500 + by);
              }
              send("pointerup", 11, 300);
              send("pointerup", 12, 600);
            }"""
        )
        zoomed = wait_for(tab, has("start_ps"))
        whole = samples_board.ask("data", run=GPU_RUN, tool="trace_viewer")["summary"]
        assert abs((whole["span_end_ps"] - whole["span_start_ps"]) / stretch_of(zoomed) - 3) < 0.05


def test_the_keys_are_listed(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer") as tab:
        open_trace(tab)
        canvas(tab).focus()
        tab.page.keyboard.press("?")
        help_ = tab.inside.get_by_role("dialog", name="Help")
        for words in ("zoom in, out", "previous, next step", "pin, hide, compact", "filter tracks", "measure"):
            expect(help_).to_contain_text(words)


def test_nothing_left_to_show_says_so(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer", filter="no such track") as tab:
        tab.settle()
        expect(tab.inside.get_by_text(re.compile("All .* are hidden"))).to_be_visible()
        tab.inside.get_by_role("button", name="Show all (U)").click()
        expect(tab.inside.get_by_role("treeitem").first).to_be_visible()
        wait_for(tab, lambda p: not p)


# What is said and kept without being asked for


def test_keys_work_before_anything_is_pressed_and_go_to_the_first_step(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    steps = samples_board.ask("data", run=GPU_RUN, tool="trace_viewer", list_steps="true")["tables"]["steps"]["columns"]
    start, long = min(zip(steps["start_ps"], steps["duration_ps"], strict=True))
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer") as tab:
        tab.settle()
        expect(tab.inside.get_by_text(f"{len(steps['start_ps'])} steps", exact=True)).to_be_visible()
        tab.page.keyboard.press("]")
        wait_for(tab, is_range(start, start + long))


def test_the_tracks_stay_where_they_are_when_the_steps_come(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer") as tab:
        before = canvas(tab).bounding_box()
        expect(tab.inside.get_by_role("img", name=re.compile(r"^\d+ steps;"))).to_be_visible()
        assert canvas(tab).bounding_box() == before


def test_what_can_be_done_is_said_and_what_colours_mean(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer") as tab:
        open_trace(tab)
        expect(tab.inside.get_by_text("Shift drag select an area")).to_be_visible()
        legend = tab.inside.get_by_label("Colour legend")
        expect(legend).to_have_count(0)
        tab.inside.get_by_role("button", name="Colour by category").click()
        expect(legend).to_contain_text("Kernel launch")
        tab.inside.get_by_role("button", name="Select area by dragging").click()
        expect(tab.inside.get_by_text("drag to move again")).to_be_visible()


def test_a_step_is_summed_by_a_key(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer") as tab:
        open_trace(tab)
        expect(tab.inside.get_by_role("img", name=re.compile(r"^\d+ steps;"))).to_be_visible()
        tab.page.keyboard.press("]")
        step = wait_for(tab, has("range"))["range"]
        tab.page.keyboard.press("e")
        wait_for(tab, lambda found: found.get("area") == step)
        sums = tab.inside.get_by_role("region", name="Selected area")
        expect(sums.get_by_role("tab", name="Gaps")).to_be_visible()
        expect(sums.get_by_role("row").nth(1)).to_be_visible()
        tab.page.keyboard.press("e")
        wait_for(tab, lambda found: "area" not in found)
