"""Captures of several hosts: of one program, or of several that have nothing in common."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.steps import HostSteps, apart, host_steps, of_one_program
from tests.build_capture import Space
from tests.timeline.steps.steps_of import put, thread
from tests.timeline.timelines import timeline

US = 1_000_000


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
