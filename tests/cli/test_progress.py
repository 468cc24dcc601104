"""The line that shows how far an answer is, and what reads many hosts."""

from __future__ import annotations

import io
import time
from pathlib import Path

import pytest

from tensorboard_perfplugin import work
from tensorboard_perfplugin.answers.partials.gather import Progress
from tensorboard_perfplugin.cli import main
from tensorboard_perfplugin.cli.show import ProgressLine, progress_text, stage_text
from tests.answers.partials.hosts import host
from tests.conftest import MakeLogdir


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def progress(done: int, failed: int = 0, read_bytes: int = 0, seconds: float = 0.0) -> Progress:
    return Progress(
        hosts=1000, done=done, cached=0, failed=failed, size_bytes=3 * 10**9, read_bytes=read_bytes, seconds=seconds
    )


@pytest.mark.parametrize(
    ("now", "text"),
    [
        (progress(0), "0 of 1,000 hosts"),
        (progress(412, read_bytes=1_236_000_000, seconds=12.0), "412 of 1,000 hosts, 103 MB/s, 17 s left"),
        (progress(999, 2, 2_997_000_000, 30.0), "999 of 1,000 hosts, 99.9 MB/s, 30 ms left, 2 failed"),
        (progress(1000, 2, 3_000_000_000, 30.0), "1,000 of 1,000 hosts, 100 MB/s, 2 failed"),
    ],
)
def test_progress_in_words(now: Progress, text: str) -> None:
    assert progress_text(now) == text


def test_a_terminal_shows_it_and_a_file_does_not() -> None:
    terminal, file = Terminal(), io.StringIO()
    for stream in (terminal, file):
        line = ProgressLine(stream, 80)
        line.show(progress(1))
        line.clear()
    assert terminal.getvalue() == "\r\x1b[K1 of 1,000 hosts\r\x1b[K"
    assert file.getvalue() == ""


def test_the_stage_of_what_takes_long_is_shown_and_goes() -> None:
    terminal, quiet, file, soon = Terminal(), Terminal(), io.StringIO(), Terminal()
    for stream, is_quiet, after_s in (
        (terminal, False, 0.0),
        (quiet, True, 0.0),
        (file, False, 0.0),
        (soon, False, 60),
    ):
        with ProgressLine(stream, 80, is_quiet).watched(after_s):
            work.set_stage("reading", "rank0\x1b[2J")
            until_s = time.monotonic() + 20
            while stream is terminal and "rank0" not in stream.getvalue() and time.monotonic() < until_s:
                time.sleep(0.01)
    assert [stream.getvalue() for stream in (quiet, file, soon)] == ["", "", ""]
    assert terminal.getvalue().startswith("\r\x1b[Kreading rank0\\x1b[2J … 0.")
    assert terminal.getvalue().endswith(" s\r\x1b[K")


def test_the_stage_in_words() -> None:
    for question, text in (
        (work.Work(), "looking for captures"),
        (work.Work("combining"), "combining"),
        (work.Work("reading", "rank3", hosts=8, hosts_done=2), "reading rank3, 2 of 8 hosts"),
        (work.Work("analysing", "h", hosts=1), "analysing h"),
    ):
        assert stage_text(question) == text


def test_who_reads_the_hosts_changes_nothing(
    make_logdir: MakeLogdir, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logdir = str(make_logdir({f"r/h{i}.xplane.pb": host(i) for i in range(3)}))
    said = []
    for i, more in enumerate(([], ["--cluster", "serial"], ["--cluster", "processes"])):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / str(i)))
        assert main(["overview", logdir, "--json", *more]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1] == said[2]


def test_what_is_no_cluster_is_a_bad_argument(make_logdir: MakeLogdir, capsys: pytest.CaptureFixture[str]) -> None:
    logdir = str(make_logdir({"r/h.xplane.pb": host(0)}))
    assert main(["overview", logdir, "--cluster", "localhost"]) == 2
    assert "tcp://host:8786" in capsys.readouterr().err
