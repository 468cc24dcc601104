"""A built capture → its timeline, through the decoder; both check themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.build_capture import Space


def timeline(space: Space, host: str = "h") -> Timeline:
    capture = decode.read_bytes(space.bytes(), f"{host}.xplane.pb")
    capture.check()
    return Timeline(capture, host)


def row(of: Timeline, name: str, nth: int = 0) -> int:
    """Row of the nth event of that name."""
    names = of.capture.strings.texts(of.capture.events.name)
    return [i for i, n in enumerate(names) if n == name][nth]


def real(files: Sequence[Path]) -> Iterator[tuple[Path, Timeline]]:
    """The timeline of each; at least one."""
    assert files
    return ((file, Timeline(decode.read(str(file)), "h")) for file in files)
