"""The page that compares two runs, in a real browser: which ones, what it says of them, the ways into both traces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.build_capture import Space
from tests.conftest import slow_but
from tests.integration._board import Board, tensorboard
from tests.integration._browser import NARROW, WIDE, Tab, Theme, open_tab, run_button, tab_of
from tests.integration.test_browser_hostile import PWN
from tests.integration.test_browser_views import NAMELESS, SIDEWAYS

MS = 10**9
FAST, SLOW, OTHER, NO_STEPS = "train/2026_01_01", "train/2026_01_02", "other/2026_01_01", "train/2025_01_01"
#: As the fast one, but its op is another.
RENAMED = "train/2026_01_03"
MARKED, MARKED_SLOW = "marked/2026_01_01", "marked/2026_01_02"
PHONE = (390, 844)


def program(step_ms: int, op_ms: int, name: str = "dense/MatMul") -> Space:
    """Twelve steps, each with an op at its begin, and one with a hostile name."""
    space = Space(hostnames=["h"])
    line = space.plane("/host:CPU").line(1, "python")
    for step in range(12):
        line.event("train", step * step_ms * MS, step_ms * MS, {"step_num": step, "_r": 1})
        line.event(f"{name}:{name.rpartition('/')[2]}", step * step_ms * MS, op_ms * MS)
        line.event(f"{PWN}:Relu", (step * step_ms + op_ms) * MS, step_ms // 7 * MS)
    return space


def marked(third_ms: int) -> Space:
    """Twelve steps of two layers, of which the second takes longer, each with a product and the wait for it."""
    space = Space(hostnames=["h"])
    line = space.plane("/host:CPU").line(1, "python")
    for step in range(12):
        at = step * (16 + third_ms) * MS
        line.event("train", at, (8 + third_ms) * MS, {"step_num": step, "_r": 1})
        line.event("encoder", at, (6 + third_ms) * MS)
        for layer, ms in (("encoder.layer.2", 4), ("encoder.layer.3", third_ms)):
            line.event(layer, at, ms * MS)
            line.event("attention/MatMul:MatMul", at, (ms - 1) * MS)
            at += ms * MS
        line.event("head/Add:Add", at + 2 * MS, 2 * MS)
    return space


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    folder = tmp_path_factory.mktemp("compare")
    idle = Space(hostnames=["h"])
    idle.plane("/host:CPU").line(1, "main").event("MatMul:MatMul", 0, 5 * MS)
    runs = {FAST: program(10, 4), SLOW: program(14, 8), OTHER: program(10, 4), NO_STEPS: idle}
    runs[RENAMED] = program(10, 6, "head/Conv2D")
    runs |= {MARKED: marked(4), MARKED_SLOW: marked(8)}
    for name, space in runs.items():
        group, _, session = name.partition("/")
        path = folder / "logs" / group / "plugins/profile" / f"{session}_00_00_00" / "h.xplane.pb"
        path.parent.mkdir(parents=True)
        path.write_bytes(space.bytes())
    with tensorboard(folder / "log", "--logdir", str(folder / "logs")) as board:
        board.runs(7)
        yield board


def run(name: str) -> str:
    return f"{name}_00_00_00"


def by_category(tab: Tab) -> Locator:
    region = tab.inside.get_by_role("region", name="By scope")
    button = region.get_by_role("group", name="by").get_by_role("button", name="category")
    button.click()
    # The graph of before goes; a key pressed in it would be lost with it.
    expect(button).to_have_attribute("aria-pressed", "true")
    return region


def base_button(tab: Tab) -> Locator:
    return tab.inside.get_by_role("button", name=re.compile("^Compare with: "))


def verdict(tab: Tab) -> Locator:
    return tab.inside.locator(".headline h1")


def pick(tab: Tab, name: str) -> None:
    base_button(tab).click()
    tab.inside.get_by_role("combobox").fill(name.replace("/", " "))
    tab.page.keyboard.press("Enter")
    tab.settle()


def waterfall(tab: Tab) -> Locator:
    return tab.inside.get_by_role("table", name="From A's step to B's")


def test_a_base_is_picked_and_swapped(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=run(OTHER), tool="compare") as tab:
        tab.settle()
        expect(tab.inside.get_by_role("heading", name="Choose a run to compare with")).to_be_visible()
        pick(tab, SLOW)
        expect(verdict(tab)).to_contain_text("A step takes 10 ms instead of 14 ms: 4 ms less")
        expect(waterfall(tab).get_by_role("row", name=re.compile("dense.MatMul"))).to_contain_text("-4.00 ms")
        tab.inside.get_by_role("button", name="Swap").click()
        tab.settle()
        expect(verdict(tab)).to_contain_text("A step takes 14 ms instead of 10 ms: 4 ms more")
        expect(waterfall(tab).get_by_role("row", name=re.compile("dense.MatMul"))).to_contain_text("+4.00 ms")
        expect(run_button(tab)).to_contain_text("2026_01_02")
        # The address holds both: a reload shows the same, and back leads to the runs as they were.
        tab.address()
        tab.page.reload()
        expect(verdict(tab)).to_contain_text("4 ms more")
        tab.page.go_back()
        expect(verdict(tab)).to_contain_text("4 ms less")


def test_a_run_is_compared_with_the_one_before_it_in_its_folder(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=run(SLOW), tool="compare") as tab:
        tab.settle()
        expect(base_button(tab)).to_contain_text("2026_01_01")
        expect(verdict(tab)).to_contain_text("14 ms instead of 10 ms")
        # What is pressed in the picture is what the table shows.
        waterfall(tab).get_by_role("button", name="dense/MatMul").click()
        table = tab.inside.get_by_role("region", name=re.compile("^By op")).get_by_role("table")
        expect(table).to_have_attribute("aria-rowcount", "2")
        # Another page, and back by its tab.
        tab.inside.get_by_role("link", name="Ops").click()
        tab.settle()
        tab.inside.get_by_role("link", name="Compare").click()
        tab.settle()
        expect(verdict(tab)).to_contain_text("14 ms instead of 10 ms")


def table_of(tab: Tab, title: str = "By op") -> Locator:
    return tab.inside.get_by_role("region", name=re.compile(f"^{title}")).get_by_role("table")


def pane(tab: Tab, letter: str) -> Locator:
    return tab.inside.get_by_role("region", name=f"Trace of {letter}", exact=True)


def ruler(tab: Tab, letter: str) -> Locator:
    """What the trace says it shows."""
    return pane(tab, letter).get_by_role("img", name=re.compile("^Timeline of"))


@pytest.mark.slow
def test_an_op_leads_into_the_trace_of_each(browser: Browser, board: Board) -> None:
    for letter, shown in (("A", FAST), ("B", SLOW)):
        with tab_of(browser, board, run=run(SLOW), base=run(FAST), tool="compare") as tab:
            tab.settle()
            table_of(tab).get_by_role("row", name=re.compile("dense.MatMul")).click()
            tab.inside.get_by_role("button", name=f"In {letter}'s trace").click()
            tab.page.wait_for_function("() => location.hash.includes('tool=trace_viewer')")
            tab.settle()
            expect(run_button(tab)).to_contain_text(run(shown)[-10:])
            expect(tab.inside.get_by_role("searchbox").first).to_have_value("dense/MatMul")


def test_an_op_leads_into_both_traces(browser: Browser, board: Board) -> None:
    """From the begin of a step of each: the op is selected in both, and its times are said."""
    with tab_of(browser, board, run=run(SLOW), base=run(FAST), tool="compare") as tab:
        tab.settle()
        table_of(tab).get_by_role("row", name=re.compile("dense.MatMul")).click()
        tab.inside.get_by_role("button", name="Both traces ▸").click()
        both = tab.inside.get_by_role("region", name="Both traces", exact=True)
        expect(both.locator(".pair-difference")).to_contain_text("4.00 ms → 8.00 ms +4.00 ms")
        for letter, name, ms in (("A", FAST, "10.0 ms"), ("B", SLOW, "14.0 ms")):
            expect(pane(tab, letter)).to_contain_text(run(name))
            expect(pane(tab, letter).locator(".pair-step")).to_contain_text(ms)
            expect(pane(tab, letter).get_by_role("searchbox").first).to_have_value("dense/MatMul")
            expect(pane(tab, letter).locator(".pair-selected")).to_contain_text("dense/MatMul")
            # As long as B's step, which is the longer one, from before the step's begin on.
            expect(ruler(tab, letter)).to_have_accessible_name(re.compile("14.8 ms from -420 µs"))
        # The address holds it: a reload shows the same.
        tab.address()
        tab.page.reload()
        expect(both.locator(".pair-difference")).to_contain_text("4.00 ms → 8.00 ms +4.00 ms")
        both.get_by_role("button", name="Close").click()
        expect(both).to_have_count(0)


@pytest.mark.slow
def test_zoom_and_pan_move_both_traces(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=run(SLOW), base=run(FAST), tool="compare") as tab:
        tab.settle()
        tab.inside.get_by_role("button", name="Both traces, aligned by step").click()
        expect(pane(tab, "A").locator(".pair-selected")).to_contain_text("dense/MatMul")
        for letter in ("A", "B"):
            expect(ruler(tab, letter)).to_have_accessible_name(re.compile("14.8 ms from -420 µs"))
        ruler(tab, "B").press("Home")
        ruler(tab, "B").press("s")
        expect(ruler(tab, "B")).not_to_have_accessible_name(re.compile("14.8 ms"))
        said = re.compile(r"[\d.]+ ms from -?[\d.]+ \S+s\.")
        expect(ruler(tab, "B")).to_have_accessible_name(said)
        moved = said.search(ruler(tab, "B").get_attribute("aria-label") or "")
        assert moved
        expect(ruler(tab, "A")).to_have_accessible_name(re.compile(re.escape(moved[0])))
        # Unlinked, each goes its own way, which is in the address.
        tab.inside.get_by_label("Linked").uncheck()
        ruler(tab, "A").press("0")
        expect(ruler(tab, "A")).to_have_accessible_name(re.compile("120 ms from"))
        expect(ruler(tab, "B")).not_to_have_accessible_name(re.compile("120 ms from|168 ms from"))
        assert "p.perfplugin.apart=true" in tab.address()
        # Linked again, B looks where A does, though it has nothing there.
        tab.inside.get_by_label("Linked").check()
        expect(ruler(tab, "B")).to_have_accessible_name(re.compile("120 ms from"))
        tab.inside.get_by_role("button", name="Step", exact=True).click()
        expect(ruler(tab, "B")).to_have_accessible_name(re.compile("14.8 ms from -420 µs"))


def test_another_step_of_one_trace_is_aligned_with_the_others(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=run(SLOW), base=run(FAST), tool="compare") as tab:
        tab.settle()
        tab.inside.get_by_role("button", name="Both traces, aligned by step").click()
        expect(pane(tab, "A").locator(".trace-counts")).to_contain_text("12 steps")
        number = re.compile(r"step (\d+) 10")
        expect(pane(tab, "A").locator(".pair-step")).to_have_text(re.compile(r"step \d+ 10"))
        before = number.search(pane(tab, "A").locator(".pair-step").inner_text())
        assert before
        ruler(tab, "A").press("]")
        expect(pane(tab, "A").locator(".pair-step")).to_contain_text(f"step {int(before[1]) + 1} 10.0 ms")
        for letter in ("A", "B"):  # From the begin of A's next step on, and of B's, which is the same.
            expect(ruler(tab, letter)).to_have_accessible_name(re.compile("11.1 ms from -55[56] µs"))


def test_a_category_and_what_is_not_there(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=run(SLOW), base=run(FAST), tool="compare") as tab:
        tab.settle()
        tab.inside.get_by_role("button", name="Both traces, aligned by step").click()
        expect(pane(tab, "A").locator(".pair-selected")).to_contain_text("dense/MatMul")
        # From there to another row, which brings the traces back into view.
        flame = by_category(tab)
        flame.get_by_role("application").press("ArrowDown")
        flame.get_by_role("button", name="Both traces ▸").click()
        for letter in ("A", "B"):
            expect(pane(tab, letter).get_by_role("button", name="Clear highlight")).to_contain_text("· step")
            expect(pane(tab, letter)).to_contain_text("hit")
            expect(pane(tab, letter).locator(".pair-selected")).to_contain_text("Click a slice")
        expect(pane(tab, "B")).to_be_in_viewport()
    with tab_of(browser, board, run=run(RENAMED), base=run(FAST), tool="compare") as tab:
        tab.settle()
        table_of(tab).get_by_role("row", name=re.compile("^head.Conv2D")).click()
        tab.inside.get_by_role("button", name="Both traces ▸").click()
        expect(pane(tab, "A")).to_contain_text("head/Conv2D is not in A")
        expect(pane(tab, "B").locator(".pair-selected")).to_contain_text("head/Conv2D")


def test_the_flame_graph_of_the_change(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=run(RENAMED), base=run(FAST), tool="compare") as tab:
        tab.settle()
        region = by_category(tab)
        graph, line = region.get_by_role("application"), region.locator(".flame-line").first
        expect(graph).to_have_accessible_description(re.compile(r"Conv2D \(new\).*"))
        region.get_by_role("searchbox").fill("conv2d")
        expect(region).to_contain_text("1 frame, 6.00 ms")
        # By keyboard: the widest, what lies in it, zoom, and back.
        graph.press("ArrowDown")
        expect(line).to_contain_text("Op compute")
        graph.press("ArrowDown")
        expect(line).to_contain_text("A 0, B 6.00 ms: +6.00 ms")
        graph.press("Enter")
        expect(region.get_by_role("button", name="Show all")).to_be_visible()
        assert "p.perfplugin.at=" in tab.address()
        graph.press("Escape")
        expect(region.get_by_role("button", name="Show all")).to_have_count(0)
        # What is new has no width on A.
        region.get_by_role("group", name="widths").get_by_role("button", name="A").click()
        expect(region).to_contain_text("1 frame")
        expect(graph).to_have_accessible_description(re.compile("10.0 ms total"))


def test_what_the_program_marks_says_where_the_change_is(browser: Browser, board: Board) -> None:
    """4 ms more in the third layer; the second has the same ops and no change."""
    with tab_of(browser, board, run=run(MARKED_SLOW), base=run(MARKED), tool="compare") as tab:
        tab.settle()
        region = tab.inside.get_by_role("region", name="By scope")
        graph, line = region.get_by_role("application"), region.locator(".flame-line").first
        for name in ("encoder", "encoder.layer.3"):
            graph.press("ArrowDown")
            expect(line).to_contain_text(name)
            expect(line).to_contain_text("+4.00 ms")
        graph.press("ArrowDown")
        expect(line).to_contain_text("attention")
        tab.screenshot("compare-scopes")
        by_category(tab)
        graph.press("ArrowDown")
        expect(line).to_contain_text("Op compute")
        assert "p.perfplugin.under=tree" in tab.address()


@pytest.mark.slow
def test_several_runs_a_side_are_repeats(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=run(SLOW), base=run(FAST), tool="compare") as tab:
        tab.settle()
        base_button(tab).click()
        tab.inside.get_by_role("combobox").fill("other 2026_01_01")
        tab.page.keyboard.press("Control+Enter")
        expect(base_button(tab)).to_contain_text("and 1 repeat")
        expect(tab.inside.get_by_role("option", selected=True)).to_have_count(1)
        tab.page.keyboard.press("Escape")
        tab.settle()
        repeats = tab.inside.get_by_role("table", name=re.compile("^Each repeat"))
        expect(repeats.get_by_role("row", name=re.compile("^A"))).to_have_count(2)
        expect(repeats.get_by_role("row", name=re.compile("^B"))).to_have_count(1)
        # A repeat of B by its box.
        tab.inside.get_by_role("button", name="Repeats of B").click()
        tab.inside.get_by_role("combobox").fill("2026_01_03")
        tab.inside.locator(".picker-box").click()
        tab.page.keyboard.press("Escape")
        tab.settle()
        expect(repeats.get_by_role("row", name=re.compile("^B"))).to_have_count(2)
        sides = tab.inside.get_by_role("table", name="A and B side by side")
        expect(sides.get_by_role("row", name=re.compile("^Captures"))).to_contain_text("22")
        assert "base=train%2F2026_01_01_00_00_00%2Cother%2F2026_01_01_00_00_00" in tab.address()
        # Each of them can be shown.
        tab.inside.get_by_role("button", name="Both traces, aligned by step").click()
        pane(tab, "A").get_by_label("repeat").select_option(run(OTHER))
        expect(pane(tab, "A").locator(".pair-step")).to_contain_text("10.0 ms")
        assert "A.capture=other" in tab.address()
        tab.inside.get_by_role("button", name="Swap").click()
        tab.settle()
        expect(run_button(tab)).to_contain_text("2026_01_01")
        expect(repeats.get_by_role("row", name=re.compile("^A"))).to_have_count(2)
        expect(tab.inside.get_by_role("button", name="Repeats of B")).to_contain_text("and 1 repeat")


def test_with_itself_and_without_steps(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, run=run(SLOW), base=run(SLOW), tool="compare") as tab:
        tab.settle()
        expect(verdict(tab)).to_contain_text("No change beyond noise")
        expect(tab.inside.locator("main")).to_contain_text("No part of a step has changed.")
        expect(tab.inside.get_by_role("button", name="Swap")).to_have_count(0)
    with tab_of(browser, board, run=run(FAST), base=run(NO_STEPS), tool="compare") as tab:
        tab.settle()
        expect(verdict(tab)).to_contain_text("no steps were found")
        expect(waterfall(tab)).to_have_count(0)
        expect(tab.inside.get_by_role("region", name="By scope")).to_have_count(0)
        expect(tab.inside.get_by_role("region", name=re.compile("^By op"))).to_have_count(0)
        # From the begin of a step of the one, and of the other's capture.
        tab.inside.get_by_role("button", name="Both traces, aligned by step").click()
        for letter in ("A", "B"):
            expect(ruler(tab, letter)).to_have_accessible_name(re.compile("10.6 ms from -300 µs"))


@pytest.mark.slow
def test_steps_of_a_are_chosen_apart(browser: Browser, board: Board) -> None:
    """Also of a run that is compared with itself, which then can be swapped."""
    with tab_of(browser, board, run=run(SLOW), base=run(SLOW), steps="8-10", tool="compare") as tab:
        tab.settle()
        steps = tab.inside.get_by_role("button", name="Steps of A")
        sides = tab.inside.get_by_role("table", name="A and B side by side")
        row = sides.get_by_role("row", name=re.compile("^Typical steps"))
        expect(row).to_contain_text("33")
        steps.click()
        tab.inside.get_by_label("Steps, by their numbers").fill("2-6")
        tab.page.keyboard.press("Enter")
        tab.settle()
        expect(steps).to_contain_text("steps 2-6")
        expect(row).to_contain_text("53")
        assert "base_steps=2-6" in tab.address()
        tab.inside.get_by_role("button", name="Swap").click()
        tab.settle()
        expect(steps).to_contain_text("steps 8-10")
        expect(row).to_contain_text("35")
        # In the trace of A the range is A's own.
        table_of(tab).get_by_role("row", name=re.compile("dense.MatMul")).click()
        tab.inside.get_by_role("button", name="In A's trace").click()
        tab.page.wait_for_function("() => location.hash.includes('tool=trace_viewer')")
        tab.settle()
        assert "p.perfplugin.steps=8-10" in tab.address()
    with tab_of(browser, board, run=run(SLOW), base=run(FAST), base_steps="2-6", tool="compare") as tab:
        tab.settle()
        steps.click()
        tab.inside.get_by_role("button", name="As B").click()
        tab.settle()
        expect(steps).to_have_text(re.compile("^Steps of A.*: steps ▾$"))
        assert "base_steps" not in tab.address()


@pytest.mark.slow
def test_a_long_table_scrolls_within_itself(browser: Browser, tmp_path: Path, log: Path) -> None:
    """400 ops, of which a screen's are drawn: what follows is reached without passing all."""
    for session, ms in (("a", 1), ("b", 2)):
        space = Space(hostnames=["h"])
        line = space.plane("/host:CPU").line(1, "python")
        for step in range(4):
            line.event("train", step * 1000 * MS, 1000 * MS, {"step_num": step, "_r": 1})
            for i in range(400):
                line.event(f"layer{i}/MatMul:MatMul", (step * 1000 + 2 * i) * MS, ms * MS)
        path = tmp_path / f"logs/{session}/h.xplane.pb"
        path.parent.mkdir(parents=True)
        path.write_bytes(space.bytes())
    with tensorboard(log, "--logdir", str(tmp_path / "logs")) as board:
        board.runs(2)
        with tab_of(browser, board, run="b", base="a", tool="compare") as tab:
            tab.settle()
            expect(table_of(tab)).to_have_attribute("aria-rowcount", "403")
            scroller = table_of(tab).locator("xpath=..")
            assert scroller.evaluate("element => element.clientHeight") <= 0.6 * WIDE[1]
            assert scroller.locator("tbody tr").count() < 60
            scroller.press("End")
            expect(scroller.locator("tr[aria-rowindex='403']")).to_be_in_viewport()


def test_what_else_differs_is_below(browser: Browser, board: Board) -> None:
    """Counts, whatever was captured; one host on each side is no table of hosts."""
    with tab_of(browser, board, run=run(SLOW), base=run(FAST), tool="compare") as tab:
        tab.settle()
        counts = tab.inside.locator(".panel", has=tab.inside.locator("tbody")).filter(has_text="Functions traced")
        expect(counts).to_have_count(1)
        expect(counts.locator("tbody tr").filter(has_text="Ops")).to_have_count(1)
        expect(tab.inside.get_by_text("Own change")).to_have_count(0)


def test_a_base_that_is_gone_is_said_and_another_can_be_picked(browser: Browser, board: Board) -> None:
    with tab_of(browser, board, allowed=("404",), run=run(SLOW), base="gone", tool="compare") as tab:
        expect(tab.inside.get_by_role("alert")).to_contain_text("no run 'gone'")
        pick(tab, FAST)
        expect(verdict(tab)).to_contain_text("14 ms instead of 10 ms")


@pytest.mark.slow
def test_one_run_is_said_to_be_alone(browser: Browser, tmp_path: Path, log: Path) -> None:
    path = tmp_path / "logs/only/h.xplane.pb"
    path.parent.mkdir(parents=True)
    path.write_bytes(program(10, 4).bytes())
    with tensorboard(log, "--logdir", str(tmp_path / "logs")) as board:
        board.runs()
        with tab_of(browser, board, run="only", tool="compare") as tab:
            tab.settle()
            expect(tab.inside.locator("main")).to_contain_text("The logdir holds one run")


@pytest.mark.parametrize(
    ("theme", "size"),
    slow_but((("light", WIDE), ("dark", PHONE)), [("light", WIDE), ("dark", WIDE), ("light", NARROW), ("dark", PHONE)]),
    ids=str,
)
def test_it_fits_and_names_are_text(browser: Browser, board: Board, theme: Theme, size: tuple[int, int]) -> None:
    tab = open_tab(browser, board, {"run": run(SLOW), "base": run(FAST), "tool": "compare"}, theme, size)
    tab.settle()
    for by in ("category", "op"):
        tab.inside.get_by_role("group", name="by").first.get_by_role("button", name=by, exact=True).click()
        tab.settle()
        assert tab.frame.evaluate(SIDEWAYS) == 0
        assert tab.frame.evaluate(NAMELESS) == []
    expect(waterfall(tab)).to_contain_text("onerror")
    expect(tab.inside.get_by_role("figure", name=re.compile("^Step times. A: 11 steps"))).to_be_visible()
    tab.inside.get_by_role("button", name="Both traces, aligned by step").click()
    expect(pane(tab, "B").locator(".pair-selected")).to_contain_text("dense/MatMul")
    assert tab.frame.evaluate(SIDEWAYS) == 0
    assert tab.frame.evaluate(NAMELESS) == []
    tab.screenshot(f"compare-{theme}-{size[0]}")
    assert tab.inside.locator("img, iframe, main script").count() == 0
    assert tab.page.evaluate("() => window.hacked") is None
    tab.watch.check()
    tab.page.context.close()
