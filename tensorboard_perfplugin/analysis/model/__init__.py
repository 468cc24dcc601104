"""What calls and op names show of how a model is written: attention, optimizers, activations, shapes of operands."""

from .anomaly import NO_ANOMALY, Anomaly, anomaly
from .einsums import attention_ops
from .optimizer import OptimizerSteps
from .scopes import attention_in_scopes
from .shapes import dims_of, has_shapes, sizes_of, strides_of
from .work import ModelWork, model_work

__all__ = [
    "NO_ANOMALY",
    "Anomaly",
    "ModelWork",
    "OptimizerSteps",
    "anomaly",
    "attention_in_scopes",
    "attention_ops",
    "dims_of",
    "has_shapes",
    "model_work",
    "sizes_of",
    "strides_of",
]
