"""Columns → an Arrow stream, read back by pyarrow, which checks every buffer."""

from __future__ import annotations

import gc
import importlib.util
import sys
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow
import pytest

from tensorboard_perfplugin.errors import UnreadableError
from tensorboard_perfplugin.relations import arrow
from tensorboard_perfplugin.relations.arrow import Batch, Encoded, Field, Texts

FIELDS = (
    Field("id", "int32"),
    Field("ps", "int64"),
    Field("share", "float64"),
    Field("ok", "bool"),
    Field("name", "text"),
    Field("host", "text", is_coded=True),
)


class Stream:
    """What a library asks for a stream."""

    def __init__(self, batches: Callable[[], Iterator[Batch]]) -> None:
        self._batches = batches

    def __arrow_c_schema__(self) -> Any:
        return arrow.schema_capsule(FIELDS)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return arrow.stream_capsule(FIELDS, self._batches())


def batches() -> Iterator[Batch]:
    """Of the second batch nothing is an array, and its hosts are other ones."""
    ps = np.ma.MaskedArray([1, 2, 3], [False, True, False])
    hosts = Texts(np.array([1, -1, 0]), Encoded(["a", "ü"]))
    yield np.arange(3, dtype=np.int32), ps, np.array([0.5, np.nan, 1.0]), [True, None, False], ["x", "", None], hosts
    yield [7, None], [1 << 62, -1], [None, 2], np.array([False, True]), ["\ud800", "y"], [None, "b"]


ROWS = [
    {"id": 0, "ps": 1, "share": 0.5, "ok": True, "name": "x", "host": "ü"},
    {"id": 1, "ps": None, "share": None, "ok": None, "name": "", "host": None},
    {"id": 2, "ps": 3, "share": 1.0, "ok": False, "name": None, "host": "a"},
    {"id": 7, "ps": 1 << 62, "share": None, "ok": False, "name": "?", "host": None},
    {"id": None, "ps": -1, "share": 2.0, "ok": True, "name": "y", "host": "b"},
]


def test_what_is_read_is_what_was_given() -> None:
    table = pyarrow.table(Stream(batches))
    table.validate(full=True)
    assert table.to_pylist() == ROWS
    assert pyarrow.schema(Stream(batches)) == table.schema
    # Columns outlive the table, and what made it.
    share = table.column("share")
    del table
    gc.collect()
    assert share.to_pylist()[:2] == [0.5, None]


def test_numbers_are_not_copied_and_not_kept() -> None:
    given = [np.arange(2, dtype=np.int64)]
    stream = Stream(lambda: iter([[[0, 1], given[0], [0.0, 1.0], [True] * 2, [""] * 2, [""] * 2]]))
    table, address = pyarrow.table(stream), given[0].ctypes.data
    assert table.column("ps").chunk(0).buffers()[1].address == address
    del table
    # Capsules that nobody reads.
    stream.__arrow_c_stream__(), stream.__arrow_c_schema__()
    arrow._end_unused()
    gc.collect()
    left = weakref.ref(given.pop())
    assert left() is None
    assert not arrow._capsules


def test_an_error_that_is_on_its_way_when_a_table_ends_is_not_lost() -> None:
    """A function of Python's would be called amid it."""
    with pytest.raises(KeyError, match="nope"):
        pyarrow.table(Stream(batches)).column("nope")


def test_without_a_compiler_functions_of_python_end_what_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tensorboard_perfplugin.relations.release", None)
    monkeypatch.delattr("tensorboard_perfplugin.relations.release")
    spec = importlib.util.spec_from_file_location("tensorboard_perfplugin.relations.uncompiled", arrow.__file__)
    assert spec
    assert spec.loader
    uncompiled = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(uncompiled)
    given = [([0, 1], [5, None])]
    fields = (Field("a", "int64"), Field("b", "int64"))
    holder = type("Holder", (), {"__arrow_c_stream__": lambda self, _=None: uncompiled.stream_capsule(fields, given)})
    assert pyarrow.table(holder()).to_pydict() == {"a": [0, 1], "b": [5, None]}
    gc.collect()
    uncompiled._end_unused()
    assert (uncompiled.compiled, uncompiled._held) == (None, {})


def test_nothing_is_a_table_of_no_rows() -> None:
    assert pyarrow.table(Stream(lambda: iter([]))).num_rows == 0


def test_what_goes_wrong_on_the_way_is_the_streams_error() -> None:
    def failing() -> Iterator[Batch]:
        yield from batches()
        raise UnreadableError("b.xplane.pb: cut off")

    with pytest.raises(OSError, match=r"b\.xplane\.pb: cut off"):
        pyarrow.table(Stream(failing))
