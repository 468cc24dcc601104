"""Each route as a browser asks it, inside TensorBoard's application."""

from __future__ import annotations

import logging
import os
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tensorboard_perfplugin import decode, doctor, tools
from tensorboard_perfplugin.errors import RemoteError
from tensorboard_perfplugin.tables import Capture
from tensorboard_perfplugin.web import POSTED, ROUTES, routes
from tests.small_tool import space
from tests.web.conftest import Browser, OpenBrowser

pytestmark = pytest.mark.usefixtures("small_tool")

MARCH_NS = 1_772_366_400_000_000_000
ANSWER_OF_A = {
    "tool": "count",
    "schema": 1,
    "run": "r1",
    "hosts": ["a"],
    "summary": {"event_count": 2, "idle_share": None},
    "unknown": {"idle_share": "events are only counted"},
    "tables": {"names": {"columns": {"name": ["x"], "event_count": [2], "mean_us": [2.0]}}},
    "titles": {},
    "findings": [],
}


@pytest.fixture
def browser(open_browser: OpenBrowser, tmp_path: Path) -> Browser:
    opened = open_browser({"r1/a.xplane.pb": space("x", "x"), "r1/b.xplane.pb": space("x", "=y")})
    for path in (tmp_path / "logs").rglob("*.pb"):
        os.utime(path, ns=(MARCH_NS, MARCH_NS))
    return opened


def test_runs(browser: Browser, tmp_path: Path) -> None:
    body = browser.json("runs")
    sizes = [(tmp_path / f"logs/r1/{host}.xplane.pb").stat().st_size for host in "ab"]
    assert body == {
        "schema": 1,
        "scanning": False,
        "folders": 2,
        "roots": [{"name": "", "path": str(tmp_path / "logs")}],
        "notes": [],
        "runs": [
            {
                "name": "r1",
                "captured_ms": MARCH_NS // 10**6,
                "modified_ms": MARCH_NS // 10**6,
                "size_bytes": sum(sizes),
                "kind": "trace",
                "hosts": [
                    {"name": "a", "format": "xplane", "size_bytes": sizes[0], "files": []},
                    {"name": "b", "format": "xplane", "size_bytes": sizes[1], "files": []},
                ],
            }
        ],
    }


def test_a_root_that_is_missing_is_noted_beside_the_runs_of_the_others(tmp_path: Path) -> None:
    """It was left out without a word."""
    session = tmp_path / "here/r1"
    session.mkdir(parents=True)
    (session / "a.xplane.pb").write_bytes(space("x").bytes())
    body = Browser("", f"a:{tmp_path}/here,b:{tmp_path}/gone").json("runs")
    assert [run["name"] for run in body["runs"]] == ["a/r1"]
    assert body["notes"] == [f"{tmp_path}/gone: No such file or directory"]


def test_runs_of_an_empty_logdir_come_with_a_diagnosis(open_browser: OpenBrowser, tmp_path: Path) -> None:
    body = open_browser({}).json("runs")
    assert body["runs"] == []
    assert {each["path"] for each in body["diagnosis"]} == {str(tmp_path / "logs")}
    assert [sorted(each) for each in body["diagnosis"]] == [
        ["case", "cause", "code", "fix", "found", "ok", "params", "path"]
    ]


def test_a_page_that_asks_again_and_again_costs_one_diagnosis(
    open_browser: OpenBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 10 s; `doctor` always looks anew."""
    now_s, asked = [1000.0], []

    def diagnose(path: str) -> list[Any]:
        asked.append(path)
        return []

    monkeypatch.setattr(routes, "time", SimpleNamespace(monotonic=lambda: now_s[0]))
    monkeypatch.setattr(doctor, "diagnose", diagnose)
    browser = open_browser({})
    for route, seconds, count in (("runs", 0, 1), ("runs", 9, 1), ("doctor", 0, 2), ("runs", 2, 3), ("runs", 1, 3)):
        now_s[0] += seconds
        browser.json(route)
        assert len(asked) == count


def test_doctor_tells_of_every_root(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    browser = Browser("", logdir_spec=f"a:{tmp_path}/one,{tmp_path}/two")
    body = browser.json("doctor")
    assert [each["path"] for each in body["diagnosis"]] == [str(tmp_path / "one"), str(tmp_path / "two")]


def test_tools_are_their_declarations(browser: Browser) -> None:
    body = browser.json("tools")
    assert body["schema"] == 1
    (tool,) = body["tools"]
    assert list(tool) == [
        *("name", "title", "question", "help", "aliases", "group", "summary", "tables", "views", "options"),
        *("in_range", "missing", "documentation"),
    ]
    assert tool["tables"][0]["columns"][2] == {
        "name": "mean_us",
        "dtype": "float64",
        "unit": "us",
        "help": "Their mean length.",
        "title": "Mean",
    }
    assert tool["options"][1] == {
        "name": "backwards",
        "kind": "flag",
        "default": False,
        "help": "Last name first.",
        "choices": [],
        "low": None,
        "high": None,
        "offers": [],
    }
    assert tool["missing"] is None


def test_tools_say_why_a_run_has_nothing_for_them(open_browser: OpenBrowser) -> None:
    browser = open_browser({"r1/a.xplane.pb": space(), "r1/b.xplane.pb": space("x")})
    missing = [
        browser.json("tools", {"run": "r1", **host})["tools"][0]["missing"]
        for host in ({"host": "a"}, {"host": "b"}, {})
    ]
    assert missing == ["the capture has no events", None, None]


def test_reasons_alone_are_asked_for_without_the_declarations(open_browser: OpenBrowser) -> None:
    browser = open_browser({"r1/a.xplane.pb": space(), "r1/b.xplane.pb": space("x")})
    body = browser.json("tools", {"run": "r1", "host": "a", "only": "missing"})
    assert body == {"schema": 1, "tools": [{"name": "count", "missing": "the capture has no events"}]}


def test_data(browser: Browser) -> None:
    body = browser.json("data", {"run": "r1", "tool": "count", "host": "a"})
    quality = body.pop("quality")
    assert body == ANSWER_OF_A
    assert (quality["events_in_file"], quality["events_kept"], quality["dropped"]) == (2, 2, {})


def test_requests_that_come_together_share_one_decode(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first waits inside the decode until the others have asked."""
    read, paths, inside, go = decode.read, [], threading.Event(), threading.Event()

    def slow(path: str) -> Capture:
        paths.append(path)
        inside.set()
        assert go.wait(10)
        return read(path)

    monkeypatch.setattr(decode, "read", slow)
    bodies: list[Any] = []
    query = {"run": "r1", "tool": "count", "host": "a"}
    threads = [threading.Thread(target=lambda: bodies.append(browser.json("data", query))) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert inside.wait(10)
    go.set()
    for thread in threads:
        thread.join(10)
    assert (len(paths), len(bodies)) == (1, 3)
    assert bodies[0] == bodies[1] == bodies[2]


def test_data_by_alias_of_all_hosts_with_an_option(browser: Browser) -> None:
    body = browser.json("data", {"run": "r1", "tool": "event_counts", "backwards": "true"})
    assert body["tables"]["names"]["columns"]["name"] == ["x", "=y"]
    assert (body["tool"], body["hosts"]) == ("count", ["a", "b"])


def test_a_comma_is_part_of_a_host_and_several_hosts_are_several_parameters(open_browser: OpenBrowser) -> None:
    browser = open_browser({f"r1/{host}.xplane.pb": space("x") for host in ("vm", "vm,1", "1")})
    asked = [("run", "r1"), ("tool", "count")]
    assert browser.json("data", [*asked, ("host", "vm,1")])["hosts"] == ["vm,1"]
    assert browser.json("data", [*asked, ("host", "vm,1"), ("host", "1")])["hosts"] == ["1", "vm,1"]
    assert browser.error("data", [*asked, ("host", "vm,2")], 404)[1].startswith("run r1 has no host 'vm,2'")


def test_data_as_csv(browser: Browser) -> None:
    response = browser.get("data", {"run": "r1", "tool": "count", "format": "csv", "table": "names"})
    assert response.text == "name,event_count,mean_us\r\n'=y,1,2.0\r\nx,3,2.0\r\n"
    assert response.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert response.headers["Content-Disposition"] == 'attachment; filename="count_names_r1.csv"'


@pytest.mark.parametrize(
    ("route", "query", "status", "kind", "message"),
    [
        ("data", "tool=count", 400, "bad_argument", "run is missing"),
        ("data", "run=r1", 400, "bad_argument", "tool is missing"),
        ("data", "run=r2&tool=count", 404, "not_found", "no run 'r2' in "),
        ("data", "run=r1&tool=nope", 404, "not_found", "no tool 'nope': the tools are count"),
        ("data", "run=r1&tool=count&host=c", 404, "not_found", "run r1 has no host 'c': its hosts are a, b"),
        ("data", "run=r1&run=r1&tool=count", 400, "bad_argument", "run is given 2 times; give one value"),
        ("data", "run=r1&tool=count&x=1", 400, "bad_argument", "count has no option 'x': use one of name, backwards"),
        ("data", "run=r1&tool=count&backwards=2", 400, "bad_argument", "backwards='2': use one of true, false"),
        ("data", "run=r1&tool=count&format=pb", 400, "bad_argument", "format='pb': use one of json, csv"),
        ("data", "run=r1&tool=count&table=names", 400, "bad_argument", "table requires format=csv"),
        (
            "data",
            "run=r1&tool=count&format=csv&table=x",
            404,
            "not_found",
            "count has no table 'x': its tables are names",
        ),
        ("data", "run=r1&tool=count&name=zzz", 404, "not_found", "no event zzz"),
        ("runs", "run=r1", 400, "bad_argument", "unknown parameter 'run': there are none"),
        ("doctor", "path=/etc", 400, "bad_argument", "unknown parameter 'path': there are none"),
        ("tools", "tool=count", 400, "bad_argument", "unknown parameter 'tool': use one of run, host, only"),
        ("tools", "only=name", 400, "bad_argument", "only='name'"),
        ("tools", "run=r2", 404, "not_found", "no run 'r2' in "),
        ("static/nope.js", "", 404, "not_found", "the page has no file 'nope.js'"),
    ],
)
def test_errors(browser: Browser, route: str, query: str, status: int, kind: str, message: str) -> None:
    got, text = browser.error(route, query, status)
    assert (got, text[: len(message)]) == (kind, message)


def test_an_unreadable_file(open_browser: OpenBrowser) -> None:
    browser = open_browser({"r1/a.xplane.pb": b"<!doctype html><html>"})
    kind, message = browser.error("data", {"run": "r1", "tool": "count"}, 422)
    assert kind == "unreadable"
    assert "a.xplane.pb" in message


def test_a_remote_that_failed(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(name: str) -> None:
        raise RemoteError("gpu7:6009 did not answer")

    monkeypatch.setattr(tools, "find_tool", failing)
    assert browser.error("data", {"run": "r1", "tool": "t"}, 502) == ("remote", "gpu7:6009 did not answer")


def test_what_nobody_expected_is_logged_and_not_shown(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(name: str) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(tools, "find_tool", failing)
    kind, message = browser.error("data", {"run": "r1", "tool": "t"}, 500)
    assert kind == "internal"
    assert message == "ZeroDivisionError while answering /data/plugin/perfplugin/data: details are in TensorBoard's log"
    assert "secret" in caplog.text
    assert "Traceback" in caplog.text


def test_a_broken_dependency_is_named(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list of runs still comes: it needs nothing but Python."""
    monkeypatch.setitem(sys.modules, "tensorboard_perfplugin.answers.encode", None)
    kind, message = browser.error("data", {"run": "r1", "tool": "count"}, 500)
    assert kind == "internal"
    assert message.startswith(
        "a package that perfplugin needs cannot be imported (import of tensorboard_perfplugin.answers"
    )
    assert message.endswith("`pip install --force-reinstall tensorboard-perfplugin`, then restart TensorBoard")
    assert [run["name"] for run in browser.json("runs")["runs"]] == ["r1"]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_only_reading(browser: Browser, method: str) -> None:
    for route in ROUTES.keys() - POSTED:
        response = browser.client.open("/data/plugin/perfplugin" + route.replace("*", "index.js"), method=method)
        assert (response.status_code, response.headers["Allow"]) == (405, "GET, HEAD"), route
        assert response.json["error"]["kind"] == "bad_argument", route  # type: ignore[index]


@pytest.mark.parametrize(
    ("path_prefix", "base"),
    [
        ("", "/experiment/x/data/plugin/perfplugin/"),
        ("/foo", "/foo/data/plugin/perfplugin/"),
        ("/foo/static", "/foo/static/experiment/y/data/plugin/perfplugin/"),
    ],
)
def test_under_a_prefix_and_an_experiment(browser: Browser, tmp_path: Path, path_prefix: str, base: str) -> None:
    prefixed = Browser(str(tmp_path / "logs"), path_prefix=path_prefix)
    response = prefixed.get("data", {"run": "r1", "tool": "count", "host": "a"}, base=base)
    assert response.json
    assert response.json["summary"] == ANSWER_OF_A["summary"]
    assert prefixed.get("static/index.js", base=base).status_code == 200


def test_tensorboard_has_nothing_to_say(browser: Browser, caplog: pytest.LogCaptureFixture) -> None:
    """Its validator logs what will become an error: no content type, no nosniff, HTML without a policy."""
    with caplog.at_level(logging.WARNING):
        for route in (
            "runs",
            "tools",
            "data?run=r1&tool=count",
            "data?run=r1&tool=count&format=csv",
            "runs?x=1",
        ):
            tag = browser.get(route).headers.get("ETag", "")
            browser.get(route, headers={"If-None-Match": tag})
        browser.get("static/index.js")
    assert caplog.text == ""
