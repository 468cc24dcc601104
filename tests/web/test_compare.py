"""Two runs of a logdir, compared: what is asked for, what is refused, and what is kept."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.logdir import logdir
from tensorboard_perfplugin.tables import Capture
from tests.build_capture import Space
from tests.columns import read_columns
from tests.web.conftest import Browser, OpenBrowser

MS = 10**9


def program(step_ms: int, op_ms: int) -> Space:
    """Twelve steps, each with one op at its begin."""
    space = Space(hostnames=["h"])
    line = space.plane("/host:CPU").line(1, "python")
    for step in range(12):
        line.event("train", step * step_ms * MS, step_ms * MS, {"step_num": step, "_r": 1})
        line.event("dense/MatMul:MatMul", step * step_ms * MS, op_ms * MS)
    return space


@pytest.fixture
def browser(open_browser: OpenBrowser) -> Browser:
    return open_browser(
        {
            "fast/a.xplane.pb": program(10, 4),
            "slow/a.xplane.pb": program(14, 8),
            "slow/b.xplane.pb": program(14, 8),
            "again/a.xplane.pb": program(10, 4),
        }
    )


def test_a_run_is_compared_with_another(browser: Browser) -> None:
    body = browser.json("data", {"tool": "compare", "run": "slow", "base": "fast", "host": "a"})
    summary = body["summary"]
    assert (body["run"], body["hosts"], summary["base"], summary["new"]) == ("fast → slow", ["a"], "fast", "slow")
    assert (summary["step_time_base_ms"], summary["step_time_new_ms"], summary["verdict"]) == (10, 14, "slower")
    assert body["findings"][0]["code"] == "compare.slower"
    ops = body["tables"]["ops"]["columns"]
    assert (ops["name"][0], ops["change_ms"][0]) == ("dense/MatMul", 4)


def test_swapped_it_is_faster_by_as_much(browser: Browser) -> None:
    there, back = (
        browser.json("data", {"tool": "compare", "run": run, "base": base, "host": "a"})
        for run, base in (("slow", "fast"), ("fast", "slow"))
    )
    assert back["summary"]["step_time_change_ms"] == -there["summary"]["step_time_change_ms"]
    assert back["summary"]["verdict"] == "faster"


def test_with_itself_nothing_has_changed(browser: Browser) -> None:
    body = browser.json("data", {"tool": "compare", "run": "slow", "base": "slow"})
    assert (body["summary"]["step_time_change_ms"], body["summary"]["verdict"]) == (0, "noise")
    assert set(body["tables"]["ops"]["columns"]["change_ms"]) == {0}


def test_several_bases_are_repeats_each_once(browser: Browser) -> None:
    query = [("tool", "compare"), ("run", "slow"), *(("base", run) for run in ("fast", "again", "fast"))]
    assert browser.json("data", query)["summary"]["captures_base"] == 2


def test_a_run_has_repeats_each_once(browser: Browser) -> None:
    query = [("tool", "compare"), ("run", "fast"), ("base", "slow"), ("host", "a")]
    repeats = [("repeat", run) for run in ("again", "fast", "again")]
    body = browser.json("data", [*query, *repeats])
    assert (body["summary"]["captures_new"], body["summary"]["new"]) == (2, "fast, again")
    assert {*body["tables"]["steps"]["columns"]["capture"]} == {"slow", "fast", "again"}
    message = browser.error("data", [*query, *(("repeat", str(i)) for i in range(65))], 400)[1]
    assert "repeat is given 65 times; the maximum is 64" in message


@pytest.mark.parametrize(
    ("query", "status", "message"),
    [
        ({}, 400, "base is missing: choose a run to compare with"),
        ({"base": ""}, 400, "base is missing: choose a run to compare with"),
        ({"base": "nope"}, 404, "no run 'nope' in "),
        ({"base": "fast", "host": "b"}, 404, "run fast has no host 'b': its hosts are a"),
        ({"base": [str(i) for i in range(65)]}, 400, "base is given 65 times; the maximum is 64"),
        ({"base": "fast", "limit": "1"}, 400, "compare has no option 'limit'"),
    ],
)
def test_what_cannot_be_compared_is_said(
    browser: Browser, query: dict[str, str | list[str]], status: int, message: str
) -> None:
    assert message in browser.error("data", {"tool": "compare", "run": "slow", **query}, status)[1]


def test_tools_of_one_run_take_no_base(browser: Browser) -> None:
    assert "'base'" in browser.error("data", {"tool": "op_stats", "run": "slow", "base": "fast"}, 400)[1]


def test_as_table_and_as_arrays(browser: Browser) -> None:
    query = {"tool": "compare", "run": "slow", "base": "fast", "host": "a"}
    response = browser.get("data", {**query, "format": "csv", "table": "conditions"})
    assert response.text.startswith("fact,base,new,differs\r\n")
    assert response.headers["Content-Disposition"] == 'attachment; filename="compare_conditions_fast_slow.csv"'
    columns = read_columns(browser.get("data", {**query, "format": "columns"}).data)
    assert columns["tables"]["steps"]["columns"]["side"][0] == "base"


def test_it_is_remembered_until_a_file_changes(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    real = decode.read

    def counted(path: str) -> Capture:
        read.append(os.path.relpath(path, tmp_path / "logs"))
        return real(path)

    monkeypatch.setattr(decode, "read", counted)
    query = {"tool": "compare", "run": "slow", "base": "fast", "host": "a"}
    first, again = browser.json("data", query), browser.json("data", query)
    assert again == first
    assert read == ["fast/a.xplane.pb", "slow/a.xplane.pb"]
    (tmp_path / "logs/fast/a.xplane.pb").write_bytes(program(12, 6).bytes())
    assert browser.json("data", query)["summary"]["step_time_base_ms"] == 12
    assert read[2:] == ["fast/a.xplane.pb"]


def test_it_is_listed_with_its_tables(browser: Browser) -> None:
    (declared,) = [tool for tool in browser.json("tools", {"run": "slow"})["tools"] if tool["name"] == "compare"]
    assert [table["name"] for table in declared["tables"]][:2] == ["categories", "ops"]
    assert declared["missing"] is None


@pytest.mark.parametrize("is_scanned_anew", [False, True])
def test_one_run_has_none_to_be_compared_with(
    is_scanned_anew: bool, open_browser: OpenBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_scanned_anew:  # Each look at the logdir begins a scan.
        monkeypatch.setattr(logdir, "MAX_TTL_S", 0)
    alone = open_browser({"only/a.xplane.pb": program(10, 4)})
    missing = [
        tool["missing"]
        for query in ({"run": "only"}, None)
        for tool in alone.json("tools", query)["tools"]
        if tool["name"] == "compare"
    ]
    assert missing == ["the logdir holds one run, and a comparison needs two: capture the program again", None]
