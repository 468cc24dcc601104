"""A timeline of PyTorch's operators → attention that runs as products around a softmax, each by kernels of its own.

Forward a product, the softmax of its result, and a product with that; backward two products, the softmax's gradient,
and two products. A product is `bmm`, of matrices of several heads: a softmax after a layer's `addmm` is no attention.
What is launched in between, such as scaling, masks and dropout, is part of it: a fused kernel does it as well.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, Evidence
from ...timeline import Timeline, nearest, nesting_of
from .inside import inside, kernels_from, total_ps
from .shapes import dims_of, sizes_of

_BATCHED = ("aten::bmm", "aten::baddbmm")
_OTHER = ("aten::mm", "aten::addmm", "aten::_addmm_activation", "aten::convolution", "aten::convolution_backward")
_SOFTMAX, _GRADIENT = "aten::_softmax", "aten::_softmax_backward_data"
#: PyTorch's own attention where no fused kernel takes its input.
_MATH = "aten::_scaled_dot_product_attention_math"
#: Kinds of calls.
_NONE, _A_PRODUCT, _PRODUCT, _FORWARD, _BACKWARD = range(5)
#: Of so many calls, the longest on the host, the places are kept.
_PLACES = 3
#: So many distinct shapes are compared; the rest are taken to fit.
_COMPARED = 10_000


class Attention(NamedTuple):
    """Attention that is not fused. total_ps: of all its kernels; calls: how often it ran forward.

    math: whether PyTorch's own function did it, for want of a fused kernel. places: where some calls are on the host.
    """

    total_ps: float = 0.0
    calls: int = 0
    math: bool = False
    places: tuple[Evidence, ...] = ()


class _Calls(NamedTuple):
    """Rows of the first and the last product of each, and of its softmax or the gradient of that."""

    first: I64
    last: I64
    softmax: I64


def attention(timeline: Timeline) -> Attention:
    """What was launched kernel by kernel."""
    strings = timeline.capture.strings
    if strings.find(_SOFTMAX) < 0 or all(strings.find(name) < 0 for name in _BATCHED):
        return Attention()
    calls, events = _calls(timeline), timeline.capture.events
    if not len(calls.first):
        return Attention()
    end = events.start_ps[calls.last] + events.duration_ps[calls.last]
    kernels = kernels_from(timeline, inside(timeline, calls.first, end))
    longest = np.argsort(events.start_ps[calls.first] - end, kind="stable")[:_PLACES].tolist()
    begin, track = events.start_ps[calls.first], events.track[calls.first]
    by_math = nearest(nesting_of(timeline).parent, events.name == strings.find(_MATH))[calls.first] >= 0
    return Attention(
        total_ps(timeline, kernels),
        int(np.count_nonzero(events.name[calls.softmax] == strings.find(_SOFTMAX))),
        bool(by_math.any()),
        tuple(Evidence(timeline.host, int(begin[i]), int(end[i]), int(track[i])) for i in longest),
    )


def _calls(timeline: Timeline) -> _Calls:
    capture = timeline.capture
    kinds = np.zeros(len(capture.strings) + 1, np.int8)
    for kind, names in ((_PRODUCT, _OTHER), (_A_PRODUCT, _BATCHED), (_FORWARD, (_SOFTMAX,)), (_BACKWARD, (_GRADIENT,))):
        kinds[[capture.strings.find(name) for name in names]] = kind
    kinds[-1] = _NONE
    of_event = kinds[capture.events.name]
    rows = np.flatnonzero(of_event)
    # A call that calls itself, as with autocast, is one.
    rows = rows[nearest(nesting_of(timeline).parent, of_event > 0)[rows] < 0]
    # Two places on each side, of other threads nothing.
    what, track = np.pad(of_event[rows], 2), np.pad(capture.events.track[rows], 2, constant_values=-1)
    at = np.flatnonzero((what == _FORWARD) | (what == _BACKWARD))
    product = [(what[at + by] == _A_PRODUCT) & (track[at + by] == track[at]) for by in (-2, -1, 1, 2)]
    back = what[at] == _BACKWARD
    fits = product[1] & product[2]
    at, back, product = at[fits], back[fits], [each[fits] for each in product]
    fits = back | _of_one_size(timeline, *(rows[at + by] for by in (-3, -2, -1)))
    first, last = at - 1 - (back & product[0]), at + 1 + (back & product[3])
    return _Calls(rows[first[fits] - 2], rows[last[fits] - 2], rows[at[fits] - 2])


def _of_one_size(timeline: Timeline, before: I64, softmax: I64, after: I64) -> NDArray[np.bool_]:
    """Whether a softmax is of what the product before gives, and the next one is with it; so, where no shape is known.

    Shapes repeat: each three are compared once.
    """
    ids = np.stack([dims_of(timeline, rows) for rows in (before, softmax, after)], axis=1)
    distinct, which = np.unique(ids, axis=0, return_inverse=True)
    shapes = ([sizes_of(timeline.capture.strings[i]) for i in three] for three in distinct[:_COMPARED].tolist())
    fits = np.ones(len(distinct), bool)
    fits[:_COMPARED] = [_fit(*three) for three in shapes]
    of_call: NDArray[np.bool_] = fits[which.reshape(-1)]
    return of_call


def _fit(before: list[list[int]], softmax: list[list[int]], after: list[list[int]]) -> bool:
    """The matrices of a product are the last two; what is added to them comes first."""
    products = [[size for size in of if len(size) > 1][-2:] for of in (before, after)]
    if not softmax or len(softmax[0]) < 2 or any(len(each) < 2 for each in products):
        return True
    (a, b), (probabilities, _) = products
    return softmax[0][-2:] == [a[-2], b[-1]] and probabilities[-2:] == softmax[0][-2:]
