"""A timeline → the narrowest floats in which its devices are known to multiply matrices several times faster."""

from __future__ import annotations

from ...tables import PlaneKind
from ...timeline import Timeline, units_at_work_of
from ..devices import latest_generation


def fast_types(timeline: Timeline) -> dict[str, int]:
    """`bfloat16`, `float16` or `wide_only` is 1, by the device that has least; none where one is unknown."""
    names = ("wide_only", "float16", "bfloat16")
    levels = [_level(timeline, unit.plane) for unit in units_at_work_of(timeline)]
    known = [level for level in levels if level is not None]
    return {name: int(known == levels != [] and min(known) == i) for i, name in enumerate(names)}


def _level(timeline: Timeline, plane: int) -> int | None:
    if timeline.capture.planes.kind[plane] == PlaneKind.TPU:
        return 2
    about = latest_generation(timeline.capture.plane_values(plane))
    if about is None:
        return None
    return 2 if about.cycle.fast_bf16 else int(about.cycle.fast_fp16)
