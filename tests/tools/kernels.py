"""Captures of GPU kernels in a few lines, and the answer to them."""

from __future__ import annotations

import pickle
from typing import Any

from tensorboard_perfplugin.tables import Quality
from tensorboard_perfplugin.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.kernel_stats import KERNEL_STATS
from tests.build_capture import Line, Plane, Space, StatValue

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
    chosen = KERNEL_STATS.parse(options)
    partials = [pickle.loads(pickle.dumps(KERNEL_STATS.per_host(t, chosen))) for t in timelines]
    quality = sum((t.capture.quality for t in timelines), Quality())
    hosts = tuple(t.host for t in timelines)
    answer = Answer(KERNEL_STATS, "run", hosts, KERNEL_STATS.combine(partials, chosen), quality, "any")
    answer.check()
    return answer


def rows(answer: Answer, table: str, *columns: str) -> list[tuple[Any, ...]]:
    cells = answer.to_dict()["tables"][table]["columns"]
    picked = zip(*(cells[c] for c in columns or cells), strict=True)
    return [tuple(round(c, 6) if isinstance(c, float) else c for c in row) for row in picked]


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
