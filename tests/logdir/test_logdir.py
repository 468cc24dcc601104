"""The background scan: at once, up to date, and never in the way."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

import tensorboard_perfplugin.logdir.logdir as logdirs
from tensorboard_perfplugin.errors import NotFoundError
from tensorboard_perfplugin.logdir import Logdir, Root, Snapshot, walk
from tests.logdir.conftest import WAIT_S
from tests.logdir.test_runs import touch


@pytest.fixture
def always_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logdirs, "TTL_S", 0.0)
    monkeypatch.setattr(logdirs, "MAX_TTL_S", 0.0)


def names(snapshot: Snapshot) -> list[str]:
    return [run.name for run in snapshot.runs]


class Gate:
    """Holds every listing of a folder of that name until it is opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        self.reached, self._open = threading.Event(), threading.Event()
        self._name, self._list = name, walk.list_folder
        monkeypatch.setattr(walk, "list_folder", self.list_folder)

    def list_folder(self, path: str) -> walk.Listing:
        if os.path.basename(path) == self._name:
            self.reached.set()
            assert self._open.wait(WAIT_S)
        return self._list(path)

    def open(self) -> None:
        self._open.set()


@pytest.mark.parametrize(
    ("logdir", "spec", "roots"),
    [
        ("/a,b:c", "", [("", "/a,b:c")]),
        ("~/x", "", [("", "/home/me/x")]),
        ("logs/../x", "", [("", "/cwd/x")]),
        ("", "/a", [("", "/a")]),
        ("", "t:/a", [("t", "/a")]),
        ("", "t:/a:b,e:~/x,rel", [("t", "/a:b"), ("e", "/home/me/x"), ("rel", "/cwd/rel")]),
        ("", "/p/logs,/q/logs,logs:/r", [("logs", "/p/logs"), ("logs (2)", "/q/logs"), ("logs (3)", "/r")]),
        ("", "gs://bucket/x", [("", "gs://bucket/x")]),
        ("", "g:gs://bucket/x", [("g", "gs://bucket/x")]),
        ("", "", []),
    ],
)
def test_from_flags(
    logdir: str, spec: str, roots: list[tuple[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setattr(os, "getcwd", lambda: "/cwd")
    assert Logdir.from_flags(logdir, spec).roots == tuple(Root(*root) for root in roots)


def test_the_first_snapshot_is_empty_and_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(monkeypatch, "s")
    logdir = Logdir.from_flags(str(touch(tmp_path / "logs", "plugins/profile/s/h.xplane.pb")))
    assert not [thread for thread in threading.enumerate() if thread.name == "perfplugin-logdir"]
    assert logdir.snapshot() == Snapshot((), True, 0, logdir.roots)
    assert gate.reached.wait(WAIT_S)
    assert logdir.snapshot(wait_s=0.001).scanning
    gate.open()
    done = logdir.snapshot(wait_s=WAIT_S)
    assert (names(done), done.scanning, done.scanned, done.folders) == (["s"], False, True, 4)


def test_a_new_capture_appears_and_a_removed_one_goes(tmp_path: Path, always_stale: None) -> None:
    logdir = Logdir.from_flags(str(touch(tmp_path, "a/plugins/profile/s1/h.xplane.pb")))
    assert names(logdir.snapshot(WAIT_S)) == ["a/s1"]
    touch(tmp_path, "a/plugins/profile/s2/h.xplane.pb", at_s=2_000_000_000)
    assert names(logdir.snapshot(WAIT_S)) == ["a/s2", "a/s1"]
    (tmp_path / "a/plugins/profile/s1/h.xplane.pb").unlink()
    assert names(logdir.snapshot(WAIT_S)) == ["a/s2"]


def test_new_files_in_a_folder_whose_time_does_not_change(tmp_path: Path, always_stale: None) -> None:
    """So behave mounted buckets and drives; and a file that grows leaves its folder's time alone everywhere."""
    folder = touch(tmp_path, "s/h.xplane.pb") / "s"
    os.utime(folder, (1_000_000_000, 1_000_000_000))
    logdir = Logdir.from_flags(str(tmp_path))
    assert logdir.snapshot(WAIT_S).runs[0].size_bytes == 1
    (folder / "h.xplane.pb").write_bytes(b"xyz")
    touch(folder, "i.xplane.pb")
    os.utime(folder, (1_000_000_000, 1_000_000_000))
    (run,) = logdir.snapshot(WAIT_S).runs
    assert (run.hosts, run.size_bytes) == (("h", "i"), 4)


def test_within_the_ttl_nothing_is_scanned_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logdirs, "TTL_S", 3600.0)
    monkeypatch.setattr(logdirs, "MAX_TTL_S", 3600.0)
    logdir = Logdir.from_flags(str(touch(tmp_path, "s/h.xplane.pb")))
    first = logdir.snapshot(WAIT_S)
    touch(tmp_path, "t/h.xplane.pb")
    assert logdir.snapshot(WAIT_S) is first


def test_what_is_found_is_seen_while_the_scan_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logdirs, "FIRST_INTERIM_S", 0.0)
    gate = Gate(monkeypatch, "last")
    touch(tmp_path, "early/h.xplane.pb", "last/h.xplane.pb")
    logdir = Logdir.from_flags(str(tmp_path))
    logdir.snapshot()
    assert gate.reached.wait(WAIT_S)
    assert logdir.run("early").hosts == ("h",)
    interim = logdir.snapshot()
    assert (names(interim), interim.scanning, interim.scanned) == (["early"], True, False)
    gate.open()
    assert names(logdir.snapshot(WAIT_S)) == ["early", "last"]


def test_a_known_run_stays_while_a_later_scan_has_not_come_by(
    tmp_path: Path, always_stale: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logdirs, "FIRST_INTERIM_S", 0.0)
    touch(tmp_path, "a/h.xplane.pb", "z/h.xplane.pb")
    logdir = Logdir.from_flags(str(tmp_path))
    logdir.snapshot(WAIT_S)
    gate = Gate(monkeypatch, "m")
    touch(tmp_path, "m/h.xplane.pb")
    logdir.snapshot()
    assert gate.reached.wait(WAIT_S)
    assert names(logdir.snapshot()) == ["a", "z"]
    gate.open()
    assert names(logdir.snapshot(WAIT_S)) == ["a", "m", "z"]


def test_a_run_asked_for_before_any_scan_is_waited_for(tmp_path: Path) -> None:
    logdir = Logdir.from_flags(str(touch(tmp_path, "plugins/profile/s/h.xplane.pb")))
    assert logdir.run("s").hosts == ("h",)
    with pytest.raises(NotFoundError, match=rf"no run '\.\./s' in {tmp_path}: the runs are s$"):
        logdir.run("../s")


def test_several_roots_are_told_apart(tmp_path: Path) -> None:
    touch(tmp_path, "p/x/plugins/profile/s/h.xplane.pb", "q/plugins/profile/s/h.xplane.pb", "q/h.xplane.pb")
    logdir = Logdir.from_flags("", f"one:{tmp_path}/p,two:{tmp_path}/q,{tmp_path}/p/x,three:{tmp_path}/q/h.xplane.pb")
    assert names(logdir.snapshot(WAIT_S)) == ["one/x/s", "three/h", "two/q", "two/s", "x/s"]


def test_what_cannot_be_read_is_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touch(tmp_path, "closed/h.xplane.pb", "open/h.xplane.pb")
    scandir = os.scandir

    def refusing(path: str) -> os.ScandirIterator[str]:  # type: ignore[name-defined]
        if os.path.basename(path) == "closed":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    logdir = Logdir.from_flags("", f"{tmp_path},{tmp_path}/gone,odd://bucket/logs")
    snapshot = logdir.snapshot(WAIT_S)
    assert names(snapshot) == [f"{tmp_path.name}/open"]
    assert snapshot.notes == (
        f"{tmp_path}/closed: Permission denied",
        f"{tmp_path}/gone: No such file or directory",
        str(snapshot.notes[2]),
    )
    assert snapshot.notes[2].startswith("odd://bucket/logs: odd:// is not read")


def test_many_ask_at_once_and_one_scan_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(monkeypatch, "s")
    logdir = Logdir.from_flags(str(touch(tmp_path, "s/h.xplane.pb")))
    answers: list[list[str]] = []
    threads = [threading.Thread(target=lambda: answers.append(names(logdir.snapshot(WAIT_S)))) for _ in range(8)]
    for thread in threads:
        thread.start()
    assert gate.reached.wait(WAIT_S)
    assert sum(thread.name == "perfplugin-logdir" for thread in threading.enumerate()) == 1
    gate.open()
    for thread in threads:
        thread.join(WAIT_S)
    assert answers == [["s"]] * 8


def test_ten_thousand_folders(tmp_path: Path) -> None:
    for i in range(100):
        for j in range(99):
            os.makedirs(tmp_path / f"{i}/{j}")
    touch(tmp_path, "99/98/plugins/profile/s/h.xplane.pb")
    logdir = Logdir.from_flags(str(tmp_path))
    assert logdir.snapshot().scanning
    snapshot = logdir.snapshot(WAIT_S)
    assert (snapshot.folders, names(snapshot)) == (10_004, ["99/98/s"])


def test_a_working_directory_that_was_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The plugin's constructor raised, and TensorBoard did not start."""

    def gone() -> str:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(os, "getcwd", gone)
    assert [root.path for root in Logdir.from_flags("logs", "").roots] == ["logs"]
