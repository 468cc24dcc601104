"""xprof's roofline and ours, row by row, to 0.1 %. Where they differ, docs/roofline.md says why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools.roofline import ROOFLINE
from tests.conftest import SHARED_CAPTURES
from tests.parity._peer import peer_roofline
from tests.tools.answered import answered, rows_of

Row = dict[str, Any]
#: Its rates in bytes are of 2³⁰, ours of 10⁹, a second.
GIB = (1 << 30) / 1e9
TPU = "xprof-tpu-inference-2"
ROCM = "jax-rocm-mi300-tracelens"
#: It knows no FLOPs and bytes of a library's products, and counts those of a convolution once for each of its kernels.
LIBRARY = "custom-call"


@cache
def theirs() -> dict[str, list[Row]]:
    files = [f for folder in (TPU, ROCM) for f in sorted((SHARED_CAPTURES / "xplane" / folder).rglob("*.xplane.pb"))]
    found = peer_roofline(files)
    return {
        str(file.relative_to(SHARED_CAPTURES / "xplane")): [row for row in rows if row["include_infeed_outfeed"]]
        for file, rows in found.items()
    }


@cache
def ours(name: str) -> tuple[dict[tuple[str, str], Row], dict[str, Row]]:
    """Ops by name and id of the program, and steps by name."""
    held = Timeline(decode.read(str(SHARED_CAPTURES / "xplane" / name)), "h")
    answer = answered(ROOFLINE, held, limit="0")
    ops, steps = (
        [dict(zip([c.name for c in table.columns], row, strict=True)) for row in rows_of(answer, table.name)]
        for table in ROOFLINE.tables[:2]
    )
    by_name = {(row["name"], row["program"].rpartition("(")[2][:-1]): row for row in ops}
    return by_name, {row["step"]: row for row in reversed(steps)}


def pairs(within: str = "") -> Iterator[tuple[Row, Row]]:
    """Each of their rows of an instruction, with ours."""
    for name, rows in theirs().items():
        for row in rows:
            if name.startswith(within) and row["operation"] != "Program":
                yield row, ours(name)[0][row["operation"], str(row["hlo_module_id"])]


def near(a: float, b: float | None, factor: float = 1.0) -> bool:
    return b is not None and b == pytest.approx(a * factor, rel=1e-3, abs=1e-9)


def differing(is_same: Callable[[Row, Row], bool], within: str = "") -> set[str]:
    """Categories of rows that differ."""
    return {their["category"] for their, mine in pairs(within) if not is_same(their, mine)}


def test_times_and_executions_are_equal() -> None:
    assert len(list(pairs())) > 70
    assert differing(lambda a, b: near(a["total_time"], b["total_us"])) == set()
    assert differing(lambda a, b: near(a["total_self_time"], b["self_us"])) == set()
    assert differing(lambda a, b: a["occurrences"] == b["occurrences"]) == {LIBRARY}


def test_bandwidths_are_equal_but_those_of_asynchronous_copies_and_libraries() -> None:
    """It counts the bytes of a copy to another memory as the device's own, at its start and at its end."""
    assert differing(lambda a, b: near(a["hbm_bw"], b["hbm_gb_s"], GIB), ROCM) == {LIBRARY}
    assert differing(lambda a, b: near(a["hbm_bw"], b["hbm_gb_s"], GIB), TPU) == {"copy-start", "copy-done"}


def test_flop_rates_of_a_tpu_are_equal() -> None:
    """Of what starts a copy there is no rate of ours."""
    assert differing(lambda a, b: near(a["measured_flop_rate"], b["gflop_s"]), TPU) == {"copy-start"}
    assert differing(lambda a, b: near(a["compute_efficiency"], b["compute_share"]), TPU) == {"copy-start"}


def test_shares_of_the_roof_of_a_tpu_are_equal_where_something_bounds_it() -> None:
    """What only waits is bound by nothing of its own."""
    assert differing(lambda a, b: not b["bound_by"] or near(a["roofline_efficiency"], b["roof_share"]), TPU) == set()
    assert differing(lambda a, b: not b["bound_by"] or a["bound_by"] == b["bound_by"], TPU) == set()


def test_its_flops_of_elements_on_a_gpu_count_widths_and_functions() -> None:
    """A conversion of 16 bits costs it more than one FLOP, a power 165 more: its rates are not below ours."""
    elements = {"loop fusion", "input fusion", "custom fusion"}
    assert differing(lambda a, b: near(a["measured_flop_rate"], b["gflop_s"]), ROCM) == {*elements, LIBRARY}
    at_least = differing(lambda a, b: a["measured_flop_rate"] >= (b["gflop_s"] or 0) * 0.999, ROCM)
    assert at_least == {LIBRARY}


def test_its_shares_of_the_memory_of_a_mi300x_are_twice_ours_and_above_one() -> None:
    """It takes the bandwidth that ROCm's collector writes, half of the device's."""
    twice = 2 * 2662.4 / 5325
    assert (
        differing(
            lambda a, b: b["category"] == LIBRARY or near(a["max_mem_bw_utilization"] / 2, b["memory_share"], twice),
            ROCM,
        )
        == set()
    )
    assert max(their["roofline_efficiency"] for their, _ in pairs(ROCM)) > 1
    assert max(mine["roof_share"] or 0 for _, mine in pairs(ROCM)) < 1


def test_the_times_of_programs_are_equal() -> None:
    """From the first to the last op of each device; on TPUs it counts by each core's own clock, ours by the host's."""
    for name, rows in theirs().items():
        total = ours(name)[1]["total"]
        assert near(rows[0]["total_time"], total["time_ms"] * 1e3 * total["devices"]), name


def test_the_rates_of_programs_are_equal_where_all_ops_are_known_to_both() -> None:
    for name, rows in theirs().items():
        if "elementwise" in name:
            assert near(rows[0]["hbm_bw"], ours(name)[1]["total"]["hbm_gb_s"], GIB)
        if name.startswith(TPU):
            assert near(rows[0]["measured_flop_rate"], ours(name)[1]["total"]["gflop_s"])
