"""A fusion that holds a product and ends in a sum: every page of ops names it by the product, which takes its time."""

from __future__ import annotations

from typing import Any

import pytest

from tensorboard_perfplugin.tools.declaration import Tool
from tensorboard_perfplugin.tools.hlo_stats import HLO_STATS
from tensorboard_perfplugin.tools.op_profile import OP_PROFILE
from tensorboard_perfplugin.tools.op_stats import OP_STATS
from tests.build_capture import Space, StatValue
from tests.build_program import computation, instruction, program, shape
from tests.timeline.timelines import timeline
from tests.tools.answered import answered, rows_of

US = 10**6
A, B, C, SUM = shape("f32", 64, 32), shape("f32", 32, 8), shape("f32", 64, 8), shape("f32", 64)


def fused(name: str) -> bytes:
    """`jnp.sum(a @ b, axis=1)` as one fusion, which has the name of the sum."""
    inner = [
        instruction(1, "a", "parameter", A),
        instruction(2, "b", "parameter", B),
        instruction(3, "dot.1", "dot", C, (1, 2), contracts=(1,), op_name="jit(f)/dot_general"),
        instruction(4, "reduce.1", "reduce", SUM, (3,), op_name="jit(f)/reduce_sum"),
    ]
    outer = [instruction(11, "x", "parameter", A), instruction(12, "y", "parameter", B)]
    outer += [instruction(13, name, "fusion", SUM, (11, 12), calls=(1,), op_name="jit(f)/reduce_sum")]
    return program(computation(1, inner), computation(2, outer), entry=2)


def ran(fusion: str, **event: StatValue) -> Space:
    """On a GPU. event: more that the event says."""
    space = Space()
    held: dict[str, StatValue] = {"Hlo Proto": fused(fusion), "program_id": 5}
    space.plane("/host:metadata").kind("jit_f(5)", stats=held)
    line = space.plane("/device:GPU:0").line(7, "Stream #7(Compute)")
    facts: dict[str, StatValue] = {"hlo_op": fusion, "hlo_module": "jit_f", "program_id": 5}
    line.event("triton_gemm", 0, US, stats={**facts, **event})
    return space


def column(tool: Tool, space: Space, table: str, name: str) -> list[Any]:
    return [value for (value,) in rows_of(answered(tool, timeline(space)), table, name)]


@pytest.mark.parametrize("event", [{}, {"name": "jit(f)/reduce_sum"}], ids=["by the program", "by the event"])
def test_it_is_named_by_its_product(event: dict[str, StatValue]) -> None:
    space = ran("gemm_fusion_dot.3", **event)
    assert column(OP_STATS, space, "ops", "name") == ["jit(f)/dot_general"]
    assert column(OP_STATS, space, "ops", "type") == ["dot_general"]
    assert column(HLO_STATS, space, "instructions", "op_name") == ["jit(f)/dot_general"]
    assert "jit(f)/dot_general" in column(OP_PROFILE, space, "profile", "op_name")


def test_a_fusion_of_elements_has_the_name_that_its_event_gives() -> None:
    """Its program is not read for it."""
    space = ran("loop_add_fusion.3", name="jit(f)/add")
    assert column(OP_STATS, space, "ops", "name") == ["jit(f)/add"]
