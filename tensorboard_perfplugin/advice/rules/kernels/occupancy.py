"""Heavy kernels → those that fill their device badly.

Those for tensor cores are made to need few threads, and those that exchange data between devices few blocks.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from ....analysis.kernels.merged import Kernel, Merged, heaviest, kernel_key
from ....messages import Param, Params
from ....tables import row_text
from ....threshold import CHOSEN, Threshold
from ....timeline.split.device import category_of_kernel
from ....timeline.timeline import INDEX
from ...finding import Finding
from ..listed import KERNELS

HEAVY = Threshold(
    "a heavy kernel",
    0.05,
    "share",
    "of the kernel time; a faster kernel of less is lost in the differences between captures",
    "chosen on the captures of the tests and public ones",
)
FILLS = Threshold(
    "a grid that fills its device",
    0.75,
    "share",
    "of the multiprocessors that have a block; the rest gains less than captures of one program differ",
    CHOSEN,
)
LOW = Threshold(
    "low occupancy",
    0.25,
    "share",
    "of the threads that a multiprocessor can hold; with fewer it hides little of its memory's latency",
    "chosen on the captures of the tests; products on tensor cores, which run well with less, are left out",
)


def badly_filled(merged: Merged) -> Iterator[Finding]:
    """That a kernel's grid, or its occupancy, leaves much of the device idle; of each name the heaviest."""
    named: dict[tuple[str, str], Finding] = {}
    for kernel in heaviest(merged, HEAVY.value):
        finding = _badly_filled(merged, kernel)
        if finding is not None:
            named.setdefault((finding.code, kernel.short), finding)
    yield from list(named.values())[:KERNELS]


def _badly_filled(merged: Merged, kernel: Kernel) -> Finding | None:
    if category_of_kernel(kernel.name) == INDEX["collective"]:
        return None
    multiprocessors = kernel.device.multiprocessors or 0
    if kernel.blocks is not None and kernel.blocks < FILLS.value * multiprocessors:
        params: dict[str, Param] = {
            "idle": multiprocessors - kernel.blocks,
            "multiprocessors": multiprocessors,
            "blocks": kernel.blocks,
            "waves": kernel.waves,
        }
        return _of_kernel(merged, kernel, "grid_too_small", params)
    if math.isnan(kernel.occupancy) or kernel.occupancy >= LOW.value or kernel.uses_tensor_cores:
        return None
    params = {
        "occupancy": kernel.occupancy,
        "registers": kernel.launch.registers or None,
        "shared": kernel.launch.shared or None,
    }
    return _of_kernel(merged, kernel, "occupancy_low", params)


def _of_kernel(merged: Merged, kernel: Kernel, code: str, params: Params) -> Finding:
    return Finding(
        code=code,
        params={"kernel": kernel.short, "share": kernel.share, **params},
        severity="note",
        share=kernel.share,
        tool="trace_viewer",
        search=row_text("kernel_stats.kernels.total_us", **kernel_key(merged, kernel.row)),
        match="row",
    )
