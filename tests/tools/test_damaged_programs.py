"""XLA programs that nobody should believe: the five pages of them answer or give a reason, whichever reader is used."""

from __future__ import annotations

import random
import time
import tracemalloc
from typing import Any

import pytest

from tensorboard_perfplugin.errors import PerfpluginError
from tensorboard_perfplugin.timeline.programs.reader import COMPILED, Reader
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Tool
from tensorboard_perfplugin.tools.graph_viewer import GRAPH_VIEWER
from tensorboard_perfplugin.tools.hlo_stats import HLO_STATS
from tensorboard_perfplugin.tools.memory_viewer import MEMORY_VIEWER
from tensorboard_perfplugin.tools.op_profile import OP_PROFILE
from tensorboard_perfplugin.tools.roofline import ROOFLINE
from tensorboard_perfplugin.wire import Budget
from tests.build_buffers import assignment, held, value
from tests.build_capture import Space, StatValue
from tests.build_program import computation, instruction, program, shape
from tests.timeline.timelines import timeline
from tests.tools.answered import answered, rows_of

PAGES = pytest.mark.parametrize("page", [HLO_STATS, OP_PROFILE, MEMORY_VIEWER, GRAPH_VIEWER, ROOFLINE])
F32 = shape("f32", 8, 4)
BUFFERS = assignment([value(1, 128, "x")], [held(0, 128, {1: 0}, parameter=0)], [])
LONG = "n" * 1_000_000
#: Instructions of a large program, and what one of them may take.
MANY, BYTES_EACH, SECONDS = 1_000_000, 3000, 120.0


def ran(message: bytes, *names: str) -> Timeline:
    """Kernels of instructions of these names, a µs each."""
    space = Space()
    space.plane("/host:metadata").kind("jit_f(5)", stats={"Hlo Proto": message})
    line = space.plane("/device:GPU:0").line(7, "Stream #7")
    for i, name in enumerate(names):
        stats: dict[str, StatValue] = {"hlo_op": name, "hlo_module": "jit_f", "program_id": 5}
        line.event("kernel", 10**7 * i, 10**6, stats)
    return timeline(space)


def told(page: Tool, of: Timeline) -> Any:
    """The answer, or why there is none."""
    try:
        return answered(page, of).to_dict()
    except PerfpluginError as error:
        return str(error)


def step() -> bytes:
    inner = computation(2, [instruction(5, "p", "parameter", F32), instruction(6, "exp.1", "exponential", F32, (5,))])
    entry = [
        instruction(1, "x", "parameter", F32),
        instruction(2, "dot.1", "dot", F32, (1, 1), op_name="jit(f)/dot", source=("model.py", 7), contracts=(1,)),
        instruction(3, "fusion.1", "fusion", F32, (2,), calls=(2,), op_name="jit(f)/exp"),
    ]
    return program(inner, computation(1, entry, 3), entry=1) + BUFFERS


def circles() -> bytes:
    """Operands and computations that lead back to themselves."""
    one = [
        instruction(1, "call.1", "call", F32, (1,), calls=(2,)),
        instruction(4, "fusion.4", "fusion", F32, (4, 1), calls=(1,)),
    ]
    other = [
        instruction(2, "while.2", "while", F32, (2,), calls=(1, 2)),
        instruction(3, "fusion.3", "fusion", F32, (3,), calls=(2,)),
    ]
    return program(computation(1, one, 1), computation(2, other, 3), entry=1) + BUFFERS


def test_time_of_instructions_in_circles_is_told() -> None:
    answer = answered(HLO_STATS, ran(circles(), "call.1", "while.2", "fusion.3", "fusion.4"))
    assert sorted(rows_of(answer, "instructions", "instruction", "self_us")) == [
        ("call.1", 1.0),
        ("fusion.3", 1.0),
        ("fusion.4", 1.0),
        ("while.2", 1.0),
    ]


@PAGES
def test_circles_end(page: Tool) -> None:
    assert isinstance(told(page, ran(circles(), "call.1", "while.2", "fusion.3", "fusion.4")), dict)


@PAGES
def test_names_of_a_megabyte_are_cut(page: Tool) -> None:
    """Of instruction, op, file and opcode: the answer of all of them is shorter than one."""
    entry = [
        instruction(1, LONG, "add", F32, (1, 1), op_name=LONG, source=(LONG, 1)),
        instruction(2, "fusion.1", LONG, F32, (1,), op_name=LONG),
    ]
    answer = told(page, ran(program(computation(1, entry), entry=1) + BUFFERS, "fusion.1"))
    assert isinstance(answer, dict)
    assert len(str(answer)) < len(LONG)


@pytest.mark.skipif(not COMPILED, reason="the loops are not compiled here")
@PAGES
def test_both_readers_give_one_answer_of_changed_bytes(page: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen, whole = random.Random(page.name), step()
    for _ in range(20):
        changed = bytearray(whole[: chosen.randint(len(whole) // 2, len(whole))])
        for _ in range(chosen.randint(0, 12)):
            changed[chosen.randrange(len(changed))] = chosen.randrange(256)
        answers = []
        for compiled in (False, True):
            monkeypatch.setattr(Reader.__init__, "__defaults__", (compiled,))
            assert Reader(b"", Budget(1)).compiled is compiled
            answers.append(told(page, ran(bytes(changed), "dot.1", "fusion.1")))
        assert answers[0] == answers[1], bytes(changed)


@pytest.mark.slow
@PAGES
def test_a_million_instructions_take_bounded_time_and_memory(page: Tool) -> None:
    made = [instruction(1, "x", "parameter", F32)]
    made += [instruction(i, f"add.{i}", "add", F32, (i - 1, 1)) for i in range(2, MANY + 1)]
    of = ran(program(computation(1, made, MANY), entry=1) + BUFFERS, "add.2", f"add.{MANY // 2}", f"add.{MANY}")
    begun = time.process_time()
    tracemalloc.start()
    try:
        answer = told(page, of)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert isinstance(answer, dict)
    assert peak < MANY * BYTES_EACH
    assert time.process_time() - begun < SECONDS
