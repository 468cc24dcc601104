"""Work stops where it is asked whether it goes on, and nowhere else."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from tensorboard_perfplugin import work
from tensorboard_perfplugin.timeline.timeline import derived
from tests.build_capture import Space
from tests.timeline.timelines import timeline


def test_without_work_nothing_is_told_and_nothing_stops() -> None:
    work.check()
    work.plan(3, 100)
    work.set_stage("reading", "h")
    work.host_done(10)


def test_work_is_of_its_thread() -> None:
    mine = work.Work()
    with work.at(mine):
        work.plan(2, 100)
        work.set_stage("analysing", "h")
        work.host_done(40)
        other = threading.Thread(target=work.host_done, args=(60,))
        other.start()
        other.join()
    work.host_done(60)
    assert (mine.stage, mine.host, mine.hosts, mine.hosts_done, mine.size_bytes, mine.done_bytes) == (
        "analysing",
        "h",
        2,
        1,
        100,
        40,
    )


def test_what_is_stopped_derives_no_more_and_the_next_one_does() -> None:
    made = []

    @derived
    def fact(timeline: object) -> int:
        made.append(timeline)
        return 7

    of = timeline(Space(hostnames=["h"]))
    stopped = work.Work()
    stopped.stopped.set()
    with work.at(stopped), pytest.raises(work.StoppedError):
        fact(of)
    assert (fact(of), len(made)) == (7, 1)
    # What is known is given to everybody.
    with work.at(stopped):
        assert fact(of) == 7


def answered(client: work.Work, make: Callable[[], object]) -> tuple[threading.Thread, list[object]]:
    """A thread that makes something for a client; what became of it is there once it has ended."""
    outcome: list[object] = []

    def run() -> None:
        with work.at(client):
            try:
                outcome.append(make())
            except work.StoppedError:
                outcome.append("stopped")

    thread = threading.Thread(target=run)
    thread.start()
    return thread, outcome


def test_a_client_that_has_gone_ends_its_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "LOOK_S", 0)
    has_left = threading.Event()
    with work.at(work.Work(has_left=has_left.is_set)):
        work.check()
        has_left.set()
        with pytest.raises(work.StoppedError):
            work.check()


def test_one_that_waits_for_another_leaves_with_its_client() -> None:
    gate, has_left = work.Gate(), threading.Event()
    with gate:
        thread, outcome = answered(work.Work(has_left=has_left.is_set), gate.__enter__)
        has_left.set()
        thread.join(10)
    assert (outcome, gate.waiting) == (["stopped"], 0)


def test_what_another_waits_for_is_made_though_its_own_client_has_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two ask for one fact; the first, which makes it, leaves. It was dropped, and made once more for the second."""
    monkeypatch.setattr(work, "LOOK_S", 0)
    made, began, may_end = [], threading.Event(), threading.Event()
    has_left = threading.Event()

    @derived
    def part(timeline: object) -> int:
        return 7

    @derived
    def fact(timeline: object) -> int:
        made.append(timeline)
        began.set()
        may_end.wait(10)
        return part(of)

    of = timeline(Space(hostnames=["h"]))

    def fact_and_check() -> None:
        fact(of)
        work.check()

    first, of_first = answered(work.Work(has_left=has_left.is_set), fact_and_check)
    began.wait(10)
    second, of_second = answered(work.Work(), lambda: fact(of))
    (gate,) = of._derived._making.values()
    while not gate.waiting:
        may_end.wait(0.001)
    has_left.set()
    may_end.set()
    first.join(10)
    second.join(10)
    assert (of_first, of_second, len(made)) == (["stopped"], [7], 1)
