"""The compiled reader of programs beside the one in Python: the same instructions, names and budgets, of any bytes."""

import random
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.timeline.programs.reader import COMPILED, Program, programs_of
from tensorboard_perfplugin.timeline.timeline import Timeline
from tensorboard_perfplugin.wire import Budget, number_field, part_field, text_field

pytestmark = pytest.mark.skipif(not COMPILED, reason="the loops are not compiled here")
SAMPLES = Path(__file__).parents[2] / "samples"
ENOUGH = 10**9


def told(message: bytes, budget: int, compiled: bool) -> Any:
    """All that is read of a program, and what is left of the budget after each part of it."""
    program = Program(message, Budget(budget), compiled)
    found: list[Any] = [[(key, one.spans, one.root_id) for key, one in program.computations.items()]]
    found.append(program.budget.left)
    found.append([program.find(name) for name in ("dot.1", "last", "x", "")])
    found.append(program.budget.left)
    found += [one.instructions for one in program.computations.values()]
    found.append(program.budget.left)
    return found


def same(message: bytes, budget: int = ENOUGH) -> Any:
    plain = told(message, budget, compiled=False)
    assert told(message, budget, compiled=True) == plain
    return plain


def program(*instructions: bytes) -> bytes:
    computation = b"".join(part_field(2, one) for one in instructions) + number_field(5, 7) + number_field(6, -3)
    return part_field(1, part_field(3, computation))


def recorded() -> list[bytes]:
    found: list[bytes] = []
    for file in sorted(SAMPLES.rglob("*.xplane.pb")):
        found += programs_of(Timeline(decode.read(str(file)), "h")).blobs.values()
    return found


WHOLE = text_field(1, "dot.1") + text_field(2, "dot") + part_field(36, bytes([5, 0x85, 1])) + number_field(35, -9)


def test_an_instruction_and_its_computation() -> None:
    (computation,) = same(program(WHOLE))[0]
    assert (computation[0], computation[2]) == (7, -3)
    (instructions,) = same(program(WHOLE))[4:5]
    assert instructions[-9].operands == (5, 133)
    assert (instructions[-9].name, instructions[-9].opcode) == ("dot.1", "dot")


def test_every_program_of_the_samples() -> None:
    messages = recorded()
    assert messages
    for message in messages:
        assert same(message)[0]


def test_a_program_cut_off_anywhere() -> None:
    message = program(WHOLE, text_field(1, "add") + part_field(3, b"\x10\x0b"), WHOLE)
    for end in range(len(message)):
        same(message[:end])


def test_bytes_that_were_changed() -> None:
    chosen = random.Random(16)
    messages = [message for message in recorded() if len(message) < 40_000][:6]
    for message in [*messages, program(WHOLE, WHOLE)] * 12:
        changed = bytearray(message)
        for _ in range(chosen.randint(1, 20)):
            changed[chosen.randrange(len(changed))] = chosen.randrange(256)
        same(bytes(changed), chosen.choice([ENOUGH, chosen.randrange(5000)]))


def test_odd_instructions() -> None:
    for odd in (
        b"",
        text_field(1, "first") + text_field(1, "last"),
        text_field(1, "n" * 1_000_000),
        b"\x0a\x03\xff\xfe\x41",
        number_field(1, 5) + text_field(35, "no number"),
        number_field(58, 0) + number_field(58, 2**64 - 1) + number_field(13, 2**63),
        number_field(36, 2**64 - 1) + number_field(38, 4) + part_field(38, b"\x05\x86") + part_field(32, b"\xff" * 30),
        b"\xb8\x02",
        b"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        b"\xff" * 12 + WHOLE,
        b"\x0d\x01\x02" + b"\x09" + WHOLE,
        b"\x0b" + WHOLE,
        part_field(36, b"\x01" * 100_000),
        part_field(2**28, b"far") + WHOLE,
    ):
        same(program(odd, WHOLE))


def test_what_a_budget_allows() -> None:
    for budget in (*range(40), 60, 100):
        same(program(WHOLE, WHOLE, WHOLE), budget)
