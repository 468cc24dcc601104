"""Queries that a page sends: only where the operator allows them, within limits, as captures are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.build_capture import Space
from tests.conftest import MakeLogdir
from tests.web.conftest import Browser


@pytest.fixture
def logdir(make_logdir: MakeLogdir) -> Path:
    space = Space()
    space.plane("/host:CPU").line(1, "main").event("step", 0, 5000).event("load", 1000, 2000)
    return Path(make_logdir({"train/a.xplane.pb": space, "train/b.xplane.pb": b"\xff"}))


def asked(browser: Browser, status: int, **body: Any) -> Any:
    response = browser.post("sql", {"query": "select name from events order by 1", "runs": ["train"], **body})
    assert response.status_code == status, response.text
    return response.json


def test_rows_of_a_query(logdir: Path) -> None:
    browser = Browser(str(logdir), perfplugin_sql=True)
    answer = asked(browser, 200)
    assert answer["columns"] == [{"name": "name", "dtype": "text", "unit": "", "title": "Name"}]
    assert (answer["cells"], answer["is_cut"]) == ([["load", "step"]], False)
    assert [each["host"] for each in answer["left_out"]] == ["b"]
    assert asked(browser, 200, query="from range(10001)")["is_cut"]
    schema = browser.json("sql/schema")
    assert schema["why_not"] == ""
    assert {each["name"] for each in schema["views"][2]["columns"]} >= {"event", "key", "number"}
    for example in schema["examples"]:
        asked(browser, 200, query=example["query"])


def test_what_is_refused(logdir: Path) -> None:
    off, on = Browser(str(logdir)), Browser(str(logdir), perfplugin_sql=True)
    why = "queries are off: start TensorBoard with --perfplugin_sql to allow them to all that reach this page"
    assert (asked(off, 400)["error"]["message"], off.json("sql/schema")["why_not"]) == (why, why)
    for status, body in (
        (400, {"query": "copy (select 1) to '/tmp/x'"}),
        (400, {"query": ""}),
        (400, {"runs": []}),
        (400, {"runs": "train"}),
        (400, {"runs": ["train"] * 65}),
        (404, {"runs": ["nope"]}),
        (404, {"hosts": ["nope"]}),
        (400, {"path": "/etc"}),
    ):
        assert asked(on, status, **body)["error"]["message"]
    assert on.get("sql").status_code == 405
    assert on.post("sql", {}, {"X-Perfplugin": None}).status_code == 403
    assert on.post("sql", {}, {"Sec-Fetch-Site": "cross-site"}).status_code == 403
