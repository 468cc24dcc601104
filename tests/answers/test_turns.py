"""Whose turn it is: of many that wait in one lane none keeps another lane waiting."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from tensorboard_perfplugin import work
from tensorboard_perfplugin.answers.memo import Turns


class Asked:
    """Threads that wait for a turn in a lane; `began` has the lanes in the order of their turns."""

    def __init__(self, turns: Turns) -> None:
        self.began: list[str] = []
        self._turns, self._threads, self._ends = turns, list[threading.Thread](), threading.Event()
        self._changed = threading.Semaphore(0)

    def ask(self, lane: str) -> None:
        waiting = len(self._turns._waiting) + len(self.began)
        self._threads.append(threading.Thread(target=self._run, args=(lane,)))
        self._threads[-1].start()
        while len(self._turns._waiting) + len(self.began) == waiting:
            self._changed.acquire(timeout=0.001)

    def _run(self, lane: str) -> None:
        with self._turns.taken(lane):
            self.began.append(lane)
            self._changed.release()
            self._ends.wait(10)

    def end(self) -> None:
        self._ends.set()
        for thread in self._threads:
            thread.join(10)


@contextmanager
def asked(turns: Turns) -> Iterator[Asked]:
    each = Asked(turns)
    try:
        yield each
    finally:
        each.end()


def test_one_lane_leaves_a_turn_to_another() -> None:
    with asked(Turns(3, 2)) as each:
        for _ in range(9):
            each.ask("large")
        each.ask("small")
        assert each.began == ["large", "large", "small"]
    assert sorted(each.began) == ["large"] * 9 + ["small"]


def test_a_turn_that_is_free_goes_to_the_lane_that_has_the_fewest() -> None:
    turns = Turns(2, 2)
    with asked(turns) as each:
        with ExitStack() as held:
            held.enter_context(turns.taken("large"))
            each.ask("large")
            each.ask("large")
            each.ask("small")
            assert each.began == ["large"]
            # It was the turn of the second one that waits, by their order.
        while len(each.began) < 2:
            each._changed.acquire(timeout=0.001)
        assert each.began == ["large", "small"]


def test_a_client_that_leaves_takes_no_turn() -> None:
    turns = Turns(1, 1)
    gone = work.Work(has_left=lambda: True)
    with turns.taken("a"), work.at(gone), pytest.raises(work.StoppedError), turns.taken("a"):
        pass
    with turns.taken("a"):
        pass
    assert (turns._free, turns._waiting, dict(turns._running)) == (1, [], {})
