"""A capture file, of any format there is → `Capture`. A format's reader is loaded when a file of it is read."""

from __future__ import annotations

import importlib

from ..formats import READ, Format, sniff
from ..tables import Capture
from .common.source import Source, open_source, source_of
from .xplane import COMPILED

__all__ = ["COMPILED", "Format", "format_of", "read", "read_bytes", "sniff"]

#: Files of these names are read piece by piece.
_STREAMED = (".json", ".json.gz", ".json.zip", ".zip")


def read(path: str, *, decoder: str | None = None, at: int | None = None) -> Capture:
    """Decode one file.

    decoder: `compiled`, `protobuf`, or None for the best there is. at: of an event file, which holds many things, the
    byte where the record of one run metadata begins. Raises NotFoundError where there is no such file,
    UnreadableError where it is not a capture, or none of it can be read; both say what was found and what to do.
    A damaged file gives what can be read; `Capture.quality` says what was lost, and where.
    """
    if at is not None:
        from .step_stats import read_at

        return read_at(path, at)
    if path.endswith(_STREAMED):
        from .trace_events import read_file

        if capture := read_file(path, _is_trace):
            return capture
    return _read(open_source(path), decoder)


def read_bytes(data: bytes, name: str = "", decoder: str | None = None) -> Capture:
    """Decode the bytes of a file of that name. As `read`."""
    return _read(source_of(name, memoryview(data)), decoder)


def format_of(data: bytes) -> Format:
    """What the bytes of a file are, by their begin alone. Raises UnreadableError."""
    source = source_of("", memoryview(data))
    if format := _format("", source.head):
        return format
    raise source.unreadable()


def _read(source: Source, decoder: str | None) -> Capture:
    if format := _format(source.name, source.head):
        reader = importlib.import_module(f".{format.declaration.reader}", __name__)
        capture: Capture = reader.read(source, decoder)
        return capture
    from .trace_events import read_archive

    if capture_inside := read_archive(source, _is_trace):
        return capture_inside
    raise source.unreadable()


def _format(name: str, head: bytes) -> Format | None:
    return next((format for format in READ if format.declaration.looks_like(name, head)), None)


def _is_trace(name: str, head: bytes) -> bool:
    return _format(name, head) is Format.TRACE_EVENTS
