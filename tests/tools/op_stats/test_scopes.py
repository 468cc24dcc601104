"""op_stats: the tree of scopes, and that no name of a hostile capture makes it explode."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_perfplugin.analysis.ops.rows import Listed, OpRow
from tensorboard_perfplugin.timeline.names.ops import Op
from tensorboard_perfplugin.tools.op_stats import scopes as op_scopes
from tensorboard_perfplugin.tools.op_stats.scopes import parts, scope_cells
from tests.build_capture import Space
from tests.timeline.timelines import real, timeline
from tests.tools.op_answers import ask, gpu, host_line, rows

TREE = ("parent", "depth", "scope", "name", "ops", "occurrences", "total_us", "self_us", "self_share")


def test_scopes_of_tensorflow_s_names() -> None:
    """An op may have the name of a scope: `model`, with 100 ns of its own."""
    space = Space()
    events = ("model/layer_3/MatMul:MatMul", 0, 300), ("model/layer_3/MatMul:MatMul", 300, 500)
    more = ("model/layer_3/BiasAdd:BiasAdd", 500, 700), ("model/loss:Sum", 700, 800), ("model:Call", 800, 900)
    host_line(space, 1, *events, *more, ("Adam:Adam", 900, 1000))
    assert rows(ask(timeline(space)), "side", *TREE, table="scopes") == [
        ("host", -1, 0, "model", "model", 4, 5, 0.9, 0.9, 0.9),
        ("host", 0, 1, "model/layer_3", "layer_3", 2, 3, 0.7, 0.7, 0.7),
        ("host", 1, 2, "model/layer_3/MatMul", "MatMul", 1, 2, 0.5, 0.5, 0.5),
        ("host", 1, 2, "model/layer_3/BiasAdd", "BiasAdd", 1, 1, 0.2, 0.2, 0.2),
        ("host", 0, 1, "model/loss", "loss", 1, 1, 0.1, 0.1, 0.1),
        ("host", -1, 0, "Adam", "Adam", 1, 1, 0.1, 0.1, 0.1),
    ]


def test_scopes_of_jax_s_names_and_of_iterators_on_two_sides() -> None:
    space = Space()
    host_line(space, 1, ("Iterator::Root::Prefetch", 0, 300), ("Iterator::Root::Prefetch::Map", 100, 200))
    gpu(space, 0, [("7", f"jit(f)/{name}:", i, 100 * i, 100 * i + 50 + i) for i, name in enumerate(("a", "g(x/y)/b"))])
    assert rows(ask(timeline(space)), "side", "parent", "scope", "self_us", table="scopes") == [
        ("device", -1, "jit(f)", 0.101),
        ("device", 0, "jit(f)/g(x/y)", 0.051),
        ("device", 1, "jit(f)/g(x/y)/b", 0.051),
        ("device", 0, "jit(f)/a", 0.05),
        ("host", -1, "Iterator", 0.3),
        ("host", 4, "Iterator::Root", 0.3),
        ("host", 5, "Iterator::Root::Prefetch", 0.3),
        ("host", 6, "Iterator::Root::Prefetch::Map", 0.1),
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("MatMul", ["MatMul"]),
        ("jit(f)/transpose(jvp(g))/dot_general", ["jit(f)", "transpose(jvp(g))", "dot_general"]),
        ("jit(f)/while/body[cond=a/b]/add", ["jit(f)", "while", "body[cond=a/b]", "add"]),
        ("a(b/c", ["a(b", "c"]),
        ("a)b/c(d/e", ["a)b", "c(d", "e"]),
        ("/a//b/", ["/a", "/b/"]),
        ("a/", ["a/"]),
        ("/", ["/"]),
        ("", [""]),
        ("Iterator::Root::ParallelMapV2[0]::Map", ["Iterator", "Root", "ParallelMapV2[0]", "Map"]),
        ("Iterator::a/b", ["Iterator", "a/b"]),
        ("std::vector/a", ["std::vector", "a"]),
        ("Iterator::", ["Iterator::"]),
    ],
)
def test_parts_of_a_name(name: str, expected: list[str]) -> None:
    assert parts(name) == expected


@given(st.text("a/()[]:", max_size=40), st.booleans())
def test_parts_are_the_name(name: str, iterates: bool) -> None:
    name = f"Iterator::{name}" if iterates else name
    assert ("::" if name.startswith("Iterator::") else "/").join(parts(name)) == name
    assert all(parts(name)) or not name


def listed(*ops: tuple[str, float]) -> list[Listed]:
    return [Listed("host", "", [(Op(name, "T"), OpRow(1, 0, ps, ps, 0.0, 0.0, 0.0, 0.0)) for name, ps in ops])]


def cells(*ops: tuple[str, float], limit: int = 0) -> tuple[list[tuple[object, ...]], int]:
    table, count = scope_cells(listed(*ops), {"limit": limit})
    return list(zip(*(table[c] for c in ("parent", "scope", "self_us")), strict=True)), count


def test_a_limit_keeps_a_tree() -> None:
    ops = [("a/b/c", 5e6), ("a/b/d", 4e6), ("e/f", 6e6), ("g", 1e6)]
    assert cells(*ops, limit=5) == (
        [(-1, "a", 9.0), (0, "a/b", 9.0), (1, "a/b/c", 5.0), (-1, "e", 6.0), (3, "e/f", 6.0)],
        7,
    )
    assert len(cells(*ops)[0]) == 7


def test_a_name_of_ten_thousand_parts_is_a_tree_of_few() -> None:
    table, count = cells(("a/" * 10_000 + "b", 1e6), ("a/a", 1e6))
    assert count == len(table) == 64
    assert table[0] == (-1, "a", 2.0)
    assert table[-1] == (62, "a/" * 10_000 + "b", 1.0)


def test_of_too_many_scopes_the_later_ones_are_parts_of_names() -> None:
    """Sums stay whole; a scope that is there is used."""
    with patch.object(op_scopes, "_MAX_SCOPES", 3):
        table, count = cells(("a/b/c", 3e6), ("x/y/z", 2e6), ("a/b/d", 1e6))
    assert table == [
        (-1, "a", 4.0),
        (0, "a/b", 4.0),
        (1, "a/b/c", 3.0),
        (1, "a/b/d", 1.0),
        (-1, "x/y/z", 2.0),
    ]
    assert count == 5


NAMES = st.lists(st.sampled_from("ab"), min_size=1, max_size=5).map("/".join)


@given(st.dictionaries(NAMES, st.integers(0, 5), min_size=1), st.integers(0, 12))
def test_a_scope_is_the_sum_of_its_leaves(times: dict[str, int], limit: int) -> None:
    table, count = scope_cells(listed(*((name, ps * 1e6) for name, ps in times.items())), {"limit": limit})
    scopes = {name[: len(name) if end < 0 else end] for name in times for end in places(name)}
    assert count == len(scopes)
    assert len(table["scope"]) == (min(limit, count) if limit else count)
    for i, (parent, scope, self_us) in enumerate(zip(table["parent"], table["scope"], table["self_us"], strict=True)):
        assert -1 <= parent < i
        assert self_us == sum(ps for name, ps in times.items() if f"{name}/".startswith(f"{scope}/"))
        assert scope.rpartition("/")[0] == (table["scope"][parent] if parent >= 0 else "")


def places(name: str) -> list[int]:
    return [i for i, c in enumerate(name) if c == "/"] + [-1]


@pytest.mark.slow
def test_sums_on_every_real_capture(xplane_files: list[Path]) -> None:
    """Each scope is its children and the ops of its own name; the roots are the side."""
    for file, of in real(xplane_files):
        answer = ask(of, limit="0")
        of_name: dict[tuple[str, str], float] = {}
        for side, name, self_us in rows(answer, "side", "name", "self_us"):
            of_name[side, name] = of_name.get((side, name), 0.0) + self_us
        tree = rows(answer, "side", "scope", "parent", "self_us", table="scopes")
        below = [of_name.get((side, scope), 0.0) for side, scope, _, _ in tree]
        for _, _, parent, self_us in tree:
            if parent >= 0:
                below[parent] += self_us
        assert below == pytest.approx([self_us for *_, self_us in tree], abs=1e-6), file


@given(st.lists(st.text("a/()", min_size=1, max_size=8), min_size=1, max_size=20))
def test_every_name_lies_where_its_own_parts_say(names: list[str]) -> None:
    """Also where the name before has led to a scope."""
    table, _ = scope_cells(listed(*((name, 1e6) for name in names)), {"limit": 0})
    chains: list[list[str]] = []
    for parent, part in zip(table["parent"], table["name"], strict=True):
        assert isinstance(parent, int)
        chains.append([*(chains[parent] if parent >= 0 else ()), str(part)])
    expected = {tuple(parts(name)[:end]) for name in names for end in range(1, len(parts(name)) + 1)}
    assert {tuple(chain) for chain in chains} == expected
    assert len(chains) == len(expected)
