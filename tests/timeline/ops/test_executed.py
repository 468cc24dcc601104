"""Executions as instructions of XLA programs."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.timeline.names.ops import Op
from tensorboard_perfplugin.timeline.ops.costs import instruction_costs_of, op_costs_of
from tensorboard_perfplugin.timeline.ops.executions import device_instructions, instructions_as_ops
from tensorboard_perfplugin.timeline.ops.ops import ops_of
from tensorboard_perfplugin.timeline.programs import reader
from tensorboard_perfplugin.timeline.programs.reader import Named, instructions_of
from tests.build_capture import Space, StatValue, Uint
from tests.build_program import computation, instruction, program, shape
from tests.timeline.timelines import timeline

F32 = shape("f32", 8, 4)
#: Two additions of one op of the framework: 32 FLOPs each.
PROGRAM = program(
    computation(
        1,
        [
            instruction(1, "x", "parameter", F32),
            instruction(2, "add.1", "add", F32, (1, 1), op_name="jit(f)/add"),
            instruction(3, "add.2", "add", F32, (2, 2), op_name="jit(f)/add"),
        ],
    ),
    entry=1,
)


def ran(name: str, number: int) -> dict[str, StatValue]:
    return {"hlo_op": name, "hlo_module": "jit_f", "program_id": number}


def space() -> Space:
    made = Space()
    held = made.plane("/host:metadata")
    for key in ("jit_f(5)", "jit_f(6)"):
        held.kind(key, stats={"Hlo Proto": PROGRAM})
    line = made.plane("/device:GPU:0").line(7, "Stream #7")
    for i, (name, number) in enumerate((("add.1", 5), ("add.2", 5), ("add.1", 6))):
        line.event("k", 1000 * i, 100, ran(name, number))
    line.event("MemcpyH2D", 9000, 10)
    return made


@pytest.mark.parametrize("at_a_time", [1, 2, 100])
def test_instructions_are_numbered_in_the_order_of_their_names(at_a_time: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many events are looked at at a time; -1 is what names none."""
    monkeypatch.setattr(reader, "_AT_A_TIME", at_a_time)
    which, named = instructions_of(timeline(space()))
    assert named == (Named("jit_f", 5, "add.1"), Named("jit_f", 6, "add.1"), Named("jit_f", 5, "add.2"))
    assert which.tolist() == [0, 2, 1, -1]


def test_what_ran_on_devices_is_known_without_reading_a_program() -> None:
    of = timeline(space())
    ops, op = device_instructions(of)
    assert ops == (Op("add.1", "", "jit_f(5)"), Op("add.1", "", "jit_f(6)"), Op("add.2", "", "jit_f(5)"))
    assert op.tolist() == [0, 2, 1, -1]
    called = instructions_as_ops(of)
    assert [ops[i]._replace(type=called.ops[j].type) for i, j in zip(op[:3], called.device.op[:3], strict=True)] == [
        called.ops[j] for j in called.device.op[:3]
    ]


def test_instructions_of_one_op_are_told_apart_by_name_and_program() -> None:
    of = timeline(space())
    assert [ops_of(of).ops[i].name for i in ops_of(of).device.op] == ["jit(f)/add"] * 3 + ["MemcpyH2D"]
    ops = instructions_as_ops(of)
    assert [ops.ops[i] for i in ops.device.op[:3]] == [
        Op("add.1", "non-fusion elementwise", "jit_f(5)"),
        Op("add.2", "non-fusion elementwise", "jit_f(5)"),
        Op("add.1", "non-fusion elementwise", "jit_f(6)"),
    ]
    assert ops.ops[ops.device.op[3]] == ops_of(of).ops[ops_of(of).device.op[3]]


def test_their_costs_add_up_to_those_of_the_ops() -> None:
    of = timeline(space())
    ops = instructions_as_ops(of)
    costs = instruction_costs_of(of, "device")
    assert [costs.flops[i] for i in ops.device.op] == [32, 32, 32, 0]
    of_op = op_costs_of(of, "device").flops
    assert of_op[ops_of(of).device.op[0]] == 96


def test_a_tpu_names_the_instruction_and_category_by_the_kind_of_the_event() -> None:
    made = Space()
    tpu = made.plane("/device:TPU:0")
    name = "%fusion.3 = f32[8]{0} fusion(f32[8]{0} %p), kind=kLoop"
    facts: dict[str, StatValue] = {
        "program_id": Uint(2**64 - 1),
        "hlo_category": "loop fusion",
        "tf_op": "jit(f)/add:",
    }
    tpu.kind(name, "fusion.3", facts)
    tpu.kind("%copy.4 = f32[8]{0} copy(f32[8]{0} %p)", "", {"program_id": 7})
    line = tpu.line(3, "XLA Ops")
    line.event(name, 0, 100)
    line.event("%copy.4 = f32[8]{0} copy(f32[8]{0} %p)", 100, 100)
    line.event("unknown", 200, 100)
    made.plane("/host:metadata").kind(f"jit_f({2**64 - 1})", stats={"Hlo Proto": PROGRAM})
    ops = instructions_as_ops(timeline(made))
    assert [ops.ops[i] for i in ops.device.op] == [
        Op("fusion.3", "loop fusion", f"jit_f({2**64 - 1})"),
        Op("copy.4", "copy", "(7)"),
        Op("unknown", "Unknown"),
    ]
    unread, op = device_instructions(timeline(made))
    assert [unread[i].name for i in op.tolist() if i >= 0] == ["fusion.3", "copy.4"]


def test_thunks_of_a_cpu_are_executions_of_the_host() -> None:
    made = Space()
    line = made.plane("/host:CPU").line(1, "tf_XLAEigen/1")
    line.event("add.1", 0, 100, ran("add.1", 5))
    made.plane("/host:metadata").kind("jit_f(5)", stats={"Hlo Proto": PROGRAM})
    ops = instructions_as_ops(timeline(made))
    assert [ops.ops[i] for i in ops.host.op] == [Op("add.1", "non-fusion elementwise", "jit_f(5)")]
