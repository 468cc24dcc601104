"""Products on tensor cores whose operands are read in small pieces, since sizes are no multiples of what fits 16 bytes.

Tensor cores are fed 16 bytes at a time where each row of a matrix begins at a multiple of these. Kernels of CUTLASS,
which cuBLAS and cuDNN take where sizes allow nothing better, say in their names how many elements they read at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...tables import I64, among, at_once
from ...timeline import Timeline, kernel_name, launches_of, op_around_of, tensor_core_rule
from ...timeline.split import precision_of_kernel
from ..model import dims_of, has_shapes, sizes_of, strides_of
from .groups import group
from .work import Work

#: So much of a name is looked at.
_HEAD = 4000
#: `alignc4` is of the result, which is often wider.
_ALIGN = re.compile(r"_align(?:ab?|b)?(\d{1,2})(?!\d)")
#: Elements in 16 bytes.
_WHOLE = {"compute_8bit": 16, "compute_16bit": 8, "compute_tf32": 4}
#: Calls by shape that a host looks at, the largest.
_MOST = 16


class OddCall(NamedTuple):
    """Kernels of one op and shape that read less than 16 bytes at once. odd: sizes that are no multiples of `multiple`,
    as many elements as these have.
    """

    op: str
    shapes: str
    odd: tuple[int, ...]
    multiple: int
    total_ps: float


def whole_pieces(name: str) -> int:
    """How many elements a kernel should read at once, where its name says that it reads fewer, else 0."""
    pieces = [int(digits) for digits in _ALIGN.findall(name[:_HEAD])] if "_align" in name else []
    if not pieces or not (rule := tensor_core_rule(name, "")) or not rule.uses:
        return 0
    whole = _WHOLE.get(precision_of_kernel(name) or "", 0)
    return whole if min(pieces) < whole else 0


def odd_calls(timeline: Timeline, work: Work) -> list[OddCall]:
    """Of PyTorch's calls whose shapes are recorded, the largest whose kernels read less than 16 bytes at once."""
    capture = timeline.capture
    if not has_shapes(timeline):
        return []
    name = capture.events.name[at_once(work.rows)]
    used = np.unique(name).tolist()
    wanted = {i: whole for i in used if (whole := whole_pieces(kernel_name(capture.strings[i])))}
    rows = work.rows[among(name, list(wanted))] if wanted else np.empty(0, np.int64)
    launch = launches_of(timeline).rows[rows]
    call = np.where(launch >= 0, op_around_of(timeline)[launch], -1).astype(np.int64)
    rows, call = rows[call >= 0], call[call >= 0]
    return list(_by_shape(timeline, rows, call, wanted))


def _by_shape(timeline: Timeline, rows: I64, call: I64, wanted: dict[int, int]) -> Iterator[OddCall]:
    events, strings = timeline.capture.events, timeline.capture.strings
    dims, strides = dims_of(timeline, call), strides_of(timeline, call)
    groups = group((events.name[call], dims, strides, events.name[rows]), len(rows))
    total = groups.sum(events.duration_ps[rows])
    for i in np.argsort(-total, kind="stable")[:_MOST].tolist():
        first = int(groups.first[i])
        shapes, whole = strings[int(dims[first])], wanted[int(events.name[rows[first]])]
        odd = _odd(shapes, strings[int(strides[first])], whole)
        if odd:
            op = strings[int(events.name[call[first]])]
            yield OddCall(op, _matrices_text(shapes), odd, whole, float(total[i]))


def _odd(shapes: str, strides: str, whole: int) -> tuple[int, ...]:
    """Sizes along which matrices lie in memory that are no multiples of `whole`."""
    sizes, steps = sizes_of(shapes), sizes_of(strides)
    along: list[int] = []
    last: list[int] = []
    for i, size in enumerate(sizes):
        if len(size) < 2:
            continue
        step = steps[i] if i < len(steps) and len(steps[i]) == len(size) else []
        along += [n for n, by in zip(size, step, strict=True) if by == 1] if step else size[-2:]
        last = size[-1:]
    return tuple(dict.fromkeys(n for n in [*along, *last] if n > 1 and n % whole))


def _matrices_text(shapes: str) -> str:
    return " × ".join(str(size) for size in sizes_of(shapes) if len(size) > 1)
