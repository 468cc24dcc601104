"""FLOPs and bytes of the ops in steps beside the devices' peaks."""

from __future__ import annotations

import pytest

from tests.build_capture import Space, StatValue
from tests.build_program import computation, instruction, program, shape
from tests.timeline.timelines import timeline
from tests.tools.overview.test_overview import MS, ask

NAMES = ("flop_utilization_share", "bandwidth_utilization_share")
PEAKS: dict[str, StatValue] = {"peak_teraflops_per_second": 100.0, "peak_hbm_bw_gigabytes_per_second": 1000.0}


def tpu(peaks: dict[str, StatValue], flops: int, moved_bytes: int) -> Space:
    """A core with three steps of 10 ms, each a loop of 9 ms with one op of 8 ms in it; two count."""
    space = Space()
    core = space.plane("/device:TPU:0", stats=peaks)
    costs: dict[str, StatValue] = {"flops": flops, "bytes_accessed": moved_bytes}
    core.kind("%while = while()", "while", stats=costs, key=1)
    core.kind("%fusion = fusion()", "fusion", stats=costs, key=2)
    steps, ops = core.line(1, "Steps"), core.line(3, "XLA Ops")
    for number in range(3):
        steps.event(str(number), number * 10 * MS, 10 * MS, stats={"group_id": number})
        ops.event(1, number * 10 * MS, 9 * MS).event(2, number * 10 * MS, 8 * MS)
    return space


def test_ops_count_once_where_they_nest() -> None:
    """Two of 10¹¹ FLOPs in 20 ms of 10¹⁴ FLOP/s; two of 10⁹ bytes of 10¹² bytes/s."""
    summary = ask(timeline(tpu(PEAKS, 10**11, 10**9))).result.summary
    assert [summary[name] for name in NAMES] == pytest.approx([0.1, 0.1])


def test_without_peaks_there_is_no_share_of_them() -> None:
    answer = ask(timeline(tpu({}, 10**11, 10**9)))
    assert answer.result.summary[NAMES[0]] is None
    assert answer.result.unknown[NAMES[0]].startswith("the capture lacks")


@pytest.mark.parametrize(("flops", "known"), [(10**12, True), (10**12 + 10**10, False)])
def test_more_than_a_device_can_is_unknown(flops: int, known: bool) -> None:
    """10¹² FLOPs in a step of 10 ms are the peak of 10¹⁴ a second."""
    answer = ask(timeline(tpu(PEAKS, flops, 10**9)))
    assert (answer.result.summary[NAMES[0]] is not None) is known
    assert answer.result.unknown.get(NAMES[0], "").startswith("" if known else "the ops account for more")


@pytest.mark.parametrize(
    ("flops", "moved", "code"),
    [
        (1_049_000_000_000, 10**9, None),
        (1_050_000_000_000, 10**9, "rate_above_peak.flops"),
        (10**11, 10_490_000_000, None),
        (10**11, 10_500_000_000, "rate_above_peak.bytes"),
    ],
)
def test_a_rate_above_the_peak_is_said(flops: int, moved: int, code: str | None) -> None:
    answer = ask(timeline(tpu(PEAKS, flops, moved)))
    found = [finding for finding in answer.result.findings if finding.code.startswith("rate_above_peak")]
    assert [finding.code for finding in found] == ([] if code is None else [code])
    if code == "rate_above_peak.flops":
        assert found[0].params == {"flops_per_s": pytest.approx(1.05e14), "flops_peak": pytest.approx(1e14)}


@pytest.mark.parametrize(
    ("other", "share"), [("MemcpyH2D", 0.1), ("library_kernel", None)], ids=["a copy computes nothing", "who knows"]
)
def test_kernels_count_where_their_program_tells_of_all(other: str, share: float | None) -> None:
    """A product of 10¹² FLOPs in each step of 10 ms, at 10¹⁵ FLOP/s."""
    left, right = shape("bf16", 10_000, 10_000), shape("bf16", 10_000, 5_000)
    dot = instruction(3, "dot.1", "dot", right, (1, 2), contracts=(1,))
    entry = [instruction(1, "x", "parameter", left), instruction(2, "y", "parameter", right), dot]
    space = Space()
    space.plane("/host:metadata").kind("jit_f(5)", stats={"Hlo Proto": program(computation(1, entry))})
    marks = space.plane("/host:CPU").line(1, "python")
    stream = space.plane("/device:GPU:0", stats={"peak_teraflops_per_second": 1000.0}).line(7, "Stream #7")
    for number in range(3):
        marks.event("train", number * 10 * MS, 10 * MS, {"step_num": number, "_r": 1})
        facts: dict[str, StatValue] = {"hlo_op": "dot.1", "hlo_module": "jit_f", "program_id": 5}
        stream.event("gemm", number * 10 * MS, 5 * MS, facts).event(other, number * 10 * MS + 6 * MS, MS)
    assert ask(timeline(space)).result.summary[NAMES[0]] == (None if share is None else pytest.approx(share))
