"""Ops of TensorFlow → those of attention that runs as separate products, by their types and the scopes in their names.

A scope holds attention where its forward pass has two batched products and a softmax, each its own or in a scope named
as the op: `mha/einsum/Einsum`, `mha/Softmax`, `mha/einsum_1/Einsum`. What layers within the scope project, as
`mha/query/MatMul`, is in scopes of its own. Gradients go by the forward op: `gradient_tape/mha/einsum/Einsum_1`.
"""

from __future__ import annotations

import collections
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...timeline import Op

#: So much of a name's end is looked at.
_TAIL = 500
_GRADIENT = "gradient_tape/"
_PRODUCT = re.compile(r"Einsum|BatchMatMul(?:V\d)?")
_SOFTMAX = "Softmax"
#: The scope of one op, and the forward op in a gradient's name.
_OF_AN_OP = re.compile(r"(?:einsum|(?:batch)?matmul(?:v\d)?|softmax)(?:_\d+)?", re.IGNORECASE)
#: Scores, and what takes them.
_PRODUCTS = 2


def attention_in_scopes(ops: Sequence[Op]) -> NDArray[np.bool_]:
    """By op; what has no scope may be of anything."""
    mine = [op.type == _SOFTMAX or bool(_PRODUCT.fullmatch(op.type)) for op in ops]
    scopes = [_scope(op.name[-_TAIL:]) if is_mine else "" for op, is_mine in zip(ops, mine, strict=True)]
    softmaxes, products = set[str](), collections.Counter[str]()
    for op, scope in zip(ops, scopes, strict=True):
        if scope and _GRADIENT not in op.name:
            products[scope] += op.type != _SOFTMAX
            softmaxes |= {scope} if op.type == _SOFTMAX else set()
    attention = {scope for scope in softmaxes if products[scope] >= _PRODUCTS}
    return np.fromiter((scope in attention for scope in scopes), bool, len(ops))


def _scope(name: str) -> str:
    parts = name.partition(_GRADIENT)[2].split("/") if _GRADIENT in name else name.split("/")
    parts = parts[:-1]
    while parts and _OF_AN_OP.fullmatch(parts[-1]):
        parts = parts[:-1]
    return "/".join(parts)
