"""What is kept of answers, and when others are prepared: each bound from both sides."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tensorboard_perfplugin.answers import Disk, Library, ahead
from tensorboard_perfplugin.answers import library as library_module
from tensorboard_perfplugin.answers.ahead import Ahead
from tensorboard_perfplugin.formats import Format
from tensorboard_perfplugin.logdir import Run, runs_at
from tensorboard_perfplugin.tables import Cells, Quality
from tensorboard_perfplugin.timeline import Timeline
from tensorboard_perfplugin.tools import Answer, Options, Result
from tests.conftest import MakeLogdir
from tests.small_tool import COUNT, Counts, space


@pytest.fixture
def run(make_logdir: MakeLogdir) -> Run:
    return runs_at(str(make_logdir({"r/a.xplane.pb": space("x"), "r/b.xplane.pb": space("x")})))[0]


def answer(name: str) -> Answer:
    cells: dict[str, Cells] = {"name": [name], "event_count": [1], "mean_us": [1.0]}
    result = Result({"event_count": 1, "idle_share": None}, {"names": cells}, {"idle_share": "events are only counted"})
    return Answer(COUNT, "r", ("h",), result, Quality(), "compiled")


@pytest.mark.parametrize(("size", "kept"), [(16_000_000, True), (17_000_000, False)])
def test_an_answer_of_16_mib_is_kept_on_disk(size: int, kept: bool, tmp_path: Path) -> None:
    disk = Disk(lambda: str(tmp_path / "kept"))
    disk.store(("key",), answer("x" * size))
    assert (disk.load(("key",), COUNT) is not None) is kept


@pytest.mark.parametrize(("size", "kept"), [(268_000_000, True), (268_435_456, False)])
def test_answers_of_256_mib_are_kept_on_disk(size: int, kept: bool, tmp_path: Path) -> None:
    """A file with a hole, which takes no room, used before the answer that is stored."""
    older = tmp_path / "older.json"
    older.touch()
    os.truncate(older, size)
    os.utime(older, (1e9, 1e9))
    tmp_path.chmod(0o700)
    Disk(lambda: str(tmp_path)).store(("key",), answer("x"))
    assert older.exists() is kept


@pytest.mark.parametrize(("size", "computed"), [(30_000_000, 2), (40_000_000, 3)])
def test_answers_of_64_mib_are_kept_in_memory(size: int, computed: int, run: Run) -> None:
    """Of two answers, one asked for again; arrays of zeros take no memory."""
    made: list[Sequence[Counts]] = []

    def combine(partials: Sequence[Counts], options: Options) -> Result:
        made.append(partials)
        return Result({}, {"names": {"event_count": np.zeros(size, np.uint8)}})

    library, tool = Library(), replace(COUNT, combine=combine)
    for host in "aba":
        library.answer(tool, run, [host], {})
    assert len(made) == computed


@pytest.mark.parametrize(("asked_until_s", "prepared"), [(56, True), (60, False)])
def test_a_pause_of_two_seconds_is_waited_for_up_to_a_minute(
    asked_until_s: float, prepared: bool, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody asks whenever the pause would have been over."""
    for earlier in _preparing():  # they would wait by the clock below
        earlier.join()
    now_s, waits = [0.0], set[float]()
    divided: list[Timeline] = []

    def sleep(seconds: float) -> None:
        now_s[0] += seconds
        waits.add(seconds)
        if now_s[0] <= asked_until_s:
            looking.of(tool, [])

    monkeypatch.setattr(ahead, "time", SimpleNamespace(monotonic=lambda: now_s[0], sleep=sleep))
    monkeypatch.setattr(ahead, "split_of", divided.append)
    looking, tool = Ahead(), replace(COUNT, ahead=lambda timeline: None)
    timeline = Library().timeline(run.file("a"))
    looking.of(tool, [timeline])
    for thread in _preparing():
        thread.join()
    assert (divided == [timeline], waits) == (prepared, {2.0})


def _preparing() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "ahead"]


@pytest.mark.parametrize(("size", "kept"), [(200_000_000, 2), (200_000_001, 1)])
def test_timelines_of_400_mb_stay_when_nothing_is_asked_for(
    size: int, kept: int, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library_module, "_timeline_bytes", lambda timeline: size)
    library = Library()
    for file in run.files:
        library.timeline(file)
    library._rest()
    assert len(library._timelines._values) == kept


def test_256_files_are_told_of(run: Run) -> None:
    """300 dumps of functions beside a trace, which answers."""
    first = run.files[0]
    dumps = tuple(replace(first, host=f"d{i}", format=Format.PYTHON_STATS, of=first.host) for i in range(300))
    files = Library().answer(COUNT, replace(run, files=(replace(first, aside=dumps),)), None, {}).files
    assert (len(files), [each.used for each in files].count(True)) == (256, 1)
