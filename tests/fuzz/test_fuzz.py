"""A few damaged captures of each kind, the same each time; `make fuzz MINUTES=10` tries others."""

from __future__ import annotations

import random

import pytest

from tests.fuzz.mutants import KINDS, tried


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(KINDS))
def test_damaged_captures(kind: str) -> None:
    read = sum(tried(KINDS[kind](random.Random(seed))) for seed in range(40))
    assert read > 5
