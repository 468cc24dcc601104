"""A capture file, of any format in `FORMATS` → `Capture`."""

from __future__ import annotations

from ..tables import Capture
from . import event_file, pprof, step_stats, tool_files, trace_events, trace_proto, xplane
from ._format import Format
from ._sniff import sniff
from ._source import Source, open_source, source_of
from .xplane import COMPILED

__all__ = ["COMPILED", "FORMATS", "Format", "read", "read_bytes", "sniff"]

#: The first that recognises a file reads it.
FORMATS: tuple[Format, ...] = (
    xplane.FORMAT,
    tool_files.FORMAT,
    trace_proto.FORMAT,
    pprof.FORMAT,
    step_stats.FORMAT,
    trace_events.FORMAT,
)


def read(path: str, *, decoder: str | None = None, at: int | None = None) -> Capture:
    """Decode one file.

    decoder: `compiled`, `protobuf`, or None for the best there is. at: of an event file, which holds many things, the
    byte where the record of one run metadata begins. Raises NotFoundError where there is no such file,
    UnreadableError where it is not a capture, or none of it can be read; both say what was found and what to do.
    A damaged file gives what can be read; `Capture.quality` says what was lost, and where.
    """
    if at is not None:
        return event_file.read_at(path, at)
    if path.endswith(trace_events.STREAMED) and (capture := trace_events.read_file(path, _is_trace)):
        return capture
    return _read(open_source(path), decoder)


def read_bytes(data: bytes, name: str = "", decoder: str | None = None) -> Capture:
    """Decode the bytes of a file of that name. As `read`."""
    return _read(source_of(name, memoryview(data)), decoder)


def _read(source: Source, decoder: str | None) -> Capture:
    if format := _format(source.name, source.head):
        return format.read(source, decoder)
    if capture := trace_events.read_archive(source, _is_trace):
        return capture
    raise source.unreadable()


def _format(name: str, head: bytes) -> Format | None:
    return next((format for format in FORMATS if format.looks_like(name, head)), None)


def _is_trace(name: str, head: bytes) -> bool:
    return _format(name, head) is trace_events.FORMAT
