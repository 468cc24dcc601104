"""Names just within and just beyond what is looked at of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from types import SimpleNamespace

import pytest

from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.timeline import copy_details, name_matcher, python_name, uses_tensor_cores
from tensorboard_perfplugin.timeline.names import pattern
from tensorboard_perfplugin.timeline.names.demangle import demangled


@pytest.mark.parametrize(("length", "size"), [(1000, 8), (1001, None)])
def test_copies_are_described_in_1000_characters(length: int, size: int | None) -> None:
    assert copy_details("size:8".rjust(length)).size == size


@pytest.mark.parametrize(("length", "name"), [(1000, "$a.py:1 f"), (1001, "")])
def test_python_s_functions_are_named_in_1000_characters(length: int, name: str) -> None:
    assert python_name("a.py(1): f".rjust(length, "/")) == name


@pytest.mark.parametrize(("length", "uses"), [(4000, False), (4001, None)])
def test_tensor_cores_are_looked_for_in_4000_characters(length: int, uses: bool | None) -> None:
    assert uses_tensor_cores("naive_conv".rjust(length, "_"), "amd") is uses


def a_name(letters: int) -> tuple[str, str | None]:
    text = "a" * (letters - 7)
    return f"_Z{len(text)}{text}", text


def pointers(depth: int) -> tuple[str, str | None]:
    """Each is one level, what they point to another."""
    return "_Z1f" + "P" * (depth - 1) + "i", f"f(int{'*' * (depth - 1)})"


def doubled(letters: int) -> tuple[str, str | None]:
    """`b<a, a>` of so many letters."""
    a = "a" * ((letters - 5) // 2)
    return f"_Z1f{len(a)}{a}1bIS_S_E", f"f({a}, b<{a}, {a}>)"


def referred(pointers: int) -> tuple[str, str | None]:
    """Each pointer has 18,006 letters, what it points to and before has 27,006."""
    a = "a" * 9000
    b = f"b<{a}, {a}>"
    return f"_Z1f9000{a}1bIS_S_E" + "PS1_" * pointers, f"f({', '.join([a, b, *[b + '*'] * pointers])})"


@pytest.mark.parametrize(
    ("made", "most", "instead"),
    [(a_name, 20_000, None), (pointers, 100, "f(…)"), (doubled, 19_999, "f(…)"), (referred, 54, "f(…)")],
    ids=["letters", "depth", "letters of a part", "letters of all parts"],
)
def test_mangled_names_are_read_up_to(
    made: Callable[[int], tuple[str, str | None]], most: int, instead: str | None
) -> None:
    within, expected = made(most)
    assert demangled(within) == expected
    assert demangled(made(most + 2)[0]) == instead


@pytest.mark.parametrize(
    ("within", "beyond", "says"),
    [
        ("a" * 200, "a" * 201, "an expression of 201 characters; the maximum is 200"),
        ("a*b*c*", "a*b*c*d*", "more than 3 repetitions"),
    ],
)
def test_expressions_are_bounded(within: str, beyond: str, says: str) -> None:
    assert name_matcher(within, "o")("a" * 200)
    with pytest.raises(ArgumentError, match=says):
        name_matcher(beyond, "o")


def test_an_expression_is_looked_for_in_200_characters() -> None:
    matches = name_matcher("z", "o")
    assert (matches("z".rjust(200)), matches("z".rjust(201))) == (True, False)


def test_an_expression_takes_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    times = itertools.chain((0.0, 0.9, 1.1))
    monkeypatch.setattr(pattern, "time", SimpleNamespace(monotonic=lambda: next(times)))
    matches = name_matcher("z", "o")
    assert matches("z")
    with pytest.raises(ArgumentError, match="longer than 1 s"):
        matches("z")
