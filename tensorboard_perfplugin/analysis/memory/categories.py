"""Call stacks, and how long allocations live → what each allocation is for: parameter, gradient, activation …

Of a stack's frames the innermost that says something counts: `torch/optim` is the optimizer's, PyTorch's autograd
engine the backward pass, `Module._apply` or loading a checkpoint parameters, a module's call the forward pass, a data
loader or a copy to the device outside of all those an input. How long an allocation lives tells the rest: what the
forward pass allocates is an activation if it is still there when the backward pass begins, what the backward pass
allocates is a gradient if it is still there when that has ended, what the optimizer allocates is its state if it
outlives its step; what is freed before is temporary. What the program itself said (`_set_memory_metadata`, the field
`category`) goes before all.
"""

from __future__ import annotations

import re

import numpy as np

from ...tables import HEAP_FRAME, I64, Capture, among
from ...timeline import Timeline
from .series import Series

#: In the order in which they lie upon each other, the longest-lived first.
CATEGORIES = (
    "parameter",
    "gradient",
    "optimizer",
    "activation",
    "input",
    "communication",
    "temporary",
    "other",
    "before",
)
PARAMETER, GRADIENT, OPTIMIZER, ACTIVATION, INPUT, COMMUNICATION, TEMPORARY, OTHER, BEFORE = range(len(CATEGORIES))
#: What a frame says: name, file. The first that fits.
_PLACES = (
    (OPTIMIZER, re.compile(r""), re.compile(r"torch[/\\]optim[/\\]|bitsandbytes[/\\]optim|apex[/\\]optimizers")),
    (COMMUNICATION, re.compile(r"^c10d::|^nccl"), None),
    (COMMUNICATION, re.compile(r""), re.compile(r"torch[/\\]distributed[/\\]")),
    (GRADIENT, re.compile(r"^torch::autograd::(?:Engine|AccumulateGrad|generated::)|Backward\d*::apply"), None),
    (GRADIENT, re.compile(r"^backward$"), None),
    (GRADIENT, re.compile(r""), re.compile(r"torch[/\\]autograd[/\\]|torch[/\\]_tensor\.py$")),
    (
        PARAMETER,
        re.compile(r"^(?:_apply|convert|to|cuda|half|float|bfloat16|load_state_dict|to_empty|register_buffer)$"),
        re.compile(r"torch[/\\]nn[/\\]modules[/\\]module\.py$"),
    ),
    (PARAMETER, re.compile(r"^(?:__init__|reset_parameters)$"), re.compile(r"torch[/\\]nn[/\\]modules[/\\]")),
    (PARAMETER, re.compile(r""), re.compile(r"torch[/\\]nn[/\\](?:init|parameter)\.py$|safetensors[/\\]")),
    (PARAMETER, re.compile(r"^(?:from_pretrained|load_state_dict|load_checkpoint|load_weights)$"), None),
    (ACTIVATION, re.compile(r"^(?:_call_impl|_wrapped_call_impl)$"), None),
    (ACTIVATION, re.compile(r"^forward$"), None),
    (INPUT, re.compile(r""), re.compile(r"torch[/\\]utils[/\\]data[/\\]")),
    (INPUT, re.compile(r"^(?:to_device|move_to_device|send_to_device|batch_to_device|prefetch|preload)$"), None),
)
#: What a program may call them.
_SAID = {
    "parameter": PARAMETER,
    "parameters": PARAMETER,
    "weight": PARAMETER,
    "weights": PARAMETER,
    "gradient": GRADIENT,
    "gradients": GRADIENT,
    "optimizer": OPTIMIZER,
    "optimizer_state": OPTIMIZER,
    "activation": ACTIVATION,
    "activations": ACTIVATION,
    "input": INPUT,
    "inputs": INPUT,
    "temporary": TEMPORARY,
    "autograd_detail": TEMPORARY,
}


def of_frame(text: str) -> int:
    """What a `HEAP_FRAME` says, -1 for nothing."""
    name, _, rest = text.partition("\t")
    file = rest.partition("\t")[0]
    for category, names, files in _PLACES:
        if names.search(name) and (files is None or files.search(file)):
            return category
    return -1


def of_kinds(capture: Capture) -> I64:
    """What the stack of each kind says, `OTHER` for nothing."""
    stats, kinds = capture.stats, capture.kinds
    found = np.full(len(kinds), OTHER, np.int64)
    key = capture.strings.find(HEAP_FRAME)
    if key < 0 or not len(kinds):
        return found
    # Kinds' stats lie before all others, kind after kind.
    end = int(kinds.stats_end.max())
    ids = np.where(stats.key[:end] == key, stats.value[:end], 0)
    used, at = np.unique(ids, return_inverse=True)
    said = np.array([of_frame(capture.strings[i]) if i else -1 for i in used.tolist()], np.int64)[at.reshape(-1)]
    # Outermost first: the last that says something counts.
    place = np.where(said >= 0, np.arange(end), -1)
    filled = np.flatnonzero(kinds.stats_end > kinds.stats_begin)
    last = np.maximum.reduceat(place, kinds.stats_begin[filled]) if len(filled) else filled
    hit = last >= 0
    found[filled[hit]] = said[last[hit]]
    return found


def of_series(timeline: Timeline, of: Series) -> I64:
    """The category of each event of a memory system; of deallocations that of what they free, `BEFORE` without one."""
    capture, n = timeline.capture, len(of)
    rows, allocates = of.events.row, of.events.is_allocation
    kind = capture.events.kind[rows]
    base = of_kinds(capture)
    stack = np.where(kind >= 0, base[np.maximum(kind, 0)] if len(base) else OTHER, OTHER)
    category = np.where(allocates, _by_life(stack, of), BEFORE)
    said = _said(timeline, rows)
    category = np.where(allocates & (said >= 0), said, category)
    freed = np.flatnonzero(of.freed >= 0)
    category[freed] = category[of.freed[freed]]
    assert len(category) == n
    return category


def _by_life(stack: I64, of: Series) -> I64:
    """What an allocation is by what its stack says and which pass comes while it lives."""
    allocates = of.events.is_allocation
    found = stack.copy()
    for what, ends in (
        (ACTIVATION, (GRADIENT,)),
        (GRADIENT, (OPTIMIZER, ACTIVATION, INPUT)),
        (OPTIMIZER, (ACTIVATION, INPUT, GRADIENT)),
    ):
        mine = np.flatnonzero(allocates & (stack == what))
        passes = np.flatnonzero(allocates & among(stack, ends))
        until = _next(passes, mine, len(stack))
        if what == GRADIENT and len(mine):
            # Those of SGD are freed before anything else is allocated: its last allocation ends the backward pass.
            until = np.where(until > 0, mine[np.searchsorted(mine, until) - 1] + 1, mine[-1] + 1)
        # What nothing follows, and is there at the end, may still be what its stack says.
        found[mine[of.end[mine] < until]] = TEMPORARY
    return found


def _next(passes: I64, mine: I64, end: int) -> I64:
    """The first event of another pass after each of some events; without one the end for what is in use there."""
    if not len(passes):
        return np.zeros(len(mine), np.int64)
    follows = np.searchsorted(passes, mine, side="right")
    return np.where(follows < len(passes), passes[np.minimum(follows, len(passes) - 1)], end)


def _said(timeline: Timeline, rows: I64) -> I64:
    """What the program called each allocation, -1 for nothing that is known."""
    found = np.full(len(rows), -1, np.int64)
    for key in ("user_metadata", "region_type"):
        value, kind = timeline.stat_of(key, rows)
        ids = np.where(kind == 4, value, 0)
        used, at = np.unique(ids, return_inverse=True)
        known = [_SAID.get(timeline.capture.strings[i].lower(), -1) for i in used.tolist()]
        said = np.array(known, np.int64)[at.reshape(-1)]
        found = np.where(said >= 0, said, found)
    return found
