"""Hosts' captures → what is missing from them, so that nobody takes what is shown for more than it is."""

from __future__ import annotations

from typing import NamedTuple

from ...messages import Message
from ...timeline import Timeline

_WARNINGS = 3


class Loss(NamedTuple):
    """Of one host. dropped: how many events of its file are not shown, by code. errors: what its profiler reported.
    warnings: the first of its file.
    """

    host: str
    events_in_file: int
    dropped: dict[str, int]
    errors: tuple[str, ...]
    warnings: tuple[Message, ...]


def loss(timeline: Timeline) -> Loss:
    quality = timeline.capture.quality
    kept = quality.warnings[:_WARNINGS]
    return Loss(timeline.host, quality.events_in_file, dict(quality.dropped), timeline.capture.errors, kept)
