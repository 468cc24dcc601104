"""How much of names, shapes, shardings and configurations is written, just within and just beyond."""

from __future__ import annotations

import struct

import pytest

from tensorboard_perfplugin.timeline import Shapes, written
from tensorboard_perfplugin.timeline.programs import Program, Writer, dot_text, expression
from tensorboard_perfplugin.timeline.programs.text import Parts
from tensorboard_perfplugin.timeline.programs.text.literals import literal
from tensorboard_perfplugin.timeline.programs.text.shardings import groups, listed, replica_groups, sharding
from tensorboard_perfplugin.wire import Budget, Message
from tests.build_capture import chunk, number, text
from tests.build_program import ELEMENTS, computation, instruction, packed, program, shape, tuple_of

F32 = shape("f32", 8)


def read(*instructions: bytes) -> Program:
    return Program(program(computation(1, instructions)), Budget(1_000_000))


def parts(message: bytes) -> Parts:
    return Parts(Message(message, Budget(1_000_000)), (0, len(message)))


@pytest.mark.parametrize(("length", "label"), [(300, "x" * 300), (301, "x" * 300 + "...")])
def test_300_letters_of_a_name_are_in_a_graphs_label(length: int, label: str) -> None:
    [line] = [
        line for line in dot_text(read(instruction(1, "x" * length, "add", F32))) if "label=" in line and "x" in line
    ]
    assert f'[label="{label}\\nadd\\nf32[8]{{0}}", style=bold]' in line


@pytest.mark.parametrize("length", [4000, 4001])
def test_4000_letters_of_a_text_are_written(length: int) -> None:
    assert parts(text(1, "x" * length)).text(1) == "x" * 4000


@pytest.mark.parametrize(("length", "end"), [(1 << 14, "x"), ((1 << 14) + 1, "x...")])
def test_16_kib_of_a_configuration_are_written(length: int, end: str) -> None:
    of = read(instruction(1, "a", "add", F32, config="x" * length))
    assert expression(of, "a") == f'%a = f32[8]{{0}} add(), backend_config="{"x" * ((1 << 14) - 1)}{end}"'


@pytest.mark.parametrize(("count", "more"), [(4096, ""), (4097, ",...")])
def test_4096_devices_and_groups_are_written(count: int, more: str) -> None:
    assert listed([7] * count) == ",".join("7" * 4096) + more
    assert groups([[7]] * count) == "{" + ",".join(["{7}"] * 4096) + more + "}"
    replicated = parts(number(1, 2) + chunk(5, b"") * count)
    assert sharding(replicated, lambda one: "").count("{replicated}") == 4096


@pytest.mark.parametrize(("levels", "inner"), [(12, "f32[8]{0}"), (13, "...")])
def test_tuples_are_written_twelve_deep(levels: int, inner: str) -> None:
    one = F32
    for _ in range(levels):
        one = tuple_of(one)
    assert Shapes(Message(one, Budget(1000))).text((0, len(one))) == "(" * levels + inner + ")" * levels


def of_letters(letters: int) -> bytes:
    """`f32[1,1,…]`, or with 11 at the end."""
    sizes = [1] * ((letters - 4) // 2)
    return number(2, ELEMENTS["f32"]) + packed(3, [*sizes[1:], 11 if letters % 2 else 1])


@pytest.mark.parametrize(("letters", "end"), [(1999, ",11]"), (2000, ",1]"), (2001, ",11 ...")])
def test_2000_letters_of_a_result_are_written(letters: int, end: str) -> None:
    of = read(instruction(1, "a", "add", of_letters(letters)))
    one = of.find("a")
    assert one is not None
    assert Writer(of).shape(one).endswith(end)
    assert len(Writer(of).shape(one)) == (letters if letters <= 2000 else 2004)


@pytest.mark.parametrize(("letters", "end"), [(399, ",11]"), (400, ",1]"), (401, ",11…")])
def test_400_letters_of_a_buffers_shape_are_written(letters: int, end: str) -> None:
    reader = read()
    reader.data = of_letters(letters)
    assert written(reader, Shapes(reader), (0, len(reader.data)), ()).text.endswith(end)


@pytest.mark.parametrize(("length", "end"), [(1 << 17, ")"), ((1 << 17) + 1, " ...")])
def test_128_kib_of_a_line_are_written(length: int, end: str) -> None:
    def line(name: str) -> str:
        return expression(read(instruction(1, name, "tuple", F32, [1_000_000] * 10_000)), name)

    whole = len(line("a"))
    assert (1 << 17) - 3999 < whole < 1 << 17
    found = line("a" * (1 + length - whole))
    assert (len(found), found.endswith(end)) == ((1 << 17) + len(end) * (end != ")"), True)


@pytest.mark.parametrize(("updates", "opcode"), [(99, "negate-done"), (100, "async-done")])
def test_the_start_of_what_ends_is_looked_for_100_steps_back(updates: int, opcode: str) -> None:
    inner = [instruction(1, "p", "parameter", F32), instruction(2, "n", "negate", F32, (1,))]
    entry = [instruction(1, "x", "parameter", F32), instruction(2, "start", "async-start", F32, (1,), calls=(1,))]
    entry += [instruction(i + 3, f"update.{i}", "async-update", F32, (i + 2,)) for i in range(updates)]
    entry += [instruction(999, "done", "async-done", F32, (updates + 2,))]
    of = Program(program(computation(1, inner), computation(2, entry)), Budget(1_000_000))
    assert expression(of, "done", shapes=False) == f"%done = f32[8]{{0}} {opcode}(%update.{updates - 1})"


@pytest.mark.parametrize(
    ("kind", "values"), [(30, "-1, 0"), (26, "1, -2"), (21, "-7, 6"), (31, "1, 0"), (27, "1, 2"), (22, "9, 6")]
)
def test_integers_of_less_than_a_byte(kind: int, values: str) -> None:
    """s1, s2, s4, u1, u2, u4: of the bytes 1111_1001 and 1111_0110 the last bits."""
    message = chunk(1, number(2, kind) + packed(3, [2])) + chunk(kind, bytes((0b1111_1001, 0b1111_0110)))
    assert literal(parts(message)) == "{" + values + "}"


@pytest.mark.parametrize(("count", "written_"), [(10, "{" + ", ".join("7" * 10) + "}"), (11, "{...}")])
def test_ten_elements_of_a_constant_are_written(count: int, written_: str) -> None:
    message = chunk(1, number(2, ELEMENTS["u8"]) + packed(3, [count])) + chunk(3, bytes([7] * count))
    assert literal(parts(message)) == written_


@pytest.mark.parametrize(
    ("kind", "raw", "written_"),
    [
        (11, struct.pack("<f", 1.23456), "1.23456"),
        (11, struct.pack("<f", 1.234567), "1.23456705"),
        (12, struct.pack("<d", 0.3333333333333), "0.3333333333333"),
        (12, struct.pack("<d", 1.2345678901234567), "1.2345678901234567"),
    ],
)
def test_floats_have_few_digits_where_these_are_the_same_when_read_again(kind: int, raw: bytes, written_: str) -> None:
    """f32 of 6 digits or 9, f64 of 15 or 17."""
    message = chunk(1, number(2, kind)) + chunk({11: 8, 12: 9}[kind], raw)
    assert literal(parts(message)) == written_


def test_levels_and_the_physical_shape_of_a_sparse_layout() -> None:
    """Rows are dense, columns compressed."""
    layout = chunk(5, packed(1, [1, 0]) + packed(9, [0, 1]) + chunk(10, F32))
    message = number(2, ELEMENTS["f32"]) + packed(3, [8, 4]) + layout
    assert Shapes(Message(message, Budget(1000))).text((0, len(message))) == "f32[8,4]{1,0:D(D,C)P(f32[8]{0})}"


@pytest.mark.parametrize(("kind", "written_"), [(13, "(f32[8]{0})"), (34, "b(f32[8]{0})")])
def test_tuples_and_buffers(kind: int, written_: str) -> None:
    message = number(2, kind) + chunk(4, F32)
    assert Shapes(Message(message, Budget(1000))).text((0, len(message))) == written_


TWO = chunk(1, packed(1, [0, 1])) + chunk(1, packed(1, [2, 3]))
AXES = chunk(1, text(1, "x") + number(2, 2)) + chunk(1, text(1, "y") + number(2, 4))


@pytest.mark.parametrize(
    ("message", "written_"),
    [
        (chunk(49, packed(1, [0, 1])) + chunk(49, packed(1, [2, 3])), "{{0,1},{2,3}}"),
        (chunk(87, TWO), "{{0,1},{2,3}}"),
        (chunk(92, number(1, 2) + number(2, 4)), "[2,4]<=[8]"),
        (chunk(93, chunk(1, AXES) + chunk(2, number(1, 1))), "@mesh<'x'=2,'y'=4> {'y'}"),
    ],
)
def test_groups_of_a_collective_as_versions_keep_them(message: bytes, written_: str) -> None:
    assert replica_groups(parts(message)) == written_


def test_both_shardings_of_a_domain() -> None:
    """One device each: 3 inside, 5 outside."""
    inside, outside = (chunk(field, number(1, 1) + packed(4, [device])) for field, device in ((55, 3), (54, 5)))
    found = expression(read(instruction(1, "a", "domain", F32) + inside + outside), "a")
    assert found.endswith('domain={kind="sharding", entry={maximal device=3}, exit={maximal device=5}}')
