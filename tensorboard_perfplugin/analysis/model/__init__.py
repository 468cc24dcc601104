"""What calls and op names show of how a model is written: attention, optimizers, activations, shapes of operands."""

from .einsums import attention_ops
from .optimizer import OptimizerSteps
from .shapes import dims_of, has_shapes, sizes_of, strides_of
from .work import ModelWork, model_work

__all__ = [
    "ModelWork",
    "OptimizerSteps",
    "attention_ops",
    "dims_of",
    "has_shapes",
    "model_work",
    "sizes_of",
    "strides_of",
]
