"""Ops of two sides, aligned → a tree by category and the path of their names: scopes, modules, files of functions."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from ...timeline import Op
from .align import Match, Pair
from .by_op import NOTHING, Part

#: Nodes that are kept, the widest; what the others take is one more below the node that they are in.
MAX_NODES = 2000
#: What lies deeper is called by all that is left of its path.
MAX_DEPTH = 32
#: `train.py(12): step`, as PyTorch calls a Python function.
_FUNCTION = re.compile(r"(.+)\((\d+)\): (.+)")
_ITERATOR = "Iterator::"

NodeMatch = Literal["more"] | Match
#: Op → what it takes of each category.
ByCategory = Mapping[Op, Mapping[int, Part]]
Path = tuple[str, ...]


class Leaf(NamedTuple):
    """What an op takes of one category; without one, what of the category lies in no op. was: its name on A, where
    renamed. match: how it was found on both sides."""

    category: int
    op: Op | None
    was: str
    a: Part
    b: Part
    match: Match = "same"


@dataclasses.dataclass(eq=False, slots=True)
class Node:
    """name: the last part of its path, empty of a category and of `more`: what is too narrow to be kept. parent: its
    place in the list, or -1. op, was: the name of the op that it is, and on A, where renamed. larger_ps: of a leaf its
    time on the side where it takes longer, of others the sum of what lies in them."""

    name: str
    category: int
    parent: int = -1
    op: str = ""
    was: str = ""
    is_more: bool = False
    a_ps: float = 0.0
    b_ps: float = 0.0
    larger_ps: float = 0.0
    found: Match = "same"

    def add(self, a_ps: float, b_ps: float, larger_ps: float) -> None:
        self.a_ps += a_ps
        self.b_ps += b_ps
        self.larger_ps += larger_ps

    @property
    def match(self) -> NodeMatch:
        if self.is_more:
            return "more"
        if self.a_ps <= 0 or self.b_ps <= 0:
            return "gone" if self.a_ps > 0 else "new" if self.b_ps > 0 else "same"
        return self.found


def leaves(pairs: Iterable[Pair[Op]], a: ByCategory, b: ByCategory) -> Iterator[Leaf]:
    """One for each pair and each category that it takes time of; as B calls it, where it is there."""
    for pair in pairs:
        of_a = a[pair.a] if pair.a else {}
        of_b = b[pair.b] if pair.b else {}
        was = pair.a.name if pair.a and pair.b and pair.a != pair.b else ""
        for category in sorted({*of_a, *of_b}):
            a_part, b_part = of_a.get(category, NOTHING), of_b.get(category, NOTHING)
            yield Leaf(
                category, pair.b or pair.a, was, a_part.share(pair.part_a), b_part.share(pair.part_b), pair.match
            )


def path_of(op: Op) -> tuple[str, ...]:
    """`model/dense/MatMul` is `MatMul` in `dense` in `model`, `fusion.12` is in its program, a function in its file."""
    parts = _parts(op)
    if op.module and len(parts) == 1:
        parts = [op.module, *parts]
    return (*parts[: MAX_DEPTH - 1], "/".join(parts[MAX_DEPTH - 1 :])) if len(parts) > MAX_DEPTH else tuple(parts)


def _parts(op: Op) -> list[str]:
    function = _FUNCTION.fullmatch(op.name)
    if function and not op.type:
        return [function[1], f"{function[3]}:{function[2]}"]
    if op.name.startswith(_ITERATOR):
        return [_ITERATOR[:-2], *(part for part in op.name[len(_ITERATOR) :].split("::") if part)]
    if not op.type:
        return [op.name]
    return [part for part in _outside_brackets(op.name) if part] or [op.name]


def _outside_brackets(name: str) -> list[str]:
    """Parts between slashes; those within brackets separate nothing."""
    parts, depth = [""], 0
    for letter in name:
        depth = max(0, depth + (letter in "([<{") - (letter in ")]>}"))
        if letter == "/" and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def tree_of(given: Iterable[Leaf]) -> list[Node]:
    """In preorder, of one node the widest first. Those of categories add up to all leaves."""
    nodes: dict[tuple[int, Path], Node] = {}
    for leaf in given:
        path = path_of(leaf.op) if leaf.op else ()
        for depth in range(len(path) + 1):
            name = path[depth - 1] if depth else ""
            node = nodes.setdefault((leaf.category, path[:depth]), Node(name, leaf.category))
            node.add(leaf.a.ps, leaf.b.ps, max(leaf.a.ps, leaf.b.ps))
        if leaf.op:
            node.op, node.was, node.found = leaf.op.name, leaf.was, leaf.match
    return _in_order(_kept(nodes))


class _Inside(NamedTuple):
    node: Node
    nodes: list[_Inside]


def _kept(nodes: Mapping[tuple[int, Path], Node]) -> list[_Inside]:
    """Categories with what lies in them, the widest nodes; the others of one node as one."""
    roots: list[_Inside] = []
    kept: dict[tuple[int, Path], _Inside] = {}
    more: dict[tuple[int, Path], Node] = {}
    # A node is no wider than the one that it lies in, which therefore comes before it.
    for key in sorted(nodes, key=lambda key: (-nodes[key].larger_ps, len(key[1]), key)):
        node, (category, path) = nodes[key], key
        around = (category, path[:-1])
        if len(kept) < MAX_NODES or not path:
            kept[key] = _Inside(node, [])
            (kept[around].nodes if path else roots).append(kept[key])
        elif around in kept:
            left = more.setdefault(around, Node("", category, is_more=True))
            left.add(node.a_ps, node.b_ps, node.larger_ps)
    for around, left in more.items():
        kept[around].nodes.append(_Inside(left, []))
    return roots


def _in_order(roots: list[_Inside]) -> list[Node]:
    ordered: list[Node] = []
    waiting = [(each, -1) for each in reversed(roots)]
    while waiting:
        (node, inside), parent = waiting.pop()
        node.parent = parent
        waiting += [(each, len(ordered)) for each in reversed(inside)]
        ordered.append(node)
    return ordered
