"""What a page says of itself: the hint of the first visit, the help, and how far an answer is that takes long."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Browser, Route, expect

from tensorboard_perfplugin.reference import columns, findings
from tests.integration._board import Board, until
from tests.integration._browser import NEW, after_routes, tab_of
from tests.integration.test_browser_axe import AXE, assert_clean

TORCH = "torch_train"


def test_the_hint_of_the_first_visit_goes_for_good(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, script=NEW, run=TORCH, tool="overview") as tab:
        tab.settle()
        hint = tab.inside.get_by_role("complementary", name="First visit")
        sentences = re.findall(r"[.?!](?:\s|$)", hint.locator("p").inner_text())
        assert 1 <= len(sentences) <= 3
        tab.screenshot("hint")
        hint.get_by_role("button").click()
        expect(hint).to_have_count(0)
        tab.page.reload()
        tab.settle()
        expect(hint).to_have_count(0)


def test_the_help_explains_the_page_in_front(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=TORCH, tool="op_stats") as tab:
        tab.settle()
        for tool in ("op_stats", "overview", "trace_viewer"):
            tab.go(run=TORCH, tool=tool)
            tab.settle()
            tab.inside.get_by_role("button", name="Help", exact=True).click()
            dialog = tab.inside.get_by_role("dialog", name="Help")
            expect(dialog).to_contain_text("What to do with it")
            specs = samples_board.ask("tools")["tools"]
            expect(dialog).to_contain_text(next(each["question"] for each in specs if each["name"] == tool))
            if tool == "op_stats":
                expect(dialog).to_contain_text("What its panels say")
                tab.screenshot("help")
            tab.page.keyboard.press("Escape")
            expect(dialog).to_have_count(0)
        tab.go(run=TORCH, tool="op_stats")
        tab.settle()
        tab.inside.get_by_role("button", name="Help", exact=True).click()
        # A panel's name leads to it.
        tab.inside.get_by_role("dialog", name="Help").get_by_role("button", name="Ops", exact=True).click()
        expect(tab.inside.get_by_role("dialog", name="Help")).to_have_count(0)
        expect(tab.inside.get_by_role("region", name="Ops", exact=True).first).to_be_in_viewport()


def test_the_head_of_a_column_leads_to_its_documentation(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    with tab_of(browser, samples_board, run=TORCH, tool="op_stats") as tab:
        tab.settle()
        head = tab.inside.locator("th[data-column=self_us]").first
        head.hover()
        head.get_by_role("button", name="Help on Self").click()
        meaning = tab.inside.get_by_role("dialog", name="Help").locator("[data-at=self_us]")
        expect(meaning).to_be_focused()
        address = meaning.get_by_role("link").get_attribute("href") or ""
        page, _, place = address.partition("#")
        assert page.endswith("/docs/reference.md")
        assert f'<a id="{place}"></a>`self_us`' in columns.page()
        tab.screenshot("column_help")
        if AXE.exists():
            assert_clean(tab)


def test_a_finding_says_why_it_is_said(browser: Browser, samples_board: Board) -> None:
    """By the keyboard, with the server away at first; axe-core finds nothing in it."""
    samples_board.runs()
    [finding, *_] = samples_board.ask("data", run=TORCH, tool="op_stats")["findings"]
    told = samples_board.ask("finding", code=finding["code"])
    with tab_of(browser, samples_board, allowed=("ERR_FAILED",), run=TORCH, tool="op_stats") as tab:
        tab.settle()
        tab.page.route("**/finding?**", lambda route: route.abort())
        way = tab.inside.get_by_role("button", name=re.compile("^Why: ")).first
        way.focus()
        tab.page.keyboard.press("Enter")
        why = tab.inside.get_by_role("dialog", name="Help").get_by_role("region", name="Why this is reported")
        expect(why).to_be_focused()
        expect(why.get_by_role("alert")).to_be_visible()
        tab.page.unroute("**/finding?**")
        why.get_by_role("button", name="Try again").click()
        expect(why).to_contain_text(told["when"].replace("`", ""))
        why.get_by_text("Thresholds of its rules").click()
        expect(why).to_contain_text(told["limits"][0]["why"].replace("`", ""))
        # Nothing asks for it but a person's press.
        link = why.get_by_role("link", name=finding["code"])
        assert link.get_attribute("href") == told["documentation"]
        assert f"\n### `{finding['code']}`\n" in findings.page()
        tab.screenshot("why")
        if AXE.exists():
            assert_clean(tab)
        tab.page.keyboard.press("Escape")
        expect(tab.inside.get_by_role("dialog", name="Help")).to_have_count(0)
        expect(way).to_be_focused()


def test_an_answer_that_takes_long_says_how_far_it_is_and_is_called_off(browser: Browser, samples_board: Board) -> None:
    samples_board.runs()
    held: list[Route] = []
    state = {"schema": 1, "stage": "analysing", "host": "h3", "hosts": 8, "hosts_done": 2}
    state |= {"size_bytes": 80_000_000, "done_bytes": 20_000_000, "elapsed_s": 4.0}
    cancelled: list[str] = []

    def cancel(route: Route) -> None:
        cancelled.append(str(json.loads(route.request.post_data or "{}").get("work")))
        route.continue_()

    with tab_of(browser, samples_board, run=TORCH) as tab:
        tab.settle()
        tab.page.route(re.compile(r"/data\?.*tool=op_stats"), lambda route: held.append(route))
        tab.page.route(re.compile(r"/progress\?"), lambda route: route.fulfill(json=state))
        tab.page.route(re.compile(r"/progress/cancel$"), cancel)
        tab.go(run=TORCH, tool="op_stats")
        status = tab.inside.get_by_role("status").filter(has_text="analysing h3, 2 of 8 hosts")
        expect(status).to_contain_text("20.0 MB of 80.0 MB")
        expect(status).to_contain_text("about 12 s left")
        tab.screenshot("progress")
        name = held[0].request.headers["x-perfplugin-work"]
        status.get_by_role("button", name="Cancel").click()
        alert = tab.inside.get_by_role("alert")
        expect(alert).to_contain_text("Cancelled")
        until(lambda: after_routes(tab.page, lambda: cancelled), lambda names: names == [name], "the cancellation")
        tab.page.unroute_all()
        alert.get_by_role("button", name="Try again").click()
        tab.settle()
        expect(tab.inside.get_by_role("region", name="Ops", exact=True).first).to_be_visible()
