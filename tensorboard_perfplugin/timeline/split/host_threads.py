"""A timeline and its steps → which of a host's threads are the program's own, and which of them mark steps."""

from __future__ import annotations

import re
from functools import cached_property

import numpy as np

from ...tables import among
from ..names.python import python_name
from ..steps.model import Steps
from ..timeline import Timeline
from ..tracks.tracks import host_tracks

_MAIN = re.compile(r"(?:python\d*|main|MainThread|python\d*[-/ ]\d+|main/\d+)", re.IGNORECASE)


class Threads:
    """The threads of a host: the program's own, those that mark steps, and the functions of Python on them."""

    def __init__(self, timeline: Timeline, steps: Steps, with_device: bool) -> None:
        self.timeline, self.steps, self.with_device = timeline, steps, with_device
        capture = timeline.capture
        self.tracks = host_tracks(capture)
        self.begin, self.end = capture.tracks.events_begin, capture.tracks.events_end
        self.names = capture.strings.of(capture.tracks.name)

    @cached_property
    def marked(self) -> dict[int, tuple[int, int]]:
        """The threads that mark steps, and when the first of each begins and the last ends."""
        lanes, which = np.unique(self.steps.lane, return_inverse=True)
        first, last = np.full(len(lanes), np.iinfo(np.int64).max), np.zeros(len(lanes), np.int64)
        np.minimum.at(first, which, self.steps.begin_ps)
        np.maximum.at(last, which, self.steps.until_ps)
        spans = dict(zip(lanes.tolist(), zip(first.tolist(), last.tolist(), strict=True), strict=True))
        return {track: spans[track] for track in self.tracks.tolist() if track in spans}

    @cached_property
    def main(self) -> set[int]:
        """The program's own threads: those that mark steps, else those that are called so."""
        called = {t for t in self.tracks.tolist() if _MAIN.fullmatch(self.names[t])}
        return set(self.marked) | self._of_other_ranks() or called

    def _of_other_ranks(self) -> set[int]:
        """Threads that mark steps which follow those of another: of ranks whose traces are in one file."""
        capture = self.timeline.capture
        if not capture.capabilities.has_operators:
            return set()
        marks = [i for i in capture.names_used.tolist() if capture.strings[i].startswith("ProfilerStep#")]
        return set(np.unique(capture.events.track[among(capture.events.name, marks)]).tolist())

    @cached_property
    def python(self) -> dict[int, str]:
        """String id of the name of each function of Python that PyTorch's tracer wrote → what others call it."""
        if not self.timeline.capture.capabilities.has_operators:
            return {}
        strings, used = self.timeline.capture.strings, self.timeline.capture.names_used.tolist()
        return {i: name for i in used if (name := python_name(strings[i]))}
