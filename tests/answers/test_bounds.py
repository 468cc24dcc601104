"""What is kept of answers, and when others are prepared: each bound from both sides."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np
import pytest
from msgspec.structs import replace

from tensorboard_perfplugin.answers import many
from tensorboard_perfplugin.answers.library import Library
from tensorboard_perfplugin.answers.many import Prefetcher
from tensorboard_perfplugin.formats import Format
from tensorboard_perfplugin.logdir import Run, runs_at
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Options, Result
from tests.conftest import MakeLogdir
from tests.small_tool import COUNT, Counts, space


@pytest.fixture
def run(make_logdir: MakeLogdir) -> Run:
    return runs_at(str(make_logdir({"r/a.xplane.pb": space("x"), "r/b.xplane.pb": space("x")})))[0]


@pytest.mark.parametrize(("size", "computed"), [(30_000_000, 2), (40_000_000, 3)])
def test_answers_of_64_mib_are_kept_in_memory(size: int, computed: int, run: Run) -> None:
    """Of two answers, one asked for again; arrays of zeros take no memory."""
    made: list[Sequence[Counts]] = []

    def combine(partials: Sequence[Counts], options: Options) -> Result:
        made.append(partials)
        return Result({}, {"names": {"event_count": np.zeros(size, np.uint8)}})

    library, tool = Library(), dataclasses.replace(COUNT, combine=combine)
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
            looking.prepare(tool, [])

    monkeypatch.setattr(many, "time", SimpleNamespace(monotonic=lambda: now_s[0], sleep=sleep))
    monkeypatch.setattr(many, "split_of", divided.append)
    looking, tool = Prefetcher(), dataclasses.replace(COUNT, ahead=lambda timeline: None)
    timeline = Library().timeline(run.file("a"))
    looking.prepare(tool, [timeline])
    for thread in _preparing():
        thread.join()
    assert (divided == [timeline], waits) == (prepared, {2.0})


def _preparing() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "ahead"]


def test_256_files_are_told_of(run: Run) -> None:
    """300 dumps of functions beside a trace, which answers."""
    first = run.files[0]
    dumps = tuple(replace(first, host=f"d{i}", format=Format.PYTHON_STATS, of=first.host) for i in range(300))
    files = Library().answer(COUNT, replace(run, files=(replace(first, aside=dumps),)), None, {}).files
    assert (len(files), [each.used for each in files].count(True)) == (256, 1)
