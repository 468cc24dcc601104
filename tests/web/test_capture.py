"""Captures as the page asks for them: what is offered, begun, told, called off. The profiler's server is faked."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tensorboard.plugins.base_plugin import FlagsError

from tensorboard_perfplugin import capture
from tensorboard_perfplugin.capture import Captured, CaptureError, Checked, HostOutcome, HostState, Options, Progress
from tensorboard_perfplugin.logdir import Logdir
from tensorboard_perfplugin.plugin import PerfPluginLoader
from tests.capture.test_allowed import refusal
from tests.small_tool import space
from tests.web.conftest import Browser

ADDRESS = "localhost:6009"
#: How long anything may take before it counts as never.
PATIENCE_S = 20.0


class Faked:
    """What stands in for `capture.run`: keeps what it was asked, tells one progress, ends when it is let go."""

    def __init__(self) -> None:
        self.asked: list[tuple[tuple[str, ...], str, Options]] = []
        self.inside, self.go = threading.Event(), threading.Event()
        self.error: Exception | None = None

    def run(
        self,
        addresses: Any,
        logdir: str,
        options: Options,
        *,
        progress: Callable[[Progress], None],
        cancel: threading.Event,
        allowed: Any,
    ) -> Captured:
        self.asked.append((tuple(map(str, addresses)), logdir, options))
        progress(Progress("recording", 1.0, 2.0, tuple(HostState(str(a), "recording") for a in addresses)))
        self.inside.set()
        while not self.go.wait(0.01):
            if cancel.is_set():
                told = tuple(outcome(str(a), "cancelled", "called off") for a in addresses)
                raise CaptureError("the capture was called off", told)
        if self.error:
            raise self.error
        folder = Path(logdir) / "plugins/profile" / (options.session or "2026_11_22_04_00_00")
        folder.mkdir(parents=True)
        (folder / "localhost_6009.xplane.pb").write_bytes(space("step").bytes())
        return Captured(folder.name, str(folder), tuple(outcome(str(a), "ok", "") for a in addresses))


def outcome(address: str, kind: Any, message: str) -> HostOutcome:
    file = "localhost_6009.xplane.pb" if kind == "ok" else ""
    return HostOutcome(address, kind, message, file=file, size_bytes=100, seconds=2.0)


@pytest.fixture
def faked(monkeypatch: pytest.MonkeyPatch) -> Faked:
    fake = Faked()
    monkeypatch.setattr(capture, "run", fake.run)
    return fake


@pytest.fixture
def browser(tmp_path: Path) -> Browser:
    return Browser(str(tmp_path / "logs"))


def started(browser: Browser, **body: Any) -> str:
    reply = browser.post("capture/start", {"addresses": ADDRESS, **body})
    assert reply.status_code == 200, reply.text
    return str(reply.json["job"])  # type: ignore[index]


def ended(browser: Browser, job: str) -> Any:
    """The state of a capture once it is over."""
    end_s = time.monotonic() + PATIENCE_S
    while not (state := browser.json("capture/state", {"job": job}))["done"]:
        assert time.monotonic() < end_s, state
        time.sleep(0.01)
    return state


# What is offered


def test_what_can_be_asked_for(browser: Browser, tmp_path: Path) -> None:
    body = browser.json("capture/options")
    presets = body.pop("presets")
    assert [preset["name"] for preset in presets] == ["default", "small", "python", "long"]
    assert presets[0]["options"] == body["defaults"]
    assert body == {
        "schema": 1,
        "enabled": True,
        "why": "",
        "allowed": "loopback",
        "flag": "--perfplugin_capture_allow",
        "roots": [{"name": "", "path": str(tmp_path / "logs"), "why": ""}],
        "defaults": {
            "duration_ms": 2000,
            "delay_ms": 0,
            "together": False,
            "host_tracer_level": 2,
            "device_tracer_level": 1,
            "python_tracer_level": 0,
            "retries": 3,
            "budget_bytes": 512 << 20,
            "session": "",
            "advanced": {},
        },
        "ranges": {name: list(between) for name, between in capture.RANGES.items()},
        "job": "",
    }


@pytest.mark.parametrize(
    ("logdir", "spec", "allow", "why"),
    [
        ("{}/logs", "", "", "capturing is disabled: TensorBoard was started with an empty "),
        ("", "", "loopback", "TensorBoard was started without a logdir, into which captures are written: "),
        (
            "gs://b/logs",
            "",
            "*",
            "captures are written into TensorBoard's logdir, which is not writable: gs://b/logs is not a local folder",
        ),
        (
            "{}/file",
            "",
            "*",
            "captures are written into TensorBoard's logdir, which is not writable: {}/file is not a folder",
        ),
        (
            "{}/file/x/y",
            "",
            "*",
            "captures are written into TensorBoard's logdir, which is not writable: {}/file is not a folder",
        ),
        (
            "",
            "a:gs://b,c:{}/file",
            "*",
            "captures are written into TensorBoard's logdir, which is not writable: gs://b is not a local",
        ),
    ],
)
def test_why_nothing_can_be_captured(tmp_path: Path, logdir: str, spec: str, allow: str, why: str) -> None:
    (tmp_path / "file").write_text("")
    browser = Browser(logdir.format(tmp_path), spec.format(tmp_path), perfplugin_capture_allow=allow)
    body = browser.json("capture/options")
    why = why.format(tmp_path)
    assert (body["enabled"], body["why"][: len(why)]) == (False, why)
    for route in ("capture/start", "capture/check"):
        reply = browser.post(route, {"addresses": ADDRESS})
        assert (reply.status_code, reply.json) == (403, {"error": {"kind": "forbidden", "message": body["why"]}})


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_logdir_of_someone_else(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    body = Browser(str(tmp_path / "logs")).json("capture/options")
    assert body["roots"][0]["why"] == f"{tmp_path} cannot be written by the user who runs TensorBoard"


def test_of_several_roots_one_is_chosen(tmp_path: Path, faked: Faked) -> None:
    (tmp_path / "file").write_text("")
    browser = Browser("", f"a:gs://bucket/x,b:{tmp_path}/b,c:{tmp_path}/c,d:{tmp_path}/file")
    roots = browser.json("capture/options")["roots"]
    assert [(root["name"], bool(root["why"])) for root in roots] == [
        ("a", True),
        ("b", False),
        ("c", False),
        ("d", True),
    ]
    faked.go.set()
    for chosen, where in (({}, "b"), ({"root": "c"}, "c")):
        state = ended(browser, started(browser, **chosen))
        assert state["run"] == f"{where}/2026_11_22_04_00_00"
        assert state["path"].startswith(f"{tmp_path}/{where}/")
    for name, status, message in (
        ("a", 400, "captures cannot be written there: gs://bucket/x is not a local folder"),
        ("x", 404, "the logdir has no root 'x'; roots: 'a', 'b', 'c', 'd'"),
        (3, 400, "root must be a string"),
    ):
        reply = browser.post("capture/start", {"addresses": ADDRESS, "root": name})
        assert reply.status_code == status
        assert message in reply.text


# Begun, told, called off


def test_a_capture_from_begin_to_end(browser: Browser, faked: Faked, tmp_path: Path) -> None:
    chosen = {"duration_ms": 500, "python_tracer_level": 1, "session": "mine"}
    job = started(browser, addresses=["localhost:6009,[::1]:6010", "grpc://127.0.0.1:7"], options=chosen)
    assert faked.inside.wait(PATIENCE_S)
    ((addresses, logdir, options),) = faked.asked
    assert addresses == ("localhost:6009", "[::1]:6010", "127.0.0.1:7")
    assert (logdir, options) == (str(tmp_path / "logs"), Options(**chosen))  # type: ignore[arg-type]
    state = browser.json("capture/state", {"job": job})
    hosts = state.pop("hosts")
    assert [(host["address"], host["kind"]) for host in hosts] == [(address, "recording") for address in addresses]
    shown = {"schema": 1, "job": job, "phase": "recording", "elapsed_s": 1.0, "total_s": 2.0}
    assert state == {**shown, "done": False, "run": "", "path": "", "error": None}
    assert browser.json("capture/options")["job"] == job
    faked.go.set()
    state = ended(browser, job)
    assert (state["phase"], state["run"], state["error"]) == ("done", "mine", None)
    assert state["path"] == str(tmp_path / "logs/plugins/profile/mine")
    assert [host["kind"] for host in state["hosts"]] == ["ok"] * 3
    assert [run["name"] for run in browser.json("runs")["runs"]] == ["mine"]
    assert browser.json("capture/options")["job"] == ""


def test_one_at_a_time(browser: Browser, faked: Faked) -> None:
    job = started(browser)
    assert faked.inside.wait(PATIENCE_S)
    reply = browser.post("capture/start", {"addresses": ADDRESS})
    message = "a capture is running (1 s of 2 s): wait or cancel it"
    assert (reply.status_code, reply.json) == (409, {"error": {"kind": "busy", "message": message}})
    faked.go.set()
    ended(browser, job)
    assert ended(browser, started(browser, options={"session": "next"}))["run"] == "next"


def test_called_off(browser: Browser, faked: Faked, tmp_path: Path) -> None:
    job = started(browser)
    assert faked.inside.wait(PATIENCE_S)
    assert browser.post("capture/cancel", {"job": job}).status_code == 200
    state = ended(browser, job)
    assert (state["phase"], state["run"], state["path"]) == ("cancelled", "", "")
    assert state["error"] == {"kind": "remote", "message": "the capture was called off"}
    assert [(host["address"], host["kind"]) for host in state["hosts"]] == [(ADDRESS, "cancelled")]
    again = browser.post("capture/cancel", {"job": job}).json
    assert again == state


def test_nothing_came_back(browser: Browser, faked: Faked) -> None:
    faked.error = CaptureError("no worker sent a profile", (outcome(ADDRESS, "closed", "nothing listens there"),))
    faked.go.set()
    state = ended(browser, started(browser))
    assert (state["phase"], state["error"]) == ("failed", {"kind": "remote", "message": "no worker sent a profile"})
    assert [(host["kind"], host["message"]) for host in state["hosts"]] == [("closed", "nothing listens there")]


def test_a_logdir_that_cannot_be_written_is_found_out_before_any_server_is_asked(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By then a folder that could be written when the dialog opened was made something else."""
    monkeypatch.setattr("tensorboard_perfplugin.web.capture._not_written", lambda root: "")
    (tmp_path / "logs").write_text("")
    state = ended(browser, started(browser))
    assert (state["phase"], state["hosts"], state["error"]["kind"]) == ("failed", [], "bad_argument")
    assert str(tmp_path / "logs") in state["error"]["message"]


def test_a_defect_ends_the_capture_and_is_not_shown(
    browser: Browser, faked: Faked, caplog: pytest.LogCaptureFixture
) -> None:
    faked.error = ZeroDivisionError("secret")
    faked.go.set()
    state = ended(browser, started(browser))
    message = "ZeroDivisionError while capturing: details are in TensorBoard's log"
    assert (state["phase"], state["error"]) == ("failed", {"kind": "internal", "message": message})
    assert state["hosts"] == []
    assert "secret" in caplog.text


def test_only_the_last_few_are_remembered(browser: Browser, faked: Faked) -> None:
    faked.go.set()
    jobs = []
    for number in range(10):
        jobs.append(started(browser, options={"session": f"s{number}"}))
        ended(browser, jobs[-1])
    known = [browser.get("capture/state", {"job": job}).status_code for job in jobs]
    assert known == [404] * 2 + [200] * 8
    kind, message = browser.error("capture/state", {"job": jobs[0]}, 404)
    assert (kind, message) == (
        "not_found",
        f"no capture {jobs[0]!r}: TensorBoard was restarted, or 8 captures followed",
    )


def test_the_end_of_tensorboard_calls_the_capture_off(tmp_path: Path) -> None:
    """Its server is told, and what it wrote is removed: for both the capture must be given the time."""
    code = """
import sys, threading
from tensorboard_perfplugin.web.jobs import Jobs
inside = threading.Event()
def work(progress, cancel):
    inside.set()
    cancel.wait(20)
    print("called off", flush=True)
    raise SystemExit
Jobs(lambda folder: "").start(("a:1",), work)
inside.wait(20)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE_S)
    assert done.stdout == "called off\n"


# Whether a profiler answers


def test_a_check_of_each_address(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    def check(address: Any, timeout_s: float = 5.0, allowed: Any = None) -> Checked:
        why = refusal(allowed, address)
        kind: Any = "refused" if why else "ok"
        return Checked(str(address), kind, why or "a profiler answers", not why)

    monkeypatch.setattr(capture, "check", check)
    reply = browser.post("capture/check", {"addresses": "127.0.0.1:6009\n10.1.2.3:6009"})
    first, second = reply.json["hosts"]  # type: ignore[index]
    assert first == {"address": "127.0.0.1:6009", "kind": "ok", "message": "a profiler answers", "ok": True}
    assert (second["kind"], second["ok"]) == ("refused", False)
    assert "--perfplugin_capture_allow=loopback,10.1.2.3:6009" in second["message"]


def test_checks_do_not_pile_up(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of six at once four run; none ends before all have begun or were sent away."""
    go = threading.Event()
    begun: list[Any] = []
    statuses: list[int] = []

    def note(where: list[Any], what: Any) -> None:
        where.append(what)
        if len(begun) + len(statuses) == 6:
            go.set()

    def check(address: Any, timeout_s: float = 5.0, allowed: Any = None) -> Checked:
        note(begun, address)
        go.wait(PATIENCE_S)
        return Checked(str(address), "ok", "", True)

    monkeypatch.setattr(capture, "check", check)

    def ask() -> None:
        note(statuses, browser.post("capture/check", {"addresses": ADDRESS}).status_code)

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert sorted(statuses) == [200] * 4 + [503] * 2


# Arguments


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "addresses is missing, or neither a string nor a list of strings"),
        ({"addresses": 3}, "addresses is missing, or neither"),
        ({"addresses": [ADDRESS, 3]}, "addresses is missing, or neither"),
        ({"addresses": ""}, "no address of a profiler server given"),
        ({"addresses": "localhost"}, "'localhost': the port of the profiler server is missing"),
        ({"addresses": ADDRESS, "options": []}, "options must be a JSON object"),
        ({"addresses": ADDRESS, "options": {"duration": 1}}, "'duration' is not a capture option"),
        ({"addresses": ADDRESS, "options": {"duration_ms": 0}}, "duration_ms: 0 is not from 1 to 3600000"),
        ({"addresses": ADDRESS, "options": {"duration_ms": "1"}}, "duration_ms: '1' is not a whole number"),
        ({"addresses": ADDRESS, "options": {"duration_ms": True}}, "duration_ms: True is not a whole number"),
        ({"addresses": ADDRESS, "options": {"session": "../x"}}, "session: '../x' is not a valid name"),
        ({"addresses": ADDRESS, "options": {"session": None}}, "session: None is not a string"),
        ({"addresses": ADDRESS, "options": {"advanced": {"a": [1]}}}, "advanced: a: [1] is not a string"),
        ({"addresses": ADDRESS, "logdir": "/etc"}, "unknown field 'logdir': use one of addresses, options, root"),
    ],
)
def test_what_is_not_understood(browser: Browser, faked: Faked, body: Any, message: str) -> None:
    reply = browser.post("capture/start", body)
    assert (reply.status_code, reply.json["error"]["kind"]) == (400, "bad_argument")  # type: ignore[index]
    assert message in reply.json["error"]["message"]  # type: ignore[index]
    assert faked.asked == []


@pytest.mark.parametrize(
    ("query", "status", "message"),
    [("", 400, "job is missing"), ("job=x", 404, "no capture 'x'"), ("job=x&y=1", 400, "unknown parameter 'y'")],
)
def test_a_state_of_no_capture(browser: Browser, query: str, status: int, message: str) -> None:
    assert message in browser.error("capture/state", query, status)[1]


def test_flags(capsys: pytest.CaptureFixture[str]) -> None:
    parser = ArgumentParser()
    loader = PerfPluginLoader()
    loader.define_flags(parser)
    flags = parser.parse_args([])
    loader.fix_flags(flags)
    assert vars(flags) == {
        "perfplugin_capture_allow": "loopback",
        "perfplugin_capture_origins": "",
        "perfplugin_hosts": "",
        "perfplugin_follow_links": "yes",
        "perfplugin_cluster": "",
        "perfplugin_memory": "",
        "perfplugin_sql": False,
    }
    with pytest.raises(FlagsError, match=r"--perfplugin_capture_allow: '10\.0\.0\.0/99' cannot be allowed"):
        loader.fix_flags(Namespace(perfplugin_capture_allow="loopback,10.0.0.0/99", perfplugin_capture_origins=""))
    with pytest.raises(FlagsError, match=r"--perfplugin_hosts: 'a b' is not a valid host name"):
        loader.fix_flags(Namespace(perfplugin_hosts="tb.example, a b"))
    for size in ("63MiB", "8", "lots", "-1GB", "1e9GB", "2000TiB"):
        with pytest.raises(FlagsError, match=r"--perfplugin_memory: .*: must be a size with a unit, 64 MiB or"):
            loader.fix_flags(Namespace(perfplugin_memory=size))
    for size in ("64MiB", "500 MB", "2.5GiB", "1tb"):
        loader.fix_flags(Namespace(perfplugin_memory=size))
    parser.print_help()
    assert "--perfplugin_capture_origins NAMES" in capsys.readouterr().out


def test_a_new_folder_is_found_at_once_however_young_the_list_is(tmp_path: Path) -> None:
    """The list of runs is of some seconds ago at most; a capture that was just written is to be opened now."""
    logdir = Logdir.from_flags(str(tmp_path))
    assert logdir.snapshot(wait_s=PATIENCE_S).runs == ()
    folder = tmp_path / "plugins/profile/s1"
    folder.mkdir(parents=True)
    (folder / "h.xplane.pb").write_bytes(space("x").bytes())
    run = logdir.run_at(str(folder))
    assert run is not None
    assert run.name == "s1"
    assert logdir.run_at(str(tmp_path / "plugins/profile/s2")) is None


def test_what_talks_to_profilers_is_not_imported_before_it_is_needed(tmp_path: Path) -> None:
    """Neither by TensorBoard's start, whatever its flags say, nor by opening the dialog."""
    code = """
import sys
from argparse import Namespace
from tensorboard.plugins.base_plugin import TBContext
from werkzeug.test import Client
from tensorboard_perfplugin.plugin import PerfPluginLoader
flags = Namespace(logdir_spec="", perfplugin_capture_allow="10.0.0.0/8,*.corp", perfplugin_capture_origins="tb.corp")
loader = PerfPluginLoader()
loader.fix_flags(flags)
apps = loader.load(TBContext(logdir=sys.argv[1], flags=flags)).get_plugin_apps()
print(Client(apps["/capture/options"]).get("/capture/options").status_code)
print([name for name in ("grpc", "google.protobuf", "numpy") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=True)
    assert done.stdout == "200\n[]\n"
