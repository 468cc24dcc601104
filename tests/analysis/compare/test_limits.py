"""How much of a side is compared: on both sides of every number."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest

from tensorboard_perfplugin.analysis.compare import contents as module
from tensorboard_perfplugin.analysis.compare.align import _longest
from tensorboard_perfplugin.analysis.compare.by_op import _in_scopes
from tensorboard_perfplugin.analysis.compare.by_path import path_of, tree_of
from tensorboard_perfplugin.analysis.compare.conditions import Condition
from tensorboard_perfplugin.analysis.compare.contents import Content, contents
from tensorboard_perfplugin.analysis.compare.facts import facts
from tensorboard_perfplugin.analysis.compare.marks import Scopes
from tensorboard_perfplugin.analysis.compare.moved import stages
from tensorboard_perfplugin.analysis.input import Stage
from tensorboard_perfplugin.tables import I64
from tensorboard_perfplugin.timeline import Op
from tests.analysis.compare.test_by_path import leaf
from tests.analysis.compare.test_contents import LONG, WIDE, known, matches, ran
from tests.build_capture import Space
from tests.build_program import shape
from tests.timeline.timelines import timeline


@pytest.mark.parametrize(("first", "names"), [(4095, ["a", "b"]), (4096, ["a"])])
def test_4096_instructions_are_looked_at(first: int, names: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """An op of so many, then one of one."""
    alike = {Op("fusion.1", f"kind {i}", "jit_step(5)") for i in range(first)}
    given = {Op("a", "", ""): alike, Op("b", "", ""): {Op("fusion.1", "", "jit_step(5)")}}
    monkeypatch.setattr(module, "_instructions", lambda timeline, wanted: given)
    found = contents(ran({"fusion.1": (["add"], WIDE)}, {"fusion.1": 1}), ())
    assert [op.name for op in found] == names


@pytest.mark.parametrize("held", [512, 513])
def test_of_a_fusion_512_instructions_are_looked_at(held: int) -> None:
    found = known(ran({"fusion.1": (["add"] * held, WIDE)}, {"fusion.1": 1}))
    assert found["fusion.1"].inside == (("add f32[8,16]", 512),)


@pytest.mark.parametrize(("held", "kinds"), [(64, 64), (65, 0)])
def test_of_more_than_64_kinds_inside_none_is_kept(held: int, kinds: int) -> None:
    found = known(ran({"fusion.1": ([f"op{i}" for i in range(held)], WIDE)}, {"fusion.1": 1}))
    assert len(found["fusion.1"].inside) == kinds


def test_a_shape_is_cut_after_200_letters() -> None:
    found = known(ran({"fusion.1": (["add"], shape("f32", *[1000] * 60))}, {"fusion.1": 1}))
    assert len(found["fusion.1"].shape) == 200


@pytest.mark.parametrize("fusions", [256, 257])
def test_the_256_longest_fusions_may_be_split(fusions: int) -> None:
    takes = {Op(f"fusion.{i}", "", ""): float(i) for i in range(fusions)}
    found = _longest(takes, takes, dict.fromkeys(takes, Content("", "", (("add", 1),))))
    assert (len(found), found[0].name) == (256, f"fusion.{fusions - 1}")


@pytest.mark.parametrize(("held", "match"), [(2, {"shape", "new"}), (3, {"split"})])
def test_a_fusion_of_three_instructions_may_be_split(held: int, match: set[str]) -> None:
    """One of two is rather another that holds less."""
    parts = {"fusion.2": (LONG[:1], WIDE), "fusion.3": (LONG[1:held], WIDE)}
    whole = ran({"fusion.1": (LONG[:held], WIDE)}, {"fusion.1": 40})
    assert {how for *_, how in matches(whole, ran(parts, {"fusion.2": 30, "fusion.3": 10}))} == match


class Named:
    """Events of which each is an op of its own."""

    def of(self, row: I64) -> I64:
        return row

    def op(self, label: int) -> Op:
        return Op(f"op{label}", "")


@pytest.mark.parametrize(("ops", "outside"), [(4096, []), (4097, ["op4096"])])
def test_of_a_category_4096_ops_are_kept_in_their_scopes(ops: int, outside: list[str]) -> None:
    """Of one more, the shortest, it is not told that it lies in a mark."""
    rows = np.arange(ops)
    scopes = Scopes([(), ("forward",)], np.ones(ops, np.int64))
    found = _in_scopes(rows, 10_000.0 - rows, Named(), scopes)  # type: ignore[arg-type]
    assert len(found) == ops
    assert [op.name for op, scope in found if not scope] == outside


@pytest.mark.parametrize(("leaves", "nodes", "others"), [(1999, 2000, 0), (2001, 2001, 1)])
def test_2000_nodes_are_kept_and_what_the_others_take(leaves: int, nodes: int, others: int) -> None:
    """The first is the category's own, the last two of 2001 ops are told together."""
    given = [leaf(f"op{i}", 10_000 - i, 0) for i in range(leaves)]
    found = tree_of(given)
    assert (len(found), sum(node.is_more for node in found)) == (nodes, others)
    assert sum(node.a_ps for node in found[1:]) == found[0].a_ps


@pytest.mark.parametrize("parts", [32, 33])
def test_a_path_is_32_deep(parts: int) -> None:
    path = path_of(Op("/".join("x" * parts), "x"))
    assert (len(path), path[-1]) == (32, "x" if parts == 32 else "x/x")


@pytest.mark.parametrize("given", [512, 513])
def test_of_a_host_512_stages_are_kept(given: int) -> None:
    found = stages([Stage(f"stage {i}", "", "", self_ps=float(i), count=1) for i in range(given)], 1)
    assert len(found) == 512


def layers(*dims: str) -> Space:
    """Layers of PyTorch with inputs of these sizes."""
    space = Space()
    line = space.plane("/host:CPU").line(1, "python")
    for i, text in enumerate(dims):
        line.event("aten::linear", i, 1, {"Input Dims": text})
    return space


@pytest.mark.parametrize(("spaces", "batch"), [(395, {"first_dimension": "8"}), (396, {})])
def test_400_letters_of_a_shape_are_read(spaces: int, batch: dict[str, str]) -> None:
    """Two brackets, the number, and what ends it."""
    dims = "[" + " " * (spaces + 1) + "[8, 16]]"
    assert facts(timeline(layers(dims)), ()) == batch


@pytest.mark.parametrize(("fillers", "batch"), [(1, "5"), (2, "9")])
def test_the_4096_most_frequent_shapes_are_read(fillers: int, batch: str) -> None:
    """2,047 shapes of each of two batches, and fillers, twice each; the last one, of 5, once."""
    twice = [f"[[{first}, {i}]]" for first in (9, 5) for i in range(2047)] + [f"[[1, {i}]]" for i in range(fillers)]
    assert facts(timeline(layers(*twice, *twice, "[[5, 9999]]")), ()) == {"first_dimension": batch}


@pytest.mark.parametrize(("more", "differs"), [(3, False), (4, True)])
def test_twice_as_many_steps_are_told_as_another_condition(
    more: int, differs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The package exports the function by the module's name.
    of_sides = import_module("tensorboard_perfplugin.analysis.compare.conditions")
    monkeypatch.setattr(of_sides, "_facts", lambda side: {})
    two, others = ([SimpleNamespace(step_ps=[1] * count)] for count in (2, more))
    expected = Condition("steps", "2", str(more), differs)
    assert of_sides.conditions(two, others) == [expected]
