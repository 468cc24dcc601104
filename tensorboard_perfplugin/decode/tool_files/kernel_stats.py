"""The bytes of a `KernelStatsDb` (kernel_stats.proto), as TensorFlow 2.2 to 2.4 wrote it → sums of kernels."""

from __future__ import annotations

from ...messages import message
from ...wire import DamagedError
from ..common.launches import Launch, sound
from .report import MOST_OPS, KernelSum, Message, Report

#: Longer than any kernel's time, and short enough in ps.
_MOST_NS = 1 << 51
_MOST_RUNS = 1 << 40
_OCCUPANCY = 14


def kernel_stats(data: memoryview, report: Report) -> None:
    """Field numbers as in kernel_stats.proto."""
    for kernel in Message(data, 0, len(data), report).all(1):
        if len(report.kernels) >= MOST_OPS:
            report.warn(message("kernels_limit", limit=MOST_OPS))
            return
        try:
            report.kernels.append(_kernel(kernel))
        except DamagedError as error:
            report.warn(message("wire_damaged_part", at=error.args[0]))


def _kernel(kernel: Message) -> KernelSum:
    total, least, most = (min(kernel.whole(field), _MOST_NS) for field in (7, 8, 9))
    return KernelSum(
        kernel.text(1),
        kernel.text(12),
        min(kernel.whole(13), _MOST_RUNS),
        total,
        least,
        most,
        _details(kernel),
        _launch(kernel),
        bool(kernel.whole(10)),
        bool(kernel.whole(11)),
    )


def _details(kernel: Message) -> str:
    """As profilers write it, as far as it is given: files of 2021 hold neither sizes nor shapes, or only ones."""
    shapes = [(name, kernel.numbers(field)) for name, field in (("grid", 6), ("block", 5))]
    parts = [f"{name}:{x},{y},{z}" for name, shape in shapes if shape for x, y, z in [[*shape, 1, 1][:3]]]
    sized = any(kernel.whole(field) for _, field in _SIZES)
    if not sized and set().union(*(shape for _, shape in shapes)) <= {1}:
        parts = []
    elif parts or sized:
        parts = [f"{name}:{kernel.whole(field)}" for name, field in _SIZES] + parts
    if _OCCUPANCY in kernel.by_number:
        parts.append(f"occ_pct:{kernel.small(_OCCUPANCY):g}")
    return " ".join(parts)


def _launch(kernel: Message) -> Launch:
    """As far as it is given."""
    block, grid = (kernel.numbers(field) for field in (5, 6))
    is_known = any(kernel.whole(field) for _, field in _SIZES) or not set(block) | set(grid) <= {1}
    launch = Launch(
        occupancy_percent=float(f"{kernel.small(_OCCUPANCY):g}") if _OCCUPANCY in kernel.by_number else None
    )
    if is_known:
        registers, static, dynamic = (kernel.whole(field) for _, field in _SIZES)
        launch = Launch(registers, static, dynamic, None, _three(grid), _three(block), launch.occupancy_percent)
    return sound(launch)


def _three(shape: list[int]) -> tuple[int, int, int] | None:
    x, y, z = [*shape, 1, 1, 1][:3]
    return (x, y, z) if shape else None


_SIZES = (("regs", 2), ("static_shared", 3), ("dynamic_shared", 4))
