"""The columns that `op_stats` and `overview` give about ops, declared once for both."""

from __future__ import annotations

from ..tables import Column

SIDE = Column("side", "text", "", "`device`: ran on an accelerator; `host`: ran on a CPU thread.")
NAME = Column(
    "name", "text", "", "The op's name in its framework; a kernel's or a copy's own name where no op is known."
)
TYPE = Column("type", "text", "", "What kind of op it is: MatMul, Conv2D, Dataset::Map, MemcpyHToD.")
MODULE = Column("module", "text", "", "The XLA module that the op belongs to; empty outside XLA.")
OCCURRENCES = Column(
    "occurrences",
    "int64",
    "count",
    "Executions of the op. On a GPU: the host executions that launched its kernels, however many each launched; "
    "where launches are not in the capture, the largest count among the op's kernels.",
)
KERNELS = Column("kernels", "int64", "count", "Kernels and copies that the op ran on its device; unknown on a host.")
SELF_SHARE = Column("self_share", "float64", "share", "Self time ÷ the self time of all ops on that side.")
CUMULATIVE_SHARE = Column("cumulative_share", "float64", "share", "Sum of the shares down to this row, on that side.")
EAGER_SHARE = Column(
    "eager_share",
    "float64",
    "share",
    "Part of the self time that ran op by op (TensorFlow's eager mode) rather than inside a compiled function; "
    "unknown where the capture does not tell.",
)
WAIT_SHARE = Column(
    "wait_share",
    "float64",
    "share",
    "Part of the self time in which the op only waited, told by its kind: on a host, iterators that hand over what "
    "other threads prepare; on a TPU, the ends of copies and collectives (`copy-done`), infeed and outfeed. Unknown "
    "on a GPU.",
)
