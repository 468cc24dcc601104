"""When a profiler began, by its own clock, from the bytes that it sent."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorboard_perfplugin.capture.server.reach import began_ns
from tests.build_capture import Space, chunk

NS = 1_795_321_248_504_941_754


def told(**stats: int | str) -> bytes:
    space = Space()
    space.plane("/host:CPU").line(1, "main").event("step", 0, 5)
    space.plane("Task Environment", stats={"profile_stop_time": NS + 10, **stats})
    return space.bytes()


@pytest.mark.parametrize(
    ("data", "began"),
    [
        (told(profile_start_time=NS), NS),
        (told(), 0),
        (told(profile_start_time="yesterday"), 0),
        (Space().bytes(), 0),
        (b"", 0),
        (told(profile_start_time=NS)[:-30], 0),
        (b"\x0a\xff\xff\xff\xff\x7f\x12\x10Task Environment", 0),
        (b"\x0b" * 200, 0),
    ],
)
def test_when_it_began(data: bytes, began: int) -> None:
    assert began_ns(memoryview(data)) == began


def test_of_real_captures(xplane_files: list[Path]) -> None:
    """The years in which they were taken."""
    found = [began_ns(memoryview(path.read_bytes())) for path in xplane_files if path.stat().st_size < 5_000_000]
    assert sum(bool(each) for each in found) > 3
    assert all(not each or 1_600_000_000 < each / 1e9 < 2_000_000_000 for each in found)


@pytest.mark.parametrize(("bytes_after", "began"), [(65_400, NS), (65_536, 0)])
def test_a_small_plane_is_looked_into(bytes_after: int, began: int) -> None:
    plane = Space().plane("Task Environment", stats={"profile_start_time": NS}).bytes() + chunk(9, bytes(bytes_after))
    assert began_ns(memoryview(chunk(1, plane))) == began


@pytest.mark.parametrize(("before", "began"), [(4095, NS), (4096, 0)])
def test_fields_before_it_are_looked_at_up_to_a_number(before: int, began: int) -> None:
    plane = Space().plane("Task Environment", stats={"profile_start_time": NS}).bytes()
    for field in (1, 4):
        assert began_ns(memoryview(chunk(field, b"") * before + chunk(1, plane))) == began
