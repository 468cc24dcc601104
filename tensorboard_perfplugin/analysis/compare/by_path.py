"""Ops of two sides, aligned → a tree by category and the path of their names: scopes, modules, files of functions."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from ...timeline import Op
from .align import Match, Pair, aligned
from .by_op import NOTHING, Part, Scoped
from .marks import Scope, is_itself, without_numbers

#: Nodes that are kept, the widest; what the others take is one more below the node that they are in.
MAX_NODES = 2000
#: What lies deeper is called by all that is left of its path.
MAX_DEPTH = 32
#: `train.py(12): step`, as PyTorch calls a Python function.
_FUNCTION = re.compile(r"(.+)\((\d+)\): (.+)")
_ITERATOR = "Iterator::"
#: In a tree that is not by category.
_ANY = -1

NodeMatch = Literal["more", "rest"] | Match
#: Op → what it takes of each category.
ByCategory = Mapping[Op, Mapping[int, Part]]
Path = tuple[str, ...]


class Leaf(NamedTuple):
    """What an op takes of one category; without one, what of the category lies in no op. was: its name on A, where
    renamed. match: how it was found on both sides. scope: what the program marked around it."""

    category: int
    op: Op | None
    was: str
    a: Part
    b: Part
    match: Match = "same"
    scope: Scope = ()


@dataclasses.dataclass(eq=False, slots=True)
class Node:
    """name: the last part of its path, empty of a category and of `more`: what is too narrow to be kept. parent: its
    place in the list, or -1. op, was: the name of the op that it is, and on A, where renamed. larger_ps: of a leaf its
    time on the side where it takes longer, of others the sum of what lies in them. marked: whether the program marks
    it.
    """

    name: str
    category: int
    parent: int = -1
    op: str = ""
    was: str = ""
    is_more: bool = False
    a_ps: float = 0.0
    b_ps: float = 0.0
    larger_ps: float = 0.0
    marked: bool = False
    found: Match | Literal["rest"] = "same"

    def add(self, a_ps: float, b_ps: float, larger_ps: float) -> None:
        self.a_ps += a_ps
        self.b_ps += b_ps
        self.larger_ps += larger_ps

    @property
    def mark(self) -> str:
        """The name of the events that it is, of a mark, unless these are numbered on."""
        return self.name if self.marked and "*" not in self.name else ""

    @property
    def match(self) -> NodeMatch:
        if self.is_more or self.found == "rest":
            return "more" if self.is_more else "rest"
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


def scoped_leaves(pairs: Iterable[Pair[Op]], a: Scoped, b: Scoped) -> Iterator[Leaf]:
    """As `leaves`, each apart by what the program marked around it on either side."""
    called = _scopes_of_b(a, b)
    of_a, of_b = _by_op({(c, op, called.get(scope, scope)): part for (c, op, scope), part in a.items()}), _by_op(b)
    for pair in pairs:
        ours = of_a.get(pair.a, {}) if pair.a else {}
        theirs = of_b.get(pair.b, {}) if pair.b else {}
        was = pair.a.name if pair.a and pair.b and pair.a != pair.b else ""
        for category, scope in sorted({*ours, *theirs}):
            parts = ours.get((category, scope), NOTHING), theirs.get((category, scope), NOTHING)
            a_part, b_part = parts[0].share(pair.part_a), parts[1].share(pair.part_b)
            yield Leaf(category, pair.b or pair.a, was, a_part, b_part, pair.match, scope)


def _scopes_of_b(a: Scoped, b: Scoped) -> dict[Scope, Scope]:
    """What B calls scopes of A that only differ in numbers; none of both is one of B's others."""
    takes: tuple[dict[Scope, float], dict[Scope, float]] = ({}, {})
    for scoped, of in zip((a, b), takes, strict=True):
        for (_, _, scope), part in scoped.items():
            of[scope] = of.get(scope, 0.0) + part.ps
    return {pair.a: pair.b for pair in aligned(*takes, (without_numbers,)) if pair.a and pair.b}


def _by_op(scoped: Scoped) -> dict[Op, dict[tuple[int, Scope], Part]]:
    found: dict[Op, dict[tuple[int, Scope], Part]] = {}
    for (category, op, scope), part in scoped.items():
        found.setdefault(op, {})[category, scope] = part
    return found


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


def scopes_of_leaves(given: Iterable[Leaf]) -> list[Node]:
    """In preorder, of one node the widest first: what the program marked, in it modules and scopes of names, in these
    the ops; what lies in no op by category. Those without a parent add up to all leaves.
    """
    nodes: dict[tuple[int, Path], Node] = {}
    widest: dict[tuple[int, Path], float] = {}
    for leaf in given:
        path = scoped_path(leaf.op, leaf.scope) if leaf.op else ()
        keys = [(_ANY, path[: depth + 1]) for depth in range(len(path))] or [(leaf.category, ())]
        larger = max(leaf.a.ps, leaf.b.ps)
        for key in keys:
            node = nodes.setdefault(key, Node(key[1][-1] if key[1] else "", leaf.category))
            node.add(leaf.a.ps, leaf.b.ps, larger)
            node.marked |= 0 < len(key[1]) <= len(leaf.scope)
            if larger > widest.get(key, -1.0):
                widest[key], node.category = larger, leaf.category
        if leaf.op is None:
            nodes[keys[0]].found = "rest"
        elif not is_itself(leaf.op, leaf.scope):
            node.op, node.was, node.found = leaf.op.name, leaf.was, leaf.match
    return _in_order(_kept(nodes))


def scoped_path(op: Op, scope: Scope) -> Path:
    """What is marked around an op, then the path of its name; of a mark itself its own."""
    path = scope if is_itself(op, scope) else (*scope, *_beyond(path_of(op), scope))
    return (*path[: MAX_DEPTH - 1], "/".join(path[MAX_DEPTH - 1 :])) if len(path) > MAX_DEPTH else path


def _beyond(path: Path, scope: Scope) -> Path:
    """What the path of a name has that the marks do not say: PyTorch's calls are called by their modules."""
    at, parts = 0, without_numbers(path[:-1])
    for name in without_numbers(scope):
        at += at < len(parts) and parts[at] == name
    return path[at:]


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
        around, is_root = (category, path[:-1]), len(path) == (category == _ANY)
        if len(kept) < MAX_NODES or is_root:
            kept[key] = _Inside(node, [])
            (roots if is_root else kept[around].nodes).append(kept[key])
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
