"""Databases of Nsight Systems in one folder: of ranks, or of one run after another."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tensorboard_perfplugin.logdir import runs_at
from tests.decode.databases import Nsys, Nvprof

S = 10**9
BEGIN = 1_700_000_000 * S


def write(path: Path, begin_ns: int) -> None:
    path.write_bytes(Nsys(2022, epoch_ns=begin_ns).bytes())


@pytest.mark.parametrize(("apart_s", "runs"), [(120, [2]), (121, [1, 1])])
def test_what_began_together_is_a_run(apart_s: int, runs: list[int], tmp_path: Path) -> None:
    for i in range(2):
        write(tmp_path / f"report{i + 1}.sqlite", BEGIN + i * apart_s * S)
    assert [len(run.hosts) for run in runs_at(str(tmp_path))] == runs


def test_runs_of_several_ranks(tmp_path: Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    for turn, begin in (("a", BEGIN + 1000 * S), ("b", BEGIN)):
        for rank in range(3):
            write(logs / f"{turn}_{rank}.sqlite", begin + rank * S)
    found = {run.name: run.hosts for run in runs_at(str(tmp_path))}
    assert found == {"logs #1": ("b_0", "b_1", "b_2"), "logs #2": ("a_0", "a_1", "a_2")}


def test_what_does_not_say_when_it_began_is_not_told_apart(tmp_path: Path) -> None:
    (tmp_path / "a.nvprof").write_bytes(Nvprof(12).bytes())
    (tmp_path / "b.nvprof").write_bytes(Nvprof(12).bytes())
    write(tmp_path / "c.sqlite", BEGIN)
    assert [run.hosts for run in runs_at(str(tmp_path))] == [("a", "b", "c")]


def test_beside_captures_of_other_profilers_they_are_runs_of_their_own(tmp_path: Path) -> None:
    """Kineto and Nsight Systems may both have recorded one program, whose kernels are not to count twice."""
    (tmp_path / "worker.pt.trace.json").write_text('{"traceEvents": []}')
    for i, apart_s in enumerate((0, 1, 1000)):
        write(tmp_path / f"report{i}.sqlite", BEGIN + apart_s * S)
    assert {run.name.removeprefix(tmp_path.name): run.hosts for run in runs_at(str(tmp_path))} == {
        "": ("worker",),
        " (database) #1": ("report0", "report1"),
        " (database) #2": ("report2",),
    }


def test_a_view_instead_of_the_table_is_not_run(tmp_path: Path) -> None:
    for i in range(2):
        path = tmp_path / f"report{i}.sqlite"
        write(path, BEGIN + i * 1000 * S)
        connection = sqlite3.connect(path)
        connection.execute("DROP TABLE TARGET_INFO_SESSION_START_TIME")
        connection.execute(
            "CREATE VIEW TARGET_INFO_SESSION_START_TIME AS WITH RECURSIVE c(x) AS "
            "(SELECT 1 UNION ALL SELECT x FROM c) SELECT max(x) AS utcEpochNs FROM c"
        )
        connection.commit()
        connection.close()
    assert len(runs_at(str(tmp_path))) == 1
