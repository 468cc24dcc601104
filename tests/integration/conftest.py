"""The TensorBoards and the browser that tests of this folder share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.conftest import ROOT
from tests.integration._board import Board, tensorboard
from tests.integration._browser import CHROMIUM, FLAGS, PATIENCE_MS
from tests.integration._programs import Programs

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


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        assert os.environ.get("CI") != "true", f"no {CHROMIUM}, and CI must run the browser tests"
        pytest.skip(f"no {CHROMIUM}: `apt-get install chromium`, or name another in PERFPLUGIN_CHROMIUM")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    """Real programs with a clock in their loop and a planted cost: `keras_fit:map_sleep` and so on, each run once."""
    return Programs(lambda: tmp_path_factory.mktemp("programs"))


@pytest.fixture(autouse=True)
def another_run(request: pytest.FixtureRequest) -> None:
    """A test that is tried again looks at another run of its program: something may have disturbed the first."""
    if getattr(request.node, "execution_count", 1) > 1:
        for name in {"programs", "kept_programs"} & {*request.fixturenames}:
            request.getfixturevalue(name).again()


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Where a test's own TensorBoard prints to."""
    return tmp_path / "tensorboard.log"
