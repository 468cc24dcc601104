"""A cost tree → the part of the steps to name: the most specific one that holds most of what is around it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ...patterns import regex
from ...tables import I64
from ...threshold import Threshold
from ..steps.contents import event_label, is_own_frame
from .tree import CostTree

MOST_OF_PARENT = Threshold(
    "most of its parent", 0.5, "share", "of a part of a step that holds as much as another would, none is named alone"
)
ALL_OF_STEP = Threshold(
    "all of a step", 0.95, "share", "what is around so much of a step is the step, or the loop that runs it"
)
SPECIFIC = Threshold(
    "specific", 0.8, "share", "a part of what is named is named in its place where it holds at least so much of that"
)
LARGEST = Threshold(
    "largest part", 0.25, "share", "where no part holds most of a step, the largest is named from here on"
)
#: Functions of Python without a name of their own.
_NAMELESS = regex(r".*<\w+>\W*", re.DOTALL)

_OF_FILE = regex(r"\$?(.*?\.py)[(:]\d")
#: A function that JAX compiled.
_JITTED = regex(r"p?jit\(")


class Part(NamedTuple):
    """The part of the steps to name.

    name: what to call it; op: the last part of that, as a table of ops has it; is_function: whether it is one of
    Python. inside: what of it holds most, where that has another name. ps: what the path holds of it, of all steps;
    own_ps: of that, on the program's own threads. odd_ps: of that, by `Modifier`. times: how many events of it the path
    holds. most: whether it holds most of a step. by_category: `ps`, by `CATEGORIES`.
    """

    name: str
    op: str
    is_function: bool
    inside: str
    ps: int
    own_ps: int
    odd_ps: tuple[int, ...]
    times: int
    most: bool
    by_category: tuple[int, ...]


def part_of(tree: CostTree, categories: Sequence[int] | None = None) -> Part | None:
    """Of all of the path, or of what of it is in some categories; None where no part stands out."""
    chosen = slice(None) if categories is None else list(categories)
    whole = tree.whole(tree.ps[:, chosen].sum(axis=1))
    if not whole[0]:
        return None
    kids: dict[int, list[int]] = {}
    for node in range(1, len(tree.parent)):
        if whole[node]:
            kids.setdefault(tree.parent[node], []).append(node)
    node, most = _outer(tree, whole, kids)
    if not node:
        return None
    chain = [node]
    while (best := _best(whole, kids, chain[-1])) and whole[best] >= MOST_OF_PARENT.value * whole[node]:
        chain.append(best)
    by_category = tree.whole(tree.ps)[node]
    ps, own_ps = int(by_category.sum()), int(tree.whole(tree.own_ps)[node])
    name, inside = _called(tree, chain, [each for each in chain if whole[each] >= SPECIFIC.value * whole[node]])
    op, is_function = name.strip("`").rpartition("/")[2], name.endswith(")")
    odd_ps, times = tuple(tree.whole(tree.odd_ps)[node].tolist()), int(tree.whole(tree.times)[node])
    return Part(name, op, is_function, inside, ps, own_ps, odd_ps, times, most, tuple(by_category.tolist()))


def _best(whole: I64, kids: dict[int, list[int]], node: int) -> int:
    """The child that holds most, 0 without any."""
    return max(kids.get(node, ()), key=lambda each: whole[each], default=0)


def _outer(tree: CostTree, whole: I64, kids: dict[int, list[int]]) -> tuple[int, bool]:
    """The outermost node that is not the step itself and holds most of what is around it; else the largest part of the
    step, if it is large. A compiled function is the step's own, whatever runs beside it."""
    node = 0
    while best := _best(whole, kids, node):
        if whole[best] < MOST_OF_PARENT.value * whole[node]:
            large = LARGEST.value * whole[0]
            return (best, False) if whole[best] >= large and (not node or whole[node] >= 2 * large) else (node, True)
        node = best
        if whole[node] < ALL_OF_STEP.value * whole[0] and not (
            tree.parent[node] == 0 and _JITTED.match(tree.label[node])
        ):
            break
    return node, True


def _called(tree: CostTree, chain: Sequence[int], alike: Sequence[int]) -> tuple[str, str]:
    """An op by its whole name; what threads ran by the program's own function, and what of that holds most. chain:
    from what is named inwards; alike: those that hold most of it."""
    scopes = [node for node in alike if tree.is_scope[node]]
    own = _own(tree, alike)
    if scopes:
        named = scopes[-1]
        name = f"`{'/'.join(tree.chain(named))}`"
    else:
        named = own[-1] if own else alike[-1]
        name = event_label(tree.label[named])
    below = chain[chain.index(named) + 1 :]
    within = [node for node in below if tree.is_scope[node]]
    if within:
        return name, f"`{'/'.join(tree.label[node] for node in within)}`"
    inside = event_label(tree.label[below[-1]]) if below else ""
    return name, inside if inside != name else ""


def _own(tree: CostTree, chain: Sequence[int]) -> list[int]:
    """The functions of the program's own files among some: of those in which the step is, where any is of them."""
    frames = [node for node in chain if is_own_frame(tree.label[node]) and not _NAMELESS.fullmatch(tree.label[node])]
    around = {_file(label) for label in tree.chain(chain[0])[:-1] if is_own_frame(label)}
    beside = [node for node in frames if _file(tree.label[node]) in around]
    return beside or frames


def _file(label: str) -> str:
    """`tests/train.py(12): step`, `$train.py:12 step` → the file."""
    match = _OF_FILE.match(label)
    return match[1] if match else ""
