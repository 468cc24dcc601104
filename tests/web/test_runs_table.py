"""`runs_table` as a browser asks it: rows come by and by, names are only looked up, each bound from both sides."""

from __future__ import annotations

import csv
import io
import time
from typing import Any

import pytest

from tensorboard_perfplugin.answers.table_of_runs import RUNS
from tests.build_capture import Space
from tests.cli.test_compare import space
from tests.web.conftest import Browser, OpenBrowser

FIRST, SECOND, HOSTILE = "train/2026_01_01_00_00_00", "train/2026_01_02_00_00_00", "<img src=x onerror=1>"


@pytest.fixture
def browser(open_browser: OpenBrowser) -> Browser:
    files: dict[str, Space | bytes] = {
        "train/plugins/profile/2026_01_01_00_00_00/h.xplane.pb": space(100),
        "train/plugins/profile/2026_01_02_00_00_00/h.xplane.pb": space(140, "<b>op</b>"),
        f"{HOSTILE}/h.xplane.pb": b"no capture",
    }
    return open_browser(files)


def rows(browser: Browser, **query: Any) -> dict[str, Any]:
    """The whole table, once it is there."""
    end = time.monotonic() + 20
    while (body := browser.json("runs_table", query))["working"] or body["runs"] < 3:
        assert time.monotonic() < end, body
        time.sleep(0.01)
    return dict(body)


def test_rows_come_by_and_by_and_say_what_they_are(browser: Browser) -> None:
    begin = browser.json("runs_table")
    assert [column["name"] for column in begin["table"]["columns"]] == [column.name for column in RUNS.columns]
    body = rows(browser, baseline=FIRST)
    assert (body["runs"], body["read"], body["failed"], body["working"]) == (3, 3, 1, False)
    columns = body["columns"]
    told = {name: {key: cells[i] for key, cells in columns.items()} for i, name in enumerate(columns["run"])}
    assert set(told) == {FIRST, SECOND, HOSTILE}
    assert told[SECOND]["change_share"] == told[SECOND]["baseline_change_share"] == pytest.approx(1 / 3)
    assert told[SECOND]["change_verdict"] == "slower"
    assert told[HOSTILE]["failed"] is True
    assert "h.xplane.pb" in told[HOSTILE]["first_finding"]
    later = browser.json("runs_table", {"after": body["serial"], "baseline": FIRST})
    assert (later["columns"]["run"], "table" in later) == ([], False)


def test_csv_has_all_columns_and_no_formula(browser: Browser) -> None:
    rows(browser)
    response = browser.get("runs_table", {"format": "csv"})
    assert response.headers["Content-Disposition"] == 'attachment; filename="runs.csv"'
    table = list(csv.DictReader(io.StringIO(response.text)))
    assert {row["run"] for row in table} == {FIRST, SECOND, HOSTILE}
    assert list(table[0]) == [column.name for column in RUNS.columns]


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "\0", "\ud800".encode("utf-8", "surrogatepass"), "x" * 4096, HOSTILE]
)
def test_names_that_are_no_runs_are_no_error_and_no_path(name: str, browser: Browser) -> None:
    """A run may go while it is shown."""
    body = rows(browser, first=[name, FIRST], baseline=name)
    assert set(body["columns"]["baseline_change_share"]) <= {None, 0.0}


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"after": "-1"}, "after='-1' is no whole number"),
        ({"after": "1e3"}, "after='1e3' is no whole number"),
        ({"after": "٣"}, "is no whole number"),
        ({"after": "9" * 19}, "is no whole number"),
        ({"format": "xml"}, "format='xml'"),
        ({"first": ["x"] * 201}, "first is given 201 times; the maximum is 200"),
        ({"baseline": ["a", "b"]}, "baseline is given 2 times"),
        ({"sort": "x"}, "unknown parameter 'sort'"),
    ],
)
def test_what_is_refused(query: dict[str, Any], message: str, browser: Browser) -> None:
    assert message in browser.error("runs_table", query, 400)[1]


@pytest.mark.parametrize("query", [{"after": "9" * 18}, {"first": ["x"] * 200}])
def test_what_is_just_not_refused(query: dict[str, Any], browser: Browser) -> None:
    assert browser.json("runs_table", query)["schema"] == 1


def test_it_is_only_asked_by_get(browser: Browser) -> None:
    assert browser.post("runs_table", {}).status_code == 405
