"""Hosts and workers of a run: environment, damage, and who holds the others up."""

from .clusters import APART, FEWEST, LEAST_UNIT, Cluster, clusters, of_worker
from .environment import environment
from .facts import PodFacts
from .losses import Loss, loss
from .skew import (
    are_copies,
    lag_ps,
    longest_steps,
    lost_ps,
    mean_over_steps,
    same_captures,
    skew_ps,
    slower_than_most,
    step_ps,
    times_slowest,
    wait_ps,
)
from .start import DriverStart, driver_start
from .straggler import Straggler, straggler
from .top_slice import TopSlice, top_slice
from .turns import Turns, turns
from .workers import Basis, Pod, Worker, device_names, pod

__all__ = [
    "APART",
    "FEWEST",
    "LEAST_UNIT",
    "Basis",
    "Cluster",
    "DriverStart",
    "Loss",
    "Pod",
    "PodFacts",
    "Straggler",
    "TopSlice",
    "Turns",
    "Worker",
    "are_copies",
    "clusters",
    "device_names",
    "driver_start",
    "environment",
    "lag_ps",
    "longest_steps",
    "loss",
    "lost_ps",
    "mean_over_steps",
    "of_worker",
    "pod",
    "same_captures",
    "skew_ps",
    "slower_than_most",
    "step_ps",
    "straggler",
    "times_slowest",
    "top_slice",
    "turns",
    "wait_ps",
]
