"""Which process of a program this is, and how its processes come to one session."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tensorboard_perfplugin import profile
from tensorboard_perfplugin.capture import session as writer
from tensorboard_perfplugin.capture.local.files import safe_stem, take_place
from tensorboard_perfplugin.capture.local.frameworks import Rank, process_began_s, rank_of
from tensorboard_perfplugin.capture.session import HIDDEN, DiskError
from tests.capture.test_local import jax_module
from tests.conftest import ROOT


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever runs these tests: no launcher's variables, no session's name, no profiler of a coverage tool."""
    for name in list(os.environ):
        if name.startswith(("SLURM_", "OMPI_", "PMI", "PERFPLUGIN_SESSION", "TF_")) or name in ("RANK", "WORLD_SIZE"):
            monkeypatch.delenv(name)


SLURM = {"SLURM_PROCID": "3", "SLURM_STEP_NUM_TASKS": "8", "SLURM_JOB_ID": "77"}
CLUSTER = {"cluster": {"chief": ["a:1"], "worker": ["b:1", "c:1"]}, "task": {"type": "worker", "index": 1}}


@pytest.mark.parametrize(
    ("environ", "rank"),
    [
        ({}, None),
        ({"RANK": "5", "WORLD_SIZE": "16"}, ("rank5", 16, "torchrun")),
        ({"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2"}, ("rank1", 2, "Open MPI")),
        ({"PMI_RANK": "0", "PMI_SIZE": "4"}, ("rank0", 4, "MPICH")),
        (SLURM, ("rank3", 8, "Slurm")),
        ({**SLURM, "RANK": "5", "WORLD_SIZE": "16"}, ("rank5", 16, "torchrun")),
        ({"SLURM_PROCID": "0", "SLURM_NTASKS": "8"}, None),  # the batch script itself
        ({"RANK": "0", "WORLD_SIZE": "1"}, None),
        ({"RANK": "../0", "WORLD_SIZE": "2"}, None),
        ({"TF_CONFIG": json.dumps(CLUSTER)}, ("worker1", 3, "TF_CONFIG")),
        ({"TF_CONFIG": "{"}, None),
        ({"TF_CONFIG": '{"cluster": {"worker": ["a"]}, "task": {"type": "../w", "index": 0}}'}, None),
    ],
)
def test_ranks(environ: dict[str, str], rank: tuple[str, int, str] | None) -> None:
    found = rank_of(environ, {})
    assert (found and (found.label, found.count, found.source)) == rank


def test_the_rank_that_a_framework_knows() -> None:
    found = rank_of({"RANK": "7", "WORLD_SIZE": "8"}, jax_module(True, processes=4))
    assert found is not None
    assert (found.label, found.source) == ("rank1", "jax.distributed")
    assert rank_of({}, jax_module(False, processes=4)) is None


RANKED = """
import os, sys, time
from tensorboard_perfplugin import profile
time.sleep(float(sys.argv[2]))
with profile(sys.argv[1], steps=(1, 2)) as recording:
    for _ in range(5):
        sum(range(1000))
        recording.step()
print(recording.session, flush=True)
"""


def test_processes_agree_on_a_session(tmp_path: Path) -> None:
    """Four at once, and one that begins in another second; then the same program again."""
    sessions: list[str] = []
    for _ in range(2):
        started = [
            subprocess.Popen(
                [sys.executable, "-c", RANKED, str(tmp_path), "1.1" if rank == 4 else "0"],
                cwd=ROOT,
                env={**os.environ, "RANK": str(rank), "WORLD_SIZE": "5", "MASTER_PORT": "29500"},
                stdout=subprocess.PIPE,
                text=True,
            )
            for rank in range(5)
        ]
        said = {each.communicate()[0].strip() for each in started}
        assert len(said) == 1
        sessions += said
        names = os.listdir(tmp_path / "plugins" / "profile" / sessions[-1])
        assert sorted(name.partition("_")[0] for name in names) == [f"rank{rank}" for rank in range(5)]
        assert os.listdir(tmp_path / "plugins") == ["profile"]
    assert sessions[0] != sessions[1]


RANK = Rank("rank1", 3, "torchrun", "0123456789abcdef")


def noted(logdir: Path, session: str, time_s: float) -> Path:
    note = logdir / "plugins" / f"{HIDDEN}job-{RANK.job}.1"
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text(json.dumps({"session": session, "time_s": time_s}))
    return note


def test_a_note_of_an_earlier_start_is_not_taken(tmp_path: Path) -> None:
    """A start whose other processes never wrote leaves its note: ours is written beside it."""
    noted(tmp_path, "early", process_began_s() - 120)
    place = take_place(str(tmp_path), "", RANK, process_began_s())
    assert place.session != "early"
    assert place.note.endswith("-2")
    other = take_place(str(tmp_path), "", Rank("rank2", 3, "torchrun", RANK.job), process_began_s())
    assert other.session == place.session
    for each in (place, other):
        each.close()


@pytest.mark.parametrize(("before_s", "session"), [(29, "theirs"), (31, "ours")])
def test_processes_of_one_start_begin_within_30_seconds(before_s: float, session: str, tmp_path: Path) -> None:
    began_s = 1_700_000_000.0
    noted(tmp_path, "theirs", began_s - before_s)
    place = take_place(str(tmp_path), "", RANK, began_s)
    place.close()
    assert (place.session == "theirs") is (session == "theirs")


def test_a_second_recording_of_a_process_is_another_session(tmp_path: Path) -> None:
    noted(tmp_path, "first", time.time())
    session = tmp_path / "plugins" / "profile" / "first"
    session.mkdir(parents=True)
    place = take_place(str(tmp_path), "", RANK, time.time())
    assert place.session == "first"
    (session / f"{place.stem}.xplane.pb").write_bytes(b"x")
    place.close()
    again = take_place(str(tmp_path), "", RANK, time.time(), 2)
    assert again.session != "first"
    slow = take_place(str(tmp_path), "", Rank("rank2", 3, "torchrun", RANK.job), time.time())
    assert slow.session == "first"
    for each in (again, slow):
        each.close()
    wanted = take_place(str(tmp_path), "first", RANK, time.time())
    assert wanted.session == "first_2"
    wanted.close()


def test_where_all_names_are_taken_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`StopIteration` said nothing, and ended what called it."""
    monkeypatch.setattr(writer, "MAX_NAMES", 3)
    place = take_place(str(tmp_path), "run", None, time.time())
    scratch = Path(place.make_scratch("x"))
    for i in range(3):
        (scratch / str(i)).write_bytes(b"")
        place.keep(str(scratch / str(i)), "torch", ".json")
    (scratch / "4").write_bytes(b"")
    with pytest.raises(
        DiskError, match=rf"run: {place.stem}_torch and all names with a number after it are taken; delete"
    ):
        place.keep(str(scratch / "4"), "torch", ".json")
    for name in ("run", "run_2"):
        (tmp_path / "plugins" / "profile" / name).mkdir(exist_ok=True)
        (tmp_path / "plugins" / "profile" / name / f"rank1_{place.stem}.json").write_bytes(b"")
    place.close()
    for wanted in ("run", ""):
        monkeypatch.setattr(time, "strftime", lambda form: "run")
        with pytest.raises(DiskError, match="profile: run and all names with a number after it are taken; delete"):
            take_place(str(tmp_path), wanted, RANK, time.time())
    assert [entry.name for entry in (tmp_path / "plugins").iterdir()] == ["profile"]


@pytest.mark.parametrize("note", ["", "{", "[1]", '{"session": "../../up", "time_s": 1e30}', '{"session": "x"}'])
def test_a_note_of_any_content(note: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tensorboard_perfplugin.capture.local.files.NOTE_WAIT_S", 0.05)
    noted(tmp_path, "x", 0).write_text(note)
    place = take_place(str(tmp_path), "", RANK, time.time())
    assert len(place.session) == len("2026_01_01_00_00_00")
    place.close()


def test_the_environment_names_the_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERFPLUGIN_SESSION", "night run")
    with profile(tmp_path) as recording:
        recording.step()
    assert recording.session == "night run"


def test_names_of_hosts_are_made_safe() -> None:
    assert [safe_stem(name) for name in ("node-7.corp", "../up", "", "a b\0é")] == [
        "node-7.corp",
        "_up",
        "host",
        "a_b__",
    ]
