"""Names of two sides → which of one is which of the other: the same, renamed, alike inside, split, new, gone."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Generic, Literal, NamedTuple, TypeVar

from ...timeline import Op
from .contents import Content

K = TypeVar("K", bound=Hashable)
Match = Literal["same", "fingerprint", "renamed", "shape", "split", "merged", "new", "gone"]
#: By op what XLA's instructions of it are, as far as the captures of a side hold its program.
Contents = Mapping[Op, Content]
#: An address in memory, `<built-in method flush of object at 0x7f12d1>`, is one, too.
_NUMBER = re.compile(r"0x[0-9a-f]+|\d+")
#: What makes a name that is there already another one.
_COUNTED = re.compile(r"[_.]\d+(?=/|$)")
#: Fusions of one side that are looked at for parts on the other, and parts, the longest.
_MAX_SPLIT = 256
#: What a fusion holds at least for its parts to be told, and how much of it these hold together at least.
_LEAST_INSIDE, _LEAST_SHARE = 3, 0.75


@dataclasses.dataclass(frozen=True)
class Pair(Generic[K]):
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
