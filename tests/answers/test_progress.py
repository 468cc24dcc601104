"""How far a question to many hosts is, wherever they are read, and that it ends when nobody waits for it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Generator, Sequence
from pathlib import Path

import pytest

from tensorboard_perfplugin import work
from tensorboard_perfplugin.answers.library import Library
from tensorboard_perfplugin.answers.many import Hosts
from tensorboard_perfplugin.answers.partials.gather import Executor, Serial
from tensorboard_perfplugin.answers.partials.processes import Processes
from tensorboard_perfplugin.answers.partials.store import Store
from tensorboard_perfplugin.answers.partials.work import Done, Work
from tensorboard_perfplugin.answers.partials.worker import read_here
from tensorboard_perfplugin.logdir import Run
from tensorboard_perfplugin.tools import find_tool
from tests.answers.partials.hosts import many
from tests.conftest import MakeLogdir

HOSTS = 5


class Steps:
    """Another executor's, with what the work said after each host."""

    name = "steps"

    def __init__(self, executor: Executor, of: work.Work) -> None:
        self.executor, self.of, self.seen = executor, of, list[tuple[str, int]]()

    def map(self, works: Sequence[Work], stop: threading.Event) -> Generator[tuple[int, Done], None, None]:
        for each in self.executor.map(works, stop):
            self.seen.append((self.of.stage, self.of.hosts_done))
            yield each


def asked(run: Run, hosts: Hosts, of: work.Work) -> None:
    with work.at(of):
        Library(hosts=hosts).answer(find_tool("overview"), run, None, {})


@pytest.mark.parametrize("executor", [Serial(read_here), Processes(2)], ids=["serial", "processes"])
def test_hosts_are_counted_as_they_come(make_logdir: MakeLogdir, executor: Executor) -> None:
    run, mine = many(make_logdir, HOSTS), work.Work()
    steps = Steps(executor, mine)
    asked(run, Hosts(steps), mine)
    assert [done for _, done in steps.seen] == list(range(HOSTS))
    assert "waiting" not in [stage for stage, _ in steps.seen]
    assert (mine.stage, mine.hosts, mine.hosts_done) == ("combining", HOSTS, HOSTS)
    assert mine.done_bytes == mine.size_bytes == sum(file.size_bytes for file in run.files)


def test_hosts_of_the_cache_count_once(make_logdir: MakeLogdir, tmp_path: Path) -> None:
    run, store = many(make_logdir, HOSTS), Store(lambda: str(tmp_path / "cache"))
    for _ in range(2):
        mine = work.Work()
        asked(run, Hosts(Serial(read_here), lambda: store), mine)
        assert (mine.hosts_done, mine.done_bytes) == (HOSTS, mine.size_bytes)


def test_a_host_that_cannot_be_read_counts_too(make_logdir: MakeLogdir) -> None:
    run, mine = many(make_logdir, HOSTS, bad=b"\xff" * 999), work.Work()
    asked(run, Hosts(Serial(read_here)), mine)
    assert (mine.hosts_done, mine.done_bytes) == (HOSTS + 1, mine.size_bytes)


def test_a_run_that_nobody_waits_for_is_no_failure(make_logdir: MakeLogdir, caplog: pytest.LogCaptureFixture) -> None:
    run, mine = many(make_logdir, HOSTS), work.Work()
    opened: list[str] = []

    class Stops(Serial):
        """Nobody waits from the second host on."""

        def map(self, works: Sequence[Work], stop: threading.Event) -> Generator[tuple[int, Done], None, None]:
            for each in super().map(works, stop):
                opened.append(works[each[0]].file.host)
                if len(opened) == 2:
                    mine.stopped.set()
                yield each

    with caplog.at_level(logging.ERROR), pytest.raises(work.StoppedError):
        asked(run, Hosts(Stops(read_here)), mine)
    assert opened == ["h0", "h1"]
    assert not caplog.records


def test_work_that_ends_within_a_host_is_no_failure_of_it(
    make_logdir: MakeLogdir, caplog: pytest.LogCaptureFixture
) -> None:
    run, mine = many(make_logdir, HOSTS), work.Work()

    def use(*_: object) -> tuple[bytes, ...]:
        mine.stopped.set()
        work.check()
        return ()

    with caplog.at_level(logging.ERROR), pytest.raises(work.StoppedError):
        asked(run, Hosts(Serial(use)), mine)
    assert not caplog.records
