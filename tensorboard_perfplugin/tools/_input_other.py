"""A timeline → the input work that is no tf.data: marked stages, ops, PyTorch's loader, Python's iterators."""

from __future__ import annotations

from typing import NamedTuple

from ..timeline import Timeline
from ._input_bottleneck import Stage
from ._input_frames import Frames


class Others(NamedTuple):
    """stages, and the longest calls and what feeds the program, as in `InputStages`."""

    stages: tuple[Stage, ...]
    longest: tuple[tuple[int, int, int], ...]
    feeds: str


def other_stages(timeline: Timeline, found: Frames | None) -> Others:
    return Others((), (), "")
