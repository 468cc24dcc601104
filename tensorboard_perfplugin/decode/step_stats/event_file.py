"""Run metadata in one of TensorBoard's event files (`FileWriter.add_run_metadata(metadata, tag)`) → `Capture`.

The file is a TFRecord file: of each record the length (8 bytes), its checksum (4), an `Event`, and its checksum (4).
An `Event` (event.proto) has the step (2) and a tagged run metadata (8): its tag (1), a `RunMetadata` as bytes (2).
Which records hold one is known to who asks; the others are not looked at.
"""

from __future__ import annotations

import struct
from io import BufferedReader

from ... import units
from ...errors import UnreadableError
from ...formats import HEAD_BYTES
from ...messages import Message, message
from ...tables import Capture
from ...wire import LENGTH, VARINT, Field, masked, walk_sound
from ..common.source import Source, most_bytes, opened
from ..step_stats import reader as step_stats

_LENGTH_BYTES, _CHECK_BYTES = 12, 4
_STEP, _TAGGED, _METADATA = 2, 8, 2


def read_at(path: str, at: int) -> Capture:
    """The run metadata in the record that begins at a byte of a file.

    Of a record that is cut, or was changed, what can be read is, and the quality says so. Raises NotFoundError where
    there is no file, UnreadableError where there is no such record in it.
    """
    with opened(path) as (file, size):
        data, warnings = _record(file, at, size, path)
    event = _last(data, 0, len(data), {(_STEP, VARINT), (_TAGGED, LENGTH)})
    tagged = event.get(_TAGGED)
    parts = _last(data, tagged.begin, tagged.end, {(_METADATA, LENGTH)}) if tagged else {}
    metadata = parts.get(_METADATA)
    if metadata is None:
        raise UnreadableError(
            f"{path}: the record at byte {at:,} is not run metadata. The file was rewritten since; reload."
        )
    body = data[metadata.begin : metadata.end]
    source = Source(path, body, bytes(body[:HEAD_BYTES]), len(body), warnings)
    step = event[_STEP].value if _STEP in event else 0
    return step_stats.read(source, step=step if step < 1 << 63 else 0)


def _record(file: BufferedReader, at: int, size: int, path: str) -> tuple[memoryview, tuple[Message, ...]]:
    """The bytes of a record, and what is wrong with them."""
    file.seek(at)
    head = file.read(_LENGTH_BYTES)
    length = struct.unpack("<Q", head[:8])[0] if len(head) == _LENGTH_BYTES else 0
    there = min(length, size - at - _LENGTH_BYTES)
    if there > most_bytes():
        raise UnreadableError(
            f"{path}: run metadata of {units.size(there)} exceeds the limit of {units.size(most_bytes())}. Trace less."
        )
    data = memoryview(file.read(max(there, 0)))
    check = file.read(_CHECK_BYTES)
    if len(data) < length or len(check) < _CHECK_BYTES:
        missing = length - len(data) + _CHECK_BYTES - len(check)
        return data, (message("event_file_cut", n=missing),)
    if int.from_bytes(check, "little") != masked(data):
        return data, (message("event_file_checksum", at=at),)
    return data, ()


def _last(data: memoryview, begin: int, end: int, wanted: set[tuple[int, int]]) -> dict[int, Field]:
    """The last field of each number and wire type that is wanted, by number, as far as a message is sound."""
    return {f.number: f for f in walk_sound(data, begin, end, []) if (f.number, f.wire) in wanted}
