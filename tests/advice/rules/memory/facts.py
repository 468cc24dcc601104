"""Facts on a memory in one line: 1,000 bytes at the peak of 10,000, unless they are changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import structs

from tensorboard_perfplugin.analysis.memory.events import Live
from tensorboard_perfplugin.analysis.memory.systems import Growth, StepUse, System
from tensorboard_perfplugin.analysis.memory.use import MemoryFacts, OpUse
from tests.tools.host_steps import steps

MIB = 1 << 20
NO_GROWTH = Growth(0.0, "none", 0, 0.0, None)
SYSTEM = System(
    host="h",
    system="GPU_0_bfc",
    kind="gpu",
    device="/device:GPU:0",
    track=3,
    allocations=1,
    deallocations=0,
    capacity_bytes=10_000,
    lifetime_peak_bytes=None,
    peak_bytes=1000,
    peak_ps=7,
    peak_step="",
    stack_bytes=0,
    heap_bytes=1000,
    free_bytes=9000,
    fragmentation_share=None,
    allocated_bytes=1000,
    step_allocated_bytes=None,
    live_allocations=1,
    live_bytes=1000,
    before_bytes=0,
    unexplained_bytes=0,
    growth=NO_GROWTH,
    doubtful={},
    reports_use=True,
)


def system(**changes: Any) -> System:
    return structs.replace(SYSTEM, **changes)


def facts(
    peak: Sequence[Live] = (),
    ops: Sequence[OpUse] = (),
    allocations: Sequence[int] = (),
    *,
    cut: bool = False,
    **changes: Any,
) -> MemoryFacts:
    """allocations: by step. changes: of the system."""
    of = steps(range(len(allocations) + 1), len(allocations) + 1)
    counts = np.array([*allocations, 0], np.int64)
    none = np.zeros(len(of), np.int64)
    use = StepUse(of, none, none, none, none, counts, none, none, none, none)
    return MemoryFacts(system(**changes), peak, ops, use, (5, 9), cut)
