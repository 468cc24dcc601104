"""Updates of weights → steps: by PyTorch's optimizers, or by the ops that TensorFlow runs one by one."""

from .eager import eager_ops, eager_updates
from .optimizers import optimizer_steps

__all__ = ["eager_ops", "eager_updates", "optimizer_steps"]
