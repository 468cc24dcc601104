"""One run metadata in an event file: the same capture as of its bytes alone; what is cut or changed is said."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tensorboard.summary.writer.record_writer import masked_crc32c

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.errors import NotFoundError, UnreadableError
from tensorboard_perfplugin.messages import message
from tensorboard_perfplugin.tables import Capture
from tensorboard_perfplugin.wire.checksum import LEAST_BYTES, masked
from tests.decode.step_stats import node, run_metadata
from tests.event_files import VERSION, event, framed, scalar, tagged, write

NODES = [node(f"n{i}", 10 * i, 4, f"n{i} = MatMul(x)") for i in range(9)]
METADATA = run_metadata({"/job:worker/replica:0/task:0/device:CPU:0": NODES})
#: Where the record of the run metadata begins in files of these tests.
AT = len(framed(event(VERSION), scalar("loss")))


def rows(capture: Capture) -> list[tuple[str, int, int]]:
    capture.check()
    e = capture.events
    return [(capture.event_name(i), int(e.start_ps[i]), int(e.duration_ps[i])) for i in range(len(e))]


def test_a_record_is_the_capture_that_its_bytes_are(tmp_path: Path) -> None:
    path = write(tmp_path / "f", scalar("loss"), tagged("step 7", METADATA, 7), scalar("loss", 1))
    plain = decode.read_bytes(METADATA, "run_metadata.pb")
    found = decode.read(str(path), at=AT)
    assert rows(found) == rows(plain)
    assert (found.start_ns, found.quality, found.format) == (plain.start_ns, plain.quality, "run_metadata")
    assert len(rows(found)) == len(NODES) + 1


@pytest.mark.parametrize(("step", "number"), [(7, 7), (0, 0), (-1, 0)])
def test_the_step_is_the_program_s(tmp_path: Path, step: int, number: int) -> None:
    capture = decode.read(str(write(tmp_path / "f", scalar("loss"), tagged("t", METADATA, step))), at=AT)
    mark = next(i for i in range(len(capture.events)) if capture.event_name(i) == "Session::Run")
    begin, end = int(capture.events.stats_begin[mark]), int(capture.events.stats_end[mark])
    assert dict(capture.values(begin, end))["step_num"] == number


def test_a_record_that_is_cut_gives_what_is_there(tmp_path: Path) -> None:
    path = write(tmp_path / "f", scalar("loss"), tagged("t", METADATA))
    path.write_bytes(path.read_bytes()[:-100])
    capture = decode.read(str(path), at=AT)
    assert [name for name, _, _ in rows(capture)] == ["Session::Run", *(f"n{i}:MatMul" for i in range(6))]
    assert capture.quality.warnings[0] == message("event_file_cut", n=100)


def test_a_record_of_which_a_byte_was_changed_is_told(tmp_path: Path) -> None:
    path = write(tmp_path / "f", scalar("loss"), tagged("t", METADATA))
    path.write_bytes(path.read_bytes().replace(b"n3 = MatMul", b"n3 = MatMuX"))
    capture = decode.read(str(path), at=AT)
    assert "n3:MatMuX" in [name for name, _, _ in rows(capture)]
    assert capture.quality.warnings == (message("event_file_checksum", at=AT),)


@pytest.mark.parametrize("at", [0, 5, AT + 3, 1 << 40])
def test_a_place_without_run_metadata_is_refused(tmp_path: Path, at: int) -> None:
    path = write(tmp_path / "f", scalar("loss"), tagged("t", METADATA))
    with pytest.raises(UnreadableError, match=f"the record at byte {at:,} is not run metadata.*reload"):
        decode.read(str(path), at=at)


def test_a_file_that_is_gone_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        decode.read(str(tmp_path / "gone"), at=0)


@pytest.mark.parametrize("size", [0, 1, 255, LEAST_BYTES - 1, LEAST_BYTES, LEAST_BYTES + 1, 70_003, 300_001])
def test_checksums_are_those_of_tensorboard(size: int) -> None:
    data = os.urandom(size)
    assert masked(memoryview(data)) == masked_crc32c(data)
