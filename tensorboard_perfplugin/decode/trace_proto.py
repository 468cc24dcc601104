"""`local.trace` of TensorFlow 2.0 and 2.1 → `Capture`."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ..errors import UnreadableError
from ..formats import Format
from ..messages import Message
from ..patterns import regex
from ..tables import Capture, PlaneKind
from ..wire import LENGTH, VARINT, Field, walk_sound
from .common.build import Builder, TrackRows, Value, plane_kind, plane_ordinal, track_kind
from .common.source import Source

# `local.trace`, the binary trace that TensorFlow 2.0 and 2.1 wrote instead of XPlane → `Capture`.
#
# A `Trace` of trace_events.proto: devices by id, with the names of their threads or streams, and complete events with
# times in ps and args, all texts. Names are cut there; the arg `long name` has the whole one.

#: Its writers stop at a million events.
MOST_EVENTS = 2_000_000
#: 26 days.
_MOST_PS = 1 << 61
_MOST_TEXT = 100_000
_LONG_NAME = "long name"
_WHOLE = regex(r"-?\d{1,18}")


class _Event(msgspec.Struct):
    device: int = 0
    resource: int = 0
    name: str = ""
    at_ps: int = 0
    length_ps: int = 0
    stats: dict[str, Value] = msgspec.field(default_factory=dict)


class _Device(msgspec.Struct):
    name: str = ""
    resources: dict[int, str] = msgspec.field(default_factory=dict)


def read(source: Source, decoder: str | None = None) -> Capture:
    """Decode. Raises UnreadableError where no device is named."""
    reader = Reader(source.data)
    devices, events = reader.read()
    if not devices:
        raise source.unreadable()
    return _capture(devices, events, (*source.warnings, *reader.warnings))


class Reader:
    """Reads one message, as far as it is sound."""

    def __init__(self, data: memoryview) -> None:
        self.data = data
        self.warnings: list[Message] = []
        self.events = 0

    def read(self) -> tuple[dict[int, _Device], list[_Event]]:
        devices: dict[int, _Device] = {}
        events: list[_Event] = []
        for field in self._fields(0, len(self.data)):
            if field.wire == LENGTH and field.number == 1:
                number, value = self._entry(field)
                if value:
                    devices[number] = self._device(value)
            elif field.wire == LENGTH and field.number == 4:
                self.events += 1
                if self.events > MOST_EVENTS:
                    raise UnreadableError(f"The file has more than {MOST_EVENTS:,} events. Record fewer steps.")
                events.append(self._event(field))
        return devices, events

    def _fields(self, begin: int, end: int) -> Iterator[Field]:
        return walk_sound(self.data, begin, end, self.warnings)

    def _entry(self, field: Field) -> tuple[int, Field | None]:
        """Key and value of a map's entry."""
        parts = {each.number: each for each in self._fields(field.begin, field.end)}
        value = parts.get(2)
        return parts[1].value if 1 in parts else 0, value if value and value.wire == LENGTH else None

    def _device(self, field: Field) -> _Device:
        device = _Device()
        for each in self._fields(field.begin, field.end):
            if each.wire == LENGTH and each.number == 1:
                device.name = self._text(each)
            elif each.wire == LENGTH and each.number == 3:
                number, value = self._entry(each)
                if value:
                    texts = {part.number: part for part in self._fields(value.begin, value.end) if part.wire == LENGTH}
                    device.resources[number] = self._text(texts[1]) if 1 in texts else ""
        return device

    def _event(self, field: Field) -> _Event:
        event = _Event()
        for each in self._fields(field.begin, field.end):
            number = each.number
            if each.wire == VARINT:
                if number == 1:
                    event.device = each.value
                elif number == 2:
                    event.resource = each.value
                elif number == 9:
                    event.at_ps = each.value
                elif number == 10:
                    event.length_ps = each.value
            elif each.wire == LENGTH and number == 3:
                event.name = self._text(each)
            elif each.wire == LENGTH and number == 11:
                self._arg(event, each)
        return event

    def _arg(self, event: _Event, field: Field) -> None:
        texts = {part.number: self._text(part) for part in self._fields(field.begin, field.end) if part.wire == LENGTH}
        key, value = texts.get(1, ""), texts.get(2, "")
        event.stats[key] = int(value) if _WHOLE.fullmatch(value) else value

    def _text(self, field: Field) -> str:
        return bytes(self.data[field.begin : field.end][:_MOST_TEXT]).decode("utf-8", "replace")


def _capture(devices: dict[int, _Device], events: list[_Event], warnings: tuple[Message, ...]) -> Capture:
    builder = Builder()
    sound = [event for event in events if event.at_ps < _MOST_PS and event.length_ps < _MOST_PS]
    base = min((event.at_ps for event in sound), default=0)
    by_place: dict[tuple[int, int], list[_Event]] = {}
    for event in sound:
        by_place.setdefault((event.device, event.resource), []).append(event)
    for number in sorted({*devices, *(device for device, _ in by_place)}):
        device = devices.get(number, _Device(f"device {number}"))
        kind = plane_kind(device.name)
        plane = builder.plane(device.name, kind, plane_ordinal(device.name))
        for resource in sorted(resource for owner, resource in by_place if owner == number):
            track = _track(builder, plane, kind, resource, device.resources.get(resource, ""))
            for event in by_place[number, resource]:
                name = str(event.stats.pop(_LONG_NAME, "")) or event.name
                track.event(name, event.at_ps - base, event.length_ps, event.stats)
    return builder.capture(Format.TRACE_PROTO, "", None, warnings, {"impossible_time": len(events) - len(sound)})


def _track(builder: Builder, plane: int, kind: PlaneKind, resource: int, name: str) -> TrackRows:
    number = resource & (1 << 62) - 1
    name = name or f"thread {resource}"
    return builder.track(plane, number, name, track_kind(kind, number, name))
