"""What of a capture is in no step. Times in µs."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.steps.means import (
    HostSteps,
    OutOfSteps,
    all_out_of_steps,
    apart,
    host_steps,
    of_one_program,
    out_of_steps,
)
from tensorboard_perfplugin.timeline.timeline import CATEGORIES
from tests.build_capture import Space
from tests.timeline.steps.steps_of import put, thread
from tests.timeline.timelines import timeline

US = 1_000_000


def captured(before: int) -> OutOfSteps:
    """Ops from 0 on, two steps of 100 µs after some time, of which the first op takes 10."""
    space = Space()
    put(thread(space), "dense/MatMul:MatMul", 0, 10)
    for i in range(2):
        put(thread(space), "train", before + 100 * i, 100, _r=1, step_num=i)
        put(thread(space), "dense/MatMul:MatMul", before + 100 * i, 100)
    return out_of_steps(timeline(space), "auto")


@pytest.mark.parametrize(("before", "much"), [(199, False), (200, True)])
def test_half_of_the_time_is_much(before: int, much: bool) -> None:
    found = captured(before)
    assert (found.span_ps, found.outside_ps) == ((before + 200) * US, before * US)
    assert found.longest == (((0, before * US),) if much else ())
    parts = {c.key: ps / US for c, ps in zip(CATEGORIES, found.by_category, strict=False) if ps}
    assert parts == ({"op_compute": 10, "python": 190} if much else {})


@pytest.mark.parametrize(("step", "much"), [(99, True), (101, False)])
def test_steps_with_few_ops_are_not_the_least_of_a_capture(step: int, much: bool) -> None:
    """All ops of a step of 210 ms of a sample of HolisticTraceAnalysis that was cut lie in 15 µs beside it."""
    space = Space()
    put(thread(space), "train", 0, step, _r=1, step_num=0)
    put(thread(space), "dense/MatMul:MatMul", 200, 100)
    assert bool(out_of_steps(timeline(space), "auto").longest) is much


def test_without_steps_all_of_it_is() -> None:
    space = Space()
    line = space.plane("/device:GPU:0").line(7, "Stream")
    line.event("gemm", 10 * US, 30 * US)
    line.event("gemm", 90 * US, 10 * US)
    found = out_of_steps(timeline(space), "numbers")
    assert (found.span_ps, found.outside_ps, found.longest) == (90 * US, 90 * US, ((10 * US, 100 * US),))
    parts = {c.key: ps / US for c, ps in zip(CATEGORIES, found.by_category, strict=True) if ps}
    assert parts == {"compute_other": 40, "idle": 50}


def test_without_ops_nothing_is_known() -> None:
    found = out_of_steps(timeline(Space()), "auto")
    assert (found.span_ps, found.outside_ps, len(found.by_category)) == (0, 0, 0)


def test_hosts_are_summed() -> None:
    one, little = captured(300), captured(100)
    both = all_out_of_steps([one, little, one])
    assert (both.hosts, both.outside_ps, both.by_category.sum()) == (2, 600 * US, 600 * US)


def host(name: str, op: str, wall: int = 100, shared: int = 0, steps: int = 4, rank: int | None = None) -> HostSteps:
    """Steps of `wall` µs, each running an op for 100 µs, of which `shared` are of one that all hosts run."""
    space = Space()
    if rank is not None:
        space.plane("/host:CPU", stats={"rank": rank, "world_size": 2})
    for i in range(steps):
        put(thread(space), "train", wall * i, wall, _r=1, step_num=i)
        put(thread(space, "worker", 2), f"{op}:{op.capitalize()}", wall * i, 100 - shared)
        put(thread(space, "worker", 2), "add:Add", wall * i + 100 - shared, shared)
    return host_steps(timeline(space, name), {"steps_from": "auto"})


@pytest.mark.parametrize(("shared", "wall", "judged"), [(19, 111, 1), (20, 111, 2), (0, 111, 1), (0, 109, 2)])
def test_programs_are_apart_by_their_ops_and_their_pace(shared: int, wall: int, judged: int) -> None:
    """Hosts with a fifth of their ops' time in common, or at one pace, as stages of a pipeline are, are ranks."""
    assert sum(of_one_program([host("a", "matmul", 100, shared), host("b", "conv", wall, shared)])) == judged


def test_the_program_with_most_time_is_judged() -> None:
    parts = [host("a", "conv", 100), host("b", "matmul", 300), host("c", "matmul", 320)]
    found = apart(parts)
    assert found is not None
    assert (found.hosts, found.others, found.common) == (("b", "c"), ("a",), 0.0)
    assert found.steps_ps == (300 * US, 100 * US)


def test_ranks_of_one_program_are_one_whatever_they_run() -> None:
    assert apart([host("a", "conv", 100, rank=0), host("b", "matmul", 300, rank=1)]) is None


def test_hosts_without_steps_are_no_other_program() -> None:
    assert of_one_program([host("a", "conv"), host("b", "matmul", 300, steps=0)]) == [True, True]
    assert of_one_program([]) == []
