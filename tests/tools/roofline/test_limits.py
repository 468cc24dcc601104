"""Memories by their numbers, and how many steps and names are looked at, just within and just beyond."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin.analysis.roofline.executed import Label
from tensorboard_perfplugin.analysis.roofline.points import _precisions
from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.tables import PlaneKind
from tensorboard_perfplugin.tools.roofline import ROOFLINE
from tests.timeline.timelines import timeline
from tests.tools.answered import answered
from tests.tools.roofline.test_roofline import LIMITS, PEAKS, moved, rows, tpu

#: GB/s of CMEM and VMEM to read and to write; the breakdown's numbers of memory and direction.
CHIP = {"cmem_rd": (2000, 2, 1), "cmem_wr": (3000, 2, 2), "vmem_rd": (5000, 3, 1), "vmem_wr": (7000, 3, 2)}


@pytest.mark.parametrize(
    ("key", "name"),
    [("cmem_rd", "CMEM read"), ("cmem_wr", "CMEM write"), ("vmem_rd", "VMEM read"), ("vmem_wr", "VMEM write")],
)
def test_each_memory_of_a_tpu_has_its_own_bytes_and_peak(key: str, name: str) -> None:
    """80 % of the peak of one for 5 ms; of the main memory 20 %."""
    peak, space, way = CHIP[key]
    breakdown = moved((1, 1, 10**9), (way, space, peak * 4 * 10**6))
    held = tpu({"flops": 1, "bytes_accessed": 10**9 + peak * 4 * 10**6, "memory_access_breakdown": breakdown})
    held.planes[0].stats = {
        **PEAKS,
        **{f"peak_{each}_bw_gigabytes_per_second": float(gb_s) for each, (gb_s, _, _) in CHIP.items()},
    }
    assert rows(answered(ROOFLINE, timeline(held)), "ops", *LIMITS)[0][:2] == (name, pytest.approx(0.8))


@pytest.mark.parametrize(("gb_s", "known"), [(9.9e11, True), (1e12, False)])
def test_a_peak_that_no_memory_has_is_none(gb_s: float, known: bool) -> None:
    held = tpu({"flops": 1, "bytes_accessed": 10**9})
    held.planes[0].stats = {**PEAKS, "peak_vmem_rd_bw_gigabytes_per_second": gb_s}
    found = dict(rows(answered(ROOFLINE, timeline(held)), "roofs", "roof", "peak_gb_s"))
    assert found.get("VMEM read") == (gb_s if known else None)


@pytest.mark.parametrize("steps", [1000, 1001])
def test_a_thousand_steps_have_a_row_each(steps: int) -> None:
    answer = answered(ROOFLINE, timeline(tpu({"flops": 10**9, "bytes_accessed": 10**6}, steps=steps)))
    assert [row[0] for row in rows(answer, "steps", "step")][2:] == [str(i) for i in range(1000)]


@pytest.mark.parametrize(("others", "precision"), [(19_999, "tf32"), (20_000, "fp32")])
def test_20_000_names_of_kernels_are_looked_at(others: int, precision: str) -> None:
    """Of one op on one GPU; its last kernel says in what it computes."""
    rows, zeros = np.arange(others + 1), np.zeros(others + 1, np.int64)
    strings = [*(f"k{i}" for i in range(others)), "ampere_sgemm_tf32_128x64"]
    planes, events = SimpleNamespace(kind=np.array([PlaneKind.GPU])), SimpleNamespace(name=rows)
    held: Any = SimpleNamespace(capture=SimpleNamespace(planes=planes, events=events, strings=strings))
    label = Label("dot.1", "", "", "", "fp32", "")
    ran: Any = SimpleNamespace(plane=zeros, rows=rows, label=zeros, duration_ps=zeros + 1.0, labels=[label])
    assert _precisions(held, ran) == [precision]


@pytest.mark.parametrize("option", ["peak_tflops", "peak_gb_s"])
def test_peaks_that_can_be_asked_for(option: str) -> None:
    held = timeline(tpu({"flops": 10**9, "bytes_accessed": 10**6}))
    for within in ("0", "1e9"):
        assert answered(ROOFLINE, held, **{option: within}).result.summary["ops_rows"] == 2
    for beyond in ("-1", "1.001e9"):
        with pytest.raises(ArgumentError, match=option):
            answered(ROOFLINE, held, **{option: beyond})
