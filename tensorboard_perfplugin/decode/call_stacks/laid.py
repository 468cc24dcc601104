"""Stacks and how long they lasted, thread by thread → slices: a frame lasts as long as it stays at its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from ...formats import Format
from ...messages import Message, message
from ...tables import Capture, PlaneKind, TrackKind
from ..common.build import Builder
from ..common.places import Value
from ..common.source import Source
from ..speedscope.reader import MAX_SLICES
from ..speedscope.stacks import Slices

#: 100 days.
MOST_PS = 86_400 * 100 * 10**12
#: What is kept of a file, since each takes memory as an object: distinct frames, samples of different stacks, frames
#: of all distinct stacks, and characters of a name. A thread is a track.
MAX_FRAMES, MAX_SAMPLES, MAX_IN_STACKS, MAX_NAME, MAX_TRACKS = 1 << 18, MAX_SLICES, 1 << 22, 1000, 1000
_OTHERS = "(others)"


class Sample(NamedTuple):
    """The outermost frame first, as numbers that `Laid.frame` gives. Times are ps."""

    stack: tuple[int, ...]
    begin: int
    length: int


class Laid:
    """count: how many slices there are. warnings, dropped: what the reader of a form has to say."""

    def __init__(self, source: Source) -> None:
        self.source, self.builder = source, Builder()
        self.warnings: list[Message] = []
        self.dropped: Counter[str] = Counter()
        self.attributes: dict[str, Value] = {}
        self.start_ns: int | None = None
        self.count = self.samples = self._tracks = self._in_stacks = 0
        self.frames: dict[str, int] = {}
        self.stacks: dict[tuple[int, ...], tuple[int, ...]] = {}
        self._made: list[tuple[str, list[tuple[int, int, int]]]] = []

    def frame(self, name: str) -> int:
        found = self.frames.get(name[:MAX_NAME])
        if found is None:
            if len(self.frames) >= MAX_FRAMES:
                return self.frames.setdefault(_OTHERS, len(self.frames))
            found = self.frames[name[:MAX_NAME]] = len(self.frames)
        return found

    def stack(self, frames: Iterable[int]) -> tuple[int, ...] | None:
        """The stack, one object whatever number of samples have it; None where there are too many."""
        made = tuple(frames)
        found = self.stacks.get(made)
        if found is None:
            self._in_stacks += len(made) + 4
            if self._in_stacks > MAX_IN_STACKS:
                return None
            found = self.stacks[made] = made
        return found

    def thread(self, title: str, samples: Iterable[Sample]) -> None:
        """A track; samples are in the order of time."""
        if self._tracks >= MAX_TRACKS:
            self.dropped["beyond_tracks"] += 1
            return
        self._tracks += 1
        slices = Slices(len(self.frames), MAX_SLICES - self.count)
        last = 0
        for stack, begin, length in samples:
            if begin + length > MOST_PS:
                self.dropped["impossible_time"] += 1
                continue
            if begin > last:
                slices.close(last)
            slices.sample(stack, begin)
            last = begin + length
            self.samples += 1
        slices.close(last)
        # Inner frames end first; of one begin and end the outer comes first.
        self.slices(title, slices.made[::-1])
        self.dropped["beyond_slices"] += slices.lost
        self.dropped["deeper_frame"] += slices.deeper

    def slices(self, title: str, made: list[tuple[int, int, int]]) -> None:
        """A track of what is laid out: frame, begin and end."""
        self._made.append((title, made))
        self.count += len(made)

    def capture(self, format: Format) -> Capture:
        plane = self.builder.plane("Call stacks", PlaneKind.PYTHON, stats=self.attributes)
        names = list(self.frames)
        for i, (title, made) in enumerate(self._made):
            track = self.builder.track(plane, i, title, TrackKind.THREAD)
            for frame, begin, end in made:
                track.event(names[frame], begin, end - begin)
        warnings = (*self.source.warnings, *self.warnings)
        if self.samples:
            warnings = (*warnings, message("samples_shown", n=self.samples, slices=self.count))
        return self.builder.capture(format, "", self.start_ns, warnings, self.dropped)


def text_of(line: bytes) -> str:
    return line.decode("utf-8", "replace").strip()
