"""Hosts read by the workers of a Dask cluster on loopback: the same answer, a worker killed, a scheduler gone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin.answers.library import Library
from tensorboard_perfplugin.answers.many import Hosts
from tensorboard_perfplugin.answers.partials import cluster as module
from tensorboard_perfplugin.answers.partials.cluster import Cluster
from tensorboard_perfplugin.answers.partials.gather import executor_of
from tensorboard_perfplugin.answers.partials.store import Store
from tensorboard_perfplugin.answers.partials.work import Done, Work
from tensorboard_perfplugin.errors import ArgumentError, RemoteError
from tensorboard_perfplugin.tools import find_tool
from tests.answers.partials.hosts import TOOLS, answered, many
from tests.conftest import MakeLogdir

distributed = pytest.importorskip("distributed")

pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.slow]
ROOT = Path(__file__).parents[3]


class Loopback:
    """A scheduler and workers, each a process of its own."""

    def __init__(self, folder: Path, workers: int) -> None:
        self._file = folder / "scheduler.json"
        self.scheduler = self._started("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self.workers = [
            self._started("worker", "--nthreads", "1", "--no-nanny", "--no-dashboard", "--local-directory", str(folder))
            for _ in range(workers)
        ]
        self.client = distributed.Client(scheduler_file=str(self._file), set_as_default=False)
        self.client.wait_for_workers(workers)

    def _started(self, what: str, *more: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "distributed.cli.dask_" + what, "--scheduler-file", str(self._file), *more]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
        return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    @property
    def address(self) -> str:
        return str(self.client.scheduler.address)

    def pids(self) -> list[int]:
        return list(self.client.run(os.getpid).values())

    def end(self) -> None:
        self.client.close(timeout=1)
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Loopback]:
    loopback = Loopback(tmp_path, 2)
    yield loopback
    loopback.end()


@pytest.mark.parametrize("tool", TOOLS)
def test_a_cluster_gives_the_same_answer(cluster: Loopback, make_logdir: MakeLogdir, tool: str) -> None:
    run = many(make_logdir, 8, bad=b"\xff" * 999)
    expected = answered(run, tool, None)
    assert answered(run, tool, executor_of(cluster.address)) == expected
    assert answered(run, tool, executor_of(cluster.client)) == expected


class Kills(Cluster):
    """Ends a process by its pid when the first host has come."""

    def __init__(self, where: Any, pid: int) -> None:
        super().__init__(where)
        self.pid = pid

    def map(self, works: Any, stop: threading.Event) -> Generator[tuple[int, Done], None, None]:
        each = super().map(works, stop)
        yield next(each)
        os.kill(self.pid, signal.SIGKILL)
        yield from each


def test_a_worker_that_is_killed_loses_nothing(cluster: Loopback, make_logdir: MakeLogdir) -> None:
    run = many(make_logdir, 24)
    killed = Kills(cluster.address, cluster.workers[0].pid)
    assert answered(run, "overview", killed) == answered(run, "overview", None)
    assert cluster.workers[0].wait() == -signal.SIGKILL


def test_a_scheduler_that_has_gone_is_one_sentence_and_what_came_is_kept(
    cluster: Loopback, make_logdir: MakeLogdir, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, store = many(make_logdir, 24), Store(lambda: str(tmp_path / "kept"))
    gone = Hosts(Kills(cluster.address, cluster.scheduler.pid), lambda: store)
    # Workers that are stopped have nothing more to give.
    for worker in cluster.workers[1:]:
        worker.send_signal(signal.SIGSTOP)
    with pytest.raises(RemoteError, match=r"has gone after .* of 24 hosts") as error:
        Library(hosts=gone).answer(find_tool("overview"), run, None, {})
    assert "\n" not in str(error.value)
    assert list((tmp_path / "kept").iterdir())


def test_workers_that_have_all_gone_end_in_one_sentence(
    cluster: Loopback, make_logdir: MakeLogdir, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waited for ever: Dask keeps works for workers that may come."""
    monkeypatch.setattr(module, "NO_WORKERS_S", 1.0)
    monkeypatch.setattr(module, "_WORKERS_S", 0.5)
    run = many(make_logdir, 24)
    cluster.workers[1].kill()
    cluster.workers[1].wait()
    with pytest.raises(RemoteError, match=r"has had no worker for 1 s, after .* of 24 hosts; what came is kept: start"):
        answered(run, "overview", Kills(cluster.address, cluster.workers[0].pid))


def test_works_that_a_lost_scheduler_called_off_are_one_sentence(make_logdir: MakeLogdir) -> None:
    """Dask raises that of its futures where it notices first that the scheduler has gone."""

    class Future:
        status = "finished"

        def add_done_callback(self, call: Any) -> None:
            call(self)

        def result(self) -> Done:
            raise distributed.client.FutureCancelledError("perfplugin-host", "lost")

    class Lost:
        status = "closed"

        def map(self, make: Any, works: Any, **_: Any) -> list[Future]:
            return [Future() for _ in works]

        def close(self, **_: Any) -> None: ...

    works = [Work(file, (("overview", ()),)) for file in many(make_logdir, 1).files]  # type: ignore[arg-type]
    with pytest.raises(RemoteError, match="has gone after 0 of 1 hosts"):
        dict(Cluster(Lost()).map(works, threading.Event()))


def test_without_a_scheduler(monkeypatch: pytest.MonkeyPatch, make_logdir: MakeLogdir) -> None:
    monkeypatch.setattr(module, "CONNECT_S", 0.2)
    run = many(make_logdir, 2)
    with pytest.raises(RemoteError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:1"):
        answered(run, "overview", Cluster("tcp://127.0.0.1:1"))


def test_another_version_on_the_workers_is_said(
    cluster: Loopback, monkeypatch: pytest.MonkeyPatch, make_logdir: MakeLogdir
) -> None:
    monkeypatch.setattr(module, "__version__", "0.0.1")
    with pytest.raises(RemoteError, match=r"has version .*, here is 0\.0\.1"):
        answered(many(make_logdir, 2), "overview", Cluster(cluster.address))


def test_what_is_no_cluster_is_said() -> None:
    with pytest.raises(ArgumentError, match="tcp://host:8786"):
        executor_of("localhost")
    with pytest.raises(ArgumentError, match="a int is no executor"):
        executor_of(3)
    assert executor_of(None) is executor_of("") is None


def test_a_file_that_is_not_there_for_a_worker_is_named(cluster: Loopback, make_logdir: MakeLogdir) -> None:
    """As where a folder is not shared."""
    run = many(make_logdir, 2)
    works = [Work(file, (("overview", ()),)) for file in run.files]  # type: ignore[arg-type]
    os.unlink(run.files[0].path)
    made = dict(Cluster(cluster.address).map(works[:1], threading.Event()))
    assert made[0].failed is not None
    assert made[0].failed.kind == "not_found"
