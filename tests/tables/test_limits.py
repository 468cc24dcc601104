"""What names a row of a table, just within and just beyond its bounds."""

from __future__ import annotations

import numpy as np
import pytest

from tensorboard_perfplugin.tables import row_key
from tensorboard_perfplugin.tables.row_key import ranges, word


def test_100_characters_of_a_value_stand_for_themselves() -> None:
    """Of more, and a digest: FNV-1a of 32 bits, as the front end has it."""
    assert word("ab" * 50) == "ab" * 50
    assert word("ab" * 100) == "ab" * 50 + "…65fc6d8d"


@pytest.mark.parametrize(("length", "kept"), [(8184, 8184), (9000, 8184)])
def test_8192_characters_of_a_key_are_read(length: int, kept: int) -> None:
    assert row_key("a.b.c?k=" + "x" * length).values == {"k": "x" * kept}


@pytest.mark.parametrize(("count", "text"), [(200, ".".join(str(2 * i) for i in range(200))), (201, "")])
def test_200_ranges_of_tracks_are_written_out(count: int, text: str) -> None:
    assert ranges(2 * np.arange(count)) == text
