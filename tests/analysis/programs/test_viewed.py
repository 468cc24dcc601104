"""How many operands, matches and callers of an instruction are told, and how much of its text."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.programs.viewed import HostView, View, host_view
from tensorboard_perfplugin.tools.graph_viewer import GRAPH_VIEWER
from tests.analysis.programs.test_bounds import F32, ran
from tests.build_program import computation, instruction, program


def asked(*computations: bytes, instruction: str, **options: str) -> HostView:
    """Of computations, the first of which is the entry."""
    return host_view(ran(program(*computations, entry=1)), GRAPH_VIEWER.parse({"instruction": instruction, **options}))


def view(*computations: bytes, instruction: str, **options: str) -> View:
    found = asked(*computations, instruction=instruction, **options).view
    assert found is not None
    return found


@pytest.mark.parametrize(("count", "listed"), [(499, 499), (500, 500), (501, 500)])
def test_500_operands_and_users_are_listed(count: int, listed: int) -> None:
    entry = [instruction(1, "x", "parameter", F32)]
    entry += [instruction(i + 2, f"abs.{i}", "abs", F32, (1,)) for i in range(count)]
    one = computation(1, [*entry, instruction(999, "all", "tuple", F32, range(2, count + 2))])
    assert len(view(one, instruction="x").users) == listed
    assert len(view(one, instruction="all").operands) == listed


@pytest.mark.parametrize(("count", "listed"), [(199, 199), (200, 200), (201, 200)])
def test_200_matches_of_a_word_are_listed_and_all_counted(count: int, listed: int) -> None:
    entry = [instruction(i + 1, f"abs.{i}", "abs", F32) for i in range(count)]
    found = view(computation(1, [*entry, instruction(999, "x", "add", F32)]), instruction="x", search="abs")
    assert (len(found.matches), found.match_count) == (listed, count)


@pytest.mark.parametrize("length", [2000, 2001])
def test_2000_characters_of_an_expression_are_told_and_the_chosen_ones_is_whole(length: int) -> None:
    def told(more: str) -> View:
        return view(computation(1, [instruction(1, "x" + more, "add", F32)]), instruction="x" + more)

    found = told("x" * (length - len(told("").expression)))
    assert len(found.expression) == length
    assert found.chosen.expression == found.expression[:2000] + " …" * (length > 2000)


@pytest.mark.parametrize(("count", "named"), [(11, 11), (12, 12), (13, 12)])
def test_twelve_callers_and_called_computations_are_named(count: int, named: int) -> None:
    inner = computation(2, [instruction(1, "p", "add", F32)])
    callers = [instruction(i + 1, f"call.{i}", "call", F32, calls=(2,)) for i in range(count)]
    assert len(view(computation(1, callers), inner, instruction="p").callers) == named
    branches = [computation(i + 2, [instruction(1, f"p{i}", "add", F32)]) for i in range(count)]
    entry = computation(1, [instruction(1, "if", "conditional", F32, calls=range(2, count + 2))])
    assert len(view(entry, *branches, instruction="if").chosen.calls) == named


@pytest.mark.parametrize(("empty", "can_open"), [(11, True), (12, False)])
def test_twelve_called_computations_are_looked_into(empty: int, can_open: bool) -> None:
    """The only one that holds an instruction comes after the empty ones."""
    last = computation(empty + 2, [instruction(1, "p", "add", F32)])
    entry = computation(1, [instruction(1, "if", "conditional", F32, calls=range(2, empty + 3))])
    found = view(entry, *(computation(i + 2, []) for i in range(empty)), last, instruction="if")
    assert found.nodes[0].can_open is can_open


@pytest.mark.parametrize(("asked_for", "name"), [("ab", "abs"), ("nothing", "abs")])
@pytest.mark.parametrize(("count", "named"), [(12, 12), (13, 12)])
def test_twelve_names_are_told_in_place_of_one_that_is_not_there(
    asked_for: str, name: str, count: int, named: int
) -> None:
    """Those that hold the word, or the first."""
    entry = computation(1, [instruction(i + 1, f"{name}.{i}", "abs", F32) for i in range(count)])
    assert asked(entry, instruction=asked_for).problem.count(f"{name}.") == named
