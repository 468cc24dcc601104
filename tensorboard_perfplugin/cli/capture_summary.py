"""A capture that was made → what came back, in a few lines, as the package itself reads it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .. import api
from ..capture import Captured, HostOutcome
from ..errors import PerfpluginError, UnreadableError
from ..tables import PlaneKind, Quality
from ..tools import QualityInWords
from ..units import UNKNOWN, value
from .text import printable, table

_SUFFIX = ".xplane.pb"
_HEADERS = ("Worker", "Events", "Devices", "Steps", "Step time", "Size", "Time")


@dataclass(frozen=True)
class _Read:
    """What one worker's file holds. problem: why it cannot be read."""

    quality: Quality = field(default_factory=Quality)
    devices: int = 0
    steps: int | None = None
    step_time_ms: float | None = None
    problem: str = ""


def summary(made: Captured, width: int) -> tuple[str, int]:
    """The session's path, a line a worker, what became of the events; and how many events there are.

    Raises UnreadableError where no file is readable.
    """
    read = {host: _read(made.path, host.file) for host in made.hosts if host.file}
    if all(each.problem for each in read.values()):
        raise UnreadableError("; ".join(each.problem for each in read.values()))
    rows = [_row(host, each) for host, each in read.items()]
    text, _ = table(_HEADERS, rows, (True, *(False,) * (len(_HEADERS) - 1)), width)
    lines = [made.path, text, *map(printable, _notes(made, list(read.values())))]
    return "\n".join(lines), sum(each.quality.events_in_file for each in read.values())


def _read(path: str, file: str) -> _Read:
    """Never raises: one file that cannot be read takes no other's summary."""
    host = file.removesuffix(_SUFFIX)
    try:
        profile = api.open(path, host=host)
        capture = profile.captures[host]
        overview = profile.tool("overview").result.summary
    except PerfpluginError as error:
        return _Read(problem=str(error))
    devices = sum(PlaneKind(kind).is_device for kind in capture.planes.kind.tolist())
    steps, step_time_ms = overview.get("step_count"), overview.get("step_time_typical_ms")
    return _Read(
        capture.quality,
        devices,
        steps if isinstance(steps, int) else None,
        step_time_ms if isinstance(step_time_ms, float) else None,
    )


def _row(host: HostOutcome, read: _Read) -> tuple[str, ...]:
    return (
        printable(host.address),
        UNKNOWN if read.problem else value(read.quality.events_kept, "count"),
        UNKNOWN if read.problem else value(read.devices, "count"),
        value(read.steps, "count"),
        value(read.step_time_ms, "ms"),
        value(host.size_bytes, "bytes"),
        value(host.seconds, "s"),
    )


def _notes(made: Captured, read: list[_Read]) -> Iterator[str]:
    quality = QualityInWords.of(sum((each.quality for each in read), Quality()))
    yield f"{quality.events_kept:,} of {quality.events_in_file:,} events kept"
    for reason, count in quality.dropped.items():
        yield f"dropped: {count:,} {reason}"
    for warning in quality.warnings:
        yield f"warning: {warning}"
    for each in read:
        if each.problem:
            yield f"unreadable: {each.problem}"
    for host in made.hosts:
        if not host.file:
            yield f"{'left out' if host.kind == 'same' else 'missing'}: {host.message}"
