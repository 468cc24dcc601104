"""Which of PyTorch's profiles in a folder are of one program: of two ranks, or of one that was started twice."""

from __future__ import annotations

import gzip
import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin.doctor import diagnose
from tensorboard_perfplugin.logdir import Logdir, runs_at
from tensorboard_perfplugin.logdir.programs import HEAD_BYTES
from tests.logdir.test_runs import touch

S = 10**9
#: November 2026, in ns since the epoch.
NOW = 1_795_321_654 * S


def profile(
    folder: Path,
    worker: str,
    begin_s: float,
    end_s: float,
    rank: int = -1,
    ranks: int = 2,
    old: bool = False,
    step: int = 3,
) -> str:
    """A file as the profiler of a worker writes it, that recorded from `begin_s` and was written at `end_s`."""
    name = f"{worker}.{NOW + int(end_s * S)}.pt.trace.json"
    said: dict[str, Any] = {"schemaVersion": 1}
    if rank >= 0:
        said["distributedInfo"] = {
            "backend": "nccl",
            "rank": rank,
            "world_size": ranks,
            "pg_config": [{"ranks": [0, 1]}],
        }
    at_us = (NOW + begin_s * S) / 1000
    if not old:
        said["baseTimeNanoseconds"] = NOW - 1000 * S
        at_us -= said["baseTimeNanoseconds"] / 1000
    folder.mkdir(exist_ok=True)
    said["traceEvents"] = [
        {"ph": "M", "name": "process_name", "ts": at_us, "pid": 1, "args": {"name": "python"}},
        {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "ts": at_us + 9, "dur": 5, "pid": 1, "tid": 1},
        {
            "ph": "X",
            "cat": "user_annotation",
            "name": f"ProfilerStep#{step}",
            "ts": at_us,
            "dur": 99,
            "pid": 1,
            "tid": 1,
        },
    ]
    (folder / name).write_text(json.dumps(said))
    return name


def blank(folder: Path, worker: str, end_s: float) -> None:
    """A file as the profiler writes it where the program ended when a cycle had just begun."""
    path = folder / profile(folder, worker, end_s - 0.1, end_s)
    said = json.loads(path.read_text())
    at_us = said["traceEvents"][0]["ts"]
    said["traceEvents"][1:] = [
        {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#12", "ts": at_us, "dur": 5, "pid": 1, "tid": 1},
        {"ph": "X", "cat": "Trace", "name": "PyTorch Profiler (0)", "ts": at_us, "dur": 9, "pid": "Spans", "tid": 0},
        {"ph": "i", "s": "g", "name": "Record Window End", "pid": "", "tid": "", "ts": at_us},
    ]
    path.write_text(json.dumps(said))


def read(folder: Path) -> list[list[str]]:
    """Workers of each run, the oldest run first."""
    return [[Path(file.path).name.split(".")[0] for file in run.files] for run in reversed(runs_at(str(folder)))]


@pytest.mark.parametrize("old", [False, True])
def test_a_program_that_was_started_again_within_seconds_is_another_run(tmp_path: Path, old: bool) -> None:
    """Somebody who tries something out: the second began to record after the first was written."""
    profile(tmp_path, "vm_77", 0, 3, old=old)
    profile(tmp_path, "vm_90", 12, 15, old=old)
    assert read(tmp_path) == [["vm_77"], ["vm_90"]]


def test_processes_that_record_at_once_are_one_run(tmp_path: Path) -> None:
    profile(tmp_path, "vm_77", 0, 3)
    profile(tmp_path, "vm_90", 2, 9)
    assert read(tmp_path) == [["vm_77", "vm_90"]]


def test_ranks_that_are_started_again_are_two_runs_of_two(tmp_path: Path) -> None:
    for begin, workers in ((0, ("vm_77", "vm_78")), (20, ("vm_90", "vm_91"))):
        for rank, worker in enumerate(workers):
            profile(tmp_path, worker, begin + rank, begin + 5, rank)
    assert read(tmp_path) == [["vm_77", "vm_78"], ["vm_90", "vm_91"]]


def test_hosts_whose_clocks_differ_have_ranks_of_one_run(tmp_path: Path) -> None:
    """Half a minute apart: each rank once, of as many."""
    profile(tmp_path, "first_77", 0, 5, 0)
    profile(tmp_path, "second_77", 30, 35, 1)
    assert read(tmp_path) == [["first_77", "second_77"]]


def test_hosts_whose_clocks_are_an_hour_apart_have_ranks_of_one_run(tmp_path: Path) -> None:
    """Three cycles of four ranks, three minutes apart, on two hosts."""
    for begin in (0, 180, 360):
        for rank in range(4):
            host, clock = ("first", 0) if rank < 2 else ("second", 3600)
            profile(tmp_path, f"{host}_{rank}", begin + clock, begin + clock + 5 + 0.5 * rank, rank, 4)
    assert read(tmp_path) == [["first_0", "first_1", "second_2", "second_3"]] * 3


def test_the_doctor_tells_of_ranks_that_may_be_of_one_run(tmp_path: Path) -> None:
    """Ranks 0 and 2 of four: nothing proves it. Of one host, and of a whole run, there is no doubt."""
    for folder, host in (("doubt", "second"), ("sure", "first")):
        profile(tmp_path / folder, "first_77", 0, 5, 0, 4)
        profile(tmp_path / folder, f"{host}_90", 3600, 3605, 2, 4)
    (only,) = diagnose(str(tmp_path))
    assert (only.case, only.path) == ("ranks_apart", str(tmp_path / "doubt"))
    assert only.found == "doubt #1 has rank 0 of 4, doubt #2 rank 2 of 4, recorded 60 minutes later"
    assert diagnose(str(tmp_path / "sure"))[0].ok


@pytest.mark.parametrize(
    ("worker", "rank", "ranks", "later_s", "step", "cycles"),
    [
        pytest.param("first_90", 1, 2, 3600, 5, 1, id="one host has one clock"),
        pytest.param("second_90", 0, 2, 3600, 5, 1, id="the same rank"),
        pytest.param("second_90", 1, 3, 3600, 5, 1, id="of more"),
        pytest.param("second_90", 1, 2, 90_000, 5, 1, id="a day later"),
        pytest.param("second_90", 1, 2, 3600, 6, 1, id="another step"),
        pytest.param("second_90", 1, 2, 3600, 5, 2, id="another number of profiles"),
    ],
)
def test_ranks_that_are_found_an_hour_later_are_of_another_program(
    tmp_path: Path, worker: str, rank: int, ranks: int, later_s: int, step: int, cycles: int
) -> None:
    profile(tmp_path, "first_77", 0, 5, 0, step=5)
    for cycle in range(cycles):
        profile(tmp_path, worker, later_s + 9 * cycle, later_s + 9 * cycle + 5, rank, ranks, step=step)
    assert read(tmp_path) == [["first_77"], *[[worker]] * cycles]


@pytest.mark.parametrize(
    ("worker", "rank", "ranks"),
    [
        pytest.param("first_90", 1, 2, id="one host has one clock"),
        pytest.param("second_77", 0, 2, id="the same rank"),
        pytest.param("second_77", 1, 4, id="of as many"),
        pytest.param("second_77", -1, 2, id="no rank"),
    ],
)
def test_other_ranks_half_a_minute_later_are_of_another_program(
    tmp_path: Path, worker: str, rank: int, ranks: int
) -> None:
    profile(tmp_path, "first_77", 0, 5, 0)
    profile(tmp_path, worker, 30, 35, rank, ranks)
    assert read(tmp_path) == [["first_77"], [worker]]


def test_two_programs_at_once_are_two_runs(tmp_path: Path) -> None:
    for worker, rank in (("vm_1", 0), ("vm_2", 1), ("vm_3", 0), ("vm_4", 1)):
        profile(tmp_path, worker, 0.1 * rank, 5, rank)
    assert sorted(read(tmp_path)) == [["vm_1", "vm_2"], ["vm_3", "vm_4"]]


def test_a_rank_that_lacks_a_cycle_takes_part_in_the_others(tmp_path: Path) -> None:
    """Rank 1 began to record with the second of three cycles."""
    for begin in (0, 10, 20):
        profile(tmp_path, "vm_77", begin, begin + 5, 0)
    for begin in (10, 20):
        profile(tmp_path, "vm_78", begin + 1, begin + 6, 1)
    assert read(tmp_path) == [["vm_77"], ["vm_77", "vm_78"], ["vm_77", "vm_78"]]


def test_a_rank_that_is_slow_to_write_stays_in_its_cycle(tmp_path: Path) -> None:
    """Rank 1 writes each profile when rank 0 has written the next."""
    for begin in (0, 10, 20):
        profile(tmp_path, "vm_77", begin, begin + 5, 0)
        profile(tmp_path, "vm_78", begin, begin + 16, 1)
    assert read(tmp_path) == [["vm_77", "vm_78"]] * 3


def test_a_file_that_does_not_tell_is_of_the_run_of_the_same_minutes(tmp_path: Path) -> None:
    """Also one that was cut within its first bytes, or is packed and cut."""
    profile(tmp_path, "vm_77", 0, 5, 0)
    (tmp_path / f"vm_78.{NOW + 30 * S}.pt.trace.json").write_text('{"schemaVersion": 1, "traceEv')
    (tmp_path / f"vm_79.{NOW + 31 * S}.pt.trace.json.gz").write_bytes(gzip.compress(b"{}")[:9])
    (tmp_path / f"vm_80.{NOW + 32 * S}.pt.trace.json.gz").write_bytes(b"\x1f\x8b\x08\x00garbage")
    assert read(tmp_path) == [["vm_77", "vm_78", "vm_79", "vm_80"]]


def test_a_last_cycle_in_which_nothing_was_recorded_is_no_run(tmp_path: Path) -> None:
    """The program ended in it; as the newest run it would be what opens first. Alone it is one."""
    folder = tmp_path / "log"
    for worker in ("vm_77", "vm_78"):
        written = folder / profile(folder, worker, 0, 5)
        written.write_text(json.dumps(json.loads(written.read_text()) | {"more": "x" * HEAD_BYTES}))
        blank(folder, worker, 6)
    (run,) = runs_at(str(folder))
    assert ([file.host for file in run.files], len(run.left_out)) == (["vm_77", "vm_78"], 2)
    assert all(file.size_bytes > HEAD_BYTES for file in run.files)
    blank(tmp_path / "alone", "vm_77", 6)
    assert read(tmp_path / "alone") == [["vm_77"]]


def test_names_that_tell_milliseconds_may_be_a_moment_too_early(tmp_path: Path) -> None:
    """Seen: written, by its name, before it began to record."""
    for i in range(4):
        profile(tmp_path, f"vm_{i}", 0.5, 0.01 * i, i, 4)
    assert read(tmp_path) == [["vm_0", "vm_1", "vm_2", "vm_3"]]


def test_packed_files_tell_as_others_do(tmp_path: Path) -> None:
    for worker, begin in (("vm_77", 0), ("vm_90", 12)):
        plain = tmp_path / profile(tmp_path, worker, begin, begin + 3)
        (tmp_path / f"{plain.name}.gz").write_bytes(gzip.compress(plain.read_bytes()))
        plain.unlink()
    assert read(tmp_path) == [["vm_77"], ["vm_90"]]


def test_the_first_profile_is_found_by_its_name_when_there_is_a_second(tmp_path: Path) -> None:
    """A page that shows `log` is open when the schedule comes round again."""
    first = profile(tmp_path / "log", "vm_77", 0, 5)
    assert Logdir.from_flags(str(tmp_path), "").run("log").name == "log"
    profile(tmp_path / "log", "vm_77", 10, 15)
    logdir = Logdir.from_flags(str(tmp_path), "")
    assert [run.name for run in logdir.snapshot(wait_s=20).runs] == ["log #2", "log #1"]
    assert Path(logdir.run("log").files[0].path).name == first


@pytest.mark.parametrize(("later_s", "runs"), [(0.9, 1), (1.1, 2)])
def test_recordings_a_second_apart_may_be_at_once(tmp_path: Path, later_s: float, runs: int) -> None:
    profile(tmp_path, "vm_77", 0, 3)
    profile(tmp_path, "vm_90", 3 + later_s, 9)
    assert len(read(tmp_path)) == runs


@pytest.mark.parametrize(("drift_s", "runs"), [(9, 2), (11, 4)])
def test_ranks_whose_times_drift_by_ten_seconds_go_on_together(tmp_path: Path, drift_s: int, runs: int) -> None:
    """Two profiles of two ranks, on hosts whose clocks are an hour apart."""
    for begin in (0, 300):
        profile(tmp_path, "first_1", begin, begin + 5, 0)
        later = begin + 3600 + (drift_s if begin else 0)
        profile(tmp_path, "second_2", later, later + 5, 1)
    assert len(read(tmp_path)) == runs


@pytest.mark.parametrize(("later_s", "runs"), [(86_399, 1), (86_401, 2)])
def test_clocks_differ_by_a_day_at_most(tmp_path: Path, later_s: int, runs: int) -> None:
    profile(tmp_path, "first_77", 0, 5, 0)
    profile(tmp_path, "second_90", later_s, later_s + 5, 1)
    assert len(read(tmp_path)) == runs


@pytest.mark.parametrize(("us", "is_epoch"), [(10**15 - 1, False), (10**15, True)])
def test_times_since_the_epoch_have_sixteen_digits(tmp_path: Path, us: int, is_epoch: bool) -> None:
    """Two profiles, of which the first ends before the second begins where times count from the epoch, or its base."""
    for worker, begin_s in (("vm_77", 0), ("vm_90", 12)):
        path = tmp_path / profile(tmp_path, worker, begin_s, begin_s + 3)
        said = json.loads(path.read_text())
        for each in said["traceEvents"]:
            each["ts"] = us
        said["baseTimeNanoseconds"] = NOW + begin_s * S - us * 1000
        path.write_text(json.dumps(said))
    # Since the epoch both began in 2001, which their names deny.
    assert len(read(tmp_path)) == (1 if is_epoch else 2)


@pytest.mark.parametrize(("marks", "runs"), [(3, 1), (4, 2)])
def test_three_marks_are_nothing_recorded(tmp_path: Path, marks: int, runs: int) -> None:
    profile(tmp_path, "vm_77", 0, 5)
    blank(tmp_path, "vm_77", 9)
    (path,) = tmp_path.glob(f"vm_77.{NOW + 9 * S}*")
    said = json.loads(path.read_text())
    slices = itertools.cycle(each for each in said["traceEvents"] if each["ph"] == "X")
    said["traceEvents"] = list(itertools.islice(slices, marks))
    path.write_text(json.dumps(said))
    assert len(read(tmp_path)) == runs


@pytest.mark.parametrize(("later_s", "runs"), [(119, 1), (121, 2)])
def test_profiles_two_minutes_apart_are_of_another_start(tmp_path: Path, later_s: int, runs: int) -> None:
    """What they are of they do not tell."""
    touch(tmp_path, *(f"vm_{i}.{NOW + s * S}.pt.trace.json" for i, s in enumerate((0, later_s))))
    assert len(read(tmp_path)) == runs
