"""A timeline → what its kernels show of how a PyTorch model is written: attention, optimizers, activations."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from ...timeline import Timeline
from .attention import Attention, attention
from .optimizer import OptimizerSteps, optimizer_steps
from .recomputed import Recomputed, recomputed


@dataclasses.dataclass(frozen=True)
class ModelWork:
    """Of one host."""

    attention: Attention = dataclasses.field(default_factory=Attention)
    optimizers: Sequence[OptimizerSteps] = ()
    recomputed: Recomputed = dataclasses.field(default_factory=Recomputed)


def model_work(timeline: Timeline) -> ModelWork:
    """Nothing of captures without PyTorch's operators."""
    if not timeline.capture.capabilities.has_operators:
        return ModelWork()
    return ModelWork(attention(timeline), optimizer_steps(timeline), recomputed(timeline))
