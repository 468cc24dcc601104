"""Databases that are damaged, malicious or of others."""

from __future__ import annotations

import gzip
import os
import sqlite3
from pathlib import Path

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.decode.databases.database import Database
from tensorboard_perfplugin.doctor import diagnose
from tensorboard_perfplugin.errors import UnreadableError
from tensorboard_perfplugin.formats import sniff
from tensorboard_perfplugin.logdir import runs_at
from tensorboard_perfplugin.messages import message
from tests.decode.databases import Nsys, Nvprof, Tables
from tests.decode.test_nsys import a_step, opened, shown


def a_report(steps: int = 3) -> Nsys:
    made = Nsys(2022)
    for i in range(steps):
        a_step(made, i * 2_000_000, 100 + 10 * i)
    return made


def altered(made: Nsys, path: Path, *statements: str) -> bytes:
    path.write_bytes(made.bytes())
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return path.read_bytes()


def test_objects_that_compute_are_not_looked_at(tmp_path: Path) -> None:
    """A view and a virtual table of the names of tables; a trigger; an index; a generated column of a plain table."""
    made = a_report()
    expected = shown(opened(made))
    data = altered(
        made,
        tmp_path / "x",
        "CREATE VIEW GPU_METRICS_VIEW AS SELECT randomblob(1e9)",
        "CREATE TRIGGER t AFTER INSERT ON StringIds BEGIN SELECT 1; END",
        "CREATE INDEX i ON CUPTI_ACTIVITY_KIND_KERNEL (start)",
        "ALTER TABLE NVTX_EVENTS ADD COLUMN binaryData TEXT AS (hex(zeroblob(1000000000)))",
        "DROP TABLE GPU_METRICS",
        "CREATE VIEW GPU_METRICS AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c) SELECT x FROM c",
        "DROP TABLE OSRT_API",
        "PRAGMA writable_schema=ON",
        "INSERT INTO sqlite_master VALUES ('table', 'OSRT_API', 'OSRT_API', 0, "
        "'CREATE VIRTUAL TABLE OSRT_API USING x(a)')",
    )
    assert shown(opened(data)) == expected
    with Database(memoryview(data)) as database:
        assert {"GPU_METRICS", "OSRT_API"}.isdisjoint(database.tables)
        assert "binaryData" not in database.tables["NVTX_EVENTS"]


def test_only_stored_columns_of_plain_tables_may_be_read(tmp_path: Path) -> None:
    with Database(memoryview(a_report().bytes())) as database:
        for statement in (
            "SELECT load_extension('x')",
            "SELECT randomblob(10)",
            "ATTACH DATABASE 'x' AS y",
            "PRAGMA journal_mode=WAL",
            "CREATE TABLE t (x)",
            "DELETE FROM StringIds",
            "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c) SELECT x FROM c",
        ):
            with pytest.raises(sqlite3.DatabaseError, match=r"not authorized|prohibited"):
                database._connection.execute(statement).fetchone()


def test_cells_of_other_types() -> None:
    """SQLite stores what it is given: texts, bytes, decimals and nothing, where whole numbers are declared."""
    made = a_report(1)
    for start, end in (("soon", 9), (b"\xff\xfe", 9), (None, 9), (0.5, 2.5), (1 << 62, (1 << 62) + 5)):
        made.row("NVTX_EVENTS", start=start, end=end, eventType=59, text="odd", globalTid="7")
    made.row("StringIds", id=b"x", value=None)
    made.row("PROCESSES", pid="seven", name=7)
    capture = opened(made)
    assert len(capture.events) == 9 + 4
    assert capture.quality.dropped == {"impossible_time": 1}


def test_the_lowest_number_is_no_time() -> None:
    """It has no absolute value in 64 bits."""
    made = Nsys(2022)
    for start in (0, 0, 0, -(1 << 63)):
        made.row("NVTX_EVENTS", start=start, end=9, eventType=59, text="a", globalTid=7)
    capture = opened(made)
    capture.check()
    assert len(capture.events) == 3
    assert capture.quality.dropped == {"impossible_time": 1}


def test_texts_that_are_no_utf8() -> None:
    made = Nsys(2022)
    made.connection.execute(
        "INSERT INTO NVTX_EVENTS (start, end, eventType, text) VALUES (1, 5, 59, CAST(x'41ff' AS TEXT))"
    )
    assert [s.name for s in shown(opened(made))] == ["A\ufffd"]


def test_what_is_cut_is_read_as_far_as_it_goes() -> None:
    made = Nsys(2022)
    for i in range(5000):
        made.range("r", 10 * i, 10 * i + 5)
    data, whole = made.bytes(), 5000
    for part in (0.9, 0.6):
        capture = opened(data[: int(part * len(data))])
        assert 100 < len(capture.events) < whole
        assert message("database_damaged", table="NVTX_EVENTS", more=None) in capture.quality.warnings
        whole = len(capture.events)
    with pytest.raises(UnreadableError, match="SQLite database"):
        opened(data[:200])


def test_a_page_that_is_named_many_times() -> None:
    """Rows are no more than the file can hold: an inner page that names one leaf in every cell would give millions."""
    made = Nsys(2022)
    for i in range(20_000):
        made.range("r", 10 * i, 10 * i + 5)
    data = bytearray(made.bytes())
    size = int.from_bytes(data[16:18], "big")
    for page in range(size, len(data), size):
        cells = int.from_bytes(data[page + 3 : page + 5], "big")
        if data[page] == 5 and cells > 50:
            first = int.from_bytes(data[page + 12 : page + 14], "big")
            child = data[page + first : page + first + 4]
            for cell in range(cells):
                at = page + int.from_bytes(data[page + 12 + 2 * cell : page + 14 + 2 * cell], "big")
                data[at : at + 4] = child
    capture = opened(bytes(data))
    assert len(capture.events) <= len(data) // 5


def nvprof() -> Nvprof:
    made = Nvprof(12)
    for i in range(30):
        made.range(f"mm, seq = {i}", 100 * i, 100 * i + 90, id=i + 1)
        made.call(211, 100 * i + 5, 100 * i + 9, i + 1)
        made.kernel("k", 100 * i + 20, 100 * i + 50, i + 1)
    return made


def test_a_database_in_use_is_not_written(tmp_path: Path) -> None:
    """In WAL mode, with a log beside it: the file stays as it is, and what lies in the log is said not to be read."""
    path = tmp_path / "report.sqlite"
    altered(a_report(), path, "PRAGMA journal_mode=WAL")
    writer = sqlite3.connect(path)
    writer.execute("INSERT INTO StringIds VALUES (9999, 'new')")
    writer.commit()
    before = {name: (tmp_path / name).read_bytes() for name in sorted(os.listdir(tmp_path))}
    assert "report.sqlite-wal" in before
    capture = decode.read(str(path))
    capture.check()
    assert message("database_log", name="report.sqlite-wal") in capture.quality.warnings
    assert {name: (tmp_path / name).read_bytes() for name in sorted(os.listdir(tmp_path))} == before
    writer.close()


def test_gzipped() -> None:
    assert len(decode.read_bytes(gzip.compress(a_report().bytes()), "run.sqlite.gz").events) == 27


def test_another_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "study.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE trials (x)")
    connection.commit()
    connection.close()
    with pytest.raises(UnreadableError, match="its tables are trials"):
        decode.read(str(path))
    assert sniff(path.read_bytes()) == "an SQLite database"


def test_a_database_of_rpd_is_named_with_what_converts_it() -> None:
    with pytest.raises(UnreadableError, match=r"\(rpd, .*: rpd2tracing\.py FILE\.rpd FILE\.json"):
        decode.read_bytes(Tables({"rocpd_string": "id string", "rocpd_op": "id start end"}).bytes(), "results.db")


def test_in_a_folder_those_of_profilers_are_listed(tmp_path: Path) -> None:
    """A database of a study has the same ending, and is no capture; a file per rank is a host of the run."""
    logs = tmp_path / "logs"
    logs.mkdir()
    for rank in range(2):
        (logs / f"report_{rank}.sqlite").write_bytes(a_report().bytes())
    (logs / "packed.sqlite.gz").write_bytes(gzip.compress(nvprof().bytes()))
    connection = sqlite3.connect(logs / "study.sqlite")
    connection.execute("CREATE TABLE trials (x)")
    connection.commit()
    connection.close()
    (logs / "dump.sql").write_text("CREATE TABLE t (x);")
    [run] = runs_at(str(logs))
    assert run.hosts == ("packed", "report_0", "report_1")


@pytest.mark.parametrize(
    ("name", "looks", "command"),
    [
        ("run.nsys-rep", "a report of Nsight Systems", "nsys export --type sqlite run.nsys-rep"),
        ("run.qdrep", "a report of Nsight Systems", "nsys export --type sqlite run.qdrep"),
        ("run.qdstrm", "raw data of Nsight Systems", "QdstrmImporter -i run.qdstrm"),
        ("run.ncu-rep", "a report of Nsight Compute", "ncu --import run.ncu-rep --page details"),
    ],
)
def test_reports_are_named_with_the_command_that_opens_them(
    name: str, looks: str, command: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(bytes(range(200)) * 10)
    for given, code in ((tmp_path / name, "report_file"), (tmp_path, "report_in_folder")):
        [found] = diagnose(str(given))
        assert (found.code, found.params["looks"]) == (code, looks)
        assert command in str(found.params["advice"])


def test_what_pyprof_computed_is_named(tmp_path: Path) -> None:
    for text in ("{'kShortName': 'gemm', 'kDuration': 5}\n", '"Kernel","Module","Op","Direction","Sil(ns)"\n'):
        assert sniff(text.encode()) == "what pyprof computed of nvprof's database"


@pytest.mark.parametrize(("lost", "said"), [(0, []), (1, [("database_cut", 110591, 110592)])])
def test_a_database_that_is_cut_says_so(lost: int, said: list[tuple[str, int, int]]) -> None:
    """SQLite reads what is there without a word."""
    data = Nsys(2022).bytes()
    assert len(data) == 110592
    warnings = decode.read_bytes(data[: len(data) - lost], "h.sqlite").quality.warnings
    found = [(w.code, w.params["kept"], w.params["size"]) for w in warnings if w.code == "database_cut"]
    assert found == said


def test_where_pages_were_not_counted_nothing_is_said_of_them() -> None:
    """As an old version of SQLite leaves the header."""
    data = bytearray(Nsys(2022).bytes())
    data[28:32], data[92:96] = (9999).to_bytes(4, "big"), b"\xff" * 4
    assert "database_cut" not in {each.code for each in decode.read_bytes(bytes(data), "h.sqlite").quality.warnings}
