"""Files that change while they are read, and memory that is given back meanwhile."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.decode import xplane
from tensorboard_perfplugin.decode.common import source
from tensorboard_perfplugin.errors import UnreadableError
from tests.build_capture import Space
from tests.decode.both import assert_same


def written(path: Path, events: int) -> bytes:
    space = Space()
    line = space.plane("/host:CPU").line(1, "main")
    for i in range(events):
        line.event(f"op{i % 7}", 10 * i, 5, [("text", f"t{i}"), ("number", i)])
    path.write_bytes(space.bytes())
    return space.bytes()


def test_a_file_that_is_cut_shorter_while_it_is_read(tmp_path: Path) -> None:
    """It was mapped, and SIGBUS ended TensorBoard when a profiler wrote the file anew."""
    path = tmp_path / "h.xplane.pb"
    written(path, 1000)
    opened = source.open_source(str(path))
    os.truncate(path, 0)
    capture = xplane.read(opened)
    capture.check()
    assert len(capture.events) == 1000


@pytest.mark.parametrize("preadv", [True, False])
@pytest.mark.parametrize("there", [1000, 960, 999, 450, 0])
def test_a_file_is_read_in_pieces_as_far_as_it_goes(
    preadv: bool, there: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """1000 bytes were promised, in pieces of 64."""
    monkeypatch.setattr(source, "READ_BYTES", 64)
    if not preadv:
        monkeypatch.delattr(os, "preadv", raising=False)
    data = os.urandom(there)
    (tmp_path / "f").write_bytes(data)
    with (tmp_path / "f").open("rb") as file:
        assert bytes(source.loaded(file, 1000, "f")) == data


def test_memory_of_one_segment_is_given_back_while_the_next_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if decode.COMPILED:
        monkeypatch.setattr("tensorboard_perfplugin.decode.xplane.fast.SEGMENT_BYTES", 9_000)
    path = tmp_path / "h.xplane.pb"
    data = written(path, 5000)
    capture = decode.read(str(path))
    capture.check()
    assert_same(capture, decode.read_bytes(data, path.name, "protobuf"))


@pytest.mark.parametrize(("memory", "most"), [(1 << 50, "8.59 GB"), (1 << 30, "537 MB")])
def test_a_file_that_is_too_large(memory: int, most: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of holes takes no place on the disk, and terabytes of memory."""
    monkeypatch.setattr(source, "memory_bytes", lambda: memory)
    path = tmp_path / "h.xplane.pb"
    written(path, 1)
    os.truncate(path, 1 << 40)
    with pytest.raises(UnreadableError, match=f"exceeds the limit of {most}. Take a shorter capture"):
        decode.read(str(path))
