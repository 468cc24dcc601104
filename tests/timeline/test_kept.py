from __future__ import annotations

import functools
import threading
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.timeline import Kept, Timeline, held_bytes
from tests.build_capture import Space


def test_threads_that_ask_together_share_one_value() -> None:
    kept: Kept[object] = Kept()
    inside, go, made, got = threading.Event(), threading.Event(), [], []

    def make() -> object:
        made.append(1)
        inside.set()
        assert go.wait(60)
        return object()

    threads = [threading.Thread(target=lambda: got.append(kept.get("auto", make))) for _ in range(3)]
    threads[0].start()
    assert inside.wait(60)
    for thread in threads[1:]:
        thread.start()
    go.set()
    for thread in threads:
        thread.join(60)
    assert (len(made), len(got), len(set(map(id, got)))) == (1, 3, 1)


def test_the_oldest_of_five_is_forgotten() -> None:
    kept: Kept[str] = Kept()
    assert [kept.get(choice, choice.upper) for choice in "abcda"] == ["A", "B", "C", "D", "A"]
    kept.get("e", str)
    assert list(kept.values) == ["b", "c", "d", "e"]


def test_the_oldest_go_where_those_before_the_newest_hold_too_much() -> None:
    kept: Kept[np.ndarray[Any, Any]] = Kept(9, most_bytes=2000)
    for choice, size in (("a", 500), ("b", 1500), ("c", 9000)):
        kept.get(choice, functools.partial(np.zeros, size, np.uint8))
    assert list(kept.values) == ["a", "b", "c"]
    kept.get("d", functools.partial(np.zeros, 1, np.uint8))
    assert list(kept.values) == ["d"]
    kept.get("e", functools.partial(np.zeros, 1, np.uint8))
    assert list(kept.values) == ["d", "e"]


def test_what_failed_is_made_again() -> None:
    kept: Kept[str] = Kept()

    def fails() -> str:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        kept.get("auto", fails)
    assert not vars(kept)["_making"]
    assert kept.get("auto", lambda: "made") == "made"
    assert not vars(kept)["_making"]


def test_what_is_shared_counts_once() -> None:
    """A kept timeline counted a column of the capture once more for each fact that held it, and went too early."""
    column = np.zeros(1000, np.int64)
    assert (
        held_bytes([column, column, {"half": column[:500]}, (column.view(np.uint64), column.reshape(10, 100))]) == 8000
    )
    assert held_bytes([column[:500], np.zeros(1000, np.int64)]) == 12_000
    assert held_bytes(np.broadcast_to(np.int64(7), 1000)) == 0


def test_facts_that_are_columns_of_the_capture_hold_nothing_more() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1)
    for i in range(1000):
        line.event("op", i, 1)
    timeline = Timeline(decode.read_bytes(space.bytes()), "h")
    before = timeline.nbytes
    assert before >= timeline.capture.nbytes
    timeline.remember("facts", lambda: (timeline.capture.events.start_ps, timeline.capture.events.duration_ps[5:]))
    assert timeline.nbytes == before
    timeline.remember("more", lambda: np.zeros(1000, np.int64))
    assert timeline.nbytes == before + 8000


def test_what_was_made_is_counted_in_parts_of_a_timeline_too() -> None:
    space = Space()
    space.plane("/host:CPU").line(1).event("op", 0, 1, {"step_num": 7})
    timeline = Timeline(decode.read_bytes(space.bytes()), "h")
    part, parts = Timeline(timeline.capture, "h"), Kept[Timeline]()
    counts = [timeline.made]
    for make in (
        lambda: timeline.remember("facts", lambda: 1),
        lambda: timeline.remember("facts", lambda: 2),
        lambda: timeline.stat("step_num"),
        lambda: timeline.remember("parts", lambda: parts).get("steps 0-3", lambda: part),
        lambda: part.remember("facts", lambda: 3),
    ):
        make()
        counts.append(timeline.made)
    assert counts == [0, 1, 1, 2, 4, 5]
