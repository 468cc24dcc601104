"""Names of two sides → which of one is which of the other, and the tree of what they have in common."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Generic, Literal, NamedTuple, TypeVar

import msgspec

from ...patterns import regex
from ...timeline.names.ops import Op
from .quantities import NOTHING, Part, Scope, Scoped, is_itself, scope_without_numbers
from .side import Content

# Names of two sides → which of one is which of the other: the same, renamed, alike inside, split, new, gone.

K = TypeVar("K", bound=Hashable)
Match = Literal["same", "fingerprint", "renamed", "shape", "split", "merged", "new", "gone"]
#: By op what XLA's instructions of it are, as far as the captures of a side hold its program.
Contents = Mapping[Op, Content]
#: An address in memory, `<built-in method flush of object at 0x7f12d1>`, is one, too.
_NUMBER = regex(r"0x[0-9a-f]+|\d+")
#: What makes a name that is there already another one.
_COUNTED = regex(r"[_.]\d+(?=/|$)")
#: Fusions of one side that are looked at for parts on the other, and parts, the longest.
_MAX_SPLIT = 256
#: Instructions that a fusion holds at least for its parts to be matched, and the share of them that these hold.
_LEAST_INSIDE, _LEAST_SHARE = 3, 0.75


class Pair(msgspec.Struct, Generic[K], frozen=True):
    """One row of a comparison, by the keys of its sides; None where a side lacks it. part_a, part_b: how much of that
    key's time is the row's: of what is split or merged each has a part."""

    a: K | None
    b: K | None
    match: Match
    part_a: float = 1.0
    part_b: float = 1.0


class Way(NamedTuple, Generic[K]):
    """What those of A, and of B, have in common that are one: None for nothing."""

    match: Match
    a: Callable[[K], Hashable | None]
    b: Callable[[K], Hashable | None]


class _Left(Generic[K]):
    """What is not paired yet, of each side."""

    def __init__(self, a: Mapping[K, float], b: Mapping[K, float]) -> None:
        self.takes = (a, b)
        self.keys: tuple[dict[K, None], dict[K, None]] = (dict.fromkeys(a), dict.fromkeys(b))

    def by(self, way: Way[K]) -> list[Pair[K]]:
        """Of several that have it in common the largest of one side is the largest of the other."""
        groups: dict[Hashable, tuple[list[K], list[K]]] = {}
        for side, common in enumerate((way.a, way.b)):
            for key in self.keys[side]:
                if (what := common(key)) is not None:
                    groups.setdefault(what, ([], []))[side].append(key)
        pairs: list[Pair[K]] = []
        for ours, theirs in groups.values():
            ours.sort(key=lambda key: -self.takes[0][key])
            theirs.sort(key=lambda key: -self.takes[1][key])
            pairs += [Pair(x, y, way.match) for x, y in zip(ours, theirs, strict=False)]
        return self.without(pairs)

    def without(self, pairs: list[Pair[K]]) -> list[Pair[K]]:
        for pair in pairs:
            for keys, key in zip(self.keys, (pair.a, pair.b), strict=True):
                if key is not None:
                    keys.pop(key, None)
        return pairs

    def alone(self) -> list[Pair[K]]:
        gone, new = self.keys
        return [*(Pair(key, None, "gone") for key in gone), *(Pair(None, key, "new") for key in new)]


def aligned(a: Mapping[K, float], b: Mapping[K, float], by: Iterable[Callable[[K], Hashable | None]]) -> list[Pair[K]]:
    """a, b: what each takes. by: what renamed ones have in common, the surest first; None: nothing."""
    left = _Left(a, b)
    pairs = left.by(Way("same", lambda key: (key,), lambda key: (key,)))
    for common in by:
        pairs += left.by(Way("renamed", common, common))
    return [*pairs, *left.alone()]


def aligned_ops(a: Mapping[Op, float], b: Mapping[Op, float], in_a: Contents, in_b: Contents) -> list[Pair[Op]]:
    """As `aligned`. A framework's names come first. Numbers of a compiler's names, `fusion.12`, say less than what the
    instruction is: of these the same name is the same op if nothing else is known, or known to be alike."""
    left = _Left(a, b)
    pairs = left.by(Way("same", _framework, _framework))
    for way in _ways(in_a, in_b):
        pairs += left.by(way)
    pairs += _split(left, in_a, in_b)
    for way in _last_ways(in_a, in_b):
        pairs += left.by(way)
    return [*pairs, *left.alone()]


def _framework(op: Op) -> Hashable | None:
    return None if _compilers(op) else (op,)


def _compilers(op: Op) -> bool:
    """Whether its name is that of an instruction, not of what the framework ran."""
    return bool(op.module) and "/" not in op.name


def _ways(in_a: Contents, in_b: Contents) -> Iterable[Way[Op]]:
    """What is surer than that a part of it is somewhere else."""

    def both(match: Match, common: Callable[[Op, Content | None], Hashable | None]) -> Way[Op]:
        return Way(match, lambda op: common(op, in_a.get(op)), lambda op: common(op, in_b.get(op)))

    def name(op: Op) -> Hashable | None:
        return None if op in in_a and op in in_b else (op,)

    yield both("same", lambda op, known: (op, known.fingerprint) if known else None)
    yield Way("same", name, name)
    yield both("fingerprint", lambda op, known: (_program(op), known.fingerprint) if known and _compilers(op) else None)
    yield both("same", lambda op, known: (op, known.shape) if known else None)
    yield both("renamed", lambda op, known: None if _compilers(op) else without_scopes_numbers(op))
    yield both("fingerprint", lambda op, known: (_end(op), known.fingerprint) if known else None)
    yield both("fingerprint", lambda op, known: known.fingerprint if known else None)


def _end(op: Op) -> str:
    return _NUMBER.sub("#", op.name.rpartition("/")[2])


def _last_ways(in_a: Contents, in_b: Contents) -> Iterable[Way[Op]]:
    def shaped(op: Op, known: Content | None) -> Hashable | None:
        return (_program(op), known.shape) if known and _compilers(op) else None

    yield Way("shape", lambda op: shaped(op, in_a.get(op)), lambda op: shaped(op, in_b.get(op)))
    yield Way("same", lambda op: (op,), lambda op: (op,))
    for common in BY:
        yield Way("renamed", common, common)


def _program(op: Op) -> str:
    """`jit_step(7)` of one run is `jit_step(9)` of the next, or `jit_step_1`."""
    return _COUNTED.sub("", _NUMBER.sub("#", op.module))


def _split(left: _Left[Op], in_a: Contents, in_b: Contents) -> list[Pair[Op]]:
    """Fusions of A whose work is in several ops of B, and the other way round. Time of the one is shared among the
    several by what these take."""
    pairs: list[Pair[Op]] = []
    for one, parts in _parts(left, 0, in_a, in_b):
        pairs += [Pair(one, part, "split", part_a=share) for part, share in parts]
    left.without(pairs)
    merged: list[Pair[Op]] = []
    for one, parts in _parts(left, 1, in_b, in_a):
        merged += [Pair(part, one, "merged", part_b=share) for part, share in parts]
    return [*pairs, *left.without(merged)]


def _parts(
    left: _Left[Op], side: int, whole: Contents, parts: Contents
) -> Iterable[tuple[Op, Sequence[tuple[Op, float]]]]:
    """side: of what is whole."""
    takes = left.takes[1 - side]
    ones = _longest(left.keys[side], left.takes[side], whole)
    free = _longest(left.keys[1 - side], takes, parts)
    for one in ones:
        rest = Counter(dict(whole[one].inside))
        size, found = rest.total(), list[Op]()
        if size < _LEAST_INSIDE:
            continue
        for op in free:
            inside = Counter(dict(parts[op].inside))
            if _program(op) == _program(one) and inside <= rest:
                rest -= inside
                found.append(op)
        if len(found) > 1 and size - rest.total() >= _LEAST_SHARE * size:
            free = [op for op in free if op not in found]
            total = sum(takes[op] for op in found)
            yield one, [(op, takes[op] / total if total else 1 / len(found)) for op in found]


def _longest(keys: Iterable[Op], takes: Mapping[Op, float], known: Contents) -> list[Op]:
    """The longest of those of which is known what they hold."""
    some = [op for op in keys if op in known and known[op].inside]
    return sorted(some, key=lambda op: (-takes[op], op))[:_MAX_SPLIT]


def without_scopes_numbers(op: Op) -> Hashable:
    """`model_1/adam_3/mul_1` of one run is `model/adam/mul_1` of the next."""
    scope, slash, end = op.name.rpartition("/")
    return (_COUNTED.sub("", scope + slash), end, op.type, _COUNTED.sub("", op.module))


def without_numbers(op: Op) -> Hashable:
    """`fusion.12` of one run is `fusion.15` of the next."""
    return tuple(_NUMBER.sub("#", text) for text in op)


def by_type_and_end(op: Op) -> Hashable | None:
    """`model/dense/MatMul` in another scope; nothing without a type."""
    return (op.type, _end(op)) if op.type else None


BY = (without_scopes_numbers, without_numbers, by_type_and_end)


def kernel_without_numbers(name: str) -> Hashable:
    return _NUMBER.sub("#", name)


def kernel_family(name: str) -> Hashable | None:
    """The function without its template arguments and parameters."""
    return re.split(r"[<(]", name.removeprefix("void "), maxsplit=1)[0] or None


KERNELS_BY = (kernel_without_numbers, kernel_family)


# Ops of two sides, aligned → a tree by category and the path of their names: scopes, modules, files of functions.

#: Nodes that are kept, the widest; what the others take is one more below the node that they are in.
MAX_NODES = 2000
#: What lies deeper is called by all that is left of its path.
MAX_DEPTH = 32
#: `train.py(12): step`, as PyTorch calls a Python function.
_FUNCTION = regex(r"(.+)\((\d+)\): (.+)")
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


class Node(msgspec.Struct, eq=False):
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
    return {pair.a: pair.b for pair in aligned(*takes, (scope_without_numbers,)) if pair.a and pair.b}


def _by_op(scoped: Scoped) -> dict[Op, dict[tuple[int, Scope], Part]]:
    found: dict[Op, dict[tuple[int, Scope], Part]] = {}
    for (category, op, scope), part in scoped.items():
        found.setdefault(op, {})[category, scope] = part
    return found


def path_of(op: Op) -> tuple[str, ...]:
    """`model/dense/MatMul` is `MatMul` in `dense` in `model`, `fusion.12` is in its program, a function in its file."""
    parts = _by_path_parts(op)
    if op.module and len(parts) == 1:
        parts = [op.module, *parts]
    return (*parts[: MAX_DEPTH - 1], "/".join(parts[MAX_DEPTH - 1 :])) if len(parts) > MAX_DEPTH else tuple(parts)


def _by_path_parts(op: Op) -> list[str]:
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
    at, parts = 0, scope_without_numbers(path[:-1])
    for name in scope_without_numbers(scope):
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
