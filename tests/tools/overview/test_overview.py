"""overview: the whole answer on small captures, attributes of devices, environment, findings; smoke on real ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.devices.datasheets import Rates
from tensorboard_perfplugin.analysis.devices.peaks import Device, device
from tensorboard_perfplugin.analysis.hosts.environment import environment, framework
from tensorboard_perfplugin.formats import Format
from tensorboard_perfplugin.messages import Message
from tensorboard_perfplugin.tables import PlaneKind
from tensorboard_perfplugin.timeline.ops.ops import ops_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.overview import OVERVIEW
from tensorboard_perfplugin.units import duration, percent
from tests import snapshots
from tests.build_capture import Space, StatValue, Uint, chunk, number
from tests.timeline.timelines import real, timeline
from tests.tools.answered import answered, rows_of

US, MS = 10**6, 10**9
A100: dict[str, StatValue] = {
    "device_vendor": "Nvidia",
    "gpu_device_name": "NVIDIA A100-SXM4-40GB",
    "clock_rate": Uint(1_410_000),
    "core_count": Uint(108),
    "memory_bandwidth": Uint(1_555_200_000_000),
    "memory_size": Uint(42_505_273_344),
    "compute_cap_major": Uint(8),
    "compute_cap_minor": 0,
}

NO_STEPS = "No steps were found, so no figure is per step"


def ask(*timelines: Timeline, **options: str) -> Answer:
    return answered(OVERVIEW, *timelines, **options)


def rows(answer: Answer, table: str) -> list[tuple[Any, ...]]:
    return rows_of(answer, table)


def titles(answer: Answer) -> list[str]:
    return [f.title for f in answer.result.findings]


def one_gpu(name: str = "h", busy_ps: int = 2 * MS) -> Space:
    """A host of 10 ms with one launch, whose kernel starts at 1 ms."""
    space = Space(hostnames=[name])
    line = space.plane("/host:CPU").line(1, "python")
    line.event("FunctionRun", 0, 10 * MS)
    line.event("a/MatMul:MatMul", 1 * MS, 4 * MS)
    line.event("cuLaunchKernel", 1 * MS, 10 * US, stats={"correlation_id": 1})
    gpu = space.plane("/device:GPU:0", stats=A100)
    stats: dict[str, StatValue] = {"correlation_id": 1, "tf_op": "a/MatMul:MatMul"}
    gpu.line(7, "Stream #7(Compute)").event("gemm", 1 * MS, busy_ps, stats=stats)
    env: list[tuple[str, StatValue]] = [("profile_start_time", Uint(1_795_165_200 * 10**9))]
    env += [("profile_stop_time", Uint(1_795_165_200 * 10**9 + 12 * 10**6)), ("profile_options", OPTIONS)]
    space.plane("Task Environment", stats=env)
    return space


#: host_tracer_level 2, device_tracer_level 1, version 1, enable_hlo_proto, repository_path.
OPTIONS = number(2, 2) + number(3, 1) + number(5, 1) + number(7, 1) + chunk(10, b"/logs")


def test_one_host_with_one_gpu() -> None:
    answer = ask(timeline(one_gpu()))
    assert {name: value for name, value in answer.result.summary.items() if value is not None} == {
        "host_count": 1,
        "device_count": 1,
        "device_type": "NVIDIA A100-SXM4-40GB",
        "framework": "TensorFlow",
        "start_ms": 1_795_165_200_000.0,
        "span_ms": 10.0,
        "device_busy_ms": 2.0,
        "device_idle_ms": 8.0,
        "device_idle_share": 0.8,
        "host_op_ms": 4.0,
        "host_op_share": 0.4,
        "device_op_count": 1,
        "host_op_count": 1,
        "device_op_count_share": 0.5,
        "device_op_self_ms": 2.0,
        "host_op_self_ms": 4.0,
        "device_eager_share": 0.0,
        "host_eager_share": 0.0,
        "host_wait_share": 0.0,
        "launch_count": 1,
        "device_event_count": 1,
    }
    assert answer.result.unknown["step_time_ms"].startswith("none of these was found: ")
    assert answer.result.unknown["step_span_ms"] == "no steps were found"
    assert rows(answer, "hosts") == [("h", 1_795_165_200_000.0, 10.0, 1, 1, 4, 4, 4.0, 1, 4.0)]
    model, architecture = "NVIDIA A100-SXM4-40GB", "NVIDIA Ampere (compute capability 8.0)"
    peaks = (108, 1410.0, 42505273344, 1555.2, 311.86944)
    assert rows(answer, "devices") == [
        ("h", "/device:GPU:0", model, architecture, 1, 1, 2.0, 8.0, 0.8, *peaks, "capture", None),
    ]
    assert rows(answer, "device_ops") == [("a/MatMul", "MatMul", "", 1, 2.0, 1.0, 1.0, 0.0, None)]
    assert rows(answer, "host_ops") == [("a/MatMul", "MatMul", "", 1, 4.0, 1.0, 1.0, 0.0, 0.0)]
    assert rows(answer, "environment") == [
        ("hostname", "h"),
        ("framework", "TensorFlow"),
        ("framework_evidence", "it has events `FunctionRun`"),
        ("start_utc", "2026-11-20 09:00:00+00:00"),
        ("session_ms", "12.000"),
        ("host_tracer_level", "2"),
        ("device_tracer_level", "1"),
        ("enable_hlo_proto", "1"),
    ]


def test_the_first_finding_says_where_the_time_goes_and_shows_it() -> None:
    space = one_gpu()
    space.planes[1].lines[0].event("gemm", 8 * MS, MS, stats={"tf_op": "a/MatMul:MatMul"})
    gpu = timeline(space)
    first = ask(gpu).result.findings[0]
    assert (
        first.title == "The device is idle 63 % of the time from first to last work (5 ms of 8 ms); "
        "a/MatMul takes 100 % of device op time (3 ms)"
    )
    assert (first.severity, first.share) == ("warning", 0.625)
    stream = str(gpu.capture.events.track[ops_of(gpu).device.rows[0]])
    assert [(e.host, e.start_ps, e.end_ps, e.tracks) for e in first.evidence] == [("h", 3 * MS, 8 * MS, stream)]
    assert (first.search, first.match) == ("op_stats.ops.self_us?side=device&name=IDLE&type=IDLE", "row")


def test_a_busy_device_is_no_warning() -> None:
    first = ask(timeline(one_gpu(busy_ps=9 * MS))).result.findings[0]
    busy = "The device is busy 100 % of the time from first to last work"
    assert first.title == f"{busy}; a/MatMul takes 100 % of device op time (9 ms)"
    # Without steps no answer is that all is well.
    assert first.severity == "note"


def test_two_hosts_are_summed_and_told_apart_where_they_differ() -> None:
    answer = ask(timeline(one_gpu("a"), "a"), timeline(one_gpu("b", busy_ps=4 * MS), "b"))
    summary = answer.result.summary
    assert (summary["host_count"], summary["device_count"], summary["device_event_count"]) == (2, 2, 2)
    assert (summary["device_busy_ms"], summary["device_idle_ms"], summary["span_ms"]) == (6.0, 14.0, 10.0)
    assert rows(answer, "device_ops") == [("a/MatMul", "MatMul", "", 2, 6.0, 1.0, 1.0, 0.0, None)]
    assert [(r[0], r[1], r[6]) for r in rows(answer, "devices")] == [
        ("a", "/device:GPU:0", 2.0),
        ("b", "/device:GPU:0", 4.0),
    ]
    assert rows(answer, "environment")[:3] == [
        ("hostname (a)", "a"),
        ("hostname (b)", "b"),
        ("framework", "TensorFlow"),
    ]


def test_launches_without_device_events_say_why_and_what_to_do() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1)
    line.event("cuLaunchKernel", 0, 10, stats={"correlation_id": 1})
    line.event("cuLaunchKernel", 20, 10, stats={"correlation_id": 2})
    space.plane("/device:GPU:0", stats=A100)
    answer = ask(timeline(space))
    first = answer.result.findings[0]
    assert first.title == "No device events, although 2 kernels and copies were launched"
    assert "NVreg_RestrictProfilingToAdminUsers=0" in first.action
    unknown = answer.result.unknown
    assert unknown["device_idle_share"] == unknown["device_busy_ms"] == "no event of the capture ran on a device"


def test_a_damaged_file_is_no_reason_to_ask_for_permissions() -> None:
    space = Space()
    space.plane("/host:CPU").line(1).event("cuLaunchKernel", 0, 10, stats={"correlation_id": 1})
    capture = timeline(space).capture
    lost = replace(capture.quality, events_in_file=2, dropped={"not_json_object": 1})
    first = ask(Timeline(replace(capture, quality=lost), "a")).result.findings[0]
    assert first.title == "No device events, although 1 kernel or copy was launched"
    assert (first.detail, first.action) == (
        "1 or more of 2 events are lost: those of the device may be among them.",
        "Copy the file again from where it was taken, as binary.",
    )


def test_what_no_event_tells_of_a_device_is_unknown() -> None:
    """The table said that a device is 100 % idle, below the finding that its events were not recorded."""
    space = Space()
    space.plane("/host:CPU").line(1).event("cuLaunchKernel", 0, 10 * MS, stats={"correlation_id": 1})
    space.plane("/device:GPU:0")
    row = rows(ask(timeline(space)), "devices")[0]
    assert row[:9] == ("h", "/device:GPU:0", None, None, 0, 0, None, None, None)


def test_idle_time_of_several_devices_is_told_of_one() -> None:
    """It was summed: a capture of 10 ms was idle for 16 ms of 20 ms."""
    space = one_gpu()
    space.plane("/device:GPU:1", id=1).line(7).event("gemm", 5 * MS, 4 * MS)
    assert titles(ask(timeline(space)))[0].startswith(
        "The 2 devices are idle 63 % of the time from first to last work (5 ms of 8 ms on average); "
    )
    space.plane("/device:GPU:2", id=2)
    assert titles(ask(timeline(space)))[0].startswith("The 2 of 3 devices that ran something are idle 63 % ")
    alone = one_gpu()
    alone.plane("/device:GPU:1", id=1)
    assert titles(ask(timeline(alone)))[:2] == [
        "70 % of the capture (7 ms of 10 ms) comes after the last work of a device",
        (
            "The 1 of 2 devices that ran something is busy 100 % of the time from first to last work; "
            "a/MatMul takes 100 % of device op time (2 ms)"
        ),
    ]


def test_a_core_that_waits_is_busy_and_the_first_finding_says_so() -> None:
    """`copy-done` was the largest op of a busy device, and advice was to make it cheaper."""
    space = Space()
    tpu = space.plane("/device:TPU:0")
    tpu.kind(
        "%copy-done.4 = f32[8]{0} copy-done(%copy-start)", "copy-done.4", stats={"hlo_category": "copy-done"}, key=1
    )
    tpu.kind("%fusion = f32[8]{0} fusion()", "fusion", stats={"hlo_category": "loop fusion"}, key=2)
    tpu.line(3, "XLA Ops").event(1, 0, 6 * MS).event(2, 6 * MS, 3 * MS)
    tpu.line(2, "XLA Modules").event("jit_f(1)", 0, 10 * MS)
    answer = ask(timeline(space))
    busy = "The device is busy 100 % of the time from first to last work, but 67 % of that only waits"
    assert titles(answer)[:2] == [
        f"{busy}; fusion (loop fusion) takes 33 % of device op time (3 ms)",
        "67 % of device op time only waits, most of it in copy-done.4 (6 ms)",
    ]
    assert answer.result.findings[0].severity == "warning"
    assert answer.result.summary["device_wait_share"] == pytest.approx(2 / 3)
    assert [(row[0], row[-1]) for row in rows(answer, "device_ops")] == [("copy-done.4", 1.0), ("fusion", 0.0)]


def test_waiting_for_input_is_not_what_a_host_does_for_longest() -> None:
    """A `Prefetch` that waited for a slow map was the largest op."""
    space = Space()
    cpu = space.plane("/host:CPU")
    cpu.line(1).event("Iterator::Root::Prefetch", 0, 8 * MS).event("a:MatMul", 8 * MS, 2 * MS)
    cpu.line(2).event("slow:PyFunc", 0, 6 * MS)
    answer = ask(timeline(space))
    assert titles(answer) == [
        (
            "Ops ran on the CPU for 10 ms of 10 ms (100 %), but 50 % of op time only waits; "
            "slow (PyFunc) takes 38 % of host op time (6 ms)"
        ),
        "50 % of host op time only waits, most of it in Iterator::Root::Prefetch (8 ms)",
        f"{NO_STEPS}; the 10 ms from the first op to the last: op compute 80 %, Python 20 %",
    ]
    assert answer.result.summary["host_wait_share"] == 0.5


def test_devices_without_an_event_are_there_though_and_of_several_hosts_the_average_is_told() -> None:
    """`The capture holds no device` stood beside a list of devices; two captures of 10 ms were one of 20 ms."""
    space = Space()
    space.plane("/host:CPU").line(1).event("a:MatMul", 0, 4 * MS).event("rest", 4 * MS, 6 * MS)
    space.plane("/device:GPU:0")
    copied, first, *_ = ask(timeline(space, "a"), timeline(space, "b")).result.findings
    assert copied.code == "same_capture"
    assert first.title.startswith("Ops ran on the CPU for 4 ms of 10 ms (40 %, average of the hosts); ")
    assert first.detail == "No device of the capture recorded an event."


def test_a_host_whose_devices_are_missing_is_told_beside_one_whose_are_not() -> None:
    space = Space()
    space.plane("/host:CPU").line(1).event("cuLaunchKernel", 0, 10 * MS, stats={"correlation_id": 1})
    space.plane("/device:GPU:0")
    found = titles(ask(timeline(one_gpu("a"), "a"), timeline(space, "b")))
    assert "No device events of b, although its threads launched some (1)" in found


def test_launches_that_share_no_id_with_any_kernel() -> None:
    """A file cut before its kernels' metadata said that the kernels ran before or after the capture."""
    space = one_gpu()
    space.planes[1].lines[0].events.clear()
    space.planes[1].lines[0].event("gemm", 1 * MS, 2 * MS)
    assert "None of the 1 launches on h can be joined to a kernel" in titles(ask(timeline(space)))


def test_a_host_without_a_device_is_about_its_ops() -> None:
    space = Space()
    line = space.plane("/host:CPU").line(1, "tf_XLAEigen/1")
    line.event("dot.3", 0, 30, stats={"hlo_op": "dot.3", "hlo_module": "jit_f"})
    line.event("other", 30, 70)
    answer = ask(timeline(space))
    assert titles(answer) == [
        "Ops ran on the CPU for 30 ps of 100 ps (30 %); dot.3 takes 100 % of host op time (30 ps)",
        f"{NO_STEPS}; the 30 ps from the first op to the last: op compute 100 %",
    ]
    assert answer.result.summary["device_type"] == "CPU only"
    assert answer.result.unknown["device_idle_share"] == "the capture holds no device"
    assert answer.result.unknown["host_eager_share"] == "no TensorFlow op ran on a host thread"


def test_shares_of_no_time_are_unknown() -> None:
    """Ops that are instants had a share of 0, in `op_stats` none."""
    space = Space()
    space.plane("/host:CPU").line(1).event("a:MatMul", 5, 0)
    assert rows(ask(timeline(space)), "host_ops") == [("a", "MatMul", "", 1, 0.0, None, None, None, None)]


def test_an_empty_capture_knows_what_it_does_not_know() -> None:
    space = Space()
    space.plane("/host:CPU")
    answer = ask(timeline(space))
    assert titles(answer) == ["This capture holds no op: neither on a host nor on a device"]
    assert answer.result.unknown["framework"] == "no event or attribute in the capture gives it away"
    assert answer.result.unknown["start_ms"] == "the capture has only relative times"


def test_of_a_capture_without_ops_the_largest_slice_is_told() -> None:
    """By itself: what lies in a slice is not its. What a sampler calls idle is none."""
    space = Space()
    line = space.plane("/host:CPU").line(1)
    line.event("Frame", 0, 10 * MS)
    for at, name, ms in ((1, "Layout", 3), (5, "Paint", 1), (7, "Layout", 2), (20, "(idle)", 50)):
        line.event(name, at * MS, ms * MS)
    [first, *_] = ask(timeline(space)).result.findings
    assert first.title == "This capture holds no op; of its slices Layout has the most self time, 5 ms in 2 (50 %)"
    assert (first.tool, first.search, first.match) == ("trace_viewer", "Layout", "exact")


def test_losses_and_costs_are_findings() -> None:
    space = one_gpu()
    space.errors.append("CUPTI: 3 buffers lost")
    cpu, gpu = space.planes[0], space.planes[1]
    cpu.lines[0].event(999, 6 * MS, 10)
    gpu.lines[0].event("MemcpyH2D", 4 * MS, 3 * MS)
    cpu.lines[0].event("EagerExecute", 7 * MS, 2 * MS, stats={"is_func": 0}).event("b:Add", 7 * MS, 2 * MS)
    space.plane("/device:GPU:1", id=1, stats=A100)
    assert titles(ask(timeline(space))) == [
        "The profiler of h reported: CUPTI: 3 buffers lost",
        (
            "The 1 of 2 devices that ran something is busy 83 % of the time from first to last work; MemcpyH2D "
            "(MemcpyHToD) takes 60 % of device op time (3 ms)"
        ),
        "Memory copies take 60 % of device op time (3 ms)",
        "33 % of TensorFlow's host op time runs op by op, outside compiled functions",
        (
            "30 % of the capture (3 ms of 10 ms) comes after the last work of a device; `b:Add` takes 2 ms of it, "
            "in 1 call"
        ),
        (
            f"{NO_STEPS}; the 8 ms from the first op to the last: copy in 38 %, host compute 25 %, compute 25 %, "
            "kernel launch 13 %"
        ),
        "1 of 2 devices of h ran nothing",
        "a/MatMul takes 67 % of host op time (4 ms)",
    ]


def test_events_that_are_not_shown_are_counted() -> None:
    space = one_gpu()
    line = space.planes[0].lines[0]
    line.events.append(number(1, 1) + b"\xff\xff")
    t = timeline(space)
    dropped = t.capture.quality.events_in_file - t.capture.quality.events_kept
    assert dropped >= 1
    found = titles(ask(t))
    assert f"{dropped} of {t.capture.quality.events_in_file} events in the files could not be shown" in found
    assert "The file of h is damaged: how much it lacks cannot be known" in found


@pytest.mark.parametrize(
    ("attributes", "architecture", "peak_tflops"),
    [
        ({"compute_cap_major": 7, "compute_cap_minor": 0}, "NVIDIA Volta (compute capability 7.0)", 153.6),
        ({"compute_cap_major": 8, "compute_cap_minor": 9}, "NVIDIA Ada Lovelace (compute capability 8.9)", 153.6),
        ({"compute_cap_major": 12, "compute_cap_minor": 0}, "NVIDIA Blackwell (compute capability 12.0)", 153.6),
        ({"compute_cap_major": 12, "compute_cap_minor": 1}, "NVIDIA Blackwell (compute capability 12.1)", None),
        ({"device_vendor": "AMD", "compute_cap_major": 9, "compute_cap_minor": 4}, "AMD CDNA 3 (gfx942)", 307.2),
        ({"device_vendor": "AMD", "gpu_device_name": "gfx90a:sramecc+"}, "AMD CDNA 2 (gfx90a)", 153.6),
        ({"device_vendor": "AMD", "compute_cap_major": 11}, "AMD", None),
        ({"device_vendor": "Intel", "compute_cap_major": 8}, "Intel", None),
        ({"compute_cap_major": 8, "peak_teraflops_per_second": 77.5}, "NVIDIA Ampere (compute capability 8.0)", 77.5),
        ({}, None, None),
    ],
)
def test_architectures_and_peaks(
    attributes: dict[str, Any], architecture: str | None, peak_tflops: float | None
) -> None:
    """100 cores at 1.5 GHz. An architecture that no table has keeps its name and has no peak."""
    got = device(PlaneKind.GPU, attributes | {"core_count": 100, "clock_rate": 1_500_000})
    assert (got.architecture, got.peak_tflops) == (architecture, peak_tflops and pytest.approx(peak_tflops))


def test_a_tpu_says_its_peaks_and_zero_is_unknown() -> None:
    facts: dict[str, Any] = {"device_type_string": "TPU v6 Lite", "peak_teraflops_per_second": 918.0, "core_count": 0}
    facts["peak_hbm_bw_gigabytes_per_second"] = 1638.0
    rates = Rates(bf16=918, fp8=918, int8=1836)
    expected = Device("TPU v6 Lite", "TPU v6 Lite", None, None, None, 1638.0, 918.0, rates)
    assert device(PlaneKind.TPU, facts) == expected


def test_hostile_attributes_are_unknown() -> None:
    hostile: dict[str, Any] = {"clock_rate": float("nan"), "core_count": float("inf"), "memory_size": -1}
    assert device(PlaneKind.GPU, hostile | {"compute_cap_major": "9"}) == Device(
        None, None, None, None, None, None, None
    )


@pytest.mark.parametrize(
    ("event", "plane_stats", "name"),
    [
        ("multi_step_on_iterator", {}, "TensorFlow with Keras"),
        ("Profiled batch", {}, "TensorFlow with Keras"),
        ("EagerExecute", {}, "TensorFlow"),
        ("x/MatMul:MatMul", {}, "TensorFlow"),
        ("PjitFunction(f)", {}, "JAX"),
        ("something", {"jax_version": "0.10.2"}, "JAX"),
        ("something", {}, ""),
    ],
)
def test_the_framework_and_what_gives_it_away(event: str, plane_stats: dict[str, StatValue], name: str) -> None:
    space = Space()
    space.plane("/host:CPU", stats=plane_stats).line(1).event(event, 0, 10)
    found, evidence = framework(timeline(space))
    assert found == name
    assert bool(evidence) == bool(name)


def test_results_instead_of_a_capture_are_tensorflows() -> None:
    space = Space()
    space.plane("/host:CPU").line(1).event("something", 0, 10)
    capture = replace(timeline(space).capture, format=Format.TOOL_FILES)
    assert framework(Timeline(capture, "h")) == ("TensorFlow", Message("framework_seen.results"))


@pytest.mark.parametrize(
    "options",
    [
        number(2, 3) + number(99, 5) + chunk(10, b"x" * 40) + b"\x09" + b"\0" * 8 + number(9, 2000),
        number(2, 3) + number(9, 2000) + b"\xff" * 20,
        number(2, 3) + number(9, 2000) + b"\x52\xff\xff\xff\xff\x0f",
        number(2, 3) + number(9, 2000) + b"\x20",
    ],
    ids=["other fields between", "endless varint", "length beyond the end", "value missing"],
)
def test_profiler_options_are_read_up_to_the_damage(options: bytes) -> None:
    space = Space(hostnames=[])
    space.plane("Task Environment", stats={"profile_options": options})
    assert environment(timeline(space)) == {"host_tracer_level": "3", "duration_ms": "2000"}


def test_words() -> None:
    assert [percent(s) for s in (0.0, 0.0031, 0.41, 0.9962, 1.0)] == ["0 %", "0.31 %", "41 %", "99.62 %", "100 %"]
    assert [percent(s) for s in (1e-6, 0.99996)] == ["< 0.01 %", "> 99.99 %"]
    assert [duration(ps) for ps in (0.04, 30, 2.5e6, 999.6e6, 8.004e9, 1.5e12, 999.7e12, 4e15)] == [
        "< 1 ps",
        "30 ps",
        "2.5 µs",
        "1 ms",
        "8 ms",
        "1.5 s",
        "1,000 s",
        "4,000 s",
    ]


def test_busy_and_idle_add_up_on_every_real_capture(xplane_files: list[Path]) -> None:
    for file, t in real(xplane_files):
        answer = ask(t)
        begin, end = t.capture.span_ps
        for *_, busy_ms, idle_ms, share in (r[:9] for r in rows(answer, "devices")):
            if share is None:
                assert (busy_ms, idle_ms) == (None, None)
                continue
            assert busy_ms + idle_ms == pytest.approx((end - begin) / 1e9, abs=1e-3), file
            assert share == pytest.approx(1 - busy_ms / (busy_ms + idle_ms)), file
        host = {name: cells[0] for name, cells in answer.to_dict()["tables"]["hosts"]["columns"].items()}
        assert host["events_in_file"] - host["events_kept"] == sum(t.capture.quality.dropped.values()), file
        assert answer.result.findings[0].title, file


@pytest.mark.parametrize(("op", "named"), [(99, True), (100, False)])
def test_below_a_tenth_of_the_time_it_is_said_what_else_was_recorded(op: int, named: bool) -> None:
    """A capture of TensorFlow 2.1 is one `FunctionRun` of 9 of its 10 ms, and the page told of 22 µs of ops."""
    space = Space()
    line = space.plane("/host:CPU").line(1, "python")
    line.event("FunctionRun", 0, 1000).event("a/MatMul:MatMul", 0, op)
    first = ask(timeline(space)).result.findings[0]
    assert first.code == "host_op_time"
    assert ("slice" in first.params) is named


def test_steps_of_a_snapshot_are_not_judged() -> None:
    """What fills the memory is told, nothing of what its steps' time went to."""
    device = snapshots.Device()
    notes = snapshots.train(device)
    result = ask(Timeline(decode.read_bytes(snapshots.pickled([device], notes), "snapshot.pickle"), "h")).result
    assert [finding.code for finding in result.findings][:1] == ["memory_peak"]
    assert {finding.tool for finding in result.findings} == {"memory_profile"}
    assert (result.summary["step_count"], result.summary["device_type"]) == (None, None)
    assert not any(len(cells) for cells in result.tables["split"].values())


@pytest.mark.parametrize(
    ("module", "way"),
    [
        ("cluster_0__XlaCompiledKernel_true__XlaHasReferenceVars_false", "auto-clustering: 1"),
        ("a_inference_train_step_54__XlaMustCompile_true_config_proto_1", "jit_compile: 1"),
        ("jit_cluster_0", None),
    ],
)
def test_how_tensorflow_came_to_compile_with_xla(module: str, way: str | None) -> None:
    space = Space()
    stats: dict[str, StatValue] = {"hlo_op": "fusion.1", "hlo_module": module}
    space.plane("/device:GPU:0").line(1, "Stream #1").event("fusion_1", 0, 9, stats=stats)
    assert environment(timeline(space)).get("xla") == way
