"""Calls of a pipeline's Python beside the program's own: one thread of Python runs at a time."""

from __future__ import annotations

import numpy as np
import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.input import Stage
from tensorboard_perfplugin.analysis.input.frames import BLOCKING, EXECUTOR, Frames
from tensorboard_perfplugin.analysis.input.held_up import with_held_up
from tensorboard_perfplugin.tables import intervals
from tensorboard_perfplugin.timeline import Timeline
from tests.build_capture import Space

MS = 10**9
NAME = "Iterator::Root::MapAndBatch::FlatMap::Generator"


def held_up_ms(waited: int, alone_ms: float, beside_ms: float, ran: str = "PyFunc", kind: int = BLOCKING) -> float:
    """Of so many calls while the program waits, and twelve that begin beside Python of its own."""
    space = Space(hostnames=["h"])
    line = space.plane("/host:CPU").line(1, "tf_data")
    took = [alone_ms] * waited + [beside_ms] * 12
    for i, ms in enumerate(took):
        line.event("InstantiatedCapturedFunction::RunWithBorrowedArgs", round(20 * MS * i), round(ms * MS))
    timeline = Timeline(decode.read_bytes(space.bytes()), "h")
    n = len(took)
    zeros = np.zeros(n, np.int64)
    self_ps = timeline.capture.events.duration_ps
    found = Frames(
        (NAME,), np.arange(n), np.full(n, kind, np.uint8), zeros.astype(np.int32), self_ps, zeros - 1, zeros - 1
    )
    waits = intervals.union(np.array([0]), np.array([20 * MS * waited]))
    stage = Stage(NAME, "Generator", "on-demand read", count=n, calls=n, ran=((ran, 1.0),))
    [stage] = with_held_up(timeline, found, [stage], waits)
    return stage.held_up_ps / MS


@pytest.mark.parametrize("kind", [BLOCKING, EXECUTOR])
def test_calls_take_as_long_as_while_the_program_waits(kind: int) -> None:
    assert held_up_ms(8, 1, 11, kind=kind) == 120


def test_fewer_calls_do_not_tell() -> None:
    assert held_up_ms(7, 1, 11) == 0


@pytest.mark.parametrize(("beside_ms", "expected"), [(1.44, 12 * 0.44), (1.4, 0)])
def test_calls_that_take_about_as_long_are_not_held_up(beside_ms: float, expected: float) -> None:
    """0.8 of all: 20 calls take 25 ms, of which twelve beside Python 17."""
    assert held_up_ms(8, 1, beside_ms) == pytest.approx(expected)


def test_ops_that_are_no_python_are_not_held_up() -> None:
    assert held_up_ms(8, 1, 11, ran="Sort") == 0
