"""Which parameters of an XLA program are donated, as its message says it."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.analysis.buffers.donation import donated
from tensorboard_perfplugin.timeline import Program
from tensorboard_perfplugin.wire import Budget
from tests.build_capture import chunk, number
from tests.build_program import computation, instruction, packed, program, shape

#: HloModuleProto.input_output_alias and buffer_donor: parameter 5, and of parameter 6 the part 1 of its part 2.
ALIASES = chunk(
    8, b"".join(chunk(1, packed(1, [0]) + each) for each in (number(2, 5), number(2, 6) + packed(3, [2, 1])))
)
DONORS = chunk(18, b"".join(chunk(1, each) for each in (number(1, 5), number(1, 6) + packed(2, [2, 1]))))


@pytest.mark.parametrize("more", [ALIASES, DONORS])
def test_what_is_donated(more: bytes) -> None:
    entry = computation(1, [instruction(1, "x", "parameter", shape("f32", 8))], 1)
    assert donated(Program(program(entry, entry=1, more=more), Budget(1000))) == {(5, ()), (6, (2, 1))}
