"""The route `report`, and what `perfplugin report` writes: one file, in which no name of a capture is markup."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

import tensorboard_perfplugin
from tensorboard_perfplugin.cli import main
from tensorboard_perfplugin.web import report as reports
from tests.build_capture import Space
from tests.conftest import MakeLogdir
from tests.web.conftest import OpenBrowser

HOSTILE = "</script><script>alert(1)</script><!--|`*_[x](y)"


def capture(op: str = "train/MatMul:MatMul", events: int = 3) -> Space:
    space = Space(hostnames=["h"])
    line = space.plane("/host:CPU").line(1, "python")
    for i in range(events):
        line.event(op, i * 5_000_000, 4_000_000)
    return space


def answers(html: str) -> dict[str, Any]:
    """Route and query → the body that is held."""
    (text,) = re.findall('<script type="application/json" id="report">(.*?)</script>', html)
    found = {}
    for held in json.loads(text)["answers"]:
        words = " ".join(f"{name}={value}" for name, value in held["query"] if name not in ("run", "width"))
        found[f"{held['route']} {words}".strip()] = gzip.decompress(base64.b64decode(held["body"]))
    return found


def test_the_file_holds_what_the_routes_answer(open_browser: OpenBrowser) -> None:
    browser = open_browser({"r/h.xplane.pb": capture(), "other/h.xplane.pb": capture()})
    response = browser.get("report", {"run": "r"})
    assert response.headers["Content-Disposition"] == 'attachment; filename="report_r.html"'
    head = browser.client.head("/data/plugin/perfplugin/report", query_string={"run": "r"})
    assert (head.status_code, head.data) == (200, b"")
    assert head.headers["Content-Disposition"] == response.headers["Content-Disposition"]
    held = answers(response.text)
    assert held["data tool=overview"] == browser.get("data", {"run": "r", "tool": "overview"}).data
    assert held["tools"] == browser.get("tools").data
    assert [run["name"] for run in json.loads(held["runs"])["runs"]] == ["r"]
    reasons = {tool["name"]: tool["missing"] for tool in json.loads(held["tools only=missing"])["tools"]}
    there = {name for name, missing in reasons.items() if missing is None}
    assert {f"data tool={name}" for name in there - {"trace_viewer", "memory_profile"}} <= set(held)
    assert reasons["compare"] == "this report is of one run"
    codes = {finding["code"] for finding in json.loads(held["data tool=overview"])["findings"]}
    assert {f"finding code={code}" for code in codes} <= set(held)


def test_what_is_asked_wrongly_is_an_error_and_no_file(open_browser: OpenBrowser) -> None:
    browser = open_browser({"r/h.xplane.pb": capture(), "broken/h.xplane.pb": b"<html></html>"})
    assert browser.error("report", {"run": "nope"}, 404)[0] == "not_found"
    assert browser.error("report", {"run": "r", "host": "x"}, 404)[0] == "not_found"
    assert browser.error("report", {"run": "r", "steps": "x"}, 400)[0] == "bad_argument"
    assert browser.error("report", {"run": "r", "limit": "0"}, 400)[0] == "bad_argument"
    assert browser.error("report", {"run": "broken"}, 404)[1].startswith("nothing to report of broken: ")


def test_no_name_is_markup(make_logdir: MakeLogdir, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    logdir = make_logdir({"<b>r/h.xplane.pb": capture(f"{HOSTILE}:{HOSTILE}")})
    html = tensorboard_perfplugin.open(logdir).report().text
    assert "alert(1)" not in re.sub("<main>.*?</main>", "", html, flags=re.DOTALL)
    assert html.count("<script") == 2 == html.count("</script")
    assert "<title>&lt;b&gt;r · perfplugin</title>" in html
    assert HOSTILE.encode() in answers(html)["data tool=trace_viewer format=columns"]
    assert main(["report", str(logdir), "--markdown"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("### \\<b\\>r\n")
    assert "\\</script\\>\\<script\\>alert(1)" in text
    assert "<script>" not in text.replace("\\<", "")


def test_large_captures_and_many_hosts_have_bounds(open_browser: OpenBrowser, monkeypatch: pytest.MonkeyPatch) -> None:
    hosts = {f"r/h{i}.xplane.pb": capture() for i in range(3)}
    browser = open_browser({**hosts, "one/h.xplane.pb": capture()})
    assert "data tool=trace_viewer derived=true tracks_from=0" in answers(browser.get("report", {"run": "r"}).text)
    monkeypatch.setattr(reports, "TRACE_HOSTS", 2)
    monkeypatch.setattr(reports, "LARGE_EVENTS", 2)
    many = answers(browser.get("report", {"run": "r"}).text)
    assert b"not_held" in many["data tool=trace_viewer format=columns"]
    assert [name for name in many if "tracks" in name or "split_of" in name] == []
    large = answers(browser.get("report", {"run": "one"}).text)
    assert large["data tool=trace_viewer tracks_from=0 derived=true"] == large["data tool=trace_viewer tracks_from=0"]


def test_the_file_is_where_it_is_asked_for(
    make_logdir: MakeLogdir, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    logdir = make_logdir({"r/h.xplane.pb": capture()})
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert main(["report", str(logdir)]) == 0
    assert capsys.readouterr().out.startswith("report_r.html  ")
    assert main(["report", str(logdir)]) == 2
    assert main(["report", str(logdir), "-o", str(logdir / "r" / "h.xplane.pb")]) == 2
    assert "is one of the captures" in capsys.readouterr().err
    assert main(["report", str(logdir), "-o", "-"]) == 0
    assert capsys.readouterr().out == Path("report_r.html").read_text()
    assert main(["report", str(logdir), "--markdown", "-o", "x.md"]) == 0
    assert Path("x.md").read_text().startswith("### r\n\nHosts: 1")
