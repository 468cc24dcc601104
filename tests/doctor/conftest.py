"""Where the doctor is asked."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A folder so deep that the captures of other tests are not near."""
    folder = tmp_path / "a" / "b" / "c" / "work"
    folder.mkdir(parents=True)
    return folder
