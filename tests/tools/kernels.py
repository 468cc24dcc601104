"""Captures of GPU kernels in a few lines, and the answer to them."""

from __future__ import annotations

from typing import Any

from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.kernel_stats import KERNEL_STATS
from tests.build_capture import Line, Plane, Space, StatValue
from tests.tools.answered import answered, rows_of

NS = 1000
US = 1000 * NS
V100: dict[str, StatValue] = {"device_vendor": "Nvidia", "core_count": 80, "compute_cap_major": 7}
A100: dict[str, StatValue] = {"device_vendor": "Nvidia", "core_count": 108, "compute_cap_major": 8}
MI300: dict[str, StatValue] = {
    "device_vendor": "AMD",
    "core_count": 304,
    "compute_cap_major": 9,
    "compute_cap_minor": 4,
}
DETAILS = "regs:32 static_shared:1024 dynamic_shared:512 grid:160,1,1 block:256,1,1 occ_pct:50"


def ask(*timelines: Timeline, **options: str) -> Answer:
    return answered(KERNEL_STATS, *timelines, **options)


def rows(answer: Answer, table: str, *columns: str) -> list[tuple[Any, ...]]:
    return rows_of(answer, table, *columns, digits=6)


def record(answer: Answer, table: str, row: int = 0) -> dict[str, Any]:
    """A whole row, by column."""
    cells = answer.to_dict()["tables"][table]["columns"]
    return {k: round(v[row], 6) if isinstance(v[row], float) else v[row] for k, v in cells.items()}


def gpu(space: Space, stats: dict[str, StatValue] = V100, ordinal: int = 0) -> Plane:
    return space.plane(f"/device:GPU:{ordinal}", stats=stats)


def kernel(line: Line, name: str, begin: int, end: int, **stats: StatValue) -> None:
    """From begin to end in ns; with details unless others are given."""
    line.event(name, begin * NS, (end - begin) * NS, stats={"kernel_details": DETAILS, **stats})


def kernels_of(*names: str, stats: dict[str, StatValue] = V100, **more: StatValue) -> Space:
    """Each runs 1 µs, one after another."""
    space = Space()
    line = gpu(space, stats).line(7, "Stream #7(Compute)")
    for i, name in enumerate(names):
        kernel(line, name, i * 1000, (i + 1) * 1000, **more)
    return space
