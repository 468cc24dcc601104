"""How long steps would take if what ran in them were longer: by how much, before they are, is its slack."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.path import replay as of_pieces
from tensorboard_perfplugin.analysis.path.path import laid_out
from tensorboard_perfplugin.analysis.path.replay import Replay, places, replay_of
from tensorboard_perfplugin.timeline.split.split import split_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tests.analysis.path.test_path import interpreted, pool
from tests.tools.kineto import Event, launched, on_host, saved, step

US = 10**6


@pytest.fixture(params=["compiled", "interpreted"], autouse=True)
def loops(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "interpreted":
        monkeypatch.setattr(of_pieces, "walk", interpreted())


def of_steps(folder: Path, events: list[Event]) -> tuple[Timeline, Replay]:
    timeline = Timeline(decode.read(str(saved(folder, *events))), "h")
    split = split_of(timeline)
    laid = laid_out(timeline, split.steps)
    assert laid is not None
    found = replay_of(laid, split.steps, np.ones(len(split.steps), bool))
    assert found is not None
    return timeline, found


def two_streams(number: int) -> list[Event]:
    """The host waits for a kernel of 60 µs and one of 20 on another stream, 40 µs before the first ends."""
    at = 100 * number
    events = [step(number, at, 100), on_host("aten::mm", at + 1, 9), on_host("aten::add", at + 80, 10)]
    events += launched("gemm", at + 2, at + 10, 60, 10 * number + 1)
    events += launched("side", at + 4, at + 10, 20, 10 * number + 2, stream=9)
    return [*events, on_host("cudaDeviceSynchronize", at + 15, 60, "cuda_runtime")]


def slack_us(timeline: Timeline, replay: Replay, name: str) -> list[float]:
    slack_ps, strings = replay.slack_ps(), timeline.capture.strings
    of = timeline.capture.events.name[replay.laid.pieces.row]
    return [ps / US for ps, i in zip(slack_ps.tolist(), of.tolist(), strict=True) if strings[i] == name]


def test_slack_is_how_much_later_a_kernel_could_end(tmp_path: Path) -> None:
    timeline, replay = of_steps(tmp_path, [event for number in range(3) for event in two_streams(number)])
    assert slack_us(timeline, replay, "gemm") == [0, 0, 0]
    assert slack_us(timeline, replay, "side") == [40, 40, 40]


@pytest.mark.parametrize("steps", [two_streams, pool])
def test_steps_take_longer_where_a_piece_does_by_more_than_its_slack(
    tmp_path: Path, steps: Callable[[int], list[Event]]
) -> None:
    _, replay = of_steps(tmp_path, [event for number in range(3) for event in steps(number)])
    pieces, slack_ps = replay.laid.pieces, replay.slack_ps()
    length = pieces.end - pieces.begin
    runs = np.flatnonzero((pieces.waits == 0) & (length > 0))
    assert 0 < (slack_ps[runs] > 0).sum() < len(runs)
    for i in runs.tolist():
        longer, most = np.ones(len(length)), replay.recorded_ps
        longer[i] = (length[i] + slack_ps[i]) / length[i]
        assert replay.taken_ps(longer) == pytest.approx(most, abs=2)
        longer[i] = (length[i] + slack_ps[i] + US) / length[i]
        # What nothing waits for is held to end with the steps.
        assert replay.taken_ps(longer) > most + US / 2 or pieces.end[i] + slack_ps[i] == pieces.end.max()


@pytest.mark.parametrize("far", [0, 1 << 20], ids=["a table", "a search"])
def test_places_of_wanted_rows(far: int) -> None:
    """By either way the same: before the first, among them, after the last, and of none."""
    rows = np.array([3, 5, 6, 9 + far])
    place, here = places(rows, np.array([0, 9 + far, 5, -1, 4, 5, 12 + far]))
    assert place.tolist() == [3, 1, 1]
    assert here.tolist() == [1, 2, 5]
    assert not len(places(rows[:0], rows)[0])
    assert not len(places(rows, rows[:0])[0])
