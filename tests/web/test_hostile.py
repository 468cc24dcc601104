"""Requests of someone who means harm: nothing outside is read, nothing crashes, names stay text."""

from __future__ import annotations

import itertools
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from tensorboard_perfplugin.web import POSTED, ROUTES
from tests.small_tool import space
from tests.web.conftest import Browser, OpenBrowser

pytestmark = pytest.mark.usefixtures("small_tool")

_STEPS = (
    "../",
    "..\\",
    "%2e%2e/",
    "%2e%2e%2f",
    "..%2f",
    "..%5c",
    "....//",
    "..;/",
    "%252e%252e%252f",
    "..%c0%af",
    ".%00./",
)
_TARGETS = ("secret/s.xplane.pb", "secret", "secret/")
_WHOLE = (
    "/etc/passwd",
    "//etc/passwd",
    "file:///etc/passwd",
    "http://169.254.169.254/latest/meta-data",
    "gs://bucket/x",
    "C:\\Windows\\win.ini",
    "\\\\host\\share",
    "~root/.ssh/id_rsa",
    "~",
    ".",
    "..",
    "/",
    "*",
    "r1/..",
    "r1/../../secret",
    "r1/a.xplane.pb",
    "a/../b",
    "$HOME",
    "`id`",
    "$(id)",
    "{{7*7}}",
    "%s%s%n",
    "r1\0",
    "r1\r\nX-Injected: 1",
    "\u202er1",
    "\ud800",
    "r1\u0000/../../secret",
    "__class__",
    "__proto__",
    "ALL_HOSTS",
    "-1",
    "1e309",
    "nan",
    "",
)
PAYLOADS = [step * depth + target for step, depth, target in itertools.product(_STEPS, (1, 2, 6), _TARGETS)]
PAYLOADS += [payload for payload in _WHOLE if payload]

_opened: list[str] = []
_watching: list[bool] = []


def _watch(event: str, arguments: Any) -> None:
    if _watching and event in ("open", "os.scandir", "os.listdir") and isinstance(arguments[0], (str, bytes)):
        _opened.append(os.fsdecode(arguments[0]))


sys.addaudithook(_watch)


@pytest.fixture
def opened() -> Iterator[list[str]]:
    """The paths that are opened or listed during the test."""
    _opened.clear()
    _watching.append(True)
    yield _opened
    _watching.clear()


@pytest.fixture
def browser(open_browser: OpenBrowser, tmp_path: Path) -> Browser:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/s.xplane.pb").write_bytes(space("CANARY").bytes())
    return open_browser({"r1/a.xplane.pb": space("x")})


def test_there_are_many_payloads() -> None:
    assert len(set(PAYLOADS)) > 100


#: What every route takes, in a query that it answers. `static`, `job` and `work` name what it asks for.
_ASKED = {
    "runs_table": {"after": "0", "baseline": "r1", "first": "r1", "format": "json"},
    "tools": {"run": "r1", "host": "a"},
    "data": {"run": "r1", "tool": "count", "host": "a", "format": "csv", "table": "names", "backwards": "false"},
    "data compared": {"run": "r1", "tool": "compare", "base": "r1", "repeat": "r1", "steps": "", "base_steps": ""},
    "trace": {"run": "r1", "host": "a", "start_ps": "0", "end_ps": "1000", "tracks": "0"},
    "program": {"run": "r1", "host": "a", "program": "0", "format": "text"},
    "report": {"run": "r1", "host": "a", "steps": "", "time": ""},
    "capture/state": {"job": "x"},
    "progress": {"work": "x"},
    "runs": {"unknown": ""},
    "doctor": {"unknown": ""},
    "finding": {"code": "memory_peak"},
    "capture/options": {"unknown": ""},
    "sql/schema": {"unknown": ""},
}
_PARAMETERS = [(route, name) for route, query in _ASKED.items() for name in query]


#: Answers of these hold every run, with or without a baseline that is there; -1 is a number; no work has such a name.
_ANSWERED = (("runs_table", "baseline"), ("runs_table", "first"), ("trace", "start_ps"), ("progress", "work"))


def test_every_route_that_reads_is_asked() -> None:
    assert {f"/{route.split()[0]}" for route in _ASKED} | POSTED | {"/static/*"} == set(ROUTES)


def wanted(payload: str) -> str:
    return payload.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


@pytest.mark.parametrize(("route", "parameter"), [*_PARAMETERS, ("static", "")])
def test_nothing_outside_is_read(
    browser: Browser, tmp_path: Path, opened: list[str], route: str, parameter: str
) -> None:
    asked = _ASKED.get(route, {})
    browser.get(route.split()[0], asked)
    errors_only = (route, parameter) not in _ANSWERED
    for payload in PAYLOADS:
        text = wanted(payload)
        if route == "static":
            response = browser.get("static/" + text)
        else:
            response = browser.get(route.split()[0], {**asked, parameter: text})
        assert response.status_code in (400, 404) or (not errors_only and response.status_code == 200), payload
        assert response.json or not errors_only, payload
        assert b"CANARY" not in response.data
        assert b"root:" not in response.data
        assert "X-Injected" not in response.headers
    outside = [path for path in opened if path.startswith((str(tmp_path / "secret"), "/etc/passwd", "/root/.ssh", "~"))]
    assert outside == []


def test_what_was_asked_for_is_in_no_log(browser: Browser, caplog: pytest.LogCaptureFixture) -> None:
    """An address of a page may hold what a proxy takes for a key; a failure is logged by its path."""
    with mock.patch("tensorboard_perfplugin.web.routes.Site._library", side_effect=ZeroDivisionError):
        for route in ("data", "tools", "trace", "program"):
            reply = browser.get(
                route, {"run": "r1", "tool": "count", "token": "s3cret"}, headers={"Cookie": "k=s3cret"}
            )
            assert "s3cret" not in reply.text or reply.status_code in (400, 404)
    assert "s3cret" not in caplog.text
    assert "failed" in caplog.text


def test_names_stay_text(open_browser: OpenBrowser) -> None:
    """Host, event and run are named by an attacker; JSON escapes what HTML would act on only as text."""
    script = "<script>alert(1)</script>"
    browser = open_browser({"<img src=x onerror=1>/<b>h.xplane.pb": space(script, '"};alert(1)//')})
    (run,) = browser.json("runs")["runs"]
    assert (run["name"], run["hosts"][0]["name"]) == ("<img src=x onerror=1>", "<b>h")
    response = browser.get("data", {"run": run["name"], "tool": "count"})
    assert response.headers["Content-Type"] == "application/json"
    assert json.loads(response.text)["tables"]["names"]["columns"]["name"] == ['"};alert(1)//', script]


def test_an_error_that_repeats_what_was_asked_is_json_and_short(browser: Browser) -> None:
    response = browser.get("data", {"run": "<script>alert(1)</script>" * 50, "tool": "count"})
    assert (response.status_code, response.mimetype) == (404, "application/json")
    assert len(response.text) < 1000


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("run=" + "a" * 70_000, "the query has 70,004 bytes; the maximum is 65,536"),
        ("run=" + "a" * 5000, "run has a value of more than 4096 characters"),
        ("run=r1&tool=count&" + "a" * 5000 + "=1", "count has no option 'aaaa"),
        ("run=r1&tool=count&name=" + "a" * 5000, "name has a value of more than 4096 characters"),
        ("run=r1&tool=count&tool=count", "tool is given 2 times; give one value"),
        ("run=r1&tool=count&name=x&name=y", "name is given 2 times; give one value"),
        ("run=r1&tool=count&format=csv&format=json", "format is given 2 times; give one value"),
        ("&".join(f"p{i}=1" for i in range(5000)), "run is missing"),
    ],
)
def test_too_much(browser: Browser, query: str, message: str) -> None:
    kind, text = browser.error("data", query, 400)
    assert (kind, text[: len(message)]) == ("bad_argument", message)
    assert len(text) < 300


def test_a_host_named_a_thousand_times_is_one_host(browser: Browser) -> None:
    body = browser.json("data", "run=r1&tool=count" + "&host=a" * 1000)
    assert body["hosts"] == ["a"]


@pytest.mark.parametrize("query", ["%", "%zz", "run=%ff%fe&tool=count", "=", "&&&", "run", "run=r1&tool=%00"])
def test_queries_that_are_not_well_formed(browser: Browser, query: str) -> None:
    assert browser.get("data", query).status_code in (400, 404)


def test_what_cannot_be_imported_is_named_without_its_folder(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    def library(_: object) -> None:
        raise ImportError("cannot import name 'x' from 'numpy' (/home/me/lib/numpy/__init__.py)", name="numpy")

    monkeypatch.setattr("tensorboard_perfplugin.web.routes.Site._library", library)
    kind, message = browser.error("data", {"run": "r1", "tool": "count"}, 500)
    assert kind == "internal"
    assert message.startswith(
        "a package that perfplugin needs cannot be imported (cannot import name 'x' from 'numpy' (__init__.py)): "
    )


@pytest.mark.parametrize("route", [route for route in ROUTES if not route.startswith("/capture/")])
def test_names_that_others_let_resolve_to_this_machine(tmp_path: Path, route: str) -> None:
    """DNS rebinding: another page reads captures by a name of its own, unless the operator said which names are ours.

    What acts is refused in any case: see `test_capture_hostile.py`.
    """
    path = f"/data/plugin/perfplugin{route.replace('*', 'index.js')}"
    method = "POST" if route in POSTED else "GET"
    named = Browser(str(tmp_path), perfplugin_hosts="tb.example, tb.corp")
    for host in ("evil.example", "evil.example:6006", "tb.example.evil", "localhost.evil.example"):
        reply = named.client.open(path, method=method, headers={"Host": host})
        assert (reply.status_code, (reply.json or {})["error"]["kind"]) == (403, "forbidden")
        assert f"or start it with --perfplugin_hosts={host.partition(':')[0]}" in reply.text
    hosts = ("tb.example", "TB.corp:6006", "localhost:6006", "127.0.0.1:6006", "[::1]:6006", "gpubox")
    for browser, host in (*((named, host) for host in hosts), (Browser(str(tmp_path)), "evil.example")):
        reply = browser.client.open(path, method=method, headers={"Host": host})
        assert "--perfplugin_hosts" not in reply.text


@pytest.mark.parametrize(("flag", "status"), [("yes", 200), ("no", 404)])
def test_links_out_of_the_logdir(tmp_path: Path, flag: str, status: int) -> None:
    elsewhere = tmp_path / "elsewhere/plugins/profile/r1"
    elsewhere.mkdir(parents=True)
    (elsewhere / "h.xplane.pb").write_bytes(space("x").bytes())
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs/linked").symlink_to(tmp_path / "elsewhere")
    browser = Browser(str(tmp_path / "logs"), perfplugin_follow_links=flag)
    assert browser.get("data", {"run": "linked/r1", "tool": "count"}).status_code == status
