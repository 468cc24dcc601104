"""`perfplugin export`: where it writes, what it refuses, and `Profile.export` behind it."""

from __future__ import annotations

import gzip
import json
import os
import threading
from pathlib import Path

import pytest

import tensorboard_perfplugin
from tensorboard_perfplugin.cli import main
from tensorboard_perfplugin.cli.export_file import format_of, time_ps
from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.trace.export import export as trace_marks
from tests import chrome
from tests.build_capture import Space
from tests.conftest import MakeLogdir

CAPTURE = "train/plugins/profile/2026_01_01_00_00_00/h.xplane.pb"
NAME = "train_2026_01_01_00_00_00_h_whole.trace.json.gz"


@pytest.fixture
def logdir(make_logdir: MakeLogdir, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A logdir of one capture; the working directory is an empty folder beside it."""
    space = Space()
    line = space.plane("/host:CPU").line(1, "t")
    line.event("first", 0, 2_000_000_000, {"k": 1}).event("second", 3_000_000_000, 1)
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    return make_logdir({CAPTURE: space})


def names(path: Path) -> list[str]:
    return [each.name for each in chrome.read(path.read_bytes()).slices]


def test_here_without_a_name(logdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(logdir)]) == 0
    out = capsys.readouterr().out
    (written,) = os.listdir(".")
    assert written.endswith("_h_whole.trace.json.gz")
    assert out.startswith(f"{written}  ")
    assert names(Path(written)) == ["first", "second"]
    assert main(["export", str(logdir)]) == 2
    assert "already exists: choose another name with -o FILE" in capsys.readouterr().err


def test_to_a_file_plain_or_compressed(logdir: Path) -> None:
    assert main(["export", str(logdir), "-o", "x.json"]) == 0
    assert Path("x.json").read_bytes().startswith(b'{"displayTimeUnit"')
    assert main(["export", str(logdir), "--start", "2.5", "--end", "1s", "--tracks", "0", "-o", "x.json.gz"]) == 0
    assert names(Path("x.json.gz")) == ["second"]
    assert sorted(os.listdir(".")) == ["x.json", "x.json.gz"]


def test_a_file_has_the_mode_that_any_new_file_has_and_keeps_it(logdir: Path) -> None:
    Path("like").touch()
    Path("link.json").symlink_to("x.json")
    assert main(["export", str(logdir), "-o", "link.json"]) == 0
    assert Path("x.json").stat().st_mode == Path("like").stat().st_mode
    Path("x.json").chmod(0o640)
    assert main(["export", str(logdir), "-o", "x.json"]) == 0
    assert Path("x.json").stat().st_mode & 0o777 == 0o640
    assert (Path("link.json").is_symlink(), sorted(os.listdir("."))) == (True, ["like", "link.json", "x.json"])


def test_to_a_folder_and_to_a_pipe(logdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkdir("folder")
    assert main(["export", str(logdir), "-o", "folder"]) == 0
    assert len(os.listdir("folder")) == 1
    capsys.readouterr()
    assert main(["export", str(logdir), "-o", "-"]) == 0
    assert len(chrome.read(capsys.readouterr().out.encode()).slices) == 2


def test_what_is_left_out_is_told_beside_a_pipe_too(logdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (logdir / CAPTURE).with_name("broken.xplane.pb").write_text("<html>")
    assert main(["export", str(logdir), "-o", "-"]) == 0
    out, err = capsys.readouterr()
    assert len(chrome.read(out.encode()).slices) == 2
    assert err.startswith("perfplugin: host broken is left out: ")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_named_pipe_stays_one(logdir: Path) -> None:
    """It was replaced by a file, and so was `/dev/null` when root wrote there."""
    os.mkfifo("pipe")
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(Path("pipe").read_bytes()))
    reader.start()
    assert main(["export", str(logdir), "-o", "pipe"]) == 0
    reader.join(60)
    assert len(chrome.read(got[0]).slices) == 2
    assert os.listdir(".") == ["pipe"]
    assert Path("pipe").is_fifo()


def test_a_logdir_is_written_to_only_where_the_user_says_so(
    logdir: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(logdir / "train")
    before = sorted(logdir.rglob("*"))
    assert main(["export", str(logdir)]) == 2
    assert "is part of the logdir: choose another place with -o FILE" in capsys.readouterr().err
    assert sorted(logdir.rglob("*")) == before
    assert main(["export", str(logdir), "-o", "there.json"]) == 0
    assert Path("there.json").exists()


def test_a_capture_is_never_written_over(logdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (logdir / CAPTURE).read_bytes()
    Path("link.pb").symlink_to(logdir / CAPTURE)
    for output in (str(logdir / CAPTURE), "link.pb"):
        assert main(["export", str(logdir), "-o", output]) == 2
        assert "is one of the captures" in capsys.readouterr().err
    assert (logdir / CAPTURE).read_bytes() == before


def test_nothing_half_written_stays(logdir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> None:
        raise RuntimeError("full")

    Path("x.json.gz").write_text("old")
    monkeypatch.setattr(trace_marks, "_steps", failing)
    with pytest.raises(RuntimeError):
        main(["export", str(logdir), "-o", "x.json.gz"])
    assert os.listdir(".") == ["x.json.gz"]
    assert Path("x.json.gz").read_text() == "old"


@pytest.mark.parametrize(
    ("argv", "code", "message"),
    [
        (["--start", "soon"], 2, "--start 'soon': must be a number with a unit: ps, ns, us, ms or s"),
        (["--start", "2", "--end", "1"], 2, "the end must come after the start"),
        (["--start", "2.5", "--end", "2.6"], 3, "nothing to export: no event between start_ps=2500000000"),
        (["--host", "x"], 3, "has no host 'x'"),
        (["-o", "no/such/folder/x.json"], 2, "cannot be written: No such file or directory"),
    ],
)
def test_mistakes(logdir: Path, capsys: pytest.CaptureFixture[str], argv: list[str], code: int, message: str) -> None:
    assert main(["export", str(logdir), *argv]) == code
    assert message in capsys.readouterr().err
    assert os.listdir(".") == []


@pytest.mark.parametrize(
    ("text", "ps"),
    [("1.5s", 1_500_000_000_000), ("20", 20_000_000_000), ("0.000001ns", 0), ("-3 us", -3_000_000), ("7ps", 7)],
)
def test_times(text: str, ps: int) -> None:
    assert time_ps("start", text) == ps


@pytest.mark.parametrize("text", ["", "1e3", "1,5", "nan", "s", "1 h", "9" * 30])
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(ArgumentError):
        time_ps("end", text)


def test_the_file_s_name_gives_the_format() -> None:
    for chosen, output, expected in (
        (None, None, "json"),
        (None, "x.json.gz", "json"),
        (None, "x.pftrace.gz", "pftrace"),
        (None, "x.speedscope.json", "speedscope"),
        (None, "x.speedscope.json.gz", "speedscope"),
        (None, "x.pb.gz", "pprof"),
        (None, "x.pprof", "pprof"),
        (None, "x.collapsed", "collapsed"),
        (None, "x.folded.txt.gz", "collapsed"),
        ("pprof", "x.json", "pprof"),
    ):
        assert format_of(chosen, output) == expected, (chosen, output)


def test_formats_of_stacks(logdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for output in ("x.speedscope.json", "x.pprof", "x.collapsed"):
        assert main(["export", str(logdir), "-o", output]) == 0
    assert json.loads(Path("x.speedscope.json").read_text())["profiles"][0]["name"] == "h /host:CPU t"
    assert b"nanoseconds" in gzip.decompress(Path("x.pprof").read_bytes())
    assert Path("x.collapsed").read_text() == "h;/host:CPU t;first 2000000\n"
    assert main(["export", str(logdir), "--format", "collapsed"]) == 0
    assert main(["export", str(logdir), "--format", "svg"]) == 2
    assert "json, pftrace, speedscope, pprof, collapsed" in capsys.readouterr().err
    assert [name.partition("_whole")[2] for name in os.listdir(".") if "_whole" in name] == [".collapsed.gz"]


def test_python(logdir: Path, tmp_path: Path) -> None:
    made = tensorboard_perfplugin.open(logdir).export(start_ps=2_500_000_000)
    assert made.write(tmp_path / "x.json.gz") == (tmp_path / "x.json.gz").stat().st_size
    assert names(tmp_path / "x.json.gz") == ["second"]
    assert "".join(made.text()).startswith('{"displayTimeUnit"')
