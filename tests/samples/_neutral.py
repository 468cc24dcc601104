"""A logdir that a framework wrote, at `OUT` → the same captures at their place here, under a neutral host name.

Only field 4 (host names) of the XSpace message is rewritten; planes stay the bytes that the framework wrote.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.build_capture import chunk, text

HOST = "trainer"


def fields(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The length-delimited fields of one message, as (number, payload); an XSpace has no others."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        if tag & 7 != 2:
            raise ValueError(f"wire type {tag & 7} at byte {at}: not an XSpace")
        size, at = _varint(data, at)
        yield tag >> 3, data[at : at + size]
        at += size


def renamed(data: bytes, host: str) -> bytes:
    """The XSpace with `host` as its only host name."""
    return b"".join(chunk(n, payload) for n, payload in fields(data) if n != 4) + text(4, host)


def keep(written: Path, logdir: Path, run: str = "", host: str = HOST) -> Path:
    """Copy the one capture under `written` to `logdir[/run]/plugins/profile/<its session>/<host>.xplane.pb`."""
    [source] = written.rglob("*.xplane.pb")
    target = logdir / run / "plugins" / "profile" / source.parent.name / f"{host}.xplane.pb"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(renamed(source.read_bytes(), host))
    return target


def log_steps(path: Path, steps: Sequence[tuple[int, int, int]], **producer: Any) -> None:
    """Write the stopwatch log: (number, begin, end) of each profiled step, in ns of one monotonic clock."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [{"step": number, "begin_ns": begin, "end_ns": end} for number, begin, end in steps]
    mean_ms = sum(end - begin for _, begin, end in steps) / len(steps) / 1e6
    log = {"producer": producer, "mean_step_ms": round(mean_ms, 3), "steps": rows}
    path.write_text(json.dumps(log, indent=1) + "\n")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
