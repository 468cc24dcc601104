"""Collectives of a JAX program on CPUs, of odd shapes: bytes and bandwidths as the shapes give them, on each page."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools.hlo_stats import HLO_STATS
from tensorboard_perfplugin.tools.pod_viewer import POD_VIEWER
from tests.build_capture import Space, StatValue, chunk
from tests.build_program import computation, instruction, packed, program, shape, tuple_of
from tests.timeline.timelines import timeline
from tests.tools.answered import answered, rows_of

US = 10**6
#: Of each of 8 devices 56 × 1,237 floats, of which each of the others has an eighth.
WHOLE, PART, ALL = shape("f32", 56, 1237), shape("f32", 7, 1237), shape("f32", 448, 1237)
BYTES = 56 * 1237 * 4
#: What all groups' devices are (`replica_groups`): one group of eight.
GROUP = chunk(49, packed(1, range(8)))
#: Instructions, as JAX names them by the function, what gives them, their opcodes and shapes.
RAN = (
    ("psum_invariant.7", "psum", "all-reduce", WHOLE),
    ("reduce_scatter.7", "reduce_scatter", "reduce-scatter", PART),
    ("all_gather.3", "all_gather", "all-gather", ALL),
    ("ppermute.3", "ppermute", "collective-permute", WHOLE),
)


def captured() -> Timeline:
    """Each instruction runs for 100 µs on a thread."""
    parts = [instruction(i, f"slice.{i}", "slice", PART, (1,), op_name="jit(f)/all_to_all") for i in range(10, 18)]
    exchanged = instruction(20, "all-to-all", "all-to-all", tuple_of(*[PART] * 8), range(10, 18)) + GROUP
    joined = instruction(21, "concatenate", "concatenate", WHOLE, (20,), op_name="jit(f)/all_to_all")
    others = [
        instruction(30 + i, name, opcode, of, (1,), op_name=f"jit(f)/{function}") + GROUP
        for i, (name, function, opcode, of) in enumerate(RAN)
    ]
    body = [instruction(1, "x", "parameter", WHOLE), *parts, exchanged, joined, *others]
    space = Space()
    held: dict[str, StatValue] = {"Hlo Proto": program(computation(9, body), entry=9), "program_id": 5}
    space.plane("/host:metadata").kind("jit_f(5)", stats=held)
    line = space.plane("/host:CPU").line(1, "tf_XLAEigen/1")
    names = [f"slice.{i}" for i in range(10, 18)] + ["all-to-all", "concatenate", *(name for name, *_ in RAN)]
    for i, name in enumerate(names):
        ran: dict[str, StatValue] = {"hlo_op": name, "hlo_module": "jit_f", "program_id": 5}
        line.event(name, 100 * i * US, 100 * US, stats=ran)
    return timeline(space)


def test_what_collectives_carry() -> None:
    """As NCCL's tests count: the larger of what a device gives and takes, of which seven eighths are of others. Cutting
    an operand and joining what came is no collective, though JAX calls it `all_to_all`, too.
    """
    columns = ("kind", "group_size", "count", "bytes", "algorithm_gb_s", "bus_gb_s")
    gb_s = BYTES / 100e-6 / 1e9
    assert sorted(rows_of(answered(POD_VIEWER, captured()), "collectives", *columns)) == [
        ("all-gather", 8, 1, 8 * BYTES, pytest.approx(8 * gb_s), pytest.approx(7 * gb_s)),
        ("all-reduce", 8, 1, BYTES, pytest.approx(gb_s), pytest.approx(1.75 * gb_s)),
        ("all-to-all", 8, 1, BYTES, pytest.approx(gb_s), pytest.approx(0.875 * gb_s)),
        ("collective-permute", 8, 1, BYTES, pytest.approx(gb_s), pytest.approx(gb_s)),
        ("reduce-scatter", 8, 1, BYTES, pytest.approx(gb_s), pytest.approx(0.875 * gb_s)),
    ]


def test_what_collectives_read_and_write() -> None:
    """Operands and results, once each."""
    moved = dict(rows_of(answered(HLO_STATS, captured()), "instructions", "instruction", "bytes"))
    assert {name: moved[name] / BYTES for name in ("all-to-all", *(name for name, *_ in RAN))} == {
        "all-to-all": 2,
        "psum_invariant.7": 2,
        "reduce_scatter.7": 1 + 1 / 8,
        "all_gather.3": 1 + 8,
        "ppermute.3": 2,
    }
