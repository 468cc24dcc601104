"""The table of runs in the background: what is seen first, a few at a time, for as long as somebody looks."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from tensorboard_perfplugin.answers import table_of_runs
from tensorboard_perfplugin.answers.disk import Disk
from tensorboard_perfplugin.answers.table_of_runs import RUNS, Row, RunRows, row_of
from tensorboard_perfplugin.formats import Format
from tensorboard_perfplugin.logdir import CaptureFile, Run, runs_at
from tests.cli.test_compare import space
from tests.conftest import MakeLogdir

PATIENCE_S = 20.0


def run(name: str, at: int = 0, size: int = 1) -> Run:
    return Run(name, (CaptureFile("h", f"/{name}", Format.XPLANE, size, at),), at, at * 10**9)


def newest_first(count: int) -> tuple[Run, ...]:
    return tuple(run(f"f/{i}", i) for i in reversed(range(count)))


def row(of: Run, steps: Sequence[float] = (1.0, 1.0)) -> Row:
    return Row({"run": of.name, "failed": False}, steps)


class Maker:
    """Makes rows, one for each turn that it is given; notes the order, and how many were made together."""

    def __init__(self, turns: int = 10**6) -> None:
        self.turns = threading.Semaphore(turns)
        self.order: list[str] = []
        self.most, self._now = 0, 0
        self._lock = threading.Lock()

    def __call__(self, of: Run, disk: Disk | None) -> Row:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
            self.order.append(of.name)
        self.turns.acquire()
        with self._lock:
            self._now -= 1
        return row(of, [float(of.files[0].size_bytes)] * 2)


def until(good: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not good():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.002)


def all_of(
    rows: RunRows, runs: Sequence[Run], baseline: str = "", first: Sequence[str] = ()
) -> dict[str, dict[str, object]]:
    """All rows, once they are there."""
    until(lambda: not rows.look(runs, first, baseline).working)
    columns = rows.look(runs, baseline=baseline).columns
    return {str(name): {column: cells[i] for column, cells in columns.items()} for i, name in enumerate(columns["run"])}


def test_what_is_seen_comes_first_then_the_newest_one_at_a_time() -> None:
    made = Maker(turns=0)
    rows, runs = RunRows(make=made), newest_first(5)
    assert rows.look(runs).read == 0
    until(lambda: made.order == ["f/4"])
    seen = ["f/1", "no run", "f/0"]
    rows.look(runs, seen)
    made.turns.release(5)
    assert list(all_of(rows, runs, first=seen)) == ["f/4", "f/3", "f/2", "f/1", "f/0"]
    assert made.order == ["f/4", "f/1", "f/0", "f/3", "f/2"]
    assert made.most == 1


def test_what_was_not_asked_for_goes_on_while_somebody_looks_and_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    clock = SimpleNamespace(monotonic=lambda: now[0], sleep=time.sleep, time_ns=time.time_ns)
    monkeypatch.setattr(table_of_runs, "time", clock)
    made = Maker(turns=0)
    rows, runs = RunRows(make=made), newest_first(50)
    rows.look(runs)
    until(lambda: made.order == ["f/49"])
    now[0] += 5.0
    made.turns.release()
    until(lambda: len(made.order) == 2)
    now[0] += 0.001
    made.turns.release(50)
    until(lambda: not any(thread.name == "runs" for thread in threading.enumerate()))
    assert made.order == ["f/49", "f/48"]
    assert len(all_of(rows, runs)) == 50
    assert sorted(made.order) == sorted(each.name for each in runs)


def test_others_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    busy, made = [True], Maker()
    monkeypatch.setattr(table_of_runs, "YIELD_S", PATIENCE_S)
    rows, runs = RunRows(make=made, busy=lambda: busy[0]), newest_first(3)
    rows.look(runs)
    time.sleep(0.05)
    assert made.order == []
    busy[0] = False
    assert len(all_of(rows, runs)) == 3


def test_only_what_is_new_is_told() -> None:
    made = Maker(turns=1)
    rows, runs = RunRows(make=made), newest_first(2)
    until(lambda: rows.look(runs).read == 1)
    first = rows.look(runs)
    assert first.columns["run"] == ["f/1"]
    assert rows.look(runs, after=first.serial).columns["run"] == []
    made.turns.release()
    until(lambda: not rows.look(runs).working)
    # The newer one has a change now.
    assert rows.look(runs, after=first.serial).columns["run"] == ["f/1", "f/0"]
    # Of a server that was there before: all.
    assert rows.look(runs, after=first.serial + 10**12).columns["run"] == ["f/1", "f/0"]
    assert RunRows(make=made).look(()).serial > first.serial


def test_a_change_is_against_the_run_before_and_the_baseline_whenever_that_is_chosen() -> None:
    runs = (run("f/2", 2, size=120), run("f/1", 1, size=100), run("g/0", 0, size=60))
    rows = RunRows(make=Maker())
    told = all_of(rows, runs)
    assert told["f/2"]["change_share"] == pytest.approx(0.2)
    assert told["f/2"]["change_verdict"] == "slower"
    assert [told[name]["change_share"] for name in ("f/1", "g/0")] == [None, None]
    assert {each["baseline_change_share"] for each in told.values()} == {None}
    told = all_of(rows, runs, baseline="g/0")
    assert [told[name]["baseline_change_share"] for name in ("f/2", "f/1", "g/0")] == pytest.approx([1.0, 2 / 3, 0.0])
    assert [told[name]["baseline_verdict"] for name in ("f/2", "f/1", "g/0")] == ["slower", "slower", "noise"]
    assert {each["baseline_change_share"] for each in all_of(rows, runs, baseline="gone").values()} == {None}


def test_a_run_that_changed_is_read_again_and_one_that_is_gone_is_forgotten() -> None:
    made = Maker()
    rows = RunRows(make=made)
    old = (run("f/2", 2, size=120), run("f/1", 1, size=100), run("f/0", 0, size=80))
    all_of(rows, old)
    serial = rows.look(old).serial
    new = (run("f/2", 2, size=160), old[2])
    told = all_of(rows, new)
    assert list(told) == ["f/2", "f/0"]
    assert told["f/2"]["change_share"] == pytest.approx(1.0)
    assert made.order == ["f/2", "f/1", "f/0", "f/2"]
    assert rows.look(new, after=serial).columns["run"] == ["f/2"]
    assert (rows.look(new).runs, rows.look(new).read) == (2, 2)


def test_a_defect_in_one_run_leaves_the_others() -> None:
    def make(of: Run, disk: Disk | None) -> Row:
        if of.name == "f/1":
            raise RuntimeError("secret")
        return row(of)

    rows, runs = RunRows(make=make), newest_first(3)
    told = all_of(rows, runs)
    assert [name for name, each in told.items() if each["failed"]] == ["f/1"]
    assert "secret" not in str(told["f/1"]["first_finding"])
    assert rows.look(runs).failed == 1


def test_a_defect_in_a_comparison_leaves_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    def change(*_: object) -> dict[str, object]:
        raise ZeroDivisionError

    monkeypatch.setattr(table_of_runs, "change_cells", change)
    told = all_of(RunRows(make=Maker()), newest_first(3), baseline="f/0")
    assert [(each["failed"], each["change_share"]) for each in told.values()] == [(False, None)] * 3


def test_a_row_is_kept_on_disk_and_the_failure_of_one_is_not(make_logdir: MakeLogdir, tmp_path: Path) -> None:
    logdir = make_logdir({"good/h.xplane.pb": space(100), "bad/h.xplane.pb": b"no capture"})
    bad, good = sorted(runs_at(str(logdir)), key=lambda each: each.name)
    disk = Disk(lambda: str(tmp_path / "cache"))
    made = [row_of(good, disk), row_of(bad, disk)]
    assert set(made[0].cells) | {"change_share", "change_verdict", "baseline_change_share", "baseline_verdict"} == {
        column.name for column in RUNS.columns
    }
    (entry,) = (tmp_path / "cache").iterdir()

    def no_library() -> None:
        raise AssertionError("read again")

    assert row_of(good, disk, no_library) == Row(made[0].cells, tuple(made[0].steps))  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="read again"):
        row_of(bad, disk, no_library)  # type: ignore[arg-type]
    for wrong in ([], [{"run": 1}, []], [{**made[0].cells, "x": 1}, []], [made[0].cells, ["1"]], [{"run": [1]}, []]):
        entry.write_text(json.dumps(wrong))
        assert row_of(good, disk).cells == made[0].cells


def test_nothing_is_written_into_the_logdir(make_logdir: MakeLogdir, tmp_path: Path) -> None:
    logdir = make_logdir({"a/h.xplane.pb": space(100), "b/h.xplane.pb": space(120)})
    before = sorted(logdir.rglob("*"))
    assert len(all_of(RunRows(Disk(lambda: str(tmp_path / "cache"))), runs_at(str(logdir)))) == 2
    assert sorted(logdir.rglob("*")) == before


@pytest.mark.parametrize(("runs", "kept"), [(20_001, 20_000), (20_002, 20_000)])
def test_20000_changes_are_kept(monkeypatch: pytest.MonkeyPatch, runs: int, kept: int) -> None:
    """Each run but the first has a change against the one before it."""
    monkeypatch.setattr(table_of_runs, "change_cells", lambda prefix, base, new: {})
    rows, of = RunRows(), run("f/0")
    rows._made = {str(i): table_of_runs._Made(of, row(of), i) for i in range(runs)}
    rows._before = {str(i + 1): str(i) for i in range(runs - 1)}
    for name in rows._made:
        rows._compare(name)
    assert (len(rows._changes), next(reversed(rows._changes))) == (kept, ("", runs - 2, runs - 1))
