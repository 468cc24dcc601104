"""What TPUs pad: products of programs in a few lines, and what is said of them."""

from __future__ import annotations

from typing import Any

import pytest

from tensorboard_perfplugin.analysis.ops.use import Padded, Product
from tensorboard_perfplugin.tools.hlo_stats import HLO_STATS
from tensorboard_perfplugin.tools.op_profile import OP_PROFILE
from tensorboard_perfplugin.tools.op_stats import OP_STATS
from tensorboard_perfplugin.tools.overview import OVERVIEW
from tests.build_capture import Space, StatValue, chunk
from tests.build_program import computation, instruction, packed, program, shape
from tests.timeline.timelines import timeline
from tests.tools.answered import answered, rows_of

US = 10**6
#: 10¹² FLOP/s.
PEAK = 1.0


def ran(message: bytes, name: str, *, us: float = 10, times: int = 1, peak: float = PEAK, other_us: float = 0) -> Space:
    """A TPU that runs an instruction so often, for so long each time, and something else."""
    space = Space()
    attributes: dict[str, StatValue] = {"peak_teraflops_per_second": peak} if peak else {}
    tpu = space.plane("/device:TPU:0", stats=attributes)
    ran_by: dict[str, StatValue] = {"program_id": 5, "hlo_category": "convolution fusion", "tf_op": "jit(f)/dot:"}
    tpu.kind(f"%{name} = f32[] x", name, ran_by)
    beside: dict[str, StatValue] = {"program_id": 5, "hlo_category": "elementwise"}
    tpu.kind("%tanh.1 = f32[] y", "tanh.1", beside)
    line = tpu.line(3, "XLA Ops")
    at = 0
    for _ in range(times):
        line.event(f"%{name} = f32[] x", at, int(us * US))
        at += int(us * US)
    if other_us:
        line.event("%tanh.1 = f32[] y", at, int(other_us * US))
    held: dict[str, StatValue] = {"Hlo Proto": message, "program_id": 5}
    space.plane("/host:metadata").kind("jit_f(5)", stats=held)
    return space


def dot(rows: int, summed: int, columns: int, batch: int = 0) -> bytes:
    first = (batch,) if batch else ()
    #: DotDimensionNumbers: what is summed over, and the batch.
    numbers = packed(1, (2,)) + packed(2, (1,)) + packed(3, (0,)) + packed(4, (0,)) if batch else packed(1, (1,))
    left, right = shape("bf16", *first, rows, summed), shape("bf16", *first, summed, columns)
    body = [
        instruction(1, "x", "parameter", left),
        instruction(2, "y", "parameter", right),
        instruction(3, "dot.1", "dot", shape("bf16", *first, rows, columns), (1, 2)) + chunk(30, numbers),
    ]
    return program(computation(9, body), entry=9)


def said(space: Space) -> list[dict[str, Any]]:
    return [f for f in answered(OP_STATS, timeline(space)).to_dict()["findings"] if f["code"] == "product_padded"]


def test_half_of_a_product_is_padding() -> None:
    """64 of 128 are summed over: as much again is padding, 33.5 µs of 100 at the peak rate."""
    [finding] = said(ran(dot(2048, 64, 128), "dot.1", us=100))
    flops = 2 * 2048 * 64 * 128
    assert finding["params"] == {
        "op": "jit(f)/dot",
        "type": None,
        "share": pytest.approx(flops / 1e12 / 100e-6),
        "of_op": 1.0,
        "rows": 2048,
        "summed": 64,
        "columns": 128,
        "padded_rows": 2048,
        "padded_summed": 128,
        "padded_columns": 128,
        "padding": 0.5,
    }
    assert finding["search"] == "op_stats.ops.self_us?side=device&name=jit%28f%29%2Fdot&type=dot&module=jit_f"


def test_a_batch_of_products_is_padded_one_by_one() -> None:
    [finding] = said(ran(dot(2048, 64, 128, batch=3), "dot.1", us=100))
    params = finding["params"]
    assert (params["rows"], params["summed"], params["columns"], params["padding"]) == (2048, 64, 128, 0.5)


def test_no_more_is_lost_than_the_product_takes() -> None:
    [finding] = said(ran(dot(2048, 64, 128), "dot.1", us=10, other_us=10))
    assert finding["share"] == pytest.approx(0.25)


@pytest.mark.parametrize(("other_us", "times"), [(72, 1), (73, 0)])
def test_a_twentieth_of_the_time_is_worth_a_line(other_us: float, times: int) -> None:
    """4 of 80 µs, or less."""
    assert len(said(ran(dot(2048, 64, 128), "dot.1", us=4, times=2, other_us=other_us))) == times


@pytest.mark.parametrize(("idle_us", "times"), [(61, 1), (62, 0)])
def test_the_overview_says_it_where_it_costs_a_twentieth_of_the_step(idle_us: float, times: int) -> None:
    """33.55 µs of padding, of which a twentieth is 671 µs: 610 of ops, the rest idle."""
    space = ran(dot(2048, 64, 128), "dot.1", us=100, other_us=510)
    tpu = space.planes[0]
    steps = tpu.line(1, "Steps")
    for i in range(3):
        if i:
            tpu.lines[0].event("%dot.1 = f32[] x", int(i * (610 + idle_us) * US), 100 * US)
            tpu.lines[0].event("%tanh.1 = f32[] y", int((i * (610 + idle_us) + 100) * US), 510 * US)
        steps.event(str(i), int(i * (610 + idle_us) * US), 610 * US)
    [on_page] = said(space)
    findings = answered(OVERVIEW, timeline(space)).to_dict()["findings"]
    on_overview = [f for f in findings if f["code"] == "product_padded"]
    assert len(on_overview) == times
    assert all(f["params"] == on_page["params"] and f["search"] == on_page["search"] for f in on_overview)


def test_pages_of_instructions_have_the_same_padding() -> None:
    """Three executions of 100 µs: the FLOPs at the peak rate are the time of the finding."""
    space = ran(dot(2048, 64, 128), "dot.1", us=100, times=3, other_us=100)
    [finding] = said(space)
    lost_flops = finding["params"]["share"] * 400e-6 * PEAK * 1e12
    [(flops, share)] = rows_of(answered(HLO_STATS, timeline(space)), "instructions", "padding_flops", "padding_share")[
        :1
    ]
    assert (flops, share) == (pytest.approx(lost_flops), finding["params"]["padding"])
    [whole, *_] = rows_of(answered(OP_PROFILE, timeline(space)), "profile", "padding_flops")
    assert whole == (pytest.approx(lost_flops),)


def test_of_several_hosts_the_product_that_loses_most_is_named() -> None:
    """Of an op one product loses 3 + 3 ps, the other 4: more than one host's of the first, less than both together."""
    one, other = Product(1, 9, 128, 128), Product(1, 17, 128, 128)
    first = Padded(3.0, one, 3.0)
    assert first.plus(Padded(4.0, other, 4.0)) == (7.0, other, 4.0)
    assert first.plus(first).plus(Padded(4.0, other, 4.0)) == (10.0, one, 6.0)


def test_tiles_of_128_and_8() -> None:
    tiles = {
        **dict.fromkeys([(8, 128, 128), (1, 1, 1)], (8, 128, 128)),
        (1024, 130, 72): (1024, 256, 72),
        (1000, 128, 1000): (1000, 128, 1024),
        (9, 128, 256): (16, 128, 256),
    }
    assert {of: Product(1, *of).padded for of in tiles} == tiles


def convolved(features: int, given: int, columns: int, *, features_first: bool = False) -> bytes:
    """In a fusion: an image of 32 × 32 by a window of 3 × 3. features_first: before height and width; the kernel's
    first axis is the result's features."""
    axes = {7: (0,), 8: (3,), 11: (1, 2), 3: (2,), 4: (3,), 6: (0, 1), 9: (0,), 10: (3,), 12: (1, 2)}
    image, window, result = (8, 32, 32, given), (3, 3, features, columns), (8, 32, 32, columns)
    if features_first:
        axes = {7: (0,), 8: (1,), 11: (2, 3), 3: (1,), 4: (0,), 6: (2, 3), 9: (0,), 10: (1,), 12: (2, 3)}
        image, window, result = (8, given, 32, 32), (columns, features, 3, 3), (8, columns, 32, 32)
    shapes = shape("bf16", *image), shape("bf16", *window), shape("bf16", *result)
    sides = [{1: 3, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1}] * 2
    inner = [instruction(1, "x", "parameter", shapes[0]), instruction(2, "k", "parameter", shapes[1])]
    inner += [instruction(3, "conv.1", "convolution", shapes[2], (1, 2), window=sides, convolution=axes, groups=1)]
    outer = [instruction(11, "a", "parameter", shapes[0]), instruction(12, "b", "parameter", shapes[1])]
    outer += [instruction(13, "fusion.7", "fusion", shapes[2], (11, 12), calls=(4,))]
    return program(computation(4, inner), computation(9, outer), entry=9)


@pytest.mark.parametrize(("features", "features_first"), [(3, False), (5, True)])
def test_a_convolution_sums_over_features_and_window(features: int, features_first: bool) -> None:
    message = convolved(features, features, 64, features_first=features_first)
    [finding] = said(ran(message, "fusion.7", us=100))
    params = finding["params"]
    assert (params["rows"], params["summed"], params["columns"]) == (8 * 32 * 32, 9 * features, 64)
    assert (params["padded_rows"], params["padded_summed"], params["padded_columns"]) == (8 * 32 * 32, 128, 64)


def test_where_nothing_is_said() -> None:
    """Of multiples, without a peak rate, of a convolution in groups; by the overview without steps."""
    assert said(ran(dot(8, 128, 128), "dot.1", us=1)) == said(ran(dot(1024, 512, 1000), "dot.1", us=1)) == []
    assert said(ran(dot(2048, 64, 128), "dot.1", peak=0)) == []
    assert said(ran(convolved(1, 64, 64), "fusion.7", us=100)) == []
    found = answered(OVERVIEW, timeline(ran(dot(2048, 64, 128), "dot.1", us=100))).to_dict()["findings"]
    assert "product_padded" not in [f["code"] for f in found]
