"""What a program holds at its peak, of programs whose buffers are known one by one."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.programs.table import ProgramTime, hosts_that_show
from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.tools.memory_viewer import MEMORY_VIEWER
from tests.build_buffers import Event, aliases, assignment, donors, held, tiled, value
from tests.build_program import computation, instruction, program
from tests.tools.answered import answered, rows_of
from tests.tools.memory_viewer.step import (
    ALLOCATIONS,
    BYTES,
    NARROW_BYTES,
    TEMPORARY,
    TRACE,
    VALUES,
    WIDE_BYTES,
    ask,
    capture,
    of_step,
    step,
)

ALWAYS = 3 * BYTES + 4
PEAK = ALWAYS + 2 * BYTES + WIDE_BYTES


def test_the_peak_is_what_is_held_throughout_and_the_most_that_is_live_on_it() -> None:
    summary = of_step().result.summary
    assert {
        name: summary[name] for name in ("program", "space", "program_peak_bytes", "peak_instruction", "peak_place")
    } == {
        "program": "jit_f(5)",
        "space": 0,
        "program_peak_bytes": PEAK,
        "peak_instruction": "dot.2",
        "peak_place": 6,
    }
    assert (summary["peak_event"], summary["peak_op"], summary["peak_source"]) == (4, "jit(f)/dot", "model.py:7")
    assert (summary["held_bytes"], summary["allocated_bytes"]) == (ALWAYS, ALWAYS + TEMPORARY)
    kinds = ("parameter", "output", "temporary", "constant")
    assert [summary[f"{kind}_bytes"] for kind in kinds] == [2 * BYTES, BYTES, 2 * BYTES + WIDE_BYTES, 4]
    assert sum(int(summary[f"{kind}_bytes"] or 0) for kind in kinds) == PEAK


def test_the_curve_is_that_of_the_simulation() -> None:
    rows = rows_of(of_step(), "curve", "event", "place", "instruction", "change", "live_bytes", "logical_bytes")
    small, wide, narrow, logical = BYTES, WIDE_BYTES, NARROW_BYTES, 24
    live = [0, small, 2 * small, 3 * small, 2 * small, 2 * small + wide, small + wide, small + wide + narrow]
    live += [small + narrow, small + wide + narrow, wide + narrow, wide, 0]
    assert [row[4] for row in rows] == [ALWAYS + one for one in live]
    assert [row[4] - row[5] for row in rows] == [narrow - logical if 7 <= i <= 10 else 0 for i in range(13)]
    assert [rows[0][:4], rows[5][:4], rows[9][:4]] == [
        (-1, None, "", "held"),
        (4, 6, "dot.2", "alloc"),
        (8, 8, "mul", "share"),
    ]


def test_buffers_with_their_lives() -> None:
    rows = rows_of(of_step(), "buffers", "instruction", "kind", "bytes", "at_peak", "first", "last", "values")
    assert rows == [
        ("dot.2", "temporary", WIDE_BYTES, True, "dot.2", "out", 2),
        ("state", "parameter", BYTES, True, "state", "result", 1),
        ("x", "parameter", BYTES, True, "state", "result", 1),
        ("mask", "temporary", BYTES, True, "mask", "mul", 1),
        ("tanh.1", "temporary", BYTES, True, "tanh.1", "dot.2", 1),
        ("out", "output", BYTES, True, "state", "result", 1),
        ("zero", "constant", 4, True, "state", "result", 1),
        ("dot.1", "temporary", BYTES, False, "dot.1", "tanh.1", 1),
        ("narrow", "temporary", NARROW_BYTES, False, "narrow", "out", 1),
    ]
    shares = rows_of(of_step(), "buffers", "bytes", "peak_share", "at_peak")
    assert sum(size for size, _, at_peak in shares if at_peak) == PEAK
    assert sum(share or 0 for _, share, _ in shares) == pytest.approx(1)


def test_padding_is_what_tiles_add() -> None:
    rows = rows_of(of_step(), "buffers", "instruction", "shape", "logical_bytes", "padding_bytes", "padded_sizes")
    found = {row[0]: row[1:] for row in rows}
    assert found["narrow"] == ("f32[2,3]{1,0:T(8,128)}", 24, NARROW_BYTES - 24, "2×3 → 8×128")
    assert found["dot.2"][2:] == (0, "")


def test_buffers_by_op() -> None:
    assert rows_of(of_step(), "ops", "op", "bytes", "buffers", "source")[:4] == [
        ("jit(f)/dot", WIDE_BYTES, 1, "model.py:7"),
        ("batch['x']", BYTES, 1, ""),
        ("jit(f)/add", BYTES, 1, ""),
        ("jit(f)/mask", BYTES, 1, "model.py:3"),
    ]


def saves(answer_rows: list[tuple[object, ...]]) -> dict[object, tuple[object, ...]]:
    return {row[0]: row[1:] for row in answer_rows if row[1]}


def test_what_could_be_saved() -> None:
    """The output has the state's shape. The mask is a broadcast that is used last when 3 KiB less are live."""
    answer = of_step()
    assert saves(rows_of(answer, "buffers", "instruction", "saves", "saved_bytes")) == {
        "state": ("donate", BYTES),
        "mask": ("recompute", BYTES - NARROW_BYTES),
    }
    assert rows_of(answer, "savings", "means", "bytes", "buffers") == [("donate", 4096, 1), ("recompute", 3072, 1)]
    assert (answer.result.summary["donation_bytes"], answer.result.summary["recompute_bytes"]) == (4096, 3072)


@pytest.mark.parametrize("more", [aliases(0), donors(0)])
def test_what_is_donated_is_not_advised(more: bytes) -> None:
    """The other parameter has the shape as well, and its caller may still give it."""
    rows = saves(rows_of(of_step(step(more=more)), "buffers", "instruction", "saves", "saved_bytes"))
    assert rows["x"] == ("donate", BYTES)
    assert "state" not in rows


def test_each_output_takes_one_place() -> None:
    both = of_step(step(more=aliases(0) + donors(1)))
    assert "donate" not in [row[0] for row in rows_of(both, "savings", "means")]


@pytest.mark.parametrize(("second", "means"), [("jit(add)/add", []), ("jit(f)/mul", [("donate",)])])
def test_a_program_of_one_op_is_nobodys_to_donate_to(second: str, means: list[tuple[str]]) -> None:
    """JAX compiles an op that runs by itself as a program, whose arguments nobody can donate."""
    square = tiled("f32", 8, 128)
    instructions = [
        instruction(1, "x", "parameter", square, op_name="x"),
        instruction(2, "sum", "add", square, (1, 1), op_name="jit(add)/add"),
        instruction(3, "copy", "multiply", square, (2, 2), op_name=second),
    ]
    values = [value(1, BYTES, "x"), value(2, BYTES, "copy")]
    allocations = [held(0, BYTES, {1: 0}, parameter=0), held(1, BYTES, {2: 0}, out=True)]
    answer = of_step(program(computation(1, instructions, 3), entry=1) + assignment(values, allocations))
    assert rows_of(answer, "savings", "means") == means


def test_a_parameter_that_an_output_has_already_is_a_parameter() -> None:
    allocations = [held(0, BYTES, {1: 0, 10: 0}, parameter=0, out=True, aliased=True), *ALLOCATIONS[2:]]
    answer = of_step(step(allocations))
    assert answer.result.summary["output_bytes"] == 0
    assert answer.result.summary["parameter_bytes"] == 2 * BYTES
    assert ("state", "parameter") in rows_of(answer, "buffers", "instruction", "kind")
    assert "donate" not in [row[0] for row in rows_of(answer, "savings", "means")]


@pytest.mark.parametrize(("freed", "cheap"), [(3, False), (7, True)])
def test_a_buffer_is_not_cheap_where_its_inputs_are_gone(freed: int, cheap: bool) -> None:
    """`mask` is computed from `a`, which is freed before the peak, or after the last use of `mask`."""
    square, wide = tiled("f32", 8, 128), tiled("f32", 8, 256)
    entry = computation(
        1,
        [
            instruction(1, "state", "parameter", square),
            instruction(2, "a", "dot", square, (1, 1)),
            instruction(3, "mask", "tanh", square, (2,)),
            instruction(4, "b", "dot", wide, (1, 1)),
            instruction(5, "c", "dot", tiled("f32", 2, 3), (4, 1)),
            instruction(6, "d", "dot", tiled("f32", 2, 3), (5, 3)),
            instruction(7, "out", "dot", tiled("f32", 8, 8), (6, 2) if cheap else (6, 1)),
        ],
        7,
    )
    sizes = {1: BYTES, 2: BYTES, 3: BYTES, 4: WIDE_BYTES, 5: 64, 6: 64, 7: 256}
    values = [value(key, size, key) for key, size in sizes.items()]
    always = [held(0, BYTES, {1: 0}, parameter=0), held(1, 256, {7: 0}, out=True)]
    temporary = held(2, 1 << 15, dict.fromkeys((2, 3, 4, 5, 6), 0))
    events: list[Event] = [("alloc", 2, "a"), ("alloc", 3, "mask"), ("alloc", 4, "b"), ("alloc", 5, "c")]
    events += [("free", 4, "b"), ("alloc", 6, "d"), ("free", 3, "mask")]
    events.insert(2 if freed == 3 else freed, ("free", 2, "a"))
    message = program(entry, entry=1) + assignment(values, [*always, temporary], [events])
    answer = of_step(message)
    assert answer.result.summary["peak_instruction"] == "c"
    assert (("recompute",) in rows_of(answer, "savings", "means")) == cheap


def test_without_a_simulation_the_peak_is_the_sum_of_allocations() -> None:
    answer = of_step(step(traces=()))
    summary, unknown = answer.result.summary, answer.result.unknown
    assert summary["program_peak_bytes"] == summary["allocated_bytes"] == ALWAYS + TEMPORARY
    assert (summary["peak_instruction"], rows_of(answer, "curve")) == (None, [])
    assert (
        unknown["peak_event"] == "XLA gives no heap simulation of this memory: the peak is the sum of its allocations"
    )
    assert answer.result.findings[0].code == "program_peak.summed"
    assert (
        sum(size for size, at_peak in rows_of(answer, "buffers", "bytes", "at_peak") if at_peak) == ALWAYS + TEMPORARY
    )


def test_memory_that_a_simulation_does_not_cover_is_held_throughout() -> None:
    """Where XLA simulates by computation, each has an allocation of its own, and all may be live at once."""
    values = [*VALUES, value(20, 3000, "sub")]
    allocations = [*ALLOCATIONS, held(6, 3000, {20: 0})]
    sub: list[Event] = [("alloc", 20, "sub"), ("free", 20, "sub")]
    answer = of_step(step(allocations, (sub, TRACE), values=values))
    assert answer.result.summary["program_peak_bytes"] == PEAK + 3000
    rows = rows_of(answer, "buffers", "instruction", "kind", "bytes", "at_peak")
    assert ("sub", "temporary", 3000, True) in rows


def test_each_memory_has_its_row_and_can_be_chosen() -> None:
    values = [*VALUES, value(20, 3000, "copy", (1, 0), color=5), value(21, 12, "flag", color=2)]
    allocations = [
        *ALLOCATIONS,
        held(6, 3000, {20: 0}, parameter=2, color=5),
        held(7, 12, {21: 0}, color=2),
    ]
    flags: list[Event] = [("alloc", 21, "flag"), ("free", 21, "flag")]
    message = step(allocations, (TRACE, flags), values=values)
    answer = of_step(message)
    assert rows_of(answer, "spaces", "space", "memory", "peak_bytes", "allocated_bytes", "simulated") == [
        (0, "main", PEAK, ALWAYS + TEMPORARY, True),
        (2, "number 2", 12, 12, True),
        (5, "host", 3000, 3000, False),
    ]
    of_host = of_step(message, space="5")
    assert (of_host.result.summary["space"], of_host.result.summary["program_peak_bytes"]) == (5, 3000)
    assert rows_of(of_host, "buffers", "instruction", "kind", "bytes") == [("copy{1,0}", "parameter", 3000)]
    assert of_host.result.unknown["device_memory_bytes"] == "the capture knows the size of the main memory only"
    with pytest.raises(ArgumentError, match=r"space=1\b.*0.*2.*5"):
        of_step(message, space="1")


def test_a_long_curve_has_its_peak_and_the_highest_of_each_stretch() -> None:
    rows = rows_of(of_step(points="4"), "curve", "event", "live_bytes")
    assert rows == [(-1, ALWAYS), (2, ALWAYS + 3 * BYTES), (4, PEAK), (8, PEAK - 2 * BYTES + NARROW_BYTES + BYTES)]


def test_a_limit_keeps_what_is_live_at_the_peak() -> None:
    answer = of_step(limit="2")
    assert rows_of(answer, "buffers", "instruction") == [("dot.2",), ("state",)]
    assert answer.result.summary["buffer_rows"] == 9
    assert answer.result.summary["program_peak_bytes"] == PEAK


def test_the_program_that_took_most_time_is_shown_unless_another_is_asked_for() -> None:
    other = program(computation(1, [instruction(1, "x", "parameter", tiled("f32", 8, 128))]), entry=1)
    held_alone = assignment([value(1, BYTES, "x")], [held(0, BYTES, {1: 0}, parameter=0)])
    both = capture(("jit_f(5)", step()), ("jit_g(6)", other + held_alone))
    assert ask(both).result.summary["program"] == "jit_f(5)"
    for asked in ("jit_g(6)", "jit_g", "6"):
        assert ask(both, program=asked).result.summary["program_peak_bytes"] == BYTES
    assert [row[0] for row in rows_of(ask(both), "programs", "program")] == ["jit_f(5)", "jit_g(6)"]
    with pytest.raises(ArgumentError, match="jit_h"):
        ask(both, program="jit_h")


def test_a_program_without_a_buffer_assignment_has_a_reason() -> None:
    bare = program(computation(1, [instruction(1, "x", "parameter", tiled("f32", 8, 128))]), entry=1)
    answer = of_step(bare)
    assert answer.result.summary["program"] == "jit_f(5)"
    assert answer.result.unknown["program_peak_bytes"] == "the capture holds this program without its buffer assignment"
    assert answer.result.findings == ()


def test_what_a_device_has_is_the_capacity() -> None:
    of = capture(("jit_f(5)", step()), device={"memory_size": 1 << 20})
    summary = ask(of).result.summary
    assert (summary["device_memory_bytes"], summary["device_memory_share"]) == (
        1 << 20,
        (ALWAYS + TEMPORARY) / (1 << 20),
    )


def test_several_hosts_run_the_same_program() -> None:
    one = capture(("jit_f(5)", step()))
    answer = answered(MEMORY_VIEWER, one, one)
    assert answer.result.summary["program_peak_bytes"] == PEAK
    assert rows_of(answer, "programs", "program", "self_us") == [("jit_f(5)", 18.0)]


def test_of_programs_with_one_id_that_with_most_time_is_shown() -> None:
    """Ids count by process: stages of a pipeline have other programs under one name and id; each page chose its own."""
    first, second = (ProgramTime("jit_f(5)", 3, 10, time_ps, 100) for time_ps in (2e6, 5e6))
    other = ProgramTime("jit_g(6)", 3, 10, 9e6, 100)
    assert hosts_that_show([[first], [other, second], [first]]) == {"jit_f(5)": 1, "jit_g(6)": 1}
    assert hosts_that_show([[other], [first], [first]]) == {"jit_f(5)": 1, "jit_g(6)": 0}


@pytest.mark.parametrize(("number", "said"), [(1 << 40, "use one of 0"), ((1 << 40) + 1, "use a value from 0")])
def test_a_memory_that_is_not_there_is_told_from_a_number_that_none_has(number: int, said: str) -> None:
    assert of_step(space="0").result.summary["space"] == 0
    with pytest.raises(ArgumentError, match=said):
        of_step(space=str(number))
