"""Names of two sides → which of one is which of the other: the same, renamed, new or gone."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Generic, Literal, TypeVar

from ...timeline import Op

K = TypeVar("K", bound=Hashable)
Match = Literal["same", "renamed", "new", "gone"]
#: An address in memory, `<built-in method flush of object at 0x7f12d1>`, is one, too.
_NUMBER = re.compile(r"0x[0-9a-f]+|\d+")
#: What makes a name that is there already another one.
_COUNTED = re.compile(r"[_.]\d+(?=/|$)")


@dataclasses.dataclass(frozen=True)
class Pair(Generic[K]):
    """One row of a comparison, by the keys of its sides; None where a side lacks it."""

    a: K | None
    b: K | None
    match: Match


def aligned(a: Mapping[K, float], b: Mapping[K, float], by: Iterable[Callable[[K], Hashable | None]]) -> list[Pair[K]]:
    """a, b: what each takes. by: what renamed ones have in common, the surest first; None: nothing.

    Of several that have it in common the largest of one side is the largest of the other.
    """
    pairs: list[Pair[K]] = [Pair(key, key, "same") for key in a if key in b]
    left = [key for key in a if key not in b]
    right = [key for key in b if key not in a]
    for common in by:
        groups: dict[Hashable, tuple[list[K], list[K]]] = {}
        for side, keys in enumerate((left, right)):
            for key in keys:
                if (what := common(key)) is not None:
                    groups.setdefault(what, ([], []))[side].append(key)
        for ours, theirs in groups.values():
            ours.sort(key=lambda key: -a[key])
            theirs.sort(key=lambda key: -b[key])
            pairs += [Pair(x, y, "renamed") for x, y in zip(ours, theirs, strict=False)]
        taken_a, taken_b = {p.a for p in pairs}, {p.b for p in pairs}
        left = [key for key in left if key not in taken_a]
        right = [key for key in right if key not in taken_b]
    return [*pairs, *(Pair(key, None, "gone") for key in left), *(Pair(None, key, "new") for key in right)]


def without_scopes_numbers(op: Op) -> Hashable:
    """`model_1/adam_3/mul_1` of one run is `model/adam/mul_1` of the next."""
    scope, slash, end = op.name.rpartition("/")
    return (_COUNTED.sub("", scope + slash), end, op.type, _COUNTED.sub("", op.module))


def without_numbers(op: Op) -> Hashable:
    """`fusion.12` of one run is `fusion.15` of the next."""
    return tuple(_NUMBER.sub("#", text) for text in op)


def by_type_and_end(op: Op) -> Hashable | None:
    """`model/dense/MatMul` in another scope; nothing without a type."""
    return (op.type, _NUMBER.sub("#", op.name.rpartition("/")[2])) if op.type else None


BY = (without_scopes_numbers, without_numbers, by_type_and_end)


def kernel_without_numbers(name: str) -> Hashable:
    return _NUMBER.sub("#", name)


def kernel_family(name: str) -> Hashable | None:
    """The function without its template arguments and parameters."""
    return re.split(r"[<(]", name.removeprefix("void "), maxsplit=1)[0] or None


KERNELS_BY = (kernel_without_numbers, kernel_family)
