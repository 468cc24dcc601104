"""Trace-event JSON of PyTorch, TensorFlow 1, Chrome and any program → `Capture`."""

from __future__ import annotations

import io
import itertools
import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

from ...formats import HEAD_BYTES, UTF16
from ...messages import Message
from ...tables import Capture
from ..common.source import ZIP, Source, ahead, opened, pieces_of, utf8

if TYPE_CHECKING:
    from ..json.reader import Document

# Trace-event JSON (Chrome's format): an object with `traceEvents`, or an array of events → `Capture`.
#
# Read are slices (`X`, `B`/`E`, async), instants, counters and metadata, of PyTorch's profiler (Kineto) with the
# meaning
# of its categories; of others as they are.

IsTrace: TypeAlias = Callable[[str, bytes], bool]


def read(source: Source, decoder: str | None = None) -> Capture:
    """Decode. Raises UnreadableError where the JSON holds no list of events."""
    pieces = utf8(iter([bytes(source.data)])) if source.head.startswith(UTF16) else iter([source.data])
    return _capture(pieces, source.path, list(source.warnings))


def read_file(path: str, is_trace: IsTrace) -> Capture | None:
    """As `read`, without holding all of the file; None where it is no trace. Errors also as of `open_source`."""
    with opened(path) as (file, size):
        return _streamed(file, size, path, is_trace)


def read_archive(source: Source, is_trace: IsTrace) -> Capture | None:
    """As `read`, of a zip archive that is in memory; None where it is none."""
    return (
        _streamed(io.BytesIO(source.data), len(source.data), source.path, is_trace) if source.head[:4] == ZIP else None
    )


def _streamed(file: BinaryIO, size: int, path: str, is_trace: IsTrace) -> Capture | None:
    warnings: list[Message] = []
    pieces = pieces_of(file, size, path, warnings)
    first = b""
    while len(first) < HEAD_BYTES and (piece := next(pieces, b"")):
        first += piece
    name = os.path.basename(path).removesuffix(".gz").removesuffix(".zip")
    if not is_trace(name, first[:HEAD_BYTES]):
        return None
    return _capture(itertools.chain([first], ahead(pieces)), path, warnings)


def _capture(pieces: Iterable[bytes | memoryview], path: str, warnings: list[Message]) -> Capture:
    # Here, since XPlane is read where msgspec is not installed, too.
    from .document import capture

    return capture(pieces, path, warnings)


def of_document(document: Document, warnings: list[Message]) -> Capture:
    """As `read`, of a document that another format's reader made."""
    from .document import of_document

    return of_document(document, warnings)
