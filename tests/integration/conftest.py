"""The TensorBoards that tests of this folder share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.integration._board import Board, tensorboard

SAMPLES = ROOT / "tests" / "samples"
PREFIX = "/some/prefix"


@pytest.fixture(scope="session")
def samples_board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """On the sample captures, at the root of its address."""
    with tensorboard(tmp_path_factory.mktemp("board") / "log", "--logdir", str(SAMPLES)) as board:
        yield board


@pytest.fixture(scope="session")
def prefixed_board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    """On the sample captures, under a path prefix as behind a proxy."""
    log = tmp_path_factory.mktemp("board") / "log"
    with tensorboard(log, "--logdir", str(SAMPLES), "--path_prefix", PREFIX) as board:
        yield board


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Where a test's own TensorBoard prints to."""
    return tmp_path / "tensorboard.log"
