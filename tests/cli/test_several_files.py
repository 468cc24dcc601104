"""`perfplugin TOOL DIR` where a host has several files: what is read, what is not, and how to choose."""

from __future__ import annotations

import json
import marshal
from pathlib import Path

import pytest

from tensorboard_perfplugin.cli.entry import main
from tests.snapshots import FORWARD, MIB, Device, pickled

FIRST = "vm.pt.trace.json is read first"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    event = {"ph": "X", "pid": 1, "tid": 1, "ts": 5, "dur": 2, "name": "aten::mm", "cat": "cpu_op"}
    (tmp_path / "vm.pt.trace.json").write_text(json.dumps({"schemaVersion": 1, "traceEvents": [event]}))
    device = Device()
    device.alloc(MIB, FORWARD)
    (tmp_path / "snapshot.pickle").write_bytes(pickled([device]))
    (tmp_path / "train.cprofile").write_bytes(marshal.dumps({("a.py", 1, "f"): (1, 1, 1.0, 1.0, {})}))
    return tmp_path


@pytest.mark.parametrize(
    ("tool", "host", "said"),
    [
        (
            "overview",
            "",
            [
                "read: vm.pt.trace.json",
                f"not read: train.cprofile (Python functions): {FIRST}; choose it by --host 'vm (Python functions)'",
                "not read: snapshot.pickle (memory): it holds memory alone",
            ],
        ),
        (
            "trace_viewer",
            "vm (memory)",
            [
                "read: snapshot.pickle",
                "not read: vm.pt.trace.json (trace): snapshot.pickle is read first; choose it by --host 'vm (trace)'",
                "not read: train.cprofile (Python functions): it holds sums by Python function alone",
            ],
        ),
    ],
)
def test_what_is_read_is_said(
    tool: str, host: str, said: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([tool, str(folder), *(["--host", host] if host else [])]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith(("read: ", "not read: "))] == said


def test_of_one_file_a_host_nothing_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["overview", str(folder / "vm.pt.trace.json")]) == 0
    assert "read: " not in capsys.readouterr().out
