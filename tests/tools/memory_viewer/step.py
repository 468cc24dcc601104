"""A program whose buffers are known one by one: a training step in eleven instructions, as an accelerator keeps it."""

from __future__ import annotations

from collections.abc import Sequence

from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.memory_viewer import MEMORY_VIEWER
from tests.build_buffers import Event, assignment, held, schedule, tiled, value
from tests.build_capture import Space, StatValue
from tests.build_program import computation, instruction, program, shape
from tests.timeline.timelines import timeline
from tests.tools.answered import answered

SQUARE, WIDE, NARROW = tiled("f32", 8, 128), tiled("f32", 8, 256), tiled("f32", 2, 3)
INSTRUCTIONS = (
    instruction(1, "state", "parameter", SQUARE, op_name="state"),
    instruction(2, "x", "parameter", SQUARE, op_name="batch['x']"),
    instruction(3, "zero", "constant", shape("f32")),
    instruction(4, "mask", "broadcast", SQUARE, (3,), op_name="jit(f)/mask", source=("model.py", 3)),
    instruction(5, "dot.1", "dot", SQUARE, (1, 2), op_name="jit(f)/dot"),
    instruction(6, "tanh.1", "tanh", SQUARE, (5,), op_name="jit(f)/tanh"),
    instruction(7, "dot.2", "dot", WIDE, (6, 2), op_name="jit(f)/dot", source=("model.py", 7)),
    instruction(8, "narrow", "reduce", NARROW, (7,), op_name="jit(f)/sum"),
    instruction(9, "mul", "multiply", WIDE, (7, 4), op_name="jit(f)/mul"),
    instruction(10, "out", "add", SQUARE, (9, 8), op_name="jit(f)/add"),
    instruction(11, "result", "bitcast", SQUARE, (10,)),
)
ORDER = tuple(range(1, 12))
BYTES, WIDE_BYTES, NARROW_BYTES = 4096, 8192, 1024
VALUES = (
    value(1, BYTES, "state"),
    value(2, BYTES, 2),
    value(3, 4, "zero"),
    value(4, BYTES, "mask"),
    value(5, BYTES, "dot.1"),
    value(6, BYTES, "tanh.1"),
    value(7, WIDE_BYTES, "dot.2"),
    value(8, NARROW_BYTES, "narrow"),
    value(9, WIDE_BYTES, "mul"),
    value(10, BYTES, "out"),
)
#: The temporary buffers, with 512 bytes of a gap.
TEMPORARY = 4 * BYTES + NARROW_BYTES + 512
ALLOCATIONS = (
    held(0, BYTES, {10: 0}, out=True),
    held(1, BYTES, {1: 0}, parameter=0),
    held(2, BYTES, {2: 0}, parameter=1),
    held(3, 4, {3: 0}, constant=True),
    held(4, 16, {}, thread=True),
    held(5, TEMPORARY, {4: 0, 5: BYTES, 6: 2 * BYTES, 7: 3 * BYTES, 8: BYTES, 9: 3 * BYTES}),
)
TRACE: tuple[Event, ...] = (
    ("alloc", 4, "mask"),
    ("alloc", 5, "dot.1"),
    ("alloc", 6, "tanh.1"),
    ("free", 5, "dot.1"),
    ("alloc", 7, "dot.2"),
    ("free", 6, "tanh.1"),
    ("alloc", 8, "narrow"),
    ("free", 7, "dot.2"),
    ("share", 9, "mul", 7),
    ("free", 4, "mask"),
    ("free", 8, "narrow"),
    ("free", 9, "mul"),
)


def step(
    allocations: Sequence[bytes] = ALLOCATIONS,
    traces: Sequence[Sequence[Event]] = (TRACE,),
    *,
    values: Sequence[bytes] = VALUES,
    more: bytes = b"",
    order: Sequence[int] = ORDER,
) -> bytes:
    entry = computation(1, INSTRUCTIONS, 11)
    return program(entry, entry=1, more=schedule({1: order}) + more) + assignment(values, allocations, traces)


def capture(*programs: tuple[str, bytes], device: dict[str, StatValue] | None = None, ran: bool = True) -> Timeline:
    """Programs by key, of which the first one ran for longer than the others."""
    space = Space()
    kept = space.plane("/host:metadata")
    line = space.plane("/device:GPU:0", stats=device or {}).line(7, "Stream #7")
    for i, (key, message) in enumerate(programs):
        kept.kind(key, stats={"Hlo Proto": message})
        if ran:
            module, number = key[:-1].split("(")
            stats: dict[str, StatValue] = {"hlo_op": "dot.2", "hlo_module": module, "program_id": int(number)}
            line.event("dot.2", 10**7 * i, 10**6 * (9 - i), stats)
    return timeline(space)


def ask(of: Timeline, **options: str) -> Answer:
    return answered(MEMORY_VIEWER, of, **options)


def of_step(message: bytes | None = None, **options: str) -> Answer:
    return ask(capture(("jit_f(5)", step() if message is None else message)), **options)
