"""A timeline → the narrowest floats in which its devices are known to multiply matrices several times faster."""

from __future__ import annotations

from ...tables import PlaneKind
from ...timeline import Timeline, units_at_work_of

#: NVIDIA's first compute capabilities with units that multiply float16, and bfloat16 and TF32 as well.
_VOLTA, _AMPERE = 7, 8


def fast_types(timeline: Timeline) -> dict[str, int]:
    """`bfloat16`, `float16` or `wide_only` is 1, by the device that has least; none where one is unknown."""
    names = ("wide_only", "float16", "bfloat16")
    levels = [_level(timeline, unit.plane) for unit in units_at_work_of(timeline)]
    known = [level for level in levels if level is not None]
    return {name: int(known == levels != [] and min(known) == i) for i, name in enumerate(names)}


def _level(timeline: Timeline, plane: int) -> int | None:
    if timeline.capture.planes.kind[plane] == PlaneKind.TPU:
        return 2
    values = timeline.capture.plane_values(plane)
    vendor, major = values.get("device_vendor"), values.get("compute_cap_major")
    if not isinstance(major, int) or vendor not in (None, "", "Nvidia", "NVIDIA", "nvidia"):
        return None
    return (major >= _VOLTA) + (major >= _AMPERE)
