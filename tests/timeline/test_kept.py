from __future__ import annotations

import threading

import pytest

from tensorboard_perfplugin.timeline import Kept


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


def test_what_failed_is_made_again() -> None:
    kept: Kept[str] = Kept()

    def fails() -> str:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        kept.get("auto", fails)
    assert not vars(kept)["_making"]
    assert kept.get("auto", lambda: "made") == "made"
    assert not vars(kept)["_making"]
