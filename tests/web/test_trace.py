"""The route that streams a timeline as a file."""

from __future__ import annotations

import gzip
from typing import Any

import pytest

from tensorboard_perfplugin.trace.export import export as trace_marks
from tests import chrome
from tests.small_tool import space
from tests.web.conftest import OpenBrowser


def test_a_download(open_browser: OpenBrowser) -> None:
    browser = open_browser({"r 1/a.xplane.pb": space("x", "y")})
    response = browser.get("trace", {"run": "r 1"}, headers={"Accept-Encoding": "gzip"})
    assert (response.status_code, response.mimetype) == (200, "application/gzip")
    assert response.headers["Content-Disposition"] == 'attachment; filename="r_1_a_whole.trace.json.gz"'
    # A browser that saw it would unpack the file that it saves.
    assert "Content-Encoding" not in response.headers
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert [s.name for s in chrome.read(response.data).slices] == ["x", "y"]


def test_a_window_of_some_tracks_and_hosts(open_browser: OpenBrowser) -> None:
    browser = open_browser({"r/a.xplane.pb": space("x", "y"), "r/b.xplane.pb": space("z")})
    query: dict[str, Any] = {"run": "r", "host": "a", "start_ps": 3_000_000, "end_ps": 4_000_000, "tracks": "a:0"}
    response = browser.get("trace", query)
    assert 'filename="r_a_0.003-0.004ms.trace.json.gz"' in response.headers["Content-Disposition"]
    assert [s.name for s in chrome.read(response.data).slices] == ["y"]
    both = browser.get("trace", {"run": "r"})
    assert 'filename="r_2_hosts_whole.trace.json.gz"' in both.headers["Content-Disposition"]
    assert sorted(s.name for s in chrome.read(both.data).slices) == ["x", "y", "z"]


def test_formats_of_stacks(open_browser: OpenBrowser) -> None:
    browser = open_browser({"r/a.xplane.pb": space("x", "y")})
    for form, ending in (("speedscope", "speedscope.json.gz"), ("pprof", "pb.gz"), ("collapsed", "collapsed.gz")):
        response = browser.get("trace", {"run": "r", "format": form})
        assert (response.status_code, response.mimetype) == (200, "application/gzip")
        assert response.headers["Content-Disposition"] == f'attachment; filename="r_a_whole.{ending}"'
        assert b"x" in gzip.decompress(response.data)
    kind, message = browser.error("trace", {"run": "r", "format": "svg"}, 400)
    assert (kind, "collapsed" in message) == ("bad_argument", True)


def test_head_sends_nothing(open_browser: OpenBrowser) -> None:
    browser = open_browser({"r/a.xplane.pb": space("x")})
    for _ in range(5):
        response = browser.client.head("/data/plugin/perfplugin/trace?run=r")
        assert (response.status_code, response.mimetype, response.data) == (200, "application/gzip", b"")


@pytest.mark.parametrize(
    ("query", "status", "kind", "message"),
    [
        ({}, 400, "bad_argument", "run is missing"),
        ({"run": "nope"}, 404, "not_found", "nope"),
        ({"run": "r", "host": "nope"}, 404, "not_found", "nope"),
        ({"run": "r", "nope": "1"}, 400, "bad_argument", "no parameter 'nope' here: use one of start_ps, end_ps"),
        ({"run": "r", "start_ps": "x"}, 400, "bad_argument", "start_ps='x'"),
        ({"run": "r", "start_ps": "5", "end_ps": "5"}, 400, "bad_argument", "the end must come after the start"),
        ({"run": "r", "tracks": "x"}, 400, "bad_argument", "tracks"),
        ({"run": "r", "tracks": "7"}, 404, "not_found", "no event between|on these tracks"),
        ({"run": "r", "start_ps": "9000000"}, 400, "bad_argument", "the end must come after the start"),
        ({"run": "r", "start_ps": "2500000", "end_ps": "2600000"}, 404, "not_found", "in a: 0 to 5000001"),
        ({"run": "r", "origin_ns": "1", "shifts": "x"}, 400, "bad_argument", "shifts"),
        ({"run": "bad"}, 422, "unreadable", "h.xplane.pb"),
    ],
)
def test_errors_are_json(
    open_browser: OpenBrowser, query: dict[str, str], status: int, kind: str, message: str
) -> None:
    browser = open_browser({"r/a.xplane.pb": space("x", "y"), "bad/h.xplane.pb": b"<!doctype html>"})
    found, said = browser.error("trace", query, status)
    assert found == kind
    assert any(part in said for part in message.split("|")), said
    # What failed holds no place.
    for _ in range(4):
        assert browser.get("trace", {"run": "r"}).status_code == 200


def test_a_host_that_cannot_be_read_is_left_out(open_browser: OpenBrowser) -> None:
    browser = open_browser({"r/a.xplane.pb": space("x"), "r/b.xplane.pb": b"<!doctype html>"})
    made = chrome.read(browser.get("trace", {"run": "r"}).data)
    assert [s.name for s in made.slices] == ["x"]
    assert made.head["otherData"]["warnings"][0].startswith("host b is left out: ")


def test_only_some_at_a_time(open_browser: OpenBrowser) -> None:
    """A place is free again when a reader went away before the end."""
    browser = open_browser({"r/a.xplane.pb": space("x")})
    running = [browser.get("trace", {"run": "r"}, buffered=False) for _ in range(4)]
    assert browser.error("trace", {"run": "r"}, 503) == (
        "busy",
        "4 exports are running, the maximum: retry when one has ended",
    )
    next(running[0].iter_encoded())
    running[0].close()
    assert browser.get("trace", {"run": "r"}).status_code == 200


def test_what_fails_in_the_middle_does_not_look_whole(
    open_browser: OpenBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: Any) -> Any:
        raise RuntimeError("disk on fire")

    browser = open_browser({"r/a.xplane.pb": space("x")})
    monkeypatch.setattr(trace_marks, "_steps", failing)
    with pytest.raises(RuntimeError, match="disk on fire"):
        _ = browser.get("trace", {"run": "r"}).data
    monkeypatch.undo()
    assert browser.get("trace", {"run": "r"}).status_code == 200
