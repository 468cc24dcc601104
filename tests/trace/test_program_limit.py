"""How much of an XLA program is written into a file."""

from __future__ import annotations

import pytest

from tensorboard_perfplugin.trace.export import program
from tests.web.test_program import PROGRAM
from tests.wire.spent import spend


@pytest.mark.parametrize(("left", "is_cut"), [(1, False), (0, True)])
def test_forty_million_fields_of_a_program_are_written(
    left: int, is_cut: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    spend(monkeypatch, program, 40_000_000, left, lambda: b"".join(program.program_chunks(PROGRAM, "text")))
    text = b"".join(program.program_chunks(PROGRAM, "text"))
    assert text.endswith(b"// ... what follows was not read\n") is is_cut
