"""Hosts with files of several kinds: each page is of the file that answers it best, and says which that is."""

from __future__ import annotations

import json
import marshal
import os
from pathlib import Path

import pytest

from tensorboard_perfplugin import api, decode
from tensorboard_perfplugin.answers.disk import Disk
from tensorboard_perfplugin.answers.library import Library
from tensorboard_perfplugin.errors import UnreadableError
from tensorboard_perfplugin.logdir import runs_at
from tensorboard_perfplugin.tables import Capture
from tensorboard_perfplugin.tools import Answer, find_tool
from tests.snapshots import FORWARD, MIB, Device, pickled

MEMORY_EVENT = {
    "ph": "i", "s": "t", "pid": 1, "tid": 1, "ts": 6, "name": "[memory]", "cat": "cpu_instant_event",
    "args": {"Addr": 16, "Bytes": 512, "Device Type": 0, "Device Id": -1, "Total Allocated": 512},
}  # fmt: skip
BOTH = ("rank0", "rank1")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A trace, a snapshot and a dump of cProfile of two ranks."""
    for rank in range(2):
        write_trace(tmp_path, rank)
        device = Device()
        device.alloc((rank + 1) * MIB, FORWARD)
        (tmp_path / f"snapshot_rank_{rank}.snapshot.pickle").write_bytes(pickled([device]))
        write_functions(tmp_path, rank)
    return tmp_path


def write_functions(folder: Path, rank: int) -> None:
    stats: dict[object, object] = {("a.py", 1, "f"): (1, 1, 1.0 + rank, 1.0 + rank, {})}
    (folder / f"rank_{rank}.cprofile").write_bytes(marshal.dumps(stats))


def write_trace(folder: Path, rank: int, *more: object) -> None:
    event = {"ph": "X", "pid": 1, "tid": 1, "ts": 5, "dur": 2, "name": "aten::mm", "cat": "cpu_op"}
    (folder / f"rank{rank}.pt.trace.json").write_text(json.dumps({"schemaVersion": 1, "traceEvents": [event, *more]}))


def used(answer: Answer) -> list[str]:
    return [each.file for each in answer.files if each.used]


def test_each_page_is_of_the_file_that_answers_it(folder: Path) -> None:
    profile = api.open(folder)
    assert (profile.runs, profile.hosts) == ((folder.name,), BOTH)
    assert used(profile.overview()) == ["rank0.pt.trace.json", "rank1.pt.trace.json"]
    assert profile.overview().hosts == BOTH
    memory, functions = profile.memory_profile(), profile.python_profile()
    assert used(memory) == ["snapshot_rank_0.snapshot.pickle", "snapshot_rank_1.snapshot.pickle"]
    assert memory.hosts == ("rank0 (memory)", "rank1 (memory)")
    assert used(functions) == ["rank_0.cprofile", "rank_1.cprofile"]
    assert (functions.hosts, functions.result.summary["total_ms"]) == (BOTH, 3000)
    for answer in (memory, functions, profile.overview()):
        answer.check()
        assert not answer.quality.warnings or answer is functions
    missing = profile.missing()
    assert {missing[name] for name in ("overview", "memory_profile", "python_profile", "trace_viewer")} == {None}
    assert missing["hlo_stats"]
    assert api.open(folder, host="rank0 (memory)").missing()["op_stats"] is None


def test_what_is_not_used_says_why_and_how_it_would_be(folder: Path) -> None:
    of_first = {each.file: each for each in api.open(folder).memory_profile().files if each.host == "rank0"}
    trace, functions = of_first["rank0.pt.trace.json"], of_first["rank_0.cprofile"]
    assert (trace.why, trace.select) == ("snapshot_rank_0.snapshot.pickle is read first", "rank0 (trace)")
    assert (functions.why, functions.select) == ("it holds sums by Python function alone", "")


def test_a_file_that_is_named_goes_first_where_it_holds_something(folder: Path) -> None:
    write_trace(folder, 0, MEMORY_EVENT)
    assert used(api.open(folder, host="rank0").memory_profile()) == ["snapshot_rank_0.snapshot.pickle"]
    assert used(api.open(folder, host="rank0 (trace)").memory_profile()) == ["rank0.pt.trace.json"]
    # Its trace holds no memory.
    assert used(api.open(folder, host="rank1 (trace)").memory_profile()) == ["snapshot_rank_1.snapshot.pickle"]
    assert used(api.open(folder, host="rank1 (memory)").overview()) == ["rank1.pt.trace.json"]


def test_findings_lead_to_the_trace_of_the_file_they_are_of(folder: Path) -> None:
    profile = api.open(folder)
    places = [place for finding in profile.memory_profile().result.findings for place in finding.evidence]
    assert {place.host for place in places} <= {"rank0 (memory)", "rank1 (memory)"}
    shown = api.open(folder, host="rank0 (memory)").trace_viewer()
    assert (used(shown), shown.hosts) == (["snapshot_rank_0.snapshot.pickle"], ("rank0 (memory)",))


def test_hosts_without_a_file_for_a_page_are_left_out(folder: Path) -> None:
    write_functions(folder, 2)
    profile = api.open(folder)
    assert profile.hosts == (*BOTH, "rank_2")
    overview = profile.overview()
    assert overview.hosts == BOTH
    assert [(each.file, each.used) for each in overview.files if each.host == "rank_2"] == [("rank_2.cprofile", False)]
    assert profile.python_profile().hosts == (*BOTH, "rank_2")


def test_where_the_best_cannot_be_read_the_next_is(folder: Path) -> None:
    write_trace(folder, 0, MEMORY_EVENT)

    def read(path: str) -> Capture:
        if path.endswith(".pickle"):
            raise UnreadableError(path)
        return decode.read(path)

    (run,) = runs_at(str(folder))
    answer = Library(read=read).answer(find_tool("memory_profile"), run, ["rank0"], {})
    assert used(answer) == ["rank0.pt.trace.json"]
    assert [each.code for each in answer.quality.warnings] == ["other_kind_read"]


def test_a_file_that_is_written_anew_is_read_anew(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The answer is kept by the identities of all files of which one is chosen, on disk, too, with what it says."""
    cache = tmp_path_factory.mktemp("cache")
    tool = find_tool("memory_profile")

    def peak() -> object:
        (run,) = runs_at(str(folder))
        (answer, again) = (Library(disk=Disk(lambda: str(cache))).answer(tool, run, ["rank0"], {}) for _ in range(2))
        assert (again.files, again.result.summary) == (answer.files, answer.result.summary)
        return answer.result.summary["peak_bytes"]

    assert peak() == 1 * MIB
    device = Device()
    device.alloc(5 * MIB, FORWARD)
    (folder / "snapshot_rank_0.snapshot.pickle").write_bytes(pickled([device]))
    assert peak() == 5 * MIB


def test_one_file_a_host_says_nothing_of_files(tmp_path: Path) -> None:
    write_trace(tmp_path, 0)
    assert api.open(tmp_path).overview().files == ()


def test_the_newest_run_that_suits_a_page_is_opened(tmp_path: Path) -> None:
    """A snapshot recorded after the trace was opened for the overview, which it has nothing for."""
    write_trace(tmp_path, 0)
    for i, name in enumerate(("before", "after")):
        path = tmp_path / f"{name}_snapshot.pickle"
        path.write_bytes(pickled([Device()]))
        os.utime(path, (4e9 + i, 4e9 + i))
    profile = api.open(tmp_path)
    assert (profile.run, profile.runs) == (tmp_path.name, (f"{tmp_path.name} (memory)", tmp_path.name))
    assert api.open(tmp_path, tool="memory_profile").run == f"{tmp_path.name} (memory)"
    assert api.open(tmp_path, tool="python_profile").run == profile.runs[0]
