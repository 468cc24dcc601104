"""What padding costs each instruction, of a TPU's capture in a few lines: bytes of tiles, FLOPs of the matrix unit."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.programs.table import instruction_table, merged_instructions
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools.hlo_stats import HLO_STATS
from tensorboard_perfplugin.tools.op_profile import OP_PROFILE
from tests.build_buffers import tiled
from tests.build_capture import Space, StatValue
from tests.build_program import computation, instruction, program, shape
from tests.timeline.timelines import timeline
from tests.tools.answered import answered, rows_of

US = 10**6
NARROW, FULL = tiled("f32", 1000, 3), tiled("f32", 1000, 128)
LEFT, RIGHT, RESULT = tiled("f32", 100, 64), tiled("f32", 64, 128), tiled("f32", 100, 128)
PROGRAM = program(
    computation(
        1,
        [
            instruction(1, "x", "parameter", NARROW),
            instruction(2, "add.1", "add", NARROW, (1, 1), op_name="jit(f)/add", source=("model.py", 7)),
            instruction(3, "y", "parameter", FULL),
            instruction(4, "tanh.2", "tanh", FULL, (3,)),
            instruction(5, "a", "parameter", LEFT),
            instruction(6, "b", "parameter", RIGHT),
            instruction(7, "dot.3", "dot", RESULT, (5, 6), contracts=(1,)),
            instruction(9, "z", "parameter", shape("f32", 7)),
            instruction(8, "loose.4", "negate", shape("f32", 7), (9,)),
        ],
    ),
    entry=1,
)
#: Of `add.1`: two operands and a result of 1000 × 3, in rows of 128.
ELEMENTS, ALLOCATED = 3 * 12_000, 3 * 512_000
#: Of `dot.3`: 100 × 64 by 64 × 128. 104 rows and 128 columns of 100 × 64; of the result 104 rows.
DOT_BYTES = (100 * 64 + 64 * 128 + 100 * 128) * 4
DOT_PADDING = (104 * 128 - 100 * 64) * 4 + (104 - 100) * 128 * 4
#: The matrix unit sums over 128, for 104 rows.
DOT_FLOPS = 2 * (104 * 128 * 128 - 100 * 64 * 128)
MOVED = {"add.1": ALLOCATED, "tanh.2": 1_024_000, "dot.3": 139_264, "loose.4": 56}


def capture(add_us: float = 8.0, peak_gb_s: float = 1000.0) -> Timeline:
    """`add.1` runs twice, all else once."""
    space = Space()
    held: dict[str, StatValue] = {"Hlo Proto": PROGRAM, "program_id": 5}
    space.plane("/host:metadata").kind("jit_f(5)", stats=held)
    peaks: dict[str, StatValue] = {
        "peak_teraflops_per_second": 100.0,
        "peak_hbm_bw_gigabytes_per_second": peak_gb_s,
    }
    tpu = space.plane("/device:TPU:0", stats=peaks)
    line, at = tpu.line(3, "XLA Ops"), 0.0
    for name, us in (("add.1", add_us), ("tanh.2", 2.0), ("dot.3", 1.0), ("loose.4", 1.0), ("add.1", add_us)):
        ran: dict[str, StatValue] = {"program_id": 5, "hlo_category": name, "bytes_accessed": MOVED[name], "flops": 10}
        tpu.kind(f"%{name} = x", name, ran)
        line.event(f"%{name} = x", int(at * US), int(us * US))
        at += us
    return timeline(space)


COLUMNS = ("padding_flops", "padding_bytes", "padding_bytes_share", "padded_sizes")


def test_bytes_and_flops_that_are_padding() -> None:
    rows = rows_of(answered(HLO_STATS, capture()), "instructions", "instruction", *COLUMNS)
    assert sorted(rows) == [
        ("add.1", None, 2 * (ALLOCATED - ELEMENTS), 1 - ELEMENTS / ALLOCATED, "f32 1000×3 → 1000×128"),
        (
            *("dot.3", DOT_FLOPS, DOT_PADDING, DOT_PADDING / (DOT_BYTES + DOT_PADDING)),
            "product 100×64×128 → 104×128×128, f32 100×64 → 104×128, f32 100×128 → 104×128",
        ),
        ("loose.4", None, None, None, ""),
        ("tanh.2", None, 0, 0.0, ""),
    ]


def test_parts_of_the_tree_add_up() -> None:
    rows = rows_of(answered(OP_PROFILE, capture()), "profile", "kind", "name", "padding_flops", "padding_bytes")
    by_name = {(kind, name): (flops, moved) for kind, name, flops, moved in rows}
    add = 2 * (ALLOCATED - ELEMENTS)
    assert by_name["program", "jit_f(5)"] == (DOT_FLOPS, add + DOT_PADDING)
    assert by_name["category", "add.1"] == (None, add)
    assert by_name["instruction", "dot.3"] == (DOT_FLOPS, DOT_PADDING)
    assert by_name["instruction", "loose.4"] == (None, None)
    assert [row[0] for row in rows_of(answered(OP_PROFILE, capture()), "profile", "padded_sizes") if row[0]] == [
        "f32 1000×3 → 1000×128",
        "product 100×64×128 → 104×128×128, f32 100×64 → 104×128, f32 100×128 → 104×128",
    ]


def test_the_finding_counts_at_the_peak_of_the_bandwidth() -> None:
    """2 × 1.5 MB of padding at 1,000 GB/s are 3 of 20 µs."""
    (found,) = [f for f in answered(HLO_STATS, capture()).result.findings if f.code == "instructions_padded"]
    lost_us = 2 * (ALLOCATED - ELEMENTS) / 1e6 + DOT_PADDING / 1e6
    assert found.params["share"] == pytest.approx(lost_us / 20)
    assert found.params["bytes"] == 2 * (ALLOCATED - ELEMENTS)
    assert (found.params["instruction"], found.params["sizes"]) == ("add.1", "f32 1000×3 → 1000×128")
    assert found.search == "hlo_stats.instructions.self_us?side=device&program=jit_f%285%29&instruction=add.1"


def test_no_more_is_lost_than_its_part_of_the_time() -> None:
    """At 100 GB/s its padding alone would take 30 of its 8 µs; it is 97.7 % of what these move."""
    findings = answered(HLO_STATS, capture(4.0, 100.0)).result.findings
    (found,) = [finding for finding in findings if finding.code == "instructions_padded"]
    dot_us = min(DOT_PADDING / 0.1e6, DOT_PADDING / (DOT_BYTES + DOT_PADDING))
    assert found.params["share"] == pytest.approx((8 * (1 - ELEMENTS / ALLOCATED) + dot_us) / 12)


@pytest.mark.parametrize(("add_us", "said"), [(28.25, True), (28.35, False)])
def test_padding_is_said_from_a_twentieth_on(add_us: float, said: bool) -> None:
    """3.03 of 60.5 µs, and of 60.7."""
    codes = [finding.code for finding in answered(HLO_STATS, capture(add_us)).result.findings]
    assert ("instructions_padded" in codes) is said


def test_what_padding_costs_is_summed_over_hosts() -> None:
    """Only the first host's was counted."""
    one = instruction_table(capture(), None)
    [(op, padded)] = one.padded.items()
    #: At 100 × 10¹² FLOP/s.
    assert op.name == "dot.3"
    assert padded.lost_ps == pytest.approx(DOT_FLOPS / 100)
    both = merged_instructions([one, instruction_table(capture(), None)]).padded[op]
    assert both == (2 * padded.lost_ps, padded.product, 2 * padded.product_ps)
