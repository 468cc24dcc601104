"""What is just within and just beyond the numbers by which time is divided."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin.tables import Intervals
from tensorboard_perfplugin.timeline import CATEGORIES, INDEX
from tensorboard_perfplugin.timeline.split import (
    HostClass,
    category_of_kernel,
    class_of_name,
    precision_of_kernel,
    split,
)
from tensorboard_perfplugin.timeline.split.span import divided
from tests.build_capture import Space
from tests.timeline.split.test_split import exposed, gpu, host
from tests.timeline.split.test_split import split as split_of
from tests.timeline.timelines import timeline


@pytest.mark.parametrize(("length", "known"), [(300, HostClass.NEXT), (301, HostClass.UNKNOWN)])
def test_300_characters_tell_what_a_host_event_is(length: int, known: HostClass) -> None:
    assert class_of_name("DataLoader.__next__".rjust(length, "x")) == known


@pytest.mark.parametrize(("length", "category"), [(400, "collective"), (401, "compute_other")])
def test_400_characters_tell_that_a_kernel_is_a_collective(length: int, category: str) -> None:
    assert CATEGORIES[category_of_kernel("allreduce".rjust(length, "x"))].key == category


@pytest.mark.parametrize(("length", "precision"), [(4000, "compute_16bit"), (4001, None)])
def test_4000_characters_tell_a_precision(length: int, precision: str | None) -> None:
    assert precision_of_kernel("bf16".rjust(length, "_")) == precision


def test_three_stretches_of_a_category_are_kept() -> None:
    space = Space()
    host(space, [(0, 800), (1000, 900)])
    stream = gpu(space)
    for i in range(8):
        stream.event("volta_sgemm_128x64_nn", 100 * i, 10 + i)
    assert split_of(space).longest[0, INDEX["compute_32bit"]] == ((700, 717), (600, 616), (500, 515))


@pytest.mark.parametrize(("around", "input_wait"), [(3, 40), (4, None)])
def test_three_stages_around_a_loop_s_body_run_it(around: int, input_wait: int | None) -> None:
    space = Space()
    plane, _ = host(space, [(0, 100)])
    reducer, loop = plane.line(5, "tf_data_reduce_dataset/5"), "ReduceIterator::Root::Prefetch::TakeWhile"
    reducer.event("ReduceDatasetOp::DoCompute", 0, 100).event("ReduceIterator::Root", 0, 100)
    ahead = plane.line(6, "tf_data_private_threadpool/6")
    for _ in range(around):
        ahead.event("PrefetchProduce", 0, 100)
    ahead.event(f"{loop}::Scan", 0, 100)
    ahead.event(f"{loop}::Scan::MapAndBatch", 10, 40)
    ahead.event("InstantiatedCapturedFunction::Run", 60, 40).event("dense/MatMul:MatMul", 65, 30)
    assert exposed(space)[0].get("input_wait") == input_wait


def test_sixteen_million_cells_are_divided(monkeypatch: pytest.MonkeyPatch) -> None:
    """No memory is taken for them."""

    class Many:
        rule = "any"

        def __len__(self) -> int:
            return 10_000_000

    shaped = SimpleNamespace(zeros=lambda shape, _: SimpleNamespace(shape=shape), zeros_like=lambda x: x, int64=0)
    monkeypatch.setattr(split, "np", shaped)
    for name, value in {"units_of": (0, 0), "_lanes": (), "Classes": None, "side_by_side": ()}.items():
        monkeypatch.setattr(split, name, lambda *_, value=value: value)
    timeline: Any = SimpleNamespace(capture=SimpleNamespace(events=()))
    steps: Any = Many()
    found = split.split_steps(timeline, steps)
    assert found.exposed_ps.shape[1] == 16_777_216 // (2 * len(CATEGORIES))
    assert found.left_out == 10_000_000 - found.exposed_ps.shape[1]


def test_a_thousand_stretches_outside_of_steps_are_divided() -> None:
    """The longest: of 1001 the first, of 1 ps, is left out."""
    space = Space()
    space.plane("/host:CPU").line(1, "tf_Compute/1").event("a/MatMul:MatMul", 0, 20_000)
    begin = np.arange(1001) * 10
    stretches = Intervals(begin, begin + np.where(np.arange(1001), 2, 1))
    assert divided(timeline(space), stretches).sum() == 2000
