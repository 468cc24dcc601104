"""`perfplugin program`: what it prints and writes, and `Profile.program` behind it."""

from __future__ import annotations

from pathlib import Path

import pytest

import tensorboard_perfplugin
from tensorboard_perfplugin.cli import main
from tests.conftest import MakeLogdir
from tests.web.test_program import PROGRAM, held

CAPTURE = "train/plugins/profile/2026_01_01_00_00_00/h.xplane.pb"


@pytest.fixture
def logdir(make_logdir: MakeLogdir, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    return make_logdir({CAPTURE: held("jit_f(5)", "jit_g(6)")})


def test_a_text_is_printed(logdir: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["program", str(logdir), "--program", "6"]) == 0
    assert capsysbinary.readouterr().out.startswith(b"HloModule jit_f")
    assert main(["program", str(logdir), "--format", "dot"]) == 0
    assert capsysbinary.readouterr().out.startswith(b"digraph program {\n")


def test_the_message_is_written_here(logdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["program", str(logdir), "--program", "jit_g", "--format", "pb"]) == 0
    assert capsys.readouterr().out.startswith("jit_g_6.hlo_proto.pb  ")
    assert Path("jit_g_6.hlo_proto.pb").read_bytes() == PROGRAM
    assert main(["program", str(logdir), "--program", "jit_g", "--format", "pb"]) == 2
    assert "already exists" in capsys.readouterr().err
    assert main(["program", str(logdir), "-o", "text.txt"]) == 0
    assert Path("text.txt").read_text(encoding="utf-8").startswith("HloModule jit_f")


def test_no_capture_is_overwritten(logdir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (logdir / CAPTURE).read_bytes()
    assert main(["program", str(logdir), "-o", str(logdir / CAPTURE)]) == 2
    assert "one of the captures" in capsys.readouterr().err
    assert (logdir / CAPTURE).read_bytes() == before


def test_from_python(logdir: Path) -> None:
    profile = tensorboard_perfplugin.open(logdir)
    made = profile.program(program="jit_g", format="pb")
    assert (made.name, made.key, b"".join(made.chunks())) == ("jit_g_6.hlo_proto.pb", "jit_g(6)", PROGRAM)
