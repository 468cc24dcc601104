"""GPU kernels, copies and CUDA graphs: their times, launches and rates."""

from .copies import NO_BYTES, NO_SIZE, copy_kinds
from .graphs import GraphRow, graph_of_launches
from .groups import F64, group, pooled
from .host import OCTAVES, HostKernels, KernelDevice, host_kernels, nothing, octaves
from .keys import FLAGS, copy_key, copy_rate, joined, kernel_key, place_of, ratio
from .launches import Spread, percentile
from .merged import Merged, merge, size
from .names import short, shown
from .rows import UNKNOWN
from .work import COPY, COPY_DETAILS, GRAPH, KERNEL, KERNEL_DETAILS, Work, gpu_work, whole

__all__ = [
    "COPY",
    "COPY_DETAILS",
    "F64",
    "FLAGS",
    "GRAPH",
    "KERNEL",
    "KERNEL_DETAILS",
    "NO_BYTES",
    "NO_SIZE",
    "OCTAVES",
    "UNKNOWN",
    "GraphRow",
    "HostKernels",
    "KernelDevice",
    "Merged",
    "Spread",
    "Work",
    "copy_key",
    "copy_kinds",
    "copy_rate",
    "gpu_work",
    "graph_of_launches",
    "group",
    "host_kernels",
    "joined",
    "kernel_key",
    "merge",
    "nothing",
    "octaves",
    "percentile",
    "place_of",
    "pooled",
    "ratio",
    "short",
    "shown",
    "size",
    "whole",
]
