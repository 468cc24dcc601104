"""Hosts read by other processes: the same answer, a worker that dies, one that is cancelled, hosts that fail."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from contextlib import AbstractContextManager

import pytest

from tensorboard_perfplugin.answers.library import Library
from tensorboard_perfplugin.answers.many import Hosts
from tensorboard_perfplugin.answers.partials import processes as module
from tensorboard_perfplugin.answers.partials.gather import Progress, Serial
from tensorboard_perfplugin.answers.partials.processes import Processes
from tensorboard_perfplugin.answers.partials.work import Ask, Done, Work
from tensorboard_perfplugin.answers.partials.worker import read_here
from tensorboard_perfplugin.tools import find_tool
from tests.answers.partials.hosts import TOOLS, answered, many
from tests.conftest import MakeLogdir


@pytest.mark.parametrize("tool", TOOLS)
def test_all_executors_give_the_same_answer(make_logdir: MakeLogdir, tool: str) -> None:
    run = many(make_logdir, 8)
    expected = answered(run, tool, None)
    assert answered(run, tool, Serial(read_here)) == expected
    assert answered(run, tool, Processes(2)) == expected


def test_a_host_that_cannot_be_read_is_named_by_all(make_logdir: MakeLogdir) -> None:
    run = many(make_logdir, 3, bad=b"\xff" * 999)
    expected = answered(run, "overview", None)
    assert "host bad is left out" in expected
    assert answered(run, "overview", Serial(read_here)) == expected
    assert answered(run, "overview", Processes(2)) == expected


class Kills:
    """Ends the worker that is given the host of a name, by its pid, so many times."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, host: str, times: int) -> None:
        self.host, self.left, self.pids = host, times, list[int]()
        self._asked = module._Pass._asked
        monkeypatch.setattr(module._Pass, "_asked", lambda pass_, process, work: self.asked(pass_, process, work))

    def asked(self, pass_: module._Pass, process: subprocess.Popen[bytes], work: Work) -> Done | None:
        if work.file.host == self.host and self.left:
            self.left -= 1
            self.pids.append(process.pid)
            os.kill(process.pid, signal.SIGKILL)
        return self._asked(pass_, process, work)


def test_a_worker_that_is_killed_loses_nothing(make_logdir: MakeLogdir, monkeypatch: pytest.MonkeyPatch) -> None:
    run = many(make_logdir, 8)
    kills = Kills(monkeypatch, "h3", times=1)
    assert answered(run, "overview", Processes(2)) == answered(run, "overview", None)
    assert len(kills.pids) == 1


def test_a_host_that_kills_its_workers_is_named(make_logdir: MakeLogdir, monkeypatch: pytest.MonkeyPatch) -> None:
    run = many(make_logdir, 4)
    kills = Kills(monkeypatch, "h1", times=99)
    answer = Library(hosts=Hosts(Processes(2))).answer(find_tool("overview"), run, None, {})
    assert answer.hosts == ("h0", "h2", "h3")
    (warning,) = answer.quality.warnings
    assert (warning.code, warning.params["host"]) == ("host_left_out", "h1")
    assert "signal 9" in str(warning.params["error"])
    assert len(set(kills.pids)) == 2


def test_without_a_program_to_start_hosts_are_read_here(
    make_logdir: MakeLogdir, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = many(make_logdir, 3)
    expected = answered(run, "overview", None)
    for program in ("", shutil.which("true") or "/bin/true"):
        monkeypatch.setattr(sys, "executable", program)
        assert answered(run, "overview", Processes(2)) == expected


def test_what_is_cancelled_ends_its_workers(make_logdir: MakeLogdir, monkeypatch: pytest.MonkeyPatch) -> None:
    """One host is being read for ever."""
    run = many(make_logdir, 2)
    held, stop = list[int](), threading.Event()

    def asked(pass_: module._Pass, process: subprocess.Popen[bytes], work: Work) -> Done | None:
        held.append(process.pid)
        os.kill(process.pid, signal.SIGSTOP)
        if len(held) == 2:
            stop.set()
        return asks(pass_, process, work)

    asks = module._Pass._asked
    monkeypatch.setattr(module._Pass, "_asked", asked)
    works = [Work(file, (Ask("overview", ()),)) for file in run.files]
    assert list(Processes(2).map(works, stop)) == []
    assert len(held) == 2
    for pid in held:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_files_that_do_not_fit_together_are_read_one_by_one(make_logdir: MakeLogdir) -> None:
    room = module._Room(100)
    inside, entered = list[int](), threading.Event()

    def take() -> None:
        with room.taken(60):
            inside.append(1)
            entered.set()

    with room.taken(60):
        thread = threading.Thread(target=take)
        thread.start()
        with room.taken(40):
            assert inside == []
    thread.join(60)
    assert inside == [1]
    with room.taken(1000):
        assert entered.is_set()
    run = many(make_logdir, 3)
    assert answered(run, "overview", Processes(2, memory_bytes=1)) == answered(run, "overview", None)


def test_progress_counts_hosts_and_bytes(make_logdir: MakeLogdir) -> None:
    run, seen = many(make_logdir, 3, bad=b"\xff" * 999), list[Progress]()
    Library(hosts=Hosts(Processes(2), watch=seen.append)).answer(find_tool("overview"), run, None, {})
    assert [(each.done, each.hosts) for each in seen] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert (seen[-1].failed, seen[-1].read_bytes, seen[-1].left_s) == (1, run.size_bytes, 0)


@pytest.mark.parametrize(("mebibytes", "workers"), [(199, 1), (200, 2)])
def test_a_worker_takes_100_mib_and_six_times_its_file(
    make_logdir: MakeLogdir, monkeypatch: pytest.MonkeyPatch, mebibytes: int, workers: int
) -> None:
    run, rooms, taken = many(make_logdir, 4), list[int](), list[int | None]()
    start, take = module._Room.__init__, module._Room.taken

    def room(self: module._Room, size: int) -> None:
        rooms.append(size)
        start(self, size)

    def taken_by(self: module._Room, size: int | None) -> AbstractContextManager[None]:
        taken.append(size)
        return take(self, size)

    monkeypatch.setattr(module._Room, "__init__", room)
    monkeypatch.setattr(module._Room, "taken", taken_by)
    monkeypatch.setattr(sys, "executable", "")
    assert answered(run, "overview", Processes(2, mebibytes << 20)) == answered(run, "overview", None)
    assert rooms == [(mebibytes - 100 * workers) << 20]
    assert sorted(taken, key=str) == sorted((6 * file.size_bytes for file in run.files), key=str)
