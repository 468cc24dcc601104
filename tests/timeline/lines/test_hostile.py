"""Names and captures that no collector writes: bounded time and memory, and rows that hold what every line holds."""

from __future__ import annotations

import time

import numpy as np
import pytest

from tensorboard_perfplugin.timeline.lines import merge, paths
from tests.build_capture import Space, StatValue
from tests.build_program import computation, instruction, program, shape
from tests.timeline.timelines import timeline

from .drawn import drawn, gpu_and_host, kernel, lines

PATIENCE_S = 20.0


def test_a_name_of_many_levels_ends_at_the_last_that_is_kept() -> None:
    space, stream, _ = gpu_and_host()
    kernel(stream, "a/" * 100_000 + "x:X", 0, 10)
    kernel(stream, "/".join(f"s{i}" for i in range(100)) + "/x:X", 20, 10)
    began = time.process_time()
    found = lines(timeline(space))["scopes"]
    assert time.process_time() - began < PATIENCE_S
    assert int(found.depth.max()) + 1 == paths.LEVELS


def test_a_name_of_a_megabyte() -> None:
    space, stream, _ = gpu_and_host()
    for i, text in enumerate(("(" * 1_000_000, ")" * 1_000_000, "/" * 1_000_000, "[(/" * 300_000, "x" * 1_000_000)):
        kernel(stream, f"{text}/y:Y{i}", 100 * i, 10)
        kernel(stream, f"a/{text}:Y{i}", 100 * i + 20, 10)
    began = time.process_time()
    drawn(timeline(space))
    assert time.process_time() - began < PATIENCE_S


def test_computations_that_call_each_other() -> None:
    """A fusion in which itself lies, and operands in a circle."""
    f32 = shape("f32", 8)
    inner = computation(
        1, [instruction(1, "a", "fusion", f32, (2,), calls=(1,)), instruction(2, "b", "copy", f32, (1,))]
    )
    space = Space()
    space.plane("/host:metadata").kind("jit_f(5)", stats={"Hlo Proto": program(inner, entry=1)})
    stream = space.plane("/device:GPU:0").line(7, "Stream #7(Compute)")
    for i, op in enumerate(("a", "b")):
        stats: dict[str, StatValue] = {"hlo_op": op, "hlo_module": "jit_f", "program_id": 5}
        stream.event("k", 100 * i, 10, stats)
    assert drawn(timeline(space))["instructions"] == [(0, 0, 10, "a"), (0, 100, 110, "b")]


def test_deep_levels_are_left_out_where_they_would_take_more_events_than_there_is_room_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    space, stream, _ = gpu_and_host()
    for i in range(10):
        kernel(stream, f"a/s{i}/t/x:X", 100 * i, 10)
    whole = lines(timeline(space))["scopes"]
    assert np.bincount(whole.depth).tolist() == [1, 10, 10]
    monkeypatch.setattr(merge, "_SHARE", 0)
    monkeypatch.setattr(merge, "_LEAST", 11)
    assert np.bincount(lines(timeline(space))["scopes"].depth).tolist() == [1, 10]


def test_random_kernels_hold_what_every_line_holds() -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        space, stream, _ = gpu_and_host()
        streams = [stream, space.planes[0].line(8, "Stream #8(Compute)")]
        for begin in rng.integers(0, 300, 60).tolist():
            name = "/".join(rng.choice(["a", "b", "c"], rng.integers(1, 4)))
            kernel(streams[rng.integers(2)], f"{name}:X" if rng.random() < 0.8 else "", begin, int(rng.integers(0, 40)))
        drawn(timeline(space))
