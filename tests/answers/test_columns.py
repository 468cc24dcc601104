"""Columns as arrays: what comes back is what JSON gives, in as few bytes as hold it."""

from __future__ import annotations

import json
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensorboard_perfplugin.answers.encode import to_columns, to_json
from tensorboard_perfplugin.tables import Column, Quality
from tensorboard_perfplugin.tools import TOOLS, Answer, Result, TableSpec, Tool
from tests.columns import read_columns

BIG = 1 << 53


def one_column(cells: Any, dtype: str = "int64") -> Answer:
    table = TableSpec("t", "T", "A table.", (Column("x", dtype, "", "A column."),))
    tool = Tool("one", "One", "What?", "One column.", (), (table,), (), lambda *_: None, lambda *_: Result({}, {}))
    return Answer(tool, "r", ("h",), Result({}, {"t": {"x": cells}}), Quality(), "compiled")


def placed(data: bytes) -> Any:
    """What the header has for the only column."""
    (length,) = struct.unpack_from("<I", data, 4)
    return json.loads(data[8 : 8 + length])["tables"]["t"]["columns"]["x"]


@pytest.mark.parametrize(
    ("cells", "place"),
    [
        ([0, 255], {"dtype": "u1", "at": 0, "n": 2}),
        ([0, 256], {"dtype": "u2", "at": 0, "n": 2}),
        ([0, 65_536], {"dtype": "u4", "at": 0, "n": 2}),
        ([2**32 - 1], {"dtype": "u4", "at": 0, "n": 1}),
        ([-1, 0], {"dtype": "i4", "at": 0, "n": 2}),
        ([-(2**31), 2**31 - 1], {"dtype": "i4", "at": 0, "n": 2}),
        ([-1, 2**31], {"dtype": "u1", "at": 0, "n": 2, "from": -1, "step": 2**31 + 1}),
        ([5, 2**40 + 5], {"dtype": "u1", "at": 0, "n": 2, "from": 5, "step": 2**40}),
        ([-7000, 4000, 2**32 * 1000 - 8000], {"dtype": "u4", "at": 0, "n": 3, "from": -7000, "step": 1000}),
        ([0, 7, 2**40], {"dtype": "u4", "at": 0, "n": 3, "from": 0, "step": 1, "high": 16}),
        ([0, 7, 2**48 - 2], {"dtype": "u4", "at": 0, "n": 3, "from": 0, "step": 1, "high": 16}),
        ([0, 7, 2**48], {"dtype": "f8", "at": 0, "n": 3}),
        # What is long is packed the better way.
        ([*range(0, 630, 10)], {"dtype": "u2", "at": 0, "n": 63}),
        ([*range(0, 640, 10)], {"dtype": "u1", "at": 0, "n": 64, "from": 0, "step": 10, "delta": True}),
        ([0, 70_000] * 35, {"dtype": "u1", "at": 0, "n": 70, "from": 0, "step": 70_000}),
        (
            [*range(-9, 63), *range(5000, 5100)],
            {"dtype": "u2", "at": 0, "n": 172, "from": -9, "step": 1, "delta": True},
        ),
        ([7, *range(10**6, 10**6 + 99)] * 2, {"dtype": "u4", "at": 0, "n": 200, "from": 7, "step": 1, "delta": True}),
        (
            [*range(0, 2**47, 2**40 - 1)] * 2,
            {"dtype": "u1", "at": 0, "n": 258, "from": 0, "step": 2**40 - 1, "delta": True},
        ),
        (
            [*range(1, 2**47, 2**39), *range(2**47)[:50]],
            {"dtype": "u4", "at": 0, "n": 306, "from": 0, "step": 1, "delta": True, "high": 1224},
        ),
        ([0, BIG - 1, 1 - BIG, 1], {"dtype": "f8", "at": 0, "n": 4}),
        ([2**33], {"dtype": "u1", "at": 0, "n": 1, "from": 2**33, "step": 1}),
        ([1.5, 2], {"dtype": "f8", "at": 0, "n": 2}),
        ([], {"dtype": "u1", "at": 0, "n": 0}),
        (np.empty(0), {"dtype": "f8", "at": 0, "n": 0}),
        (np.array([1, 2], np.int32), {"dtype": "u1", "at": 0, "n": 2}),
        (np.array([2**40, 3], np.uint64), {"dtype": "u1", "at": 0, "n": 2, "from": 3, "step": 2**40 - 3}),
        (
            np.array([-(2**15), 2**15 - 1] * 32, np.int16),
            {"dtype": "u1", "at": 0, "n": 64, "from": -(2**15), "step": 2**16 - 1},
        ),
        (np.array([0.1, -1e300]), {"dtype": "f8", "at": 0, "n": 2}),
        (np.array([0.5], np.float32), {"dtype": "f8", "at": 0, "n": 1}),
    ],
)
def test_numbers_come_back_from_the_smallest_array(cells: Any, place: dict[str, Any]) -> None:
    answer = one_column(cells)
    data = to_columns(answer)
    assert placed(data) == place
    assert read_columns(data)["tables"] == answer.to_dict()["tables"]


SIZES = st.sampled_from([1, 255, 2**16, 2**32, 2**48, BIG - 1])


@settings(max_examples=300, deadline=None)
@given(SIZES.flatmap(lambda size: st.lists(st.integers(-size, size), max_size=200)), st.booleans(), st.booleans())
def test_all_integers_come_back(numbers: list[int], ascending: bool, repeated: bool) -> None:
    cells = (sorted(numbers) if ascending else numbers) * (5 if repeated else 1)
    assert read_columns(to_columns(one_column(np.array(cells, np.int64))))["tables"]["t"]["columns"]["x"] == cells


@pytest.mark.parametrize(
    ("cells", "listed"),
    [
        ([BIG, 0], [str(BIG), "0"]),
        ([-BIG], [str(-BIG)]),
        ([2**62, -(2**62)], [str(2**62), str(-(2**62))]),
        ([2**64, 1], [str(2**64), 1]),
        (np.array([2**63], np.uint64), [str(2**63)]),
        ([None, 1], [None, 1]),
        ([None, 2**62], [None, str(2**62)]),
        ([True, False], [True, False]),
        (np.array([True]), [True]),
        (np.array([np.nan, 1.5]), [None, 1.5]),
        ([float("inf")], [None]),
    ],
)
def test_what_an_array_cannot_say_stays_a_list(cells: Any, listed: list[Any]) -> None:
    data = to_columns(one_column(cells))
    assert placed(data) == listed
    assert read_columns(data)["tables"]["t"]["columns"]["x"] == listed


def test_texts_are_lists() -> None:
    texts = ["", "a\0b", "שלום 🙂", "1", "\ud800"]
    assert placed(to_columns(one_column(texts, "text"))) == texts
    assert placed(to_columns(one_column(tuple(texts), "text"))) == texts


def test_a_tool_without_tables_has_a_header_only() -> None:
    answer = one_column([])
    bare = Answer(answer.tool, "r", ("h",), Result({}, {}), Quality(), "compiled")
    data = to_columns(bare)
    assert read_columns(data) == json.loads(to_json(bare.to_dict()))
    assert len(data) == 8 + struct.unpack_from("<I", data, 4)[0]


def test_arrays_are_aligned_and_the_rest_is_the_json_answer() -> None:
    tool = next(tool for tool in TOOLS if tool.name == "trace_viewer")
    spec = next(t for t in tool.tables if t.name == "slices")
    cells: dict[str, Any] = {c.name: np.arange(3) + 300 * i for i, c in enumerate(spec.columns)}
    answer = Answer(tool, "r", ("h",), Result({"hit_count": None}, {"slices": cells}), Quality(), "compiled")
    assert read_columns(to_columns(answer)) == json.loads(to_json(answer.to_dict()))
