"""Files of speedscope, as py-spy, pyinstrument and austin's converter write them: call stacks over time → `Capture`."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from .. import units
from ..errors import UnreadableError
from ..formats import Format
from ..messages import message
from ..tables import Capture, PlaneKind, TrackKind
from .common.build import Builder, TrackRows, Value
from .common.source import Source

# Stacks of frames as they follow one another in a thread → slices: a frame, its begin and its end.

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


# A file of speedscope (https://www.speedscope.app/file-format-schema.json) → `Capture`, a thread a profile.
#
# Read are profiles of samples (a stack and a weight each) and of events (frames that open and close), of units of
# time.
# Frames are slices: of samples each lasts as long as it stays at its place in the stack, from sample to sample. Where
# the
# weights are the numbers of samples (`none`), or bytes, there is no time to show and the profile is left out.

#: As objects of Python a file takes some eight times as much.
MAX_BYTES = 32 << 20
#: Slices of a file, and profiles: py-spy writes one a thread.
MAX_SLICES, MAX_PROFILES = 300_000, 1000
_PS = {"seconds": 10**12, "milliseconds": 10**9, "microseconds": 10**6, "nanoseconds": 1000}
#: Bytes that each of them takes as an object of Python; of all there may be 8 times the file, and some.
_HELD = {b"[": 60, b"{": 240, b",": 8}
_ROOM = 128 << 20
#: 100 days.
_MOST_PS = 86_400 * 100 * 10**12


def read(source: Source, decoder: str | None = None) -> Capture:
    """Decode. Raises UnreadableError where it is no JSON, or no profile of it has times."""
    if len(source.data) > MAX_BYTES:
        raise UnreadableError(
            f"{source.path} has {units.size(len(source.data))}; files of speedscope are read up to "
            f"{units.size(MAX_BYTES)}. Record a shorter time, or sample less often (py-spy record --rate 20)."
        )
    content = _parsed(source)
    reading = _Reading(content, source)
    for profile in _list(content.get("profiles"))[:MAX_PROFILES]:
        reading.profile(profile)
    return reading.capture()


def _parsed(source: Source) -> dict[str, Any]:
    data = bytes(source.data)
    if sum(data.count(mark) * size for mark, size in _HELD.items()) > 8 * len(data) + _ROOM:
        raise UnreadableError(
            f"{source.path or 'The data'} has more lists and objects than a file of speedscope holds."
        )
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        raise source.unreadable() from None
    if not isinstance(content, dict) or not isinstance(content.get("profiles"), list):
        raise source.unreadable()
    return content


class _Reading:
    def __init__(self, content: dict[str, Any], source: Source) -> None:
        shared = content.get("shared")
        frames = _list(shared.get("frames")) if isinstance(shared, dict) else []
        self.names = [_name(frame) for frame in frames]
        self.stats = [_stats(frame) for frame in frames]
        self.builder, self.source = Builder(), source
        exporter = content.get("exporter")
        attributes: dict[str, Value] = {"exporter": _sound(exporter)} if isinstance(exporter, str) else {}
        self.plane = self.builder.plane("Call stacks", PlaneKind.PYTHON, stats=attributes)
        self.dropped: Counter[str] = Counter()
        self.samples = self.slices = self.tracks = 0

    def profile(self, profile: Any) -> None:
        unit = _PS.get(str(profile.get("unit"))) if isinstance(profile, dict) else None
        if unit is None:
            self.dropped["profile_without_time"] += 1
            return
        name = profile.get("name")
        title = _sound(name) if isinstance(name, str) and name else f"profile {self.tracks + 1}"
        track = self.builder.track(self.plane, self.tracks, title, TrackKind.THREAD)
        self.tracks += 1
        slices = Slices(len(self.names), MAX_SLICES - self.slices)
        if profile.get("type") == "sampled":
            self._sampled(profile, unit, slices)
        else:
            self._evented(profile, unit, slices)
        self._add(track, slices)

    def _sampled(self, profile: dict[str, Any], unit: int, slices: Slices) -> None:
        samples, weights = _list(profile.get("samples")), _list(profile.get("weights"))
        self.samples += len(samples)
        if len(weights) < len(samples):
            self.dropped["sample_without_time"] += len(samples) - len(weights)
        at = 0
        for stack, weight in zip(samples, weights, strict=False):
            length = _time(weight, unit)
            if length is None or length < 0 or at + length > _MOST_PS:
                self.dropped["impossible_time"] += 1
            elif not isinstance(stack, list) or not slices.sample(stack, at):
                self.dropped["unknown_stack"] += 1
                slices.close(at)
                at += length
            else:
                at += length
        slices.close(at)

    def _evented(self, profile: dict[str, Any], unit: int, slices: Slices) -> None:
        begin = _time(profile.get("startValue"), unit) or 0
        last = 0
        for event in _list(profile.get("events")):
            at = _time(event.get("at"), unit) if isinstance(event, dict) else None
            if at is None or not last <= at - begin <= _MOST_PS:
                self.dropped["impossible_time"] += 1
                continue
            last = at - begin
            if not slices.event(event.get("type"), event.get("frame"), last):
                self.dropped["end_without_begin"] += 1
        slices.close(last)

    def _add(self, track: TrackRows, slices: Slices) -> None:
        # Inner frames end first; of one begin and end the outer comes first.
        for frame, begin, end in reversed(slices.made):
            track.event(self.names[frame], begin, end - begin, self.stats[frame])
        self.slices += len(slices.made)
        self.dropped["beyond_slices"] += slices.lost
        self.dropped["deeper_frame"] += slices.deeper

    def capture(self) -> Capture:
        if not self.slices and not self.tracks:
            raise UnreadableError(
                f"{self.source.path or 'The data'} is a file of speedscope without a profile of time: its weights are "
                "numbers or bytes. Only stacks over time are read; speedscope shows others."
            )
        warnings = [*self.source.warnings]
        if self.samples:
            warnings.append(message("samples_shown", n=self.samples, slices=self.slices))
        return self.builder.capture(Format.SPEEDSCOPE, "", None, tuple(warnings), self.dropped)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _time(value: Any, unit: int) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _MOST_PS:
        return None
    return round(value * unit) if math.isfinite(value) else None


def _name(frame: Any) -> str:
    """`step (train.py:42)`."""
    parts = dict(_texts(frame))
    where = parts.get("file", "").replace("\\", "/").rpartition("/")[2]
    line = frame.get("line") if isinstance(frame, dict) else None
    at = f"{where}:{line}" if isinstance(line, int) and where else where
    name = parts.get("name") or "(unnamed)"
    return name if not at or at in name else f"{name} ({at})"


def _stats(frame: Any) -> dict[str, Value]:
    """Where its code is, whole."""
    found: dict[str, Value] = {key: text for key, text in _texts(frame) if key == "file"}
    line = frame.get("line") if isinstance(frame, dict) else None
    return found | ({"line": line} if isinstance(line, int) and not line >> 31 else {})


def _texts(frame: Any) -> Iterator[tuple[str, str]]:
    if isinstance(frame, dict):
        for key in ("name", "file"):
            if isinstance(frame.get(key), str):
                yield key, _sound(frame[key])


def _sound(text: str) -> str:
    """Halves of characters, as JSON may hold them, are none."""
    return text.encode("utf-8", "replace").decode()
