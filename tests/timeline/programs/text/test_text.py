"""XLA programs → their text, compared with what XLA writes of the same programs.

`opcodes.txt` and `types.txt` are written by XLA (jaxlib 0.10.2): an instruction of every opcode, a constant of every
type. Declared differences: the module's line lacks how many devices run it, which a capture's message does not hold.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.programs.reader import Program, programs_of
from tensorboard_perfplugin.timeline.programs.syntax import Parts, Shapes, replica_groups
from tensorboard_perfplugin.timeline.programs.writer import MAX_LINE, expression, literal, module_text
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.wire import Budget, Message
from tests.build_capture import chunk, number, text
from tests.build_program import ELEMENTS, computation, instruction, packed, program, shape, tuple_of

HERE = Path(__file__).parent
F32 = shape("f32", 8, 4)


def read(message: bytes, fields: int = 10_000_000) -> Program:
    return Program(message, Budget(fields))


@pytest.mark.parametrize("name", ["opcodes", "types"])
def test_programs_are_written_as_xla_writes_them(name: str) -> None:
    wanted = (HERE / f"{name}.txt").read_text().replace(", replica_count=2, num_partitions=2", "").strip()
    written = list(module_text(read((HERE / f"{name}.pb").read_bytes())))
    by_computation = "\n".join(written).split("\n\n")
    assert sorted(by_computation) == sorted(wanted.split("\n\n"))


def test_an_instruction_is_written_with_the_shapes_of_its_operands_as_a_tpu_names_events() -> None:
    opcodes = read((HERE / "opcodes.pb").read_bytes())
    assert expression(opcodes, "fu", details=False) == (
        "%fu = f32[16,32]{1,0} fusion(f32[16,32]{1,0} %p0, f32[16,32]{1,0} %p0), kind=kLoop, calls=%fused"
    )
    assert expression(opcodes, "dot") == (
        "%dot = f32[16,64]{1,0} dot(f32[16,32]{1,0} %p0, f32[32,64]{1,0:T(8,128)} %p1), lhs_contracting_dims={1}, "
        'rhs_contracting_dims={0}, operand_precision={highest,default}, metadata={op_type="dot_general" '
        'op_name="jit(f)/dot_general[x=\\"1\\"]" source_file="a b.py" source_line=12}'
    )
    assert expression(opcodes, "nothing") == ""


def test_events_of_a_tpu_are_named_by_the_same_text(shared_captures: Path) -> None:
    """17 events of a TPU v6e: `%fusion.3 = …`."""
    path = shared_captures / "xplane/xprof-tpu-inference-2/plugins/profile/tpu_inference_2/tpu_inference_2.xplane.pb"
    capture = decode.read_bytes(path.read_bytes(), path.name)
    programs = programs_of(Timeline(capture, "h"))
    names = [name for name in (capture.strings[i] for i in range(len(capture.strings))) if name.startswith("%")]
    written = {
        expression(one, line, details=False)
        for key in programs.blobs
        if (one := programs.program(key.partition("(")[0], None))
        for line in re.findall(r"^ *(?:ROOT )?%(\S+) =", "\n".join(module_text(one)), re.MULTILINE)
    }
    assert len(names) == 17
    assert set(names) <= written


def test_a_line_of_source_is_taken_from_the_stack_frame() -> None:
    frames = text(1, "train.py") + chunk(3, number(1, 1) + number(3, 7)) + chunk(4, number(1, 1))
    one = instruction(1, "add.1", "add", F32, op_name="jit(f)/add", frame=1)
    written = expression(read(program(computation(1, [one]), frames=frames)), "add.1")
    assert written.endswith('metadata={op_name="jit(f)/add" source_file="train.py" source_line=7 stack_frame_id=1}')


def test_instructions_stand_in_the_order_in_which_they_run() -> None:
    both = [instruction(i, f"add.{i}", "add", F32) for i in (1, 2)]
    order = chunk(1, chunk(7, chunk(1, number(1, 1) + chunk(2, packed(1, (2, 1))))))
    for schedule, names in ((b"", ["add.1", "add.2"]), (order, ["add.2", "add.1"])):
        lines = list(module_text(read(_joined(program(computation(1, both)), schedule))))
        assert re.findall(r"%(add\.\d) =", "\n".join(lines)) == names


#: Of GatherDimensionNumbers and ScatterDimensionNumbers: fields 1 to 6.
NUMBERED = packed(1, [1]) + packed(2, [2]) + packed(3, [3]) + number(4, 4) + packed(5, [5]) + packed(6, [6])


@pytest.mark.parametrize(
    ("opcode", "fields", "words"),
    [
        (
            "gather",
            chunk(33, NUMBERED) + packed(34, [8, 9]) + number(67, 1),
            (
                "offset_dims={1}, collapsed_slice_dims={2}, start_index_map={3}, operand_batching_dims={5}, "
                "start_indices_batching_dims={6}, index_vector_dim=4, slice_sizes={8,9}, indices_are_sorted=true"
            ),
        ),
        (
            "scatter",
            chunk(48, NUMBERED) + number(67, 1) + number(69, 1),
            (
                "update_window_dims={1}, inserted_window_dims={2}, scatter_dims_to_operand_dims={3}, "
                "input_batching_dims={5}, scatter_indices_batching_dims={6}, index_vector_dim=4, "
                "indices_are_sorted=true, unique_indices=true"
            ),
        ),
    ],
)
def test_what_the_written_programs_lack(opcode: str, fields: bytes, words: str) -> None:
    one = instruction(1, "a", opcode, F32) + fields
    assert expression(read(program(computation(1, [one]))), "a") == f"%a = f32[8,4]{{1,0}} {opcode}(), {words}"


@pytest.mark.parametrize(
    ("replicas", "words"),
    [(1, ", num_partitions=4"), (2, ", replica_count=2, num_partitions=2"), (4, ", replica_count=4")],
)
def test_a_module_says_among_how_many_devices_it_is_divided(replicas: int, words: str) -> None:
    one = program(computation(1, [instruction(1, "x", "add", F32)]), devices=(0, 1, 2, 3), replicas=replicas)
    assert next(iter(module_text(read(one)))) == f"HloModule jit_f, entry_computation_layout={{()->}}{words}"


def test_what_a_module_says_before_its_computations() -> None:
    frames = text(1, "train.py") + text(2, "step") + chunk(4, number(1, 1))
    frames += chunk(3, number(1, 1) + number(2, 1) + number(3, 7) + number(4, 2) + number(5, 8) + number(6, 9))
    more = chunk(18, chunk(1, number(1, 2) + packed(2, [1]))) + chunk(19, chunk(1, text(1, "a") + text(2, "b")))
    head, *tables = module_text(
        read(program(computation(1, [instruction(1, "x", "add", F32)]), frames=frames, more=more))
    )
    assert head == (
        'HloModule jit_f, buffer_donor={ (2, {1}) }, entry_computation_layout={()->}, frontend_attributes={a="b"}'
    )
    assert [line for line in tables[:12] if line] == [
        *("FileNames", '1 "train.py"', "FunctionNames", '1 "step"', "FileLocations"),
        "1 {file_name_id=1 function_name_id=1 line=7 end_line=8 column=2 end_column=9}",
        *("StackFrames", "1 {file_location_id=1 parent_frame_id=1}"),
    ]


def _joined(first: bytes, second: bytes) -> bytes:
    """Two HloProtos of which each holds a part of the module → one."""
    bodies = [_body(message) for message in (first, second) if message]
    return chunk(1, b"".join(bodies))


def _body(message: bytes) -> bytes:
    at = 1
    while message[at] & 0x80:
        at += 1
    return message[at + 1 :]


def test_constants_that_are_tuples_are_left_out() -> None:
    plain = instruction(1, "c", "constant", tuple_of(F32, F32)) + chunk(8, chunk(1, tuple_of(F32, F32)))
    lines = list(module_text(read(program(computation(1, [plain])))))
    assert any(line.endswith("constant({...})") for line in lines)


def test_what_refers_to_itself_is_written_once() -> None:
    itself = instruction(1, "a", "async-start", F32, (1,), calls=(1,))
    lines = list(module_text(read(program(computation(1, [itself])))))
    assert [line for line in lines if "%a =" in line] == ["  ROOT %a = f32[8,4]{1,0} async-start(%a), calls=%"]


def test_names_of_a_megabyte_and_shapes_in_shapes_are_cut() -> None:
    deep = F32
    for _ in range(100):
        deep = number(2, ELEMENTS["tuple"]) + chunk(4, deep)
    one = instruction(1, "x" * 1_000_000, "add", deep, (1,) * 50_000, op_name="y" * 1_000_000)
    lines = list(module_text(read(program(computation(1, [one])))))
    assert max(map(len, lines)) <= MAX_LINE + 20


def test_a_program_beyond_the_budget_ends_with_a_word_of_it() -> None:
    many = [instruction(i, f"add.{i}", "add", F32) for i in range(1, 2000)]
    lines = list(module_text(read(program(computation(1, many), computation(2, many)), 5000)))
    assert lines[-1] == "// ... what follows was not read"
    assert len(lines) < 2000


def parts(message: bytes) -> Parts:
    return Parts(Message(message, Budget(1_000_000)), (0, len(message)))


def test_constants() -> None:
    """s1, s2, s4, u1, u2, u4: of the bytes 1111_1001 and 1111_0110 the last bits. Floats have the fewest digits that
    are the same when read again: f32 6 or 9, f64 15 or 17. Ten elements are written.
    """

    def constant(kind: int, *sizes: int, field: int = 0, raw: bytes = b"") -> str:
        return literal(parts(chunk(1, number(2, kind) + packed(3, sizes)) + chunk(field or kind, raw)))

    bits = {30: "-1, 0", 26: "1, -2", 21: "-7, 6", 31: "1, 0", 27: "1, 2", 22: "9, 6"}
    assert {kind: constant(kind, 2, raw=bytes((0b1111_1001, 0b1111_0110))) for kind in bits} == {
        kind: "{" + values + "}" for kind, values in bits.items()
    }
    floats = [constant(11, field=8, raw=struct.pack("<f", value)) for value in (1.23456, 1.234567)]
    floats += [constant(12, field=9, raw=struct.pack("<d", value)) for value in (0.3333333333333, 1.2345678901234567)]
    assert floats == ["1.23456", "1.23456705", "0.3333333333333", "1.2345678901234567"]
    assert [constant(ELEMENTS["u8"], count, field=3, raw=bytes([7] * count)) for count in (10, 11)] == [
        "{" + ", ".join("7" * 10) + "}",
        "{...}",
    ]


def test_shapes_of_sparse_layouts_tuples_and_buffers() -> None:
    """Of the first, rows are dense and columns compressed."""
    one = shape("f32", 8)
    layout = chunk(5, packed(1, [1, 0]) + packed(9, [0, 1]) + chunk(10, one))
    shapes = {
        "f32[8,4]{1,0:D(D,C)P(f32[8]{0})}": number(2, ELEMENTS["f32"]) + packed(3, [8, 4]) + layout,
        "(f32[8]{0})": number(2, 13) + chunk(4, one),
        "b(f32[8]{0})": number(2, 34) + chunk(4, one),
    }
    found = [Shapes(Message(message, Budget(1000))).text((0, len(message))) for message in shapes.values()]
    assert found == list(shapes)


def test_groups_and_shardings() -> None:
    """Of a collective as versions of XLA keep them; of a domain one device each, 3 inside and 5 outside."""
    both = packed(1, [0, 1]), packed(1, [2, 3])
    axes = chunk(1, text(1, "x") + number(2, 2)) + chunk(1, text(1, "y") + number(2, 4))
    messages = [
        b"".join(chunk(49, one) for one in both),
        chunk(87, b"".join(chunk(1, one) for one in both)),
        chunk(92, number(1, 2) + number(2, 4)),
        chunk(93, chunk(1, axes) + chunk(2, number(1, 1))),
    ]
    assert [replica_groups(parts(one)) for one in messages] == [
        *["{{0,1},{2,3}}"] * 2,
        "[2,4]<=[8]",
        "@mesh<'x'=2,'y'=4> {'y'}",
    ]
    sides = b"".join(chunk(field, number(1, 1) + packed(4, [device])) for field, device in ((55, 3), (54, 5)))
    found = expression(read(program(computation(1, [instruction(1, "a", "domain", F32) + sides]))), "a")
    assert found.endswith('domain={kind="sharding", entry={maximal device=3}, exit={maximal device=5}}')


def test_the_start_of_what_ends_is_looked_for_behind_updates() -> None:
    inner = [instruction(1, "p", "parameter", F32), instruction(2, "n", "negate", F32, (1,))]
    entry = [instruction(1, "x", "parameter", F32), instruction(2, "start", "async-start", F32, (1,), calls=(1,))]
    entry += [instruction(3, "update", "async-update", F32, (2,)), instruction(9, "done", "async-done", F32, (3,))]
    of = read(program(computation(1, inner), computation(2, entry)))
    assert expression(of, "done", shapes=False) == "%done = f32[8,4]{1,0} negate-done(%update)"


def test_each_flag_of_a_solver_is_its_own() -> None:
    found = {}
    for field in (1, 2, 3):
        one = instruction(1, "a", "triangular-solve", F32) + chunk(59, number(field, 1))
        found[field] = re.findall(r"(\w+)=true", expression(read(program(computation(1, [one]))), "a"))
    assert found == {1: ["left_side"], 2: ["lower"], 3: ["unit_diagonal"]}


def test_programs_that_are_cut_off_are_written_as_far_as_they_go() -> None:
    message = (HERE / "opcodes.pb").read_bytes()
    for cut in range(0, 3000, 61):
        assert all(isinstance(line, str) for line in module_text(read(message[: len(message) * cut // 3000])))
