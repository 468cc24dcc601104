"""Ops of JAX → those of attention that XLA runs as separate products, by the equations in their names.

`jnp.einsum` puts its equation into the name of what it runs: `bqhd,bkhd->bhqk` gives scores, and `bhqk,bkhd->bqhd`
takes them. Where both are in one scope, with what a softmax consists of, that scope is attention.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...timeline import Op

#: So much of a name's end is looked at.
_TAIL = 500
_ARROW = "->"
_EQUATION = re.compile(r"(?<![A-Za-z])([A-Za-z]{3,8}),([A-Za-z]{3,8})->([A-Za-z]{3,8})(?![A-Za-z])")
#: What a softmax consists of; fused, it goes by the last of these.
_NORMALIZES = ("exp", "reduce_max", "reduce_sum", "div", "softmax")
_SOFTMAX = (*_NORMALIZES, "sub", "select_n")


def attention_ops(ops: Sequence[Op]) -> NDArray[np.bool_]:
    """By op."""
    if not any(_ARROW in op.name for op in ops):
        return np.zeros(len(ops), bool)
    parts = [_parts(op.name[-_TAIL:]) for op in ops]
    scores, takes, normalizes = set[tuple[str, str]](), set[tuple[str, str]](), set[str]()
    for scope, equation, last in parts:
        if last in _NORMALIZES:
            normalizes.add(scope)
        if equation and _gives_scores(*equation):
            scores.add((scope, equation[2]))
        elif equation:
            takes.add((scope, equation[0]))
    pairs = {pair for pair in scores & takes if pair[0] in normalizes}
    scopes = {scope for scope, _ in pairs}
    found = (
        bool({(scope, equation[0]), (scope, equation[2])} & pairs) if equation else scope in scopes and last in _SOFTMAX
        for scope, equation, last in parts
    )
    return np.fromiter(found, bool, len(ops))


def _parts(name: str) -> tuple[str, tuple[str, str, str] | None, str]:
    """The scope of an op without the equation in it, the equation, and the op's own name."""
    equation = _EQUATION.search(name)
    if equation:
        name = f"{name[: equation.start()]}{name[equation.end() :]}"
    scope, _, last = name.rpartition("/")
    return scope.rstrip("/"), (equation[1], equation[2], equation[3]) if equation else None, last


def _gives_scores(a: str, b: str, result: str) -> bool:
    """Whether a product of queries with keys: a row for each of the one, a column for each of the other."""
    query, key = result[-2], result[-1]
    heads = set(result[:-2])
    summed = (set(a) & set(b)) - set(result)
    return len(summed) == 1 and {query} == set(a) - set(b) and {key} == set(b) - set(a) and heads <= set(a) & set(b)
