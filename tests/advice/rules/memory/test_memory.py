"""What is said of memory, of whole captures: growth from step to step, and what else the numbers mean."""

from __future__ import annotations

import numpy as np
import pytest

from tensorboard_perfplugin.tools import Answer
from tests.tools.answered import rows_of as rows
from tests.tools.memory import Memory, answer_of, memory, steps


def test_a_step_that_keeps_what_it_allocates_leaks() -> None:
    """Each step allocates 3 MiB, frees 1, and keeps 2; all else comes and goes."""
    answer = leaking(steps_=8, kept=2 << 20)
    summary = answer.result.summary
    assert summary["growth_bytes"] == 2 << 20
    assert summary["growth_confidence"] == "high"
    [leak] = [f for f in answer.result.findings if f.code == "memory_grows"]
    assert leak.title == (
        "GPU_0_bfc grows by 2 MiB per step over 7 steps: `keeps` allocates 2 MiB per step that is not freed"
    )
    assert (leak.severity, leak.params["growth"], leak.params["steps"]) == ("warning", 2 << 20, 7)
    assert dict(rows(answer, "ops", "op", "kept_bytes")) == {"keeps": 2 << 20, "frees": 0.0}


def test_few_steps_tell_no_leak() -> None:
    """Of four the last one is cut by the capture's end."""
    answer = leaking(4, kept=2 << 20)
    assert answer.result.summary["growth_bytes"] is None
    assert "memory_grows" not in [f.code for f in answer.result.findings]


@pytest.mark.parametrize("until", [3, 7], ids=["set up once", "growth that ends"])
def test_what_ends_is_no_leak(until: int) -> None:
    assert leaking(12, kept=2 << 20, until=until).result.summary["growth_confidence"] == "none"


@pytest.mark.parametrize("seed", range(2))
def test_noise_is_no_leak(seed: int) -> None:
    """Steps that begin with more or less in use, at random."""
    rng = np.random.default_rng(seed)
    space, gpu = memory(100 << 20)
    steps(gpu.line, *((100 * i, 100 * i + 100) for i in range(12)))
    for i in range(12):
        size = int(rng.integers(1, 50)) << 20
        gpu.allocate(100 * i, 0x1000 + i, size, "prefetch")
        gpu.free_(100 * i + 99.9 + rng.integers(0, 90), 0x1000 + i, size)
    answer = answer_of(space)
    assert "memory_grows" not in [f.code for f in answer.result.findings]


def leaking(steps_: int, kept: int, until: int = 1000) -> Answer:
    """Steps that allocate and free 1 MiB, and up to one of them allocate what stays."""
    space, gpu = memory(100 << 20)
    steps(gpu.line, *((100 * i, 100 * i + 100) for i in range(steps_)))
    for i in range(steps_):
        gpu.allocate(100 * i + 10, 0x10, 1 << 20, "frees")
        if i < until:
            gpu.allocate(100 * i + 20, 0x1000 + i, kept, "keeps")
        gpu.free_(100 * i + 30, 0x10, 1 << 20)
    return answer_of(space)


def test_a_leak_elsewhere_is_told() -> None:
    space, gpu = memory(800 << 30, limit=1000 << 30)
    steps(gpu.line, *((100 * i, 100 * i + 100) for i in range(9)))
    host = Memory(gpu.line, name="gpu_host_bfc", limit=64 << 30)
    for i in range(9):
        gpu.allocate(100 * i + 10, 0x10, 1 << 20, "frees")
        gpu.free_(100 * i + 30, 0x10, 1 << 20)
        host.allocate(100 * i + 50, 0x1000 + i, 4 << 20, "keeps")
    first = answer_of(space).result.findings[0]
    assert (first.code, first.action) == (
        "memory_grows.elsewhere",
        "Choose memory=gpu_host_bfc to see what is not freed.",
    )
    assert (first.params["growth"], first.params["steps"]) == (4 << 20, 8)


def test_what_ends_a_run_is_said_first() -> None:
    """A leak comes before what fills the memory, and leads to the last steps."""
    leak, holds = leaking(steps_=8, kept=2 << 20).result.findings[:2]
    assert (leak.code, leak.severity) == ("memory_grows", "warning")
    assert (leak.tool, len(leak.evidence)) == ("trace_viewer", 3)
    assert leak.evidence[0].end_ps == leak.evidence[1].start_ps
    assert holds.code == "memory_peak"
