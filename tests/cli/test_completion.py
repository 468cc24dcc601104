"""What a shell offers, as its script asks for it: by the variables that argcomplete reads."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tensorboard_perfplugin.cli import main
from tests.conftest import SAMPLES

PROGRAM = "import sys; from tensorboard_perfplugin.cli import main; sys.exit(main())"


def offered(line: str, tmp_path: Path, program: str = PROGRAM) -> list[str]:
    """Where Tab is pressed at the end of the line."""
    out = tmp_path / "offered"
    asked = {"_ARGCOMPLETE": "1", "COMP_LINE": line, "COMP_POINT": str(len(line.encode())), "COMP_TYPE": "9"}
    there = {**asked, "_ARGCOMPLETE_IFS": "\n", "_ARGCOMPLETE_STDOUT_FILENAME": str(out)}
    subprocess.run([sys.executable, "-c", program], env={**os.environ, **there}, timeout=60, check=False)
    return [each.rstrip() for each in out.read_text().split("\n") if each]


@pytest.mark.filterwarnings("default")
def test_commands_options_runs_and_hosts(tmp_path: Path) -> None:
    pytest.importorskip("argcomplete")
    two_hosts = SAMPLES / "two_hosts"
    for line, names in {
        "perfplugin o": ["op_profile", "op_stats", "overview"],
        "perfplugin c": ["capture", "check", "check-run", "columns", "compare", "completion"],
        "perfplugin overview --js": ["--json"],
        "perfplugin op-stats --ho": ["--host"],
        "perfplugin check-run x --fa": ["--fail-if"],
        "perfplugin completion ": ["bash", "fish", "zsh"],
        f"perfplugin overview {SAMPLES}/two_h": [f"{two_hosts}/"],
        f"perfplugin overview {two_hosts} --host worker-": ["worker-0", "worker-1"],
        "perfplugin overview /no/such/place --run ": [],
    }.items():
        assert sorted(offered(line, tmp_path)) == names, line


def test_a_command_is_completed_without_anything_heavy(tmp_path: Path) -> None:
    pytest.importorskip("argcomplete")
    program = f"import sys; sys.modules['numpy'] = sys.modules['tensorboard'] = None; {PROGRAM}"
    assert offered("perfplugin exp", tmp_path, program) == ["export"]
    assert offered(f"perfplugin op-stats {SAMPLES}/two_h", tmp_path, program) == [f"{SAMPLES}/two_hosts/"]


def test_the_scripts(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("argcomplete")
    for shell, part in (("bash", "complete "), ("zsh", "compdef"), ("fish", "complete --command perfplugin")):
        assert main(["completion", shell]) == 0
        assert part in capsys.readouterr().out


def test_without_argcomplete(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "argcomplete.shell_integration", None)
    assert main(["completion", "bash"]) == 3
    assert "pip install 'tensorboard-perfplugin[completion]'" in capsys.readouterr().err
