"""Stacks of frames as they follow one another in a thread → slices: a frame, its begin and its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

#: Deeper frames belong to the last one kept.
MAX_DEPTH = 1000


class Slices:
    """made: frame, begin and end. lost: how many slices were more than are kept.

    deeper: how many stacks were, or frames opened, too deep.
    """

    def __init__(self, frames: int, most: int) -> None:
        self._frames, self._most = frames, most
        self._open: list[tuple[int, int]] = []
        self._opened: Counter[int] = Counter()
        self.made: list[tuple[int, int, int]] = []
        self.lost = self.deeper = 0
        # Of frames that opened too deep, whose ends are no others'.
        self._deep: list[int] = []

    def sample(self, stack: Sequence[Any], at: int) -> bool:
        """The stack is this from now on, the outermost frame first. False, and nothing done, of an unknown frame."""
        if not all(type(frame) is int and 0 <= frame < self._frames for frame in stack):
            return False
        same, opened = 0, self._open
        self.deeper += len(stack) > MAX_DEPTH
        stack = stack[:MAX_DEPTH]
        most = min(len(stack), len(opened))
        while same < most and opened[same][0] == stack[same]:
            same += 1
        self._down_to(same, at)
        self._open += [(frame, at) for frame in stack[same:]]
        self._opened.update(stack[same:])
        return True

    def event(self, kind: Any, frame: Any, at: int) -> bool:
        """A frame opens (`O`) or closes (`C`), with all in it. False, and nothing done, where it cannot."""
        if type(frame) is not int or not 0 <= frame < self._frames or kind not in ("O", "C"):
            return False
        if kind == "O":
            if len(self._open) >= MAX_DEPTH:
                self._deep.append(frame)
                self.deeper += 1
                return True
            self._open.append((frame, at))
            self._opened[frame] += 1
            return True
        if self._deep and self._deep[-1] == frame:
            self._deep.pop()
            return True
        if not self._opened[frame]:
            return False
        self._deep.clear()
        place = len(self._open) - 1
        while self._open[place][0] != frame:
            place -= 1
        self._down_to(place, at)
        return True

    def close(self, at: int) -> None:
        self._down_to(0, at)

    def _down_to(self, depth: int, at: int) -> None:
        while len(self._open) > depth:
            frame, begin = self._open.pop()
            self._opened[frame] -= 1
            if len(self.made) < self._most:
                self.made.append((frame, begin, at))
            else:
                self.lost += 1
