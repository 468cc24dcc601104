"""The merged kernels → those in 64-bit floats, those of attention in JAX or TensorFlow, those that XLA runs again."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from ...timeline.split import precision_of_kernel
from ..model import attention_in_scopes, attention_ops
from .merged import Merged
from .totals import Kernel, kernel_of

#: So much of a name is looked at.
_HEAD = 4000
#: In lower case; `long` has 64 bits, too.
_TOKENS = ("double", "64", "dgemm", "zgemm", "dgemv", "zgemv", "trsm", "884", "16816", "1688", "dmma", "cijk_")
_DOUBLE = re.compile(
    r"(?<![a-z0-9])(?:double|f64|fp64|float64|dt_double)(?![a-z0-9])|(?<![a-z])[dz](?:gemm|gemv|trsm|884|1688|16816)"
    r"|dmma|cijk_[a-z]+_[a-z]+_[dz]"
)
#: What JAX adds to the names of ops that `jax.checkpoint` runs again.
REMATERIALIZED = "rematted_computation"


class Doubles(NamedTuple):
    """share: of the kernel time; longest: the row that takes most of it."""

    total_ps: float
    share: float
    longest: Kernel


def in_doubles(merged: Merged) -> Doubles | None:
    """None where no kernel's name says so."""
    k = merged.kernels
    doubles = np.array([says_double(name) for name in merged.names], bool)[k.name]
    total = float(k.total_ps[doubles].sum())
    if not total:
        return None
    longest = int(np.argmax(np.where(doubles, k.total_ps, -1)))
    return Doubles(total, min(total / merged.total_ps, 1.0), kernel_of(merged, longest))


def says_double(name: str) -> bool:
    """Whether a kernel computes in 64-bit floats, by its name."""
    lowered = name[:_HEAD].lower()
    says = any(map(lowered.__contains__, _TOKENS)) and _DOUBLE.search(lowered)
    return bool(says) and precision_of_kernel(name) == "compute_64bit"


class AttentionOps(NamedTuple):
    """Kernels of attention that runs as separate products; longest: the row that takes most of their time."""

    total_ps: float
    longest: Kernel


def attention_of_ops(merged: Merged) -> AttentionOps | None:
    """None where no op's name shows any."""
    k = merged.kernels
    mine = (attention_ops(k.ops) | attention_in_scopes(k.ops))[k.op] if len(k.ops) else np.zeros(0, bool)
    total = float(k.total_ps[mine].sum())
    if not total:
        return None
    return AttentionOps(total, kernel_of(merged, int(np.argmax(np.where(mine, k.total_ps, -1)))))


def rematerialized_ps(merged: Merged) -> float:
    k = merged.kernels
    again = np.array([REMATERIALIZED in op.name for op in k.ops], bool)
    return float(k.total_ps[again[k.op]].sum()) if len(k.ops) else 0.0
