"""A `.prof` is cProfile's, or a memory profile, by its bytes; databases, pickles; which of them are one run."""

from __future__ import annotations

import contextlib
import gzip
import marshal
import pickle
import sqlite3
from pathlib import Path

import pytest
from msgspec import structs

from tensorboard_perfplugin.formats import Format
from tensorboard_perfplugin.logdir import Run, is_capture, runs, runs_at
from tensorboard_perfplugin.logdir import names as told
from tensorboard_perfplugin.logdir.names import first_bytes
from tests.build_capture import Space
from tests.decode.databases import Nsys
from tests.decode.pprofs import Pprof
from tests.snapshots import Device, pickled

STATS = marshal.dumps({("a.py", 1, "f"): (1, 1, 1.0, 1.0, {})})


def memory() -> bytes:
    profile = Pprof()
    profile.sample(400, ["main a.py:1"], kind="buffer", device="cuda:1")
    return profile.bytes()


def found(folder: Path) -> dict[str, tuple[tuple[str, ...], set[Format]]]:
    runs: tuple[Run, ...] = runs_at(str(folder))
    return {run.name: (run.hosts, {file.format for file in run.files}) for run in runs}


def test_the_bytes_decide(tmp_path: Path) -> None:
    for name, data in (("a.prof", STATS), ("b.prof", memory()), ("memory.prof", STATS), ("c.prof", b"\0\1\2")):
        (tmp_path / name).write_bytes(data)
    (tmp_path / "d.prof.gz").write_bytes(gzip.compress(STATS))
    session = tmp_path.name
    assert found(tmp_path) == {
        session: (("b",), {Format.PPROF}),
        f"{session}/a": (("a",), {Format.PYTHON_STATS}),
        f"{session}/d": (("d",), {Format.PYTHON_STATS}),
        f"{session}/memory": (("memory",), {Format.PYTHON_STATS}),
    }
    assert [is_capture(str(tmp_path / name)) for name in ("a.prof", "c.prof", "memory.prof", "x.txt")] == [
        *(True, False, True, False)
    ]


def test_pickles_and_databases_of_other_programs_are_no_captures(tmp_path: Path) -> None:
    for name in ("0.pickle", "model_snapshot.pickle", "vocabulary.pickle"):
        (tmp_path / name).write_bytes(pickle.dumps(["anything"]))
    for name in ("1.pickle", "trainer_snapshot.pickle", "2.pickle.gz"):
        data = pickled([Device()])
        (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    # What none but torch calls so is tried, and its damage said.
    (tmp_path / "rank0_memory_snapshot.pickle").write_bytes(b"")
    with contextlib.closing(sqlite3.connect(tmp_path / "mlflow.sqlite")) as connection:
        connection.execute("CREATE TABLE runs (name)")
    (tmp_path / "cut.sqlite.gz").write_bytes(gzip.compress(Nsys().bytes())[:100])
    assert found(tmp_path) == {tmp_path.name: (("1", "2", "rank0", "trainer"), {Format.MEMORY_SNAPSHOT})}
    listed = sorted(path.name for path in tmp_path.iterdir() if is_capture(str(path)))
    assert listed == ["1.pickle", "2.pickle.gz", "rank0_memory_snapshot.pickle", "trainer_snapshot.pickle"]


def test_a_database_is_read_from_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "report1.sqlite").write_bytes(Nsys().bytes())
    looks: list[str] = []

    def counted(path: str, most: int) -> bytes:
        looks.append(path)
        return first_bytes(path, most)

    monkeypatch.setattr(told, "first_bytes", counted)
    for _ in range(3):
        assert len(runs_at(str(tmp_path))) == 1
    assert len(looks) == 1


def test_a_file_that_changes_is_looked_at_again(tmp_path: Path) -> None:
    path = tmp_path / "a.prof"
    path.write_bytes(STATS)
    assert found(tmp_path)[tmp_path.name][1] == {Format.PYTHON_STATS}
    path.write_bytes(memory())
    assert found(tmp_path)[tmp_path.name][1] == {Format.PPROF}


def test_given_by_its_path_a_damaged_one_is_tried(tmp_path: Path) -> None:
    path = tmp_path / "a.prof"
    path.write_bytes(b"\0\1\2")
    [run] = runs_at(str(path))
    assert run.hosts == ("a",)


@pytest.mark.parametrize(
    ("names", "runs"),
    [
        (("rank_0", "rank_1", "rank_11"), {"": ("rank_0", "rank_1", "rank_11")}),
        (("rank0_alpha", "rank1_beta"), {"": ("rank0_alpha", "rank1_beta")}),
        (
            ("e1_rank_0", "e1_rank_1", "e2_rank_0"),
            {"/e1_rank*": ("e1_rank_0", "e1_rank_1"), "/e2_rank_0": ("e2_rank_0",)},
        ),
        (("before", "after"), {"/after": ("after",), "/before": ("before",)}),
        (("vm-1.4711", "vm-2.815"), {"": ("vm-1.4711", "vm-2.815")}),
        (("train",), {"": ("train",)}),
    ],
)
def test_what_differs_in_one_number_is_one_run(
    names: tuple[str, ...], runs: dict[str, tuple[str, ...]], tmp_path: Path
) -> None:
    for name in names:
        (tmp_path / f"{name}.cprofile").write_bytes(STATS)
    expected = {tmp_path.name + suffix: hosts for suffix, hosts in runs.items()}
    assert {name: hosts for name, (hosts, _) in found(tmp_path).items()} == expected


def test_beside_captures_of_other_hosts_it_is_a_run_of_its_own(tmp_path: Path) -> None:
    for host in ("a", "b"):
        (tmp_path / f"{host}.trace.json").write_text('{"traceEvents": []}')
    (tmp_path / "vm.prof").write_bytes(STATS)
    assert found(tmp_path) == {
        tmp_path.name: (("a", "b"), {Format.TRACE_EVENTS}),
        f"{tmp_path.name} (Python functions)": (("vm",), {Format.PYTHON_STATS}),
    }


def test_what_sagemaker_wrote_is_of_its_process_and_time(tmp_path: Path) -> None:
    for begin, step in ((1596585363775342, -1), (1596585374963238, 2)):
        folder = tmp_path / f"{begin}.0_{begin + 10**6}.5_151-algo-1_{step}"
        folder.mkdir()
        (folder / "python_stats").write_bytes(STATS)
    later, first = runs_at(str(tmp_path))
    assert (first.hosts, first.captured_ns) == (("151-algo-1",), 1596585364775342_000)
    assert (later.name, later.captured_ns) == (f"{folder.name}", 1596585375963238_000)


@pytest.mark.parametrize(("before", "is_told"), [(1_048_000, True), (1_049_000, False)])
def test_how_far_a_database_is_looked_at_for_its_tables(before: int, is_told: bool, tmp_path: Path) -> None:
    path = tmp_path / "report.sqlite"
    path.write_bytes(b"SQLite format 3\0".ljust(before, b"\0") + b"CREATE TABLE StringIds (id, value)".ljust(2 << 20))
    assert is_capture(str(path)) is is_told


def test_a_session_knows_twenty_runs_beside_it(tmp_path: Path) -> None:
    for name, content in (("f/a.prof", STATS), ("t/vm.xplane.pb", Space().bytes())):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_bytes(content)
    stats, capture = sorted(runs_at(str(tmp_path)), key=lambda run: run.files[0].format is not Format.PYTHON_STATS)
    given = [("folder", structs.replace(stats, name=f"r{i}")) for i in range(21)]
    *_, session = runs._with_beside([*given, ("folder", capture)])
    assert [each.run for each in session.beside] == [f"r{i}" for i in range(20)]
