"""What the command line accepts and how wide it prints: each bound from both sides."""

from __future__ import annotations

import os
import signal

import pytest

from tensorboard_perfplugin import tools
from tensorboard_perfplugin.capture.server.status import Monitored
from tensorboard_perfplugin.cli import capture
from tensorboard_perfplugin.cli.export_file import time_ps
from tensorboard_perfplugin.errors import ArgumentError
from tests.cli.test_capture import parsed
from tests.cli.test_cli import Capsys, run
from tests.conftest import MakeLogdir
from tests.small_tool import COUNT, space


def test_captures_are_repeated_every_second_to_every_year() -> None:
    """An interval of centuries ended in an OverflowError once the first capture was there."""
    assert [parsed(f"a:1 --every {every}").every_ms for every in ("1000ms", "365d")] == [1000, 31_536_000_000]
    for every, problem in (("999ms", "the shortest interval is 1 s"), ("365.1d", "the longest interval is 365d")):
        with pytest.raises(ArgumentError, match=problem):
            parsed(f"a:1 --every {every}")


def test_a_signal_ends_it_with_128_and_its_number(capsys: Capsys, monkeypatch: pytest.MonkeyPatch) -> None:
    def monitor(*_: object) -> Monitored:
        os.kill(os.getpid(), signal.SIGTERM)
        return Monitored("busy", {})

    monkeypatch.setattr(capture, "monitor", monitor)
    assert run(capsys, "capture", "localhost:1", "--monitoring_level", "1")[:2] == (143, "busy\n")


def test_a_time_has_twenty_digits_before_the_point_and_twenty_after() -> None:
    assert [time_ps("start", text) for text in (f"{'9' * 20}ps", f"0.{'9' * 20}s")] == [10**20 - 1, 10**12 - 1]
    for text in (f"{'9' * 21}.9ps", f"9.{'9' * 21}ps"):
        with pytest.raises(ArgumentError, match="must be a number with a unit"):
            time_ps("start", text)


def test_without_a_terminal_lines_have_120_characters(
    make_logdir: MakeLogdir, capsys: Capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object) -> os.terminal_size:
        raise OSError

    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr(os, "get_terminal_size", none)
    monkeypatch.setattr(tools, "TOOLS", (COUNT,))
    code, out, _ = run(capsys, "count", make_logdir({"r/h.xplane.pb": space("x" * 300)}))
    assert (code, max(map(len, out.splitlines()))) == (0, 120)
