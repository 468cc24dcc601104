"""Small files that would cost much: what is beyond the limits is left out, and said."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.decode import xplane as xplane_reader
from tensorboard_perfplugin.decode.common import build
from tensorboard_perfplugin.decode.xplane import assemble
from tensorboard_perfplugin.decode.xplane.parts import Decoder
from tensorboard_perfplugin.errors import UnreadableError
from tensorboard_perfplugin.messages import message
from tests.build_capture import Space, chunk, text
from tests.decode.both import read_both

#: Of an empty kind, name, line or stat of a plane: two bytes in a file, up to 250 in memory. Field, and how many.
EMPTY = {
    "lines": (3, 100_000),
    "kinds of events": (4, 2_000_000),
    "names of stats": (5, 2_000_000),
    "stats of planes": (6, 100_000),
}


def few_left(monkeypatch: pytest.MonkeyPatch, what: str, limit: int, left: int) -> None:
    """As if so many had been read before that few of all that may be are left."""

    class Used(assemble.Assembly):
        def __init__(self, decoder: Decoder, unpacked: bool = False) -> None:
            super().__init__(decoder, unpacked)
            self.room[what] -= limit - left

    monkeypatch.setattr(xplane_reader, "Assembly", Used)


@pytest.mark.parametrize("what", EMPTY)
def test_many_of_one_thing_in_all_planes_together(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """16 MB of empty kinds took 2 GB and 8 s; 10,000 planes of them 22 s."""
    field, limit = EMPTY[what]
    few_left(monkeypatch, what, limit, left=5)
    data = b"".join(chunk(1, text(2, f"/device:GPU:{i}") + chunk(field, b"") * 3) for i in range(3))
    capture = read_both(data)
    assert message("limit_of_kind", limit=limit, what=what) in capture.quality.warnings
    owned = int((capture.planes.stats_end - capture.planes.stats_begin).sum())
    assert owned == (5 if what == "stats of planes" else 0)
    # Equal ids within a plane are one.
    assert len(capture.tracks) == (2 if what == "lines" else 0)
    assert len(capture.kinds) == (2 if what == "kinds of events" else 0)


def test_many_planes(monkeypatch: pytest.MonkeyPatch) -> None:
    few_left(monkeypatch, "planes", 10_000, left=2)
    space = Space()
    for i in range(3):
        space.plane(f"/device:GPU:{i}").line(1).event("k", 0, 1)
    capture = read_both(space)
    assert len(capture.planes) == 2
    assert capture.quality.warnings == (message("limit_of_kind", limit=10_000, what="planes"),)


def test_of_very_many_devices_those_that_hold_most_are_read() -> None:
    """Each takes a page some milliseconds; hosts are none of them."""
    space = Space()
    for i in range(assemble.MOST_DEVICES + 2):
        line = space.plane(f"/device:GPU:{i}", id=i).line(7)
        for at in range(1 if i in (3, 5) else 2):
            line.event("gemm", at, 1)
    space.plane("/host:CPU", id=10**6).line(1).event("f", 0, 1)
    capture = read_both(space)
    names = capture.strings.texts(capture.planes.name)
    assert [len(names), names[-1], {"/device:GPU:3", "/device:GPU:5"} & set(names)] == [
        assemble.MOST_DEVICES + 1,
        "/host:CPU",
        set(),
    ]
    assert capture.quality.warnings == (
        message("limit_of_devices", limit=assemble.MOST_DEVICES, count=assemble.MOST_DEVICES + 2),
    )


def test_many_long_errors_and_warnings() -> None:
    """Every answer repeats them: 9 MB of errors made an overview of 142 MB."""
    long = "é" * 3000
    space = Space(errors=[f"{i}{long}" for i in range(150)], warnings=[f"{i}{long}" for i in range(150)])
    space.plane("/host:CPU").line(1).event("op", 0, 1)
    capture = read_both(space)
    assert len(capture.errors) == 100
    assert capture.errors[99] == "99" + "é" * 998 + "…"
    assert tuple(each.params["text"] for each in capture.quality.warnings[:100]) == capture.errors
    assert capture.quality.warnings[100:] == (
        message("limit_of_kind", limit=100, what="errors"),
        message("limit_of_kind", limit=100, what="warnings"),
    )


def test_more_than_the_machine_can_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """100 million empty events are a file of 200 MB."""
    space = Space()
    line = space.plane("/host:CPU").line(1)
    for i in range(100):
        line.event("op", i, 1, {"k": 1})
    monkeypatch.setattr(build, "memory_bytes", lambda: 5 * (100 * 44 + 100 * 13) // 2)
    assert len(read_both(space).events) == 100
    line.event("op", 100, 1)
    needs = r"has 101 events and 100 stats, which need 14 KiB of memory; this machine has 13\.9 KiB\. Take a shorter"
    with pytest.raises(UnreadableError, match=needs):
        read_both(space)


def test_the_memory_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "LIMIT_FILES", ())
    machine = build.memory_bytes()
    assert machine >= 1 << 28
    for said, bound in (("max\n", machine), ("1000000\n", 1_000_000), (f"{1 << 63}\n", machine)):
        (tmp_path / "limit").write_text(said)
        monkeypatch.setattr(build, "LIMIT_FILES", (str(tmp_path / "none"), str(tmp_path / "limit")))
        assert build.memory_bytes() == bound


def test_the_memory_that_a_user_allows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1)
    for i in range(100):
        line.event("op", i, 1)
    path = tmp_path / "h.xplane.pb"
    path.write_bytes(space.bytes())
    for allowed, problem in (
        ("8000B", r"which need 10\.7 KiB of memory; PERFPLUGIN_MEMORY allows 7.81 KiB\."),
        ("1000B", r"exceeds the limit of 500 bytes, half of what PERFPLUGIN_MEMORY allows \(1000B\)\."),
    ):
        monkeypatch.setenv("PERFPLUGIN_MEMORY", allowed)
        with pytest.raises(UnreadableError, match=problem):
            decode.read(str(path))
    monkeypatch.setenv("PERFPLUGIN_MEMORY", "1MB")
    assert len(decode.read(str(path)).events) == 100


def test_a_long_loss() -> None:
    space = Space()
    space.plane("/host:CPU", stats={"dropped_traces": "x" * 5000}).line(1).event("op", 0, 1)
    (warning,) = read_both(space).quality.warnings
    assert warning == message("events_lost", plane="/host:CPU", key="dropped_traces", value="x" * 1000 + "…")
