"""Ops of a side: sums for rules, how much of a device they used, how often they ran, and what is eager of them."""

from __future__ import annotations

import math
import random
from collections import Counter
from unittest.mock import patch

import pytest

from tensorboard_perfplugin.analysis.ops import rows as op_executions
from tensorboard_perfplugin.analysis.ops.rows import EagerTime, Listed, OpRow, UnattributedTime, main_cause, op_table
from tensorboard_perfplugin.analysis.ops.sides import EagerOps, LargestType, OpSide, SmallOps, op_sides
from tensorboard_perfplugin.analysis.ops.use import OpUse
from tensorboard_perfplugin.timeline.names.ops import Op
from tests.build_capture import Space, StatValue
from tests.timeline.timelines import timeline
from tests.tools.op_answers import NS, host_line

MUL, ADD, SUB = Op("mul", "Mul"), Op("add", "Add"), Op("sub", "Add")
#: Executions, kernels, total, self, eager, known, waiting, and known of waiting.
ROWS = [
    (MUL, OpRow(2, 4, 60.0, 50.0, 10.0, 20.0, 0.0, 50.0)),
    (ADD, OpRow(10, 20, 40.0, 30.0, 0.0, 30.0, 25.0, 30.0)),
    (SUB, OpRow(5, 0, 5.0, 25.0, 0.0, 0.0, 5.0, 25.0)),
]


def side(name: str) -> OpSide:
    [one] = op_sides([Listed(name, "", ROWS)], [], 0.1)
    return one


def test_sums_of_a_side() -> None:
    host = side("host")
    assert (host.self_ps, host.wait_ps, host.first_ps(2), host.share(21.0)) == (105.0, 30.0, 80.0, 0.2)
    assert (host.waits_most(), host.works_most()) == (1, (0, 50.0))
    assert host.largest_type() == LargestType("Add", 55.0, 2, *ROWS[1])
    assert host.eager() == EagerOps(10.0, 50.0, MUL)
    in_steps = [(op, row._replace(in_steps=EagerTime(row.eager_ps / 2, row.known_ps / 2))) for op, row in ROWS]
    [host] = op_sides([Listed("host", "", in_steps)], [], 0.1)
    assert host.eager() == EagerOps(5.0, 25.0, MUL, True)


def test_short_executions_of_a_host_and_short_kernels_of_a_device() -> None:
    """Below 4 ps on average: of `add` 10 executions, and 20 kernels; of `sub` no kernel is counted."""
    assert side("host").small(4.5) == SmallOps(15, 25.0, 2, ADD)
    assert side("device").small(4.5) == SmallOps(20, 5.0, 1, ADD)
    assert side("host").small(1.0) is None


def test_sides_without_time_are_none_and_the_first_of_the_others_is_known() -> None:
    parts = [Listed("device", "", []), Listed("host", "", ROWS)]
    assert [(each.side, each.first) for each in op_sides(parts, [], 0.1)] == [("host", True)]
    parts = [Listed("device", "", ROWS), Listed("host", "", ROWS)]
    assert [(each.side, each.first) for each in op_sides(parts, [], 0.1)] == [("device", True), ("host", False)]


def test_the_main_cause_of_kernels_without_an_op_is_that_of_all_hosts() -> None:
    assert main_cause([UnattributedTime(graphs=3.0), UnattributedTime(outside=2.0), UnattributedTime(outside=2.0)]) == (
        "outside"
    )


def test_sums_of_what_is_known() -> None:
    a = OpUse(flops=2.0, flops_ps=1.0, could_flops=4.0, tensor_ps=1.0, tensor_known_ps=1.0)
    b = OpUse(bytes=3.0, hbm_bytes=3.0, bytes_ps=2.0, could_bytes=math.inf, tensor_known_ps=3.0)
    both = a.plus(b)
    assert both == b.plus(a)
    assert both == OpUse(2.0, None, 3.0, 3.0, 1.0, 2.0, 4.0, math.inf, 1.0, 4.0, 0.0)
    assert (both.compute_share, both.memory_share, both.bound_by, both.tensor_core_share) == (0.5, None, "", 0.25)


@pytest.mark.parametrize(("bytes_", "bound_by", "gb_s"), [(1000, "HBM", 1e9), (1001, "", None)])
def test_ten_times_a_devices_peak_is_believed(bytes_: float, bound_by: str, gb_s: float | None) -> None:
    use = OpUse(0.0, None, bytes_, bytes_, flops_ps=1000.0, bytes_ps=bytes_ / 1e6, could_flops=100.0, could_bytes=100.0)
    assert (use.bound_by, use.rates().gb_s) == (bound_by, gb_s)


def test_the_most_frequent_kernel_of_each_op_and_program() -> None:
    """Sixty kernels of three ops, in two programs and of four names each."""
    drawn = random.Random(1)
    ran = [(drawn.randrange(3), drawn.randrange(2), drawn.randrange(4)) for _ in range(60)]
    space = Space()
    line = space.plane("/device:GPU:0").line(7, "Stream #7")
    for i, (op, program, name) in enumerate(ran):
        stats: dict[str, StatValue] = {"tf_op": f"op{op}:Mul", "program_id": program + 1}
        line.event(f"kernel {name}", 10 * i, 5, stats)
    counts = Counter(ran)
    expected = {
        f"op{op}": sum(max(n for (o, p, _), n in counts.items() if (o, p) == (op, program)) for program in (0, 1))
        for op in range(3)
    }
    for limit in (0, 1 << 20):
        with patch.object(op_executions, "_MAX_CELLS", limit):
            table = op_table(timeline(space)).rows
        assert {op.name: row.occurrences for (_, op), row in table.items()} == expected


@pytest.mark.parametrize(("eager_us", "known"), [(110, False), (112, True)])
def test_a_tenth_of_the_known_time_is_looked_for_in_steps(eager_us: int, known: bool) -> None:
    """In each of four steps 1,000 µs are compiled; 111 µs more are a tenth of all."""
    space = Space()
    line = host_line(space, 1)
    for step in range(4):
        begin = step * 2000
        line.event(f"train {step}", begin * 1000 * NS, 1_800_000 * NS, stats={"_r": 1, "step_num": step})
        line.event("big:Mul", begin * 1000 * NS, 1_000_000 * NS)
        line.event("EagerExecute", (begin + 1100) * 1000 * NS, 500_000 * NS, stats={"is_func": 0})
        line.event("a:MatMul", (begin + 1200) * 1000 * NS, eager_us * 1000 * NS)
    rows = {op.name: row for (_, op), row in op_table(timeline(space)).rows.items()}
    eager_ps = 4 * eager_us * 1e6
    assert rows["a"].in_steps == (EagerTime(eager_ps, eager_ps) if known else None)
    assert rows["a"].of_steps == EagerTime(eager_ps, eager_ps)
