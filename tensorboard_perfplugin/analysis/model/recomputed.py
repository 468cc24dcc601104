"""A timeline of PyTorch's operators → kernels of the forward pass that run again in the backward pass.

Checkpointed parts of a model keep no activations; the backward pass runs them forward again. With
`use_reentrant=True` that is inside of `CheckpointFunctionBackward`, as is the backward pass of the part, whose nodes
`autograd::engine::evaluate_function` marks. Else it is inside of the first node that needs an activation, which then
holds calls that only a forward pass makes, such as `aten::linear`; the node's own work comes after them.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tables import I64, Evidence
from ...timeline import Timeline, nearest, nesting_of
from .inside import inside, kernels_from, total_ps

_CHECKPOINT = re.compile(r"CheckpointFunctionBackward")
#: Its own node lies around it, at times over the same interval.
_NODE = re.compile(r"autograd::engine::evaluate_function: (?!CheckpointFunctionBackward).*", re.DOTALL)
#: Autograd's own nodes; those of a program's functions may run forward on purpose.
_OWN_NODE = re.compile(r"autograd::engine::evaluate_function: \w+Backward\d+")
#: Calls that are made of others, which alone have nodes: no node calls these.
_FORWARD = re.compile(
    r"aten::(?:linear|conv[123]d|layer_norm|batch_norm|group_norm|softmax|log_softmax|dropout|embedding"
    r"|scaled_dot_product_attention)"
)
_PLACES = 3


class Recomputed(NamedTuple):
    """total_ps: of kernels; times: how often a part ran again; places: of these the longest, on the host."""

    total_ps: float = 0.0
    times: int = 0
    places: tuple[Evidence, ...] = ()


def recomputed(timeline: Timeline) -> Recomputed:
    capture = timeline.capture
    nodes, checkpoints = capture.events_named(_NODE), capture.events_named(_CHECKPOINT)
    if not len(nodes) and not len(checkpoints):
        return Recomputed()
    first, end = _stretches(timeline)
    where = inside(timeline, first, end) | _between_nodes(timeline, checkpoints, nodes)
    kernels = kernels_from(timeline, where)
    if not len(kernels):
        return Recomputed()
    events = capture.events
    begin, end = events.start_ps, np.append(end, events.start_ps[checkpoints] + events.duration_ps[checkpoints])
    rows = np.append(first, checkpoints)
    longest = np.argsort(begin[rows] - end, kind="stable")[:_PLACES].tolist()
    places = (Evidence(timeline.host, int(begin[rows[i]]), int(end[i]), int(events.track[rows[i]])) for i in longest)
    return Recomputed(total_ps(timeline, kernels), len(rows), tuple(places))


def _between_nodes(timeline: Timeline, checkpoints: I64, nodes: I64) -> NDArray[np.bool_]:
    """By event: whether it is inside of a checkpoint's backward call, and of no node that this runs."""
    names = timeline.capture.events.name
    is_checkpoint, is_mark = np.zeros(len(names), bool), np.zeros(len(names), bool)
    is_checkpoint[checkpoints] = is_mark[checkpoints] = is_mark[nodes] = True
    if not len(checkpoints):
        return is_checkpoint
    around = nearest(nesting_of(timeline).parent, is_mark)
    found: NDArray[np.bool_] = (around >= 0) & is_checkpoint[around]
    return found


def _stretches(timeline: Timeline) -> tuple[I64, I64]:
    """Nodes that hold forward calls: their rows, and when the last of these ends. Calls of one node follow another."""
    events = timeline.capture.events
    nodes, calls = (timeline.capture.events_named(pattern) for pattern in (_OWN_NODE, _FORWARD))
    is_node = np.zeros(len(events), bool)
    is_node[nodes] = True
    around = nearest(nesting_of(timeline).parent, is_node)[calls]
    calls, around = calls[around >= 0], around[around >= 0].astype(np.int64)
    first, which = np.unique(around, return_inverse=True)
    end = np.zeros(len(first), np.int64)
    np.maximum.at(end, which, events.start_ps[calls] + events.duration_ps[calls])
    return first.astype(np.int64), end
