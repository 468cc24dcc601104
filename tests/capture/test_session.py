"""A session on disk is whole or not there: names, a full disk, a sealed one, nothing left behind."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import textwrap
import threading
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path

import pytest

from tensorboard_perfplugin.capture import session as writer
from tensorboard_perfplugin.capture.request import WorkerError
from tensorboard_perfplugin.capture.session import HIDDEN, DiskError, Session
from tensorboard_perfplugin.errors import ArgumentError
from tensorboard_perfplugin.logdir import runs_at

DATA = memoryview(b"\x0a\x03abc")


def record(name: str) -> str:
    return f"record of {name}"


def tree(folder: Path) -> dict[str, str]:
    """Every file below a folder with its text, every empty folder with `/`."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            found[str(path.relative_to(folder))] = path.read_bytes().decode("latin-1")
        elif not any(path.iterdir()):
            found[str(path.relative_to(folder))] = "/"
    return found


def test_a_session_appears_whole(tmp_path: Path) -> None:
    logdir = tmp_path / "new" / "logs"
    with Session(str(logdir)) as session:
        assert session.write("a_6009", DATA) == "a_6009.xplane.pb"
        assert session.write("b_6009", DATA) == "b_6009.xplane.pb"
        assert [path.name[: len(HIDDEN)] for path in (logdir / "plugins").iterdir()] == [HIDDEN]
        path = session.finish("2026_11_22_10_00_00", record)
    assert path == str(logdir / "plugins/profile/2026_11_22_10_00_00")
    assert tree(logdir) == {
        "plugins/profile/2026_11_22_10_00_00/a_6009.xplane.pb": "\n\x03abc",
        "plugins/profile/2026_11_22_10_00_00/b_6009.xplane.pb": "\n\x03abc",
        "plugins/profile/2026_11_22_10_00_00/capture.json": "record of 2026_11_22_10_00_00",
    }
    (run,) = runs_at(str(logdir))
    assert (run.name, run.hosts) == ("2026_11_22_10_00_00", ("a_6009", "b_6009"))


def test_others_may_read_it(tmp_path: Path) -> None:
    """TensorBoard may run as another user: a folder for temporary files is closed to others, a session is not."""
    before = os.umask(0o022)
    try:
        with Session(str(tmp_path)) as session:
            file = session.write("a", DATA)
            path = Path(session.finish("s", record))
    finally:
        os.umask(before)
    assert (path.stat().st_mode & 0o777, (path / file).stat().st_mode & 0o777) == (0o755, 0o644)


def test_a_name_that_is_taken_gets_a_number(tmp_path: Path) -> None:
    (tmp_path / "plugins/profile/run").mkdir(parents=True)
    (tmp_path / "plugins/profile/run_2").write_text("a file")
    names = []
    for _ in range(2):
        with Session(str(tmp_path)) as session:
            names.append(os.path.basename(session.finish("run", record)))
    assert names == ["run_3", "run_4"]
    assert tree(tmp_path) == {
        "plugins/profile/run": "/",
        "plugins/profile/run_2": "a file",
        "plugins/profile/run_3/capture.json": "record of run_3",
        "plugins/profile/run_4/capture.json": "record of run_4",
    }


def test_a_name_that_another_takes_at_the_same_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the claim of the name and the rename another program writes into the folder."""
    rename, profile = os.rename, tmp_path / "plugins/profile"

    def late(source: str, target: str) -> None:
        if target == str(profile / "run"):
            (profile / "run" / "theirs").write_text("theirs")
        rename(source, target)

    monkeypatch.setattr(os, "rename", late)
    with Session(str(tmp_path)) as session:
        assert session.finish("run", record) == str(profile / "run_2")
    assert tree(profile) == {"run/theirs": "theirs", "run_2/capture.json": "record of run_2"}


def test_many_at_once_take_different_names(tmp_path: Path) -> None:
    paths: list[str] = []

    def capture() -> None:
        with Session(str(tmp_path / "logs")) as session:
            session.write("a", DATA)
            paths.append(session.finish("run", record))

    threads = [threading.Thread(target=capture) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(os.path.basename, paths)) == ["run", *(f"run_{i}" for i in range(2, 9))]


def test_workers_of_one_name_have_files_of_their_own(tmp_path: Path) -> None:
    """Also where the file system sees no difference between A and a."""
    with Session(str(tmp_path)) as session:
        assert [session.write(stem, DATA) for stem in ("a_1", "A_1", "a_1", "a_1_2")] == [
            "a_1.xplane.pb",
            "A_1_2.xplane.pb",
            "a_1_3.xplane.pb",
            "a_1_2_2.xplane.pb",
        ]


def test_where_no_name_is_free_it_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "MAX_NAMES", 3)
    with Session(str(tmp_path)) as session:
        assert [session.write("a", DATA) for _ in range(2)] == ["a.xplane.pb", "a_2.xplane.pb"]
        with pytest.raises(WorkerError, match="all names for files of a are taken") as error:
            session.write("a", DATA)
        assert error.value.kind == "read_only"
        assert session.write("b", DATA) == "b.xplane.pb"
        for name in ("run", "run_2"):
            (tmp_path / "plugins/profile" / name).mkdir(parents=True)
        with pytest.raises(WorkerError, match="all names for the session are taken"):
            session.finish("run", record)


class TestNothingIsLeft:
    def test_after_an_error(self, tmp_path: Path) -> None:
        def interrupted() -> None:
            with Session(str(tmp_path / "a" / "logs")) as session:
                session.write("a", DATA)
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            interrupted()
        assert tree(tmp_path) == {}

    def test_and_what_was_there_before_stays(self, tmp_path: Path) -> None:
        (tmp_path / "logs/plugins").mkdir(parents=True)
        with Session(str(tmp_path / "logs")) as session:
            session.write("a", DATA)
        assert tree(tmp_path) == {"logs/plugins": "/"}

    def test_unless_another_uses_it_by_now(self, tmp_path: Path) -> None:
        with Session(str(tmp_path / "logs")):
            second = Session(str(tmp_path / "logs"))
        path = second.finish("run", record)
        second.discard()
        assert tree(tmp_path) == {os.path.relpath(path, tmp_path) + "/capture.json": "record of run"}

    def test_when_the_record_cannot_be_written(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        with Session(str(tmp_path / "logs")) as session:
            session.write("a", DATA)
            monkeypatch.setattr(os, "fsync", raising(OSError(errno.ENOSPC, "No space left on device")))
            with pytest.raises(WorkerError, match="the disk is full") as raised:
                session.finish("run", record)
        assert raised.value.kind == "disk_full"
        assert tree(tmp_path) == {}

    def test_of_a_capture_that_was_cancelled_while_it_wrote(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(writer, "PIECE_BYTES", 2)
        answers = iter([False, True])
        with Session(str(tmp_path)) as session:
            with pytest.raises(WorkerError) as raised:
                session.write("a", DATA, lambda: next(answers))
            assert [path.name for path in (tmp_path / "plugins").glob("*/*")] == []
        assert raised.value.kind == "cancelled"

    def test_of_a_process_that_was_killed_long_ago(self, tmp_path: Path) -> None:
        old = ("0" * 16, "1" * 16, "2" * 15, "notes")
        for name in old:
            (tmp_path / "plugins" / (HIDDEN + name)).mkdir(parents=True)
            (tmp_path / "plugins" / (HIDDEN + name) / "a.xplane.pb").write_bytes(b"x")
            if name != "1" * 16:
                os.utime(tmp_path / "plugins" / (HIDDEN + name), (1e9, 1e9))
        with Session(str(tmp_path)):
            pass
        assert sorted(path.name for path in (tmp_path / "plugins").iterdir()) == [HIDDEN + name for name in old[1:]]


def raising(error: OSError) -> Callable[..., None]:
    def fail(*_: object) -> None:
        raise error

    return fail


Usage = namedtuple("Usage", "total used free")


def test_a_disk_without_room_is_reported_before_a_byte_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Session(str(tmp_path)) as session:
        monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**9, 10**9 - 2_000_000, 2_000_000))
        monkeypatch.setattr(session, "_write", raising(OSError(0, "written")))
        with pytest.raises(WorkerError) as raised:
            session.write("a", memoryview(bytes(3_000_000)))
    assert raised.value.kind == "disk_full"
    assert raised.value.message == (
        f"{tmp_path}: the disk is full: 3 MB needed, 2 MB free; free space, or record for less time or at lower levels"
    )


@pytest.mark.parametrize(("more", "kind"), [(1_048_576, ""), (1_048_575, "disk_full")])
def test_a_mebibyte_of_the_disk_stays_free(
    more: int, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free, found = len(DATA) + more, ""
    with Session(str(tmp_path)) as session:
        monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**9, 10**9 - free, free))
        try:
            session.write("a", DATA)
        except WorkerError as error:
            found = error.kind
    assert found == kind


@pytest.mark.parametrize("times", [4, 5])
def test_folders_that_others_take_away_are_made_five_times(
    times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = os.mkdir
    failed: list[str] = []

    def mkdir(path: str, mode: int = 0o777) -> None:
        if HIDDEN in path and len(failed) < times:
            failed.append(path)
            raise FileNotFoundError(path)
        make(path, mode)

    monkeypatch.setattr(os, "mkdir", mkdir)
    try:
        Session(str(tmp_path)).discard()
        made = True
    except DiskError:
        made = False
    assert (made, len(failed)) == (times == 4, times)


def test_a_disk_that_reports_no_size_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mounted buckets have 0 bytes, of which 0 are free."""
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(0, 0, 0))
    with Session(str(tmp_path)) as session:
        assert session.write("a", DATA) == "a.xplane.pb"


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG])
def test_a_disk_that_is_full_at_the_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """A quota shows in no number of free bytes. The other worker's file stays."""
    with Session(str(tmp_path)) as session:
        session.write("a", DATA)
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", raising(OSError(number, os.strerror(number))))
            with pytest.raises(WorkerError) as raised:
                session.write("b", DATA)
        path = session.finish("run", record)
    assert raised.value.kind == "disk_full"
    assert sorted(os.listdir(path)) == ["a.xplane.pb", "capture.json"]


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES, errno.EIO])
def test_a_logdir_that_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """Found when the session begins, before anything is captured."""
    reason = os.strerror(number)
    monkeypatch.setattr(os, "mkdir", raising(OSError(number, reason, str(tmp_path / "plugins"))))
    with pytest.raises(ArgumentError) as raised:
        Session(str(tmp_path))
    assert str(raised.value) == (
        f"{tmp_path}: captures cannot be written to this logdir ({reason} at {tmp_path}/plugins); "
        "choose another --logdir, or give this user write permission"
    )
    assert tree(tmp_path) == {}


def test_a_disk_that_is_full_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", raising(OSError(errno.ENOSPC, "No space left on device")))
    with pytest.raises(ArgumentError, match=r"the disk is full: nothing could be written, .*B free"):
        Session(str(tmp_path / "logs"))
    assert tree(tmp_path) == {}


@pytest.mark.parametrize("name", ["logs", "logs/plugins"])
def test_a_logdir_that_is_a_file(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("a file")
    with pytest.raises(ArgumentError, match=r"\(Not a directory"):
        Session(str(tmp_path / "logs"))
    assert tree(tmp_path) == {name: "a file"}


@pytest.mark.parametrize("logdir", ["", "gs://bucket/logs", "s3://b", "a\0b"])
def test_a_logdir_that_is_no_folder_here(logdir: str) -> None:
    with pytest.raises(ArgumentError, match="must be a local folder"):
        Session(logdir)


def test_a_file_system_that_renames_no_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rename = os.rename

    def files_only(source: str, target: str) -> None:
        if os.path.isdir(source):
            raise OSError(errno.EMFILE, "Too many open files")
        rename(source, target)

    monkeypatch.setattr(os, "rename", files_only)
    with Session(str(tmp_path)) as session:
        session.write("a", DATA)
        session.finish("run", record)
    assert tree(tmp_path) == {
        "plugins/profile/run/a.xplane.pb": "\n\x03abc",
        "plugins/profile/run/capture.json": "record of run",
    }


REAL_DISKS = """
import os, sys
from tensorboard_perfplugin.capture.request import WorkerError
from tensorboard_perfplugin.capture.session import Session
from tensorboard_perfplugin.errors import ArgumentError

small, sealed = sys.argv[1:]
with Session(small) as session:
    session.write("a", memoryview(bytes(1_000_000)))
    try:
        session.write("b", memoryview(bytes(3_000_000)))
    except WorkerError as error:
        print(error.kind)
    print(sorted(os.listdir(session.finish("run", lambda name: "{}"))))
with open(small + "/fill", "wb", buffering=0) as fill:
    try:
        while fill.write(bytes(4096)): pass
    except OSError: pass
try:
    Session(small)
except ArgumentError as error:
    print("disk is full" in str(error))
try:
    Session(sealed)
except ArgumentError as error:
    print("Read-only file system" in str(error))
print(sorted(os.listdir(small + "/plugins")), sorted(os.listdir(sealed)))
"""


def test_disks_that_are_really_small_and_sealed(tmp_path: Path) -> None:
    """In a mount namespace of its own, where the system lets users have one."""
    small, sealed, script = tmp_path / "small", tmp_path / "sealed", tmp_path / "script.py"
    for folder in (small, sealed):
        folder.mkdir()
    script.write_text(REAL_DISKS)
    mounts = f"mount -t tmpfs -o size=4m tmpfs {small} && mount -t tmpfs -o ro tmpfs {sealed}"
    command = ["unshare", "-Urm", "sh", "-c", f"{mounts} && exec {sys.executable} {script} {small} {sealed}"]
    try:
        if subprocess.run(["unshare", "-Urm", "sh", "-c", mounts], capture_output=True, check=False).returncode:
            pytest.skip("this system lets no user mount a disk")
    except FileNotFoundError:
        pytest.skip("no unshare here")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == (
        textwrap.dedent("""\
            disk_full
            ['a.xplane.pb', 'capture.json']
            True
            True
            ['profile'] []
            """),
        "",
    )
