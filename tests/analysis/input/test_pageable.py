"""What copies of batches read: pageable memory or pinned, and how fast."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.input import BatchCopies
from tensorboard_perfplugin.timeline import Timeline
from tensorboard_perfplugin.tools.input_pipeline import INPUT_PIPELINE
from tests.analysis.input.test_batch import copies
from tests.tools.kineto import Event, saved


def of_batches(folder: Path, events: list[Event]) -> BatchCopies:
    path = saved(folder, *events)
    of = Timeline(decode.read_bytes(Path(path).read_bytes(), Path(path).name), "h")
    return INPUT_PIPELINE.per_host(of, INPUT_PIPELINE.parse({})).copies  # type: ignore[no-any-return]


def pinned(events: list[Event], size: int) -> list[Event]:
    """The same, where copies of so many bytes are from pinned memory."""
    for event in events:
        given: dict[str, Any] = event.get("args", {})
        if given.get("bytes") == size:
            event["name"] = event["name"].replace("Pageable", "Pinned")
    return events


def test_what_is_pageable_of_two_copies_a_step(tmp_path: Path) -> None:
    """In each of two steps 2 µs of 4096 bytes and 2 µs of 512; a third copy, amid the compute, is of no batch."""
    found = of_batches(tmp_path, pinned(copies((16, 4096), (85, 512), (48, 99)), 512))
    assert (found.ps, found.pageable_ps, found.bytes, found.sized_ps) == (8_000_000, 4_000_000, 8192, 4_000_000)
    assert (found.pageable_share, found.bytes_per_s) == (0.5, 8192 * 1e12 / 4e6)


@pytest.mark.parametrize(("scale", "found"), [(0.9, 0), (1.1, 4)])
def test_copies_that_take_next_to_nothing_of_steps_are_not_looked_at(tmp_path: Path, scale: float, found: int) -> None:
    """A hundredth of steps of 100 µs is 1 µs."""
    events = copies((16, 4096))
    for event in events:
        if event["name"].startswith("Memcpy"):
            event["dur"] = scale
    assert (of_batches(tmp_path, events).ps > 0) is bool(found)
