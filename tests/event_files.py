"""TensorBoard's event files, written record by record: messages by hand, frames by TensorBoard's own writer."""

from __future__ import annotations

import io
import struct
from pathlib import Path

from tensorboard.summary.writer.record_writer import RecordWriter

from tests.build_capture import chunk, number, text

#: 2023, in s.
WRITTEN_S = 1_700_000_000.0
VERSION = text(3, "brain.Event:2")


def event(what: bytes, step: int = 0, at_s: float = WRITTEN_S) -> bytes:
    """An `Event` with one of its fields."""
    return b"\x09" + struct.pack("<d", at_s) + number(2, step) + what


def scalar(name: str, step: int = 0) -> bytes:
    value = text(1, name) + b"\x15" + struct.pack("<f", 0.5)
    return event(chunk(5, chunk(1, value)), step)


def tagged(tag: str, metadata: bytes, step: int = 0, at_s: float = WRITTEN_S) -> bytes:
    """As `FileWriter.add_run_metadata(metadata, tag, step)` writes it."""
    return event(chunk(8, text(1, tag) + chunk(2, metadata)), step, at_s)


def framed(*events: bytes) -> bytes:
    file = io.BytesIO()
    writer = RecordWriter(file)
    for each in events:
        writer.write(each)
    return file.getvalue()


def write(path: Path, *events: bytes, version: bytes = VERSION) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(framed(event(version), *events))
    return path
