"""Captures of real servers: training programs of TensorFlow, Keras and JAX; by the command, Python, the button."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import tensorboard_perfplugin
from tensorboard_perfplugin import capture
from tensorboard_perfplugin.capture import CaptureError, Options
from tests.conftest import slow_but
from tests.integration._board import tensorboard, until
from tests.integration._browser import tab_of
from tests.integration._servers import Served, served, wall_ns

#: A capture's steps against the clock in the loop.
NEAR = 0.02
SHORT = Options(duration_ms=2000, retries=0)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Served]]:
    """Two of TensorFlow, and one of JAX. What they write of their own accord would lie in their folders."""
    with served(tmp_path_factory.mktemp("served"), "tf", "keras", "jax") as programs:
        yield programs
        assert [each.process.poll() for each in programs] == [None, None, None]
        assert [list(each.folder.iterdir()) for each in programs] == [[], [], []]


def session_of(logdir: Path) -> Path:
    """The only session of a logdir that holds nothing else."""
    [session] = (logdir / "plugins" / "profile").iterdir()
    assert [each for each in logdir.rglob("*") if each.is_file() and each.parent != session] == []
    assert not list((logdir / "plugins").glob(".*"))
    return session


def check(session: Path, *programs: Served) -> None:
    """A file a program, with steps and ops in it, and the steps are those of the program's stopwatch."""
    names = {f"localhost_{each.port}" for each in programs}
    assert {path.name for path in session.iterdir()} == {"capture.json", *(f"{name}.xplane.pb" for name in names)}
    profile = tensorboard_perfplugin.open(session)
    assert set(profile.hosts) == names
    for each in programs:
        ours, theirs = wall_ns(session / f"localhost_{each.port}.xplane.pb", steps_until_now(each))
        assert ours == pytest.approx(theirs, rel=NEAR)
    for name in names:
        ops = tensorboard_perfplugin.open(session, host=name).op_stats()
        ops.check()
        assert len(json.loads(json.dumps(ops.to_dict()))["tables"]["ops"]["columns"]["name"]) > 3


def steps_until_now(program: Served) -> dict[int, tuple[int, int]]:
    """All that have ended so far, and the one that runs: a step is logged when it ends."""
    now_ns = time.time_ns()
    return until(program.steps, lambda steps: max(begin for begin, _ in steps.values()) > now_ns, "the next step")


def command(*words: object) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "tensorboard_perfplugin", "capture", *map(str, words)]
    return subprocess.run(line, capture_output=True, text=True, timeout=120)


@pytest.mark.slow
def test_the_command_captures_two_workers_at_once(programs: list[Served], tmp_path: Path) -> None:
    one, two, _ = programs
    logdir = tmp_path / "a logdir with ünïcode"
    done = command(f"grpc://{one.address},{two.address}", "--logdir", logdir, "--duration", "3s")
    assert done.returncode == 0, done.stderr
    check(session_of(logdir), one, two)


def test_python_captures_jax(programs: list[Served], tmp_path: Path) -> None:
    *_, jax = programs
    made = tensorboard_perfplugin.capture(jax.address, tmp_path, duration_ms=3000, retries=0)
    assert made.path == str(session_of(tmp_path))
    check(session_of(tmp_path), jax)


def test_one_that_is_busy_says_so_and_is_asked_again(programs: list[Served], tmp_path: Path) -> None:
    """A capture is under way: another has no place, but one with retries left has it afterwards."""
    one, *_ = programs
    [address] = capture.addresses(one.address)
    assert capture.check(address).kind == "ok"
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(capture.run, one.address, tmp_path / "first", Options(duration_ms=1500, retries=0))
        until(lambda: capture.check(address).kind, lambda kind: kind == "busy", "a server at work")
        patient = pool.submit(capture.run, one.address, tmp_path / "patient", replace(SHORT, retries=5))
        with pytest.raises(CaptureError, match="another profile is being recorded"):
            capture.run(one.address, tmp_path / "hasty", SHORT)
        check(Path(first.result().path), one)
        check(Path(patient.result().path), one)
    assert not (tmp_path / "hasty").exists()


@pytest.mark.parametrize("which", slow_but((2,), (0, 2)), ids=["tf", "jax"])
def test_a_program_that_traces_itself_is_busy(programs: list[Served], tmp_path: Path, which: int) -> None:
    program = programs[which]
    program.tell("trace")
    try:
        with pytest.raises(CaptureError) as caught:
            capture.run(program.address, tmp_path, SHORT)
    finally:
        program.tell("untrace")
    assert [host.kind for host in caught.value.hosts] == ["busy"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_after_a_cancelled_capture_the_servers_are_free_at_once(programs: list[Served], tmp_path: Path) -> None:
    one, _, jax = programs
    both, cancel = f"{one.address},{jax.address}", threading.Event()
    timer = threading.Timer(1, cancel.set)
    timer.start()
    with pytest.raises(CaptureError) as caught:
        capture.run(both, tmp_path, Options(duration_ms=600_000), cancel=cancel)
    timer.join()
    assert [host.kind for host in caught.value.hosts] == ["cancelled", "cancelled"]
    assert list(tmp_path.iterdir()) == []
    # On a busy machine the first answer may still be "busy", which is asked again.
    check(Path(capture.run(both, tmp_path, replace(SHORT, retries=10)).path), one, jax)


@pytest.mark.slow
def test_of_two_workers_one_dies_half_way(programs: list[Served], tmp_path: Path) -> None:
    one, *_ = programs
    with served(tmp_path / "served", "jax") as [other]:
        timer = threading.Timer(1, other.process.kill)
        timer.start()
        made = capture.run(f"{one.address},{other.address}", tmp_path / "logs", Options(duration_ms=2000))
        timer.join()
    assert [host.kind for host in made.hosts] == ["ok", "cut"]
    check(session_of(tmp_path / "logs"), one)
    [missing] = tensorboard_perfplugin.open(made.path).overview().to_dict()["quality"]["warnings"]
    assert missing.startswith(f"worker {other.address} is missing from this capture: the connection was lost")


def test_through_tensorboard_into_a_logdir_that_is_not_there(programs: list[Served], log: Path) -> None:
    one, two, _ = programs
    logdir = log.parent / "later" / "ein Verzeichnis"
    with tensorboard(log, "--logdir", str(logdir), "--path_prefix", "/some/prefix") as board:
        assert not logdir.exists()
        addresses = [one.address, two.address]
        assert [host["kind"] for host in board.post("capture/check", {"addresses": addresses})["hosts"]] == ["ok", "ok"]
        job = board.post("capture/start", {"addresses": addresses, "options": {"duration_ms": 3000}})["job"]
        done = until(lambda: board.ask("capture/state", job=job), lambda state: state["done"], "the end of a capture")
        assert (done["error"], [host["kind"] for host in done["hosts"]]) == (None, ["ok", "ok"])
        [run] = board.runs()
        assert run["name"] == done["run"]
        assert board.ask("data", run=done["run"], tool="overview")["summary"]["step_count"] > 5
        check(session_of(logdir), one, two)


def test_the_button_captures_two_at_once(programs: list[Served], browser: Browser, log: Path) -> None:
    one, _, jax = programs
    logdir = log.parent / "logs"
    with tensorboard(log, "--logdir", str(logdir)) as board, tab_of(browser, board) as tab:
        tab.inside.get_by_role("button", name="Capture profile").click()
        dialog = tab.inside.get_by_role("dialog", name="Capture a profile")
        dialog.get_by_role("textbox", name="Profiler servers").fill(f"{one.address}, {jax.address}")
        expect(dialog.get_by_text("ready")).to_have_count(2)
        dialog.get_by_role("button", name="Capture", exact=True).click()
        dialog.get_by_role("button", name="Open").click()
        tab.settle()
        expect(tab.inside.locator("main")).to_contain_text("Steps take")
        tab.screenshot("capture_of_two")
        check(session_of(logdir), one, jax)
