"""SparseCores: parts of their chips, in the table of devices, in the steps and among the ops."""

from __future__ import annotations

from tensorboard_perfplugin.timeline.assignment import steps_of
from tensorboard_perfplugin.timeline.split.split import split_of
from tensorboard_perfplugin.tools.hlo_stats import HLO_STATS
from tensorboard_perfplugin.tools.op_stats import OP_STATS
from tensorboard_perfplugin.tools.overview import OVERVIEW
from tests.build_capture import Space, StatValue
from tests.timeline.timelines import timeline
from tests.tools.answered import answered

MS = 10**9


def chip(works: bool = True, tensor_core: bool = True) -> Space:
    """Steps of 10 ms, in which the TensorCore works for 5; its SparseCore from the second to the eleventh ms."""
    space = Space()
    core = space.plane("/device:TPU:0", id=1, stats={"device_type_string": "TPU v9"})
    sparse = space.plane("/device:TPU:0 SparseCore 0", id=2)
    steps, ops = core.line(1, "Steps"), core.line(2, "XLA Ops")
    sparse_steps, sparse_ops = sparse.line(1, "Sparse Core Steps"), sparse.line(2, "Sparse Core Ops")
    program: dict[str, StatValue] = {"program_id": 17}
    fusion = core.kind("%fusion.1", stats={**program, "hlo_category": "loop fusion"})
    gather = sparse.kind("%gather.7", stats={**program, "hlo_category": "gather"})
    for i in range(4):
        if tensor_core:
            steps.event(str(i), i * 10 * MS, 8 * MS)
            ops.event(fusion, i * 10 * MS, 5 * MS)
        if works:
            sparse_steps.event(str(i), (i * 10 + 1) * MS, 10 * MS)
            sparse_ops.event(gather, (i * 10 + 1) * MS, 9 * MS)
    return space


def test_a_sparse_core_is_a_part_of_its_chip() -> None:
    for works in (True, False):
        answer = answered(OVERVIEW, timeline(chip(works))).to_dict()
        devices = answer["tables"]["devices"]["columns"]
        assert devices["part_of"] == [None, "/device:TPU:0"]
        assert devices["idle_share"][1] is devices["idle_ms"][1] is None
        assert answer["summary"]["device_count"] == 1
        assert answer["summary"]["device_type"] == "TPU v9"


def test_a_sparse_core_alone_is_a_device() -> None:
    answer = answered(OVERVIEW, timeline(chip(tensor_core=False))).to_dict()
    devices = answer["tables"]["devices"]["columns"]
    assert devices["part_of"][1] is None
    assert devices["idle_share"][1] is not None


def test_steps_are_those_of_the_tensor_core() -> None:
    of = timeline(chip())
    steps = steps_of(of)
    assert (steps.span_ps / MS).tolist() == [8] * 4
    assert (steps.wall_ps / MS).tolist() == [10, 10, 10, 8]
    assert [unit.name for unit in split_of(of).units] == ["/device:TPU:0"]
    alone = steps_of(timeline(chip(tensor_core=False)))
    assert (alone.span_ps / MS).tolist() == [10] * 4


def test_its_ops_say_where_they_ran() -> None:
    of = timeline(chip())
    ops = answered(OP_STATS, of).to_dict()["tables"]["ops"]["columns"]
    assert ops["type"] == ["SparseCore gather", "loop fusion"]
    instructions = answered(HLO_STATS, of).to_dict()["tables"]["instructions"]["columns"]
    assert instructions["category"] == ["SparseCore gather", "loop fusion"]
