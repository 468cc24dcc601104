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


def test_what_is_told_of_an_instruction() -> None:
    """Of more operands, users, matches and callers than are listed all are counted."""
    entry = [instruction(1, "x", "parameter", F32)]
    entry += [instruction(i + 2, f"abs.{i}", "abs", F32, (1,)) for i in range(501)]
    one = computation(1, [*entry, instruction(999, "all", "tuple", F32, range(2, 503))])
    found = view(one, instruction="x", search="abs")
    assert (len(found.users), len(found.matches), found.match_count) == (500, 200, 501)
    assert len(view(one, instruction="all").operands) == 500
    inner = computation(2, [instruction(1, "p", "add", F32)])
    callers = [instruction(i + 1, f"call.{i}", "call", F32, calls=(2,)) for i in range(13)]
    assert len(view(computation(1, callers), inner, instruction="p").callers) == 12


def test_a_long_expression_is_told_and_the_chosen_one_s_is_whole() -> None:
    name = "x" * 2100
    found = view(computation(1, [instruction(1, name, "add", F32)]), instruction=name)
    assert len(found.expression) > 2100
    assert found.chosen.expression == found.expression[:2000] + " …"


@pytest.mark.parametrize(("empty", "can_open"), [(11, True), (12, False)])
def test_twelve_called_computations_are_named_and_looked_into(empty: int, can_open: bool) -> None:
    """The only one that holds an instruction comes after the empty ones."""
    last = computation(empty + 2, [instruction(1, "p", "add", F32)])
    entry = computation(1, [instruction(1, "if", "conditional", F32, calls=range(2, empty + 3))])
    found = view(entry, *(computation(i + 2, []) for i in range(empty)), last, instruction="if")
    assert (found.nodes[0].can_open, len(found.chosen.calls)) == (can_open, 12)


def test_twelve_names_are_told_in_place_of_one_that_is_not_there() -> None:
    """Those that hold the word, or the first."""
    entry = computation(1, [instruction(i + 1, f"abs.{i}", "abs", F32) for i in range(13)])
    for word in ("ab", "nothing"):
        assert asked(entry, instruction=word).problem.count("abs.") == 12
