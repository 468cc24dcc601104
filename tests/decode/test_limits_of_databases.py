"""Databases of profilers: how long and how much of one is read, whatever it holds."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin.decode.databases import nsys
from tensorboard_perfplugin.decode.databases.database import Database, Texts
from tensorboard_perfplugin.decode.databases.sheet import Devices, Hosts, OnDevice, Ran, Role, Row, Sheet, Stat
from tensorboard_perfplugin.messages import message

from .databases import Tables


def of(made: Tables) -> Database:
    return Database(memoryview(made.bytes()))


def made_of(path: Path, *statements: str) -> Database:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()
    return Database(memoryview(path.read_bytes()))


def counted(table: str, count: int, cell: str) -> str:
    return (
        f"WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < {count}) "
        f"INSERT INTO {table} SELECT {cell} FROM c"
    )


def test_small_rows_are_all_read(tmp_path: Path) -> None:
    """Rows of one number that takes no byte of its own have 7 or 8 bytes."""
    with made_of(tmp_path / "d", "CREATE TABLE t (x)", counted("t", 50_000, "0")) as read:
        assert (len(read.numbers("t", "x")["x"]), read.damaged) == (50_000, {})


@pytest.mark.parametrize(("more", "is_read"), [(0, True), (1, False)])
def test_a_database_has_a_row_in_five_bytes_at_most(more: int, is_read: bool, tmp_path: Path) -> None:
    """Of a page that is named many times there are more; `c` stands for it."""
    with made_of(tmp_path / "d", "CREATE TABLE t (x)", counted("t", 50_000, "0")) as read:
        read.close()
        count = (tmp_path / "d").stat().st_size // 5 + more
        rows = iter([(1,)] * count)
        read._connection = SimpleNamespace(execute=lambda query: rows)  # type: ignore[assignment]
        assert (len(read.numbers("t", "x")["x"]), "t" in read.damaged) == (count if is_read else 0, not is_read)


@pytest.mark.parametrize(("mib", "until_s"), [(0, 3.5), (4, 4.5)])
def test_how_long_a_database_is_read(mib: int, until_s: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three and a half seconds, and one more for each 4 MiB."""
    now = 100.0
    monkeypatch.setattr("time.thread_time", lambda: now)
    blob = f"INSERT INTO t VALUES (zeroblob({mib << 20}))"
    with made_of(tmp_path / "d", "CREATE TABLE t (x)", blob) as read:
        now += until_s
        assert not read._is_late()
        now += 0.01
        assert read._is_late()


@pytest.mark.parametrize(
    ("count", "every"), [((1 << 20) - 1, None), (1 << 20, None), ((1 << 20) + 1, 2), ((1 << 21) + 1, 3)]
)
def test_a_million_samples_of_metrics_are_kept(count: int, every: int | None) -> None:
    def numbers(table: str, *names: str) -> dict[str, Any]:
        return {name: np.zeros(count, np.int64) for name in names}

    sheet, devices = Sheet(Texts()), Devices()
    held: Any = SimpleNamespace(tables={"GPU_METRICS"}, numbers=numbers, rows=lambda *_, **__: [], texts=sheet.texts)
    facts: Any = None
    nsys.metrics(held, facts, devices, sheet)
    assert sheet.notes == ([message("metric_samples_left_out", n=every)] if every else [])
    assert sum(len(part.name) for part in devices.parts) == -(-count // (every or 1))


@pytest.mark.parametrize("where", ["process", "thread", "device", "stream"])
@pytest.mark.parametrize(("more", "dropped"), [(0, {}), (1, {"beyond_tracks": 1})])
def test_how_many_processes_and_threads_are_shown(where: str, more: int, dropped: dict[str, int]) -> None:
    """Of as many as a file can name. The first has two events, the last but one."""
    count = (10_000 if where in ("process", "device") else 100_000) + more
    ids = np.append(np.arange(1, count + 1), 1)
    zeros, ones = np.zeros(count + 1, np.int64), np.ones(count + 1, np.int64)
    hosts, devices, sheet = Hosts(), Devices(), Sheet(Texts())
    if where in ("process", "thread"):
        of = {"process": ones, "thread": ones} | {where: ids}
        hosts.add(Ran(Role.CALLS, **of, name=zeros, start_ns=zeros, end_ns=zeros, stats=[Stat("id", ids)]))
        hosts.lay(sheet, str, lambda pid, tid: str(tid), lambda _: {})
        assert sheet.parts[0].stats[0].values.tolist() == np.append(ids[: count - more], 1).tolist()
    else:
        of = {"process": zeros, "device": zeros, "context": zeros, "stream": zeros} | {where: ids}
        devices.add(OnDevice(Row.STREAM, **of, name=zeros, start_ns=zeros, end_ns=zeros))
        devices.lay(sheet, lambda _: {})
    assert (len(sheet.tracks), dict(sheet.dropped)) == (count - more, dropped)
    assert [len(part.track) for part in sheet.parts] == [len(ids) - more]
