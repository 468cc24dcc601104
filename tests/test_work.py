"""Work stops where it is asked whether it goes on, and nowhere else."""

from __future__ import annotations

import threading

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
