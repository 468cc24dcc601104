"""The tree of a comparison: paths of names, sums, what is new, gone and too narrow to be kept."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.compare import alignment
from tensorboard_perfplugin.analysis.compare.alignment import (
    Leaf,
    Node,
    Pair,
    path_of,
    scoped_leaves,
    scoped_path,
    scopes_of_leaves,
    tree_of,
)
from tensorboard_perfplugin.analysis.compare.quantities import NOTHING, Part, Scoped
from tensorboard_perfplugin.timeline.names.ops import Op


@pytest.mark.parametrize(
    ("op", "path"),
    [
        (Op("model/dense/MatMul", "MatMul"), ("model", "dense", "MatMul")),
        (Op("Net_0/Linear_1/aten::addmm", "aten::addmm"), ("Net_0", "Linear_1", "aten::addmm")),
        (Op("jit(f)/transpose(jvp(a/b))/dot", "dot", "jit_f"), ("jit(f)", "transpose(jvp(a/b))", "dot")),
        (Op("fusion.12", "fusion", "jit_f"), ("jit_f", "fusion.12")),
        (Op("lib/train.py(12): step", ""), ("lib/train.py", "step:12")),
        (Op("Iterator::Root::Prefetch", "Dataset::Prefetch"), ("Iterator", "Root", "Prefetch")),
        (Op("reads /tmp/file", ""), ("reads /tmp/file",)),
        (Op("a//b)/c", "x"), ("a", "b)", "c")),
        (Op("///", "x"), ("///",)),
    ],
)
def test_a_name_is_a_path(op: Op, path: tuple[str, ...]) -> None:
    assert path_of(op) == path


def leaf(name: str, a: float, b: float, was: str = "", category: int = 0) -> Leaf:
    return Leaf(category, Op(name, "t"), was, Part(a, 1), Part(b, 1), "renamed" if was else "same")


def shown(nodes: list[Node]) -> list[tuple[str, int, float, float, float, str]]:
    return [(node.name, node.parent, node.a_ps, node.b_ps, node.larger_ps, node.match) for node in nodes]


def test_nodes_add_up_and_come_before_what_lies_in_them() -> None:
    rest = Leaf(0, None, "", Part(1, 0), Part(2, 0))
    given = [leaf("m/a", 5, 1), leaf("m/b", 0, 3), leaf("m/c", 2, 0), leaf("n/d", 4, 4, was="n/e"), rest]
    nodes = tree_of(given)
    assert shown(nodes) == [
        ("", -1, 12, 10, 16, "same"),
        ("m", 0, 7, 4, 10, "same"),
        ("a", 1, 5, 1, 5, "same"),
        ("b", 1, 0, 3, 3, "new"),
        ("c", 1, 2, 0, 2, "gone"),
        ("n", 0, 4, 4, 4, "same"),
        ("d", 5, 4, 4, 4, "renamed"),
    ]
    assert (nodes[6].op, nodes[6].was) == ("n/d", "n/e")


def test_an_op_may_be_a_scope_too() -> None:
    nodes = tree_of([leaf("m", 5, 1), leaf("m/a", 1, 2)])
    assert shown(nodes)[1:] == [("m", 0, 6, 3, 7, "same"), ("a", 1, 1, 2, 2, "same")]


def test_the_narrowest_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alignment, "MAX_NODES", 4)
    given = [leaf("m/a", 9, 0), leaf("m/b", 0, 8), leaf("m/c", 2, 3), leaf("m/d", 1, 1), leaf("n/e", 1, 0)]
    nodes = tree_of([*given, leaf("z", 1, 1, category=1)])
    assert shown(nodes) == [
        ("", -1, 13, 12, 22, "same"),
        ("m", 0, 12, 12, 21, "same"),
        ("a", 1, 9, 0, 9, "gone"),
        ("b", 1, 0, 8, 8, "new"),
        ("", 1, 3, 4, 4, "more"),
        ("", 0, 1, 0, 1, "more"),
        ("", -1, 1, 1, 1, "same"),
        ("", 6, 1, 1, 1, "more"),
    ]


def test_many_ops_are_bounded() -> None:
    nodes = tree_of([leaf(f"scope{i % 900}/op{i}", i, i + 1) for i in range(9000)])
    assert len(nodes) <= 2 * alignment.MAX_NODES
    assert sum(n.b_ps - n.a_ps for n in nodes if n.parent < 0) == 9000


def test_nothing_is_no_tree() -> None:
    assert tree_of([]) == []
    assert Part(0, 0) == NOTHING


@pytest.mark.parametrize(
    ("name", "scope", "path"),
    [
        ("Net_0/Linear_1/aten::mm", ("fwd",), "fwd Net_0 Linear_1 aten::mm"),
        ("Net_0/Linear_1/aten::mm", ("Net_0", "fwd", "Linear_1"), "Net_0 fwd Linear_1 aten::mm"),
        ("Net_1/Linear_7/aten::mm", ("Net_0", "Linear_1"), "Net_0 Linear_1 aten::mm"),
        ("Net_0/aten::mm", ("Linear_1", "Net_0", "Linear_1"), "Linear_1 Net_0 Linear_1 aten::mm"),
        ("Net_0/aten::mm", ("nn.Module:Net_0",), "nn.Module:Net_0 Net_0 aten::mm"),
        ("aten::mm", ("aten::mm",), "aten::mm aten::mm"),
    ],
)
def test_modules_that_are_marks_are_not_said_twice(name: str, scope: tuple[str, ...], path: str) -> None:
    assert scoped_path(Op(name, "aten::mm"), scope) == tuple(path.split())


def test_marks_whose_numbers_differ_are_one() -> None:
    """PyTorch counts modules of a class on: the second model of a program begins at another number."""
    op = Op("aten::mm", "aten::mm")
    a: Scoped = {(0, op, ("Net_0", "Linear_1")): Part(5, 1), (0, op, ("Net_0", "Linear_2")): Part(3, 1)}
    b: Scoped = {(0, op, ("Net_0", "Linear_2")): Part(4, 1), (0, op, ("Net_0", "Linear_3")): Part(5, 1)}
    found = {leaf.scope[-1]: (leaf.a.ps, leaf.b.ps) for leaf in scoped_leaves([Pair(op, op, "same")], a, b)}
    assert found == {"Linear_2": (3, 4), "Linear_3": (5, 5)}


def test_marks_hold_modules_and_ops_of_all_categories() -> None:
    """4 ms more in the third layer: its product, its launches, and its own time in which no op runs."""
    product = Op("Net/Linear/aten::mm", "aten::mm")
    launch, itself = Op("cudaLaunchKernel", "cuda_runtime"), Op("layer.3", "user_annotation")
    given = [
        Leaf(0, product, "", Part(5, 1), Part(8, 1), scope=("encoder", "layer.3")),
        Leaf(1, launch, "", Part(1, 1), Part(2, 1), scope=("encoder", "layer.3")),
        Leaf(2, itself, "", Part(1, 1), Part(1, 1), scope=("encoder", "layer.3")),
        Leaf(0, product, "", Part(3, 1), Part(3, 1), scope=("encoder", "layer.4")),
        Leaf(0, Op("loose", ""), "", Part(1, 1), Part(0, 1)),
        Leaf(1, None, "", Part(2, 0), Part(1, 0)),
    ]
    nodes = scopes_of_leaves(given)
    assert [(n.name, n.parent, n.a_ps, n.b_ps, n.category, n.marked, n.op) for n in nodes] == [
        ("encoder", -1, 10, 14, 0, True, ""),
        ("layer.3", 0, 7, 11, 0, True, ""),
        ("Net", 1, 5, 8, 0, False, ""),
        ("Linear", 2, 5, 8, 0, False, ""),
        ("aten::mm", 3, 5, 8, 0, False, "Net/Linear/aten::mm"),
        ("cudaLaunchKernel", 1, 1, 2, 1, False, "cudaLaunchKernel"),
        ("layer.4", 0, 3, 3, 0, True, ""),
        ("Net", 6, 3, 3, 0, False, ""),
        ("Linear", 7, 3, 3, 0, False, ""),
        ("aten::mm", 8, 3, 3, 0, False, "Net/Linear/aten::mm"),
        ("", -1, 2, 1, 1, False, ""),
        ("loose", -1, 1, 0, 0, False, "loose"),
    ]
    assert [node.name or node.category for node in nodes if node.match == "rest"] == [1]
    roots = [node for node in nodes if node.parent < 0]
    for side, both in (("a_ps", 13), ("b_ps", 15)):
        assert sum(getattr(node, side) for node in roots) == both
