"""A page in a cell of a notebook: drawn in a frame that reaches nothing around it, without a request."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import tensorboard_perfplugin
from tests.integration._browser import PATIENCE_MS
from tests.integration.conftest import SAMPLES

pytestmark = pytest.mark.long


def test_a_page_is_drawn_in_a_cell(browser: Browser, tmp_path: Path) -> None:
    profile = tensorboard_perfplugin.open(SAMPLES / "gpu_streams")
    notebook = tmp_path / "notebook.html"
    cells = (profile.show("overview"), profile.show("op_stats", height=800), profile.ops)
    notebook.write_text("<!doctype html>" + "".join(cell._repr_html_() for cell in cells), encoding="utf-8")
    context = browser.new_context(viewport={"width": 1000, "height": 900}, offline=True)
    context.set_default_timeout(PATIENCE_MS)
    page, problems = context.new_page(), list[str]()
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(error.message))
    page.on(
        "request", lambda request: problems.append(request.url) if request.url[:5] not in ("file:", "blob:") else None
    )
    page.goto(notebook.as_uri())
    overview, ops = page.frame_locator("iframe").nth(0), page.frame_locator("iframe").nth(1)
    expect(overview.locator("main")).to_contain_text("17.5 ms per typical step")
    expect(ops.locator("main")).to_contain_text("IteratorGetNext")
    # A page that is not there says so, and the notebook's own address stays.
    overview.get_by_role("button", name="Ops").or_(overview.get_by_role("link", name="Ops")).first.click()
    expect(overview.get_by_text("only overview is shown here: a report has all pages").first).to_be_visible()
    assert page.url == notebook.as_uri()
    expect(page.get_by_text("779 rows").first).to_be_visible()
    context.close()
    assert problems == []
