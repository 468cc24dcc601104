"""Timelines → a profile of pprof (profile.proto): stacks with calls and own time, a piece at a time.

What a sample needs comes before it: strings, functions and locations are written when they first occur, which the
format allows, so that only their numbers are kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...timeline.timeline import Timeline
from ...wire import number_field, part_field, text_field, varint_bytes
from ..groups import device_name
from .export import Plan
from .stacks import PIECE, Frame, HostStacks, Stacks, stacked_tracks

#: Fields of a profile, of a sample, of a location, of a function, of a mapping.
_TYPE, _SAMPLE, _MAPPING, _LOCATION, _FUNCTION, _STRING = 1, 2, 3, 4, 5, 6
_TIME_NS, _DURATION_NS, _PERIOD_TYPE, _PERIOD, _COMMENT, _DEFAULT_TYPE = 9, 10, 11, 12, 13, 14
_LOCATIONS, _VALUES, _LABEL = 1, 2, 3
#: The only mapping: of a mapping whose functions, files and lines are known pprof looks for no symbols.
_ONLY = 1
_KNOWN = b"".join(number_field(field, 1) for field in (7, 8, 9))


def pprof(plan: Plan, producer: str, timeline_of: Callable[[str], Timeline]) -> Iterator[bytes]:
    """The message in pieces, not compressed. producer: what wrote it."""
    made = _Profile(plan, producer)
    for part in plan.parts:
        timeline = timeline_of(part.host)
        stacks = HostStacks(timeline, part.window, typed=True)
        for track, title in stacked_tracks(timeline, part):
            device = device_name(timeline.capture, int(timeline.capture.tracks.plane[track]))
            labels = {"host": part.host, "track": title} | ({"device": device} if device else {})
            yield from made.samples(stacks.of(track), labels)
        # The next host's timeline may need the memory.
        del timeline, stacks
    yield made.taken()


class _Profile:
    """Use once."""

    def __init__(self, plan: Plan, producer: str) -> None:
        self._strings: dict[str, int] = {}
        self._functions: dict[tuple[str, str], int] = {}
        self._locations: dict[Frame, bytes] = {}
        self._made: list[bytes] = []
        self._size = 0
        self._head(plan, producer)

    def _head(self, plan: Plan, producer: str) -> None:
        self._string("")
        types = [self._type("calls", "count"), self._type("time", "nanoseconds")]
        window = plan.window or plan.span
        # Readers recognise the format by them.
        self._made = [*(part_field(_TYPE, body) for body in types), *self._made]
        self._put(part_field(_MAPPING, number_field(1, _ONLY) + number_field(5, self._string(plan.run)) + _KNOWN))
        if plan.origin_ns is not None:
            self._put(number_field(_TIME_NS, plan.origin_ns + window.start_ps // 1000))
        self._put(number_field(_DURATION_NS, (window.end_ps - window.start_ps) // 1000))
        self._put(part_field(_PERIOD_TYPE, types[1]) + number_field(_PERIOD, 1))
        self._put(number_field(_DEFAULT_TYPE, self._string("time")))
        for comment in (producer, *plan.warnings):
            self._put(number_field(_COMMENT, self._string(comment)))

    def samples(self, stacks: Stacks, labels: dict[str, str]) -> Iterator[bytes]:
        """A sample a stack, in pieces. labels: of all of them."""
        locations = [self._location(frame) for frame in stacks.frames]
        around = {number: self._around(stacks.scopes[number]) for number in set(stacks.scope.tolist())}
        common = b"".join(self._label(key, text) for key, text in labels.items())
        label = {n: common + self._op_type(stacks.types[n]) for n in set(stacks.type.tolist())}
        frame, scope, kind = stacks.frame.tolist(), stacks.scope.tolist(), stacks.type.tolist()
        for path, calls, own_ns in stacks.paths():
            places = b"".join([locations[frame[row]] for row in path]) + around[scope[path[-1]]]
            values = varint_bytes(calls) + varint_bytes(own_ns)
            body = part_field(_LOCATIONS, places) + part_field(_VALUES, values) + label[kind[path[0]]]
            self._put(part_field(_SAMPLE, body))
            if self._size >= PIECE:
                yield self.taken()

    def taken(self) -> bytes:
        """What was made since it was last taken."""
        made, self._made, self._size = b"".join(self._made), [], 0
        return made

    def _put(self, data: bytes) -> None:
        self._made.append(data)
        self._size += len(data)

    def _string(self, text: str) -> int:
        found = self._strings.get(text)
        if found is None:
            found = self._strings[text] = len(self._strings)
            self._put(text_field(_STRING, text))
        return found

    def _type(self, name: str, unit: str) -> bytes:
        return number_field(1, self._string(name)) + number_field(2, self._string(unit))

    def _label(self, key: str, text: str) -> bytes:
        return part_field(_LABEL, number_field(1, self._string(key)) + number_field(2, self._string(text)))

    def _op_type(self, text: str) -> bytes:
        return self._label("op_type", text) if text else b""

    def _around(self, scope: tuple[str, ...]) -> bytes:
        return b"".join(self._location(Frame(name)) for name in reversed(scope))

    def _location(self, frame: Frame) -> bytes:
        """The number of the place of a frame, as samples hold it."""
        found = self._locations.get(frame)
        if found is None:
            number = len(self._locations) + 1
            found = self._locations[frame] = varint_bytes(number)
            line = number_field(1, self._function(frame)) + (number_field(2, frame.line) if frame.line else b"")
            self._put(part_field(_LOCATION, number_field(1, number) + number_field(2, _ONLY) + part_field(4, line)))
        return found

    def _function(self, frame: Frame) -> int:
        key = frame.name, frame.file
        found = self._functions.get(key)
        if found is None:
            found = self._functions[key] = len(self._functions) + 1
            # Without the system's name: pprof takes equal ones for mangled, and cuts what stands in brackets.
            names = number_field(1, found) + number_field(2, self._string(frame.name or "(unnamed)"))
            file = number_field(4, self._string(frame.file)) if frame.file else b""
            self._put(part_field(_FUNCTION, names + file))
        return found
