"""Ops just within and just beyond the numbers that decide about them."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin.decode import read_bytes
from tensorboard_perfplugin.timeline import Op, Timeline, call_memory, collective_ends, in_hbm, stacks
from tensorboard_perfplugin.timeline.ops import collectives
from tensorboard_perfplugin.timeline.ops.operators import paths
from tensorboard_perfplugin.timeline.ops.waits import host_waits
from tests.build_capture import Space, chunk, number
from tests.timeline.ops.test_calls import event
from tests.timeline.timelines import row, timeline


def pytorch(events: list[dict[str, Any]]) -> Timeline:
    document = {"schemaVersion": 1, "traceEvents": events}
    return Timeline(read_bytes(json.dumps(document).encode(), "rank0.pt.trace.json"), "rank0")


@pytest.mark.parametrize(("length", "ends"), [(200, [15]), (201, [])])
def test_a_collective_is_told_by_200_characters(length: int, ends: list[int]) -> None:
    space = Space()
    space.plane("/device:GPU:0").line(7, "Stream").event("all-reduce".rjust(length, "_"), 10, 5)
    assert collective_ends(timeline(space)).tolist() == ends


def test_65_536_ends_of_collectives_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    events = SimpleNamespace(start_ps=np.arange(200_000), duration_ps=np.zeros(200_000, np.int64))
    monkeypatch.setattr(collectives, "_sources", lambda of: iter([np.arange(200_000)]))
    of: Any = SimpleNamespace(
        capture=SimpleNamespace(events=events), instead=lambda _, make: make, remember=lambda _, make: make()
    )
    assert len(collective_ends(of)) == 65_536


def test_four_thousand_entries_of_a_breakdown_are_read() -> None:
    """Each takes four of 16,384 fields, one of them its own."""
    entry = chunk(1, number(1, 2) + number(2, 1) + number(3, 10))
    assert [in_hbm(entry * count) for count in (4096, 5000)] == [40_960, 40_960]


@pytest.mark.parametrize(("device", "sizes"), [(2, (8, 0)), (4, (0, 8)), (5, (8, 0)), (10, (0, 8)), (14, (0, 0))])
def test_memory_is_the_host_s_or_a_device_s_by_its_type(device: int, sizes: tuple[int, int]) -> None:
    told = {"Bytes": 8, "Device Type": device}
    of = pytorch([event("cpu_op", "aten::mm", 0, 10), event("cpu_instant_event", "[memory]", 5, 0, told) | {"ph": "i"}])
    found = call_memory(of, np.array([row(of, "aten::mm")]))
    assert found is not None
    assert tuple(found.total[:, 0].tolist()) == sizes


def test_64_modules_within_each_other_have_a_path() -> None:
    modules = [event("python_function", f"nn.Module: M_{i}", i, 200 - 2 * i) for i in range(66)]
    of = pytorch([*modules, event("cpu_op", "aten::mm", 90, 1)])
    path, texts = paths(of)
    assert texts[path[row(of, "nn.Module: M_63")]] == "".join(f"M_{i}/" for i in range(64))
    assert texts[path[row(of, "nn.Module: M_64")]] == ""


def test_five_frames_and_1000_characters_of_a_stack_are_shown() -> None:
    frames = [event("python_function", f"train.py({i}): f{i}", i, 200 - 2 * i) for i in range(12)]
    of = pytorch([*frames, event("cpu_op", "aten::mm", 90, 1)])
    which, texts = stacks(of, np.array([row(of, "aten::mm")]))
    assert texts[which[0]] == " ".join(f"← train.py({i}): f{i}" for i in (11, 10, 9, 8, 7))
    of = pytorch([event("python_function", f"train.py(1): {'f' * 3000}", 0, 200), event("cpu_op", "aten::mm", 90, 1)])
    which, texts = stacks(of, np.array([row(of, "aten::mm")]))
    assert len(texts[which[0]]) == 1000


@pytest.mark.parametrize(("length", "waits"), [(100, False), (101, True)])
def test_who_generates_is_looked_for_in_the_last_100_characters(length: int, waits: bool) -> None:
    """A generator that no `FlatMap` holds is TensorFlow's own, which waits."""
    digits = "1" * (length - len("FlatMap[]::Generator"))
    name = f"Iterator::FlatMap[{digits}]::Generator"
    assert host_waits((Op(name, "Dataset::Generator"),)).tolist() == [waits]
