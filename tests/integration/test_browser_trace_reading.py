"""What one reads of the trace, in a real browser: hits, a slice and its relatives, an area, steps, export, ways in."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from urllib.parse import quote, unquote, urlencode

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from tests.integration._board import Board
from tests.integration._browser import Tab, open_tab, tab_of
from tests.integration.test_tensorboard import GPU_RUN

NCCL = "ncclDevKernel_AllReduce_Sum_f32_RING_LL"
MS = 1_000_000_000


def find_box(tab: Tab) -> Locator:
    return tab.inside.get_by_role("search").get_by_role("searchbox")


def details(tab: Tab) -> Locator:
    return tab.inside.get_by_role("region", name="Selected slice")


def area(tab: Tab) -> Locator:
    return tab.inside.get_by_role("region", name="Selected area")


def wait_for_address(tab: Tab, expression: str) -> str:
    """The address once it matches, percent-decoded."""
    tab.page.wait_for_function("e => new RegExp(e).test(decodeURIComponent(location.hash))", arg=expression)
    return unquote(tab.address())


# Find


def test_hits_are_listed_stepped_through_and_in_the_address(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer") as tab:
        tab.settle()
        find_box(tab).fill("ncclDevKernel")
        hits = tab.inside.get_by_role("region", name="Hits")
        expect(hits.get_by_role("listitem")).to_have_count(12)
        tab.page.keyboard.press("Enter")
        expect(hits.locator("[aria-current=true]")).to_contain_text("15.2")
        expect(details(tab)).to_contain_text(NCCL)
        for key, place in (("Enter", "2 of 12"), ("Shift+Enter", "1 of 12"), ("Shift+Enter", "12 of 12")):
            tab.page.keyboard.press(key)
            expect(hits.get_by_role("heading")).to_have_text(place)
        tab.inside.locator(".trace-canvas").focus()
        tab.page.keyboard.press("n")
        expect(hits.get_by_role("heading")).to_have_text("1 of 12")
        tab.page.keyboard.press("Shift+N")
        expect(hits.get_by_role("heading")).to_have_text("12 of 12")


def test_hits_beyond_a_page_are_reached(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer", search="cuLaunchKernel") as tab:
        tab.settle()
        hits = tab.inside.get_by_role("region", name="Hits")
        pages = hits.get_by_role("navigation", name="Pages of hits")
        text = pages.inner_text()
        [total] = re.findall(r"of ([\d,]+)", text)
        assert int(total.replace(",", "")) > 1000
        pages.get_by_role("button", name="Next page").click()
        expect(pages).to_contain_text(f"101–200 of {total}")
        hits.locator("ol button").first.click()
        expect(hits.get_by_role("heading")).to_have_text(f"101 of {total}")
        hits.get_by_text("By track").click()
        hits.locator("ul button").first.click()
        expect(hits.get_by_role("heading")).not_to_contain_text(total)


def test_an_expression_that_is_none_says_so_in_its_place(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    allowed = ("status 400", "status of 400")
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer", allowed=allowed) as tab:
        tab.settle()
        tab.inside.get_by_role("button", name="Regular expression").click()
        find_box(tab).fill("nccl(")
        expect(tab.inside.locator("#trace-find-error")).to_be_visible()
        expect(find_box(tab)).to_have_attribute("aria-invalid", "true")
        find_box(tab).fill("^nccl.*LL")
        expect(tab.inside.locator("#trace-find-error")).to_have_count(0)
        expect(tab.inside.get_by_text("12 hits").first).to_be_visible()
        tab.inside.get_by_role("button", name="Whole name").click()
        expect(tab.inside.get_by_text("no hits").first).to_be_visible()
        wait_for_address(tab, "match=exact")


# A slice


def test_a_kernel_leads_to_its_launch_and_back(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer", search=NCCL) as tab:
        tab.settle()
        find_box(tab).press("Enter")
        answered = samples_board.ask("data", run=GPU_RUN, tool="trace_viewer", search=NCCL)["tables"]["hits"]["columns"]
        event = f"{answered['host'][0]}:{answered['row'][0]}"
        answer = samples_board.ask("data", run=GPU_RUN, tool="trace_viewer", event=event)
        why = answer["findings"][0]["title"].replace("`", "")
        expect(details(tab).locator(".trace-why")).to_have_text(why)
        tab.screenshot("trace_kernel")
        links = details(tab).get_by_role("region", name="Related").get_by_role("listitem")
        expect(links).to_have_count(len(answer["tables"]["links"]["columns"]["kind"]))
        for group in ("Event", "Op and step", "Stats"):
            expect(details(tab).get_by_role("region", name=group, exact=True)).to_be_visible()
        links.filter(has_text="launched by").get_by_role("button").click()
        expect(details(tab).get_by_role("heading", level=2)).to_contain_text("cuLaunchKernel")
        wait_for_address(tab, f"event=(?!{event})")
        details(tab).get_by_role("button", name="Back").click()
        expect(details(tab).get_by_role("heading", level=2)).to_contain_text("ncclDevKernel")


def test_related_events_are_gone_along_by_keys(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer", search=NCCL) as tab:
        tab.settle()
        find_box(tab).press("Enter")
        buttons = details(tab).get_by_role("region", name="Related").get_by_role("button")
        buttons.first.focus()
        tab.page.keyboard.press("ArrowDown")
        expect(buttons.nth(1)).to_be_focused()
        tab.page.keyboard.press("ArrowUp")
        expect(buttons.first).to_be_focused()


# An area


def test_an_area_is_summed_by_name_category_gap_and_stack(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    window = {"start_ps": str(13 * MS), "end_ps": str(18 * MS)}
    told = samples_board.ask("data", run=GPU_RUN, tool="trace_viewer", area="true", **window)
    tables, summary = told["tables"], told["summary"]
    shown = f"{13 * MS}-{18 * MS}"
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer", area=shown) as tab:
        tab.settle()
        expect(area(tab)).to_contain_text(f"{summary['area_events']} events on {summary['area_tracks']} tracks")
        names = area(tab).get_by_role("table")
        expect(names.locator("tbody tr").first).to_contain_text(tables["area_names"]["columns"]["name"][0])
        expect(names).to_have_attribute("aria-rowcount", str(len(tables["area_names"]["columns"]["name"]) + 1))
        with tab.page.expect_download() as download:
            area(tab).get_by_role("link", name="CSV").click()
        rows = Path(download.value.path()).read_text().splitlines()
        assert len(rows) == 1 + len(tables["area_names"]["columns"]["name"])
        area(tab).get_by_role("tab", name="By category").click()
        expect(area(tab).get_by_role("table")).to_contain_text("Collectives")
        area(tab).get_by_role("tab", name="Flame graph").click()
        expect(area(tab).get_by_role("application", name="Flame graph")).to_be_visible()
        area(tab).get_by_role("tab", name="Bottom-up").click()
        expect(area(tab).get_by_role("treegrid")).to_contain_text("ncclDevKernel")
        area(tab).get_by_role("tab", name="Gaps").click()
        before = tab.address()
        area(tab).locator("tbody tr:not([aria-hidden])").nth(1).click()
        tab.page.wait_for_function("old => location.hash.slice(1) !== old", arg=before)
        address = wait_for_address(tab, "marks=")
        gaps = tables["area_gaps"]["columns"]
        view = dict(re.findall(r"p\.perfplugin\.(start_ps|end_ps)=(\d+)", address))
        start, end = gaps["start_ps"][1], gaps["start_ps"][1] + gaps["duration_ps"][1]
        assert int(view["start_ps"]) <= start < end <= int(view["end_ps"])
        area(tab).get_by_role("button", name="Clear the area").click()
        expect(area(tab)).to_have_count(0)


def test_names_of_an_area_lead_to_the_longest_and_to_all(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    shown = f"{13 * MS}-{18 * MS}"
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer", area=shown) as tab:
        tab.settle()
        kernel = area(tab).locator("tbody tr").filter(has_text=NCCL)
        kernel.click()
        area(tab).get_by_role("button", name="Go to longest").click()
        expect(details(tab)).to_contain_text(NCCL)
        tab.inside.get_by_role("tab", name="Area", exact=True).click()
        kernel.click()
        area(tab).get_by_role("button", name="Find all").click()
        expect(tab.inside.get_by_text("12 hits").first).to_be_visible()


# Steps


def test_a_step_of_the_list_is_gone_to(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    steps = samples_board.ask("data", run=GPU_RUN, tool="trace_viewer", list_steps="true")["tables"]["steps"]["columns"]
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer") as tab:
        tab.settle()
        tab.inside.get_by_role("button", name="Steps", exact=True).click()
        panel = tab.inside.get_by_role("region", name="Steps")
        expect(panel.get_by_role("listitem")).to_have_count(len(steps["number"]))
        panel.get_by_role("listitem").nth(2).get_by_role("button").first.click()
        start, end = steps["start_ps"][2], steps["start_ps"][2] + steps["duration_ps"][2]
        wait_for_address(tab, f"range={start}-{end}")
        panel.get_by_role("searchbox").fill(str(steps["name"][4]))
        expect(panel.get_by_role("listitem")).to_have_count(1)


# Out of the trace


def exported(tab: Tab) -> Locator:
    tab.inside.get_by_role("button", name="Export the trace").click()
    return tab.inside.get_by_role("dialog", name="Export the trace")


def test_two_steps_are_compared_and_the_address_keeps_that(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer") as tab:
        tab.settle()
        tab.inside.get_by_role("button", name="Steps", exact=True).click()
        steps = tab.inside.get_by_role("region", name="Steps")
        steps.get_by_role("listitem").nth(2).get_by_role("button").first.click()
        row = steps.get_by_role("listitem").nth(3)
        row.hover()
        row.get_by_role("button", name="Compare step 3").click()
        compared = tab.inside.get_by_role("region", name="Comparison")
        expect(compared.locator(".trace-summary")).to_contain_text("Step 3 takes 23.1 ms more than step 2")
        expect(compared.get_by_role("table").locator("tbody tr").first).to_contain_text("IteratorGetNext")
        tab.screenshot("trace_compared")
        compared.get_by_role("tab", name="By category").click()
        expect(compared.get_by_role("tabpanel")).to_contain_text("Input wait")
        compared.get_by_role("button", name="Swap A and B").click()
        expect(compared.locator(".trace-summary")).to_contain_text("Step 2 takes 23.1 ms less than step 3")
        # The later of the two is A.
        wait_for_address(tab, r"compare=52\d+-\d+,35\d+-")
        compared.get_by_role("button", name="End the comparison").click()
        wait_for_address(tab, "^(?!.*compare=)")
        expect(compared).to_have_count(0)
        tab.page.go_back()
        expect(compared.locator(".trace-summary")).to_contain_text("less than step 3")


def test_damage_is_said_above_the_tracks_until_it_is_put_away(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run="broken_tail/2026_11_20_09_00_00", tool="trace_viewer") as tab:
        tab.settle()
        notes = tab.inside.get_by_role("list", name="Notes on this capture")
        expect(notes.get_by_role("listitem")).to_have_count(2)
        notes.get_by_text("is damaged").click()
        expect(notes).to_contain_text("the data ends")
        notes.get_by_role("button", name="Dismiss the notes").click()
        expect(notes).to_have_count(0)


def test_the_whole_trace_is_downloaded_as_chrome_json_or_in_another_format(
    browser: Browser, samples_board: Board
) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer") as tab:
        tab.settle()
        with tab.page.expect_download() as download:
            exported(tab).get_by_role("link", name="Download").first.click()
        assert download.value.suggested_filename.endswith(".json.gz")
        trace = json.loads(gzip.decompress(Path(download.value.path()).read_bytes()))
        steps = 6  # are slices of a track of their own
        slices = [event for event in trace["traceEvents"] if event["ph"] == "X"]
        derived = sum(event["cat"] == "derived" for event in slices)
        assert (len(slices) - derived, derived) == (14_046 + steps, 9_420)
        menu = tab.inside.get_by_role("dialog", name="Export the trace")
        menu.get_by_label("Download as").select_option("pprof")
        with tab.page.expect_download() as download:
            menu.get_by_role("link", name="Download").first.click()
        assert download.value.suggested_filename.endswith("_whole.pb.gz")


def test_derived_tracks_lie_over_the_streams_and_lead_to_their_kernels(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer") as tab:
        tab.settle()
        labels = tab.inside.get_by_role("tree", name="Tracks").get_by_role("treeitem")
        expect(labels.nth(5)).to_contain_text("gpu0 streams")
        assert [text.split("\n")[0] for text in labels.all_inner_texts()[1:5]] == [
            "Steps",
            "Phase",
            "Name scope",
            "Ops",
        ]
        find_box(tab).fill("gradient_tape")
        hits = tab.inside.get_by_role("region", name="Hits")
        expect(hits.get_by_role("heading")).to_contain_text("hits")
        tab.page.keyboard.press("Enter")
        expect(hits.get_by_role("heading")).to_contain_text("1 of ")
        hits.get_by_text("By track").click()
        expect(hits).to_contain_text("Name scope")
        tab.page.keyboard.press("Escape")
    derived = 14_046 + 7  # the first step's backward pass
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer", event=str(derived)) as tab:
        tab.settle()
        expect(details(tab)).to_contain_text("backward")
        expect(details(tab).get_by_role("region", name="Made of")).to_contain_text("192")
        tab.screenshot("trace_derived")
        details(tab).get_by_role("region", name="Related").get_by_role("button").nth(2).click()
        expect(details(tab)).to_contain_text("Launch")


#: What answers as the other viewer's page does: PONG to PING, then takes a buffer.
VIEWER = """<!doctype html><title>waiting</title><script>
addEventListener("message", ({data, source, origin}) => {
  if (data === "PING") source.postMessage("PONG", origin);
  else if (data.perfetto) document.title = `${data.perfetto.title} ${data.perfetto.buffer.byteLength}`;
});
</script>"""


@pytest.mark.slow
def test_the_trace_is_handed_to_another_viewer_within_the_browser(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    state = {"run": GPU_RUN, "tool": "trace_viewer"}
    # The one foreign request is the new tab's own.
    tab = open_tab(browser, samples_board, state, allowed=("foreign request: https://ui.perfetto.dev/",))

    def answer(route: Route) -> None:
        route.fulfill(body=VIEWER, content_type="text/html")

    tab.page.context.route("https://ui.perfetto.dev/**", answer)
    tab.settle()
    menu = exported(tab)
    with tab.page.expect_popup() as popup:
        menu.get_by_role("button", name="Open in Perfetto").first.click()
    other: Page = popup.value
    other.wait_for_function("() => document.title !== 'waiting'")
    title, size = other.title().rsplit(" ", 1)
    assert (title, int(size) > 100_000) == (GPU_RUN, True)
    expect(menu.get_by_role("status")).to_contain_text("sent")
    tab.watch.check()
    tab.page.context.close()


@pytest.mark.slow
def test_what_is_handed_over_is_given_up_by_a_press(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    state = {"run": GPU_RUN, "tool": "trace_viewer"}
    tab = open_tab(browser, samples_board, state, allowed=("foreign request: https://ui.perfetto.dev/",))
    tab.page.context.route(
        "https://ui.perfetto.dev/**", lambda route: route.fulfill(body=VIEWER, content_type="text/html")
    )
    held: list[Route] = []
    tab.page.route(re.compile(r"/trace\?"), lambda route: held.append(route))
    tab.settle()
    menu = exported(tab)
    with tab.page.expect_popup() as popup:
        menu.get_by_role("button", name="Open in Perfetto").first.click()
    expect(menu.get_by_role("status")).to_contain_text("Reading the trace")
    expect(menu.get_by_role("button", name="Open in Perfetto").first).to_be_disabled()
    menu.get_by_role("button", name="Cancel").click()
    expect(menu.get_by_role("status")).to_contain_text("Cancelled")
    expect(menu.get_by_role("button", name="Open in Perfetto").first).to_be_enabled()
    assert popup.value.is_closed()
    for route in held:
        route.abort()
    tab.watch.check()
    tab.page.context.close()


def test_a_browser_that_opens_no_tab_is_told_of(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU_RUN, tool="trace_viewer") as tab:
        tab.settle()
        tab.frame.evaluate("() => { window.open = () => null }")
        menu = exported(tab)
        menu.get_by_role("button", name="Open in Perfetto").first.click()
        expect(menu.get_by_role("status")).to_contain_text("blocked the tab")


# Into the trace


def test_evidence_is_marked_in_the_trace(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    findings = samples_board.ask("data", run=GPU_RUN, tool="overview")["findings"]
    place = next(f["evidence"][0] for f in findings if f["evidence"] and f["tool"] == "trace_viewer")
    with tab_of(browser, samples_board, run=GPU_RUN, tool="overview") as tab:
        tab.settle()
        tab.inside.get_by_role("button", name=re.compile("show in Trace")).first.click()
        wait_for_address(tab, f"marks=.*:{place['start_ps']}-{place['end_ps']}")
        tab.settle()


def test_a_row_of_kernels_marks_exactly_its_events(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    kernels = samples_board.ask("data", run=GPU_RUN, tool="kernel_stats")["tables"]["kernels"]["columns"]
    with tab_of(browser, samples_board, run=GPU_RUN, tool="kernel_stats", table="kernels") as tab:
        tab.settle()
        tab.inside.get_by_role("table").locator("tbody tr").first.dblclick()
        wait_for_address(tab, "tool=trace_viewer.*match=row")
        expect(tab.inside.get_by_text(f"{kernels['occurrences'][0]:,} hits").first).to_be_visible()
        total = f"{kernels['total_us'][0] / 1000:.3g} ms"
        expect(tab.inside.locator(".trace-summary")).to_contain_text(total)


def test_each_number_of_a_row_leads_to_its_own_events(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU_RUN, tool="op_stats") as tab:
        tab.settle()
        row = tab.inside.get_by_role("region", name="Ops").get_by_role("table").first.locator("tbody tr").first
        row.click()
        total = row.get_by_role("button").last
        words = total.inner_text()
        total.click()
        wait_for_address(tab, r"tool=trace_viewer.*search=op_stats\.ops\.total_us.*match=row")
        expect(tab.inside.locator(".trace-summary")).to_contain_text(words)
        box = tab.inside.get_by_role("search")
        expect(box.get_by_role("status")).to_contain_text("hit")
        box.get_by_role("button", name="Clear highlight").click()
        wait_for_address(tab, "^(?!.*search=)")


def test_a_part_of_a_step_is_outlined_on_the_tracks_that_it_is_of(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=GPU_RUN, tool="overview") as tab:
        tab.settle()
        tab.inside.get_by_role("group", name="Where a step's time goes").get_by_role(
            "button", name=re.compile("^Copy in")
        ).click()
        address = wait_for_address(tab, r"start_ps=.*search=overview\.steps\.copy_in_ms.*match=row")
        assert "range=" not in address
        hits = tab.inside.get_by_role("region", name="Hits")
        # Two devices copied.
        expect(hits.get_by_role("heading")).to_have_text("2 hits")
        tab.screenshot("trace_marked")
        hits.locator("ol button").first.click()
        # A stretch of time is looked at; it is no slice to select.
        expect(details(tab)).to_have_count(0)
        expect(find_box(tab)).to_have_value("")
        find_box(tab).fill("nccl")
        wait_for_address(tab, "^(?!.*match=).*search=nccl")


def test_why_a_gpu_is_idle_is_outlined_by_cause(browser: Browser, samples_board: Board) -> None:
    """From a cell of the pod viewer: the gaps of that cause, each called so; and those of all causes."""
    samples_board.runs()
    idle = samples_board.ask("data", run=GPU_RUN, tool="pod_viewer")["tables"]["idle"]["columns"]
    late = f"{idle['host_wait_ms'][0]:.1f} ms"
    with tab_of(browser, samples_board, run=GPU_RUN, tool="pod_viewer") as tab:
        tab.settle()
        row = tab.inside.get_by_role("region", name="Why GPUs are idle").locator("tbody tr:not([aria-hidden])").first
        row.click()
        row.get_by_role("button", name=late).click()
        wait_for_address(tab, r"tool=trace_viewer.*search=pod_viewer\.idle\.host_wait_ms.*match=row")
        hits = tab.inside.get_by_role("region", name="Hits")
        expect(hits.locator("ol button").first).to_contain_text("Host launched late")
        expect(tab.inside.locator(".trace-summary")).to_contain_text("5 stretches of time: 29 ms")
        key = urlencode({name: str(idle[name][0]) for name in ("host", "device", "stream")}, quote_via=quote)
        tab.go(run=GPU_RUN, tool="trace_viewer", search=f"pod_viewer.idle.idle_ms?{key}", match="row")
        expect(hits.get_by_role("heading")).to_have_text(f"{idle['gaps'][0]:,} hits")
        expect(hits.locator("ol")).to_contain_text("Launch latency")
