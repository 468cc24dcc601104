"""Names of ops → the phase of a training step that they belong to: forward, backward, optimizer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..names.op_names import Op, is_tensorflow

FORWARD, BACKWARD, OPTIMIZER = "forward", "backward", "optimizer"
PHASES = (FORWARD, BACKWARD, OPTIMIZER)
#: JAX names what it differentiates `jvp(…)`, and its backward pass `transpose(jvp(…))`.
_JVP = re.compile(r"(?:\w+\()*jvp\(")
_TRANSPOSED = re.compile(r"(?:\w+\()*transpose\(")
_GRADIENTS = re.compile(r"gradients?(?:_\d+)?|gradient_tape(?:_\d+)?", re.I)
_OPTIMIZERS = re.compile(
    r"(?:\w*_)?(?:adam|adamw|adamax|nadam|sgd|rmsprop|adagrad|adadelta|adafactor|ftrl|lamb|lars)(?:_?optimizer)?(?:_\d+)?"
    r"|\w*optimizer(?:_\d+)?|apply_gradients|apply_updates|optax\b.*",
    re.I,
)
_UPDATES = re.compile(r"(?:Resource)?(?:Sparse)?Apply(?:[A-Z]\w*)")


def phase_of(op: Op, parts: Sequence[str]) -> int:
    """Place in `PHASES` of an op of TensorFlow's or JAX's with these parts of its name; -1 where the name shows none.

    What TensorFlow runs that is neither gradient nor update is forward; of JAX only what it differentiates.
    """
    if _UPDATES.fullmatch(op.type) or any(map(_OPTIMIZERS.fullmatch, parts)):
        return PHASES.index(OPTIMIZER)
    if any(map(_TRANSPOSED.match, parts)) or any(map(_GRADIENTS.fullmatch, parts)):
        return PHASES.index(BACKWARD)
    if any(map(_JVP.match, parts)) or is_tensorflow(op):
        return PHASES.index(FORWARD)
    return -1
