"""Trace-event JSON (Chrome's format): an object with `traceEvents`, or an array of events → `Capture`.

Read are slices (`X`, `B`/`E`, async), instants, counters and metadata, of PyTorch's profiler (Kineto) with the meaning
of its categories; of others as they are.
"""

from __future__ import annotations

import io
import itertools
import os
import re
from collections.abc import Iterable
from typing import BinaryIO

from ..tables import Capture
from ._format import Format, LooksLike
from ._pieces import UTF16, ZIP, pieces_of, utf8
from ._sniff import HEAD_BYTES
from ._source import Source, opened

_OBJECT = re.compile(rb'\s*\{.{0,65536}?"traceEvents"\s*:\s*\[', re.DOTALL)
#: `ph` may follow args, which are objects themselves.
_ARRAY = re.compile(rb'\s*\[\s*(\{.{0,4096}?"ph"\s*:\s*"[a-zA-Z(),]"|$)', re.DOTALL)
#: Files of these names are read piece by piece.
STREAMED = (".json", ".json.gz", ".json.zip", ".zip")
_NAMES = (".pt.trace.json", ".trace.json", "timeline.json")


def looks_like(name: str, head: bytes) -> bool:
    text = b"".join(utf8(iter([head]))).removeprefix(b"\xef\xbb\xbf")
    if text.lstrip()[:1] not in (b"{", b"["):
        return False
    return name.endswith(_NAMES) or bool(_OBJECT.match(text) or _ARRAY.match(text)) or b'"traceEvents"' in text


def read(source: Source, decoder: str | None = None) -> Capture:
    """Decode. Raises UnreadableError where the JSON holds no list of events."""
    pieces = utf8(iter([bytes(source.data)])) if source.head.startswith(UTF16) else iter([source.data])
    return _capture(pieces, source.path, list(source.warnings))


def read_file(path: str, is_trace: LooksLike) -> Capture | None:
    """As `read`, without holding all of the file; None where it is no trace. Errors also as of `open_source`."""
    with opened(path) as (file, size):
        return _streamed(file, size, path, is_trace)


def read_archive(source: Source, is_trace: LooksLike) -> Capture | None:
    """As `read`, of a zip archive that is in memory; None where it is none."""
    return (
        _streamed(io.BytesIO(source.data), len(source.data), source.path, is_trace) if source.head[:4] == ZIP else None
    )


def _streamed(file: BinaryIO, size: int, path: str, is_trace: LooksLike) -> Capture | None:
    warnings: list[str] = []
    pieces = pieces_of(file, size, path, warnings)
    first = b""
    while len(first) < HEAD_BYTES and (piece := next(pieces, b"")):
        first += piece
    name = os.path.basename(path).removesuffix(".gz").removesuffix(".zip")
    return _capture(itertools.chain([first], pieces), path, warnings) if is_trace(name, first[:HEAD_BYTES]) else None


def _capture(pieces: Iterable[bytes | memoryview], path: str, warnings: list[str]) -> Capture:
    # Here, since XPlane is read where msgspec is not installed, too.
    from ._trace_document import capture

    return capture(pieces, path, warnings)


FORMAT = Format("trace_events", looks_like, read)
