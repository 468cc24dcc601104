"""Databases of profilers: how much of one is read, and what its numbers stand for. Literal numbers, on both sides."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.decode.databases import nsys_gpus
from tensorboard_perfplugin.decode.databases.database import Database, Texts
from tensorboard_perfplugin.decode.databases.devices import Devices, OnDevice, Row
from tensorboard_perfplugin.decode.databases.hosts import Hosts, Ran, Role
from tensorboard_perfplugin.decode.databases.sheet import Sheet, Stat
from tensorboard_perfplugin.errors import UnreadableError
from tensorboard_perfplugin.messages import message

from . import test_nvprof
from .databases import Nsys, Nvprof, Tables
from .test_nsys import emit_nvtx, opened, shown

DAYS_NS = 50 * 86_400 * 10**9


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


def test_a_text_is_cut_after_65_536_bytes() -> None:
    made = Tables({"t": "name"})
    made.row("t", name="x" * 65_536)
    made.row("t", name="y" * 65_537)
    with of(made) as read:
        assert [len(read.texts[i]) for i in read.numbers("t", "'name")["name"].tolist()] == [65_536, 65_536]


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


def test_five_thousand_tables_are_looked_at(tmp_path: Path) -> None:
    statements = [f"CREATE TABLE t{i} (x)" for i in range(5_001)]
    with made_of(tmp_path / "d", "PRAGMA journal_mode=OFF", "BEGIN", *statements) as read:
        assert (len(read.tables), "t4999" in read.tables, "t5000" in read.tables) == (5_000, True, False)


@pytest.mark.parametrize(("tables", "said"), [(8, "t6, t7. Of"), (9, "t6, t7 and 1 more. Of")])
def test_of_another_database_eight_tables_are_named(tables: int, said: str) -> None:
    with pytest.raises(UnreadableError, match=said):
        decode.read_bytes(Tables({f"t{i}": "x" for i in range(tables)}).bytes(), "x.sqlite")


@pytest.mark.parametrize(("far_ns", "kept"), [(DAYS_NS - 1, 4), (DAYS_NS, 3)])
def test_what_is_fifty_days_from_the_others_is_left_out(far_ns: int, kept: int) -> None:
    made = Nsys(2025)
    for start in (far_ns + 1, 2 * far_ns + 1, far_ns + 1):
        made.range("r", start, start)
    made.range("r", 1, 1)
    capture = opened(made)
    assert len(capture.events) == kept - (far_ns == DAYS_NS)
    early = Nsys(2025)
    for start, end in ((1, 1), (1, 1), (1, far_ns + 1)):
        early.range("r", start, end)
    assert len(opened(early).events) == kept - 1


def test_five_warnings_of_the_profiler_are_given_400_letters_each() -> None:
    made = Nsys(2025)
    made.row("ENUM_DIAGNOSTIC_SEVERITY_LEVEL", id=2, name="WARNING", label="Warning")
    for i in range(6):
        made.row("DIAGNOSTIC_EVENT", timestamp=1, timestampType=1, source=1, severity=2, text=str(i) * 401)
    made.range("r", 1, 2)
    expected = [message("profiler_warning", text=str(i) * 400) for i in range(5)]
    assert [each for each in opened(made).quality.warnings if each.code == "profiler_warning"] == expected


@pytest.mark.parametrize(
    ("count", "every"), [((1 << 20) - 1, None), (1 << 20, None), ((1 << 20) + 1, 2), ((1 << 21) + 1, 3)]
)
def test_a_million_samples_of_metrics_are_kept(count: int, every: int | None) -> None:
    def numbers(table: str, *names: str) -> dict[str, Any]:
        return {name: np.zeros(count, np.int64) for name in names}

    sheet, devices = Sheet(Texts()), Devices()
    held: Any = SimpleNamespace(tables={"GPU_METRICS"}, numbers=numbers, rows=lambda *_, **__: [], texts=sheet.texts)
    facts: Any = None
    nsys_gpus.metrics(held, facts, devices, sheet)
    assert sheet.notes == ([message("metric_samples_left_out", n=every)] if every else [])
    assert sum(len(part.name) for part in devices.parts) == -(-count // (every or 1))


@pytest.mark.parametrize("kind", [34, 65])
def test_marks_of_nvtx(kind: int) -> None:
    made = Nsys(2025)
    made.range("mark", 10, 60, eventType=kind)
    assert [(s.name, s.length_ns) for s in shown(opened(made))] == [("mark", 0)]


@pytest.mark.parametrize(
    ("kind", "track"),
    [
        *((kind, "main") for kind in (35, 59, 66, 70)),
        *((kind, "main (ranges)") for kind in (37, 60, 68, 71)),
    ],
)
def test_ranges_of_nvtx(kind: int, track: str) -> None:
    """What threads push nests, what is started may not."""
    made = Nsys(2025)
    made.range("outer", 0, 50)
    made.range("range", 10, 40 if track == "main" else 60, eventType=kind)
    assert [(s.name, s.track) for s in shown(opened(made))] == [("outer", "main"), ("range", track)]


def test_facts_of_the_device_of_an_early_version() -> None:
    early = Nsys(2020)
    early.kernel("k", 0, 5)
    assert opened(early).plane_values(0) == {
        "device_vendor": "Nvidia",
        "gpu_device_name": "NVIDIA TITAN RTX",
        "core_count": 72,
        "memory_size": 25_388_515_328,
        "compute_cap_major": 7,
        "compute_cap_minor": 5,
    }


@pytest.mark.parametrize("minor", [0, 2])
def test_the_compute_capability_in_nvprof(minor: int) -> None:
    made = Nvprof(12)
    made.connection.execute(f'UPDATE "CUPTI_ACTIVITY_KIND_DEVICE" SET computeCapabilityMinor = {minor}')
    made.kernel("k", 0, 20, 1)
    assert test_nvprof.opened(made).plane_values(0)["compute_cap_minor"] == minor


@pytest.mark.parametrize(("begin_ns", "known"), [(10**18, True), (10**18 - 10**6, False)])
def test_times_of_nvprof_count_from_the_epoch(begin_ns: int, known: bool) -> None:
    made = Nvprof(12, begin_ns=begin_ns)
    made.kernel("k", 0, 20, 1)
    assert (test_nvprof.opened(made).start_ns is not None) is known


@pytest.mark.parametrize(("registers", "percent"), [(81, 62.5), (72, 87.5)])
def test_registers_are_given_256_at_a_time_on_four_schedulers(registers: int, percent: float) -> None:
    """CUDA's occupancy calculator for compute capability 7.5, of blocks of two warps."""
    made = Nsys(2025)
    made.kernel("k", 0, 5, registersPerThread=registers, staticSharedMemory=0, blockX=64)
    assert opened(made).kernel_launches.launches.occupancy_percent.tolist() == [percent]


def test_of_a_name_of_a_range_8000_letters_are_looked_at() -> None:
    made = Nsys(2025)
    emit_nvtx(made)
    made.range("x" * 8001, 10**9, 10**9 + 1)
    assert [len(s.name) for s in shown(opened(made)) if s.name.startswith("xx")] == [8000]


@pytest.mark.parametrize("where", ["process", "thread"])
@pytest.mark.parametrize(("more", "dropped"), [(0, {}), (1, {"beyond_tracks": 1})])
def test_how_many_processes_and_threads_are_shown(where: str, more: int, dropped: dict[str, int]) -> None:
    """Each was a step of Python's, of as many as a file can name. The first has two events, the last but one."""
    count = (10_000 if where == "process" else 100_000) + more
    ids = np.append(np.arange(1, count + 1), 1)
    zeros, ones = np.zeros(count + 1, np.int64), np.ones(count + 1, np.int64)
    of = {"process": ones, "thread": ones} | {where: ids}
    hosts, sheet = Hosts(), Sheet(Texts())
    hosts.add(Ran(Role.CALLS, **of, name=zeros, start_ns=zeros, end_ns=zeros, stats=[Stat("id", ids)]))
    hosts.lay(sheet, str, lambda pid, tid: str(tid), lambda _: {})
    assert (len(sheet.tracks), dict(sheet.dropped)) == (count - more, dropped)
    assert [len(part.track) for part in sheet.parts] == [len(ids) - more]
    assert sheet.parts[0].stats[0].values.tolist() == np.append(ids[: count - more], 1).tolist()


@pytest.mark.parametrize("where", ["device", "stream"])
@pytest.mark.parametrize(("more", "dropped"), [(0, {}), (1, {"beyond_tracks": 1})])
def test_how_many_devices_and_streams_are_shown(where: str, more: int, dropped: dict[str, int]) -> None:
    count = (10_000 if where == "device" else 100_000) + more
    zeros = np.zeros(count, np.int64)
    device, stream = (np.arange(count) if where == name else zeros for name in ("device", "stream"))
    devices, sheet = Devices(), Sheet(Texts())
    row = OnDevice(
        Row.STREAM, process=zeros, device=device, context=zeros, stream=stream, name=zeros, start_ns=zeros, end_ns=zeros
    )
    devices.add(row)
    devices.lay(sheet, lambda _: {})
    assert (len(sheet.tracks), dict(sheet.dropped)) == (count - more, dropped)
