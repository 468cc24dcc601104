from __future__ import annotations

import threading

import pytest

from tensorboard_perfplugin.tables import arrays


def test_results_come_in_the_order_of_the_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "usable_cores", lambda: 2)
    second_ran = threading.Event()

    def first() -> str:
        assert second_ran.wait(60), "the parts did not run at once"
        return "first"

    def second() -> str:
        second_ran.set()
        return "second"

    assert arrays.side_by_side(1 << 20, first, second) == ["first", "second"]


def test_few_rows_need_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "usable_cores", lambda: 2)
    here = threading.get_ident()
    assert arrays.side_by_side(1000, threading.get_ident, threading.get_ident) == [here, here]


@pytest.mark.parametrize("rows", [10, 1 << 20])
def test_what_a_part_raises_is_raised(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "usable_cores", lambda: 2)
    with pytest.raises(ZeroDivisionError):
        arrays.side_by_side(rows, lambda: 1, lambda: 1 // 0)
