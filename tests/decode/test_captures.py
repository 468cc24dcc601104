"""Real captures: the decoders agree, and a plain count over protobuf messages comes to the same sums."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.decode.xplane.slow import message_types
from tensorboard_perfplugin.errors import UnreadableError
from tests.conftest import ROOT, SAMPLES, SHARED_CAPTURES
from tests.decode.both import read_both

#: Complete ones of our own, and those beside a checkout.
CAPTURES = [
    *(path for path in sorted(SAMPLES.rglob("*.xplane.pb")) if "broken_tail" not in path.parts),
    *sorted(SHARED_CAPTURES.glob("xplane/**/*.xplane.pb")),
]


def test_there_are_captures() -> None:
    assert len(CAPTURES) > (10 if SHARED_CAPTURES.is_dir() else 4)


@pytest.mark.parametrize("path", CAPTURES, ids=lambda path: str(path.relative_to(ROOT.parent)))
def test_real_capture(path: Path) -> None:
    capture = read_both(path.read_bytes())
    space: Any = message_types()["XSpace"].FromString(path.read_bytes())
    lines = [line for plane in space.planes for line in plane.lines]
    found = [event for line in lines for event in line.events]
    assert len(capture.events) + len(capture.aggregates) == capture.quality.events_in_file == len(found)
    assert int(capture.events.duration_ps.sum()) == sum(e.duration_ps for e in found if not e.num_occurrences)
    assert capture.quality.dropped == {}
    assert len(capture.stats) == (
        sum(len(e.stats) for e in found)
        + sum(len(plane.stats) for plane in space.planes)
        + sum(len(entry.value.stats) for plane in space.planes for entry in plane.event_metadata)
    )
    assert capture.strings.texts(capture.planes.name) == [plane.name.decode() for plane in space.planes]
    assert len(capture.tracks) == sum(len({line.id for line in plane.lines}) for plane in space.planes)
    starts = [1000 * line.timestamp_ns + e.offset_ps for line in lines for e in line.events]
    assert capture.span_ps[1] - capture.span_ps[0] == max(
        start + e.duration_ps for start, e in zip(starts, found, strict=True)
    ) - min(starts)


def test_a_file_is_read_as_its_bytes_are() -> None:
    path = CAPTURES[0]
    assert decode.read(str(path)).quality == decode.read_bytes(path.read_bytes(), path.name).quality


def test_a_capture_that_was_converted_as_text(shared_captures: Path) -> None:
    path = next(shared_captures.glob("corrupt/*/*.xplane.pb"))
    with pytest.raises(UnreadableError, match="converted as if it were text"):
        decode.read(str(path))
