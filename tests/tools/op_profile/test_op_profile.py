"""The tree of XLA's instructions, of captures in a few lines."""

from __future__ import annotations

from typing import Any

import pytest

from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.tools import Answer
from tensorboard_perfplugin.tools.op_profile import OP_PROFILE
from tests.build_capture import Space, StatValue, text
from tests.build_program import computation, instruction, program, shape
from tests.timeline.timelines import timeline
from tests.tools.answered import answered, rows_of

US = 10**6
F32 = shape("f32", 8, 4)
#: A fusion of an addition and a negation: 64 FLOPs; an addition: 32. Each reads and writes 384 and 256 bytes.
PROGRAM = program(
    computation(
        2,
        [
            instruction(1, "p", "parameter", F32),
            instruction(2, "add.9", "add", F32, (1, 1)),
            instruction(3, "neg.9", "negate", F32, (2,)),
        ],
    ),
    computation(
        1,
        [
            instruction(1, "x", "parameter", F32),
            instruction(2, "fusion.1", "fusion", F32, (1,), calls=(2,), op_name="jit(f)/layer/neg", source=("m.py", 7))
            + text(11, "kLoop"),
            instruction(3, "add.2", "add", F32, (2, 2), op_name="jit(f)/layer/add", source=("m.py", 9)),
            instruction(4, "add.3", "add", F32, (3, 3), op_name="jit(f)/out/add"),
        ],
    ),
    entry=1,
)
#: In 1 µs 128 FLOPs, and 768 bytes.
GPU: dict[str, StatValue] = {"peak_teraflops_per_second": 128e-6, "peak_hbm_bw_gigabytes_per_second": 0.768}


def capture(*runs: tuple[str, float], device: dict[str, StatValue] | None = None, end: float = 0) -> Timeline:
    """Kernels of jit_f(5), one after the other: instruction and µs; `end`: of a copy of 1 µs."""
    space = Space()
    space.plane("/host:metadata").kind("jit_f(5)", stats={"Hlo Proto": PROGRAM})
    line = space.plane("/device:GPU:0", stats=GPU if device is None else device).line(7, "Stream #7")
    at = 0.0
    for name, us in runs:
        ran: dict[str, StatValue] = {"hlo_op": name, "hlo_module": "jit_f", "program_id": 5}
        line.event(f"kernel_{name}", int(at * US), int(us * US), ran)
        at += us
    if end:
        line.event("MemcpyH2D", int((end - 1) * US), US)
    return timeline(space)


RUNS = (("fusion.1", 1.0), ("add.2", 1.0), ("fusion.1", 3.0), ("add.3", 1.0))


def ask(of: Timeline, **options: str) -> Answer:
    return answered(OP_PROFILE, of, **options)


def drawn(answer: Answer) -> list[str]:
    """`  name self`, indented by depth; a parent stands before what lies in it."""
    rows = rows_of(answer, "profile", "parent", "depth", "name", "self_us")
    for at, (parent, depth, _, _) in enumerate(rows):
        assert parent == -1 if depth == 0 else rows[parent][1] == depth - 1 and parent < at
    return [f"{'  ' * depth}{name} {'-' if us is None else f'{us:g}'}" for _, depth, name, us in rows]


def test_by_program_and_category_with_what_a_fusion_runs() -> None:
    assert drawn(ask(capture(*RUNS))) == [
        "jit_f(5) 6",
        "  loop fusion 4",
        "    fusion.1 4",
        "      add.9 -",
        "      neg.9 -",
        "  non-fusion elementwise 2",
        "    add.2 1",
        "    add.3 1",
    ]


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("category", ["loop fusion 4", "  fusion.1 4", "non-fusion elementwise 2", "  add.2 1", "  add.3 1"]),
        (
            "scope",
            [
                *("jit(f) 6", "  layer 5", "    neg 4", "      fusion.1 4", "    add 1", "      add.2 1"),
                *("  out 1", "    add 1", "      add.3 1"),
            ],
        ),
        (
            "provenance",
            [
                *("jit_f(5) 6", "  jit(f) 6", "    layer 5", "      neg 4", "        loop fusion 4"),
                *("          fusion.1 4", "      add 1", "        non-fusion elementwise 1", "          add.2 1"),
                *("    out 1", "      add 1", "        non-fusion elementwise 1", "          add.3 1"),
            ],
        ),
        (
            "source",
            ["m.py 5", "  m.py:7 4", "    fusion.1 4", "  m.py:9 1", "    add.2 1", "(no source) 1", "  add.3 1"],
        ),
    ],
)
def test_ways_to_group(by: str, expected: list[str]) -> None:
    rows = [row for row in drawn(ask(capture(*RUNS), by=by)) if not row.endswith(" -")]
    assert rows == expected


def test_what_each_part_reaches_and_wastes() -> None:
    columns = (
        "name",
        "flop_share",
        "memory_share",
        "wasted_us",
        "wasted_share",
        "occurrences",
        "instructions",
        "flops",
    )
    rows = {row[0]: row[1:] for row in rows_of(ask(capture(*RUNS)), "profile", *columns, digits=4)}
    #: Two executions: 128 of 512 FLOPs, 512 of 3072 bytes (an eighth of the 4 µs … 256 bytes each).
    assert rows["fusion.1"] == (0.25, 0.1667, 3.0, 0.5, 2, 1, 128)
    #: 32 of 128 FLOPs, 384 of 768 bytes.
    assert rows["add.2"] == (0.25, 0.5, 0.5, 0.0833, 1, 1, 32)
    #: 192 of 768 FLOPs, 1280 of 4608 bytes.
    assert rows["jit_f(5)"] == (0.25, 0.2778, 4.3333, 0.7222, 4, 3, 192)
    assert rows["add.9"] == (None, None, None, None, None, None, 32)


def test_idle_time_is_a_row_and_part_of_the_whole() -> None:
    answer = ask(capture(*RUNS, end=10), idle="true")
    rows = rows_of(answer, "profile", "name", "self_us", "self_share")
    assert rows[-1] == ("IDLE", 3.0, 3 / 9)
    assert rows[0] == ("jit_f(5)", 6.0, 6 / 9)
    assert rows_of(ask(capture(*RUNS, end=10)), "profile", "name", "self_share")[0] == ("jit_f(5)", 1.0)


def test_instructions_that_do_the_same_are_a_group() -> None:
    space = Space()
    tpu = space.plane("/device:TPU:0")
    line = tpu.line(3, "XLA Ops")
    for at, name in enumerate(("fusion.3", "fusion.4", "copy.5")):
        of: dict[str, StatValue] = {"program_id": 9, "hlo_category": "loop fusion", "deduplicated_name": "fusion.3"}
        copies: dict[str, StatValue] = {"program_id": 9, "hlo_category": "copy"}
        tpu.kind(f"%{name} = f32[8] x()", name, copies if name == "copy.5" else of)
        line.event(f"%{name} = f32[8] x()", at * US, (3 - at) * US // 4)
    assert drawn(ask(timeline(space))) == [
        *(
            "(9) 1.5",
            "  loop fusion 1.25",
            "    fusion.3 and 1 alike 1.25",
            "      fusion.3 0.75",
            "      fusion.4 0.5",
        ),
        *("  copy 0.25", "    copy.5 0.25"),
    ]


def test_a_limit_keeps_what_the_rest_lies_in() -> None:
    assert [row for row in drawn(ask(capture(*RUNS), limit="3")) if not row.endswith(" -")] == [
        *("jit_f(5) 6", "  loop fusion 4", "    fusion.1 4"),
    ]
    assert ask(capture(*RUNS), limit="3").result.summary["profile_rows"] == 8


def test_names_of_operands_and_users() -> None:
    rows = rows_of(ask(capture(*RUNS)), "profile", "instruction", "operands", "users", "op_name", "source")
    assert ("fusion.1", "x", "add.2", "jit(f)/layer/neg", "m.py:7") in rows


def codes(answer: Answer) -> dict[str, dict[str, Any]]:
    return {finding.code: dict(finding.params) for finding in answer.result.findings}


def test_the_first_finding_says_what_is_wasted_and_where_most() -> None:
    said = codes(ask(capture(*RUNS)))["instructions_below_roof"]
    assert (said["instruction"], said["most_ps"]) == ("fusion.1", 3 * US)
    assert said["share"] == pytest.approx(0.7222, abs=1e-4)
    assert said["self_ps"] == 6 * US


def test_without_peaks_nothing_is_said_to_be_wasted() -> None:
    answer = ask(capture(*RUNS, device={}))
    assert "instructions_below_roof" not in codes(answer)
    assert answer.result.summary["wasted_ms"] is None
