"""What bounds a TPU's instructions that use the memories on its chip, of a capture in a few lines."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.tools.hlo_stats import HLO_STATS
from tensorboard_perfplugin.tools.op_profile import OP_PROFILE
from tensorboard_perfplugin.tools.roofline import ROOFLINE
from tests.build_capture import Space, StatValue
from tests.timeline.timelines import timeline
from tests.tools.answered import answered, rows_of
from tests.tools.collectors import Tpu
from tests.tools.hlo_stats.test_hlo_stats import MEMORIES, breakdown

US = 1000
PEAKS: dict[str, StatValue] = {
    "device_type_string": "TPU v4",
    "peak_teraflops_per_second": 275.0,
    "peak_hbm_bw_gigabytes_per_second": 1200.0,
    "peak_cmem_rd_bw_gigabytes_per_second": 2000.0,
    "peak_cmem_wr_bw_gigabytes_per_second": 1000.0,
    "peak_vmem_rd_bw_gigabytes_per_second": 20_000.0,
    "peak_vmem_wr_bw_gigabytes_per_second": 10_000.0,
}
#: In 10 µs each: half of HBM's peak; 0.35 of CMEM's to read and 0.3 to write; 0.7 of VMEM's to read, at 14,000 GB/s
#: more than ten times HBM's; next to nothing.
MOVED = (
    ((1, 1, 4_000_000), (2, 1, 2_000_000)),
    ((1, 2, 7_000_000), (2, 2, 3_000_000)),
    ((1, 3, 140_000_000), (2, 3, 9_000_000)),
    ((1, 2, 100), (1, 1, 1000)),
)
BOUNDS = [("HBM", 0.5), ("CMEM read", 0.35), ("VMEM read", 0.7), ("Compute", pytest.approx(1e6 / 2.75e9))]


def space(peaks: dict[str, StatValue] = PEAKS) -> Space:
    tpu, kinds = Tpu(peaks, 1), []
    for i, moved in enumerate(MOVED):
        size = sum(one[2] for one in moved)
        facts: dict[str, StatValue] = {"flops": 1_000_000, "bytes_accessed": size, "symbol_id": i + 1}
        text = f"%fusion.{i} = f32[256] fusion(f32[256] %x)"
        kinds.append(tpu.kind(0, text, "loop fusion", memory_access_breakdown=breakdown(*moved), **facts))
    for step in range(2):
        tpu.step(0, step, (step * 400 * US, (step * 400 + 300) * US), [(kind, 10 * US) for kind in kinds])
    return tpu.space


def bounds(of: Space) -> list[tuple[object, ...]]:
    return sorted(rows_of(answered(HLO_STATS, timeline(of)), "instructions", "instruction", "bound_by", "roof_share"))


def test_memories_on_the_chip_bound_what_uses_them_most() -> None:
    """Before, only HBM and FLOPs did: `Compute`, at 0.04 % of its roof."""
    assert [row[1:] for row in bounds(space())] == BOUNDS
    ops = rows_of(answered(ROOFLINE, timeline(space())), "ops", "name", "bound_by", "roof_share")
    assert [row[1:] for row in sorted(ops)] == BOUNDS


def test_what_is_at_the_roof_of_its_chip_is_not_wasted() -> None:
    rows = rows_of(answered(OP_PROFILE, timeline(space())), "profile", "instruction", "wasted_us")
    wasted = {name: value for name, value in rows if name}
    assert wasted["fusion.2"] == pytest.approx(20 * 0.3)


def test_what_a_capture_does_not_say_of_a_memory_bounds_nothing() -> None:
    peaks = {key: value for key, value in PEAKS.items() if "vmem" not in key}
    assert bounds(space(peaks))[2][1] == "Compute"


def test_the_rate_of_a_memory_on_the_chip_is_believed() -> None:
    rows = rows_of(answered(HLO_STATS, timeline(space())), "instructions", "instruction", "gb_s", *MEMORIES)
    assert {row[0]: row[1:] for row in rows}["fusion.2"] == (14_900, 0, 298_000_000, 0, 0)
