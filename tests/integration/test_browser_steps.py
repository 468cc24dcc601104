"""The pages that stand on steps, in a real browser: what they say, where they lead, and other ways to find steps."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.build_capture import Space
from tests.conftest import slow_but
from tests.integration._board import Board, tensorboard
from tests.integration._browser import COLOURS, NARROW, WIDE, Tab, tab_of

GPU = "gpu_streams/2026_11_20_09_00_00"
HOSTS = "two_hosts/2026_11_20_09_00_00"
MS = 10**9


def rows_of(board: Board, run: str, tool: str, table: str, **options: str) -> list[dict[str, Any]]:
    columns = board.ask("data", run=run, tool=tool, **options)["tables"][table]["columns"]
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def chart(tab: Tab, name: str = "Steps") -> Locator:
    return tab.inside.get_by_role("slider", name=name, exact=True)


def control(tab: Tab) -> Locator:
    return tab.inside.get_by_role("button", name="How steps are detected")


def check_trace_shows(tab: Tab, step: dict[str, Any]) -> None:
    """The trace is open at the step, and marks what a number of it was made of."""
    tab.page.wait_for_function("() => location.hash.includes('tool=trace_viewer')")
    tab.settle()
    state = dict(part.split("=", 1) for part in tab.address().split("&") if "=" in part)
    search = unquote(state["p.perfplugin.search"])
    assert state["p.perfplugin.match"] == "row"
    assert f"step={step['step']}&" in search or search.endswith(f"step={step['step']}")
    begin, end = (MS * t for t in (step["start_ms"], step["start_ms"] + step["duration_ms"]))
    first, last = (int(state[f"p.perfplugin.{name}_ps"]) for name in ("start", "end"))
    assert first <= begin <= first + (end - begin) / 4
    assert last - (end - begin) / 4 <= end <= last
    expect(tab.inside.locator(".trace-summary")).to_be_visible()


@pytest.fixture
def long_board(tmp_path: Path, log: Path) -> Iterator[Board]:
    """A run of 10,000 steps, of which the one with number 4321 is slow, and one without steps."""
    steps, none = Space(hostnames=["box"]), Space(hostnames=["box"])
    line, at = steps.plane("/host:CPU").line(1, "python"), 0
    for number in range(10_000):
        length = 90 * MS if number == 4321 else 30 * MS
        line.event("train", at, length - MS, {"step_num": number, "_r": 1})
        at += length
    none.plane("/host:CPU").line(1, "main").event("MatMul:MatMul", 0, 5 * MS)
    for name, space in (("long", steps), ("none", none)):
        file = tmp_path / f"logs/{name}/plugins/profile/r/box.xplane.pb"
        file.parent.mkdir(parents=True)
        file.write_bytes(space.bytes())
    with tensorboard(log, "--logdir", str(tmp_path / "logs")) as board:
        board.runs()
        yield board


def test_the_overview_says_what_a_step_takes(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    answer = samples_board.ask("data", run=GPU, tool="overview")
    with tab_of(browser, samples_board, run=GPU, tool="overview") as tab:
        tab.settle()
        heading = answer["findings"][0]["title"].replace("`", "")
        expect(tab.inside.get_by_role("heading", name=heading)).to_be_visible()
        main = tab.inside.locator("main")
        typical, mean = (answer["summary"][f"step_time_{each}ms"] for each in ("typical_", ""))
        of = "per step" if typical == mean else "per typical step"
        expect(main).to_contain_text(f"{typical:.3g} ms {of}")
        expect(control(tab)).to_contain_text(f"steps from: {answer['summary']['step_rule_title']}")
        expect(chart(tab)).to_have_attribute("aria-description", re.compile(r"^\d+ steps, .* on average: "))
        for size in (WIDE, NARROW):
            tab.page.set_viewport_size({"width": size[0], "height": size[1]})
            tab.frame.wait_for_function(f"() => ({COLOURS})() > 5")


def test_a_finding_says_what_a_step_would_take_without_its_subject(browser: Browser, samples_board: Board) -> None:
    """Asked by the keyboard, of the chosen steps, and not before."""
    samples_board.runs()
    first = samples_board.ask("data", run="torch_train", tool="overview", steps="typical")["findings"][0]
    without = samples_board.ask("data", run="torch_train", tool="whatif", remove=first["whatif"], steps="typical")
    with tab_of(browser, samples_board, run="torch_train", tool="overview", steps="typical") as tab:
        tab.settle()
        asked: list[str] = []
        tab.page.on("request", lambda request: asked.append(request.url) if "tool=whatif" in request.url else None)
        headline = tab.inside.locator(".headline")
        choice = headline.get_by_label("What if it took")
        choice.focus()
        assert asked == []
        tab.page.keyboard.type("n")
        expect(headline.get_by_role("status")).to_contain_text(without["findings"][0]["title"])
        assert "steps=typical" in asked[0]
        choice.select_option("as long as it did")
        expect(headline.get_by_role("status")).to_have_count(0)


def test_a_step_tells_its_parts_and_leads_to_the_trace(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    steps = rows_of(samples_board, GPU, "overview", "steps")
    with tab_of(browser, samples_board, run=GPU, tool="overview") as tab:
        tab.settle()
        chart(tab).hover(position={"x": 100, "y": 60})
        expect(tab.inside.get_by_role("tooltip")).to_contain_text(steps[0]["name"])
        chart(tab).click(position={"x": 100, "y": 60})
        check_trace_shows(tab, steps[0])


def test_the_steps_are_read_and_followed_by_keys(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    steps = rows_of(samples_board, GPU, "overview", "steps")
    with tab_of(browser, samples_board, run=GPU, tool="overview") as tab:
        tab.settle()
        chart(tab).focus()
        for key in ("End", "ArrowLeft", "ArrowLeft"):
            tab.page.keyboard.press(key)
        expect(chart(tab)).to_have_attribute("aria-valuetext", re.compile(f"^{steps[-3]['name']}: "))
        tab.page.keyboard.press("Enter")
        check_trace_shows(tab, steps[-3])


def test_a_part_of_the_bar_leads_to_the_step_that_has_most_of_it(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    steps = rows_of(samples_board, GPU, "overview", "steps")
    most = max(steps, key=lambda step: step["input_wait_ms"])
    with tab_of(browser, samples_board, run=GPU, tool="overview") as tab:
        tab.settle()
        bar = tab.inside.get_by_role("group", name="Where a step's time goes")
        bar.get_by_role("button", name=re.compile("^Input wait")).click()
        check_trace_shows(tab, most)


def test_the_bar_is_of_all_of_the_usual_or_of_the_slow_steps(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    steps = rows_of(samples_board, GPU, "overview", "steps")
    usual = [step for step in steps if not step["cut"] and step["pace"] != "slow"]
    mean = sum(step["input_wait_ms"] for step in usual) / len(usual)
    with tab_of(browser, samples_board, run=GPU, tool="overview") as tab:
        tab.settle()
        choice = tab.inside.get_by_role("group", name="Steps")
        expect(choice.get_by_role("button", pressed=True)).to_have_text(f"all {len(usual) + 1}")
        choice.get_by_role("button", name=f"{len(usual)} typical").click()
        tab.page.wait_for_function("() => location.hash.includes('split_of=typical')")
        part = tab.inside.get_by_role("group", name="Where a step's time goes").get_by_role("button", name="Input wait")
        expect(part).to_have_accessible_name(re.compile(rf"^Input wait: {mean:.3g} ms per step"))
        expect(tab.inside.locator(".split-of")).to_contain_text(
            f"mean of the {len(usual)} of {len(usual) + 1} whole steps"
        )
        part.click()
        check_trace_shows(tab, max(usual, key=lambda step: step["input_wait_ms"]))


@pytest.mark.slow
def test_another_way_to_find_steps_holds_on_all_their_pages(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    found = len(rows_of(samples_board, GPU, "overview", "steps", steps_from="/^IteratorGetNext/"))
    assert found
    with tab_of(browser, samples_board, run=GPU, tool="overview") as tab:
        tab.settle()
        control(tab).click()
        tab.inside.get_by_role("textbox", name=re.compile("regular expression")).fill("/^IteratorGetNext/")
        tab.page.keyboard.press("Enter")
        expect(chart(tab)).to_have_attribute("aria-description", re.compile(f"^{found} steps?, "))
        assert "steps_from=%2F%5EIteratorGetNext%2F" in tab.address()
        for page in ("Input pipeline", "Trace", "Overview"):
            tab.inside.get_by_role("link", name=page).click()
            tab.settle()
            assert "steps_from=%2F%5EIteratorGetNext%2F" in tab.address()
        control(tab).click()
        tab.inside.get_by_role("button", name="auto", exact=True).click()
        tab.page.wait_for_function("() => !location.hash.includes('steps_from')")


def test_an_expression_that_is_none_is_told_beside_the_control(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, ("status 400", "400 (")) as tab:
        tab.go(run=GPU, tool="overview")
        expect(chart(tab)).to_be_visible()
        tab.go(run=GPU, tool="overview", steps_from="/(/")
        expect(tab.inside.get_by_role("alert")).to_contain_text("steps_from")
        expect(control(tab).first).to_be_visible()
        expect(chart(tab)).to_be_visible()


def test_the_input_pipeline_draws_its_verdict(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    answer = samples_board.ask("data", run=GPU, tool="input_pipeline")
    with tab_of(browser, samples_board, run=GPU, tool="input_pipeline") as tab:
        tab.settle()
        expect(tab.inside.get_by_role("img", name=re.compile("Input takes .* moderate from 5 %"))).to_be_visible()
        expect(chart(tab)).to_be_visible()
        ops = tab.inside.get_by_role("region", name=re.compile("Input op")).get_by_role("table")
        expect(ops).to_contain_text(answer["tables"]["ops"]["columns"]["op"][0])


def test_workers_of_one_step_or_of_the_mean(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    steps = rows_of(samples_board, HOSTS, "pod_viewer", "steps")
    workers = sorted({step["worker"] for step in steps})
    with tab_of(browser, samples_board, run=HOSTS, tool="pod_viewer") as tab:
        tab.settle()
        options = tab.inside.get_by_role("listbox", name="Workers side by side").get_by_role("option")
        expect(options).to_have_count(len(workers))
        slider = tab.inside.get_by_role("slider", name="Step", exact=True)
        expect(slider).to_have_attribute("aria-valuetext", "mean of all steps")
        slider.focus()
        tab.page.keyboard.press("ArrowRight")
        expect(slider).to_have_attribute("aria-valuetext", steps[0]["name"])
        options.first.hover()
        expect(tab.inside.get_by_role("tooltip")).to_contain_text(workers[0])
        options.first.click()
        first = next(step for step in steps if step["worker"] == workers[0])
        check_trace_shows(tab, first)


@pytest.mark.slow
def test_many_steps_keep_the_slow_one_and_are_zoomed_by_dragging(browser: Browser, long_board: Board) -> None:
    with tab_of(browser, long_board, run="long/r", tool="overview") as tab:
        tab.settle()
        box = chart(tab).bounding_box()
        assert box is not None
        slow = 56 + (box["width"] - 64) * 4321 / 10_000
        chart(tab).hover(position={"x": slow, "y": 60})
        expect(tab.inside.get_by_role("tooltip")).to_contain_text("train 4321")
        tab.page.mouse.move(box["x"] + slow - 40, box["y"] + 60)
        tab.page.mouse.down()
        tab.page.mouse.move(box["x"] + slow + 40, box["y"] + 60, steps=4)
        tab.page.mouse.up()
        tab.page.wait_for_function("() => /bars=\\d+-\\d+/.test(location.hash)")
        tab.page.reload()
        tab.settle()
        tab.inside.get_by_role("button", name=re.compile(r"steps of 10000, show all")).click()
        expect(tab.inside.get_by_role("button", name=re.compile("show all"))).to_have_count(0)


def test_without_steps_the_page_says_why_and_offers_other_ways(browser: Browser, long_board: Board) -> None:
    reason = long_board.ask("data", run="none/r", tool="overview")["unknown"]["step_time_ms"].replace("`", "")
    with tab_of(browser, long_board, run="none/r", tool="overview") as tab:
        tab.settle()
        expect(tab.inside.locator("main")).to_contain_text(reason)
        control(tab).click()
        tab.inside.get_by_role("textbox").last.fill("MatMul:MatMul")
        tab.page.keyboard.press("Enter")
        expect(chart(tab)).to_have_attribute("aria-description", re.compile("^1 step, "))


def test_a_finding_leads_to_each_of_its_steps(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    findings = samples_board.ask("data", run=GPU, tool="input_pipeline")["findings"]
    place = next(finding["evidence"][1] for finding in findings if len(finding["evidence"]) > 1)
    steps = rows_of(samples_board, GPU, "input_pipeline", "steps")
    held = [s["step"] for s in steps if s["start_ms"] * MS <= (place["start_ps"] + place["end_ps"]) / 2]
    with tab_of(browser, samples_board, run=GPU, tool="input_pipeline") as tab:
        tab.settle()
        tab.inside.get_by_role("button", name=f"step {held[-1]}", exact=True).first.click()
        tab.page.wait_for_function("() => location.hash.includes('match=row')")
        tab.settle()
        start, end = (int(re.findall(rf"{name}_ps=(-?\d+)", tab.address())[0]) for name in ("start", "end"))
        # What waits for input is marked of all steps; this one is looked at.
        assert start <= place["start_ps"] < place["end_ps"] <= end < 3 * place["end_ps"]
        tab.page.go_back()
        expect(chart(tab)).to_be_visible()


def test_all_figures_are_a_press_away_with_why_some_are_unknown(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    unknown = samples_board.ask("data", run=GPU, tool="overview")["unknown"]["mxu_utilization_share"]
    with tab_of(browser, samples_board, run=GPU, tool="overview") as tab:
        tab.settle()
        tab.inside.get_by_role("button", name=re.compile("^All figures")).click()
        figures = tab.inside.get_by_role("dialog", name=re.compile("^All figures"))
        expect(figures).to_contain_text("Step time median")
        expect(figures).to_contain_text(f"Unknown, because {unknown}: ")
        tab.page.keyboard.press("Escape")
        expect(figures).to_have_count(0)


#: Tables of at most ten rows that do not show them all; what lies beyond the page's sides.
CUT = """() => [...document.querySelectorAll(".table-scroll")]
  .filter(e => Number(e.querySelector("table").getAttribute("aria-rowcount")) <= 11)
  .filter(e => e.scrollHeight > e.clientHeight + 1).map(e => e.ariaLabel)"""
BESIDE = "() => { const main = document.querySelector('main'); return main.scrollWidth - main.clientWidth; }"


@pytest.mark.parametrize(
    ("run", "tool"),
    slow_but(
        ((GPU, "kernel_stats"), (HOSTS, "overview"), (HOSTS, "pod_viewer")),
        itertools.product((GPU, HOSTS), ("overview", "input_pipeline", "pod_viewer", "op_stats", "kernel_stats")),
    ),
)
def test_panels_take_what_they_need_and_the_page_scrolls(
    browser: Browser, samples_board: Board, run: str, tool: str
) -> None:
    """They shared the window's height: 3.5 of the top 10 ops, and one of two workers, were seen."""
    samples_board.runs()
    with tab_of(browser, samples_board, run=run, tool=tool) as tab:
        for size in (WIDE, (1024, 600), (390, 844)):
            tab.page.set_viewport_size({"width": size[0], "height": size[1]})
            tab.settle()
            assert tab.frame.evaluate(CUT) == [], size
            assert tab.frame.evaluate(BESIDE) == 0, size


def test_a_bounded_table_shows_all_by_a_press(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run="torch_train", tool="op_stats") as tab:
        tab.page.set_viewport_size({"width": 1024, "height": 500})
        tab.settle()
        region = tab.inside.get_by_role("region", name="Ops", exact=True)
        scroller = region.locator(".table-scroll")
        cut = "e => e.scrollHeight - e.clientHeight"
        assert scroller.evaluate(cut) > 0
        region.get_by_role("button", name=re.compile(r"^Show all \d+ rows$")).click()
        expect(region.get_by_role("button", name="Show fewer rows")).to_be_visible()
        assert scroller.evaluate(cut) == 0


@pytest.mark.slow
def test_on_a_high_screen_charts_grow(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU, tool="overview") as tab:
        heights = []
        for size in (WIDE, (2560, 1440)):
            tab.page.set_viewport_size({"width": size[0], "height": size[1]})
            tab.go(run=GPU, tool="op_stats")
            tab.settle()
            tab.go(run=GPU, tool="overview")
            tab.settle()
            box = tab.inside.locator(".bars-plot canvas").first.bounding_box()
            assert box
            heights.append(box["height"])
        assert heights[1] > 1.4 * heights[0]


def test_a_range_holds_on_every_page(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU, tool="overview") as tab:
        tab.settle()
        tab.inside.get_by_role("button", name=re.compile("^Range")).click()
        tab.inside.get_by_label("Steps, by their numbers").fill("1-2")
        tab.page.keyboard.press("Enter")
        said = tab.inside.get_by_text("This is of 2 of 6 steps: 1–2.")
        expect(said).to_be_visible()
        assert "p.perfplugin.steps=1-2" in tab.address()
        tab.inside.get_by_role("link", name="GPU kernels", exact=True).click()
        tab.settle()
        expect(said).to_be_visible()
        kernels = samples_board.ask("data", run=GPU, tool="kernel_stats", steps="1-2")["summary"]["kernel_count"]
        expect(tab.inside.locator("main")).to_contain_text(f"{kernels:,}")
        tab.page.reload()
        tab.settle()
        expect(said).to_be_visible()
        tab.inside.get_by_role("link", name="Trace", exact=True).click()
        tab.settle()
        expect(tab.inside.get_by_text("Shown at first: steps 1-2")).to_be_visible()
        window = samples_board.ask("data", run=GPU, tool="trace_viewer", steps="1-2")["summary"]
        tab.page.wait_for_function(f"() => location.hash.includes('start_ps={window['window_start_ps']}')")
        tab.inside.get_by_role("button", name="show all steps").click()
        expect(tab.inside.get_by_text("Shown at first")).to_have_count(0)
        assert "perfplugin.steps" not in tab.address()


def test_bars_that_were_chosen_become_the_range(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU, tool="overview", bars="1-3") as tab:
        tab.settle()
        tab.inside.get_by_role("button", name="only these on every page").click()
        expect(tab.inside.get_by_text("This is of 2 of 6 steps: 1–2.")).to_be_visible()


def test_a_range_that_is_not_there_says_what_is(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, ("status 400", "400 ("), run=GPU, tool="overview", steps="30-40") as tab:
        expect(tab.inside.get_by_text("steps 30-40: there are none; the 6 steps are 0–5")).to_be_visible()
        tab.inside.get_by_role("button", name="show all steps").click()
        expect(tab.inside.locator("main")).to_contain_text("per step")
