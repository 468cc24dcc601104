"""Rows of other pages as words: how much of a text, and how many ranges of tracks, stand in one."""

from __future__ import annotations

import numpy as np
import pytest

from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.tables import LIMIT, limited, row_key, row_text
from tensorboard_perfplugin.tables.columns import ranges, word


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("k" * 100, "k" * 100),
        ("k" * 99 + "\U0001f600", "k" * 99 + "…f105b73d"),
        ("k" * 101, "k" * 100 + "…b710f2b6"),
        ("", ""),
        (7.0, "7"),
        (0.5, "0.5"),
    ],
)
def test_a_value_as_it_stands_in_a_key(text: str | float, expected: str) -> None:
    """Of a long text 100 UTF-16 units and their FNV-1a, as `frontend/` has it."""
    assert word(text) == expected


@pytest.mark.parametrize(("letters", "is_read"), [(8_188, True), (8_189, False)])
def test_how_much_is_read_of_a_key(letters: int, is_read: bool) -> None:
    """`a.b.c?k=` and so many letters; what comes after them is cut off."""
    text = "a.b.c?k=" + "x" * (letters - 6) + "yz"
    assert row_key(text).values["k"].endswith("yz") == is_read


@pytest.mark.parametrize("text", ["a.b", "a.b.c.d", "A.b.c", "a.b.c=x"])
def test_what_names_no_cell(text: str) -> None:
    with pytest.raises(ArgumentError, match=r"TOOL\.TABLE\.COLUMN"):
        row_key(text)


def test_a_key_and_its_text() -> None:
    text = row_text("tool.table.column", device="/device:GPU:0", graph=7, none=None)
    assert text == "tool.table.column?device=%2Fdevice%3AGPU%3A0&graph=7"
    key = row_key(text)
    assert (key.name, key.column, key.values) == ("tool.table", "column", {"device": "/device:GPU:0", "graph": "7"})


@pytest.mark.parametrize(("count", "shown"), [(200, 200), (201, 0)])
def test_ranges_of_tracks(count: int, shown: int) -> None:
    text = ranges(np.arange(count, dtype=np.int64) * 3)
    assert len([part for part in text.split(".") if part]) == shown
    assert ranges(np.array([7, 3, 5, 6])) == "3.5-7"


def test_rows_of_a_long_table() -> None:
    rows = range(30_000)
    assert len(limited(rows, {"limit": LIMIT.default})) == 20_000
    assert len(limited(rows, {"limit": 0})) == 30_000
    assert (LIMIT.low, LIMIT.high) == (0, 1_099_511_627_776)
