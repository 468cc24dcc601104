"""GPU kernels, copies and CUDA graphs: their times, launches and rates."""

from ..model import OptimizerSteps
from .chosen import chosen_kernels
from .configuration import LaunchConfiguration, configurations
from .copies import bus_gb_s, copy_kinds
from .families import REMATERIALIZED, attention_of_ops, in_doubles, rematerialized_ps
from .graphs import GraphRow, graph_of_launches
from .groups import F64, group, pooled
from .host import OCTAVES, SHORT_KERNEL, HostKernels, KernelDevice, host_kernels, octaves
from .keys import FLAGS, copy_key, copy_rate, joined, kernel_key, place_of, ratio
from .launches import Spread, percentile
from .layouts import layout_conversions
from .merged import Merged, merge
from .names import short
from .rows import UNKNOWN
from .totals import (
    Copy,
    Kernel,
    KernelTotals,
    exposed_copy_ps,
    gpu_ps,
    heaviest,
    kernel_totals,
    largest_copies,
    largest_name,
    missed_tensor_cores,
    uses_graphs,
    whole_graphs,
)
from .unaligned import unaligned
from .unavailable import unavailable_reason
from .work import COPY, COPY_DETAILS, GRAPH, KERNEL, Work, gpu_work, whole

__all__ = [
    "COPY",
    "COPY_DETAILS",
    "F64",
    "FLAGS",
    "GRAPH",
    "KERNEL",
    "OCTAVES",
    "REMATERIALIZED",
    "SHORT_KERNEL",
    "UNKNOWN",
    "Copy",
    "GraphRow",
    "HostKernels",
    "Kernel",
    "KernelDevice",
    "KernelTotals",
    "LaunchConfiguration",
    "Merged",
    "OptimizerSteps",
    "Spread",
    "Work",
    "attention_of_ops",
    "bus_gb_s",
    "chosen_kernels",
    "configurations",
    "copy_key",
    "copy_kinds",
    "copy_rate",
    "exposed_copy_ps",
    "gpu_ps",
    "gpu_work",
    "graph_of_launches",
    "group",
    "heaviest",
    "host_kernels",
    "in_doubles",
    "joined",
    "kernel_key",
    "kernel_totals",
    "largest_copies",
    "largest_name",
    "layout_conversions",
    "merge",
    "missed_tensor_cores",
    "octaves",
    "percentile",
    "place_of",
    "pooled",
    "ratio",
    "rematerialized_ps",
    "short",
    "unaligned",
    "unavailable_reason",
    "uses_graphs",
    "whole",
    "whole_graphs",
]
