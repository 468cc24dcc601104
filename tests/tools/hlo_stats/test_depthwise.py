"""Depthwise convolutions in XLA programs: forward, their gradients, and in groups of more channels."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.tools.hlo_stats import HLO_STATS
from tests.build_capture import Space, StatValue, number
from tests.build_program import computation, instruction, program, shape
from tests.timeline.timelines import timeline
from tests.tools.answered import answered

#: Axes of `b01f_01io->b01f`, and of `f01b_i01o->01bf`, which gives a kernel's gradient.
FORWARD = {7: (0,), 8: (3,), 11: (1, 2), 3: (2,), 4: (3,), 6: (0, 1), 9: (0,), 10: (3,), 12: (1, 2)}
GRADIENT = {7: (3,), 8: (0,), 11: (1, 2), 3: (0,), 4: (3,), 6: (1, 2), 9: (2,), 10: (3,), 12: (0, 1)}
IMAGE, WINDOW = shape("f32", 4, 16, 16, 24), [{1: 3, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1}] * 2


def codes(
    kernel: bytes,
    result: bytes,
    axes: dict[int, tuple[int, ...]],
    groups: int = 1,
    fused: bool = True,
    target: str = "",
) -> list[str]:
    """What is reported of a convolution that takes a tenth of the time, in a fusion or not. groups: of its images."""
    opcode = "custom-call" if target else "convolution"
    more = {"window": WINDOW, "convolution": axes, "target": target}
    one = [instruction(1, "x", "parameter", IMAGE), instruction(2, "k", "parameter", kernel)]
    convolved = instruction(3, "conv.1", opcode, result, (1, 2), **more) + number(58, groups)  # type: ignore[arg-type]
    outer = [instruction(11, "a", "parameter", IMAGE), instruction(12, "b", "parameter", kernel)]
    outer += [instruction(13, "fusion.1", "fusion", result, (11, 12), calls=(4,))]
    parts = [computation(4, [*one, convolved]), computation(9, outer)] if fused else [computation(9, [*one, convolved])]
    space = Space()
    held: dict[str, StatValue] = {"Hlo Proto": program(*parts, entry=9), "program_id": 5}
    space.plane("/host:metadata").kind("jit_f(5)", stats=held)
    tpu = space.plane("/device:TPU:0")
    line, at = tpu.line(3, "XLA Ops"), 0
    for name, us in (("fusion.1" if fused else "conv.1", 1), ("tanh.2", 9)):
        ran: dict[str, StatValue] = {"program_id": 5, "hlo_category": name}
        tpu.kind(f"%{name} = x", name, ran)
        line.event(f"%{name} = x", at, us * 10**6)
        at += us * 10**6
    return [finding.code for finding in answered(HLO_STATS, timeline(space)).result.findings]


@pytest.mark.parametrize("fused", [True, False])
def test_a_convolution_of_each_channel_by_itself(fused: bool) -> None:
    assert "instructions_depthwise" in codes(shape("f32", 3, 3, 1, 24), IMAGE, FORWARD, fused=fused)


def test_the_gradient_of_its_kernel_has_as_many_groups_as_images() -> None:
    gradient = shape("f32", 3, 3, 1, 24)
    assert "instructions_depthwise" in codes(IMAGE, gradient, GRADIENT, groups=24)
    assert "instructions_depthwise" not in codes(IMAGE, gradient, GRADIENT, groups=6)
    # cuDNN's call has the kernel as its result.
    assert "instructions_depthwise" in codes(IMAGE, gradient, FORWARD, fused=False, target="__cudnn$convBackwardFilter")


@pytest.mark.parametrize("features", [2, 24])
def test_groups_of_more_channels_are_none(features: int) -> None:
    assert "instructions_depthwise" not in codes(shape("f32", 3, 3, features, 24), IMAGE, FORWARD)
