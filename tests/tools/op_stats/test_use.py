"""op_stats: FLOPs, bytes, roofline and tensor cores of small captures whose whole rows are here."""

from __future__ import annotations

import json
import math

import pytest

from tests.build_capture import Space, StatValue, Uint
from tests.timeline.timelines import timeline
from tests.tools.op_answers import NS, US, ask, host_line, rows

USE = ("gflop_s", "model_gflop_s", "bytes", "gb_s", "intensity", "bound_by", "roof_share")
TPU: dict[str, StatValue] = {"peak_teraflops_per_second": 100.0, "peak_hbm_bw_gigabytes_per_second": 1000.0}


def tpu(stats: dict[str, StatValue], peaks: dict[str, StatValue] = TPU, times: int = 2) -> Space:
    """One op, that ran for 1 µs each time."""
    space = Space()
    plane = space.plane("/device:TPU:0", stats=peaks)
    plane.kind("%dot.1", stats={"hlo_category": "convolution", **stats})
    line = plane.line(3, "XLA Ops")
    for i in range(times):
        line.event("%dot.1", i * 2 * US, US)
    return space


def test_rates_of_a_tpu_s_op_and_which_peak_it_is_nearer_to() -> None:
    """80 MFLOP in a µs are 80 TFLOP/s, of 100; 100 kB in a µs are 100 GB/s, of 1000."""
    space = tpu({"flops": 80_000_000, "model_flops": 40_000_000, "bytes_accessed": 100_000})
    answer = ask(timeline(space))
    assert rows(answer, *USE) == [(80_000.0, 40_000.0, 200_000, 100.0, 800.0, "Compute", 0.8)]
    assert (answer.result.summary["peak_tflops"], answer.result.summary["peak_gb_s"]) == (100.0, 1000.0)
    space = tpu({"flops": 1_000_000, "bytes_accessed": 100_000})
    assert rows(ask(timeline(space)), *USE) == [(1000.0, 1000.0, 200_000, 100.0, 10.0, "HBM", 0.1)]


def test_executions_of_which_only_the_sum_is_known_count_with_the_others() -> None:
    space = tpu({"flops": 80_000_000, "bytes_accessed": 100_000})
    space.planes[0].lines[0].event("%dot.1", duration_ps=6 * US, occurrences=6)
    answer = ask(timeline(space))
    assert rows(answer, "occurrences", "total_us") == [(8, 8.0)]
    assert rows(answer, *USE) == [(80_000.0, 80_000.0, 800_000, 100.0, 800.0, "Compute", 0.8)]


@pytest.mark.parametrize(("mflop", "said"), [(104, False), (105, True)])
def test_an_op_that_computes_faster_than_its_device_is_not_believed(mflop: int, said: bool) -> None:
    """Its rate, of 100 TFLOP/s at most, and what follows from it are withdrawn."""
    answer = ask(timeline(tpu({"flops": mflop * 1_000_000, "bytes_accessed": 100_000})))
    assert rows(answer, "gflop_s", "bound_by", "roof_share") == [
        (None, "", None) if said else (mflop * 1000.0, "Compute", None)
    ]
    found = {finding.code: finding.params for finding in answer.result.findings}
    assert ("rate_above_peak.op" in found) is said
    assert not said or found["rate_above_peak.op"]["times"] == pytest.approx(1.05)


def test_without_peaks_there_are_rates_and_no_roofline() -> None:
    answer = ask(timeline(tpu({"flops": 80_000_000, "bytes_accessed": 100_000}, peaks={})))
    assert rows(answer, *USE) == [(80_000.0, 80_000.0, 200_000, 100.0, 800.0, "", None)]
    assert (
        answer.result.unknown["peak_tflops"]
        == "neither the capture nor the table of data sheets has the peak rates of its devices"
    )


def test_hosts_add_up_and_one_without_peaks_takes_the_roofline_from_all() -> None:
    facts: dict[str, StatValue] = {"flops": 80_000_000, "bytes_accessed": 100_000}
    one, two, three = (timeline(tpu(facts), host) for host in "abc")
    none = timeline(tpu(facts, peaks={}), "d")
    assert rows(ask(one, two, three), *USE) == [(80_000.0, 80_000.0, 600_000, 100.0, 800.0, "Compute", 0.8)]
    assert rows(ask(one, none), *USE) == [(80_000.0, 80_000.0, 400_000, 100.0, 800.0, "", None)]
    assert ask(one, none).result.unknown["peak_tflops"] == "the devices differ"


def test_a_host_of_which_nothing_is_known_leaves_the_others_rates() -> None:
    """Rates are of the time of the executions that are known."""
    known = timeline(tpu({"flops": 80_000_000, "bytes_accessed": 100_000}), "a")
    unknown = timeline(tpu({}), "b")
    answer = ask(known, unknown)
    assert rows(answer, *USE) == [(80_000.0, 80_000.0, 200_000, 100.0, 800.0, "Compute", 0.8)]
    assert rows(answer, "occurrences", "total_us") == [(4, 4.0)]


def test_more_than_the_peak_has_no_share_of_it_and_much_more_is_no_rate() -> None:
    """Caches deliver what the memory cannot; the start of a copy takes no time for what is moved after it."""
    columns = ("bytes", "gb_s", "bound_by", "roof_share")
    cached, started = (timeline(tpu({"flops": 1, "bytes_accessed": size})) for size in (5_000_000, 50_000_000))
    assert rows(ask(cached), *columns) == [(10_000_000, 5000.0, "HBM", None)]
    assert rows(ask(started), *columns) == [(100_000_000, None, "", None)]


def test_what_only_waits_is_bound_by_nothing_of_its_own() -> None:
    """The end of a copy has the bytes of the copy, which runs beside it."""
    space = Space()
    plane = space.plane("/device:TPU:0", stats=TPU)
    facts: dict[str, StatValue] = {"hlo_category": "copy-done", "flops": 0, "bytes_accessed": 100_000}
    plane.kind("%copy-done.1", stats=facts)
    plane.line(3, "XLA Ops").event("%copy-done.1", 0, US)
    assert rows(ask(timeline(space)), "wait_share", "gb_s", "bound_by", "roof_share") == [(1.0, 100.0, "", None)]


@pytest.mark.parametrize(("works_ns", "bound_by"), [(11, "HBM"), (9, "")])
def test_an_op_that_waits_for_999_parts_of_1000_is_bound_by_nothing(works_ns: int, bound_by: str) -> None:
    """A fusion and the end of a copy, which are one op of 10 µs."""
    space = Space()
    plane = space.plane("/device:TPU:0", stats=TPU)
    for key, category in enumerate(("fusion", "copy-done"), 1):
        facts: dict[str, StatValue] = {
            "hlo_category": category,
            "tf_op": "jit(f)/x:",
            "flops": 0,
            "bytes_accessed": 1000,
        }
        plane.kind(f"%{category}", stats=facts, key=key)
    plane.line(3, "XLA Ops").event(1, 0, works_ns * NS).event(2, works_ns * NS, 10 * US - works_ns * NS)
    assert rows(ask(timeline(space)), "wait_share", "bound_by") == [(1 - works_ns / 10_000, bound_by)]


@pytest.mark.parametrize(
    "flops", [-1, -(1 << 63), math.nan, math.inf, -math.inf, "many", b"\x01", Uint((1 << 64) - 1), 1 << 62]
)
def test_sizes_that_cannot_be(flops: StatValue) -> None:
    """Whatever they are, the answer holds, and every number in it is one."""
    answer = ask(timeline(tpu({"flops": flops, "model_flops": flops, "bytes_accessed": flops}, times=5)))
    cells = [cell for row in rows(answer, *USE) for cell in row if isinstance(cell, float | int)]
    assert all(math.isfinite(cell) and cell >= 0 for cell in cells)
    assert all(cell is None or cell < 1 << 63 for (cell,) in rows(answer, "bytes"))


def test_an_op_that_took_no_time_has_no_rate() -> None:
    space = Space()
    plane = space.plane("/device:TPU:0", stats=TPU)
    facts: dict[str, StatValue] = {"hlo_category": "x", "flops": 5, "bytes_accessed": 5}
    plane.kind("%a", stats=facts)
    plane.line(3, "XLA Ops").event("%a", 0, 0).event("%a", 10, 0)
    assert rows(ask(timeline(space)), *USE) == [(None, None, 10, None, 1.0, "", None)]


def kernels(*names: tuple[str, str, int], **facts: StatValue) -> Space:
    """One kernel each: (op, kernel, ns), on one stream of a GPU."""
    space = Space()
    plane = space.plane("/device:GPU:0", stats=facts)
    line = plane.line(7, "Stream #7(Compute)")
    begin = 0
    for op, name, ns in names:
        line.event(name, begin, ns * NS, stats={"tf_op": op})
        begin += ns * NS
    return space


GEMM, SGEMM, ADD, COPY = "ampere_h16816gemm_128x64_nn", "ampere_sgemm_128x64_nn", "elementwise_kernel", "MemcpyD2D"


def test_tensor_cores_by_the_time_of_kernels_whose_names_tell() -> None:
    """Copies are no kernels."""
    space = kernels(
        ("a:MatMul", GEMM, 300),
        ("a:MatMul", ADD, 100),
        ("a:MatMul", COPY, 500),
        ("b:MatMul", SGEMM, 200),
        ("c:X", "mystery", 100),
        compute_cap_major=8,
        device_vendor="Nvidia",
    )
    assert rows(ask(timeline(space)), "name", "tensor_core_share") == [("a", 0.75), ("b", 0.0), ("c", None)]


def test_matrices_multiplied_without_tensor_cores_are_reported_where_the_device_has_some() -> None:
    for major, reported in ((8, True), (6, False)):
        space = kernels(("b:MatMul", SGEMM, 900), ("c:X", ADD, 100), compute_cap_major=major, device_vendor="Nvidia")
        findings = ask(timeline(space)).result.findings
        params = [f.params for f in findings if f.code == "op_without_tensor_cores"]
        assert params == [{"op": "b", "type": "MatMul", "side": "device", "share": 0.9}] * reported


def test_a_kernel_s_name_of_hostile_length_tells_nothing() -> None:
    space = kernels(("b:MatMul", "x" * 100_000, 900), ("b:MatMul", GEMM, 100))
    assert rows(ask(timeline(space)), "tensor_core_share") == [(1.0,)]


def test_hosts_have_rates_and_no_roofline() -> None:
    space = Space()
    line = host_line(space, 1)
    facts: dict[str, StatValue] = {"hlo_op": "dot.1", "hlo_module": "f", "flops": 5000, "bytes_accessed": 1000}
    line.event("dot.1", 0, US, stats=facts)
    assert rows(ask(timeline(space)), "name", *USE) == [("dot.1", 5.0, 5.0, 1000, 1.0, 5.0, "", None)]


def test_numbers_that_no_counter_holds_are_unknown() -> None:
    """Sums of them, and ratios to next to nothing, would be more than a number can be."""
    most, least = 1.7e308, 5e-324
    several: list[dict[str, StatValue]] = [{}, dict.fromkeys(TPU, most), dict.fromkeys(TPU, least)]
    for peaks in several:
        for flops, moved in ((most, 8), (8, most), (8, least), (most, least)):
            answer = ask(timeline(tpu({"flops": flops, "bytes_accessed": moved}, peaks=peaks)))
            json.dumps(answer.to_dict(), allow_nan=False)
    assert rows(ask(timeline(tpu({"flops": 8, "bytes_accessed": most}))), "bytes", "gb_s") == [(None, None)]
