"""Files of several kinds in one folder: hosts of one run, where it is clear whose they are."""

from __future__ import annotations

import json
import marshal
from pathlib import Path

import pytest

from tensorboard_perfplugin.errors import NotFoundError
from tensorboard_perfplugin.logdir import Run, runs_at
from tests.decode.databases import Nsys
from tests.snapshots import Device, pickled

S = 10**9
BEGIN = 1_700_000_000 * S
STATS = marshal.dumps({("a.py", 1, "f"): (1, 1, 1.0, 1.0, {})})


def trace(rank: int | None = None, begin_ns: int = BEGIN) -> bytes:
    of = {} if rank is None else {"distributedInfo": {"backend": "nccl", "rank": rank, "world_size": 4}}
    event = {"ph": "X", "pid": 1, "tid": 1, "ts": 5, "dur": 2, "name": "aten::mm", "cat": "cpu_op"}
    return json.dumps({"schemaVersion": 1, **of, "baseTimeNanoseconds": begin_ns, "traceEvents": [event]}).encode()


def bytes_of(name: str) -> bytes:
    """As the ending says."""
    if name.endswith(".pickle"):
        return pickled([Device()])
    if name.endswith(".sqlite"):
        return Nsys(2022, epoch_ns=BEGIN).bytes()
    return STATS if name.endswith(".cprofile") else trace()


def wrote(folder: Path, *names: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).write_bytes(bytes_of(name))
    return folder


def found(folder: Path) -> dict[str, dict[str, tuple[str, ...]]]:
    """Run → host → its files, the first first."""
    return {run.name: hosts(run) for run in runs_at(str(folder))}


def hosts(run: Run) -> dict[str, tuple[str, ...]]:
    return {file.host: tuple(each.name for each in file.every) for file in run.files}


def test_ranks_are_matched_by_number(tmp_path: Path) -> None:
    logs = wrote(tmp_path / "logs", "rank_0.cprofile", "rank_1.cprofile", "0.pickle", "rank_1.pickle")
    wrote(logs, "rank0.pt.trace.json", "vm_4711.1.pt.trace.json", "report-rank1.sqlite", "report-rank0.sqlite")
    assert found(tmp_path) == {
        "logs": {
            "rank0": ("rank0.pt.trace.json", "report-rank0.sqlite", "rank_0.cprofile", "0.pickle"),
            "vm_4711.1": ("vm_4711.1.pt.trace.json", "report-rank1.sqlite", "rank_1.cprofile", "rank_1.pickle"),
        }
    }


def test_the_rank_in_a_trace_goes_before_its_name(tmp_path: Path) -> None:
    wrote(tmp_path, "rank_0.cprofile", "rank_1.cprofile")
    for rank, name in enumerate(("vm_9", "vm_8")):
        (tmp_path / f"{name}.pt.trace.json").write_bytes(trace(rank))
    assert list(found(tmp_path).values()) == [
        {
            "vm_8": ("vm_8.pt.trace.json", "rank_1.cprofile"),
            "vm_9": ("vm_9.pt.trace.json", "rank_0.cprofile"),
        }
    ]


def test_ranks_of_which_nothing_else_was_recorded_are_hosts(tmp_path: Path) -> None:
    wrote(tmp_path, "rank0.pt.trace.json", "rank_0.cprofile", "rank_1.cprofile", "rank2_memory_snapshot.pickle")
    wrote(tmp_path, "rank1_memory_snapshot.pickle")
    assert list(found(tmp_path).values()) == [
        {
            "rank0": ("rank0.pt.trace.json",  "rank_0.cprofile"),
            "rank2": ("rank2_memory_snapshot.pickle",),
            "rank_1": ("rank_1.cprofile", "rank1_memory_snapshot.pickle"),
        }
    ]  # fmt: skip


def test_one_file_of_each_kind_needs_no_name(tmp_path: Path) -> None:
    wrote(tmp_path / "s", "vm.pt.trace.json", "snapshot.pickle", "train.cprofile", "report1.sqlite")
    wrote(tmp_path / "functions", "snapshot.pickle", "train.cprofile")
    assert found(tmp_path) == {
        "s": {"vm": ("vm.pt.trace.json", "report1.sqlite", "train.cprofile", "snapshot.pickle")},
        "functions": {"train": ("train.cprofile", "snapshot.pickle")},
    }


def test_hosts_are_matched_by_what_stands_before_the_ending(tmp_path: Path) -> None:
    wrote(tmp_path, "a.pt.trace.json", "b.pt.trace.json", "B_snapshot.pickle")
    assert list(found(tmp_path).values()) == [
        {"a": ("a.pt.trace.json",), "b": ("b.pt.trace.json", "B_snapshot.pickle")}
    ]


@pytest.mark.parametrize(
    "names",
    [
        # Of another rank; of two times; of hosts that are not there; of two of one rank.
        ("rank0.pt.trace.json", "rank_1.cprofile"),
        ("vm.pt.trace.json", "before_snapshot.pickle", "after_snapshot.pickle"),
        ("a.pt.trace.json", "b.pt.trace.json", "a_snapshot.pickle", "c_snapshot.pickle"),
        ("rank0.pt.trace.json", "rank_0.pickle", "0.pickle"),
    ],
)
def test_what_is_not_clear_stays_apart(names: tuple[str, ...], tmp_path: Path) -> None:
    wrote(tmp_path, *names)
    session, beside = sorted(runs_at(str(tmp_path)), key=lambda run: run.name)
    assert [run.every_file for run in (session, beside)] == [session.files, beside.files]
    assert [each.run for each in session.beside] == [beside.name]


@pytest.mark.parametrize(("after_s", "runs"), [(-120, 1), (-121, 2), (86_400, 1), (86_401, 2)])
def test_a_database_of_another_time_is_another_run(after_s: int, runs: int, tmp_path: Path) -> None:
    wrote(tmp_path, "report.sqlite")
    (tmp_path / "vm.pt.trace.json").write_bytes(trace(begin_ns=BEGIN + after_s * S - 5000))
    assert len(runs_at(str(tmp_path))) == runs


def test_files_have_names_of_their_own(tmp_path: Path) -> None:
    wrote(tmp_path, "vm.pt.trace.json", "snapshot.pickle", "train.cprofile", "report.sqlite")
    (run,) = runs_at(str(tmp_path))
    assert [file.host for file in run.every_file] == ["vm", "vm (database)", "vm (Python functions)", "vm (memory)"]
    chosen = run.file("vm (memory)")
    assert (chosen.is_chosen, [each.name for each in chosen.every]) == (
        True,
        ["snapshot.pickle", "vm.pt.trace.json", "report.sqlite", "train.cprofile"],
    )
    assert run.file("vm (trace)").name == "vm.pt.trace.json"
    assert not run.file("vm").is_chosen
    with pytest.raises(NotFoundError, match="its hosts are vm"):
        run.file("vm (nothing)")


def test_a_host_may_be_called_as_a_file_is(tmp_path: Path) -> None:
    wrote(tmp_path, "vm.pt.trace.json", "vm (memory).pt.trace.json", "vm_snapshot.pickle")
    (run,) = runs_at(str(tmp_path))
    assert sorted(file.host for file in run.every_file) == ["vm", "vm (memory)", "vm (memory) #2"]
