"""The ops of a side, summed for rules."""

from __future__ import annotations

from tensorboard_perfplugin.analysis.ops import EagerTime, Listed, OpRow, OpSide, UnattributedTime, op_sides
from tensorboard_perfplugin.analysis.ops.sides import EagerOps, LargestType, SmallOps
from tensorboard_perfplugin.analysis.ops.unattributed import main_cause
from tensorboard_perfplugin.timeline import Op

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
