"""What goes wrong beside us: a killed process, a full disk, two servers, files that change while they are read."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from tensorboard_perfplugin import decode
from tensorboard_perfplugin.answers.disk import Disk, sealed
from tensorboard_perfplugin.answers.library import Library
from tensorboard_perfplugin.errors import NotFoundError, UnreadableError
from tensorboard_perfplugin.logdir import Run, runs_at
from tensorboard_perfplugin.tools import Answer
from tests.build_capture import Space
from tests.conftest import MakeLogdir
from tests.small_tool import COUNT

needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="no links, pipes and signals here")


def named(name: str, count: int = 3) -> Space:
    space = Space()
    line = space.plane("/host:CPU").line(1)
    for i in range(count):
        line.event(name, i, 1)
    return space


def run_of(logdir: Path) -> Run:
    (run,) = runs_at(str(logdir))
    return run


@pytest.fixture
def run(make_logdir: MakeLogdir) -> Run:
    return run_of(make_logdir({"r/h.xplane.pb": named("aaa")}))


def names(answer: Answer) -> list[Any]:
    return list(answer.result.tables["names"]["name"])


WRITES = """
import sys
from tensorboard_perfplugin.answers.disk import sealed, Disk
disk = Disk(lambda: sys.argv[1])
print("ready", flush=True)
while True:
    for i in range(20):
        disk.write((i,), ["x" * 200_000, i])
"""


@needs_posix
def test_killed_while_the_cache_is_written(tmp_path: Path) -> None:
    """Each entry is whole or not there, and what was left is no more than the entries that were being written."""
    folder = tmp_path / "cache"
    for _ in range(3):
        with subprocess.Popen([sys.executable, "-c", WRITES, str(folder)], stdout=subprocess.PIPE) as writer:
            assert writer.stdout
            writer.stdout.readline()
            while not folder.is_dir() or len(list(folder.glob("*.json"))) < 3:
                assert writer.poll() is None
            writer.send_signal(signal.SIGKILL)
    disk, read = Disk(lambda: str(folder)), []
    for i in range(20):
        read.append(disk.read((i,), lambda data: data))
    assert any(read)
    assert all(data is None or data == ["x" * 200_000, i] for i, data in enumerate(read))
    assert len(list(folder.glob("*.tmp"))) <= 3
    small = Disk(lambda: str(folder), max_bytes=1)
    small.write(("last",), 1)
    assert len(list(folder.iterdir())) <= 1, "what was left goes as entries do"


def test_the_disk_of_the_cache_is_full(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    library = Library(disk=Disk(lambda: str(tmp_path / "cache")))
    assert names(library.answer(COUNT, run, None, {})) == ["aaa"]
    assert list((tmp_path / "cache").iterdir()) == []


@pytest.mark.parametrize("home", ["a file", "missing and not to be made", "none"])
def test_a_home_that_cannot_be_written(run: Run, tmp_path: Path, home: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    folders = {"a file": tmp_path / "file", "missing and not to be made": tmp_path / "file/cache", "none": None}
    library = Library(disk=Disk(lambda: str(folders[home]) if folders[home] else None))
    assert names(library.answer(COUNT, run, None, {})) == ["aaa"]


@needs_posix
def test_the_cache_is_the_user_s_alone(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    Library(disk=Disk(lambda: str(folder))).answer(COUNT, run, None, {})
    (entry,) = folder.iterdir()
    assert (folder.stat().st_mode & 0o777, entry.stat().st_mode & 0o777) == (0o700, 0o600)


@needs_posix
@pytest.mark.parametrize("what", ["link", "pipe"])
def test_an_entry_that_is_no_file_is_not_read(run: Run, tmp_path: Path, what: str) -> None:
    """A link would have been followed, a pipe waited at."""
    folder = tmp_path / "cache"
    disk = Disk(lambda: str(folder))
    disk.write(("key",), "mine")
    (entry,) = folder.iterdir()
    entry.rename(tmp_path / "elsewhere")
    entry.symlink_to(tmp_path / "elsewhere") if what == "link" else os.mkfifo(entry)
    assert disk.read(("key",), lambda data: data) is None
    disk.write(("key",), "new")
    assert disk.read(("key",), lambda data: data) == "new"
    assert (tmp_path / "elsewhere").read_bytes() == sealed(b'"mine"')


def test_two_servers_on_one_cache(run: Run, tmp_path: Path) -> None:
    """Each reads what the other is writing and removing."""
    disks = [Disk(lambda: str(tmp_path / "cache"), max_bytes=3000) for _ in range(4)]
    wrong: list[Any] = []

    def serve(disk: Disk) -> None:
        for i in range(100):
            key, expected = (i % 10,), ["x" * 500, i % 10]
            if (found := disk.read(key, lambda data: data)) not in (None, expected):
                wrong.append(found)
            disk.write(key, expected)

    threads = [threading.Thread(target=serve, args=(disk,)) for disk in disks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_file_replaced_by_one_of_the_same_size_and_time(make_logdir: MakeLogdir, tmp_path: Path) -> None:
    """Written in its place, with the time put back: only the time of the change tells them apart."""
    run = run_of(make_logdir({"r/h.xplane.pb": named("aaa")}))
    library = Library(disk=Disk(lambda: str(tmp_path / "cache")))
    assert names(library.answer(COUNT, run, None, {})) == ["aaa"]
    path = Path(run.files[0].path)
    was = path.stat()
    # Clocks of file systems go by as much as 10 ms at a time.
    while path.stat().st_ctime_ns == was.st_ctime_ns:
        path.write_bytes(named("bbb").bytes())
        os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))
    now = path.stat()
    assert (now.st_size, now.st_mtime_ns, now.st_ino) == (was.st_size, was.st_mtime_ns, was.st_ino)
    assert names(library.answer(COUNT, run, None, {})) == ["bbb"]
    assert names(Library(disk=Disk(lambda: str(tmp_path / "cache"))).answer(COUNT, run, None, {})) == ["bbb"]


@pytest.mark.parametrize("what", ["deleted", "cut", "emptied"])
def test_a_file_that_changes_while_it_is_read(make_logdir: MakeLogdir, tmp_path: Path, what: str) -> None:
    """What was read of it is not kept as the answer of what is there now."""
    run = run_of(make_logdir({"r/h.xplane.pb": named("aaa", 1000)}))
    path = Path(run.files[0].path)
    changes = [True]

    def read(name: str) -> Any:
        capture = decode.read(name)
        if changes.pop() if changes else False:
            path.unlink() if what == "deleted" else os.truncate(path, 100 if what == "cut" else 0)
        return capture

    library = Library(disk=Disk(lambda: str(tmp_path / "cache")), read=read)
    with contextlib.suppress(NotFoundError):
        assert names(library.answer(COUNT, run, None, {})) == ["aaa"]
    assert not list((tmp_path / "cache").glob("*.json"))
    if what == "cut":
        assert library.answer(COUNT, run, None, {}).quality.warnings, "what is left, and where it ends"
        return
    with pytest.raises((NotFoundError, UnreadableError)) as again:
        library.answer(COUNT, run, None, {})
    assert "\n" not in str(again.value)
