"""Hosts and workers of a run: environment, damage, and who holds the others up."""

from .environment import environment
from .losses import Loss, loss
from .straggler import Straggler, straggler
from .top_slice import TopSlice, top_slice
from .workers import COMPARED_BY, Pod, Worker, device_names, pod

__all__ = [
    "COMPARED_BY",
    "Loss",
    "Pod",
    "Straggler",
    "TopSlice",
    "Worker",
    "device_names",
    "environment",
    "loss",
    "pod",
    "straggler",
    "top_slice",
]
