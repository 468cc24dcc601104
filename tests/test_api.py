"""`tensorboard_perfplugin.open`: hosts, captures, events as columns, tools as methods."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest

import tensorboard_perfplugin
from tensorboard_perfplugin import api, tools
from tensorboard_perfplugin.advice.finding import Finding
from tensorboard_perfplugin.advice.text.catalogue import QualityInWords
from tensorboard_perfplugin.answers import table_of_runs
from tensorboard_perfplugin.answers.library import Library
from tensorboard_perfplugin.errors import ArgumentError, NotFoundError, UnreadableError
from tensorboard_perfplugin.logdir import RECORD, Record, Worker, runs_at
from tensorboard_perfplugin.tables import Quality
from tensorboard_perfplugin.tools import find_tool
from tests.build_capture import Space
from tests.conftest import MakeLogdir
from tests.small_tool import COUNT, space


@pytest.fixture
def logdir(make_logdir: MakeLogdir, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two hosts whose strings have different ids, one GPU."""
    monkeypatch.setattr(tools, "TOOLS", (COUNT,))
    a, b = Space(), Space()
    a.plane("/host:CPU").line(1, "main").event("step", 0, 5000).event("load", 1000, 2000)
    b.plane("/device:GPU:0").line(7, "Stream 7").event("kernel", 0, 300).event("load", 100, 50)
    files: dict[str, Space | bytes] = {
        "old/plugins/profile/2026_01_01_00_00_00/a.xplane.pb": a,
        "new/plugins/profile/2026_02_02_00_00_00/a.xplane.pb": a,
        "new/plugins/profile/2026_02_02_00_00_00/b.xplane.pb": b,
    }
    return make_logdir(files)


def test_the_newest_run_with_all_its_hosts(logdir: Path) -> None:
    profile = tensorboard_perfplugin.open(str(logdir))
    assert profile.runs == ("new/2026_02_02_00_00_00", "old/2026_01_01_00_00_00")
    assert (profile.run, profile.hosts) == (profile.runs[0], ("a", "b"))
    assert repr(profile) == "<Profile new/2026_02_02_00_00_00: a, b>"


def test_a_run_a_host_a_file(logdir: Path) -> None:
    assert tensorboard_perfplugin.open(str(logdir), run="old/2026_01_01_00_00_00").hosts == ("a",)
    assert tensorboard_perfplugin.open(str(logdir), host="b").hosts == ("b",)
    assert tensorboard_perfplugin.open(str(logdir), host=["b", "a"]).hosts == ("a", "b")
    assert tensorboard_perfplugin.open(next(logdir.rglob("b.xplane.pb"))).hosts == ("b",)


def test_captures_and_quality(logdir: Path) -> None:
    profile = tensorboard_perfplugin.open(str(logdir))
    assert list(profile.captures) == ["a", "b"]
    for capture in profile.captures.values():
        capture.check()
    assert profile.captures["b"].event_name(0) == "kernel"
    assert profile.quality == QualityInWords.of(Quality(events_in_file=4, events_kept=4))
    with pytest.raises(KeyError):
        profile.captures["c"]


def test_quality_tells_who_is_missing(logdir: Path) -> None:
    profile = tensorboard_perfplugin.open(logdir)
    record = Record("s", (Worker("c:1", "slow", "no answer"), Worker("a:1", "ok", file="a.xplane.pb")))
    (Path(profile.files[0]).parent / RECORD).write_text(record.to_json())
    assert profile.quality.warnings[0] == "worker c:1 is missing from this capture: no answer"


def test_events_are_columns(logdir: Path) -> None:
    events = tensorboard_perfplugin.open(str(logdir)).events
    assert len(events) == 4
    assert events.texts("host") == ["a", "a", "b", "b"]
    assert events.texts("name") == ["step", "load", "kernel", "load"]
    assert events.name[1] == events.name[3]
    assert events.start_ps.tolist() == [0, 1000, 0, 100]
    assert events.row.tolist() == [0, 1, 0, 1]
    assert len(set(events.names)) == len(events.names)


def test_events_as_a_data_frame(logdir: Path) -> None:
    pytest.importorskip("pandas")
    frame = tensorboard_perfplugin.open(str(logdir)).events.to_pandas()
    assert frame.astype(dict.fromkeys(("host", "plane", "track", "name"), str)).to_dict("list") == {
        "host": ["a", "a", "b", "b"],
        "plane": ["/host:CPU", "/host:CPU", "/device:GPU:0", "/device:GPU:0"],
        "track": ["main", "main", "Stream 7", "Stream 7"],
        "name": ["step", "load", "kernel", "load"],
        "start_ps": [0, 1000, 0, 100],
        "duration_ps": [5000, 2000, 300, 50],
        "row": [0, 1, 0, 1],
    }
    assert frame.groupby("name", observed=False)["duration_ps"].sum().to_dict() == {
        "step": 5000,
        "load": 2050,
        "kernel": 300,
    }


def test_tools_are_methods(logdir: Path) -> None:
    profile = tensorboard_perfplugin.open(str(logdir))
    answer = profile.count(backwards=True)
    answer.check()
    assert answer.result.tables["names"]["name"] == ["step", "load", "kernel"]
    assert profile.tool("event_counts", backwards=True).to_dict() == answer.to_dict()
    assert profile.event_counts(name="step", backwards=None).result.summary["event_count"] == 1
    assert "count" in dir(profile)
    assert profile.missing() == {"count": None}


def test_what_goes_wrong(logdir: Path) -> None:
    profile = tensorboard_perfplugin.open(str(logdir))
    with pytest.raises(AttributeError, match="no tool 'nope': the tools are count"):
        profile.nope  # noqa: B018
    with pytest.raises(NotFoundError, match="no tool 'nope'"):
        profile.tool("nope")
    with pytest.raises(ArgumentError, match="backwards='maybe'"):
        profile.count(backwards="maybe")
    with pytest.raises(
        NotFoundError, match="no run 'x': the runs are new/2026_02_02_00_00_00, old/2026_01_01_00_00_00"
    ):
        tensorboard_perfplugin.open(str(logdir), run="x")
    with pytest.raises(NotFoundError, match="its hosts are a, b"):
        tensorboard_perfplugin.open(str(logdir), host="c")
    with pytest.raises(NotFoundError, match="no such file or folder"):
        tensorboard_perfplugin.open(str(logdir / "nothing"))
    with pytest.raises(AttributeError, match="has no attribute 'opne'"):
        tensorboard_perfplugin.opne  # noqa: B018


def test_an_unreadable_file(make_logdir: MakeLogdir) -> None:
    profile = tensorboard_perfplugin.open(str(make_logdir({"a.xplane.pb": b""})))
    with pytest.raises(UnreadableError):
        profile.events  # noqa: B018


def test_a_capture_without_events(make_logdir: MakeLogdir) -> None:
    space = Space()
    space.plane("/host:CPU").line(1, "main")
    events = tensorboard_perfplugin.open(str(make_logdir({"a.xplane.pb": space}))).events
    assert (len(events), events.texts("name")) == (0, [])
    pytest.importorskip("pandas")
    assert events.to_pandas().empty


def test_importing_the_package_is_light() -> None:
    code = "import sys, tensorboard_perfplugin as t; print(t.__version__, 'numpy' in sys.modules, callable(t.open))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [tensorboard_perfplugin.__version__, "False", "True"]


def test_of_a_folder_64_captures_are_compared(make_logdir: MakeLogdir) -> None:
    captures: dict[str, Space | bytes] = {f"r{i:02}/plugins/profile/s/h.xplane.pb": space("x") for i in range(65)}
    assert len(api._captures(str(make_logdir(captures)))) == 64


def test_a_search_goes_through_all_findings(make_logdir: MakeLogdir, monkeypatch: pytest.MonkeyPatch) -> None:
    logdir = make_logdir({"r/plugins/profile/s/h.xplane.pb": space("x")})
    library, overview = Library(), find_tool("overview")
    answer = library.answer(overview, runs_at(str(logdir))[0], None, {})
    findings = tuple(Finding(code="compare.no_steps", severity="note") for _ in range(21))
    many = dataclasses.replace(answer, result=dataclasses.replace(answer.result, findings=findings))
    monkeypatch.setattr(library, "answer", lambda *_: many)
    monkeypatch.setattr(table_of_runs, "_memory_peak", lambda *_: None)
    found = table_of_runs._computed(library, runs_at(str(logdir))[0])
    assert str(found.cells["findings"]).count("compare.no_steps") == 21
