"""What lies beside a session's captures and is not clearly its own: pages that the session holds nothing for name the
run that has it.
"""

from __future__ import annotations

import json
import marshal
from pathlib import Path

import pytest

from tensorboard_perfplugin import api
from tests.snapshots import Device, pickled

EVENT = {"ph": "X", "pid": 1, "tid": 1, "ts": 5, "dur": 2, "name": "aten::mm", "cat": "cpu_op"}
MEMORY_EVENT = {
    "ph": "i", "s": "t", "pid": 1, "tid": 1, "ts": 6, "name": "[memory]", "cat": "cpu_instant_event",
    "args": {"Addr": 16, "Bytes": 512, "Device Type": 0, "Device Id": -1, "Total Allocated": 512},
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path, EVENT)
    for name in ("before", "after"):
        (tmp_path / f"{name}_snapshot.pickle").write_bytes(pickled([Device()]))
    for rank in (1, 2):
        (tmp_path / f"rank_{rank}.cprofile").write_bytes(marshal.dumps({("a.py", 1, "f"): (1, 1, 1.0, 1.0, {})}))
    return tmp_path


def write(folder: Path, *events: object) -> None:
    trace = {"schemaVersion": 1, "traceEvents": events}
    (folder / "vm.pt.trace.json").write_text(json.dumps(trace))


def told(folder: Path, tool: str) -> list[str]:
    warnings = api.open(str(folder), run=folder.name).tool(tool).quality.warnings
    return [str(each.params["run"]) for each in warnings if each.code == "run_beside"]


def test_the_run_that_holds_it_is_named(folder: Path) -> None:
    name = folder.name
    assert told(folder, "memory_profile") == [f"{name} (memory)"]
    assert told(folder, "python_profile") == [f"{name} (Python functions)"]
    assert told(folder, "overview") == told(folder, "op_stats") == told(folder, "hlo_stats") == []
    missing = api.open(str(folder), run=name).missing()
    assert f"`{name} (memory)`" in (missing["memory_profile"] or "")
    assert f"`{name} (Python functions)`" in (missing["python_profile"] or "")
    assert missing["overview"] is None
    assert "(memory)" not in (missing["hlo_stats"] or "")


def test_what_the_session_holds_itself_is_shown(folder: Path) -> None:
    write(folder, EVENT, MEMORY_EVENT)
    assert told(folder, "memory_profile") == []


def test_of_another_folder_nothing_is_said(folder: Path) -> None:
    other = folder / "other"
    other.mkdir()
    for name in ("before", "after"):
        (folder / f"{name}_snapshot.pickle").rename(other / f"{name}_snapshot.pickle")
    assert told(folder, "memory_profile") == []
