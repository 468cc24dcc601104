"""Custom calls on a TPU, of which XLA counts no bytes: their costs are not known, and their own spans show waits."""

from __future__ import annotations

from typing import Any

import pytest

import tensorboard_perfplugin
from tensorboard_perfplugin.tools import find_tool
from tests.build_capture import Space, StatValue
from tests.timeline.timelines import timeline
from tests.tools.answered import answered

US = 10**6
#: What a kernel of Pallas's takes and gives, as XLA writes it.
PRODUCT = "f32[64,512]{1,0:T(8,128)} custom-call(f32[64,128]{1,0:T(8,128)} %x, f32[128,512]{1,0:T(8,128)} %y)"
FLOPS = 2 * 64 * 128 * 512


def ran(of: str = PRODUCT, wait_us: int = 7, bytes_accessed: int = 0, dot_us: int = 0) -> Space:
    """A step every 12 µs: a custom call of 10 µs that waits for its copies from 1 µs on, and a product."""
    space = Space()
    peaks: dict[str, StatValue] = {"peak_teraflops_per_second": 1.0, "peak_hbm_bw_gigabytes_per_second": 10.0}
    tpu = space.plane("/device:TPU:0", stats=peaks)
    call = f'%kernel.1 = {of}, custom_call_target="tpu_custom_call"'
    costs: dict[str, StatValue] = {"flops": 1000, "bytes_accessed": bytes_accessed, "tf_op": "jit(f)/pallas_call:"}
    tpu.kind(call, "kernel.1", costs | {"hlo_category": "custom-call"})
    dot: dict[str, StatValue] = {"hlo_category": "convolution", "flops": 5000, "bytes_accessed": 500}
    tpu.kind("%dot.1 = f32[] x", "dot.1", dot)
    modules, ops, spans = (tpu.line(i, name) for i, name in enumerate(("XLA Modules", "XLA Ops", "XLA TraceMe"), 1))
    for begin in range(0, 72 * US, 12 * US):
        modules.event("jit_f(1)", begin, 11 * US)
        ops.event(call, begin, 10 * US)
        spans.event("ep_run_kernel", begin, 10 * US)
        spans.event("ep_wait_in", begin + US, wait_us * US)
        if dot_us:
            ops.event("%dot.1 = f32[] x", begin + 10 * US, dot_us * US)
    return space


def answer(space: Space, tool: str) -> dict[str, Any]:
    return answered(find_tool(tool), timeline(space)).to_dict()


def op(space: Space) -> dict[str, Any]:
    """The only row."""
    columns = answer(space, "op_stats")["tables"]["ops"]["columns"]
    return {name: cells[0] for name, cells in columns.items()}


def test_bytes_are_unknown_and_flops_those_of_the_only_product_that_it_can_be() -> None:
    row = op(ran())
    assert (row["bytes"], row["gb_s"], row["bound_by"], row["roof_share"]) == (None, None, "", None)
    assert row["gflop_s"] == pytest.approx(FLOPS / 10e-6 / 1e9)


@pytest.mark.parametrize(
    "of",
    [
        "f32[64,64]{1,0} custom-call(f32[64,64]{1,0} %x, f32[64,64]{1,0} %y)",
        "f32[64,128]{1,0} custom-call(f32[64,128]{1,0} %x)",
        "(f32[64,512]{1,0}, f32[64]{0}) custom-call(f32[64,128]{1,0} %x, f32[128,512]{1,0} %y)",
        "f32[64,128]{1,0} custom-call(f32[64,128]{1,0} %x, f32[64,128]{1,0} %y)",
        "f32[64,512]{1,0} custom-call(f32[64,128]{1,0} %x, f32[128,512]{1,0} %y, s32[4]{0} %z)",
    ],
)
def test_flops_of_other_shapes_are_unknown(of: str) -> None:
    assert op(ran(of))["gflop_s"] is None


def test_costs_that_the_author_of_the_kernel_gives_count() -> None:
    row = op(ran(bytes_accessed=4000))
    assert (row["bytes"], row["gflop_s"]) == (6 * 4000, pytest.approx(0.1))


@pytest.mark.parametrize("dot_us", [0, 1])
def test_what_all_ops_move_is_unknown_where_such_calls_take_much(dot_us: int) -> None:
    names = ("mxu_utilization_share", "hbm_utilization_share", "bandwidth_utilization_share")
    given = answer(ran(dot_us=dot_us), "overview")
    assert [given["summary"][name] for name in names] == [None, None, None]
    known = answer(ran(bytes_accessed=4000, dot_us=dot_us), "overview")["summary"]
    assert None not in [known[name] for name in names]


@pytest.mark.parametrize(("wait_us", "share"), [(7, 0.7), (5, 0.5), (4, None)])
def test_a_kernel_that_mostly_waits_for_its_copies(wait_us: int, share: float | None) -> None:
    space = ran(wait_us=wait_us)
    found = [f for f in answer(space, "op_stats")["findings"] if f["code"] == "kernel_waits_for_copies"]
    assert [f["params"]["of_op"] for f in found] == ([] if share is None else [share])
    first = answer(space, "overview")["findings"]
    assert ("kernel_waits_for_copies" in [f["code"] for f in first]) == (share is not None)


def test_compute_in_such_calls_is_not_called_as_it_should_be() -> None:
    def detail(space: Space) -> str:
        findings = answer(space, "overview")["findings"]
        return str(next(f["detail"] for f in findings if f["code"] == "computes"))

    assert "as it should be" not in detail(ran())
    assert "as it should be" in detail(ran(bytes_accessed=4000))


def test_compute_of_a_host_alone_is_as_it_should_be() -> None:
    findings = tensorboard_perfplugin.open("tests/samples/jax_train").overview().to_dict()["findings"]
    assert any("as it should be" in finding["detail"] for finding in findings)
