"""Values ⇄ bytes: what went in comes out, of the same types; other bytes, and names of other classes, are refused."""

from __future__ import annotations

import contextlib
import json
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_perfplugin import tools
from tensorboard_perfplugin.advice.text.catalogue import Sentence
from tensorboard_perfplugin.answers.choice import captured
from tensorboard_perfplugin.answers.partials.codec import MAGIC, InternPool, UnkeptError, _Reader, decoded, encoded
from tensorboard_perfplugin.errors import UnreadableError
from tensorboard_perfplugin.formats import Vocabulary
from tensorboard_perfplugin.logdir import runs_at
from tensorboard_perfplugin.messages import Message
from tensorboard_perfplugin.tables import Intervals, Quality
from tensorboard_perfplugin.timeline.names.ops import Op
from tensorboard_perfplugin.timeline.timeline import Timeline

SAMPLES = Path(__file__).parents[2] / "samples"


def shape(value: Any) -> Any:
    """A value with its types, to compare: arrays by their bytes, objects by their fields."""
    if isinstance(value, np.ndarray):
        return "array", value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, dict):
        return type(value), [(shape(key), shape(each)) for key, each in value.items()]
    if isinstance(value, (list, tuple)):
        return type(value), [shape(each) for each in value]
    if isinstance(value, (set, frozenset)):
        return type(value), sorted((shape(each) for each in value), key=repr)
    if hasattr(value, "__dataclass_fields__"):
        return type(value), [(name, shape(getattr(value, name))) for name in value.__dataclass_fields__]
    return type(value), repr(value)


PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary()
VALUES = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=8)
        | st.tuples(inner, inner)
        | st.lists(inner, max_size=6).map(tuple)
        | st.dictionaries(st.text() | st.integers() | st.tuples(st.text(), st.integers()), inner, max_size=6)
    ),
    max_leaves=30,
)


@given(VALUES)
def test_plain_values_come_back(value: Any) -> None:
    assert shape(decoded(encoded(value))) == shape(value)


@given(st.lists(st.integers(-(1 << 63), (1 << 63) - 1), min_size=64, max_size=80))
def test_many_numbers_come_back(values: list[int]) -> None:
    assert shape(decoded(encoded(values))) == shape(values)
    assert shape(decoded(encoded(sorted(values)))) == shape(sorted(values))


@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint16, np.uint8, np.uint64])
def test_arrays_come_back_as_they_were(dtype: type[Any]) -> None:
    limits = np.iinfo(dtype)
    for array in (np.arange(100, dtype=dtype), np.array([limits.min, limits.max] * 50, dtype), np.zeros(0, dtype)):
        assert shape(decoded(encoded(array))) == shape(array)


def test_times_that_ascend_take_no_more_than_their_differences() -> None:
    times = np.cumsum(np.random.default_rng(1).integers(0, 100, 10_000)) + (1 << 50)
    assert len(encoded(times)) < 11_000


def test_numbers_and_letters_that_json_lacks_come_back() -> None:
    value = [float("inf"), float("nan"), "\ud800", 1 << 70]
    assert shape(decoded(encoded(value))) == shape(value)


@pytest.mark.parametrize(
    "value",
    [
        [Op("a", "B"), Op("c", "D", "m"), None],
        {("device", Op("a", "B")): 1.5, ("host", Op("a", "B")): 2},
        Quality(3, 2, {"x": 1}, (Message("a", {"b": (1, None, Message("c"))}),)),
        Intervals(np.arange(5), np.arange(5) + 1),
        [Vocabulary.TENSORFLOW, Vocabulary.PYTORCH, 1 << 70, -(1 << 63)],
        {frozenset({("a", 1)}), frozenset()},
        Counter({"a": 3}),
        (np.float64(1.5), np.int64(3), np.bool_(True)),
        [np.zeros((2, 3), np.uint8), np.array([], np.float32), np.array(7), np.array([1 << 40, -1])],
        [b"", b"\x00\xff", b"abc", b"d", b"e"],
        [True, 1, 1.0, "1", None] * 3,
        [Sentence("of_functions"), "text"],
    ],
)
def test_objects_come_back(value: Any) -> None:
    assert shape(decoded(encoded(value))) == shape(value)


def test_what_every_tool_gives_comes_back() -> None:
    """Of all samples: whoever lets a host give an object of another kind learns it here."""
    tried = 0
    for run in runs_at(str(SAMPLES)):
        for file in run.files[:1]:
            try:
                timeline = Timeline(captured(file), file.host)
            except UnreadableError:
                continue
            for tool in tools.TOOLS:
                partial = tool.per_host(timeline, tool.parse({}))
                assert shape(decoded(encoded(partial))) == shape(partial), (file.path, tool.name)
                tried += 1
    assert tried > 100


def test_what_hosts_have_in_common_is_held_once() -> None:
    shared = InternPool()
    a, b = (decoded(encoded([Op("a" * 9, "B"), "text of many"]), shared) for _ in range(2))
    assert a[0] is b[0]
    assert a[1] is b[1]


@pytest.mark.parametrize("value", [lambda: None, object(), {1: print}, np.array([None]), Path("a"), 1j])
def test_other_values_are_refused(value: Any) -> None:
    with pytest.raises(UnkeptError):
        encoded(value)


def forged(tree: Any, texts: tuple[str, ...] = (), data: bytes = b"") -> bytes:
    head = json.dumps({"tree": tree, "texts": texts}).encode()
    return MAGIC + zlib.compress(len(head).to_bytes(8, "little") + head + data)


@pytest.mark.parametrize(
    "tree",
    [
        ["object", "os:stat_result", []],
        ["object", "tensorboard_perfplugin.__main__:main", []],
        ["object", "tensorboard_perfplugin.cli.entry:main", []],
        ["object", "tensorboard_perfplugin.tables.capture:np.ndarray", []],
        ["object", "tensorboard_perfplugin.tables.capture:Quality", [["few", [1]]]],
        ["enum", "tensorboard_perfplugin.tables.capture:Quality", ["few", [1]]],
        ["few", [{}]],
        ["few", [1, 2]],
        ["int", ["<i8", [1], 0, 800]],
        ["int", ["|O", [1], 0, 8]],
        ["int", ["<i8", [2], 0, 8]],
        ["list", "list", ["<i8", [1], 0, 8], ["none"]],
        ["list", "eval", ["<i8", [0], 0, 0], ["none"]],
        ["column", 1],
        ["text", ["<i8", [1], 0, 8]],
        {},
        [],
        None,
    ],
)
def test_forged_bytes_are_refused(tree: Any) -> None:
    with pytest.raises(ValueError, match="partial"):
        decoded(forged(tree, data=(1 << 50).to_bytes(8, "little")))


@given(st.binary(max_size=60), st.integers(0, 400))
def test_damaged_bytes_are_refused_or_read(noise: bytes, at: int) -> None:
    data = encoded([Op("a", "B"), {"a": [1.5, None]}, list(range(99))])
    for bad in (noise, MAGIC + noise, data[:at], data[:at] + noise + data[at + len(noise) :]):
        try:
            decoded(bad)
        except ValueError:
            continue


def test_of_a_partial_a_gib_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is forged to be more is not made."""
    asked = []

    class Inflate:
        eof = False

        def decompress(self, data: bytes, most: int) -> bytes:
            asked.append(most)
            return b""

    monkeypatch.setattr(zlib, "decompressobj", Inflate)
    with pytest.raises(ValueError, match="cut, or too large"):
        decoded(MAGIC + b"x")
    assert asked == [1 << 30]


def test_lists_of_134_million_values_are_read() -> None:
    """Of more the lengths are forged: what they say is made before it is compared."""
    head = b'{"tree": null, "texts": []}'
    for count, is_read in ((1 << 27, True), ((1 << 27) + 1, False)):
        reader = _Reader(len(head).to_bytes(8, "little") + head + count.to_bytes(8, "little"), InternPool())
        with contextlib.nullcontext() if is_read else pytest.raises(ValueError, match="too many values"):
            assert reader._total(["<i8", [1], 0, 8]) == 1 << 27
