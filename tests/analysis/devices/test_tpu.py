"""What TPU cores did: whole results on a built pod of two chips, what is unknown and why, broken messages."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.analysis.devices.tpu import Core, Refitted, TpuHost, fields, tpu
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools.overview import OVERVIEW
from tensorboard_perfplugin.tools.overview.columns import TPU_SUMMARY
from tensorboard_perfplugin.tools.overview.tpu import NO_OPS, NO_TPU, programs_table, tpu_summary
from tests.build_capture import Plane, Space, StatValue, chunk, number
from tests.timeline.timelines import timeline

US, MS = 10**6, 10**9
#: 100 TFLOP/s and 1 TB/s: 10¹¹ FLOPs and 10⁹ bytes in a millisecond.
PEAKS: dict[str, StatValue] = {
    "device_type_string": "TPU v9",
    "peak_teraflops_per_second": 100.0,
    "peak_hbm_bw_gigabytes_per_second": 1000.0,
}


def core(space: Space, name: str, details: bytes | None = None, **more: StatValue) -> Plane:
    stats = dict(PEAKS) if details is None else {**PEAKS, "core_details": details}
    return space.plane(name, id=len(space.planes), stats={**stats, **more})


def op(plane: Plane, name: str, category: str, start_ps: int, duration_ps: int, **stats: StatValue) -> None:
    kind = plane.kind(name, stats={"hlo_category": category, **stats})
    line = next((line for line in plane.lines if line.name == "XLA Ops"), None) or plane.line(2, "XLA Ops")
    line.event(kind, start_ps, duration_ps)


def one_core(space: Space, name: str = "/device:TPU:0", infeed_ps: int = 2 * MS) -> Plane:
    """10 ms: infeed, a convolution of 4 ms, a loop of 3 ms that holds a dot of 1 ms, an idle half, outfeed."""
    plane = core(space, name)
    op(plane, "%infeed.1", "infeed", 0, infeed_ps)
    op(plane, "%convolution.2", "convolution", 2 * MS, 4 * MS, flops=2 * 10**11, bytes_accessed=10**9)
    op(plane, "%while.3", "while", 6 * MS, 3 * MS, flops=10**15, bytes_accessed=10**15)
    op(plane, "%fusion.4", "output fusion", 7 * MS, 1 * MS, flops=10**11, bytes_accessed=2 * 10**9)
    op(plane, "%outfeed.5", "outfeed", 9 * MS + MS // 2, MS // 2)
    plane.line(3, "XLA Modules").event("jit_train(17)", 0, 9 * MS).event("jit_eval(18)", 9 * MS, MS)
    return plane


def look(space: Space) -> TpuHost:
    found = tpu(timeline(space), "auto")
    assert found is not None
    return found


def test_programs_that_outlast_their_cores_have_no_share() -> None:
    space = Space()
    one_core(space).line(4, "XLA Modules").event("jit_train(17)", 0, 9 * MS)
    assert programs_table([look(space)])["share"] == [None, 0.1]


def test_one_core() -> None:
    """A loop's FLOPs repeat those of its body and count nothing; idle are 0.5 ms of 10."""
    found = look(_with_host({}))
    assert found == TpuHost(
        cores=(
            Core(
                name="/device:TPU:0",
                sparse=False,
                total_ps=10 * MS,
                op_ps=9.5 * MS,
                infeed_ps=2.0 * MS,
                outfeed_ps=0.5 * MS,
                matrix_ps=5.0 * MS,
                step_ps=9 * MS,
                step_idle_ps=0,
                flops=3e11,
                hbm_bytes=3e9,
                peak_flops=1e14,
                peak_bytes=1e12,
            ),
        ),
        chips=((7.0 * MS, 10 * MS),),
        programs={"jit_train(17)": (1, 9 * MS), "jit_eval(18)": (1, MS)},
        mxu_share=None,
        hbm_share=None,
    )
    assert tpu_summary([found]) == (
        {
            "mxu_utilization_share": 0.3,
            "hbm_utilization_share": 0.3,
            "duty_cycle_share": 0.7,
            "infeed_mean_share": 0.2,
            "infeed_min_share": 0.2,
            "infeed_max_share": 0.2,
            "outfeed_share": 0.05,
            "matrix_op_share": 5 / 9.5,
            "step_idle_share": 0.0,
        },
        {},
    )
    assert programs_table([found, found, None]) == {
        "program": ["jit_train(17)", "jit_eval(18)"],
        "occurrences": [2, 2],
        "total_ms": [18.0, 2.0],
        "mean_ms": [9.0, 1.0],
        "share": [0.9, 0.1],
    }


def _with_host(stats: dict[str, StatValue]) -> Space:
    space = Space()
    plane = one_core(space)
    plane.line(4, "Steps").event("7", 0, 9 * MS, stats={"step_idle_time_ps": 0})
    space.plane("/host:CPU", id=9, stats=stats)
    return space


@pytest.mark.parametrize(
    ("measured", "share"), [(42.5, 0.425), (0.0, 0.3), (-1.0, 0.3), (float("nan"), 0.3), (101.0, 0.3)]
)
def test_what_the_profiler_measured_comes_first_if_it_did(measured: float, share: float) -> None:
    found = look(_with_host({"matrix_unit_utilization_percent": measured}))
    assert tpu_summary([found])[0]["mxu_utilization_share"] == share


def test_infeed_differs_between_cores() -> None:
    space = Space()
    one_core(space)
    one_core(space, "/device:TPU:1", infeed_ps=MS)
    summary, _ = tpu_summary([look(space)])
    got = [summary[f"infeed_{which}_share"] for which in ("mean", "min", "max")]
    assert got == [pytest.approx(0.15), 0.1, 0.2]


def test_two_cores_of_a_chip_are_on_duty_together() -> None:
    """Cores 0 and 1 of chip 3: one works from 0 to 4 ms, the other from 2 to 6 ms, of 8 ms."""
    space = Space()
    first = core(space, "/device:TPU:0", number(4, 3))
    second = core(space, "/device:TPU:1", number(3, 1) + number(4, 3))
    op(first, "%fusion.1", "loop fusion", 0, 4 * MS)
    op(second, "%fusion.1", "loop fusion", 2 * MS, 4 * MS)
    op(second, "%recv.2", "host recv", 6 * MS, 2 * MS)
    assert look(space).chips == ((6.0 * MS, 8 * MS),)


def test_bytes_of_hbm_are_told_apart() -> None:
    """Of 3 MB that are accessed 2 MB are in HBM, memory space 1; one MB is in the core's own memory."""
    space = Space()
    read = number(1, 1) + number(2, 1) + number(3, 2_000_000)
    own = number(1, 2) + number(2, 3) + number(3, 1_000_000)
    plane = core(space, "/device:TPU:0")
    breakdown = chunk(1, read) + chunk(1, own)
    op(plane, "%copy.1", "copy", 0, MS, bytes_accessed=3_000_000, memory_access_breakdown=breakdown)
    assert look(space).cores[0].hbm_bytes == 2e6


def test_ops_without_category_go_by_their_instruction() -> None:
    space = Space()
    line = core(space, "/device:TPU:0").line(2, "XLA Ops")
    line.event("%convolution.12 = f32[2]{0} convolution(%infeed.1)", 0, 3 * MS).event("infeed.3", 3 * MS, MS)
    found = look(space).cores[0]
    assert (found.matrix_ps, found.infeed_ps, found.flops) == (3.0 * MS, 1.0 * MS, None)


def test_more_flops_than_the_device_can_do_are_not_believed() -> None:
    space = Space()
    op(core(space, "/device:TPU:0"), "%dot.1", "dot", 0, MS, flops=10**12)
    summary, unknown = tpu_summary([look(space)])
    assert summary["mxu_utilization_share"] is None
    assert unknown["mxu_utilization_share"] == (
        "the profiler did not measure it, and the data of the ops or the device do not suffice to compute it"
    )


def test_steps_without_a_line_of_steps() -> None:
    """Host steps of 10 ms, of which the core works 4 ms; the last one has no end."""
    space = Space()
    plane, host = core(space, "/device:TPU:0"), space.plane("/host:CPU", id=9).line(1, "python")
    for i in range(3):
        host.event("train", i * 10 * MS, 9 * MS, stats={"step_num": i, "_r": 1})
        op(plane, "%fusion.1", "loop fusion", i * 10 * MS, 4 * MS)
    found = look(space).cores[0]
    assert found.step_idle_ps / found.step_ps == 0.6


def runs(begins_ms: list[int], own_ms: list[int]) -> Space:
    """Runs of a module, each an op of 5 ms, by the host's clock and by the core's."""
    space = Space()
    plane = core(space, "/device:TPU:0")
    modules, ops = plane.line(2, "XLA Modules"), plane.line(3, "XLA Ops")
    for begin, own in zip(begins_ms, own_ms, strict=True):
        modules.event("jit_train(17)", begin * MS, 5 * MS)
        clock: dict[str, StatValue] = {"device_offset_ps": own * MS, "device_duration_ps": 5 * MS}
        ops.event("%fusion.1", begin * MS, 5 * MS, clock)
    return space


def test_steps_that_a_fit_of_clocks_makes_differ() -> None:
    regular = [0, 10, 20, 30, 40]
    space = runs([0, 14, 20, 33, 40], regular)
    assert look(space).refitted == Refitted(shown=(6 * MS, 14 * MS), own=(10 * MS, 10 * MS))
    found = OVERVIEW.combine([OVERVIEW.per_host(timeline(space), OVERVIEW.parse({}))], {}).findings
    assert ("clocks_refitted", {"shown_min_ps": 6 * MS, "shown_max_ps": 14 * MS, "min_ps": 10 * MS}) in [
        (f.code, f.params) for f in found
    ]
    assert look(runs(regular, regular)).refitted is None
    assert look(runs([0, 14, 20, 33, 40], [0, 13, 20, 32, 40])).refitted is None
    assert look(runs([0, 14, 20, 33, 40], [40, 30, 20, 10, 0])).refitted is None


def test_no_tpu() -> None:
    space = Space()
    space.plane("/device:TPU:0")
    space.plane("/device:GPU:0").line(7, "Stream").event("kernel", 0, MS)
    found = tpu(timeline(space), "auto")
    assert found is None
    summary, unknown = tpu_summary([found])
    assert set(summary.values()) == {None}
    assert unknown == {c.name: NO_TPU for c in TPU_SUMMARY}
    assert programs_table([found])["program"] == []


def test_what_the_profiler_measured_of_tpus_whose_ops_the_capture_lacks() -> None:
    space = Space()
    space.plane("/device:TPU:0")
    space.plane("/host:CPU", id=1, stats={"matrix_unit_utilization_percent": 48.75})
    summary, unknown = tpu_summary([tpu(timeline(space), "auto")])
    assert {name: value for name, value in summary.items() if value is not None} == {"mxu_utilization_share": 0.4875}
    assert set(unknown.values()) == {NO_OPS}


def test_the_infeed_that_the_capture_gives_counts_where_it_lacks_the_ops() -> None:
    given = dict(zip(("average", "minimum", "maximum"), (12.5, 10.0, 20.0), strict=True))
    stats: dict[str, StatValue] = {f"infeed_percent_{which}": percent for which, percent in given.items()}
    space = Space()
    space.plane("/device:TPU:0")
    space.plane("/host:CPU", id=1, stats=stats)
    summary, unknown = tpu_summary([tpu(timeline(space), "auto")])
    infeed = {f"infeed_{which}_share": share for which, share in (("mean", 0.125), ("min", 0.1), ("max", 0.2))}
    assert {name: value for name, value in summary.items() if value is not None} == infeed
    assert set(unknown.values()) == {NO_OPS}
    assert tpu_summary([look(_with_host(stats))])[0]["infeed_mean_share"] == 0.2


def test_fields_of_a_message() -> None:
    """A fixed 32-bit field is passed over; one that breaks off ends it."""
    message = number(1, 300) + chunk(2, b"ab") + bytes([0x1D, 1, 2, 3, 4]) + number(4, 1)
    assert list(fields(message)) == [(1, 300), (2, b"ab"), (4, 1)]
    assert list(fields(message + b"\x08")) == [(1, 300), (2, b"ab"), (4, 1)]


@given(st.binary(max_size=300))
def test_no_bytes_make_it_stumble(message: bytes) -> None:
    assert len(list(fields(message))) <= len(message)


def test_a_real_capture_of_four_chips(shared_captures: Path) -> None:
    file = next((shared_captures / "xplane" / "xprof-tpu-inference-2").rglob("*.xplane.pb"))
    found = tpu(Timeline(decode.read(str(file)), "h"), "auto")
    assert found is not None
    assert [len(found.cores), len(found.chips), found.mxu_share] == [4, 4, 0.0]
    summary, unknown = tpu_summary([found])
    assert unknown == {}
    assert summary["duty_cycle_share"] == pytest.approx(0.8664, abs=1e-3)
    assert programs_table([found])["occurrences"][0] == 400


def test_cores_of_one_chip_of_the_host_are_one_chip() -> None:
    """Another field of CoreDetails, which differs, tells nothing of it."""
    for field in (2, 8):
        space = Space()
        for i in range(2):
            plane = core(space, f"/device:TPU:{i}", number(4, 3) + number(field, 1 + i))
            op(plane, "%fusion.1", "loop fusion", 0, 4 * MS)
        assert len(look(space).chips) == 1


@pytest.mark.parametrize(("longer_ms", "refitted"), [(2, False), (3, True)])
def test_steps_that_differ_by_a_twentieth_are_looked_at_by_the_cores_clock(longer_ms: int, refitted: bool) -> None:
    """Steps of 100 ms, every other of which is so much longer, and the next shorter."""
    found = look(runs([0, 100 + longer_ms, 200, 300 + longer_ms, 400], [0, 100, 200, 300, 400]))
    assert (found.refitted is not None) is refitted
