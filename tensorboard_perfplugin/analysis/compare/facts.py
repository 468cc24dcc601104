"""A timeline → what it states that numbers depend on: models of devices, sizes of batches, what a profiler recorded."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

import numpy as np

from ...tables import PlaneKind, StatKind
from ...timeline import Timeline, device_planes
from ..devices import device
from ..input import Stage

#: What PyTorch's profiler was asked to record.
_OPTIONS = ("record_shapes", "profile_memory", "with_stack", "with_flops", "with_modules")
#: Operators whose first input has the batch as its first dimension.
_LAYERS = ("aten::linear", "aten::conv1d", "aten::conv2d", "aten::conv3d")
_FIRST = re.compile(r"\s*\[\s*\[\s*(\d{1,12})\s*[,\]]")
#: Distinct shapes that are looked at, the most frequent; letters of one.
_MAX_SHAPES, _MAX_TEXT = 4096, 400


def facts(timeline: Timeline, stages: Iterable[Stage]) -> dict[str, str]:
    """Name → value, of each that the capture states."""
    found = {
        "device_models": ", ".join(sorted(_models(timeline))),
        "batch_size": ", ".join(sorted(_batch_sizes(stages))),
        "first_dimension": _first_dimension(timeline),
    }
    return {name: value for name, value in (found | _options(timeline)).items() if value}


def _models(timeline: Timeline) -> set[str]:
    capture = timeline.capture
    given = [(PlaneKind(capture.planes.kind[i]), capture.plane_values(i)) for i in device_planes(capture)]
    return {model for kind, values in given if (model := device(kind, values).model)}


def _batch_sizes(stages: Iterable[Stage]) -> set[str]:
    """As tf.data's stages have it."""
    return {size for stage in stages if (size := stage.settings.get("batch_size", ""))}


def _first_dimension(timeline: Timeline) -> str:
    """Of the first input of most layers that PyTorch ran."""
    capture = timeline.capture
    wanted = [i for name in _LAYERS if (i := capture.strings.find(name)) >= 0]
    if not wanted or not timeline.has_stat("Input Dims"):
        return ""
    rows = np.flatnonzero(np.isin(capture.events.name, wanted))
    value, kind = timeline.stat_of("Input Dims", rows)
    ids, times = np.unique(value[kind == StatKind.TEXT], return_counts=True)
    seen: Counter[int] = Counter()
    for i in np.argsort(-times, kind="stable")[:_MAX_SHAPES].tolist():
        if first := _FIRST.match(capture.strings[int(ids[i])][:_MAX_TEXT]):
            seen[int(first[1])] += int(times[i])
    return str(max(seen, key=lambda size: (seen[size], size))) if seen else ""


def _options(timeline: Timeline) -> dict[str, str]:
    capture = timeline.capture
    found: dict[str, str] = {}
    for plane in np.flatnonzero(capture.planes.kind == PlaneKind.CPU).tolist():
        values = capture.plane_values(plane)
        found |= {key: str(values[key]) for key in _OPTIONS if isinstance(values.get(key), (int, str))}
    return found
